"""What the reader of numerals learns from: faces with numerals, and with anything else."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.matcher.batches import own_look, plain_look
from training.matcher.shots import Difficulty, library_face, shoot
from training.synth.symbols import Library, Symbol
from vision.dicesets.shapes import Shape
from vision.numerals import NUMERALS
from vision.render.faces import compose, random_look

Pixels = NDArray[np.uint8]

_LIKE_NUMERALS: Final = frozenset("BGIOSZbglosz")
"""Letters that are not shown as what is no numeral."""
_NAMES_OF_NUMERALS: Final = (
    "dice",
    "number",
    "digit",
    "numeric",
    "domino",
    "one",
    "two",
    "three",
    "five",
    "six",
)
"""Icons whose names hold one of these may show numerals."""
_WRITTEN: Final = 0.8
"""How often a face carries a numeral; else it carries something else, or what is rectified is no face."""
_ASTRAY: Final = 0.4
"""Of what is no numeral, the part that lies beside a face or across an edge."""
_SET_PICTURES: Final = 0.06
"""Faces as a set's own pictures show them."""
_BROAD: Final = 0.4
"""Numerals whose paint ran broad or wore thin."""


class NumeralShots:
    """Draws labelled faces from a library."""

    def __init__(self, library: Library, *, held_out: bool = False) -> None:
        """Take one side of the library's split."""
        self._library = library
        symbols = library.symbols(held_out=held_out)
        self._typefaces = [
            {name: glyph for name, glyph in typeface.items() if name[0].isdigit() and not name[1:].isdigit()}
            for typeface in library.typefaces(held_out=held_out)
        ]
        self._typefaces = [typeface for typeface in self._typefaces if typeface]
        self._pips = [symbol for symbol in symbols if symbol.kind == "pips"]
        self._others = [symbol for symbol in symbols if _is_no_numeral(symbol)]
        self._written = [symbol for symbol in self._others if symbol.kind == "glyph"]

    def draw(self, rng: np.random.Generator, count: int, shape: Shape) -> tuple[Pixels, NDArray[np.bool_]]:
        """Faces (count, 64, 64, 3) BGR, and which of `NUMERALS` each may be called, (count, len(NUMERALS))."""
        faces: list[Pixels] = []
        allowed = np.zeros((count, len(NUMERALS)), np.bool_)
        other: Pixels | None = None
        for number in range(count):
            hard = rng.uniform(0.1, 1.0)
            symbol, numerals, astray = self._chosen(rng, shape)
            allowed[number, numerals] = True
            art = self._library.art(symbol, rng)
            if symbol.kind == "glyph" and rng.random() < _BROAD:
                art = _broad_or_thin(art, rng)
            made = random_look(rng, shape, coloured=symbol.coloured, fill=symbol.fills, hard=hard)
            look = own_look(made, symbol, shape, rng, hard)
            turn = int(rng.integers(shape.symmetry))
            if rng.random() < _SET_PICTURES and not astray:
                faces.append(library_face(art, shape, plain_look(look, rng), turn=turn))
                continue
            how = Difficulty(hard, hard)
            faces.append(shoot(art, shape, look, rng, how, turn=turn, other=other, astray=astray))
            if rng.random() < 0.3:
                other = compose(art, shape, look, 40)[0]
        return np.stack(faces), allowed

    def _chosen(self, rng: np.random.Generator, shape: Shape) -> tuple[Symbol, list[int], bool]:
        """A symbol, what it may be called, and whether it is looked at astray."""
        kind = rng.random()
        if kind < _WRITTEN:
            typeface = self._typefaces[int(rng.integers(len(self._typefaces)))]
            digits = sorted({name[0] for name in typeface})
            digit = digits[int(rng.integers(len(digits)))]
            marked = [name for name in typeface if name[0] == digit]
            name = marked[int(rng.integers(len(marked)))]
            unmarked = shape.half_turns and name in ("6", "9")
            numerals = [NUMERALS.index(numeral) for numeral in (("6", "9") if unmarked else name[0])]
            return Symbol(name, "glyph", (typeface[name],)), numerals, False
        astray = rng.random() < _ASTRAY
        pool = self._written if rng.random() < 0.25 else self._others
        if astray and rng.random() < 0.3:
            pool = self._pips
        return pool[int(rng.integers(len(pool)))], [0], astray


def _broad_or_thin(art: Pixels, rng: np.random.Generator) -> Pixels:
    """A drawing (S, S, 4) whose paint ran broad, or wore thin, by at most a twenty-fourth of its side."""
    reach = int(rng.integers(1, art.shape[0] // 24 + 1))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
    change = cv2.dilate if rng.random() < 0.7 else cv2.erode
    out = art.copy()
    out[..., 3] = change(art[..., 3], kernel)
    return out if out[..., 3].mean() > art[..., 3].mean() / 2 else art


def _is_no_numeral(symbol: Symbol) -> bool:
    if symbol.kind == "glyph":
        if symbol.name[0].isdigit():
            return symbol.name[1:].isdigit()  # a number of two digits
        return symbol.name not in _LIKE_NUMERALS
    return symbol.kind != "pips" and not any(word in symbol.name for word in _NAMES_OF_NUMERALS)
