"""The page that settles a dispute: a roll's picture, what was read and corrected, which rule gave which point."""

from __future__ import annotations

import time

from flask import Blueprint, Response, render_template
from werkzeug.exceptions import NotFound

from table.dispute import Dispute
from table.table import Table
from web.boards.record import Names, gave
from web.language import current
from web.language import gettext as _


def add_disputes(views: Blueprint, table: Table) -> None:
    """Add these views to the dashboard's."""

    @views.get("/dispute/")
    def latest_dispute() -> str:
        """The last roll."""
        rolls = table.rolls()
        if not rolls:
            raise NotFound(_("there is no roll yet"))
        return _page(rolls[0][0])

    @views.get("/dispute/<int:event>")
    def one_dispute(event: int) -> str:
        """The roll with this event number."""
        return _page(event)

    def _page(event: int) -> str:
        told = table.dispute(event)
        if told is None:
            raise NotFound(_("there is no such roll"))
        match, tongue = table.session.match, table.session.tongue(current())
        names = Names(tongue.code, tongue.labels, match.header.players)
        return render_template(
            "dispute.html", d=told, at=clock(told.when), corrections=corrected(told), rolls=table.rolls(),
            decided=[tongue.sentence(one.step.facts, one.step.state.players) for one in told.decided],
            given=[
                gave(score, one.step.state.players[score.player], names)
                for one in told.followed for score in one.step.scores
            ], label=tongue.name, title=match.game.title,
            match_id=table.session.store.id,
        )  # fmt: skip

    @views.get("/evidence/<int:event>/<int:before>.jpg")
    def evidence(event: int, before: int) -> Response:
        """A picture of a roll, so many milliseconds before it."""
        picture = table.evidence(event, before) if max(event, before) < 1 << 31 else None
        if picture is None:
            raise NotFound(_("no such picture is kept"))
        return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def clock(when: float) -> str:
    """The time of day."""
    return time.strftime("%H:%M:%S", time.localtime(when))


def corrected(told: Dispute) -> list[tuple[str, str, tuple[str, ...]]]:
    """Each correction of a roll: when, by whom, and what the dice were said to be (nothing: no throw)."""
    return [(clock(one.when), one.by, one.faces) for one in told.corrections]
