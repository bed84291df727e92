"""The pages by which a device gets its right: entering a code, leaving, and the host's list of devices."""

from __future__ import annotations

import math
import time

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from table.table import Table
from web.access import LONGEST_CODE, Access, cookie_name, host_only, this_device
from web.devices import OLDEST, Role
from web.errors import wants_page
from web.headers import is_local
from web.language import gettext as _
from web.language import ngettext
from web.network.addresses import in_address
from web.network.qr import svg
from web.network.throttle import TooManyTriesError
from web.settings import WebSettings

BROWSERS = ("Edg", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
MACHINES = ("iPad", "iPhone", "Android", "Windows", "Macintosh", "CrOS", "Linux")


def add_entering(views: Blueprint, table: Table, access: Access, settings: WebSettings) -> None:
    """Add these views to the dashboard's."""

    @views.get("/enter")
    def entering() -> str:
        """Where a code is entered; a scanned one stands behind the #, which browsers keep to themselves."""
        return render_template("enter.html", secure=secure_address("table.entering"))

    @views.post("/enter")
    def enter() -> ResponseReturnValue:
        """Check a code; the device that shows a right one may act from now on."""
        code = request.form.get("code", "")
        if not code.strip() or len(code) > 2 * LONGEST_CODE:
            return _again(_("Type the PIN."), 400)
        try:
            cookie = access.enter(code, request.remote_addr or "", called(str(request.user_agent)))
        except TooManyTriesError as wait:
            seconds = math.ceil(wait.wait)
            words = (
                ngettext(
                    "Too many wrong PINs. Scan the code or open the link instead, or try again in %(num)d minute.",
                    "Too many wrong PINs. Scan the code or open the link instead, or try again in %(num)d minutes.",
                    math.ceil(seconds / 60),
                )
                if seconds > 60
                else _("Too many wrong PINs. Try again in %(seconds)d seconds.", seconds=seconds)
            )
            return _again(words, 429, {"Retry-After": str(seconds)})
        if cookie is None:
            return _again(_("That is not the PIN."), 403)
        answer = _done(request.form.get("back", ""))
        answer.set_cookie(
            cookie_name(),
            cookie,
            max_age=int(OLDEST),
            httponly=True,
            samesite="Strict",
            secure=request.is_secure,
        )
        return answer

    def _again(words: str, status: int, headers: dict[str, str] | None = None) -> Response:
        """Why a code was refused: a page has the form below it, to try again; a script gets the sentence."""
        answer = plain(words, status, headers)
        if wants_page():
            page = render_template(
                "enter.html",
                secure=secure_address("table.entering"),
                refused=words,
                back=request.form.get("back", ""),
            )
            answer.set_data(page)
            answer.mimetype = "text/html"
        return answer

    @views.post("/leave")
    def leave() -> ResponseReturnValue:
        """This device only watches from now on; its cookie gives nothing any more, whoever kept it."""
        access.leave(request.cookies.get(cookie_name(), ""))
        answer = _done("")
        answer.delete_cookie(cookie_name(), httponly=True, samesite="Strict", secure=request.is_secure)
        return answer

    @views.get("/devices")
    def devices() -> str:
        """The devices that are in, and the codes by which others come."""
        host_only()
        players = table.session.match.header.players if access.guarded else ()
        seats = [(name, access.code(Role.PLAYER, name), *_invitation(name)) for name in players]
        base = reach(settings)
        return render_template(
            "devices.html", devices=access.devices.all() if access.guarded else (), rules=access.rules,
            seats=seats, watch=base and (base, svg(base)), camera=table.push is not None,
            ago=_minutes_ago, this=this_device(),
        )  # fmt: skip

    def _invitation(name: str) -> tuple[str, object]:
        """The address to enter a player's code at, and their link as a picture to scan."""
        address = reach(settings, secure=True, path=url_for("table.entering"))
        return address, svg(f"{address}#{access.link(Role.PLAYER, name)}") if address else ""

    @views.post("/devices/away")
    def send_away() -> ResponseReturnValue:
        """One device, or all of them, have to enter again."""
        access.devices.send_away(request.form.get("device", "")[:64])
        return _done(url_for("table.devices"))

    @views.post("/devices/rules")
    def rules() -> ResponseReturnValue:
        """Whether players' devices may correct others' turns."""
        access.rules.own_turn = request.form.get("own_turn") == "on"
        return _done(url_for("table.devices"))

    @views.post("/devices/codes")
    def new_codes() -> ResponseReturnValue:
        """Other codes for players and cameras; who is in stays in."""
        access.new_codes()
        return _done(url_for("table.devices"))

    def _done(back: str) -> Response:
        if request.headers.get("X-Requested-With") == "tableside":
            return Response(status=204)
        ours = (
            back.startswith("/") and back[1:2] not in ("/", "\\") and back.isprintable() and len(back) < 400
        )
        return current_app.make_response(redirect(back if ours else url_for("table.page"), code=303))


def _minutes_ago(then: float) -> int:
    return max(0, round((time.time() - then) / 60))


def plain(words: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """A refusal in one sentence; `web.app` makes a page of it for a browser that asked for one."""
    return Response(f"{words}\n", status=status, mimetype="text/plain", headers=headers)


def reach(settings: WebSettings, *, secure: bool = False, path: str = "/") -> str:
    """The address under which other devices reach a page; empty while we listen on this computer alone."""
    addresses = settings.neighbourhood.addresses if settings.neighbourhood else ()
    port = request.environ.get("SERVER_PORT", "")
    return f"{'https' if secure else 'http'}://{in_address(addresses[0])}:{port}{path}" if addresses else ""


def secure_address(endpoint: str) -> str:
    """The same page over TLS, for a device that came over plain HTTP from elsewhere; empty where that is needless."""
    if request.is_secure or is_local():
        return ""
    return f"https://{request.host}{url_for(endpoint)}"


def called(agent: str) -> str:
    """What a browser is, in a word or two out of its user agent; it may say anything, so only known words are kept."""
    machine = next((one for one in MACHINES if one in agent), "")
    browser = next((one for one in BROWSERS if one in agent), "")
    names = {"Edg": "Edge", "FxiOS": "Firefox", "CriOS": "Chrome", "Macintosh": "Mac", "CrOS": "Chromebook"}
    return ", ".join(names.get(one, one) for one in (machine, browser) if one)
