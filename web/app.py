"""Makes the Flask application around one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from flask import Flask, request
from werkzeug.exceptions import Forbidden

from messages.message import N_
from web.access import SAFE_METHODS, add_access
from web.errors import add_errors
from web.headers import FOR_EVER, add_headers, digest_of, keep_static, pack
from web.language import add_translations
from web.language import gettext as _
from web.pages import (
    api,
    camera,
    dice,
    enter,
    first_steps,
    health,
    history,
    new_match,
    own_games,
    replay,
    rules,
    settings,
    table,
    teach,
)
from web.settings import WebSettings
from web.site import KEY, Site
from web.times import add_times

LARGEST_FORM = 16 * 1024
"""Bytes in a request; every form of ours is far smaller. A view that takes pictures or imports says so itself."""

PAGES = (
    table, new_match, own_games, camera, dice, teach, history, replay, rules, enter, first_steps, settings, api,
    health,
)  # fmt: skip
"""Each has one Blueprint, `views`."""

WAYS = (
    ("new_match.page", N_("New match")),
    ("table.page", N_("Table")),
    ("camera.page", N_("Camera")),
    ("dice.page", N_("Dice")),
    ("history.page", N_("History")),
    ("rules.page", N_("Rules")),
    ("table.television", N_("Television")),
    ("table.spectator", N_("Spectator")),
)
"""The pages one can go to from every other, and what the links say."""


def create_app(site: Site) -> Flask:
    """The application for one table."""
    served = site.settings
    static = Path(__file__).with_name("static")
    # The digest is part of the path: scripts name each other relatively, and a page never mixes two versions.
    app = Flask(__name__, static_url_path=f"/static/{digest_of(static)}")
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = FOR_EVER
    app.config["TRUSTED_HOSTS"] = list(served.every_host)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_FORM
    app.config["MAX_FORM_PARTS"] = 20
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    if served.neighbourhood is not None:
        app.wsgi_app = _hosts_of_now(app, served)
    app.extensions[KEY] = site
    add_translations(app)
    add_times(app)
    app.context_processor(lambda: {"ways": WAYS})
    app.before_request(refuse_other_sites)
    add_access(app, site.access, site.table)
    # Errors before the headers: what is registered last is asked first, and a page made of an error needs them.
    add_errors(app)
    for after in (pack, keep_static, add_headers):
        app.after_request(after)
    for one in PAGES:
        app.register_blueprint(one.views)
    return app


def _hosts_of_now(app: Flask, served: WebSettings) -> Callable[..., Iterable[bytes]]:
    """Asks for pages under the addresses we have now: a router may give others in the middle of an evening."""
    within = app.wsgi_app

    def asked(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        app.config["TRUSTED_HOSTS"] = list(served.every_host)
        return within(environ, start_response)

    return asked


def refuse_other_sites() -> None:
    """Refuse what another site's page sends: browsers say where a request comes from.

    `Origin` comes with every form and fetch that writes; `Sec-Fetch-Site` says the same where a browser sends
    it. A client that sends neither is not a browser, and has only the rights that it entered itself. To a page over TLS
    the same computer over plain HTTP is another site.
    """
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        raise Forbidden(_("this form was sent by another site"))
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden(_("this form was sent by another site"))
