"""Trains the face finder: the cells of a crop that belong to the top face and to the whole die, and whether there is a
die.

The detector boxes dice at a coarse scale, but identification depends on exact corners. So this small network looks at
each die again at the picture's full resolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from training.backbone import CHANNELS, DROPOUT, Backbone, OnCrops, classifier, convolved, export
from training.corruptions import coarsened, corrupted, recoloured, turned
from training.crops import NO_SHAPE, Crops, batches
from training.timed import Run, device, forward_pass, trained
from vision.boxes import CROP
from vision.corners import fit_polygon
from vision.dicesets.shapes import SHAPES
from vision.network import Network
from vision.plane import mean_edge

CELLS = CROP // 2
"""Side of the mask: one cell is two crop pixels."""
FAR_AWAY = 0.15
"""Share of a batch that is shown with the detail of a smaller die."""
PEAK = 1.3
"""Spread of a corner in the heatmap, in cells."""
WIDTHS: Final = ((48, 48), (32, 32), (24, 16))
"""Channels at each step up to the mask's resolution, and of the output."""
TAUGHT = 0.25
"""Weight of a teacher's kinds, beside the labels."""


class FinderNet(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to (N, 3, CELLS, CELLS) logits and (N, 3) logits.

    The output maps are the top face's mask, its corner heatmap, and the whole die's mask, including hidden parts; the
    classes are no die, square, triangle. One narrow decoder makes all three maps.
    """

    def __init__(self, *, pretrained: bool = False) -> None:
        """See `training.backbone.Backbone`."""
        super().__init__()
        self.backbone = Backbone(pretrained=pretrained)
        *finer, coarse = CHANNELS
        self.ways = nn.ModuleList()
        for fine, (width, outputs) in zip(reversed(finer), WIDTHS, strict=True):
            self.ways.append(WayUp(coarse, fine, width, outputs))
            coarse = outputs
        self.maps = nn.Sequential(convolved(coarse, coarse), nn.Conv2d(coarse, 3, 1))
        self.kind = classifier(3)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """See the class."""
        *finer, features = self.backbone(crops)
        kind = self.kind(fn.dropout2d(features, DROPOUT, self.training))
        for way, level in zip(self.ways, reversed(finer), strict=True):
            features = way(features, level)
        return self.maps(features), kind


class WayUp(nn.Module):
    """Merges the features of two levels into a few channels at the finer level's resolution.

    Both are reduced to the same width first, then added: enlarging and convolving all channels would take half of the
    network's time.
    """

    def __init__(self, coarse: int, fine: int, width: int, outputs: int) -> None:
        """Channels of the two levels, of their sum, and of the result."""
        super().__init__()
        self.coarse, self.fine = nn.Conv2d(coarse, width, 1), nn.Conv2d(fine, width, 1)
        self.sum = convolved(width, outputs)

    def forward(self, coarse: Tensor, fine: Tensor) -> Tensor:
        """See the class."""
        return self.sum(fn.relu(_larger(self.coarse(coarse)) + self.fine(fine)))


def _larger(x: Tensor) -> Tensor:
    return fn.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def targets(corners: Tensor, silhouettes: Tensor, kinds: Tensor) -> Tensor:
    """(N, 3, CELLS, CELLS): the faces' masks with soft edges, the corner heatmaps, and the whole dice's masks; nothing
    where there is no die.

    `corners` (N, K, 2) and `silhouettes` (N, L, 2) are crop pixels, the last repeated where there are fewer; unknown
    ones give nothing, either.
    """
    there, body = (
        ((kinds != NO_SHAPE) & ~points.isnan().any((1, 2)))[:, None, None] for points in (corners, silhouettes)
    )
    at = _in_cells(corners)
    cell = torch.arange(CELLS, device=corners.device, dtype=corners.dtype)
    far = (cell - at[..., 0]) ** 2 + (cell[:, None] - at[..., 1]) ** 2
    peaks = torch.exp(-far / (2 * PEAK**2)).amax(1)
    return torch.stack([_inside(corners) * there, peaks * there, _inside(silhouettes) * body], 1)


def _in_cells(points: Tensor) -> Tensor:
    """Crop pixels (N, K, 2) as cells, (N, K, 1, 1, 2); 0 for unknown ones."""
    return ((points.nan_to_num() + 0.5) / 2 - 0.5)[:, :, None, None]


def _inside(corners: Tensor) -> Tensor:
    """(N, CELLS, CELLS) 1 within convex polygons (N, K, 2), 0 beside them, and between at their edges."""
    corners = _in_cells(corners)
    cell = torch.arange(CELLS, device=corners.device, dtype=corners.dtype)
    along = corners.roll(-1, 1) - corners
    length = along.norm(dim=-1)
    across = along[..., 0] * (cell[:, None] - corners[..., 1]) - along[..., 1] * (cell - corners[..., 0])
    turning = (corners[..., 0] * along[..., 1] - corners[..., 1] * along[..., 0]).sum(1, keepdim=True).sign()
    inside = turning * across / length.clamp(min=1e-6)
    return (inside.masked_fill(length < 1e-3, torch.inf).amin(1) + 0.5).clamp(0, 1)


def loss_of(maps: Tensor, kind: Tensor, true_maps: Tensor, true_kind: Tensor) -> Tensor:
    """Cross entropy of masks, corner heatmap and class, plus the masks' Dice loss; without a die there are no masks."""
    mask, heatmap, body = fn.binary_cross_entropy_with_logits(maps, true_maps, reduction="none").mean((2, 3)).T
    sure = maps.sigmoid()
    apart = 1 - (2 * (sure * true_maps).sum((2, 3)) + 1) / ((sure + true_maps).sum((2, 3)) + 1)
    there = (true_maps.amax((2, 3)) > 0).float()
    weight = there / there.sum(0).clamp(min=1)
    outlined = (mask + 0.5 * apart[:, 0] + 2 * heatmap) * weight[:, 0] + (body + 0.5 * apart[:, 2]) * weight[:, 2]
    return outlined.sum() + 0.5 * fn.cross_entropy(kind, true_kind)


def train_finder(
    pictures: Path, run: Run, mined: Sequence[Path] = (), batch: int = 64, teacher: Network | None = None
) -> None:  # fmt: skip
    """Train on the crops of `pictures`; the last five shards are kept out and measured.

    `mined` are files that `training.crops` wrote: they make up MINED_SHARE of every batch. A `teacher` is another
    finder, whose outlines and kinds are learnt as well as those of the labels (`taught`).
    """
    shards = sorted((pictures / "crops").glob("*.npz"))
    crops, kept = Crops.join(shards[:-5]), Crops.join(shards[-5:])
    hard = Crops.join(mined) if mined else None

    def loss(
        network: nn.Module, pixels: Tensor, corners: Tensor, silhouettes: Tensor, kinds: Tensor
    ) -> Tensor:
        light = coarsened(pixels.permute(0, 3, 1, 2).float() / 255, FAR_AWAY)
        # Small turns only, as the top face is above the side faces.
        light, points = turned(light, torch.cat([corners, silhouettes], 1), 8.0, 0.08)
        corners, silhouettes = points.split([corners.shape[1], silhouettes.shape[1]], 1)
        light, maps = recoloured(corrupted(light)), targets(corners, silhouettes, kinds)
        with forward_pass():
            found, kind = network(light.contiguous(memory_format=torch.channels_last))
        labelled = loss_of(found.float(), kind.float(), maps, kinds)
        return labelled if teacher is None else labelled + taught(teacher, light, found.float(), kind.float(), kinds)

    run.train(
        lambda pretrained: FinderNet(pretrained=pretrained),
        lambda steps, worker: batches(crops, hard, batch, run.chance(steps, worker)), loss,
        lambda network: measure(network, kept), decay=1e-4,
    )  # fmt: skip


def taught(teacher: Network, light: Tensor, maps: Tensor, kind: Tensor, true_kind: Tensor) -> Tensor:
    """Distance of the logits for crops (N, 3, CROP, CROP), maps and kinds, from those of another finder, the teacher.

    The teacher's maps count where it sees a die, its kinds where they are right (Hinton, Vinyals and Dean, Distilling
    the knowledge in a neural network, 2015).
    """
    crops = (light.clamp(0, 1) * 255).round().to(torch.uint8).permute(0, 2, 3, 1).cpu().numpy()
    planes, kinds = (
        torch.from_numpy(np.array(told)).to(maps.device) for told in teacher.run(None, {"crops": crops})
    )
    die, right = 1 - kinds[:, 0], kinds.gather(1, true_kind[:, None])[:, 0] > 0.5
    outlined = fn.binary_cross_entropy_with_logits(maps, planes, reduction="none").mean((2, 3))
    named = fn.cross_entropy(kind, kinds, reduction="none")
    weight = die[:, None] * torch.tensor((1.0, 2.0, 1.0), device=maps.device)
    return (outlined * weight).sum() / die.sum().clamp(min=1) + TAUGHT * (named * right).sum() / max(len(right), 1)


def measure(network: nn.Module, crops: Crops, most: int = 1500) -> str:
    """Corner error in shares of a side (median, 90th percentile), class accuracy, and intersection over union of whole
    dice's masks (median, 10th percentile), as one line."""
    errors: dict[Any, list[float]] = {shape: [] for shape in SHAPES}
    covered: list[float] = []
    right = 0
    count = min(len(crops), most)
    for start in range(0, count, 100):
        part = slice(start, min(start + 100, count))
        pixels = torch.from_numpy(crops.pixels[part].transpose(0, 3, 1, 2).astype(np.float32) / 255)
        maps, kind = (told.cpu() for told in network(pixels.to(device())))
        right += int((kind.argmax(1).numpy() == crops.kinds[part]).sum())
        body, seen = _inside(torch.from_numpy(crops.silhouettes[part])) > 0.5, maps[:, 2] > 0
        shared = (body & seen).sum((1, 2)) / (body | seen).sum((1, 2)).clamp(min=1)
        covered += shared[torch.from_numpy(crops.kinds[part]) != NO_SHAPE].tolist()
        for mask, corners, true in zip(
            maps[:, 0].sigmoid().numpy(), crops.corners[part], crops.kinds[part], strict=True
        ):
            if true:
                shape = SHAPES[true - 1]
                found, there = fit_polygon(mask, shape), corners[: shape.corners]
                errors[shape].append(1.0 if found is None else corner_error((found + 0.5) * 2 - 0.5, there))
    spread = "  ".join(
        f"{of} {np.median(off):.3f}/{np.quantile(off, 0.9):.3f}" for of, off in errors.items() if off
    )
    body = f"bodies covered (median/10 %) {np.median(covered):.3f}/{np.quantile(covered, 0.1):.3f}"
    return f"        kind {right / count:.3f}  corners off by (median/90 %) {spread}  {body}"


def corner_error(found: NDArray[np.float32], true: NDArray[np.float32]) -> float:
    """Mean distance of corners in mean sides, for the best turn in either direction."""
    side = float(mean_edge(true))
    turns = [np.roll(ring, k, axis=0) for ring in (found, found[::-1]) for k in range(len(true))]
    return min(float(np.linalg.norm(turn - true, axis=1).mean()) for turn in turns) / max(side, 1e-6)


def export_finder(checkpoint: Path, target: Path) -> None:
    """Write ONNX.

    `crops` uint8 (N, CROP, CROP, 3) BGR to `planes` (N, 3, CELLS, CELLS) and `kind` (N, 3), 0 … 1.
    """
    finished = OnCrops(trained(FinderNet, checkpoint), lambda told: (told[0].sigmoid(), told[1].softmax(1)))
    export(finished, target, "crops", ("planes", "kind"))
