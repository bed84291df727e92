"""The pages and what they send: thin, every decision is the session's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from scoring.logfile import move_from
from table.counsel import Expert
from table.notice import Notice
from table.table import Table
from table.words import sentence
from web.announcer import Announcer
from web.counsel import add_counsel
from web.disputes import add_disputes
from web.evening import add_evening, who
from web.history import add_history
from web.language import add_language
from web.settings import WebSettings

LONGEST_ROLL = 200
"""Characters in a typed roll."""


def pages(table: Table, announcer: Announcer, settings: WebSettings) -> Blueprint:
    """Every view of the dashboard."""
    views = Blueprint("table", __name__)
    written = WrittenEvents()

    @views.get("/")
    def page() -> str:
        """The table."""
        latest, watched = table.session.latest(), table.watcher is not None
        return render_template(
            "table.html", s=latest.standing, number=latest.number, watched=watched, devices=announcer.devices
        )

    @views.get("/events")
    def events() -> Response:
        """Notices as server-sent events, for as long as the page listens.

        A page says which notice it was made from (`after`), one that comes back what it heard last
        (`Last-Event-ID`); it is told what it missed. Numbers from before a restart are ahead of ours.
        """
        heard = _count(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
        since = heard if heard <= announcer.latest else announcer.latest - 1
        stream = Response(stream_with_context(_events(since)), mimetype="text/event-stream")
        stream.headers["X-Accel-Buffering"] = "no"
        return stream

    def _events(since: int) -> Iterator[str]:
        number, state, devices = since, None, ""
        yield "retry: 1000\n\n"
        while not announcer.closed:
            told = announcer.after(number, state, settings.heartbeat, devices)
            if told.state is not None:
                state = told.state
                yield f"event: state\ndata: {state}\n\n"
            if told.devices is not None:
                devices = told.devices
                yield f"event: devices\ndata: {devices}\n\n"
            for notice in told.notices:
                number = notice.number
                yield written.event(notice)
            if told.state is None and told.devices is None and not told.notices:
                yield ": still here\n\n"

    @views.get("/picture")
    def picture() -> ResponseReturnValue:
        """The newest frame later than number `after`, as JPEG; 204 when none came in time."""
        frame = table.picture(_count(request.args.get("after", "")), settings.picture_wait)
        if frame is None:
            return "", 204
        return Response(frame[1], mimetype="image/jpeg", headers={"X-Frame": str(frame[0])})

    @views.app_template_global()
    def face_picture(face: str) -> str:
        """The address of a face's drawing; another set's face of the same name has another one, for caches."""
        return url_for("table.face", face=face, set=table.session.dice_set.id)

    @views.get("/face/<face>.png")
    def face(face: str) -> Response:
        """A face's drawing."""
        drawing = table.face_picture(face)
        if drawing is None:
            raise NotFound("no such face")
        return Response(drawing, mimetype="image/png", headers={"Cache-Control": "max-age=3600"})

    @views.post("/throw")
    def throw() -> ResponseReturnValue:
        """Throw the dice that are not held."""
        return _act(table.session.throw)

    @views.post("/hold")
    def hold() -> ResponseReturnValue:
        """Hold one die, or let it go."""
        number = _number("die")
        return _act(lambda: table.session.hold(number))

    @views.post("/correct")
    def correct() -> ResponseReturnValue:
        """Say what a die shows."""
        number, chosen = _number("die"), _text("face", 80)
        by = who(table.session.match.header.players)
        return _act(lambda: table.session.correct(number, chosen, by))

    @views.post("/dismiss")
    def dismiss() -> ResponseReturnValue:
        """Say that something is no die."""
        number = _number("die")
        return _act(lambda: table.session.dismiss(number))

    @views.post("/roll")
    def roll() -> ResponseReturnValue:
        """Type a roll."""
        typed = _text("faces", LONGEST_ROLL)
        return _act(lambda: table.session.roll(typed))

    @views.post("/move")
    def move() -> ResponseReturnValue:
        """A player's decision, as plain JSON."""
        try:
            record: object = json.loads(_text("move", 4000))
        except (ValueError, RecursionError):
            raise BadRequest("expected a move as JSON") from None
        return _act(lambda: table.session.decide(move_from(record, table.session.match.game)))

    @views.post("/undo")
    def undo() -> ResponseReturnValue:
        """Take back the last decision."""
        return _act(table.session.undo)

    @views.post("/look")
    def look() -> ResponseReturnValue:
        """Read the dice once more."""
        return _act(table.look_again)

    add_language(views)
    add_evening(views, table, _act)
    add_disputes(views, table)
    expert = Expert()
    add_counsel(views, table, expert)
    add_history(views, table, expert)
    return views


def _act(action: Callable[[], None]) -> ResponseReturnValue:
    """Do it; a refusal goes back as one plain sentence. Forms without script go back to the page."""
    try:
        action()
    except (ValueError, OSError) as refused:
        status = 409 if isinstance(refused, ValueError) else 503
        return Response(f"{sentence(str(refused))}\n", status=status, mimetype="text/plain")
    if request.headers.get("X-Requested-With") == "tableside":
        return "", 204
    return redirect(url_for("table.page"), code=303)


class WrittenEvents:
    """Notices as events; one is written once, however many pages listen."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self._latest: tuple[int, str] = (0, "")

    def event(self, notice: Notice) -> str:
        """A notice as one event; JSON has no raw line breaks, which would end it."""
        number, text = self._latest
        if number != notice.number:
            parts = {
                part: render_template(f"{part}.html", s=notice.standing) for part in ("outlines", "board")
            }
            names = [seat.name for seat in notice.standing.players]
            told = json.dumps(
                {
                    "number": notice.number,
                    "sentence": notice.sentence,
                    "title": notice.standing.title,
                    "players": names,
                    **parts,
                }
            )
            text = f"id: {notice.number}\nevent: notice\ndata: {told}\n\n"
            self._latest = (notice.number, text)
        return text


def _count(given: str) -> int:
    """A count out of a header or an address; -1 where there is none."""
    return int(given) if given.isdecimal() and len(given) < 12 else -1


def _number(field: str) -> int:
    given = request.form.get(field, "")
    if not given.isdecimal() or len(given) > 4:
        raise BadRequest(f"expected a number as {field}")
    return int(given)


def _text(field: str, longest: int) -> str:
    given = request.form.get(field, "")
    if not given or len(given) > longest:
        raise BadRequest(f"expected {field}, of at most {longest} characters")
    return given
