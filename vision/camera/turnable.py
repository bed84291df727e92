"""A camera in whose place another one can be put while somebody looks through it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from vision.camera.source import CameraError, Source
from vision.frame import Frame

LETS_GO_WITHIN = 12.0
"""Seconds the current camera has to give its next picture, or up, before another one takes its place."""

Then = Callable[[Frame | None], None]
"""Called in the reading thread when another camera has taken the place, with its first picture where it gave one."""


@dataclass(slots=True, eq=False)
class _Turn:
    """Another camera that is to take the place."""

    camera: Source
    first: Frame | None
    opened: bool
    then: Then
    done: threading.Event = field(default_factory=threading.Event)
    refused: OSError | None = None


class Turnable:
    """A camera that can be exchanged. One thread opens, reads and closes; `turn_to` may be called from any other.

    The current camera is only ever closed by the reading thread, between two pictures: a driver that is read from
    while it is let go takes the program with it.
    """

    def __init__(self, camera: Source, on_waiting: Callable[[], None] = lambda: None) -> None:
        """Nothing is opened yet. `on_waiting` is called when another camera waits to take the place: whoever does not
        read now must open again."""
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
        """Open the camera, or the one that waits to take its place. Raises CameraError."""
        if not self._turned(reading=False):
            self._camera.open()

    def read(self) -> Frame | None:
        """The next frame; None when no more will come. Raises CameraError."""
        self._turned(reading=True)
        first, self._first = self._first, None
        return first if first is not None else self._camera.read()

    def close(self) -> None:
        """Let the camera go; closing twice is fine."""
        self._first = None
        self._camera.close()

    def turn_to(
        self, camera: Source, *, alone: bool = False, opened: bool = False, then: Then = lambda _: None
    ) -> None:
        """Look through another camera from now on; the one before is closed.

        It must show a picture first, or nothing changes. With `alone` the two are one device, which cannot be open
        twice: then the one before is closed first, and opened again when the other fails. With `opened` the camera is
        open already, and known to give pictures.

        Raises:
            CameraError: it does not open, or gives no picture; or the current camera does not let go.
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
        """Let the camera that waits take the place; whether it did, and is open."""
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
    """Open a camera and take its first picture; it stays open. Raises CameraError, and then it is closed."""
    camera.open()
    try:
        frame = camera.read()
        if frame is None:
            raise CameraError("{camera} sends no image; is the camera still plugged in?", camera=camera.name)
    except BaseException:
        camera.close()
        raise
    return frame
