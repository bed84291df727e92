"""The HTTP API, version 1: what everyone may know of the table, for programs. docs/guide/api.md says how to use it.

Who may watch the table may ask, and nobody can do anything by it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import Response, request
from werkzeug.exceptions import BadRequest

from table.public import PublicNotices, public_state
from web.access import Views
from web.announcer import Update
from web.devices import Role
from web.language import current
from web.language import gettext as _
from web.site import site
from web.streams import told_from
from words import LANGUAGES, WRITTEN

views = Views("api", __name__, url_prefix="/api/v1")


@views.get("/state", to=Role.WATCHER)
def state() -> Response:
    """How the table stands now, as JSON (`hardware.public_state.PublicState`)."""
    _check_language()
    latest, said = site().table.session.latest(), site().announcer.said(current())
    body = msgspec.json.encode(public_state(latest.snapshot, latest.number, said, current()))
    return Response(body, mimetype="application/json")


@views.get("/notices", to=Role.WATCHER)
def notices() -> Response:
    """Notices as server-sent events, for as long as somebody listens (`hardware.public_state.PublicNotice`).

    A client that reconnects says which notice it got last (`Last-Event-ID`, as browsers do, or `after`) and gets those
    it missed. A new client gets the current state and nothing from before.
    """
    _check_language()
    announcer, heartbeat = site().announcer, site().settings.heartbeat
    mark = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    latest = announcer.latest
    since, known = (announcer.since(mark),) * 2 if mark else (latest - 1, latest)
    public, language = PublicNotices(), current()
    for heard in announcer.upto(known):
        public.skip(heard, language)

    def written(told: Update) -> Iterator[str]:
        if told.state is not None:
            yield f"event: table\ndata: {told.state}\n\n"
        for notice in told.notices:
            body = msgspec.json.encode(public.follow(notice, language)).decode()
            yield f"id: {announcer.mark(notice.number)}\nevent: notice\ndata: {body}\n\n"

    return site().streams.listen(told_from(announcer, since, heartbeat, written))


def _check_language() -> None:
    """Raises BadRequest for an unknown language, as a program should learn of its mistake."""
    if request.args.get("language", WRITTEN) not in LANGUAGES:
        raise BadRequest(_("this language is not available"))
