"""The first steps, three pages: which camera, which game, who plays.

Each can be skipped, and each works without script: what was chosen stands in the address until the match begins. The
games and the players are those of New match, the cameras those of the page Camera.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from messages.message import N_
from table.cameras.cameras import Cameras
from table.cameras.choice import DEMO, PHONE
from table.storage.store import StoreError
from table.table import ReplacedError
from web.access import Views
from web.answers import frame, plain
from web.devices import Role
from web.draft import Draft, told_by
from web.forms import whole
from web.language import camera as camera_called
from web.language import gettext as _
from web.language import refusal
from web.pages.camera import look_through, offered_cameras, phone_invitation, wanted_camera
from web.pages.new_match import before, begins, drafted, fits, games_shown, players_shown
from web.pages.settings import restart
from web.site import site

STEPS: Final = (
    ("first_steps.camera", N_("Camera")),
    ("first_steps.game", N_("Game")),
    ("first_steps.players", N_("Players")),
)
"""The pages in their order, and what their links say."""

views = Views("first_steps", __name__)


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera to choose, with what shows it."""

    value: str
    name: str
    detail: str
    chosen: bool
    picture: str = ""
    """The address of its live picture, or empty."""
    icon: str = "camera"


@views.get("/first", to=Role.HOST)
def camera() -> ResponseReturnValue:
    """Which camera looks at the table."""
    return _camera_page()


@views.post("/first", to=Role.HOST)
def choose_camera() -> ResponseReturnValue:
    """Use the chosen camera; 409 or 422 with the page again if that fails.

    A phone needs the network, so Tableside restarts to be reachable there, and then waits for the phone.
    """
    cameras = site().table.cameras
    if cameras is None:
        return redirect(url_for("first_steps.game"), code=303)
    chosen, program = request.form.get("camera", ""), site().program
    if chosen == PHONE and site().settings.neighbourhood is None and program.steered:
        try:
            program.settings.change({("network", "lan"): True})
        except (ValueError, OSError) as refused:
            return _camera_page(refusal(refused), chosen, 409)
        return restart(url_for("first_steps.camera"), awaits_phone=True)
    try:
        wanted = wanted_camera(cameras)
    except ValueError as refused:
        return _camera_page(refusal(refused), chosen, 422)
    try:
        if wanted.source != cameras.now.choice.source:
            look_through(cameras, wanted)
    except (ValueError, OSError) as refused:
        return _camera_page(refusal(refused), chosen, 409)
    to = "first_steps.camera" if wanted.source == PHONE and cameras.waiting else "first_steps.game"
    return redirect(url_for(to), code=303)


@views.post("/first/stop-phone", to=Role.HOST)
def stop_phone() -> ResponseReturnValue:
    """Stop waiting for a phone."""
    if (cameras := site().table.cameras) is not None:
        cameras.stop_waiting()
    return redirect(url_for("first_steps.camera"), code=303)


@views.get("/first/look/<name>", to=Role.HOST)
def look(name: str) -> ResponseReturnValue:
    """The picture of a camera that is not in use, as JPEG, once its number is not `after`; 204 if there is none in
    time, 409 with the reason if it gives none."""
    cameras = site().table.cameras
    found = [one for one in cameras.webcams() if _name(one.source) == name] if cameras else []
    if cameras is None or not found or cameras.is_now(found[0]):
        raise NotFound(_("That camera is no longer connected."))
    after, wait = whole(request.args.get("after", "")), site().settings.picture_wait
    try:
        return frame(cameras.previews.picture(found[0].source, after, wait))
    except (OSError, ValueError) as refused:
        return plain(refusal(refused), 409)


@views.get("/first/game", to=Role.HOST)
def game() -> str:
    """Which game is played."""
    draft, said = drafted()
    return render_template(
        "first_game.html", **_around(draft, 1), said=said, **games_shown(), skip=_to("first_steps.players", before())
    )


@views.get("/first/players", to=Role.HOST)
def players() -> ResponseReturnValue:
    """Who plays."""
    draft, said = drafted()
    return _players_page(draft, said=said)


@views.post("/first/players", to=Role.HOST)
def begin() -> ResponseReturnValue:
    """Begin the match; 422 with the page again where something does not fit. From now on a start goes to the table."""
    draft = told_by(request.form, before())
    if not fits(draft):
        return _players_page(draft, checked=True, status=422)
    try:
        begins(draft)
    except (ValueError, StoreError) as refused:
        status = 503 if isinstance(refused, StoreError) else 409 if isinstance(refused, ReplacedError) else 422
        return _players_page(draft, trouble=refusal(refused), status=status)
    return _done()


@views.post("/first/done", to=Role.HOST)
def skip() -> ResponseReturnValue:
    """Skip the remaining steps and go to the table."""
    return _done()


def _done() -> ResponseReturnValue:
    with suppress(ValueError, OSError):  # else the first steps are asked for again next time
        site().program.settings.change()
    return redirect(url_for("table.page"), code=303)


def _around(draft: Draft | None, step: int) -> dict[str, Any]:
    """The values that every step shows: its number, and what the script needs to follow the table."""
    latest = site().table.session.latest()
    steps = [(words, _to(end, draft) if at < step else "", at == step) for at, (end, words) in enumerate(STEPS)]
    return {
        "first": True, "steps": steps, "draft": draft, "instead": latest.snapshot.match_id, "number": latest.number,
    }  # fmt: skip


def _to(endpoint: str, draft: Draft | None) -> str:
    """The address of a step, with the draft so far."""
    return url_for(endpoint) + (f"?{urlencode(draft.query())}" if draft is not None else "")


def _camera_page(trouble: str = "", chosen: str = "", status: int = 200) -> ResponseReturnValue:
    cameras = site().table.cameras
    waiting = cameras is not None and cameras.waiting
    address, code = phone_invitation() if waiting else ("", "")
    page = render_template(
        "first_camera.html", **_around(None, 0), trouble=trouble, waiting=waiting, address=address, code=code,
        eyes=_eyes(cameras, chosen) if cameras else (), phone_is_now=_phone_is_now(cameras),
        webcams=bool(cameras and cameras.webcams()), steered=site().program.steered,
        reachable=site().settings.neighbourhood is not None,
    )  # fmt: skip
    return page, status


def _phone_is_now(cameras: Cameras | None) -> bool:
    return cameras is not None and cameras.now.choice.source == PHONE


def _eyes(cameras: Cameras, chosen: str) -> list[Eye]:
    """Every camera there is to choose from, the demo table and a phone among them."""
    known = {one.source for one in cameras.webcams()}
    found: list[Eye] = []
    for one in offered_cameras(cameras):
        look = url_for("first_steps.look", name=_name(one.value)) if one.value in known else ""
        picture = url_for("camera.live_picture") if one.now else look
        named = _("Demo table") if one.value == DEMO else camera_called(one.name)
        detail = _("Throws dice by itself. Try Tableside without a camera.") if one.value == DEMO else one.detail
        found.append(Eye(one.value, named, detail, one.now, picture, "dice" if one.value == DEMO else "camera"))
    now = _phone_is_now(cameras)
    picture = url_for("camera.live_picture") if now else ""
    found.append(Eye(PHONE, _("A phone"), _("Scan a code with it, and lay it above the table."), now, picture, "phone"))
    if any(one.value == chosen for one in found):
        return [Eye(one.value, one.name, one.detail, one.value == chosen, one.picture, one.icon) for one in found]
    return found


def _name(source: str) -> str:
    """A webcam's source as a part of an address."""
    return source.strip("/").replace("/", "-")


def _players_page(
    draft: Draft, *, said: str = "", trouble: str = "", checked: bool = False, status: int = 200
) -> ResponseReturnValue:
    page = render_template(
        "first_players.html", **_around(draft, 2), said=said, trouble=trouble,
        more=f"{url_for('new_match.page')}?{urlencode(draft.query())}", **players_shown(draft, checked=checked),
    )  # fmt: skip
    return Response(page, status)
