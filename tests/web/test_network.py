"""The server of the pages: how it ends, and its certificate."""

from __future__ import annotations

import http.client
import logging
import os
import socket
import ssl
import threading
import urllib.request
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from flask import Flask, request

from cli.compose import House
from cli.listening import binding
from tests.web.serving import serving, trusting
from web.network.addresses import Neighbourhood, lan_addresses, own_names
from web.network.certificate import LASTS, NAME, RENEWED, LocalCertificate
from web.network.qr import svg, terminal
from web.network.server import TableServer

NOW = datetime(2026, 11, 21, tzinfo=UTC)


class Table:
    """A certificate's world: its folder, its addresses, its clock."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.hosts, self.now, self.ticks = folder, ["192.168.1.5", "living-room.local"], NOW, 0.0

    def certificate(self) -> LocalCertificate:
        return LocalCertificate(self.folder, lambda: self.hosts, lambda: self.now, lambda: self.ticks)

    @property
    def kept(self) -> bytes:
        return (self.folder / NAME).read_bytes()

    def names(self) -> set[str]:
        made = x509.load_pem_x509_certificate(self.kept)
        named = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return {str(one.value) for one in named}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_it_names_every_address_is_kept_and_holds_as_long_as_browsers_accept(table: Table):
    table.certificate()
    before = table.kept
    assert table.names() == {"192.168.1.5", "living-room.local", "localhost", "127.0.0.1", "::1"}
    table.certificate()
    assert table.kept == before
    made = x509.load_pem_x509_certificate(before)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=397)
    assert made.not_valid_before_utc < NOW - timedelta(hours=12), "a phone's clock may be behind"
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
def test_its_key_is_its_owners_alone(table: Table):
    table.certificate()
    assert (table.folder / NAME).stat().st_mode & 0o777 == 0o600
    before = table.kept
    (table.folder / NAME).chmod(0o644)
    table.certificate()
    assert table.kept != before, "others could read the key: it is not used any more"
    assert (table.folder / NAME).stat().st_mode & 0o777 == 0o600


def test_it_is_renewed_before_its_end(table: Table):
    table.certificate()
    before = table.kept
    table.now = NOW + LASTS - RENEWED - timedelta(days=3)
    table.certificate()
    assert table.kept == before
    table.now += timedelta(days=3)
    table.certificate()
    assert table.kept != before


def test_another_address_in_the_middle_of_an_evening(table: Table):
    running = table.certificate()
    first = running.context()
    table.hosts.append("10.0.0.9")
    assert running.context() is first
    table.ticks += 60
    assert running.context() is not first
    assert "10.0.0.9" in table.names()
    table.hosts.remove("10.0.0.9")
    table.ticks += 60
    before = table.kept
    running.context()
    assert table.kept == before, "one that holds for more is no reason to warn people again"


@pytest.mark.parametrize("damage", ["", "nonsense", "cut", "other key"])
def test_a_damaged_one_is_made_anew(table: Table, tmp_path: Path, damage: str):
    table.certificate()
    path = tmp_path / NAME
    if damage == "cut":
        path.write_bytes(table.kept[:300])
    elif damage == "other key":
        other = Table(tmp_path / "other")
        other.certificate()
        key = other.kept[: other.kept.index(b"-----BEGIN CERT")]
        path.write_bytes(key + table.kept[table.kept.index(b"-----BEGIN CERT") :])
    else:
        path.write_text(damage)
    table.certificate()
    serialization.load_pem_private_key(table.kept, None)
    assert "192.168.1.5" in table.names()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[int]:
    app = Flask("echo")
    app.add_url_rule("/", view_func=lambda: f"{request.scheme} {len(request.get_data())}", methods=["GET", "POST"])
    certificate = LocalCertificate(tmp_path, lambda: ())
    server = TableServer(("127.0.0.1", 0), app, certificate=certificate, threads=4)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server.bind_addr[1]
    server.stop()
    thread.join(10)


def test_one_port_speaks_both(served: int, tmp_path: Path):
    for scheme, context in (("http", None), ("https", trusting(tmp_path / NAME))):
        for host, size in (("127.0.0.1", 0), ("localhost", 10), ("127.0.0.1", 100_000), ("localhost", 900_000)):
            body = b"x" * size if size else None
            with urllib.request.urlopen(f"{scheme}://{host}:{served}/", data=body, context=context) as answer:
                assert answer.read().decode() == f"{scheme} {size}"


def test_old_tls_is_not_spoken(served: int, tmp_path: Path):
    old = trusting(tmp_path / NAME)
    old.set_ciphers("DEFAULT@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(OSError, match=r"alert|version|EOF|reset"):
        urllib.request.urlopen(f"https://127.0.0.1:{served}/", context=old)


def test_addresses_are_looked_up_again_now_and_then():
    now, looks = [0.0], [("192.168.1.5",), ("192.168.1.9",)]
    around = Neighbourhood(lambda: looks[0 if now[0] < 100 else 1], names=(), clock=lambda: now[0])
    now[0] = 10
    assert around.addresses == ("192.168.1.5",)
    now[0] = 200
    assert around.addresses == ("192.168.1.9",)


def test_this_computers_addresses_are_no_loopback():
    assert not [one for one in lan_addresses() if one.startswith(("127.", "0."))]
    assert all(name.isascii() for name in own_names())


def test_codes_to_scan_are_drawn_without_style():
    drawn = svg("https://192.168.1.5:8765/enter#123456")
    assert 'fill="#fff"' in drawn
    assert "style" not in drawn
    assert "script" not in svg("</svg><script>alert(1)</script>")
    lines = terminal("http://192.168.1.5:8765/").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) <= set(" █▀▄")


WAIT = 20.0


def hello(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def test_a_connection_kept_just_as_the_server_stops_is_closed_quietly(caplog: pytest.LogCaptureFixture):
    """A worker on a busy computer comes to keep a connection when nobody waits for connections any more."""
    server = TableServer(("127.0.0.1", 0), hello, threads=2)
    server.prepare()
    connections: Any = server._connections
    put, close = connections.put, connections.close
    keeping, closed = threading.Event(), threading.Event()

    def put_late(conn: Any) -> None:
        if threading.current_thread() is not serving:
            keeping.set()
            assert closed.wait(WAIT)
        put(conn)

    def close_first() -> None:
        close()
        closed.set()

    connections.put, connections.close = put_late, close_first
    serving = threading.Thread(target=server.serve, daemon=True)
    serving.start()
    with closing(socket.create_connection(server.bind_addr, timeout=WAIT)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert keeping.wait(WAIT)
        server.stop()
        serving.join(WAIT)
        assert not serving.is_alive()
        answer = b""
        while piece := line.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"ok")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.slow
@pytest.mark.skipif(not socket.has_ipv6, reason="this computer has no IPv6")
@pytest.mark.parametrize("host", ["::1", "127.0.0.1"])
def test_the_address_the_terminal_says_is_answered(host: str, lay: Callable[..., House], tmp_path: Path):
    """`--host ::1` as people type it; other names are refused there as everywhere."""
    house = lay(hosts=binding(host, 1).settings.hosts)
    with serving(house, tmp_path, host=host, watched=False) as served:
        shown = f"[{host}]" if ":" in host else host
        for name, status in ((shown, 200), ("localhost", 200), ("[::2]", 400), ("evil.example", 400)):
            line = http.client.HTTPConnection(host, served.port, timeout=WAIT)
            line.request("GET", "/history", headers={"Host": f"{name}:{served.port}"})
            assert line.getresponse().status == status, name
            line.close()
