"""Where dice sets lie, and which there are: the players' own before those that come with Tableside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import platformdirs

from messages.message import message
from vision.dicesets.examples import read_index, taught
from vision.dicesets.folder import read_folder
from vision.dicesets.model import SHIPPED_SETS, DiceSet, DiceSetError, spoken_key


def own_folder() -> Path:
    """The folder of the players' own things: $TABLESIDE_DATA, or where platformdirs says."""
    chosen = os.environ.get("TABLESIDE_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("tableside", appauthor=False)


def own_sets() -> Path:
    """The folder of the players' own sets."""
    return own_folder() / "dicesets"


def lessons(dice_set: DiceSet) -> Path:
    """Where examples of a set's faces are kept: in the set, or beside a shipped one, which stays as it came."""
    return own_folder() / "lessons" / dice_set.id if dice_set.shipped else dice_set.folder


def load(folder: Path | str) -> DiceSet:
    """The set in a folder. Raises DiceSetError, with one line, for anything that is not a usable set."""
    return read_folder(Path(folder))


def with_lessons(dice_set: DiceSet) -> DiceSet:
    """A shipped set with the examples that corrections added to it; any other set as it is.

    Raises DiceSetError when what was learnt cannot be used.
    """
    folder = lessons(dice_set)
    if folder == dice_set.folder or not (folder / "examples.json").is_file():
        return dice_set
    examples = read_index(folder)
    return replace(dice_set, faces=tuple(taught(face, examples) for face in dice_set.faces))


def candidates() -> Iterator[Path]:
    """The folders that hold sets: the players' own first, so that a set of their own goes before ours."""
    seen: set[str] = set()
    for home in (own_sets(), SHIPPED_SETS):
        try:
            folders = sorted(entry for entry in home.iterdir() if (entry / "set.toml").is_file())
        except OSError:
            continue
        for folder in folders:
            # A set that is being made lies in a hidden folder.
            if folder.name not in seen and not folder.name.startswith("."):
                seen.add(folder.name)
                yield folder


def survey() -> tuple[tuple[DiceSet, ...], tuple[DiceSetError, ...]]:
    """Every usable set, sorted by id, and what is wrong with each of the others."""
    usable: list[DiceSet] = []
    faulty: list[DiceSetError] = []
    for folder in candidates():
        try:
            usable.append(load(folder))
        except DiceSetError as error:
            faulty.append(error)
    return tuple(sorted(usable, key=lambda dice_set: dice_set.id)), tuple(faulty)


def available() -> tuple[DiceSet, ...]:
    """Every usable set, sorted by id. A broken folder never hides the others; `survey` says what ails it."""
    return survey()[0]


def find(set_id: str) -> DiceSet:
    """The set with this id, whatever its case and dashes. DiceSetError names the sets there are."""
    key = spoken_key(set_id)
    folders = list(candidates())
    for folder in folders:
        if key and spoken_key(folder.name) == key:
            return with_lessons(load(folder))
    names = tuple(sorted(folder.name for folder in folders))
    shown = set_id if len(set_id) <= 40 else set_id[:40] + "…"
    there = names if names else message("none")
    raise DiceSetError("expected a dice set, one of {there:ids}; found '{found}'", there=there, found=shown)
