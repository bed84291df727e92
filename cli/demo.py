"""`tableside demo`: the dashboard on a table that throws rendered dice."""

from __future__ import annotations

import click

from cli.serving import listening, names, playing


@click.command(name="demo")
@playing
@listening
@click.option("--seed", type=int, help="Throw the same dice every time.")
def command(game: str, set_id: str | None, players: str, host: str, port: int, seed: int | None) -> None:
    """Serve the dashboard on a demo table; no camera needed.

    The dice are drawn, but nobody tells Tableside what they show: it watches, finds and reads them as it
    would read yours.
    """
    from cli.compose import demo, hosts_for, serve
    from web import WebSettings

    house = demo(
        game=game,
        set_id=set_id,
        players=names(players),
        seed=seed,
        settings=WebSettings(hosts=hosts_for(host)),
    )
    serve(house, host, port, lambda address: click.echo(f"The demo table is at {address}  (Ctrl-C ends it)"))
