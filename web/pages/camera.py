"""The page Camera: the live picture, what the table is doing, the region of the table, and what would make the picture
better. Its region can be dragged, typed, or found by four printed markers; it takes effect at once."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from scoring.refusal import RefusalError
from table.cameras.eye import NEEDED_PX, TEMPLATES, Corners, Eye, Remark, marker_sheet
from table.storage.store import StoreError
from table.table import Table
from web.announcer import Announcer
from web.language import N_, current, devices_told, refusal
from web.language import gettext as _
from web.pages.camera_choice import add_camera_choice, shown_choice
from web.settings import WebSettings

WHOLE: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
INSET: tuple[tuple[float, float], ...] = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
"""Where the corners begin when somebody first takes hold of them."""

CORNERS = (N_("top left"), N_("top right"), N_("bottom right"), N_("bottom left"))
TOPICS = {"picture": N_("Picture"), "light": N_("Light"), "focus": N_("Focus"), "dice": N_("Dice")}

MARKERS_WITHIN = 6.0
"""Seconds that a page waits for the four markers."""

STATES = {
    "empty": N_("The table is empty"),
    "rolling": N_("Rolling"),
    "settling": N_("Coming to rest"),
    "settled": N_("Settled: what lies there is read"),
    "takeout": N_("A hand at the dice"),
    "obstructed": N_("Something is in the way"),
}


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner of the region as its fields show it: per cent from the left and from the top, as typed."""

    name: str
    x: str
    y: str


def messages() -> list[str]:
    """What can be said of a picture, for the catalogues (`tools.translations`)."""
    return list(TEMPLATES)


def add_camera(views: Blueprint, table: Table, announcer: Announcer, settings: WebSettings) -> None:
    """Add these views to the dashboard's."""

    @views.get("/camera")
    def camera() -> ResponseReturnValue:
        """The page."""
        return _page(_corners(table.eye.corners if table.eye else None))

    @views.get("/camera/picture")
    def whole_picture() -> ResponseReturnValue:
        """The whole picture as JPEG, once it looks different from picture `after`; 204 when it did not in time."""
        after = request.args.get("after", "")
        number = int(after) if after.isdecimal() and len(after) < 12 else -1
        frame = _eye().picture(number, settings.picture_wait)
        if frame is None:
            return "", 204
        return Response(frame[1], mimetype="image/jpeg", headers={"X-Frame": str(frame[0])})

    @views.get("/camera/advice")
    def camera_advice() -> ResponseReturnValue:
        """What would make the picture better, as a part of the page."""
        eye = _eye()
        return render_template(
            "camera_advice.html", remarks=eye.remarks(), topics=TOPICS, needed=round(NEEDED_PX), said=_said,
            eye=eye,
        )  # fmt: skip

    @views.post("/camera/region")
    def region() -> ResponseReturnValue:
        """Look at the part between four corners; 422 with the page again where they are none."""
        typed = tuple(
            Corner(name, request.form.get(f"x{i}", "")[:12], request.form.get(f"y{i}", "")[:12])
            for i, name in enumerate(CORNERS, 1)
        )
        try:
            return _bound(tuple((_share(one.x), _share(one.y)) for one in typed), typed)
        except ValueError:
            words = _(
                "The corners must go around the table one after the other, each from 0 to 100 per cent, with at least "
                "a hundredth of the picture between them."
            )
            return _page(typed, trouble=words, status=422)

    @views.post("/camera/whole")
    def whole() -> ResponseReturnValue:
        """Look at the whole picture."""
        return _bound(None, _corners(None))

    @views.post("/camera/markers")
    def markers() -> ResponseReturnValue:
        """Look at what lies between the four printed markers."""
        eye = _eye()
        try:
            found = eye.find_markers(MARKERS_WITHIN)
        except RefusalError as unseen:
            return _page(_corners(eye.corners), trouble=refusal(unseen), status=409)
        return _bound(found, _corners(found))

    @views.get("/camera/markers.pdf")
    def printed_markers() -> Response:
        """The four markers, to print and cut out."""
        headers = {"Content-Disposition": "attachment; filename=tableside-markers.pdf"}
        return Response(marker_sheet(), mimetype="application/pdf", headers=headers)

    add_camera_choice(
        views,
        table,
        settings,
        lambda words, status: _page(_corners(_eye().corners), trouble=words, status=status),
    )

    def _eye() -> Eye:
        if table.eye is None:
            raise NotFound(_("there is no camera over this table"))
        return table.eye

    def _bound(chosen: Corners | None, corners: tuple[Corner, ...]) -> ResponseReturnValue:
        try:
            table.bound(chosen)
        except StoreError as refused:
            return _page(corners, trouble=refusal(refused), status=503)
        except RefusalError as refused:
            return _page(corners, trouble=refusal(refused), status=422)
        return redirect(url_for("table.camera"), code=303)

    def _page(corners: tuple[Corner, ...], *, trouble: str = "", status: int = 200) -> ResponseReturnValue:
        eye, latest = table.eye, table.session.latest().told(current())
        page = render_template(
            "camera.html", eye=eye, size=(eye.size if eye else None) or (960, 720),
            shown=(eye.shown() if eye else None) or (0, 0, 960, 720), corners=corners,
            bounded=eye is not None and eye.corners is not None, s=latest.standing, number=latest.number,
            states=STATES, state=announcer.state, devices=devices_told(announcer.devices), trouble=trouble,
            choice=shown_choice(table, settings),
        )  # fmt: skip
        return page, status


def _said(remark: Remark) -> str:
    """A remark in the device's language."""
    return _(remark.template, **remark.values)


def _corners(region: Corners | None) -> tuple[Corner, ...]:
    corners = region or INSET
    return tuple(
        Corner(name, f"{100 * x:.1f}", f"{100 * y:.1f}")
        for name, (x, y) in zip(CORNERS, corners, strict=True)
    )


def _share(typed: str) -> float:
    """Per cent, as typed, as a share. Raises ValueError."""
    return round(float(typed.replace(",", ".")) / 100, 4)
