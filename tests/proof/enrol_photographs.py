"""Real photographs: dice enrolled from some of them are read in the others, and compared with the shipped set.

    python tests/proof/enrol_photographs.py PHOTOS/desk-pips [--set pips] [--most 60]

The folder is labelled as `tableside evaluate` reads it. The pictures are shuffled (seed 1); from the first third, dice
that lie alone are cut out and enrolled, one and three a face; the next ones are read with each set.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from training.evaluate.run import Label, judge, read_labels
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.enrol.describe import FaceNote, SetNote
from vision.enrol.enrol import EnrolError, Wish, keep, take
from vision.enrol.shown import Shown
from vision.picture import load_picture
from vision.reader import Reader

LEAST = 28.0
"""Longer side in pixels of a die's box that is enrolled."""
ALONE = 2.2
"""Its own sizes that no other die is nearer than."""


def alone(label: Label, labels: tuple[Label, ...]) -> bool:
    """Whether a cutting of a die shows no other one."""
    (x, y), reach = label.centre, ALONE * label.size
    near = (max(abs(one.centre[0] - x), abs(one.centre[1] - y)) < reach for one in labels if one is not label)
    return label.size >= LEAST and not any(near)


def main() -> None:
    """Print what each set reads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", default="pips")
    parser.add_argument("--most", type=int, default=60, help="pictures that are read")
    asked = parser.parse_args()
    shipped = find(asked.set)
    names = (asked.folder / "faces.txt").read_text(encoding="utf-8").split("\n")
    faces = {i: shipped.resolve(name) for i, name in enumerate(filter(None, map(str.strip, names)))}
    pictures = sorted((asked.folder / "images").glob("*.jpg"))
    random.Random(1).shuffle(pictures)
    third = len(pictures) // 3
    reader = Reader(shipped)

    def labels_of(path: Path, width: int, height: int) -> tuple[Label, ...]:
        return read_labels(asked.folder / "labels" / f"{path.stem}.txt", faces, width, height)

    taken: dict[str, list[Shown]] = {face: [] for face in shipped.face_ids}
    refused = 0
    for path in pictures[:third]:
        pixels = load_picture(path)
        labels = labels_of(path, pixels.shape[1], pixels.shape[0])
        for label in labels:
            if len(taken[label.face]) == 3 or not alone(label, labels):
                continue
            (x, y), reach = label.centre, 1.8 * label.size
            top, left = max(int(y - reach), 0), max(int(x - reach), 0)
            part = np.ascontiguousarray(pixels[top : int(y + reach), left : int(x + reach)])
            try:
                found = take(reader.detector, reader.matcher, part, shipped.shapes, label.face, path.name)
            except EnrolError:
                refused += 1
            else:
                taken[label.face].append(found[0])
    sets: dict[str, DiceSet] = {f"shipped {shipped.id}": shipped}
    with tempfile.TemporaryDirectory() as scratch:
        for count in (1, 3):
            note = SetNote(f"own-{count}", {}, shipped.shapes, tuple(FaceNote(face) for face in taken))
            chosen = [one for found in taken.values() for one in found[:count]]
            sets[f"{count} a face"] = keep(
                Wish(note, {}), chosen, reader.matcher, home=Path(scratch)
            ).dice_set
        counts: dict[str, Counter[str]] = {name: Counter() for name in sets}
        for path in pictures[third : third + asked.most]:
            pixels = load_picture(path)
            labels = labels_of(path, pixels.shape[1], pixels.shape[0])
            for name, dice_set in sets.items():
                reader.know(dice_set)
                for judged in judge(labels, reader.read(pixels).dice):
                    if judged.label is not None:
                        certain = judged.die is not None and judged.die.certain
                        counts[name].update(
                            dice=1,
                            right=judged.right,
                            missed=judged.die is None,
                            silent=certain and not judged.right,
                            asked=judged.die is not None and not certain,
                        )
    print(f"{asked.folder.name}: enrolled {sum(map(len, taken.values()))} dice, {refused} cuttings refused")
    for name, found in counts.items():
        print(
            f"{name}: {found['dice']} dice, right {found['right']} ({found['right'] / found['dice']:.1%}), "
            f"missed {found['missed']}, asked about {found['asked']}, certain and wrong {found['silent']}"
        )


if __name__ == "__main__":
    main()
