"""Pictures to enrol made-up sets from, and labelled pictures to read with them.

One folder a set::

    unseen-01/shape.txt                  d6 or d8
    unseen-01/examples/<face>/1.jpg      one die with this face up; further pictures have higher numbers
    unseen-01/images/…, labels/…, faces.txt    what `tableside evaluate` reads

Any renderer, or a camera, can fill such folders; `training.evaluate.enrolling` measures them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.synth.album import line_of
from training.synth.lens import photograph
from training.synth.sampler import Ranges, random_scene, readable
from training.synth.unseen import UnseenDice, UnseenSet
from vision.dicesets.shapes import shape_outlined
from vision.rectify import canonical_corners
from vision.render.scene import DieLabel, render, resting

Pixels = NDArray[np.uint8]

EXAMPLES: Final = Ranges(
    960, 720, dice=(1, 1), pixels=(36.0, 130.0), tilt=(0.0, 45.0), clutter=0.5, camouflage=0.0, strangers=0.0
)
"""Pictures to enrol from: one die anywhere in the picture, on any table."""
READ: Final = Ranges(
    960, 720, dice=(6, 6), pixels=(36.0, 110.0), tilt=(0.0, 45.0), clutter=0.5, camouflage=0.0, strangers=0.0
)
"""Pictures to read."""
LEAST: Final = 32.0
"""Longer side of a die's box in pixels from which it counts."""
MOST_TILT: Final = 45.0
"""Degrees from straight above at which a die may be seen to count."""
SPARES: Final = 2
"""Further pictures of each face, for those in which no die is found."""
QUALITY: Final = 92


def draw_album(
    made: UnseenSet,
    folder: Path,
    seed: int,
    *,
    examples: int = 3,
    dice: int = 36,
    say: Callable[[str], None] = print,
) -> None:
    """Draw one set's pictures into `folder`, fixed by the seed.

    Args:
        made: the set.
        folder: where to; made if need be.
        seed: of everything that is drawn.
        examples: pictures of each face to enrol from; spares are added.
        dice: least number of dice to read.
        say: is told when it is done.
    """
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shape.txt").write_text(made.shape + "\n")
    (folder / "faces.txt").write_text("\n".join(made.faces) + "\n")
    for face, name in enumerate(made.faces):
        home = folder / "examples" / name
        home.mkdir(parents=True, exist_ok=True)
        for number in range(1, examples + SPARES + 1):
            _write(home / f"{number}.jpg", _example(rng, made, face))
    for part in ("images", "labels"):
        (folder / part).mkdir(exist_ok=True)
    shown = number = 0
    artist = UnseenDice(made)
    while shown < dice:
        picture = render(random_scene(rng, artist, READ))
        counted = [label for label in picture.labels if counts(label)]
        if not counted:
            continue
        shown += len(counted)
        height, width = picture.pixels.shape[:2]
        _write(folder / "images" / f"{number:03}.jpg", photograph(picture.pixels, rng))
        lines = [line_of(label, made.faces, width, height) for label in counted]
        (folder / "labels" / f"{number:03}.txt").write_text("\n".join(lines) + "\n")
        aside = [label for label in picture.labels if not counts(label) and label.whole > 0.02]
        lines = [line_of(label, made.faces, width, height) for label in aside]
        (folder / "labels" / f"{number:03}.aside.txt").write_text("".join(line + "\n" for line in lines))
        number += 1
    say(f"{folder.name}: {made.shape}, {number} pictures of {shown} dice")


def counts(label: DieLabel) -> bool:
    """Whether a die is one to be read: large enough, its top face seen, and not too much from the side."""
    x0, y0, x1, y1 = label.box
    large = max(x1 - x0, y1 - y0) >= LEAST
    return bool(readable(label.visible)) and large and tilt_of(label.corners) <= MOST_TILT


def tilt_of(corners: NDArray[np.float32]) -> float:
    """Degrees between the view of a face and straight down on it, from its (4, 2) or (3, 2) corners in pixels.

    A camera that is far away compresses a face along one direction by the cosine of the tilt: the ratio of the singular
    values of the map from the face to the picture. At the border of a wide picture dice are seen from further aside
    than at its middle.
    """
    unit = canonical_corners(shape_outlined(len(corners)), 1).astype(np.float64)
    flat, seen = unit - unit.mean(axis=0), corners - corners.mean(axis=0)
    mapping = np.asarray(np.linalg.pinv(flat) @ seen.astype(np.float64), np.float64)
    largest, smallest = (float(value) for value in np.linalg.svd(mapping, compute_uv=False))
    return float(np.degrees(np.arccos(np.clip(smallest / largest, 0, 1))))


def _example(rng: np.random.Generator, made: UnseenSet, face: int) -> Pixels:
    """One die of the set's first colour with this face up, all of it in the picture."""
    artist = UnseenDice(made, made.looks[:1])
    while True:
        scene = random_scene(rng, artist, EXAMPLES)
        if len(scene.dice) != 1:
            continue
        rotation, _ = resting(made.shape, face, float(rng.uniform(0, 360)))
        die = replace(scene.dice[0], rotation=rotation, top=face, key=made.faces[face])
        picture = render(replace(scene, dice=(die,)))
        label = picture.labels[0]
        if counts(label) and min(label.visible, label.whole) > 0.9:
            return photograph(picture.pixels, rng)


def _write(path: Path, pixels: Pixels) -> None:
    if not cv2.imwrite(str(path), pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
        raise OSError(f"{path} could not be written")
