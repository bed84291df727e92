"""Recordings as cameras: a video, or a folder of pictures."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from vision.camera.source import CameraError
from vision.camera.streams import options
from vision.frame import Frame

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp"})
VIDEO_ENDINGS = frozenset({".mp4", ".mkv", ".mov", ".avi", ".webm", ".m4v", ".mjpeg"})


class VideoFile:
    """A recorded video. Frames carry the recording's times; if `paced`, they also arrive at those times."""

    live = False
    """Its frames wait to be read: none is lost while nobody reads, and a still picture is no fault."""

    def __init__(self, path: Path, *, paced: bool = True) -> None:
        """Do not open anything yet."""
        self.name = path.name
        self._path = path
        self._paced = paced
        self._capture: cv2.VideoCapture | None = None
        self._started = 0.0
        self._number = 0
        self._rate = 30.0

    def open(self) -> None:
        """Open the file.

        Raises:
            CameraError: there is no such file, or it is not a video that OpenCV can read.
        """
        if not self._path.is_file():
            raise CameraError("{camera} is not a file", camera=str(self._path))
        with options(""):  # not the options of a stream that is being opened at the same time
            capture = cv2.VideoCapture(str(self._path))
        if not capture.isOpened():
            capture.release()
            raise CameraError("{camera} is not a video that Tableside can read", camera=str(self._path))
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 1.0 <= rate <= 240.0 else 30.0
        self._capture = capture
        self._number = 0
        self._started = time.monotonic()

    def read(self) -> Frame | None:
        """The next frame, or None at the end."""
        if self._capture is None:
            raise CameraError("{camera} is not open", camera=str(self._path))
        came, pixels = self._capture.read()
        if not came:
            return None
        due = self._started + self._number / self._rate
        if self._paced:
            time.sleep(max(0.0, due - time.monotonic()))
        frame = Frame(np.asarray(pixels, np.uint8), self._number, due, self.name)
        self._number += 1
        return frame

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class PictureFolder:
    """A folder of pictures, which are shown for a while each, in the order of their names."""

    live = False
    """Its frames wait to be read: none is lost while nobody reads, and a still picture is no fault."""

    def __init__(self, folder: Path, *, seconds: float = 1.0, rate: float = 10.0, paced: bool = True) -> None:
        """Show each picture for `seconds` at `rate` frames a second."""
        self.name = folder.name
        self._folder = folder
        self._each = max(1, round(seconds * rate))
        self._rate = rate
        self._paced = paced
        self._paths: list[Path] = []
        self._shown: tuple[int, Frame] | None = None
        self._started = 0.0
        self._number = 0

    def open(self) -> None:
        """List the folder.

        Raises:
            CameraError: there is no such folder, or it contains no picture.
        """
        if not self._folder.is_dir():
            raise CameraError("{camera} is not a folder", camera=str(self._folder))
        self._paths = sorted(p for p in self._folder.iterdir() if p.suffix.lower() in PICTURE_ENDINGS)
        if not self._paths:
            raise CameraError("{camera} contains no JPEG, PNG or WebP picture", camera=str(self._folder))
        self._shown = None
        self._number = 0
        self._started = time.monotonic()

    def read(self) -> Frame | None:
        """The next frame, or None after the last picture; unreadable pictures are skipped."""
        while True:
            index = self._number // self._each
            if index >= len(self._paths):
                return None
            due = self._started + self._number / self._rate
            if self._shown is None or self._shown[0] != index:
                pixels = cv2.imread(str(self._paths[index]), cv2.IMREAD_COLOR)
                if pixels is None:
                    del self._paths[index]
                    continue
                self._shown = (index, Frame(np.asarray(pixels, np.uint8), 0, due, self._paths[index].name))
            if self._paced:
                time.sleep(max(0.0, due - time.monotonic()))
            shown = self._shown[1]
            frame = Frame(shown.pixels, self._number, due, shown.source)
            self._number += 1
            return frame

    def close(self) -> None:
        """Forget the pictures; closing twice is fine."""
        self._paths = []
        self._shown = None
