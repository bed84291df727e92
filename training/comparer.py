"""Trains the comparer: draws faces as pictures to enrol from and as dice at a table, then trains a network that says
whether two of them show the same drawing.

The features that it compares are the matcher's, which stay as they are: faces are drawn, seen by the matcher and kept,
so that each counts in many pairs. The same drawing in other colours is the same face, as sets come in several colours;
a drawing that is only similar is another one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from training.backbone import convolved, export, in_halves
from training.bank import stored
from training.matcher.batches import CLEAR, GROUP, MILD, NEIGHBOURS, Batches, in_typeface, own_look
from training.matcher.studio import Showing, Studio, row
from training.matcher.train import FEATURES, MatcherNet, Neighbours
from training.synth.collect import load
from training.synth.looks import clear_look, random_look
from training.synth.symbols import Symbol
from training.timed import Batch, Run, device, load_checkpoint, trained
from vision.comparer import COMPARED_AT, compared
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Points
from vision.rectify import FACE_SIZE, turns
from vision.remembered import Arrays
from vision.render.faces import FaceLook

GROUPS: Final = 8
"""Groups of symbols in a part of the bank; the dice of a group look alike."""
HELD_OUT: Final = 8
"""Parts that show held-out symbols, to measure with."""
SHOTS: Final = 2
"""Dice at a table for each symbol."""
MOST_WEAR: Final = 0.15
"""Nobody enrols dice with worn-off pictures."""
OF_ITS_OWN: Final = 0.25
"""Share of groups in which each die has a look of its own;"""
RECOLOURED: Final = 0.3
"""share of dice at a table that have other colours than the die that was enrolled;"""
LESS_OFTEN: Final = {"pips": 0.3, "blank": 0.3, "glyph": 0.4}
"""share of the matcher's groups of these kinds that are drawn."""
TOGETHER: Final = 3
"""Parts whose faces are compared in one step,"""
BATCH: Final = 384
"""and pairs in one step."""
NEAREST: Final = 4
"""How many of a die's nearest other symbols are mined."""
SAME_DRAWING: Final = 0.93
"""Two symbols whose pictures have at least this cosine count neither as the same nor as different."""
SQUEEZED, WEIGHED = 48, 32
"""Channels of the features, and of those that are correlated."""
REACH: Final = 2
"""How far apart in cells of an eighth of a face the same detail may lie in both pictures."""
AVERAGE: Final = 0.995
"""Decay of the running average of the weights."""
MISTAKEN: Final = (0.002, 0.01)
"""Shares of different faces taken for the same ones at which the held-out figure is given."""


class ComparerNet(nn.Module):
    """Pairs of faces (N, 2, 64, 64, 3) uint8 BGR to (N,) log odds that both show the same drawing."""

    def __init__(self) -> None:
        """Initialise with random weights; `begun` gives it a matcher's."""
        super().__init__()
        self.matcher = MatcherNet()
        self.squeezed = convolved(FEATURES, SQUEEZED, 1)
        self.weighed = nn.Conv2d(FEATURES, WEIGHED, 1, bias=False)
        inputs = 4 * SQUEEZED + (2 * REACH + 1) ** 2
        self.compared = nn.Sequential(
            convolved(inputs, 96), convolved(96, 96), convolved(96, 128, stride=2), convolved(128, 64), nn.Flatten()
        )
        self.head = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(64 * (FACE_SIZE // 16) ** 2 + 1, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, pairs: Tensor) -> Tensor:
        """See the class."""
        (one, its), (other, others) = (self.matcher.seen(pairs[:, i]) for i in range(2))
        return self.same(one, other, (its * others).sum(dim=1))

    def same(self, one: Tensor, other: Tensor, cosine: Tensor) -> Tensor:
        """From the matcher's features (N, FEATURES, 8, 8) of both faces and the cosines (N,) of their points."""
        a, b = self.squeezed(one), self.squeezed(other)
        fixed, moving = (fn.normalize(self.weighed(of), dim=1) for of in (one, other))
        side, around = fixed.shape[-1], fn.pad(moving, (REACH,) * 4)
        steps = range(2 * REACH + 1)
        nearby = [(fixed * around[:, :, y : y + side, x : x + side]).sum(dim=1) for y in steps for x in steps]
        both = self.compared(torch.cat([a, b, (a - b).abs(), a * b, torch.stack(nearby, dim=1)], dim=1))
        return self.head(torch.cat([both, cosine[:, None]], dim=1))[:, 0]


def begun(matcher: Path) -> ComparerNet:
    """A new comparer with the features of a matcher's checkpoint, which are not trained further."""
    network = ComparerNet()
    network.matcher.load_state_dict(load_checkpoint(matcher)["network"])
    network.matcher.requires_grad_(requires_grad=False)
    return network


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Faces of one shape as the matcher sees them: N symbols, as pictures to enrol from and as dice at a table."""

    shape: Shape
    names: NDArray[np.str_]
    """(N,)"""
    shown: NDArray[np.float16]
    """(N, T, FEATURES, 8, 8) the pictures, in every turn,"""
    shown_at: Points
    """(N, T, D) and their points;"""
    seen: NDArray[np.float16]
    """(SHOTS * N, FEATURES, 8, 8) the dice, every symbol once, then every symbol again,"""
    seen_at: Points
    """(SHOTS * N, D) and their points."""


class _Shots:
    """Draws parts of the bank."""

    def __init__(self, matcher: Path, folder: Path, *, held_out: bool) -> None:
        """Use one side of the library's split, and the icons that the matcher finds alike (NEIGHBOURS in `folder`)."""
        library = load()
        self._batches = Batches(library, folder)
        icons = [symbol for symbol in library.symbols(held_out=True) if symbol.kind in ("icon", "colour")]
        self._held_out = {of: [icon for icon in icons if icon.coloured == of] for of in (False, True)}
        self._measuring = held_out
        self._studio = Studio(library, self._batches.arts, device())
        self._matcher = begun(matcher).matcher.to(device()).eval()

    def part(self, rng: np.random.Generator, shape: Shape) -> Part:
        """GROUPS groups of symbols, a picture to enrol from and SHOTS dice of each."""
        torch.manual_seed(int(rng.integers(1 << 62)))
        symbols: dict[str, None] = {}
        rows: list[list[list[float]]] = [[] for _ in range(1 + SHOTS)]
        for _ in range(GROUPS):
            group = [symbol for symbol in self._group(rng, shape) if symbol.name not in symbols]
            symbols |= dict.fromkeys(symbol.name for symbol in group)
            for faces, more in zip(rows, self._dressed(group, shape, rng), strict=True):
                faces += more
        told = torch.tensor([row for faces in rows for row in faces], dtype=torch.float32, device=device())
        count = len(symbols)
        with torch.inference_mode():
            shot = self._studio.shoot(told, torch.full((len(told),), shape.fills), COMPARED_AT[shape])
            faces = np.ascontiguousarray((shot * 255).round().byte().permute(0, 2, 3, 1).cpu().numpy())
            turned = np.concatenate([turns(face, shape) for face in faces[:count]])
            (shown, shown_at), (seen, seen_at) = (
                self._matcher.seen(torch.from_numpy(np.ascontiguousarray(compared(some, shape))).to(device()))
                for some in (turned, faces[count:])
            )
        each = (count, shape.symmetry)
        return Part(
            shape, np.array(list(symbols)), shown.half().cpu().numpy().reshape(*each, *shown.shape[1:]),
            shown_at.cpu().numpy().reshape(*each, -1), seen.half().cpu().numpy(), seen_at.cpu().numpy(),
        )  # fmt: skip

    def _group(self, rng: np.random.Generator, shape: Shape) -> list[Symbol]:
        if self._measuring:
            pool = self._held_out[rng.random() < 0.3]
            return [pool[int(i)] for i in rng.choice(len(pool), GROUP, replace=False)]
        while True:
            group = self._batches.group(rng, shape)
            if rng.random() < LESS_OFTEN.get(group[0].kind, 1.0):
                return group

    def _dressed(self, group: Sequence[Symbol], shape: Shape, rng: np.random.Generator) -> list[list[list[float]]]:
        """The rows of `training.matcher.studio` for a group's pictures, and for its dice each time."""
        coloured = 2 * sum(symbol.coloured for symbol in group) > len(group)
        clear = float(rng.uniform(0.4, 1.0)) if rng.random() < CLEAR[shape] / 2 else 0.0
        apart = rng.random() < OF_ITS_OWN
        typeface = self._batches.typeface(rng) if rng.random() < 0.8 else {}

        def worn(*, coloured: bool) -> FaceLook:
            look = random_look(rng, shape, coloured=coloured)
            look = replace(look, wear=min(look.wear, MOST_WEAR))
            return clear_look(look, rng) if clear else look

        one, other = (worn(coloured=coloured) for _ in range(2))
        rows: list[list[list[float]]] = [[] for _ in range(1 + SHOTS)]
        for symbol in group:
            art = self._batches.arts.of(in_typeface(typeface, symbol), rng)
            beside = self._batches.arts.of(group[int(rng.integers(len(group)))], rng)
            own = own_look(worn(coloured=symbol.coloured) if apart else one, symbol, shape, rng, 1.0)
            rows[0].append(row(own, Showing(art, beside, symbol.coloured, 0, hard=MILD, clear=clear)))
            for faces in rows[1:]:
                look = replace(own, seed=int(rng.integers(1 << 30)))
                if rng.random() < RECOLOURED and (look.ink is None) == (other.ink is None):
                    look = replace(look, body=other.body, ink=other.ink, ground=other.ground)
                faces.append(row(look, Showing(art, beside, symbol.coloured, 0, clear=clear)))
        return rows


def bank(folder: Path, matcher: Path, parts: int, run: Run) -> list[Part]:
    """So many parts, from files that are drawn if they are missing; HELD_OUT before them are of held-out symbols."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / NEIGHBOURS).exists():
        Neighbours(Batches(load()), run, folder).mine(begun(matcher).matcher.to(device()))
    drawn = stored(folder, HELD_OUT + parts, partial(_draw, folder, matcher, run.seed), run.threads)
    return [Part(Shape(str(one["shape"])), *(one[field.name] for field in fields(Part)[1:])) for one in drawn]


def _draw(folder: Path, matcher: Path, seed: int, number: int) -> Arrays:
    shots = _shots(matcher, folder, number < HELD_OUT)
    return asdict(shots.part(np.random.default_rng([seed, number]), SHAPES[number % 2]))


@cache
def _shots(matcher: Path, folder: Path, held_out: bool) -> _Shots:
    return _Shots(matcher, folder, held_out=held_out)


def pairs(parts: Sequence[Part], rng: np.random.Generator) -> Batch:
    """Pairs of faces in parts of one shape: each die with its own picture, with one of the nearest others, and with the
    nearest of eight symbols, as many as a set has; each in the turn in which the matcher finds them most alike.

    The matcher's features (P, FEATURES, 8, 8) of the pictures and of the dice, the cosines (P,) of their points, and
    whether they show the same drawing (P,).
    """
    names, pictures, shown = (
        np.concatenate(some)
        for some in zip(*((one.names, one.shown_at, one.shown) for one in parts), strict=True)
    )
    first = np.cumsum([0, *(len(one.names) for one in parts)])
    owners = np.concatenate([np.tile(np.arange(*ends), SHOTS) for ends in pairwise(first.tolist())])
    dice = np.concatenate([one.seen_at for one in parts])
    count, turned, width = pictures.shape
    flat = pictures.reshape(-1, width).T
    cosines = (dice @ flat).reshape(-1, count, turned)
    alike = (pictures[:, 0] @ flat).reshape(-1, count, turned).max(axis=2) >= SAME_DRAWING
    same = (alike | (names[:, None] == names))[owners]
    likest = np.where(same, -2.0, cosines.max(axis=2))
    chosen: list[tuple[int, int]] = []
    for die, owner in enumerate(owners.tolist()):
        near = np.argpartition(-likest[die], NEAREST)[:NEAREST]
        some = rng.choice(len(names), GROUP, replace=False)
        others = int(rng.choice(near)), int(some[likest[die, some].argmax()])
        chosen += [(die, owner), *((die, other) for other in others if not same[die, other])]
    die, face = np.array(chosen)[rng.permutation(len(chosen))[:BATCH]].T
    turn = cosines[die, face].argmax(axis=1)
    seen = np.concatenate([one.seen for one in parts])[die].astype(np.float32)
    compared = shown[face, turn].astype(np.float32)
    return compared, seen, cosines[die, face, turn], (owners[die] == face).astype(np.float32)


def train_comparer(folder: Path, matcher: Path, run: Run, parts: int = 600) -> None:
    """Train on the bank in `folder`, seen by a matcher's checkpoint; missing parts are drawn first."""
    drawn = bank(folder, matcher, parts, run)
    held_out, learnt = drawn[:HELD_OUT], drawn[HELD_OUT:]

    def batches(steps: int, worker: int) -> Generator[Batch]:
        chance = run.chance(steps, worker)
        while True:
            shape = SHAPES[int(chance.integers(len(SHAPES)))]
            own = [one for one in learnt if one.shape is shape]
            yield pairs([own[int(i)] for i in chance.choice(len(own), min(TOGETHER, len(own)), replace=False)], chance)

    def loss(network: ComparerNet, shown: Tensor, seen: Tensor, cosine: Tensor, same: Tensor) -> Tensor:
        return fn.binary_cross_entropy_with_logits(network.same(shown, seen, cosine), same)

    run.train(
        lambda pretrained: begun(matcher), batches, loss, lambda network: measure(network, held_out),
        decay=0.05, clip=1.0, average=AVERAGE,
    )  # fmt: skip


def measure(network: ComparerNet, parts: Sequence[Part]) -> str:
    """How many pairs that show the same drawing are lost if so many of the others pass, as one line."""
    told: list[NDArray[np.float32]] = []
    for shape in SHAPES:
        some = pairs([one for one in parts if one.shape is shape], np.random.default_rng(5))
        shown, seen, cosine, same = (torch.from_numpy(of).to(device()) for of in some)
        told.append(torch.stack([network.same(shown, seen, cosine), cosine, same]).cpu().numpy())
    judged, cosines, same = np.concatenate(told, axis=1)
    words: list[str] = []
    for name, by in (("lost", judged), ("by cosine alone", cosines)):
        others = np.sort(by[same == 0])[::-1]
        lost = ((by[same == 1] <= others[int(len(others) * share)]).mean() for share in MISTAKEN)
        words.append(f"{name} " + ", ".join(f"{one:.3f}" for one in lost))
    return f"        {len(same)} pairs: " + ", ".join(words)


def export_comparer(checkpoint: Path, target: Path) -> None:
    """Write the trained network as ONNX: ``pairs`` uint8 (n, 2, 64, 64, 3), ``same`` (n,) log odds."""
    sample = torch.zeros(2, 2, FACE_SIZE, FACE_SIZE, 3, dtype=torch.uint8)
    export(trained(ComparerNet, checkpoint), target, "pairs", ("same",), sample)
    in_halves(target)
