"""`tableside serve`: the dashboard on a real camera."""

from __future__ import annotations

from contextlib import suppress

import click

from cli.listening import Door, listening
from cli.looking import MARKERS, Eye, camera_of, looking
from cli.outlets import Outlet, telling
from cli.serving import Asked, playing, sit_down


@click.command(name="serve")
@looking
@playing
@telling
@listening
def command(asked: Asked, outlets: tuple[Outlet, ...], eye: Eye, door: Door) -> None:
    """Serve the dashboard on a camera that looks at your table."""
    from cli.compose import demo, furnish, serve
    from files.folders import tables_folder
    from scoring.games import find as find_game
    from table.cameras.choice import ChosenCamera
    from table.new_match import dice_for

    chosen = ChosenCamera(tables_folder(), asked.place)
    eye = eye.or_remembered(chosen.read())
    if eye.source is None and not asked.again and asked.resume is None:
        raise click.UsageError("say which camera: --camera 0, a URL, a file, or demo")
    if eye.source not in (None, "demo"):
        camera_of(eye)  # what is no camera is refused before a match begins
    opened = door.opened()  # what cannot be is refused before a match begins
    sitting = sit_down(asked, eye.setup())
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    eye = eye.after(sitting.setup)
    with suppress(OSError):  # not to be remembered is no reason not to play
        chosen.keep(eye.choice)
    if eye.source in (None, "demo"):
        house = demo(
            game=sitting.game,
            set_id=sitting.set_id,
            players=sitting.players,
            settings=opened.settings,
            kept=sitting.kept,
            outlets=outlets,
            language=sitting.language,
            region=None if eye.region == MARKERS else eye.region,
            place=asked.place,
        )
    else:
        house = furnish(
            camera_of(eye),
            game=sitting.game,
            dice_set=dice_for(find_game(sitting.game), sitting.set_id),
            players=sitting.players,
            settings=opened.settings,
            kept=sitting.kept,
            outlets=outlets,
            language=sitting.language,
            choice=eye.choice,
            remember=chosen.keep,
        )
    serve(house, opened, lambda words: click.echo(f"The table is at {words}"))
