"""Dice of other kinds than those that are read: d4, d10, d12 and d20, with their numerals, as things on a table.

People keep them in the same bag. A reader must leave them out or ask about them.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from training.pathtrace.artwork import HERSHEY
from training.pathtrace.dice import DieTextures, body, material, random_look
from training.pathtrace.props import Prop
from training.pathtrace.solids import Floats, Mesh
from training.pathtrace.textures import bytes_of, mixed, written
from training.synth.polyhedra import laid_on
from training.synth.polyhedra import polyhedron as sharp
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.render.solid import Solid

TEXELS = 200
"""Side of one face's picture."""
SIZES = {"d4": (12.0, 15.0), "d10": (14.0, 17.0), "d12": (16.0, 20.0), "d20": (18.0, 22.0)}
"""Bounds of a die's height as it lies, in mm."""
TALL = {"d4": 0.75, "d10": 0.65, "d12": 0.75, "d20": 0.65}
"""Height of a numeral, in diameters of the circle that fits into its face; on a d4, which has one at each corner, in
radii."""
BEVEL = (0.04, 0.14)
"""Bounds of how much smaller a face is than on the sharp solid."""


def form(kind: str) -> Solid:
    """The sharp solid; the circle that fits into each of its faces has the radius `Shape.OCTAHEDRON.inradius`."""
    return sharp(int(kind[1:]), Shape.OCTAHEDRON)


def reach(kind: str) -> float:
    """How far the corners of a face are from its middle, at most: half of what its picture shows."""
    sides = form(kind).corners
    return float(np.linalg.norm(sides - sides.mean(axis=1, keepdims=True), axis=2).max())


def solid(kind: str, bevel: float) -> Mesh:
    """A die about the origin with bevelled, smoothly shaded edges.

    Its texture has one picture a face, side by side.
    """
    whole = form(kind)
    sides = whole.corners[:, ::-1].astype(np.float64)  # counter-clockwise seen from outside
    count, around = sides.shape[:2]
    middles = sides.mean(axis=1, keepdims=True)
    smaller = middles + (sides - middles) * (1 - bevel)
    flat = np.stack([((smaller - middles) * axis[:, None]).sum(-1) for axis in (whole.right, whole.down)], -1)
    uv = flat / (2 * reach(kind)) + 0.5
    uv[..., 0] = (uv[..., 0] + np.arange(count)[:, None]) / count
    vertices, normals = smaller.reshape(-1, 3), np.repeat(whole.normals.astype(np.float64), around, axis=0)
    _, corner = np.unique(np.round(sides.reshape(-1, 3), 4), axis=0, return_inverse=True)
    loops = [list(range(face * around, (face + 1) * around)) for face in range(count)]
    for gap in _gaps(loops, corner.ravel().tolist()):
        a, b, c = vertices[gap[:3]]
        loops.append(gap if np.cross(b - a, c - b) @ a > 0 else gap[::-1])
    triangles = [(loop[0], loop[k], loop[k + 1]) for loop in loops for k in range(1, len(loop) - 1)]
    return Mesh(vertices, normals, uv.reshape(-1, 2), np.array(triangles, np.int64))


def _gaps(faces: list[list[int]], corner: list[int]) -> list[list[int]]:
    """What lies between the smaller faces, as loops of their vertices: a strip at each edge, a cap at each corner.

    `faces` are loops of vertices, `corner` says at which corner of the sharp solid each vertex is.
    """
    after = {loop[k - 1]: loop[k] for loop in faces for k in range(len(loop))}
    edge = {(corner[a], corner[b]): (a, b) for a, b in after.items()}
    strips = [[a, b, *edge[far, near]] for (near, far), (a, b) in edge.items() if near < far]
    caps: list[list[int]] = []
    for first in {corner[a]: a for a in after}.values():
        cap = [first]
        while (beside := edge[corner[after[cap[-1]]], corner[first]][1]) != first:
            cap.append(beside)
        caps.append(cap)
    return strips + caps


def polyhedron(rng: np.random.Generator) -> Prop:
    """A d4, d10, d12 or d20 that lies on one of its faces."""
    kind = str(rng.choice(list(SIZES)))
    return Prop(kind, lying(rng, kind), material(_skin(rng, kind)))


def lying(rng: np.random.Generator, kind: str) -> Mesh:
    """The body of a die that lies on one of its faces, in mm."""
    die, outward = solid(kind, float(rng.uniform(*BEVEL))), form(kind).normals
    down = outward[int(rng.integers(len(outward)))].astype(np.float64)
    die = die.moved(laid_on(down), np.zeros(3))
    low, high = float(die.vertices[:, 2].min()), float(die.vertices[:, 2].max())
    scale = float(rng.uniform(*SIZES[kind])) / (high - low)
    return replace(die, vertices=(die.vertices - (0, 0, low)) * scale)


def _skin(rng: np.random.Generator, kind: str) -> DieTextures:
    """Paint one die: its numerals, on a d4 one at each corner of a face."""
    look = random_look(rng, find("fate"))  # what dice with numerals are made of
    whole = form(kind)
    count = len(whole.normals)
    painted, rough = body(rng, look, (TEXELS, TEXELS * count))
    ink = np.zeros(painted.shape[:2], np.float32)
    font = list(HERSHEY.values())[int(rng.integers(len(HERSHEY)))]
    tall = TALL[kind] * Shape.OCTAHEDRON.inradius / reach(kind) * TEXELS
    tens = kind == "d10" and rng.random() < 0.4
    for number, value in enumerate(rng.permutation(count).tolist()):
        cell = ink[:, number * TEXELS : (number + 1) * TEXELS]
        if kind == "d4":
            for place, text in enumerate(rng.permutation(count)[:3].tolist()):
                cell[:] = np.maximum(cell, _at_corner(str(text + 1), tall / 2, font, place))
            continue
        text = f"{value}0" if tens else str(value if kind == "d10" else value + 1)
        _write(cell, text, TEXELS // 2, tall / (1 if len(text) == 1 else 1.35), font)
    colour = look.ink or (0.05, 0.05, 0.05)
    return DieTextures((), bytes_of(mixed(painted, colour, ink)), bytes_of(rough), ink, None, look)


def _at_corner(text: str, tall: float, font: int, place: int) -> Floats:
    """A numeral upright at a corner of a triangle in a (TEXELS, TEXELS) picture, counter-clockwise from the top."""
    cell = np.zeros((TEXELS, TEXELS), np.float32)
    _write(cell, text, round(TEXELS * 0.27), tall, font)
    turn = cv2.getRotationMatrix2D((TEXELS / 2, TEXELS / 2), 120.0 * place, 1.0)
    return np.asarray(cv2.warpAffine(cell, turn, (TEXELS, TEXELS)), np.float64)


def _write(cell: Floats, text: str, row: int, tall: float, font: int) -> None:
    """Write a numeral `tall` texels high in the middle of a row; a six and a nine are underlined."""
    thick, middle = max(1, round(tall * 0.14)), TEXELS // 2
    written(cell, text, (middle, row), tall / 22, (1.0, 1.0, 1.0), thick, font, centred=True)
    if text in ("6", "9"):
        foot, half = round(row + tall * 0.72), round(tall * 0.3)
        cv2.line(cell, (middle - half, foot), (middle + half, foot), 1.0, thick)
