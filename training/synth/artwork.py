"""Rasterise the drawings of the shipped dice sets: ``python -m training.synth.artwork [SET …]``.

``models/dicesets/<set>/drawings/<face>/<name>.svg`` becomes ``…/faces/<face>/<name>.png``, 256×256 RGBA. The
drawings need no typeface: their letters are outlines. Needs the ``train`` extra (resvg).

Emblems are moved and scaled to fill their square. Symbols for a d8 fill the inscribed *disc* of the square, because
only a disc fits into a triangle in all its turns; pips stay where they are drawn, as their positions matter.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from vision.dicesets.model import SHIPPED_SETS

ART_SIDE = 256
"""The side of an art picture in pixels."""

OVERSAMPLING = 4
"""Drawings are rasterised this much larger, then averaged down, for smooth edges and to measure the ink."""

Fit = Literal["square", "disc", "as-drawn"]

FITS: dict[str, Fit] = {
    "outlander": "disc",
    "fate": "disc",
    "cats": "square",
    "outback": "square",
    "pips": "as-drawn",
    "pirates": "square",
}
"""How each set's drawings are fitted into the art square."""


def rasterise(svg: str, side: int) -> NDArray[np.uint8]:
    """A square drawing as (side, side, 4) RGBA, alpha not premultiplied."""
    coded = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=side, height=side)), np.uint8)
    decoded = cv2.imdecode(coded, cv2.IMREAD_UNCHANGED)
    if decoded is None or decoded.shape != (side, side, 4):
        raise ValueError("expected a square drawing, got one that does not fill the square")
    return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGRA2RGBA), np.uint8)


def fitted(art: NDArray[np.uint8], fit: Fit, side: int = ART_SIDE) -> NDArray[np.uint8]:
    """The art (S, S, 4) as (side, side, 4), its ink filling the square or the square's inscribed disc."""
    premultiplied = art.astype(np.float32)
    premultiplied[..., :3] *= premultiplied[..., 3:] / 255
    if fit == "as-drawn":
        centre, reach = (art.shape[1] / 2, art.shape[0] / 2), art.shape[0] / 2
    else:
        solid = (art[..., 3] > 127).astype(np.uint8)
        if not solid.any():
            raise ValueError("expected a drawing with some ink, got an empty one")
        ink = cv2.findNonZero(solid)
        if fit == "disc":
            (x, y), reach = cv2.minEnclosingCircle(ink)
        else:
            left, top, width, height = cv2.boundingRect(ink)
            x, y, reach = left + width / 2, top + height / 2, max(width, height) / 2
        # A margin of one pixel in 128 keeps smooth edges inside the square.
        centre, reach = (x, y), reach * (1 + 2 / side)
    zoom = side * OVERSAMPLING / (2 * reach)
    shift = side * OVERSAMPLING / 2
    move = np.array([[zoom, 0, shift - zoom * centre[0]], [0, zoom, shift - zoom * centre[1]]])
    large = cv2.warpAffine(premultiplied, move, (side * OVERSAMPLING,) * 2, flags=cv2.INTER_LINEAR)
    small = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)
    alpha = small[..., 3:]
    colour = np.divide(small[..., :3] * 255, alpha, out=np.zeros_like(small[..., :3]), where=alpha > 0.5)
    fitted_art = np.concatenate([colour, alpha], axis=2)
    return np.clip(np.rint(fitted_art), 0, 255).astype(np.uint8)


def draw_set(folder: Path, fit: Fit) -> int:
    """Write every picture of one set; returns their number. Pictures without a drawing stay as they are."""
    drawings = sorted(folder.glob("drawings/*/*.svg"))
    for drawing in drawings:
        art = fitted(rasterise(drawing.read_text(encoding="utf-8"), ART_SIDE * OVERSAMPLING), fit)
        target = folder / "faces" / drawing.parent.name / f"{drawing.stem}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        bgra = cv2.cvtColor(art, cv2.COLOR_RGBA2BGRA)
        written, coded = cv2.imencode(".png", bgra, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if not written:
            raise OSError(f"{target}: the picture could not be encoded")
        target.write_bytes(coded.tobytes())
    return len(drawings)


def main(names: list[str]) -> None:
    """Draw the named sets, or all of them."""
    for name in names or list(FITS):
        print(f"{name}: {draw_set(SHIPPED_SETS / name, FITS[name])} pictures")


if __name__ == "__main__":
    main(sys.argv[1:])
