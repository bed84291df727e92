"""What `settings.toml` says, as the defaults of the command line's options."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from files.folders import tables_folder
from table.settings import SettingsError, SettingsFile
from web.pin import checked_pin, hashed_pin, is_hashed


def defaults() -> dict[str, Any]:
    """The settings by the names of options in `cli.listening`, `cli.outlets` and `cli.serving`, without the camera's.

    Raises:
        SettingsError: the file is invalid.
        OSError: it cannot be read.
    """
    file = SettingsFile(tables_folder())
    settings = file.read()
    network, scoreboard = settings.network, settings.scoreboard
    return {
        "port": network.port,
        "lan": network.lan,
        "pin": kept_pin(file, network.pin) if network.pin else None,
        "own_turn": network.own_turn,
        "scoreboard": scoreboard.port or None,
        "brightness": scoreboard.brightness,
        "mqtt": settings.mqtt.broker or None,
        "speak": settings.voice.speak,
        "language": settings.voice.language,
    }


def kept_pin(file: SettingsFile, pin: str) -> str:
    """The PIN of the settings as a hash; one that somebody typed there is replaced by it. Raises SettingsError."""
    if is_hashed(pin):
        return pin
    try:
        hashed = hashed_pin(checked_pin(pin))
    except ValueError:
        raise SettingsError(
            "{file}: network.pin must be a PIN in quotes, of 4 to 40 letters or digits that are not all the same",
            file=str(file.path.name),
        ) from None
    with suppress(OSError):  # it is used all the same, and replaced another time
        file.change({("network", "pin"): hashed})
    return hashed
