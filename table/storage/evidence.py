"""Keeps small pictures of every roll beside its event, within a budget, and writes them in the background.

Each roll keeps its settled frame (of the table alone, at most 1280 px wide, some 100 kB) and the two seconds before it
as pictures 320 px wide, five a second (some 7 kB each). If all pictures together exceed the budget, those of the match
played longest ago are deleted first, but never those of a running match: if it fills the budget alone, its later rolls
have none.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

import cv2
import numpy as np
from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from table.storage.schema import EVIDENCE, MATCHES
from table.storage.store import Store, StoreError
from vision.frame import Frame, Pixels

BUDGET = 500_000_000
"""Most bytes of all pictures together; an evening of 200 rolls has some 35 MB."""

WIDEST, QUALITY = 1280, 82
SMALL, SMALL_QUALITY = 320, 70
EVERY, LASTS = 0.2, 2.0
"""Seconds between small pictures, and seconds before the roll that they cover."""

MOST_WAITING = 8
"""Most rolls whose pictures wait for the disk; further ones are dropped to save memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The settled frame as JPEG, and earlier small JPEGs, each with its age in milliseconds."""

    settled: bytes
    before: tuple[tuple[int, bytes], ...]


class Rolling:
    """Keeps the last two seconds of a camera as small pictures."""

    def __init__(self) -> None:
        """Start without frames."""
        self._recent: deque[tuple[float, bytes]] = deque()

    def see(self, frame: Frame) -> None:
        """Take the next frame, if one is due."""
        if self._recent and 0 <= frame.taken - self._recent[-1][0] < EVERY - 0.01:
            return
        self._recent.append((frame.taken, _jpeg(frame.pixels, SMALL, SMALL_QUALITY)))
        while self._recent and not 0 <= frame.taken - self._recent[0][0] <= LASTS:
            self._recent.popleft()

    def evidence(self, frame: Frame) -> Evidence:
        """The picture to keep of a settled frame."""
        before = {round(1000 * (frame.taken - taken)): small for taken, small in self._recent}
        kept = sorted((ago, small) for ago, small in before.items() if 0 < ago <= 1000 * LASTS)
        return Evidence(_jpeg(frame.pixels, WIDEST, QUALITY), tuple(kept))


class Album:
    """Writes evidence in a thread of its own: a slow disk delays nobody, and a full one loses only pictures."""

    def __init__(self, store: Store, budget: int = BUDGET) -> None:
        """`budget` is in bytes."""
        self._store = store
        self._budget = budget
        self._waiting: queue.Queue[tuple[str, int, Evidence] | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None

    def add(self, match_id: str, number: int, evidence: Evidence) -> None:
        """Keep the pictures of the roll with this event number; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="evidence", daemon=True)
            self._thread.start()
        with suppress(queue.Full):
            self._waiting.put_nowait((match_id, number, evidence))

    def close(self, seconds: float = 5.0) -> None:
        """Write what is waiting, for at most so long."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join(timeout=seconds)
            self._thread = None

    def _write(self) -> None:
        while (one := self._waiting.get()) is not None:
            with suppress(StoreError, IntegrityError):  # a match is worth more than its pictures
                self.keep(*one)

    def keep(self, match_id: str, number: int, evidence: Evidence) -> None:
        """Write the pictures if there is room or room can be made. Raises StoreError, and IntegrityError if the roll
        already has some."""
        rows = [
            {"match": match_id, "number": number, "before": ago, "size": len(jpeg), "picture": jpeg}
            for ago, jpeg in ((0, evidence.settled), *evidence.before)
        ]
        needed = len(evidence.settled) + sum(len(jpeg) for _, jpeg in evidence.before)
        with self._store.writing() as connection:
            sizes = connection.execute(
                select(EVIDENCE.c.match, func.sum(EVIDENCE.c.size).label("bytes"), MATCHES.c.state)
                .join(MATCHES, MATCHES.c.id == EVIDENCE.c.match)
                .group_by(EVIDENCE.c.match, MATCHES.c.played, MATCHES.c.state)
                .order_by(MATCHES.c.played)
            ).all()
            total = sum(int(row.bytes) for row in sizes)
            for row in sizes:
                if total + needed <= self._budget:
                    break
                if row.match != match_id and row.state != "running":
                    connection.execute(delete(EVIDENCE).where(EVIDENCE.c.match == row.match))
                    total -= int(row.bytes)
            if total + needed <= self._budget:
                connection.execute(insert(EVIDENCE), rows)


def picture_of(store: Store, match_id: str, number: int, before: int = 0) -> bytes | None:
    """A JPEG of the roll with this event number, so many ms before it; None without one. Raises StoreError."""
    with store.reading() as connection:
        found = connection.execute(
            select(EVIDENCE.c.picture).where(
                EVIDENCE.c.match == match_id, EVIDENCE.c.number == number, EVIDENCE.c.before == before
            )
        ).scalar()
    return None if found is None else bytes(found)


def moments_of(store: Store, match_id: str, number: int) -> tuple[int, ...]:
    """Ages of a roll's pictures in milliseconds, the oldest first, 0 for the roll itself. Raises StoreError."""
    with store.reading() as connection:
        found = connection.execute(
            select(EVIDENCE.c.before)
            .where(EVIDENCE.c.match == match_id, EVIDENCE.c.number == number)
            .order_by(EVIDENCE.c.before.desc())
        ).scalars()
        return tuple(int(one) for one in found)


def _jpeg(pixels: Pixels, widest: int, quality: int) -> bytes:
    height, width = pixels.shape[:2]
    if width > widest:
        way = cv2.INTER_LINEAR if widest == SMALL else cv2.INTER_AREA
        small = cv2.resize(pixels, (widest, max(1, round(height * widest / width))), interpolation=way)
        pixels = np.asarray(small, np.uint8)
    done, coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "a frame of at least a pixel is coded"
    return coded.tobytes()
