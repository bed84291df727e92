"""Options about the camera that `serve` and `doctor` share, and the camera they mean."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cli.options import grouped
from files.folders import tables_folder
from files.secrets import Secrets
from table.cameras.choice import CameraChoice, size_of

if TYPE_CHECKING:
    from vision.camera.bounded import Bounded

MARKERS = "markers"
"""What `--region` means by the four printed markers."""


def _choice(source: str | None, size: str | None, region: str | None, lock_exposure: bool) -> CameraChoice:
    return CameraChoice(source or "", size_of(size) if size else None, lock_exposure, region=region)


looking = grouped(
    "eye", _choice,
    click.option("--lock-exposure", is_flag=True, help="Lock the exposure after two seconds, if the driver can."),
    click.option(
        "--region", metavar="CORNERS",
        help='The table\'s part of the picture: four corners as shares ("0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"), or '
        "markers, to look for the four of `tableside print markers`.",
    ),
    click.option("--size", metavar="1920x1080", help="The resolution to ask the camera for."),
    click.option(
        "--camera", "source", envvar="TABLESIDE_CAMERA", metavar="0|URL|FILE|phone|demo",
        help="A webcam's number or device, a stream's URL, a video, a folder of pictures, phone, or demo.  "
        "[default: the one chosen last]",
    ),
)  # fmt: skip
"""The camera in use, and the part of its image that is read: the command gets it as `eye`."""


def without_secret(eye: CameraChoice) -> CameraChoice:
    """The choice as it is saved and shown: the secret part of its address is moved to `files.secrets`.

    If that cannot be written, it stays unchanged for this run only. Raises SecretsError.
    """
    with suppress(OSError):
        return replace(eye, source=Secrets(tables_folder()).keep_apart("camera", eye.source))
    return eye


def camera_of(eye: CameraChoice) -> Bounded:
    """Make the chosen camera without opening it. Raises ValueError or CameraError if there is no such camera."""
    from vision.camera import camera_at
    from vision.camera.bounded import Bounded
    from vision.region import region_at

    camera = camera_at(eye.source, size=eye.size, lock_exposure=eye.lock_exposure, strict=eye.strict)
    found = region_at(eye.region) if eye.region not in (None, MARKERS) else None
    return Bounded(camera, found, markers=eye.region == MARKERS)
