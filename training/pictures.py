"""Renders the training pictures of the detector and the face finder.

Each scene gives a tile for the detector (a random crop, so that a die's size in pixels does not depend on the scene)
and a crop around each die, at full resolution, for the face finder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from training.crops import MOST_CORNERS, SILHOUETTE, Crop, Crops, jittered
from training.synth.chance import log_uniform
from training.synth.distractors import some_places
from training.synth.dressers import Wardrobe
from training.synth.lens import photograph
from training.synth.sampler import Artist, Ranges, random_scene, readable
from training.tiles import write_tile
from vision.boxes import CROP, Box, crop_map, shared_area
from vision.dicesets.shapes import SHAPES
from vision.frame import Doubles, Floats, Pixels
from vision.propose import GREY
from vision.pyramid import Pyramid
from vision.render.scene import DieLabel, Scene, render

TILE = 384
"""Side of a detector's training picture in pixels."""
SHARD = 100
"""Scenes in one job and one file of crops."""
DISTRACTORS = 3
"""Crops of other things from a scene that has them."""
PART_OF = 0.4
"""How often a part of such a thing is cropped as well."""
BOUNDS = Ranges()


def make(
    folder: Path, scenes: int, seed: int, workers: int = 1, first: int = 0, artist: Callable[[], Artist] = Wardrobe,
    bounds: Ranges = BOUNDS,
) -> None:  # fmt: skip
    """Write `scenes` scenes' tiles and crops under `folder`; scenes that are there already are kept.

    `folder/images/N.jpg` and `folder/labels/N.txt` are for Ultralytics; `folder/crops/N.npz` has the crops of a hundred
    scenes. The same seed makes the same pictures. `artist` makes the `Artist` that decorates the dice; worker processes
    import it by name, so it must be a class or function of a module. `bounds` has the probabilities of what is drawn;
    its picture size is ignored.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "made.json").write_text(json.dumps({"scenes": scenes, "seed": seed}))
    shards = [s for s in range(first, -(-scenes // SHARD)) if not (folder / "crops" / f"{s:05}.npz").exists()]
    job = partial(_make_shard, folder, seed, artist, bounds)
    if workers <= 1:
        for shard in shards:
            job(shard)
        return
    with ProcessPoolExecutor(workers) as pool:
        for _ in pool.map(job, shards):
            pass


def _make_shard(folder: Path, seed: int, artist: Callable[[], Artist], bounds: Ranges, shard: int) -> None:
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, shard])
    wardrobe = artist()
    crops: list[Crop] = []
    made = 0
    while made < SHARD:
        # Mostly landscape pictures, some square.
        width, height = (640, 480) if rng.random() < 0.6 else (560, 560)
        scene = random_scene(rng, wardrobe, replace(bounds, width=width, height=height))
        picture = render(scene)
        if any(readable(label.visible) is None for label in picture.labels):
            continue
        pixels = photograph(picture.pixels, rng)
        seen = [label for label in picture.labels if readable(label.visible)]
        whole = Pyramid(pixels)
        crops += _crops(whole, seen, rng)
        crops += _distractors(whole, scene, [label.box for label in seen], rng)
        tile, boxes = _tile(pixels, picture.labels, rng)
        write_tile(folder, f"{shard * SHARD + made:06}", tile, boxes)
        made += 1
    Crops.of(crops).write(folder / "crops" / f"{shard:05}.npz")


def _tile(pixels: Pixels, labels: tuple[DieLabel, ...], rng: np.random.Generator) -> tuple[Pixels, list[Box]]:
    """A TILE × TILE part of the picture at 0.55 to 1.1 of its scale, and the whole dice's boxes in it."""
    height, width = pixels.shape[:2]
    for _ in range(20):
        scale = log_uniform(rng, max(0.55, TILE / max(width, height) * 0.9), 1.1)
        x = rng.uniform(min(0, width - TILE / scale), max(0, width - TILE / scale))
        y = rng.uniform(min(0, height - TILE / scale), max(0, height - TILE / scale))
        boxes: list[Box] = []
        for label in labels:
            kept = _clip(label, scale, x, y)
            if kept is None:
                break
            boxes += kept
        else:
            break
    else:
        scale, x, y = TILE / max(width, height), 0.0, 0.0
        boxes = [box for label in labels for box in _clip(label, scale, x, y) or []]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    mapping = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]])
    if scale < 0.75:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=method), np.uint8)
        mapping = np.array([[1.0, 0, -x * scale], [0, 1.0, -y * scale]])
    tile = cv2.warpAffine(pixels, mapping, (TILE, TILE), borderValue=(GREY,) * 3)
    if rng.random() < 0.5:
        tile = cv2.flip(tile, 1)
        boxes = [(TILE - x1, y0, TILE - x0, y1) for x0, y0, x1, y1 in boxes]
    return np.asarray(tile, np.uint8), boxes


def _clip(label: DieLabel, scale: float, x: float, y: float) -> list[Box] | None:
    """The label's box in the tile: one, none if it is not there, None if what is left cannot tell."""
    if not readable(label.visible):
        return []
    shifted = (label.corners - (x, y)) * scale
    inside = float(((shifted > 0) & (shifted < TILE)).all(axis=1).mean())
    x0, y0, x1, y1 = ((edge - start) * scale for edge, start in zip(label.box, (x, y, x, y), strict=True))
    clipped = (max(x0, 0.0), max(y0, 0.0), min(x1, float(TILE)), min(y1, float(TILE)))
    if clipped[0] >= clipped[2] or clipped[1] >= clipped[3]:
        return []
    share = (clipped[2] - clipped[0]) * (clipped[3] - clipped[1]) / max((x1 - x0) * (y1 - y0), 1e-6)
    if share > 0.7 and inside >= 0.7:
        return [clipped]
    return [] if share < 0.3 else None


def _crops(picture: Pyramid, seen: list[DieLabel], rng: np.random.Generator) -> Iterator[Crop]:
    width, height = picture.size
    for label in seen:
        mapping = crop_map(_boxed(label.box, rng))
        if rng.random() < 0.5:  # mirroring is harmless: the finder never reads symbols
            mapping = np.array([[-1, 0, CROP - 1], [0, 1, 0], [0, 0, 1.0]]) @ mapping
        hull = np.asarray(cv2.convexHull(label.body), np.float32).reshape(-1, 2)
        corners, silhouette = _within(mapping, label.corners, MOST_CORNERS), _within(mapping, hull, SILHOUETTE)
        yield Crop(picture.cut(mapping), corners, silhouette, 1 + SHAPES.index(label.shape))
    for _ in range(1 + int(rng.random() < 0.4)):
        side = log_uniform(rng, 16, 200)
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        if rng.random() < 0.4 and seen:  # half beside a die: the finder must notice when a die is off centre
            x0, y0, x1, y1 = seen[int(rng.integers(0, len(seen)))].box
            side = (x1 - x0) * float(rng.uniform(0.5, 1.5))
            angle = rng.uniform(0, 2 * np.pi)
            x = (x0 + x1) / 2 + float(np.cos(angle)) * (x1 - x0) * rng.uniform(0.9, 1.5)
            y = (y0 + y1) / 2 + float(np.sin(angle)) * (y1 - y0) * rng.uniform(0.9, 1.5)
        middles = (((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in (label.box for label in seen))
        if not any(abs(across - x) < 0.3 * side and abs(down - y) < 0.3 * side for across, down in middles):
            yield Crop.of_nothing(picture, (x - side / 2, y - side / 2, x + side / 2, y + side / 2))


def _within(mapping: Doubles, corners: Floats, count: int) -> Floats:
    """Corners of a picture (K, 2) in a crop's coordinates; the last is repeated until there are `count`."""
    inside = cv2.perspectiveTransform(corners[None].astype(np.float64), mapping)[0]
    return np.concatenate([inside, *[inside[-1:]] * (count - len(inside))]).astype(np.float32)


def _distractors(picture: Pyramid, scene: Scene, dice: list[Box], rng: np.random.Generator) -> Iterator[Crop]:
    """Crops of other things, boxed as if they were dice."""
    for thing in some_places(rng, scene.distractors, scene.view, DISTRACTORS):
        box = _boxed(thing, rng)
        if not any(shared_area(box, die) for die in dice):
            yield Crop.of_nothing(picture, box)
            if rng.random() < PART_OF:
                yield Crop.of_nothing(picture, _part(box, rng))


def _part(box: Box, rng: np.random.Generator) -> Box:
    """A box within another one, as if around one face of a large die."""
    (x0, y0, x1, y1), share = box, rng.uniform(0.45, 0.9)
    width, height = (x1 - x0) * share, (y1 - y0) * share
    x, y = rng.uniform(x0, x1 - width), rng.uniform(y0, y1 - height)
    return float(x), float(y), float(x + width), float(y + height)


def _boxed(box: Box, rng: np.random.Generator) -> Box:
    """A box as a detector would give it: off by some percent, more where dice touch, and most around clear ones."""
    return jittered(box, rng, float(rng.choice((0.05, 0.12, 0.2), p=(0.6, 0.25, 0.15))))
