"""Small JSON files that the program keeps for itself: each holds one record of a type, read within bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeVar

import msgspec

from files.atomic import write_whole

LARGEST: Final = 64 * 1024
"""Bytes of a file, unless it may be larger; a larger one is not ours."""

Record = TypeVar("Record")


def read_record(path: Path, kind: type[Record], largest: int = LARGEST) -> Record | None:
    """The record in a file; None if there is no file or its content is invalid."""
    try:
        with path.open("rb") as file:
            text = file.read(largest + 1)
        return msgspec.json.decode(text, type=kind) if len(text) <= largest else None
    except (OSError, ValueError, RecursionError):
        return None


def write_record(path: Path, record: object) -> None:
    """Write a record to a file that only its owner may read. Raises OSError; the old file is then unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.encode(record))
