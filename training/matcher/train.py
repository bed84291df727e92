"""Trains the matcher: InfoNCE over symbols, hard neighbours mined as it learns, checkpoints that can be resumed.

The loss is the supervised contrastive loss (Khosla et al. 2020, https://arxiv.org/abs/2004.11362, L_out).
Both views of a symbol are turned alike and every symbol by a turn of its own, so that telling symbols apart
over all turns is learned without embedding all turns: at the table the gallery is embedded in every turn and
the best one counts.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn
from torch.utils.data import Dataset

from training.backbone import CHANNELS, Backbone, convolved, export, in_halves
from training.matcher.batches import APPARENTLY, NEIGHBOURS, UNDECIDED, VIEWS, Batches
from training.matcher.photographs import Photographed
from training.matcher.shots import library_face
from training.matcher.studio import Studio
from training.synth.collect import load
from training.synth.symbols import Library
from training.timed import Run, device, forward_pass, trained
from vision.dicesets.shapes import Shape
from vision.rectify import FACE_SIZE
from vision.render.faces import FaceLook

SIGNLESS: Final = (16, 32, 48)
"""Channels of what sees contrast without its sign, which are a half, a quarter and an eighth as fine as the face."""
TOGETHER: Final = 64
"""Channels of what all of them see together."""
EMBEDDING: Final = 128
FAINTEST: Final = 0.03
"""Contrast, of 1, that is not enlarged any more: what lies below is noise."""
USUAL: Final = 0.5
"""Root of the mean square of the pictures that the backbone was trained on."""
AROUND: Final = 17
"""Side in pixels of what a pixel's brightness is compared with."""


FEATURES: Final = sum(CHANNELS[-2:]) + SIGNLESS[-1]
"""Channels of a face's features, which have 8 × 8 places."""


class MatcherNet(nn.Module):
    """Faces (N, 64, 64, 3) uint8 BGR to (N, 128) float32 unit rows.

    Exposure and colour cast of the whole picture are taken out first. Beside the backbone, which knows light from dark,
    a small part sees contrast without its sign, since the same symbol is dark on light and light on dark. Features keep
    their 8 × 8 places to the end: where things are is what tells one layout of pips from another.
    """

    def __init__(self, *, pretrained: bool = False) -> None:
        """See `training.backbone.Backbone`."""
        super().__init__()
        self.backbone = Backbone(pretrained=pretrained)
        first, second, third = SIGNLESS
        self.signless = nn.Sequential(
            *convolved(1, first, 5, 2), convolved(first, second, stride=2), convolved(second, second),
            convolved(second, third, stride=2), convolved(third, third),
        )  # fmt: skip
        self.together = convolved(FEATURES, TOGETHER, 1)
        self.head = nn.Linear(TOGETHER * (FACE_SIZE // 8) ** 2, EMBEDDING)

    def forward(self, faces: Tensor) -> Tensor:
        """See the class."""
        return self.seen(faces)[1]

    def seen(self, faces: Tensor) -> tuple[Tensor, Tensor]:
        """The features (N, FEATURES, 8, 8) of faces, and their points (N, 128)."""
        x = faces.permute(0, 3, 1, 2).float() / 255
        x = x - x.mean(dim=(1, 2, 3), keepdim=True)
        x = x / (x.square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + FAINTEST)
        luma = x.mean(dim=1, keepdim=True)
        local = fn.avg_pool2d(luma, AROUND, 1, AROUND // 2, count_include_pad=False)
        signless = self.signless((luma - local).abs())
        *_, finer, coarser = self.backbone.levels_of(
            (x * USUAL).contiguous(memory_format=torch.channels_last).flip(1)
        )
        features = torch.cat([finer, fn.interpolate(coarser, scale_factor=2.0), signless], dim=1)
        return features, fn.normalize(self.head(self.together(features).flatten(1)).float(), dim=1)


TEMPERATURE: Final = 0.06
AS_GOOD_AS_THE_SAME: Final = 0.93
"""Apparently different symbols with at least this cosine are not told apart."""
MINE_EVERY: Final = 400
"""Steps between two searches for each icon's nearest neighbours."""
AVERAGE: Final = 0.996
"""Decay of the running average of the weights, which is what is exported."""
PLAIN: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=(35.0, 35.0, 35.0))
COLOUR: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=None)


def loss_of(embeddings: Tensor, classes: Tensor, apart: Tensor) -> Tensor:
    """Supervised contrastive loss of a batch's embeddings (rows as in `Batch.rows`)."""
    classes, apart = classes.repeat(VIEWS), apart.repeat(VIEWS, VIEWS)
    n = len(classes)
    logits = embeddings[:n] @ embeddings.T / TEMPERATURE
    hidden = torch.zeros_like(logits, dtype=torch.bool)
    same = (apart == APPARENTLY) & (logits.detach()[:, :n] > AS_GOOD_AS_THE_SAME / TEMPERATURE)
    hidden[:, :n] = (apart == UNDECIDED) | same | torch.eye(n, dtype=torch.bool, device=embeddings.device)
    positive = torch.zeros_like(hidden)
    positive[:, :n] = classes[:, None] == classes[None, :]
    positive &= ~hidden
    logits = logits.masked_fill(hidden, -1e4)
    # Every positive competes with the negatives only, not with the other positives.
    negatives = torch.logsumexp(logits.masked_fill(positive, -1e4), dim=1, keepdim=True)
    each = torch.logaddexp(logits, negatives) - logits
    return (each * positive).sum() / positive.sum()


class _Icons(Dataset[NDArray[np.uint8]]):
    """Each icon's face (64, 64, 3) as it is compared with the others when neighbours are looked for."""

    def __init__(self, batches: Batches) -> None:
        self._library, self._icons = batches.library, batches.icons

    def __len__(self) -> int:
        return len(self._icons)

    def __getitem__(self, number: int) -> NDArray[np.uint8]:
        icon = self._icons[number]
        art = self._library.art(icon, np.random.default_rng(0))
        return library_face(art, Shape.CUBE, COLOUR if icon.coloured else PLAIN)


class Neighbours:
    """Which icons are hard to tell apart, as the network finds them now."""

    def __init__(self, batches: Batches, run: Run, folder: Path) -> None:
        """Write NEIGHBOURS into `folder`."""
        self._batches, self._run, self._folder = batches, run, folder

    @cached_property
    def _faces(self) -> list[Tensor]:
        return list(self._run.loader(_Icons(self._batches), 256))

    def mine(self, network: MatcherNet, keep: int = 16) -> None:
        """Write each icon's nearest other icons, for the processes that draw batches."""
        network.eval()
        with torch.inference_mode(), forward_pass():
            seen = [network(faces.to(device())).float() for faces in self._faces]
        network.train()
        embeddings = torch.cat(seen)
        rows: list[NDArray[np.int32]] = []
        for some in embeddings.split(1024):
            near = some @ embeddings.T
            # Above 0.97 it is practically the same drawing under another name.
            near.masked_fill_(near > 0.97, -2.0)
            rows.append(near.topk(min(keep, len(embeddings)), dim=1).indices.cpu().numpy().astype(np.int32))
        part = self._folder / f"part-{NEIGHBOURS}"
        np.save(part, np.concatenate(rows))
        part.rename(self._folder / NEIGHBOURS)


def train_matcher(
    run: Run, photographed: Photographed | None = None, *, together: int = 1, library: Library | None = None
) -> None:
    """Train a matcher; `training.matcher.measure` fits its confidences once it is exported.

    `together` blocks make a batch; `photographed` faces take the place of some drawn pips. The symbols are collected on
    the first call where no `library` is given. The same seed gives the same pictures; how many of them fit into the
    minutes depends on the machine.
    """
    folder = run.checkpoint.parent
    folder.mkdir(parents=True, exist_ok=True)
    batches = Batches(library if library is not None else load(), folder, photographed)
    neighbours = Neighbours(batches, run, folder)
    studio = Studio(batches.library, batches.arts, device(), photographed)

    def drawn(steps: int, worker: int) -> Generator[tuple[np.ndarray[Any, Any], ...]]:
        chance = run.chance(steps, worker)
        while True:
            batch = batches.draw(chance, together)
            yield batch.rows, batch.square, batch.classes, batch.apart

    def loss(network: MatcherNet, rows: Tensor, square: Tensor, classes: Tensor, apart: Tensor) -> Tensor:
        with torch.no_grad():
            faces = studio.shoot(rows, square)
        losses: list[Tensor] = []
        # Mirrored and in other colours they count as other symbols.
        for seen in (faces, faces.flip(3)[:, torch.randperm(3)]):
            with forward_pass():
                embeddings = network((seen * 255).permute(0, 2, 3, 1))
            losses.append(loss_of(embeddings, classes, apart))
        return torch.stack(losses).mean()

    def mine(network: MatcherNet, steps: int) -> None:
        if steps % MINE_EVERY == 0 or (steps == 1 and run.start is not None):
            neighbours.mine(network)

    run.train(
        lambda pretrained: MatcherNet(pretrained=pretrained), drawn, loss, lambda network: "",
        decay=0.02, clip=1.0, average=AVERAGE, each_step=mine,
    )  # fmt: skip


def export_matcher(checkpoint: Path, target: Path) -> None:
    """Write ONNX: ``faces`` uint8 (n, 64, 64, 3) to ``embeddings`` (n, 128).

    Large tensors are stored as float16 and cast to float32 on opening: half the size, the same speed.
    """
    sample = torch.zeros(2, FACE_SIZE, FACE_SIZE, 3, dtype=torch.uint8)
    export(trained(MatcherNet, checkpoint), target, "faces", ("embeddings",), sample)
    in_halves(target)
