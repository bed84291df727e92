"""Second looks and second thoughts of the reading path. Each can be switched off, to be measured
(`tableside bench rescues`, docs/research/rescues.md)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Corrections:
    """Which are on."""

    numerals: bool = True
    """Faces that are all numerals are read as well as compared."""
    busy: bool = True
    """The detector runs again, finer and on the mirrored picture, where much is unsure."""
    far: bool = True
    """The detector looks from further away where dice may fill the picture."""
    rivals: bool = True
    """Boxes around the same die as an unclear one are examined, too."""
    further: bool = True
    """What the finder is unsure of is looked at from further away."""
    upright: bool = True
    """Dice that lean in the picture and are not clear are looked at with their upright edges upright."""
    top: bool = True
    """Where a side was outlined, the top face is sought beside it or within the box."""
    parted: bool = True
    """Two dice that were found as one are parted."""
    sides: bool = True
    """What lies within a surer die's body is dropped."""

    def without(self, name: str) -> Corrections:
        """The same with one switched off."""
        return replace(self, **{name: False})


ALL: Final = Corrections()
NAMES: Final = tuple(field.name for field in fields(Corrections))
