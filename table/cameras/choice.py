"""Remembers which camera people chose.

The camera of the one table that most people have is in their settings (`table.settings`). A second file, which only its
owner may read, holds what must not be there: addresses with passwords, and the cameras of further tables (`place`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from files.records import read_record, write_record
from messages.message import TroubleError
from table.settings import CameraSettings, Name, SettingsError, SettingsFile

FILE: Final = "camera.json"
LONGEST: Final = 1000
"""Longest address, in characters."""
MOST_PLACES: Final = 32

DEMO, PHONE = "demo", "phone"
"""Sources that are neither devices nor addresses."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera and its setup."""

    source: str
    """The value of `--camera`; empty if the command line has none."""
    size: tuple[int, int] | None = None
    lock_exposure: bool = False
    strict: bool = False
    """Whether a stream was chosen on another device, so that it may not redirect to another address."""
    region: str | None = None
    """The table's part of the picture, as in `--region`; None for all of it."""

    def after(self, before: CameraChoice | None) -> CameraChoice:
        """This choice, with anything it leaves open taken from `before`."""
        if before is None:
            return self
        return CameraChoice(
            self.source or before.source,
            self.size or before.size,
            self.lock_exposure or before.lock_exposure,
            (self.strict or before.strict) and self.source in ("", before.source),
            self.region or before.region,
        )

    def setup(self) -> dict[str, Any]:
        """The choice as part of a match's setup; None removes a value."""
        return {
            "camera": self.source or None,
            "size": f"{self.size[0]}x{self.size[1]}" if self.size else None,
            "lock_exposure": True if self.lock_exposure else None,
            "strict": True if self.strict else None,
            "region": self.region,
        }


def size_of(text: str) -> tuple[int, int]:
    """Parse a size such as "1920x1080". Raises ValueError."""
    found = re.fullmatch(r"(\d{2,5})\s*[x×]\s*(\d{2,5})", text.strip())
    if found is None:
        raise ValueError(f"expected a size such as 1920x1080, got {text[:40]!r}")
    return int(found[1]), int(found[2])


def choice_of(setup: Mapping[str, Any]) -> CameraChoice | None:
    """The camera in a setup; None if that is invalid."""
    source, size, region = setup.get("camera", ""), setup.get("size"), setup.get("region")
    if not isinstance(source, str) or len(source) > LONGEST or not source.isprintable():
        return None
    try:
        wanted = size_of(size) if isinstance(size, str) else None
    except ValueError:
        wanted = None
    known = region if isinstance(region, str) and len(region) < 200 else None
    return CameraChoice(source, wanted, setup.get("lock_exposure") is True, setup.get("strict") is True, known)


class _Chosen(msgspec.Struct, frozen=True):
    """The content of the second file: `CameraChoice.setup` for each table."""

    version: int = 1
    places: dict[str, dict[str, Any]] = {}


class ChosenCamera:
    """The choice of one table (`place`) in a data folder."""

    def __init__(self, folder: Path, place: str = "") -> None:
        """Neither read nor create anything yet."""
        self._path, self._place = folder / FILE, place
        self._settings = SettingsFile(folder)

    def read(self) -> CameraChoice | None:
        """The last choice; None if nothing was chosen or the file is not ours.

        Raises SettingsError if the settings cannot be used.
        """
        kept = self._kept()
        if self._place:
            return kept
        camera = self._settings.read().camera
        if not camera.source:  # chosen before there were settings, or part of a choice typed there
            return _chosen(camera).after(kept) if kept else None
        if kept is not None and _shown(kept.source) == camera.source:
            return replace(_chosen(camera), source=kept.source)
        return _chosen(camera)

    def keep(self, choice: CameraChoice) -> None:
        """Save a choice. Raises OSError."""
        secret = _shown(choice.source) != choice.source
        if not self._place:
            try:
                self._settings.change(_as_settings(choice))
            except SettingsError as refused:
                raise TroubleError(refused.message) from refused
        if self._place or secret or self._kept() is not None:
            places = self._places()
            places.pop(self._place, None)
            if self._place or secret:
                told = {key: value for key, value in choice.setup().items() if value is not None}
                places[self._place] = told
            write_record(self._path, _Chosen(places=dict([*places.items()][-MOST_PLACES:])))

    def _kept(self) -> CameraChoice | None:
        setup = self._places().get(self._place)
        return choice_of(setup) if setup else None

    def _places(self) -> dict[str, dict[str, Any]]:
        return (read_record(self._path, _Chosen) or _Chosen()).places


def _shown(source: str) -> str:
    """A camera's address without a possible password; anything else unchanged."""
    if "://" not in source:
        return source
    from vision.camera.live import (
        said,  # imports OpenCV, which a start without such an address does not need yet
    )

    return said(source)


def _chosen(camera: CameraSettings) -> CameraChoice:
    size = size_of(camera.size) if camera.size else None
    return CameraChoice(camera.source, size, camera.lock_exposure, camera.strict, camera.region or None)


def _as_settings(choice: CameraChoice) -> dict[Name, object]:
    return {
        ("camera", "source"): _shown(choice.source),
        ("camera", "size"): f"{choice.size[0]}x{choice.size[1]}" if choice.size else "",
        ("camera", "region"): choice.region or "",
        ("camera", "lock_exposure"): choice.lock_exposure,
        ("camera", "strict"): choice.strict,
    }
