"""Notices as server-sent events, with the parts of each kind of page that changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from flask import render_template

from table.snapshot import Notice, Snapshot
from table.table import Table
from web.access import this_role
from web.boards import board_of
from web.devices import Role
from web.happened import good, happened
from web.language import current

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "table": ("outlines", "play", "sheet"),
        "television": ("outlines", "screen"),
        "spectator": ("outlines", "play", "sheet"),
        "overlay": ("overlay_scores",),
        "camera": ("camera_outlines", "camera_trouble"),
        "new_match": (),
    }
)
"""The parts of each kind of page, by the id of the element they replace; a template each."""


BEHIND = 8
"""Notices that a page has missed and is told in order; after more it gets the newest, which holds everything."""


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
