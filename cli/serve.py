"""`tableside serve`: the dashboard on a real camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cli.listening import Binding, listening
from cli.looking import MARKERS, camera_of, looking, without_secret
from cli.outlets import Outlet, telling
from cli.serving import ServeRequest, playing, sit_down
from files.folders import tables_folder
from table.cameras.choice import DEMO, CameraChoice, ChosenCamera, choice_of

if TYPE_CHECKING:
    from web.program import Program


@click.command(name="serve")
@looking
@playing
@telling
@listening
def command(asked: ServeRequest, outlets: tuple[Outlet, ...], eye: CameraChoice, bound: Binding) -> None:
    """Serve the dashboard with the camera over your table."""
    chosen = ChosenCamera(tables_folder(), asked.place)
    eye = like_last_time(eye, chosen)
    if not eye.source and not asked.again and asked.resume is None:
        raise click.UsageError("say which camera: --camera 0, a URL, a file, or demo")
    if eye.source not in ("", DEMO):
        camera_of(eye)  # what is no camera is refused before a match begins
    serve_camera(asked, outlets, eye, bound, remember=chosen)


def like_last_time(eye: CameraChoice, chosen: ChosenCamera) -> CameraChoice:
    """The requested camera with its last setup, without the secret part of its address.

    Raises SettingsError, SecretsError, OSError.
    """
    eye, last = without_secret(eye), chosen.read()
    if last is not None:
        last = without_secret(last)  # an earlier version kept the whole address
    return eye.after(last) if last is not None and eye.source in ("", last.source) else eye


def serve_camera(
    asked: ServeRequest,
    outlets: Sequence[Outlet],
    eye: CameraChoice,
    bound: Binding,
    seed: int | None = None,
    where: str = "The table is at",
    remember: ChosenCamera | None = None,
    program: Program | None = None,
    opens: Callable[[str], None] = lambda _: None,
) -> None:
    """Begin or continue the requested match, and serve its pages until Ctrl-C.

    `seed` is the demo table's; `where` precedes the printed address, which `opens` gets as well; `remember` saves the
    camera for the next time; `program` is controlled by the pages.

    Raises ValueError or OSError in one line.
    """
    from cli.compose import furnish, serve
    from vision.camera.bounded import Bounded
    from vision.demo.camera import DemoCamera
    from vision.region import region_at

    sitting = sit_down(asked, {key: value for key, value in eye.setup().items() if value is not None})
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    before = choice_of(sitting.setup)
    eye = eye.after(without_secret(before) if before else None)
    seen = replace(eye, source=eye.source or DEMO, region=None if eye.region == MARKERS else eye.region)
    with suppress(OSError):  # not to be remembered is no reason not to play
        if remember is not None:
            remember.keep(seen)
    demo = None
    if seen.source == DEMO:
        demo = DemoCamera(sitting.dice_set, count=sitting.kept.match.game.dice.count, seed=seed)
    house = furnish(
        Bounded(demo, region_at(seen.region) if seen.region else None, markers=False)
        if demo
        else camera_of(eye),
        dice_set=sitting.dice_set,
        thrower=demo,
        settings=bound.settings,
        kept=sitting.kept,
        outlets=outlets,
        language=sitting.language,
        choice=seen,
        remember=ChosenCamera(tables_folder(), asked.place).keep,
        program=program,
    )
    if program is not None and program.awaits_phone and house.table.cameras is not None:
        house.table.cameras.await_phone()

    def said(address: str) -> None:
        click.echo(f"{where} {bound.told(address)}")
        opens(address)

    serve(house, bound, said)
