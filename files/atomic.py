"""A file that is whole or not at all, whenever the machine stops."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file; when this returns, it and its name are on disk. Only its owner may read it, unless `mode` says so.

    It is written under another name, synced and renamed. Raises OSError; the old file is then unchanged.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def owners_alone(path: Path) -> None:
    """Create a file that only its owner may read, or remove everybody else's rights to an existing one.

    SQLite's files beside a database (`-wal`, `-shm`) get the database's rights. If a file cannot be created or changed
    (another owner, a read-only disk), it stays as it is, and opening it will report why.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
    for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):
            one.chmod(0o600)


def own_folder(path: Path) -> None:
    """Make a folder that only its owner may look into, or take everybody else's rights to one that is there.

    A folder that everybody may write into (`/tmp`) is not ours to close. Raises OSError if it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.stat().st_mode & (stat.S_ISVTX | stat.S_IWOTH):
        with suppress(OSError):  # another's folder
            path.chmod(0o700)


def sync_folder(folder: Path) -> None:
    """Make a file's name as lasting as its content; Windows has no such thing, and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
