"""What the pages work with: put together in `cli.compose`, and reached by every view through `site()`."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import cast

from flask import Flask, current_app

from advice.counsel import Expert
from table.storage.players import RecentPlayers
from table.table import Table
from table.teaching.lesson import Lesson
from table.teaching.sets import SetLibrary
from web.access import Access
from web.announcer import Announcer
from web.devices import Devices
from web.program import Program
from web.settings import WebSettings
from web.streams import Streams
from web.written import WrittenEvents

KEY = "tableside"

GONE_AFTER = 4.0
"""Seconds without a picture after which another phone may be the camera without being asked to take over."""


class OnePhone:
    """Which phone is the camera: pictures of two would be one table that jumps. Safe from any thread."""

    def __init__(self) -> None:
        """None is."""
        self._lock = threading.Lock()
        self._phone, self._heard = "", 0.0

    def take(self, phone: str, *, first: bool) -> bool:
        """Whether this phone's picture counts. A phone that starts (`first`) takes over from another."""
        now = time.monotonic()
        with self._lock:
            if not first and phone != self._phone and now - self._heard < GONE_AFTER:
                return False
            self._phone, self._heard = phone, now
            return True


@dataclass(slots=True, eq=False)
class Site:
    """One table's pages. `announcer` must be among the outputs of the table's session.

    Raises:
        OSError: the list of devices cannot be kept.
    """

    table: Table
    announcer: Announcer
    settings: WebSettings
    expert: Expert
    library: SetLibrary
    lesson: Lesson
    remembered: RecentPlayers
    program: Program
    access: Access = field(init=False)
    streams: Streams = field(init=False)
    written: WrittenEvents = field(init=False)
    phone: OnePhone = field(init=False, default_factory=OnePhone)

    def __post_init__(self) -> None:
        """Make what follows from the settings."""
        settings = self.settings
        devices = Devices(settings.devices)
        if settings.pin is not None:
            devices.pin_is(settings.pin, drawn=settings.pin_drawn)
        self.access = Access(settings.pin, devices, link=settings.link)
        self.access.own_turn = settings.own_turn
        self.streams = Streams(settings)
        self.written = WrittenEvents(self.table, self.announcer.mark)


def site_of(app: Flask) -> Site:
    """What an application's pages work with."""
    return cast(Site, app.extensions[KEY])


def site() -> Site:
    """What the pages of the running request work with."""
    return site_of(current_app)
