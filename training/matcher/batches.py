"""What the matcher sees in one training step.

A batch holds some 32 symbols of one shape, each in three views: as a set's picture, and as two shots.
Symbols stand in groups of eight that are hard to tell apart (the pips, one typeface's numerals, one icon and
two of it, icons that the network itself finds alike), and a group shares its looks view by view: nobody can
be told by colour who cannot be told by shape.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training.matcher.shots import Difficulty, library_face, shoot
from training.synth.looks import random_look
from training.synth.symbols import Glyph, Library, Symbol
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook, compose

VIEWS: Final = 3
_SIX_AND_NINE: Final = frozenset({"6", "9"})
"""The same face on a cube; on a d8 no turn takes one to the other."""

GROUP: Final = 8
GROUPS: Final = 4
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
"""Glyphs that are the same face, or may be once a die is turned: neither alike nor different in training."""


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Faces of `VIEWS` views after each other, then some that are no faces at all."""

    faces: NDArray[np.uint8]
    """(VIEWS * n + ASTRAY, 64, 64, 3) BGR."""
    classes: NDArray[np.int64]
    """(n,) equal where the symbols are the same."""
    undecided: NDArray[np.bool_]
    """(n, n) pairs that must not be compared."""
    square: bool
    """Whether the faces are those of a d6."""

    def again(self, rng: np.random.Generator) -> Batch:
        """The same pictures as other symbols: all mirrored, colours exchanged, each symbol turned once more.

        Drawing pictures takes as long as learning from them; this is nearly as good as a batch of new ones.
        """
        faces = self.faces[:, :, ::-1, rng.permutation(3)].copy()
        if self.square:
            n = len(self.classes)
            for i, k in enumerate(rng.integers(0, 4, n)):
                for v in range(VIEWS):
                    faces[v * n + i] = np.rot90(faces[v * n + i], k)
        return Batch(faces, self.classes, self.undecided, self.square)


class Batches:
    """Draws batches from a library."""

    def __init__(self, library: Library, mined: Path | None = None) -> None:
        """Take the training side of a library, and the folder where `NEIGHBOURS` appears during training."""
        self.library = library
        symbols = library.symbols()
        self.icons = [s for s in symbols if s.kind in ("icon", "colour")]
        self._number = {s.name: i for i, s in enumerate(symbols)}
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
        self._mined = mined / NEIGHBOURS if mined else None
        self._mined_at = 0.0
        self._neighbours: NDArray[np.int32] | None = None

    def _group(self, rng: np.random.Generator, shape: Shape) -> list[Symbol]:
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

    def draw(self, rng: np.random.Generator, hard: float = 1.0) -> Batch:
        """One batch; `hard` (0..1) eases the first steps."""
        if self._mined is not None and self._mined.is_file() and self._mined.stat().st_mtime != self._mined_at:
            self._neighbours, self._mined_at = np.load(self._mined), self._mined.stat().st_mtime
        shape = Shape.CUBE if rng.random() < 0.6 else Shape.OCTAHEDRON
        groups = [self._group(rng, shape) for _ in range(GROUPS)]
        symbols = [s for g in groups for s in g]
        n = len(symbols)
        views: list[list[NDArray[np.uint8]]] = [[] for _ in range(VIEWS)]
        others: list[NDArray[np.uint8]] = []
        for group in groups:
            coloured = sum(s.coloured for s in group) > len(group) / 2
            looks = [random_look(rng, shape, coloured=coloured, hard=hard) for _ in range(VIEWS)]
            alone = rng.random() < 0.3  # now and then every face has a look of its own
            same_drawing = rng.random() < 0.4
            # A typeface for each view: who is told apart by typeface is not told apart by numeral.
            typefaces: list[dict[str, Glyph]] = [{}] * VIEWS
            if rng.random() < 0.8 and group[0].kind == "glyph" and self._typefaces:
                typefaces = [self._typefaces[int(rng.integers(len(self._typefaces)))] for _ in range(VIEWS)]
            for symbol in group:
                turn = int(rng.integers(shape.symmetry))
                art = self.library.art(_in(typefaces[0], symbol), rng)
                for v in range(VIEWS):
                    if v and not same_drawing:
                        art = self.library.art(_in(typefaces[v], symbol), rng)
                    look = random_look(rng, shape, coloured=symbol.coloured, hard=hard) if alone else looks[v]
                    look = own_look(look, symbol, shape, rng, hard)
                    if v == 0 and rng.random() < 0.6:
                        views[0].append(library_face(art, shape, plain_look(look, rng), turn=turn))
                        continue
                    mild = v == 0
                    difficulty = Difficulty(0.3 if mild else hard, 0.3 if mild else hard)
                    other = others[int(rng.integers(len(others)))] if others and rng.random() < 0.7 else None
                    views[v].append(shoot(art, shape, look, rng, difficulty, turn=turn, other=other))
                if not others or rng.random() < 0.25:
                    others.append(compose(art, shape, looks[1], 40)[0])
        astray: list[NDArray[np.uint8]] = []
        for _ in range(ASTRAY):
            symbol = symbols[int(rng.integers(n))]
            look = random_look(rng, shape, coloured=symbol.coloured, fill=symbol.fills)
            other = others[int(rng.integers(len(others)))]
            art = self.library.art(symbol, rng)
            astray.append(shoot(art, shape, look, rng, Difficulty(hard), other=other, astray=True))
        faces = np.stack([*(f for view in views for f in view), *astray])
        classes = np.array([self._number[s.name] for s in symbols], np.int64)
        undecided = np.zeros((n, n), np.bool_)
        for i, a in enumerate(symbols):
            if a.kind == "glyph":
                for j, b in enumerate(symbols):
                    pair = frozenset((a.name, b.name))
                    undecided[i, j] = pair in _TURNED_ALIKE and (shape.half_turns or pair != _SIX_AND_NINE)
        return Batch(faces, classes, undecided, shape.fills)


def _in(typeface: dict[str, Glyph], symbol: Symbol) -> Symbol:
    """A letter or numeral in one typeface, where it has it."""
    glyph = typeface.get(symbol.name)
    return replace(symbol, glyphs=(glyph,)) if glyph is not None and symbol.kind == "glyph" else symbol


def own_look(look: FaceLook, symbol: Symbol, shape: Shape, rng: np.random.Generator, hard: float) -> FaceLook:
    """A group's look with the little differences between the faces of one die."""
    if symbol.name.startswith("circle-flags") and look.ink is not None:
        look = replace(look, ink=None, finish="printed")  # without its colours a flag is many flags
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
        offset = rng.uniform(-0.2, 0.2, 2)  # one pip beside the middle is no two of which one is not seen
    place = float(offset[0]), float(offset[1])
    return replace(look, scale=float(scale), offset=place, rotation=float(rotation), seed=int(rng.integers(1 << 30)))


def plain_look(look: FaceLook, rng: np.random.Generator) -> FaceLook:
    """As `vision.identify` places a set's art: flat colours, nothing around, dark on light or light on dark."""
    dark, light = float(rng.uniform(15, 70)), float(rng.uniform(190, 250))
    body, ink = (light, dark) if rng.random() < 0.5 else (dark, light)
    look = replace(look, frame="none", ground=None, wear=0.0, grain=0.0)
    if rng.random() < 0.3:
        return look
    inked = None if look.ink is None else (ink, ink, ink)
    return replace(look, body=(body, body, body), ink=inked, finish="printed", offset=(0.0, 0.0), rotation=0.0)
