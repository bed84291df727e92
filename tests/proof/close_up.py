"""How close a die may be: `python -m tests.proof.close_up PHOTOS SET` prints how many are found and would be enrolled.

One die of every sixteenth photograph is cut out so that it fills a half, two thirds or four fifths of a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.nearing import SIDE, close_up
from training.evaluate.labels import label_lines
from vision.boxes import Box
from vision.detect import Detector
from vision.dicesets.library import find
from vision.embedding import Matcher
from vision.enrol.shown import shown_dice
from vision.frame import Pixels
from vision.picture import load_picture

SHARES = (0.5, 0.65, 0.8)


def main() -> None:
    """Print one line for each share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("set")
    parser.add_argument("--every", type=int, default=16)
    asked = parser.parse_args()
    detector, matcher, shapes = Detector(), Matcher(), find(asked.set).shapes
    dice = list(largest_dice(asked.photographs, asked.every))
    for share in SHARES:
        rng = np.random.default_rng(0)
        found = taught = 0
        for pixels, box in dice:
            picture, centre = close_up(pixels, box, share, 0.6 * rng.uniform(-1, 1, 2))
            near = 0.35 * share * SIDE
            there = [one.corners for one in detector.detect(picture, shapes)]
            found += any(np.linalg.norm(corners.mean(axis=0) - centre) < near for corners in there)
            shown = [one.place for one in shown_dice(detector, matcher, picture, shapes)]
            taught += any(np.linalg.norm(place.mean(axis=0) - centre) < near for place in shown)
        print(f"share {share}: found {found}, fit to be enrolled {taught}, of {len(dice)}", flush=True)


def largest_dice(folder: Path, every: int) -> Iterator[tuple[Pixels, Box]]:
    """The largest labelled die of every so manieth photograph, with its picture."""
    for path in sorted((folder / "images").glob("*.jpg"))[::every]:
        pixels = load_picture(path)
        lines = label_lines(folder / "labels" / f"{path.stem}.txt", pixels.shape[1], pixels.shape[0])
        if lines:
            yield pixels, max((line.box for line in lines), key=lambda box: box[2] - box[0])


if __name__ == "__main__":
    main()
