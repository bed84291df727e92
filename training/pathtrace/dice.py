"""Dice as things: what they are made of, and how their faces are printed, engraved or stuck on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pathtrace import engine
from training.pathtrace.artwork import CELL, Drawing, Style, draw, has_pips, random_style
from training.pathtrace.solids import Build, frames
from training.pathtrace.textures import (
    Colour,
    Floats,
    bytes_of,
    filled,
    luminance,
    mixed,
    near,
    spectral,
    tone,
)
from vision.dicesets.model import DiceSet, Face
from vision.dicesets.shapes import Shape

Stuff = Literal["glossy", "matt", "speckled", "swirled", "pearl", "clear", "wood", "metal", "crystal"]
Finish = Literal["printed", "engraved", "sticker"]

SIMPLE: tuple[Colour, ...] = (
    (0.93, 0.92, 0.88), (0.95, 0.9, 0.78), (0.05, 0.05, 0.06), (0.7, 0.05, 0.06), (0.06, 0.12, 0.5),
    (0.04, 0.36, 0.14), (0.9, 0.68, 0.05), (0.85, 0.33, 0.04), (0.3, 0.08, 0.42), (0.55, 0.56, 0.58),
    (0.05, 0.4, 0.45), (0.88, 0.45, 0.6), (0.45, 0.68, 0.85), (0.35, 0.03, 0.06), (0.35, 0.22, 0.12),
)  # fmt: skip
"""Bodies that shops sell."""

WOODS: tuple[Colour, ...] = ((0.86, 0.72, 0.52), (0.78, 0.58, 0.37), (0.6, 0.4, 0.24), (0.9, 0.8, 0.64))
METALS: tuple[Colour, ...] = ((0.8, 0.8, 0.82), (0.85, 0.68, 0.4), (0.78, 0.5, 0.38), (0.35, 0.35, 0.38))
PALE: tuple[Colour, ...] = ((0.96, 0.95, 0.92), (0.95, 0.91, 0.8), (0.85, 0.87, 0.88), (0.97, 0.97, 0.97))
INKS: tuple[Colour, ...] = (
    (0.96, 0.95, 0.92), (0.03, 0.03, 0.03), (0.9, 0.72, 0.25), (0.75, 0.06, 0.06), (0.08, 0.12, 0.5),
    (0.78, 0.78, 0.8), (0.04, 0.35, 0.15), (0.98, 0.85, 0.3), (0.3, 0.85, 0.9), (0.5, 0.25, 0.08),
)  # fmt: skip

CONTRAST = 0.33
"""Ink and body differ by so much luminance, or nobody could read the die."""


@dataclass(frozen=True, slots=True)
class DieMake:
    """One die's making; several dice of a picture may share one."""

    stuff: Stuff
    finish: Finish
    body: Colour
    second: Colour
    """Of speckles, swirls and grain."""
    ink: Colour | None
    """None prints pictures in their own colours."""
    paper: Colour
    """Of stickers."""
    roughness: float
    clearcoat: float
    depth: float
    """Of engraving, in mm."""
    style: Style


@dataclass(frozen=True, eq=False, slots=True)
class DieTextures:
    """One die's surface: textures half its faces wide and two high."""

    faces: tuple[str, ...]
    """The set's face ids, by the number of the solid's face."""
    albedo: NDArray[np.uint8]
    """(H, W, 3) sRGB."""
    roughness: NDArray[np.uint8]
    ink: Floats
    """(H, W) 0..1 where there is ink."""
    cut: Floats | None
    """(H, W) 0..1 how deep it is engraved, or None if it is smooth."""
    look: DieMake

    def face(self, number: int, shape: Shape) -> tuple[NDArray[np.uint8], Floats]:
        """The colours (CELL, CELL, 3) and ink (CELL, CELL) of one face."""
        y, x = (number // (shape.faces // 2)) * CELL, (number % (shape.faces // 2)) * CELL
        return self.albedo[y : y + CELL, x : x + CELL], self.ink[y : y + CELL, x : x + CELL]


def random_look(rng: np.random.Generator, dice_set: DiceSet, wanted: Stuff | None = None) -> DieMake:
    """Something a shop or a kitchen table could have; `wanted` is what it is made of.

    Crystal is as clear as glass, its edges faint, its ink all that is plainly seen; it comes only where it is wanted.
    """
    first = [picture for face in dice_set.faces for picture in face.pictures[:1]]
    inked = [pixels[pixels[..., 3] > 200][:, :3] for pixels in (p.pixels() for p in first if p.kind == "art")]
    colours = any(len(ink) and int(np.ptp(ink.astype(int), axis=1).max()) > 40 for ink in inked)
    coloured = not has_pips(dice_set) and (colours or len(inked) < len(first))
    stuff: Stuff = rng.choice(
        np.array(["glossy", "matt", "speckled", "swirled", "pearl", "clear", "wood", "metal"]),
        p=[0.3, 0.15, 0.13, 0.1, 0.08, 0.06, 0.1, 0.08],
    ).item()
    stuff = wanted or stuff
    draws = float(rng.random())
    finish: Finish = "engraved" if draws < 0.6 else "printed"
    own_colours = coloured and rng.random() < 0.7
    if own_colours:
        finish = "sticker" if draws < 0.45 else "printed"
        if finish == "printed" and stuff not in ("wood", "glossy", "matt", "pearl"):
            stuff = "glossy"
    known = {"wood": WOODS, "metal": METALS, "crystal": PALE}.get(stuff)
    known = PALE if known is None and own_colours and finish == "printed" else known
    if known or rng.random() < 0.6:
        known = known or SIMPLE
        body = known[int(rng.integers(len(known)))]
    else:
        body = tone(rng, (0.1, 0.95), (0.15, 0.95))
    if own_colours and finish == "printed" and stuff == "wood":
        body = WOODS[3]
    body = near(rng, body, 0.02)
    far = [ink for ink in INKS if abs(luminance(ink) - luminance(body)) > CONTRAST]
    ink = None if own_colours else near(rng, far[int(rng.integers(len(far)))], 0.02)
    strong = min(0.5, 0.5 * abs(luminance(ink) - luminance(body))) if ink else 0.1
    aim = tone(rng, (0.0, 0.9), (0.05, 0.95))
    second = tuple(b + (a - b) * strong for a, b in zip(aim, body, strict=True))
    polish = {
        "glossy": (0.06, 0.2), "matt": (0.4, 0.75), "wood": (0.35, 0.7), "metal": (0.22, 0.45), "crystal": (0.04, 0.06),
    }  # fmt: skip
    return DieMake(
        stuff, finish, body, (second[0], second[1], second[2]), ink,
        PALE[int(rng.integers(len(PALE)))],
        float(rng.uniform(*polish.get(stuff, (0.08, 0.3)))),
        float(rng.uniform(0.3, 1.0)) if stuff in ("swirled", "pearl") else 0.0,
        float(rng.uniform(0.15, 0.45)), random_style(rng),
    )  # fmt: skip


def random_build(rng: np.random.Generator, shape: Shape, size: float) -> Build:
    """A cut: sharp as a casino's die, filleted, or with its corners taken off by a ball."""
    if shape is Shape.CUBE:
        fillet = float(rng.uniform(0.02, 0.13))
        ball = float(rng.uniform(0.68, 0.8)) if rng.random() < 0.35 else 9.0
    else:
        fillet = float(rng.uniform(0.015, 0.07))
        ball = float(rng.uniform(0.76, 0.84)) if rng.random() < 0.3 else 9.0
    return Build(shape, size, fillet, ball)


def dealt(rng: np.random.Generator, dice_set: DiceSet, shape: Shape) -> tuple[Face, ...]:
    """The faces of one die, by the number of the solid's face: the set's net, or by lot where it has none."""
    net = dice_set.net_for(shape)
    if net:
        return tuple(dice_set.face(face_id) for face_id in net)
    sides, faces = len(frames(shape).normals), dice_set.faces_for(shape)
    order = [faces[int(i)] for i in rng.permutation(len(faces))]
    while len(order) < sides:
        order.append(faces[int(rng.integers(len(faces)))])
    return tuple(order[:sides])


def skin(rng: np.random.Generator, dice_set: DiceSet, shape: Shape, look: DieMake) -> DieTextures:
    """Paint one die."""
    faces = dealt(rng, dice_set, shape)
    drawn = {face.id: draw(dice_set, face, shape, look.style) for face in faces}
    columns = shape.faces // 2
    size = (2 * CELL, columns * CELL)
    ground, rough = body(rng, look, size)
    ink = np.zeros(size, np.float32)
    deep = np.zeros(size, np.float32)
    for number, face in enumerate(faces):
        y, x = (number // columns) * CELL, (number % columns) * CELL
        cell = slice(y, y + CELL), slice(x, x + CELL)
        ground[cell], ink[cell], deep[cell] = _face(ground[cell], drawn[face.id], shape, look)
    rough = rough + ink * (0.12 if look.finish != "sticker" else 0.0)
    cut = deep if deep.any() else None
    return DieTextures(tuple(face.id for face in faces), bytes_of(ground), bytes_of(rough), ink, cut, look)


def body(rng: np.random.Generator, look: DieMake, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """The body without ink, (H, W, 3), and its roughness (H, W)."""
    image = filled(size, look.body)
    rough = np.full(size, look.roughness, np.float32)
    if look.stuff == "speckled":
        for _ in range(int(rng.integers(1, 3))):
            spots = spectral(rng, *size, 0.3, 8, size[0] / float(rng.uniform(5, 14)))
            share = np.clip((spots - float(rng.uniform(1.0, 1.7))) * 4, 0, 1)
            image = mixed(image, near(rng, look.second, 0.12), share)
    elif look.stuff in ("swirled", "pearl", "clear"):
        wide = spectral(rng, *size, 1.6, 2, 60)
        bend = 1.5 * spectral(rng, *size, 2.0, 1, 12)
        share = 0.5 + 0.5 * np.sin(wide * (1.2 if look.stuff == "pearl" else 2.2) + bend)
        image = mixed(image, look.second, share * (0.5 if look.stuff == "clear" else 0.9))
    elif look.stuff == "wood":
        grain = spectral(rng, *size, 0.8, 4, 200, stretch=14)
        rings = np.sin(6 * spectral(rng, *size, 2.0, 1, 8, stretch=4))
        image *= (1 + 0.09 * grain + 0.06 * rings)[..., None]
        rough += 0.05 * grain
    elif look.stuff == "metal":
        rough += 0.08 * spectral(rng, *size, 0.5, 4, 300, stretch=6)
    rough += 0.02 * spectral(rng, *size, 1.5, 2, 60)  # fingers
    return image, np.clip(rough, 0.04, 1).astype(np.float32)


def _face(ground: Floats, drawing: Drawing, shape: Shape, look: DieMake) -> tuple[Floats, Floats, Floats]:
    """One face: colours (CELL, CELL, 3), where ink is, and how deep it is cut (both (CELL, CELL), 0..1)."""
    none = np.zeros((CELL, CELL), np.float32)
    if drawing.whole:
        assert drawing.colour is not None
        return drawing.colour, none + 0.5, none
    if look.ink is None:
        painted, edge = ground, none
        if look.finish == "sticker":
            paper = sticker(shape)
            painted = mixed(painted, look.paper, paper)
            edge = np.clip(cv2.GaussianBlur(paper, (0, 0), 1.5) - paper, 0, 1) * 0.4
        ink: Colour | Floats = (0.03, 0.03, 0.03) if drawing.colour is None else drawing.colour
        return mixed(painted, ink, drawing.cover), drawing.cover, np.asarray(edge, np.float32)
    cover = drawing.cover
    if drawing.colour is not None:  # one ink: what is light in a coloured picture stays free of it
        light = drawing.colour @ np.array([0.2126, 0.7152, 0.0722], np.float32)
        cover = cover * (1 - np.clip((light - 0.62) / 0.15, 0, 1))
    deep = none
    if look.finish == "engraved":
        deep = np.asarray(cv2.GaussianBlur(cover, (0, 0), 2.2), np.float32)
    inked = mixed(ground, look.ink, cover)
    # Cuts gather dirt and shadow at their walls.
    wall = cv2.GaussianBlur(cover, (0, 0), 1.6) * (1 - cover) if look.finish == "engraved" else none
    return np.asarray(inked * (1 - 0.5 * wall[..., None]), np.float32), cover.astype(np.float32), deep


@cache
def sticker(shape: Shape) -> Floats:
    """Coverage of a sticker as large as the sheet prints it: 7/8 of the face, corners rounded."""
    part, radius, over = 0.875, 0.08, 4
    flat = np.array(shape.outline) - shape.centre
    inner = flat * (part - radius / shape.inradius) + shape.centre
    mask = np.zeros((CELL * over, CELL * over), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(inner * CELL * over).astype(np.int32), 255)
    thick = 2 * round(radius * CELL * over) + 1
    mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick, thick)))
    return np.asarray(cv2.resize(mask, (CELL, CELL), interpolation=cv2.INTER_AREA) / 255, np.float32)


def material(painted: DieTextures) -> dict[str, Any]:
    """The skin as a Mitsuba material."""
    look = painted.look
    surface: dict[str, Any] = {
        "type": "principled",
        "base_color": engine.bitmap(painted.albedo),
        "roughness": engine.bitmap(painted.roughness, raw=True),
        "specular": 0.5,
    }
    if look.clearcoat > 0:
        surface |= {"clearcoat": look.clearcoat, "clearcoat_gloss": 0.93}
    if look.stuff == "metal":
        surface["metallic"] = engine.bitmap(bytes_of(0.97 - 0.97 * painted.ink), raw=True)
    if look.stuff in ("clear", "crystal"):
        share = 0.75 if look.stuff == "clear" else 0.97
        surface["spec_trans"] = engine.bitmap(bytes_of(share - share * painted.ink), raw=True)
        surface["eta"] = 1.5
        del surface["specular"]
    return surface
