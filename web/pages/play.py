"""The pages and what they send: thin, every decision is the session's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import cast

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from advice.counsel import Expert
from files.folders import tables_folder
from scoring.logfile import move_from
from table.storage.remembered import Remembered
from table.table import Table
from table.teaching.lesson import Lesson
from table.teaching.saved import LessonFile
from table.teaching.sets import SetLibrary
from web.access import NotAllowed, this_device
from web.announcer import Announcer
from web.boards import hand_of, move_of
from web.counsel import add_counsel
from web.devices import Role
from web.disputes import add_disputes
from web.language import add_language, current, devices_told, gettext, refusal
from web.onlookers import add_onlookers
from web.pages.camera import add_camera
from web.pages.dice import add_dice
from web.pages.evening import add_evening, who
from web.pages.history import add_history
from web.pages.replay import add_replaying
from web.pages.rulings import add_rulings
from web.pages.teach import add_teach
from web.pages.tonight import add_tonight
from web.settings import WebSettings
from web.streams import BEAT, LOOKS_EVERY, Gone, hello, is_gone, streamed
from web.written import BEHIND, PARTS, WrittenEvents, labels_of, log_of, shown_board

LONGEST_ROLL = 200
"""Characters in a typed roll."""


def pages(table: Table, announcer: Announcer, settings: WebSettings) -> Blueprint:
    """Every view of the dashboard."""
    views = Blueprint("table", __name__)
    written = WrittenEvents(table, announcer.mark)

    @views.get("/")
    def page() -> str:
        """The table."""
        latest = table.session.latest().told(current())
        return render_template(
            "table.html",
            s=latest.standing,
            b=shown_board(table, latest.standing),
            number=announcer.mark(latest.number),
            log=log_of(latest),
            sentence=announcer.said(current()),
            match_id=latest.match_id,
            watched=table.watcher is not None,
            devices=devices_told(announcer.devices),
        )

    @views.get("/events")
    def events() -> Response:
        """Notices as server-sent events, for as long as the page listens.

        A page says which notice it was made from (`after`), one that comes back what it heard last
        (`Last-Event-ID`); it is told what it missed. `view` is the kind of page, whose parts come along.
        """
        view = request.args.get("view", "table")
        if view not in PARTS:
            raise BadRequest(gettext("expected a kind of page that follows the table"))
        since = announcer.since(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
        return streamed(_events(since, view, is_gone()))

    def _events(since: int, view: str, gone: Gone) -> Iterator[str]:
        number, state, devices, quiet = since, None, "", 0.0
        look = min(settings.heartbeat, LOOKS_EVERY)
        yield hello(announcer.run, settings.heartbeat)
        while not announcer.closed and not gone():
            told = announcer.after(number, state, look, devices)
            if told.state is not None:
                state = told.state
                yield f"event: state\ndata: {state}\n\n"
            if told.devices is not None:
                devices = told.devices
                yield f"event: devices\ndata: {devices_told(devices)}\n\n"
            for notice in told.notices if len(told.notices) <= BEHIND else told.notices[-1:]:
                number = notice.number
                yield written.event(notice, view)
            if told.state is not None or told.devices is not None or told.notices:
                quiet = 0.0
            elif (quiet := quiet + look) >= settings.heartbeat:
                quiet = 0.0
                yield BEAT

    @views.get("/picture")
    def picture() -> ResponseReturnValue:
        """The table as JPEG, once it looks different from picture `after`; 204 when it did not in time."""
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
            raise NotFound(gettext("there is no such face"))
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
        typed, by = request.form.get("faces", ""), who(table.session.match.header.players)
        if not typed.strip():
            raise BadRequest(gettext("Type what the dice show, for example: 1, 2, 3."))
        if len(typed) > LONGEST_ROLL:
            raise BadRequest(gettext("That is too long. Type one face for each die."))
        return _act(lambda: table.session.roll(typed, by, lies="lies" in request.form))

    @views.post("/move")
    def move() -> ResponseReturnValue:
        """A player's decision: as JSON, or in the fields of a form. `player` says whose, where several may decide."""
        game, player = table.session.match.game, _number("player") if request.form.get("player", "") else None
        _own_hand(player)
        if "move" not in request.form:
            # Points for another player have a field `player` of their own.
            own = None if request.form.get("kind") == "points" else player
            return _act(lambda: table.session.decide(move_of(request.form, game), own))
        try:
            record: object = json.loads(_text("move", 4000))
        except (ValueError, RecursionError):
            raise BadRequest(gettext("expected a move as JSON")) from None
        return _act(lambda: table.session.decide(move_from(record, game), player))

    @views.post("/draw")
    def draw() -> ResponseReturnValue:
        """Say what came out of the pile."""
        cards = [card[:80] for card in request.form.getlist("card")]
        return _act(lambda: table.session.draw(cards))

    @views.post("/deal")
    def deal() -> ResponseReturnValue:
        """Draw it by lot."""
        return _act(table.session.deal)

    @views.post("/hand")
    def hand() -> ResponseReturnValue:
        """The hand of a player who is to decide, and what he may do: for the device that asks, and nowhere kept."""
        match, number = table.session.match, _number("player")
        _own_hand(number)
        own = hand_of(match, number, current(), labels_of(table))
        if own is None:
            return Response(
                f"{gettext('That hand is not to be shown now.')}\n", status=409, mimetype="text/plain"
            )
        return render_template("hand.html", hand=own)

    def _own_hand(player: int | None) -> None:
        """Refuse a player's device what another decides by a hand: a card that is refused is not in it."""
        match, device = table.session.match, this_device()
        owner = match.decider if player is None else player
        if device.role is not Role.PLAYER or owner is None or not owner < len(match.header.players):
            return
        if (
            match.game.private(match.state, owner)
            and match.called(device.player) != match.header.players[owner]
        ):
            raise NotAllowed(gettext("Everybody sees only the own hand."))

    @views.post("/undo")
    def undo() -> ResponseReturnValue:
        """Take back the last decision."""
        return _act(table.session.undo)

    @views.post("/look")
    def look() -> ResponseReturnValue:
        """Read the dice once more."""
        return _act(table.look_again)

    add_language(views)
    remembered = Remembered(tables_folder())
    add_evening(views, table, _act, remembered)
    add_disputes(views, table)
    add_onlookers(views, table, announcer)
    expert = Expert()
    add_counsel(views, table, expert)
    add_history(views, table, expert)
    add_replaying(views, table)
    add_rulings(views)
    library = SetLibrary()
    add_dice(views, table, library)
    add_teach(views, table, Lesson(table, file=LessonFile(tables_folder())), library, announcer, settings)
    add_tonight(views, table, remembered)
    add_camera(views, table, announcer, settings)
    return views


def _act(action: Callable[[], None]) -> ResponseReturnValue:
    """Do it; a refusal goes back as one plain sentence. Forms without script go back to the page."""
    table = cast(Table, current_app.extensions["table"])
    try:
        with table.as_seen(request.form.get("seen", "")):
            action()
    except (ValueError, OSError) as refused:
        status = 409 if isinstance(refused, ValueError) else 503
        said = refusal(refused, labels=labels_of(table))
        return Response(f"{said}\n", status=status, mimetype="text/plain")
    if request.headers.get("X-Requested-With") == "tableside":
        return "", 204, {"X-Log": log_of(table.session.latest())}
    return redirect(url_for("table.page"), code=303)


def _count(given: str) -> int:
    """A count out of a header or an address; -1 where there is none."""
    return int(given) if given.isdecimal() and len(given) < 12 else -1


def _number(field: str) -> int:
    given = request.form.get(field, "")
    if not given.isdecimal() or len(given) > 4:
        raise BadRequest(gettext("expected a number as %(field)s", field=field))
    return int(given)


def _text(field: str, longest: int) -> str:
    given = request.form.get(field, "")
    if not given or len(given) > longest:
        raise BadRequest(
            gettext("expected %(field)s, of at most %(longest)d characters", field=field, longest=longest)
        )
    return given
