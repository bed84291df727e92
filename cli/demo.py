"""`tableside demo`: the dashboard on a table that throws rendered dice."""

from __future__ import annotations

import click

from cli.outlets import Outlet, telling
from cli.serving import Asked, listening, playing, sit_down


@click.command(name="demo")
@playing
@telling
@listening
@click.option("--seed", type=int, help="Throw the same dice every time.")
def command(asked: Asked, outlets: tuple[Outlet, ...], host: str, port: int, seed: int | None) -> None:
    """Serve the dashboard on a demo table; no camera needed.

    The dice are drawn, but nobody tells Tableside what they show: it watches, finds and reads them as it
    would read yours.
    """
    from cli.compose import demo, hosts_for, serve
    from web import WebSettings

    sitting = sit_down(asked, {"camera": "demo"})
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    house = demo(
        game=sitting.game,
        set_id=sitting.set_id,
        players=sitting.players,
        seed=seed,
        settings=WebSettings(hosts=hosts_for(host)),
        kept=sitting.kept,
        outlets=outlets,
    )
    serve(house, host, port, lambda address: click.echo(f"The demo table is at {address}  (Ctrl-C ends it)"))
