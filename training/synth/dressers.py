"""Decorates dice: with pips, numerals and thousands of symbols for training, or with one set's faces for measuring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from training.synth.collect import load
from training.synth.looks import random_look
from training.synth.sampler import DressedDie
from training.synth.symbols import Library, Symbol
from vision.dicesets.model import DiceSet, Face
from vision.dicesets.shapes import Shape
from vision.frame import Pixels
from vision.rectify import face_mask
from vision.render.faces import FaceLook, compose, is_coloured
from vision.render.scene import FaceTexture

PALE, DARK = (226.0, 236.0, 240.0), (24.0, 22.0, 20.0)
"""Ivory and black, BGR."""


class SetWardrobe:
    """An `Artist` (see `training.synth.sampler`) that knows one dice set."""

    def __init__(self, dice_set: DiceSet, shape: Shape | None = None) -> None:
        """Raises ValueError if the set has no art for the shape."""
        self._set = dice_set
        self._shapes: tuple[Shape, ...] = (shape,) if shape else dice_set.shapes
        for each in self._shapes:
            if not dice_set.faces_for(each):
                raise ValueError(f"expected a set with pictures for a {each}, but {dice_set.id} has none")

    def shape(self, rng: np.random.Generator) -> Shape:
        """One of the set's shapes."""
        return self._shapes[int(rng.integers(len(self._shapes)))]

    def arts(self, rng: np.random.Generator) -> tuple[Pixels, ...]:
        """One of the set's symbols, for cards on the table."""
        face = self._set.faces[int(rng.integers(len(self._set.faces)))]
        arts = [picture.pixels() for picture in face.pictures if picture.kind == "art"]
        return tuple(arts[:1])

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        """One die; each of its faces in one of the set's drawings, all in one look."""
        faces = self._dealt(rng, shape)
        art: list[tuple[Pixels, float]] = []
        for face in faces:
            pictures = [picture for picture in face.pictures_for(shape) if picture.kind == "art"]
            if not pictures:
                raise ValueError(f"expected art for the face {face.id}, found only photographs")
            chosen = pictures[int(rng.integers(len(pictures)))]
            art.append((chosen.pixels(), chosen.scale))
        look = random_look(rng, shape, coloured=any(is_coloured(pixels) for pixels, _ in art))
        room = 0.75 if look.frame != "none" or look.ground is not None else 1.0
        grown = float(rng.uniform(0.85, 1.05)) * room

        @cache
        def texture(face: int) -> FaceTexture:
            pixels, scale = art[face]
            legible = _legible(replace(look, scale=scale * grown), is_coloured(pixels))
            colour, relief = compose(pixels, shape, legible, size)
            return FaceTexture(colour, relief if look.finish == "engraved" else None)

        return DressedDie(texture, tuple(face.id for face in faces), look.finish == "engraved")

    def _dealt(self, rng: np.random.Generator, shape: Shape) -> list[Face]:
        """What is on each face of one solid: by lot, and opposite what the set says lies opposite (`not_above`).

        Of a set of more faces than sides some are left out; of one of fewer some are there twice.
        """
        known = self._set.faces_for(shape)
        faces = [known[int(i)] for i in rng.permutation(len(known))][: shape.faces]
        while len(faces) < shape.faces:
            faces.append(known[int(rng.integers(len(known)))])
        across = {face.id: self._set.not_above(face.id, shape) - {face.id} for face in faces}
        if len(known) != shape.faces or not all(across.values()):
            return faces
        half: list[str] = []
        for face in faces:
            if across[face.id].isdisjoint(half):
                half.append(face.id)
        net = [*half, *(other for one in reversed(half) for other in across[one])]
        placed = dict(zip(shape.net, net, strict=True))
        return [self._set.face(placed[i]) for i in range(shape.faces)]

def _legible(look: FaceLook, coloured: bool) -> FaceLook:
    """The look, changed so that people can see the symbol: colour prints on light ground, ink of another brightness."""
    if look.ink is not None:
        return look
    if coloured:
        return look if look.ground is not None else replace(look, body=PALE)
    ground = look.ground if look.ground is not None else look.body
    dark = sum(ground) / 3 < 110
    return replace(look, ink=PALE if dark else DARK)


D6_SHARE = 0.68
PIPS_SHARE = {Shape.CUBE: 0.5, Shape.OCTAHEDRON: 0.05}
NUMERALS_SHARE = {Shape.CUBE: 0.12, Shape.OCTAHEDRON: 0.6}
LETTERS_SHARE = 0.06
"""Share of dice with letters, alone or in pairs. There are a hundred times as many pictures as letters to choose from,
and a die that is told from a printed tile by little more than its shadow must be known before."""
INKED = 60.0
"""Difference of colour, of 255, from which ink covers a clear die's body completely."""


class Wardrobe:
    """An `Artist` (see `training.synth.sampler`) over the training half of the symbol library."""

    def __init__(
        self, library: Library | None = None, *, held_out: bool = False, cubes: float = D6_SHARE,
        letters: float = LETTERS_SHARE,
    ) -> None:  # fmt: skip
        """`library` is the downloaded one unless given; `held_out` takes the symbols kept from training.

        `cubes` is the share of cubes among the dice, the others are octahedra; `letters` that of dice with letters.
        """
        self._cubes, self._letters_share = cubes, letters
        self._library = library or load()
        symbols = self._library.symbols(held_out=held_out)
        self._pips = [s for s in symbols if s.kind == "pips" and s.count <= 6]
        self._numerals = [s for s in symbols if s.kind == "glyph" and s.name.isdigit() and len(s.name) == 1]
        self._letters = [s for s in symbols if s.kind == "glyph" and s.name.isalpha()]
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
        symbols = self._choose(rng, shape, shape.faces)
        look = random_look(rng, shape, coloured=symbols[0].coloured, fill=symbols[0].fills)
        style = int(rng.integers(0, 2**32))

        @cache
        def texture(face: int) -> FaceTexture:
            art = self._library.art(symbols[face], np.random.default_rng(style))
            colour, relief = compose(art, shape, replace(look, seed=look.seed + face), size)
            ink = np.abs(colour.astype(np.float32) - np.array(look.body, np.float32)).max(axis=2)
            if not shape.fills:  # rounded edges reach a little beyond the face
                inside = face_mask(shape, size) > 0
                colour = np.where(inside[..., None], colour, np.array(look.body, np.float32).astype(np.uint8))
                ink *= inside
            cover = np.clip(ink / INKED, 0, 1)
            return FaceTexture(colour, relief if look.finish == "engraved" else None, cover)

        return DressedDie(texture, tuple(s.name for s in symbols), look.finish == "engraved")

    def _choose(self, rng: np.random.Generator, shape: Shape, count: int) -> Sequence[Symbol]:
        def dealt(of: Sequence[Symbol]) -> Sequence[Symbol]:
            return [of[int(i)] for i in rng.permutation(len(of))[:count]]

        if rng.random() < self._letters_share and len(self._letters) >= count:
            return dealt(self._letters)
        kind = rng.random()
        if kind < PIPS_SHARE[shape]:
            order = [1, 6, 2, 5, 3, 4] if count == 6 else [1, 2, 3, 4, 5, 6, 1, 2]
            return [self._pips[n - 1] for n in order]
        if kind < PIPS_SHARE[shape] + NUMERALS_SHARE[shape] and len(self._numerals) >= count:
            return dealt(self._numerals)
        return [self._others[int(rng.integers(len(self._others)))] for _ in range(count)]
