"""What goes wrong, in words: a page for people, one line for scripts."""

from __future__ import annotations

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from table.words import sentence
from web.access import NotAllowed


def add_errors(app: Flask) -> None:
    """Answer every error with its sentence; where a browser asked for a page, with a page around it."""

    @app.errorhandler(HTTPException)
    def plainly(error: HTTPException) -> Response:
        headers = {"X-Tableside": "may-not"} if isinstance(error, NotAllowed) else {}
        words = " ".join((error.description or error.name).split())
        return Response(f"{words}\n", status=error.code, mimetype="text/plain", headers=headers)

    @app.after_request
    def as_a_page(response: Response) -> Response:
        wants = "text/html" in request.headers.get("Accept", "") and "X-Requested-With" not in request.headers
        ours = response.status_code >= 400 and response.mimetype == "text/plain" and not response.is_streamed
        if not (wants and ours) or isinstance(request.routing_exception, SecurityError):
            return response
        said = sentence(response.get_data(as_text=True).strip())
        page = render_template("error.html", said=said, may_not="X-Tableside" in response.headers)
        response.set_data(page)
        response.mimetype = "text/html"
        return response
