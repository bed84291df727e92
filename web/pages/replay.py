"""A kept match event by event: every sentence, every picture, every point with its rule; forward and back; out and in.

Nothing is kept of what is worked out here, and a GET changes nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from scoring.games import find as find_game
from scoring.logfile import MatchLogError
from scoring.match import Match
from table.history import Fate, Happened, Kind, Written, at, chronicle, happened, written
from table.looking_back import past_standing, place_of, roll_of, set_of
from table.storage.evidence import picture_of
from table.storage.store import StoreError
from table.table import Table
from web.boards import board_of
from web.boards.record import Given, Names, gave
from web.language import current, refusal
from web.language import gettext as _
from web.uploads import allow_files, sent
from words.tongue import Tongue, tongue

LARGEST_LOG = 8 * 1024 * 1024
"""Bytes of a match that is taken in; an evening's log has some fifty thousand."""
MOST_SHOWN = 400
"""Events on one page."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event as the page lists it."""

    number: int
    kind: Kind
    sentence: str
    fate: Fate
    by: int
    of: int
    at: str
    who: str
    pictured: bool
    gave: tuple[Given, ...]


def add_replaying(views: Blueprint, table: Table) -> None:
    """Add these views to the dashboard's."""

    @views.get("/history/<match_id>/events")
    def match_events(match_id: str) -> ResponseReturnValue:
        """Every event of a match as a sentence."""
        match, page = opened(table, match_id), _whole(request.args.get("page", "1"))
        speaks = tongue(set_of(table, match_id, match), current())
        lines = _lines(match, _written(match_id), speaks)
        pages = max(1, -(-len(lines) // MOST_SHOWN))
        if not 1 <= page <= pages:
            raise NotFound(_("there is no such page"))
        shown = lines[(page - 1) * MOST_SHOWN : page * MOST_SHOWN]
        return render_template(
            "events.html", match=match, match_id=match_id, lines=shown, page=page, pages=pages,
            running=match_id == table.session.store.id,
        )  # fmt: skip

    @views.get("/history/<match_id>/<int:event>")
    def match_moment(match_id: str, event: int) -> ResponseReturnValue:
        """The table as it stood after an event; 0 is the beginning."""
        match = opened(table, match_id)
        if event > len(match.events):
            raise NotFound(_("there is no such event"))
        dice_set = set_of(table, match_id, match)
        speaks = tongue(dice_set, current())
        then = at(match, event)
        line = _line(happened(match, event), _written(match_id).get(event), speaks) if event else None
        standing = past_standing(then, dice_set, speaks)
        told = roll_of(table, match_id, match, event) if line is not None and line.kind is Kind.ROLL else None

        def drawn(face: str) -> str:
            return url_for("table.set_face", set_id=dice_set.id, face=face)

        return render_template(
            "moment.html", match=match, match_id=match_id, event=event, last=len(match.events), line=line,
            s=standing, b=board_of(standing, current(), speaks.labels), d=told, label=speaks.name,
            face_picture=drawn,
        )  # fmt: skip

    @views.get("/history/<match_id>/log.jsonl")
    def match_log(match_id: str) -> ResponseReturnValue:
        """The match as JSON lines, as `tableside replay` reads them."""
        if opened(table, match_id).hides:  # from the host's device, too: the host has a hand as well
            words = _("This match has hidden cards. You can download it when it is over.")
            return Response(f"{words}\n", status=409, mimetype="text/plain")
        try:
            log = table.session.store.store.log(match_id)
        except (StoreError, MatchLogError) as refused:
            return Response(f"{refusal(refused)}\n", status=503, mimetype="text/plain")
        name = "".join(sign for sign in match_id if sign.isalnum() or sign == "-")[:80]
        return Response(
            log,
            mimetype="application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="{name}.jsonl"'},
        )

    @views.get("/history/<match_id>/picture/<int:event>/<int:before>.jpg")
    def match_picture(match_id: str, event: int, before: int) -> Response:
        """A picture of a roll, so many milliseconds before it."""
        opened(table, match_id)
        picture = (
            picture_of(table.session.store.store, match_id, event, before)
            if max(event, before) < 1 << 31
            else None
        )
        if picture is None:
            raise NotFound(_("no such picture is kept"))
        return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    @views.post("/history/import")
    def match_import() -> ResponseReturnValue:
        """Take in a match from JSON lines, which may come from anybody; it is kept beside this table's."""
        allow_files(LARGEST_LOG)
        logs = sent("log", 1)
        if len(logs) != 1:
            raise BadRequest(_("expected a file with a match"))
        store = table.session.store.store
        try:
            log = logs[0][1].decode("utf-8").replace("\r\n", "\n")
            match_id = store.add_log(log, find_game, place=place_of(table))
        except UnicodeDecodeError:
            return Response(
                _("Expected UTF-8 text, found other bytes.") + "\n", status=409, mimetype="text/plain"
            )
        except (MatchLogError, StoreError) as refused:
            status = 503 if isinstance(refused, StoreError) else 409
            return Response(f"{refusal(refused)}\n", status=status, mimetype="text/plain")
        return redirect(url_for("table.kept_history", match_id=match_id), 303)

    def _written(match_id: str) -> dict[int, Written]:
        try:
            return written(table.session.store.store, match_id)
        except StoreError:
            return {}  # what was said is in the log; only the times are missing


def opened(table: Table, match_id: str) -> Match:
    """A match of this table by its id, the running one too.

    Raises:
        NotFound: there is none, or it cannot be read any more.
    """
    try:
        match = table.kept_match(match_id)
    except ValueError:
        raise NotFound(_("this match cannot be read any more")) from None
    if match is None:
        raise NotFound(_("there is no such match"))
    return match


def _lines(match: Match, times: dict[int, Written], speaks: Tongue) -> tuple[Line, ...]:
    return tuple(_line(one, times.get(one.number), speaks) for one in chronicle(match))


def _line(one: Happened, kept: Written | None, speaks: Tongue) -> Line:
    names = Names(speaks.code, speaks.labels, one.players)
    return Line(
        number=one.number,
        kind=one.kind,
        sentence=speaks.sentence(one.said, one.players),
        fate=one.fate,
        by=one.by,
        of=one.of,
        at=time.strftime("%H:%M:%S", time.localtime(kept.when)) if kept else "",
        who=kept.by if kept else "",
        pictured=kept.pictured if kept else False,
        gave=tuple(gave(score, one.players[score.player], names) for score in one.scores),
    )


def _whole(given: str) -> int:
    return int(given) if given.isdecimal() and len(given) < 7 else 0
