"""The interface of cameras, as far as vision needs it (`table.ports.Camera` is the whole), and their error."""

from __future__ import annotations

from typing import Protocol

from messages.message import TroubleError
from vision.frame import Frame


class CameraError(TroubleError):
    """A camera is missing or does not answer; one clear line."""


class Source(Protocol):
    """A camera."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def live(self) -> bool: ...  # noqa: D102
    def open(self) -> None: ...  # noqa: D102
    def read(self) -> Frame | None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102
