"""`tableside play`: what a table is asked once, words for every move, and what lies on the table as text."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from door import evening, refused, tableside

from cli.typed import typed_move
from scoring.actions import Confirm, Declare, Fill, Hold
from scoring.games import find
from scoring.games.destiny.state import Discard, Jest, PlayBonus, Steal, Transmute
from scoring.games.outback.state import Place, PlaceInRow, Tell, TellEach
from scoring.games.outlander.cards import Card, Change, Faces, Points


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    return tmp_path / "home"


SHEET = ("33", "44", "26", "55", "111", "46")
"""Six set values as a table reads them from its sheet."""


def test_set_values_are_asked_for_stored_and_shown(home: Path):
    said = tableside("play", "meet-fate", "--players", "Ann", "--ask", typed="\n".join(SHEET) + "\nquit\n")
    assert said.code == 0, said.err
    assert "as printed on your score sheet" in said.out
    assert "set_values.small-straight=33" in said.out
    assert json.loads((home / "answers.json").read_text())["meet-fate"]["set_values.trips"] == "46"


def test_an_answer_that_makes_no_sense_is_asked_for_again(home: Path):
    typed = "\n".join(("lots", *SHEET)) + "\nquit\n"
    said = tableside("play", "meet-fate", "--players", "Ann", "--ask", typed=typed)
    assert (
        "No: option set_values.small-straight must be a whole number from 0 to 9999, not “lots”."
        in said.out
    )
    assert "set_values.small-straight=33" in said.out


@pytest.mark.parametrize(("board", "spaces"), [("2:3 3:4 4:3", "2c"), ("base-unverified", "6a")])
def test_a_board_is_asked_for_and_shown_for_what_it_is(home: Path, board: str, spaces: str):
    typed = f"2:9 3:9 4:9\n{board}\nstate\nquit\n"
    said = tableside("play", "outback", "--players", "Ann,Bob", "--ask", typed=typed)
    assert "No: board: use at most 21 spaces, not 27." in said.out
    assert f"[{spaces}]" in said.out
    assert ("This board is a guess" in said.out) is (board == "base-unverified")


def test_what_was_answered_once_is_not_asked_again(home: Path, monkeypatch: pytest.MonkeyPatch):
    tableside("play", "meet-fate", "--players", "Ann", "--ask", typed="\n".join(SHEET) + "\nquit\n")
    monkeypatch.setattr("door.io.StringIO", Terminal)
    said = tableside("play", "meet-fate", "--players", "Ann", typed="quit\n")
    assert "set_values.small-straight=33" in said.out
    assert "read them" not in said.out
    own = tableside("play", "meet-fate", "--players", "Ann", "--option", "set_values.trips=1", typed="quit\n")
    assert "set_values.trips=1" in own.out


@pytest.mark.parametrize(
    "damage", ["", "[1]", "\x00", '{"meet-fate": {"set_values.trips": "many"}}', "[" * 99999]
)
def test_a_damaged_file_of_answers_is_as_good_as_none(home: Path, damage: str):
    home.mkdir()
    (home / "answers.json").write_text(damage)
    said = tableside("play", "meet-fate", "--players", "Ann", "--ask", typed="\n".join(SHEET) + "\nquit\n")
    assert said.code == 0, said.err
    assert "set_values.trips=46" in said.out


def test_options_are_named_at_the_start_and_with_the_outcome():
    said = evening("triples --players Ann --option target=6", "cat cat cat").said.splitlines()
    assert said[0] == said[-1] == "Triples: target=6, finish_round=no"


class Terminal(io.StringIO):
    """Input that says it is a terminal."""

    def isatty(self) -> bool:
        return True


PLAYERS = ("Ann", "Bob the Great", "Cy")


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("called-shot", "declare no cats", Declare("no-cats")),
        ("meet-fate", "fill Small Straight", Fill("small-straight")),
        ("meet-fate", "confirm ja", Confirm(True)),
        ("meet-fate", "hold 7 7", Hold(("7", "7"))),
        ("outlander", "card hand Claire is captured", Card("hand", "Claire is captured")),
        ("outlander", "card pile", Card("pile")),
        ("outlander", "faces BJR −1", Faces("bjr", -1)),
        ("outlander", "change bjr jenny 1", Change("bjr", "jenny", 1)),
        ("outlander", "points Bob the Great, -3, a fine", Points(1, -3, "a fine")),
        ("destiny", "steal Bob the Great", Steal(1)),
        ("destiny", "jest Ann Cy", Jest(0, 2)),
        ("destiny", "discard law base 3, king", Discard(("law-base-3", "king"))),
        ("destiny", "bonus law bonus 2, law base 3", PlayBonus("law-bonus-2", "law-base-3")),
        ("destiny", "transmute chaos-base-1 law", Transmute("chaos-base-1", "law")),
        ("outback", "place monitor lizard, 4c", Place("monitor-lizard", "4c")),
        ("outback-plus", "place-in-row emu 4 2 full", PlaceInRow("emu", 4, 2, "full")),
        ("outback-plus", "tell 4", Tell(4)),
        ("outback-plus", "tell-each 1 3 2 1 2", TellEach((1, 3, 2, 1, 2))),
        ("outback", "fly 4c", None),
    ],
)
def test_a_move_is_its_kind_and_what_it_needs(game: str, text: str, move: object):
    assert typed_move(find(game), PLAYERS, text) == move


@pytest.mark.parametrize(
    ("line", "typed", "answer"),
    [
        (
            "outlander --players Ann",
            (",".join(["bjr"] * 6), "card attic"),
            "No: type card SOURCE TITLE, not “card attic”",
        ),
        ("outback --players A,B --option start=first", ("x",), "No: draw 5 from the bag, not 1."),
        ("meet-fate --players Ann", ("1 2 3 4 5 6", '{"a":' * 700), "No: expected one JSON object"),
        (
            "meet-fate --players Ann",
            ("1 2 3 4 5 6", '{"kind": "fill", "box": NaN}'),
            "No: move.box: expected str",
        ),
        ("meet-fate --players Ann", ("1 2 3 4 5 6", "99999999999999999999"), "No: “999999999999999999"),
        ("triples --players Ann", ("correct cat cat cat",), "No: no roll has been made yet."),
        (
            "triples --players Ann",
            ("x" * 100_000,),
            "No: type at most 4000 characters, not 100,000",
        ),
        (
            "triples --players Ann",
            ("cat cat cat", "correct 7: cat cat cat"),
            "No: event 7 cannot be corrected",
        ),
        ("called-shot --players Ann", ("undo 99999",), "No: event 99,999 cannot be undone"),
    ],
)
def test_nonsense_is_answered_in_one_line(line: str, typed: tuple[str, ...], answer: str):
    assert refused(line, *typed).startswith(answer)


@pytest.mark.parametrize(
    ("language", "answers"),
    [
        ("en", ("No: hold at least 4 dice: you may throw at most 2 again (Throwing "
                "again).",
                "No: “nonsense” is not a move: type “list” to see the moves, or “correct FACES”")),
        ("de", ("Nein: behalte mindestens 4 Würfel: höchstens 2 darfst du noch einmal würfeln (Noch einmal werfen)",
                "Nein: „nonsense“ ist kein Zug: „list“ zeigt die Züge")),
        ("fr", ("Non\u202f: gardez au moins 4 dés\u202f: vous pouvez en relancer 2 au plus (Relancer)",
                "Non\u202f: «\u202fnonsense\u202f» n’est pas un coup\u202f: tapez «\u202flist\u202f» pour voir")),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_the_language(language: str, answers: tuple[str, ...]):
    roll = "claire, jamie, bjr, dougal, jenny, jenny"
    typed = "\n".join((roll, "keep claire jamie bjr", "nonsense", "claire", "x" * 5000, "quit")) + "\n"
    said = tableside("play", "outlander", "--players", "Ann,Ben", "--lang", language, typed=typed)
    for answer in answers:
        assert answer in said.out
    others = [line for line in said.out.splitlines() if line.startswith(("No:", "Nein:", "Non\u202f:"))]
    assert len(others) == 4
    if language != "en":
        assert not [line for line in others if re.search(r"\b(the|got|expected|dice)\b", line)]


def test_cards_and_earlier_rolls_are_corrected_by_number():
    typed = ("identity king", "identity dragon", "done", "done", "kings crown", "correct greater hoard")
    assert evening("destiny --players Ann,Bob", *typed).state["prize"] == "greater-hoard"
    fixed = evening(
        "triples --players Ann,Bob", "cat cat dd", "cat cat cat", "correct 1: cat cat cat", "correct 2:"
    )
    assert fixed.told["points"] == {"Ann": 6, "Bob": 0}


def test_a_match_that_stopped_says_why_until_it_is_put_right():
    typed = ("2 3 5 7 7 8", "keep 7 7", "correct 1: 1 2 3 4 5 6", "1 2 3 4")
    assert "a later move breaks a rule" in refused("meet-fate --players Ann", *typed)
    back = evening("meet-fate --players Ann", *typed[:3], "undo", "fill 6")
    assert back.told["points"] == {"Ann": 6}


def test_the_table_as_text():
    said = evening("destiny --players Ann,Bob", "identity king", "identity dragon", "state").said
    assert "→ Ann  0  (identity King, Aid none, cards in hand 6, treasures none)" in said
    assert "  to come  20 treasures, in unknown order  27" in said


HANDS = (
    "king, law-base-1, law-base-2, law-base-3, law-base-4, law-bonus-1, law-bonus-2",
    "dragon, evil-base-1, evil-base-2, evil-base-3, evil-base-4, evil-bonus-1, evil-bonus-2",
)


def test_a_dealt_hand_is_handed_over_at_a_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("door.io.StringIO", Terminal)
    line = ("play", "destiny", "--players", "Ann,Bob", "--option", "cards=dealt")
    dealt = (*line, "--option", "treasure_order=listed")
    said = tableside(*dealt, typed="\n".join((*HANDS, "", "identity king", "", "quit")))
    ann, _, bob = said.out.partition("Only Bob may look now")
    assert "Only Ann may look now. Everyone else, look away." in ann
    assert "Law base 4" in ann.partition("Only Ann may look now")[2]
    assert "Law base" not in ann.partition("Only Ann may look now")[0]
    assert "Evil base" not in ann
    assert "Evil base 4" in bob
    assert "Law base" not in bob


def test_hands_are_not_listed_when_all_decide_together():
    line = (
        "play",
        "destiny",
        "--players",
        "Ann,Bob",
        "--option",
        "cards=dealt",
        "--option",
        "play_order=together",
    )
    said = tableside(
        *line, "--option", "treasure_order=listed", typed="\n".join((*HANDS, "list", "Bob: identity dragon"))
    )
    assert "law" not in said.out.casefold()
    assert "Bob is the Dragon" in said.out


@pytest.mark.parametrize(
    ("lang", "offered", "said"),
    [
        ("en", "Ann: 1 point", "Ann gets 1 point from the card."),
        ("de", "Ann: 1 Punkt", "Ann bekommt durch die Karte 1 Punkt."),
        ("fr", "Ann : 1 point", "Ann reçoit 1 point de la carte."),
    ],
)
def test_an_offer_that_begins_with_a_name_is_taken_as_it_is_written(lang: str, offered: str, said: str):
    typed = "jamie jamie geillis geillis laoghaire bjr\ncard hand\nlist\n"
    first = tableside("play", "outlander", "--players", "Ann,Bob", "--lang", lang, typed=f"{typed}quit\n")
    listed = [line.partition(" ")[2].strip() for line in map(str.strip, first.out.replace("\u202f", " ").splitlines())]
    assert offered in listed
    again = tableside("play", "outlander", "--players", "Ann,Bob", "--lang", lang, typed=f"{typed}{offered}\nquit\n")
    assert said in again.out.replace("\u202f", " ")


def test_outlanders_hint_offers_only_what_may_be_held():
    typed = "jamie jamie geillis geillis laoghaire bjr\nquit\n"
    said = tableside("play", "outlander", "--players", "Ann", typed=typed)
    assert "keep FACES: hold at least 4 dice and throw the others" in said.out
    assert "keep: throw all" not in said.out
    free = tableside("play", "meet-fate", "--players", "Ann", typed="1 2 3 4 5 6\nquit\n")
    assert "keep FACES: hold these dice and throw the others (keep alone: throw all)" in free.out


def test_a_number_is_the_place_in_the_list_and_not_a_box_of_that_name():
    typed = "1 2 3 4 5 6\nfill 1\n1 2 3 4 5 6\n2\nquit\n"  # box 1 is full: the second in the list is box 3
    said = tableside("play", "meet-fate", "--players", "Ann", typed=typed)
    assert "Ann scores 3 points in box 3: 4 in all" in said.out
