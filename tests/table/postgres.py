"""A PostgreSQL server of one's own for a test, started by hand from Debian's packages."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
"""The server refuses to run as root; Debian's package brings this user."""

SOCKET = ".s.PGSQL.5432"
"""The name of a server's socket in its folder."""


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, or None where there is no server."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def why_not() -> str:
    """Why no server can be started here; empty when one can."""
    if programs() is None:
        return "PostgreSQL is not installed (apt install postgresql)"
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("runuser") is None:
        return "PostgreSQL does not run as root, and there is no runuser"
    return ""


@contextmanager
def server() -> Iterator[str]:
    """A fresh server; its URL, over a socket in a folder that is gone afterwards."""
    binaries = programs()
    assert binaries is not None
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    before = ["runuser", "-u", USER, "--"] if root else []
    folder = Path(tempfile.mkdtemp(prefix="ts-pg-", dir="/tmp"))  # a socket's path may have 107 letters
    try:
        if root:
            shutil.chown(folder, USER)

        def run(program: str, *arguments: str) -> None:
            command = [*before, str(binaries / program), *arguments]
            subprocess.run(command, check=True, cwd="/", capture_output=True, timeout=300)

        cluster = str(folder / "cluster")
        run("initdb", "-D", cluster, "-A", "trust", "-U", "club", "--no-sync", "-E", "UTF8", "--locale=C")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        run("pg_ctl", "-D", cluster, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://club@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", cluster, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Line:
    """The way to a server: a socket in a folder of its own, through which every byte goes; it can break.

    After `break_once` the next COMMIT still reaches the server and is carried out there, if `kept`; its answer is lost
    with the line. With `down` nobody can connect until `mend`.
    """

    def __init__(self, url: str) -> None:
        self._far = str(Path(url.partition("host=")[2]) / SOCKET)
        self._folder = Path(tempfile.mkdtemp(prefix="ts-line-", dir="/tmp"))
        self.url = f"{url.partition('host=')[0]}host={self._folder}"
        self._breaking = self._lost = self._down = False
        self._kept = True
        self._near = socket.socket(socket.AF_UNIX)
        self._near.bind(str(self._folder / SOCKET))
        self._near.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def break_once(self, *, down: bool = False, kept: bool = True) -> None:
        """Lose the answer to the next COMMIT."""
        self._breaking, self._down, self._kept = True, down, kept

    def mend(self) -> None:
        """Let people connect again."""
        self._down = False

    def close(self) -> None:
        """Take the way away."""
        self._near.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._near.accept()
                if self._down and not self._breaking:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._far)
                threading.Thread(target=self._forth, args=(client, server), daemon=True).start()
                threading.Thread(target=self._back, args=(client, server), daemon=True).start()

    def _forth(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while sent := client.recv(65536):
                self._lost = self._breaking and b"COMMIT" in sent
                if self._lost and not self._kept:
                    break
                server.sendall(sent)
            server.shutdown(socket.SHUT_WR)

    def _back(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while (answer := server.recv(65536)) and not self._lost:
                client.sendall(answer)
        if self._lost:
            self._breaking = self._lost = False
        for end in (client, server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # wakes the other thread, which `close` would not
            end.close()


@contextmanager
def line(url: str) -> Iterator[Line]:
    """A line to the server behind `url`."""
    way = Line(url)
    try:
        yield way
    finally:
        way.close()
