"""Dice of other kinds than those that are read: d4, d10, d12 and d20, with their numerals, as things on a table.

People keep them in the same bag. A reader must leave them out or ask about them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import cv2
import numpy as np

from training.pathtrace.artwork import HERSHEY
from training.pathtrace.dice import DieTextures, body, material, random_look
from training.pathtrace.props import Prop
from training.pathtrace.solids import Floats, Mesh
from training.pathtrace.textures import bytes_of, mixed, written
from vision.dicesets.library import find

GOLDEN = (1 + 5**0.5) / 2
TEXELS = 200
"""Side of one face's picture."""
SIZES = {"d4": (12.0, 15.0), "d10": (14.0, 17.0), "d12": (16.0, 20.0), "d20": (18.0, 22.0)}
"""Bounds of a die's height as it lies, in mm."""
TALL = {"d4": 0.38, "d10": 0.65, "d12": 0.75, "d20": 0.65}
"""Of a numeral, in radii of the circle that fits into its face."""
BEVEL = (0.04, 0.14)
"""Bounds of how much smaller a face is than on the sharp solid."""


@cache
def corners(kind: str) -> Floats:
    """(V, 3) the corners of a solid about the origin."""
    signs = np.array(np.meshgrid([-1, 1], [-1, 1])).reshape(2, -1).T
    if kind == "d4":
        return np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    if kind == "d10":  # a pentagonal trapezohedron; its kites are plane if the ring zigzags by this much
        turn, zigzag = np.pi / 5 * np.arange(10), np.tan(np.pi / 10) ** 2
        ring = np.stack([np.cos(turn), np.sin(turn), zigzag * np.where(np.arange(10) % 2, 1, -1)], 1)
        return np.concatenate([ring, [[0, 0, 1.0], [0, 0, -1.0]]])
    far = [(0, a, b * GOLDEN) if kind == "d20" else (0, a / GOLDEN, b * GOLDEN) for a, b in signs]
    turned = np.concatenate([np.roll(np.array(far, float), k, axis=1) for k in range(3)])
    cube = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), float).reshape(3, -1).T
    return turned if kind == "d20" else np.concatenate([turned, cube])


@cache
def faces(kind: str) -> tuple[tuple[int, ...], ...]:
    """The corners of each face, counter-clockwise seen from outside."""
    points, found = corners(kind), set[tuple[int, ...]]()
    for three in combinations(range(len(points)), 3):
        a, b, c = points[list(three)]
        normal = np.cross(b - a, c - a)
        normal = normal * (1 if normal @ a > 0 else -1) / max(float(np.linalg.norm(normal)), 1e-9)
        above = points @ normal - normal @ a
        if np.linalg.norm(normal) > 0.5 and above.max() < 1e-6:
            found.add(tuple(_ordered(points, np.flatnonzero(above > -1e-6), normal)))
    return tuple(sorted(found))


def _ordered(points: Floats, which: np.ndarray, normal: Floats) -> list[int]:
    """Corners of a face counter-clockwise, from the one with the smallest number."""
    middle = points[which].mean(0)
    right = points[which[0]] - middle
    up = np.cross(normal, right)
    angles = np.arctan2((points[which] - middle) @ up, (points[which] - middle) @ right)
    order: list[int] = which[np.argsort(angles % (2 * np.pi) - 1e-9 * (angles >= 0))].tolist()
    first = order.index(min(order))
    return order[first:] + order[:first]


def solid(kind: str, bevel: float) -> tuple[Mesh, Floats]:
    """A die with bevelled, smoothly shaded edges, and the normals of its faces (F, 3).

    Its texture has one picture a face, side by side.
    """
    points, every = corners(kind), faces(kind)
    vertices: list[Floats] = []
    normals: list[Floats] = []
    uv: list[Floats] = []
    triangles: list[tuple[int, int, int]] = []
    place: dict[tuple[int, int], int] = {}
    outward: list[Floats] = []
    for number, loop in enumerate(every):
        own = points[list(loop)]
        middle = own.mean(0)
        normal = np.cross(own[1] - own[0], own[2] - own[1])
        normal /= np.linalg.norm(normal)
        up = own[0] - middle
        reach = float(np.linalg.norm(own - middle, axis=1).max())
        up = up / np.linalg.norm(up)
        right = np.cross(up, normal)
        first = len(vertices)
        for corner, at in zip(loop, middle + (own - middle) * (1 - bevel), strict=True):
            place[number, corner] = len(vertices)
            vertices.append(at)
            normals.append(normal)
            flat = np.array([(at - middle) @ right, -(at - middle) @ up]) / (2 * reach)
            uv.append(np.array([(number + 0.5 + flat[0]) / len(every), 0.5 + flat[1]]))
        triangles += [(first, first + k, first + k + 1) for k in range(1, len(loop) - 1)]
        outward.append(normal)
    for gap in _gaps(every):
        around = [place[pair] for pair in gap]
        a, b, c = (vertices[k] for k in around[:3])
        around = around if np.cross(b - a, c - b) @ a > 0 else around[::-1]
        triangles += [(around[0], around[k], around[k + 1]) for k in range(1, len(around) - 1)]
    made = Mesh(np.array(vertices), np.array(normals), np.array(uv), np.array(triangles, np.int64))
    return made, np.array(outward)


def _gaps(every: tuple[tuple[int, ...], ...]) -> list[list[tuple[int, int]]]:
    """What lies between the smaller faces, as loops of (face, corner): a strip at each edge, a cap at each corner."""
    owner = {(a, b): face for face, loop in enumerate(every) for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)}
    strips = [[(face, a), (owner[b, a], a), (owner[b, a], b), (face, b)] for (a, b), face in owner.items() if a < b]
    caps: list[list[tuple[int, int]]] = []
    for corner in sorted({a for a, _ in owner}):
        first, b = next((face, b) for (a, b), face in owner.items() if a == corner)
        cap, face = [(first, corner)], owner[b, corner]
        while face != first:
            cap.append((face, corner))
            b = next(b for (a, b), own in owner.items() if a == corner and own == face)
            face = owner[b, corner]
        caps.append(cap)
    return strips + caps


def polyhedron(rng: np.random.Generator, kind: str | None = None) -> Prop:
    """A d4, d10, d12 or d20 that lies on one of its faces."""
    kind = kind or str(rng.choice(list(SIZES)))
    lying, outward = solid(kind, float(rng.uniform(*BEVEL)))
    down = outward[int(rng.integers(len(outward)))]
    lying = lying.moved(_turning(down, np.array([0.0, 0, -1])), np.zeros(3))
    low, high = float(lying.vertices[:, 2].min()), float(lying.vertices[:, 2].max())
    scale = float(rng.uniform(*SIZES[kind])) / (high - low)
    lying = replace(lying, vertices=(lying.vertices - (0, 0, low)) * scale)
    return Prop(kind, lying, material(_skin(rng, kind)))


def _turning(start: Floats, end: Floats) -> Floats:
    """The (3, 3) rotation that turns one unit vector into another."""
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -1 + 1e-9:
        return np.diag([1.0, -1.0, -1.0]) if abs(start[0]) < 0.9 else np.diag([-1.0, 1.0, -1.0])
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + cross + cross @ cross / (1 + cosine)


def _skin(rng: np.random.Generator, kind: str) -> DieTextures:
    """Paint one die: its numerals, on a d4 one at each corner of a face."""
    look = random_look(rng, find("fate"))  # what dice with numerals are made of
    every = faces(kind)
    painted, rough = body(rng, look, (TEXELS, TEXELS * len(every)))
    ink = np.zeros(painted.shape[:2], np.float32)
    font = list(HERSHEY.values())[int(rng.integers(len(HERSHEY)))]
    tens = kind == "d10" and rng.random() < 0.4
    order = rng.permutation(len(every))
    for number, loop in enumerate(every):
        cell = ink[:, number * TEXELS : (number + 1) * TEXELS]
        if kind == "d4":
            for place, corner in enumerate(loop):
                cell[:] = np.maximum(cell, _beside_corner(str(corner + 1), font, place))
            continue
        value = int(order[number])
        text = f"{value}0" if tens else str(value if kind == "d10" else value + 1)
        points = corners(kind)[list(loop)]
        inside = np.linalg.norm((points + np.roll(points, -1, 0)) / 2 - points.mean(0), axis=1).min()
        radius = inside / np.linalg.norm(points - points.mean(0), axis=1).max() * TEXELS / 2
        _write(cell, text, (TEXELS // 2, TEXELS // 2), 2 * radius * TALL[kind] / (1 if len(text) == 1 else 1.35), font)
    colour = look.ink or (0.05, 0.05, 0.05)
    return DieTextures((), bytes_of(mixed(painted, colour, ink)), bytes_of(rough), ink, None, look)


def _beside_corner(text: str, font: int, place: int) -> Floats:
    """A (TEXELS, TEXELS) triangle's numeral upright at its corner `place`, counter-clockwise from the top."""
    cell = np.zeros((TEXELS, TEXELS), np.float32)
    _write(cell, text, (TEXELS // 2, round(TEXELS * 0.27)), TALL["d4"] * TEXELS / 2, font)
    turn = cv2.getRotationMatrix2D((TEXELS / 2, TEXELS / 2), 120.0 * place, 1.0)
    return np.asarray(cv2.warpAffine(cell, turn, (TEXELS, TEXELS)), float)


def _write(cell: Floats, text: str, at: tuple[int, int], tall: float, font: int) -> None:
    """Write a numeral `tall` texels high about a place; a six and a nine are underlined."""
    scale = tall / 22
    thick = max(1, round(tall * 0.14))
    written(cell, text, at, scale, (1.0, 1.0, 1.0), thick, font, centred=True)
    if text in ("6", "9"):
        x, y, half = at[0], round(at[1] + tall * 0.72), round(tall * 0.3)
        cv2.line(cell, (x - half, y), (x + half, y), 1.0, thick)
