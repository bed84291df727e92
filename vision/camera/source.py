"""What every camera has."""

from __future__ import annotations

from typing import Protocol

from vision.frame import Frame


class Source(Protocol):
    """Where frames come from."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def live(self) -> bool:
        """Whether frames come as they please, lost while nobody looks: no recording."""
        ...

    def open(self) -> None:
        """Start. Raises OSError, in one clear line, when it cannot."""
        ...

    def read(self) -> Frame | None:
        """Wait for the next frame; None when no more will come until it is opened again."""
        ...

    def close(self) -> None:
        """Stop; closing twice is fine."""
        ...
