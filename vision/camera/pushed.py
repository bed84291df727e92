"""A camera to which pictures are pushed: a phone's browser sends JPEGs."""

from __future__ import annotations

import threading
import time

from vision.camera.live import ANSWERS_WITHIN
from vision.camera.source import CameraError
from vision.frame import Frame, Pixels
from vision.picture import PictureError, decode

MOST_BYTES = 4 * 1024 * 1024
"""Largest size of a picture; a 1080p JPEG has some 300 kB."""

MOST_PIXELS = 4096 * 2304
LEAST_SIDE = 64
FORMATS = ("JPEG", "WebP")


class PictureRefusedError(ValueError):
    """The bytes are not a picture that a phone's camera would send; one line."""


class PushedFrames:
    """Gives the newest picture that was pushed; older unread ones are dropped."""

    live = True

    def __init__(self, name: str = "phone") -> None:
        """Wait for the first picture."""
        self.name = name
        self._changed = threading.Condition()
        self._open = False
        self._latest: Frame | None = None
        self._number = 0

    def open(self) -> None:
        """Start to accept pictures; earlier ones are forgotten."""
        with self._changed:
            self._open, self._latest = True, None

    def push(self, picture: bytes) -> bool:
        """Accept a JPEG or WebP from any thread; False if the camera is closed, and then it is not even decoded.

        Raises:
            PictureRefusedError: it is too large, damaged, or not a picture.
        """
        with self._changed:
            if not self._open:
                return False
        taken = time.monotonic()
        pixels = decoded(picture)
        with self._changed:
            if self._latest is None or self._latest.taken <= taken:
                self._latest = Frame(pixels, self._number, taken, self.name)
                self._number += 1
                self._changed.notify_all()
        return True

    def read(self) -> Frame | None:
        """The newest unread picture; None if the camera was closed.

        Raises:
            CameraError: none arrived for three seconds.
        """
        with self._changed:
            came = self._changed.wait_for(
                lambda: self._latest is not None or not self._open, timeout=ANSWERS_WITHIN
            )
            frame, self._latest = self._latest, None
            if came:
                return frame
        raise CameraError("the phone sends no images; is its camera page still open?")

    def close(self) -> None:
        """Stop accepting pictures; closing twice is fine."""
        with self._changed:
            self._open, self._latest = False, None
            self._changed.notify_all()


def decoded(picture: bytes) -> Pixels:
    """(H, W, 3) BGR pixels of untrusted bytes, turned upright by their EXIF orientation. Raises PictureRefusedError."""
    if len(picture) > MOST_BYTES:
        raise PictureRefusedError(f"expected a picture of at most {MOST_BYTES >> 20} MiB")
    try:
        return decode(picture, "the phone", formats=FORMATS, least=LEAST_SIDE, most=MOST_PIXELS)
    except PictureError as refused:
        raise PictureRefusedError(str(refused)) from None
