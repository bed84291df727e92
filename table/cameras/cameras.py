"""Which cameras there are, which one looks at the table, and how another one takes its place while people play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from messages.message import Message, MessageError, message, reason
from table.cameras.choice import DEMO, PHONE, CameraChoice
from vision.camera.bounded import Bounded
from vision.camera.errors import CameraError
from vision.camera.live import LiveCamera, said
from vision.camera.pushed import PushedFrames
from vision.camera.source import Source
from vision.camera.webcams import COMMON_SIZES, Size, Webcam, device_of, webcams

WAITS_FOR: Final = 600.0
"""Seconds a phone is waited for: an invitation that was forgotten must not take the table away an hour later."""

Makes = Callable[[CameraChoice], Source]
"""Makes the camera that is chosen, not opened yet. Raises ValueError or CameraError for what is none."""


@dataclass(frozen=True, slots=True)
class Now:
    """The camera that looks at the table."""

    name: str
    choice: CameraChoice
    size: Size | None
    """Of its picture; None before the first one."""
    exposure_held: bool | None
    """None where that was not asked for, or is not known yet."""


class Cameras:
    """The cameras of one table. Every method may be called from any thread; they raise `ValueError` (with a message for
    people where it is a MessageError) or `CameraError` and have changed nothing then."""

    def __init__(
        self,
        eye: Bounded,
        now: CameraChoice,
        makes: Makes,
        *,
        keep: Callable[[CameraChoice], None] = lambda _: None,
        there: Callable[[], Sequence[Webcam]] = webcams,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`eye` looks through `now`; `keep` remembers what people chose, and raises OSError when it cannot."""
        self._eye, self._choice, self._makes = eye, now, makes
        self._keep, self._there, self._clock = keep, there, clock
        self._lock = threading.Lock()
        self._phone: PushedFrames | None = None
        self._coming = False
        """The phone that is waited for has sent a picture, and takes the place."""
        self._until = 0.0

    @property
    def now(self) -> Now:
        """What looks at the table."""
        camera = self._eye.source
        held = (
            camera.exposure_locked if isinstance(camera, LiveCamera) and self._choice.lock_exposure else None
        )
        return Now(camera.name, self._choice, self._eye.size, held)

    def webcams(self) -> tuple[Webcam, ...]:
        """Every webcam of this computer; nothing is started."""
        return tuple(self._there())

    def is_now(self, webcam: Webcam) -> bool:
        """Whether this webcam looks at the table."""
        return _one_device(webcam.source, self._choice.source)

    def sizes(self) -> tuple[Size, ...]:
        """The sizes to choose from for any webcam: what the drivers offer, else common ones."""
        every = {size for one in self.webcams() for size in one.sizes} or set(COMMON_SIZES)
        return tuple(sorted(every, key=lambda size: (size[0] * size[1], size)))

    def change(self, wanted: CameraChoice) -> None:
        """Look through another camera, or through this one with another size or exposure; the match goes on.

        Raises:
            MessageError: the size is none this camera offers, or the choice cannot be kept: then the camera is
                changed all the same, and the message says so.
            ValueError, CameraError: it cannot be had.
        """
        self._fits(wanted)
        camera = self._makes(wanted)
        before = self._choice.source
        alone = _one_device(wanted.source, before)
        self._eye.turn_to(camera, alone=alone, like=alone or wanted.source == before)
        self.stop_waiting()
        self._choose(wanted)

    def region_is(self, words: str | None) -> None:
        """Another part of the picture is looked at, as `--region` takes it. Raises OSError when that is not kept."""
        self._choice = replace(self._choice, region=words)
        self._keep(self._choice)

    def _fits(self, wanted: CameraChoice) -> None:
        if wanted.size is None or not device_of(wanted.source):
            return
        webcam = next((one for one in self.webcams() if _one_device(one.source, wanted.source)), None)
        if wanted.size not in ((webcam.sizes if webcam else ()) or self.sizes()):
            raise MessageError(
                "this camera does not offer {width}×{height}", width=wanted.size[0], height=wanted.size[1]
            )

    def _choose(self, chosen: CameraChoice) -> None:
        region = self._eye.wanted
        self._choice = replace(chosen, region=region.words() if region is not None else None)
        try:
            self._keep(self._choice)
        except OSError as refused:
            raise MessageError(
                "the camera is changed, but that is not remembered: {why}", why=reason(refused)
            ) from refused

    # --- a phone

    @property
    def waiting(self) -> bool:
        """Whether a phone is waited for."""
        with self._lock:
            if self._phone is not None and not self._coming and self._clock() > self._until:
                self._phone.close()
                self._phone = None
            return self._phone is not None

    def await_phone(self) -> None:
        """Take the first phone whose picture comes for the table's camera; until then the one of now looks."""
        with self._lock:
            if isinstance(self._eye.source, PushedFrames):
                raise MessageError("a phone is the camera already")
            if self._phone is None:
                self._phone = PushedFrames()
                self._phone.open()
            self._until = self._clock() + WAITS_FOR

    def stop_waiting(self) -> None:
        """Wait for no phone any more."""
        with self._lock:
            phone, self._phone = (None, self._phone) if self._coming else (self._phone, None)
        if phone is not None:
            phone.close()

    @property
    def push(self) -> Callable[[bytes], bool] | None:
        """Takes a phone's picture, where a phone is the camera or is waited for; see `PushedFrames.push`."""
        return self._eye.push or (self._push if self.waiting else None)

    def _push(self, picture: bytes) -> bool:
        """A picture of the phone that is waited for; with the first one it becomes the camera."""
        with self._lock:
            phone = self._phone
        if phone is None or not phone.push(picture):
            return False
        with self._lock:
            if self._phone is not phone or self._coming:
                return self._coming
            self._coming = True
        try:
            self._eye.turn_to(phone, opened=True)
        except CameraError:
            phone.open()  # it was let go; the next picture tries once more
            return False
        else:
            with self._lock:
                self._phone = None
            self._remembered()
            return True
        finally:
            self._coming = False

    def _remembered(self) -> None:
        with suppress(MessageError):  # the phone has nobody to tell; the table looks through it all the same
            self._choose(CameraChoice(PHONE))


def _one_device(first: str, second: str) -> bool:
    """Whether both name the same webcam."""
    device = device_of(first)
    return bool(device) and device == device_of(second)


def told(name: str) -> Message:
    """That another camera looks at the table, for everybody."""
    if name == "demo table":
        return message("the demo table is looked at now")
    if name == "phone":
        return message("the phone is the camera now")
    return message("the camera is {camera} now", camera=name)


__all__ = ["COMMON_SIZES", "DEMO", "PHONE", "CameraChoice", "Cameras", "Now", "device_of", "said", "told"]
