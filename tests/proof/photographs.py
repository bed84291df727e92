"""Photographs of real dice strung into a film: each is shown for a second with a camera's noise, and a hand between.

    python tests/proof/photographs.py FOLDER [--set pips] [--most N]

FOLDER holds pictures, or `images/` with pictures. As many throws must be seen as there are photographs. Another
photograph is another table as well, which looks like something large in the way; so whatever dice are seen then count
as all there are. Nothing is copied.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import cv2
import numpy as np

from table.watcher import Watcher
from training.film.demo_film import Hand
from vision.dicesets.library import find
from vision.frame import Frame, Pixels
from vision.reader import Reader
from vision.reading import Reading

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp"})
RATE = 30
WIDTH, HEIGHT = 960, 720
SHOWN, HAND = 1.0, 0.9
"""Seconds each picture is shown alone, and a hand is over the table while it changes to the next."""


def fitted(path: Path) -> Pixels | None:
    """A photograph as the camera would show it: fitted into the frame, the rest a plain table; None for no picture."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    scale = min(WIDTH / picture.shape[1], HEIGHT / picture.shape[0])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    shown = np.full((HEIGHT, WIDTH, 3), (70, 80, 90), np.uint8)
    x, y = (WIDTH - size[0]) // 2, (HEIGHT - size[1]) // 2
    shown[y : y + size[1], x : x + size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return shown


class Slides:
    """A recorded camera that shows one photograph after the other."""

    name = "photographs"
    live = False

    def __init__(self, paths: list[Path]) -> None:
        """Nothing is opened yet."""
        self.shown: list[Path] = []
        self._frames = self._film(paths)
        self._number = 0
        chance = np.random.default_rng(1)
        self._noise = [chance.normal(0, 2, (HEIGHT, WIDTH, 3)).astype(np.int8) for _ in range(5)]

    def open(self) -> None:
        """Begin."""

    def close(self) -> None:
        """End."""

    def read(self) -> Frame | None:
        """The next frame."""
        pixels = next(self._frames, None)
        if pixels is None:
            return None
        noisy = cv2.add(pixels, self._noise[self._number % 5], dtype=cv2.CV_8U)
        frame = Frame(np.asarray(noisy, np.uint8), self._number, self._number / RATE, self.name)
        self._number += 1
        return frame

    def _film(self, paths: list[Path]) -> Iterator[Pixels]:
        chance, before = np.random.default_rng(2), np.full((HEIGHT, WIDTH, 3), (70, 80, 90), np.uint8)
        for _ in range(RATE):
            yield before
        for path in paths:
            picture = fitted(path)
            if picture is None:
                continue
            self.shown.append(path)
            towards = (float(chance.uniform(0.25, 0.75) * WIDTH), float(chance.uniform(0.2, 0.6) * HEIGHT))
            hand = Hand(towards, 0.0, HAND)
            for step in range(round(HAND * RATE)):
                yield hand(before if step < 0.5 * HAND * RATE else picture, step / RATE)
            for _ in range(round(SHOWN * RATE)):
                yield picture
            before = picture


def main() -> int:
    """Show them all, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", dest="set_id", default="pips")
    parser.add_argument("--most", type=int, default=10_000)
    asked = parser.parse_args()
    folder = asked.folder / "images" if (asked.folder / "images").is_dir() else asked.folder
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)[: asked.most]
    slides = Slides(paths)
    throws: list[tuple[int, int]] = []

    def saw(reading: Reading, _: object) -> None:
        throws.append((len(slides.shown), len(reading.dice)))

    session = SimpleNamespace(saw=saw, complete=lambda reading: bool(reading.dice))
    opened = SimpleNamespace(session=session, reader=Reader(find(asked.set_id)))
    Watcher(slides, Mock(opened=opened)).watch_through()
    seen = [number for number, _ in throws if number]
    missed = sorted(set(range(1, len(slides.shown) + 1)) - set(seen))
    twice = sorted({number for number in seen if seen.count(number) > 1})
    print(
        f"{len(slides.shown)} photographs, {len(seen)} throws; not seen {len(missed)}, seen twice {len(twice)}; "
        f"in {sum(dice > 0 for number, dice in throws if number)} of the throws dice were found"
    )
    for number in (*missed, *twice):
        print(f"  {slides.shown[number - 1].name}: {'not seen' if number in missed else 'seen twice'}")
    return 1 if missed or twice else 0


if __name__ == "__main__":
    sys.exit(main())
