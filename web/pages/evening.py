"""What a page sends about the evening itself: pausing and going on, and throws that count or do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from table.storage.remembered import Remembered
from table.table import Table
from web.language import current
from web.language import gettext as _

LONGEST_NAMES = 400
"""Characters in a list of players."""

Act = Callable[[Callable[[], None]], ResponseReturnValue]
"""Does it, and makes an answer of it or of its refusal."""


def who(players: Sequence[str]) -> str:
    """Which player uses the page that sends this; empty when nobody said. It is a note, and gives no rights."""
    said = request.form.get("by", "")
    return said if said in players else ""


def add_evening(views: Blueprint, table: Table, act: Act, remembered: Remembered) -> None:
    """Add these views to the dashboard's."""

    @views.post("/pause")
    def pause() -> ResponseReturnValue:
        """Stop for now."""
        return act(table.session.pause)

    @views.post("/go-on")
    def go_on() -> ResponseReturnValue:
        """Play on after a pause."""
        return act(table.go_on)

    @views.post("/count")
    def count() -> ResponseReturnValue:
        """What lies there is the throw, whatever was doubted."""
        by = who(table.session.match.header.players)
        return act(lambda: table.session.count(by))

    @views.post("/discount")
    def discount() -> ResponseReturnValue:
        """The last throw does not count."""
        by = who(table.session.match.header.players)
        return act(lambda: table.session.discount(by))

    @views.post("/seat")
    def seat() -> ResponseReturnValue:
        """Other people play on, in another order or by other names. Who would leave with points is asked about."""
        named, leaving = request.form.get("players", ""), request.form.getlist("leaving")
        if not named or len(named) > LONGEST_NAMES:
            raise BadRequest(_("Type the players’ names, with commas between them."))
        names, session = named.split(","), table.session
        with suppress(ValueError):  # what is refused is said by the answer to the change itself
            after, lose = session.seating(names)
            if not set(lose) <= set(leaving):
                said = session.tongue(current()).sentence(after.played[-1].step.facts, after.header.players)
                page = render_template("leaving.html", said=said, named=named, lose=lose)
                return page, 409, {"X-Asks": "leaving"}

        def seats() -> None:
            before = session.match.header.players
            session.seat(names, leaving)
            remembered.left([name for name in before if name in leaving])

        return act(seats)
