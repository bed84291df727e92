"""`tableside serve`: the dashboard on a real camera."""

from __future__ import annotations

import click

from cli.outlets import Outlet, telling
from cli.serving import Asked, listening, playing, sit_down


@click.command(name="serve")
@click.option(
    "--camera",
    metavar="0|URL|FILE|demo",
    help="A webcam's number or device, a stream's URL, a video, a folder of pictures, or demo; with --again or "
    "--resume, by default the same as last time.",
)
@playing
@telling
@listening
def command(asked: Asked, outlets: tuple[Outlet, ...], camera: str | None, host: str, port: int) -> None:
    """Serve the dashboard on a camera that looks at your table."""
    from cli.compose import demo, furnish, hosts_for, serve
    from vision.camera import camera_at
    from vision.diceset import find as find_set
    from web import WebSettings

    if camera is None and not asked.again and asked.resume is None:
        raise click.UsageError("say which camera: --camera 0, a URL, a file, or demo")
    if camera not in (None, "demo"):
        camera_at(camera)
    sitting = sit_down(asked, {"camera": camera} if camera else None)
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    source = camera or str(sitting.setup.get("camera", "demo"))
    settings = WebSettings(hosts=hosts_for(host))
    if source == "demo":
        house = demo(
            game=sitting.game,
            set_id=sitting.set_id,
            players=sitting.players,
            settings=settings,
            kept=sitting.kept,
            outlets=outlets,
        )
    else:
        house = furnish(
            camera_at(source),
            game=sitting.game,
            dice_set=find_set(sitting.set_id),
            players=sitting.players,
            settings=settings,
            kept=sitting.kept,
            outlets=outlets,
        )
    serve(house, host, port, lambda address: click.echo(f"The table is at {address}  (Ctrl-C ends it)"))
