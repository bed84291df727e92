"""Opens network streams, and nothing else, whatever the other end sends.

A stream may be a playlist that names another machine or a file on this computer. FFmpeg follows it only with the
protocols that are allowed here, and files are not among them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

import cv2

SCHEMES = ("rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "srt", "rtp", "udp", "tcp")
"""Schemes that a stream's address may have."""

OPENS_WITHIN = 8.0
"""Within how many seconds a stream must open."""

VARIABLE = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""OpenCV's only way to pass options to FFmpeg, for the whole process: "option;value|option;value"."""

NETWORK = "protocol_whitelist;http,https,httpproxy,tcp,tls,crypto,rtp,srtp,udp,rtsp,rtsps,rtmp,rtmps,srt"
STRICT = "max_redirects;0|format_whitelist;rtsp,rtp,sdp,mpjpeg,mjpeg,jpeg_pipe,mpegts,flv,h264,hevc"
"""No redirection, and only formats that name no other address."""
PREFERRED = "rtsp_flags;prefer_tcp"
"""OpenCV's own options if the variable is not set, as UDP loses parts of pictures in a busy network."""

_opening = threading.Lock()


def opened_stream(address: str, *, strict: bool, answers_within: float) -> cv2.VideoCapture:
    """Open the stream at an address; `isOpened` of the result says whether that worked.

    With `strict`, FFmpeg contacts no other address: it follows neither redirections nor playlists.
    """
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(1000 * OPENS_WITHIN),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(1000 * answers_within),
    ]  # fmt: skip
    with options("|".join((PREFERRED, NETWORK, *([STRICT] if strict else [])))):
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)


@contextmanager
def options(told: str) -> Generator[None]:
    """Within this context FFmpeg opens with these options, after any that the environment sets; without options of
    ours if `told` is empty. Only one thread opens at a time, since all of them share the variable."""
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
