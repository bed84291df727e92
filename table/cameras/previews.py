"""Live pictures of cameras that do not look at the table, to choose one by what it sees.

A camera runs while somebody asks for its pictures, and is let go soon after: the next program may want it.
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
"""Seconds without a question after which a camera is let go."""
FIRST_WITHIN: Final = 4.0
"""Seconds that the first picture may take: a camera has to be opened for it."""


class _Preview:
    """One camera that runs for its pictures."""

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
        """Whether it runs no more."""
        return not self._thread.is_alive()

    def after(self, number: int, wait: float) -> tuple[int, bytes] | None:
        """See `Previews.picture`."""
        self.asked = time.monotonic()
        found = self._picture.after(number, wait if self._began else max(wait, FIRST_WITHIN))
        if found is None and self.refused is not None:
            raise self.refused
        return found

    def close(self) -> None:
        """Let the camera go, and wait until it is."""
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
    """The cameras that run for their pictures, by their source. Safe from any thread."""

    def __init__(self, makes: Callable[[str], Source]) -> None:
        """`makes` makes a camera of a source, not opened yet; it raises ValueError or CameraError for what is none."""
        self._makes = makes
        self._lock = threading.Lock()
        self._running: dict[str, _Preview] = {}
        self._not_now = False

    def picture(self, source: str, after: int, wait: float) -> tuple[int, bytes] | None:
        """The camera's picture as (number, JPEG), once it is another one than `after`; None after `wait` seconds.

        Raises CameraError, ValueError: it gives none, in words for people.
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
        """Let every camera go; while the block runs, none is started: one of them may become the table's."""
        with self._lock:
            self._not_now = True
            running, self._running = [*self._running.values()], {}
        try:
            for one in running:
                one.close()
            yield
        finally:
            self._not_now = False
