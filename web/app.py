"""Makes the Flask application around one table."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, HTTPException

from table.table import Table
from web.announcer import Announcer
from web.settings import WebSettings
from web.views import pages
from web.ways import add_ways

LARGEST_FORM = 16 * 1024
"""Bytes in a request; every form of ours is far smaller."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No script, style or picture from elsewhere, and none inline: a player's name cannot become code."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def create_app(table: Table, announcer: Announcer, settings: WebSettings | None = None) -> Flask:
    """The application for one table; `announcer` must be among the outputs of the table's session."""
    app = Flask(__name__)
    app.config["TRUSTED_HOSTS"] = list((settings or WebSettings()).hosts)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_FORM
    app.config["MAX_FORM_PARTS"] = 20
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    add_ways(app)
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, plainly)
    app.register_blueprint(pages(table, announcer, settings or WebSettings()))
    return app


def refuse_other_sites() -> None:
    """Refuse what another site's page sends: browsers say where a request comes from.

    `Origin` comes with every form and fetch that writes; `Sec-Fetch-Site` says the same where a browser sends
    it. A client that sends neither is no browser, and carries nobody's rights.
    """
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise Forbidden("this form was sent by another site")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("this form was sent by another site")


def add_headers(response: Response) -> Response:
    """Headers that keep a browser strict."""
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def plainly(error: HTTPException) -> Response:
    """An error as one line of text; a browser needs no page for it."""
    return Response(f"{error.description or error.name}\n", status=error.code, mimetype="text/plain")
