"""Options about the camera that `serve` and `doctor` share, and the camera they mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from table.cameras.choice import Choice
    from table.ports import Camera

Decorated = Callable[..., Any]

MARKERS = "markers"
"""What `--region` means by the four printed markers."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Which camera, and how it is set up; empty or None for what was left open."""

    source: str | None = None
    size: str | None = None
    region: str | None = None
    lock_exposure: bool = False
    strict: bool = False
    """A stream that another device than the table's computer named in a page, the last time."""

    def setup(self) -> dict[str, Any]:
        """What is kept with a match, so that the next can be the same."""
        told = {"camera": self.source, "size": self.size, "region": self.region}
        return {key: value for key, value in told.items() if value} | (
            {key: True for key in ("lock_exposure", "strict") if getattr(self, key)}
        )

    def or_remembered(self, chosen: Choice | None) -> Eye:
        """This eye; where no camera is named, or the same one, with what was chosen the last time."""
        if chosen is None or self.source not in (None, chosen.source):
            return self
        return self.after(chosen.setup())

    @property
    def choice(self) -> Choice:
        """What people see as chosen on the page Camera."""
        from table.cameras.choice import Choice

        region = None if self.region == MARKERS else self.region
        return Choice(self.source or "demo", _size(self.size), self.lock_exposure, self.strict, region)

    def after(self, setup: Mapping[str, Any]) -> Eye:
        """This eye, with what was left open as it was last time."""
        told = {key: str(setup[key]) for key in ("camera", "size", "region") if setup.get(key)}
        return Eye(
            self.source or told.get("camera"),
            self.size or told.get("size"),
            self.region or told.get("region"),
            self.lock_exposure or setup.get("lock_exposure") is True,
            (self.strict or setup.get("strict") is True) and self.source in (None, told.get("camera")),
        )


def looking(command: Decorated) -> Decorated:
    """Which camera looks at the table, and at which part of its picture."""

    @functools.wraps(command)
    def with_an_eye(**options: Any) -> Any:
        names = ("source", "size", "region", "lock_exposure")
        return command(eye=Eye(**{name: options.pop(name) for name in names}), **options)

    decorated: Decorated = with_an_eye
    for option in (
        click.option("--lock-exposure", is_flag=True, help="Hold the exposure after two seconds, if the driver can."),
        click.option(
            "--region", metavar="CORNERS",
            help='The table\'s part of the picture: four corners as shares ("0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"), or '
            "markers, to look for the four of `tableside print markers`.",
        ),
        click.option("--size", metavar="1920x1080", help="The resolution to ask of the camera."),
        click.option(
            "--camera", "source", envvar="TABLESIDE_CAMERA", metavar="0|URL|FILE|phone|demo",
            help="A webcam's number or device, a stream's URL, a video, a folder of pictures, phone, or demo.  "
            "[default: the one chosen last]",
        ),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated


def camera_of(eye: Eye) -> Camera:
    """The camera that is meant, not opened yet. Raises ValueError or CameraError for what is none."""
    from vision.camera import camera_at
    from vision.camera.bounded import Bounded
    from vision.region import region_at

    camera = camera_at(
        eye.source or "", size=_size(eye.size), lock_exposure=eye.lock_exposure, strict=eye.strict
    )
    found = region_at(eye.region) if eye.region not in (None, MARKERS) else None
    return Bounded(camera, found, markers=eye.region == MARKERS)


def _size(text: str | None) -> tuple[int, int] | None:
    from table.cameras.choice import size_of

    return None if text is None else size_of(text)
