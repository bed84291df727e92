"""Server-sent events: limits on listening pages, and the beginning of each stream.

A listening page occupies a thread while it is open. So the number of pages is limited, in total and for each address: a
device that opens many streams must not keep others from listening.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import cast

from flask import Response, request, stream_with_context
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from web.announcer import Announcer, Update
from web.language import gettext as _
from web.network.addresses import is_loopback
from web.settings import WebSettings

RETRY = 1000
"""Milliseconds after which a browser that lost us tries again."""


LOOKS_EVERY = 2.0
"""Seconds after which an idle stream looks whether its page is still there: a thread is free again that soon."""

Gone = Callable[[], bool]


class Streams:
    """Counts the pages that listen. Safe from any thread."""

    def __init__(self, settings: WebSettings) -> None:
        """Nobody listens."""
        self._settings = settings
        self._lock = threading.Lock()
        self._open: dict[object, tuple[str, Gone]] = {}

    @property
    def count(self) -> int:
        """How many listen now."""
        with self._lock:
            return len(self._open)

    def listen(self, text: Iterator[str]) -> Response:
        """A stream of this text for the page that asks; it is counted until the response is closed, or until there is
        no room for another and the page is gone.

        Raises:
            TooManyRequests: this address has as many as one may have; this computer's own may have any number.
            ServiceUnavailable: as many listen as there are threads for.
        """
        address, gone = request.remote_addr or "", is_gone()
        with self._lock:
            if self._full(address):
                self._open = {key: one for key, one in self._open.items() if not one[1]()}
            if refused := self._full(address):
                raise refused
            key = object()
            self._open[key] = address, gone
        stream = Response(stream_with_context(text), mimetype="text/event-stream")
        stream.headers["X-Accel-Buffering"] = "no"
        stream.call_on_close(lambda: self._left(key))
        return stream

    def _full(self, address: str) -> TooManyRequests | ServiceUnavailable | None:
        own = sum(one == address for one, _gone in self._open.values())
        if own >= self._settings.streams_each and not is_loopback(address):
            return TooManyRequests(_("This device has too many pages open. Close some."))
        if len(self._open) >= self._settings.streams:
            return ServiceUnavailable(_("Too many devices are connected. Close a page on one of them."))
        return None

    def _left(self, key: object) -> None:
        with self._lock:
            self._open.pop(key, None)


def is_gone() -> Gone:
    """Tells, now and later, whether the page that asks has closed its connection; our own server knows."""
    return cast(Gone, request.environ.get("tableside.gone", lambda: False))


def told_from(
    announcer: Announcer, since: int, heartbeat: float, written: Callable[[Update], Iterator[str]]
) -> Iterator[str]:
    """The stream after notice `since`, until the client leaves or the server stops: a greeting, news formatted by
    `written`, and a heartbeat after `heartbeat` seconds without news."""
    number, state, devices, quiet, gone = since, None, (), 0.0, is_gone()
    look = min(heartbeat, LOOKS_EVERY)
    yield hello(announcer.run, heartbeat)
    while not announcer.closed and not gone():
        told = announcer.after(number, state, look, devices)
        state = state if told.state is None else told.state
        devices = devices if told.devices is None else told.devices
        number = told.notices[-1].number if told.notices else number
        if told.state is not None or told.devices is not None or told.notices:
            quiet = 0.0
            yield from written(told)
        elif (quiet := quiet + look) >= heartbeat:
            quiet = 0.0
            yield BEAT


def hello(run: str, heartbeat: float) -> str:
    """How a stream begins: `run` is another one after a restart, and a beat comes every so many seconds.

    A page that hears none for longer knows that the line is dead, though nobody closed it: a laptop was shut, a
    wireless network fell silent.
    """
    return f"retry: {RETRY}\nevent: hello\ndata: {json.dumps({'run': run, 'beat': heartbeat})}\n\n"


BEAT = "event: beat\ndata: .\n\n"
"""Nothing happened, and we are there."""
