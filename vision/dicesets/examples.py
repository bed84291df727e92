"""`examples.json`: which pictures of a dice set were enrolled or learnt, and the dice's outlines in them.

It may come from a stranger with an imported set, so everything in it is checked like `set.toml`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from messages.message import Message, message
from vision.dicesets.model import SET_ID, DiceSetError, Example, Face, Picture
from vision.dicesets.shapes import shape_named

VERSION: Final = 1
"""Of the file's form."""
MAX_BYTES: Final = 4 * 1024 * 1024
MAX_EXAMPLES: Final = 64 * 24
MAX_OUTLINES: Final = 12
NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
"""The form of an example's name; it becomes a file name."""
MAX_TEXT: Final = 200
FARTHEST: Final = 1000.0
"""Pixels from the corner of an example's picture at which an outline's corner may lie."""


def read_index(folder: Path) -> tuple[Example, ...]:
    """The examples of a set's folder, none where it has no `examples.json`. DiceSetError in one line for rubbish."""
    path = folder / "examples.json"
    try:
        if not path.is_file():
            return ()
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DiceSetError(
                "{path}: expected a file inside the set's folder, found something else", path=str(path)
            )
        if (size := path.stat().st_size) > MAX_BYTES:
            raise DiceSetError(
                "{path}: expected at most {most} bytes, found {found}",
                path=str(path), most=MAX_BYTES, found=size,
            )  # fmt: skip
        found: object = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise DiceSetError(
            "{path}: expected a readable file, found: {why}",
            path=str(path),
            why=error.strerror or type(error).__name__,
        ) from error
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:100]
        raise DiceSetError("{path}: expected JSON, found: {why}", path=str(path), why=why) from error
    table = _table(found, path)
    if table.get("version") != VERSION:
        newer = message("{version} (a newer Tableside writes others)", version=VERSION)
        raise _wrong(path, "version", newer, table.get("version"))
    entries = table.get("examples")
    rows = cast("list[object]", entries) if isinstance(entries, list) else None
    if rows is None or len(rows) > MAX_EXAMPLES:
        found_there = message("'something else'") if rows is None else len(rows)
        raise _wrong(path, "examples", message("a list of at most {most}", most=MAX_EXAMPLES), found_there)
    examples = tuple(_example(entry, path, folder) for entry in rows)
    keys = [(example.face, example.name) for example in examples]
    if len(set(keys)) != len(keys):
        raise _wrong(path, "examples", message("each example once"), message("'one twice'"))
    return examples


def write_index(folder: Path, examples: Sequence[Example]) -> None:
    """Replace `examples.json` in one step. OSError when it cannot be written."""
    records = [
        {
            "face": one.face,
            "name": one.name,
            "shape": one.shape,
            "origin": one.origin,
            "source": one.source,
            "added": one.added,
            "side": round(one.side, 1),
            "spread": round(one.spread, 4),
            "outlines": [[[round(x, 2), round(y, 2)] for x, y in outline] for outline in one.outlines],
            "doubtful": one.doubtful,
        }
        for one in examples
    ]
    part = folder / ".examples.json"
    part.write_text(
        json.dumps({"version": VERSION, "examples": records}, ensure_ascii=False, indent=1), encoding="utf-8"
    )
    part.replace(folder / "examples.json")


def taught(face: Face, examples: Sequence[Example]) -> Face:
    """A face with what is known of its enrolled pictures; examples kept elsewhere are added, doubtful ones left out."""
    own = {(one.name, one.shape): one for one in examples if one.face == face.id}
    pictures: list[Picture] = []
    for picture in face.pictures:
        example = own.pop((picture.name, picture.shape), None) if picture.shape is not None else None
        if example is None:
            pictures.append(picture)
        elif not example.doubtful:
            pictures.append(replace(picture, example=example if example.path.is_file() else None))
    for example in own.values():
        if not example.doubtful and example.face_path.is_file():
            known = example if example.path.is_file() else None
            pictures.append(Picture(example.face_path, "face", example.shape, example=known))
    return replace(face, pictures=tuple(pictures))


def _example(found: object, path: Path, folder: Path) -> Example:
    entry = _table(found, path)
    face, name = _text(entry, "face", path), _text(entry, "name", path)
    if not SET_ID.fullmatch(face) or not NAME.fullmatch(name):
        raise _wrong(
            path, message("face and name"), message("small letters, digits and dashes"), f"{face}/{name}"
        )
    shape, origin = shape_named(entry.get("shape")), entry.get("origin")
    if shape is None:
        raise _wrong(path, f"{face}/{name}: shape", message("d6 or d8"), entry.get("shape"))
    if origin not in ("enrolled", "corrected"):
        raise _wrong(path, f"{face}/{name}: origin", message("enrolled or corrected"), origin)
    outlines = _outlines(entry.get("outlines"), shape.corners)
    if outlines is None:
        wanted = message("1 to {most} outlines of a {shape:shape}", most=MAX_OUTLINES, shape=shape)
        raise _wrong(path, f"{face}/{name}: outlines", wanted, message("'others'"))
    return Example(
        face=face,
        name=name,
        shape=shape,
        origin="enrolled" if origin == "enrolled" else "corrected",
        source=_text(entry, "source", path),
        added=_text(entry, "added", path),
        side=_number(entry, "side", path),
        spread=_number(entry, "spread", path),
        outlines=outlines,
        doubtful=entry.get("doubtful") is True,
        folder=folder,
    )


def _outlines(found: object, sides: int) -> tuple[tuple[tuple[float, float], ...], ...] | None:
    """Outlines that span an area, or None for anything else."""
    try:
        outlines = tuple(
            tuple((float(x), float(y)) for x, y in outline) for outline in cast("list[list[Any]]", found)
        )
    except (TypeError, ValueError, OverflowError):
        return None
    if not 1 <= len(outlines) <= MAX_OUTLINES or any(len(outline) != sides for outline in outlines):
        return None
    places = [value for outline in outlines for point in outline for value in point]
    if not all(math.isfinite(value) and abs(value) < FARTHEST for value in places):
        return None
    return outlines if all(abs(_area(outline)) >= 1 for outline in outlines) else None


def _area(outline: Sequence[tuple[float, float]]) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2


def _wrong(path: Path, where: str | Message, expected: Message, found: object) -> DiceSetError:
    shown = found if isinstance(found, Message) else " ".join(repr(found).split())[:60]
    return DiceSetError(
        "{path}: {where}: expected {expected}, found {found}",
        path=str(path), where=where, expected=expected, found=message("None") if found is None else shown,
    )  # fmt: skip


def _table(found: object, path: Path) -> Mapping[str, object]:
    if not isinstance(found, dict):
        raise _wrong(path, "examples", message("a table"), type(found).__name__)
    return cast("dict[str, object]", found)


def _text(entry: Mapping[str, object], key: str, path: Path) -> str:
    found = entry.get(key)
    if not isinstance(found, str) or not found or len(found) > MAX_TEXT or not found.isprintable():
        line = message("one line of text, at most {most} characters", most=MAX_TEXT)
        raise _wrong(path, key, line, found)
    return found


def _number(entry: Mapping[str, object], key: str, path: Path) -> float:
    found = entry.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1e5:
        raise _wrong(path, key, message("a number from 0"), found)
    return float(found)
