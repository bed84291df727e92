"""The running program as its pages steer it: its settings, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from table.settings import SettingsFile

ANSWERS: Final = 0.5
"""Seconds between a page's wish to end and the end: the answer to it goes out before."""


class Ending(StrEnum):
    """How the program ends when a page asks for it."""

    STOP = "stop"
    AGAIN = "again"
    """It restarts with its current settings."""


@dataclass(slots=True, eq=False)
class Program:
    """What started the pages. Safe from any thread."""

    settings: SettingsFile
    steered: bool = False
    """Pages may stop it and start it again; a program that a terminal started is stopped there."""
    id: str = ""
    """Tells the tables of one data folder from others (`files.folders.data_id`)."""
    ending: Ending | None = None
    awaits_phone: bool = False
    """After it started again, a phone shall be waited for as the camera."""
    link: str = ""
    """The secret of the host's link after that, so that the requesting browser can continue."""
    stop: Callable[[], None] = field(default=lambda: None)
    """Stops the server; set by the code that serves."""

    def end(self, how: Ending, *, link: str = "", awaits_phone: bool = False) -> None:
        """End soon, after the request that asks for it is answered."""
        self.ending, self.link, self.awaits_phone = how, link, awaits_phone
        threading.Timer(ANSWERS, lambda: self.stop()).start()
