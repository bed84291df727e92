"""What a device says of itself: the code it enters, its language; and the host's list of the devices that are in."""

from __future__ import annotations

import math
import time
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from web.access import Views, cookie_name, this_device
from web.answers import done, plain, way_back
from web.devices import OLDEST, Role
from web.errors import wants_page
from web.headers import is_local
from web.language import COOKIE, YEAR, ngettext
from web.language import gettext as _
from web.network.addresses import in_address
from web.network.qr import svg
from web.network.throttle import TooManyTriesError
from web.pin import LONGEST_CODE
from web.site import site
from words import LANGUAGES

BROWSERS = ("Edg", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
MACHINES = ("iPad", "iPhone", "Android", "Windows", "Macintosh", "CrOS", "Linux")

views = Views("enter", __name__)


@views.get("/enter", to=Role.WATCHER)
def page() -> str:
    """Where a code is entered; a scanned one stands behind the #, which browsers keep to themselves."""
    return render_template("enter.html", secure=secure_address("enter.page"), back=request.args.get("back", ""))


@views.post("/enter", to=Role.WATCHER)
def enter() -> ResponseReturnValue:
    """Check a code; a device that sends a right one may act."""
    code = request.form.get("code", "")
    if not code.strip() or len(code) > 2 * LONGEST_CODE:
        return _again(_("Enter the PIN."), 400)
    try:
        cookie = site().access.enter(code, request.remote_addr or "", called(str(request.user_agent)))
    except TooManyTriesError as wait:
        seconds = math.ceil(wait.wait)
        words = (
            ngettext(
                "Too many wrong PINs. Scan the code, open the link, or try again in %(num)d minute.",
                "Too many wrong PINs. Scan the code, open the link, or try again in %(num)d minutes.",
                math.ceil(seconds / 60),
            )
            if seconds > 60
            else _("Too many wrong PINs. Try again in %(seconds)d seconds.", seconds=seconds)
        )
        return _again(words, 429, {"Retry-After": str(seconds)})
    if cookie is None:
        return _again(_("Wrong PIN. Try again."), 403)
    answer, secure = done(way_back()), request.is_secure
    answer.set_cookie(
        cookie_name(), cookie, max_age=int(OLDEST), httponly=True, samesite="Strict", secure=secure
    )
    return answer


def _again(words: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """Why a code was refused: a page has the form below it, to try again; a script gets the sentence."""
    answer = plain(words, status, headers)
    if wants_page():
        back, secure = request.form.get("back", ""), secure_address("enter.page")
        answer.set_data(render_template("enter.html", secure=secure, refused=words, back=back))
        answer.mimetype = "text/html"
    return answer


@views.post("/leave", to=Role.WATCHER)
def leave() -> ResponseReturnValue:
    """Let this device only watch; its cookie becomes worthless, even to somebody who copied it."""
    site().access.leave(request.cookies.get(cookie_name(), ""))
    answer = done(url_for("table.page"))
    answer.delete_cookie(cookie_name(), httponly=True, samesite="Strict", secure=request.is_secure)
    return answer


@views.post("/language", to=Role.WATCHER)
def language() -> ResponseReturnValue:
    """Remember this device's language, and go back to the page it was on."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise BadRequest(_("this language is not available"))
    back = urlsplit(way_back())
    # The language that the page's address asked for gives way to the one that was chosen.
    others = urlencode([one for one in parse_qsl(back.query, keep_blank_values=True) if one[0] != "language"])
    answer = redirect(urlunsplit(back._replace(query=others)), code=303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure)
    return answer


@views.get("/devices", to=Role.HOST)
def devices() -> str:
    """The devices that are in, and the codes by which others come."""
    access, table = site().access, site().table
    players = table.session.match.header.players if access.guarded else ()
    seats = [(name, access.code(Role.PLAYER, name), *_invitation(name)) for name in players]
    base = reach()
    return render_template(
        "devices.html", devices=access.devices.all() if access.guarded else (), own_turn=access.own_turn,
        seats=seats, watch=base and (base, svg(base)), camera=table.push is not None,
        ago=_minutes_ago, this=this_device(),
    )  # fmt: skip


def _invitation(name: str) -> tuple[str, object]:
    """The address to enter a player's code at, and their link as a picture to scan."""
    address = reach(secure=True, path=url_for("enter.page"))
    return address, svg(f"{address}#{site().access.link(Role.PLAYER, name)}") if address else ""


@views.post("/devices/away", to=Role.HOST)
def send_away() -> ResponseReturnValue:
    """One device, or all of them, have to enter again."""
    site().access.devices.send_away(request.form.get("device", "")[:64])
    return done(url_for("enter.devices"))


@views.post("/devices/rules", to=Role.HOST)
def rules() -> ResponseReturnValue:
    """Whether players' devices may correct others' turns."""
    site().access.own_turn = request.form.get("own_turn") == "on"
    return done(url_for("enter.devices"))


@views.post("/devices/codes", to=Role.HOST)
def new_codes() -> ResponseReturnValue:
    """Other codes for players and cameras; who is in stays in."""
    site().access.new_codes()
    return done(url_for("enter.devices"))


def _minutes_ago(then: float) -> int:
    return max(0, round((time.time() - then) / 60))


def reach(*, secure: bool = False, path: str = "/") -> str:
    """The address under which other devices reach a page; empty while we listen on this computer alone."""
    around = site().settings.neighbourhood
    addresses = around.addresses if around else ()
    port = request.environ.get("SERVER_PORT", "")
    return f"{'https' if secure else 'http'}://{in_address(addresses[0])}:{port}{path}" if addresses else ""


def secure_address(endpoint: str) -> str:
    """The address of the same page over TLS, for another device that uses plain HTTP; empty if not needed."""
    if request.is_secure or is_local():
        return ""
    return f"https://{request.host}{url_for(endpoint)}"


def called(agent: str) -> str:
    """What a browser is, in a word or two out of its user agent; it may say anything, so only known words are kept."""
    machine = next((one for one in MACHINES if one in agent), "")
    browser = next((one for one in BROWSERS if one in agent), "")
    names = {"Edg": "Edge", "FxiOS": "Firefox", "CriOS": "Chrome", "Macintosh": "Mac", "CrOS": "Chromebook"}
    return ", ".join(names.get(one, one) for one in (machine, browser) if one)
