"""Where a table listens, whom it asks for a PIN, and what the terminal says."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli import main as doors
from cli.listening import Door, listening


@click.command()
@listening
def probe(door: Door) -> None:
    click.echo(repr(door))


def asked(*arguments: str, env: dict[str, str] | None = None) -> str:
    answer = CliRunner().invoke(probe, arguments, env=env)
    assert answer.exit_code == 0, answer.output
    return answer.output.strip()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    monkeypatch.delenv("TABLESIDE_PIN", raising=False)
    return tmp_path


def test_by_default_nothing_listens_beyond_this_computer(folder: Path):
    assert asked() == repr(Door("127.0.0.1", 8765, None, False))
    opened = Door("127.0.0.1", 8765, None, False).opened()
    assert opened.settings.pin is None
    assert opened.settings.neighbourhood is None
    assert opened.certificate is None
    assert opened.told("http://127.0.0.1:8765/") == "http://127.0.0.1:8765/  (Ctrl-C ends it)"
    assert list(folder.iterdir()) == []


def test_lan_listens_everywhere_asks_for_a_pin_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.network.addresses.lan_addresses", lambda: ("192.168.7.5", "10.0.0.2"))
    assert asked("--lan") == repr(Door("0.0.0.0", 8765, None, False))
    opened = Door("0.0.0.0", 8765, None, False).opened()
    pin = opened.settings.pin
    assert pin is not None
    assert re.fullmatch(r"\d{6}", pin)
    said = opened.told("http://localhost:9000/")
    assert "http://192.168.7.5:9000/ or http://10.0.0.2:9000/" in said
    assert f"The host's PIN is {pin}." in said
    assert f"https://192.168.7.5:9000/enter#{opened.settings.link}" in said
    assert f"http://localhost:9000/enter#{opened.settings.link}" in said
    assert opened.settings.link is not None
    assert len(opened.settings.link) == 20
    assert "█" in said
    # "0.0.0.0" is a name under which a foreign page reaches this computer; nobody needs it.
    assert "0.0.0.0" not in opened.settings.every_host
    assert {"localhost", "192.168.7.5", "10.0.0.2"} <= set(opened.settings.every_host)
    assert opened.certificate is not None


def test_without_a_network_it_says_that_nobody_can_come(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.network.addresses.lan_addresses", lambda: ())
    said = Door("0.0.0.0", 8765, None, False).opened().told("http://localhost:8765/")
    assert "No network was found" in said
    assert "https://" not in said


def test_one_address_of_several():
    opened = Door("192.168.7.5", 8765, None, True).opened()
    assert opened.settings.pin is not None
    assert opened.settings.own_turn
    assert opened.settings.neighbourhood is not None
    assert opened.settings.neighbourhood.addresses == ("192.168.7.5",)


def test_a_pin_of_ones_own():
    assert asked("--pin") == repr(Door("127.0.0.1", 8765, "", False))
    assert asked("--pin", "2468") == repr(Door("127.0.0.1", 8765, "2468", False))
    assert asked(env={"TABLESIDE_PIN": "1357"}) == repr(Door("127.0.0.1", 8765, "1357", False))
    assert Door("127.0.0.1", 8765, "24 68", False).opened().settings.pin == "2468"
    drawn = {Door("127.0.0.1", 8765, "", False).opened().settings.pin for _ in range(5)}
    assert len(drawn) > 1


@pytest.mark.parametrize("pin", ["1", "1111", "x" * 50])
def test_a_pin_that_is_none_is_refused_before_a_match_begins(
    folder: Path, capsys: pytest.CaptureFixture[str], pin: str
):
    with pytest.raises(SystemExit) as left:
        doors.main(["demo", "--pin", pin])
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("tableside: expected a PIN")
    assert len(err.splitlines()) == 1
    assert not (folder / "tables.db").exists()
