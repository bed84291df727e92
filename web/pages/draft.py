"""A match that is being thought of, as a form or an address tells it, and the steps of filling it in."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from werkzeug.datastructures import MultiDict

from scoring.game import AnyGame, unfit
from scoring.games import available
from scoring.layout import BoardError
from scoring.match import Header
from table.storage.remembered import LONGEST
from web.language import gettext as _
from web.language import ngettext, refusal
from web.pages.rules import LONGEST as LONGEST_TEXT
from web.pages.rules import spelled

BY_LOT = "lot"
"""What the form says when the lot decides who starts."""

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
    """The row of who starts, from 0; or by lot."""
    rules: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def first(self) -> int | None:
        """The row of who starts; None by lot."""
        if self.starts == BY_LOT:
            return None
        row = int(self.starts) if self.starts.isdecimal() and len(self.starts) < 4 else 0
        return row if row < len(self.players) else 0

    def seated(self) -> tuple[str, ...]:
        """The players in the order in which they play."""
        first = secrets.randbelow(len(self.players)) if self.first is None else self.first
        return self.players[first:] + self.players[:first]

    def starting(self, name: str) -> Draft:
        """The same with this player first, whoever follows."""
        first = self.players.index(name) if name in self.players else 0
        return replace(self, players=self.players[first:] + self.players[:first], starts="0")

    def query(self) -> list[tuple[str, str]]:
        """As an address tells it."""
        told = [("game", self.game.id), ("of", self.game.id), ("set", self.set_id), ("starts", self.starts)]
        told += [("player", name) for name in self.players]
        return told + [(RULE + key, value) for key, value in self.rules.items()]


@dataclass(frozen=True, slots=True)
class Seat:
    """A row of the list of players, and what is wrong with it."""

    name: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """The list of players, and what is wrong with it as a whole."""

    rows: tuple[Seat, ...]
    trouble: str = ""

    @property
    def fine(self) -> bool:
        """Whether these people can play."""
        return not self.trouble and all(not row.trouble for row in self.rows)


def like(header: Header, game: AnyGame, set_id: str) -> Draft:
    """A match again as it was."""
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


def judged(draft: Draft) -> Seats:
    """What is wrong with the players, each thing in one line where it stands."""
    rows: list[Seat] = []
    taken: set[str] = set()
    for name in draft.players:
        trouble = ""
        if not name:
            trouble = _("Write a name, or take this row away.")
        elif len(name) > LONGEST:
            trouble = _("A name has at most %(most)d letters; this one has %(n)d.", most=LONGEST, n=len(name))
        elif sign := unfit(name):
            trouble = _("A name cannot have the character %(sign)s.", sign=sign)
        elif name.casefold() in taken:
            trouble = _("%(name)s is in the list already; everyone needs a name of their own.", name=name)
        taken.add(name.casefold())
        rows.append(Seat(name, trouble))
    low, high = draft.game.seats
    trouble = "" if low <= len(rows) <= high else many(draft.game)
    return Seats(tuple(rows), trouble)


def many(game: AnyGame) -> str:
    """How many people play a game, in a sentence."""
    low, high = game.seats
    said = _("%(game)s is for %(low)d to %(high)d players.", game=game.title, low=low, high=high)
    return f"{said[:-1]} ({game.seats_where})." if game.seats_where else said


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
        said = _("%(game)s: its dice, players and house rules are below.", game=draft.game.title)
        return draft, said
    if name == "defaults":
        return replace(draft, rules={}), _("The house rules are as by default again.")
    if name == "add":
        return _with(draft, what[:LONGEST])
    if name == "board":
        return _with_board(draft, *what.split(":", 1)) if ":" in what else (draft, "")
    row = int(what) if what.isdecimal() and len(what) < 4 else -1
    if not 0 <= row < len(draft.players) or name not in STEPS:
        return draft, ""
    return STEPS[name](draft, row)


def _with(draft: Draft, name: str) -> tuple[Draft, str]:
    """One more player; a name fills the first empty row there is."""
    if name and "" in draft.players:
        row = draft.players.index("")
        players = (*draft.players[:row], name, *draft.players[row + 1 :])
        return replace(draft, players=players), _("%(name)s plays, too.", name=name)
    if len(draft.players) >= draft.game.seats[1]:
        return draft, many(draft.game)
    said = _("%(name)s plays, too.", name=name) if name else _("A row for one more player.")
    return replace(draft, players=(*draft.players, name)), said


def _with_board(draft: Draft, key: str, told: str) -> tuple[Draft, str]:
    """Another board: its name or rows, or "ROW/X", where a space of the board comes or goes."""
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
    said = _("The rows are counted; no board is drawn.")
    if layout:
        many = len(layout.spaces)
        said = ngettext("The board has %(num)d space.", "The board has %(num)d spaces.", many)
    return replace(draft, rules={**draft.rules, key: told}), said


def _without(draft: Draft, row: int) -> tuple[Draft, str]:
    players = draft.players[:row] + draft.players[row + 1 :]
    starts = draft.starts
    if draft.first is not None and draft.first >= row and draft.first > 0:
        starts = str(draft.first - 1) if draft.first > row else "0"
    name = draft.players[row] or _("an empty row")
    return replace(draft, players=players, starts=starts), _("Taken away: %(name)s.", name=name)


def _moved(draft: Draft, row: int, by: int) -> tuple[Draft, str]:
    to = row + by
    if not 0 <= to < len(draft.players):
        return draft, ""
    order = list(range(len(draft.players)))
    order[row], order[to] = order[to], order[row]
    # Whoever is on top starts, unless somebody else was chosen: then that goes with the name.
    starts = str(order.index(draft.first)) if draft.first else draft.starts
    players = tuple(draft.players[one] for one in order)
    name = draft.players[row] or _("an empty row")
    said = _("%(name)s is number %(n)d of %(all)d now.", name=name, n=to + 1, all=len(players))
    return replace(draft, players=players, starts=starts), said


def _starts(draft: Draft, row: int) -> tuple[Draft, str]:
    said = _("%(name)s starts.", name=draft.players[row] or _("row %(n)d", n=row + 1))
    return replace(draft, starts=str(row)), said


STEPS: Mapping[str, Callable[[Draft, int], tuple[Draft, str]]] = {
    "remove": _without,
    "starts": _starts,
    "up": lambda draft, row: _moved(draft, row, -1),
    "down": lambda draft, row: _moved(draft, row, 1),
}
