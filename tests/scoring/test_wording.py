"""Sentences are said exactly, and another language touches no game."""

from __future__ import annotations

import pytest

from scoring import wording
from scoring.account import fact, line
from scoring.actions import Declare, Fill, Hold, Play, Roll
from scoring.games import find
from scoring.language import Language
from scoring.match import begin
from scoring.phrases.en import count, nth
from scoring.wording import announced, explain, offer, say, sentences, standing

ANN_BOB = ("Ann", "Bob")

GERMAN = Language(
    code="de",
    phrases={
        "declared": "{player} sagt {declaration:face} an.",
        "rolled": "{player} hat {faces:faces} gewürfelt.",
        "called-shot.row": "{declared:face}: Zeile {row}.",
        "scored": "{points:points} für {player}, {total} insgesamt.",
        "await.move": "{players:names}: {what:rule}, bitte.",
        "await.roll": "{player} würfelt.",
    },
    rules={"declaration": "Ansage", "{declared:face}: {row:face}": "Ansage {declared:face}, Zeile {row}"},
    count=lambda number, one, many: f"{number} {one if number == 1 else many}",
    nth=lambda number: f"{number}.",
    conjunction="und",
    nothing="nichts",
    disjunction="oder",
    numbers=(),
    dice=lambda number: f"{number} Würfel",
    several=lambda label, number: f"{number} {label}",
    points=("Punkt", "Punkte"),
    names={"no-cats": "keine Katzen"},
)

LABELS = {"dd": "DD", "cat": "Katze"}


def called_shot():
    match = begin(find("called-shot"), ANN_BOB)
    return match.add(Play(0, Declare("no-cats"))).add(Roll(("dd", "dd", "cat")))


def test_what_is_said_after_a_roll():
    assert sentences(called_shot()) == (
        "Ann rolled DD, DD and cat.",
        "No cats: the row pair/only.",
        "Ann scores 1 point, 1 in all.",
        "Bob: declaration, please.",
    )


def test_another_language_is_a_table_and_touches_no_game(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wording, "LANGUAGES", {"en": wording.LANGUAGES["en"], "de": GERMAN})
    match = called_shot()
    assert sentences(match, "de", LABELS) == (
        "Ann hat DD, DD und Katze gewürfelt.",
        "Keine Katzen: Zeile pair/only.",
        "1 Punkt für Ann, 1 insgesamt.",
        "Bob: Ansage, bitte.",
    )
    reason = match.played[-1].step.scores[0].breakdown[0]
    assert explain(reason, "de", LABELS) == "Ansage keine Katzen, Zeile pair/only"


def test_a_correction_is_said_with_what_follows_from_it():
    match = called_shot().correct(2, ("dd", "sigil", "thoromyr"))
    assert sentences(match)[0] == "Corrected: the dice showed DD, sigil and Thoromyr."
    assert "Ann scores 25 points, 25 in all." in sentences(match)


def test_an_undo_says_whose_decision_it_was():
    match = called_shot().undo()
    assert sentences(match) == (
        "Taken back: what Ann decided, and what came after it.",
        "Ann: declaration, please.",
    )


def test_the_beginning_and_the_standing():
    match = begin(find("triples"), ANN_BOB)
    assert sentences(match) == ("Ann to roll.",)
    match = match.add(Roll(("cat", "cat", "dd"))).add(Roll(("cat", "cat", "cat")))
    said = [say(one, ANN_BOB) for one in standing(match)]
    assert said == ["Bob, first, 6 points.", "Ann, second, 2 points."]


def test_a_shared_win_names_everyone():
    match = begin(find("everyone-scores"), ANN_BOB, {"target": 1})
    for _ in ANN_BOB:
        match = match.add(Roll(("cat", "cat", "dd", "sigil", "manticore")))
    assert say(announced(match)[-1], ANN_BOB).startswith("The match is over. Ann and Bob won with 1 point:")


def test_moves_are_offered_in_words():
    assert offer(Hold(("7", "7")), ANN_BOB) == "Keep 7 and 7, throw the others"
    assert offer(Fill("full-house"), ANN_BOB) == "Write into full house"
    assert offer(Hold(()), ANN_BOB) == "Keep nothing, throw the others"


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("{n:points}", {"n": 1}, "1 point"),
        ("{n:points}", {"n": -1}, "−1 point"),
        ("{n:count box boxes}", {"n": 0}, "0 boxes"),
        ("{n:signed}", {"n": 3}, "+3"),
        ("{n:signed}", {"n": -3}, "−3"),
        ("{n:nth}", {"n": 2}, "Second"),
        ("{n}", {"n": -3}, "−3"),
        ("{who:names}", {"who": (0, 1)}, "Ann and Bob"),
        ("{f:faces}", {"f": ()}, "Nothing"),
        ("{f:faces}", {"f": ("cat",)}, "Cat"),
        ("{f:tally}", {"f": ("jamie", "bjr", "jamie")}, "2 Jamie and 1 BJR"),
    ],
)
def test_values_are_spoken(template: str, values: dict[str, object], said: str):
    speaker = wording.Speaker(wording.LANGUAGES["en"], ANN_BOB, {})
    assert speaker.say(template, None, tuple(values.items())) == said  # type: ignore[arg-type]


def test_english_numbers():
    assert [nth(n) for n in (1, 10, 11, 12, 13, 21, 22, 23, 101, 112)] == (
        ["first", "tenth", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "112th"]
    )
    assert count(2, "tile", "tiles") == "2 tiles"


def test_names_with_braces_are_only_names():
    assert (
        say(fact("declared", 0, declaration="cats"), ("{player.__class__}",))
        == "{player.__class__} declares cats."
    )
    assert explain(line("{text}", 0, "", text="{0} {x!r}")) == "{0} {x!r}"
