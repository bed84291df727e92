"""Where the table of a data folder is served now, so that a second start opens its pages instead of another table."""

from __future__ import annotations

import http.client
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from files.folders import data_id
from files.records import read_record, write_record

FILE: Final = "running.json"
ANSWERS_WITHIN: Final = 3.0
"""Seconds that a table is given to say that it is there."""


class _Running(msgspec.Struct, frozen=True):
    """The file. It may be left by a program that was killed, so what it says is tried out."""

    host: str
    port: int
    version: int = 1


def address_of(host: str, port: int) -> str:
    """The address of the pages on this computer."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def running(folder: Path) -> str:
    """The address at which the pages of this data folder are served now; empty if they are not."""
    noted = read_record(folder / FILE, _Running)
    if noted is None:
        return ""
    try:
        asked = http.client.HTTPConnection(noted.host, noted.port, timeout=ANSWERS_WITHIN)
        try:
            asked.request("GET", "/running")
            answer = asked.getresponse()
            ours = answer.status == 200 and answer.read(100).decode("ascii").strip() == data_id()
        finally:
            asked.close()
    except (OSError, ValueError, http.client.HTTPException):
        return ""
    return address_of(noted.host, noted.port) if ours else ""


@contextmanager
def noted(folder: Path, host: str, port: int) -> Generator[None]:
    """Note the address of the pages within this context; if the folder cannot be written, do without."""
    path, here = folder / FILE, _Running(host, port)
    with suppress(OSError):
        write_record(path, here)
    try:
        yield
    finally:
        with suppress(OSError):
            if read_record(path, _Running) == here:
                path.unlink()
