"""A notice is told in each language, and says the same: the sentence, the prompt, buttons, boxes, dice and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from messages.message import MessageError
from scoring.actions import Confirm, Fill
from scoring.anyplay import any_action
from scoring.games import available, find
from scoring.match import begin
from table.notice import Notice, Standing
from table.session import Session
from table.storage.store import MatchStore
from tests.fakes import ListeningOutput, die, reading, rolled
from vision.dicesets.library import find as find_set
from vision.reading import UNKNOWN
from words.speaker import LANGUAGES


class Evening:
    def __init__(self, folder: Path, game: str = "meet-fate", language: str = "en") -> None:
        rules = find(game)
        match = begin(rules, ["Alice", "Bob"])
        self.output = ListeningOutput()
        self.session = Session(
            match, MatchStore.begin(folder, match), find_set(rules.dice.set_id), outputs=[self.output],
            language=language,
        )  # fmt: skip

    def told(self, language: str) -> Notice:
        return self.session.latest().told(language)

    def shown(self, language: str) -> Standing:
        return self.told(language).standing


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def test_a_greeting(evening: Evening):
    evening.session.greet()
    assert evening.told("en").sentence == "Meet Fate. Alice to roll."
    assert evening.told("de").sentence == "Meet Fate. Alice würfelt."
    assert evening.told("fr").sentence == "Meet Fate. Alice lance les dés."


def test_a_roll_with_everything_around_it(evening: Evening):
    evening.session.saw(rolled("222255"))
    german, french = evening.shown("de"), evening.shown("fr")
    assert german.roll_words == "Viermal 2 und zweimal 5."
    assert german.prompt == "Lass Würfel liegen und wirf die anderen noch einmal, oder wähle ein Feld."
    assert german.throw == "Alle noch einmal werfen"
    assert german.discount == "Dieser Wurf galt nicht"
    assert [group.title for group in german.groups] == ["Bilder", "Summe aller Würfel", "Feste Punkte"]
    assert [box.label for box in german.groups[1].boxes][:2] == ["Zwei Paare", "Drei Paare"]
    assert french.roll_words == "Quatre 2 et deux 5."
    assert french.throw == "Tout relancer"
    offers = [[box.offer for group in shown.groups for box in group.boxes] for shown in (german, french)]
    assert offers[0] == offers[1]


def test_holding_is_said_with_the_dice_own_names(evening: Evening):
    evening.session.saw(rolled("222255"))
    evening.session.hold(1)
    assert evening.told("de").sentence == "Würfel 1, 2, bleibt liegen."
    assert evening.shown("de").throw == "Fünf Würfel noch einmal werfen"
    assert evening.shown("fr").throw == "Relancer cinq dés"


def test_a_question_and_the_die_it_is_about(evening: Evening):
    doubtful = [
        die(face, 100.0 + 120 * i, certain=face != "6", others=["8", "5"]) for i, face in enumerate("123456")
    ]
    evening.session.saw(reading(*doubtful))
    assert evening.shown("de").question == "Was zeigt Würfel 6? Ich halte es für 6, 8 oder 5."
    assert evening.shown("fr").question == "Que montre le dé 6\u00a0? Il me semble voir 6, 8 ou 5."


def test_a_die_of_another_set(evening: Evening):
    evening.session.saw(
        reading(*(die(face, 100.0 + 120 * i) for i, face in enumerate(["1", "2", "3", "4", "5", UNKNOWN])))
    )
    assert evening.shown("de").dice[5].label == "etwas anderes"
    assert evening.shown("fr").dice[5].label == "autre chose"


def test_faces_bear_the_names_of_the_set_in_each_language(tmp_path: Path):
    evening = Evening(tmp_path, "triples")
    evening.session.saw(rolled(["cat", "two-cats", "manticore"]))
    assert evening.shown("de").roll_words == "Katze, zwei Katzen und Mantikor."
    assert [one.label for one in evening.shown("fr").dice] == ["chat", "deux chats", "manticore"]
    assert "chat" in [choice.label for choice in evening.shown("fr").dice[0].choices]


def test_undo_pause_and_a_throw_that_did_not_count(evening: Evening):
    evening.session.saw(rolled("222255"))
    evening.session.discount()
    assert evening.told("de").sentence == "Dieser Wurf gilt nicht. Alice würfelt."
    evening.session.roll("2 2 2 2 5 5")
    evening.session.decide(Fill("chance"))
    evening.session.undo()
    assert evening.told("fr").sentence.startswith("Annulé. ")
    evening.session.pause()
    assert evening.told("de").sentence == "Pause. Die Partie bleibt gespeichert."


def test_the_end_of_a_match(evening: Evening):
    evening.session.saw(rolled("888888"))
    assert [one.label for one in evening.shown("de").answers] == ["Ja", "Nein"]
    evening.session.decide(Confirm(True))
    assert evening.shown("de").over.startswith("Die Partie ist zu Ende.")
    assert "six eights" not in evening.shown("de").over


def test_camera_and_what_it_cannot_see(evening: Evening):
    evening.session.camera_says("the camera's picture is out of focus")
    assert evening.shown("de").camera == "Das Bild der Kamera ist unscharf."
    assert evening.told("fr").sentence == "L’image de la caméra est floue."
    evening.session.camera_says(None)
    assert evening.told("de").sentence == "Die Kamera sieht wieder."


def test_a_refusal_is_a_message(evening: Evening):
    with pytest.raises(MessageError) as refused:
        evening.session.hold(1)
    assert str(refused.value) == "no dice can be held now"
    assert (
        evening.session.speaker("de").sentence([refused.value.message])
        == "Jetzt kann kein Würfel liegen bleiben."
    )


def test_faces_may_be_typed_in_any_language(tmp_path: Path):
    evening = Evening(tmp_path, "triples")
    evening.session.roll("Katze, deux chats, DD")
    assert evening.shown("en").roll_words == "Cat, two cats and DD."


def test_the_tables_own_language_goes_to_voice_and_broker(tmp_path: Path):
    evening = Evening(tmp_path, language="fr")
    evening.session.greet()
    assert evening.output.last.sentence == "Meet Fate. Alice lance les dés."
    assert evening.output.last.told("en").sentence == "Meet Fate. Alice to roll."
    assert evening.output.last.language == "fr"


def test_a_notice_is_put_into_a_language_once(evening: Evening):
    evening.session.greet()
    assert evening.told("de") is evening.told("de")
    assert evening.told("de").told("en") is evening.told("en")


def test_an_unknown_language_is_english(evening: Evening):
    evening.session.greet()
    assert evening.told("nl").sentence == evening.told("en").sentence


@pytest.mark.parametrize("game", [one.id for one in available() if one.dice.count])
def test_the_standing_of_every_game_is_the_same_but_for_its_words(game: str, tmp_path: Path):
    evening = Evening(tmp_path, game)
    match = evening.session.match
    for step in range(12):
        if match.outcome:
            break
        match = match.add(any_action(match.game, match.state, lambda n, step=step: step % n))
    evening.session._record(match)
    evening.session.greet()
    english = evening.shown("en")
    for code in LANGUAGES:
        shown = evening.shown(code)
        assert [seat.name for seat in shown.players] == [seat.name for seat in english.players]
        assert [die.face for die in shown.dice] == [die.face for die in english.dice]
        assert [answer.move for answer in shown.answers] == [answer.move for answer in english.answers]
        assert [len(panel.rows) for panel in shown.panels] == [len(panel.rows) for panel in english.panels]
        assert shown.title == english.title
