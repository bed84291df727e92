"""The symbols that training pictures carry: thousands of icons, numerals and letters, pips and doubled icons.

A *class* is what a person would call the same face: one icon, one numeral over all typefaces, one number of
pips in every layout. Drawings are *art*: ``(96, 96, 4)`` RGBA uint8, upright on a clear ground, for
`vision.render.faces`. The drawings lie in a cache folder that `training.synth.collect` fills.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

PIP_COUNTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
"""Beyond 6, as dice with pips on a d8 and dominoes have them: they teach counting."""

_SHIFT: Final = 4
"""Fractional bits of the coordinates given to OpenCV."""


def pip_layout(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Centres of `count` pips, (count, 2), in units of the distance from the middle to an outer row.

    2 and 3 lie on either diagonal (a mirror image is the same face), sometimes in a row; the sixes of a 6
    stand in two columns or two rows. The faces of traditional dice:
    https://en.wikipedia.org/wiki/Dice#Arrangement
    """
    corners = [(-1.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0)]
    if rng.random() < 0.5:
        corners = corners[2:] + corners[:2]
    around = [*corners, (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]
    points = np.array([*around[: count - count % 2], *[(0.0, 0.0)] * (count % 2)])
    if count in (2, 3) and rng.random() < 0.08:
        points[:, 1] = 0
    if count == 6:  # the two columns of a 6 are often closer, or further apart, than its rows
        points[:, 0] *= rng.uniform(0.75, 1.1)
    if count in (6, 7, 8) and rng.random() < 0.5:
        points = points[:, ::-1]
    return points


def _pip(mask: NDArray[np.uint8], x: float, y: float, radius: float, kind: str, level: int) -> None:
    fixed = (round((x - 0.5) * (1 << _SHIFT)), round((y - 0.5) * (1 << _SHIFT)))
    if kind == "square":
        radius *= 0.85
        low = tuple(int(v - radius * (1 << _SHIFT)) for v in fixed)
        high = tuple(int(v + radius * (1 << _SHIFT)) for v in fixed)
        cv2.rectangle(mask, low, high, level, -1, cv2.LINE_AA, _SHIFT)
        return
    cv2.circle(mask, fixed, round(radius * (1 << _SHIFT)), level, -1, cv2.LINE_AA, _SHIFT)
    if kind == "ring":
        cv2.circle(mask, fixed, round(0.55 * radius * (1 << _SHIFT)), 0, -1, cv2.LINE_AA, _SHIFT)
    if kind == "pale":  # a drilled pip whose paint is worn, or which mirrors the light
        cv2.circle(mask, fixed, round(0.6 * radius * (1 << _SHIFT)), level // 2, -1, cv2.LINE_AA, _SHIFT)
    if kind == "target":
        cv2.circle(mask, fixed, round(0.7 * radius * (1 << _SHIFT)), 0, -1, cv2.LINE_AA, _SHIFT)
        cv2.circle(mask, fixed, round(0.4 * radius * (1 << _SHIFT)), level, -1, cv2.LINE_AA, _SHIFT)


def draw_pips(count: int, rng: np.random.Generator, size: int = 96) -> NDArray[np.uint8]:
    """A face of `count` pips, 1 to 9, as art (size, size, 4) RGBA, laid out over the whole face."""
    mask = np.zeros((size, size), np.uint8)
    spread = rng.uniform(0.19, 0.34)
    places = pip_layout(count, rng) * spread
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(count)
    radius = min(rng.uniform(0.055, 0.135), 0.38 * float(apart.min()), 0.48 - spread)
    if count == 1 and rng.random() < 0.3:
        radius *= rng.uniform(1.2, 2.0)
    kind = ["round", "ring", "pale", "target", "square"][int(rng.choice(5, p=[0.72, 0.09, 0.09, 0.05, 0.05]))]
    aspect = rng.uniform(0.9, 1.0) if rng.random() < 0.2 else 1.0
    for x, y in places:
        _pip(mask, (0.5 + x * aspect) * size, (0.5 + y) * size, radius * size, kind, 255)
    art = np.zeros((size, size, 4), np.uint8)
    art[..., 3] = mask
    return art


def double(art: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Two small copies of a symbol on one face, beside or above each other or on a diagonal."""
    size = art.shape[0]
    side = int(size * rng.uniform(0.44, 0.5))
    small = np.asarray(cv2.resize(art, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    out = np.zeros_like(art)
    free = size - side
    half = free // 2
    places = [((0, half), (free, half)), ((half, 0), (half, free)), ((0, 0), (free, free)), ((free, 0), (0, free))]
    first, second = places[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))]
    for index, (x, y) in enumerate((first, second)):
        copy = small[:, ::-1] if index and rng.random() < 0.25 else small
        window = out[y : y + side, x : x + side]
        window[...] = np.where(copy[..., 3:] >= window[..., 3:], copy, window)
    return out


ART_SIZE: Final = 96
"""Side of a drawing in px."""

Kind = Literal["icon", "colour", "glyph", "pips", "double", "blank"]
"""One-coloured icons, coloured pictures, letters and numerals, counted pips, doubled icons, nothing."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One stored drawing: the class it belongs to, its kind, its row, and whether it is kept for testing."""

    name: str
    kind: Kind
    row: int
    held_out: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """One class of symbols, of which drawings can be made."""

    name: str
    kind: Kind
    glyphs: tuple[Glyph, ...] = ()
    count: int = 0
    """Of pips."""

    @property
    def coloured(self) -> bool:
        """Whether its drawings have colours of their own."""
        return bool(self.glyphs) and self.glyphs[0].kind == "colour"

    @property
    def fills(self) -> bool:
        """Whether its drawings are laid out over the whole face."""
        return self.kind == "pips"


@dataclass(frozen=True, eq=False)
class Library:
    """All stored drawings; those of one colour are stored as their coverage only."""

    mono: NDArray[np.uint8]
    """(N, 96, 96) coverage."""
    colour: NDArray[np.uint8]
    """(M, 96, 96, 4) RGBA."""
    glyphs: tuple[Glyph, ...]

    def art(self, symbol: Symbol, rng: np.random.Generator) -> NDArray[np.uint8]:
        """A drawing of a symbol, (96, 96, 4); numerals in any of its typefaces, pips in any layout."""
        if symbol.kind == "pips":
            return draw_pips(symbol.count, rng, ART_SIZE)
        if symbol.kind == "blank":
            return np.zeros((ART_SIZE, ART_SIZE, 4), np.uint8)
        glyph = symbol.glyphs[int(rng.integers(len(symbol.glyphs)))]
        if glyph.kind == "colour":
            art = np.array(self.colour[glyph.row])
        else:
            art = np.zeros((ART_SIZE, ART_SIZE, 4), np.uint8)
            art[..., 3] = self.mono[glyph.row]
        return double(art, rng) if symbol.kind == "double" else art

    def typefaces(self, *, held_out: bool = False) -> tuple[dict[str, Glyph], ...]:
        """The letters and numerals of each typeface by name: they are stored one typeface after another."""
        all_of_them: list[dict[str, Glyph]] = [{}]
        for glyph in self.glyphs:
            if glyph.kind == "glyph" and glyph.held_out == held_out:
                if glyph.name in all_of_them[-1]:
                    all_of_them.append({})
                all_of_them[-1][glyph.name] = glyph
        return tuple(typeface for typeface in all_of_them if typeface)

    def symbols(self, *, held_out: bool = False) -> tuple[Symbol, ...]:
        """Every class with the drawings of one side of the split; pips and the blank face are on both."""
        groups: dict[tuple[str, Kind], list[Glyph]] = {}
        for glyph in self.glyphs:
            if glyph.held_out == held_out:
                groups.setdefault((glyph.name, glyph.kind), []).append(glyph)
        stored = [Symbol(name, kind, tuple(glyphs)) for (name, kind), glyphs in groups.items()]
        doubled = [Symbol(f"two {s.name}", "double", s.glyphs) for s in stored if s.kind != "glyph"]
        pips = [Symbol(f"{n} pips", "pips", count=n) for n in PIP_COUNTS]
        return (*stored, *doubled, *pips, Symbol("blank", "blank"))


def default_folder() -> Path:
    """Where the drawings are kept: `$TABLESIDE_TRAINING/symbols`, or `runs/symbols` beside the
    packages."""
    root = os.environ.get("TABLESIDE_TRAINING")
    return (Path(root) if root else Path(__file__).parents[2] / "runs") / "symbols"


def save(library: Library, folder: Path) -> None:
    """Write a library into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "mono.npy", library.mono)
    np.save(folder / "colour.npy", library.colour)
    lines = [f"{g.kind}\t{g.row}\t{int(g.held_out)}\t{g.name}" for g in library.glyphs]
    (folder / "glyphs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def stored(folder: Path) -> Library | None:
    """The library that `save` wrote into a folder, or None if there is none."""
    index = folder / "glyphs.tsv"
    if not index.is_file():
        return None
    glyphs: list[Glyph] = []
    for line in index.read_text(encoding="utf-8").splitlines():
        kind, row, kept, name = line.split("\t", 3)
        known: Any = kind
        glyphs.append(Glyph(name, known, int(row), kept == "1"))
    mono = np.load(folder / "mono.npy", mmap_mode="r")
    colour = np.load(folder / "colour.npy", mmap_mode="r")
    return Library(mono, colour, tuple(glyphs))
