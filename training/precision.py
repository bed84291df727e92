"""What training computes on, and how precisely: a GPU where there is one, else the processor.

Some processors compute in bfloat16 twice as fast, some imitate it ten times as slowly.
"""

from __future__ import annotations

import time
from functools import cache

import torch
from torch.nn import functional as fn

ROUNDS = 4


@cache
def device() -> torch.device:
    """The GPU (CUDA, or ROCm under that name) where PyTorch finds one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


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
    on_gpu = device().type == "cuda"
    pays = torch.cuda.is_bf16_supported() if on_gpu else bfloat16_pays()
    return torch.autocast(device().type, torch.bfloat16, enabled=pays)
