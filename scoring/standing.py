"""How a match ended or stands, as somebody would tell it: "Bob won 5:1", "Alice leads with 45 points"."""

from __future__ import annotations

from dataclasses import dataclass

from messages.message import Message, message
from scoring.match import Match


@dataclass(frozen=True, slots=True)
class Placed:
    """A player with their points and place; `first` says that they won, or lead. `seat` counts from 0."""

    seat: int
    name: str
    points: int
    place: int
    first: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Everyone in the order in which they stand: the winners or leaders first, however many points others have. Nobody
    is first before there are points."""

    places: tuple[Placed, ...]
    over: bool
    reason: str
    """The rule that ended the match, in English; empty while it goes on."""

    @property
    def said(self) -> Message:
        """Who won or leads."""
        first = [one for one in self.places if one.first]
        names = tuple(one.name for one in first)
        best, *others = (one.points for one in self.places)
        if not first:
            return message("Nobody won") if self.over else message("No points yet")
        if not others:
            return message("{names:listed}: {points:points}", names=names, points=best)
        if len(others) > 1 or best < others[0]:
            return self._with_points(names, best)
        between = " : " if others[0] < 0 else ":"  # a minus behind a colon cannot be read
        score = f"{best}{between}{others[0]}".replace("-", "−")
        if len(first) == 2:
            return message("A draw, {score}", score=score) if self.over else message("Level, {score}", score=score)
        if self.over:
            return message("{names:listed} won {score}", names=names, score=score)
        return message("{names:listed} leads {score}", names=names, score=score)

    @property
    def spoken(self) -> tuple[Message, ...]:
        """Everyone's place, a sentence each: "Alice, first, 42 points."."""
        return tuple(
            message("{player:name}, {place:nth}, {points:points}.", player=one.seat, place=one.place, points=one.points)
            for one in self.places
        )

    def _with_points(self, names: tuple[str, ...], best: int) -> Message:
        """Of more than two, or where the most points did not win."""
        if self.over:
            return message("{names:listed} won with {points:points}", names=names, points=best)
        if len(names) == 1:
            return message("{names:listed} leads with {points:points}", names=names, points=best)
        return message("{names:listed} lead with {points:points} each", names=names, points=best)


def standing(match: Match) -> Standing:
    """How a match stands after its last event."""
    seats, outcome = match.view.seats, match.outcome
    points = [one.score for one in seats]
    begun = any(one.step.scores for one in match.played) or points != [
        one.score for one in match.game.table(match.beginning).seats
    ]
    lowest = match.game.lowest_wins
    best = min(points) if lowest else max(points)
    first = outcome.winners if outcome else [i for i, one in enumerate(points) if begun and one == best]
    ranks = [(i not in first, one if lowest else -one) for i, one in enumerate(points)]
    places = (
        Placed(i, seat.name, seat.score, 1 + sum(other < ranks[i] for other in ranks), i in first)
        for i, seat in enumerate(seats)
    )
    order = sorted(places, key=lambda one: one.place)
    return Standing(tuple(order), outcome is not None, outcome.reason if outcome else "")
