"""What options and their answers are called on a page, where their keys alone say too little."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.options import Option
from web.language import N_

TITLES: Mapping[str, str] = {
    "removal": N_("Whom BJR and Laoghaire remove"),
    "bl_pair": N_("A pair of BJR and Laoghaire"),
    "cj_pairs": N_("Pairs of Claire and Jamie"),
    "special_scope": N_("Where the special six are looked for"),
    "special_blocks_card": N_("Special six and cards"),
    "target": N_("Points to reach"),
    "draw_rule": N_("Drawing cards"),
    "card_timing": N_("When the card is played"),
    "clamp_zero": N_("Never below zero"),
    "finish_round": N_("Finish the round"),
    "card_optional": N_("No card at all"),
    "full_house": N_("Full house"),
    "f8_mode": N_("Six eights"),
    "pairs_distinct": N_("Pairs of different faces"),
    "upper_bonus_from": N_("Upper bonus from"),
    "person_alias": N_("“Person” for family"),
    "count_set_roll": N_("Counting the set roll"),
    "repeat_x4": N_("The set roll again"),
    "first_roller": N_("Who rolls first after a set"),
    "reroll": N_("Rolling once more"),
    "failed_reroll_rank": N_("After rolling once more in vain"),
    "tie": N_("Equal scores at the end"),
    "cards": N_("Who deals"),
    "match_bonus": N_("Bonus for matching cards"),
    "match_scope": N_("Where cards match"),
    "strict_opposition": N_("No opposing cards at all"),
    "play_order": N_("Who acts when"),
    "deck_end": N_("When the treasure is out"),
    "treasure_order": N_("The treasure deck"),
    "board": N_("Rows of the board"),
    "board_plus": N_("Rows of the board’s back"),
    "tracks.left": N_("End of the left track"),
    "tracks.upper": N_("End of the upper track"),
    "end": N_("When it ends"),
    "start": N_("Who begins"),
    "may_pass": N_("Passing"),
    "jeep_swap": N_("Five equal animals on the jeep"),
    "bonus_tiles": N_("Bonus tiles"),
    "scoring_tile": N_("Scoring tile"),
}

ANSWERS: Mapping[tuple[str, str], str] = {
    ("removal", "text"): N_("as the text says"),
    ("removal", "swapped"): N_("swapped"),
    ("bl_pair", "plain"): N_("costs three and removes"),
    ("bl_pair", "absorbs"): N_("only costs three"),
    ("cj_pairs", "after"): N_("after the removals"),
    ("cj_pairs", "before"): N_("before the removals"),
    ("special_scope", "final"): N_("among the final faces"),
    ("special_scope", "dice"): N_("among the dice only"),
    ("draw_rule", "refill"): N_("up to two in hand"),
    ("draw_rule", "always-one"): N_("always one"),
    ("card_timing", "after"): N_("after the re-roll"),
    ("card_timing", "either"): N_("before or after it"),
    ("f8_mode", "display"): N_("at any moment of the turn"),
    ("f8_mode", "one-throw"): N_("in one throw"),
    ("first_roller", "left"): N_("to the declarer’s left"),
    ("first_roller", "declarer"): N_("the declarer again"),
    ("failed_reroll_rank", "table"): N_("the hand on the table"),
    ("failed_reroll_rank", "before"): N_("the hand before"),
    ("failed_reroll_rank", "nothing"): N_("nothing"),
    ("tie", "shared"): N_("the win is shared"),
    ("tie", "play-on"): N_("rounds go on"),
    ("cards", "held"): N_("people hold real cards"),
    ("cards", "dealt"): N_("Tableside deals"),
    ("match_bonus", "cards"): N_("on each card, before"),
    ("match_bonus", "after"): N_("once a card, after"),
    ("match_scope", "stack"): N_("within a stack"),
    ("match_scope", "all"): N_("over all cards"),
    ("play_order", "rotating"): N_("the first player moves on"),
    ("play_order", "fixed"): N_("always the same first player"),
    ("play_order", "together"): N_("all together"),
    ("deck_end", "play-on"): N_("play on"),
    ("deck_end", "stop"): N_("stop"),
    ("treasure_order", "shuffled"): N_("shuffled"),
    ("treasure_order", "listed"): N_("as listed"),
    ("end", "round"): N_("the round is finished"),
    ("end", "each-full"): N_("when each board is full"),
    ("start", "roll"): N_("who rolls the most equal animals"),
    ("start", "first"): N_("the first player"),
    ("bonus_tiles", "all"): N_("all fourteen"),
    ("bonus_tiles", "five"): N_("five by lot"),
    ("scoring_tile", "none"): N_("none"),
    ("scoring_tile", "drawn"): N_("one by lot"),
}
"""By the option's key and the answer."""


def title_of(option: Option) -> str:
    """What an option is called: "set_values.small-straight" is "Small straight", "row_tiles.2" is "Row 2"."""
    if option.key in TITLES:
        return TITLES[option.key]
    group, _dot, last = option.key.rpartition(".")
    if last.isdecimal():
        return f"{group.partition('_')[0].capitalize()} {last}"
    return last.replace("_", " ").replace("-", " ").capitalize()


def answer_of(option: Option, value: str) -> str:
    """What an answer is called; a letter is a letter."""
    return ANSWERS.get((option.key, value), value.replace("-", " "))
