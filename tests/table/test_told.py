"""A notice is told in each language, and says the same: prompt, buttons, dice and their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scoring.games import find
from scoring.match import begin
from table.session import Session
from table.snapshot import Notice
from table.storage.store import Store
from tests.fakes import Evening, die, reading, rolled, shown
from vision.dicesets.library import find as find_set
from vision.reading import UNKNOWN


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def test_a_roll_with_everything_around_it(evening: Evening):
    evening.session.saw(rolled("222255"))
    german, french = shown(evening.session, "de"), shown(evening.session, "fr")
    assert german.roll_words == "Viermal 2 und zweimal 5."
    assert german.prompt == "Alice, behalte Würfel oder fülle ein Feld."
    assert german.throw == "6 Würfel werfen"
    assert german.discount == "Wurf nicht zählen"
    assert french.roll_words == "Quatre 2 et deux 5."
    assert french.throw == "Lancer 6 dés"


def test_a_die_of_another_set(evening: Evening):
    evening.session.saw(
        reading(*(die(face, 100.0 + 120 * i) for i, face in enumerate(["1", "2", "3", "4", "5", UNKNOWN])))
    )
    assert shown(evening.session, "de").faces[5] == "etwas anderes"
    assert shown(evening.session, "fr").faces[5] == "autre chose"


def test_faces_bear_the_names_of_the_set_in_each_language(tmp_path: Path):
    evening = Evening(tmp_path, "triples")
    evening.session.saw(rolled(["cat", "two-cats", "manticore"]))
    assert shown(evening.session, "de").roll_words == "Katze, zwei Katzen und Mantikor."
    assert shown(evening.session, "fr").faces == ["chat", "deux chats", "manticore"]


def test_faces_may_be_typed_in_any_language(tmp_path: Path):
    evening = Evening(tmp_path, "triples")
    evening.session.roll("Katze, deux chats, DD")
    assert shown(evening.session, "en").roll_words == "Cat, two cats and DD."


@pytest.mark.slow
def test_a_notice_is_a_plain_value(tmp_path: Path):
    """Two tables at which the same happened tell the same: it can be compared and logged."""
    notices: list[Notice] = []
    match = begin(find("meet-fate"), ["Alice", "Bob"])
    for table in ("one", "two"):
        store = Store.of(tmp_path / table).begin(match)
        session = Session(match, store, find_set("fate"))
        session.saw(rolled("222255"))
        notices.append(replace(session.latest(), snapshot=replace(session.latest().snapshot, match_id="")))
    assert notices[0] == notices[1]
    assert "function" not in repr(notices[0])
    assert notices[0] != replace(notices[0], number=7)


def test_an_unknown_language_is_english(evening: Evening):
    evening.session.greet()
    assert evening.output.last.sentence("nl") == evening.output.last.sentence("en")
