"""A camera that shows the table alone; its region and the camera itself can be changed while it runs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Protocol

from messages.message import Message, message
from vision.boxes import Window
from vision.camera.live_picture import LivePicture
from vision.camera.source import CameraError, Source
from vision.camera.turnable import Turnable
from vision.frame import Floats, Frame, Pixels, Point
from vision.quality import Stream, level_of
from vision.region import MARKERS, Region, between, find_markers

LOOKED_FOR = 10.0
"""Within how many seconds all four markers must be seen."""

REMEMBERED = 40
"""How many frames' times and brightness are remembered."""


class MarkersError(CameraError):
    """The four markers were not all seen, or are not around a table; one line."""

    wanted = MARKERS

    def __init__(self, why: Message, seen: tuple[int, ...]) -> None:
        """`seen` are the numbers of the markers that were."""
        super().__init__(why)
        self.seen = seen


class ViewListener(Protocol):
    """Is told when the view of a table changes."""

    def view_moved(self, move: Point, size: tuple[int, int]) -> None:
        """Called in the reading thread before the first frame of another region, with the shift of its contents in
        pixels and the size of its frames."""
        ...

    def camera_turned(self, view: Bounded) -> None:
        """Called in the reading thread before the first frame of another camera."""
        ...

    def camera_waits(self) -> None:
        """Called when another camera waits to take over: if nobody is reading now, the view must be opened again."""
        ...


class Bounded:
    """A camera that shows the table alone.

    Without a region it looks for the markers first, or, without `markers`, shows the whole picture. One thread reads;
    the other methods may be called from any thread.
    """

    def __init__(self, camera: Source, region: Region | None = None, *, markers: bool = True) -> None:
        """Do not open anything yet."""
        self._camera = Turnable(camera, self._waits)
        self.region = region
        """The part of the picture that is shown; None for all of it, or if the markers are yet to be found."""
        self._wanted = region
        self._markers = markers and region is None
        self._listener: ViewListener | None = None
        self._arrived = threading.Condition()
        self._whole: Frame | None = None
        self._count = 0
        self._past: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)
        """Times and brightness of the last frames."""
        self._shown = LivePicture()

    @property
    def source(self) -> Source:
        """The camera itself."""
        return self._camera.camera

    @property
    def name(self) -> str:
        """The camera's name for people."""
        return self.source.name

    @property
    def live(self) -> bool:
        """Whether frames arrive whether or not anybody reads them."""
        return self.source.live

    @property
    def push(self) -> Callable[[bytes], bool] | None:
        """The phone, if the camera is one; see `vision.camera.PushedFrames`."""
        return getattr(self.source, "push", None)

    def open(self) -> None:
        """Open the camera, and find the markers if necessary.

        Raises:
            CameraError: it cannot be opened, or the markers are not seen for ten seconds; the line says which.
        """
        self._past.clear()
        self._camera.open()
        if self._markers:
            try:
                found = _region_between(self._opening(), LOOKED_FOR)
                if self._markers:  # otherwise another camera has taken over, with a region of its own
                    self.region = self._wanted = found
                self._markers = False
            except BaseException:
                self._camera.close()
                raise

    def read(self) -> Frame | None:
        """The next frame, showing the table alone."""
        frame = self._camera.read()
        if frame is None:
            return None
        self._remember(frame)
        height, width = frame.pixels.shape[:2]
        wanted = self._wanted
        if wanted is not self.region:
            before, after = _box(self.region, width, height), _box(wanted, width, height)
            self.region = wanted
            move = (float(before[0] - after[0]), float(before[1] - after[1]))
            if self._listener is not None:
                self._listener.view_moved(move, (after[2] - after[0], after[3] - after[1]))
        if wanted is None:
            return frame
        return Frame(wanted.cut(frame.pixels), frame.number, frame.taken, frame.source)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()

    # --- choosing the camera and the region

    def turn_to(
        self, camera: Source, *, alone: bool = False, opened: bool = False, like: bool = False
    ) -> None:
        """Switch to another camera (`vision.camera.turnable`); the listener is told before its first frame. Its whole
        picture is shown, unless `like` is set and its picture has the same proportions: then the region stays.

        Raises:
            CameraError: nothing has changed.
        """
        self._camera.turn_to(camera, alone=alone, opened=opened, then=lambda first: self._turned(first, like))

    def listen(self, listener: ViewListener) -> None:
        """Tell this listener, and no other, about changes of the view."""
        self._listener = listener

    def _waits(self) -> None:
        if self._listener is not None:
            self._listener.camera_waits()

    def _turned(self, first: Frame | None, like: bool) -> None:
        before = self.size
        keeps = like and first is not None and before is not None and _alike(before, first)
        self.region = self._wanted = self._wanted if keeps else None
        self._markers = False
        with self._arrived:
            self._past.clear()
            self._whole = first if first is not None else self._whole
        if self._listener is not None:
            self._listener.camera_turned(self)

    def bound(self, region: Region | None) -> None:
        """Show this part from the next frame on; None for the whole picture."""
        self._wanted = region

    @property
    def wanted(self) -> Region | None:
        """The region that is shown, or will be from the next frame on."""
        return self._wanted

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the whole picture; None before the first frame."""
        frame = self._whole
        return None if frame is None else (frame.pixels.shape[1], frame.pixels.shape[0])

    def shown(self) -> Window | None:
        """Which part of the whole picture is shown: x0, y0, x1, y1 in pixels; None before the first frame."""
        size = self.size
        return None if size is None else _box(self.region, *size)

    def outer(self, point: Point) -> Point:
        """Position in the whole picture of a point in the frames that are read, in pixels."""
        box = self.shown() or (0, 0, 0, 0)
        return point[0] + box[0], point[1] + box[1]

    def stream(self) -> Stream | None:
        """How often frames arrive, and their size when read; None before the first."""
        box, past = self.shown(), list(self._past)
        if box is None or not past:
            return None
        lasted = past[-1][0] - past[0][0]
        rate = (len(past) - 1) / lasted if lasted > 0 else 0.0
        return Stream(
            box[2] - box[0], box[3] - box[1], rate if self.live else None, tuple(level for _, level in past)
        )

    def whole(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """The whole picture as (number, JPEG), as soon as its number is not `after`; None after `wait` seconds."""
        return self._shown.after(after, wait)

    def pixels(self) -> Pixels | None:
        """The newest frame that was read, (H, W, 3) BGR; None before the first."""
        frame, region = self._whole, self.region
        if frame is None:
            return None
        return frame.pixels if region is None else region.cut(frame.pixels)

    def find(self, seconds: float) -> Region:
        """Find the table between the four markers in the next frames, without showing it yet.

        Raises:
            CameraError: they are not seen in that time, or are not around a table.
        """
        return _region_between(self._coming(seconds), seconds)

    def _coming(self, seconds: float) -> Iterator[Frame]:
        """New frames, until none comes for so many seconds; only one of a recording."""
        count = -1
        while True:
            with self._arrived:
                if not self._arrived.wait_for(lambda last=count: self._count > last, timeout=seconds):
                    return
                frame, count = self._whole, self._count
            if frame is None:
                return
            yield frame
            if not self.live:
                return

    def _remember(self, frame: Frame) -> None:
        with self._arrived:
            self._whole = frame
            self._count += 1
            self._past.append((frame.taken, level_of(frame.pixels)))
            self._arrived.notify_all()
        self._shown.show(frame)

    def _opening(self) -> Iterator[Frame]:
        """Frames read here, before any other thread reads."""
        while (frame := self._camera.read()) is not None:
            self._remember(frame)
            yield frame


def _alike(size: tuple[int, int], frame: Frame) -> bool:
    """Whether a picture has the proportions of this size: with others a sensor shows another part of the table."""
    height, width = frame.pixels.shape[:2]
    return abs(width * size[1] / (height * size[0]) - 1) < 0.02


def _box(region: Region | None, width: int, height: int) -> Window:
    return (0, 0, width, height) if region is None else region.box(width, height)


def _region_between(frames: Iterable[Frame], seconds: float) -> Region:
    """Find the table between the four markers within so many seconds; a frame need not show all four.

    Raises:
        MarkersError: they are not all seen in that time, or are not around a table.
    """
    seen: dict[int, Floats] = {}
    size, began = (0, 0), inf
    for frame in frames:
        height, width = frame.pixels.shape[:2]
        if (width, height) != size:
            seen, size = {}, (width, height)
        began = min(began, frame.taken)
        seen |= find_markers(frame.pixels)
        if len(seen) == len(MARKERS):
            try:
                return between(list(seen.values()), width, height)
            except ValueError as refused:
                words = message("the four markers do not frame the table: {why}", why=str(refused))
                raise MarkersError(words, tuple(sorted(seen))) from None
        if frame.taken - began >= seconds:
            break
    there = ", ".join(str(number) for number in sorted(seen)) or message("none")
    why = message("the camera must see markers 0, 1, 2 and 3; it sees: {there}", there=there)
    raise MarkersError(why, tuple(sorted(seen)))
