"""What a page asks the quiet expert: the best move and why, and how good the last turn's choices were."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from table.counsel import Expert
from table.table import Table
from table.words import sentence


def add_counsel(views: Blueprint, table: Table, expert: Expert | None = None) -> None:
    """Add these views to the dashboard's; only the page that asks hears the answer."""
    session, asked = table.session, expert or Expert()
    labels = {face.id: face.label("en") for face in session.dice_set.faces}

    @views.get("/advice")
    def advice() -> ResponseReturnValue:
        """The best move and the reason, as JSON; 409 with one sentence where there is nothing to say."""
        try:
            counsel = asked.best_move(session.match, labels)
        except ValueError as none:
            return _none(none)
        return jsonify(sentence=counsel.sentence, why=counsel.why)

    @views.get("/last-turn")
    def last_turn() -> ResponseReturnValue:
        """How good the last turn's choices were, as JSON."""
        try:
            return jsonify(sentence=asked.last_turn(session.match))
        except ValueError as none:
            return _none(none)


def _none(reason: ValueError) -> Response:
    return Response(f"{sentence(str(reason))}\n", status=409, mimetype="text/plain")
