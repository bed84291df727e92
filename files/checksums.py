"""Lists of SHA-256 checksums, as `sha256sum` writes them: which files belong in a folder, and what is in them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SUMS: Final = "SHA256SUMS"
"""The list's name; the names in it are relative to its folder, with `/` on every system."""


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def listed(sums: Path) -> Mapping[str, str]:
    """The checksums in a list, by the files' names; nothing if there is no list. Raises OSError.

    Invalid lines are skipped, so that their files are not listed.
    """
    if not sums.is_file():
        return {}
    pairs = (line.split(maxsplit=1) for line in sums.read_text("utf-8", "replace").splitlines())
    return {pair[1].removeprefix("*"): pair[0] for pair in pairs if len(pair) == 2}


def listing(sums: Mapping[str, str]) -> str:
    """The list of these checksums, by the files' names."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))


def damaged(folder: Path) -> tuple[str, ...]:
    """The names in a folder's list whose files are missing or changed. Raises OSError if there is no list."""
    sums = folder / SUMS
    sums.stat()
    return tuple(
        name
        for name, expected in listed(sums).items()
        if not (folder / name).is_file() or checksum(folder / name) != expected
    )
