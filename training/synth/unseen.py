"""Symbols and made-up dice sets that no network was trained on, to measure enrolment.

The drawings come from icon collections that are not among the training symbols (`training.synth.collect`), without
icons whose names training symbols have: a cat drawn by somebody else is still a cat. They are collected once into
`runs/unseen` (needs npm and the train extra). Each set is drawn into a folder, which any renderer or camera could fill,
and which `training.evaluate.enrolling` measures:

    unseen-01/shape.txt                  d6 or d8
    unseen-01/examples/<face>/1.jpg      one die with this face up; further pictures have higher numbers
    unseen-01/images/…, labels/…, faces.txt    what `tableside evaluate` reads
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.gamefile.reading import LONGEST_NAME
from training.evaluate.labels import face_tilt, jpeg, write_labelled
from training.synth.album import GLIMPSE, line_of
from training.synth.collect import icons
from training.synth.lens import photograph
from training.synth.looks import random_look
from training.synth.sampler import DressedDie, Ranges, random_scene, readable
from training.synth.symbols import default_folder
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Pixels
from vision.render.faces import FaceLook, compose, is_coloured
from vision.render.scene import DieLabel, FaceTexture, render, resting

READ: Final = Ranges(
    960, 720, dice=(6, 6), pixels=(36.0, 110.0), tilt=(0.0, 45.0), clutter=0.5, camouflage=0.0, distractors=0.0
)
"""Pictures to read."""
EXAMPLES: Final = replace(READ, dice=(1, 1), pixels=(36.0, 130.0))
"""Pictures to enrol from: one die anywhere in the picture, on any table."""
LEAST: Final = 32.0
"""Longer side of a die's box in pixels from which it counts."""
MOST_TILT: Final = 45.0
"""Degrees from straight above at which a die may be seen to count."""
SPARES: Final = 2
"""Spare pictures of each face, in case no die is found in one."""


def draw_album(
    made: UnseenSet, folder: Path, seed: int, *, examples: int = 3, dice: int = 36, say: Callable[[str], None] = print
) -> None:
    """Draw one set's pictures into `folder`, fixed by the seed.

    `examples` pictures of each face to enrol from, and spares; at least `dice` dice to read.
    """
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shape.txt").write_text(made.shape + "\n")
    (folder / "faces.txt").write_text("\n".join(made.faces) + "\n")
    for face, name in enumerate(made.faces):
        home = folder / "examples" / name
        home.mkdir(parents=True, exist_ok=True)
        for number in range(1, examples + SPARES + 1):
            (home / f"{number}.jpg").write_bytes(jpeg(_example(rng, made, face)))
    shown = number = 0
    artist = UnseenDice(made)
    while shown < dice:
        picture = render(random_scene(rng, artist, READ))
        counted = [label for label in picture.labels if counts(label)]
        if not counted:
            continue
        shown += len(counted)
        aside = [label for label in picture.labels if not counts(label) and label.whole > GLIMPSE]
        pixels = photograph(picture.pixels, rng)
        texts = ([line_of(label, made.faces, pixels) for label in some] for some in (counted, aside))
        write_labelled(folder, f"{number:03}", jpeg(pixels), *texts)
        number += 1
    say(f"{folder.name}: {made.shape}, {number} pictures of {shown} dice")


def counts(label: DieLabel) -> bool:
    """Whether a die should be read: large enough, its top face visible, and not seen too much from the side."""
    x0, y0, x1, y1 = label.box
    large = max(x1 - x0, y1 - y0) >= LEAST
    return bool(readable(label.visible)) and large and face_tilt(label.corners) <= MOST_TILT


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


Art = NDArray[np.uint8]
"""(96, 96, 4) RGBA."""

_EMOJI: Final = (
    r"^(?!.*(skin-tone|keycap|clock|medium|light-|dark-|flag|hand|button|arrow|letter|face|squared|circled|family"
    r"|regional|man-|woman-|person|sign|symbol|square|input|japanese|mark|e-mail)).*$"
)
COLLECTIONS: Final = {
    "openmoji": _EMOJI,
    "twemoji": _EMOJI,
    "mdi": r"^(?!.*(outline|alpha-|numeric-|circle|box|off|-plus|-minus|-check|arrow|format-|dice-|battery)).*$",
    "tabler": r"-filled$",
}
"""Collection of `@iconify-json` → which of its icons: one style of each, no letters, signs and variants."""

COLOURED: Final = ("openmoji", "twemoji")
"""Collections in colours of their own."""

MOST_ALIKE: Final = 0.8
"""Most correlation of two small blurred drawings in one set; above it they are variants of one symbol, never put
on one die."""

SECOND_COLOUR_SHARE: Final = 0.25
"""Sets whose dice come in two colours."""

MOST_WEAR: Final = 0.15
"""Most wear: nobody enrols dice with worn-off pictures."""

FILLED: Final = 0.96
"""Share of its square that a drawing spans."""

LEAST_COVER: Final = 0.06
"""Least share of the square that a drawing must cover: hairlines are not dice faces."""


@dataclass(frozen=True, eq=False, slots=True)
class Collection:
    """Drawings never trained on, sorted by name."""

    names: tuple[str, ...]
    art: NDArray[np.uint8]
    """(N, 96, 96, 4) RGBA."""


@dataclass(frozen=True, eq=False, slots=True)
class UnseenSet:
    """One design of dice: its symbols and looks."""

    id: str
    shape: Shape
    faces: tuple[str, ...]
    """As many as the die has sides."""
    art: tuple[Art, ...]
    looks: tuple[FaceLook, ...]
    """One for each colour that its dice come in; the first is the one that is enrolled."""


class UnseenDice:
    """An `Artist` (see `training.synth.sampler`) that decorates dice of one set, all alike except for colour."""

    def __init__(self, made: UnseenSet, looks: Sequence[FaceLook] | None = None) -> None:
        """Dice in the set's colours, or in `looks` only."""
        self._set = made
        self._looks = tuple(looks or made.looks)

    def shape(self, rng: np.random.Generator) -> Shape:
        """The set's shape."""
        return self._set.shape

    def arts(self, rng: np.random.Generator) -> tuple[Art, ...]:
        """One of its symbols, for cards on the table."""
        return (self._set.art[int(rng.integers(len(self._set.art)))],)

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        """One die, with a different face on every side."""
        look = self._looks[int(rng.integers(len(self._looks)))]

        @cache
        def texture(face: int) -> FaceTexture:
            colour, relief = compose(self._set.art[face], shape, look, size)
            return FaceTexture(colour, relief if look.finish == "engraved" else None)

        return DressedDie(texture, self._set.faces, look.finish == "engraved")


def made_up_sets(count: int, seed: int, collection: Collection) -> tuple[UnseenSet, ...]:
    """So many sets, d6 and d8 in turn, fixed by the seed; no symbol is on two of them.

    Raises ValueError if there are not enough drawings.
    """
    rng = np.random.default_rng(seed)
    coloured = [name.split("/")[0] in COLOURED for name in collection.names]
    orders = {kind: rng.permutation(len(coloured)).tolist() for kind in (True, False)}
    left = {kind: [i for i in order if coloured[i] == kind] for kind, order in orders.items()}
    sets: list[UnseenSet] = []
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        pool = left[number % 4 < 2]
        chosen = _differing(pool, collection, shape.faces)
        art = tuple(np.array(collection.art[i]) for i in chosen)
        names = tuple(collection.names[i].split("/")[1][:LONGEST_NAME].rstrip("-") for i in chosen)
        looks = [_look(rng, shape, art)]
        if rng.random() < SECOND_COLOUR_SHARE:
            other = _look(rng, shape, art)
            looks.append(replace(looks[0], body=other.body, ink=other.ink, ground=other.ground))
        sets.append(UnseenSet(f"unseen-{number + 1:02}", shape, names, art, tuple(looks)))
    return tuple(sets)


def _differing(pool: list[int], collection: Collection, count: int) -> list[int]:
    """Take so many drawings from the pool that differ from each other in name and shape."""
    chosen: list[int] = []
    patterns: list[NDArray[np.float32]] = []
    for index in list(pool):
        mine, name = pattern(collection.art[index]), collection.names[index].split("/")[1]
        alike = any(float(mine @ other) > MOST_ALIKE for other in patterns)
        if alike or name in {collection.names[i].split("/")[1] for i in chosen}:
            continue
        pool.remove(index)
        chosen.append(index)
        patterns.append(mine)
        if len(chosen) == count:
            return chosen
    raise ValueError(f"expected drawings for {count} faces more, found {len(chosen)}: ask for fewer sets")


def pattern(art: Art) -> NDArray[np.float32]:
    """A small blurred copy on white paper, of mean 0 and length 1."""
    alpha = art[..., 3:].astype(np.float32) / 255
    grey = (art[..., :3].astype(np.float32) * alpha + 255 * (1 - alpha)).mean(axis=2)
    paper = np.asarray(grey, np.float32)
    tiny = cv2.GaussianBlur(cv2.resize(paper, (24, 24), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    small = np.asarray(tiny, np.float32).ravel()
    small = small - small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)


def _look(rng: np.random.Generator, shape: Shape, art: Sequence[Art]) -> FaceLook:
    """A look in which every symbol is visible: coloured art on a ground of another colour."""
    coloured = is_coloured(art[0])
    while True:
        look = random_look(rng, shape, coloured=coloured)
        look = replace(look, wear=min(look.wear, MOST_WEAR))
        if look.ink is not None:
            return look
        ground = np.array(look.ground if look.ground is not None else look.body)
        inks = [one[one[..., 3] > 128][:, 2::-1].astype(np.float64) for one in art]
        # At least a third of each drawing must differ from its ground by a fifth of the range.
        if all(len(ink) and (np.abs(ink - ground).max(axis=1) > 51).mean() > 0.33 for ink in inks):
            return look


def collect(folder: Path | None = None, say: Callable[[str], None] = print) -> Collection:
    """The drawings never trained on; fetched and rasterised once. Raises ValueError if there are none."""
    place = folder or default_folder().parent / "unseen"
    stored = place / "unseen.npz"
    if stored.is_file():
        with np.load(stored) as kept:
            return Collection(tuple(str(name) for name in kept["names"]), np.asarray(kept["art"], np.uint8))
    downloads = place / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    index = default_folder() / "glyphs.tsv"
    rows = (line.split("\t", 3) for line in (index.read_text("utf-8").splitlines() if index.is_file() else ()))
    trained = {_plain(name.split("/")[-1]) for _, _, kept, name in rows if kept == "0"}
    names: list[str] = []
    arts: list[Art] = []
    sources: list[str] = []
    for name, pattern in COLLECTIONS.items():
        for icon, art in icons(downloads, name, pattern, sources, say):
            if _plain(icon) not in trained and float((art[..., 3] > 128).mean()) > LEAST_COVER:
                names.append(f"{name}/{icon}")
                arts.append(_filling(art))
    if not names:
        raise ValueError("expected icon collections to measure with, got none: this needs npm and a network once")
    (place / "LICENCES.txt").write_text("\n".join(sources) + "\n", encoding="utf-8")
    part = place / f"unseen.{os.getpid()}.npz"
    np.savez_compressed(part, names=np.array(names), art=np.stack(arts))
    part.replace(stored)
    return Collection(tuple(names), np.stack(arts))


def _filling(art: Art) -> Art:
    """A drawing that fills its square, as on dice: cut to its outline and enlarged."""
    ys, xs = np.nonzero(art[..., 3] > 16)
    cut = art[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
    cut[..., :3] *= cut[..., 3:] / 255
    scale = FILLED * art.shape[0] / max(cut.shape[:2])
    width, height = (max(round(side * scale), 1) for side in cut.shape[1::-1])
    large = np.asarray(cv2.resize(cut, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    y, x = (art.shape[0] - height) // 2, (art.shape[1] - width) // 2
    filled = np.zeros(art.shape, np.float32)
    filled[y : y + height, x : x + width] = large.clip(0, 255)
    filled[..., :3] /= np.maximum(filled[..., 3:] / 255, 1 / 255)
    return np.rint(filled.clip(0, 255)).astype(np.uint8)


def _plain(name: str) -> str:
    """An icon's name without its style."""
    return "-".join(word for word in name.split("-") if word not in ("filled", "fill", "face", "the"))
