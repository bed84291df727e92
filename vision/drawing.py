"""Draws a reading onto its picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.picture import PictureError
from vision.reading import Reading

Pixels = NDArray[np.uint8]

SURE = (80, 220, 60)
ASKING = (0, 165, 255)
"""BGR. Asking dice also have a dashed label text with a question mark: colour alone is not enough."""


def annotate(pixels: Pixels, reading: Reading) -> Pixels:
    """A copy of (H, W, 3) BGR pixels with every top face outlined and named."""
    drawn = pixels.copy()
    unit = max(drawn.shape[:2]) / 900
    thick = max(round(2 * unit), 1)
    for die in reading.dice:
        colour = SURE if die.certain else ASKING
        outline = np.rint(np.array(die.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, colour, thick, cv2.LINE_AA)
        words = die.face if die.certain else f"{die.face}? {die.confidence:.0%}"
        size = 0.6 * max(unit, 0.6)
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        x = int(np.clip(die.centre[0] - width / 2, 2, max(drawn.shape[1] - width - 2, 2)))
        y = int(np.clip(min(corner[1] for corner in die.corners) - 6 * unit, height + 4, drawn.shape[0] - 4))
        cv2.rectangle(drawn, (x - 3, y - height - 4), (x + width + 3, y + 4), (20, 20, 20), -1)
        cv2.putText(drawn, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
    return drawn


def save_picture(pixels: Pixels, path: Path) -> None:
    """Write BGR pixels in the format that the name says. PictureError when the name or place will not do."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels[:, :, ::-1]).save(path)
    except (ValueError, KeyError, OSError) as error:
        raise PictureError(
            "%(path)s: expected a place and a name for a picture (%(why)s)",
            path=str(path),
            why=str(error)[:80],
        ) from None
