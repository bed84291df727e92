"""Reads and writes a dice set's `set.toml` and `examples.json` as typed records.

An imported set may come from a stranger, so a value that does not fit its type is refused in one line that names the
key. What types cannot express (two faces of one name, a net with unknown faces) is checked in
`vision.dicesets.library`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec
import tomli_w
from msgspec import Meta, Struct

from files.atomic import write_whole
from messages.message import Message, MessageError, message
from vision.dicesets.shapes import SHAPES, Shape

VERSION: Final = 1
"""Version of both files' format; a set.toml without one has the first."""
MAX_TOML_BYTES: Final = 256 * 1024
MOST_DOTS: Final = 1000
"""Most dots in one line: the time to read a key grows with the square of its parts."""
MAX_INDEX_BYTES: Final = 4 * 1024 * 1024
MAX_TEXT: Final = 200
"""Longest title, label or credit, in characters."""
MAX_FACES: Final = 64
MAX_EXAMPLES: Final = 64 * 24
MAX_OUTLINES: Final = 12
FARTHEST: Final = 1000.0
"""Largest distance in pixels of an outline's corner from that of an example's picture."""
DEFAULT_ART_SCALE: Final = 0.8
"""Share of the face that art covers if its set gives no scale."""
SET_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
"""Ids of sets, faces and examples become names of folders, so they contain no dot, slash or space."""

Id = Annotated[str, Meta(pattern=f"^{SET_ID.pattern}$")]
Scale = Annotated[float, Meta(ge=0.2, le=1.0)]
Length = Annotated[float, Meta(ge=0, lt=1e5)]
Coordinate = Annotated[float, Meta(gt=-FARTHEST, lt=FARTHEST)]


class DiceSetError(MessageError):
    """A dice set that cannot be used; the message is one line naming the file, what it expected and found."""


class Credit(Struct, frozen=True):
    """Who drew part of a set, and its licence."""

    work: str
    author: str
    licence: str
    source: str


class FaceNote(Struct, frozen=True, omit_defaults=True):
    """A face in a set.toml."""

    id: Id
    labels: Mapping[str, str] = {}
    """Language → name of the face."""
    value: int | None = None
    aliases: tuple[str, ...] = msgspec.field(default=(), name="also")


class SetNote(Struct, frozen=True, omit_defaults=True):
    """The content of a set.toml."""

    id: Id
    title: Mapping[str, str] = {}
    """Language → title of the set."""
    shapes: tuple[Shape, ...] = ()
    faces: Annotated[tuple[FaceNote, ...], Meta(max_length=MAX_FACES)] = ()
    nets: Mapping[Shape, tuple[str, ...]] = {}
    """The faces of one die, unless each is on it once (`DiceSet.net_for`)."""
    marks: tuple[Annotated[tuple[str, ...], Meta(min_length=2, max_length=MAX_FACES)], ...] = ()
    """Groups of faces that only a mark tells apart: 6 and 9."""
    credits: tuple[Credit, ...] = msgspec.field(default=(), name="attribution")
    art_scale: Scale | dict[str, Scale] = DEFAULT_ART_SCALE
    """For all art, or by the pictures' names."""
    printed: str = ""
    """Name of the pictures on sticker sheets; the first one of each face if empty."""

    def scale_of(self, picture: str) -> float:
        """How large the art in a picture of this name is on its face."""
        return (
            self.art_scale.get(picture, DEFAULT_ART_SCALE) if isinstance(self.art_scale, dict) else self.art_scale
        )


class ExampleNote(Struct, frozen=True):
    """A record beside the rectified face of a die that somebody showed or corrected."""

    face: Id
    name: Id
    """The name of its picture, `<name>.d6.png`."""
    shape: Shape
    origin: Literal["enrolled", "corrected"]
    source: str
    """The name of its file or camera."""
    added: str
    """UTC, as ISO 8601."""
    side: Length
    """Side of the face in pixels of the original picture."""
    spread: Length
    """By how much its outlines differ, in sides."""
    outlines: Annotated[
        tuple[tuple[tuple[Coordinate, Coordinate], ...], ...], Meta(min_length=1, max_length=MAX_OUTLINES)
    ]
    """Corners in pixels of the example's picture; the likeliest outline first."""
    doubtful: bool = False
    """Whether it contradicts its face: it is kept, but dice are not compared with it."""


class _Index(Struct):
    """The content of an examples.json."""

    version: int
    examples: Annotated[list[ExampleNote], Meta(max_length=MAX_EXAMPLES)]


def read_set(path: Path) -> SetNote:
    """Read a set.toml. Raises DiceSetError if it is invalid."""
    text = _text(path, MAX_TOML_BYTES)
    try:
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ValueError("a line has too many dots")
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # or a number has more digits than Python reads
        raise _unreadable(path, "{path} is not valid TOML: {why}", error) from error
    note = _checked(path, table, SetNote)
    if not note.shapes or len(set(note.shapes)) != len(note.shapes):
        raise wrong(path, "shapes", _expected("shapes", None), table.get("shapes"))
    if len(note.faces) < 2:
        raise wrong(path, "faces", message("2 to {most} faces", most=MAX_FACES), len(note.faces))
    return note


def set_toml(note: SetNote) -> str:
    """The text of a set.toml."""
    return tomli_w.dumps({"version": VERSION, **msgspec.to_builtins(note)})


def read_index(folder: Path) -> tuple[ExampleNote, ...]:
    """The examples in a folder's examples.json, none if it is missing. DiceSetError if it is invalid."""
    path = folder / "examples.json"
    if not path.is_file():
        return ()
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DiceSetError(
            "{path} is not a file in the set’s folder", path=str(path)
        )
    text = _text(path, MAX_INDEX_BYTES)
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, "{path} is not valid JSON: {why}", error) from error
    examples = _checked(path, found, _Index).examples
    for number, one in enumerate(examples):
        if any(len(outline) != one.shape.corners or abs(_area(outline)) < 1 for outline in one.outlines):
            wanted = message("1 to {most} outlines of a {shape:shape}", most=MAX_OUTLINES, shape=one.shape)
            raise wrong(path, f"examples {number + 1}: outlines", wanted, message("something else"))
    keys = {(one.face, one.name) for one in examples}
    if len(keys) != len(examples):
        raise wrong(path, "examples", message("each example once"), message("the same example twice"))
    return tuple(examples)


def index_json(examples: Sequence[ExampleNote]) -> bytes:
    """The text of an examples.json."""
    kept = [{name: getattr(one, name) for name in ExampleNote.__struct_fields__} for one in examples]
    return msgspec.json.format(msgspec.json.encode({"version": VERSION, "examples": kept}), indent=1)


def write_index(folder: Path, examples: Sequence[ExampleNote]) -> None:
    """Replace a folder's examples.json in one step. OSError if it cannot be written."""
    write_whole(folder / "examples.json", index_json(examples), 0o644)


def wrong(path: Path, place: str | Message, expected: Message, found: object) -> DiceSetError:
    """The line about an invalid value in a file."""
    text = " ".join(repr(found).split())
    shown = found if isinstance(found, Message) else text if len(text) < 60 else text[:57] + "…"
    return DiceSetError(
        "{path}: {where}: expected {expected}, found {found}",
        path=str(path), where=place, expected=expected, found=message("nothing") if found is None else shown,
    )  # fmt: skip


_Kind = TypeVar("_Kind")
_PLACE: Final = re.compile(r"(?P<why>.*?)(?: - at `(?:key` in `)?\$(?P<path>.*)`)?", re.S)
_STEP: Final = re.compile(r"\.(?P<key>\w+)|\[(?P<number>\d+)\]")


def _checked(path: Path, table: object, kind: type[_Kind]) -> _Kind:
    """Convert a file's content to its type."""
    version = cast("dict[str, object]", table).get("version", VERSION) if isinstance(table, dict) else VERSION
    if version != VERSION:
        raise wrong(
            path, "version", message("{version} (a newer file needs a newer Tableside)", version=VERSION), version
        )
    for place, text in _texts(cast("object", table)):
        if not text.strip() or len(text) > MAX_TEXT or not text.isprintable():
            found = ascii(text[:MAX_TEXT]) if place == "" else text
            raise wrong(path, place or found, _expected("text", None), found)
    try:
        return msgspec.convert(table, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        place, key, found = _at(str(error), table)
        raise wrong(path, place, _expected(key, found), found) from None


def _texts(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a file's content with its path; keys have the path ""."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield "", key
            yield from _texts(inner, f"{place}: {key}" if place else key)
    elif isinstance(value, list):
        for number, inner in enumerate(cast("list[object]", value), 1):
            yield from _texts(inner, f"{place} {number}")


def _at(error: str, table: Any) -> tuple[str, str, object]:
    """The path of a value that msgspec refused, as people read it, its last key, and the value."""
    match = _PLACE.fullmatch(error)
    assert match is not None, "every sentence fits"
    place, key, found = "", "", table
    path = re.sub(r"^(\.shapes|\.faces)\[\d+\]$", r"\1", match["path"] or "")  # an item: name the whole list
    for step in _STEP.finditer(path):
        if step["key"]:
            key = step["key"]
            place = f"{place}: {key}" if place else key
            found = found.get(key)
        else:
            place, found = f"{place} {int(step['number']) + 1}", found[int(step["number"])]
    if key in ("labels", "title") and isinstance(found, dict):  # msgspec does not say which of the texts
        key, found = next(one for one in cast("dict[str, object]", found).items() if not isinstance(one[1], str))
        place = f"{place}: {key}"
    if missing := re.search(r"missing required field `(\w+)`", match["why"]):
        key, found = missing[1], None
        place = f"{place}: {key}" if place else key
    return place, key, found


def _expected(key: str, found: object) -> Message:
    """The expected kind of value of a key in either file."""
    match key:
        case "id" | "face" | "name" if isinstance(found, str):
            return message("lower-case letters, digits and hyphens")
        case "shape":
            return message("d6 or d8")
        case "shapes":
            return message("a list of {shapes:shape and}", shapes=SHAPES)
        case "nets" if isinstance(found, dict):
            return message("a shape of this set ({shapes:shape})", shapes=SHAPES)
        case "nets":
            return message("a table of shapes and their faces")
        case "title" | "labels":
            return message("a table of languages and texts")
        case "faces" if isinstance(found, list) and len(cast("list[object]", found)) > MAX_FACES:
            return message("2 to {most} faces", most=MAX_FACES)
        case "faces" | "attribution":
            return message("a list of tables")
        case "marks":
            return message("two or more face ids")
        case "value":
            return message("a whole number")
        case "art_scale":
            return message("a number from 0.2 to 1")
        case "origin":
            return message("enrolled or corrected")
        case "side" | "spread":
            return message("a number of 0 or more")
        case "outlines":
            return message("1 to {most} outlines of a {shape:shape}", most=MAX_OUTLINES, shape=SHAPES[0])
        case "examples" | "":
            return message("a list of at most {most} entries", most=MAX_EXAMPLES)
        case "also" | "doubtful":
            return message("a list")
        case _:
            return message("one line of text, at most {most} characters", most=MAX_TEXT)


def _text(path: Path, most: int) -> str:
    """The text of a file, unless it is too large."""
    try:
        if not path.is_file():
            raise DiceSetError("{path} does not exist", path=str(path))
        if (size := path.stat().st_size) > most:
            raise DiceSetError(
                "{path} has {found} bytes; at most {most} are allowed", path=str(path), most=most, found=size
            )
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DiceSetError("{path} cannot be read: {why}", path=str(path), why=why) from error
    except UnicodeDecodeError as error:
        raise DiceSetError(
            "{path} is not UTF-8 text (byte {place})", path=str(path), place=error.start
        ) from error


def _unreadable(path: Path, words: str, error: Exception) -> DiceSetError:
    return DiceSetError(words, path=str(path), why=" ".join(str(error).split())[:100])


def _area(outline: Sequence[tuple[float, float]]) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2
