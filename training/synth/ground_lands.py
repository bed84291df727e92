"""Boards of hexagonal lands, each printed with something of its own, with round number tokens lying on them.

A square (T, T, 3) BGR texture, as those of `training.synth.table`. Dice on such boards are hard to see: fields have
their colours and their size, and tokens carry what dice carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from training.synth.chance import TEXELS, clouds, hsv, log_uniform
from vision.frame import Floats, Pixels

RADIUS = (24.0, 190.0)
"""Of a land in texels."""
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX,
)  # fmt: skip


def lands(rng: np.random.Generator) -> Pixels:
    """A board of lands over the whole table, or an island of them in the sea."""
    radius = log_uniform(rng, *RADIUS)
    image = _printed(rng, hsv(rng, (0.1, 0.9), (0.1, 1.0)))  # the sea
    prints = [_printed(rng, hsv(rng, (0.1, 0.95), (0.15, 1.0))) for _ in range(int(rng.integers(3, 7)))]
    gap = float(rng.uniform(0.86, 1.0)) if rng.random() < 0.7 else 1.0
    turn = float(rng.choice([0.0, np.pi / 6]))
    unit = np.stack([np.cos(np.arange(6) * np.pi / 3 + turn), np.sin(np.arange(6) * np.pi / 3 + turn)], 1)
    rim = hsv(rng, (0.0, 0.9), (0.05, 1.0)).tolist() if rng.random() < 0.5 else None
    reach = float(rng.uniform(2.2, 5.0)) * radius if rng.random() < 0.35 else np.inf
    middle = rng.uniform(0.25, 0.75, 2) * TEXELS
    tokens = _Tokens.some(rng, radius)
    mask = np.zeros((TEXELS, TEXELS), np.uint8)
    start, count = (rng.uniform(0, 1, 2) * radius).astype(np.float32), int(TEXELS / radius / 1.5) + 3
    for row, column in product(range(-1, count), repeat=2):
        along, down = (column + 0.5 * (row % 2)) * radius * 3**0.5, row * radius * 1.5
        centre = np.array((along, down) if turn else (down, along), np.float32) - start
        if np.linalg.norm(centre - middle) > reach:
            continue
        outline = np.rint((unit * radius * gap + centre) * 16).astype(np.int32)
        x0, y0 = np.clip(np.floor(centre - radius - 1), 0, TEXELS).astype(int)
        x1, y1 = np.clip(np.ceil(centre + radius + 1), 0, TEXELS).astype(int)
        if x0 >= x1 or y0 >= y1:
            continue
        mask[y0:y1, x0:x1] = 0
        cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, 4)
        share = mask[y0:y1, x0:x1, None].astype(np.float32) / 255
        painted = prints[int(rng.integers(len(prints)))][y0:y1, x0:x1]
        image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - share) + painted * share
        if rim is not None:
            cv2.polylines(image, [outline], True, rim, max(int(radius / 25), 1), cv2.LINE_AA, 4)
        if rng.random() < 0.75:
            tokens.paint(rng, image, centre + rng.normal(0, 0.12 * radius, 2).astype(np.float32))
    return np.clip(image, 0, 255).astype(np.uint8)


def _printed(rng: np.random.Generator, colour: Floats) -> Floats:
    """(T, T, 3) of one colour as printers make pictures of fields, woods and hills of it: blots, strokes and grain."""
    cells = int(rng.uniform(6, 120))
    stretched = (cells, max(cells // int(rng.integers(1, 8)), 2))
    strength = float(rng.uniform(0.04, 0.3))
    image = colour * (1 + strength * clouds(rng, TEXELS, stretched, 3))[..., None]
    if rng.random() < 0.5:
        blots = clouds(rng, TEXELS, (cells * 2, cells * 2), 2) > rng.uniform(0.5, 1.6)
        image[blots] = hsv(rng, (0.1, 0.9), (0.05, 1.0)) * 0.6 + colour * 0.4
    return np.asarray(np.clip(image, 0, 255), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class _Tokens:
    """How a game's number tokens look: round, with a numeral in one typeface and, often, dots under it."""

    radius: int
    paper: Floats
    ink: Floats
    hot: Floats
    """The ink of some of them."""
    font: int
    dots: bool
    ring: bool
    shadow: float

    @classmethod
    def some(cls, rng: np.random.Generator, radius: float) -> _Tokens:
        """Tokens for lands of a radius in texels."""
        paper = hsv(rng, (0.0, 0.3), (0.7, 1.0)) if rng.random() < 0.8 else hsv(rng, (0.1, 0.9), (0.1, 1.0))
        return cls(
            max(int(radius * rng.uniform(0.22, 0.42)), 4), paper, hsv(rng, (0.0, 0.8), (0.0, 0.35)),
            hsv(rng, (0.4, 1.0), (0.4, 0.9)), int(rng.choice(FONTS)), bool(rng.random() < 0.5),
            bool(rng.random() < 0.4), float(rng.uniform(0.0, 0.5)),
        )  # fmt: skip

    def paint(self, rng: np.random.Generator, image: Floats, centre: Floats) -> None:
        """Lay one of them on the board, its numeral turned as it fell."""
        side = 2 * self.radius + 5
        middle = side // 2
        thing = np.empty((side, side, 3), np.uint8)
        thing[:] = self.paper.astype(np.uint8)
        ink = (self.hot if rng.random() < 0.2 else self.ink).tolist()
        text, thick = str(rng.integers(2, 13)), max(self.radius // 11, 1)
        size = self.radius / (22.0 if self.dots else 18.0)
        (width, height), _ = cv2.getTextSize(text, self.font, size, thick)
        foot = middle + height // 2 - (self.radius // 5 if self.dots else 0)
        cv2.putText(thing, text, (middle - width // 2, foot), self.font, size, ink, thick, cv2.LINE_AA)
        if self.dots:
            count = int(rng.integers(1, 6))
            for i in range(count):
                x = middle + int((i - (count - 1) / 2) * self.radius / 4)
                cv2.circle(thing, (x, foot + self.radius // 3), thick, ink, -1, cv2.LINE_AA)
        if self.ring:
            cv2.circle(thing, (middle, middle), int(self.radius * 0.9), ink, thick, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(0, 360)), 1.0)
        turned = cv2.warpAffine(thing, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
        disc = np.zeros((side, side), np.uint8)
        cv2.circle(disc, (middle, middle), self.radius, 255, -1, cv2.LINE_AA)
        share = np.asarray(disc[..., None] / 255, np.float32)
        x, y = (round(float(place)) - middle for place in centre)
        below = max(self.radius // 8, 1)
        black = np.zeros((side, side, 3), np.float32)
        _blend(image, black, share * np.float32(self.shadow), x + below, y + below)
        _blend(image, np.asarray(turned, np.float32), share, x, y)


def _blend(image: Floats, thing: Floats, share: Floats, x: int, y: int) -> None:
    """Lay `thing` (S, S, 3) on the table with its left upper corner at x, y, as far as `share` (S, S, 1) says."""
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + len(thing), TEXELS), min(y + len(thing), TEXELS)
    if x0 >= x1 or y0 >= y1:
        return
    inside = slice(y0 - y, y1 - y), slice(x0 - x, x1 - x)
    part = image[y0:y1, x0:x1]
    part[:] = part * (1 - share[inside]) + thing[inside] * share[inside]
