"""What lay there, what is seen and what is due make one event: no session, no disk, no clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.dice_tracker import (
    Cleared,
    DiceEvent,
    DiceTracker,
    Doubtful,
    Due,
    Moved,
    PutBack,
    Rolled,
    Unchanged,
)
from tests.fakes import die, reading, rolled, row
from vision.dicesets.library import find as find_set
from vision.reading import UNKNOWN, DieReading, Reading, Since

THROW = Due(6, throw=True)
ROLLED = {"roll": 1, "faces": tuple("235778"), "events": 1, "lies": True}
"""The dice 2, 3, 5, 7, 7 and 8 of event 1 lie there and count; then …"""
DECIDE = Due(6, hold=True, **ROLLED)
"""… the player holds some and throws the others, or takes a box;"""
NEXT = Due(6, throw=True, **ROLLED | {"events": 2, "lies": False})
"""… a box was taken, and the next player throws;"""
NOTHING = Due(6, **ROLLED)
"""… and no throw is due."""


def by(right: float, down: float) -> Reading:
    """The dice that count, all of them moved by so many pixels."""
    return reading(*(die(face, 120.0 * i - 20 + right, 100 + down) for i, face in enumerate("235778", 1)))


def tracker_of(due: Due, lay: float) -> DiceTracker:
    tracker = DiceTracker(find_set("fate"))
    if due.roll is not None:
        tracker.update(rolled("235778"), THROW)
        tracker.became(1)
    tracker._lay = lay
    return tracker


def seen_to_roll(*dice: DieReading) -> Reading:
    return replace(reading(*dice), since=Since(rolled=True))


def by_hand(*dice: DieReading) -> Reading:
    return replace(reading(*dice), since=Since(handled=True))


def said(event: DiceEvent) -> DiceEvent | tuple[type[DiceEvent], list[str], bool]:
    """An event with its question in English."""
    if isinstance(event, (Moved, Doubtful)):
        return type(event), [str(one) for one in event.question], event.countable
    return event


STEEP = replace(die("5", 700, 400), corners=((700, 388), (734, 408), (666, 408)))
HARDLY_ONE = replace(die("3", 800, 400, certain=False), confidence=0.79, die=0.8)
LIKELY_DICE = replace(
    reading(*row("12345"), replace(die("8", 700, certain=False), confidence=0.79, die=0.8)), certain_from=0.95
)
LIES = "hasn’t moved"
MOVED_ON = "the dice moved again just after they stopped"

CASES: list[tuple[str, Due, Reading, object]] = [
    ("the first throw", THROW, rolled("224578"), Rolled(tuple("224578"))),
    ("no die", THROW, rolled(""), Cleared()),
    ("a die is missing", THROW, rolled("22457"), (Doubtful, [
        "I see five dice, but the game needs six", "is one off the table or on top of another?",
        "move them apart, or type the roll"], False)),
    ("three are missing", THROW, rolled("224"), (Doubtful, [
        "I see three dice, but the game needs six", "are some off the table or on top of others?",
        "move them apart, or type the roll"], False)),
    ("a die too many", THROW, rolled("2245781"), (Doubtful, [
        "I see seven dice, but the game needs six", "which one is not a die?"], False)),
    ("an uncertain die", THROW, reading(*row("12345"), die("6", 700, certain=False, others=["8", "5"])), (Doubtful, [
        "what does die 6 show?", "it could be 6, 8 or 5"], False)),
    ("two uncertain dice", THROW, reading(*row("1234"), die("5", 600, certain=False), die("6", 700, certain=False)),
        (Doubtful, ["what does die 5 show?", "it could be 5", "I’m not sure about two dice"], True)),
    ("two uncertain dice, one of another set", THROW, reading(*row("1234"), die("5", 600, certain=False),
        die(UNKNOWN, 700)), (Doubtful, [
        "what does die 5 show?", "it could be 5", "I’m not sure about two dice"], False)),
    ("as many finds as dice, one hardly a die", THROW, LIKELY_DICE, Rolled(tuple("123458"))),
    ("a find too many, hardly a die", THROW, replace(LIKELY_DICE, dice=(*row("123458"), HARDLY_ONE)),
        Rolled(tuple("123458"))),
    ("a die is missing, and something looks a little like one", THROW,
        replace(rolled("12345"), faint=(die("8", 300, 400, certain=False, others=["6"]),)), (Doubtful, [
        "what does die 3 show?", "it could be 8 or 6"], False)),
    ("two are missing, and one thing looks a little like one", THROW,
        replace(rolled("1234"), faint=(die("8", 300, 400, certain=False),)), (Doubtful, [
        "I see four dice, but the game needs six", "are some off the table or on top of others?",
        "move them apart, or type the roll"], False)),
    ("all dice are there, and something looks a little like one", THROW,
        replace(rolled("123458"), faint=(die("8", 300, 400, certain=False),)), Rolled(tuple("123458"))),
    ("some are in a hand, and something looks like one", DECIDE,
        replace(reading(*row("235778", only=(1, 4, 5, 6, 2))), faint=(die("8", 300, 400, certain=False),)), PutBack()),
    ("a die of another set", THROW, reading(*row("12345"), die(UNKNOWN, 700)), (Doubtful, [
        "what does die 6 show?", "this face is not in this dice set: is the die from another one?"], False)),
    ("a die that leans", THROW, reading(*row("12345", y=400)[:4], STEEP, die("8", 820, 400)), (Doubtful, [
        "die 5 is leaning on something", "lay it flat, or count this roll"], True)),
    ("nothing moved", DECIDE, by(4, 3), PutBack()),
    ("all were nudged", DECIDE, by(15, 12), PutBack()),
    ("nothing moved, and one is read as another face", DECIDE, reading(*row("235774")), PutBack()),
    ("two stay, one of them read as another face", DECIDE, reading(*row("235772", only=(5, 6)), *row("1456", y=300)),
        Rolled(tuple("145678"), ("7", "8"))),
    ("some are in a hand", DECIDE, reading(*row("235778", only=(1, 4, 5))), PutBack()),
    ("two stay, four are thrown", DECIDE, rolled("145776", y=300, held=(4, 5)), Rolled(tuple("145776"), ("7", "7"))),
    ("all are thrown", DECIDE, rolled("111444", y=300), Rolled(tuple("111444"))),
    ("a nudged die is held", DECIDE, reading(die("7", 484, 110), *row("12345", y=400)),
        Rolled(("1", "2", "3", "4", "7", "5"), ("7",))),
    ("one lies elsewhere, nobody knows why", DECIDE, reading(*row("23577"), die("8", 800, 600)), (Moved, [
        "one die moved but still shows the same face", "if that was a throw, confirm it"], True)),
    ("one was carried elsewhere", DECIDE, by_hand(*row("23577"), die("8", 800, 600)), (Moved, [], True)),
    ("one was thrown, and shows the same", DECIDE, seen_to_roll(*row("23577"), die("8", 800, 600)),
        Rolled(tuple("235778"), tuple("23577"))),
    ("one was nudged far, and something else rolled", DECIDE, seen_to_roll(*row("23577"), die("8", 740, 140)),
        (Moved, [], True)),
    ("nothing moved, and something rolled past", DECIDE, seen_to_roll(*row("235778")), PutBack()),
    ("one was nudged far", DECIDE, reading(*row("23577"), die("8", 740, 140)), (Moved, [], True)),
    ("the dice of the turn before", NEXT, by(0, 0), PutBack()),
    ("some of them", NEXT, reading(*row("235778", only=(1, 2))), PutBack()),
    ("one was not thrown along", NEXT, rolled("111128", y=300, held=(6,)),
        (Doubtful, [f"die 6 {LIES}", "count this roll anyway?"], True)),
    ("two were not thrown along", NEXT, rolled("111178", y=300, held=(5, 6)),
        (Doubtful, ["dice 5 and 6 haven’t moved", "count this roll anyway?"], True)),
    ("thrown, and lucky", NEXT, by(0, 300),
        (Doubtful, ["the dice show the same faces as before", "were they thrown?"], True)),
    ("seen to be thrown, and lucky", NEXT, seen_to_roll(*row("235778", y=400)), Rolled(tuple("235778"))),
    ("moved while nothing is due", NOTHING, rolled("111111", y=300),
        (Moved, ["the dice moved, but it is not time to throw"], False)),
    ("put back", NOTHING, by(5, 5), PutBack()),
    ("laid there as they were typed", replace(NOTHING, roll=2, faces=tuple("111444"), events=2),
        rolled("111444", y=300), PutBack()),
]  # fmt: skip


@pytest.mark.parametrize(("due", "seen", "event"), [pytest.param(*case, id=name) for name, *case in CASES])
def test_an_event(due: Due, seen: Reading, event: object):
    assert said(tracker_of(due, lay=3.0).update(seen, due)) == event


@pytest.mark.parametrize(
    ("due", "by_itself", "event"),
    [
        (DECIDE, False, (Doubtful, [MOVED_ON, "is this a new throw or still the same one?"], True)),
        (DECIDE, True, Rolled(tuple("111444"))),
        (NOTHING, False, (Moved, [MOVED_ON, "is this still the same throw?"], False)),
    ],
)
def test_dice_that_hardly_lay_may_be_the_same_throw(due: Due, by_itself: bool, event: object):
    moved_on = replace(rolled("111444", y=300), since=Since(0.3))
    assert said(tracker_of(due, lay=0.0).update(moved_on, due, by_itself=by_itself)) == event


def test_the_same_faces_again_are_a_throw_where_the_table_threw():
    thrown = tracker_of(NEXT, lay=3.0).update(by(0, 300), NEXT, by_itself=True)
    assert said(thrown) == Rolled(tuple("235778"))


def test_what_is_asked_already_is_no_news():
    tracker = tracker_of(THROW, lay=3.0)
    doubtful = reading(*row("12345"), die("6", 700, certain=False))
    assert isinstance(tracker.update(doubtful, THROW), Doubtful)
    assert tracker.update(doubtful, THROW, asked=True) == Unchanged()
    tracker.correct(6, "8")
    assert tracker.judged(THROW) == Rolled(tuple("123458"))
    assert isinstance(tracker.update(rolled("12345"), THROW, asked=True), Doubtful)


@pytest.mark.parametrize(
    ("thrown", "asked"),
    [
        (
            rolled("123476", y=400, held=()),
            ["the held 7 has moved", "was it just nudged?"],
        ),
        (rolled("125773", y=400, held=(4, 5)), [f"die 5 {LIES}", "count this roll anyway?"]),
        (rolled("125763", y=400, held=(4,)), []),
    ],
)
def test_the_dice_people_said_they_hold_lie_there_still(thrown: Reading, asked: list[str]):
    tracker = tracker_of(DECIDE, lay=3.0)
    tracker.held = frozenset({4})
    assert tracker.throwing(DECIDE) == (die("7", 460, 100).centre,)
    event = tracker.update(thrown, replace(NEXT, kept=("7",)))
    assert said(event) == ((Doubtful, asked, True) if asked else Rolled(tuple("125763"), ("7",)))


@pytest.mark.parametrize(
    ("due", "seen", "event"),
    [
        (DECIDE, rolled("877532", y=500), PutBack()),
        (DECIDE, rolled("77", y=500), PutBack()),
        (DECIDE, rolled(""), Cleared()),
        (DECIDE, rolled("111111", y=500), PutBack()),
        (NEXT, rolled("111111", y=500),
            (Doubtful, ["these dice were already there when the camera changed", "were they thrown?"], True)),
        (NEXT, reading(*row("23577", y=500), die("8", 820, 500, certain=False)),
            (Doubtful, ["what does die 6 show?", "it could be 8"], False)),
    ],
)  # fmt: skip
def test_through_another_camera_dice_are_known_by_their_faces(due: Due, seen: Reading, event: object):
    tracker = tracker_of(due, lay=3.0)
    tracker.camera_changed()
    assert said(tracker.update(seen, due)) == event


FAINT = die("8", 300, 400, certain=False)


def test_a_faint_die_that_was_asked_about_is_one_from_then_on():
    tracker = tracker_of(THROW, lay=3.0)
    seen = replace(rolled("12345"), faint=(FAINT,))
    assert isinstance(tracker.update(seen, THROW), Doubtful)
    assert tracker.update(seen, THROW, asked=True) == Unchanged()
    tracker.correct(3, "8")
    assert tracker.judged(THROW) == Rolled(tuple("128345"))
    tracker.became(1)
    assert tracker.update(seen, DECIDE) == PutBack()
    held = replace(rolled("111111", y=300, held=(1,)), dice=(*row("1"), *row("11411", y=600)[1:]), faint=(FAINT,))
    assert said(tracker.update(held, replace(DECIDE, faces=tuple("128345")))) == Rolled(tuple("118411"), ("1", "8"))


def test_a_faint_die_that_people_dismissed_is_not_offered_again():
    tracker = tracker_of(THROW, lay=3.0)
    seen = replace(rolled("12345"), faint=(FAINT,))
    tracker.update(seen, THROW)
    tracker.dismiss(3)
    assert said(tracker.judged(THROW)) == said(tracker_of(THROW, lay=3.0).update(rolled("12345"), THROW))
    assert tracker.update(seen, THROW, asked=True) == Unchanged()


def test_the_dice_that_stayed_are_known_beside_a_faint_one():
    tracker = tracker_of(DECIDE, lay=3.0)
    thrown = replace(rolled("14577", y=400, held=(4, 5)), faint=(die("8", 150, 300, certain=False),))
    assert isinstance(tracker.update(thrown, DECIDE), Doubtful)
    tracker.correct(2, "8")
    assert tracker.judged(DECIDE) == Rolled(tuple("184577"), ("7", "7"))


def test_dice_whose_outlines_do_not_plainly_fill_their_boxes_are_all_there_only_in_a_second_frame():
    tracker = tracker_of(THROW, lay=3.0)
    unlike = reading(*row("12345"), replace(die("8", 700), plain=False))
    assert not tracker.complete(unlike, THROW)
    assert tracker.complete(replace(unlike, frames=(unlike, unlike)), THROW)
    assert said(tracker.update(unlike, THROW)) == Rolled(tuple("123458")), "and then it counts"
