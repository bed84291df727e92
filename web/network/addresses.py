"""The addresses under which other devices in the house reach this computer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address

SOMEWHERE = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
"""Addresses one might talk to; the system says which of ours it would use. Nothing is sent to them."""

LOOKED_UP_EVERY = 20.0
"""Seconds; a router may give another address in the middle of an evening."""


def lan_addresses() -> tuple[str, ...]:
    """This computer's IPv4 addresses in local networks, the one most likely meant first; none without a network."""
    found: dict[str, None] = {}
    for there in SOMEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((there, 9))
                found[str(probe.getsockname()[0])] = None
            except OSError:
                continue
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(entry[4][0])] = None
    except OSError:
        pass
    return tuple(address for address in found if _reachable(address))


def in_address(host: str) -> str:
    """A host as a page's address has it: a number of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def bare(address: str) -> IPv4Address | IPv6Address | None:
    """An address as a number, without brackets, zone or the prefix of IPv4 within IPv6; None for a name."""
    try:
        known = ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(known, "ipv4_mapped", None) or known


def is_loopback(host: str) -> bool:
    """Whether an address leads to this very computer; a name but localhost is not looked up."""
    known = bare(host)
    return host == "localhost" if known is None else known.is_loopback


def own_names() -> tuple[str, ...]:
    """What this computer is called in its network: the bare name, and the one that mDNS answers to."""
    name = socket.gethostname().partition(".")[0].lower()
    plain = name.isascii() and name.replace("-", "").isalnum() and not name.isdigit()
    return (name, f"{name}.local") if plain and name != "localhost" else ()


def _reachable(address: str) -> bool:
    known = ip_address(address)
    return isinstance(known, IPv4Address) and not known.is_loopback and not known.is_unspecified


class Neighbourhood:
    """The addresses and names as they are now, looked up again now and then. Safe from any thread."""

    def __init__(
        self,
        look: Callable[[], tuple[str, ...]] = lan_addresses,
        names: tuple[str, ...] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`look` finds the addresses, `names` are by default this computer's."""
        self._look, self._clock = look, clock
        self.names = own_names() if names is None else names
        self._lock = threading.Lock()
        self._addresses, self._looked = look(), clock()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses, at most so old as is worth a look."""
        with self._lock:
            if self._clock() - self._looked > LOOKED_UP_EVERY:
                self._addresses, self._looked = self._look(), self._clock()
            return self._addresses
