"""A camera that can be replaced by another while it is in use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from vision.camera.source import CameraError, Source
from vision.frame import Frame

LETS_GO_WITHIN = 12.0
"""Within how many seconds the current camera must give a picture or fail before another can replace it."""

Then = Callable[[Frame | None], None]
"""Called in the reading thread when another camera has taken over, with its first picture if it gave one."""


@dataclass(slots=True, eq=False)
class _Turn:
    """Another camera that is to take over."""

    camera: Source
    first: Frame | None
    opened: bool
    then: Then
    done: threading.Event = field(default_factory=threading.Event)
    refused: OSError | None = None


class Turnable:
    """A camera that can be replaced. One thread opens, reads and closes; `turn_to` may be called from any other.

    Only the reading thread closes the current camera, between two pictures: closing one while it is read from crashes
    the program in some drivers.
    """

    def __init__(self, camera: Source, on_waiting: Callable[[], None] = lambda: None) -> None:
        """Do not open anything yet. `on_waiting` is called when another camera waits to take over: if nobody is reading
        now, this one must be opened again."""
        self._camera = camera
        self._first: Frame | None = None
        self._turning = threading.Lock()
        self._lock = threading.Lock()
        self._waiting: _Turn | None = None
        self._on_waiting = on_waiting

    @property
    def camera(self) -> Source:
        """The camera itself."""
        return self._camera

    def open(self) -> None:
        """Open the camera, or the one that waits to replace it. Raises CameraError."""
        if not self._turned(reading=False):
            self._camera.open()

    def read(self) -> Frame | None:
        """The next frame; None if no more will come. Raises CameraError."""
        self._turned(reading=True)
        first, self._first = self._first, None
        return first if first is not None else self._camera.read()

    def close(self) -> None:
        """Close the camera; closing twice is fine."""
        self._first = None
        self._camera.close()

    def turn_to(
        self, camera: Source, *, alone: bool = False, opened: bool = False, then: Then = lambda _: None
    ) -> None:
        """Switch to another camera and close the current one.

        Nothing changes unless the new one gives a picture first. With `alone`, both are the same device, which cannot
        be open twice: then the current one is closed first, and opened again if the other fails. With `opened`, the
        new one is already open and known to give pictures.

        Raises:
            CameraError: it cannot be opened or gives no picture, or the current camera does not stop.
        """
        if not self._turning.acquire(blocking=False):
            raise CameraError("another camera is just being opened; try again in a moment")
        try:
            first = None if alone or opened else tried(camera)
            turn = _Turn(camera, first, not alone, then)
            with self._lock:
                self._waiting = turn
                self._on_waiting()
            if not turn.done.wait(LETS_GO_WITHIN):
                with self._lock:
                    taken, self._waiting = self._waiting is not turn, None
                if not taken:
                    if turn.opened:
                        camera.close()
                    raise CameraError(
                        "{camera} does not close; its driver may be stuck", camera=self._camera.name
                    )
                turn.done.wait()
            if turn.refused is not None:
                raise turn.refused
        finally:
            self._turning.release()

    def _turned(self, *, reading: bool) -> bool:
        """Let the waiting camera take over; whether it did and is open."""
        with self._lock:
            turn, self._waiting = self._waiting, None
        if turn is None:
            return False
        try:
            self.close()
            if not turn.opened:
                try:
                    turn.first = tried(turn.camera)
                except OSError as refused:
                    turn.refused = refused
                    if reading:
                        self._camera.open()
                    return False
            self._camera, self._first = turn.camera, turn.first
            turn.then(turn.first)
            return True
        finally:
            turn.done.set()


def tried(camera: Source) -> Frame:
    """Open a camera and take its first picture; it stays open unless it raises CameraError."""
    camera.open()
    try:
        frame = camera.read()
        if frame is None:
            raise CameraError("{camera} sends no image; is the camera still plugged in?", camera=camera.name)
    except BaseException:
        camera.close()
        raise
    return frame
