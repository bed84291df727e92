"""The page that settles a dispute: a roll's picture, what was read and corrected, which rule gave which point."""

from __future__ import annotations

import time

from flask import Blueprint, Response, render_template
from werkzeug.exceptions import NotFound

from table.table import Table


def add_disputes(views: Blueprint, table: Table) -> None:
    """Add these views to the dashboard's."""

    @views.get("/dispute/")
    def latest_dispute() -> str:
        """The last roll."""
        rolls = table.rolls()
        if not rolls:
            raise NotFound("there is no roll yet")
        return _page(rolls[0][0])

    @views.get("/dispute/<int:event>")
    def one_dispute(event: int) -> str:
        """The roll with this event number."""
        return _page(event)

    def _page(event: int) -> str:
        told = table.dispute(event)
        if told is None:
            raise NotFound("there is no such roll")
        label = table.session.face_label
        at = time.strftime("%H:%M:%S", time.localtime(told.when))
        fixed = [(one, time.strftime("%H:%M:%S", time.localtime(one.when))) for one in told.corrections]
        return render_template(
            "dispute.html", d=told, at=at, corrections=fixed, rolls=table.rolls(), label=label,
            title=table.session.match.game.title,
        )  # fmt: skip

    @views.get("/evidence/<int:event>/<int:before>.jpg")
    def evidence(event: int, before: int) -> Response:
        """A picture of a roll, so many milliseconds before it."""
        picture = table.evidence(event, before) if max(event, before) < 1 << 31 else None
        if picture is None:
            raise NotFound("no such picture is kept")
        return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})
