"""What lies on the demo table: the cloth, the lamp, and the dice as they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from vision.dicesets.model import DiceSet, FacePicture
from vision.dicesets.shapes import Shape
from vision.frame import Pixels
from vision.render.faces import FaceLook, compose
from vision.render.light import Lamp, Lighting
from vision.render.scene import FaceTexture

FACE_TEXELS = 192
SIDE: dict[Shape, float] = {Shape.CUBE: 17.0, Shape.OCTAHEDRON: 21.0}
"""Length of a face's side in millimetres."""
BALL: dict[Shape, float] = {Shape.CUBE: 0.8, Shape.OCTAHEDRON: 0.68}
"""Radius of the sphere that rounds the corners, in sides."""

LOOKS: tuple[FaceLook, ...] = (
    FaceLook(body=(226.0, 238.0, 242.0), ink=(92.0, 46.0, 22.0)),
    FaceLook(body=(112.0, 52.0, 26.0), ink=(238.0, 244.0, 246.0)),
    FaceLook(body=(58.0, 40.0, 150.0), ink=(235.0, 243.0, 246.0)),
)
"""Ivory with blue ink, blue with white, red with white; BGR."""

COLOURED_LOOK = FaceLook(body=(226.0, 238.0, 242.0), ink=None)
"""Ivory, for drawings that have colours of their own."""


def evening_light() -> Lighting:
    """A warm lamp to the left and what the room gives back."""
    towards = np.array([-0.45, 0.4, 1.0], np.float32)
    direction = (towards / np.linalg.norm(towards)).astype(np.float32)
    lamp = Lamp(direction, np.array([0.66, 0.76, 0.82], np.float32), 0.14)
    ambient, bounce = np.array([0.43, 0.41, 0.39], np.float32), np.array([0.10, 0.12, 0.10], np.float32)
    return Lighting((lamp,), ambient, bounce)


def felt(rng: np.random.Generator) -> Pixels:
    """A quiet green cloth, (T, T, 3) BGR."""
    weave = cv2.GaussianBlur(rng.standard_normal((512, 512)).astype(np.float32), (0, 0), 0.8)
    coarse = rng.standard_normal((5, 5)).astype(np.float32)
    broad = cv2.resize(coarse, (512, 512), interpolation=cv2.INTER_CUBIC)
    tone = 1 + 0.09 * weave + 0.03 * broad
    return np.clip(np.array([96, 122, 74], np.float32) * tone[..., None], 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Skin:
    """What is on one die."""

    faces: tuple[str, ...]
    """The face ids, in the order of the solid's faces."""
    texture: Callable[[int], FaceTexture]
    """What is on the solid's face i."""


def skins(dice_set: DiceSet, shape: Shape, count: int, rng: np.random.Generator) -> tuple[Skin, ...]:
    """Make `count` dice of a set, all in one look. Raises ValueError if the set has no pictures for this shape.

    Every die keeps to one drawing style where the set has the same ones for every face. A set of more faces
    than sides is dealt out by lot; one of fewer shows some of them twice.
    """
    faces = dice_set.faces_for(shape)
    if not faces:
        raise ValueError(f"expected a set with pictures for a {shape}, but {dice_set.id} has none")
    art = [p for face in faces for p in face.pictures_for(shape)[:1] if p.kind == "art"]
    inside = [pixels[pixels[..., 3] > 200][:, :3].astype(np.int16) for pixels in (p.pixels() for p in art)]
    coloured = any(len(inked) and int(np.ptp(inked, axis=1).max()) > 40 for inked in inside)
    look = COLOURED_LOOK if coloured else LOOKS[int(rng.integers(len(LOOKS)))]
    stems = [{picture.path.stem for picture in face.pictures_for(shape)} for face in faces]
    styles = sorted(stems[0].intersection(*stems))
    made: list[Skin] = []
    for _ in range(count):
        style = styles[int(rng.integers(len(styles)))] if styles else None
        order = _faces_of_one_die(dice_set, shape, rng)
        styled = (
            [p for p in dice_set.face(face).pictures_for(shape) if style in (None, p.path.stem)] for face in order
        )
        pictures = tuple(some[int(rng.integers(len(some)))] for some in styled)
        made.append(Skin(order, _painter(pictures, shape, look)))
    return tuple(made)


def _painter(pictures: Sequence[FacePicture], shape: Shape, look: FaceLook) -> Callable[[int], FaceTexture]:
    """What is on face i; made when it first comes into view, most never do at once."""

    @cache
    def texture(face: int) -> FaceTexture:
        picture = pictures[face]
        if picture.kind == "face":
            return FaceTexture(picture.pixels())
        art = picture.pixels()
        colour, relief = compose(art, shape, replace(look, scale=picture.scale), FACE_TEXELS)
        return FaceTexture(colour, relief)

    return texture


def _faces_of_one_die(dice_set: DiceSet, shape: Shape, rng: np.random.Generator) -> tuple[str, ...]:
    """The face ids in the order of the solid's faces."""
    sides = shape.faces
    net = dice_set.net_for(shape) or tuple(face.id for face in dice_set.faces_for(shape))
    if len(net) < sides:
        net = tuple(net[i % len(net)] for i in range(sides))
    elif len(net) > sides:
        net = tuple(net[int(i)] for i in rng.permutation(len(net))[:sides])
    order = [""] * sides
    for place, face_id in zip(shape.net, net, strict=True):
        order[place] = face_id
    return tuple(order)
