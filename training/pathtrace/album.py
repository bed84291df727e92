"""Albums: labelled pictures in the form that `tableside evaluate` reads (`training.evaluate.run`).

`images/`, `labels/` (class and box of the whole die as fractions of the picture, then its top face's corners) and
`faces.txt`; beside them `scenes.jsonl`, one line a picture, says the seed, the camera's tilt and what everything
is made of.
A picture is fixed by the seed and its number, so a longer album begins with a shorter one's pictures.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import jpeg, write_labelled
from training.pathtrace.dice import Stuff
from training.pathtrace.labels import ALIKE, CONTRAST, VISIBLE, Label, legibility
from training.pathtrace.scene import SAMPLES, TracedScene, random_scene, render
from training.pathtrace.sensor import develop
from vision.dicesets.model import DiceSet

SMALLEST = 24.0
"""Pixels of a top face's side; a die at the far end of a tilted table may be smaller than the picture's others."""


@dataclass(frozen=True, eq=False, slots=True)
class Shot:
    """One picture and what it shows."""

    pixels: NDArray[np.uint8]
    """(H, W, 3) BGR."""
    scene: TracedScene
    labels: tuple[Label, ...]
    attempt: int
    """How many pictures of this seed and number were given up before."""


def shoot(
    dice_set: DiceSet | None, seed: int, number: int, dice: int = 6, samples: int = SAMPLES, *,
    rolled: bool = False, stuff: Stuff | None = None, others: bool = False,
) -> Shot:  # fmt: skip
    """The picture of a seed and a number, in which every die can be read; see `random_scene`."""
    attempt = 0
    while True:
        rng = np.random.default_rng(
            [seed, number, attempt, zlib.crc32(dice_set.id.encode()) if dice_set else 0]
        )
        scene = random_scene(rng, dice_set, dice, rolled=rolled, stuff=stuff, others=others)
        labels = scene.labels()
        if dice_set is None or (
            len(labels) == dice and all(x.visible >= VISIBLE and x.side >= SMALLEST for x in labels)
        ):
            pixels = develop(
                rng, render(scene, (seed * 1009 + number) % 2**32, samples), regarded(scene, labels)
            )
            seen = [legibility(pixels, *one, scene.camera) for one in zip(scene.dice, scene.skins, strict=True)]
            if all(alike >= ALIKE and contrast >= CONTRAST for alike, contrast in seen):
                return Shot(pixels, scene, labels, attempt)
        attempt += 1


def regarded(scene: TracedScene, labels: tuple[Label, ...]) -> NDArray[np.float32] | None:
    """Where the camera's exposure looks, (H, W): at the dice, as a player's tap on the screen tells it to."""
    if not labels:
        return None
    weights = np.zeros((scene.camera.height, scene.camera.width), np.float32)
    for label in labels:
        x0, y0, x1, y1 = (round(value) for value in label.box)
        weights[y0:y1, x0:x1] = 1.0
    return weights / max(float(weights.mean()), 1e-6)


def make_album(
    dice_set: DiceSet | None, faces: tuple[str, ...], folder: Path, pictures: int, seed: int, dice: int = 6,
    step: Callable[[int], None] = lambda number: None, *, rolled: bool = False, stuff: Stuff | None = None,
    others: bool = False,
) -> None:  # fmt: skip
    """Draw so many pictures into `folder`; those already there are kept, so that a broken run goes on.

    `dice_set` None draws tables without dice; `faces` are the lines of `faces.txt`. `step` is called after each
    picture with its number.
    """
    (folder / "scenes").mkdir(parents=True, exist_ok=True)
    (folder / "faces.txt").write_text("\n".join(faces) + "\n", encoding="utf-8")
    for number in range(pictures):
        name = f"{number:04}"
        image = folder / "images" / f"{name}.jpg"
        if not image.is_file():
            shot = shoot(dice_set, seed, number, dice, rolled=rolled, stuff=stuff, others=others)
            height, width = shot.pixels.shape[:2]
            lines = [label.line(faces.index(label.face), width, height) for label in shot.labels]
            (folder / "scenes" / f"{name}.json").write_text(json.dumps(_told(shot, name, seed)) + "\n")
            quality = int(np.random.default_rng(seed + number).integers(72, 96))
            write_labelled(folder, name, jpeg(shot.pixels, quality), lines)
        step(number)
    told = sorted((folder / "scenes").glob("*.json"))
    (folder / "scenes.jsonl").write_text("".join(path.read_text() for path in told))


def _told(shot: Shot, name: str, seed: int) -> dict[str, object]:
    scene = shot.scene
    return {
        "picture": name, "seed": seed, "attempt": shot.attempt, "width": scene.camera.width,
        "height": scene.camera.height, **scene.about(),
        "dice": [
            {
                "face": label.face, "shape": label.shape, "side": round(label.side, 1),
                "visible": round(label.visible, 3), "stuff": painted.look.stuff, "finish": painted.look.finish,
                "typeface": painted.look.style.typeface, "fillet": round(die.build.fillet, 3),
            }
            for label, painted, die in zip(shot.labels, scene.skins, scene.dice, strict=True)
        ],
    }  # fmt: skip
