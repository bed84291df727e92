"""A phone as the table's camera: its page takes pictures and sends them one after the other."""

from __future__ import annotations

import threading
import time

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, UnsupportedMediaType

from table.table import Table
from web.access import Access, this_device
from web.devices import Role
from web.headers import CAMERA_ALLOWED, is_local
from web.language import gettext as _
from web.network.qr import svg
from web.pages.enter import plain, reach, secure_address
from web.settings import WebSettings

LARGEST_PICTURE = 4 * 1024 * 1024
"""Bytes; a 1080p JPEG has some 300 kB."""

KINDS = frozenset({"image/jpeg", "image/webp"})

GONE_AFTER = 4.0
"""Seconds without a picture after which another phone may be the camera without being asked to take over."""


class OnePhone:
    """Which phone is the camera: pictures of two would be one table that jumps. Safe from any thread."""

    def __init__(self) -> None:
        """None is."""
        self._lock = threading.Lock()
        self._phone, self._heard = "", 0.0

    def take(self, phone: str, *, first: bool) -> bool:
        """Whether this phone's picture counts. One that begins (`first`) takes over; one that goes on keeps on."""
        now = time.monotonic()
        with self._lock:
            if not first and phone != self._phone and now - self._heard < GONE_AFTER:
                return False
            self._phone, self._heard = phone, now
            return True


def add_phone(views: Blueprint, table: Table, access: Access, settings: WebSettings) -> None:
    """Add these views to the dashboard's; they are there where the camera is a phone."""
    one = OnePhone()

    @views.get("/phone")
    def phone() -> ResponseReturnValue:
        """The page to open on the phone; on the table's computer, the code that leads a phone there."""
        host = this_device().role is Role.HOST
        if table.push is None and not (host and table.cameras is not None):
            raise NotFound(
                _("This table has another camera. On its page Camera the host can choose to use a phone.")
            )
        address = reach(settings, secure=True, path=url_for("table.phone")) if host else ""
        if address and access.guarded:
            address = f"{address}#{access.link(Role.CAMERA)}"
        page = render_template(
            "phone.html", title=table.session.match.game.title, address=address.partition("#")[0],
            code=svg(address) if address and table.push else "", wanted=table.push is not None,
            secure=secure_address("table.phone"), here=is_local(),
            may_send=this_device().role in (Role.HOST, Role.CAMERA),
        )  # fmt: skip
        return Response(page, headers={"Permissions-Policy": CAMERA_ALLOWED})

    @views.post("/phone/picture")
    def pushed() -> ResponseReturnValue:
        """One picture: 204 when it was taken, 409 while nobody looks or another phone is the camera, 400 for none."""
        if table.push is None:
            raise NotFound(_("This table has another camera."))
        if request.mimetype not in KINDS:
            raise UnsupportedMediaType(_("Expected a JPEG or WebP picture."))
        request.max_content_length = LARGEST_PICTURE
        picture = request.get_data(cache=False)
        if not one.take(request.headers.get("X-Phone", "")[:64], first=request.args.get("first") == "1"):
            return plain(_("Another phone is the camera now."), 409, {"X-Tableside": "another"})
        try:
            taken = table.push(picture)
        except ValueError as refused:
            return plain(str(refused), 400)
        return ("", 204) if taken else plain(_("The table does not look now."), 409)
