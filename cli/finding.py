"""What `tableside doctor` found, at this computer or through a camera."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    fine: bool
    what: str
    words: str
