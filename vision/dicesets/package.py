"""Exports a dice set as one file, a ZIP of its folder, and imports such files.

An imported file comes from a stranger, so nothing in it is trusted. Only names that a set may have are accepted, and
rebuilt from their checked parts. Bytes are counted while unpacking, whatever sizes the archive claims. Pictures are
decoded and encoded again, so that only pixels remain, and `set.toml` is read, checked and rewritten. The set is built
in a hidden folder, which is renamed once everything in it is valid.
"""

from __future__ import annotations

import io
import re
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

import cv2
import msgspec

from vision.dicesets.files import (
    MAX_INDEX_BYTES,
    MAX_TOML_BYTES,
    SET_ID,
    DiceSetError,
    index_json,
    read_set,
    set_toml,
    write_index,
)
from vision.dicesets.library import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, drafted, load, own_sets
from vision.dicesets.model import DiceSet, Example, FacePicture, note_of
from vision.dicesets.shapes import SHAPES

MAX_FILE_BYTES: Final = 64 * 1024 * 1024
MAX_UNPACKED_BYTES: Final = 128 * 1024 * 1024
MAX_ENTRIES: Final = 4000
MAX_PIXELS: Final = 200_000_000
"""Most pixels of all pictures together: half a minute of decoding."""
SUFFIX: Final = ".tableside-set"

_ID: Final = SET_ID.pattern
_ALLOWED: Final = re.compile(
    rf"(?:set\.toml|examples\.json|faces/(?P<face>{_ID})/(?P<picture>{_ID}(?:\.(?:{'|'.join(SHAPES)}))?)\.png"
    rf"|examples/(?P<shown>{_ID})/(?P<example>{_ID})\.png)"
)
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def packed(dice_set: DiceSet) -> bytes:
    """A set with its examples as one file; the same set gives the same bytes.

    Raises DiceSetError if a picture's name is not allowed in the file, and OSError if one cannot be read.
    """
    files = dict(_files_of(dice_set))
    examples = [p.example for f in dice_set.faces for p in f.pictures if p.example is not None]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        _put(archive, "set.toml", set_toml(note_of(dice_set)).encode())
        if examples:
            _put(archive, "examples.json", index_json(examples))
        for name in sorted(files):
            _put(archive, name, files[name].read_bytes())
    return content.getvalue()


def _files_of(dice_set: DiceSet) -> Iterator[tuple[str, Path]]:
    """The name in the archive and the file of every picture of a set."""
    for face in dice_set.faces:
        for picture in face.pictures:
            yield _checked(f"faces/{face.id}/{picture.path.name}"), picture.path
            if picture.example is not None:
                yield _checked(f"examples/{face.id}/{picture.example.path.name}"), picture.example.path


def _checked(name: str) -> str:
    if not _ALLOWED.fullmatch(name):
        raise DiceSetError(
            "a picture’s name may contain only lower-case letters, digits and hyphens, not “{found}”", found=name[:80]
        )
    return name


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _EPOCH), content)


def import_set(source: IO[bytes], *, name: str | None = None, replacing: bool = False) -> DiceSet:
    """Add a set from a file to the players' own sets.

    Args:
        source: a file that `packed` made, or that claims to be one.
        name: an id that replaces its own.
        replacing: a set with this id may exist and is replaced.

    Raises:
        DiceSetError: it is not a set, too large, or not to be trusted; nothing has changed.
        OSError: it cannot be read, or the set cannot be written.
    """
    if (size := source.seek(0, io.SEEK_END)) > MAX_FILE_BYTES:
        most, found = MAX_FILE_BYTES // 2**20, size // 2**20
        raise DiceSetError("the file is {found} MiB; at most {most} MiB are allowed", most=most, found=found)
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch).resolve() / "set"
        unpacked.mkdir()
        own_id = unpacked.name
        try:
            with zipfile.ZipFile(source) as archive:
                _unpack(archive, unpacked)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            why = " ".join(str(error).split())[:80]
            raise DiceSetError(
                "the file is not a complete dice set ({why})", why=why
            ) from error
        try:
            own_id = read_set(unpacked / "set.toml").id
            strange = load(unpacked.rename(unpacked.with_name(own_id)))
            set_id = name or own_id
            if not SET_ID.fullmatch(set_id):
                raise DiceSetError(
                    "an id may contain only lower-case letters, digits and hyphens, not “{found}”", found=set_id[:40]
                )
            target = own_sets() / set_id
            if target.exists() and not replacing:
                raise DiceSetError(
                    "a set named “{set}” already exists; replace it or choose another name", set=set_id
                )
            with drafted(target, note_of(strange, set_id), afresh=True) as draft:
                _write_anew(strange, draft)
        except DiceSetError as error:  # do not name the temporary folder it was unpacked in
            raise DiceSetError(error.message.without(f"{unpacked}/", f"{unpacked.with_name(own_id)}/")) from error
    return load(target)


def _unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack the files of a set; refuse the whole archive if it contains anything else."""
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise DiceSetError(
            "the dice set contains {found} files; at most {most} are allowed", most=MAX_ENTRIES, found=len(entries)
        )
    left = MAX_UNPACKED_BYTES
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        shown = "".join(sign if sign.isprintable() else "?" for sign in name)[:80]
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or not _ALLOWED.fullmatch(name):
            raise DiceSetError(
                "a dice set may contain only set.toml, examples.json and PNG pictures of faces, "
                "not “{found}”",
                found=shown,
            )
        if entry.flag_bits & 0x1:
            raise DiceSetError("“{found}” is encrypted; save the dice set without a password", found=shown)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DiceSetError(
                "Tableside cannot unpack “{found}”; download the dice set from Tableside again", found=shown
            )
        if (key := unicodedata.normalize("NFC", name).casefold()) in seen:
            raise DiceSetError("the dice set contains “{found}” twice", found=shown)
        seen.add(key)
        most = {"set.toml": MAX_TOML_BYTES, "examples.json": MAX_INDEX_BYTES}.get(name, MAX_PICTURE_BYTES)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as packed, target.open("xb") as written:
            left -= _copied(packed, written, min(most, left), shown)
    if "set.toml" not in seen:
        raise DiceSetError("the file is not a dice set: set.toml is missing")


def _copied(packed: IO[bytes], written: IO[bytes], most: int, shown: str) -> int:
    """Copy at most so many bytes, and return how many there were."""
    count = 0
    while chunk := packed.read(64 * 1024):
        count += len(chunk)
        if count > most:
            raise DiceSetError("“{file}” is too large; at most {most} bytes are allowed", most=most, file=shown)
        written.write(chunk)
    return count


def _write_anew(strange: DiceSet, draft: Path) -> None:
    """Encode the pictures of a set again, so that only pixels remain."""
    pixels = 0
    kept: list[Example] = []
    for face in strange.faces:
        for picture in face.pictures:
            pixels += _recoded(picture, draft / "faces" / face.id / picture.path.name, pixels)
            if picture.example is not None:
                example = msgspec.structs.replace(picture.example, folder=draft)
                around = replace(picture, kind="face", path=picture.example.path)
                pixels += _recoded(around, example.path, pixels)
                kept.append(example)
    if kept:
        write_index(draft, kept)


def _recoded(picture: FacePicture, target: Path, before: int) -> int:
    """Decode a picture, encode it again, and return how many pixels it has."""
    decoded = picture.pixels()
    count = decoded.shape[0] * decoded.shape[1]
    if before + count > MAX_PIXELS or max(decoded.shape[:2]) > MAX_PICTURE_SIDE:
        raise DiceSetError(
            "the pictures are too large; together they may have at most {most} megapixels", most=MAX_PIXELS // 10**6
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    if picture.kind == "art":
        decoded = cv2.cvtColor(decoded, cv2.COLOR_RGBA2BGRA)
    if not cv2.imwrite(str(target), decoded):
        raise OSError(f"{target.name} could not be written")
    return count
