"""The table's interfaces to the world: readers of frames, outputs for notices, tables that throw dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from table.snapshot import Notice
from vision.dicesets.model import DiceSet
from vision.frame import Mask, Pixels
from vision.reading import DieReading, Reading


class ReadsDice(Protocol):
    """Finds the dice in settled frames."""

    def read(self, pixels: Pixels, arrived: Mask | None = None, /) -> Reading:
        """Every die in a (H, W, 3) BGR picture; `arrived` is a mask of a smaller picture: dice may lie there, while
        elsewhere the table looks as it did without them."""
        ...


@runtime_checkable
class ReadsOn(Protocol):
    """A reader that learns more from several frames of dice at rest than from one."""

    def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None, /) -> Reading:
        """The reading of another picture of the same dice combined with `before`, or `before` if it adds nothing."""
        ...


@runtime_checkable
class Knows(Protocol):
    """A reader that follows changes of the set and the camera."""

    def know(self, dice_set: DiceSet) -> None:
        """Use another version of the set from the next picture on."""
        ...

    def view_changed(self) -> None:
        """The next picture is from another camera or of another region."""
        ...


@runtime_checkable
class Recognises(Protocol):
    """A reader that recognises this evening's dice."""

    def recognise(self, pixels: Pixels, die: DieReading, face: str, *, named: bool = False) -> None:
        """A die in a (H, W, 3) BGR picture showed this face; `named` if people said so. ValueError if it cannot."""
        ...

    def counted(self, reading: Reading) -> None:
        """These dice in a picture counted."""
        ...


class Output(Protocol):
    """Receives notices: a page, a voice, a scoreboard."""

    def tell(self, notice: Notice, /) -> None:
        """Take a notice and return at once: a slow output must not hold up the table."""
        ...


@runtime_checkable
class Thrower(Protocol):
    """A table that throws its own dice: the demo's."""

    def throw(self, held: Sequence[tuple[float, float]] = ()) -> None:
        """Throw all dice but those nearest to these points in the picture (pixels)."""
        ...

    def take_back(self) -> None:
        """Put the dice back as they lay before the last throw."""
        ...

    def lay(self, dice_set: DiceSet, count: int) -> None:
        """Clear the table and throw so many dice of this set from now on. ValueError if it has no pictures."""
        ...


@runtime_checkable
class Shows(Protocol):
    """A table with dice of no known set (the demo's), for trying out teaching."""

    @property
    def strange_faces(self) -> tuple[str, ...]:
        """The faces of those dice."""
        ...

    def show(self, faces: Sequence[str]) -> None:
        """Show a die with each of these faces up, until `put_away`. ValueError if there is no such face."""
        ...

    def put_away(self) -> None:
        """Put the match's dice back as they lay before."""
        ...
