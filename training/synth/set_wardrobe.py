"""Dresses dice of one set, for pictures to measure on: every look, only this set's faces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from training.synth.sampler import DressedDie
from vision.dicesets.model import DiceSet, Face
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook, compose, is_coloured, random_look
from vision.render.scene import FaceTexture
from vision.render.solid import solid

Pixels = NDArray[np.uint8]

PALE, DARK = (226.0, 236.0, 240.0), (24.0, 22.0, 20.0)
"""Ivory and black, BGR."""


class SetWardrobe:
    """An `Artist` (see `training.synth.sampler`) that knows one dice set."""

    def __init__(self, dice_set: DiceSet, shape: Shape | None = None) -> None:
        """Raises ValueError when the set has no art for the shape."""
        self._set = dice_set
        self._shapes: tuple[Shape, ...] = (shape,) if shape else dice_set.shapes
        for each in self._shapes:
            if not dice_set.faces_for(each):
                raise ValueError(f"expected a set with pictures for a {each}, but {dice_set.id} has none")

    def shape(self, rng: np.random.Generator) -> Shape:
        """One of the set's shapes."""
        return self._shapes[int(rng.integers(len(self._shapes)))]

    def arts(self, rng: np.random.Generator) -> tuple[Pixels, ...]:
        """One of the set's symbols: the set's own cards lie on the table too."""
        face = self._set.faces[int(rng.integers(len(self._set.faces)))]
        arts = [picture.pixels() for picture in face.pictures if picture.kind == "art"]
        return tuple(arts[:1])

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        """One die; each of its faces in one of the set's drawings, all in one look."""
        faces = self._order(rng, shape)
        art = [_art(face, shape, rng) for face in faces]
        look = random_look(rng, shape, coloured=any(is_coloured(pixels) for pixels, _ in art))
        room = 0.75 if look.frame != "none" or look.ground is not None else 1.0
        grown = float(rng.uniform(0.85, 1.05)) * room
        drawn: dict[int, FaceTexture] = {}

        def texture(face: int) -> FaceTexture:
            if face not in drawn:
                pixels, scale = art[face]
                legible = _legible(replace(look, scale=scale * grown), is_coloured(pixels))
                colour, relief = compose(pixels, shape, legible, size)
                drawn[face] = FaceTexture(colour, relief if look.finish == "engraved" else None)
            return drawn[face]

        return DressedDie(texture, tuple(face.id for face in faces), look.finish == "engraved")

    def _order(self, rng: np.random.Generator, shape: Shape) -> list[Face]:
        """As many faces as the solid has; a set of more faces than sides is dealt out by lot."""
        sides = len(solid(shape).normals)
        faces = list(self._set.faces_for(shape))
        dealt = [faces[int(i)] for i in rng.permutation(len(faces))]
        while len(dealt) < sides:
            dealt.append(faces[int(rng.integers(len(faces)))])
        return dealt[:sides]


def _legible(look: FaceLook, coloured: bool) -> FaceLook:
    """The look with what it needs for a person to see the symbol: colour prints on light ground, ink that differs."""
    if look.ink is not None:
        return look
    if coloured:
        return look if look.ground is not None else replace(look, body=PALE)
    ground = look.ground if look.ground is not None else look.body
    dark = sum(ground) / 3 < 110
    return replace(look, ink=PALE if dark else DARK)


def _art(face: Face, shape: Shape, rng: np.random.Generator) -> tuple[Pixels, float]:
    pictures = [picture for picture in face.pictures_for(shape) if picture.kind == "art"]
    if not pictures:
        raise ValueError(f"expected art for the face {face.id}, found only photographs")
    chosen = pictures[int(rng.integers(len(pictures)))]
    return chosen.pixels(), chosen.scale
