"""`python -m training.pathtrace SET -o FOLDER`: an album of path-traced pictures of a dice set, with labels."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, get_args

import click

from training.pathtrace.album import make_album
from training.pathtrace.dice import Stuff
from training.pathtrace.engine import engine, refusing
from vision.dicesets.library import find, load
from vision.dicesets.model import DiceSet


def chosen(text: str) -> DiceSet:
    """A set by its id, or the set in a folder. Raises DiceSetError."""
    folder = Path(text)
    return load(folder) if (folder / "set.toml").is_file() else find(text)


@click.command()
@click.argument("dice_set", metavar="SET")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--pictures", default=40, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option("--dice", default=6, show_default=True, type=click.IntRange(1, 20), help="Dice in each picture.")
@click.option("--no-dice", is_flag=True, help="Only tables and clutter: what a reader must not take for dice.")
@click.option("--rolled", is_flag=True, help="The camera is rolled any way about its axis, and tilted up to 50°.")
@click.option("--others", is_flag=True, help="Dice of other kinds lie there, too: d4, d10, d12, d20.")
@click.option("--stuff", type=click.Choice(get_args(Stuff)), help="What all dice are made of; else by chance.")
def main(dice_set: str, out: Path, pictures: int, no_dice: bool, **asked: Any) -> None:
    """Draw pictures of dice of SET (an id, or a set's folder) with a physically based renderer, and their labels.

    Pictures that are already in FOLDER are kept, so a broken run can go on.
    """
    began = time.monotonic()

    def step(number: int) -> None:
        click.echo(f"{number + 1} of {pictures}, {time.monotonic() - began:.0f} s", err=True)

    with refusing():
        chosen_set = chosen(dice_set)
        engine()
        of = None if no_dice else chosen_set
        make_album(of, chosen_set.face_ids, out, pictures, step=step, **asked)
    click.echo(f"{pictures} pictures in {out}")


if __name__ == "__main__":
    main()
