"""A message: an English template and the values that fill it.

The template is also the key of its translations: a catalogue of each language (`words/locale/de.po`, and a game's own
beside its rules) holds the sentence that other people read. So no value is ever baked into a template.

    raise MessageError("there are dice 1 to {n}, got {number}", n=6, number=9)

What stands behind the colon says how the value is spoken:

| spec | value | English |
| --- | --- | --- |
| (none) | a word, a number, another message, something `Named` | as it is |
| `name`, `names` | index or indices of players | Ann; Ann and Bob |
| `face` | a face, box or declaration id | two cats |
| `called` | an id of a set's face, or several | its label; an id without one stays as it is |
| `shape`, `shape or` | the name of a shape of dice, or several | d6; d6 or d8 |
| `faces`, `maybe`, `row` | several ids | two cats, sigil and DD; … or DD; two cats, sigil, DD |
| `tally` | several ids, counted | 2 cat and 1 DD |
| `roll` | several ids | three 7s, two 4s and a 1; sigil twice and DD |
| `ids` | several ids that are to be typed | two-cats, sigil, dd |
| `quoted` | what somebody typed or a file holds | “hello” |
| `a`, `things` | an id; several ids | a koala; an emu and two koalas |
| `plus` | ids, each with what it adds: "king+2" | king +2 |
| `listed`, `either` | words | a, b and c; a, b or c |
| `rule` | English words that have a translation of their own | whatever that is |
| `pile` | the name of a pile | bag; hand of Ann |
| `points` | a number | 1 point, 12 points |
| `count tile tiles` | a number | 1 tile, 2 tiles; a `~` in a form is a space |
| `dice`, `number` | a small number | one die, four dice; four |
| `nth` | a number from 1 | first |
| `signed` | a number, a figure | +3, −3; +0.12 |
| `amount`, `tenth`, `percent` | a figure | 0.041 or next to nothing; 12.3; 62.5 % (of 0.625) |
| `yes` | true or false | yes, no |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from string import Formatter
from typing import Any, TypeAlias, cast

Plain: TypeAlias = "str | int | float | tuple[str, ...] | tuple[int, ...] | Message | Named"
"""A value inside a sentence."""

Spoken: TypeAlias = "str | int | float | Named"
"""A value that is spoken as it is."""

HAND_OF = "hand of "
"""How the name of a pile begins that is a player's hand; the player's name follows."""

LONG_NUMBER = 10_000
"""From here on a number is printed in groups of three figures."""

LONGEST_QUOTED = 40
"""Characters of what somebody typed that a sentence repeats."""

NEXT_TO_NOTHING = "next to nothing"
SMALLEST = 0.0001
"""Points below which an amount is next to nothing."""


@dataclass(frozen=True, slots=True)
class Named:
    """What has a name in each language, as a dice set that comes with Tableside."""

    names: Mapping[str, str]
    """By the language's code."""
    otherwise: str
    """Its name if there is none in English."""

    def spoken(self, language: str) -> str:
        """In a language; English where it has none."""
        return self.names.get(language) or self.names.get("en") or self.otherwise


@dataclass(frozen=True, slots=True)
class Message:
    """A template in English, and its values by name. `str` says it in English."""

    template: str
    values: tuple[tuple[str, Plain], ...] = ()

    def __str__(self) -> str:
        """In English."""
        return ENGLISH.clause(self)

    def without(self, *texts: str) -> Message:
        """The same with these texts cut out of every value, as the path of a folder that is gone."""
        return Message(self.template, tuple((name, _without(value, texts)) for name, value in self.values))


def _without(value: Plain, texts: tuple[str, ...]) -> Plain:
    if isinstance(value, Message):
        return value.without(*texts)
    if isinstance(value, str):
        for text in texts:
            value = value.replace(text, "")
    return value


def message(template: str, /, **values: Plain) -> Message:
    """A Message with named values."""
    return Message(template, tuple(values.items()))


def N_(words: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks words that are translated where they are said, not where they stand."""
    return words


class SpokenError(Exception):
    """An error with a `message`; `str` says it in English, once somebody asks.

    The rules refuse a thousand moves nobody hears of.
    """

    def __init__(self, template: str | Message, /, **values: Plain) -> None:
        """`template` is one plain clause without a full stop; `values` fill it."""
        super().__init__(template)
        self.message = template if isinstance(template, Message) else Message(template, tuple(values.items()))

    def __str__(self) -> str:
        """In English."""
        return str(self.message)


class MessageError(SpokenError, ValueError):
    """What people said or did, or a file holds, and cannot be."""


class TroubleError(SpokenError, OSError):
    """What a device or a disk does not do."""


@contextmanager
def naming(file: str, kind: type[MessageError]) -> Generator[None]:
    """Have errors of this kind, which say what is wrong with a file's content, name the file."""
    try:
        yield
    except kind as refused:
        raise kind("{file}: {why}", file=file, why=refused.message) from None


def reason(error: Exception) -> Message:
    """What an error says: its message, or the words of a library or the operating system as they came."""
    return error.message if isinstance(error, SpokenError) else message("{words:rule}", words=str(error))


class English(Formatter):
    """Says messages in English. Other languages count and list in their own way (`words.speaker`)."""

    code = "en"
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    """Small numbers as words, from 0 on."""
    conjunction, disjunction, nothing = "and", "or", "nothing"
    point, points = "point", "points"
    yes, no = "yes", "no"
    decimal, thousands = ".", ","
    quotes = ("“", "”")

    def __init__(self, players: Sequence[str] = (), labels: Mapping[str, str] | None = None) -> None:
        """`players` are the names that indices stand for; `labels` name face ids, as their dice set does."""
        self.players = players
        self.labels: Mapping[str, str] = labels or {}

    # --- what a catalogue knows

    def words(self, english: str) -> str:
        """Fixed English words or a template in this language; unknown ones stay as they are."""
        return english

    def name(self, one: str) -> str:
        """A face, box, declaration, card or tile as people read it: its label, else the id with spaces for dashes."""
        return self.labels.get(one) or one.replace("-", " ")

    def forms(self, one: str) -> tuple[str, str] | None:
        """One with its article and several of a thing that sentences count: "a koala", "koalas"."""
        return None

    # --- how the language counts and lists

    def counted(self, number: int, one: str, many: str) -> str:
        """1 point, 2 points, −1 point."""
        return f"{self.whole(number)} {self.plural(number, one, many)}"

    def plural(self, number: int, one: str, many: str) -> str:
        """The form for so many."""
        return one if abs(number) == 1 else many

    def nth(self, number: int) -> str:
        """First, second, … tenth, 11th, 21st."""
        if 1 <= number <= len(ORDINALS):
            return ORDINALS[number - 1]
        teen = number % 100 in (11, 12, 13)
        return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"

    def number(self, count: int) -> str:
        """A small number as a word."""
        return self.numbers[count] if 0 <= count < len(self.numbers) else str(count)

    def dice(self, number: int) -> str:
        """One die, four dice, 11 dice."""
        return "one die" if number == 1 else f"{self.number(number)} dice"

    def several(self, label: str, number: int) -> str:
        """A face that lies there so often: three 7s, an 8; sigil, sigil twice, DD three times."""
        if label.isdecimal():
            article = "an" if label.startswith("8") or label in ("11", "18") else "a"
            return f"{self.number(number)} {label}s" if number > 1 else f"{article} {label}"
        if number < 3:
            return label if number == 1 else f"{label} twice"
        return f"{label} {self.number(number)} times"

    def listed(self, words: Sequence[str], last: str = "") -> str:
        """Two cats, sigil and DD; `last` stands before the last word instead of "and"."""
        if len(words) < 2:
            return words[0] if words else self.nothing
        return f"{', '.join(words[:-1])} {last or self.conjunction} {words[-1]}"

    def roll(self, faces: Iterable[str]) -> str:
        """A roll in words, what there is most of first: "three 7s, two 4s and a 1", or "sigil twice and DD"."""
        found = Counter(self.name(face) for face in faces)
        return self.listed([self.several(label, n) for label, n in found.most_common()])

    # --- messages

    def clause(self, said: Message) -> str:
        """A message as it is: no capital and no full stop of its own."""
        return str(self.vformat(self.words(said.template), (), dict(said.values)))

    def say(self, said: Message) -> str:
        """A message with a capital in front."""
        spoken = self.clause(said).strip()
        return spoken[:1].upper() + spoken[1:]

    def sentence(self, said: Iterable[Message | str]) -> str:
        """Clauses as one announcement: a capital in front and a full stop after each."""
        parts = ((self.clause(one) if isinstance(one, Message) else one).strip().rstrip(".") for one in said)
        return " ".join(
            f"{part[0].upper()}{part[1:]}{'' if part[-1] in '?!' else '.'}" for part in parts if part
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value as its spec says it is spoken; see the table above."""
        if isinstance(value, Message):
            return self.clause(value)
        how, *forms = format_spec.split(" ")
        match how:
            case "":
                return self.plain(value)
            case "called":
                names = (value,) if isinstance(value, str) else cast("tuple[str, ...]", value)
                return ", ".join(self.labels.get(name, name) for name in names)
            case "shape":
                shapes = (value,) if isinstance(value, str) else cast("tuple[str, ...]", value)
                names = [self.words(shape) for shape in shapes]
                return ", ".join(names) if not forms else self.listed(names, self.words(forms[0]))
            case "name":
                return str(self.players[value])
            case "names":
                return self.listed([str(self.players[player]) for player in value])
            case "face":
                return self.name(value)
            case "faces":
                return self.listed([self.name(face) for face in value])
            case "maybe":
                return self.listed([self.name(face) for face in value], self.disjunction)
            case "row":
                return ", ".join(self.name(face) for face in value)
            case "tally":
                counts = Counter(cast("tuple[str, ...]", value))
                return self.listed([f"{n} {self.name(face)}" for face, n in counts.items()])
            case "quoted":
                return self.quoted(str(value))
            case "ids":
                return ", ".join(value) or self.nothing
            case "a":
                return self.thing(value, 1)
            case "things":
                counts = Counter(cast("tuple[str, ...]", value))
                return self.listed([self.thing(one, n) for one, n in counts.items()])
            case "plus":
                raised = [one.rpartition("+") for one in value]
                return self.listed([f"{self.name(name)} +{n}" for name, _, n in raised])
            case "listed":
                return self.listed(cast("tuple[str, ...]", value))
            case "either":
                return self.listed(value, self.disjunction)
            case "rule":
                return self.words(str(value))
            case "points":
                return self.counted(value, self.point, self.points)
            case "count":
                one, many = (form.replace("~", " ") for form in forms)
                return self.counted(value, one, many)
            case "roll" | "pile" | "dice" | "number" | "nth" | "amount":
                return str(getattr(self, how)(value))
            case "signed":
                if isinstance(value, float):
                    return self.decimals(f"{value:+.2f}")
                return f"{'+' if value > 0 else ''}{self.whole(value)}"
            case "tenth":
                return self.decimals(f"{value:.1f}")
            case "percent":
                return self.decimals(f"{100 * value:.1f} %")
            case "yes":
                return self.yes if value else self.no
            case _:
                raise AssertionError(f"no way to say a value {format_spec!r}")

    def plain(self, value: Spoken | Sequence[Spoken]) -> str:
        """A value as it is: 8.0 is "8"; several with commas."""
        if isinstance(value, list | tuple):
            return ", ".join(map(self.plain, value))
        if isinstance(value, Named):
            return value.spoken(self.code)
        if isinstance(value, float):
            return self.decimals(f"{value:g}")
        return self.whole(value) if isinstance(value, int) else str(value)

    def amount(self, value: float) -> str:
        """Points on average: with one place after the point, small amounts with two figures that count."""
        if 0 < abs(value) < SMALLEST:
            return self.words(NEXT_TO_NOTHING)
        return self.decimals(f"{value:.2g}" if 0 < abs(value) < 0.95 else f"{value:.1f}")

    def quoted(self, text: str) -> str:
        """What somebody typed, in quotation marks; cut if long, and with � for what cannot be seen."""
        cut = text if len(text) <= LONGEST_QUOTED else f"{text[: LONGEST_QUOTED - 1]}…"
        begin, end = self.quotes
        return f"{begin}{''.join(one if one.isprintable() else '�' for one in cut)}{end}"

    def whole(self, number: int) -> str:
        """A whole number as it is printed: from 10,000 on in groups of three figures."""
        printed = f"{number:,}".replace(",", self.thousands) if abs(number) >= LONG_NUMBER else str(number)
        return printed.replace("-", "−")

    def decimals(self, figure: str) -> str:
        """A figure with this language's own decimal sign."""
        return figure.replace(".", self.decimal).replace("-", "−").replace(" %", "\u00a0%")

    def pile(self, pile: str) -> str:
        """What cards and tiles are drawn from."""
        if pile.startswith(HAND_OF):
            return self.words(HAND_OF) + pile.removeprefix(HAND_OF)
        return self.words(pile)

    def thing(self, one: str, number: int) -> str:
        """So many of a thing; a face that its dice set calls otherwise has no article and no plural."""
        label, forms = self.name(one), self.forms(one)
        if forms is None or label.casefold() not in forms[0].casefold():
            return self.several(label, number)
        return forms[0] if number == 1 else f"{self.number(number)} {forms[1]}"


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

ENGLISH = English()
"""English without names of players and dice."""
