"""A cache on disk for what the networks computed from a dice set's pictures.

If the folder cannot be written or a file is damaged, it is only computed again.
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
"""Most files kept; a set has one for each shape, and a new one whenever its examples change."""


def digest_of(parts: Iterable[bytes]) -> str:
    """A name for a sequence of bytes; it is different as soon as any of them changes."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def recall(digest: str) -> Arrays | None:
    """The arrays kept under a name; None if there are none, or they are damaged."""
    path = _folder() / f"gallery-{digest}.npz"
    with suppress(OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = dict(stored)
        os.utime(path)
        return arrays
    return None


def keep(digest: str, arrays: Arrays) -> None:
    """Keep arrays under a name, and drop those not used for the longest time."""
    folder, content = _folder(), io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    with suppress(OSError):
        own_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        write_whole(folder / f"gallery-{digest}.npz", content.getvalue())
        kept = sorted(folder.glob("gallery-*.npz"), key=lambda one: one.stat().st_mtime)
        for old in (*kept[:-MOST], *folder.glob("points-*.npy")):  # an earlier version wrote the latter
            old.unlink(missing_ok=True)


def _folder() -> Path:
    return tables_folder() / "cache"
