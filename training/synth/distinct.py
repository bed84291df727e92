"""How alike are the faces of a set? ``python -m training.synth.distinct [SET …] [--sheet FILE.png]``.

Two faces that a blurred camera picture cannot tell apart make a bad die, however well they look in print. The
measure is crude on purpose: if plain correlation of small blurred pictures already separates two faces, every
better reader does.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.library import available, find
from vision.dicesets.model import DiceSet, FacePicture
from vision.dicesets.shapes import Shape

SIDE = 24
"""The side in pixels at which faces are compared: what a webcam makes of a die across the table."""

BLUR = 1.0
"""The standard deviation in pixels (of `SIDE`) of the Gaussian blur before comparing."""


@dataclass(frozen=True, slots=True)
class FacePair:
    """Two pictures of different faces and how alike they are: 1 the same, 0 nothing in common, −1
    negatives."""

    first: str
    second: str
    one_die: bool
    """Whether both would be on one die: pictures of one name, one typeface for instance."""
    likeness: float
    turn: int


def on_paper(picture: FacePicture, side: int = SIDE, turn: int = 0) -> NDArray[np.uint8]:
    """The art, turned about its middle by ``turn`` degrees, on white paper: (side, side, 3) BGR."""
    art = picture.pixels().astype(np.float32)
    alpha = art[..., 3:] / 255
    white = art[..., 2::-1] * alpha + 255 * (1 - alpha)
    middle = (art.shape[1] - 1) / 2, (art.shape[0] - 1) / 2
    if turn:
        move = cv2.getRotationMatrix2D(middle, turn, 1.0)
        white = cv2.warpAffine(white, move, art.shape[1::-1], borderValue=(255, 255, 255))
    small = cv2.resize(white, (side, side), interpolation=cv2.INTER_AREA)
    return np.clip(np.rint(small), 0, 255).astype(np.uint8)


def pattern(picture: FacePicture, turn: int = 0) -> NDArray[np.float32]:
    """The blurred, grey, small picture as a unit vector of mean 0, so that a dot product is a correlation."""
    grey = cv2.cvtColor(on_paper(picture, SIDE, turn), cv2.COLOR_BGR2GRAY).astype(np.float32)
    flat = cv2.GaussianBlur(grey, (0, 0), BLUR).ravel()
    flat = flat - flat.mean()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-6), np.float32)


def pairs(dice_set: DiceSet, shape: Shape) -> list[FacePair]:
    """Every two art pictures of different faces, the most alike first, each at the turn at which it is so."""
    shown = [
        (face.id, picture)
        for face in dice_set.faces
        for picture in face.pictures_for(shape)
        if picture.kind == "art"
    ]
    turns = [round(360 * turn / shape.symmetry) for turn in range(shape.symmetry)]
    turned = [[pattern(picture, turn) for turn in turns] for _, picture in shown]
    found: list[FacePair] = []
    for (i, (first, one)), (j, (second, other)) in combinations(enumerate(shown), 2):
        if first == second:
            continue
        likeness = [float(turned[i][0] @ view) for view in turned[j]]
        best = int(np.argmax(likeness))
        names = f"{first}/{one.name}", f"{second}/{other.name}"
        one_die = one.name == other.name or not dice_set.printed
        found.append(FacePair(*names, one_die, likeness[best], turns[best]))
    return sorted(found, key=lambda pair: -pair.likeness)


def contact_sheet(dice_set: DiceSet, side: int = 256, across: int = 8) -> NDArray[np.uint8]:
    """Every art picture at 256 px with, below it, what is left at 32 px, four times enlarged. BGR."""
    cells: list[NDArray[np.uint8]] = []
    for face in dice_set.faces:
        for picture in (each for each in face.pictures if each.kind == "art"):
            small = cv2.resize(on_paper(picture, 32), (side, side), interpolation=cv2.INTER_NEAREST)
            cell = np.vstack([on_paper(picture, side), small])
            framed = cv2.copyMakeBorder(cell, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=(200, 200, 200))
            cells.append(np.asarray(framed, np.uint8))
    blank = np.full_like(cells[0], 200)
    cells += [blank] * (-len(cells) % across)
    rows = [np.hstack(cells[start : start + across]) for start in range(0, len(cells), across)]
    return np.asarray(np.vstack(rows), np.uint8)


def main() -> None:
    """Print the most alike pairs of each set, and write contact sheets if asked."""
    parser = argparse.ArgumentParser(description="How alike are the faces of a dice set?")
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--sheets", type=Path, help="write a contact sheet of each set to this folder")
    asked = parser.parse_args()
    for dice_set in [find(name) for name in asked.sets] or available():
        for shape in dice_set.shapes:
            ranked = pairs(dice_set, shape)
            for pair in ranked[:1] + [pair for pair in ranked if pair.one_die][:2]:
                alike = f"{pair.likeness:5.2f} at {pair.turn:3d}°  {pair.first} – {pair.second}"
                print(f"{dice_set.id:10} {shape} {alike}{'' if pair.one_die else '  (never on one die)'}")
        if asked.sheets:
            cv2.imwrite(str(asked.sheets / f"{dice_set.id}.png"), contact_sheet(dice_set))


if __name__ == "__main__":
    main()
