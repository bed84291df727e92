"""Promises about photographs of real dice. Folders of labelled photographs lie in $PHOTOS, as `tableside evaluate`
reads them; none come along."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from table.watcher import Watcher
from tests.vision.nearing import SIDE, close_up
from training.evaluate.labels import label_lines
from training.evaluate.run import TrueDie, judge, read_labels
from training.film.demo_film import ReachingHand
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.enrol.enrol import EnrolError, Wish, keep, take
from vision.enrol.shown import Shown, shown_dice
from vision.frame import Frame, Pixels
from vision.picture import load_picture
from vision.reader import Reader

PHOTOS = Path(os.environ.get("PHOTOS", "no folder"))
RATE = 30
WIDTH, HEIGHT = 960, 720

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="no photographs (PHOTOS=folder)"),
    pytest.mark.parametrize("folder", ["desk-pips", "catan-pips", "grey-pips"]),
]


def pictures_of(folder: str, every: int = 1) -> list[Path]:
    found = sorted((PHOTOS / folder / "images").glob("*.jpg"))[::every]
    if not found:
        pytest.skip(f"no photographs in {PHOTOS / folder}")
    return found


def fitted(picture: Pixels) -> Pixels:
    """A photograph as the camera would show it: fitted into the frame, the rest a plain table."""
    scale = min(WIDTH / picture.shape[1], HEIGHT / picture.shape[0])
    width, height = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
    shown = np.full((HEIGHT, WIDTH, 3), (70, 80, 90), np.uint8)
    x, y = (WIDTH - width) // 2, (HEIGHT - height) // 2
    shown[y : y + height, x : x + width] = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return shown


class Slides:
    """A recorded camera that shows each photograph for a second with a sensor's noise, and a hand in between."""

    name, live = "photographs", False

    def __init__(self, paths: list[Path]) -> None:
        self.shown = 0
        self._frames, self._number = self._film(paths), 0
        chance = np.random.default_rng(1)
        self._noise = [chance.normal(0, 2, (HEIGHT, WIDTH, 3)).astype(np.int8) for _ in range(5)]

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self) -> Frame | None:
        pixels = next(self._frames, None)
        if pixels is None:
            return None
        noisy = cv2.add(pixels, self._noise[self._number % 5], dtype=cv2.CV_8U)
        self._number += 1
        return Frame(np.asarray(noisy, np.uint8), self._number, self._number / RATE, self.name)

    def _film(self, paths: list[Path]) -> Iterator[Pixels]:
        chance, before = np.random.default_rng(2), np.full((HEIGHT, WIDTH, 3), (70, 80, 90), np.uint8)
        yield from [before] * RATE
        for path in paths:
            picture = fitted(load_picture(path))
            self.shown += 1
            hand = ReachingHand((chance.uniform(0.25, 0.75) * WIDTH, chance.uniform(0.2, 0.6) * HEIGHT), 0.0, 0.9)
            for step in range(27):
                yield hand(before if step < 14 else picture, step / RATE)
            yield from [picture] * RATE
            before = picture


def test_each_photograph_of_a_film_is_one_throw(folder: str):
    slides, throws = Slides(pictures_of(folder)[:60]), list[int]()
    session = SimpleNamespace(
        complete=lambda reading: bool(reading.dice), saw=lambda reading, evidence: throws.append(slides.shown)
    )
    listener = SimpleNamespace(
        opened=SimpleNamespace(reader=Reader(find("pips")), session=session),
        state_is=lambda state: None, camera_says=lambda trouble: None,
    )  # fmt: skip
    Watcher(slides, listener).watch_through()
    print(f"{folder}: {slides.shown} photographs, {len(throws)} throws")
    assert [number for number in throws if number] == list(range(1, slides.shown + 1))


def test_a_die_that_fills_much_of_the_picture_is_found_and_can_be_taught(folder: str):
    reader, shapes, counted = Reader(find("pips")), find("pips").shapes, Counter[tuple[float, str]]()
    dice = list(largest_dice(folder))
    for share in (0.5, 0.65, 0.8):
        rng = np.random.default_rng(0)
        for pixels, box in dice:
            picture, centre = close_up(pixels, box, share, 0.6 * rng.uniform(-1, 1, 2))
            found = [one.corners for one in reader.detector.detect(picture, shapes)]
            shown = [one.place for one in shown_dice(reader.detector, reader.matcher, picture, shapes)]
            for what, places in (("found", found), ("fit to be taught", shown)):
                near = (np.linalg.norm(place.mean(axis=0) - centre) < 0.35 * share * SIDE for place in places)
                counted[share, what] += any(near)
    print(f"{folder}: {dict(counted)} of {len(dice)}")
    assert counted[0.5, "found"] >= 0.9 * len(dice)


def largest_dice(folder: str) -> Iterator[tuple[Pixels, tuple[float, float, float, float]]]:
    """The largest labelled die of every sixteenth photograph, with its picture."""
    for path in pictures_of(folder, every=16):
        pixels = load_picture(path)
        lines = label_lines(PHOTOS / folder / "labels" / f"{path.stem}.txt", pixels.shape[1], pixels.shape[0])
        if lines:
            yield pixels, max((line.box for line in lines), key=lambda box: box[2] - box[0])


def alone(label: TrueDie, labels: tuple[TrueDie, ...]) -> bool:
    """Whether a cutting of a die shows no other one, and the die is large enough to teach."""
    (x, y), reach = label.centre, 2.2 * label.size
    near = (max(abs(one.centre[0] - x), abs(one.centre[1] - y)) < reach for one in labels if one is not label)
    return label.size >= 28.0 and not any(near)


def test_one_picture_a_face_reads_as_well_as_the_shipped_set(folder: str, tmp_path: Path):
    """Dice that lie alone in a third of the photographs are cut out and enrolled; the next sixty are read."""
    shipped, pictures = find("pips"), pictures_of(folder)
    names = (PHOTOS / folder / "faces.txt").read_text(encoding="utf-8").split("\n")
    faces = {i: shipped.resolve(name) for i, name in enumerate(filter(None, map(str.strip, names)))}
    random.Random(1).shuffle(pictures)
    third, reader = len(pictures) // 3, Reader(shipped)

    def labelled(path: Path) -> tuple[Pixels, tuple[TrueDie, ...]]:
        pixels = load_picture(path)
        file = PHOTOS / folder / "labels" / f"{path.stem}.txt"
        return pixels, read_labels(file, faces, pixels.shape[1], pixels.shape[0])

    taken: dict[str, list[Shown]] = {face: [] for face in shipped.face_ids}
    for pixels, labels in map(labelled, pictures[:third]):
        for label in labels:
            if len(taken[label.face]) < 3 and alone(label, labels):
                (x, y), reach = label.centre, 1.8 * label.size
                rows = slice(max(int(y - reach), 0), int(y + reach))
                part = np.ascontiguousarray(pixels[rows, max(int(x - reach), 0) : int(x + reach)])
                try:
                    found = take(reader.detector, reader.matcher, part, shipped.shapes, label.face, folder)
                    taken[label.face].append(found[0])
                except EnrolError:
                    continue  # a cutting that people would be asked to take again
    sets: dict[str, DiceSet] = {"shipped": shipped}
    for count in (1, 3):
        note = SetNote(f"own-{count}", {}, shipped.shapes, tuple(FaceNote(face) for face in taken))
        chosen = [one for found in taken.values() for one in found[:count]]
        sets[note.id] = keep(Wish(note, {}), chosen, reader.matcher, home=tmp_path).dice_set
    right, dice = Counter[str](), 0
    for pixels, labels in map(labelled, pictures[third : third + 60]):
        dice += len(labels)
        for name, dice_set in sets.items():
            reader.know(dice_set)
            right[name] += sum(one.right for one in judge(labels, reader.read(pixels).dice) if one.label)
    print(f"{folder}: enrolled {sum(map(len, taken.values()))} dice; of {dice} right: {dict(right)}")
    assert right["own-1"] >= right["shipped"] - 0.03 * dice
    assert right["own-3"] >= right["shipped"] - 0.03 * dice
