"""Where the players' own things lie: matches, dice sets, solved sheets."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import platformdirs

from files.atomic import write_whole


def tables_folder() -> Path:
    """The folder of the players' own things: $TABLESIDE_DATA, or where platformdirs says."""
    chosen = os.environ.get("TABLESIDE_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("tableside", appauthor=False)


def data_id() -> str:
    """Eight hexadecimal digits that tell this data folder from every other one; drawn once and kept in it.

    Raises OSError: the folder cannot be written.
    """
    path = tables_folder() / "id"
    try:
        kept = path.read_text("ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        kept = ""
    if not re.fullmatch("[0-9a-f]{8}", kept):
        kept = secrets.token_hex(4)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, kept.encode())
    return kept
