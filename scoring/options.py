"""Named options: what a rule document leaves open, with a default and its reason.

Every option of a match is fixed when it starts, kept with its log and shown with its outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from messages.message import Message, MessageError, message
from scoring.dice import spelled
from scoring.layout import Layout

Value: TypeAlias = "bool | int | str"
"""What an option can be set to."""

LONGEST_TEXT = 4000
"""Characters of a free text option (a board's layout); longer ones are refused."""

YES = frozenset({"yes", "true", "1", "on"})
NO = frozenset({"no", "false", "0", "off"})


class OptionError(MessageError):
    """An option that does not exist, or a value it cannot have; one line with expected and actual."""


@dataclass(frozen=True, slots=True)
class Option:
    """One open question of a rule document, with the answer played by default.

    The type of `default` is the type of the option: yes/no, a whole number from `low` to `high`, or a word;
    a word is one of `values` when there are any, and free text otherwise. `explanation` is a plain sentence
    for the players; `ruling` the passage of docs/rulings.md that weighs the readings ("RULINGS 2.4 Q2"), with the
    number of the reason that players read. `ask` marks what no document says and every table has printed before it:
    ask for it at the first start, then store it.
    """

    key: str
    default: Value
    explanation: str
    ruling: str
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 9999
    ask: bool = False
    title: str = ""
    """What a page calls it; by default its key in words."""
    answers: tuple[str, ...] = ()
    """What a page calls each of `values`, in the same order; by default the value in words."""
    zero: str = ""
    """What a page calls 0, where that number stands for another answer."""
    layout: Callable[[str], Layout | None] | None = None
    """Reads a free text as a board of hexes, None for one that is not known; raises BoardError."""

    def read(self, given: object) -> Value:
        """The value meant by a typed word or a plain value. Raises OptionError, BoardError."""
        text = str(given).strip()
        if isinstance(self.default, bool):
            if text.casefold() in YES | NO:
                return text.casefold() in YES
        elif isinstance(self.default, int):
            digits = text.removeprefix("-")
            if digits.isdecimal() and len(digits) < 10 and self.low <= int(text) <= self.high:
                return int(text)
        elif self.values:
            for value in self.values:
                if spelled(value) == spelled(text):
                    return value
        elif len(text) <= LONGEST_TEXT:
            text = "\n".join(text.splitlines())
            if self.layout:
                self.layout(text)
            return text
        raise OptionError(
            "option {key} must be {expected}, not {got:quoted}",
            key=self.key,
            expected=self.expected(),
            got=text,
        )

    def called(self) -> str:
        """What a page calls the option, in English."""
        return self.title or self.key.replace("_", " ").capitalize()

    def answer(self, value: str) -> str:
        """What a page calls one of `values`, or a number, in English."""
        if self.zero and value == "0":
            return self.zero
        return dict(zip(self.values, self.answers, strict=False)).get(value) or value.replace("-", " ")

    def expected(self) -> Message:
        """What the option can be, in words."""
        if isinstance(self.default, bool):
            return message("yes or no")
        if isinstance(self.default, int):
            return message("a whole number from {low} to {high}", low=self.low, high=self.high)
        if self.values:
            return message("{values:either}", values=self.values)
        return message("text of at most {most} characters", most=LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class Options:
    """The answers a match is played with: every option of its game, in the game's order."""

    chosen: tuple[tuple[str, Value], ...]

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        """Key and value of each option."""
        return iter(self.chosen)

    def __getitem__(self, key: str) -> Value:
        """The value of an option. Raises KeyError."""
        for name, value in self.chosen:
            if name == key:
                return value
        raise KeyError(key)

    def flag(self, key: str) -> bool:
        """A yes/no option."""
        value = self[key]
        assert isinstance(value, bool), key
        return value

    def number(self, key: str) -> int:
        """A whole number."""
        value = self[key]
        assert type(value) is int, key
        return value

    def text(self, key: str) -> str:
        """A word or a free text."""
        value = self[key]
        assert isinstance(value, str), key
        return value

    def plain(self) -> dict[str, Value]:
        """As a dict, for a log or a page."""
        return dict(self.chosen)


def chosen(options: Iterable[Option], given: Mapping[str, object] | None = None) -> Options:
    """Every option, as given or by default; keys are forgiving about case and dashes. Raises OptionError."""
    known = {spelled(option.key): option for option in options}
    values = {key: option.default for key, option in known.items()}
    for key, value in (given or {}).items():
        if spelled(key) not in known:
            keys = tuple(option.key for option in known.values())
            raise OptionError("there is no option {got:quoted}; choose from {keys:ids}", got=key, keys=keys)
        values[spelled(key)] = known[spelled(key)].read(value)
    return Options(tuple((option.key, values[key]) for key, option in known.items()))
