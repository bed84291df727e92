"""Separates luck from skill, for each player of a match.

Every throw changes a player's expected result: the change is **luck**. Every choice may be worse than the best one: the
difference is **lost**. In Meet Fate the two add up exactly: the points of a full sheet are the expected points of an
empty one, plus luck, minus losses.

If the adviser plays to win, as in a race or in a match of Meet Fate that six eights win, the unit is the chance to win;
otherwise it is points. Outlander's cards are ignored. A throw only counts as the luck of the player who made it, unless
two players share one chance to win.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from advice import Advisers
from advice.adviser import Moment
from advice.record import InEnglish, NoAdviceError
from advice.spoken import CHANCE
from messages.message import Message, message
from scoring.actions import Play
from scoring.match import Match
from words.speaker import speaker


@dataclass(frozen=True, slots=True)
class Account:
    """One player's evening: total luck, total losses, and their moments."""

    player: str
    luck: float
    lost: float
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class Luck(InEnglish):
    """A look back on a match, in `unit`; `said` and `reasons` are its sentences, `assumed` the assumptions."""

    unit: str
    accounts: tuple[Account, ...]
    assumed: Message
    said: tuple[Message, ...]
    reasons: tuple[Message, ...]

    @property
    def assumes(self) -> str:
        """The assumptions, in English."""
        return speaker().clause(self.assumed)


def look_back(match: Match, heads: Advisers) -> Luck:
    """Luck and losses of a match so far, judged by the advisers of its game.

    Raises NoAdviceError if luck and losses cannot be told apart in this game.
    """
    adviser = heads.of(match.game)
    looked = adviser.look_back(match) if adviser else None
    if looked is None:
        raise NoAdviceError(
            "Tableside cannot separate luck from skill in {game}",
            game=match.game.title,
        )
    moments = [
        replace(one, player=seat)
        for one in looked.moments
        if (seat := match.seat_now(one.number, one.player)) is not None
    ]
    accounts = tuple(_account(name, i, moments) for i, name in enumerate(match.header.players))
    return Luck(looked.unit, accounts, looked.assumed, *_said(accounts, looked.unit))


@dataclass(frozen=True, slots=True)
class LuckTotal:
    """One player's luck and losses over several matches, in one unit."""

    player: str
    unit: str
    matches: int
    luck: float
    lost: float


def evening(looked: Iterable[Luck]) -> tuple[LuckTotal, ...]:
    """Luck and losses over several matches by player and unit; different units are never added up."""
    found: dict[tuple[str, str], list[Account]] = {}
    for one in looked:
        for account in one.accounts:
            found.setdefault((account.player, one.unit), []).append(account)
    return tuple(
        LuckTotal(player, unit, len(all_of), sum(one.luck for one in all_of), sum(one.lost for one in all_of))
        for (player, unit), all_of in found.items()
    )


def last_turn(match: Match, player: int, heads: Advisers) -> Message:
    """How good a player's choices were in the last turn, finished or not, in one sentence. Raises NoAdviceError."""
    looked = look_back(match, heads)
    own = looked.accounts[player].moments
    begins = max((i for i, one in enumerate(own) if one.first), default=0)
    lost = [one for one in own[begins:] if one.better]
    if not lost:
        return message("perfectly played")
    total = _of(sum(one.lost for one in lost), looked.unit)
    told = [
        message(
            "{did} cost {lost} (better: {better})" if len(lost) > 1 else "{did} (better: {better})",
            did=one.did,
            lost=_of(one.lost, looked.unit),
            better=one.better,
        )
        for one in lost
        if one.better
    ]
    return message(
        "this turn’s choices cost {total}: {told}",
        total=total,
        told=reduce(lambda this, that: message("{this}; {that}", this=this, that=that), told),
    )


def last_player(match: Match) -> int | None:
    """The player of the last decision; None if there was none."""
    decided = (
        (one.number, one.action.player) for one in reversed(match.played) if isinstance(one.action, Play)
    )
    return next((seat for one in decided if (seat := match.seat_now(*one)) is not None), None)


def _account(name: str, player: int, moments: list[Moment]) -> Account:
    own = tuple(one for one in moments if one.player == player)
    return Account(name, sum(one.luck for one in own), sum(one.lost for one in own), own)


def _said(accounts: tuple[Account, ...], unit: str) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    lucks = [_luck(one, unit) for one in accounts]
    lost = [message("{player} {lost}", player=one.player, lost=_of(one.lost, unit)) for one in accounts]
    losses = message("weaker moves cost {lost}", lost=_row(lost))
    return (_row(lucks),), (losses,)


def _luck(one: Account, unit: str) -> Message:
    by = _of(one.luck, unit)
    if one.luck >= 0:
        return message("good luck gave {player} {by}", player=one.player, by=by)
    return message("bad luck cost {player} {by}", player=one.player, by=by)


def _row(said: list[Message]) -> Message:
    """Clauses joined by commas, with "and" before the last."""
    *before, last = said
    if not before:
        return last
    row = reduce(lambda this, that: message("{this}, {that}", this=this, that=that), before)
    return message("{this} and {that}", this=row, that=last)


def _of(value: float, unit: str) -> Message:
    if unit == CHANCE:
        return message("{part:percent} of a win", part=abs(value))
    return message("{points:amount} points", points=abs(value))
