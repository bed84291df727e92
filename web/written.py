"""Notices as server-sent events, with the parts of each kind of page that changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from flask import render_template

from scoring.actions import Roll
from scoring.match import Match
from table.snapshot import Notice, Snapshot
from table.table import Table
from web.access import this_role
from web.boards import board_of
from web.devices import Role
from web.language import current

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "table": ("title", "outlines", "play", "sheet"),
        "television": ("outlines", "screen"),
        "spectator": ("title", "outlines", "play", "sheet"),
        "overlay": ("overlay_scores",),
        "camera": ("camera_outlines", "camera_trouble"),
        "new_match": (),
    }
)
"""The parts of each kind of page, by the id of the element they replace; a template each."""

BEHIND = 8
"""Most missed notices that a page gets in order; after more it gets the newest, which contains everything."""

Happened = Literal["question", "win", "rarest", "points", "throw", ""]
"""What a notice is about, in one word: pages have a sound for each, and some of them a spectacle."""

BEST = 4
"""The best rating of points; 0 means none."""


def happened(snapshot: Snapshot) -> Happened:
    """The news in this state, if a sentence announces any."""
    match = snapshot.match
    if snapshot.question:
        return "question"
    last = match.played[-1] if match.played else None
    if last is None or last.number < len(match.events):  # somebody corrected something, or took it back
        return ""
    if match.outcome:
        return "win"
    if match.rarest:
        return "rarest"
    return "points" if last.step.scores else "throw" if isinstance(last.action, Roll) else ""


def good(match: Match) -> int:
    """How good the last points are beside those that were given in this match before, from 0 to `BEST`."""
    given = [max(one.points for one in played.step.scores) for played in match.played if played.step.scores]
    if not given or given[-1] <= 0:
        return 0
    *before, last = given
    return 1 + (BEST - 1) * sum(points < last for points in before) // max(len(before), 1)


def shown(snapshot: Snapshot) -> dict[str, Any]:
    """What templates show: the snapshot as `s`, its game's board as `b`, and as `speaker` who says it in the device's
    language."""
    speaker = snapshot.speaker(current())
    return {"s": snapshot, "b": board_of(snapshot.match, current(), speaker.labels), "speaker": speaker}


def labels_of(table: Table) -> dict[str, str]:
    """What the faces of the table's dice are called in the device's language."""
    return dict(table.session.speaker(current()).labels)


class WrittenEvents:
    """Notices as events. Each is written once for a kind of page, a language and a role, however many pages listen, and
    only when one of them does."""

    def __init__(self, table: Table, mark: Callable[[int], str]) -> None:
        """Nothing is written yet; `mark` makes of a notice's number what a page keeps of it."""
        self._table, self._mark = table, mark
        self._kept: dict[tuple[str, str, Role], dict[int, str]] = {}
        """The newest events of each, by number, for pages that come back together."""
        self._locks = {view: threading.Lock() for view in PARTS}

    def event(self, said: Notice, view: str = "table") -> str:
        """A notice as one event for a kind of page, in the device's language."""
        language, role = current(), this_role()
        # The first page writes while the others wait: fifty that write at once would each take fifty times as long.
        with self._locks[view]:
            kept = self._kept.setdefault((view, language, role), {})
            text = kept.get(said.number)
            if text is None:
                text = kept[said.number] = self._written(said, view)
                for old in sorted(kept)[:-BEHIND]:
                    del kept[old]
        return text

    def _written(self, notice: Notice, view: str) -> str:
        """JSON has no raw line breaks, which would end the event."""
        snapshot = notice.snapshot
        page: dict[str, Any] = {
            **shown(snapshot),
            "watched": self._table.watcher is not None,
            "onlooking": view == "spectator",
            "box": self._table.cameras.view.shown() if self._table.cameras else None,
        }
        told = json.dumps(
            {
                "number": notice.number,
                "sentence": notice.sentence(current()),
                "happened": happened(snapshot) if notice.said else "",
                "good": good(snapshot.match),
                "title": snapshot.title,
                "match": snapshot.match_id,
                "log": snapshot.log,
                "players": [seat.name for seat in snapshot.seats],
                "parts": {part: render_template(f"{part}.html", **page) for part in PARTS[view]},
            }
        )
        return f"id: {self._mark(notice.number)}\nevent: notice\ndata: {told}\n\n"
