"""A table that is really served, over plain HTTP and TLS, for tests with a browser or a socket."""

from __future__ import annotations

import os
import shutil
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import web
from cli.compose import House
from web.headers import digest_of
from web.network.addresses import lan_addresses
from web.network.certificate import LocalCertificate
from web.network.server import EACH, TableServer

NAMES = ("chromium", "chromium-browser", "google-chrome")
WHOLE = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
"""The browser that people have, with its windows and its questions."""
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or WHOLE
"""The same without them where it is installed: it needs a sixth less processor time."""

STATIC = f"/static/{digest_of(Path(web.__file__).with_name('static'))}"
"""Where style and scripts lie: below a name of what they contain."""


@dataclass(frozen=True)
class Served:
    """Where a house is served."""

    house: House
    server: TableServer
    port: int

    def at(self, path: str = "/", *, host: str = "127.0.0.1", secure: bool = False) -> str:
        return f"{'https' if secure else 'http'}://{host}:{self.port}{path}"


@contextmanager
def serving(
    house: House,
    folder: Path,
    *,
    threads: int = 24,
    each: int = EACH,
    host: str = "127.0.0.1",
    port: int = 0,
    watched: bool = True,
) -> Iterator[Served]:
    """Serve a house until the block ends; `folder` takes the certificate. Nobody looks through its camera where it is
    not to be `watched`: then nothing moves but what the test moves."""
    certificate = LocalCertificate(folder, lambda: lan_addresses())
    server = TableServer((host, port), house.app, certificate=certificate, threads=threads, each=each)
    server.expiration_interval = 0.05  # it looks that often whether it shall stop
    server.prepare()
    if watched:
        house.open()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield Served(house, server, server.bind_addr[1])
    finally:
        house.close()
        server.stop()
        thread.join(10)


def trusting(certificate: Path) -> ssl.SSLContext:
    """A client's TLS that trusts this certificate alone, and checks the name in it."""
    context = ssl.create_default_context(cafile=str(certificate))
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context
