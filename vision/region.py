"""The part of a camera's picture that is the table: by its corners, or by four printed markers laid around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.frame import Floats, Pixels, Point

MARKERS = (0, 1, 2, 3)
"""Their numbers in ArUco's dictionary of 4 × 4 squares, 50 markers; which lies in which corner does not matter."""

MARKER_MM = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A quadrilateral of the picture, its corners as shares (0 to 1) of width and height, in order around it.

    Raises:
        ValueError: fewer or more than four corners, not in the picture, crossing, or hardly any area.
    """

    corners: tuple[Point, ...]
    _masks: dict[tuple[int, int], tuple[slice, slice, Pixels]] = field(
        default_factory=dict[tuple[int, int], tuple[slice, slice, Pixels]], repr=False
    )

    def __post_init__(self) -> None:
        """Refuse what is no table."""
        if len(self.corners) != 4:
            raise ValueError(f"a table has four corners, got {len(self.corners)}")
        if not all(0.0 <= value <= 1.0 for corner in self.corners for value in corner):
            raise ValueError("a table's corners are shares of the picture, 0 to 1")
        outline = np.array(self.corners, np.float32)
        if not cv2.isContourConvex(outline) or cv2.contourArea(outline) < 0.01:
            raise ValueError(
                "expected the corners of a table one after the other, around at least 1 % of the picture"
            )

    def cut(self, pixels: Pixels) -> Pixels:
        """The picture of the table alone: the box around it, with what lies outside its corners black."""
        height, width = pixels.shape[:2]
        rows, columns, mask = self._masks.get((width, height)) or self._made(width, height)
        return np.asarray(cv2.bitwise_and(pixels[rows, columns], mask), np.uint8)

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """The part of a picture that `cut` gives, as x0, y0, x1, y1 in pixels; x1 and y1 are outside."""
        rows, columns, _mask = self._masks.get((width, height)) or self._made(width, height)
        return columns.start, rows.start, columns.stop, rows.stop

    def words(self) -> str:
        """As `--region` takes it."""
        return " ".join(f"{x:.4f},{y:.4f}" for x, y in self.corners)

    def _made(self, width: int, height: int) -> tuple[slice, slice, Pixels]:
        outline = np.round(np.array(self.corners) * (width, height), 6)
        x0, y0 = np.floor(outline.min(axis=0)).astype(int)
        x1, y1 = np.ceil(outline.max(axis=0)).astype(int)
        mask = np.zeros((int(y1 - y0), int(x1 - x0), 3), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(outline - (x0, y0)).astype(np.int32), (255, 255, 255))
        made = (slice(int(y0), int(y1)), slice(int(x0), int(x1)), mask)
        self._masks[width, height] = made
        return made


def region_at(text: str) -> Region:
    """A region from words: four corners "0.1,0.2 0.9,0.2 0.9,0.8 0.1,0.8". Raises ValueError."""
    try:
        pairs = [corner.split(",") for corner in text.split()]
        corners = tuple((float(x), float(y)) for x, y in pairs)
    except ValueError:
        raise ValueError(f"expected four corners x,y as shares of the picture, got {text[:60]!r}") from None
    return Region(corners)


def find_markers(pixels: Pixels) -> dict[int, Floats]:
    """Our markers in a (H, W, 3) picture: each one's corners (4, 2) in pixels."""
    aruco: Any = cv2.aruco
    finder = aruco.ArucoDetector(aruco.getPredefinedDictionary(aruco.DICT_4X4_50), aruco.DetectorParameters())
    corners, numbers, _ = finder.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    if numbers is None:
        return {}
    found = zip(np.asarray(numbers).ravel(), corners, strict=True)
    return {
        int(number): np.asarray(one, np.float32).reshape(4, 2) for number, one in found if number in MARKERS
    }


def between(markers: Sequence[Floats], width: int, height: int) -> Region:
    """The table inside four markers: the corner of each that is nearest to their middle. Raises ValueError."""
    middle = np.concatenate(markers).mean(axis=0)
    inner = np.array([one[np.argmin(np.linalg.norm(one - middle, axis=1))] for one in markers])
    around = np.arctan2(inner[:, 1] - middle[1], inner[:, 0] - middle[0])
    shares = np.clip(inner[np.argsort(around)] / (width, height), 0, 1)
    return Region(tuple((float(x), float(y)) for x, y in shares))


def marker_sheet() -> bytes:
    """An A4 page (PDF) with the four markers to cut out, each 50 mm wide with its white rim."""
    from fpdf import FPDF  # it takes longer to import than a page takes to open

    aruco: Any = cv2.aruco
    dictionary = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    pdf = FPDF(unit="mm", format="a4")
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.set_font("Helvetica", size=11)
    pdf.text(20, 20, "Tableside: cut out the four markers and lay them around the table, one at each corner.")
    for place, number in enumerate(MARKERS):
        x, y = 20 + 90 * (place % 2), 35 + 90 * (place // 2)
        squares = np.asarray(aruco.generateImageMarker(dictionary, number, 6), np.uint8)
        side = MARKER_MM / 6
        pdf.set_draw_color(190)
        pdf.rect(x, y, MARKER_MM + 20, MARKER_MM + 20)
        pdf.set_fill_color(0)
        for row, column in np.argwhere(squares < 128):
            # A hair wider than the square, so that no reader draws a seam between two.
            pdf.rect(x + 10 + side * column, y + 10 + side * row, side + 0.05, side + 0.05, style="F")
        pdf.text(x + 3, y + MARKER_MM + 18, str(number))
    return bytes(pdf.output())
