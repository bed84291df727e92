"""Training data of the verifier: windows around boxes in labelled tiles, with and without dice."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.crops import Arrays, jittered
from training.evaluate.labels import labels_of
from training.pictures import TILE
from training.synth.distractors import some_places
from training.synth.dressers import Wardrobe
from training.synth.lens import photograph
from training.synth.sampler import Artist, Ranges, random_scene
from training.tiles import cut_tiles
from vision.boxes import CROP, SURROUNDINGS, Box, crop_map, intersection_over_union
from vision.frame import Floats, Pixels
from vision.picture import load_picture
from vision.propose import Proposer
from vision.pyramid import Pyramid
from vision.render.scene import render

MARGIN = 16
"""Extra pixels around a stored window, so that it can be turned and shifted."""
STORED = CROP + 2 * MARGIN
"""Side of a stored window in pixels, at the verifier's scale."""
PORTION = 500
"""Scenes in one file of windows."""
FAR, ON = 0.15, 0.5
"""A box has no die if it overlaps every label less than the first (intersection over union), and one if it overlaps a
label more than the second."""
MOST = 10
"""Most boxes without a die from a tile, the highest scores first."""
DISTRACTORS = 5
"""Windows from each scene full of other things."""
JITTER = 0.07
"""Random error of the edges of extra boxes around dice, in shares of the box."""
OTHERS = 0.6
"""Share of dice of other kinds among the other things."""
FAR_AWAY = 0.2
"""Share of a batch that is shown with the detail of a smaller object."""


@dataclass(frozen=True, eq=False, slots=True)
class Windows(Arrays):
    """Windows in memory, of STORED pixels a side."""

    dice: NDArray[np.bool_]
    """(N,) whether a die lies in the middle."""


def gather(
    scenes: Path, folder: Path, weights: Path, photographs: Sequence[Path] = (), each: int = 2, distractors: int = 0
) -> list[Path]:
    """The files of windows in `folder`, collected if missing; the first one is held out.

    `scenes` comes from `training.pictures`, `photographs` are labelled in the same way; windows come from each whole
    photograph and from `each` tiles cut from it, and from `distractors` more scenes full of other things.
    """
    made = sorted((scenes / "images").glob("*.jpg"))
    jobs = {f"scenes-{n:03}": made[n : n + PORTION] for n in range(0, len(made), PORTION)}
    for source in photographs:
        jobs[source.name] = sorted((source / "images").glob("*.jpg"))
        tiles = cut_tiles(source, folder / "photographs" / source.name, side=TILE, each=each)
        jobs[f"{source.name}-tiles"] = tiles
    proposer = Proposer(weights)
    for name, pictures in jobs.items():
        if not (folder / f"{name}.npz").exists():
            collect(pictures, proposer).write(folder / f"{name}.npz")
    strange = folder / "strangers.npz"
    if distractors and not strange.exists():
        collect_distractors(distractors, 1, Wardrobe()).write(strange)
    return [*(folder / f"{name}.npz" for name in jobs), *([strange] if distractors else [])]


def collect(pictures: Iterable[Path], proposer: Proposer, seed: int = 0) -> Windows:
    """The windows of labelled pictures (`images/` beside `labels/`): every die and every false find."""
    windows: list[Pixels] = []
    dice: list[bool] = []
    for path in pictures:
        picture = Pyramid(load_picture(path))
        truth = [label.box for label in labels_of(path, picture.pixels)]
        rng = np.random.default_rng([seed, len(windows)])
        overlaps = [
            (box, max((intersection_over_union(box, label) for label in truth), default=0.0))
            for box, _ in proposer.boxes(picture)
        ]
        # Boxes that are neither clearly with nor clearly without a die are left out.
        none = [box for box, overlap in overlaps if overlap < FAR][:MOST]
        for box, overlap in [*overlaps, *((jittered(label, rng, JITTER), 1.0) for label in truth)]:
            if overlap > ON or box in none:
                windows.append(window(picture, box))
                dice.append(overlap > ON)
    pixels = np.stack(windows) if windows else np.zeros((0, STORED, STORED, 3), np.uint8)
    return Windows(pixels, np.array(dice, bool))


def collect_distractors(scenes: int, seed: int, artist: Artist) -> Windows:
    """The windows of things other than dice, whether the detector would box them or not."""
    rng = np.random.default_rng(seed)
    windows: list[Pixels] = []
    for _ in range(scenes):
        scene = random_scene(rng, artist, Ranges(dice=(0, 0), distractors=1.0, others=OTHERS))
        picture = Pyramid(photograph(render(scene).pixels, rng))
        places = some_places(rng, scene.distractors, scene.view, DISTRACTORS)
        windows += [window(picture, box) for box in places]
    return Windows(np.stack(windows), np.zeros(len(windows), bool))


def window(picture: Pyramid, box: Box) -> Pixels:
    """(STORED, STORED, 3): the verifier's view of a box, with MARGIN more on every side."""
    padding = ((1 + 2 * SURROUNDINGS) * STORED / CROP - 1) / 2
    return picture.cut(crop_map(box, padding, STORED), STORED)


def batches(windows: Windows, size: int, rng: np.random.Generator) -> Generator[tuple[Pixels, Floats]]:
    """Endless batches: (N, STORED, STORED, 3) and (N,) 1 for a die; half of each hold one."""
    kinds = [np.flatnonzero(windows.dice), np.flatnonzero(~windows.dice)]
    while True:
        chosen = np.concatenate([kind[rng.integers(0, len(kind), size // 2)] for kind in kinds])
        yield windows.pixels[chosen], windows.dice[chosen].astype(np.float32)


def middle(windows: Pixels) -> Pixels:
    """(N, CROP, CROP, 3): the parts of stored windows that the verifier sees."""
    return windows[:, MARGIN : MARGIN + CROP, MARGIN : MARGIN + CROP]
