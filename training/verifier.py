"""Trains the verifier: does a die lie in this box? It sees the box with what lies around it.

The face finder looks at a die as closely as it can, and from so near a key of a keyboard is a die from above, and a
highlight on a ball is a pip. Its neighbours, its shadow and the table tell them apart.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from training.eyes import FORGOTTEN, Eyes, export, judging
from training.precision import device, forward_pass
from training.timed import Timed, load_checkpoint
from training.verifier_windows import Floats, Windows, batches, middle


class Verifier(nn.Module):
    """(N, 3, CROP, CROP) BGR in 0 … 1 to (N,) logits of a die in the middle."""

    def __init__(self, *, taught: bool = False) -> None:
        """`taught` begins with what ImageNet taught (`training.eyes`)."""
        super().__init__()
        self.eyes = Eyes(taught=taught)
        self.judged = judging(1)

    def forward(self, windows: Tensor) -> Tensor:
        """See the class."""
        seen = self.eyes(windows)[-1]
        return self.judged(fn.dropout2d(seen, FORGOTTEN, self.training))[:, 0]


def train_verifier(
    windows: Windows,
    kept: Windows,
    checkpoint: Path,
    *,
    minutes: float,
    seed: int = 0,
    batch: int = 64,
    rate: float = 1e-3,
    threads: int = 2,
    resume: bool = False,
    start: Path | None = None,
) -> None:
    """Train for `minutes` of wall time with a cosine rate; the checkpoint is written every minute.

    `start` is a checkpoint to begin from; without one it begins with what ImageNet taught. `kept` are windows that are
    never trained on; they are measured at every tenth of the time.
    """
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    network = Verifier(taught=start is None).to(device(), memory_format=torch.channels_last)
    if start is not None:
        network.load_state_dict(load_checkpoint(start)["network"])
    training = Timed(network, checkpoint, minutes=minutes, rate=rate, decay=1e-2, resume=resume)
    for pixels, dice in batches(windows, batch, np.random.default_rng([seed, training.steps])):

        def loss(pixels: Floats = pixels, dice: Floats = dice) -> Tensor:
            with forward_pass():
                judged = network(torch.from_numpy(pixels).to(device(), memory_format=torch.channels_last))
            softened = torch.from_numpy(dice).to(device()) * 0.98 + 0.01
            return fn.binary_cross_entropy_with_logits(judged.float(), softened)

        if not training.step(loss, lambda: measure(network, kept)):
            return


def measure(network: Verifier, windows: Windows) -> str:
    """Share judged right of the windows with and without a die, as one line."""
    network.eval()
    parts: list[Tensor] = []
    with torch.inference_mode():
        for start in range(0, len(windows), 200):
            seen = middle(windows.pixels[start : start + 200]).transpose(0, 3, 1, 2).astype(np.float32) / 255
            parts.append(network(torch.from_numpy(seen).to(device())).cpu())
    likely = torch.cat(parts).numpy() > 0
    accepted, refused = likely[windows.dice].mean(), (~likely[~windows.dice]).mean()
    return f"        dice accepted {accepted:.4f} of {windows.dice.sum()}, others refused {refused:.4f}"


def export_verifier(checkpoint: Path, target: Path) -> None:
    """Write the trained network as ONNX.

    Input `windows` uint8 (N, CROP, CROP, 3) BGR; output `die` (N,), the chance of a die in the middle.
    """
    network = Verifier()
    network.load_state_dict(load_checkpoint(checkpoint)["network"])
    network.eval()

    class Wrapped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = network

        def forward(self, windows: Tensor) -> Tensor:
            return self.inner(windows.permute(0, 3, 1, 2).float() / 255).sigmoid()

    export(Wrapped(), target, "windows", ("die",))
