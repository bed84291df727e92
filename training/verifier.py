"""Trains the verifier: is there a die in this box? It sees the box with its surroundings.

The face finder looks at dice so closely that a key of a keyboard looks like a die from above, and a highlight on a ball
like a pip. Neighbours, shadow and table tell them apart.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from training.backbone import DROPOUT, Backbone, OnCrops, classifier, export
from training.corruptions import coarsened, corrupted, recoloured, turned
from training.timed import Run, device, forward_pass, trained
from training.windows import FAR_AWAY, Windows, batches, middle


class Verifier(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to (N,) logits of a die in the middle."""

    def __init__(self, *, pretrained: bool = False) -> None:
        """See `training.backbone.Backbone`."""
        super().__init__()
        self.backbone = Backbone(pretrained=pretrained)
        self.head = classifier(1)

    def forward(self, windows: Tensor) -> Tensor:
        """See the class."""
        return self.head(fn.dropout2d(self.backbone(windows)[-1], DROPOUT, self.training))[:, 0]


def train_verifier(windows: Windows, kept: Windows, run: Run, batch: int = 64) -> None:
    """Train on `windows`; `kept` are only for measuring."""

    def loss(network: Verifier, pixels: Tensor, dice: Tensor) -> Tensor:
        light = coarsened(pixels.permute(0, 3, 1, 2).float() / 255, FAR_AWAY)
        for lying in (torch.rand(len(light)) < 0.1).nonzero()[:, 0].tolist():
            light[lying] = torch.rot90(light[lying], int(torch.randint(1, 4, ())), (1, 2))
        light, _ = turned(light, light.new_zeros(len(light), 1, 2), 8.0, 0.1)
        light = recoloured(corrupted(light))
        with forward_pass():
            logits = network(light.contiguous(memory_format=torch.channels_last))
        return fn.binary_cross_entropy_with_logits(logits.float(), dice * 0.98 + 0.01)

    run.train(
        lambda pretrained: Verifier(pretrained=pretrained),
        lambda steps, worker: batches(windows, batch, run.chance(steps, worker)), loss,
        lambda network: measure(network, kept), decay=1e-2,
    )  # fmt: skip


def measure(network: Verifier, windows: Windows) -> str:
    """Accuracy on windows with and without a die, as one line."""
    parts: list[Tensor] = []
    for start in range(0, len(windows), 200):
        pixels = middle(windows.pixels[start : start + 200]).transpose(0, 3, 1, 2).astype(np.float32) / 255
        parts.append(network(torch.from_numpy(pixels).to(device())).cpu())
    likely = torch.cat(parts).numpy() > 0
    accepted, refused = likely[windows.dice].mean(), (~likely[~windows.dice]).mean()
    return f"        dice accepted {accepted:.4f} of {windows.dice.sum()}, others refused {refused:.4f}"


def export_verifier(checkpoint: Path, target: Path) -> None:
    """Write ONNX: `windows` uint8 (N, CROP, CROP, 3) BGR to `die` (N,), the probability of a die in the middle."""
    export(OnCrops(trained(Verifier, checkpoint), torch.sigmoid), target, "windows", ("die",))
