"""Films of throws by the second renderer, in the form that `training.film.folder` plays: what lies there is known.

    python -m training.pathtrace.film SET GAME -o FOLDER --throws 20 --seed 1

One table, camera, room and set of dice a film. Every state of rest is path-traced afresh, dice on their way eight
times a second and at half the resolution. Who holds what is drawn by lot here, within what the game allows. A broken
run goes on where it stopped: each throw has its own stream of chance, and pictures that are there are kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import get_args

import click
import cv2
import msgspec
import numpy as np

from training.film.folder import FilmedDie, FilmedThrow, FilmNote, Key
from training.pathtrace import engine
from training.pathtrace.camera import LensCamera, camera_over
from training.pathtrace.dice import Stuff
from training.pathtrace.engine import refusing
from training.pathtrace.fall import throw
from training.pathtrace.labels import ALIKE, PlacedDie, label, legibility
from training.pathtrace.scene import TracedScene, carved, described, random_scene
from training.pathtrace.sensor import curve, smooth_colour, vignette
from training.pathtrace.solids import Build, Floats, Pose, about_z
from vision.dicesets.library import find
from vision.frame import Pixels

SIZE = (960, 540)
"""Width and height of a film."""

ACROSS = (46.0, 60.0)
"""Pixels of 16 mm at the middle of the picture."""

SAMPLES, ROUGH_SAMPLES = 4, 2
"""Paths a pixel of dice at rest and of dice on their way; the latter in pictures half as wide."""

PLAIN_SIGHT = 0.7
"""How like its drawing every die of a new table must look, so that hardly a throw is given up later."""

AWAY = np.array([0.0, 0.0, -500.0])
"""Where dice are that are not on the table: under it."""


@dataclass(frozen=True, eq=False, slots=True)
class Sensor:
    """A camera whose exposure and white balance stay as they are."""

    gains: Floats
    """(3,) of red, green and blue, exposure among them."""
    falloff: float
    punch: float
    sharp: float
    colour: float

    def picture(self, radiance: Floats) -> Pixels:
        """(H, W, 3) BGR of (H, W, 3) linear RGB, without noise: that differs from frame to frame."""
        light = np.maximum(radiance, 0) * self.gains * vignette(radiance.shape[:2], self.falloff)[..., None]
        shown = curve(light.astype(np.float32), self.punch)
        shown = shown + self.sharp * (shown - cv2.GaussianBlur(shown, (0, 0), 1.0))
        shown = smooth_colour(shown, self.colour)
        return np.asarray(np.clip(shown[..., ::-1] * 255 + 0.5, 0, 255), np.uint8)


def metered(rng: np.random.Generator, radiance: Floats) -> Sensor:
    """A sensor set for a picture, as `sensor.develop` sets one for each."""
    balance = radiance.mean((0, 1))
    gains = (balance.mean() / np.maximum(balance, 1e-6)) ** float(rng.uniform(0.4, 0.85))
    brightness = (radiance * gains) @ np.array([0.2126, 0.7152, 0.0722])
    exposure = float(rng.uniform(0.16, 0.22)) / float(np.exp(np.log(brightness + 1e-4).mean()))
    exposure = min(exposure, float(rng.uniform(0.85, 1.1)) / max(float(np.quantile(brightness, 0.97)), 1e-6))
    return Sensor(
        np.asarray(gains * exposure), float(rng.uniform(0, 0.25)), float(rng.uniform(0, 0.3)),
        float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.6, 1.4)),
    )  # fmt: skip


Laid = Callable[[np.random.Generator, LensCamera], TracedScene]
"""Lays dice on a random table."""


class FilmSet:
    """One table, camera, room and set of dice, ready to be drawn."""

    def __init__(self, laid: Laid, count: int, seed: int, *, rolled: bool = False) -> None:
        """Try tables of a seed until all `count` dice of one can be read; `rolled` rolls the camera any way.

        Raises EngineMissingError, and ValueError if a hundred tables had dice that cannot be read.
        """
        self.seed = seed
        if not any(self._set_up(laid, count, np.random.default_rng([seed, attempt]), rolled) for attempt in range(100)):
            raise ValueError("expected dice that can be read on a table of this seed, found none")

    def _set_up(self, laid: Laid, count: int, rng: np.random.Generator, rolled: bool) -> bool:
        camera = film_camera(rng, rolled=rolled)
        scene = laid(rng, camera)
        if len(scene.dice) < count or scene.covering == "tray":
            return False
        self.rng, self.scene, self.camera = rng, scene, camera
        self.obstacles = [body.vertices for body, _ in scene.things[1:]]
        """(V, 3) points of each thing beside the dice."""
        self._load(scene)
        poses = dict(enumerate(die.pose for die in scene.dice))
        radiance = self._radiance(poses, rough=False)
        self.sensor = metered(rng, radiance)
        pixels = self.sensor.picture(radiance)
        return all(self.alike(pixels, number, die) >= PLAIN_SIGHT for number, die in enumerate(scene.dice))

    def _load(self, scene: TracedScene) -> None:
        mi = engine.engine()
        self._bodies = [carved(*pair) for pair in zip(scene.dice, scene.skins, strict=True)]
        self._loaded = mi.load_dict(described(mi, scene, self._bodies))
        self._parameters = mi.traverse(self._loaded)
        camera, half = self.camera, self.camera.focal / 2
        small = replace(camera, width=camera.width // 2, height=camera.height // 2, focal=half)
        self._lens = mi.load_dict(self.camera.sensor(mi, SAMPLES, 0))
        self._rough_lens = mi.load_dict(small.sensor(mi, ROUGH_SAMPLES, 0))

    @property
    def builds(self) -> tuple[Build, ...]:
        """How each die is cut."""
        return tuple(die.build for die in self.scene.dice)

    def filmed(self, number: int, die: PlacedDie) -> FilmedDie:
        """The face that is up on a die, and the corners of it in pixels."""
        corners = label(die, "", self.camera, []).corners
        return FilmedDie(
            self.scene.skins[number].faces[die.top], tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
        )

    def alike(self, pixels: Pixels, number: int, die: PlacedDie) -> float:
        """How well a die's drawing shows in a picture, 0..1 (`labels.legibility`)."""
        return legibility(pixels, die, self.scene.skins[number], self.camera)[0]

    def picture(self, poses: Mapping[int, Pose], *, rough: bool = False) -> Pixels:
        """The table with these dice (by their numbers) on it, (H, W, 3) BGR, without noise; `rough` is half as wide."""
        return self.sensor.picture(self._radiance(poses, rough=rough))

    def _radiance(self, poses: Mapping[int, Pose], *, rough: bool) -> Floats:
        mi = engine.engine()
        for number, body in enumerate(self._bodies):
            pose = poses.get(number)
            placed = body.moved(pose.turn, pose.centre) if pose else body.moved(np.eye(3), AWAY)
            for name, values in (("vertex_positions", placed.vertices), ("vertex_normals", placed.normals)):
                self._parameters[f"die{number}.{name}"] = np.ascontiguousarray(values, np.float32).ravel()
        self._parameters.update()
        # The same seed each time: what noise the paths leave stands still, as the table does.
        layers = mi.render(
            self._loaded, sensor=self._rough_lens if rough else self._lens,
            spp=ROUGH_SAMPLES if rough else SAMPLES, seed=self.seed,
        )  # fmt: skip
        return np.asarray(engine.cleaned(np.asarray(layers, np.float32)), np.float64)

    def spots(self, numbers: Sequence[int], poses: Mapping[int, Pose]) -> list[tuple[float, float, float]]:
        """Where dice and their shadows lie in the picture: x, y and radius in pixels."""
        found: list[tuple[float, float, float]] = []
        for number in numbers:
            centre = poses[number].centre
            x, y = self.camera.project(centre)
            depth = float((centre - self.camera.position) @ self.camera.axes[2])
            # A shadow falls as far as the die is high, at lamps half-way up.
            reach = 1.6 * self.scene.dice[number].build.size + 1.2 * max(float(centre[2]), 0.0)
            found.append((round(float(x), 1), round(float(y), 1), round(reach * self.camera.focal / depth, 1)))
        return found


def film_camera(rng: np.random.Generator, *, rolled: bool = False) -> LensCamera:
    """A camera on a stand: sharp, hardly tilted to the side unless `rolled`, the dice of a size that people choose."""
    width, height = SIZE
    focal = width * math.exp(rng.uniform(math.log(0.9), math.log(1.5)))
    distance = focal * 16.0 / float(rng.uniform(*ACROSS))
    return camera_over(
        width, height, focal, distance, float(rng.uniform(4, 50 if rolled else 32)), float(rng.uniform(0, 360)),
        float(rng.uniform(0, 360) if rolled else rng.normal(0, 3)), distance * 0.0012, float(rng.normal(0, 0.008)),
    )  # fmt: skip


KEYS = 8.0
"""Pictures a second of dice on their way."""

NUDGED = 0.25
"""How often a die that is held is pushed a little."""

GIVEN_UP = 6
"""Throws in which somebody could not have read a die, until the table is given up."""


@dataclass(frozen=True, slots=True)
class FilmedGame:
    """What a game asks of those who throw."""

    dice: int
    throws: int
    """That a turn may have."""
    held: tuple[int, int]
    """Dice that are held between them, from and to."""
    options: dict[str, str]


GAMES: Mapping[str, FilmedGame] = {
    "meet-fate": FilmedGame(6, 3, (1, 5), {}),
    "quintuples": FilmedGame(5, 2, (1, 4), {"reroll": "yes"}),
    "outlander": FilmedGame(6, 2, (4, 5), {"card_optional": "yes"}),
}


def make_film(
    set_id: str, game: str, folder: Path, throws: int, seed: int, *, rolled: bool = False, stuff: Stuff | None = None
) -> None:  # fmt: skip
    """Draw a film of one of the `GAMES`, or what is missing of it; `stuff` is what all dice are made of.

    Raises DiceSetError, EngineMissingError, OSError, ValueError.
    """
    told, dice_set = GAMES[game], find(set_id)

    def laid(rng: np.random.Generator, camera: LensCamera) -> TracedScene:
        return random_scene(rng, dice_set, told.dice, camera, stuff=stuff)

    film_throws(FilmSet(laid, told.dice, seed, rolled=rolled), set_id, game, told, folder, throws)


def film_throws(stage: FilmSet, set_id: str, game: str, told: FilmedGame, folder: Path, throws: int) -> None:
    """Film throws on a stage, or what is missing of them. Raises OSError, ValueError."""
    folder.mkdir(parents=True, exist_ok=True)
    dice, (fewest, most) = told.dice, told.held
    thrown: list[FilmedThrow] = []
    lying: dict[int, PlacedDie] = {}
    before = 0
    """Throws of this turn so far."""
    _keep(folder / "bare.png", partial(stage.picture, {}))
    for number in range(throws):
        rng = np.random.default_rng([stage.seed, number])
        goes_on = 0 < before < told.throws and rng.random() < 0.8
        held: list[int] = []
        if goes_on:
            count = int(rng.integers(fewest, most + 1))
            held = sorted(int(n) for n in rng.choice(dice, count, replace=False))
        before = before + 1 if goes_on else 1
        lying = {n: lying[n] for n in held}
        thrown.append(_throw(folder, stage, number, lying, rng))
        note = FilmNote(
            set_id=set_id, game=game, options=told.options, width=SIZE[0], height=SIZE[1], dice=dice,
            seed=stage.seed, about=stage.scene.about(), throws=tuple(thrown),
        )  # fmt: skip
        (folder / "film.json").write_bytes(msgspec.json.format(msgspec.json.encode(note), indent=1))
        click.echo(f"{folder.name}: {number + 1} of {throws}", err=True)


def _throw(
    folder: Path, stage: FilmSet, number: int, lying: dict[int, PlacedDie], rng: np.random.Generator
) -> FilmedThrow:
    """One throw: its pictures, and what is to be told of it. `lying` becomes all dice as they lie in the end."""
    name = f"{number:03}"
    held = tuple(lying)
    if held:
        _keep(folder / f"{name}-held.png", partial(stage.picture, _poses(lying)))
    nudged = held[int(rng.integers(len(held)))] if held and rng.random() < NUDGED else None
    if nudged is not None:
        lying[nudged] = _pushed(lying[nudged], rng)
        _keep(folder / f"{name}-nudged.png", partial(stage.picture, _poses(lying)))
    base = _poses(lying)
    up = [n for n in range(len(stage.builds)) if n not in lying]
    for attempt in range(GIVEN_UP):
        path = folder / f"{name}-rest{attempt}.png"
        fall = throw(rng, [stage.builds[n] for n in up], stage.camera, list(lying.values()), stage.obstacles)
        rest = dict(zip(up, fall.rest, strict=True))
        everything = {**lying, **rest}
        pixels = _keep(path, partial(stage.picture, _poses(everything)))
        if all(stage.alike(pixels, n, die) >= ALIKE for n, die in everything.items()):
            break
        path.unlink()
    else:
        raise ValueError("expected dice that can be read on the table of this seed, found none")
    many = max(3, round((fall.ends - fall.enters) * KEYS))
    keys: list[Key] = []
    for key in range(many):
        seconds = fall.enters + (key + 0.5) * (fall.ends - fall.enters) / many
        flying = dict(zip(up, fall.at(seconds), strict=True))
        _keep(folder / f"{name}-{key:02}.png", partial(stage.picture, {**base, **flying}, rough=True))
        keys.append(Key(round(seconds, 4), tuple(stage.spots(up, flying))))
    lying.update(rest)
    dice = {n: stage.filmed(n, die) for n, die in sorted(lying.items())}
    return FilmedThrow(held, nudged, path.name, round(fall.ends, 4), tuple(keys), dice)


def _poses(placed: Mapping[int, PlacedDie]) -> dict[int, Pose]:
    return {number: die.pose for number, die in placed.items()}


def _pushed(die: PlacedDie, rng: np.random.Generator) -> PlacedDie:
    """The die a few millimetres away and turned, the same face up."""
    way = float(rng.uniform(0, 2 * np.pi))
    step = np.array([np.cos(way), np.sin(way), 0.0]) * float(rng.uniform(1.5, 6.0))
    turn = about_z(float(np.radians(rng.uniform(-17, 17))))
    return replace(die, pose=Pose(turn @ die.pose.turn, die.pose.centre + step))


def _keep(path: Path, draw: Callable[[], Pixels]) -> Pixels:
    """The picture at `path`, drawn if it is not there yet."""
    if not path.is_file():
        half = path.with_suffix(".part.png")
        cv2.imwrite(str(half), draw())
        half.replace(path)
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise OSError(f"{path.name}: expected a picture")
    return np.asarray(pixels, np.uint8)


@click.command()
@click.argument("dice_set", metavar="SET")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--throws", default=20, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option("--rolled", is_flag=True, help="The camera is rolled any way about its axis, and tilted up to 50°.")
@click.option("--stuff", type=click.Choice(get_args(Stuff)), help="What all dice are made of; else by chance.")
def main(
    dice_set: str, game: str, out: Path, throws: int, seed: int, *, rolled: bool, stuff: Stuff | None
) -> None:  # fmt: skip
    """Film throws of dice of SET for GAME with a physically based renderer."""
    began = time.monotonic()
    with refusing():
        engine.engine()
        make_film(dice_set, game, out, throws, seed, rolled=rolled, stuff=stuff)
    click.echo(f"{throws} throws in {out}, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
