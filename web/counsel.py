"""What a page asks the quiet expert: the best move and why, and how good the last turn's choices were."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from advice.counsel import Expert
from table.table import Table
from web.language import current, refusal


def add_counsel(views: Blueprint, table: Table, asked: Expert) -> None:
    """Add these views to the dashboard's; only the page that asks hears the answer."""

    @views.get("/advice")
    def advice() -> ResponseReturnValue:
        """The best move and the reason; 409 with one sentence where there is nothing to say.

        As JSON, but as two lines of text where a browser without script opens it.
        """
        try:
            counsel = asked.best_move(table.session.match, table.session.tongue(current()))
        except ValueError as none:
            return _none(none)
        if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
            return Response(f"{counsel.sentence}\n{counsel.why}\n", mimetype="text/plain")
        return jsonify(sentence=counsel.sentence, why=counsel.why)

    @views.get("/last-turn")
    def last_turn() -> ResponseReturnValue:
        """How good the last turn's choices were, as JSON."""
        try:
            return jsonify(sentence=asked.last_turn(table.session.match, table.session.tongue(current())))
        except ValueError as none:
            return _none(none)


def _none(reason: ValueError) -> Response:
    return Response(f"{refusal(reason)}\n", status=409, mimetype="text/plain")
