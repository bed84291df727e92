"""The Settings page, which edits `settings.toml`; the page that checks this computer; stopping and restarting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import Conflict, NotFound

from files.folders import tables_folder
from files.secrets import Secrets
from messages.message import N_
from table.checks import VERDICTS, Light, examine, no_camera, seen, worst
from table.settings import DEFAULTS, Name, Settings, SettingsError, value_of
from web.access import Views, new_link
from web.answers import done, plain
from web.devices import Role
from web.language import current, refusal
from web.language import gettext as _
from web.network.addresses import lan_addresses
from web.pages.camera import at_this_computer
from web.pin import checked_pin, hashed_pin
from web.program import Ending
from web.site import site
from words import LANGUAGES
from words.speaker import speaker

WORST_FIRST: Final = (Light.BROKEN, Light.LOOK, Light.OK)
SUMMARIES: Final = {
    Light.OK: N_("Everything is fine."),
    Light.LOOK: N_("Tableside works. A few things need your attention."),
    Light.BROKEN: N_("Something is broken."),
}

views = Views("settings", __name__)


@dataclass(frozen=True, slots=True)
class Field:
    """A setting as the page shows it."""

    name: Name
    label: str
    hint: str = ""
    kind: str = "text"
    """How it is typed: "switch", "number", "text", "choice"."""
    at_once: bool = False
    choices: Mapping[str, str] | None = None
    low: int = 0
    high: int = 0
    longest: int = 1000

    @property
    def id(self) -> str:
        """Its id in the page, and its name in the form."""
        return "-".join(self.name).replace("_", "-")


GROUPS: Final[tuple[tuple[str, str, tuple[Field, ...]], ...]] = (
    (
        N_("Phones, tablets and televisions"), "phone",
        (
            Field(
                ("network", "lan"), N_("Let devices on your network watch"),
                N_("To play on them, people enter a PIN."), "switch",
            ),
            Field(
                ("network", "own_turn"), N_("Players can only play and correct their own turns"), "", "switch",
                at_once=True,
            ),
            Field(
                ("network", "port"), N_("Port"), N_("Part of the address of the pages."), "number", low=1, high=65535
            ),
        ),
    ),
    (
        N_("Voice"), "voice",
        (
            Field(("voice", "speak"), N_("Say throws and scores through this computer’s loudspeaker"), "", "switch"),
            Field(
                ("voice", "language"), N_("Language of the voice"), N_("Each device chooses its own for the pages."),
                "choice", choices=LANGUAGES,
            ),
        ),
    ),
    (
        N_("LED scoreboard"), "television",
        (
            Field(
                ("scoreboard", "port"), N_("Where it is connected"),
                N_("Type “auto” for any USB port, or a port’s name. Leave it empty if you have none."), longest=200,
            ),
            Field(("scoreboard", "brightness"), N_("Brightness"), N_("From 0 to 15."), "number", low=0, high=15),
        ),
    ),
    (
        N_("Smart home"), "idea",
        (
            Field(
                ("mqtt", "broker"), N_("MQTT broker"),
                N_(
                    "For example mqtt://homeassistant.local, or mqtt://user:password@host; the password is stored "
                    "separately. Leave it empty if you have none."
                ),
            ),
        ),
    ),
)  # fmt: skip
"""What the page edits besides camera and PIN, in its order."""

FIELDS: Final = {field.name: field for _title, _icon, fields in GROUPS for field in fields}
PIN: Final[Name] = ("network", "pin")
BROKER: Final[Name] = ("mqtt", "broker")
NO_BROKER: Final = N_("Enter mqtt:// or mqtts:// and the broker’s name.")


@views.get("/settings", to=Role.HOST)
def page() -> ResponseReturnValue:
    """The page."""
    return _page()


@views.post("/settings", to=Role.HOST)
def save() -> ResponseReturnValue:
    """Save the form; if a value is invalid, save nothing and answer 422 with the page again."""
    changes: dict[Name, object] = {}
    wrong: dict[Name, str] = {}
    for name, field in FIELDS.items():
        given = " ".join(request.form.get(field.id, "").split())[: field.longest + 1]
        if field.kind == "switch":
            changes[name] = given == "on"
        elif field.kind == "number":
            if given.isdecimal() and len(given) < 6 and field.low <= int(given) <= field.high:
                changes[name] = int(given)
            else:
                wrong[name] = _("Enter a whole number from %(low)d to %(high)d.", low=field.low, high=field.high)
        elif field.kind == "choice":
            changes[name] = given if field.choices and given in field.choices else value_of(DEFAULTS, name)
        else:
            changes[name] = given
    pin = request.form.get("pin", "").strip()
    if request.form.get("no-pin") == "on":
        changes[PIN] = ""
    elif pin:
        try:
            changes[PIN] = hashed_pin(checked_pin(pin))
        except ValueError:
            wrong[PIN] = _("Choose 4 to 40 letters or digits that are not all the same.")
    broker = str(changes[BROKER])
    if broker and not broker.startswith(("mqtt://", "mqtts://")):
        wrong[BROKER] = _(NO_BROKER)
    try:
        if not wrong:
            changes[BROKER] = broker = Secrets(tables_folder()).keep_apart("broker", broker)
        if "@" in broker and BROKER not in wrong:
            wrong[BROKER] = _(NO_BROKER)  # it cannot be taken apart, so it is no address
        if wrong:
            return _page(wrong=wrong, status=422)
        site().program.settings.change(changes)
    except (ValueError, OSError) as refused:
        return _page(trouble=refusal(refused), status=422 if isinstance(refused, SettingsError) else 503)
    site().access.own_turn = bool(changes["network", "own_turn"])
    return done(url_for("settings.page", saved=1))


@views.post("/settings/again", to=Role.HOST)
def again() -> ResponseReturnValue:
    """Restart Tableside; the match continues."""
    if not site().program.steered:
        raise Conflict(_("Tableside was started in a terminal. Stop it there with Ctrl-C and start it again."))
    try:
        site().program.settings.read()
    except (SettingsError, OSError):
        return _page(status=409)  # it would not start with this file; the page says what is wrong with it
    return restart(url_for("settings.page"))


@views.post("/settings/stop", to=Role.HOST)
def stop() -> ResponseReturnValue:
    """Stop Tableside."""
    if not site().program.steered:
        raise Conflict(_("Tableside was started in a terminal. Stop it there with Ctrl-C."))
    site().program.end(Ending.STOP)
    return Response(render_template("ended.html", to="", seconds=0))


@views.get("/settings/check", to=Role.HOST)
def check() -> str:
    """What may be wrong with this computer and the camera's picture."""
    cameras = site().table.cameras
    checks = [*examine(lan_addresses())]
    if cameras is not None:
        checks += map(no_camera, site().table.session.latest().snapshot.camera)
        checks += seen(cameras.remarks(), lambda template, values: _(template, **values))
    checks.sort(key=lambda one: WORST_FIRST.index(one.light))
    return render_template("check.html", summary=SUMMARIES[worst(checks)], checks=checks, verdicts=VERDICTS,
                           spoken=speaker(current()))  # fmt: skip


@views.get("/running", to=Role.WATCHER)
def running() -> Response:
    """Whose table this is, for a second start on this computer and for a page that waits for the first."""
    if not at_this_computer():
        raise NotFound
    return plain(site().program.id, 200)


def restart(to: str, *, awaits_phone: bool = False) -> Response:
    """Restart Tableside; the page in the answer opens `to` as soon as it can."""
    link = new_link()
    site().program.end(Ending.AGAIN, link=link, awaits_phone=awaits_phone)
    onward = f"{url_for('enter.page')}?{urlencode({'back': to})}#{link}" if _guarded_next() else to
    return Response(render_template("ended.html", to=onward, seconds=8))


def _guarded_next() -> bool:
    """Whether a PIN is asked for after the next start."""
    try:
        network = site().program.settings.read().network
    except (SettingsError, OSError):
        return False
    return network.lan or bool(network.pin)


def _page(
    *, wrong: Mapping[Name, str] | None = None, trouble: str = "", status: int = 200
) -> ResponseReturnValue:
    program, broken = site().program, ""
    try:
        settings = program.settings.read()
    except (SettingsError, OSError) as refused:
        settings, broken = DEFAULTS, refusal(refused)
    wrong = wrong or {}
    page = render_template(
        "settings.html", groups=GROUPS, values=_values(settings, again=bool(wrong)), wrong=wrong, trouble=trouble,
        broken=broken, path=str(program.settings.path), saved="saved" in request.args, steered=program.steered,
        has_pin=bool(settings.network.pin), known_pin=site().access.known_pin, cameras=site().table.cameras,
        pin_wrong=wrong.get(PIN, ""),
    )  # fmt: skip
    return page, status


def _values(settings: Settings, *, again: bool) -> dict[Name, str]:
    """What each field shows: what was filled in, where the page comes back, else what is set."""
    shown: dict[Name, str] = {}
    for name, field in FIELDS.items():
        value = value_of(settings, name)
        kept = "on" if value is True else "" if value is False else str(value)
        shown[name] = request.form.get(field.id, "")[: field.longest] if again else kept
    return shown
