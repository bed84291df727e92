"""What the table asks of the world: readers that read frames, outputs that are told, tables that throw."""

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
        """Every die in a (H, W, 3) BGR picture; `arrived` is where dice may lie, in the picture made smaller:
        elsewhere the table looks as it did without them."""
        ...


@runtime_checkable
class ReadsOn(Protocol):
    """A reader to whom several frames of dice that lie still say more than one."""

    def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None, /) -> Reading:
        """What another picture of the same dice and what was read before show together; `before` if it adds nothing."""
        ...


@runtime_checkable
class Knows(Protocol):
    """A reader that is told what changes while it reads."""

    def know(self, dice_set: DiceSet) -> None:
        """Read with another state of the set from the next picture on."""
        ...

    def view_changed(self) -> None:
        """The next picture is of another camera, or of another part of what the camera sees."""
        ...


@runtime_checkable
class Recognises(Protocol):
    """A reader that knows dice of this evening again."""

    def recognise(self, pixels: Pixels, die: DieReading, face: str, *, named: bool = False) -> None:
        """A die of a (H, W, 3) BGR picture showed this face; `named` if people said so. ValueError where it cannot."""
        ...

    def counted(self, reading: Reading) -> None:
        """These dice of a picture counted."""
        ...


class Output(Protocol):
    """Someone who is told: a page, a voice, a scoreboard."""

    def tell(self, notice: Notice, /) -> None:
        """Take a notice and return at once: a slow output must not hold up the table."""
        ...


@runtime_checkable
class Thrower(Protocol):
    """A table that throws its own dice: the demo's."""

    def throw(self, held: Sequence[tuple[float, float]] = ()) -> None:
        """Throw every die but those nearest to these points of the picture (pixels)."""
        ...

    def take_back(self) -> None:
        """Put the dice back as they lay before the last throw."""
        ...

    def lay(self, dice_set: DiceSet, count: int) -> None:
        """Clear the table, and throw so many dice of this set from now on. ValueError when it has no pictures."""
        ...


@runtime_checkable
class Shows(Protocol):
    """A table that can lay dice no set knows (the demo's), so that teaching can be tried on it."""

    @property
    def strange_faces(self) -> tuple[str, ...]:
        """The faces of those dice."""
        ...

    def show(self, faces: Sequence[str]) -> None:
        """Lay a die for each of these faces, with it up, until `put_away`. ValueError for a face there is not."""
        ...

    def put_away(self) -> None:
        """Put the match's dice back as they lay before."""
        ...
