"""Every option that RULINGS names is there, with the default it gives."""

from __future__ import annotations

import pytest

from scoring.games import find

OPTIONS = {
    "outlander": {
        "1.6 Q1": [("removal", "text", ("text", "swapped")), ("bl_pair", "plain", ("plain", "absorbs"))],
        "1.6 Q2": [("cj_pairs", "after", ("after", "before"))],
        "1.6 Q3": [("special_scope", "final", ("final", "dice"))],
        "1.6 Q4": [("special_blocks_card", False, ())],
        "1.6 Q5": [("draw_rule", "refill", ("refill", "always-one"))],
        "1.6 Q7": [("card_timing", "after", ("after", "either"))],
        "1.6 Q8": [("clamp_zero", False, ())],
        "1.6 Q10": [("finish_round", False, ())],
        "1.6 Q11": [("card_optional", False, ())],
    },
    "meet-fate": {
        "2.4 Q1": [
            ("set_values.full-house", 25, ()),
            ("set_values.small-straight", 30, ()),
            ("set_values.large-straight", 40, ()),
            ("set_values.trips", 45, ()),
            ("set_values.five-of-a-kind", 50, ()),
            ("set_values.six-of-a-kind", 100, ()),
        ],
        "2.4 Q2": [("full_house", "A", ("A", "B", "C"))],
        "2.4 Q3": [("f8_mode", "display", ("display", "one-throw"))],
        "2.4 Q5": [("pairs_distinct", False, ())],
        "2.4 Q7": [("upper_bonus", 0, ())],
    },
    "pairs": {
        "3.7 Q1": [("person_alias", True, ())],
        "3.7 Q2": [("count_set_roll", True, ())],
        "3.7 Q3": [("repeat_x4", False, ())],
        "3.7 Q4": [("first_roller", "left", ("left", "declarer"))],
    },
    "triples": {"3.7 Q7": [("finish_round", False, ())]},
    "called-shot": {"3.7 Q7": [("finish_round", False, ())]},
    "quintuples": {
        "3.7 Q5": [("reroll", False, ()), ("failed_reroll_rank", "table", ("table", "before", "nothing"))],
        "3.7 Q6": [("tie", "shared", ("shared", "play-on"))],
    },
    "everyone-scores": {
        "3.7 Q5": [("reroll", False, ())],
        "3.7 Q6": [("tie", "shared", ("shared", "play-on"))],
    },
    "destiny": {
        "4.6 Q1": [("match_bonus", "cards", ("cards", "after"))],
        "4.6 Q2": [("match_scope", "stack", ("stack", "all"))],
        "4.6 Q3": [("strict_opposition", False, ())],
        "4.6 Q4": [("play_order", "rotating", ("rotating", "fixed", "together"))],
        "4.6 Q7": [("deck_end", "play-on", ("play-on", "stop"))],
        "4.6 Q8": [("treasure_order", "shuffled", ("shuffled", "listed"))],
    },
    "outback": {
        "5.4": [("end", "round", ("round", "each-full"))],
        "5.7 Q4": [("board", "base-unverified", ())],
        "5.7 Q7": [("tracks.left", 9, ()), ("tracks.upper", 15, ())],
        "5.7 Q9": [("may_pass", False, ())],
        "5.7 Q11": [("jeep_swap", False, ())],
    },
    "outback-plus": {
        "5.5": [("bonus_tiles", "all", ("all", "five"))],
        "5.7 Q5": [("board_plus", "plus-unverified", ())],
        "5.7 Q6": [
            *((f"row_tiles.{row}", -1, ()) for row in range(2, 8)),
            *(
                (f"scoring_tile.{animal}", -1, ())
                for animal in ("emu", "kangaroo", "koala", "platypus", "monitor-lizard")
            ),
            ("scoring_tile", "none", ("none", "A", "B", "C", "D", "drawn")),
        ],
        "5.7 Q7": [("tracks.left", 9, ()), ("tracks.upper", 15, ())],
    },
}

ASKED = {"meet-fate": {"set_values"}, "outback": {"board"}, "outback-plus": {"board_plus"}}
"""What no document says and every table has printed before it."""


@pytest.mark.parametrize("game", OPTIONS)
def test_options(game: str):
    there = {option.key: option for option in find(game).options}
    for where, named in OPTIONS[game].items():
        for key, default, values in named:
            assert there[key].default == default, where
            assert there[key].values == values, where


@pytest.mark.parametrize("game", OPTIONS)
def test_what_is_asked_for_at_the_start(game: str):
    asked = {option.key.partition(".")[0] for option in find(game).options if option.ask}
    assert asked == ASKED.get(game, set())


@pytest.mark.parametrize(
    ("game", "players", "target"),
    [
        ("outlander", 2, 40),
        ("pairs", 2, 100),
        ("triples", 2, 25),
        ("called-shot", 2, 25),
        ("everyone-scores", 2, 100),
    ],
)
def test_targets(game: str, players: int, target: int):
    assert {option.key: option.default for option in find(game).options}["target"] == target
