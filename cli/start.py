"""`tableside` alone, or by a click: opens the browser, the first time on the page of first steps."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlencode

import click

from cli.listening import Binding, listening
from cli.looking import camera_of, looking
from cli.main import StartAgain, complain, main
from cli.outlets import Outlet, telling
from cli.running import running
from cli.serve import like_last_time, serve_camera
from cli.serving import LAST, ServeRequest
from files.folders import data_id, tables_folder
from table.cameras.choice import DEMO, CameraChoice, ChosenCamera
from table.settings import SettingsFile

FIRST_STEPS = "/first"
BROWSER_WITHIN = 10.0
"""Seconds that a browser is given to take an address before the program that brought it ends."""


@click.command(name="start")
@looking
@telling
@listening
@click.option(
    "--language", hidden=True, help="The language of the voice and the broker, as the settings have it."
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the pages in the browser.")
@click.pass_obj
def command(
    again: StartAgain | None,
    eye: CameraChoice,
    outlets: tuple[Outlet, ...],
    bound: Binding,
    language: str | None,
    browser: bool,
) -> StartAgain | None:
    """Open Tableside in your browser.

    The first time it asks which camera to use, which game to play and who plays. Later it goes straight to the table,
    as you left it. If it runs already, the browser opens that table.
    """
    from web.program import Ending, Program

    folder = tables_folder()
    if again is None and (address := running(folder)):
        click.echo(f"Tableside is running already: {address}")
        if browser:
            open_browser(address).join(BROWSER_WITHIN)
        return None
    file = SettingsFile(folder)
    program = Program(file, steered=True, id=data_id(), awaits_phone=again is not None and again.awaits_phone)
    eye, page = _seen(eye, "/" if file.there else FIRST_STEPS)
    if again is not None and bound.settings.link is not None:
        bound = replace(bound, settings=replace(bound.settings, link=again.link))

    def opens(address: str) -> None:
        if browser and again is None:
            open_browser(entrance(address, page, bound.settings.link))

    serve_camera(_asked(language), outlets, eye, bound, program=program, opens=opens)
    if program.ending is Ending.AGAIN:
        return StartAgain(program.link, program.awaits_phone)
    return None


def _asked(language: str | None) -> ServeRequest:
    """The match that waits; without one, the same as last time; else what the demo plays."""
    from cli.matches import store_at
    from scoring.games import find
    from table.new_match import dice_for

    with closing(store_at(None)) as store:
        waiting, last = store.unfinished(), next(iter(store.matches(place="")), None)
        try:
            if (one := waiting or last) is not None:
                _, match = store.resume(one.id, find)
                dice_for(match.game, str(one.setup.get("set") or ""))
        except (ValueError, OSError) as refused:  # a match that is damaged, or whose dice are gone: kept, not played
            complain(str(refused))
            return ServeRequest(language=language)
    if waiting is not None:
        return ServeRequest(resume=LAST, language=language)
    return ServeRequest(again=last is not None, language=language)


def _seen(eye: CameraChoice, page: str) -> tuple[CameraChoice, str]:
    """The camera to use and the page to open; a camera that no longer exists must be chosen again."""
    eye = like_last_time(eye, ChosenCamera(tables_folder()))
    if eye.source in ("", DEMO):
        return replace(eye, source=DEMO), page
    try:
        camera_of(eye)
    except (ValueError, OSError) as refused:
        complain(str(refused))
        return CameraChoice(DEMO), FIRST_STEPS
    return eye, page


def entrance(address: str, page: str, link: str | None) -> str:
    """Where the host's browser begins: the page, or, with a PIN, where its link is entered first."""
    if link is None:
        return address.rstrip("/") + page
    return f"{address}enter?{urlencode({'back': page})}#{link}"


def open_browser(address: str) -> threading.Thread:
    """Open a page in the browser, in a thread of its own: one that runs in the terminal may take its time."""

    def opens() -> None:
        if not webbrowser.open(address):
            click.echo(f"No browser was found here: open {address} yourself.", err=True)

    thread = threading.Thread(target=opens, name="browser", daemon=True)
    thread.start()
    return thread


def launched(arguments: Sequence[str] = ("start",)) -> None:
    """The entry point for a click without a terminal (`tableside-window` of the wheel)."""
    main(arguments)
