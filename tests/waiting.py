"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT = 60.0
"""Seconds, many times what is needed: what a busy machine does to a test says nothing about Tableside."""


def soon(holds: Callable[[], bool], seconds: float = WAIT) -> bool:
    """Whether it comes to hold; returns as soon as it does."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return holds()
        time.sleep(0.01)
    return True
