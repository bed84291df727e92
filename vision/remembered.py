"""What the networks made of a dice set's pictures, kept on disk from one start to the next.

A folder that cannot be written, and a file that was damaged, cost time and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from files.atomic import own_folder, write_whole
from files.folders import tables_folder

Arrays = Mapping[str, NDArray[Any]]

MOST: Final = 24
"""Files that are kept; a set has one for each shape and state of its examples."""


def digest_of(parts: Iterable[bytes]) -> str:
    """A name for these bytes, one after the other: another one as soon as any of them changes."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def recall(digest: str) -> Arrays | None:
    """What was kept under this name; None where nothing sound was."""
    path = _folder() / f"gallery-{digest}.npz"
    with suppress(OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = dict(stored)
        os.utime(path)
        return arrays
    return None


def keep(digest: str, arrays: Arrays) -> None:
    """Keep arrays under this name, and forget those that were not used for longest."""
    folder, content = _folder(), io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    with suppress(OSError):
        own_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        write_whole(folder / f"gallery-{digest}.npz", content.getvalue())
        kept = sorted(folder.glob("gallery-*.npz"), key=lambda one: one.stat().st_mtime)
        for old in (*kept[:-MOST], *folder.glob("points-*.npy")):  # the latter are an earlier version's
            old.unlink(missing_ok=True)


def _folder() -> Path:
    return tables_folder() / "cache"
