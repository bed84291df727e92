"""The optional LED scoreboard."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HEX_FILES: Final = Path(__file__).resolve().parent / "firmware" / "hex"
"""The folder of the scoreboard's built firmware, one file for each kind of LEDs (`hardware.picture.DISPLAYS`)."""
