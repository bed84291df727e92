"""The page of the table, what it sends, and the pages that follow it: thin, every decision is the session's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from flask import Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from scoring.logfile import move_from
from web.access import NotAllowed, Views, this_device
from web.announcer import Update
from web.answers import done, frame, live, plain, refused
from web.boards import hand_of
from web.boards.fields import move_of
from web.devices import Role
from web.forms import number, text
from web.language import current, devices_told, refusal
from web.language import gettext as _
from web.site import site
from web.streams import told_from
from web.written import BEHIND, PARTS, labels_of, shown

LONGEST_ROLL = 200
"""Characters in a typed roll."""

LONGEST_NAMES = 400
"""Characters in a list of players."""

views = Views("table", __name__)


@views.get("/", to=Role.WATCHER)
def page() -> str:
    """The table."""
    table, announcer = site().table, site().announcer
    latest = table.session.latest()
    return render_template(
        "table.html", **shown(latest.snapshot), number=announcer.mark(latest.number), log=latest.snapshot.log,
        sentence=announcer.said(current()), match_id=latest.snapshot.match_id, watched=table.watcher is not None,
        devices=devices_told(announcer.devices),
    )  # fmt: skip


@views.get("/television", to=Role.WATCHER)
def television() -> str:
    """For across the room: whose turn, the dice, the scores, the last sentence."""
    return _looked_at("television.html")


@views.get("/spectator", to=Role.WATCHER)
def spectator() -> str:
    """For a phone that only looks on."""
    return _looked_at("spectator.html")


@views.get("/overlay", to=Role.WATCHER)
def overlay() -> str:
    """To be laid over a video stream: scores, dice and the last sentence before nothing at all."""
    return _looked_at("overlay.html")


def _looked_at(template: str) -> str:
    """A page that follows the table and has nothing to operate."""
    latest = site().table.session.latest()
    said = site().announcer.said(current())
    return render_template(
        template, **shown(latest.snapshot), number=latest.number, log=latest.snapshot.log, sentence=said,
        watched=site().table.watcher is not None, onlooking=True,
    )  # fmt: skip


@views.get("/events", to=Role.WATCHER)
def events() -> Response:
    """Notices as server-sent events, for as long as the page listens.

    A page says which notice it was made from (`after`) or, after a reconnect, which it got last (`Last-Event-ID`), and
    gets those it missed. `view` is the kind of page whose parts are sent.
    """
    view = request.args.get("view", "table")
    if view not in PARTS:
        raise BadRequest(_("this kind of page cannot follow the table"))
    announcer, heartbeat = site().announcer, site().settings.heartbeat
    since = announcer.since(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
    return site().streams.listen(told_from(announcer, since, heartbeat, partial(_written, view=view)))


def _written(told: Update, view: str) -> Iterator[str]:
    if told.state is not None:
        yield f"event: state\ndata: {told.state}\n\n"
    if told.devices is not None:
        yield f"event: devices\ndata: {devices_told(told.devices)}\n\n"
    for notice in told.notices if len(told.notices) <= BEHIND else told.notices[-1:]:
        yield site().written.event(notice, view)


@views.get("/picture", to=Role.WATCHER)
def live_picture() -> Response:
    """The table as JPEG, once it looks different from picture `after`; see `live`."""
    watcher = site().table.watcher
    return live(watcher.picture) if watcher is not None else frame(None)


@views.app_template_global()
def face_picture(face: str) -> str:
    """The address of the picture of a face of the dice on the table."""
    return url_for("dice.face", set_id=site().table.session.dice_set.id, face=face)


# --- the dice


@views.post("/throw", to=Role.PLAYER)
def throw() -> ResponseReturnValue:
    """Throw the dice that are not held."""
    return _do(site().table.session.throw)


@views.post("/hold", to=Role.PLAYER)
def hold() -> ResponseReturnValue:
    """Hold or release one die, as `held` says, so that a tap on an outdated page does what it showed."""
    die, wanted = number("die"), {"yes": True, "no": False}.get(request.form.get("held", ""))
    return _do(lambda: site().table.session.hold(die, wanted))


@views.post("/look", to=Role.PLAYER)
def look() -> ResponseReturnValue:
    """Read the dice once more."""
    return _do(site().table.look_again)


@views.post("/roll", to=Role.PLAYER)
def roll() -> ResponseReturnValue:
    """Type a roll."""
    typed, by = request.form.get("faces", ""), _who()
    if not typed.strip():
        raise BadRequest(_("Type what the dice show, for example: 1, 2, 3."))
    if len(typed) > LONGEST_ROLL:
        raise BadRequest(_("That is too long. Type one face for each die."))
    return _do(lambda: site().table.session.roll(typed, by, lies="lies" in request.form))


@views.post("/correct", to=Role.PLAYER, looks_back=True)
def correct() -> ResponseReturnValue:
    """Say what a die shows."""
    die, chosen, by = number("die"), text("face", 80), _who()
    return _do(lambda: site().table.session.correct(die, chosen, by))


@views.post("/dismiss", to=Role.PLAYER, looks_back=True)
def dismiss() -> ResponseReturnValue:
    """Say that something is not a die."""
    die = number("die")
    return _do(lambda: site().table.session.dismiss(die))


@views.post("/count", to=Role.PLAYER, looks_back=True)
def count() -> ResponseReturnValue:
    """Confirm that the dice on the table are the throw, whatever was doubted."""
    return _do(lambda: site().table.session.count(_who()))


@views.post("/discount", to=Role.PLAYER, looks_back=True)
def discount() -> ResponseReturnValue:
    """The last throw does not count."""
    return _do(lambda: site().table.session.discount(_who()))


# --- decisions


@views.post("/move", to=Role.PLAYER)
def move() -> ResponseReturnValue:
    """A player's decision: as JSON, or in the fields of a form. `player` says whose, where several may decide."""
    session = site().table.session
    game, player = session.match.game, number("player") if request.form.get("player", "") else None
    _own_hand(player)
    if "move" not in request.form:
        # Points for another player have a field `player` of their own.
        own = None if request.form.get("kind") == "points" else player
        return _do(lambda: session.decide(move_of(request.form, game), own))
    try:
        record: object = json.loads(text("move", 4000))
    except (ValueError, RecursionError):
        raise BadRequest(_("expected a move as JSON")) from None
    return _do(lambda: session.decide(move_from(record, game), player))


@views.post("/undo", to=Role.PLAYER, looks_back=True)
def undo() -> ResponseReturnValue:
    """Take back the last decision."""
    return _do(site().table.session.undo)


@views.post("/draw", to=Role.PLAYER)
def draw() -> ResponseReturnValue:
    """Say what came out of the pile."""
    cards = [card[:80] for card in request.form.getlist("card")]
    return _do(lambda: site().table.session.draw(cards))


@views.post("/deal", to=Role.PLAYER)
def deal() -> ResponseReturnValue:
    """Draw at random."""
    return _do(site().table.session.deal)


@views.post("/hand", to=Role.PLAYER)
def hand() -> ResponseReturnValue:
    """The hand of a player who is to decide, and what he may do: for the device that asks, and nowhere kept."""
    player = number("player")
    _own_hand(player)
    own = hand_of(site().table.session.match, player, current(), labels_of(site().table))
    if own is None:
        return plain(_("You cannot look at this hand now."), 409)
    return render_template("hand.html", hand=own)


def _own_hand(player: int | None) -> None:
    """Refuse a player's device what another decides by a hand: a card that is refused is not in it."""
    match, device = site().table.session.match, this_device()
    owner = match.decider if player is None else player
    if device.role is not Role.PLAYER or owner is None or not owner < len(match.header.players):
        return
    own = match.called(device.player) == match.header.players[owner]
    if match.game.private(match.state, owner) and not own:
        raise NotAllowed(_("You can only look at your own hand."))


# --- the evening


@views.post("/pause", to=Role.PLAYER)
def pause() -> ResponseReturnValue:
    """Stop for now."""
    return _do(site().table.session.pause)


@views.post("/go-on", to=Role.PLAYER)
def go_on() -> ResponseReturnValue:
    """Play on after a pause."""
    return _do(site().table.go_on)


@views.post("/seat", to=Role.HOST)
def seat() -> ResponseReturnValue:
    """Other people play on, in another order or by other names. Who would leave with points is asked about."""
    named, leaving = request.form.get("players", ""), request.form.getlist("leaving")
    if not named or len(named) > LONGEST_NAMES:
        raise BadRequest(_("Type the players’ names, separated by commas."))
    names, session = named.split(","), site().table.session
    with suppress(ValueError):  # what is refused is said by the answer to the change itself
        after, lose = session.seating(names)
        if not set(lose) <= set(leaving):
            speaks = session.speaker(current()).among(after.header.players)
            said = speaks.sentence(after.played[-1].step.facts)
            page = render_template("leaving.html", said=said, named=named, lose=lose)
            return page, 409, {"X-Asks": "leaving"}

    def seats() -> None:
        before = session.match.header.players
        session.seat(names, leaving)
        site().remembered.left([name for name in before if name in leaving])

    return _do(seats)


# --- the expert, whose answer only the page that asks hears


@views.get("/advice", to=Role.WATCHER)
def advice() -> ResponseReturnValue:
    """The best move and the reason; 409 with one sentence if there is none.

    As JSON, but as two lines of text where a browser without script opens it.
    """
    session = site().table.session
    try:
        counsel = site().expert.best_move(session.match, session.speaker(current()))
    except ValueError as none:
        return plain(refusal(none), 409)
    if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        return Response(f"{counsel.sentence}\n{counsel.why}\n", mimetype="text/plain")
    return jsonify(sentence=counsel.sentence, why=counsel.why)


@views.get("/last-turn", to=Role.WATCHER)
def last_turn() -> ResponseReturnValue:
    """How good the last turn's choices were, as JSON."""
    session = site().table.session
    try:
        return jsonify(sentence=site().expert.last_turn(session.match, session.speaker(current())))
    except ValueError as none:
        return plain(refusal(none), 409)


def _do(action: Callable[[], None]) -> ResponseReturnValue:
    """Do it; a refusal goes back as one plain sentence. Forms without script go back to the page."""
    table = site().table
    try:
        with table.session.as_seen(request.form.get("seen", "")):
            action()
    except (ValueError, OSError) as error:
        return refused(error, labels=labels_of(table))
    return done(url_for("table.page"), {"X-Log": table.session.latest().snapshot.log})


def _who() -> str:
    """Which player uses the page that sends this; empty if nobody said. It is a note, and gives no rights."""
    said = request.form.get("by", "")
    return said if said in site().table.session.match.header.players else ""
