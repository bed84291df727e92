"""Manages a table's cameras: which are available, which one is in use with which region, what it sees, and how another
one replaces it during play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from messages.message import Message, MessageError, message, reason
from table.cameras.choice import PHONE, CameraChoice
from table.cameras.previews import Previews
from table.ports import Thrower
from vision.boxes import Box
from vision.camera.bounded import Bounded, MarkersError
from vision.camera.live import LiveCamera, said
from vision.camera.pushed import PushedFrames
from vision.camera.source import CameraError, Source
from vision.camera.webcams import COMMON_SIZES, Size, Webcam, device_of, webcams
from vision.dicesets.model import DiceSet
from vision.frame import Pixels, Point
from vision.quality import TEMPLATES, Remark, look_over
from vision.region import Region, marker_sheet, region_at

WAITS_FOR: Final = 600.0
"""How many seconds to wait for a phone: a forgotten invitation must not take over the table an hour later."""

PREVIEWED: Final[Size] = (640, 480)
"""Size of the preview for choosing a camera."""

Makes = Callable[[CameraChoice], Source]
"""Makes the chosen camera without opening it. Raises ValueError or CameraError if there is no such camera."""


Corners = tuple[tuple[float, float], ...]
"""Four corners in order around the table, each as shares (0 to 1) of the picture's width and height."""


@dataclass(frozen=True, slots=True)
class Now:
    """The camera of the table."""

    name: str
    choice: CameraChoice
    size: Size | None
    """Size of its picture; None before the first one."""
    exposure_held: bool | None
    """None if this was not requested or is not known yet."""


@dataclass(frozen=True, slots=True, eq=False)
class OffsetThrower:
    """A table that throws its own dice; takes points in the visible region of its picture."""

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
    """What throws the dice of the table in view; None if people do."""
    return OffsetThrower(view.source, view) if isinstance(view.source, Thrower) else None


class Cameras:
    """The cameras of one table, for any thread. If a method raises `ValueError` (a MessageError is meant for people) or
    `CameraError`, nothing has changed."""

    def __init__(
        self,
        view: Bounded,
        now: CameraChoice,
        makes: Makes,
        *,
        find_dice: Callable[[Pixels], Sequence[Box]] = lambda _: (),
        keep: Callable[[CameraChoice], None] = lambda _: None,
        there: Callable[[], Sequence[Webcam]] = webcams,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`view` shows the camera `now`; `keep` saves people's choice and raises OSError if it cannot.

        `find_dice` gives the boxes of dice in a picture, whatever their faces; ValueError if it cannot.
        """
        self.view = view
        """The table's view through the current camera."""
        self._choice, self._makes, self._find_dice = now, makes, find_dice
        self._keep, self._there, self._clock = keep, there, clock
        self.previews = Previews(lambda source: makes(CameraChoice(source, PREVIEWED)))
        """The pictures of the other cameras."""
        self._lock = threading.Lock()
        self._phone: PushedFrames | None = None
        self._coming = False
        """The awaited phone has sent a picture and takes over."""
        self._until = 0.0

    @property
    def now(self) -> Now:
        """The camera in use."""
        camera = self.view.source
        held = (
            camera.exposure_locked if isinstance(camera, LiveCamera) and self._choice.lock_exposure else None
        )
        return Now(camera.name, self._choice, self.view.size, held)

    def webcams(self) -> tuple[Webcam, ...]:
        """All webcams of this computer, without starting them."""
        return tuple(self._there())

    def is_now(self, webcam: Webcam) -> bool:
        """Whether this webcam is in use."""
        return _one_device(webcam.source, self._choice.source)

    def sizes(self) -> tuple[Size, ...]:
        """The sizes that any webcam offers, or else common ones."""
        every = {size for one in self.webcams() for size in one.sizes} or set(COMMON_SIZES)
        return tuple(sorted(every, key=lambda size: (size[0] * size[1], size)))

    def change(self, wanted: CameraChoice) -> None:
        """Switch to another camera, or to another size or exposure of this one; the match continues.

        Raises:
            MessageError: this camera does not offer the size; or the choice cannot be saved, although the camera has
                changed, as the message says.
            ValueError, CameraError: the camera is not available.
        """
        self._fits(wanted)
        camera = self._makes(wanted)
        before = self._choice.source
        alone = _one_device(wanted.source, before)
        with self.previews.none():
            self.view.turn_to(camera, alone=alone, like=alone or wanted.source == before)
        self.stop_waiting()
        self._choose(wanted)

    # --- the region, and what it shows

    @property
    def corners(self) -> Corners | None:
        """The table's region, now or from the next frame on; None for the whole picture."""
        wanted = self.view.wanted
        return wanted.corners if wanted is not None else None

    def bound(self, corners: Corners | None) -> None:
        """Show this part from the next frame on; None for all of it.

        Raises ValueError if these are not the corners of a table, OSError if it cannot be saved; nothing has changed.
        """
        words = Region(corners).words() if corners is not None else None
        choice = replace(self._choice, region=words)
        self._keep(choice)
        self._choice = choice
        # Parse it as the next start will, so that both use the same region.
        self.view.bound(region_at(words) if words is not None else None)

    def remarks(self) -> tuple[Remark, ...]:
        """Findings about the picture, the most urgent first; none before the first frame."""
        pixels, stream = self.view.pixels(), self.view.stream()
        if pixels is None or stream is None:
            return ()
        try:
            boxes = self._find_dice(pixels)
        except ValueError:  # the networks are missing, but the light can be checked
            boxes = ()
        return look_over(pixels, boxes, stream)

    def find_markers(self, seconds: float) -> Corners:
        """The corners between the four printed markers in the frames of the next seconds. Raises MessageError."""
        try:
            return self.view.find(seconds).corners
        except MarkersError as unseen:
            if len(unseen.seen) == len(unseen.wanted):
                raise MessageError("the four markers are not at the corners of a table") from unseen
            raise MessageError(unseen.message) from unseen

    def _fits(self, wanted: CameraChoice) -> None:
        if wanted.size is None or not device_of(wanted.source):
            return
        webcam = next((one for one in self.webcams() if _one_device(one.source, wanted.source)), None)
        if wanted.size not in ((webcam.sizes if webcam else ()) or self.sizes()):
            raise MessageError(
                "this camera does not offer {width}×{height}", width=wanted.size[0], height=wanted.size[1]
            )

    def _choose(self, chosen: CameraChoice) -> None:
        region = self.view.wanted
        self._choice = replace(chosen, region=region.words() if region is not None else None)
        try:
            self._keep(self._choice)
        except OSError as refused:
            raise MessageError(
                "the camera was changed, but the choice was not saved: {why}", why=reason(refused)
            ) from refused

    # --- a phone

    @property
    def waiting(self) -> bool:
        """Whether a phone is awaited."""
        with self._lock:
            if self._phone is not None and not self._coming and self._clock() > self._until:
                self._phone.close()
                self._phone = None
            return self._phone is not None

    def await_phone(self) -> None:
        """Switch to the first phone that sends a picture; until then the current camera stays."""
        with self._lock:
            if isinstance(self.view.source, PushedFrames):
                raise MessageError("a phone is already the camera")
            if self._phone is None:
                self._phone = PushedFrames()
                self._phone.open()
            self._until = self._clock() + WAITS_FOR

    def stop_waiting(self) -> None:
        """Stop waiting for a phone."""
        with self._lock:
            phone, self._phone = (None, self._phone) if self._coming else (self._phone, None)
        if phone is not None:
            phone.close()

    @property
    def push(self) -> Callable[[bytes], bool] | None:
        """Takes a phone's picture if a phone is the camera or is awaited; see `PushedFrames.push`."""
        return self.view.push or (self._push if self.waiting else None)

    def _push(self, picture: bytes) -> bool:
        """Take a picture of the awaited phone, which becomes the camera with the first one."""
        with self._lock:
            phone = self._phone
        if phone is None or not phone.push(picture):
            return False
        with self._lock:
            if self._phone is not phone or self._coming:
                return self._coming
            self._coming = True
        try:
            self.view.turn_to(phone, opened=True)
        except CameraError:
            phone.open()  # it was closed; the next picture tries again
            return False
        else:
            with self._lock:
                self._phone = None
            self._remembered()
            return True
        finally:
            self._coming = False

    def _remembered(self) -> None:
        with suppress(MessageError):  # the phone cannot show an error, and is the camera anyway
            self._choose(CameraChoice(PHONE))


def _one_device(first: str, second: str) -> bool:
    """Whether both name the same webcam."""
    device = device_of(first)
    return bool(device) and device == device_of(second)


def told(name: str) -> Message:
    """The announcement that another camera is in use."""
    if name == "demo table":
        return message("the camera now shows the demo table")
    if name == "phone":
        return message("the phone is now the camera")
    return message("the camera is now {camera}", camera=name)


__all__ = ["COMMON_SIZES", "TEMPLATES", "Cameras", "Corners", "Now", "Remark", "device_of", "marker_sheet",
           "said", "told"]  # fmt: skip
