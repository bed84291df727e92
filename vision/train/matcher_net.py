"""The matcher's network: a rectified face in, a point on the unit sphere out; and its ONNX export."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from vision.rectify import FACE_SIZE

__all__ = ["MatcherNet", "export"]

WIDTHS: Final = (32, 64, 128)
EMBEDDING: Final = 128


class _Block(nn.Module):
    """Two 3x3 convolutions beside a shortcut (He et al. 2015, https://arxiv.org/abs/1512.03385)."""

    def __init__(self, wide_in: int, wide_out: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(wide_in, wide_out, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(wide_out)
        self.second = nn.Conv2d(wide_out, wide_out, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(wide_out)
        self.shortcut: nn.Module = nn.Identity()
        if wide_in != wide_out or stride != 1:
            self.shortcut = nn.Sequential(
                nn.AvgPool2d(stride), nn.Conv2d(wide_in, wide_out, 1, bias=False), nn.BatchNorm2d(wide_out)
            )

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(self.second_norm(self.second(y)) + self.shortcut(x))


class MatcherNet(nn.Module):
    """Faces (N, 48, 48, 3) uint8 BGR to (N, 128) float32 unit rows.

    Exposure and colour cast of the whole picture are taken out first; a fourth channel tells contrast
    without its sign, since the same symbol is dark on light and light on dark. Features keep their 6 x 6
    places to the end: where things are is what tells one layout of pips from another.
    """

    def __init__(self) -> None:
        """A network with random weights."""
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(4, WIDTHS[0], 5, 2, 2, bias=False), nn.BatchNorm2d(WIDTHS[0]), nn.ReLU()
        )
        self.body = nn.Sequential(
            _Block(WIDTHS[0], WIDTHS[0], 1), _Block(WIDTHS[0], WIDTHS[1], 2), _Block(WIDTHS[1], WIDTHS[2], 2)
        )
        self.head = nn.Linear(WIDTHS[2] * (FACE_SIZE // 8) ** 2, EMBEDDING)

    def forward(self, faces: Tensor) -> Tensor:
        """Points on the unit sphere, as the class says."""
        x = faces.permute(0, 3, 1, 2).float() / 255
        x = x - x.mean(dim=(1, 2, 3), keepdim=True)
        x = x / (x.square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + 0.03)
        luma = x.mean(dim=1, keepdim=True)
        local = nn.functional.avg_pool2d(luma, 13, 1, 6, count_include_pad=False)
        x = torch.cat([x, (luma - local).abs()], dim=1).contiguous(memory_format=torch.channels_last)
        return nn.functional.normalize(self.head(self.body(self.stem(x)).flatten(1)).float(), dim=1)


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
