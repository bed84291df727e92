"""Read and check a dice set's folder. Used through `vision.dicesets.library.load`.

The limits keep a folder that somebody sent from filling the memory; they are far above what a real set needs.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from messages.message import message
from vision.dicesets.entries import inside, list_at, parse, tables_at, text_at, texts_at, wrong
from vision.dicesets.examples import read_index, taught
from vision.dicesets.model import (
    DEFAULT_ART_SCALE,
    SET_ID,
    Credit,
    DiceSet,
    DiceSetError,
    Face,
    Picture,
    names_of,
)
from vision.dicesets.shapes import SHAPES, Shape, shape_named

VERSION = 1
"""Of the form of set.toml; a file that gives none is of the first."""
MAX_PICTURE_BYTES = 4 * 1024 * 1024
MAX_PICTURE_SIDE = 2048
"""In pixels."""
MIN_PICTURE_SIDE = 16
"""In pixels."""
MAX_FACES = 64
MAX_PICTURES_A_FACE = 256

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_RGBA = 6
"""The colour type of a PNG with red, green, blue and alpha (PNG specification, 11.2.2 IHDR)."""


def read_folder(folder: Path) -> DiceSet:
    """The set in ``folder``; DiceSetError for anything else."""
    toml = folder / "set.toml"
    table = parse(toml)
    if table.get("version", VERSION) != VERSION:
        newer = message("{version} (a newer Tableside writes others)", version=VERSION)
        raise wrong(toml, "version", newer, table["version"])
    set_id = text_at(table, "id", toml)
    if not SET_ID.fullmatch(set_id):
        raise wrong(toml, "id", message("small letters, digits and dashes"), set_id)
    if set_id != folder.resolve().name:
        raise wrong(toml, "id", message("the folder's name, '{name}'", name=folder.resolve().name), set_id)
    shapes = shapes_of(table, toml)
    scales = scales_of(table, toml)
    examples = read_index(folder)
    faces = tuple(taught(face, examples) for face in faces_of(table, toml, folder, scales))
    for face in faces:
        for picture in face.pictures:
            if picture.example is not None:
                check_picture(replace(picture, path=picture.example.path), folder)
    for shape in shapes:
        if sum(bool(face.pictures_for(shape)) for face in faces) < 2:
            raise DiceSetError(
                "{path}: expected pictures of two faces or more on a {shape:shape}, found fewer",
                path=str(toml), shape=shape,
            )  # fmt: skip
    for face in faces:
        if not any(face.pictures_for(shape) for shape in shapes):
            home = folder / "faces" / face.id
            raise DiceSetError(
                "{path}: expected a picture for {shapes:shape or}, found none",
                path=str(home),
                shapes=shapes,
            )
    return DiceSet(
        id=set_id,
        title=texts_at(table, "title", toml) or {"en": set_id},
        shapes=shapes,
        faces=faces,
        folder=folder.resolve(),
        nets=nets_of(table, toml, shapes, faces),
        attribution=credits_of(table, toml),
        printed=text_at(table, "printed", toml) if "printed" in table else "",
        marks=marks_of(table, toml, faces),
    )


def shapes_of(table: Mapping[str, object], path: Path) -> tuple[Shape, ...]:
    """The shapes of the set, in the order of `SHAPES`."""
    found = list_at(table, "shapes", path)
    if not found or not all(shape in SHAPES for shape in found) or len(set(map(str, found))) != len(found):
        raise wrong(path, "shapes", message("a list of {shapes:shape and}", shapes=SHAPES), found)
    return tuple(shape for shape in SHAPES if shape in found)


def scales_of(table: Mapping[str, object], path: Path) -> dict[str, float]:
    """``art_scale``: one number for all art ("" below), or a table of picture name → number."""
    found = table.get("art_scale", DEFAULT_ART_SCALE)
    entries = cast("dict[str, object]", found) if isinstance(found, dict) else {"": found}
    scales: dict[str, float] = {}
    for name, scale in entries.items():
        if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0.2 <= scale <= 1.0:
            raise wrong(path, f"art_scale {name}".strip(), message("a number from 0.2 to 1"), scale)
        scales[name] = float(scale)
    return scales


def faces_of(
    table: Mapping[str, object], path: Path, folder: Path, scales: dict[str, float]
) -> tuple[Face, ...]:
    """The faces, in the order of the file, each with the pictures in its folder."""
    entries = tables_at(table, "faces", path)
    if not 2 <= len(entries) <= MAX_FACES:
        raise wrong(path, "faces", message("2 to {most} faces", most=MAX_FACES), len(entries))
    faces: list[Face] = []
    taken: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        where = message("face {number}: ", number=number)
        face_id = text_at(entry, "id", path, where)
        if not SET_ID.fullmatch(face_id):
            raise wrong(path, inside(where, "id"), message("small letters, digits and dashes"), face_id)
        value = entry.get("value")
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise wrong(path, inside(where, "value"), message("a whole number"), value)
        aliases = list_at(entry, "also", path, where)
        face = Face(
            id=face_id,
            labels=texts_at(entry, "labels", path, where),
            value=value,
            pictures=pictures_of(folder, face_id, scales),
            aliases=tuple(text_at({"also": alias}, "also", path, where) for alias in aliases),
        )
        for name in names_of(face):
            # Two faces of one name could never be told apart in typed or spoken input.
            if taken.setdefault(name, face_id) != face_id or any(face_id == other.id for other in faces):
                free = message("one that '{other:called}' does not have", other=taken[name])
                raise wrong(path, inside(where, "name"), free, name)
        faces.append(face)
    return tuple(faces)


def pictures_of(folder: Path, face_id: str, scales: dict[str, float]) -> tuple[Picture, ...]:
    """The pictures of one face, sorted by name. Files that are no PNG, and hidden ones, are left alone."""
    home = folder / "faces" / face_id
    try:
        files = sorted(entry for entry in home.glob("*.png") if not entry.name.startswith("."))
    except OSError:
        files = []
    if not files:
        raise DiceSetError("{path}: expected one PNG picture or more, found none", path=str(home))
    if len(files) > MAX_PICTURES_A_FACE:
        raise DiceSetError(
            "{path}: expected at most {most} pictures, found {found}",
            path=str(home), most=MAX_PICTURES_A_FACE, found=len(files),
        )  # fmt: skip
    pictures: list[Picture] = []
    for file in files:
        ending = file.stem.rpartition(".")[2]
        if shape := shape_named(ending):
            picture = Picture(file, "face", shape)
        else:
            scale = scales.get(file.stem, scales.get("", DEFAULT_ART_SCALE))
            picture = Picture(file, "art", None, scale)
        check_picture(picture, folder)
        pictures.append(picture)
    return tuple(pictures)


def check_picture(picture: Picture, folder: Path) -> None:
    """Refuse a picture outside the folder, too large, no PNG, not square, or art without transparency.

    Only the header is read: a small file that unpacks to a huge picture is refused before it is decoded.
    """
    path = picture.path
    try:
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            raise DiceSetError(
                "{path}: expected a file inside the set's folder, found something else", path=str(path)
            )
        if (size := path.stat().st_size) > MAX_PICTURE_BYTES:
            raise DiceSetError(
                "{path}: expected at most {most} bytes, found {found}",
                path=str(path), most=MAX_PICTURE_BYTES, found=size,
            )  # fmt: skip
        with path.open("rb") as opened:
            head = opened.read(33)
    except OSError as error:
        raise DiceSetError(
            "{path}: expected a readable picture, found: {why}",
            path=str(path),
            why=error.strerror or type(error).__name__,
        ) from error
    if len(head) < 33 or head[:8] != PNG_SIGNATURE or head[12:16] != b"IHDR":
        found = message("something else") if head else message("an empty file")
        raise DiceSetError("{path}: expected a PNG picture, found {found}", path=str(path), found=found)
    width, height, depth, colour = struct.unpack(">IIBB", head[16:26])
    if width != height or not MIN_PICTURE_SIDE <= width <= MAX_PICTURE_SIDE:
        raise DiceSetError(
            "{path}: expected a square picture of {least} to {most} pixels a side, found {width}×{height}",
            path=str(path), least=MIN_PICTURE_SIDE, most=MAX_PICTURE_SIDE, width=width, height=height,
        )  # fmt: skip
    if picture.kind == "art" and (depth, colour) != (8, PNG_RGBA):
        raise DiceSetError(
            "{path}: expected art with transparency (8-bit RGBA), found another kind of PNG", path=str(path)
        )


def nets_of(
    table: Mapping[str, object], path: Path, shapes: tuple[Shape, ...], faces: tuple[Face, ...]
) -> dict[Shape, tuple[str, ...]]:
    """The faces of one die per shape: as ``[nets]`` says, or all where they are as many as its sides."""
    found = table.get("nets", {})
    if not isinstance(found, dict):
        raise wrong(path, "nets", message("a table of shape and faces"), found)
    entries = cast("dict[str, object]", found)
    for shape in entries:
        if shape not in shapes:
            raise wrong(path, "nets", message("a shape of this set ({shapes:shape})", shapes=shapes), shape)
    nets: dict[Shape, tuple[str, ...]] = {}
    for shape in shapes:
        ids = tuple(face.id for face in faces if face.pictures_for(shape))
        if shape in entries:
            net = tuple(map(str, list_at(entries, shape, path, "nets.")))
            if len(net) != shape.faces or not set(net) <= set(ids):
                wanted = message("{sides} ids of faces with a picture for it", sides=shape.faces)
                raise wrong(path, f"nets.{shape}", wanted, net)
            nets[shape] = net
        elif len(ids) == shape.faces:
            nets[shape] = ids
    return nets


def marks_of(table: Mapping[str, object], path: Path, faces: tuple[Face, ...]) -> tuple[tuple[str, ...], ...]:
    """Groups of faces that only a mark tells apart."""
    ids = {face.id for face in faces}
    groups: list[tuple[str, ...]] = []
    for number, group in enumerate(list_at(table, "marks", path)):
        names = tuple(map(str, list_at({"marks": group}, "marks", path)))
        if not 2 <= len(names) <= MAX_FACES or not set(names) <= ids or len(set(names)) != len(names):
            raise wrong(path, f"marks {number + 1}", message("two ids of faces or more"), group)
        groups.append(names)
    return tuple(groups)


def credits_of(table: Mapping[str, object], path: Path) -> tuple[Credit, ...]:
    """Whose work the pictures are."""
    keys = ("work", "author", "licence", "source")
    entries = tables_at(table, "attribution", path)
    return tuple(Credit(*(text_at(entry, key, path, "attribution: ") for key in keys)) for entry in entries)
