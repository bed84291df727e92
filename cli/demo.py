"""`tableside demo`: the dashboard on a table that throws rendered dice."""

from __future__ import annotations

import click

from cli.listening import Binding, listening
from cli.outlets import Outlet, telling
from cli.serve import serve_camera
from cli.serving import ServeRequest, playing
from table.cameras.choice import DEMO, CameraChoice


@click.command(name="demo")
@playing
@telling
@listening
@click.option("--seed", type=int, help="Throw the same dice each time.")
def command(asked: ServeRequest, outlets: tuple[Outlet, ...], bound: Binding, seed: int | None) -> None:
    """Serve the dashboard on a demo table; no camera needed.

    The dice are drawn, but nobody tells Tableside what they show: it watches, finds and reads them as it
    would read yours.
    """
    serve_camera(asked, outlets, CameraChoice(DEMO), bound, seed, "The demo table is at")
