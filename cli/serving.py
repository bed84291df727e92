"""Options that `demo` and `serve` share, and the match that follows from them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from cli.compose import Kept
    from table.storage.store import Entry, Store

Decorated = Callable[..., Any]

LANGUAGES = ("en", "de", "fr")
"""Those of `words.speaker`; named here, so that --help imports nothing of it."""

GAME, PLAYERS = "meet-fate", "Alice,Bob"
LAST = "last"
"""What `--resume` means by no id: the match that was played last and is not over."""
WINNER = "winner"
"""What `--starts` says for whoever won the last match."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line; None for what was left open."""

    game: str | None
    set_id: str | None
    players: str | None
    resume: str | None
    again: bool
    url: str | None
    place: str
    starts: str | None = None
    """Who plays first: a name, or whoever won last."""
    language: str | None = None
    """The table's own: its voice's, and what goes to a broker; pages have each device's."""


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """Who plays what with which dice: begun anew, or gone on with."""

    kept: Kept
    game: str
    set_id: str
    players: tuple[str, ...]
    setup: Mapping[str, Any]
    remarks: tuple[str, ...]
    """What people should know before they play."""

    @property
    def language(self) -> str:
        """The table's own."""
        return str(self.setup.get("language") or LANGUAGES[0])


def playing(command: Decorated) -> Decorated:
    """What is played, with which dice, by whom; a new match, or one that is kept."""

    @functools.wraps(command)
    def asking(**options: Any) -> Any:
        names = ("game", "set_id", "players", "resume", "again", "url", "place", "starts", "language")
        asked = Asked(**{name: options.pop(name) for name in names})
        return command(asked=asked, **options)

    decorated: Decorated = asking
    for option in (
        click.option(
            "--language", type=click.Choice(LANGUAGES),
            help="What the voice and the broker say; a page is in its device's own.  [default: en]",
        ),
        click.option(
            "--place", default="", metavar="NAME", help="Which of several tables this is, in a shared store."
        ),
        click.option(
            "--store", "url", envvar="TABLESIDE_STORE", metavar="URL",
            help="Keep matches in a database that several tables share (postgresql://…).",
        ),
        click.option(
            "--starts", metavar="WHO",
            help=f"Who plays first, the others in their order: the name of the youngest, or {WINNER} for who won last.",
        ),
        click.option("--again", is_flag=True, help="A new match, the same as last time."),
        click.option(
            "--resume", is_flag=False, flag_value=LAST, metavar="[ID]",
            help="Go on with the match that was played last, or with the one of this id.",
        ),
        click.option("--players", metavar="A,B", help=f"Who plays.  [default: {PLAYERS}]"),
        click.option("--set", "set_id", metavar="ID", help="The dice set; by default the game's own."),
        click.option("--game", metavar="ID", help=f"What is played.  [default: {GAME}]"),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated


def _winner(store: Store, last: Entry | None) -> str:
    """Who won the match that was played last. Raises ValueError when nobody did, alone."""
    from scoring.games import find

    match = store.resume(last.id, find)[1] if last is not None else None
    winners = match.outcome.winners if match is not None and match.outcome else ()
    if match is None or len(winners) != 1:
        raise ValueError(f"--starts {WINNER}: the last match has no winner, or several; say a name")
    return match.header.players[winners[0]]


def sit_down(asked: Asked, setup: Mapping[str, Any] | None = None) -> Sitting:
    """Begin the match that was asked for, or go on with it; `setup` is kept with it for the next time.

    Raises:
        ValueError: what was asked for does not fit together, or there is no such match.
        StoreError: matches cannot be kept.
    """
    from cli.compose import Kept
    from cli.matches import store_at
    from scoring.games import find
    from scoring.match import begin
    from table.new_match import dice_for

    store = store_at(asked.url)
    spoken = {"language": asked.language} if asked.language else {}
    last = next(iter(store.matches(place=asked.place)), None)
    if asked.resume is not None and asked.starts is not None:
        raise ValueError("--starts is for a new match; --resume goes on with one")
    if asked.resume is not None:
        waiting = store.unfinished(asked.place)
        if asked.resume == LAST and waiting is None:
            raise ValueError("there is no match to go on with: all are over")
        match_id = waiting.id if asked.resume == LAST and waiting else asked.resume
        kept, match = store.resume(match_id, find)
        entry = next(one for one in store.matches() if one.id == match_id)
        kept.mark("over" if match.outcome else "running")
        set_id = asked.set_id or str(entry.setup.get("set") or match.game.dice.set_id)
        return Sitting(
            Kept(match, kept),
            match.header.game,
            set_id,
            match.header.players,
            {**entry.setup, **spoken},
            store.refused,
        )
    if asked.again and last is None:
        raise ValueError("there was no last time: no match is kept yet")
    before = last if asked.again else None
    earlier = store.resume(before.id, find)[1].header if before else None
    rules = find(asked.game or (earlier.game if earlier else GAME))
    before_us = earlier.players if earlier else tuple(names(PLAYERS))
    players = before_us if asked.players is None else tuple(names(asked.players))
    if asked.starts is not None:
        first = _winner(store, last) if asked.starts == WINNER and WINNER not in players else asked.starts
        if first not in players:
            raise ValueError(f"--starts: {first} does not play; expected {', '.join(players)}, or {WINNER}")
        at = players.index(first)
        players = players[at:] + players[:at]
    options = dict(earlier.options) if earlier and earlier.game == rules.id else None
    set_id = asked.set_id or (str(before.setup.get("set", "")) if before else "") or rules.dice.set_id
    set_id = dice_for(rules, set_id).id
    match = begin(rules, players, options)
    told = {**(before.setup if before else {}), **(setup or {}), **spoken, "set": set_id}
    for key in ("from", "held"):  # those are about that match; this one begins
        told.pop(key, None)
    kept = store.begin(match, place=asked.place, setup=told)
    remarks = store.refused
    if last is not None and last.state != "over" and not asked.again:
        remarks += (
            f"A match is not over: --resume {last.id} goes on with it, and so does the page Tonight.",
        )
    if not asked.again and asked.game is None and asked.players is None:
        remarks += (f"{rules.title} begins, since nothing was asked for; /tonight has every other game.",)
    return Sitting(Kept(match, kept), rules.id, set_id, match.header.players, told, remarks)


def names(players: str) -> list[str]:
    """The players' names in order."""
    return [name.strip() for name in players.split(",") if name.strip()]
