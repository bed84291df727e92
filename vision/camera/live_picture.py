"""The live picture that pages show of a camera; it changes only if the table looks different.

Sensor noise makes every frame differ from the one before without showing anything new. So a frame is compared with the
picture that pages have in cells of a few pixels: their light, and their detail without the light. Noise and the flicker
of lamps change the detail of all cells; where it changes by a multiple of that, something moved. Slow changes of light
add up until they count.
"""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

JPEG_QUALITY = 82

CELLS = 200
"""Number of cells across the picture."""

LIGHTER = 12.0
"""A cell has changed if its light differs in some colour by so many levels of 255, …"""

DIFFERENT = 7.0
"""… or its detail by so many levels …"""

NOISE_MULTIPLE = 8.0
"""… and also by so many standard deviations of the differences everywhere, …"""

SURELY = 36.0
"""… or by so many levels, as everything differs if the camera was moved."""

RESTS_FOR = 0.4
"""So many seconds after the last change a sharp frame is shown, as the change itself was blurred."""

Cells = NDArray[np.float32]
"""(h, CELLS, 6): for each cell and colour the light of its neighbourhood, and how much the cell differs from it."""


class LivePicture:
    """Keeps the newest frame of a camera and the picture that pages have; for any thread.

    Frames are compared only while a page asks; one comparison and one encoding serve all pages.
    """

    def __init__(self) -> None:
        """Wait for the first frame."""
        self._arrived = threading.Condition()
        self._newest: Frame | None = None
        self._compared: Frame | None = None
        self._shown: tuple[Cells, Frame] | None = None
        self._settling = False
        self._picture = int(time.time()), b""
        """Numbers differ from those before a restart."""
        self._closed = False

    def show(self, frame: Frame) -> None:
        """Take a new frame."""
        with self._arrived:
            self._newest = frame
            self._arrived.notify_all()

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    def after(self, number: int, wait: float) -> tuple[int, bytes] | None:
        """The picture as (number, JPEG), as soon as its number is not `number`; None after `wait` seconds."""
        until = time.monotonic() + wait
        with self._arrived:
            while True:
                self._compare()
                if self._picture[1] and self._picture[0] != number:
                    return self._picture
                left = until - time.monotonic()
                if self._closed or left <= 0:
                    return None
                self._arrived.wait(left)

    def _compare(self) -> None:
        """Make a picture of the newest frame if it looks different from the one shown."""
        frame = self._newest
        if frame is None or frame is self._compared:
            return
        self._compared = frame
        cells = _cells(frame)
        different = self._different(cells)
        if not different and not self._rests(frame):
            return
        done, coded = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if done:
            self._settling = different
            self._shown = cells, frame
            self._picture = self._picture[0] + 1, coded.tobytes()

    def _different(self, cells: Cells) -> bool:
        if self._shown is None or self._shown[0].shape != cells.shape:
            return True
        difference = np.abs(cells - self._shown[0])
        light, detail = difference[..., :3], difference[..., 3:]
        # The median of |difference| is 0.6745 σ for Gaussian noise; moving things cover less than half the table.
        noise = np.median(detail[::4, ::4], axis=(0, 1)) / 0.6745
        limit = np.clip(NOISE_MULTIPLE * noise, DIFFERENT, SURELY)
        return bool((light > LIGHTER).any() or (detail > limit).any())

    def _rests(self, frame: Frame) -> bool:
        """Whether the last change is over and its result not shown yet."""
        return (
            self._settling and self._shown is not None and abs(frame.taken - self._shown[1].taken) > RESTS_FOR
        )


def _cells(frame: Frame) -> Cells:
    pixels, height = frame.pixels, max(1, round(frame.pixels.shape[0] * CELLS / frame.pixels.shape[1]))
    if pixels.shape[1] > 3 * CELLS:
        # Four pixels of each quarter of a cell are enough; most of the cost is in touching pixels.
        pixels = cv2.resize(pixels, (2 * CELLS, 2 * height), interpolation=cv2.INTER_LINEAR)
    small = cv2.resize(pixels, (CELLS, height), interpolation=cv2.INTER_AREA)
    cells = cv2.blur(small.astype(np.float32), (2, 2))
    light = cv2.blur(cells, (CELLS // 5, CELLS // 5))
    return np.concatenate([light, cells - light], axis=2).astype(np.float32)
