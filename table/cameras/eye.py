"""What pages show and change of the camera over a table: its picture, how well it sees, and the table's region."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from messages.message import MessageError
from table.ports import Thrower
from vision.boxes import Box
from vision.camera.bounded import Bounded, MarkersError, Point
from vision.dicesets.model import DiceSet
from vision.frame import Pixels
from vision.quality import NEEDED_PX, TEMPLATES, Remark, look_over
from vision.region import Region, marker_sheet, region_at

__all__ = ["NEEDED_PX", "TEMPLATES", "Corners", "Eye", "Remark", "marker_sheet"]

Corners = tuple[tuple[float, float], ...]
"""Four corners in order around the table, each as shares (0 to 1) of the picture's width and height."""


@dataclass(frozen=True, slots=True, eq=False)
class OffsetThrower:
    """A table that throws its own dice, told of points in the part of its picture that is looked at."""

    thrower: Thrower
    view: Bounded

    def throw(self, held: Sequence[Point] = ()) -> None:
        """See `Thrower`."""
        self.thrower.throw([self.view.outer(point) for point in held])

    def take_back(self) -> None:
        """See `Thrower`."""
        self.thrower.take_back()

    def lay(self, dice_set: DiceSet, count: int) -> None:
        """See `Thrower`."""
        self.thrower.lay(dice_set, count)


def thrower_of(view: Bounded) -> OffsetThrower | None:
    """What throws the dice of the table that is looked at; None where people do."""
    return OffsetThrower(view.source, view) if isinstance(view.source, Thrower) else None


class Eye:
    """The camera over one table, for pages. Any thread may call."""

    def __init__(
        self, camera: Bounded, find_dice: Callable[[Pixels], Sequence[Box]] = lambda _pixels: ()
    ) -> None:
        """`find_dice` gives the boxes of the dice in a picture, whatever they show; ValueError when it cannot look."""
        self._camera = camera
        self._find_dice = find_dice

    @property
    def name(self) -> str:
        """What people call the camera."""
        return self._camera.name

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the whole picture; None before the first frame."""
        return self._camera.size

    @property
    def corners(self) -> Corners | None:
        """The table's region, as it is or will be with the next frame; None is the whole picture."""
        wanted = self._camera.wanted
        return wanted.corners if wanted is not None else None

    def shown(self) -> tuple[int, int, int, int] | None:
        """Which part of the whole picture is looked at: x0, y0, x1, y1 in pixels; None before the first frame."""
        return self._camera.shown()

    def picture(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """The whole picture as (number, JPEG), once it is another one than `after`; None after `wait` seconds."""
        return self._camera.whole(after, wait)

    def remarks(self) -> tuple[Remark, ...]:
        """What is to be said of the picture, in the order in which to mend it; nothing before the first frame."""
        pixels, stream = self._camera.pixels(), self._camera.stream()
        if pixels is None or stream is None:
            return ()
        try:
            boxes = self._find_dice(pixels)
        except ValueError:  # the networks are missing: the light can be judged all the same
            boxes = ()
        return look_over(pixels, boxes, stream)

    def bound(self, corners: Corners | None, keep: Callable[[str | None], None]) -> None:
        """Look at this part from the next frame on, after `keep` took it as `--region` does; None is all of it.

        Raises:
            ValueError: these are no corners of a table; nothing has changed, nor when `keep` raises.
        """
        words = Region(corners).words() if corners is not None else None
        keep(words)
        # As it will be read the next time, so that what is looked at now is what was kept.
        self._camera.bound(region_at(words) if words is not None else None)

    def find_markers(self, seconds: float) -> Corners:
        """The corners between the four printed markers, in the frames of the next seconds. Raises MessageError."""
        try:
            return self._camera.find(seconds).corners
        except MarkersError as unseen:
            if len(unseen.seen) == len(unseen.wanted):
                raise MessageError("the four markers do not lie around a table") from unseen
            raise MessageError(unseen.message) from unseen
