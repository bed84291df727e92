"""Cameras: where frames come from. Each has `name`, `live`, `open`, `read` and `close` (`table.ports.Camera`).

`read` waits for the next frame, returns None if no more will come, and raises CameraError if a live camera stops
answering. A camera that failed may be opened again.
"""

from __future__ import annotations

from pathlib import Path

import cv2

from files.folders import tables_folder
from files.secrets import Secrets
from vision.camera.live import LiveCamera, said
from vision.camera.pushed import PushedFrames
from vision.camera.recorded import VIDEO_ENDINGS, PictureFolder, VideoFile
from vision.camera.source import CameraError
from vision.camera.streams import SCHEMES

__all__ = ["CameraError", "LiveCamera", "PictureFolder", "PushedFrames", "VideoFile", "camera_at"]

# People are told in words what is wrong with a camera; OpenCV's own messages are for programmers.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

AnyCamera = LiveCamera | VideoFile | PictureFolder | PushedFrames


def camera_at(
    source: str, *, size: tuple[int, int] | None = None, lock_exposure: bool = False, strict: bool = False
) -> AnyCamera:
    """The camera that a person means: a number, a device path, a URL, a video file, a folder of pictures, or "phone".

    The part of a URL that is kept in `files.secrets` is put back into it.

    `size` (width, height) and `lock_exposure` are for live cameras, as far as their drivers go; `strict` is for
    streams (`vision.camera.streams`).

    Raises:
        CameraError: there is no such camera.
        SecretsError: the file with its password cannot be read.
    """
    if source.isdecimal():
        return LiveCamera(int(source), size=size, lock_exposure=lock_exposure)
    scheme, mark, _rest = source.partition("://")
    if mark and scheme.lower() not in SCHEMES:
        raise CameraError(
            "a camera address starts with {schemes:ids}, unlike {got:quoted}", schemes=SCHEMES, got=said(source)[:40]
        )
    if mark or source.startswith("/dev/"):
        address = Secrets(tables_folder()).complete("camera", source)
        return LiveCamera(address, size=size, lock_exposure=lock_exposure, strict=strict)
    if source == "phone":
        return PushedFrames()
    path = Path(source).expanduser()
    if path.is_dir():
        return PictureFolder(path)
    if path.suffix.lower() in VIDEO_ENDINGS:
        return VideoFile(path)
    raise CameraError(
        "{got:quoted} is not a camera: give a camera number, a device, a URL, phone, a video or a "
        "folder of pictures",
        got=said(source),
    )
