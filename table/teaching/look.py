"""A look at dice that lie still: several frames, of which the sharpest is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2

from vision.frame import Frame, Pixels

FRAMES: Final = 6
"""Still frames of which the sharpest is taken."""
LONGEST: Final = 1.0
"""Seconds after which the frames there are must do: a slow camera has fewer."""


@dataclass(slots=True)
class Look:
    """Still frames while they are collected."""

    began: float
    frames: list[tuple[float, Pixels]] = field(default_factory=list[tuple[float, Pixels]])

    def complete(self, frame: Frame) -> bool:
        """Take one more frame; whether there are enough."""
        self.frames.append((sharpness(frame.pixels), frame.pixels))
        return len(self.frames) >= FRAMES or frame.taken - self.began >= LONGEST

    def sharpest(self) -> tuple[float, Pixels]:
        """The sharpest frame, and how sharp it is."""
        return max(self.frames, key=lambda one: one[0])


def sharpness(pixels: Pixels) -> float:
    """How much fine detail a (H, W, 3) picture has: the variance of its Laplacian (Pech-Pacheco et al., 2000).

    Only frames of one still scene compare: motion, focus and noise aside, everything else in it is the same.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    # A median takes the sensor's noise out, which would count as detail.
    return float(cv2.Laplacian(cv2.medianBlur(grey, 3), cv2.CV_64F).var())
