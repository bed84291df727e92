"""Options that `demo` and `serve` share, and the match that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cli.options import grouped
from words import LANGUAGES, WRITTEN

if TYPE_CHECKING:
    from cli.compose import Kept
    from table.storage.store import Entry, Store
    from vision.dicesets.model import DiceSet

GAME, PLAYERS = "meet-fate", "Alice,Bob"
LAST = "last"
"""What `--resume` means by no id: the match that was played last and is not over."""
WINNER = "winner"
"""The value of `--starts` for the last winner."""


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """What was asked for on the command line; None for what was left open."""

    game: str | None = None
    set_id: str | None = None
    players: str | None = None
    resume: str | None = None
    again: bool = False
    url: str | None = None
    place: str = ""
    starts: str | None = None
    """Who plays first: a name, or the last winner."""
    language: str | None = None
    """The table's own: its voice's, and what goes to a broker; pages have each device's."""


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """The players, game and dice of a new or continued match."""

    kept: Kept
    dice_set: DiceSet
    setup: Mapping[str, Any]
    remarks: tuple[str, ...]
    """What people should know before they play."""

    @property
    def language(self) -> str:
        """The table's own."""
        return str(self.setup.get("language") or WRITTEN)


playing = grouped(
    "asked", ServeRequest,
    click.option(
        "--language", type=click.Choice(LANGUAGES),
        help="The language of the voice and the broker; pages follow each device.  [default: en]",
    ),
    click.option(
        "--place", default="", metavar="NAME", help="This table's name in a shared database."
    ),
    click.option(
        "--store", "url", envvar="TABLESIDE_STORE", metavar="URL",
        help="Save matches in a database shared by several tables (postgresql://…).",
    ),
    click.option(
        "--starts", metavar="WHO",
        help=f"Who plays first: a name, or {WINNER} for whoever won last time. The order stays.",
    ),
    click.option("--again", is_flag=True, help="Start a new match, the same as last time."),
    click.option(
        "--resume", is_flag=False, flag_value=LAST, metavar="[ID]",
        help="Continue the last match, or the one with this id.",
    ),
    click.option("--players", metavar="A,B", help=f"The players' names.  [default: {PLAYERS}]"),
    click.option("--set", "set_id", metavar="ID", help="The dice set; by default the game's own."),
    click.option("--game", metavar="ID", help=f"The game to play.  [default: {GAME}]"),
)  # fmt: skip
"""What is played, with which dice, by whom, a new match or one that is kept: the command gets it as `asked`."""


def sit_down(asked: ServeRequest, setup: Mapping[str, Any] | None = None) -> Sitting:
    """Begin or continue the requested match; `setup` is stored with it for the next time.

    Raises:
        ValueError: the request is inconsistent, or there is no such match.
        StoreError: matches cannot be stored.
    """
    from cli.matches import store_at

    store = store_at(asked.url)
    spoken = {"language": asked.language} if asked.language else {}
    if asked.resume is not None:
        return _gone_on(asked, asked.resume, store, spoken)
    return _begun(asked, store, {**(setup or {}), **spoken})


def _gone_on(asked: ServeRequest, match_id: str, store: Store, spoken: Mapping[str, Any]) -> Sitting:
    """The match of this id, or the one that was played last and is not over."""
    from cli.compose import Kept
    from scoring.games import find
    from table.new_match import dice_for

    if asked.starts is not None:
        raise ValueError("--starts is for a new match; --resume goes on with one")
    if match_id == LAST:
        waiting = store.unfinished(asked.place)
        if waiting is None:
            raise ValueError("there is no match to go on with: all are over")
        match_id = waiting.id
    kept, match = store.resume(match_id, find)
    setup = {**next(one for one in store.matches() if one.id == match_id).setup, **spoken}
    dice_set = dice_for(match.game, asked.set_id or str(setup.get("set") or ""))
    kept.mark("over" if match.outcome else "running")
    return Sitting(Kept(match, kept), dice_set, setup, tuple(map(str, store.refused)))


def _begun(asked: ServeRequest, store: Store, setup: Mapping[str, Any]) -> Sitting:
    """A new match; with `--again`, as the last one was."""
    from cli.compose import Kept
    from scoring.games import find
    from scoring.match import begin
    from table.new_match import dice_for

    last = next(iter(store.matches(place=asked.place)), None)
    if asked.again and last is None:
        raise ValueError("there was no last time: no match is kept yet")
    before = last if asked.again else None
    earlier = store.resume(before.id, find)[1].header if before else None
    rules = find(asked.game or (earlier.game if earlier else GAME))
    before_us = earlier.players if earlier else names(PLAYERS)
    players = before_us if asked.players is None else names(asked.players)
    if asked.starts is not None:
        players = _starting(asked.starts, players, store, last)
    options = dict(earlier.options) if earlier and earlier.game == rules.id else None
    kept_setup = {**(before.setup if before else {}), **setup}
    for key in ("from", "held"):  # those are about that match; this one begins
        kept_setup.pop(key, None)
    dice_set = dice_for(rules, asked.set_id or (str(before.setup.get("set", "")) if before else ""))
    kept_setup["set"] = dice_set.id
    match = begin(rules, players, options)
    kept = store.begin(match, place=asked.place, setup=kept_setup)
    remarks = tuple(map(str, store.refused))
    if last is not None and last.state != "over" and not asked.again:
        remarks += (
            f"A match is not over: --resume {last.id} goes on with it, and so does the page New match.",
        )
    if not asked.again and asked.game is None and asked.players is None:
        remarks += (f"Starting {rules.title}, as you chose no game; the others are at /new.",)
    return Sitting(Kept(match, kept), dice_set, kept_setup, remarks)


def _starting(who: str, players: tuple[str, ...], store: Store, last: Entry | None) -> tuple[str, ...]:
    """The players in their order, the one who starts first. Raises ValueError if nobody does."""
    from scoring.games import find

    if who == WINNER and WINNER not in players:
        match = store.resume(last.id, find)[1] if last is not None else None
        winners = match.outcome.winners if match is not None and match.outcome else ()
        if match is None or len(winners) != 1:
            raise ValueError(f"--starts {WINNER}: the last match has no winner, or several; say a name")
        who = match.header.players[winners[0]]
    if who not in players:
        raise ValueError(f"--starts: {who} does not play; expected {', '.join(players)}, or {WINNER}")
    at = players.index(who)
    return players[at:] + players[:at]


def names(players: str) -> tuple[str, ...]:
    """The players' names in order."""
    return tuple(name.strip() for name in players.split(",") if name.strip())
