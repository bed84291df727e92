"""`tableside demo`: the dashboard on a table that throws rendered dice."""

from __future__ import annotations

import click

from cli.listening import Door, listening
from cli.outlets import Outlet, telling
from cli.serving import ServeRequest, playing, sit_down


@click.command(name="demo")
@playing
@telling
@listening
@click.option("--seed", type=int, help="Throw the same dice every time.")
def command(asked: ServeRequest, outlets: tuple[Outlet, ...], door: Door, seed: int | None) -> None:
    """Serve the dashboard on a demo table; no camera needed.

    The dice are drawn, but nobody tells Tableside what they show: it watches, finds and reads them as it
    would read yours.
    """
    from cli.compose import demo, serve

    opened = door.opened()  # what cannot be is refused before a match begins
    sitting = sit_down(asked, {"camera": "demo"})
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    house = demo(
        game=sitting.game,
        set_id=sitting.set_id,
        players=sitting.players,
        seed=seed,
        settings=opened.settings,
        kept=sitting.kept,
        outlets=outlets,
        language=sitting.language,
        region=str(sitting.setup["region"]) if sitting.setup.get("region") else None,
        place=asked.place,
    )
    serve(house, opened, lambda words: click.echo(f"The demo table is at {words}"))
