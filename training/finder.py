"""Trains the face finder: which cells of a crop around a die belong to its top face, and is it a die at all.

Boxes come from the detector at a coarse scale; identification lives on corners, and those are only as good as
the pixels they are taken from. So this small network looks at each die once more at the picture's own
resolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from training.eyes import CHANNELS, FORGOTTEN, Eyes, convolved, export, judging
from training.finder_batches import Crops, batches
from training.precision import device, forward_pass
from training.timed import Timed, load_checkpoint
from vision.corners import fit_polygon
from vision.dicesets.shapes import SHAPES


class Finder(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to (N, 2, CELLS, CELLS) logits and (N, 3) logits.

    The planes are the top face and its corners; the classes are no die, square, triangle.
    """

    def __init__(self, *, taught: bool = False) -> None:
        """`taught` begins with what ImageNet taught (`training.eyes`)."""
        super().__init__()
        self.eyes = Eyes(taught=taught)
        a, b, c, d = CHANNELS
        self.up2 = convolved(d + c, 48)
        self.up1 = convolved(48 + b, 32)
        self.up0 = nn.Sequential(convolved(32 + a, 16), convolved(16, 16))
        self.planes = nn.Conv2d(16, 2, 1)
        self.kind = judging(3)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """See the class."""
        x0, x1, x2, x3 = self.eyes(crops)
        y = self.up2(torch.cat([_larger(x3), x2], 1))
        y = self.up1(torch.cat([_larger(y), x1], 1))
        y = self.up0(torch.cat([_larger(y), x0], 1))
        return self.planes(y), self.kind(fn.dropout2d(x3, FORGOTTEN, self.training))


def _larger(x: Tensor) -> Tensor:
    return fn.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def loss_of(planes: Tensor, kind: Tensor, true_planes: Tensor, true_kind: Tensor) -> Tensor:
    """Cross entropy of mask, corners and class, and the mask's overlap; empty crops have no mask to learn."""
    there = (true_planes[:, 0].amax((1, 2)) > 0).float()
    weight = there / there.sum().clamp(min=1)
    mask = fn.binary_cross_entropy_with_logits(planes[:, 0], true_planes[:, 0], reduction="none").mean((1, 2))
    sure = planes[:, 0].sigmoid()
    overlap = 1 - (2 * (sure * true_planes[:, 0]).sum((1, 2)) + 1) / (
        (sure + true_planes[:, 0]).sum((1, 2)) + 1
    )
    bumps = fn.binary_cross_entropy_with_logits(planes[:, 1], true_planes[:, 1], reduction="none").mean(
        (1, 2)
    )
    return ((mask + 0.5 * overlap + 2 * bumps) * weight).sum() + 0.5 * fn.cross_entropy(kind, true_kind)


def train_finder(
    pictures: Path,
    checkpoint: Path,
    *,
    minutes: float,
    seed: int = 0,
    batch: int = 64,
    rate: float = 1.2e-3,
    threads: int = 2,
    resume: bool = False,
    mined: Sequence[Path] = (),
    start: Path | None = None,
) -> None:
    """Train for `minutes` of wall time with a cosine rate; the checkpoint is written every minute.

    `mined` are files that `training.mining` wrote: they make up MINED_SHARE of every batch. `start` is a checkpoint
    to begin from; without one it begins with what ImageNet taught. The last five shards of `pictures` are kept out and
    measured at the end of every tenth of the time.
    """
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    crops, kept = Crops.load(pictures, slice(0, -5)), Crops.load(pictures, slice(-5, None))
    hard = Crops.join(mined) if mined else None
    network = Finder(taught=start is None).to(device(), memory_format=torch.channels_last)
    if start is not None:
        network.load_state_dict(load_checkpoint(start)["network"])
    training = Timed(network, checkpoint, minutes=minutes, rate=rate, decay=1e-4, resume=resume)
    for pixels, planes, kinds in batches(crops, hard, batch, rng):

        def loss(pixels: Tensor = pixels, planes: Tensor = planes, kinds: Tensor = kinds) -> Tensor:
            with forward_pass():
                found, kind = network(pixels.to(device(), memory_format=torch.channels_last))
            return loss_of(found.float(), kind.float(), planes.to(device()), kinds.to(device()))

        if not training.step(loss, lambda: measure(network, kept)):
            return


def measure(network: Finder, crops: Crops, most: int = 1500) -> str:
    """Corner error in shares of a side (median, 90th percentile) and class accuracy on crops, as one line."""
    network.eval()
    errors: dict[int, list[float]] = {1: [], 2: []}
    right = 0
    count = min(len(crops), most)
    for start in range(0, count, 100):
        part = slice(start, min(start + 100, count))
        with torch.inference_mode():
            seen = torch.from_numpy(crops.pixels[part].transpose(0, 3, 1, 2).astype(np.float32) / 255)
            planes, kind = (told.cpu() for told in network(seen.to(device())))
        right += int((kind.argmax(1).numpy() == crops.kinds[part]).sum())
        for mask, corners, true in zip(
            planes[:, 0].sigmoid().numpy(), crops.corners[part], crops.kinds[part], strict=True
        ):
            if true == 0:
                continue
            shape = SHAPES[true - 1]
            found = fit_polygon(mask, shape)
            errors[int(true)].append(
                1.0 if found is None else corner_error((found + 0.5) * 2 - 0.5, corners[: shape.corners])
            )
    spread = "  ".join(
        f"{name} {np.median(values):.3f}/{np.quantile(values, 0.9):.3f}"
        for name, values in (("squares", errors[1]), ("triangles", errors[2]))
        if values
    )
    return f"        kind {right / count:.3f}  corners off by (median/90 %) {spread}"


def corner_error(found: NDArray[np.float32], true: NDArray[np.float32]) -> float:
    """Mean distance of corners over the mean side, for the best turn; either sense of rotation."""
    side = float(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean())
    turns = [np.roll(ring, k, axis=0) for ring in (found, found[::-1]) for k in range(len(true))]
    return min(float(np.linalg.norm(turn - true, axis=1).mean()) for turn in turns) / max(side, 1e-6)


def export_finder(checkpoint: Path, target: Path) -> None:
    """Write the trained network as ONNX.

    Input `crops` uint8 (N, CROP, CROP, 3) BGR; outputs `planes` (N, 2, CELLS, CELLS) and `kind` (N, 3), both
    as shares of one.
    """
    network = Finder()
    network.load_state_dict(load_checkpoint(checkpoint)["network"])
    network.eval()

    class Wrapped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = network

        def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
            planes, kind = self.inner(crops.permute(0, 3, 1, 2).float() / 255)
            return planes.sigmoid(), kind.softmax(1)

    export(Wrapped(), target, "crops", ("planes", "kind"))
