"""Films of throws by the second renderer, in the form that `training.film.folder` plays: what lies there is known.

    python -m training.pathtrace.film SET GAME -o FOLDER --throws 20 --seed 1

One table, camera, room and set of dice a film. Every state of rest is path-traced afresh, dice on their way eight
times a second and at half the resolution. Who holds what is drawn by lot here, within what the game allows. A broken
run goes on where it stopped: each throw has its own stream of chance, and pictures that are there are kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from training.pathtrace.engine import EngineMissingError, engine
from training.pathtrace.film_fall import Fall, throw
from training.pathtrace.film_stage import SIZE, Pixels, Stage
from training.pathtrace.labels import Placed
from training.pathtrace.legible import ALIKE
from training.pathtrace.meshes import about_z
from training.pathtrace.solids import Pose
from vision.dicesets.library import find
from vision.dicesets.model import DiceSetError

KEYS = 8.0
"""Pictures a second of dice on their way."""

NUDGED = 0.25
"""How often a die that is held is pushed a little."""

GIVEN_UP = 6
"""Throws in which somebody could not have read a die, until the table is given up."""


@dataclass(frozen=True, slots=True)
class Turns:
    """What a turn of a game may be."""

    dice: int
    throws: int
    """At most so many a turn."""
    fewest: int
    most: int
    """So many dice are held."""
    options: Mapping[str, str]


GAMES: Mapping[str, Turns] = {
    "meet-fate": Turns(6, 3, 1, 5, {}),
    "quintuples": Turns(5, 2, 1, 4, {"reroll": "yes"}),
    "outlander": Turns(6, 2, 4, 5, {"card_optional": "yes"}),
}


def make_film(set_id: str, game: str, folder: Path, throws: int, seed: int) -> None:
    """Draw a film, or what is missing of it. Raises DiceSetError, EngineMissingError, OSError."""
    turns = GAMES[game]
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(find(set_id), turns.dice, seed)
    told: list[dict[str, Any]] = []
    lying: dict[int, Placed] = {}
    before = 0
    """Throws of this turn so far."""
    _keep(folder / "bare.png", partial(stage.picture, {}))
    for number in range(throws):
        rng = np.random.default_rng([seed, number])
        goes_on = 0 < before < turns.throws and rng.random() < 0.8
        held: list[int] = []
        if goes_on:
            count = int(rng.integers(turns.fewest, turns.most + 1))
            held = sorted(int(n) for n in rng.choice(turns.dice, count, replace=False))
        before = before + 1 if goes_on else 1
        lying = {n: lying[n] for n in held}
        told.append(_throw(folder, stage, number, lying, rng))
        (folder / "film.json").write_text(_told(set_id, game, turns, stage, told), encoding="utf-8")
        click.echo(f"{folder.name}: {number + 1} of {throws}", err=True)


def _throw(
    folder: Path, stage: Stage, number: int, lying: dict[int, Placed], rng: np.random.Generator
) -> dict[str, Any]:
    """One throw: its pictures, and what is to be told of it. `lying` becomes all dice as they lie in the end."""
    name = f"{number:03}"
    held = list(lying)
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
        raise ValueError(f"expected dice that can be read on the table of seed {stage.seed}, found none")
    keys = _on_the_way(folder, stage, name, fall, up, base)
    lying.update(rest)
    return {
        "held": held,
        "nudged": nudged,
        "rest": path.name,
        "ends": round(fall.ends, 4),
        "keys": keys,
        "dice": {
            str(n): {"face": stage.face(n, die), "corners": stage.corners(die)}
            for n, die in sorted(lying.items())
        },
    }


def _on_the_way(
    folder: Path, stage: Stage, name: str, fall: Fall, up: list[int], base: Mapping[int, Pose]
) -> list[dict[str, Any]]:
    """The rough pictures of dice on their way, when each is, and where the dice are in it."""
    many = max(3, round((fall.ends - fall.enters) * KEYS))
    keys: list[dict[str, Any]] = []
    for key in range(many):
        seconds = fall.enters + (key + 0.5) * (fall.ends - fall.enters) / many
        flying = dict(zip(up, fall.at(seconds), strict=True))
        _keep(
            folder / f"{name}-{key:02}.png",
            partial(stage.picture, {**base, **flying}, rough=True),
        )
        spots = [[round(v, 1) for v in spot] for spot in stage.spots(up, flying)]
        keys.append({"after": round(seconds, 4), "spots": spots})
    return keys


def _poses(placed: Mapping[int, Placed]) -> dict[int, Pose]:
    return {number: die.pose for number, die in placed.items()}


def _pushed(die: Placed, rng: np.random.Generator) -> Placed:
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


def _told(set_id: str, game: str, turns: Turns, stage: Stage, throws: list[dict[str, Any]]) -> str:
    return json.dumps(
        {
            "set": set_id,
            "game": game,
            "options": dict(turns.options),
            "width": SIZE[0],
            "height": SIZE[1],
            "dice": turns.dice,
            "seed": stage.seed,
            **stage.about(),
            "throws": throws,
        },
        indent=1,
    )


@click.command()
@click.argument("dice_set", metavar="SET")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--throws", default=20, show_default=True, type=click.IntRange(1, 1000))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31 - 1))
def main(dice_set: str, game: str, out: Path, throws: int, seed: int) -> None:
    """Film throws of dice of SET for GAME with a physically based renderer."""
    began = time.monotonic()
    try:
        engine()
        make_film(dice_set, game, out, throws, seed)
    except (DiceSetError, EngineMissingError, ValueError, OSError) as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None
    click.echo(f"{throws} throws in {out}, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
