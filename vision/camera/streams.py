"""Opens a network stream, and nothing but a network stream, whatever its other end sends.

A stream may be a list that names other places: another machine, or a file of this computer. FFmpeg follows such lists
only as far as the protocols go that it is told of here, and files are none of them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

import cv2

SCHEMES = ("rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "srt", "rtp", "udp", "tcp")
"""What a stream's address may begin with."""

OPENS_WITHIN = 8.0
"""Seconds a network stream has to open."""

VARIABLE = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""The only way OpenCV offers to tell FFmpeg anything: "option;value|option;value", for the whole process."""

NETWORK = "protocol_whitelist;http,https,httpproxy,tcp,tls,crypto,rtp,srtp,udp,rtsp,rtsps,rtmp,rtmps,srt"
STRICT = "max_redirects;0|format_whitelist;rtsp,rtp,sdp,mpjpeg,mjpeg,jpeg_pipe,mpegts,flv,h264,hevc"
"""No going on to another address, and only formats that name none."""
PREFERRED = "rtsp_flags;prefer_tcp"
"""What OpenCV says itself where the variable is not set: UDP loses half pictures in a busy network."""

_opening = threading.Lock()


def opened_stream(address: str, *, strict: bool, answers_within: float) -> cv2.VideoCapture:
    """Open the stream at an address; whether it opened, its `isOpened` says.

    With `strict` FFmpeg goes nowhere but to this address: no redirection, and no list of other places.
    """
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(1000 * OPENS_WITHIN),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(1000 * answers_within),
    ]  # fmt: skip
    with options("|".join((PREFERRED, NETWORK, *([STRICT] if strict else [])))):
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)


@contextmanager
def options(told: str) -> Generator[None]:
    """While this lasts FFmpeg opens with these options, after those the person who started us may have set; with no
    option of ours where `told` is empty. One opens at a time, because the variable is everybody's."""
    with _opening:
        before = os.environ.get(VARIABLE)
        chosen = "|".join(part for part in (before, told) if part)
        try:
            if chosen:
                os.environ[VARIABLE] = chosen
            yield
        finally:
            if before is None:
                os.environ.pop(VARIABLE, None)
            else:
                os.environ[VARIABLE] = before
