"""Trains the reader of numerals on drawn faces: first a bank of them, then a small network that reads their ink."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.eyes import convolved, export
from training.numeral_shots import NumeralShots
from training.precision import device
from training.synth.symbols_build import load
from training.timed import Timed, load_checkpoint
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Faces
from vision.numerals import NUMERALS, inked
from vision.rectify import FACE_SIZE

BATCH: Final = 192
PART: Final = 2000
"""Faces in a part of the bank, all of one shape."""
DOUBTED: Final = 0.02
"""Of each label, what is shared out to all numerals."""
OCTAHEDRA: Final = 2
"""Of three parts of the bank, how many show triangles: that is where numerals are."""
WIDTHS: Final = (24, 32, 64, 96)
"""Channels at a half, a quarter and an eighth of the face's side, and of what is judged."""


class NumeralNet(nn.Module):
    """Ink (N, 2, 64, 64), as `vision.numerals.inked` makes it, to (N, len(NUMERALS)) logits."""

    def __init__(self) -> None:
        """Begin with weights drawn by chance."""
        super().__init__()
        first, second, third, last = WIDTHS
        self.seen = nn.Sequential(
            *convolved(2, first, 5, 2), convolved(first, second, stride=2), convolved(second, second),
            convolved(second, third, stride=2), convolved(third, third), convolved(third, third),
        )  # fmt: skip
        self.judged = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(third * (FACE_SIZE // 8) ** 2, last), nn.ReLU(),
            nn.Linear(last, len(NUMERALS)),
        )  # fmt: skip

    def forward(self, ink: Tensor) -> Tensor:
        """See the class."""
        return self.judged(self.seen(ink))


@dataclass(frozen=True, eq=False, slots=True)
class Bank:
    """Drawn faces of one shape."""

    shape: Shape
    faces: Faces
    """(N, 64, 64, 3) BGR."""
    allowed: NDArray[np.bool_]
    """(N, len(NUMERALS)) what each may be called."""


def bank(folder: Path, parts: int, seed: int, workers: int, size: int = PART) -> list[Bank]:
    """So many parts of `size` faces, drawn where they are not there yet, and before them one of kept typefaces."""
    folder.mkdir(parents=True, exist_ok=True)
    load()  # collected once, and not by each worker
    wanted = [(folder, number, seed, size) for number in range(parts + 1)]
    with mp.get_context("spawn").Pool(workers) as pool:
        pool.starmap(_draw, wanted)
    return [_read(folder / f"{number}.npz") for number in range(parts + 1)]


def _draw(folder: Path, number: int, seed: int, size: int) -> None:
    path = folder / f"{number}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    shape = Shape.OCTAHEDRON if number % 3 < OCTAHEDRA else Shape.CUBE
    rng = np.random.default_rng([seed, number])
    faces, allowed = NumeralShots(load(), held_out=number == 0).draw(rng, size, shape)
    part = path.with_suffix(".part.npz")
    np.savez(part, shape=SHAPES.index(shape), faces=faces, allowed=allowed)
    part.replace(path)


def _read(path: Path) -> Bank:
    with np.load(path) as stored:
        return Bank(SHAPES[int(stored["shape"])], stored["faces"], stored["allowed"])


def batches(banks: list[Bank], rng: np.random.Generator) -> Iterator[tuple[Tensor, Tensor]]:
    """Ink and labels for ever, each time in other contrasts, and cubes in other turns."""
    while True:
        of = banks[int(rng.integers(len(banks)))]
        chosen = rng.integers(0, len(of.faces), BATCH)
        ink = inked(of.faces[chosen], of.shape)
        ink *= np.where(rng.random((BATCH, 1, 1, 1)) < 0.2, -1, 1) * rng.uniform(0.8, 1.2, (BATCH, 1, 1, 1))
        ink += (
            rng.standard_normal(ink.shape, np.float32) * rng.uniform(0, 0.25, (BATCH, 1, 1, 1)) * (ink != 0)
        )
        if of.shape.fills:
            ink = np.stack([np.rot90(one, int(rng.integers(4)), axes=(1, 2)) for one in ink])
        yield torch.from_numpy(ink.astype(np.float32)), torch.from_numpy(of.allowed[chosen])


def train_numerals(
    folder: Path,
    checkpoint: Path,
    *,
    minutes: float,
    parts: int = 45,
    size: int = PART,
    seed: int = 1,
    rate: float = 2e-3,
    threads: int = 2,
    resume: bool = False,
    start: Path | None = None,
) -> None:
    """Train for `minutes` of wall time with a cosine rate; the bank in `folder` is drawn before, if it is not there.

    `start` is a checkpoint to begin from; without one it begins with weights drawn by chance.
    """
    kept, *banks = bank(folder, parts, seed, threads, size)
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    network = NumeralNet().to(device(), memory_format=cast(Any, torch.channels_last))
    if start is not None:
        network.load_state_dict(load_checkpoint(start)["network"])
    training = Timed(network, checkpoint, minutes=minutes, rate=rate, decay=0.02, resume=resume)
    for ink, allowed in batches(banks, np.random.default_rng([seed, training.steps])):

        def loss(ink: Tensor = ink, allowed: Tensor = allowed) -> Tensor:
            likely = network(ink.to(device())).log_softmax(dim=1)
            named = likely.masked_fill(~allowed.to(device()), -1e4).logsumexp(dim=1)
            return -((1 - DOUBTED) * named + DOUBTED * likely.mean(dim=1)).mean()

        if not training.step(loss, lambda: measure(network, kept)):
            return


def measure(network: NumeralNet, kept: Bank) -> str:
    """Share named right of numerals and of what is none, as one line."""
    network.eval()
    with torch.inference_mode():
        ink = torch.from_numpy(inked(kept.faces, kept.shape)).to(device())
        named = network(ink).cpu().numpy().argmax(axis=1)
    right = kept.allowed[np.arange(len(named)), named]
    none = kept.allowed[:, 0]
    numerals, others = (f"{right[of].mean():.4f} of {of.sum()}" for of in (~none, none))
    return f"        numerals {numerals}, others {others}"


def export_numerals(checkpoint: Path, target: Path) -> None:
    """Write the trained network as ONNX: ``ink`` (n, 2, 64, 64), ``numerals`` (n, len(NUMERALS)) summing to 1."""
    network = NumeralNet()
    network.load_state_dict(load_checkpoint(checkpoint)["network"])
    judged = nn.Sequential(network.eval(), nn.Softmax(dim=1))
    export(judged, target, "ink", ("numerals",), torch.zeros(2, 2, FACE_SIZE, FACE_SIZE))
