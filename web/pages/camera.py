"""The page Camera: the live picture, the region of the table, what would make the picture better, and which camera
looks; and the page of a phone that is the camera.

The region can be dragged, typed, or found by four printed markers; it takes effect at once. An address that is typed is
untrusted (`table.cameras.typed`): files of this computer may be named only there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, UnsupportedMediaType

from messages.message import N_, MessageError
from table.cameras.cameras import (
    COMMON_SIZES,
    TEMPLATES,
    Cameras,
    Corners,
    device_of,
    marker_sheet,
    said,
)
from table.cameras.choice import DEMO, LONGEST, PHONE, CameraChoice, size_of
from table.cameras.typed import typed
from table.storage.store import StoreError
from web.access import Views, this_device
from web.answers import done, download, live, plain, scripted
from web.devices import Role
from web.headers import CAMERA_ALLOWED, is_local
from web.language import current, devices_told, refusal
from web.language import gettext as _
from web.network.addresses import bare
from web.network.qr import svg
from web.pages.enter import reach, secure_address
from web.site import site

WHOLE: Corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The corners of the picture itself, from which people drag them."""

CORNERS = (N_("top left"), N_("top right"), N_("bottom right"), N_("bottom left"))
LIGHTS = {
    "light": ("light", N_("Light"), N_("No camera image yet.")),
    "focus": ("focus", N_("Focus"), N_("Put dice on the table to check the focus.")),
    "dice": ("size", N_("Size of the dice"), N_("No camera image yet.")),
}
"""What is judged of a picture: its icon, its title, and what is said while nobody can tell."""
VERDICTS = {"good": N_("good"), "mend": N_("needs attention"), "unknown": N_("not known yet")}

MARKERS_WITHIN = 6.0
"""Seconds that a page waits for the four markers."""

STATES = {
    "empty": N_("The table is empty"),
    "rolling": N_("Rolling"),
    "settling": N_("Settling"),
    "settled": N_("Settled: reading the dice"),
    "takeout": N_("A hand is in view"),
    "obstructed": N_("Something is in the way"),
}

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""What a program adds that hands on another computer's request: then the sender's address says nothing."""

ADDRESS, NOW = "address", "now"
"""Two values of the choice besides cameras: a typed address, and the current camera."""

LARGEST_PICTURE = 4 * 1024 * 1024
"""Bytes of a phone's picture; a 1080p JPEG has some 300 kB."""

KINDS = frozenset({"image/jpeg", "image/webp"})


Corner = tuple[str, str, str]
"""A corner of the region as its fields show it: its name, and per cent from the left and from the top, as typed."""


def messages() -> list[str]:
    """What can be said of a picture, for the catalogues (`tools.translations`)."""
    return list(TEMPLATES)


@dataclass(frozen=True, slots=True)
class TrafficLight:
    """What is to be said of one side of a picture."""

    icon: str
    title: str
    state: str
    words: str

    @property
    def verdict(self) -> str:
        """Its state in a word or two."""
        return VERDICTS[self.state]


@dataclass(frozen=True, slots=True)
class Offered:
    """A camera to choose."""

    value: str
    name: str
    detail: str
    now: bool
    sizes: str
    """The sizes it offers, as "640x480 1280x720"; empty if there is no choice."""
    holds: bool
    """Whether its exposure may be held."""


views = Views("camera", __name__)


@views.get("/camera", to=Role.WATCHER)
def page() -> ResponseReturnValue:
    """The page."""
    cameras = site().table.cameras
    return _page(_corners(cameras.corners if cameras else None))


@views.get("/camera/picture", to=Role.WATCHER)
def live_picture() -> Response:
    """The whole picture as JPEG, once it looks different from picture `after`; see `live`."""
    return live(cameras_of_table().view.whole)


@views.get("/camera/advice", to=Role.WATCHER)
def advice() -> ResponseReturnValue:
    """What would make the picture better, as a part of the page."""
    remarks = {one.topic: one for one in cameras_of_table().remarks()}
    lights: list[TrafficLight] = []
    for topic, (icon, title, unknown) in LIGHTS.items():
        one = remarks.get(topic)
        state = "unknown" if one is None or one.fine is None else "good" if one.fine else "mend"
        lights.append(TrafficLight(icon, title, state, _(one.template, **one.values) if one else _(unknown)))
    rate = remarks.get("picture")
    slow = [_(rate.template, **rate.values)] if rate and not rate.fine else []
    facts = [_(one.measured, **one.values) for one in remarks.values() if one.measured]
    return render_template("camera_advice.html", lights=lights, slow=slow, facts=facts)


# --- the region


@views.post("/camera/region", to=Role.HOST)
def region() -> ResponseReturnValue:
    """Show the region between four corners; 422 with the page again if they are invalid."""
    corners = tuple(
        (name, request.form.get(f"x{i}", "")[:12], request.form.get(f"y{i}", "")[:12])
        for i, name in enumerate(CORNERS, 1)
    )
    try:
        chosen = tuple((_share(x), _share(y)) for _name, x, y in corners)
        return _bound(None if chosen == WHOLE else chosen, corners)
    except ValueError:
        words = _(
            "Enter the corners in order around the table. Each value must be from 0 to 100, and no "
            "two corners may be too close."
        )
        return _page(corners, trouble=words, status=422)


@views.post("/camera/whole", to=Role.HOST)
def unbound() -> ResponseReturnValue:
    """Look at the whole picture."""
    return _bound(None, _corners(None))


@views.post("/camera/markers", to=Role.HOST)
def markers() -> ResponseReturnValue:
    """Look at what lies between the four printed markers."""
    cameras = cameras_of_table()
    try:
        found = cameras.find_markers(MARKERS_WITHIN)
    except MessageError as unseen:
        return _page(_corners(cameras.corners), trouble=refusal(unseen), status=409)
    return _bound(found, _corners(found))


@views.get("/camera/markers.pdf", to=Role.WATCHER)
def printed_markers() -> Response:
    """The four markers, to print and cut out."""
    return download(marker_sheet(), "application/pdf", "tableside-markers.pdf")


def _bound(chosen: Corners | None, corners: tuple[Corner, ...]) -> ResponseReturnValue:
    cameras = site().table.cameras
    try:
        if cameras is None:
            raise MessageError("this table has no camera")
        cameras.bound(chosen)
    except (MessageError, StoreError) as refused:
        status = 503 if isinstance(refused, StoreError) else 422
        return _page(corners, trouble=refusal(refused), status=status)
    return done(url_for("camera.page"))


def _page(corners: tuple[Corner, ...], *, trouble: str = "", status: int = 200) -> ResponseReturnValue:
    table, announcer = site().table, site().announcer
    cameras, latest = table.cameras, table.session.latest()
    eye = cameras.view if cameras else None
    page = render_template(
        "camera.html", eye=eye, size=(eye.size if eye else None) or (960, 720),
        shown=(eye.shown() if eye else None) or (0, 0, 960, 720), corners=corners,
        bounded=cameras is not None and cameras.corners is not None, s=latest.snapshot, number=latest.number,
        speaker=latest.snapshot.speaker(current()),
        states=STATES, state=announcer.state, devices=devices_told(announcer.devices), trouble=trouble,
        choice=_choice(),
    )  # fmt: skip
    return page, status


def _corners(region: Corners | None) -> tuple[Corner, ...]:
    corners = region or WHOLE
    places = zip(CORNERS, corners, strict=True)
    return tuple((name, f"{100 * x:.1f}", f"{100 * y:.1f}") for name, (x, y) in places)


def _share(typed: str) -> float:
    """Per cent, as typed, as a share. Raises ValueError."""
    return round(float(typed.replace(",", ".")) / 100, 4)


# --- which camera looks


@views.get("/camera/choice", to=Role.WATCHER)
def choice() -> str:
    """The chosen camera, as a part of the page."""
    return render_template("camera_choice.html", choice=_choice())


@views.post("/camera/use", to=Role.HOST)
def use() -> ResponseReturnValue:
    """Look through another camera, or with another size; 422 or 409 with why not, and then nothing has changed."""
    cameras = cameras_of_table()
    try:
        wanted = wanted_camera(cameras)
    except ValueError as refused:
        return _refused(refused, 422)
    try:
        look_through(cameras, wanted)
    except (ValueError, OSError) as refused:
        return _refused(refused, 409)
    return _chosen()


@views.post("/camera/phone", to=Role.HOST)
def await_phone() -> ResponseReturnValue:
    """Wait for a phone; with its first picture it becomes the camera."""
    try:
        cameras_of_table().await_phone()
    except ValueError as refused:
        return _refused(refused, 409)
    return _chosen()


@views.post("/camera/phone/stop", to=Role.HOST)
def stop_phone() -> ResponseReturnValue:
    """Stop waiting for a phone."""
    cameras_of_table().stop_waiting()
    return _chosen()


def look_through(cameras: Cameras, wanted: CameraChoice) -> None:
    """Look through a camera, or wait for a phone. Raises ValueError or OSError: it cannot be had."""
    if wanted.source == PHONE:
        cameras.await_phone()
    else:
        cameras.change(wanted)


def cameras_of_table() -> Cameras:
    """The table's cameras. Raises NotFound if it has none."""
    cameras = site().table.cameras
    if cameras is None:
        raise NotFound(_("This table has no camera."))
    return cameras


def _refused(refused: Exception, status: int) -> ResponseReturnValue:
    words = refusal(refused)
    return (
        plain(words, status)
        if scripted()
        else _page(_corners(cameras_of_table().corners), trouble=words, status=status)
    )


def _chosen() -> ResponseReturnValue:
    return done(url_for("camera.page") + "#choice")


def wanted_camera(cameras: Cameras) -> CameraChoice:
    """The camera that the form means. Raises ValueError."""
    chosen, now = request.form.get("camera", ""), cameras.now.choice
    if chosen == ADDRESS:
        base = typed(request.form.get("address", "")[: 2 * LONGEST], here=at_this_computer(), own=_own())
    elif chosen == NOW:
        base = CameraChoice(now.source, strict=now.strict)
    elif chosen in (DEMO, PHONE) or any(chosen == one.source for one in cameras.webcams()):
        base = CameraChoice(chosen)
    else:
        raise ValueError(_("That camera is no longer connected."))
    size = request.form.get("size", "")[:20]
    return CameraChoice(
        base.source, size_of(size) if size else None, request.form.get("exposure") == "held", base.strict
    )


def at_this_computer() -> bool:
    """Whether a request comes from the very computer of the table, and from no program that handed it on."""
    sender = bare(request.remote_addr or "")
    if sender is None or any(name in request.headers for name in FORWARDED):
        return False
    return sender.is_loopback or str(sender) in _own()


def _own() -> tuple[str, ...]:
    around = site().settings.neighbourhood
    return around.addresses if around else ()


def _choice() -> dict[str, Any]:
    """What `camera_choice.html` shows; no camera to choose where the table has none or the device may not."""
    cameras, host = site().table.cameras, this_device().role is Role.HOST
    shown: dict[str, Any] = {"state": "", "cameras": cameras, "host": host, "here": at_this_computer()}
    if cameras is None:
        return shown
    now, asked = cameras.now, cameras.now.choice.size
    otherwise = bool(device_of(now.choice.source)) and asked and now.size and asked != now.size
    shown |= {
        "now": now, "waiting": cameras.waiting, "is_phone": now.choice.source == PHONE, "given_otherwise": otherwise,
        "state": f"{now.name} {now.size} {now.exposure_held} {cameras.waiting}",
    }  # fmt: skip
    if not host:
        return shown
    every_camera = offered_cameras(cameras)
    every = sorted({size for one in every_camera for size in one.sizes.split()}, key=_area)
    size = _written(asked) if asked else ""
    shown |= {"offered": every_camera, "sizes": every, "size": size, "longest": LONGEST}
    if shown["waiting"]:
        address, code = phone_invitation()
        shown |= {
            "address": address, "code": code, "network": site().settings.neighbourhood is not None,
            "own_page": url_for("camera.phone"),
        }  # fmt: skip
    return shown


def phone_invitation() -> tuple[str, str]:
    """The address for the phone, and a QR code of it; both empty if no phone can connect."""
    address, access = reach(secure=True, path=url_for("camera.phone")), site().access
    full = f"{address}#{access.link(Role.CAMERA)}" if address and access.guarded else address
    return address, svg(full) if full else ""


def _written(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _area(size: str) -> tuple[int, str]:
    width, height = size_of(size)
    return width * height, size


def offered_cameras(cameras: Cameras) -> list[Offered]:
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
        Offered(DEMO, _("Demo table (throws by itself)"), "", now.choice.source == DEMO, "", False),
    ]


# --- a phone as the camera


@views.get("/phone", to=Role.WATCHER)
def phone() -> ResponseReturnValue:
    """The page to open on the phone; on the table's computer, the code that leads a phone there."""
    table, host = site().table, this_device().role is Role.HOST
    if table.push is None and not (host and table.cameras is not None):
        raise NotFound(
            _("This table uses another camera. The host can switch to a phone on the Camera page.")
        )
    address, code = phone_invitation() if host else ("", "")
    page = render_template(
        "phone.html", title=table.session.match.game.title, address=address, code=code if table.push else "",
        wanted=table.push is not None, secure=secure_address("camera.phone"), here=is_local(),
        may_send=this_device().role in (Role.HOST, Role.CAMERA),
    )  # fmt: skip
    return Response(page, headers={"Permissions-Policy": CAMERA_ALLOWED})


@views.post("/phone/picture", to=Role.CAMERA)
def pushed() -> ResponseReturnValue:
    """One picture: 204 when it was taken, 409 while nobody looks or another phone is the camera, 400 for none."""
    push = site().table.push
    if push is None:
        raise NotFound(_("This table uses another camera."))
    if request.mimetype not in KINDS:
        raise UnsupportedMediaType(_("The picture must be JPEG or WebP."))
    request.max_content_length = LARGEST_PICTURE
    picture = request.get_data(cache=False)
    phone, first = request.headers.get("X-Phone", "")[:64], request.args.get("first") == "1"
    if not site().phone.take(phone, first=first):
        return plain(_("Another phone is the camera now."), 409, {"X-Tableside": "another"})
    try:
        taken = push(picture)
    except ValueError as refused:
        return plain(refusal(refused), 400)
    return ("", 204) if taken else plain(_("Tableside isn’t using the camera right now."), 409)
