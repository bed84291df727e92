"""Checks a camera's address that somebody typed: a stream or, on the table's own computer, a file.

Pages are open to attack. Somebody who types on another device gets to see nothing of this computer but its webcams: no
file, no folder, and no address that leads to this computer or its own network card (`docs/security.md`).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from files.folders import tables_folder
from files.secrets import Secrets
from messages.message import MessageError
from table.cameras.choice import LONGEST, CameraChoice
from vision.camera import VIDEO_ENDINGS
from vision.camera.live import said
from vision.camera.webcams import DEVICE

SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
"""Schemes of addresses that may be typed on a page."""

Address = IPv4Address | IPv6Address
THIS_NETWORK: Final = ip_network("0.0.0.0/8")
LAST_IS_IPV4: Final = tuple(map(IPv6Network, ("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")))
"""IPv6 networks whose addresses end in an IPv4 address: compatible, translated, NAT64."""

Resolves = Callable[[str, int], Sequence[str]]
"""The addresses of a host's name. Raises OSError if there are none."""


def typed(text: str, *, here: bool, own: Sequence[str] = (), resolves: Resolves | None = None) -> CameraChoice:
    """The camera that was typed; `here` if on the table's own computer, whose addresses are `own`.

    If typed elsewhere, a stream's host name is looked up once and replaced by its address, so that the machine that was
    checked is the one that is opened later.

    The secret part of an address is kept apart (`files.secrets`). Raises MessageError if it is not a camera, or not one
    that may be named there.
    """
    address = text.strip()
    if not address or len(address) > LONGEST or not address.isprintable():
        raise MessageError("enter an address of at most {most} characters", most=LONGEST)
    if DEVICE.fullmatch(address) or (address.isdecimal() and len(address) < 4):
        return CameraChoice(address)
    if "://" in address:
        parts = _stream(address)
        stream = address if here else _pinned(parts, own, resolves or _resolved)
        with suppress(OSError):  # if it cannot be written, it is not kept
            stream = Secrets(tables_folder()).keep_apart("camera", stream)
        return CameraChoice(stream, strict=not here)
    if not here:
        raise MessageError(
            "choose files and folders on the table’s computer, not on another device"
        )
    path = Path(address).expanduser()
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() in VIDEO_ENDINGS):
        raise MessageError(
            "there is no stream, video or folder of pictures at {address}", address=said(address)
        )
    return CameraChoice(str(path))


def _stream(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _port = parts.port
    except ValueError:
        raise MessageError("{address} is not a valid address", address=said(address)[:60]) from None
    if parts.scheme.lower() not in SCHEMES:
        raise MessageError(
            "an address must begin with rtsp, rtsps, http or https, not with {scheme}", scheme=parts.scheme[:20]
        )
    if not parts.hostname or any(sign.isspace() for sign in address):
        raise MessageError("{address} is not a valid address", address=said(address)[:60])
    return parts


def _pinned(parts: SplitResult, own: Sequence[str], resolves: Resolves) -> str:
    host = parts.hostname or ""
    try:
        found = [ip_address(one.partition("%")[0]) for one in resolves(host, parts.port or 80)]
    except (OSError, ValueError):
        raise MessageError("{host} was not found on the network", host=host[:60]) from None
    if not found or any(_ours(one, own) for one in found):
        raise MessageError(
            "from another device you can only choose a network camera, not the table’s computer"
        )
    number = found[0]
    where = f"[{number}]" if isinstance(number, IPv6Address) else str(number)
    who = parts.netloc.rpartition("@")[0]
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{who}{'@' if who else ''}{where}{port}").geturl()


def _ours(address: Address, own: Sequence[str]) -> bool:
    """Whether an address leads to this computer, or cannot be a camera's."""
    return any(
        one.is_loopback
        or one.is_unspecified
        or one.is_link_local
        or one.is_multicast
        or one.is_reserved
        or one in THIS_NETWORK
        or str(one) in own
        or _on_an_interface(one)
        for one in (address, *_within(address))
    )


def _within(address: Address) -> Iterator[Address]:
    """The IPv4 addresses within an IPv6 address: mapped, 6to4, Teredo, and those in the last 32 bits."""
    if isinstance(address, IPv6Address):
        yield from (one for one in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if one)
        last = IPv4Address(int(address) & 0xFFFFFFFF)
        isatap = (int(address) >> 32) & 0xFDFFFFFF == 0x5EFE
        if isatap or any(address in network for network in LAST_IS_IPV4):
            yield last


def _on_an_interface(address: Address) -> bool:
    """Whether this computer has this address, on which the system then lets it listen."""
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


def _resolved(host: str, port: int) -> Sequence[str]:
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
