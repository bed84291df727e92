"""Where the players' own things lie: matches, dice sets, solved sheets."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def tables_folder() -> Path:
    """The folder of the players' own things: $TABLESIDE_DATA, or where platformdirs says."""
    chosen = os.environ.get("TABLESIDE_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("tableside", appauthor=False)
