"""`tableside serve`: the dashboard on a real camera."""

from __future__ import annotations

import click

from cli.serving import listening, names, playing


@click.command(name="serve")
@click.option(
    "--camera",
    required=True,
    metavar="0|URL|FILE|demo",
    help="A webcam's number or device, a stream's URL, a video, a folder of pictures, or demo.",
)
@playing
@listening
def command(camera: str, game: str, set_id: str | None, players: str, host: str, port: int) -> None:
    """Serve the dashboard on a camera that looks at your table."""
    from cli.compose import demo, furnish, hosts_for, serve
    from scoring.games import find as find_game
    from vision.camera import camera_at
    from vision.diceset import find as find_set
    from web import WebSettings

    settings = WebSettings(hosts=hosts_for(host))
    seated = names(players)
    if camera == "demo":
        house = demo(game=game, set_id=set_id, players=seated, settings=settings)
    else:
        dice_set = find_set(set_id or find_game(game).dice.set_id)
        house = furnish(camera_at(camera), game=game, dice_set=dice_set, players=seated, settings=settings)
    serve(house, host, port, lambda address: click.echo(f"The table is at {address}  (Ctrl-C ends it)"))
