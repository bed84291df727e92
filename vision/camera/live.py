"""A webcam or a network stream through OpenCV: always the newest frame, and an error if none arrives."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import cv2
import numpy as np

from files.secrets import shown_path
from vision.camera.source import CameraError
from vision.camera.streams import opened_stream
from vision.camera.webcams import packed
from vision.frame import Frame

ANSWERS_WITHIN = 3.0
"""A camera that gives no picture for so many seconds counts as unplugged."""

EXPOSURE_SETTLES = 2.0
"""Seconds of automatic exposure before it is locked."""

MANUAL_EXPOSURE = 1.0
"""V4L2's value for manual exposure (V4L2_EXPOSURE_MANUAL), which OpenCV passes on."""


class Capture(Protocol):
    """The methods of cv2.VideoCapture that are used here."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802
    def grab(self) -> bool: ...  # noqa: D102
    def retrieve(self) -> tuple[bool, Any]: ...  # noqa: D102
    def get(self, propId: int, /) -> float: ...  # noqa: D102, N803
    def set(self, propId: int, value: float, /) -> bool: ...  # noqa: D102, N803
    def release(self) -> None: ...  # noqa: D102


def said(source: int | str) -> str:
    """A camera's name for people: of a stream's address the scheme, host, port and the path until it may contain a
    password. No other place decides how much of an address is shown."""
    if isinstance(source, int):
        return f"camera {source}"
    scheme, mark, rest = source.partition("://")
    if not mark:  # a file, or a stream without a scheme
        drive = re.match(r"[A-Za-z]:(?=[\\/])|", source)
        start = drive[0] if drive else ""
        return start + _until_secret(re.sub(r"^[^/\s]*:[^/\s]*@", "", source.removeprefix(start)))
    try:
        parts = urlsplit(source)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return "…"
    if not scheme.isalnum() or not host or "@" in unquote(rest.removeprefix(parts.netloc)):
        return "…"  # the apparent host may be part of a password
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{port}{_until_secret(parts.path)}"


def _until_secret(path: str) -> str:
    """The folders of a path before the first that may contain a password, with a mark in its place."""
    shown = shown_path(path)
    return path if shown == path else f"{shown}…"


class LiveCamera:
    """A webcam by its number or path, or a network stream by its URL.

    A thread takes every frame from the driver, so that none gets old in a buffer and the newest shows the table as it
    is now. Only frames that are read are decoded.
    """

    live = True

    def __init__(
        self,
        source: int | str,
        *,
        size: tuple[int, int] | None = None,
        lock_exposure: bool = False,
        strict: bool = False,
        opener: Callable[[int | str], Capture] | None = None,
    ) -> None:
        """Ask for a resolution (by default 1280 × 720); the driver gives the nearest it has. Nothing is opened yet.

        With `lock_exposure`, automatic exposure ends after two seconds if the driver supports it (`exposure_locked`).
        With `strict`, a stream may not redirect to another address (`vision.camera.streams`). `opener` is for tests.
        """
        self.name = said(source)
        self._source = source
        self._size = size or (1280, 720)
        self._lock_exposure = lock_exposure
        self._opener = opener or partial(_opened, strict)
        self.exposure_locked: bool | None = None
        """None until it has been tried."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._wanted = False
        self._latest: Frame | None = None
        self._ended = False
        self._number = 0

    def open(self) -> None:
        """Start the camera.

        Raises:
            CameraError: it does not exist, or another program uses it.
        """
        self.close()
        capture = self._opener(self._source)
        if not capture.isOpened():
            capture.release()
            raise CameraError(
                "{camera} does not open; is the camera plugged in, and is no other program using it?", camera=self.name
            )
        if isinstance(self._source, int) or self._source.startswith("/dev/"):
            if packed(self._source, self._size):
                capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._latest, self._ended, self._wanted = None, False, False
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._take, args=(capture, self._stopping), name="camera", daemon=True
        )
        self._thread.start()

    def read(self) -> Frame | None:
        """The next frame, or None if the stream has ended.

        Raises:
            CameraError: it is not open, or no frame arrived for `ANSWERS_WITHIN` seconds.
        """
        if self._thread is None:
            raise CameraError("{camera} is not open", camera=self.name)
        with self._changed:
            self._wanted = True
            came = self._changed.wait_for(
                lambda: self._latest is not None or self._ended, timeout=ANSWERS_WITHIN
            )
            frame, self._latest = self._latest, None
            self._wanted = False
        if not came:
            raise CameraError("{camera} sends no image; is the camera still plugged in?", camera=self.name)
        return frame

    def close(self) -> None:
        """Close the camera; closing twice is fine. A driver that hangs is left to its thread."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=1.0)
            self._thread = None
        self._latest = None

    def _take(self, capture: Capture, stopping: threading.Event) -> None:
        """Take frames until told to stop; decode one if it is wanted."""
        began = time.monotonic()
        try:
            while not stopping.is_set():
                if not capture.grab():
                    break
                taken = time.monotonic()
                if self._lock_exposure and self.exposure_locked is None and taken - began > EXPOSURE_SETTLES:
                    self.exposure_locked = _hold_exposure(capture)
                with self._changed:
                    wanted = self._wanted and self._latest is None
                if not wanted:
                    continue
                came, pixels = capture.retrieve()
                if not came:
                    break
                frame = Frame(np.asarray(pixels, np.uint8), self._number, taken, self.name)
                with self._changed:
                    if stopping.is_set():
                        break
                    self._number += 1
                    self._latest = frame
                    self._changed.notify_all()
        finally:
            capture.release()
            if not stopping.is_set():
                with self._changed:
                    self._ended = True
                    self._changed.notify_all()


def _opened(strict: bool, source: int | str) -> Capture:
    if isinstance(source, int):
        return cv2.VideoCapture(source)
    if source.startswith("/dev/"):
        return cv2.VideoCapture(source, cv2.CAP_V4L2)
    return opened_stream(source, strict=strict, answers_within=ANSWERS_WITHIN)


def _hold_exposure(capture: Capture) -> bool:
    """Hold the exposure where it is; whether the driver did so."""
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    if not capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE):
        return False
    capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
    return capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL_EXPOSURE
