"""How the pages are served."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from web.network.addresses import Neighbourhood, in_address

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Names under which a page may be asked for while we listen on this computer only."""


class Bracketed(str):
    """A host as werkzeug is to compare it: whole. It takes what follows the first colon for a port, in `[::1]` too."""

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        """All of it, and nothing after it."""
        return str(self), "", ""


def hosts_for(host: str) -> tuple[str, ...]:
    """The names under which pages may be asked for when we listen on `host`."""
    return tuple(dict.fromkeys((*LOCAL_HOSTS, in_address(host))))


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the pages are served.

    `hosts` are the names pages may be asked for under, without a port; any other is refused, so that a
    foreign name pointed at this computer (DNS rebinding) gets nothing.
    """

    hosts: tuple[str, ...] = LOCAL_HOSTS
    heartbeat: float = 10.0
    """Seconds after which an idle event stream sends a beat: both sides notice when the other is gone."""
    picture_wait: float = 2.0
    """Seconds a page waits at most for the next picture."""
    pin: str | None = None
    """The host's PIN or its hash (`web.pin`); None: every device may do everything, which is right while nobody else
    can reach us."""
    pin_drawn: bool = False
    """It is random, so devices with rights keep them; a PIN that somebody chose ends their sessions."""
    link: str | None = None
    """The secret of the host's link, which the terminal shows; None: nobody is shown it."""
    own_turn: bool = False
    """Players' devices correct their own turn only; the host can change it."""
    neighbourhood: Neighbourhood | None = None
    """Where we listen beyond this computer: the addresses and names we are reached under."""
    devices: Path | None = None
    """The file in which devices that entered are remembered; None: until the server stops."""
    streams: int = 240
    """Pages that listen at once; each holds a thread."""
    streams_each: int = 16
    """Pages of one address that listen at once; this computer's own are not counted against it."""

    @property
    def every_host(self) -> tuple[str, ...]:
        """The names and addresses pages may be asked for under now."""
        around = self.neighbourhood
        known = (*self.hosts, *around.names, *map(in_address, around.addresses)) if around else self.hosts
        return tuple(Bracketed(one) if one.startswith("[") else one for one in known)
