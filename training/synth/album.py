"""Labelled pictures of a dice set, to measure the reader on.

The folder has the form of the photographs that readers are measured on (YOLO): `images/`, `labels/` with one
line a die (class and box of the whole die as fractions of the picture), `faces.txt` with one face a line.
After the box come the corners of the top face, x and y in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from training.evaluate.labels import jpeg, label_text, write_labelled
from training.synth.dressers import SetWardrobe
from training.synth.lens import photograph
from training.synth.sampler import Ranges, random_scene, readable
from vision.dicesets.model import DiceSet
from vision.frame import Pixels
from vision.render.scene import DieLabel, render

RANGES = Ranges(1280, 960, dice=(6, 6), pixels=(28.0, 120.0), tilt=(0.0, 45.0), camouflage=0.0, distractors=0.0)
"""Six dice as they were thrown, on any table."""
AMONG_DISTRACTORS = replace(RANGES, dice=(1, 3), distractors=1.0)
"""Few dice, and other things."""
GLIMPSE = 0.02
"""Visible share of a die from which it should be found, readable or not."""


def make_album(dice_set: DiceSet, folder: Path, pictures: int, seed: int, ranges: Ranges = RANGES) -> None:
    """Render so many pictures of six dice (fewer where they do not fit) into `folder`, fixed by the seed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "faces.txt").write_text("\n".join(dice_set.face_ids) + "\n")
    wardrobe = SetWardrobe(dice_set)
    made = 0
    rng = np.random.default_rng(seed)
    while made < pictures:
        picture = render(random_scene(rng, wardrobe, ranges))
        if any(readable(label.visible) is None for label in picture.labels):
            continue
        shown = [label for label in picture.labels if readable(label.visible)]
        if not shown:
            continue
        pixels = photograph(picture.pixels, rng)
        aside = [label for label in picture.labels if not readable(label.visible) and label.whole > GLIMPSE]
        texts = ([line_of(label, dice_set.face_ids, pixels) for label in some] for some in (shown, aside))
        write_labelled(folder, f"{made:04}", jpeg(pixels), *texts)
        made += 1


def line_of(label: DieLabel, faces: Sequence[str], pixels: Pixels) -> str:
    """A die's line in a label file."""
    height, width = pixels.shape[:2]
    return label_text(faces.index(label.key), label.box, width, height, label.corners + 0.5)


def frame_of(dice_set: DiceSet, width: int, height: int, seed: int) -> Pixels:
    """One (height, width, 3) BGR frame of six readable dice of the set, of about 60 px, on a quiet table."""
    rng = np.random.default_rng(seed)
    wardrobe = SetWardrobe(dice_set)
    ranges = replace(
        RANGES, width=width, height=height, pixels=(58.0, 62.0), tilt=(20.0, 30.0), clutter=0.3, heaps=0.0
    )
    while True:
        picture = render(random_scene(rng, wardrobe, ranges))
        if sum(bool(readable(label.visible)) for label in picture.labels) == 6:
            return picture.pixels
