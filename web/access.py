"""Who may do what: each route says to whom it is open, and one rule asks.

Without a PIN everybody is the host: then nothing listens beyond this computer. With one, a device watches until it
entered a code: the host's PIN, which the terminal says; a player's code, which the host's page shows; the camera's.

The parts of a page that are pushed to every device (`board`, `outlines`) are made once for each role; of a device they
must not ask more.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from flask import Blueprint, Flask, g, request
from flask import typing as ft
from flask.wrappers import Response
from itsdangerous import BadSignature, TimestampSigner
from werkzeug.exceptions import Forbidden

from table.seats import whose_last_word, whose_turn
from table.table import Table
from web.devices import EVERYBODY, NOBODY, OLDEST, Device, Devices, Role
from web.language import gettext as _
from web.network.throttle import Throttle
from web.pin import LONGEST_CODE, bare_code, fits, is_hashed, new_pin

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

LINK = 10
"""Random bytes in the secret of a link to scan or open: too many to guess, so no guesser keeps its bearer waiting."""

RIGHT = "right"
"""Where a view function keeps its `Right`."""


@dataclass(frozen=True, slots=True)
class Right:
    """To whom a route is open; the host may do everything."""

    role: Role
    """The least that a device must be: a watcher is anybody. What only the camera's phone sends no player may."""
    looks_back: bool = False
    """It says something about a throw or a decision that was made already."""

    def holds(self, device: Device) -> bool:
        """Whether this device may act, no matter whose turn it is."""
        return device.role in (Role.HOST, self.role) or self.role is Role.WATCHER


class Views(Blueprint):
    """A page's Blueprint. Every route says who may ask for it: `to` a role, and whether it `looks_back`."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: ft.RouteCallable | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Keep the route's right with its view. Raises KeyError if it has none."""
        setattr(view_func, RIGHT, Right(options.pop("to"), options.pop("looks_back", False)))
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)


def right_of(view: object) -> Right | None:
    """The role that a view is open to; None if it does not say."""
    return getattr(view, RIGHT, None)


class Access:
    """The codes of one table, and the devices that entered one."""

    def __init__(
        self,
        pin: str | None = None,
        devices: Devices | None = None,
        *,
        link: str | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        """`pin` is the host's PIN or its hash (`web.pin`); None: everybody may do everything. `link` is what the host's
        link holds, by default a new secret."""
        self.pin = pin
        self.devices = devices or Devices()
        self.own_turn = False
        """A player's device acts in its player's own turn only, and corrects only what that player threw or decided."""
        self.throttle = throttle or Throttle()
        self._signer = TimestampSigner(self.devices.key, salt="tableside device")
        self._codes: dict[tuple[Role, str], str] = {}
        self._links: dict[tuple[Role, str], str] = {(Role.HOST, ""): link or new_link()}
        self._lock = threading.Lock()

    @property
    def guarded(self) -> bool:
        """Whether a device has to enter before it acts."""
        return self.pin is not None

    @property
    def known_pin(self) -> str:
        """The host's PIN, for the host; empty if only its hash is known or there is none."""
        return self.pin if self.pin is not None and not is_hashed(self.pin) else ""

    def code(self, role: Role, player: str = "") -> str:
        """The code by which a device becomes this; it holds as long as the server runs."""
        if role is Role.HOST and self.pin is not None:
            return self.known_pin
        with self._lock:
            key = (role, player)
            if key not in self._codes:
                taken = {*self._codes.values(), self.pin}
                self._codes[key] = next(code for code in iter(new_pin, "") if code not in taken)
            return self._codes[key]

    def link(self, role: Role, player: str = "") -> str:
        """What a link holds by which a device becomes this; it holds as long as the code does."""
        with self._lock:
            return self._links.setdefault((role, player), new_link())

    def new_codes(self) -> None:
        """Players and cameras get other codes and links; devices that are in stay in."""
        with self._lock:
            self._codes.clear()
            self._links = {key: one for key, one in self._links.items() if key[0] is Role.HOST}

    def enter(self, code: str, address: str, called: str = "") -> str | None:
        """The cookie for a device that sends a code; None if the code is wrong.

        Raises:
            TooManyTriesError: somebody is guessing; the code was not checked.
            OSError: the disk failed.
        """
        given = bare_code(code)[:LONGEST_CODE]
        with self._lock:
            codes, links = {**self._codes, (Role.HOST, ""): self.pin or ""}, dict(self._links)
        found: list[tuple[Role, str]] = []

        def right(known: Mapping[tuple[Role, str], str]) -> bool:
            # Every code is compared, in constant time: how long it takes says nothing about any of them.
            found.extend(key for key, one in known.items() if fits(one, given))
            return bool(found) and self.guarded

        if not right(links) and not self.throttle.attempt(address, lambda: right(codes)):
            return None
        role, player = found[0]
        return self._signer.sign(self.devices.enter(role, player, called)).decode()

    def leave(self, cookie: str) -> None:
        """The device with this cookie goes. Raises OSError."""
        secret = self._secret(cookie)
        if secret is not None:
            self.devices.leave(secret)

    def device(self, cookie: str) -> Device:
        """The device that shows this cookie."""
        if not self.guarded:
            return EVERYBODY
        secret = self._secret(cookie)
        return self.devices.find(secret) if secret is not None else NOBODY

    def _secret(self, cookie: str) -> str | None:
        try:
            return self._signer.unsign(cookie, max_age=int(OLDEST)).decode()
        except (BadSignature, UnicodeDecodeError):
            return None


def new_link() -> str:
    """A secret for a link."""
    return secrets.token_hex(LINK)


def add_access(app: Flask, access: Access, table: Table) -> None:
    """Ask of each request whether its device may; give templates `can_act`, `role` and `guarded`."""

    @app.before_request
    def may() -> None:
        g.access = access
        view = app.view_functions.get(request.endpoint or "")
        if view is None or request.endpoint == "static":
            return
        refusal = refused(this_device(), right_of(view) or Right(Role.HOST), access, table)
        if refusal:
            raise NotAllowed(refusal)

    @app.context_processor
    def rights() -> dict[str, Any]:
        if "access" not in g:  # an error before any rule was asked
            return {"can_act": True, "role": "host", "guarded": False, "device": EVERYBODY}
        device = this_device()
        device = replace(device, player=table.session.match.called(device.player))
        acts = device.role in (Role.HOST, Role.PLAYER)
        return {"can_act": acts, "role": device.role.value, "guarded": access.guarded, "device": device}


class NotAllowed(Forbidden):
    """A device may not do this; the page that says so offers to enter a code."""

    def __init__(self, description: str, response: Response | None = None) -> None:
        """`description` is one sentence."""
        super().__init__(description, response)


def this_device() -> Device:
    """The device that sends the request."""
    if "device" not in g:
        g.device = cast(Access, g.access).device(request.cookies.get(cookie_name(), ""))
    return cast(Device, g.device)


def this_role() -> Role:
    """The role of the requesting device; everybody is the host if access is not restricted."""
    return this_device().role if "access" in g else Role.HOST


def cookie_name() -> str:
    """The cookie of this connection: one for each port, and one over TLS that plain pages cannot overwrite."""
    name = f"tableside-{request.environ.get('SERVER_PORT', '')}"
    return f"__Host-{name}" if request.is_secure else name


def refused(device: Device, right: Right, access: Access, table: Table) -> str:
    """Why a device may not do what needs this right; empty if it may."""
    if device.role is Role.PLAYER and right.role is Role.PLAYER and access.own_turn:
        return _others_turn(device, right, table)
    if right.holds(device):
        return ""
    if request.method in SAFE_METHODS:
        return _("This page is only for the host. Enter the host’s PIN.")
    if device.role is Role.PLAYER:
        return _("Only the host can do this.")
    if device.role is Role.CAMERA:
        return _("This phone is only the camera. Use another device to play.")
    return _("This device can only watch. Enter the PIN to play.")


def _others_turn(device: Device, right: Right, table: Table) -> str:
    """Why a player may not say this about another's turn; empty if it is his own."""
    match = table.session.match
    if right.looks_back:
        allowed = whose_last_word(match, waiting=bool(table.session.latest().snapshot.question))
        words = _(
            "Only %(name)s or the host can correct this turn.", name=", ".join(allowed)
        )
    else:
        allowed = whose_turn(match)
        words = _("It isn’t your turn yet. Waiting for %(name)s.", name=", ".join(allowed))
    return words if allowed and match.called(device.player) not in allowed else ""
