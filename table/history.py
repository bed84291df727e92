"""A match told event by event: what was said of each, whether it still counts, and the points it gave.

Undone and corrected events stay in the log, so they are told, too, with what became of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select

from messages.message import Message
from scoring.account import Score
from scoring.actions import IllegalMoveError, Seated
from scoring.announcement import announced
from scoring.logfile import event_record
from scoring.match import Correction, Event, Match, Undo, replay
from table.draws import without_awaited
from table.storage.schema import EVENTS, EVIDENCE
from table.storage.store import Store


class Fate(StrEnum):
    """What became of an event."""

    COUNTS = "counts"
    UNDONE = "undone"
    """Taken back, by itself or with a decision before it."""
    CORRECTED = "corrected"
    """It counts as somebody put it right."""
    WAITS = "waits"
    """After a correction it is not legal any more, and people are to decide."""


class Kind(StrEnum):
    """What kind of event it is, as logs have it."""

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
    """What was said when it happened."""
    players: tuple[str, ...]
    """Who played then; so do the points."""
    fate: Fate
    by: int
    """The event that undid or corrected it; 0 for none."""
    of: int
    """The event that it undoes or corrects; 0 for none."""
    scores: tuple[Score, ...]
    """The points it gives, as it counts now."""


@dataclass(frozen=True, slots=True)
class Written:
    """When an event was written (seconds since 1970, UTC), by whom it was said, and whether a picture is kept."""

    when: float
    by: str
    pictured: bool


def chronicle(match: Match) -> tuple[Happened, ...]:
    """Every event of a match, the first one first."""
    fates, given = _fates(match), _given(match)
    told: list[Happened] = []
    now = replay(match.game, match.opening, ())
    for number, event in enumerate(match.events, start=1):
        now = _with(now, event)
        told.append(_told(now, fates[number], given))
    return tuple(told)


def happened(match: Match, number: int) -> Happened:
    """The event of this number (from 1), without telling all the others."""
    return _told(at(match, number), _fates(match)[number], _given(match))


def at(match: Match, number: int) -> Match:
    """The match as it stood after its event of this number; 0 is its beginning."""
    return replay(match.game, match.opening, match.events[:number])


def written(store: Store, match_id: str) -> dict[int, Written]:
    """When and by whom every event was written. Raises StoreError."""
    with store.reading() as connection:
        pictured = set(
            connection.execute(
                select(EVIDENCE.c.number).where(EVIDENCE.c.match == match_id, EVIDENCE.c.before == 0)
            ).scalars()
        )
        rows = connection.execute(
            select(EVENTS.c.number, EVENTS.c.written, EVENTS.c.by_whom).where(EVENTS.c.match == match_id)
        ).all()
    return {
        int(row.number): Written(float(row.written), str(row.by_whom or ""), row.number in pictured)
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
    except IllegalMoveError:  # a log that no table wrote: it stops here
        return replay(now.game, now.header, (*now.events, event))


def _fates(match: Match) -> dict[int, tuple[Fate, int]]:
    """What became of each event, and through which one; as `scoring.match.effective` counts them."""
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
