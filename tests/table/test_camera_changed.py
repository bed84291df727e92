"""Another camera in the middle of a match: nothing is lost, and what lies there is not taken for a throw unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from messages.message import message
from table.cameras.cameras import told
from table.session import Session
from tests.fakes import CountingThrower, Evening, die, reading, rolled, shown
from vision.reading import Reading


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Evening(tmp_path).session
    made.saw(reading())  # an empty table
    return made


def elsewhere(faces: str) -> Reading:
    """The same dice as another camera sees them: other places, another order."""
    return reading(
        *(die(face, 800.0 - 110.0 * i, 500.0 + 20 * (i % 3)) for i, face in enumerate(reversed(faces)))
    )


def changed(session: Session) -> None:
    session.camera_changed(told("the other webcam"), None)


def rolls(session: Session) -> int:
    return len(session.match.events)


def test_everybody_is_told(session: Session):
    changed(session)
    assert session.latest().sentence() == "The camera is now the other webcam."
    assert session.latest().sentence("de") == "Die Kamera ist jetzt the other webcam."
    session.camera_changed(told("demo table"), CountingThrower())
    assert session.latest().sentence() == "The camera now shows the demo table."
    assert shown(session).throw
    session.camera_changed(told("phone"), None)
    assert session.latest().sentence("fr").startswith("Le téléphone sert maintenant de caméra")


def test_the_dice_that_counted_are_known_again_wherever_they_lie(session: Session):
    session.saw(rolled("222255"))
    before = session.match.events
    session.hold(1)
    changed(session)
    assert shown(session).dice[0].held, "what people said stays said"
    session.saw(elsewhere("222255"))
    assert session.match.events == before
    assert shown(session).question == ""
    # They are followed from there: the player throws two of them again without a word.
    there = elsewhere("222255").dice
    stay = [one for one in there if one.face == "2"]
    session.saw(reading(*stay, die("7", 100, 100), die("8", 300, 120)))
    assert sorted(session.match.state.roll) == list("222278")


def test_other_dice_that_lie_there_are_asked_about_when_a_throw_is_due(session: Session):
    changed(session)
    before = rolls(session)
    session.saw(rolled("133458"))
    assert rolls(session) == before
    assert shown(session).question == ("These dice were already there when the camera changed. Were they thrown?")
    session.saw(rolled("133458"))
    assert rolls(session) == before, "asked once, and not scored by looking twice"
    session.count()
    assert sorted(session.match.state.roll) == list("133458")


def test_a_doubt_stays_asked(session: Session):
    others = [die(f, 120.0 * i + 250) for i, f in enumerate("33333")]
    session.saw(reading(die("1", 100, certain=False, others="2"), *others))
    asked = shown(session).question
    assert asked.startswith("What does die 1 show?")
    changed(session)
    assert shown(session).question == asked
    session.correct(1, "2")
    assert sorted(session.match.state.roll) == list("233333")


def test_a_thrower_that_is_gone_throws_no_more(session: Session):
    thrower = CountingThrower()
    session.camera_changed(told("demo table"), thrower)
    session.throw()
    assert len(thrower.throws) == 1
    session.camera_changed(message("x"), None)
    session.throw()
    assert len(thrower.throws) == 1
    assert not shown(session).throw or "throw" not in shown(session).throw.lower()
