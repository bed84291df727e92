"""Requests over HTTP to small devices and to other programs: a deadline for each, and no redirect is followed."""

from __future__ import annotations

import base64
import contextlib
import socket
import ssl
import threading
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import unquote, urlsplit

TIMEOUT = 4.0
"""Seconds that a device may be silent."""
DEADLINE = 10.0
"""Seconds after which a request is cut off, however slowly an answer trickles in."""
LONGEST_ANSWER = 64 * 1024
"""Bytes of an answer that are read."""


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where requests go. Whatever may hold a password or a token is left out of its `repr`."""

    host: str
    port: int
    tls: bool = False
    path: str = field(default="/", repr=False)
    """With the query, if there is one."""
    user: str | None = field(default=None, repr=False)
    password: str = field(default="", repr=False)

    @property
    def shown(self) -> str:
        """Its name for people: the host, and the port if that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


class RefusedError(OSError):
    """The other side answered with an error status."""

    def __init__(self, status: int) -> None:
        """The status says why."""
        super().__init__(f"HTTP status {status}")
        self.status = status


def http_address(url: str) -> HttpAddress:
    """The address in `http://[USER:PASSWORD@]HOST[:PORT][/PATH]`, or `https://`.

    Raises ValueError if it is not such an address; the message does not repeat it.
    """
    expected = "expected http://[USER:PASSWORD@]HOST[:PORT][/PATH], or https://"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(expected) from None
    host = parts.hostname
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in ("http", "https") or not host or not plain or "@" in parts.path or parts.fragment:
        raise ValueError(expected)
    tls = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    user = None if parts.username is None else unquote(parts.username)
    return HttpAddress(host, port or (443 if tls else 80), tls, path, user, unquote(parts.password or ""))


def get(address: HttpAddress, path: str) -> bytes:
    """The content at a path of an address. Raises OSError (RefusedError if the status is an error)."""
    return _request(address, "GET", path, None, {})


def post(address: HttpAddress, path: str, body: bytes, headers: dict[str, str] | None = None) -> bytes:
    """Send JSON and return the answer. Raises OSError (RefusedError)."""
    return _request(address, "POST", path, body, {"Content-Type": "application/json", **(headers or {})})


def _request(address: HttpAddress, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
    if address.user is not None:
        pair = base64.b64encode(f"{address.user}:{address.password}".encode()).decode()
        headers = {**headers, "Authorization": f"Basic {pair}"}
    line = (
        HTTPSConnection(address.host, address.port, timeout=TIMEOUT, context=ssl.create_default_context())
        if address.tls
        else HTTPConnection(address.host, address.port, timeout=TIMEOUT)
    )
    late = threading.Event()
    end: threading.Timer | None = None
    try:
        line.connect()
        # The line lets go of its socket before the answer is read, so the timer keeps it.
        end = threading.Timer(DEADLINE, _cut, (line.sock, late))
        end.daemon = True
        end.start()
        line.request(method, path, body, {"Connection": "close", **headers})
        answer = line.getresponse()
        read = answer.read(LONGEST_ANSWER)
    except (HTTPException, ValueError) as broken:  # ValueError: the line was cut while TLS read from it
        raise OSError(str(broken) or type(broken).__name__) from broken
    finally:
        if end is not None:
            end.cancel()
        line.close()
    if late.is_set():
        raise TimeoutError(f"no whole answer within {DEADLINE:g} s")
    if not 200 <= answer.status < 300:
        raise RefusedError(answer.status)
    return read


def _cut(sock: socket.socket, late: threading.Event) -> None:
    """End a request from another thread: the reader of the answer sees its end."""
    late.set()
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
