"""Who says messages in a language, with the names of the people and the dice at one table.

English counts and lists as `messages.message` does it; here are the others. To add a language, name it in `words`,
write its class, and run `make translations`: it makes the catalogue and says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Self

from messages.message import English, Message
from scoring.dice import spelled
from scoring.view import Cell, Panel, Seat
from words import LANGUAGES
from words.catalogue import Catalogue, catalogue


class Speaker(English):
    """Says messages in one language, its catalogue at hand. This one speaks English."""

    def __init__(self, players: Sequence[str] = (), labels: Mapping[str, str] | None = None) -> None:
        """`players` are the names that indices stand for; `labels` name face ids, as their dice set does."""
        super().__init__(players, labels)
        self.catalogue: Catalogue = catalogue(self.code)

    def words(self, english: str) -> str:
        """Fixed English words or a template in this language; unknown ones stay as they are."""
        return self.catalogue.said.get(english, english)

    def name(self, one: str) -> str:
        """A face, box, declaration, card or tile as people read it: its label, else what the language calls it."""
        return self.labels.get(one) or self.catalogue.names.get(one) or one.replace("-", " ")

    def title(self, one: str) -> str:
        """The same with a capital in front."""
        name = self.name(one)
        return name[:1].upper() + name[1:]

    def forms(self, one: str) -> tuple[str, str] | None:
        """One with its article, as the object of a verb, and several of what sentences count: "a koala", "koalas"."""
        forms = self.catalogue.things.get(one)
        return (forms[0], forms[1]) if forms else None

    def among(self, players: Sequence[str]) -> Self:
        """The same with the names of these players."""
        return type(self)(players, self.labels)

    def throw(self, faces: Sequence[str]) -> str:
        """Dice in words, as one sentence; nothing for no dice."""
        return self.sentence([self.roll(faces)]) if faces else ""

    def cell(self, cell: Cell) -> str | int:
        """What stands in a field of a board, in words; players' names stay."""
        if isinstance(cell, Message):
            return self.clause(cell)
        if cell is None or isinstance(cell, int) or cell in self.players:
            return "" if cell is None else cell
        return self.catalogue.said.get(cell) or self.name(cell)

    def heading(self, title: str | Message) -> str:
        """What stands above a board's table."""
        return self.say(title) if isinstance(title, Message) else self.words(title)

    def seat(self, seat: Seat) -> Seat:
        """A seat with what stands beside it in words."""
        return replace(
            seat,
            marks=tuple(
                replace(one, label=self.words(one.label), value=self.cell(one.value)) for one in seat.marks
            ),
        )

    def panel(self, panel: Panel) -> Panel:
        """A board's table in words; the players' names in it stay."""
        return Panel(
            self.heading(panel.title),
            tuple(one if one in self.players else self.words(one) for one in panel.columns),
            tuple(tuple(None if cell is None else self.cell(cell) for cell in row) for row in panel.rows),
        )


class German(Speaker):
    """Deutsch: dreimal 7, eine 8; 3. Platz; 1,5."""

    code = "de"
    numbers = ("keine", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn")
    conjunction, disjunction, nothing = "und", "oder", "nichts"
    point, points = "Punkt", "Punkte"
    yes, no = "ja", "nein"
    decimal, thousands = ",", "."
    quotes = ("„", "“")

    def nth(self, number: int) -> str:
        """1., 2., 3."""
        return f"{number}."

    def dice(self, number: int) -> str:
        """Ein Würfel, vier Würfel, 11 Würfel."""
        return f"{self.number(number)} Würfel"

    def several(self, label: str, number: int) -> str:
        """Dreimal 7, eine 8; Sigil, zweimal Sigil."""
        if number == 1:
            return f"eine {label}" if label.isdecimal() else label
        times = f"{self.number(number)}mal" if number < len(self.numbers) else f"{number}-mal"
        return f"{times} {label}"


class French(Speaker):
    """Français : trois 7, un 8 ; 1re, 2e place ; 1,5. Le pluriel commence à deux."""

    code = "fr"
    numbers = ("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix")
    conjunction, disjunction, nothing = "et", "ou", "rien"
    yes, no = "oui", "non"
    decimal, thousands = ",", "\u202f"
    quotes = ("«\u202f", "\u202f»")

    def plural(self, number: int, one: str, many: str) -> str:
        """0 point, 1 point, 2 points."""
        return one if abs(number) < 2 else many

    def nth(self, number: int) -> str:
        """1re, 2e, 3e: places and times are feminine."""
        return "1re" if number == 1 else f"{number}e"

    def dice(self, number: int) -> str:
        """Aucun dé, un dé, quatre dés, 11 dés."""
        return f"{self.number(number)} {'dé' if number < 2 else 'dés'}"

    def several(self, label: str, number: int) -> str:
        """Trois 7, un 8 ; sigil, deux fois sigil."""
        if label.isdecimal():
            return f"{self.number(number)} {label}"
        return label if number == 1 else f"{self.number(number)} fois {label}"


SPEAKERS: Mapping[str, type[Speaker]] = MappingProxyType({one.code: one for one in (Speaker, German, French)})
"""Who speaks each language, by its code."""


def speaker(
    code: str = "en", players: Sequence[str] = (), labels: Mapping[str, str] | None = None
) -> Speaker:
    """The speaker of this language, or of English if there is none."""
    return SPEAKERS.get(code, Speaker)(players, labels)


def meant(text: str, ids: Iterable[str]) -> str | None:
    """The one of `ids` that a word names in any language there is, or None."""
    wanted, known = spelled(text), tuple(ids)
    for one in known:
        if spelled(one) == wanted:
            return one
    for code in LANGUAGES:
        names = catalogue(code).names
        for one in known:
            if one in names and spelled(names[one]) == wanted:
                return one
    return None
