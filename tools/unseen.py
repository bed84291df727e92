"""`python -m tools.unseen -o FOLDER`: made-up sets of unseen symbols, path-traced, for `bench enroll --pictures`.

The same sets as the training renderer draws for `tableside bench enroll`, by the second renderer (`tools.pathtrace`);
each set is one make of dice. Pictures that are there already are kept, so a broken run goes on, and `--only` shares
the work: forty sets have some 1,600 pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from tools.pathtrace.dice import random_look, skin
from tools.pathtrace.engine import EngineMissingError, engine
from tools.pathtrace.labels import Label
from tools.pathtrace.scene import SAMPLES, Scene, random_scene, render
from tools.pathtrace.sensor import develop
from vision.diceset import DiceSet, load
from vision.enroll.describe import FaceNote, SetNote, set_toml
from vision.synth.unseen import UnseenSet, collect, made_up_sets
from vision.synth.unseen_album import LEAST, QUALITY, SPARES

VISIBLE = 0.9
"""Share of a top face that must be seen."""


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
    dice_set: DiceSet, make: int, rng: np.random.Generator, dice: int, wanted: str | None
) -> tuple[NDArray[np.uint8], tuple[Label, ...]]:
    """A picture of dice of one make, (H, W, 3) BGR, and what it shows; of one die with the face that is wanted up."""
    shape = dice_set.shapes[0]
    look = random_look(np.random.default_rng(make), dice_set)
    while True:
        scene = random_scene(rng, dice_set, dice)
        skins = tuple(skin(np.random.default_rng(make + 1), dice_set, shape, look) for _ in scene.dice)
        scene = replace(scene, skins=skins)
        labels = scene.labels()
        seen = len(labels) == dice and all(one.visible >= VISIBLE and _size(one) >= LEAST for one in labels)
        if seen and wanted in (None, labels[0].face):
            light = render(scene, int(rng.integers(0, 2**31)), SAMPLES)
            return develop(rng, light, _regarded(scene, labels)), labels


def _size(label: Label) -> float:
    x0, y0, x1, y1 = label.box
    return max(x1 - x0, y1 - y0)


def _regarded(scene: Scene, labels: tuple[Label, ...]) -> NDArray[np.float32]:
    """Where the camera's exposure looks: at the dice."""
    weights = np.zeros((scene.camera.height, scene.camera.width), np.float32)
    for label in labels:
        x0, y0, x1, y1 = (round(value) for value in label.box)
        weights[max(y0, 0) : y1, max(x0, 0) : x1] = 1.0
    return weights / max(float(weights.mean()), 1e-6)


def draw(
    made: UnseenSet, folder: Path, seed: int, *, examples: int, pictures: int, say: Callable[[str], None]
) -> None:
    """One set's folder in the form of `vision.synth.unseen_album`."""
    dice_set = write_set(made, folder / ".sets")
    home = folder / made.id
    for part in ("images", "labels"):
        (home / part).mkdir(parents=True, exist_ok=True)
    (home / "faces.txt").write_text("\n".join(made.faces) + "\n")
    for index, face in enumerate(made.faces):
        for number in range(1, examples + SPARES + 1):
            path = home / "examples" / face / f"{number}.jpg"
            if not path.is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                rng = np.random.default_rng([seed, 1, index, number])
                pixels, _ = picture(dice_set, seed, rng, 1, face)
                _write(path, pixels)
                say(f"{made.id}: {face} {number}")
    for number in range(pictures):
        path = home / "images" / f"{number:03}.jpg"
        if not path.is_file():
            pixels, labels = picture(dice_set, seed, np.random.default_rng([seed, 2, number]), 6, None)
            height, width = pixels.shape[:2]
            lines = [label.line(made.faces.index(label.face), width, height) for label in labels]
            (home / "labels" / f"{number:03}.txt").write_text("".join(f"{line}\n" for line in lines))
            _write(path, pixels)
            say(f"{made.id}: picture {number + 1} of {pictures}")
    # Last, so that a set half drawn is not measured.
    (home / "shape.txt").write_text(made.shape + "\n")


def _write(path: Path, pixels: NDArray[np.uint8]) -> None:
    part = path.with_name(f".{path.name}")
    part.write_bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
    part.replace(path)


@click.command()
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--sets", "count", default=40, show_default=True, type=click.IntRange(1, 200))
@click.option("--seed", default=5, show_default=True, type=click.IntRange(0, 2**20))
@click.option("--examples", default=3, show_default=True, type=click.IntRange(1, 8))
@click.option(
    "--pictures", default=6, show_default=True, type=click.IntRange(1, 1000), help="Of six dice, a set."
)
@click.option("--only", multiple=True, metavar="ID", help="Draw these sets only, to share the work.")
def main(out: Path, count: int, seed: int, examples: int, pictures: int, only: tuple[str, ...]) -> None:
    """Draw made-up sets of unseen symbols with the physically based renderer."""
    try:
        engine()
        sets = made_up_sets(max(count, 2), seed, collect())
    except (EngineMissingError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    for number, made in enumerate(sets[:count]):
        if not only or made.id in only:
            draw(
                made, out, seed * 1000 + number, examples=examples, pictures=pictures,
                say=lambda line: click.echo(line, err=True),
            )  # fmt: skip


if __name__ == "__main__":
    main()
