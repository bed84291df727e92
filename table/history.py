"""A match event by event: what was announced, whether it still counts, and the points it gave.

Undone and corrected events stay in the log, so they are listed, too, as undone or corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import case, func, select

from messages.message import Message
from scoring.account import Score
from scoring.actions import IllegalMoveError, Roll, Seated
from scoring.announcement import announced
from scoring.logfile import event_record
from scoring.match import Correction, Event, Match, Undo, replay
from table.draws import without_awaited
from table.storage.schema import EVENTS, EVIDENCE
from table.storage.store import Store


class Fate(StrEnum):
    """Whether an event still counts."""

    COUNTS = "counts"
    UNDONE = "undone"
    """Undone, by itself or with an earlier decision."""
    CORRECTED = "corrected"
    """It counts as corrected."""
    WAITS = "waits"
    """After a correction it is no longer legal, and people must decide."""


class Kind(StrEnum):
    """The kind of event, as in logs."""

    ROLL = "roll"
    DRAW = "draw"
    MOVE = "move"
    SEATS = "seats"
    UNDO = "undo"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of a log."""

    number: int
    kind: Kind
    said: tuple[Message, ...]
    """What was announced when it happened."""
    players: tuple[str, ...]
    """The players at that time; their order is that of the points."""
    fate: Fate
    by: int
    """The event that undid or corrected it, or 0."""
    of: int
    """The event that it undoes or corrects, or 0."""
    scores: tuple[Score, ...]
    """The points it gives now."""


@dataclass(frozen=True, slots=True)
class Written:
    """When an event was written (seconds since 1970, UTC), and who caused it."""

    when: float
    by: str
    picture: int | None
    """By how many milliseconds its last small picture is older, 0 if only the settled one is kept; None without
    pictures."""


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """One event as a mark on a timeline, as everybody at the table saw it."""

    number: int
    kind: Kind
    faces: tuple[str, ...]
    """The faces of a roll as they count now."""
    points: int | None
    """The points it gave if exactly one player got some, else None."""
    fate: Fate


def chronicle(match: Match) -> tuple[Happened, ...]:
    """All events of a match in order."""
    fates, given = _fates(match), _given(match)
    told: list[Happened] = []
    now = replay(match.game, match.opening, ())
    for number, event in enumerate(match.events, start=1):
        now = _with(now, event)
        told.append(_told(now, fates[number], given))
    return tuple(told)


def happened(match: Match, number: int) -> Happened:
    """The event with this number (from 1), without building all the others."""
    return _told(at(match, number), _fates(match)[number], _given(match))


def steps(match: Match, first: int, last: int) -> tuple[TimelineMark, ...]:
    """The events with these numbers as marks, as far as they exist; nothing is replayed."""
    fates, given = _fates(match), _given(match)
    rolled = {one.number: one.action.faces for one in match.played if isinstance(one.action, Roll)}
    found: list[TimelineMark] = []
    for number in range(max(first, 1), min(last, len(match.events)) + 1):
        event, scores = match.events[number - 1], given.get(number, ())
        faces = rolled.get(number, event.faces) if isinstance(event, Roll) else ()
        points = scores[0].points if len(scores) == 1 else None
        found.append(TimelineMark(number, Kind(event_record(event)["event"]), faces, points, fates[number][0]))
    return tuple(found)


def first_roll(match: Match) -> int:
    """The number of the event a replay starts with: the first roll, or else the first event."""
    rolls = (n for n, event in enumerate(match.events, start=1) if isinstance(event, Roll))
    return next(rolls, min(1, len(match.events)))


def at(match: Match, number: int) -> Match:
    """The match after the event with this number; 0 for its beginning."""
    return replay(match.game, match.opening, match.events[:number])


def written(store: Store, match_id: str) -> dict[int, Written]:
    """When every event was written, who caused it, and which have pictures. Raises StoreError."""
    with store.reading() as connection:
        small = case((EVIDENCE.c.before > 0, EVIDENCE.c.before))
        found = select(EVIDENCE.c.number, func.min(small).label("before")).where(EVIDENCE.c.match == match_id)
        pictured = {
            int(row.number): int(row.before or 0)
            for row in connection.execute(found.group_by(EVIDENCE.c.number)).all()
        }
        rows = connection.execute(
            select(EVENTS.c.number, EVENTS.c.written, EVENTS.c.by_whom).where(EVENTS.c.match == match_id)
        ).all()
    return {
        int(row.number): Written(float(row.written), str(row.by_whom or ""), pictured.get(int(row.number)))
        for row in rows
    }


def _told(now: Match, became: tuple[Fate, int], given: dict[int, tuple[Score, ...]]) -> Happened:
    """The last event of a match that is as long as it was then."""
    number, event = len(now.events), now.events[-1]
    facts = announced(now)
    said = tuple(without_awaited(now, facts)) or facts
    of = event.event if isinstance(event, (Undo, Correction)) else 0
    kind = Kind(event_record(event)["event"])
    return Happened(number, kind, said, now.header.players, became[0], became[1], of, given.get(number, ()))


def _given(match: Match) -> dict[int, tuple[Score, ...]]:
    return {one.number: one.step.scores for one in match.played}


def _with(now: Match, event: Event) -> Match:
    if now.stop or isinstance(event, (Seated, Undo, Correction)):
        return replay(now.game, now.opening, (*now.events, event))
    try:
        return now.add(event)
    except IllegalMoveError:  # a log that no table wrote ends here
        return replay(now.game, now.header, (*now.events, event))


def _fates(match: Match) -> dict[int, tuple[Fate, int]]:
    """Whether each event counts, and which one changed that, as in `scoring.match.effective`."""
    fates: dict[int, tuple[Fate, int]] = {}
    counting: list[int] = []
    for number, event in enumerate(match.events, start=1):
        fates[number] = (Fate.COUNTS, 0)
        if isinstance(event, Undo):
            place = counting.index(event.event)
            for gone in counting[place:]:
                fates[gone] = (Fate.UNDONE, number)
            del counting[place:]
        elif isinstance(event, Correction):
            if event.showed:
                fates[event.event] = (Fate.CORRECTED, number)
            else:
                fates[event.event] = (Fate.UNDONE, number)
                counting.remove(event.event)
        else:
            counting.append(number)
    if match.stop:
        fates |= {number: (Fate.WAITS, 0) for number in counting if number >= match.stop.number}
    return fates
