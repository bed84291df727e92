"""`python -m training.pathtrace.unseen -o FOLDER`: made-up sets of unseen symbols, for `bench enroll --pictures`.

The same sets as the training renderer draws for `tableside bench enroll`, by the second renderer; each
set is one make of dice. A face's examples lie on one table, all with that face up, and are cut apart into pictures
of one die each. The pictures to read are of as many tables, or with `--evening` rolls of the same six dice before one
camera. Pictures that are there already are kept, so a broken run goes on, and `--only` shares the work: forty
sets are some 520 renderings.

With `--film` a set's folder is also a film of such dice, thrown for a game of their own, for `bench live --film`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from files.atomic import write_whole
from training.evaluate.labels import jpeg, write_labelled
from training.pathtrace.album import regarded
from training.pathtrace.camera import LensCamera, random_camera
from training.pathtrace.dice import DieTextures, random_build, random_look, skin
from training.pathtrace.engine import engine, refusing
from training.pathtrace.film import FilmedGame, FilmSet, Sensor, film_throws, metered
from training.pathtrace.labels import Label, PlacedDie, throw
from training.pathtrace.scene import PIXELS, SAMPLES, TracedScene, furnished, labelled, render
from training.pathtrace.sensor import develop
from training.pathtrace.solids import frames, resting
from training.pathtrace.textures import Floats
from training.synth.unseen import LEAST, UnseenSet, collect, made_up_sets
from vision.boxes import Box
from vision.dicesets.files import FaceNote, SetNote, set_toml
from vision.dicesets.library import load
from vision.dicesets.model import DiceSet

VISIBLE = 0.9
"""Share of a top face that must be seen."""
MARGIN = 0.3
"""What is seen around a die in a picture to enrol from, in shares of its longer side; less only at the border."""
BLACK = 40
"""Grey level of 255 that a hundredth of each die's box must exceed: in one picture of some four hundred dice come out
black, at times beside something white, and nobody enrols from that."""
NOISE = 2.0
"""Grey levels of a camera's noise, which differs from roll to roll."""
SPARES = 1
"""Further pictures of each face, for those in which no die is found."""

FILMED = FilmedGame(6, 3, (1, 5), {})
"""What the game beside a film asks of those who throw."""
GAME = """id = "own-dice"
title = "Own dice"
blurb = "Six dice, three throws: ten points for each die of the face that most of them show."

[dice]
set = "{set_id}"
count = 6
faces = [{faces}]

[turn]
throws = 3

[end]
rounds = 100

[[score]]
name = "Alike"
points = "10 * alike"
"""
"""The game file beside a film of a set."""


def write_set(made: UnseenSet, home: Path) -> DiceSet:
    """A made-up set as a folder, for a renderer that draws sets."""
    folder = home / made.id
    for name, art in zip(made.faces, made.art, strict=True):
        (folder / "faces" / name).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / "faces" / name / "drawn.png"), cv2.cvtColor(art, cv2.COLOR_RGBA2BGRA))
    note = SetNote(made.id, {}, (made.shape,), tuple(FaceNote(name) for name in made.faces))
    (folder / "set.toml").write_text(set_toml(note), encoding="utf-8")
    return load(folder)


def picture(
    dice_set: DiceSet, make: int, rng: np.random.Generator, dice: int, wanted: str | None = None, *,
    rolled: bool = False,
) -> tuple[NDArray[np.uint8], tuple[Label, ...]]:  # fmt: skip
    """A picture of dice of one make, (H, W, 3) BGR, and what it shows; all with the wanted face up, where one is given.

    With a wanted face, each die has a part of the picture of its own (`windows`). `rolled` rolls the camera any way
    about its axis.
    """
    shape = dice_set.shapes[0]
    painted = _painted(dice_set, make)
    while True:
        camera = random_camera(rng, PIXELS, rolled=rolled)
        lying = throw(rng, [random_build(rng, shape, 16.0)] * dice, camera)
        if wanted is not None:
            lying = [shown(die, painted.faces.index(wanted)) for die in lying]
        labels = labelled(camera, lying, [painted] * len(lying))
        boxes = [one.box for one in labels]
        large = all(max(box[2] - box[0], box[3] - box[1]) >= LEAST for box in boxes)
        if len(labels) < dice or not large or any(one.visible < VISIBLE for one in labels):
            continue
        if wanted is not None and not windows(boxes, camera.width, camera.height):
            continue
        scene = furnished(rng, camera, lying, (painted,) * dice)
        light = render(scene, int(rng.integers(0, 2**31)), SAMPLES)
        pixels = develop(rng, light, regarded(scene, labels))
        if exposed(pixels, boxes):
            return pixels, labels


def _painted(dice_set: DiceSet, make: int) -> DieTextures:
    """The surface of the dice of one make."""
    look = random_look(np.random.default_rng(make), dice_set)
    return skin(np.random.default_rng(make + 1), dice_set, dice_set.shapes[0], look)


@dataclass(frozen=True, eq=False, slots=True)
class RollSequence:
    """Rolls of the same dice on one table, before one camera whose exposure stays as it is."""

    scene: TracedScene
    """The table, with the first roll on it."""
    rolls: tuple[tuple[PlacedDie, ...], ...]
    """Where the dice lie after each throw."""
    sensor: Sensor

    def picture(self, number: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], tuple[Label, ...]]:
        """What the camera sees of roll `number`, (H, W, 3) BGR, and what it shows."""
        scene = replace(self.scene, dice=self.rolls[number])
        seen = self.sensor.picture(render(scene, number, SAMPLES))
        noisy = seen + rng.normal(0, NOISE, seen.shape)
        return np.asarray(np.clip(noisy + 0.5, 0, 255), np.uint8), scene.labels()


def evening(
    dice_set: DiceSet, make: int, rng: np.random.Generator, dice: int, rolls: int, *, rolled: bool = False
) -> RollSequence:
    """A table on which every die of every roll can be seen; what lies beside them is in no roll's way."""
    shape = dice_set.shapes[0]
    painted = _painted(dice_set, make)
    while True:
        camera = random_camera(rng, PIXELS, rolled=rolled)
        builds = [random_build(rng, shape, 16.0)] * dice
        thrown = [tuple(throw(rng, builds, camera)) for _ in range(rolls * 4)]
        lying = tuple(roll for roll in thrown if len(roll) == dice and _counts(roll, camera, painted))[:rolls]
        if len(lying) < rolls:
            continue
        scene = furnished(rng, camera, [die for roll in lying for die in roll], (painted,) * dice)
        scene = replace(scene, dice=lying[0])
        light = render(scene, 0, SAMPLES)
        sensor = metered(rng, light)
        if exposed(sensor.picture(light), [one.box for one in scene.labels()]):
            return RollSequence(scene, lying, sensor)


def _counts(lying: Sequence[PlacedDie], camera: LensCamera, painted: DieTextures) -> bool:
    """Whether every die of a roll is large enough and in sight."""
    labels = labelled(camera, lying, [painted] * len(lying))
    large = all(max(one.box[2] - one.box[0], one.box[3] - one.box[1]) >= LEAST for one in labels)
    return len(labels) == len(lying) and large and all(one.visible >= VISIBLE for one in labels)


def exposed(pixels: Floats | NDArray[np.uint8], boxes: Sequence[Box]) -> bool:
    """Whether no die, each in its box of (H, W, 3) pixels, came out black."""
    edges = ([max(round(edge), 0) for edge in box] for box in boxes)
    return all(np.percentile(pixels[y0:y1, x0:x1], 99) > BLACK for x0, y0, x1, y1 in edges)


def shown(die: PlacedDie, face: int) -> PlacedDie:
    """The same die in the same place, with another face up."""
    right: Floats = die.pose.turn @ frames(die.build.shape).rights[die.top]
    x, y, _ = die.pose.centre
    angle = math.atan2(float(right[1]), float(right[0]))
    return replace(
        die, pose=resting(die.build.shape, face, angle, die.build.size, (float(x), float(y))), top=face
    )


def windows(boxes: Sequence[Box], width: int, height: int) -> list[tuple[int, int, int, int]]:
    """For each box the largest part of a picture, x0, y0, x1, y1, that shows it with a margin and no other box.

    None at all where one of them cannot be had.
    """
    found: list[tuple[int, int, int, int]] = []
    for box in boxes:
        margin = MARGIN * max(box[2] - box[0], box[3] - box[1])
        x0, y0, x1, y1 = 0.0, 0.0, float(width), float(height)
        for other in boxes:
            if other is box or other[0] >= x1 or other[2] <= x0 or other[1] >= y1 or other[3] <= y0:
                continue
            cuts = [
                (other[2], y0, x1, y1), (x0, other[3], x1, y1), (x0, y0, other[0], y1), (x0, y0, x1, other[1]),
            ]  # fmt: skip
            least = max(box[0] - margin, 0), max(box[1] - margin, 0)
            most = min(box[2] + margin, width), min(box[3] + margin, height)
            left = [c for c in cuts if c[0] <= least[0] and c[1] <= least[1] and c[2] >= most[0] and c[3] >= most[1]]
            if not left:
                return []
            x0, y0, x1, y1 = max(left, key=lambda c: (c[2] - c[0]) * (c[3] - c[1]))
        found.append((int(np.ceil(x0)), int(np.ceil(y0)), int(x1), int(y1)))
    return found


def draw(
    made: UnseenSet, folder: Path, seed: int, *, examples: int, pictures: int, say: Callable[[str], None],
    one_evening: bool = False, rolled: bool = False, film: int = 0,
) -> None:  # fmt: skip
    """One set's folder in the form of `training.synth.unseen`; `rolled` rolls the camera of the pictures to read.

    `film` throws of the set's dice are filmed as well.
    """
    dice_set = write_set(made, folder / ".sets")
    home = folder / made.id
    home.mkdir(parents=True, exist_ok=True)
    (home / "faces.txt").write_text("\n".join(made.faces) + "\n")
    for index, face in enumerate(made.faces):
        paths = [home / "examples" / face / f"{number}.jpg" for number in range(1, examples + SPARES + 1)]
        if not all(path.is_file() for path in paths):
            paths[0].parent.mkdir(parents=True, exist_ok=True)
            pixels, labels = picture(dice_set, seed, np.random.default_rng([seed, 1, index]), len(paths), face)
            parts = windows([one.box for one in labels], pixels.shape[1], pixels.shape[0])
            for path, (x0, y0, x1, y1) in zip(paths, parts, strict=True):
                write_whole(path, jpeg(pixels[y0:y1, x0:x1]), 0o644)
            say(f"{made.id}: {face}")
    played: RollSequence | None = None
    for number in range(pictures):
        path = home / "images" / f"{number:03}.jpg"
        if not path.is_file():
            rng = np.random.default_rng([seed, 2, number])
            if one_evening:
                played = played or evening(dice_set, seed, np.random.default_rng([seed, 3]), 6, pictures, rolled=rolled)
                pixels, labels = played.picture(number, rng)
            else:
                pixels, labels = picture(dice_set, seed, rng, 6, rolled=rolled)
            height, width = pixels.shape[:2]
            lines = [one.line(made.faces.index(one.face), width, height) for one in labels]
            write_labelled(home, path.stem, jpeg(pixels), lines)
            say(f"{made.id}: picture {number + 1} of {pictures}")
    # Last, so that a set half drawn is not measured.
    (home / "shape.txt").write_text(made.shape + "\n")
    if film:
        faces = ", ".join(f'"{face}"' for face in made.faces)
        (home / "game.toml").write_text(GAME.format(set_id=made.id, faces=faces), encoding="utf-8")
        film_throws(_stage(dice_set, seed, rolled), made.id, "own-dice", FILMED, home, film)


def _stage(dice_set: DiceSet, make: int, rolled: bool) -> FilmSet:
    """A table to throw dice of one make on."""
    painted = _painted(dice_set, make)

    def laid(rng: np.random.Generator, camera: LensCamera) -> TracedScene:
        lying = throw(rng, [random_build(rng, dice_set.shapes[0], 16.0)] * FILMED.dice, camera)
        return furnished(rng, camera, lying, (painted,) * len(lying))

    return FilmSet(laid, FILMED.dice, make, rolled=rolled)


@click.command()
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--sets", "count", default=40, show_default=True, type=click.IntRange(1, 200))
@click.option("--seed", default=5, show_default=True, type=click.IntRange(0, 2**20))
@click.option("--examples", default=3, show_default=True, type=click.IntRange(1, 8))
@click.option("--pictures", default=6, show_default=True, type=click.IntRange(0, 1000), help="Of six dice, a set.")
@click.option("--evening", "one_evening", is_flag=True, help="The pictures are rolls of the same dice on one table.")
@click.option("--rolled", is_flag=True, help="The camera of the pictures to read is rolled any way about its axis.")
@click.option("--film", default=0, type=click.IntRange(0, 1000), help="Throws to film as well.")
@click.option("--only", multiple=True, metavar="ID", help="Draw these sets only, to share the work.")
def main(out: Path, count: int, seed: int, only: tuple[str, ...], **asked: Any) -> None:
    """Draw made-up sets of unseen symbols with the physically based renderer."""
    with refusing():
        engine()
        sets = made_up_sets(max(count, 2), seed, collect())
        for number, made in enumerate(sets[:count]):
            if not only or made.id in only:
                draw(made, out, seed * 1000 + number, say=lambda line: click.echo(line, err=True), **asked)


if __name__ == "__main__":
    main()
