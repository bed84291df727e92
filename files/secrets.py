"""The passwords of cameras and brokers: one file in the data folder that only its owner may read.

Everywhere else an address stands without them. `Secrets.keep_apart` takes them out of an address before it is kept or
shown, `Secrets.complete` puts them back when a camera or broker is opened:

    rtsp://ann:geheim@192.168.1.20/live      kept as  rtsp://192.168.1.20/live
    http://192.168.1.20/shot.jpg?pwd=geheim  kept as  http://192.168.1.20/shot.jpg?secret=1

The file can be written by hand, so that no password stands on a command line:

    [camera."192.168.1.20"]
    user = "ann"
    password = "geheim"

    [broker."homeassistant.local"]
    user = "tableside"
    password = "geheim"
"""

from __future__ import annotations

import os
import re
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote, unquote, urlsplit

import msgspec
import tomli_w

from files.atomic import own_folder, owners_alone, write_whole
from messages.message import MessageError

FILE: Final = "secrets.toml"
LARGEST: Final = 64 * 1024
"""Bytes of the file; a larger one is not ours."""
MOST_PARTS: Final = 100
"""Secret ends of addresses that are kept for one host."""

HEAD: Final = (
    "# Passwords of cameras and brokers, by the host as it stands in their addresses: '192.168.1.20' is for every\n"
    "# port, '192.168.1.20:8554' for this one. Only you can read this file. Tableside writes it anew when an address\n"
    "# with a password is entered.\n\n"
)

Kind = Literal["camera", "broker"]

REFERENCE: Final = re.compile(r"\?secret=([1-9]\d{0,2})$")
"""How an address ends whose own end is kept in the file."""


class SecretsError(MessageError):
    """The file cannot be used; one clause says why, and repeats nothing of it."""


class Secret(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one host's addresses have that nobody else may read."""

    user: str = ""
    password: str = ""
    ends: tuple[str, ...] = ()
    """Ends of addresses that may hold a password: a query, or the path from there on."""

    def __repr__(self) -> str:
        """Nothing of it: a representation gets into logs and tracebacks."""
        return "Secret(…)"

    __str__ = __repr__


class _SecretsFile(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The file: each host's secret."""

    camera: Mapping[str, Secret] = {}
    broker: Mapping[str, Secret] = {}


@dataclass(frozen=True, slots=True)
class _Parts:
    """An address, taken apart."""

    scheme: str
    host: str
    """With its port, where the address names one; in small letters."""
    user: str
    password: str
    path: str
    end: str
    """From the first part of the path that may hold a password, or from the query on."""

    @property
    def bare(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}"


class Secrets:
    """The secrets of a data folder. Safe from any thread of this process."""

    def __init__(self, folder: Path) -> None:
        """Nothing is read yet, and nothing made."""
        self._path = folder / FILE

    def keep_apart(self, kind: Kind, address: str) -> str:
        """Store the secret part of an address, and return the address without it. Other text is returned unchanged.

        Raises OSError if the file cannot be written, SecretsError if it exists but cannot be used; nothing has changed.
        """
        parts = _parts(address)
        if parts is None or not (parts.user or parts.password or parts.end) or _refers(parts):
            return address
        with _LOCK:
            kept = self._read()
            before = _of(kept, kind).get(parts.host, Secret())
            ends = before.ends
            if parts.end and parts.end not in ends:
                ends = (*ends, parts.end)
                if len(ends) > MOST_PARTS:
                    raise SecretsError("{file} has too many addresses of {host}", file=FILE, host=parts.host)
            entered = bool(parts.user or parts.password)
            after = Secret(
                parts.user if entered else before.user, parts.password if entered else before.password, ends
            )
            if after != before:
                self._write(kept, kind, parts.host, after)
        return f"{parts.bare}?secret={ends.index(parts.end) + 1}" if parts.end else parts.bare

    def complete(self, kind: Kind, address: str) -> str:
        """The address with what is kept of it, to be opened and shown to nobody. What it says itself counts more.

        Raises SecretsError: the file cannot be used. OSError: it cannot be read.
        """
        parts = _parts(address)
        if parts is None:
            return address
        hosts = _of(self._read(), kind)
        secret = hosts.get(parts.host) or hosts.get(re.sub(r":\d+$", "", parts.host))
        if secret is None:
            return address
        user, password = (
            (parts.user, parts.password) if parts.user or parts.password else (secret.user, secret.password)
        )
        number = _refers(parts)
        if number > len(secret.ends):
            raise SecretsError("{file} has no entry {number} for {host}", file=FILE, number=number, host=parts.host)
        end = secret.ends[number - 1] if number else parts.end
        word = f":{quote(password, safe='')}" if password else ""
        who = f"{quote(user, safe='')}{word}@" if user or password else ""
        return f"{parts.scheme}://{who}{parts.host}{parts.path}{end}"

    def forget(self, kind: Kind, host: str) -> None:
        """Forget a host. Raises OSError, SecretsError."""
        with _LOCK:
            kept = self._read()
            if host in _of(kept, kind):
                self._write(kept, kind, host, None)

    def _read(self) -> _SecretsFile:
        try:
            with self._path.open("rb") as file:
                content = file.read(LARGEST + 1)
                if os.name != "nt" and os.fstat(file.fileno()).st_mode & 0o077:
                    owners_alone(self._path)  # written by hand, and open to others since then
        except (FileNotFoundError, NotADirectoryError):
            return _SecretsFile()
        if len(content) > LARGEST:
            raise SecretsError("{file} is larger than {most} bytes", file=FILE, most=LARGEST)
        try:
            return msgspec.convert(tomllib.loads(content.decode("utf-8-sig")), _SecretsFile)
        except msgspec.ValidationError as wrong:
            # It names keys and types only, never a value.
            raise SecretsError("{file} cannot be used: {why:rule}", file=FILE, why=str(wrong)) from None
        except (ValueError, RecursionError):
            # A parser's own words may repeat a part of a password.
            raise SecretsError("{file} is not valid TOML", file=FILE) from None

    def _write(self, kept: _SecretsFile, kind: Kind, host: str, secret: Secret | None) -> None:
        hosts = {name: one for name, one in _of(kept, kind).items() if name != host}
        if secret is not None:
            hosts[host] = secret
        raw: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(kept, **{kind: hosts}))
        own_folder(self._path.parent)
        write_whole(self._path, (HEAD + tomli_w.dumps(raw)).encode())


_LOCK: Final = threading.Lock()
"""Whoever changes a file reads it first."""


def _of(kept: _SecretsFile, kind: Kind) -> Mapping[str, Secret]:
    return kept.camera if kind == "camera" else kept.broker


def _refers(parts: _Parts) -> int:
    """The number of the kept end that an address ends with; 0 if it has none."""
    found = REFERENCE.fullmatch(parts.end)
    return int(found[1]) if found else 0


def _parts(address: str) -> _Parts | None:
    """An address with a scheme and a host; None for anything else, and if the host may be part of a password."""
    _scheme, mark, rest = address.partition("://")
    if not mark or any(sign.isspace() for sign in address):
        return None
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if not parts.scheme or not parts.hostname or "@" in unquote(rest.removeprefix(parts.netloc)):
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = shown_path(parts.path)
    return _Parts(
        parts.scheme,
        f"{host}:{port}" if port is not None else host,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        path,
        rest.removeprefix(parts.netloc)[len(path) :],
    )


def shown_path(path: str) -> str:
    """The folders of a path before the first that may hold a password, as in `/user=admin_password=1234`."""
    at = 0
    for folder in path.split("/"):
        if any(sign in unquote(folder) for sign in "=:;&?"):
            return path[:at]
        at += len(folder) + 1
    return path
