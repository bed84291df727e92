"""Where a table listens, whom it asks for a PIN, and what the terminal says."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.listening import Binding, binding, listening


@pytest.mark.parametrize(
    ("arguments", "env", "host", "pin"),
    [
        ([], {}, "127.0.0.1", None),
        (["--lan"], {}, "0.0.0.0", r"\d{6}"),
        (["--host", "192.168.7.5"], {}, "192.168.7.5", r"\d{6}"),
        (["--pin"], {}, "127.0.0.1", r"\d{6}"),
        (["--pin", "24 68"], {}, "127.0.0.1", "2468"),
        ([], {"TABLESIDE_PIN": "1357"}, "127.0.0.1", "1357"),
    ],
)
def test_a_pin_is_asked_for_as_soon_as_others_can_come(
    arguments: list[str], env: dict[str, str], host: str, pin: str | None
):
    found: list[Binding] = []

    @click.command()
    @listening
    def probe(bound: Binding) -> None:
        found.append(bound)

    answer = CliRunner().invoke(probe, arguments, env=env)
    assert answer.exit_code == 0, answer.output
    (bound,) = found
    assert (bound.host, bound.port) == (host, 8765)
    assert re.fullmatch(pin, bound.settings.pin or "") if pin else bound.settings.pin is None


def test_by_default_nothing_listens_beyond_this_computer(folder: Path):
    bound = binding()
    assert (bound.settings.neighbourhood, bound.certificate) == (None, None)
    assert bound.told("http://127.0.0.1:8765/") == "http://127.0.0.1:8765/  (Ctrl-C ends it)"
    assert not folder.exists()


def test_a_pin_drawn_by_lot_is_another_each_time():
    assert len({binding(pin="").settings.pin for _ in range(5)}) > 1


def test_lan_listens_everywhere_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.network.addresses.lan_addresses", lambda: ("192.168.7.5", "10.0.0.2"))
    bound = binding(lan=True, own_turn=True)
    settings, said = bound.settings, bound.told("http://localhost:9000/")
    assert "http://192.168.7.5:9000/ or http://10.0.0.2:9000/" in said
    assert f"The host's PIN is {settings.pin}." in said
    assert f"https://192.168.7.5:9000/enter#{settings.link}" in said
    assert f"http://localhost:9000/enter#{settings.link}" in said
    assert settings.link is not None
    assert len(settings.link) == 20
    assert "█" in said
    # "0.0.0.0" is a name under which a foreign page reaches this computer; nobody needs it.
    assert "0.0.0.0" not in settings.every_host
    assert {"localhost", "192.168.7.5", "10.0.0.2"} <= set(settings.every_host)
    assert bound.certificate is not None
    assert settings.own_turn


def test_without_a_network_or_with_one_address_that_is_what_it_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.network.addresses.lan_addresses", lambda: ())
    said = binding("0.0.0.0").told("http://localhost:8765/")
    assert "No network was found" in said
    assert "https://" not in said
    around = binding("192.168.7.5").settings.neighbourhood
    assert around is not None
    assert around.addresses == ("192.168.7.5",)
