"""Finds and loads dice sets: the players' own first, then those that come with Tableside.

Everything in a folder is checked before any picture is decoded. The limits keep a folder that somebody sent from
filling the memory; they are far above what a real set needs.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from msgspec.structs import asdict

from files.atomic import write_whole
from files.folders import tables_folder
from messages.message import message
from vision.dicesets.files import DiceSetError, SetNote, read_index, read_set, set_toml, wrong
from vision.dicesets.model import PNG, SHIPPED_SETS, DiceSet, Example, Face, FacePicture, names_of, spoken_key
from vision.dicesets.shapes import SHAPES, Shape, shape_named

MAX_PICTURE_BYTES = 4 * 1024 * 1024
MAX_PICTURE_SIDE = 2048
"""In pixels."""
MIN_PICTURE_SIDE = 16
"""In pixels."""
MAX_PICTURES_A_FACE = 256
PNG_RGBA = 6
"""The colour type of a PNG with red, green, blue and alpha (PNG specification, 11.2.2 IHDR)."""


def own_sets() -> Path:
    """The folder of the players' own sets."""
    return tables_folder() / "dicesets"


def lessons(dice_set: DiceSet) -> Path:
    """Where examples of a set's faces are kept: in its folder, or in another for a shipped set, which never changes."""
    return tables_folder() / "lessons" / dice_set.id if dice_set.shipped else dice_set.folder


def load(folder: Path | str) -> DiceSet:
    """Load the set in a folder. Raises DiceSetError, with one line, if it is not a usable set."""
    folder = Path(folder)
    toml = folder / "set.toml"
    note = read_set(toml)
    if note.id != folder.resolve().name:
        raise wrong(toml, "id", message("the folder’s name, “{name}”", name=folder.resolve().name), note.id)
    _check_names(note, toml)
    examples = examples_in(folder)
    faces = tuple(
        taught(Face(one.id, one.labels, one.value, _pictures(folder, one.id, note), one.aliases), examples)
        for one in note.faces
    )
    for face in faces:
        for picture in face.pictures:
            if picture.example is not None:
                check_picture(replace(picture, path=picture.example.path), folder)
    for shape in note.shapes:
        if sum(bool(face.pictures_for(shape)) for face in faces) < 2:
            raise DiceSetError(
                "{path}: a {shape:shape} needs pictures of at least two faces",
                path=str(toml), shape=shape,
            )  # fmt: skip
    for face in faces:
        if not any(face.pictures_for(shape) for shape in note.shapes):
            raise DiceSetError(
                "{path}: there is no picture for {shapes:shape or}",
                path=str(folder / "faces" / face.id), shapes=note.shapes,
            )  # fmt: skip
    return DiceSet(
        id=note.id,
        title=note.title or {"en": note.id},
        shapes=tuple(shape for shape in SHAPES if shape in note.shapes),
        faces=faces,
        folder=folder.resolve(),
        nets=_nets(note, toml, faces),
        attribution=note.credits,
        printed=note.printed,
        marks=note.marks,
    )


@contextmanager
def drafted(target: Path, note: SetNote, *, afresh: bool = False) -> Generator[Path]:
    """A hidden folder to make a set in or, unless `afresh`, to change a copy of the existing one.

    If the block ends without an error, `note` is written to it, and it replaces `target` if it loads. Otherwise nothing
    changes. Raises DiceSetError if it does not load, and OSError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
    try:
        draft = making / target.name
        if target.exists() and not afresh:
            shutil.copytree(target, draft)
        else:
            draft.mkdir()
        yield draft
        write_whole(draft / "set.toml", set_toml(note).encode(), 0o644)
        try:
            load(draft)
        except DiceSetError as error:
            raise DiceSetError(error.message.without(f"{draft}/")) from error
        _swap_in(draft, target)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _swap_in(draft: Path, target: Path) -> None:
    """Move a folder to `target`, replacing the one there, if any; if that fails, the old one is restored."""
    old = draft.parent / ".before"
    if target.exists():
        target.rename(old)
    try:
        draft.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise


def examples_in(folder: Path) -> tuple[Example, ...]:
    """The examples in a folder, none if it has no examples.json. DiceSetError, with one line, if that is invalid."""
    return tuple(Example(**asdict(one), folder=folder) for one in read_index(folder))


def _check_names(note: SetNote, toml: Path) -> None:
    """Refuse two faces with the same name, which nobody could tell apart in typed or spoken input, and bad marks."""
    taken: dict[str, str] = {}
    ids = [face.id for face in note.faces]
    for number, face in enumerate(note.faces, 1):
        for name in names_of(face):
            if taken.setdefault(name, face.id) != face.id or face.id in ids[: number - 1]:
                free = message("a name that “{other:called}” does not have", other=taken[name])
                raise wrong(toml, f"faces {number}: name", free, name)
    for number, group in enumerate(note.marks, 1):
        if not set(group) <= set(ids) or len(set(group)) != len(group):
            raise wrong(toml, f"marks {number}", message("two or more face ids"), group)


def _nets(note: SetNote, toml: Path, faces: tuple[Face, ...]) -> dict[Shape, tuple[str, ...]]:
    """The faces of one die of each shape: those in ``[nets]``, or all if they are as many as its sides."""
    for shape in note.nets:
        if shape not in note.shapes:
            raise wrong(toml, "nets", message("a shape of this set ({shapes:shape})", shapes=note.shapes), str(shape))
    nets: dict[Shape, tuple[str, ...]] = {}
    for shape in note.shapes:
        ids = tuple(face.id for face in faces if face.pictures_for(shape))
        net = note.nets.get(shape, ids)
        if shape in note.nets and (len(net) != shape.faces or not set(net) <= set(ids)):
            wanted = message("{sides} ids of faces with a picture for this shape", sides=shape.faces)
            raise wrong(toml, f"nets.{shape}", wanted, net)
        if len(net) == shape.faces:
            nets[shape] = net
    return nets


def _pictures(folder: Path, face_id: str, note: SetNote) -> tuple[FacePicture, ...]:
    """The pictures of one face, sorted by name. Hidden files and those that are not PNG are ignored."""
    home = folder / "faces" / face_id
    files = sorted(entry for entry in home.glob("*.png") if not entry.name.startswith("."))
    if not files:
        raise DiceSetError("{path} contains no PNG picture", path=str(home))
    if len(files) > MAX_PICTURES_A_FACE:
        raise DiceSetError(
            "{path} contains {found} pictures; at most {most} are allowed",
            path=str(home), most=MAX_PICTURES_A_FACE, found=len(files),
        )  # fmt: skip
    pictures: list[FacePicture] = []
    for file in files:
        shape = shape_named(file.stem.rpartition(".")[2])
        scale = 1.0 if shape else note.scale_of(file.stem)
        pictures.append(FacePicture(file, "face" if shape else "art", shape, scale))
        check_picture(pictures[-1], folder)
    return tuple(pictures)


def check_picture(picture: FacePicture, folder: Path) -> None:
    """Refuse a picture that is outside the folder, too large, not a PNG or not square, and art without transparency.

    Only the header is read: a small file that unpacks to a huge picture is refused before it is decoded.
    """
    path = picture.path
    try:
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            raise DiceSetError(
                "{path} is not a file in the set’s folder", path=str(path)
            )
        if (size := path.stat().st_size) > MAX_PICTURE_BYTES:
            raise DiceSetError(
                "{path} has {found} bytes; at most {most} are allowed",
                path=str(path), most=MAX_PICTURE_BYTES, found=size,
            )  # fmt: skip
        with path.open("rb") as opened:
            head = opened.read(33)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DiceSetError("{path} cannot be read: {why}", path=str(path), why=why) from error
    if len(head) < 33 or head[:8] != PNG or head[12:16] != b"IHDR":
        found = message("something else") if head else message("an empty file")
        raise DiceSetError("{path} should be a PNG picture but is {found}", path=str(path), found=found)
    width, height, depth, colour = struct.unpack(">IIBB", head[16:26])
    if width != height or not MIN_PICTURE_SIDE <= width <= MAX_PICTURE_SIDE:
        raise DiceSetError(
            "{path} has {width}×{height} pixels; it must be square, with {least} to {most} pixels a side",
            path=str(path), least=MIN_PICTURE_SIDE, most=MAX_PICTURE_SIDE, width=width, height=height,
        )  # fmt: skip
    if picture.kind == "art" and (depth, colour) != (8, PNG_RGBA):
        raise DiceSetError(
            "{path} must be a PNG drawing with transparency (8-bit RGBA)", path=str(path)
        )


def taught(face: Face, examples: Sequence[Example]) -> Face:
    """A face whose pictures know their examples, with examples kept elsewhere and without doubtful ones."""
    own = {(one.name, one.shape): one for one in examples if one.face == face.id}
    pictures: list[FacePicture] = []
    for picture in face.pictures:
        example = own.pop((picture.name, picture.shape), None) if picture.shape is not None else None
        if example is None:
            pictures.append(picture)
        elif not example.doubtful:
            pictures.append(replace(picture, example=example if example.path.is_file() else None))
    for example in own.values():
        if not example.doubtful and example.face_path.is_file():
            known = example if example.path.is_file() else None
            pictures.append(FacePicture(example.face_path, "face", example.shape, example=known))
    return replace(face, pictures=tuple(pictures))


def with_lessons(dice_set: DiceSet) -> DiceSet:
    """A shipped set with the examples that corrections added to it; any other set as it is.

    Raises DiceSetError if these cannot be used.
    """
    folder = lessons(dice_set)
    if folder == dice_set.folder or not (folder / "examples.json").is_file():
        return dice_set
    examples = examples_in(folder)
    return replace(dice_set, faces=tuple(taught(face, examples) for face in dice_set.faces))


def candidates() -> Iterator[Path]:
    """The folders with sets, the players' own first, so that their sets take precedence."""
    seen: set[str] = set()
    for home in (own_sets(), SHIPPED_SETS):
        try:
            folders = sorted(entry for entry in home.iterdir() if (entry / "set.toml").is_file())
        except OSError:
            continue
        for folder in folders:
            # Sets being made are in hidden folders.
            if folder.name not in seen and not folder.name.startswith("."):
                seen.add(folder.name)
                yield folder


def survey() -> tuple[tuple[DiceSet, ...], tuple[DiceSetError, ...]]:
    """All usable sets, sorted by id, and the problem of each of the others."""
    usable: list[DiceSet] = []
    faulty: list[DiceSetError] = []
    for folder in candidates():
        try:
            usable.append(load(folder))
        except DiceSetError as error:
            faulty.append(error)
    return tuple(sorted(usable, key=lambda dice_set: dice_set.id)), tuple(faulty)


def available() -> tuple[DiceSet, ...]:
    """All usable sets, sorted by id. A broken one does not hide the others; `survey` names its problem."""
    return survey()[0]


def find(set_id: str) -> DiceSet:
    """The set with this id, whatever its case and dashes. DiceSetError lists the existing sets."""
    key = spoken_key(set_id)
    folders = list(candidates())
    for folder in folders:
        if key and spoken_key(folder.name) == key:
            return with_lessons(load(folder))
    names = tuple(sorted(folder.name for folder in folders))
    shown = set_id if len(set_id) <= 40 else set_id[:40] + "…"
    there = names if names else message("none")
    raise DiceSetError("there is no dice set “{found}”; available: {there:ids}", there=there, found=shown)
