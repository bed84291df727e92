"""Tells devices about the table in a thread of its own, so that one that is absent, slow or broken delays nobody."""

from __future__ import annotations

import threading
from collections.abc import Callable

from messages.message import Message


class BackgroundDevice:
    """A device, the thread that talks to it, and how it stands."""

    def __init__(
        self, name: str, words: Message, on_change: Callable[[], None], *, patience: float = 2.0
    ) -> None:
        """`words` say how it stands; `on_change` is called from the thread `name` when they have changed. `close` waits
        at most `patience` seconds for the thread."""
        self.words, self.on_change = words, on_change
        self._patience = patience
        self._news = threading.Condition()
        """The thread waits for this."""
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def close(self) -> None:
        """Let the device go."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join(self._patience)

    def _run(self) -> None:
        """What the thread does until it is `_closed`."""
        raise NotImplementedError

    def _stands(self, words: Message) -> None:
        """How it stands now."""
        if words != self.words:
            self.words = words
            self.on_change()
