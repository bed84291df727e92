"""A kept match event by event: every sentence, every picture, every point with its rule; forward and back; out and in.

Nothing is kept of what is worked out here, and a GET changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from scoring.game import AnyGame
from scoring.games import find as find_game
from scoring.logfile import MatchLogError
from scoring.match import Match
from table.dispute import dispute as dispute_of
from table.dispute import rolls
from table.history import Happened, Kind, Written, at, chronicle, happened, written
from table.snapshot import past_snapshot
from table.storage.evidence import picture_of
from table.storage.store import MatchStore, StoreError
from web.access import Views
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


views = Views("replay", __name__)


@views.get("/history/<match_id>/events", to=Role.WATCHER)
def events(match_id: str) -> ResponseReturnValue:
    """Every event of a match as a sentence."""
    match, page = opened(match_id), whole(request.args.get("page", "1"), digits=6)
    lines = chronicle(match)
    pages = max(1, -(-len(lines) // MOST_SHOWN))
    if not 1 <= page <= pages:
        raise NotFound(_("this page does not exist"))
    return render_template(
        "events.html", match=match, match_id=match_id, lines=lines[(page - 1) * MOST_SHOWN : page * MOST_SHOWN],
        page=page, pages=pages, kept=_written(match_id),
        **_telling(match.game, speaker_of(site().table.dice_of(match_id, match), current())),
    )  # fmt: skip


@views.get("/history/<match_id>/<int:event>", to=Role.WATCHER)
def moment(match_id: str, event: int) -> ResponseReturnValue:
    """The table as it stood after an event; 0 is the beginning."""
    table, match = site().table, opened(match_id)
    if event > len(match.events):
        raise NotFound(_("this event does not exist"))
    dice_set, store = table.dice_of(match_id, match), table.session.store.store
    speaks = speaker_of(dice_set, current())
    line = happened(match, event) if event else None
    then = past_snapshot(at(match, event), dice_set, match_id)
    rolled = line is not None and line.kind is Kind.ROLL
    told = dispute_of(match, MatchStore(store, match_id, len(match.events)), event) if rolled else None

    def drawn(face: str) -> str:
        return url_for("tonight.set_face", set_id=dice_set.id, face=face)

    return render_template(
        "moment.html", match=match, match_id=match_id, event=event, last=len(match.events), line=line,
        **shown(then), **_telling(match.game, speaks), d=told, label=speaks.name, face_picture=drawn,
    )  # fmt: skip


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
    return _evidence(
        lambda: picture_of(site().table.session.store.store, match_id, event, before), event, before
    )


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


# --- a roll that is in dispute: its picture, what was read and corrected, which rule gave which point


@views.get("/dispute/", to=Role.WATCHER)
def latest_dispute() -> str:
    """The last roll."""
    every = rolls(site().table.session.match)
    if not every:
        raise NotFound(_("there is no roll yet"))
    return dispute(every[0][0])


@views.get("/dispute/<int:event>", to=Role.WATCHER)
def dispute(event: int) -> str:
    """The roll with this event number."""
    table = site().table
    match, store, tongue = table.session.match, table.session.store, table.session.speaker(current())
    told = dispute_of(match, store, event)
    if told is None:
        raise NotFound(_("this roll does not exist"))
    names = Names(match.game, tongue.code, tongue.labels, match.header.players)
    return render_template(
        "dispute.html", d=told, rolls=rolls(match),
        decided=[tongue.among(one.step.state.players).sentence(one.step.facts) for one in told.decided],
        given=[given for one in told.followed for given in decided(match, one, names)],
        label=tongue.name, game=match.game, match_id=store.id,
    )  # fmt: skip


@views.get("/evidence/<int:event>/<int:before>.jpg", to=Role.WATCHER)
def evidence(event: int, before: int) -> Response:
    """A picture of a roll on the table, so many milliseconds before it."""
    kept = site().table.session.store
    return _evidence(lambda: picture_of(kept.store, kept.id, event, before), event, before)


def _evidence(find: Callable[[], bytes | None], event: int, before: int) -> Response:
    found = find() if max(event, before) < 1 << 31 else None
    if found is None:
        raise NotFound(_("there is no photo of this roll"))
    return picture(found, kind="jpeg", keep="private, max-age=3600")


def _written(match_id: str) -> dict[int, Written]:
    try:
        return written(site().table.session.store.store, match_id)
    except StoreError:
        return {}  # what was said is in the log; only the times are missing


def opened(match_id: str) -> Match:
    """A match of this table by its id, the running one too.

    Raises:
        NotFound: there is none, or it cannot be read any more.
    """
    try:
        match = site().table.kept_match(match_id)
    except ValueError:
        raise NotFound(_("this match cannot be opened any more")) from None
    if match is None:
        raise NotFound(_("this match does not exist"))
    return match


def _telling(game: AnyGame, speaks: Speaker) -> dict[str, Callable[[Happened], object]]:
    """How templates tell an event: its sentence, and the points that it gave."""

    def given(one: Happened) -> list[Given]:
        names = Names(game, speaks.code, speaks.labels, one.players)
        return [gave(score, one.players[score.player], names) for score in one.scores]

    return {"said": lambda one: speaks.among(one.players).sentence(one.said), "given": given}
