"""Plays films that were drawn in advance (`training.pathtrace.film`), as a table that follows its film.

A folder holds `film.json` and pictures without noise:

    bare.png          the empty table
    NNN-held.png      before throw NNN: the dice that are held, the others taken up
    NNN-nudged.png    the same after one of them was pushed
    NNN-KK.png        dice on their way, at half the size; `film.json` has their times and places
    NNN-restA.png     the dice at rest

Between pictures of dice on their way, one fades into the next; the table around the dice does not change. Dice are
taken up one by one: the part of the picture around each becomes the same part without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np

from training.film.demo_film import Overlay, grainy
from vision.demo.throw import Truth
from vision.frame import Frame, Pixels, Point

Spot = tuple[float, float, float]
"""Where a die and its shadow are: x, y and radius in pixels."""

GRAIN = 1.8
"""Deviation of the sensor's noise in grey levels."""


class Key(msgspec.Struct, frozen=True):
    """A picture of dice on their way."""

    after: float
    """Seconds since they left the hand."""
    spots: tuple[Spot, ...]


class FilmedDie(msgspec.Struct, frozen=True):
    """A die at rest."""

    face: str
    corners: tuple[Point, ...]
    """Of the top face, in pixels."""


class FilmedThrow(msgspec.Struct, frozen=True):
    """One throw, with the truth about it."""

    held: tuple[int, ...]
    """The dice that stay, by their numbers."""
    nudged: int | None
    """The die among them that is pushed before the others are thrown."""
    rest: str
    """The picture of all dice at rest."""
    ends: float
    """Seconds from leaving the hand until the last die lies still."""
    keys: tuple[Key, ...]
    dice: dict[int, FilmedDie]


class FilmNote(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of `film.json`."""

    set_id: str = msgspec.field(name="set")
    game: str
    options: dict[str, str]
    width: int
    height: int
    dice: int
    seed: int = 0
    about: dict[str, str | float | tuple[str, ...]] = {}
    """Table, room, things beside the dice, and the camera's tilt in degrees."""
    throws: tuple[FilmedThrow, ...]


@dataclass(frozen=True, slots=True)
class FilmStrip:
    """A film as it was drawn."""

    folder: Path
    note: FilmNote

    def before(self, throw: int) -> str:
        """The picture of the dice that are held, alone."""
        return f"{throw:03}-held.png" if self.note.throws[throw].held else "bare.png"

    def pushed(self, throw: int) -> str:
        """The same after one was nudged."""
        return self.before(throw) if self.note.throws[throw].nudged is None else f"{throw:03}-nudged.png"

    def picture(self, name: str) -> Pixels:
        """A picture of the film. Raises FilmFolderError."""
        return _picture(self.folder / name)


class FilmFolderError(ValueError):
    """A folder does not hold a film; the message is one line."""


def load_film(folder: Path) -> FilmStrip:
    """The film in a folder. Raises FilmFolderError."""
    try:
        note = msgspec.json.decode((folder / "film.json").read_bytes(), type=FilmNote)
    except (OSError, ValueError) as error:
        raise FilmFolderError(f"{folder}: expected a film with its film.json ({error!r:.120})") from None
    strip, needed = FilmStrip(folder, note), ["bare.png"]
    for number, one in enumerate(note.throws):
        if one.rest != Path(one.rest).name:
            raise FilmFolderError(f"{folder}: expected the name of a picture, found '{one.rest[:60]}'")
        needed += [strip.before(number), strip.pushed(number), one.rest]
        needed += [f"{number:03}-{key:02}.png" for key in range(len(one.keys))]
    if missing := next((name for name in needed if not (folder / name).is_file()), None):
        raise FilmFolderError(f"{folder}: expected the picture {missing}, found none")
    return strip


class PlayedTable:
    """A table that shows a film's throws in order; holds were decided when the film was drawn.

    It is played as `FilmedTable` is: dice are taken up, nudged and cast, and `frame` shows how it looks then. After the
    last throw nobody goes on.
    """

    def __init__(self, strip: FilmStrip, *, seed: int = 0, rate: float = 30.0) -> None:
        """An empty table; `rate` is in frames a second."""
        self.name = f"film {strip.folder.name}"
        self.overlays: list[Overlay] = []
        self.chance = np.random.default_rng(seed)
        self.count, self.size = strip.note.dice, (strip.note.width, strip.note.height)
        self._strip, self._throws = strip, strip.note.throws
        self._rate = rate
        self._now = 0.0
        self._next = 0
        """The throw that comes next."""
        self._began: float | None = None
        """When the dice that are on their way left the hand."""
        self._dice: dict[int, FilmedDie] = {}
        self._still = strip.picture("bare.png")
        width, height = self.size
        grain = GRAIN * self.chance.standard_normal((4, height, width, 3), np.float32)
        self._noise = np.clip(np.rint(grain), -9, 9).astype(np.int8)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dice that lie there or are on their way."""
        return tuple(self._dice)

    def faces(self, numbers: Iterable[int] | None = None) -> dict[int, str]:
        """What each die really shows, or will when it rests."""
        return {n: self._dice[n].face for n in (self._dice if numbers is None else numbers)}

    def middle(self, number: int) -> Point:
        """Where a die's top face lies in the picture."""
        xs, ys = zip(*self._dice[number].corners, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def truth(self) -> tuple[Truth, ...]:
        """The dice that really lie there (or will, once they rest); the reader never sees this."""
        return tuple(Truth(die.face, die.corners) for die in self._dice.values())

    def goes_on(self) -> bool:
        """Whether the next throw of the film belongs to the same turn: dice are held."""
        return self._next < len(self._throws) and bool(self._throws[self._next].held)

    def holds(self, allowed: bool) -> tuple[int, ...]:
        """The dice that stay for the next throw; the film does not check the rules."""
        return self._throws[self._next].held

    def nudges(self) -> bool:
        """Whether one of the dice that stay is pushed."""
        return self._throws[self._next].nudged is not None

    def sets_aside(self) -> bool:
        """Whether somebody moves one of the dice that stay: there are no pictures of that."""
        return False

    def set_aside(self, number: int) -> None:
        """See `sets_aside`."""

    def take(self, numbers: Iterable[int]) -> None:
        """Take these dice off the table: around each of them the picture changes to the one without it."""
        taken = list(numbers)
        if not taken:
            return
        after = self._strip.picture(self._strip.before(self._next))
        width, height = self.size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        places = {n: self.middle(n) for n in self._dice}
        away = np.stack([(x - place[0]) ** 2 + (y - place[1]) ** 2 for place in places.values()])
        nearest = np.isin(away.argmin(axis=0), [list(places).index(n) for n in taken])
        for number in taken:
            del self._dice[number]
        share = cv2.GaussianBlur(nearest.astype(np.float32), (0, 0), 3.0)
        alone = set(self._dice) == set(self._throws[self._next].held)
        self._still = after if alone else _mixed(self._still, after, share)

    def nudge(self, number: int) -> None:
        """Push the die that the film pushes, whichever is named."""
        self._still = self._strip.picture(self._strip.pushed(self._next))

    def cast(self, numbers: Iterable[int]) -> float:
        """Throw the dice that are not held; returns the film's time when the last of them lies still."""
        throw = self._throws[self._next]
        if set(numbers) | set(throw.held) != set(range(self.count)):
            raise ValueError("expected the dice to be thrown that the film throws")
        self._next += 1
        self._began = self._now
        self._dice = dict(throw.dice)
        return self._began + throw.ends

    def frame(self, number: int) -> Frame:
        """The picture at frame `number` of the film."""
        self._now = number / self._rate
        pixels = self._shown()
        for overlay in self.overlays:
            pixels = overlay(pixels, self._now)
        return Frame(grainy(pixels, self._noise, number), number, self._now, self.name)

    def _shown(self) -> Pixels:
        if self._began is None:
            return self._still
        throw, after = self._throws[self._next - 1], self._now - self._began
        if after >= throw.ends:
            self._began, self._still = None, self._strip.picture(throw.rest)
            return self._still
        sooner = sum(key.after <= after for key in throw.keys) - 1
        if sooner < 0:
            # Before the first picture hardly any die is in view.
            return self._still
        first, last = self._moment(throw, sooner), sooner + 1 == len(throw.keys)
        second = self._strip.picture(throw.rest) if last else self._moment(throw, sooner + 1)
        since, until = throw.keys[sooner].after, throw.ends if last else throw.keys[sooner + 1].after
        share = (after - since) / max(until - since, 1e-6)
        return np.asarray(cv2.addWeighted(first, 1 - share, second, share, 0), np.uint8)

    def _moment(self, throw: FilmedThrow, key: int) -> Pixels:
        """The whole picture with dice on their way in it."""
        width, height = self.size
        mask = np.zeros((height, width), np.uint8)
        for x, y, radius in throw.keys[key].spots:
            cv2.circle(mask, (round(x), round(y)), round(radius), 255, -1)
        share = cv2.GaussianBlur(mask, (0, 0), 4.0).astype(np.float32) / 255
        drawn = self._strip.picture(f"{self._next - 1:03}-{key:02}.png")
        return _mixed(self._still, cv2.resize(drawn, (width, height)), share)


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
