"""The matcher's network: a rectified face in, a point on the unit sphere out; and its ONNX export."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from training.eyes import CHANNELS, Eyes, convolved
from vision.rectify import FACE_SIZE

__all__ = ["MatcherNet", "export"]

SIGNLESS: Final = (16, 32, 48)
"""Channels of what sees contrast without its sign, which are a half, a quarter and an eighth as fine as the face."""
TOGETHER: Final = 64
"""Channels of what all of them see together."""
EMBEDDING: Final = 128
FAINTEST: Final = 0.03
"""Contrast, of 1, that is not enlarged any more: what lies below is noise."""
USUAL: Final = 0.5
"""Root of the mean square of what the eyes were taught with."""
AROUND: Final = 17
"""Side in pixels of what a pixel's brightness is compared with."""


class MatcherNet(nn.Module):
    """Faces (N, 64, 64, 3) uint8 BGR to (N, 128) float32 unit rows.

    Exposure and colour cast of the whole picture are taken out first. Beside the eyes, which know light from dark, a
    small part sees contrast without its sign, since the same symbol is dark on light and light on dark. Features keep
    their 8 × 8 places to the end: where things are is what tells one layout of pips from another.
    """

    def __init__(self, *, taught: bool = False) -> None:
        """`taught` begins with what ImageNet taught; otherwise a checkpoint is to be read into it."""
        super().__init__()
        self.eyes = Eyes(taught=taught)
        first, second, third = SIGNLESS
        self.signless = nn.Sequential(
            *convolved(1, first, 5, 2), convolved(first, second, stride=2), convolved(second, second),
            convolved(second, third, stride=2), convolved(third, third),
        )  # fmt: skip
        self.together = convolved(sum(CHANNELS[-2:]) + third, TOGETHER, 1)
        self.head = nn.Linear(TOGETHER * (FACE_SIZE // 8) ** 2, EMBEDDING)

    def forward(self, faces: Tensor) -> Tensor:
        """Points on the unit sphere, as the class says."""
        x = faces.permute(0, 3, 1, 2).float() / 255
        x = x - x.mean(dim=(1, 2, 3), keepdim=True)
        x = x / (x.square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + FAINTEST)
        luma = x.mean(dim=1, keepdim=True)
        local = fn.avg_pool2d(luma, AROUND, 1, AROUND // 2, count_include_pad=False)
        signless = self.signless((luma - local).abs())
        *_, finer, coarser = self.eyes.levels_of(
            (x * USUAL).contiguous(memory_format=torch.channels_last).flip(1)
        )
        seen = torch.cat([finer, fn.interpolate(coarser, scale_factor=2.0), signless], dim=1)
        return fn.normalize(self.head(self.together(seen).flatten(1)).float(), dim=1)


def export(net: MatcherNet, path: Path) -> None:
    """Write the network as ONNX (opset 17, input ``faces``, output ``embeddings``, any batch)."""
    net = net.eval()
    example = torch.zeros(2, FACE_SIZE, FACE_SIZE, 3, dtype=torch.uint8)
    options: dict[str, Any] = {
        "input_names": ["faces"],
        "output_names": ["embeddings"],
        "dynamic_axes": {"faces": {0: "n"}, "embeddings": {0: "n"}},
        "opset_version": 17,
        "dynamo": False,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(net, (example,), str(path), **options)
    _halve(path)


def _halve(path: Path) -> None:
    """Store large tensors as float16, cast to float32 on opening: half the size, the same speed."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model: Any = onnx.load(str(path))
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
    onnx.save(model, str(path))
