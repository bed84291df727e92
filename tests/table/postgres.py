"""A PostgreSQL server of one's own for a test, started by hand from Debian's packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
"""The server refuses to run as root; Debian's package brings this user."""


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
