"""Batches for the face finder: crops moved, recoloured and worn as pictures are, and what is to be found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.corruptions import coarsened, recoloured, weathered
from vision.boxes import CROP
from vision.dicesets.shapes import SHAPES

CELLS = CROP // 2
"""Side of the mask: one cell is two crop pixels."""
MINED_SHARE = 0.3
"""Part of a batch that is drawn from what the detector took for dice."""
FAR_AWAY = 0.15
"""Part of a batch that is shown with the detail of a smaller die."""


@dataclass(frozen=True, eq=False, slots=True)
class Crops:
    """All crops of a folder in memory."""

    pixels: NDArray[np.uint8]
    """(N, CROP, CROP, 3)."""
    corners: NDArray[np.float32]
    """(N, 4, 2); not a number where they are not known."""
    kinds: NDArray[np.uint8]
    """(N,)."""

    @classmethod
    def load(cls, folder: Path, shards: slice = slice(None)) -> Crops:
        """Read the crops that `training.pictures` made."""
        return cls.join(sorted((folder / "crops").glob("*.npz"))[shards])

    @classmethod
    def join(cls, files: Sequence[Path]) -> Crops:
        """Read some files of crops."""
        loaded = [np.load(path) for path in files]
        return cls(
            *(np.concatenate([part[name] for part in loaded]) for name in ("pixels", "corners", "kinds"))
        )

    def __len__(self) -> int:
        """How many crops there are."""
        return len(self.kinds)


def targets(corners: NDArray[np.float32], kind: int) -> NDArray[np.float32]:
    """(2, CELLS, CELLS): the face with soft edges, and bumps at its corners. `corners` in crop pixels."""
    planes = np.zeros((2, CELLS, CELLS), np.float32)
    if kind == 0 or np.isnan(corners).any():
        return planes
    polygon = corners[: SHAPES[kind - 1].corners]
    fine = np.zeros((CELLS * 4, CELLS * 4), np.uint8)
    scaled = (polygon + 0.5) * (CELLS * 4 / CROP) - 0.5
    cv2.fillConvexPoly(fine, np.rint(np.clip(scaled, -500, 1000) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    planes[0] = cv2.resize(fine, (CELLS, CELLS), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    grid = np.arange(CELLS, dtype=np.float32)
    for x, y in (polygon + 0.5) / 2 - 0.5:
        bump = np.exp(-((grid[None] - x) ** 2 + (grid[:, None] - y) ** 2) / (2 * 1.3**2))
        planes[1] = np.maximum(planes[1], bump)
    return planes


def batches(
    crops: Crops, hard: Crops | None, size: int, rng: np.random.Generator
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Endless batches of `size`: crops (N, 3, CROP, CROP) in 0 … 1, planes (N, 2, CELLS, CELLS), classes (N,)."""
    while True:
        few = round(size * MINED_SHARE) if hard is not None else 0
        drawn = [_draw(crops, size - few, rng)]
        if hard is not None:
            drawn.append(_draw(hard, few, rng))
        batch = Crops(*(np.concatenate(parts) for parts in zip(*drawn, strict=True)))
        moved = [_move(*pair, rng) for pair in zip(batch.pixels, batch.corners, strict=True)]
        pixels = np.stack([weathered(crop, rng) for crop, _ in moved])
        pixels = recoloured(pixels.astype(np.float32) / np.float32(255), rng)
        planes = np.stack([targets(c, int(k)) for (_, c), k in zip(moved, batch.kinds, strict=True)])
        if rng.random() < 0.5:
            pixels, planes = pixels[:, :, ::-1], planes[..., ::-1]
        yield (
            torch.from_numpy(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))),
            torch.from_numpy(np.ascontiguousarray(planes)),
            torch.from_numpy(batch.kinds.astype(np.int64)),
        )


def _draw(
    crops: Crops, size: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
    chosen = rng.integers(0, len(crops), size)
    return crops.pixels[chosen], crops.corners[chosen], crops.kinds[chosen]


def _move(
    pixels: NDArray[np.uint8], corners: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The same die a little turned, shifted and scaled, and sometimes as if it lay further away.

    Turns are small: that the top face lies above the side faces is worth knowing.
    """
    if rng.random() < FAR_AWAY:
        pixels = coarsened(pixels, float(rng.uniform(0.25, 0.7)))
    middle = (CROP - 1) / 2
    mapping = cv2.getRotationMatrix2D(
        (middle, middle), float(rng.normal(0, 8)), float(np.exp(rng.normal(0, 0.08)))
    )
    mapping[:, 2] += rng.normal(0, 3, 2)
    turned = cv2.warpAffine(pixels, mapping, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    linear, shift = mapping[:, :2].astype(np.float32), mapping[:, 2].astype(np.float32)
    return np.asarray(turned, np.uint8), corners @ linear.T + shift
