"""A match: its append-only log, and the state that replaying it gives.

Nothing in a log is ever changed or removed. Two events look back: a **correction** says what the dice (or the
cards) really showed at an earlier event, an **undo** takes back an earlier decision and everything after it.
What is left after applying both are the effective events; the state is their replay. When a correction makes
a later event illegal, the replay stops there and says so, and the people decide: undo it, or correct again.
A change of players is an event as well: from there on indices mean the new seats, and `Match.seat_now` leads from the
old ones to them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from messages.message import Message, message
from scoring.account import Outcome, Step
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    Hold,
    IllegalMoveError,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
    refuse,
)
from scoring.game import AnyGame
from scoring.view import TableView


@dataclass(frozen=True, slots=True)
class Header:
    """What a match is played by: the game's id and rules version, the players in order (as they sit now, and in a log
    as they sat at the beginning), every option."""

    game: str
    rules: int
    players: tuple[str, ...]
    options: tuple[tuple[str, bool | int | str], ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """The decision with the number `event`, and everything after it, is taken back."""

    event: int


@dataclass(frozen=True, slots=True)
class Correction:
    """At the event with the number `event`, the dice or cards were `showed`; () means nothing was thrown."""

    event: int
    showed: tuple[str, ...]


Event: TypeAlias = "Action | Seated | Undo | Correction"
"""One entry of a log. Its number is its place, counted from 1."""


@dataclass(frozen=True, slots=True)
class Played:
    """An effective event with its number, as replayed."""

    number: int
    action: Action | Seated
    step: Step[Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a replay had to stop: the number of the event, and the rule it breaks."""

    number: int
    rule: Message

    @property
    def message(self) -> Message:
        """What happened, and the ways out."""
        return message(
            "after this correction a later move breaks a rule: {rule}; undo that move or correct the roll again",
            rule=self.rule,
        )

    def __str__(self) -> str:
        """One line for people, in English."""
        return str(self.message)


@dataclass(frozen=True)
class Match:
    """A match so far. Frozen: every method that adds an event returns a new match with a longer log.

    So what the rules say of this position is computed once, when somebody first asks.
    """

    game: AnyGame
    header: Header
    events: tuple[Event, ...]
    played: tuple[Played, ...]
    beginning: Any
    stop: Stop | None = None
    changes: tuple[tuple[int, Seated], ...] = ()
    """The effective changes of players, each with its number."""

    @property
    def opening(self) -> Header:
        """The header as the match began, which its log begins with."""
        return replace(self.header, players=self.beginning.players)

    @cached_property
    def state(self) -> Any:
        """The state after the last effective event (before the one the replay stopped at)."""
        return self.played[-1].step.state if self.played else self.beginning

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None."""
        return None if self.stop else self.game.outcome(self.state)

    @cached_property
    def view(self) -> TableView:
        """The roll on the table, for everyone to see."""
        return self.game.table(self.state)

    @cached_property
    def awaited(self) -> tuple[Awaited, ...]:
        """Everything that may come next; nothing if the match is over, or the replay has stopped."""
        return () if self.stop else self.game.awaits(self.state)

    @cached_property
    def rarest(self) -> Message | None:
        """What to call out of the last throw, while nothing came after it and the game has no rarer one."""
        thrown = self.played[-1].action if self.played and not self.stop else None
        if not isinstance(thrown, Roll):
            return None
        before = self.played[-2].step.state if len(self.played) > 1 else self.beginning
        return self.game.rarest(before, thrown.faces)

    @property
    def roll_awaited(self) -> RollAwaited | None:
        """The throw that is due, or None."""
        return next((one for one in self.awaited if isinstance(one, RollAwaited)), None)

    @property
    def draw_awaited(self) -> DrawAwaited | None:
        """The draw that is due, or None."""
        return next((one for one in self.awaited if isinstance(one, DrawAwaited)), None)

    @property
    def decider(self) -> int | None:
        """The player who is to decide now (the first, where several may), or None if no decision is awaited."""
        return next((one.players[0] for one in self.awaited if isinstance(one, MoveAwaited)), None)

    @cached_property
    def legal(self) -> tuple[Move | Family, ...]:
        """What the decider may decide."""
        return () if self.decider is None else self.game.legal_moves(self.state, self.decider)

    @property
    def holds(self) -> tuple[Hold, ...]:
        """Every way to hold dice now and throw the others again."""
        families = (one for one in self.legal if isinstance(one, Family) and one.kind == Hold.kind)
        return tuple(move for one in families for move in one.members if isinstance(move, Hold))

    @property
    def hides(self) -> bool:
        """Whether the log holds what only some players may see (`Game.is_secret`): until the match is over."""
        drawn = (one for one in self.events if isinstance(one, Draw))
        return self.outcome is None and any(self.game.is_secret(one) for one in drawn)

    def add(self, action: Action) -> Match:
        """The match with one more roll, draw or move. Raises IllegalMoveError; the match stays as it is."""
        if self.stop:
            refuse(self.stop.message)
        if isinstance(action, Play):
            action = replace(action, move=self.game.recorded(action.move))
        try:
            step = self.game.apply(self.state, action)
        except IllegalMoveError as refused:
            refused.tried = (self, action)
            raise
        done = Played(len(self.events) + 1, action, step)
        return replace(self, events=(*self.events, action), played=(*self.played, done))

    def seat(self, change: Seated) -> Match:
        """The match with other people playing on; an event like a decision. Raises IllegalMoveError."""
        if self.stop:
            refuse(self.stop.message)
        self.game.seat(self.state, change)
        return self._with(change)

    def seat_now(self, event: int, player: int) -> int | None:
        """The current seat of the person who was `player` at an event; None if they left."""
        for number, change in self.changes:
            if number > event:
                seat = change.now(player)
                if seat is None:
                    return None
                player = seat
        return player

    def name_now(self, event: int, player: int, players: Sequence[str]) -> str:
        """The current name of the person who was `player` of `players` at an event; their last name if they left."""
        seat = self.seat_now(event, player)
        return players[player] if seat is None else self.header.players[seat]

    @property
    def last_points(self) -> Mapping[int, int]:
        """What the last event with points brought, by the seats of now; nothing before the first."""
        last = next((one for one in reversed(self.played) if one.step.scores), None)
        if last is None:
            return {}
        given = {self.seat_now(last.number, score.player): score.points for score in last.step.scores}
        return {seat: points for seat, points in given.items() if seat is not None}

    def called(self, name: str) -> str:
        """What somebody who plays, or played by this name, is called now."""
        if name in self.header.players:
            return name
        players = self.beginning.players
        for _, change in self.changes:
            seat = change.now(players.index(name)) if name in players else None
            players = change.players
            name = name if seat is None else players[seat]
        return name

    def undo(self, event: int | None = None) -> Match:
        """The match with a decision or a change of players taken back, by default the last one, and all after it.

        Where the replay has stopped, the default is the event it stopped at. Raises IllegalMoveError.
        """
        if event is None:
            decisions = [one.number for one in self.played if isinstance(one.action, (Play, Seated))]
            if self.stop is None and not decisions:
                refuse("there is nothing to undo")
            event = self.stop.number if self.stop else decisions[-1]
        rolls = [one.number for one in self.played if isinstance(one.action, (Roll, Draw))]
        if event in rolls:
            refuse(
                "event {event} is a roll or a draw: correct it instead of undoing it",
                event=event,
            )
        return self._with(Undo(event))

    def correct(self, event: int, showed: Sequence[str]) -> Match:
        """The match with a word on what the dice (or cards) showed at an event; () when nothing was thrown.

        Only the looks are checked here; what follows from them may stop the replay. Raises IllegalMoveError.
        """
        return self._with(Correction(event, tuple(showed)))

    def last_roll(self) -> int | None:
        """The number of the last effective roll, which a correction is most often about."""
        rolls = [one.number for one in self.played if isinstance(one.action, Roll)]
        return rolls[-1] if rolls else None

    def _with(self, event: Seated | Undo | Correction) -> Match:
        return replay(self.game, self.opening, (*self.events, event))


def begin(game: AnyGame, players: Sequence[str], options: Mapping[str, object] | None = None) -> Match:
    """A match in which nothing has happened yet. Raises ValueError for players or options that do not fit."""
    state = game.initial(players, options)
    header = Header(game.id, game.version, tuple(state.players), tuple(state.options))
    return Match(game, header, (), (), state)


def effective(events: Iterable[Event]) -> tuple[tuple[int, Action | Seated], ...]:
    """The numbered events that count, after undos and corrections.

    Raises IllegalMoveError for an undo or a correction of an event that does not count, or no longer does.
    """
    counting: list[tuple[int, Action | Seated]] = []
    for number, event in enumerate(events, start=1):
        if isinstance(event, Undo):
            place = _place(counting, event.event, "take back")
            del counting[place:]
        elif isinstance(event, Correction):
            place = _place(counting, event.event, "correct")
            corrected = _corrected(counting[place][1], event)
            counting[place : place + 1] = [(event.event, corrected)] if corrected else []
        else:
            counting.append((number, event))
    return tuple(counting)


def replay(game: AnyGame, header: Header, events: Sequence[Event]) -> Match:
    """The match that a log tells; `header` is its `opening`. Stops at the first event that is illegal; see
    `Match.stop`."""
    beginning = game.initial(header.players, dict(header.options))
    header = replace(header, players=tuple(beginning.players), options=tuple(beginning.options))
    state: Any = beginning
    played: list[Played] = []
    stop = None
    for number, action in effective(events):
        try:
            step = game.seat(state, action) if isinstance(action, Seated) else game.apply(state, action)
        except IllegalMoveError as refused:
            stop = Stop(number, refused.message)
            break
        played.append(Played(number, action, step))
        state = step.state
    changes = tuple((one.number, one.action) for one in played if isinstance(one.action, Seated))
    header = replace(header, players=tuple(state.players))
    return Match(game, header, tuple(events), tuple(played), beginning, stop, changes)


def _place(counting: Sequence[tuple[int, Action | Seated]], event: int, verb: str) -> int:
    place = bisect_left(counting, event, key=lambda one: one[0])  # numbers only ever grow
    if place == len(counting) or counting[place][0] != event:
        if verb == "correct":
            refuse("event {event} cannot be corrected: it was undone or never happened", event=event)
        refuse("event {event} cannot be undone: it is already undone or never happened", event=event)
    return place


def _corrected(action: Action | Seated, correction: Correction) -> Action | None:
    """The event as it should have been told, or None if nothing was thrown."""
    if isinstance(action, (Play, Seated)):
        refuse("event {event} is a decision: undo it instead of correcting it", event=correction.event)
    if not correction.showed:
        return None
    if isinstance(action, Draw):
        return Draw(action.pile, correction.showed)
    return Roll(correction.showed)
