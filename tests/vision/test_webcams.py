"""Webcams as drivers tell of them; the structures are the kernel's, filled in here as a driver fills them in."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest

from vision.camera import webcams
from vision.camera.webcams import asked, better_packed, device_of

Formats = dict[str, dict[tuple[int, int], float]]
"""Frames a second of each size of each format."""

LOGITECH: Formats = {
    "YUYV": {(640, 480): 30.0, (1920, 1080): 5.0, (1280, 720): 10.0},
    "MJPG": {(640, 480): 30.0, (1280, 720): 30.0, (1920, 1080): 30.0},
}


class Driver:
    """Answers as a driver does."""

    def __init__(
        self, formats: Formats, *, able: int = 0x04200001, manual: bool = True, stepwise: bool = False
    ) -> None:
        self.formats, self.able, self.manual, self.stepwise = formats, able, manual, stepwise

    def __call__(self, request: int, told: bytearray) -> None:
        no = OSError(errno.EINVAL, "no more")
        kinds = list(self.formats)
        if request == webcams.QUERYCAP:
            struct.pack_into(
                "<16s32s32sIII", told, 0, b"uvcvideo", b"HD Pro\x07 Webcam", b"usb", 1, 0x84200001, self.able
            )
        elif request == webcams.ENUM_FMT:
            index, kind = struct.unpack_from("<II", told)
            if kind != 1 or index >= len(kinds):
                raise no
            told[44:48] = kinds[index].encode()
        elif request == webcams.ENUM_FRAMESIZES:
            index, kind = struct.unpack_from("<I4s", told)
            sizes = list(self.formats[kind.decode()])
            if self.stepwise and index == 0:
                struct.pack_into("<I6I", told, 8, 3, 160, 1920, 8, 120, 1080, 8)
                return
            if index >= len(sizes):
                raise no
            struct.pack_into("<III", told, 8, 1, *sizes[index])
        elif request == webcams.ENUM_FRAMEINTERVALS:
            index, kind, width, height = struct.unpack_from("<I4sII", told)
            rate = self.formats[kind.decode()].get((width, height))
            if index or rate is None:
                raise no
            struct.pack_into("<III", told, 16, 1, 10, int(10 * rate))
        elif request == webcams.QUERYCTRL:
            if not self.manual:
                raise no
        elif request == webcams.QUERYMENU:
            control, index = struct.unpack_from("<II", told)
            assert (control, index) == (0x009A0901, 1)
        else:
            raise AssertionError(hex(request))


def test_a_webcam_tells_its_name_its_sizes_and_its_exposure():
    found = asked("/dev/video0", "uvc", Driver(LOGITECH))
    assert found is not None
    assert (found.source, found.name) == ("/dev/video0", "HD Pro Webcam"), (
        "nothing unprintable reaches a page"
    )
    assert found.sizes == ((640, 480), (1280, 720), (1920, 1080))
    assert found.holds_exposure is True
    fixed = asked("/dev/video0", "uvc", Driver(LOGITECH, manual=False))
    assert fixed is not None
    assert fixed.holds_exposure is False
    assert found.rates["YUYV", (1920, 1080)] == 5.0
    scaling = asked("/dev/video0", "", Driver({"YUYV": {}}, stepwise=True))
    assert scaling is not None
    assert scaling.sizes == found.sizes, "the common sizes that it can scale to"


def test_a_size_that_is_slow_uncompressed_is_asked_for_compressed():
    found = asked("/dev/video0", "", Driver(LOGITECH))
    assert found is not None
    assert [better_packed(found, size) for size in found.sizes] == [False, True, True]
    plain = asked("/dev/video0", "", Driver({"YUYV": LOGITECH["YUYV"]}))
    assert plain is not None
    assert not better_packed(plain, (1920, 1080))


def test_what_is_no_webcam_is_none():
    assert asked("/dev/video1", "", Driver(LOGITECH, able=0x04A00000)) is None, (
        "a camera's device for metadata"
    )

    def deaf(request: int, told: bytearray) -> None:
        raise OSError(errno.ENOTTY, "not a video device")

    assert asked("/dev/video1", "", deaf) is None


def test_a_driver_that_never_ends_is_not_listened_to_for_ever():
    class Endless(Driver):
        def __call__(self, request: int, told: bytearray) -> None:
            if request == webcams.ENUM_FMT:
                told[44:48] = b"YUYV"
            elif request != webcams.ENUM_FRAMEINTERVALS:
                super().__call__(request, told)

    found = asked("/dev/video0", "", Endless(LOGITECH))
    assert found is not None
    assert len(found.rates) == 3


def test_devices_are_found_by_number_and_named_though_they_may_not_be_opened(tmp_path: Path):
    devices, names = tmp_path / "dev", tmp_path / "names"
    devices.mkdir()
    for number in (0, 10, 2):
        (names / f"video{number}").mkdir(parents=True)
        (names / f"video{number}" / "name").write_text(f"Camera {number}\n")
        (devices / f"video{number}").write_bytes(b"")  # no device: every question is refused
    (devices / "videoother").write_bytes(b"")
    assert webcams.webcams(devices, names, "linux") == ()
    assert webcams.webcams(tmp_path / "none", names, "linux") == ()


@pytest.mark.parametrize(
    ("source", "device"),
    [("0", "/dev/video0"), ("007", "/dev/video7"), ("/dev/video3", "/dev/video3"), ("rtsp://x/1", ""), ("demo", ""),
     ("/dev/sda", ""), ("/home/me/film.mp4", ""), ("phone", "")],
)  # fmt: skip
def test_which_sources_are_one_device(source: str, device: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(webcams.sys, "platform", "linux")
    assert device_of(source) == device
