"""Lists the webcams of this computer: their names, the sizes they offer, and whether their exposure can be held.

On Linux the kernel knows all this (V4L2, https://docs.kernel.org/userspace-api/media/v4l/v4l2.html); elsewhere
cv2-enumerate-cameras knows the names, and nothing knows the sizes.
"""

from __future__ import annotations

import errno
import os
import re
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

Size = tuple[int, int]
"""Width and height in pixels."""

COMMON_SIZES: Final[tuple[Size, ...]] = ((640, 480), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
"""Sizes to offer if a driver does not list its own; it gives the nearest it has."""

SLOW: Final = 12.0
"""Least frame rate at which a size is used uncompressed, in frames a second."""

DEVICE = re.compile(r"/dev/(?:video\d{1,3}|v4l/by-(?:id|path)/[\w:.+-]{1,120})")
"""A webcam's path on Linux."""

Asks = Callable[[int, bytearray], None]
"""`ioctl`: the number of a request and the structure that it fills in. Raises OSError if the driver refuses."""

# struct v4l2_capability, v4l2_fmtdesc, v4l2_frmsizeenum, v4l2_frmivalenum, v4l2_queryctrl, v4l2_querymenu: the same on
# every architecture that Linux has, and so are the numbers of the requests but on a few where nobody plays.
QUERYCAP, QUERYCAP_BYTES = 0x80685600, 104
ENUM_FMT, ENUM_FMT_BYTES = 0xC0405602, 64
ENUM_FRAMESIZES, ENUM_FRAMESIZES_BYTES = 0xC02C564A, 44
ENUM_FRAMEINTERVALS, ENUM_FRAMEINTERVALS_BYTES = 0xC034564B, 52
QUERYCTRL, QUERYCTRL_BYTES = 0xC0445624, 68
QUERYMENU, QUERYMENU_BYTES = 0xC02C5625, 44

CAN_CAPTURE, SAYS_FOR_DEVICE = 0x00000001, 0x80000000
IS_CAPTURE = 1
DISCRETE = 1
EXPOSURE_MODE, MANUAL = 0x009A0901, 1
"""V4L2_CID_EXPOSURE_AUTO, and V4L2_EXPOSURE_MANUAL of its menu."""
DISABLED = 0x0001
PACKED: Final = frozenset({"MJPG", "JPEG", "H264", "HEVC"})
"""Formats that compress pictures for the cable."""
MOST: Final = 64
"""Most answers to one question, in case a driver never ends its list."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """A webcam for people to choose."""

    source: str
    """The argument of `camera_at`: a device's path, or a number."""
    name: str
    sizes: tuple[Size, ...] = ()
    """Smallest first; empty if the driver does not list them."""
    holds_exposure: bool | None = None
    """Whether the driver can hold the exposure; None if unknown."""
    rates: dict[tuple[str, Size], float] = field(default_factory=dict[tuple[str, Size], float], hash=False)
    """Frames a second of each format and size, as far as known."""


def webcams(
    devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux"), platform: str = sys.platform
) -> tuple[Webcam, ...]:
    """All webcams by number. None is started, so one that is in use is listed as well."""
    if platform != "linux":
        return _elsewhere()
    numbers = sorted(
        int(path.name[5:]) for path in devices.glob("video*") if path.name[5:].isdecimal() and len(path.name) < 9
    )  # fmt: skip
    found = (_examined(devices / f"video{number}", names / f"video{number}") for number in numbers)
    return tuple(one for one in found if one is not None)


def device_of(source: str) -> str:
    """The device of a webcam's number or path, or an empty string; a device cannot be open twice."""
    if source.isdecimal():
        source = f"/dev/video{int(source)}" if sys.platform == "linux" else source
    elif not DEVICE.fullmatch(source):
        return ""
    return os.path.realpath(source) if source.startswith("/") else source


def packed(source: int | str, size: Size) -> bool:
    """Whether a webcam is fast enough at this size only with compressed pictures (MJPG), which must be requested."""
    path = Path(device_of(str(source)) or "/nowhere")
    if sys.platform != "linux" or not path.exists():
        return False
    found = _examined(path, Path("/sys/class/video4linux") / path.name)
    return found is not None and better_packed(found, size)


def better_packed(webcam: Webcam, size: Size) -> bool:
    """The same for a webcam that is already listed."""
    plain = max(
        (rate for (kind, at), rate in webcam.rates.items() if at == size and kind not in PACKED), default=0.0
    )
    return webcam.rates.get(("MJPG", size), 0.0) > plain and plain < SLOW


def _examined(device: Path, names: Path) -> Webcam | None:
    """The webcam of a device, or None; one that cannot be opened or is busy counts as well."""
    import fcntl

    name = ""
    with suppress(OSError):
        name = (names / "name").read_text("utf-8", "replace").strip()
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as refused:
        return (
            None
            if refused.errno in (errno.ENOENT, errno.ENODEV)
            else Webcam(str(device), name or device.name)
        )
    try:
        return asked(str(device), name, lambda request, told: fcntl.ioctl(handle, request, told) and None)
    finally:
        os.close(handle)


def asked(source: str, name: str, ask: Asks) -> Webcam | None:
    """A webcam as its driver describes it; None if the device is not a webcam."""
    told = bytearray(QUERYCAP_BYTES)
    try:
        ask(QUERYCAP, told)
    except OSError:
        return None
    _driver, card, _bus, _version, all_of_it, of_device = struct.unpack_from("<16s32s32sIII", told)
    able = of_device if all_of_it & SAYS_FOR_DEVICE else all_of_it
    if not able & CAN_CAPTURE:  # the camera's second device, for metadata
        return None
    rates: dict[tuple[str, Size], float] = {}
    for format_told in _listed(ask, ENUM_FMT, ENUM_FMT_BYTES, "<II", IS_CAPTURE):
        kind = bytes(format_told[44:48]).decode("latin-1")
        for size in _sizes(ask, kind):
            rates[kind, size] = _rate(ask, kind, size)
    sizes = sorted({size for _kind, size in rates}, key=lambda size: (size[0] * size[1], size))
    called = card.split(b"\0")[0].decode("utf-8", "replace").strip() or name
    return Webcam(source, _printable(called) or source, tuple(sizes), _holds(ask), rates)


def _listed(ask: Asks, request: int, size: int, layout: str, *values: int | bytes) -> Iterator[bytearray]:
    """The driver's answers to a numbered question, until there are no more."""
    for index in range(MOST):
        told = bytearray(size)
        struct.pack_into(layout, told, 0, index, *values)
        if not _answered(ask, request, told):
            break
        yield told


def _sizes(ask: Asks, kind: str) -> tuple[Size, ...]:
    found: list[Size] = []
    for told in _listed(ask, ENUM_FRAMESIZES, ENUM_FRAMESIZES_BYTES, "<I4s", kind.encode("latin-1")):
        (way,) = struct.unpack_from("<I", told, 8)
        if way != DISCRETE:
            least_w, most_w, _by_w, least_h, most_h, _by_h = struct.unpack_from("<6I", told, 12)
            found += [(w, h) for w, h in COMMON_SIZES if least_w <= w <= most_w and least_h <= h <= most_h]
            break
        found.append(struct.unpack_from("<II", told, 12))
    return tuple(found)


def _rate(ask: Asks, kind: str, size: Size) -> float:
    """Highest frame rate in frames a second; 0 if unknown."""
    best, asked_of = 0.0, (kind.encode("latin-1"), *size)
    for told in _listed(ask, ENUM_FRAMEINTERVALS, ENUM_FRAMEINTERVALS_BYTES, "<I4sII", *asked_of):
        # A range of intervals begins with the shortest, in the place of a discrete one.
        way, over, under = struct.unpack_from("<III", told, 16)
        best = max(best, under / over if over else 0.0)
        if way != DISCRETE:
            break
    return best


def _holds(ask: Asks) -> bool:
    """Whether the driver has a manual exposure."""
    control = bytearray(QUERYCTRL_BYTES)
    struct.pack_into("<I", control, 0, EXPOSURE_MODE)
    if not _answered(ask, QUERYCTRL, control):
        return False
    (flags,) = struct.unpack_from("<I", control, 56)
    entry = bytearray(QUERYMENU_BYTES)
    struct.pack_into("<II", entry, 0, EXPOSURE_MODE, MANUAL)
    return not flags & DISABLED and _answered(ask, QUERYMENU, entry)


def _answered(ask: Asks, request: int, told: bytearray) -> bool:
    try:
        ask(request, told)
    except OSError:
        return False
    return True


def _printable(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())[:60].strip()


def _elsewhere() -> tuple[Webcam, ...]:
    """The webcams of Windows and macOS; none if the library is missing."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras  # pyright: ignore
    except ImportError:
        return ()
    found: Sequence[Any] = list(enumerate_cameras())  # pyright: ignore
    return tuple(
        Webcam(
            str(getattr(one, "index", "")), _printable(str(getattr(one, "name", ""))) or f"camera {number}"
        )
        for number, one in enumerate(found)
        if str(getattr(one, "index", "")).isdecimal()
    )
