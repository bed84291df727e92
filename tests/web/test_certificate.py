"""The local certificate: kept, renewed in time, for every address of now, and good for TLS."""

from __future__ import annotations

import os
import ssl
import threading
import urllib.request
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from flask import Flask, request

from tests.web.serving import trusting
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


def test_it_names_every_address_and_is_kept(table: Table):
    table.certificate()
    before = table.kept
    assert table.names() == {"192.168.1.5", "living-room.local", "localhost", "127.0.0.1", "::1"}
    table.certificate()
    assert table.kept == before


def test_browsers_accept_how_long_it_holds(table: Table):
    table.certificate()
    made = x509.load_pem_x509_certificate(table.kept)
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
    app.add_url_rule(
        "/", view_func=lambda: f"{request.scheme} {len(request.get_data())}", methods=["GET", "POST"]
    )
    server = TableServer(
        ("127.0.0.1", 0), app, certificate=LocalCertificate(tmp_path, lambda: ()), threads=4
    )  # fmt: skip
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server.bind_addr[1]
    server.stop()
    thread.join(10)


@pytest.mark.parametrize("size", [0, 10, 100_000, 900_000])
def test_one_port_speaks_both(served: int, tmp_path: Path, size: int):
    body = b"x" * size if size else None
    for scheme, context in (("http", None), ("https", trusting(tmp_path / NAME))):
        for host in ("127.0.0.1", "localhost"):
            with urllib.request.urlopen(f"{scheme}://{host}:{served}/", data=body, context=context) as answer:
                assert answer.read().decode() == f"{scheme} {size}"


def test_a_client_that_trusts_nobody_is_refused_by_itself(served: int):
    with pytest.raises(OSError, match="certificate") as refused:
        urllib.request.urlopen(f"https://127.0.0.1:{served}/", context=ssl.create_default_context())
    assert isinstance(refused.value.__cause__ or refused.value, OSError)
    with urllib.request.urlopen(f"http://127.0.0.1:{served}/") as answer:
        assert answer.status == 200


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
