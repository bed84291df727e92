"""What a language is to the wording: its sentences, and how it counts and lists.

A sentence is a template: "{player} rolls {faces:faces} and scores {points:points}." What stands behind the
colon says how the value is spoken:

| spec | value | English |
| --- | --- | --- |
| (none) | a word or a number | as it is |
| `name`, `names` | index or indices of players | Ann; Ann and Bob |
| `face` | a face, box or declaration id | two cats |
| `faces` | several ids | two cats, sigil and DD |
| `tally` | several ids, counted | 2 cat and 1 DD |
| `points` | a number | 1 point, 12 points |
| `count tile tiles` | a number | 1 tile, 2 tiles; a `~` in a form is a space |
| `nth` | a number from 1 | first |
| `rule` | an English rule | its translation, if there is one |
| `a` | an id | a koala |
| `things` | several ids | an emu and two koalas |
| `yes` | true or false | yes, no |
| `signed` | a number | +3, −3 |
| `plus` | ids, each with what it adds: "king+2" | king +2 |
| `pile` | the name of a pile | bag; hand of Ann |
| `place` | where a rule stands: "cat-dice, Pairs" | Cat dice, Pairs |
| `row` | several ids | two cats, sigil, DD |
| `maybe` | several ids | two cats, sigil or DD |
| `amount` | points on average | 12.3, 0.041, next to nothing |
| `tenth` | a number | 12.3 |
| `percent` | a chance from 0 to 1 | 62.5 % |
| `ids` | several ids that are to be typed | two-cats, sigil, dd |
| `roll` | several ids | three 7s, two 4s and a 1; sigil twice and DD |
| `dice` | a number of dice | one die, four dice |
| `number` | a small number | four |
| `listed`, `either` | words | a, b and c; a, b or c |

A value may be a `Message` with a template and values of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, cast

from scoring.message import Message, Plain

HAND_OF = "hand of "
"""How the name of a pile begins that is a player's hand; the player's name follows."""

SMALLEST = 0.0001
"""Points below which an amount is next to nothing."""

NEXT_TO_NOTHING = "next to nothing"


@dataclass(frozen=True)
class Language:
    """One language.

    `phrases` goes from the name of a fact to its sentence; `rules` from the English rule of a breakdown line
    to the translated one (a missing one stays English). `count(n, one, many)` says a number of things and
    `nth(n)` an ordinal; `conjunction` stands before the last of a list, `nothing` is an empty list. `numbers` are the
    small numbers as words, from 0 on; `dice(n)` is so many dice, `several(label, n)` a face that lies there n times.
    """

    code: str
    phrases: Mapping[str, str]
    rules: Mapping[str, str]
    count: Callable[[int, str, str], str]
    nth: Callable[[int], str]
    conjunction: str
    nothing: str
    disjunction: str
    numbers: tuple[str, ...]
    dice: Callable[[int], str]
    several: Callable[[str, int], str]
    points: tuple[str, str] = ("point", "points")
    decimal: str = "."
    """What stands before the tenths."""
    answers: tuple[str, str] = ("yes", "no")
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """Documents, headings and whatever else citations are made of; what ends in a space begins one."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Ids that are no faces (boxes, hands, declarations) and read otherwise than with spaces for dashes."""
    things: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Ids that sentences count: one with its article, as the object of a verb, and several: "a koala", "koalas"."""

    def listed(self, words: Sequence[str], last: str = "") -> str:
        """Two cats, sigil and DD; `last` stands before the last word instead of "and"."""
        if len(words) < 2:
            return words[0] if words else self.nothing
        return f"{', '.join(words[:-1])} {last or self.conjunction} {words[-1]}"

    def cited(self, where: str) -> str:
        """Where a rule stands, part by part: "cat-dice, Pairs; RULINGS 3.7 Q2" → "Cat dice, Pairs; RULINGS 3.7 Q2"."""
        if where in self.places:
            return self.places[where]
        for between in ("; ", ", "):
            head, found, tail = where.partition(between)
            if found:
                return f"{self.cited(head)}{self.places.get(between, between)}{self.cited(tail)}"
        known = next((one for one in self.places if one.endswith(" ") and where.startswith(one)), "")
        rest = where.removeprefix(known)
        return self.places[known] + self.names.get(rest, rest) if known else where

    def number(self, count: int) -> str:
        """A small number as a word."""
        return self.numbers[count] if 0 <= count < len(self.numbers) else str(count)

    def roll(self, labels: Iterable[str]) -> str:
        """A roll in words, what there is most of first: "three 7s, two 4s and a 1", or "sigil twice and DD"."""
        return self.listed([self.several(label, n) for label, n in Counter(labels).most_common()])


class Speaker(Formatter):
    """Fills templates of one language with the names and labels of one table."""

    def __init__(self, language: Language, players: Sequence[str], labels: Mapping[str, str]) -> None:
        """`labels` say face ids in the language; an id without one is said as it is, dashes as spaces."""
        self.language = language
        self.players = players
        self.labels = labels

    def say(self, template: str, player: int | None, values: Sequence[tuple[str, Plain]]) -> str:
        """The template filled in; `{player}` is the player's name."""
        named: dict[str, Plain] = dict(values)
        if player is not None:
            named["player"] = self.players[player]
        spoken = str(self.vformat(template, (), named)).strip()
        return spoken[:1].upper() + spoken[1:]

    def tell(self, message: Message) -> str:
        """A message in this language, as a clause: no capital, no full stop. Untranslated ones stay English."""
        template = self.language.rules.get(message.template, message.template)
        return str(self.vformat(template, (), dict(message.values)))

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value as its spec says it is spoken; see the table above."""
        how, *forms = format_spec.split(" ")
        language = self.language
        if isinstance(value, Message):
            return self.tell(value)
        if how == "name":
            return self.players[cast("int", value)]
        if how == "names":
            return language.listed([self.players[player] for player in cast("tuple[int, ...]", value)])
        if how == "face":
            return self._label(value)
        if how == "faces":
            return language.listed([self._label(face) for face in cast("tuple[str, ...]", value)])
        if how == "row":
            return ", ".join(self._label(face) for face in cast("tuple[str, ...]", value))
        if how == "maybe":
            faces = [self._label(face) for face in cast("tuple[str, ...]", value)]
            return language.listed(faces, language.disjunction)
        if how in ("amount", "tenth", "percent"):
            return self._figure(float(value), how)
        if how == "ids":
            return ", ".join(cast("tuple[str, ...]", value)) or language.nothing
        if how == "roll":
            return language.roll(self._label(face) for face in cast("tuple[str, ...]", value))
        if how == "listed":
            return language.listed(cast("tuple[str, ...]", value))
        if how == "either":
            return language.listed(cast("tuple[str, ...]", value), language.disjunction)
        if how == "dice":
            return language.dice(value)
        if how == "number":
            return language.number(value)
        if how == "tally":
            counts = Counter(cast("tuple[str, ...]", value))
            return language.listed([f"{n} {self._label(face)}" for face, n in counts.items()])
        if how == "points":
            return language.count(value, *language.points)
        if how == "count":
            return language.count(value, *(form.replace("~", " ") for form in forms))
        if how == "rule":
            return language.rules.get(value, str(value))
        if how == "a":
            return self._things(value, 1)
        if how == "things":
            found = Counter(cast("tuple[str, ...]", value))
            return language.listed([self._things(one, n) for one, n in found.items()])
        if how == "nth":
            return language.nth(value)
        if how == "plus":
            raised = [one.rpartition("+") for one in cast("tuple[str, ...]", value)]
            return language.listed([f"{self._label(name)} +{n}" for name, _, n in raised])
        if how == "place":
            return language.cited(value)
        if how == "pile":
            return self._pile(value)
        if how == "yes":
            return language.answers[not value]
        if how == "signed":
            return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
        assert not how, f"no way to say a value {format_spec!r}"
        if isinstance(value, int):
            return str(value).replace("-", "−")
        return str(value)

    def _figure(self, value: float, how: str) -> str:
        """A figure as people say it: with one place after the point, small amounts with two figures that count."""
        if how == "amount" and 0 < abs(value) < SMALLEST:
            return self.language.rules.get(NEXT_TO_NOTHING, NEXT_TO_NOTHING)
        if how == "amount" and 0 < abs(value) < 0.95:
            said = f"{value:.2g}"
        else:
            said = f"{100 * value:.1f} %" if how == "percent" else f"{value:.1f}"
        return said.replace(".", self.language.decimal).replace("-", "−").replace(" %", "\u00a0%")

    def _pile(self, pile: str) -> str:
        if pile.startswith(HAND_OF):
            of_whom = self.language.rules.get(HAND_OF, HAND_OF)
            return of_whom + pile.removeprefix(HAND_OF)
        return self.language.rules.get(pile, pile)

    def _things(self, one: str, number: int) -> str:
        """So many of a thing; a face that its dice set calls otherwise has no article and no plural."""
        label = self._label(one)
        a, many = self.language.things.get(one, ("", ""))
        if label.casefold() not in a.casefold():
            return self.language.several(label, number)
        return a if number == 1 else f"{self.language.number(number)} {many}"

    def _label(self, face: str) -> str:
        return self.labels.get(face) or self.language.names.get(face) or face.replace("-", " ")
