"""What the face finder and the verifier have in common: the levels that see, and how they are written as ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from vision.crops import CROP

FORGOTTEN = 0.15
"""Part of what is seen that a training step hides from a judgement, so that it rests on more than one sign."""


def channels(width: int) -> tuple[int, int, int, int]:
    """Channels of the four levels."""
    return width, 2 * width, 3 * width, 5 * width


def levels(width: int) -> tuple[nn.Module, nn.Module, nn.Module, nn.Module]:
    """What sees, each level half as fine as the one before; the stem comes before the first."""
    a, b, c, d = channels(width)
    return (
        convolved(a, a),
        nn.Sequential(convolved(a, b, 2), convolved(b, b)),
        nn.Sequential(convolved(b, c, 2), convolved(c, c)),
        nn.Sequential(convolved(c, d, 2), convolved(d, d), convolved(d, d)),
    )


def convolved(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """A convolution of 3 × 3, normalised over the batch, with what is below zero cut off."""
    convolution = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


def export(network: nn.Module, target: Path, seen: str, told: Sequence[str]) -> None:
    """Write a network of uint8 (N, CROP, CROP, 3) BGR crops as ONNX; `seen` and `told` name its input and outputs."""
    sample = torch.zeros(2, CROP, CROP, 3, dtype=torch.uint8)
    torch.onnx.export(
        network, (sample,), str(target), input_names=[seen], output_names=list(told),
        dynamic_axes={name: {0: "n"} for name in (seen, *told)}, opset_version=17, dynamo=False,
    )  # fmt: skip
