"""Trains the numeral reader: draws a bank of faces, then trains a small network that reads their ink."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.backbone import convolved, export
from training.bank import stored
from training.matcher.batches import MILD, own_look, plain_look
from training.matcher.studio import Arts, Showing, Studio, row
from training.synth.collect import load
from training.synth.looks import clear_look, random_look
from training.synth.symbols import ART_SIZE, Library, Symbol
from training.timed import Run, device, trained
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Faces, Points
from vision.frame import Pixels
from vision.ink import PLANES
from vision.numerals import NUMERALS, READ_AT, written_on
from vision.rectify import FACE_SIZE, canonical_corners, rectify
from vision.remembered import Arrays

_LIKE_NUMERALS: Final = frozenset("BGIOSZbglosz")
"""Letters that look like numerals, and so are not shown as examples of other symbols."""
_NAMES_OF_NUMERALS: Final = ["dice", "number", "digit", "numeric", "domino", "one", "two", "three", "five", "six"]
"""Icons with one of these in their names may show numerals."""
_WRITTEN: Final = 0.8
"""Share of faces with a numeral; the rest show another symbol, or are no faces."""
_ASTRAY: Final = 0.4
"""Share, among pictures without a numeral, of pictures beside a face or across an edge."""
_CLEAR: Final = {Shape.CUBE: 0.15, Shape.OCTAHEDRON: 0.55}
"""Share of clear faces."""
_SET_PICTURES: Final = 0.06
"""Faces as a set's own pictures show them."""
_MILDLY: Final = 0.5
"""Pictures in which little is wrong."""
_AT_ONCE: Final = 200
"""Faces drawn together in one batch."""


class NumeralShots:
    """Draws labelled faces from a library."""

    def __init__(self, library: Library, *, held_out: bool = False) -> None:
        """Use one side of the library's split; every numeral also comes with thicker and thinner paint."""
        library = _with_broad_and_thin(library, held_out=held_out)
        symbols = library.symbols(held_out=held_out)
        self._typefaces = [
            {name: glyph for name, glyph in typeface.items() if name[0].isdigit() and not name[1:].isdigit()}
            for typeface in library.typefaces(held_out=held_out)
        ]
        self._typefaces = [typeface for typeface in self._typefaces if typeface]
        self._pips = [symbol for symbol in symbols if symbol.kind == "pips"]
        self._others = [
            symbol
            for symbol in symbols
            if (symbol.kind == "glyph" and symbol.name[0].isdigit() and symbol.name[1:].isdigit())  # two digits
            or (symbol.kind == "glyph" and not symbol.name[0].isdigit() and symbol.name not in _LIKE_NUMERALS)
            or (symbol.kind not in ("glyph", "pips") and not any(word in symbol.name for word in _NAMES_OF_NUMERALS))
        ]
        self._written = [symbol for symbol in self._others if symbol.kind == "glyph"]
        self._arts = Arts(library, symbols)
        self._studio = Studio(library, self._arts, device())

    def draw(self, rng: np.random.Generator, count: int, shape: Shape) -> tuple[Pixels, NDArray[np.bool_]]:
        """Faces (count, S, S, 3) BGR, S being READ_AT, and the right NUMERALS for each, (count, len(NUMERALS))."""
        torch.manual_seed(int(rng.integers(1 << 62)))
        rows: list[list[float]] = []
        allowed = np.zeros((count, len(NUMERALS)), np.bool_)
        for number in range(count):
            symbol, other, numerals, astray = self._chosen(rng, shape)
            allowed[number, numerals] = True
            hard = MILD if rng.random() < _MILDLY else 1.0
            look = random_look(rng, shape, coloured=symbol.coloured, fill=symbol.fills, hard=hard)
            look = own_look(look, symbol, shape, rng, hard)
            plain = not astray and rng.random() < _SET_PICTURES
            clear = float(rng.uniform(0.4, 1.0)) if not plain and rng.random() < _CLEAR[shape] else 0.0
            if clear:
                look = clear_look(look, rng)
            turn = int(rng.integers(shape.symmetry))
            art, beside = (self._arts.of(one, rng) for one in (symbol, other))
            if plain:
                look = plain_look(look, rng)
            rows.append(row(look, Showing(art, beside, symbol.coloured, turn, plain, hard, astray, clear)))
        told = torch.tensor(rows, dtype=torch.float32, device=device()).split(_AT_ONCE)
        with torch.no_grad():
            shot = [self._studio.shoot(some, torch.full((len(some),), shape.fills), READ_AT[shape]) for some in told]
        faces = (torch.cat(shot) * 255).round().byte().permute(0, 2, 3, 1).cpu().numpy()
        return np.ascontiguousarray(faces), allowed

    def _chosen(self, rng: np.random.Generator, shape: Shape) -> tuple[Symbol, Symbol, list[int], bool]:
        """A symbol, another of its die, the right answers for the first, and whether the picture misses the face."""
        kind = rng.random()
        if kind < _WRITTEN:
            typeface = self._typefaces[int(rng.integers(len(self._typefaces)))]
            digits = sorted({name[0] for name in typeface})
            digit, another = (digits[int(rng.integers(len(digits)))] for _ in range(2))
            marked = [name for name in typeface if name[0] == digit]
            name = marked[int(rng.integers(len(marked)))]
            beside = next(name for name in typeface if name[0] == another)
            unmarked = shape.half_turns and name in ("6", "9")
            numerals = [NUMERALS.index(numeral) for numeral in (("6", "9") if unmarked else name[0])]
            symbol, other = (Symbol(one, "glyph", (typeface[one],)) for one in (name, beside))
            return symbol, other, numerals, False
        astray = rng.random() < _ASTRAY
        pool = self._written if rng.random() < 0.25 else self._others
        if astray and rng.random() < 0.3:
            pool = self._pips
        symbol, other = (pool[int(rng.integers(len(pool)))] for _ in range(2))
        return symbol, other, [0], astray


def _with_broad_and_thin(library: Library, *, held_out: bool) -> Library:
    """A library with a second copy of each typeface's numerals, their strokes thicker or thinner by up to 1/24 of the
    drawing's side."""
    rng = np.random.default_rng(0)
    mono, glyphs = [np.asarray(library.mono)], list(library.glyphs)
    for typeface in library.typefaces(held_out=held_out):
        reach = int(rng.integers(1, ART_SIZE // 24 + 1))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
        change = cv2.dilate if rng.random() < 0.7 else cv2.erode
        for glyph in (glyph for name, glyph in typeface.items() if name[0].isdigit()):
            drawn = library.mono[glyph.row]
            changed = np.asarray(change(drawn, kernel), np.uint8)
            glyphs.append(replace(glyph, row=len(library.mono) + len(mono) - 1))
            mono.append((changed if changed.mean() > drawn.mean() / 2 else drawn)[None])
    return Library(np.concatenate(mono), library.colour, tuple(glyphs))


BATCH: Final = 192
PART: Final = 2000
"""Faces in a part of the bank, all of one shape."""
SMOOTHED: Final = 0.02
"""Label smoothing: the share of each label that is spread over all numerals."""
OCTAHEDRA: Final = 2
"""Parts in three of the bank that show triangles, as most numerals are on octahedra."""
WIDTHS: Final = (24, 32, 64, 96)
"""Channels at a half, a quarter and an eighth of the face's side, and of the classifier."""


SCALED: Final = 0.06
SHIFTED: Final = 0.02
ASKEW: Final = 0.015
"""Random change of a face's scale, and shifts of its outline and of each corner, in sides."""
BROAD: Final = 0.35
"""How often strokes are thickened further: a bold 5 that is nearly closed is not a 6."""
AVERAGE: Final = 0.998
"""Decay of the running average of the weights."""


class NumeralNet(nn.Module):
    """Ink (N, PLANES, 64, 64), as `vision.numerals.written_on` makes it, to (N, len(NUMERALS)) logits."""

    def __init__(self) -> None:
        """Initialise with random weights."""
        super().__init__()
        first, second, third, last = WIDTHS
        self.seen = nn.Sequential(
            *convolved(PLANES, first, 5, 2), convolved(first, second, stride=2), convolved(second, second),
            convolved(second, third, stride=2), convolved(third, third), convolved(third, third),
        )  # fmt: skip
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(third * (FACE_SIZE // 8) ** 2, last), nn.ReLU(),
            nn.Linear(last, len(NUMERALS)),
        )  # fmt: skip

    def forward(self, ink: Tensor) -> Tensor:
        """See the class."""
        return self.head(self.seen(ink))


@dataclass(frozen=True, eq=False, slots=True)
class Bank:
    """Drawn faces of one shape."""

    shape: Shape
    faces: Faces
    """(N, S, S, 3) BGR, S being READ_AT."""
    allowed: NDArray[np.bool_]
    """(N, len(NUMERALS)) the right answers for each."""


def bank(folder: Path, parts: int, seed: int, workers: int, size: int = PART) -> list[Bank]:
    """Files of so many parts of `size` faces, drawn if they are missing; the first one is of held-out typefaces."""
    load()  # collected once, not by each worker
    drawn = stored(folder, parts + 1, partial(_draw, seed, size), workers)
    return [Bank(SHAPES[int(one["shape"])], one["faces"], one["allowed"]) for one in drawn]


def _draw(seed: int, size: int, number: int) -> Arrays:
    shape = Shape.OCTAHEDRON if number % 3 < OCTAHEDRA else Shape.CUBE
    faces, allowed = _shots(number == 0).draw(np.random.default_rng([seed, number]), size, shape)
    return {"shape": np.array(SHAPES.index(shape)), "faces": faces, "allowed": allowed}


@cache
def _shots(held_out: bool) -> NumeralShots:
    return NumeralShots(load(), held_out=held_out)


def batches(
    banks: list[Bank], rng: np.random.Generator
) -> Generator[tuple[NDArray[np.float32], NDArray[np.bool_]]]:
    """Endless batches of ink and labels, with random contrast, turn and displacement."""
    while True:
        of = banks[int(rng.integers(len(banks)))]
        chosen = rng.integers(0, len(of.faces), BATCH)
        ink = written_on(np.stack([_moved(face, of.shape, rng) for face in of.faces[chosen]]), of.shape)
        for broad in np.flatnonzero(rng.random(BATCH) < BROAD):
            ink[broad] = _broadened(ink[broad], 1 + int(rng.random() < 0.4))
        ink *= np.where(rng.random((BATCH, 1, 1, 1)) < 0.2, -1, 1) * rng.uniform(0.8, 1.2, (BATCH, 1, 1, 1))
        noise = rng.standard_normal(ink.shape, np.float32) * rng.uniform(0, 0.25, (BATCH, 1, 1, 1))
        ink += noise * (ink != 0)
        yield ink.astype(np.float32), of.allowed[chosen]


def _broadened(ink: Points, reach: int) -> Points:
    """Ink (PLANES, 64, 64) with every stroke thicker by so many pixels on each side."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
    return np.stack([np.asarray(cv2.dilate(plane, kernel), np.float32) * (plane != 0) for plane in ink])


def _moved(face: Pixels, shape: Shape, rng: np.random.Generator) -> Pixels:
    """A canonical face (S, S, 3) in any turn, slightly scaled, shifted and distorted."""
    side = face.shape[0]
    corners = canonical_corners(shape, side)
    middle = corners.mean(axis=0)
    scaled = middle + (corners - middle) * rng.uniform(1 - SCALED, 1 + SCALED)
    given = scaled + rng.normal(0, SHIFTED * side, 2) + rng.normal(0, ASKEW * side, corners.shape)
    return rectify(face, given, side, turn=int(rng.integers(shape.symmetry)))


def train_numerals(folder: Path, run: Run, parts: int = 45, size: int = PART) -> None:
    """Train on the bank in `folder`; missing parts are drawn first."""
    kept, *banks = bank(folder, parts, run.seed, run.threads, size)

    def loss(network: NumeralNet, ink: Tensor, allowed: Tensor) -> Tensor:
        likely = network(ink).log_softmax(dim=1)
        named = likely.masked_fill(~allowed, -1e4).logsumexp(dim=1)
        return -((1 - SMOOTHED) * named + SMOOTHED * likely.mean(dim=1)).mean()

    run.train(
        lambda pretrained: NumeralNet(), lambda steps, worker: batches(banks, run.chance(steps, worker)), loss,
        lambda network: measure(network, kept), decay=0.02, average=AVERAGE,
    )  # fmt: skip


def measure(network: NumeralNet, kept: Bank) -> str:
    """Accuracy on numerals and on other faces, as one line."""
    ink = torch.from_numpy(written_on(kept.faces, kept.shape)).to(device())
    named = network(ink).cpu().numpy().argmax(axis=1)
    right = kept.allowed[np.arange(len(named)), named]
    none = kept.allowed[:, 0]
    numerals, others = (f"{right[of].mean():.4f} of {of.sum()}" for of in (~none, none))
    return f"        numerals {numerals}, others {others}"


def export_numerals(checkpoint: Path, target: Path) -> None:
    """Write the trained network as ONNX: ``ink`` (n, PLANES, 64, 64), ``numerals`` (n, len(NUMERALS)) summing to 1."""
    finished = nn.Sequential(trained(NumeralNet, checkpoint), nn.Softmax(dim=1))
    export(finished, target, "ink", ("numerals",), torch.zeros(2, PLANES, FACE_SIZE, FACE_SIZE))
