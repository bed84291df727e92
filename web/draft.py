"""A match that is being put together: its game, players and house rules as a form or an address tells them, what is
wrong with each, and the steps of filling them in."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from werkzeug.datastructures import MultiDict

from messages.message import N_
from scoring.game import AnyGame, unfit
from scoring.games import available
from scoring.layout import MOST_ACROSS, BoardError, Layout
from scoring.match import Header
from scoring.options import Option, OptionError, Value
from table.storage.players import LONGEST
from web.language import fixed, ngettext, refusal
from web.language import gettext as _

Kind = Literal["yes", "number", "word", "board"]

YES, NO = N_("yes"), N_("no")
LONGEST_TEXT = 400
"""Longest free text in a form (a board's rows), in characters."""

BY_LOT = "lot"
"""The value of the form for a random starting player."""

SPARE = 8
"""Rows beyond a game's most players that are kept while a draft goes from game to game."""

RULE = "rule."
"""How the fields of house rules begin."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything as typed: nothing of it needs to fit."""

    game: AnyGame
    set_id: str
    players: tuple[str, ...]
    starts: str = "0"
    """The row of the starting player, from 0, or `BY_LOT`."""
    rules: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def first(self) -> int | None:
        """The row of the starting player; None if that is random."""
        if self.starts == BY_LOT:
            return None
        row = int(self.starts) if self.starts.isdecimal() and len(self.starts) < 4 else 0
        return row if row < len(self.players) else 0

    def seated(self) -> tuple[str, ...]:
        """The players in the order in which they play."""
        first = secrets.randbelow(len(self.players)) if self.first is None else self.first
        return self.players[first:] + self.players[:first]

    def starting(self, name: str) -> Draft:
        """The draft with this player first."""
        first = self.players.index(name) if name in self.players else 0
        return replace(self, players=self.players[first:] + self.players[:first], starts="0")

    def query(self) -> list[tuple[str, str]]:
        """As an address tells it."""
        told = [("game", self.game.id), ("of", self.game.id), ("set", self.set_id), ("starts", self.starts)]
        told += [("player", name) for name in self.players]
        return told + [(RULE + key, value) for key, value in self.rules.items()]


def like(header: Header, game: AnyGame, set_id: str) -> Draft:
    """A draft of the same match again."""
    return Draft(game, set_id, header.players, rules={key: spelled(value) for key, value in header.options})


def told_by(sent: MultiDict[str, str], before: Draft) -> Draft:
    """The draft that a form or an address tells; what it leaves open is as `before`.

    `of` is the game whose house rules the form showed: of another game's, nothing is taken.
    """
    game = next((one for one in available() if one.id == sent.get("game")), before.game)
    same = game.id == before.game.id
    players = before.players
    if "of" in sent:
        rows = sent.getlist("player")[: game.seats[1] + SPARE]
        players = tuple(" ".join(name.split())[: 4 * LONGEST] for name in rows)
    rules: Mapping[str, str] = before.rules if same else {}
    if sent.get("of") == game.id:
        rules = {key.removeprefix(RULE): value for key, value in sent.items() if key.startswith(RULE)}
    set_id = sent.get("set", "") if sent.get("of") == game.id else ""
    if not set_id:
        set_id = before.set_id if same else game.dice.set_id
    return Draft(game, set_id, players, sent.get("starts", "0"), rules)


def judged(draft: Draft) -> tuple[str, ...]:
    """What is wrong with each player, in one line or empty; the last line is about how many they are."""
    found: list[str] = []
    taken: set[str] = set()
    for name in draft.players:
        trouble = ""
        if not name:
            trouble = _("Enter a name or remove this row.")
        elif len(name) > LONGEST:
            trouble = _("This name has %(n)d characters; the limit is %(most)d.", most=LONGEST, n=len(name))
        elif sign := unfit(name):
            trouble = _("Names can’t contain the character %(sign)s.", sign=sign)
        elif name.casefold() in taken:
            trouble = _("%(name)s is already in the list. Choose another name.", name=name)
        taken.add(name.casefold())
        found.append(trouble)
    low, high = draft.game.seats
    return (*found, "" if low <= len(found) <= high else many(draft.game))


def many(game: AnyGame) -> str:
    """How many people play a game, in a sentence."""
    low, high = game.seats
    return _("%(game)s is for %(low)d to %(high)d players.", game=game.title, low=low, high=high)


def changes(rules: Sequence[Rule]) -> str:
    """What is not as usual, in one line: "Full house: no, Points to win: 50"; empty if all is."""
    return ", ".join(_("%(rule)s: %(answer)s", rule=one.title, answer=one.answer) for one in rules if one.changed)


def counted(game: AnyGame) -> str:
    """A game's dice and players in a few words: "6 dice, 1 to 4 players"."""
    low, high = game.seats
    count = game.dice.count
    dice = ngettext("%(num)d die", "%(num)d dice", count) if count else _("no dice")
    return _("%(dice)s, %(low)d to %(high)d players", dice=dice, low=low, high=high)


def stepped(draft: Draft, step: str) -> tuple[Draft, str]:
    """The draft after a step ("add", "add:Cleo", "up:2", …), and what is to be said of it; unknown ones do nothing."""
    name, _colon, what = step.partition(":")
    if name == "game":
        said = _("%(game)s selected. Dice, players and house rules are below.", game=draft.game.title)
        return draft, said
    if name == "defaults":
        return replace(draft, rules={}), _("House rules reset to the defaults.")
    if name == "add":
        return _with(draft, what[:LONGEST])
    if name == "board":
        return _with_board(draft, *what.split(":", 1)) if ":" in what else (draft, "")
    what, _colon, to = what.partition(":")
    row, place = _row(draft, what), _row(draft, to)
    if row is None:
        return draft, ""
    if name == "move" and place is not None:
        return _moved(draft, row, place)
    return STEPS[name](draft, row) if name in STEPS else (draft, "")


def _row(draft: Draft, said: str) -> int | None:
    """The row of the player in a step, from 0; None if there is no such row."""
    row = int(said) if said.isdecimal() and len(said) < 4 else -1
    return row if 0 <= row < len(draft.players) else None


def _with(draft: Draft, name: str) -> tuple[Draft, str]:
    """One more player; a name fills the first empty row there is."""
    if name and "" in draft.players:
        row = draft.players.index("")
        players = (*draft.players[:row], name, *draft.players[row + 1 :])
        return replace(draft, players=players), _("%(name)s joins.", name=name)
    if len(draft.players) >= draft.game.seats[1]:
        return draft, many(draft.game)
    said = _("%(name)s joins.", name=name) if name else _("New row added. Enter a name.")
    return replace(draft, players=(*draft.players, name)), said


def _with_board(draft: Draft, key: str, told: str) -> tuple[Draft, str]:
    """Change the board: its name or rows, or "ROW/X" to add or remove a space."""
    option = next((one for one in draft.game.options if one.key == key), None)
    if option is None or option.layout is None:
        return draft, ""
    try:
        before = option.layout((draft.rules.get(key) or str(option.default))[:LONGEST_TEXT])
        told = told[:LONGEST_TEXT] or str(option.default)
        row, slash, x = told.partition("/")
        if slash and before and row.isdecimal() and x.removeprefix("-").isdecimal():
            told = before.drawn((int(row[:2]), int(x[:3])))
        layout = option.layout(told)
    except BoardError as wrong:
        return draft, refusal(wrong)
    said = _("No board is shown: Tableside only counts the rows.")
    if layout:
        many = len(layout.spaces)
        said = ngettext("The board has %(num)d space.", "The board has %(num)d spaces.", many)
    return replace(draft, rules={**draft.rules, key: told}), said


def _without(draft: Draft, row: int) -> tuple[Draft, str]:
    players = draft.players[:row] + draft.players[row + 1 :]
    starts = draft.starts
    if draft.first is not None and draft.first >= row and draft.first > 0:
        starts = str(draft.first - 1) if draft.first > row else "0"
    name = draft.players[row] or _("empty row")
    return replace(draft, players=players, starts=starts), _("Removed: %(name)s.", name=name)


def _moved(draft: Draft, row: int, to: int) -> tuple[Draft, str]:
    if not 0 <= to < len(draft.players) or to == row:
        return draft, ""
    order = list(range(len(draft.players)))
    order.insert(to, order.pop(row))
    # Whoever is on top starts, unless somebody else was chosen: then that goes with the name.
    starts = str(order.index(draft.first)) if draft.first else draft.starts
    players = tuple(draft.players[one] for one in order)
    name = draft.players[row] or _("empty row")
    said = _("Position %(n)d of %(all)d: %(name)s.", name=name, n=to + 1, all=len(players))
    return replace(draft, players=players, starts=starts), said


def _starts(draft: Draft, row: int) -> tuple[Draft, str]:
    said = _("Starting player: %(name)s.", name=draft.players[row] or _("row %(n)d", n=row + 1))
    return replace(draft, starts=str(row)), said


STEPS: Mapping[str, Callable[[Draft, int], tuple[Draft, str]]] = {
    "remove": _without,
    "starts": _starts,
    "up": lambda draft, row: _moved(draft, row, row - 1),
    "down": lambda draft, row: _moved(draft, row, row + 1),
}


# --- house rules: each option with its plain explanation, its default, and a control


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board of hexes, with the places beside it where a space can be added."""

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
        return cls(layout.across + 2 * around, tuple(rows), layout.guessed)


@dataclass(frozen=True, slots=True)
class Rule:
    """One option, with what was typed for it."""

    option: Option
    title: str
    explanation: str
    kind: Kind
    typed: str
    default: str
    """In words."""
    choices: tuple[tuple[str, str, bool], ...]
    """Each answer there is: its value, what it is called, and whether it is chosen."""
    changed: bool
    """It is not the default."""
    trouble: str
    """What is wrong with what was typed; empty if nothing is."""
    board: DrawnBoard | None = None
    rows: str = ""
    """The board as text, or a guess to start from."""

    @property
    def answer(self) -> str:
        """What is played, in words."""
        if self.kind == "board":
            return _("your own") if self.board and self.changed else self.default if self.board else _("not known yet")
        number = self.default if not self.changed else self.typed
        return next((words for _value, words, chosen in self.choices if chosen), number)

    @property
    def id(self) -> str:
        """Its id in the page."""
        return "rule-" + self.option.key.replace(".", "-").replace("_", "-")


def rules_of(game: AnyGame, typed: Mapping[str, str], *, judged: bool = False) -> tuple[Rule, ...]:
    """The options of a game with what was typed for each, by default the default; `judged`: say what is wrong."""
    return tuple(_rule(option, typed.get(option.key), judged=judged) for option in game.options)


def spelled(value: Value) -> str:
    """A value as a form sends it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _rule(option: Option, typed: str | None, *, judged: bool) -> Rule:
    default = spelled(option.default)
    given = default if typed is None else typed[:LONGEST_TEXT]
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
        one: option.answer(one) for one in option.values
    }  # fmt: skip
    in_words = fixed(option.answer(default)) if option.zero else default
    return Rule(
        option, fixed(option.called()), fixed(option.explanation), _kind(option), given if trouble else shown,
        _("the suggested board") if guess else _(words[default]) if default in words else in_words,
        tuple((one, _(word), shown == one) for one, word in words.items()),
        changed=shown != default, trouble=trouble,
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
        return _("Enter a whole number from %(low)d to %(high)d.", low=option.low, high=option.high)
    return _("Choose one of the answers.")
