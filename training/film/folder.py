"""Plays films that were drawn beforehand (`training.pathtrace.film`), as a table that does what its film says.

A folder holds `film.json` and pictures without noise:

    bare.png          the empty table
    NNN-held.png      before throw NNN: the dice that are held, the others taken up
    NNN-nudged.png    the same after one of them was pushed
    NNN-KK.png        dice on their way, half as wide and high; when and where, `film.json` says
    NNN-restA.png     how they came to lie

Between the pictures of dice on their way one fades into the next, and outside of where dice are the table stays as it
is. Dice are taken up one by one: what lay around one becomes what lies there without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from training.film.demo_film import Overlay
from vision.demo.throw import Truth
from vision.frame import Frame, Pixels

Point = tuple[float, float]
Spot = tuple[float, float, float]
"""Where a die and its shadow are: x, y and radius in pixels."""

GRAIN = 1.8
"""Deviation of the sensor's noise in grey levels."""


@dataclass(frozen=True, slots=True)
class Key:
    """A picture of dice on their way."""

    after: float
    """Seconds since they left the hand."""
    picture: Path
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class FilmedThrow:
    """One throw and what is true of it."""

    held: tuple[int, ...]
    """The dice that stay, by their numbers."""
    nudged: int | None
    """The one of them that is pushed before the others are thrown."""
    ends: float
    """Seconds from leaving the hand until the last die lies still."""
    keys: tuple[Key, ...]
    faces: Mapping[int, str]
    corners: Mapping[int, tuple[Point, ...]]
    """Of the top faces, in pixels."""
    before: Path
    """The dice that are held, alone."""
    pushed: Path
    """The same after the nudge."""
    rest: Path


@dataclass(frozen=True, slots=True)
class FilmStrip:
    """A film as it was drawn."""

    name: str
    set_id: str
    game: str
    options: Mapping[str, str]
    size: tuple[int, int]
    dice: int
    bare: Path
    throws: tuple[FilmedThrow, ...]


class FilmFolderError(ValueError):
    """A folder does not hold a film; the message is one line."""


def load_film(folder: Path) -> FilmStrip:
    """The film in a folder. Raises FilmFolderError."""
    try:
        told = json.loads((folder / "film.json").read_text(encoding="utf-8"))
        throws = tuple(_throw(folder, number, one) for number, one in enumerate(told["throws"]))
        strip = FilmStrip(
            folder.name, str(told["set"]), str(told["game"]), dict(told["options"]),
            (int(told["width"]), int(told["height"])), int(told["dice"]), folder / "bare.png", throws,
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FilmFolderError(f"{folder}: expected a film with its film.json ({error!r:.120})") from None
    needed = [strip.bare]
    for one in strip.throws:
        needed += [one.before, one.pushed, one.rest, *(key.picture for key in one.keys)]
    for path in needed:
        if not path.is_file():
            raise FilmFolderError(f"{folder}: expected the picture {path.name}, found none")
    return strip


def _throw(folder: Path, number: int, told: Mapping[str, object]) -> FilmedThrow:
    name = f"{number:03}"
    raw = json.loads(json.dumps(told))
    held = tuple(int(n) for n in raw["held"])
    nudged = None if raw["nudged"] is None else int(raw["nudged"])
    before = folder / (f"{name}-held.png" if held else "bare.png")
    keys = tuple(
        Key(float(key["after"]), folder / f"{name}-{place:02}.png",
            tuple((float(x), float(y), float(r)) for x, y, r in key["spots"]))
        for place, key in enumerate(raw["keys"])
    )  # fmt: skip
    return FilmedThrow(
        held, nudged, float(raw["ends"]), keys,
        {int(n): str(die["face"]) for n, die in raw["dice"].items()},
        {int(n): tuple((float(x), float(y)) for x, y in die["corners"]) for n, die in raw["dice"].items()},
        before, before if nudged is None else folder / f"{name}-nudged.png", folder / Path(str(raw["rest"])).name,
    )  # fmt: skip


class PlayedTable:
    """A table that shows a film's throws in their order; who holds what was decided when the film was drawn.

    It is played as `FilmedTable` is: dice are taken up, nudged and cast, and `frame` shows how it looks then. After the
    last throw nobody goes on.
    """

    def __init__(self, strip: FilmStrip, *, seed: int = 0, rate: float = 30.0) -> None:
        """An empty table; `rate` is in frames a second."""
        self.name = f"film {strip.name}"
        self.overlays: list[Overlay] = []
        self.chance = np.random.default_rng(seed)
        self._strip = strip
        self._rate = rate
        self._now = 0.0
        self._next = 0
        """The throw that comes next."""
        self._began: float | None = None
        """When the dice that are on their way left the hand."""
        self._faces: dict[int, str] = {}
        self._corners: dict[int, tuple[Point, ...]] = {}
        self._still = _picture(strip.bare)
        width, height = strip.size
        grain = GRAIN * self.chance.standard_normal((4, height, width, 3), np.float32)
        self._noise = np.clip(np.rint(grain), -9, 9).astype(np.int8)

    @property
    def count(self) -> int:
        """How many dice there are, on the table or off."""
        return self._strip.dice

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self._strip.size

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dice that lie there or are on their way."""
        return tuple(self._faces)

    def faces(self, numbers: Iterable[int] | None = None) -> dict[int, str]:
        """What each die really shows, or will when it rests."""
        return {n: self._faces[n] for n in (self._faces if numbers is None else numbers)}

    def middle(self, number: int) -> Point:
        """Where a die's top face lies in the picture."""
        xs, ys = zip(*self._corners[number], strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def truth(self) -> tuple[Truth, ...]:
        """What really lies there (or will, once the dice rest); the reader never sees it."""
        return tuple(Truth(self._faces[n], self._corners[n]) for n in self._faces)

    def goes_on(self) -> bool:
        """Whether the next throw of the film belongs to the same turn: dice are held."""
        return self._next < len(self._strip.throws) and bool(self._strip.throws[self._next].held)

    def holds(self, allowed: bool) -> tuple[int, ...]:
        """The dice that stay for the next throw; the film does not ask whether they may."""
        return self._strip.throws[self._next].held

    def nudges(self) -> bool:
        """Whether one of the dice that stay is pushed."""
        return self._strip.throws[self._next].nudged is not None

    def take(self, numbers: Iterable[int]) -> None:
        """Take these dice off the table: around each of them it looks as it will without it."""
        taken = list(numbers)
        if not taken:
            return
        after = _picture(self._strip.throws[self._next].before)
        width, height = self.size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        places = {n: self.middle(n) for n in self._faces}
        away = np.stack([(x - place[0]) ** 2 + (y - place[1]) ** 2 for place in places.values()])
        nearest = np.isin(away.argmin(axis=0), [list(places).index(n) for n in taken])
        for number in taken:
            del self._faces[number], self._corners[number]
        share = cv2.GaussianBlur(nearest.astype(np.float32), (0, 0), 3.0)
        self._still = after if self._alone() else _mixed(self._still, after, share)

    def nudge(self, number: int) -> None:
        """Push the die that the film pushes, whichever is named."""
        self._still = _picture(self._strip.throws[self._next].pushed)

    def cast(self, numbers: Iterable[int]) -> float:
        """Throw the dice that are not held; when the last of them lies still, in the film's time."""
        throw = self._strip.throws[self._next]
        if set(numbers) | set(throw.held) != set(range(self.count)):
            raise ValueError("expected the dice to be thrown that the film throws")
        self._next += 1
        self._began = self._now
        self._faces, self._corners = dict(throw.faces), dict(throw.corners)
        return self._began + throw.ends

    def frame(self, number: int) -> Frame:
        """The picture at frame `number` of the film."""
        self._now = number / self._rate
        pixels = self._shown()
        for overlay in self.overlays:
            pixels = overlay(pixels, self._now)
        grainy = cv2.add(pixels, self._noise[number % len(self._noise)], dtype=cv2.CV_8U)
        return Frame(np.asarray(grainy, np.uint8), number, self._now, self.name)

    def _alone(self) -> bool:
        """Whether only the dice that are held lie there."""
        return set(self._faces) == set(self._strip.throws[self._next].held)

    def _shown(self) -> Pixels:
        if self._began is None:
            return self._still
        throw, after = self._strip.throws[self._next - 1], self._now - self._began
        if after >= throw.ends:
            self._began, self._still = None, _picture(throw.rest)
            return self._still
        later = next((key for key in throw.keys if key.after > after), None)
        sooner = next((key for key in reversed(throw.keys) if key.after <= after), None)
        if sooner is None:
            # Before its first picture the nearest die has hardly come into view.
            return self._still
        first = self._moment(sooner)
        second = _picture(throw.rest) if later is None else self._moment(later)
        until = throw.ends if later is None else later.after
        share = (after - sooner.after) / max(until - sooner.after, 1e-6)
        return np.asarray(cv2.addWeighted(first, 1 - share, second, share, 0), np.uint8)

    def _moment(self, key: Key) -> Pixels:
        """The whole picture with dice on their way in it."""
        width, height = self.size
        mask = np.zeros((height, width), np.uint8)
        for x, y, radius in key.spots:
            cv2.circle(mask, (round(x), round(y)), round(radius), 255, -1)
        share = cv2.GaussianBlur(mask, (0, 0), 4.0).astype(np.float32) / 255
        return _mixed(self._still, cv2.resize(_picture(key.picture), (width, height)), share)


def _mixed(under: Pixels, over: cv2.typing.MatLike, share: cv2.typing.MatLike) -> Pixels:
    """`over` laid on `under`, both (H, W, 3), with (H, W) coverage."""
    part = np.asarray(share, np.float32)[..., None]
    return np.rint(under + part * (np.asarray(over, np.float32) - under)).astype(np.uint8)


@lru_cache(maxsize=6)
def _picture(path: Path) -> Pixels:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise FilmFolderError(f"{path}: expected a picture")
    return np.asarray(pixels, np.uint8)
