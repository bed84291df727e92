"""`tableside serve`: the dashboard on a real camera."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import click

from cli.listening import Door, listening
from cli.looking import MARKERS, camera_of, looking
from cli.outlets import Outlet, telling
from cli.serving import ServeRequest, playing, sit_down
from table.cameras.choice import DEMO, CameraChoice, ChosenCamera, choice_of


@click.command(name="serve")
@looking
@playing
@telling
@listening
def command(asked: ServeRequest, outlets: tuple[Outlet, ...], eye: CameraChoice, door: Door) -> None:
    """Serve the dashboard on a camera that looks at your table."""
    from cli.compose import demo, furnish, serve
    from files.folders import tables_folder
    from scoring.games import find as find_game
    from table.new_match import dice_for

    chosen = ChosenCamera(tables_folder(), asked.place)
    last = chosen.read()
    if last is not None and eye.source in ("", last.source):
        eye = eye.after(last)
    if not eye.source and not asked.again and asked.resume is None:
        raise click.UsageError("say which camera: --camera 0, a URL, a file, or demo")
    if eye.source not in ("", DEMO):
        camera_of(eye)  # what is no camera is refused before a match begins
    opened = door.opened()  # what cannot be is refused before a match begins
    sitting = sit_down(asked, {key: value for key, value in eye.setup().items() if value is not None})
    for remark in sitting.remarks:
        click.echo(remark, err=True)
    eye = eye.after(choice_of(sitting.setup))
    seen = replace(eye, source=eye.source or DEMO, region=None if eye.region == MARKERS else eye.region)
    with suppress(OSError):  # not to be remembered is no reason not to play
        chosen.keep(seen)
    if eye.source in ("", DEMO):
        house = demo(
            game=sitting.game,
            set_id=sitting.set_id,
            players=sitting.players,
            settings=opened.settings,
            kept=sitting.kept,
            outlets=outlets,
            language=sitting.language,
            region=seen.region,
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
            choice=seen,
            remember=chosen.keep,
        )
    serve(house, opened, lambda words: click.echo(f"The table is at {words}"))
