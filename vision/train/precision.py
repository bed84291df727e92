"""Whether this processor computes faster in bfloat16: some do it twice as fast, some imitate it ten times as slowly."""

from __future__ import annotations

import time
from functools import cache

import torch
from torch.nn import functional as fn

ROUNDS = 4


@cache
def bfloat16_pays() -> bool:
    """Measure it: one convolution of the size that the networks have, in both."""
    pixels, weights = torch.rand(8, 32, 48, 48), torch.rand(32, 32, 3, 3)
    return _seconds(pixels.bfloat16(), weights.bfloat16()) < _seconds(pixels, weights)


def _seconds(pixels: torch.Tensor, weights: torch.Tensor) -> float:
    """The least of some rounds."""
    taken: list[float] = []
    with torch.inference_mode():
        for _ in range(ROUNDS):
            started = time.perf_counter()
            fn.conv2d(pixels, weights, padding=1)
            taken.append(time.perf_counter() - started)
    return min(taken)


def forward_pass() -> torch.autocast:
    """The context to run a network in while it is trained."""
    return torch.autocast("cpu", torch.bfloat16, enabled=bfloat16_pays())
