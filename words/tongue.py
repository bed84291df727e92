"""One language at one table: the sentences of rules and table, and the names of this table's dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from scoring import wording
from scoring.account import Fact
from scoring.language import Language, Speaker
from scoring.message import Message
from scoring.view import Cell, Mark, Panel, Seat
from vision.dicesets.model import DiceSet
from vision.reading import UNKNOWN
from words.phrases import de, fr
from words.phrases.advice import de as german_advice
from words.phrases.advice import fr as french_advice
from words.phrases.heard import de as german_heard
from words.phrases.heard import fr as french_heard
from words.words import sentence

Said: TypeAlias = "Message | Fact"
"""A clause that can be said in every language."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {**de.RULES, **german_advice.RULES, **german_heard.RULES},
    "fr": {**fr.RULES, **french_advice.RULES, **french_heard.RULES},
}
"""What the table says, in the languages it is not written in."""

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        code: replace(language, rules=MappingProxyType({**language.rules, **WORDS.get(code, {})}))
        for code, language in wording.LANGUAGES.items()
    }
)
"""Every language there is, by its code, with the words of rules and table together."""

SOMETHING_ELSE = "something else"
"""What a die shows that no face of the set fits."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language with the names that a dice set gives its faces in it."""

    language: Language
    labels: Mapping[str, str]

    @property
    def code(self) -> str:
        """The language's code: "de"."""
        return self.language.code

    def clause(self, said: Said, players: Sequence[str] = ()) -> str:
        """A message as it is, a fact as a whole sentence."""
        speaker = Speaker(self.language, players, self.labels)
        if isinstance(said, Message):
            return speaker.tell(said)
        return speaker.say(self.language.phrases[said.name], said.player, said.values)

    def sentence(self, said: Iterable[Said], players: Sequence[str] = ()) -> str:
        """Clauses as one announcement: a capital in front and a full stop after each."""
        return sentence(*(self.clause(one, players) for one in said))

    def words(self, english: str) -> str:
        """Fixed English words of rules or table in this language; unknown ones stay as they are."""
        return self.language.rules.get(english, english)

    def name(self, one: str) -> str:
        """A face, box, declaration, card or tile as people read it."""
        return self.labels.get(one) or self.language.names.get(one) or one.replace("-", " ")

    def title(self, one: str) -> str:
        """The same with a capital in front."""
        name = self.name(one)
        return name[:1].upper() + name[1:]

    def roll(self, faces: Sequence[str]) -> str:
        """Dice in words, as one sentence; nothing for no dice."""
        return sentence(self.language.roll(self.name(face) for face in faces)) if faces else ""

    def seat(self, seat: Seat) -> Seat:
        """A seat with what stands beside it in words; the player's name stays."""
        marks = tuple(Mark(self.words(one.label), self._cell(one.value, ())) for one in seat.marks)
        return replace(seat, marks=marks)

    def panel(self, panel: Panel, players: Sequence[str]) -> Panel:
        """A board's table in words; the players' names in it stay."""
        return Panel(
            self.words(panel.title),
            tuple(one if one in players else self.words(one) for one in panel.columns),
            tuple(
                tuple(None if cell is None else self._cell(cell, players) for cell in row)
                for row in panel.rows
            ),
        )

    def _cell(self, cell: Cell, players: Sequence[str]) -> str | int:
        if cell is None or isinstance(cell, int) or cell in players:
            return "" if cell is None else cell
        return self.language.rules.get(cell) or self.name(cell)


def tongue(dice_set: DiceSet, code: str) -> Tongue:
    """A language at a table with these dice; English where there is no such language."""
    language = LANGUAGES.get(code, LANGUAGES["en"])
    labels = {
        face.id: face.labels.get(code) or language.names.get(face.id) or face.label(code)
        for face in dice_set.faces
    }
    return Tongue(language, labels | {UNKNOWN: language.rules.get(SOMETHING_ELSE, SOMETHING_ELSE)})
