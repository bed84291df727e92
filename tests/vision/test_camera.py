"""Cameras: recorded ones give what they hold, absent ones say so in one line."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, LiveCamera, PictureFolder, VideoFile, camera_at


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


def test_a_source_is_understood_as_a_person_means_it(tmp_path: Path):
    assert isinstance(camera_at("0"), LiveCamera)
    assert isinstance(camera_at("rtsp://camera.local/live"), LiveCamera)
    assert isinstance(camera_at("/dev/video2"), LiveCamera)
    assert isinstance(camera_at("throws.MP4"), VideoFile)
    assert isinstance(camera_at(str(tmp_path)), PictureFolder)
    with pytest.raises(CameraError, match="'kitchen'"):
        camera_at("kitchen")
