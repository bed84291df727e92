"""Corruptions of training crops by light, lens and camera: each in some crops, none in most.

A network trained on the crops of one renderer depends on its style; these corruptions are the same in every renderer
and in photographs. They run on the training device, many crops at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional as fn

from vision.boxes import CROP

KERNEL: Final = 13
"""Side of the kernels of blur, in pixels."""
SMEAR: Final = 15
"""Side of the kernels of motion, in pixels."""
BLOCK: Final = 8
"""Side of JPEG's blocks."""


def corrupted(crops: Tensor) -> Tensor:
    """Crops (N, 3, H, W) of 0 … 1 under another light and through another lens."""
    crops = crops.clone()
    for change, share in CHANGES:
        chosen = (torch.rand(len(crops)) < share).nonzero()[:, 0].to(crops.device)
        if len(chosen):
            crops[chosen] = change(crops[chosen]).clamp(0, 1)
    return crops


def recoloured(crops: Tensor) -> Tensor:
    """Crops (N, 3, H, W) of 0 … 1, each with its own random colours and exposure."""
    gamma = _spread_about_one(crops, 0.25, 1)
    gain = _spread_about_one(crops, 0.1, 3)
    shuffled = crops[:, torch.randperm(3)] if torch.rand(()) < 0.5 else crops
    grey = _uniform(crops, 0, 1) < 0.15
    mixed = torch.where(grey, shuffled.mean(1, keepdim=True), shuffled)
    return (mixed**gamma * gain).clamp(0, 1)


def coarsened(crops: Tensor, much: float) -> Tensor:
    """The crops; a share of them has the detail of a smaller object, as seen from further away."""
    crops = crops.clone()
    chosen = (torch.rand(len(crops)) < much).nonzero()[:, 0].to(crops.device)
    for some in chosen.split(8):
        share = float(torch.empty(()).uniform_(0.2, 0.7))
        size = tuple(round(side * share) for side in crops.shape[2:])
        small = fn.interpolate(crops[some], size, mode="area")
        crops[some] = fn.interpolate(small, crops.shape[2:], mode="bilinear", align_corners=False)
    return crops


def turned(crops: Tensor, corners: Tensor, degrees: float, scales: float, side: int = CROP) -> tuple[Tensor, Tensor]:
    """The middle (N, 3, side, side) of square crops, and `corners` (N, K, 2) in pixels there.

    They are turned, scaled and shifted a little, and half of them mirrored.
    """
    count, whole = len(crops), crops.shape[3]
    angle = torch.deg2rad(torch.randn(count, device=crops.device) * degrees)
    size = torch.exp(torch.randn(count, device=crops.device) * scales)
    mirror = torch.where(torch.rand(count, device=crops.device) < 0.5, -1.0, 1.0)
    cos, sin = angle.cos() * size, angle.sin() * size
    turn = torch.stack([torch.stack([cos * mirror, sin * mirror], 1), torch.stack([-sin, cos], 1)], 1)
    shift = torch.randn(count, 2, device=crops.device) * 3 + (side - 1) / 2
    place = torch.arange(side, device=crops.device, dtype=crops.dtype)
    there = torch.stack(torch.meshgrid(place, place, indexing="xy"), -1) - shift[:, None, None]
    source = torch.einsum("nij,nhwj->nhwi", torch.linalg.inv(turn), there) * 2 / whole
    moved = fn.grid_sample(crops, source, padding_mode="border", align_corners=False)
    return moved, torch.einsum("nij,nkj->nki", turn, corners - (whole - 1) / 2) + shift[:, None]


def filtered(crops: Tensor, kernels: Tensor) -> Tensor:
    """Each crop filtered by its own kernel, (N, K, L) with odd sides; kernels are normalised."""
    count, channels, height, width = crops.shape
    kernels = kernels / kernels.sum((1, 2), keepdim=True)
    down, across = (side // 2 for side in kernels.shape[1:])
    around = fn.pad(crops, (across, across, down, down), mode="replicate")
    alone = around.reshape(1, count * channels, height + 2 * down, width + 2 * across)
    every = kernels.repeat_interleave(channels, 0)[:, None]
    return fn.conv2d(alone, every, groups=count * channels).reshape(count, channels, height, width)


def softened(crops: Tensor, sigma: Tensor) -> Tensor:
    """Out of focus by `sigma` (N, 1, 1, 1) pixels."""
    away = torch.arange(KERNEL, device=crops.device, dtype=crops.dtype) - KERNEL // 2
    bell = torch.exp(-(away**2) / (2 * sigma[:, 0, 0] ** 2))
    return filtered(filtered(crops, bell[:, None, :]), bell[:, :, None])


def smeared(crops: Tensor, length: Tensor) -> Tensor:
    """Motion blur of `length` (N, 1, 1, 1) pixels, each in a random direction."""
    angle, length = _uniform(crops, 0, math.pi)[:, 0], length[:, 0]
    away = torch.arange(SMEAR, device=crops.device, dtype=crops.dtype) - SMEAR // 2
    along = angle.cos() * away + angle.sin() * away[:, None]
    beside = angle.cos() * away[:, None] - angle.sin() * away
    return filtered(crops, torch.exp(-(beside**2) / 0.5) * ((length + 1) / 2 - along.abs()).clamp(0, 1))


def jpeg(crops: Tensor, coarse: Tensor) -> Tensor:
    """JPEG: the cosines of each block are rounded to steps of `coarse` (N, 1, 1, 1), more for fine detail."""
    count, channels, height, width = crops.shape
    crops = fn.pad(crops, (0, -width % BLOCK, 0, -height % BLOCK), mode="replicate")
    place = torch.arange(BLOCK, device=crops.device, dtype=crops.dtype)
    waves = torch.cos(math.pi / BLOCK * (place + 0.5) * place[:, None]) * math.sqrt(2 / BLOCK)
    waves[0] /= math.sqrt(2)
    rows, columns = (side // BLOCK for side in crops.shape[2:])
    blocks = crops.reshape(count, channels, rows, BLOCK, columns, BLOCK).transpose(3, 4)
    step = coarse[..., None, None] * (1 + (place + place[:, None]) / 2)
    rounded = (waves @ blocks @ waves.T / step).round() * step
    joined = (waves.T @ rounded @ waves).transpose(3, 4).reshape(crops.shape)
    return joined[..., :height, :width]


def _uniform(crops: Tensor, low: float, high: float) -> Tensor:
    """(N, 1, 1, 1) a number for each crop."""
    return torch.empty(len(crops), 1, 1, 1, device=crops.device).uniform_(low, high)


def _log_uniform(crops: Tensor, low: float, high: float) -> Tensor:
    return _uniform(crops, math.log(low), math.log(high)).exp()


def _spread_about_one(crops: Tensor, spread: float, channels: int) -> Tensor:
    """(N, channels, 1, 1) factors."""
    return (torch.randn(len(crops), channels, 1, 1, device=crops.device) * spread).exp()


def _places(crops: Tensor) -> tuple[Tensor, Tensor]:
    """x (1, 1, 1, W) and y (1, 1, H, 1) from the middle, in halves of a side."""
    height, width = crops.shape[2:]
    x, y = (torch.linspace(-1, 1, count, device=crops.device) for count in (width, height))
    return x.view(1, 1, 1, -1), y.view(1, 1, -1, 1)


def _field(crops: Tensor, rows: int, columns: int, channels: int = 1) -> Tensor:
    """(N, channels, H, W): smooth noise of so many cells."""
    coarse = torch.randn(len(crops), channels, rows, columns, device=crops.device)
    return fn.interpolate(coarse, crops.shape[2:], mode="bicubic", align_corners=False)


def _uneven(crops: Tensor) -> Tensor:
    """Light that is stronger on one side."""
    return crops * (_field(crops, 3, 3) * _uniform(crops, 0.05, 0.35)).exp()


def _shadow(crops: Tensor) -> Tensor:
    """The shadow of a nearby object, with a straight edge."""
    x, y = _places(crops)
    angle = _uniform(crops, 0, 2 * math.pi)
    distance = angle.cos() * x + angle.sin() * y - _uniform(crops, -0.8, 0.8)
    cover = (0.5 + distance / _log_uniform(crops, 0.02, 0.3)).clamp(0, 1)
    return crops * (1 - _uniform(crops, 0.2, 0.6) * cover)


def _highlight(crops: Tensor) -> Tensor:
    """A lamp's reflection."""
    x, y = _places(crops)
    wide, tall = _log_uniform(crops, 0.04, 0.35), _log_uniform(crops, 0.04, 0.35)
    across, down = ((of - _uniform(crops, -0.8, 0.8)) / size for of, size in ((x, wide), (y, tall)))
    spot = torch.exp(-(across**2) - down**2) * _uniform(crops, 0.3, 1.5)
    return crops + spot.clamp(0, 1) * (0.98 - crops)


def _grain(crops: Tensor) -> Tensor:
    """Fibres, weave or stone: brighter and darker spots, often drawn out one way."""
    rows, columns = (int(math.exp(edge)) for edge in torch.empty(2).uniform_(math.log(6), math.log(80)).tolist())
    return crops * (1 + _uniform(crops, 0.03, 0.18) * _field(crops, rows, columns))


def _blurred(crops: Tensor) -> Tensor:
    """Out of focus."""
    return softened(crops, _uniform(crops, 0.4, 1.8))


def _moved(crops: Tensor) -> Tensor:
    """Motion blur."""
    return smeared(crops, _uniform(crops, 2, 8))


def _exposed(crops: Tensor) -> Tensor:
    """Underexposed or, twice as often, overexposed: white areas then show nothing."""
    long = _uniform(crops, 0, 1) < 2 / 3
    return crops * torch.where(long, _log_uniform(crops, 1.3, 3.5), _log_uniform(crops, 0.2, 0.7))


def _sharpened(crops: Tensor) -> Tensor:
    """Sharpened, as many cameras do."""
    return crops + _uniform(crops, 0.3, 1.5) * (crops - softened(crops, _uniform(crops, 0.8, 2.0)))


def _noisy(crops: Tensor) -> Tensor:
    """Low light: noise, per pixel or in blotches."""
    step = int(torch.randint(1, 4, ()))
    height, width = crops.shape[2:]
    return crops + _uniform(crops, 2 / 255, 16 / 255) * _field(crops, -(-height // step), -(-width // step), 3)


def _packed(crops: Tensor) -> Tensor:
    return jpeg(crops, _log_uniform(crops, 0.015, 0.06))


Change = Callable[[Tensor], Tensor]
CHANGES: Final[tuple[tuple[Change, float], ...]] = (
    (_uneven, 0.25), (_shadow, 0.1), (_highlight, 0.12), (_grain, 0.15), (_blurred, 0.12), (_moved, 0.08),
    (_exposed, 0.16), (_noisy, 0.2), (_sharpened, 0.12), (_packed, 0.15),
)  # fmt: skip
"""The corruptions, in physical order, and their probabilities."""
