"""What goes wrong, in words: a page for people, one line for scripts."""

from __future__ import annotations

import json

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from messages.message import ENGLISH, N_
from web.access import NotAllowed
from web.language import gettext as _

PLAIN = {
    400: N_("Tableside did not understand the request."),
    404: N_("This page does not exist."),
    405: N_("This address is not a page. Go back to the table."),
    413: N_("That is too large to send."),
    500: N_("Something went wrong in Tableside. The terminal shows the error."),
}
"""The sentences for errors without one of their own."""

API = "/api/"
"""Where other programs ask: they get JSON, whatever they say they would rather have."""

TITLES = {403: N_("Not allowed here"), 404: N_("Page not found"), 500: N_("Something went wrong")}
"""What the page of an error is called; the others only say that it did not work."""

OTHER = N_("That did not work.")


def add_errors(app: Flask) -> None:
    """Answer every error with its sentence, and with a page around it if a browser asked for a page."""

    @app.errorhandler(HTTPException)
    def plainly(error: HTTPException) -> Response:
        headers = {"X-Tableside": "may-not"} if isinstance(error, NotAllowed) else {}
        own = error.description if error.description != type(error).description else ""
        words = " ".join(own.split()) if own else _(PLAIN.get(error.code or 0, OTHER))
        if request.path.startswith(API):
            body = json.dumps({"error": words})
            return Response(body, status=error.code, mimetype="application/json", headers=headers)
        return Response(f"{words}\n", status=error.code, mimetype="text/plain", headers=headers)

    @app.after_request
    def as_a_page(response: Response) -> Response:
        ours = response.status_code >= 400 and response.mimetype == "text/plain" and not response.is_streamed
        if not (wants_page() and ours) or isinstance(request.routing_exception, SecurityError):
            return response
        said = ENGLISH.sentence([response.get_data(as_text=True).strip()])
        headers = response.headers
        title = TITLES.get(response.status_code, N_("That did not work"))
        page = render_template(
            "error.html",
            title=_(title),
            said=said,
            may_not="X-Tableside" in headers,
            rule=headers.get("X-Rule"),
            house_rule=headers.get("X-House-Rule"),
        )
        response.set_data(page)
        response.mimetype = "text/html"
        return response


def wants_page() -> bool:
    """Whether a browser asks for something to show, not a script."""
    return "text/html" in request.headers.get("Accept", "") and "X-Requested-With" not in request.headers
