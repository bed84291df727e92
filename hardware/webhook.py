"""A webhook: each notice as JSON to an address, in order, with a few tries for each.

An address that is away or slow holds up nobody; what it could not be sent is dropped and never caught up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

from hardware.background import BackgroundDevice
from hardware.http import HttpAddress, RefusedError, post
from hardware.public_state import PublicNotice
from messages.message import Message, message

WAITING = 64
"""Notices that wait to be sent; of more, the oldest are dropped."""
TRIES = (0.0, 0.5, 2.0)
"""Seconds to wait before each try of a notice."""
WORTH_ANOTHER = frozenset({408, 425, 429})
"""Statuses below 500 after which another try may help."""


class Webhook(BackgroundDevice):
    """Sends notices to an address from a thread of its own."""

    def __init__(self, address: HttpAddress, version: str, on_change: Callable[[], None] = lambda: None) -> None:
        """`version` is Tableside's; `on_change` is called from the thread when `words` have changed."""
        self._address, self._headers = address, {"User-Agent": f"Tableside/{version}"}
        self._notices: deque[PublicNotice] = deque(maxlen=WAITING)
        self._ready = message("Sending notices to the webhook at {host}", host=address.shown)
        super().__init__("webhook", self._ready, on_change)

    def start(self, table: str) -> None:
        """Begin to send; `table` tells this table from others that send to the same address."""
        self._headers["X-Tableside-Table"] = table
        self._thread.start()

    def tell(self, notice: PublicNotice) -> None:
        """Send this as soon as may be; returns at once."""
        with self._news:
            self._notices.append(notice)
            self._news.notify()

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or bool(self._notices))
                if self._closed:
                    return
                notice = self._notices.popleft()
            self._stands(self._sent(notice))

    def _sent(self, notice: PublicNotice) -> Message:
        """Try to send a notice a few times, and tell how things stand then."""
        host, body = self._address.shown, msgspec.json.encode(notice)
        trouble = self._ready
        for wait in TRIES:
            with self._news:
                if wait and self._news.wait_for(lambda: self._closed, timeout=wait):
                    break
            try:
                post(self._address, self._address.path, body, self._headers)
            except RefusedError as refused:
                status = refused.status
                trouble = message(
                    "The webhook at {host} answered with HTTP status {status}; the notice was not delivered",
                    host=host, status=status,
                )  # fmt: skip
                if status < 500 and status not in WORTH_ANOTHER:
                    break
            except OSError:
                trouble = message("The webhook at {host} isn’t answering; the notice was not delivered", host=host)
            else:
                return self._ready
        return trouble
