"""Finds everybody's seat after a change of players, whose turn it is, and who made the last throw or decision."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from scoring.actions import MoveAwaited, Play, Roll, Seated
from scoring.match import Match

ALIKE = 0.6
"""A new name with at least this similarity counts as another spelling of an old one."""


def seated(players: Sequence[str], names: Sequence[str]) -> Seated:
    """Which of `players` each of `names` is, so that nobody loses a sheet because of a typo.

    A name that already plays keeps its seat. Any other name takes a seat whose own name was not typed: the one with the
    most similar name, else the nearest one. Names without a seat are newcomers.
    """
    seats = [players.index(name) if name in players else None for name in names]
    free = {seat for seat in range(len(players)) if seat not in seats}
    pairs = [(place, seat) for place, taken in enumerate(seats) if taken is None for seat in free]

    def distance(pair: tuple[int, int]) -> tuple[float, int]:
        place, seat = pair
        alike = SequenceMatcher(None, names[place].casefold(), players[seat].casefold()).ratio()
        return (-alike if alike >= ALIKE else 0.0, abs(place - seat))

    for place, seat in sorted(pairs, key=distance):
        if seats[place] is None and seat in free:
            seats[place] = seat
            free.remove(seat)
    return Seated(tuple(names), tuple(seats))


def whose_turn(match: Match) -> tuple[str, ...]:
    """The players who must throw or decide now; nobody if the match is over or stopped."""
    if match.stop:
        return ()
    return _named(match, match.state)


def whose_last_word(match: Match, *, waiting: bool) -> tuple[str, ...]:
    """The player whose throw or decision a correction or "take back" would change.

    `waiting`: the table asks about a throw that is not a roll yet, so it belongs to the player who must throw now.
    Nobody before the first throw and after a change of players.
    """
    if waiting and match.stop is None:
        return whose_turn(match)
    for index in range(len(match.played) - 1, -1, -1):
        action = match.played[index].action
        if isinstance(action, Seated):
            return ()
        if isinstance(action, Play):
            return (match.header.players[action.player],)
        if isinstance(action, Roll):
            before = match.played[index - 1].step.state if index else match.beginning
            return _named(match, before)
    return ()


def _named(match: Match, state: object) -> tuple[str, ...]:
    """The players a state waits for."""
    asked: list[int] = []
    for one in match.game.awaits(state):
        if isinstance(one, MoveAwaited):
            asked.extend(one.players)
        elif one.player is not None:
            asked.append(one.player)
    return tuple(match.header.players[player] for player in dict.fromkeys(asked))
