"""Dresses dice for training pictures: pips, numerals and thousands of symbols in any look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from training.synth.sampler import DressedDie
from training.synth.symbols import Library, Symbol
from training.synth.symbols_build import load
from vision.dicesets.shapes import Shape
from vision.rectify import face_mask
from vision.render.faces import compose, random_look
from vision.render.scene import FaceTexture
from vision.render.solid import solid

Pixels = NDArray[np.uint8]

D6_SHARE = 0.68
PIPS_SHARE = {Shape.CUBE: 0.5, Shape.OCTAHEDRON: 0.05}
NUMERALS_SHARE = {Shape.CUBE: 0.12, Shape.OCTAHEDRON: 0.6}
INKED = 60.0
"""Difference of colour, of 255, from which a clear die's body is covered by ink altogether."""


class Wardrobe:
    """An `Artist` (see `training.synth.sampler`) over the training half of the symbol library."""

    def __init__(
        self, library: Library | None = None, *, held_out: bool = False, cubes: float = D6_SHARE
    ) -> None:
        """`library` is the downloaded one unless given; `held_out` takes the symbols kept from training.

        `cubes` is the share of cubes among the dice; the others are octahedra.
        """
        self._cubes = cubes
        self._library = library or load()
        symbols = self._library.symbols(held_out=held_out)
        self._pips = [s for s in symbols if s.kind == "pips" and s.count <= 6]
        self._numerals = [s for s in symbols if s.kind == "glyph" and s.name.isdigit() and len(s.name) == 1]
        self._others = [s for s in symbols if s.kind not in ("pips", "blank")]

    def shape(self, rng: np.random.Generator) -> Shape:
        """A cube or an octahedron."""
        return Shape.CUBE if rng.random() < self._cubes else Shape.OCTAHEDRON

    def arts(self, rng: np.random.Generator) -> tuple[Pixels, ...]:
        """Three symbols for what lies on the table, pips among them."""
        chosen = [self._others[int(rng.integers(len(self._others)))] for _ in range(2)]
        return tuple(
            self._library.art(s, rng) for s in [*chosen, self._pips[int(rng.integers(len(self._pips)))]]
        )

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        """One die; its faces share one look."""
        count = len(solid(shape).normals)
        symbols = self._choose(rng, shape, count)
        look = random_look(rng, shape, coloured=symbols[0].coloured, fill=symbols[0].fills)
        style = int(rng.integers(0, 2**32))
        drawn: dict[int, FaceTexture] = {}

        def texture(face: int) -> FaceTexture:
            if face not in drawn:
                art = self._library.art(symbols[face], np.random.default_rng(style))
                colour, relief = compose(art, shape, replace(look, seed=look.seed + face), size)
                ink = np.abs(colour.astype(np.float32) - np.array(look.body, np.float32)).max(axis=2)
                if not shape.fills:  # rounded edges reach a little beyond the face
                    colour = _bleed(colour, shape, look.body)
                    ink *= face_mask(shape, size) > 0
                cover = np.clip(ink / INKED, 0, 1)
                drawn[face] = FaceTexture(colour, relief if look.finish == "engraved" else None, cover)
            return drawn[face]

        return DressedDie(texture, tuple(s.name for s in symbols), look.finish == "engraved")

    def _choose(self, rng: np.random.Generator, shape: Shape, count: int) -> Sequence[Symbol]:
        kind = rng.random()
        if kind < PIPS_SHARE[shape]:
            order = [1, 6, 2, 5, 3, 4] if count == 6 else [1, 2, 3, 4, 5, 6, 1, 2]
            return [self._pips[n - 1] for n in order]
        if kind < PIPS_SHARE[shape] + NUMERALS_SHARE[shape] and len(self._numerals) >= count:
            return [self._numerals[int(i)] for i in rng.permutation(len(self._numerals))[:count]]
        return [self._others[int(rng.integers(len(self._others)))] for _ in range(count)]


def _bleed(colour: Pixels, shape: Shape, body: tuple[float, float, float]) -> Pixels:
    """Paint what lies outside the face in the die's own colour."""
    inside = face_mask(shape, colour.shape[0])[..., None] > 0
    return np.where(inside, colour, np.array(body, np.float32).astype(np.uint8))
