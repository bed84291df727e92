"""How the pages are served."""

from __future__ import annotations

from dataclasses import dataclass

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Names under which a page may be asked for while we listen on this computer only."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the pages are served.

    `hosts` are the names pages may be asked for under, without a port; any other is refused, so that a
    foreign name pointed at this computer (DNS rebinding) gets nothing.
    """

    hosts: tuple[str, ...] = LOCAL_HOSTS
    heartbeat: float = 10.0
    """Seconds after which an idle event stream sends a comment, to notice that a page is gone."""
    picture_wait: float = 2.0
    """Seconds a page waits at most for the next picture."""
