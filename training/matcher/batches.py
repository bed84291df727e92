"""The batches that train the matcher.

A block has some 32 symbols of one shape, each in three views: a set's picture and two shots. Symbols come in groups of
eight that are hard to tell apart (the pips, one typeface's numerals, one icon and two of it, icons that the network
itself finds alike). In each view, a group shares one look, so that colour never helps to tell its symbols apart. A
batch is one block, or several joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training.matcher.photographs import Photographed
from training.matcher.studio import Arts, Showing, row
from training.synth.looks import clear_look, random_look
from training.synth.symbols import Glyph, Library, Symbol
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook

VIEWS: Final = 3

UNDECIDED: Final = 0
"""Neither the same symbol nor another."""
DIFFERENT: Final = 1
APPARENTLY: Final = 2
"""Different, unless the network finds them as good as the same: one heart is drawn in several collections."""

_SIX_AND_NINE: Final = frozenset({"6", "9"})
"""The same face on a cube; on a d8 no turn takes one to the other."""

GROUP: Final = 8
GROUPS: Final = 4
MILD: Final = 0.3
"""Difficulty of a picture to enrol from, and of additional effects on a photograph."""
PHOTOGRAPHED: Final = 0.4
"""Share of photographed faces among the shots of a group of pips, if there are any."""
CLEAR: Final = {Shape.CUBE: 0.15, Shape.OCTAHEDRON: 0.5}
"""Share of clear dice among a group's views."""
INK_ALONE: Final = 0.15
"""Share of shots that show the ink alone."""
ASTRAY: Final = 6
"""Pictures in a batch that show no face: beside one, or across an edge."""

NEIGHBOURS: Final = "neighbours.npy"
"""File of (classes, k) int32: for each icon the icons that the network finds likest it."""

_PIPS_SHARE: Final = {Shape.CUBE: 0.27, Shape.OCTAHEDRON: 0.05}
"""Octahedra carry numerals where cubes carry pips."""

_TURNED_ALIKE: Final = frozenset(
    frozenset(pair)
    for pair in [
        ("6", "9"), ("6", "6."), ("6", "6_"), ("9", "9."), ("9", "9_"), ("6.", "6_"), ("9.", "9_"), ("6",
        "9."), ("6", "9_"), ("9", "6."), ("9", "6_"), ("1", "I"), ("0", "O"), ("N", "Z"), ("M", "W"), ("H",
    "I"), ]
)  # fmt: skip
"""Glyphs that are, or may be, the same face on a turned die: neither alike nor different in training."""


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Faces of `VIEWS` views after each other, then some that are no faces at all."""

    rows: NDArray[np.float32]
    """(VIEWS * n + astray, WIDTH) as `training.matcher.studio` shoots them."""
    square: NDArray[np.bool_]
    """For each row, whether it is a face of a d6."""
    classes: NDArray[np.int64]
    """(n,) equal where the symbols are the same."""
    apart: NDArray[np.uint8]
    """(n, n) how two symbols are told apart: UNDECIDED, DIFFERENT or APPARENTLY."""

    @classmethod
    def joined(cls, blocks: Sequence[Batch], alike: NDArray[np.bool_]) -> Batch:
        """Several in one, whose symbols are told apart across them, too, but for those that are `alike` (n, n)."""
        sizes = [len(block.classes) for block in blocks]
        starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        each = list(zip(sizes, blocks, strict=True))
        pieces = [(view * n, (view + 1) * n, block) for view in range(VIEWS) for n, block in each]
        pieces += [(VIEWS * n, len(block.rows), block) for n, block in each]
        apart = np.where(alike, UNDECIDED, APPARENTLY).astype(np.uint8)
        for block, start, size in zip(blocks, starts, sizes, strict=True):
            apart[start : start + size, start : start + size] = block.apart
        return cls(
            np.concatenate([block.rows[first:last] for first, last, block in pieces]),
            np.concatenate([block.square[first:last] for first, last, block in pieces]),
            np.concatenate([block.classes for block in blocks]), apart,
        )  # fmt: skip


class Batches:
    """Draws batches from a library."""

    def __init__(
        self, library: Library, mined: Path | None = None, photographed: Photographed | None = None
    ) -> None:
        """Take the training side of a library, and the folder where `NEIGHBOURS` appears during training.

        `photographed` faces take the place of some drawn pips.
        """
        self.library = library
        symbols = library.symbols()
        self.arts = Arts(library, symbols)
        self.icons = [s for s in symbols if s.kind in ("icon", "colour")]
        self._number = {s.name: i for i, s in enumerate(symbols)}
        twins = sorted({name for pair in _TURNED_ALIKE for name in pair} & self._number.keys())
        self._twin = {self._number[name]: i for i, name in enumerate(twins, 1)}
        named = ["", *twins]
        self._twins = np.array([[frozenset((a, b)) in _TURNED_ALIKE for b in named] for a in named])
        self._single = [i for i, s in enumerate(self.icons) if s.kind == "icon"]
        self._colour = [i for i, s in enumerate(self.icons) if s.kind == "colour"]
        self._flags = [i for i in self._colour if self.icons[i].name.startswith("circle-flags")]
        self._double = {s.name: s for s in symbols if s.kind == "double"}
        self._pips = [s for s in symbols if s.kind == "pips"]
        self._blank = next(s for s in symbols if s.kind == "blank")
        glyphs = [s for s in symbols if s.kind == "glyph"]
        self._numerals = [s for s in glyphs if s.name.isdigit() and len(s.name) == 1]
        self._numbers = [s for s in glyphs if s.name[0].isdigit()]
        self._letters = [s for s in glyphs if not s.name[0].isdigit()]
        self._typefaces = library.typefaces()
        counts = () if photographed is None else photographed.pips
        self._photographs = {f"{n} pips": np.flatnonzero(counts == n) for n in sorted(set(counts))}
        self._mined = mined / NEIGHBOURS if mined else None
        self._mined_at = 0.0
        self._neighbours: NDArray[np.int32] | None = None

    def typeface(self, rng: np.random.Generator) -> dict[str, Glyph]:
        """One typeface, or none if there are none."""
        return self._typefaces[int(rng.integers(len(self._typefaces)))] if self._typefaces else {}

    def group(self, rng: np.random.Generator, shape: Shape) -> list[Symbol]:
        """Some symbols that are hard to tell apart."""
        self._look_for_neighbours()
        kind = rng.random()

        def some(pool: list[Symbol], count: int = GROUP) -> list[Symbol]:
            return [pool[int(i)] for i in rng.choice(len(pool), min(count, len(pool)), replace=False)]

        pips = _PIPS_SHARE[shape]
        if kind < pips:
            return [*self._pips[:6], *some([*self._pips[6:], self._blank], 2)]
        if kind < 0.40:
            return some(self._numerals)
        if kind < 0.44:
            return some(self._numbers)
        if kind < 0.49:
            return some(self._letters)
        if kind < 0.55:
            kinds = self._single if rng.random() < 0.7 else self._colour
            unique = list({(s := self.icons[int(i)]).name: s for i in rng.choice(kinds, GROUP // 2)}.values())
            return [*unique, *(self._double[f"two {s.name}"] for s in unique)]
        if kind < 0.76 and self._neighbours is not None:
            seed = int(rng.integers(len(self.icons)))
            near = self._neighbours[seed]
            chosen = [seed, *rng.choice(near, GROUP - 1, replace=False)]
            return [self.icons[int(i)] for i in chosen]
        pool = self._flags if 0.76 <= kind < 0.78 else self._colour if 0.78 <= kind < 0.86 else self._single
        return [self.icons[int(i)] for i in rng.choice(pool, GROUP, replace=False)]

    def _look_for_neighbours(self) -> None:
        """Take what was mined last."""
        if self._mined is not None and self._mined.is_file() and self._mined.stat().st_mtime != self._mined_at:
            self._neighbours, self._mined_at = np.load(self._mined), self._mined.stat().st_mtime

    def draw(self, rng: np.random.Generator, blocks: int) -> Batch:
        """A batch of several blocks."""
        drawn = [self._block(rng) for _ in range(blocks)]
        classes = np.concatenate([block.classes for block in drawn])
        twins = [self._twin.get(int(number), 0) for number in classes]
        return Batch.joined(drawn, self._twins[np.ix_(twins, twins)] | (classes[:, None] == classes))

    def _block(self, rng: np.random.Generator) -> Batch:
        shape = Shape.CUBE if rng.random() < 0.6 else Shape.OCTAHEDRON
        groups = [self.group(rng, shape) for _ in range(GROUPS)]
        symbols = [s for g in groups for s in g]
        n = len(symbols)
        views: list[list[list[float]]] = [[] for _ in range(VIEWS)]
        for group in groups:
            coloured = sum(s.coloured for s in group) > len(group) / 2
            looks = [random_look(rng, shape, coloured=coloured) for _ in range(VIEWS)]
            alone = rng.random() < 0.3  # sometimes every face has its own look
            same_drawing = rng.random() < 0.4
            # A typeface for each view, so that the typeface does not tell numerals apart.
            typefaces: list[dict[str, Glyph]] = [{}] * VIEWS
            if rng.random() < 0.8 and group[0].kind == "glyph" and self._typefaces:
                typefaces = [self.typeface(rng) for _ in range(VIEWS)]
            photographed = [v > 0 and shape.fills and rng.random() < PHOTOGRAPHED for v in range(VIEWS)]
            clear = [float(rng.uniform(0.4, 1.0)) if rng.random() < CLEAR[shape] else 0.0 for _ in range(VIEWS)]
            looks = [clear_look(of, rng) if glass else of for of, glass in zip(looks, clear, strict=True)]
            for symbol in group:
                photographs = self._photographs.get(symbol.name, ())
                turn = int(rng.integers(shape.symmetry))
                art = self.arts.of(in_typeface(typefaces[0], symbol), rng)
                for v in range(VIEWS):
                    if v and not same_drawing:
                        art = self.arts.of(in_typeface(typefaces[v], symbol), rng)
                    look = looks[v]
                    if alone:
                        look = random_look(rng, shape, coloured=symbol.coloured)
                        look = clear_look(look, rng) if clear[v] else look
                    look = own_look(look, symbol, shape, rng, 1.0)
                    other = self.arts.of(symbols[int(rng.integers(n))], rng)
                    plain = v == 0 and rng.random() < 0.6
                    if plain:
                        look = plain_look(look, rng)
                    through = 0.0 if plain else clear[v]
                    showing = Showing(art, other, symbol.coloured, turn, plain, 1.0 if v else MILD, clear=through)
                    if v and rng.random() < INK_ALONE:
                        showing = replace(showing, ink_alone=1 + int(through > 0 and rng.random() < 0.5))
                    if photographed[v] and len(photographs):
                        showing = replace(showing, photograph=int(rng.choice(photographs)), hard=MILD)
                    views[v].append(row(look, showing))
        astray: list[list[float]] = []
        for _ in range(ASTRAY):
            symbol = symbols[int(rng.integers(n))]
            look = random_look(rng, shape, coloured=symbol.coloured, fill=symbol.fills)
            other = self.arts.of(symbols[int(rng.integers(n))], rng)
            astray.append(row(look, Showing(self.arts.of(symbol, rng), other, symbol.coloured, 0, astray=True)))
        rows = np.array([*(r for view in views for r in view), *astray], np.float32)
        classes = np.array([self._number[s.name] for s in symbols], np.int64)
        return Batch(rows, np.full(len(rows), shape.fills), classes, _apart(symbols, shape))


def _apart(symbols: Sequence[Symbol], shape: Shape) -> NDArray[np.uint8]:
    """(n, n) which symbols of a block are told apart."""
    apart = np.full((len(symbols), len(symbols)), DIFFERENT, np.uint8)
    for i, a in enumerate(symbols):
        if a.kind == "glyph":
            for j, b in enumerate(symbols):
                pair = frozenset((a.name, b.name))
                if pair in _TURNED_ALIKE and (shape.half_turns or pair != _SIX_AND_NINE):
                    apart[i, j] = UNDECIDED
    return apart


def in_typeface(typeface: dict[str, Glyph], symbol: Symbol) -> Symbol:
    """A letter or numeral in one typeface, where it has it."""
    glyph = typeface.get(symbol.name)
    return replace(symbol, glyphs=(glyph,)) if glyph is not None and symbol.kind == "glyph" else symbol


def own_look(look: FaceLook, symbol: Symbol, shape: Shape, rng: np.random.Generator, hard: float) -> FaceLook:
    """A group's look with the little differences between the faces of one die."""
    if symbol.name.startswith("circle-flags") and look.ink is not None:
        look = replace(look, ink=None, finish="printed")  # without its colours a flag could be many flags
    framed = look.frame != "none" or look.ground is not None
    rotation = rng.normal(0, 2.5 * hard)
    if symbol.fills:
        scale = rng.uniform(0.7, 0.84) if framed else rng.uniform(0.84, 1.0)
        rotation *= 2
        if (
            shape.fills and rng.random() < 0.15 * hard
        ):  # a number of pips is the same however they are turned,
            rotation = rng.uniform(-45, 45)  # and on a die as round as a pebble no corner tells the turn
            scale *= 0.85
    else:
        scale = look.scale * rng.uniform(0.85, 1.15)
    offset = rng.normal(0, 0.025 * hard, 2)
    if symbol.fills and symbol.count == 1 and rng.random() < 0.45:
        offset = rng.uniform(-0.2, 0.2, 2)  # one pip beside the middle must not look like two, one of them hidden
    place = float(offset[0]), float(offset[1])
    return replace(look, scale=float(scale), offset=place, rotation=float(rotation), seed=int(rng.integers(1 << 30)))


def plain_look(look: FaceLook, rng: np.random.Generator) -> FaceLook:
    """As `vision.gallery` places a set's art: flat colours, nothing around, dark on light or light on dark."""
    dark, light = float(rng.uniform(15, 70)), float(rng.uniform(190, 250))
    body, ink = (light, dark) if rng.random() < 0.5 else (dark, light)
    look = replace(look, frame="none", ground=None, wear=0.0, grain=0.0)
    if rng.random() < 0.3:
        return look
    inked = None if look.ink is None else (ink, ink, ink)
    return replace(look, body=(body, body, body), ink=inked, finish="printed", offset=(0.0, 0.0), rotation=0.0)
