"""The server of the pages: cheroot, with plain HTTP and TLS on one port and limits on slow clients.

cheroot gives each connection a worker at once and lets a client take ten seconds for every byte of a request, so that a
hundred slow connections would keep all workers busy forever. Here

- a connection waits without a worker until its first bytes are there;
- a request has to be read within `REQUEST` seconds altogether, its body within `BODY`;
- one address has at most `EACH` connections.

A connection's first byte shows its protocol: a TLS handshake begins with 22, and no HTTP method does.
"""

# cheroot's stubs leave parameters without types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

import logging
import select
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from cheroot.makefile import StreamReader, StreamWriter
from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Gateway_10, Server

from web.network.addresses import is_loopback

if TYPE_CHECKING:
    from web.network.certificate import LocalCertificate

THREADS = 320
"""An open page keeps one thread for its events and most of one for its pictures; cheroot adds none later."""

REQUEST = 10.0
"""Seconds in which a request's lines must have come, the TLS handshake before them too."""

BODY = 20.0
"""Seconds in which the body must have come: a picture of 300 kB over a slow wireless network."""

IDLE = 15
"""Seconds a connection is kept open between two requests, and that a client has to take what we send."""

EACH = 48
"""Connections of one address; a page needs two or three."""

HEADER_BYTES = 32 * 1024
LARGEST_BODY = 64 * 1024 * 1024
"""Bytes that any request may have; the views allow far less."""

DRAINED = 8 * 1024 * 1024
"""Bytes of a body nobody wanted that are read away, so that its sender hears why; of more it hears nothing."""

HANDSHAKE = b"\x16"

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TableServer(Server):
    """Serves an application; `prepare`, `serve` and `stop` are cheroot's."""

    def __init__(
        self,
        address: tuple[str, int],
        application: Application,
        *,
        certificate: LocalCertificate | None = None,
        threads: int = THREADS,
        each: int = EACH,
    ) -> None:
        """Listen at `address` (host, port; port 0 takes a free one); with a `certificate` TLS is understood, too."""
        super().__init__(
            address, application, numthreads=threads, server_name="Tableside", shutdown_timeout=2,
            timeout=IDLE, request_queue_size=128,
        )  # fmt: skip
        self.ConnectionClass = PatientConnection
        self.gateway = TellingGateway
        self.max_request_header_size = HEADER_BYTES
        self.max_request_body_size = LARGEST_BODY
        self.keep_alive_conn_limit = 4 * threads
        self.certificate = certificate
        self._each = each
        self._from: Counter[str] = Counter()
        self._counting = threading.Lock()

    def process_conn(self, conn: PatientConnection) -> None:
        """Give a connection to a worker; a new one waits for its first bytes before, without one."""
        if conn.address is not None:
            super().process_conn(conn)
        elif self._counted(conn):
            with suppress(OSError):
                self.put_conn(conn)
        else:
            conn.close()

    def put_conn(self, conn: PatientConnection) -> None:
        """Let a connection wait for its next request, unless that was read already.

        A request may be answered while the server stops: then nobody waits for connections any more, and it is closed.
        """
        if isinstance(conn.socket, ssl.SSLSocket) and conn.socket.pending():
            super().process_conn(conn)
            return
        try:
            super().put_conn(conn)
        except ValueError:  # of a closed selector
            if self.ready:
                raise
            conn.close()

    def left(self, address: str) -> None:
        """A connection from there was closed."""
        with self._counting:
            self._from[address] -= 1
            if self._from[address] <= 0:
                del self._from[address]

    def _counted(self, conn: PatientConnection) -> bool:
        """Whether an address may have one more; this computer's own programs may have any number."""
        address = str(conn.remote_addr or "")
        with self._counting:
            if self._from[address] >= self._each and not is_loopback(address):
                return False
            self._from[address] += 1
        conn.address = address
        return True

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        """Print our own bugs on the terminal, but not clients' errors."""
        logging.getLogger(__name__).log(
            level if level >= logging.ERROR else logging.DEBUG, "%s", msg, exc_info=traceback
        )


class TellingGateway(Gateway_10):
    """Lets the application ask whether the client has closed its end: a stream need not wait for a write to fail."""

    def get_environ(self) -> dict[str, Any]:
        """A request's, with `tableside.gone`."""
        sock: socket.socket = self.req.conn.socket
        environ = cast("dict[str, Any]", super().get_environ())
        environ["tableside.gone"] = lambda: _closed(sock)
        return environ


def _closed(sock: socket.socket) -> bool:
    """Whether the other end has closed; never sure of it where the system cannot tell."""
    if not hasattr(select, "POLLRDHUP"):  # Linux has it
        return False
    try:
        asked = select.poll()
        asked.register(sock, select.POLLRDHUP)
        return bool(asked.poll(0))
    except (OSError, ValueError):  # closed on this side
        return True


class PatientRequest(HTTPRequest):
    """A request that has to come in time."""

    def parse_request(self) -> None:
        """Read its lines."""
        self.conn.until = time.monotonic() + REQUEST
        super().parse_request()

    def respond(self) -> None:
        """Let the application answer; it may read the body."""
        self.conn.until = time.monotonic() + BODY
        super().respond()

    def send_headers(self) -> None:
        """Answer; what is left of a body is read away before, in pieces."""
        drained = 0
        while (
            not self.chunked_read and drained < DRAINED and (left := getattr(self.rfile, "remaining", 0)) > 0
        ):
            piece = len(self.rfile.read(min(left, 65536)))
            if not piece:
                break
            drained += piece
        if getattr(self.rfile, "remaining", 0) > 0:
            self.close_connection = True
        super().send_headers()


class PatientConnection(HTTPConnection):
    """A connection of `TableServer`."""

    RequestHandlerClass = PatientRequest
    server: TableServer

    def __init__(self, server: TableServer, sock: socket.socket, makefile: object = None) -> None:
        """A connection was made; nothing is read yet."""
        self.until = float("inf")
        """The moment, as `time.monotonic` tells it, until which its client may take its time."""
        self.address: str | None = None
        """Where it comes from, once it is counted."""
        self._greeted = False
        super().__init__(server, sock, self._file)

    def communicate(self) -> bool:
        """Read a request and answer it; whether the connection stays open."""
        if self._greeted:
            return bool(super().communicate())
        self._greeted = True
        try:
            first = self.socket.recv(1, socket.MSG_PEEK)
            if first != HANDSHAKE:
                return bool(first) and bool(super().communicate())
            return self._encrypted()
        except OSError:  # it went away, or speaks no TLS that we do
            return False

    def _encrypted(self) -> bool:
        """Agree on TLS; the request is read when its first bytes are there."""
        if self.server.certificate is None:
            return False
        self.socket.settimeout(REQUEST)
        self.socket = self.server.certificate.context().wrap_socket(self.socket, server_side=True)
        self.socket.settimeout(self.server.timeout)
        self.rfile = self._file(self.socket, "rb", self.rbufsize)
        self.wfile = self._file(self.socket, "wb", self.wbufsize)
        self.ssl_env = {"wsgi.url_scheme": "https", "HTTPS": "on"}
        return True

    def close(self) -> None:
        """Close it; twice is fine."""
        address, self.address = self.address, None
        try:
            with suppress(OSError):
                super().close()
        finally:
            if address is not None:
                self.server.left(address)

    def _file(self, sock: socket.socket, mode: str, size: int) -> StreamReader | StreamWriter:
        if "r" in mode:
            return PatientReader(sock, self, size)
        return StreamWriter(sock, mode, size)


class PatientReader(StreamReader):
    """Reads from a connection until its time is over; cheroot's own reader waits again for every byte."""

    def __init__(self, sock: socket.socket, conn: PatientConnection, size: int) -> None:
        """`size` bytes are read ahead."""
        super(StreamReader, self).__init__(_PatientSocket(sock, conn), size)
        self.bytes_read = 0


class _PatientSocket(socket.SocketIO):
    def __init__(self, sock: socket.socket, conn: PatientConnection) -> None:
        super().__init__(sock, "r")
        self._socket, self._conn = sock, conn

    def readinto(self, b: Any) -> int | None:
        longest, left = float(self._conn.server.timeout), self._conn.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(min(longest, left))
        try:
            return super().readinto(b)
        finally:
            with suppress(OSError):
                self._socket.settimeout(longest)
