"""Live pictures of cameras that are not in use, for choosing one.

A camera runs while somebody asks for its pictures and is closed soon after, as another program may want it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from vision.camera.live_picture import LivePicture
from vision.camera.source import Source

KEPT: Final = 5.0
"""A camera is closed after so many seconds without a request."""
FIRST_WITHIN: Final = 4.0
"""Seconds that the first picture may take, as the camera must be opened for it."""


class _Preview:
    """One running camera."""

    def __init__(self, camera: Source) -> None:
        self._camera, self._picture = camera, LivePicture()
        self.asked = time.monotonic()
        self.refused: Exception | None = None
        self._stopping = threading.Event()
        self._began = False
        self._thread = threading.Thread(target=self._run, name="preview", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has stopped."""
        return not self._thread.is_alive()

    def after(self, number: int, wait: float) -> tuple[int, bytes] | None:
        """See `Previews.picture`."""
        self.asked = time.monotonic()
        found = self._picture.after(number, wait if self._began else max(wait, FIRST_WITHIN))
        if found is None and self.refused is not None:
            raise self.refused
        return found

    def close(self) -> None:
        """Close the camera, and wait until it is closed."""
        self._stopping.set()
        self._thread.join(timeout=FIRST_WITHIN)

    def _run(self) -> None:
        try:
            self._camera.open()
            while not self._stopping.is_set() and time.monotonic() - self.asked < KEPT:
                frame = self._camera.read()
                if frame is None:
                    break
                self._picture.show(frame)
                self._began = True
        except (OSError, ValueError) as refused:
            self.refused = refused
        finally:
            self._camera.close()
            self._picture.close()


class Previews:
    """The running cameras by source, for any thread."""

    def __init__(self, makes: Callable[[str], Source]) -> None:
        """`makes` makes a source's camera without opening it; it raises ValueError or CameraError if there is none."""
        self._makes = makes
        self._lock = threading.Lock()
        self._running: dict[str, _Preview] = {}
        self._not_now = False

    def picture(self, source: str, after: int, wait: float) -> tuple[int, bytes] | None:
        """The camera's picture as (number, JPEG), once its number is not `after`; None after `wait` seconds.

        Raises CameraError or ValueError, in words for people, if it gives none.
        """
        with self._lock:
            if self._not_now:
                return None
            preview = self._running.get(source)
            if preview is None or preview.over:
                preview = self._running[source] = _Preview(self._makes(source))
        return preview.after(after, wait)

    @contextmanager
    def none(self) -> Generator[None]:
        """Close all cameras; none starts within this context, as one of them may become the table's."""
        with self._lock:
            self._not_now = True
            running, self._running = [*self._running.values()], {}
        try:
            for one in running:
                one.close()
            yield
        finally:
            self._not_now = False
