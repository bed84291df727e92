"""A kept match event by event: every sentence, every picture, every point with its rule; forward and back; out and in.

Nothing is kept of what is worked out here, and a GET changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from scoring.games import find as find_game
from scoring.logfile import MatchLogError
from scoring.match import Match
from table.dispute import Dispute
from table.dispute import dispute as dispute_of
from table.history import Happened, Kind, Written, at, chronicle, first_roll, happened, steps, written
from table.snapshot import past_snapshot, typed_dice
from table.storage.evidence import picture_of
from table.storage.store import MatchStore, StoreError
from web.access import Right, Views, this_device
from web.access import refused as not_allowed
from web.answers import download, picture, plain, refused
from web.boards.record import Given, Names, decided, gave
from web.devices import Role
from web.forms import allow_files, one_file, whole
from web.language import current, refusal
from web.language import gettext as _
from web.site import site
from web.written import shown
from words.dice import speaker_of
from words.speaker import Speaker

LARGEST_LOG = 8 * 1024 * 1024
"""Bytes of a match that is taken in; an evening's log has some fifty thousand."""
MOST_SHOWN = 400
"""Events on one page."""
NEAR = 8
"""Events before and after the one that is shown, on its timeline."""


views = Views("replay", __name__)


@views.get("/history/<match_id>/events", to=Role.WATCHER)
def events(match_id: str) -> ResponseReturnValue:
    """Every event of a match as a sentence."""
    match, page = opened(match_id), whole(request.args.get("page", "1"), digits=6)
    lines, speaks = chronicle(match), speaker_of(site().table.dice_of(match_id, match), current())
    pages = max(1, -(-len(lines) // MOST_SHOWN))
    if not 1 <= page <= pages:
        raise NotFound(_("this page does not exist"))

    def given(line: Happened) -> list[Given]:
        names = Names(match.game, speaks.code, speaks.labels, line.players)
        return [gave(score, line.players[score.player], names) for score in line.scores]

    return render_template(
        "events.html", match=match, match_id=match_id, lines=lines[(page - 1) * MOST_SHOWN : page * MOST_SHOWN],
        page=page, pages=pages, kept=_written(match_id), first=first_roll(match),
        said=_sayer(speaks), given=given,
    )  # fmt: skip


@views.get("/history/<match_id>/<int:event>", to=Role.WATCHER)
def moment(match_id: str, event: int) -> ResponseReturnValue:
    """The table as it stood after an event; 0 is the beginning. Of a roll, all there is to check it by."""
    table, match = site().table, opened(match_id)
    if event > len(match.events):
        raise NotFound(_("this event does not exist"))
    dice_set, store = table.dice_of(match_id, match), table.session.store.store
    speaks, line = speaker_of(dice_set, current()), happened(match, event) if event else None
    then, kept = past_snapshot(at(match, event), dice_set, match_id), _written(match_id)
    lay = event if line is not None and line.kind is Kind.ROLL else then.match.last_roll()
    roll = dispute_of(match, MatchStore(store, match_id, len(match.events)), lay) if lay else None
    told = roll if lay == event else None
    led = told.followed if told else tuple(one for one in match.played if one.number == event)
    names = Names(match.game, speaks.code, speaks.labels, match.header.players)
    dice = then.dice or typed_dice((die.counts for die in roll.dice) if roll else (), dice_set)
    near = steps(match, event - NEAR, event + NEAR)

    def drawn(face: str) -> str:
        return url_for("dice.face", set_id=dice_set.id, face=face)

    return render_template(
        "moment.html", match=match, match_id=match_id, event=event, last=len(match.events), line=line,
        first=first_roll(match), written=kept.get(event), near=near,
        **shown(then), d=told, roll=roll, said=_sayer(speaks), label=speaks.name, face_picture=drawn,
        choices=_choices(match_id, event, told), log=table.session.latest().snapshot.log,
        decided=[
            speaks.among(one.step.state.players).sentence(one.step.facts) for one in (told.decided if told else ())
        ],
        came=[given for one in led for given in decided(match, one, names)], dice=dice,
    )  # fmt: skip


def _choices(match_id: str, event: int, told: Dispute | None) -> dict[int, tuple[str, ...]]:
    """The faces that each die can be corrected to here, by its number: of the roll on the table, by who may."""
    session = site().table.session
    dice = session.latest().snapshot.dice
    lies = match_id == session.store.id and session.match.last_roll() == event
    if told is None or not lies or len(dice) != len(told.dice):
        return {}
    if not_allowed(this_device(), Right(Role.PLAYER, looks_back=True), site().access, site().table):
        return {}
    return {die.number: tuple(one.face for one in die.choices) for die in dice}


@views.get("/history/<match_id>/log.jsonl", to=Role.WATCHER)
def log(match_id: str) -> ResponseReturnValue:
    """The match as JSON lines, as `tableside replay` reads them."""
    if opened(match_id).hides:  # from the host's device, too: the host has a hand as well
        return plain(_("This match has hidden cards. You can download it after the match."), 409)
    try:
        kept = site().table.session.store.store.log(match_id)
    except (StoreError, MatchLogError) as error:
        return plain(refusal(error), 503)
    return download(kept, "application/jsonl", f"{match_id[:80]}.jsonl")


@views.get("/history/<match_id>/picture/<int:event>/<int:before>.jpg", to=Role.WATCHER)
def match_picture(match_id: str, event: int, before: int) -> Response:
    """A picture of a roll, so many milliseconds before it."""
    opened(match_id)
    store = site().table.session.store.store
    found = picture_of(store, match_id, event, before) if max(event, before) < 1 << 31 else None
    if found is None:
        raise NotFound(_("there is no photo of this roll"))
    return picture(found, kind="jpeg", keep="private, max-age=3600")


@views.post("/history/import", to=Role.HOST)
def take_in() -> ResponseReturnValue:
    """Take in a match from JSON lines, which may come from anybody; it is kept beside this table's."""
    allow_files(LARGEST_LOG)
    sent, table = one_file("log", _("choose a match file")), site().table
    try:
        log = sent.decode("utf-8").replace("\r\n", "\n")
        match_id = table.session.store.store.add_log(log, find_game, place=table.place)
    except UnicodeDecodeError:
        return plain(_("This file is not a Tableside match. Choose another file."), 409)
    except (MatchLogError, StoreError) as error:
        return refused(error)
    return redirect(url_for("history.kept", match_id=match_id), 303)


@views.get("/dispute/", to=Role.WATCHER)
def latest_dispute() -> ResponseReturnValue:
    """The last roll on the table, to be checked."""
    session = site().table.session
    number = session.match.last_roll()
    if number is None:
        raise NotFound(_("there is no roll yet"))
    return redirect(url_for("replay.moment", match_id=session.store.id, event=number))


def _written(match_id: str) -> dict[int, Written]:
    try:
        return written(site().table.session.store.store, match_id)
    except StoreError:
        return {}  # what was said is in the log; only the times are missing


def opened(match_id: str) -> Match:
    """A match of this table by its id, the running one too.

    Raises:
        NotFound: there is no such match, or it can no longer be read.
    """
    try:
        match = site().table.kept_match(match_id)
    except ValueError:
        raise NotFound(_("this match can no longer be opened")) from None
    if match is None:
        raise NotFound(_("this match does not exist"))
    return match


def _sayer(speaks: Speaker) -> Callable[[Happened], str]:
    """How templates tell an event."""
    return lambda one: speaks.among(one.players).sentence(one.said)
