"""The symbols that training pictures carry: thousands of icons, numerals and letters, pips and doubled icons.

A *class* is what a person would call the same face: one icon, one numeral over all typefaces, one number of
pips in every layout. Drawings are *art*: ``(96, 96, 4)`` RGBA uint8, upright on a clear ground, for
`vision.render.faces`. The drawings lie in a cache folder that `training.synth.symbols_build` fills.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from training.synth.symbols_pips import PIP_COUNTS, double, draw_pips

__all__ = ["ART_SIZE", "Glyph", "Kind", "Library", "Symbol", "default_folder", "save", "stored"]

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
        art = self._stored(glyph)
        return double(art, rng) if symbol.kind == "double" else art

    def _stored(self, glyph: Glyph) -> NDArray[np.uint8]:
        if glyph.kind == "colour":
            return np.array(self.colour[glyph.row])
        art = np.zeros((ART_SIZE, ART_SIZE, 4), np.uint8)
        art[..., 3] = self.mono[glyph.row]
        return art

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
    """The library that `save` wrote into a folder, or None where there is none."""
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
