"""On the page Camera: which camera looks at the table, and another one in its place; a phone, too.

An address that is typed is untrusted (`table.cameras.typed`): files of this computer may be named only there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, cast

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from table.cameras.cameras import COMMON_SIZES, Cameras, device_of, said
from table.cameras.choice import DEMO, LONGEST, PHONE, Choice, size_of
from table.cameras.typed import typed
from table.table import Table
from web.access import Access, this_device
from web.devices import Role
from web.language import gettext as _
from web.language import refusal
from web.network.qr import svg
from web.pages.enter import plain, reach
from web.settings import WebSettings

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""What a program adds that hands on another computer's request: then the sender's address says nothing."""

WITH_PHONES = "tableside serve --camera phone --lan --resume"
"""How Tableside is started so that a phone can be the camera of the match that is being played."""

ADDRESS, NOW = "address", "now"
"""Two values of the choice that are no camera: what is typed, and whatever looks already."""

Page = Callable[[str, int], ResponseReturnValue]
"""The page Camera with a refusal and its status."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A camera to choose."""

    value: str
    name: str
    detail: str
    now: bool
    sizes: str
    """Those it offers, "640x480 1280x720"; empty where there is nothing to choose."""
    holds: bool
    """Whether its exposure may be held."""


def at_this_computer(settings: WebSettings) -> bool:
    """Whether a request comes from the very computer of the table, and from no program that handed it on."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        sender = ip_address((request.remote_addr or "").partition("%")[0])
    except ValueError:
        return False
    sender = getattr(sender, "ipv4_mapped", None) or sender
    return sender.is_loopback or str(sender) in _own(settings)


def shown_choice(table: Table, settings: WebSettings) -> dict[str, Any]:
    """What `camera_choice.html` shows; no camera to choose where the table has none or the device may not."""
    cameras = table.cameras
    host = this_device().role is Role.HOST
    shown: dict[str, Any] = {
        "state": "",
        "cameras": cameras,
        "host": host,
        "here": at_this_computer(settings),
    }
    if cameras is None:
        return shown
    now = cameras.now
    shown |= {"now": now, "waiting": cameras.waiting, "is_phone": now.choice.source == PHONE}
    asked = now.choice.size
    webcam = bool(device_of(now.choice.source))
    shown["given_otherwise"] = webcam and asked is not None and now.size is not None and asked != now.size
    shown["state"] = f"{now.name} {now.size} {now.exposure_held} {shown['waiting']}"
    if not host:
        return shown
    offered = _offered(cameras)
    every = sorted({size for one in offered for size in one.sizes.split()}, key=_area)
    shown |= {
        "offered": offered,
        "sizes": every,
        "size": _written(asked) if asked else "",
        "longest": LONGEST,
    }
    if shown["waiting"]:
        shown |= _invitation(settings)
    return shown


def add_camera_choice(views: Blueprint, table: Table, settings: WebSettings, page: Page) -> None:
    """Add these views to the dashboard's."""

    @views.get("/camera/choice")
    def camera_choice() -> str:
        """Which camera looks, as a part of the page."""
        return render_template("camera_choice.html", choice=shown_choice(table, settings))

    @views.post("/camera/use")
    def use_camera() -> ResponseReturnValue:
        """Look through another camera, or with another size; 422 or 409 with why not, and then nothing has changed."""
        cameras = _cameras()
        try:
            wanted = _wanted(cameras)
        except ValueError as refused:
            return _refused(refused, 422)
        try:
            if wanted.source == PHONE:
                cameras.await_phone()
            else:
                cameras.change(wanted)
        except (ValueError, OSError) as refused:
            return _refused(refused, 409)
        return _done()

    @views.post("/camera/phone")
    def await_phone() -> ResponseReturnValue:
        """Wait for a phone; with its first picture it becomes the camera."""
        try:
            _cameras().await_phone()
        except ValueError as refused:
            return _refused(refused, 409)
        return _done()

    @views.post("/camera/phone/stop")
    def stop_phone() -> ResponseReturnValue:
        """Wait for no phone any more."""
        _cameras().stop_waiting()
        return _done()

    def _wanted(cameras: Cameras) -> Choice:
        """What the form means. Raises ValueError."""
        chosen, now = request.form.get("camera", ""), cameras.now.choice
        if chosen == ADDRESS:
            base = typed(
                request.form.get("address", "")[: 2 * LONGEST], here=at_this_computer(settings), own=_own(settings)
            )  # fmt: skip
        elif chosen == NOW:
            base = Choice(now.source, strict=now.strict)
        elif chosen == DEMO or any(chosen == one.source for one in cameras.webcams()):
            base = Choice(chosen)
        else:
            raise ValueError(_("That camera is not there any more."))
        size = request.form.get("size", "")[:20]
        return Choice(
            base.source, size_of(size) if size else None, request.form.get("exposure") == "held", base.strict
        )

    def _cameras() -> Cameras:
        if table.cameras is None:
            raise NotFound(_("there is no camera over this table"))
        return table.cameras

    def _refused(refused: Exception, status: int) -> ResponseReturnValue:
        words = refusal(refused)
        return plain(words, status) if _scripted() else page(words, status)

    def _done() -> ResponseReturnValue:
        return ("", 204) if _scripted() else redirect(url_for("table.camera") + "#choice", code=303)


def _scripted() -> bool:
    return request.headers.get("X-Requested-With") == "tableside"


def _own(settings: WebSettings) -> tuple[str, ...]:
    return settings.neighbourhood.addresses if settings.neighbourhood else ()


def _written(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _area(size: str) -> tuple[int, str]:
    width, height = size_of(size)
    return width * height, size


def _offered(cameras: Cameras) -> list[Offered]:
    """Every camera there is to choose from, the one that looks now among them."""
    now = cameras.now
    found: list[Offered] = []
    for one in cameras.webcams():
        sizes = " ".join(map(_written, one.sizes or COMMON_SIZES))
        looks, holds = cameras.is_now(one), one.holds_exposure is not False
        found.append(Offered(one.source, one.name, one.source, looks, sizes, holds))
    if now.choice.source not in (DEMO, PHONE) and not any(one.now for one in found):
        # An address may hold a password: it is shown as it is called, and never sent back.
        sizes = " ".join(map(_written, COMMON_SIZES)) if device_of(now.choice.source) else ""
        found.append(Offered(NOW, said(now.choice.source), "", True, sizes, bool(sizes)))
    return [
        *found,
        Offered(DEMO, _("The demo table, which throws by itself"), "", now.choice.source == DEMO, "", False),
    ]


def _invitation(settings: WebSettings) -> dict[str, Any]:
    """Where the phone goes: an address, and it as a picture to scan; both empty where no phone can come."""
    address = reach(settings, secure=True, path=url_for("table.phone"))
    access = cast(Access, g.access)
    full = f"{address}#{access.link(Role.CAMERA)}" if address and access.guarded else address
    return {
        "address": address, "code": svg(full) if full else "", "network": settings.neighbourhood is not None,
        "own_page": url_for("table.phone"), "command": WITH_PHONES,
    }  # fmt: skip
