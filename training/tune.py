"""Tunes the detector on a player's own labelled photographs.

Checking, splitting and measuring need no PyTorch; only the training does (`training.detector`).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from files.checksums import SUMS, checksum, listing
from training.detector import TILE, export_detector, fit, mean_of, write_lists
from training.evaluate.labels import FolderError, label_lines, labels_of, labels_path, pictures_in
from training.evaluate.run import evaluate, faces_of
from training.tiles import cut_tiles
from vision.boxes import Box, intersection_over_union
from vision.detect.detector import Detector
from vision.dicesets.model import DiceSet
from vision.network import WEIGHTS, tuned_weights
from vision.picture import load_picture
from vision.reader import Reader

LEAST_PICTURES: Final = 20
"""Least number of labelled photographs."""
KEPT_SHARE: Final = 0.2
"""Share of the photographs to measure on, never to train on."""
EACH: Final = 6
"""Tiles cut from each photograph."""
RATE: Final = 0.0004
"""Peak learning rate: small, as the weights are already good."""
SAME: Final = 0.3
"""A found box with at least this overlap (intersection over union) belongs to a label."""
OFF: Final = 0.1
"""Labels are corrected if they differ from whole dice by more than this share of a side, in the median; hand-drawn
boxes are this exact."""


@dataclass(frozen=True, slots=True)
class PhotoSplit:
    """The labelled photographs of a folder in two parts."""

    trained: tuple[Path, ...]
    kept: tuple[Path, ...]
    """Never trained on."""


def split(folder: Path, dice_set: DiceSet, seed: int) -> PhotoSplit:
    """Split a folder's labelled photographs at random; the same seed gives the same split.

    Photographs without a label file are left out; an empty file means a photograph without dice.

    Raises FolderError if a folder cannot be used: too few photographs, no dice, a damaged label.
    """
    faces = faces_of(folder, dice_set)
    labelled = [picture for picture in pictures_in(folder) if labels_path(picture).is_file()]
    if len(labelled) < LEAST_PICTURES:
        raise FolderError(
            f"{folder}: expected at least {LEAST_PICTURES} photographs in images/, each with its file in labels/, "
            f"found {len(labelled)}"
        )
    names = [picture.stem for picture in labelled]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FolderError(f"{folder}: expected one photograph for each label file, found two called {twice}")
    dice = sum(len(label_lines(labels_path(picture), 1, 1, faces)) for picture in labelled)
    if not dice:
        raise FolderError(f"{folder}: expected labelled dice, found none in {len(labelled)} label files")
    order = np.random.default_rng(seed).permutation(len(labelled)).tolist()
    count = round(len(labelled) * KEPT_SHARE)
    parts = (tuple(sorted(labelled[i] for i in some)) for some in (order[count:], order[:count]))
    return PhotoSplit(*parts)


def measured(folder: Path, dice_set: DiceSet, pictures: Sequence[Path], weights: Path) -> dict[str, Any]:
    """How the networks in a folder read some photographs, with the figures of `tableside evaluate`."""
    reader = Reader(dice_set, weights)
    return evaluate(folder, dice_set, reader.read, pictures=pictures).summary()


def better(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether more dice are read right than before, or as many with fewer false finds, and no more silently wrong."""
    if after["certain_and_wrong"] > before["certain_and_wrong"]:
        return False
    return (after["right"], -after["invented"]) > (before["right"], -before["invented"])


def around_whole_dice(pictures: Sequence[Path], detector: Detector, dice_set: DiceSet) -> Box:
    """How far to move each edge of the labels, in shares of their sides, so that they surround whole dice.

    People draw boxes around whole dice or around top faces; the detector must learn whole dice. The median difference
    to the detector's own boxes tells which; labels that are about right stay as they are.
    """
    moves: list[list[float]] = []
    for picture in pictures:
        pixels = load_picture(picture)
        found = [die.box for die in detector.detect(pixels, dice_set.shapes)]
        for label in labels_of(picture, pixels):
            x0, y0, x1, y1 = label.box
            near = max(found, key=lambda box: intersection_over_union(box, label.box), default=None)
            if near is not None and intersection_over_union(near, label.box) >= SAME:
                sides = (x1 - x0, y1 - y0) * 2
                moves.append([(a - b) / side for a, b, side in zip(near, label.box, sides, strict=True)])
    if not moves:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = np.median(moves, axis=0).tolist()
    return (left, top, right, bottom) if max(map(abs, (left, top, right, bottom))) > OFF else (0.0, 0.0, 0.0, 0.0)


def tune(
    folder: Path,
    dice_set: DiceSet,
    parts: PhotoSplit,
    run: Path,
    *,
    minutes: float,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Train the shipped detector on a folder's photographs; returns the verdicts on the held-out part before and after.

    The tuned network is kept (`tuned_weights`) if it reads that part better. Tiles and checkpoints go into `run`.
    """
    unlabelled = len(pictures_in(folder)) - len(parts.trained) - len(parts.kept)
    say(
        f"{folder}: {len(parts.trained)} photographs to train on, {len(parts.kept)} to measure on (seed {seed})"
        + (f"; {unlabelled} without a label file left out" if unlabelled else "")
    )
    before = measured(folder, dice_set, parts.kept, WEIGHTS)
    say(f"before: {in_words(before)}")
    grown = around_whole_dice(parts.trained, Detector(WEIGHTS), dice_set)
    if any(grown):
        say("the labels are not around whole dice, as the networks see them; they are widened")
    shutil.rmtree(run, ignore_errors=True)
    tiles = [
        cut_tiles(folder, run / name, side=TILE, each=EACH, seed=seed, pictures=part, grown=grown)
        for name, part in (("trained", parts.trained), ("kept", parts.kept))
    ]
    start = WEIGHTS / "detector.pt"
    last = fit(start, write_lists(run, *tiles), run, minutes=minutes, seed=seed, rate=RATE)
    tried = run / "weights"
    tried.mkdir()
    for path in [*WEIGHTS.glob("*.onnx"), *WEIGHTS.glob("*.json")]:
        shutil.copyfile(path, tried / path.name)
    # The mean of both keeps what the photographs do not show.
    mean_of(start, last, run / "mean.pt")
    export_detector(run / "mean.pt", tried / "detector.onnx")
    after = measured(folder, dice_set, parts.kept, tried)
    say(f"after:  {in_words(after)}")
    if better(before, after):
        keep(tried / "detector.onnx")
    return before, after


def in_words(figures: dict[str, Any]) -> str:
    """The figures of some photographs, as one line."""
    return (
        f"{figures['right']} of {figures['dice']} dice right, {figures['wrong']} wrong, {figures['missed']} missed, "
        f"{figures['invented']} invented, {figures['uncertain']} asked about, "
        f"{figures['certain_and_wrong']} certain and wrong; "
        f"{figures['rolls_right']} of {figures['pictures']} rolls right, {figures['hands_free']} hands-free"
    )


def keep(network: Path) -> None:
    """Read with this network from now on, in place of the shipped one of its name."""
    home = tuned_weights()
    home.mkdir(parents=True, exist_ok=True)
    part = home / f".{network.name}.part"
    shutil.copyfile(network, part)
    (home / SUMS).write_text(listing({network.name: checksum(part)}), encoding="utf-8")
    part.replace(home / network.name)


def forget() -> bool:
    """Read with the shipped networks again; whether there was a tuned one."""
    home = tuned_weights()
    there = home.is_dir()
    shutil.rmtree(home, ignore_errors=True)
    return there
