"""Cameras: recorded ones give what they hold, absent ones say so in one line."""

from __future__ import annotations

import io
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.waiting import soon
from vision.camera import CameraError, LiveCamera, PictureFolder, PushedFrames, VideoFile, camera_at
from vision.camera.live import said
from vision.camera.pushed import PictureRefusedError


def picture(folder: Path, name: str, level: int) -> Path:
    path = folder / name
    cv2.imwrite(str(path), np.full((24, 32, 3), level, np.uint8))
    return path


def video(path: Path, frames: int = 12) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 24.0, (32, 24))
    for level in range(frames):
        writer.write(np.full((24, 32, 3), 10 * level, np.uint8))
    writer.release()
    return path


def test_a_folder_shows_each_picture_in_order_and_passes_over_what_is_none(tmp_path: Path):
    picture(tmp_path, "b.png", 200)
    picture(tmp_path, "a.png", 100)
    (tmp_path / "ab.png").write_bytes(b"not a picture")
    (tmp_path / "notes.txt").write_text("nor this")
    camera = PictureFolder(tmp_path, seconds=0.3, rate=10, paced=False)
    camera.open()
    frames = list(iter(camera.read, None))
    camera.close()
    assert [(frame.source, int(frame.pixels[0, 0, 0])) for frame in frames] == [("a.png", 100)] * 3 + [
        ("b.png", 200)
    ] * 3
    assert [frame.number for frame in frames] == list(range(6))
    assert frames[-1].taken - frames[0].taken == pytest.approx(0.5)


def test_a_video_gives_every_frame_on_its_own_clock(tmp_path: Path):
    camera = VideoFile(video(tmp_path / "throw.avi"), paced=False)
    camera.open()
    frames = list(iter(camera.read, None))
    camera.close()
    camera.close()
    assert len(frames) == 12
    assert frames[11].taken - frames[0].taken == pytest.approx(11 / 24)


@pytest.mark.parametrize("content", [None, b"", b"RIFF but no video"], ids=["missing", "empty", "rubbish"])
def test_a_video_that_is_none_is_refused(
    tmp_path: Path, content: bytes | None, capfd: pytest.CaptureFixture[str]
):
    path = tmp_path / "throw.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CameraError, match=r"throw\.mp4"):
        VideoFile(path).open()
    capfd.readouterr()


def test_an_absent_folder_and_an_empty_one_are_refused(tmp_path: Path):
    with pytest.raises(CameraError, match="not a folder"):
        PictureFolder(tmp_path / "none").open()
    with pytest.raises(CameraError, match="no JPEG"):
        PictureFolder(tmp_path).open()


def test_an_absent_webcam_is_refused(capfd: pytest.CaptureFixture[str]):
    camera = LiveCamera(97)
    with pytest.raises(CameraError, match="camera 97 does not open"):
        camera.open()
    with pytest.raises(CameraError, match="not open"):
        camera.read()
    camera.close()
    capfd.readouterr()


class Driver:
    """A webcam's driver: gives frames that tell their number, hangs or ends when told."""

    def __init__(self, *, ends_after: int | None = None, manual: bool = True) -> None:
        self.grabbed = 0
        self.decoded = 0
        self.released = False
        self.hangs = threading.Event()
        self.values = {cv2.CAP_PROP_EXPOSURE: 166.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self._ends_after = ends_after
        self._manual = manual

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        time.sleep(0.005)
        while self.hangs.is_set() and not self.released:
            time.sleep(0.005)
        self.grabbed += 1
        return self._ends_after is None or self.grabbed <= self._ends_after

    def retrieve(self):
        self.decoded += 1
        return True, np.full((24, 32, 3), self.grabbed % 256, np.uint8)

    def get(self, what: int) -> float:
        return self.values.get(what, 0.0)

    def set(self, what: int, value: float) -> bool:
        if what == cv2.CAP_PROP_AUTO_EXPOSURE and not self._manual:
            return False
        self.values[what] = value
        return True

    def release(self) -> None:
        self.released = True


def live(driver: Driver, **how) -> LiveCamera:
    return LiveCamera(0, opener=lambda _: driver, **how)


def test_a_live_camera_gives_the_newest_frame_and_decodes_no_other():
    driver = Driver()
    camera = live(driver)
    camera.open()
    first = camera.read()
    seen = driver.grabbed
    assert soon(lambda: driver.grabbed > seen + 10)
    second = camera.read()
    camera.close()
    assert first is not None
    assert second is not None
    assert int(second.pixels[0, 0, 0]) - int(first.pixels[0, 0, 0]) > 5
    assert second.taken > first.taken
    assert driver.decoded == 2
    assert driver.released
    assert driver.values[cv2.CAP_PROP_FRAME_WIDTH] == 1280


def test_a_camera_that_hangs_is_said_and_one_that_ends_ends(monkeypatch: pytest.MonkeyPatch):
    driver = Driver()
    camera = live(driver)
    camera.open()
    assert camera.read() is not None
    driver.hangs.set()
    with monkeypatch.context() as patch:
        patch.setattr("vision.camera.live.ANSWERS_WITHIN", 0.1)
        with pytest.raises(CameraError, match=r"camera 0 sends no image; is the camera still plugged in\?"):
            list(iter(camera.read, None))
    driver.hangs.clear()
    camera.close()
    ending = live(Driver(ends_after=1))
    ending.open()
    frames = [ending.read() for _ in range(3)]
    assert frames[-1] is None
    ending.close()


@pytest.mark.parametrize("manual", [True, False], ids=["can", "cannot"])
def test_exposure_is_locked_where_the_driver_can(monkeypatch: pytest.MonkeyPatch, manual: bool):
    monkeypatch.setattr("vision.camera.live.EXPOSURE_SETTLES", 0.02)
    driver = Driver(manual=manual)
    camera = live(driver, lock_exposure=True, size=(1920, 1080))
    camera.open()
    assert soon(lambda: camera.exposure_locked is not None)
    camera.close()
    assert camera.exposure_locked is manual
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 166.0
    assert driver.values[cv2.CAP_PROP_FRAME_HEIGHT] == 1080


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://me:secret@10.0.0.7:554/live?token=x", "rtsp://10.0.0.7:554/live"),
        ("http://cam/video?user=admin&pwd=secret", "http://cam/video"),
        ("http://cam/video?token=secret#secret", "http://cam/video"),
        ("rtsp://cam/user=admin_password=secret_channel=1", "rtsp://cam/…"),
        ("rtsp://cam/h264/me:secret/ch1", "rtsp://cam/h264/…"),
        ("rtsp://cam/live%3Fpwd%3Dsecret", "rtsp://cam/…"),
        ("http://me:sec@ret@cam/x", "http://cam/x"),
        ("rtsp://me:12/secret@cam/x", "…"),
        ("rtsp://me:12?secret@cam/x", "…"),
        ("rtsp://me:pa/secret@cam/x", "…"),
        ("http://me:secret@[::1", "…"),
        ("me:secret@cam/x", "cam/x"),
        ("me:secret@cam?x=rtsp://cam", "…"),
        ("http://me:secret@[fd00::7]:80/x", "http://[fd00::7]:80/x"),
        ("http:/cam/live?token=secret", "…"),
        ("cam/live?token=secret", "cam/…"),
        ("/home/ann/film@home.mp4", "/home/ann/film@home.mp4"),
        ("C:\\films\\one.mp4", "C:\\films\\one.mp4"),
    ],
)
def test_what_is_shown_of_an_address_holds_no_password(address: str, shown: str):
    assert said(address) == shown
    with pytest.raises(CameraError) as refused:
        camera_at(f"{address}:no camera".replace("://", "x://"))
    assert "secret" not in str(refused.value)


def jpeg(width: int = 320, height: int = 240, level: int = 90) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), level, np.uint8))[1])


def test_a_phones_newest_picture_is_read(monkeypatch: pytest.MonkeyPatch):
    camera = PushedFrames()
    assert not camera.push(b"not even looked at")
    camera.open()
    assert camera.push(jpeg(level=10))
    assert camera.push(jpeg(level=200))
    frame = camera.read()
    assert frame is not None
    assert frame.pixels.shape == (240, 320, 3)
    assert abs(int(frame.pixels[0, 0, 0]) - 200) < 4
    monkeypatch.setattr("vision.camera.pushed.ANSWERS_WITHIN", 0.05)
    with pytest.raises(CameraError, match=r"the phone sends no images; is its camera page still open\?"):
        camera.read()
    camera.close()
    assert camera.read() is None


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (b"", "empty"),
        (b"<html>", "JPEG or WebP"),
        (jpeg()[:400], "damaged"),
        (jpeg(4, 4), "4×4"),
        (b"\xff\xd8" + bytes(5 * 2**20), "4 MiB"),
    ],
    ids=["empty", "html", "cut", "tiny", "huge"],
)
def test_what_a_phone_would_not_send_is_refused(picture: bytes, words: str):
    camera = PushedFrames()
    camera.open()
    with pytest.raises(PictureRefusedError, match=words):
        camera.push(picture)


def test_a_picture_that_claims_to_be_enormous_is_refused_unread():
    claims = io.BytesIO()
    Image.new("RGB", (64, 64)).save(claims, "WEBP", lossless=True)
    enormous = io.BytesIO()
    Image.new("1", (9000, 9000)).convert("L").save(enormous, "JPEG", quality=1)
    camera = PushedFrames()
    camera.open()
    assert camera.push(claims.getvalue())
    with pytest.raises(PictureRefusedError, match="9000×9000"):
        camera.push(enormous.getvalue())


def test_a_source_is_understood_as_a_person_means_it(tmp_path: Path):
    assert isinstance(camera_at("0"), LiveCamera)
    assert isinstance(camera_at("rtsp://camera.local/live"), LiveCamera)
    assert isinstance(camera_at("/dev/video2"), LiveCamera)
    assert isinstance(camera_at("throws.MP4"), VideoFile)
    assert isinstance(camera_at(str(tmp_path)), PictureFolder)
    assert isinstance(camera_at("phone"), PushedFrames)
    with pytest.raises(CameraError, match="“kitchen”"):
        camera_at("kitchen")
