"""A game's house rules as a form shows them: each option with its plain explanation, its default, and a control."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.game import AnyGame
from scoring.games import available
from scoring.layout import MOST_ACROSS, BoardError, Layout
from scoring.options import Option, OptionError, Value
from web.language import N_, refusal
from web.language import gettext as _
from web.rules_words import answer_of, title_of

Kind = Literal["yes", "number", "word", "board"]

YES, NO = N_("yes"), N_("no")
LONGEST = 400
"""Characters of a free text (a board's rows) that a form takes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to an option."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board of hexes as it will lie, with the places beside it where a space can be added."""

    across: int
    rows: tuple[tuple[int, tuple[tuple[int, int, bool], ...]], ...]
    """Rows from the top: the label, of each place its column here, its x on the board, and whether a space is there."""
    guess: bool

    @classmethod
    def of(cls, layout: Layout) -> DrawnBoard:
        """The board of a layout."""
        around = min(2, (MOST_ACROSS - layout.across) // 2)
        rows: list[tuple[int, tuple[tuple[int, int, bool], ...]]] = []
        for row in reversed(layout.rows):
            there = [space.x for space in layout.spaces if space.row == row]
            places = range(-around, layout.across + around - 1)
            shown = ((x + around, x, x in there) for x in places if (x - there[0]) % 2 == 0)
            rows.append((row, tuple(shown)))
        return cls(layout.across + 2 * around, tuple(rows), "UNVERIFIED" in layout.note)


@dataclass(frozen=True, slots=True)
class Rule:
    """One option, with what was typed for it."""

    key: str
    title: str
    explanation: str
    kind: Kind
    typed: str
    default: str
    """In words."""
    choices: tuple[Choice, ...]
    low: int
    high: int
    ruling: str
    changed: bool
    """It is not the default."""
    trouble: str
    """What is wrong with what was typed; empty when nothing is."""
    board: DrawnBoard | None = None
    rows: str = ""
    """The board as text, or the guess where there is none: to go on from."""

    @property
    def id(self) -> str:
        """Its id in the page."""
        return "rule-" + self.key.replace(".", "-").replace("_", "-")


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of a game: what its printed sheet or board says, and what tables agree on."""

    printed: tuple[Rule, ...]
    agreed: tuple[Rule, ...]

    @property
    def every(self) -> tuple[Rule, ...]:
        """All of them."""
        return self.printed + self.agreed

    @property
    def changed(self) -> int:
        """How many of those that tables agree on are not as by default."""
        return sum(rule.changed for rule in self.agreed)

    @property
    def troubled(self) -> tuple[Rule, ...]:
        """Those with something wrong."""
        return tuple(rule for rule in self.every if rule.trouble)


def rules_of(game: AnyGame, typed: Mapping[str, str], *, judged: bool = False) -> Rules:
    """The options of a game with what was typed for each, by default the default; `judged`: say what is wrong."""
    shown = [_rule(option, typed.get(option.key), judged=judged) for option in game.options]
    asked = [option.ask for option in game.options]
    return Rules(
        tuple(rule for rule, ask in zip(shown, asked, strict=True) if ask),
        tuple(rule for rule, ask in zip(shown, asked, strict=True) if not ask),
    )


def spelled(value: Value) -> str:
    """A value as a form sends it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def messages() -> Iterator[str]:
    """The words of every option, for the catalogues (`tools.translations`): they are written with the rules."""
    for game in available():
        for option in game.options:
            yield title_of(option)
            yield option.explanation
            yield from (answer_of(option, value) for value in option.values)


def _rule(option: Option, typed: str | None, *, judged: bool) -> Rule:
    default = spelled(option.default)
    given = default if typed is None else typed[:LONGEST]
    trouble, value, layout = "", None, None
    try:
        value = option.read(given)
        layout = option.layout(str(value)) if option.layout else None
    except OptionError:
        trouble = _wrong(option) if judged else ""
    except BoardError as wrong:
        trouble = refusal(wrong)
    guess = option.layout(default) if option.layout else None
    shown = spelled(value) if value is not None else given
    words = {"yes": YES, "no": NO} if isinstance(option.default, bool) else {
        one: answer_of(option, one) for one in option.values
    }  # fmt: skip
    return Rule(
        option.key, _(title_of(option)), _(option.explanation), _kind(option), given if trouble else shown,
        _("the guess") if guess else _(words[default]) if default in words else default,
        tuple(Choice(one, _(word), shown == one) for one, word in words.items()),
        option.low, option.high, option.ruling, changed=shown != default, trouble=trouble,
        board=DrawnBoard.of(layout) if layout else None,
        rows=layout.drawn() if layout else guess.drawn() if guess else "",
    )  # fmt: skip


def _kind(option: Option) -> Kind:
    if isinstance(option.default, bool):
        return "yes"
    if isinstance(option.default, int):
        return "number"
    return "word" if option.values else "board"


def _wrong(option: Option) -> str:
    if isinstance(option.default, int) and not isinstance(option.default, bool):
        return _("Write a whole number from %(low)d to %(high)d.", low=option.low, high=option.high)
    return _("Choose one of the answers.")
