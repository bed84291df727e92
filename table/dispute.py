"""Gathers what settles a dispute about a roll: the picture, the reading, corrections, decisions and rules."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.actions import Play, Roll
from scoring.match import Correction, Match, Played
from table.history import written
from table.storage.evidence import moments_of
from table.storage.store import MatchStore
from table.tracked_die import TrackedDie, read_back
from vision.frame import Point


@dataclass(frozen=True, slots=True)
class Put:
    """One die of a roll: the face that was read, and the one it counts as."""

    number: int
    read: str
    """Empty for a typed roll."""
    confidence: float
    sure: bool
    second: str
    """The next likeliest face and its confidence; empty if there is none."""
    second_confidence: float
    counts: str
    corners: tuple[Point, ...]

    @property
    def crop(self) -> tuple[float, float, float, float]:
        """Its place in the picture with a margin: left, top, width and height of a square."""
        xs, ys = zip(*self.corners, strict=True)
        side = 1.25 * max(max(xs) - min(xs), max(ys) - min(ys))
        return ((min(xs) + max(xs) - side) / 2, (min(ys) + max(ys) - side) / 2, side, side)


@dataclass(frozen=True, slots=True)
class Correcting:
    """Somebody said what the dice showed; `faces` are empty if the throw did not count."""

    event: int
    when: float
    by: str
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A roll with all evidence about it."""

    event: int
    when: float
    size: tuple[int, int]
    moments: tuple[int, ...]
    """Times of its pictures, in milliseconds before the roll."""
    dice: tuple[Put, ...]
    corrections: tuple[Correcting, ...]
    decided: tuple[Played, ...]
    """Decisions since points were last given, until the next roll: dice held, a card, a box."""
    followed: tuple[Played, ...]
    """The roll and the events before the next one, which gave the points."""

    @property
    def pictured(self) -> bool:
        """Whether a picture can show its dice."""
        return 0 in self.moments and all(die.corners for die in self.dice)


def dispute(match: Match, kept: MatchStore, event: int) -> Dispute | None:
    """The evidence about the roll with this event number; None if there is no such roll. Raises StoreError."""
    if not 1 <= event <= len(match.events) or not isinstance(match.events[event - 1], Roll):
        return None
    seen = kept.seen(event)
    dice, size = read_back(seen) if seen else ((), (4, 3))
    first = match.events[event - 1]
    assert isinstance(first, Roll)
    now = next(
        (one.action.faces for one in match.played if one.number == event and isinstance(one.action, Roll)), ()
    )
    corrections, times = list[Correcting](), written(kept.store, kept.id)
    for number, one in enumerate(match.events, start=1):
        if isinstance(one, Correction) and one.event == event:
            corrections.append(Correcting(number, times[number].when, times[number].by, one.showed))
    return Dispute(
        event=event,
        when=times[event].when,
        size=size,
        moments=moments_of(kept.store, kept.id, event),
        dice=_put(dice, first.faces, now),
        corrections=tuple(corrections),
        decided=_decided(match, event),
        followed=_until_next(match, event),
    )


def _put(dice: tuple[TrackedDie, ...], first: tuple[str, ...], now: tuple[str, ...]) -> tuple[Put, ...]:
    faces = now or first
    if not dice:
        return tuple(Put(i, "", 0.0, True, "", 0.0, face, ()) for i, face in enumerate(faces, start=1))
    put: list[Put] = []
    for i, (die, face) in enumerate(zip(dice, faces, strict=False), start=1):
        read = die.read
        others = [(one.confidence, one.face) for one in read.alternatives if one.face != read.face]
        confidence, second = max(others, default=(0.0, ""))
        put.append(Put(i, read.face, read.confidence, read.certain, second, confidence, face, read.corners))
    return tuple(put)


def _until_next(match: Match, event: int) -> tuple[Played, ...]:
    after = [one for one in match.played if one.number >= event]
    ends = next((place for place, one in enumerate(after) if place and isinstance(one.action, Roll)), None)
    return tuple(after[:ends])


def _decided(match: Match, event: int) -> tuple[Played, ...]:
    before = [one for one in match.played if one.number < event]
    begins = next((place for place in range(len(before), 0, -1) if before[place - 1].step.scores), 0)
    turn = (*before[begins:], *_until_next(match, event))
    return tuple(one for one in turn if isinstance(one.action, Play) and one.step.facts)
