"""The page Settings: what it saves, what it refuses, and that it never shows or keeps a PIN in the clear."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from table.settings import DEFAULTS, SettingsFile
from tests.web.tables import HERE, access_of, entered, html_of
from web.pages.settings import FIELDS
from web.pin import fits, hashed_pin
from web.program import Ending

FILLED = {"network-port": "8765", "scoreboard-brightness": "6", "voice-language": "en"}


def send(client: FlaskClient, path: str = "/settings", **changes: str) -> TestResponse:
    fields = FILLED | {name.replace("_", "-"): value for name, value in changes.items()}
    return client.post(path, data=fields, headers={"Origin": HERE})


def test_every_setting_but_the_cameras_is_on_the_page_and_says_when_it_takes_effect(client: FlaskClient):
    html = html_of(client, "/settings")
    for field in FIELDS.values():
        assert f'name="{field.id}"' in html
        assert (f'id="{field.id}-about"' in html) == bool(field.hint or field.at_once)
    assert html.count("Takes effect at once.") == sum(field.at_once for field in FIELDS.values())
    assert html.count("These settings take effect at the next start, unless they say otherwise.") == 1


def test_what_is_saved_stands_in_the_file_and_on_the_page(house: House, client: FlaskClient, data: Path):
    answer = send(
        client, network_lan="on", network_own_turn="on", network_port="9000", voice_speak="on", voice_language="de",
        scoreboard_port=" auto ", scoreboard_brightness="3", mqtt_broker="mqtt://hub.local/dice", pin="47 11-47",
    )  # fmt: skip
    assert (answer.status_code, answer.headers["Location"]) == (303, "/settings?saved=1")
    settings = SettingsFile(data).read()
    assert (settings.network.lan, settings.network.port, settings.voice.language) == (True, 9000, "de")
    assert (settings.scoreboard.port, settings.mqtt.broker) == ("auto", "mqtt://hub.local/dice")
    assert fits(kept := settings.network.pin, "471147")
    assert kept is not None
    assert "471147" not in (data / "settings.toml").read_text("utf-8").replace(kept, ""), "a hash may have any digits"
    assert access_of(house).own_turn, "this one takes effect at once"
    html = html_of(client, "/settings?saved=1")
    assert re.search(r'id="voice-speak"[^>]* checked', html)
    assert 'value="mqtt://hub.local/dice"' in html
    assert "scrypt" not in html
    send(client)  # an unticked box is off, and no PIN is typed: it stays
    assert SettingsFile(data).read().network.pin == settings.network.pin
    assert not SettingsFile(data).read().network.lan
    send(client, no_pin="on")
    assert SettingsFile(data).read() == DEFAULTS


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("network-port", "0", "Enter a whole number from 1 to 65535."),
        ("network-port", "x", "Enter a whole number from 1 to 65535."),
        ("scoreboard-brightness", "16", "Enter a whole number from 0 to 15."),
        ("mqtt-broker", "http://hub", "Enter mqtt:// or mqtts:// and the broker’s name"),
        ("mqtt-broker", "mqtt://ann:secret@hub:x", "Enter mqtt:// or mqtts://"),
        ("pin", "1111", "Choose 4 to 40 letters or digits"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_saved(
    client: FlaskClient, data: Path, field: str, value: str, words: str
):
    answer = send(client, **{"voice_speak": "on", field: value})
    html = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert words in html
    assert re.search(rf'id="{field}"[^>]*aria-invalid="true"', html)
    assert re.search(r'id="voice-speak"[^>]* checked', html), "what was filled in stays"
    assert not (data / "settings.toml").exists()


def test_a_file_that_is_broken_is_shown_and_not_written_over(client: FlaskClient, data: Path):
    (data / "settings.toml").write_text("[network]\nport = 'x'\n")
    assert "line 2: network.port must be a whole number from 1 to 65535" in html_of(client, "/settings")
    assert send(client).status_code == 503
    assert (data / "settings.toml").read_text() == "[network]\nport = 'x'\n"


def test_a_program_that_a_terminal_started_is_stopped_there(house: House, client: FlaskClient):
    for path in ("/settings/again", "/settings/stop"):
        assert send(client, path).status_code == 409
    assert house.program is not None
    assert house.program.ending is None
    assert 'id="stop"' not in html_of(client, "/settings")


def test_a_program_that_was_clicked_ends_when_a_page_asks_for_it(house: House, client: FlaskClient, data: Path):
    program = house.program
    assert program is not None
    program.steered = True
    ended: list[str] = []
    program.stop = lambda: ended.append("stopped")
    assert 'id="again"' in html_of(client, "/settings")
    again = send(client, "/settings/again").get_data(as_text=True)
    assert 'data-to="/settings"' in again
    assert program.ending is Ending.AGAIN
    SettingsFile(data).change({("network", "lan"): True})
    again = send(client, "/settings/again").get_data(as_text=True)
    assert f'data-to="/enter?back=%2Fsettings#{program.link}"' in again
    (data / "settings.toml").write_text("[network]\nlan = 3\n")
    program.ending = None
    assert send(client, "/settings/again").status_code == 409, "it would not start with this file"
    assert program.ending is None


def test_a_pin_of_which_only_the_hash_is_known_lets_in(lay: Callable[..., House], data: Path):
    house = lay(pin=hashed_pin("471147"), devices=data / "devices.db")
    host = entered(house, "47-11 47")
    html = html_of(host, "/settings")
    assert "scrypt" not in html
    wrong = house.app.test_client().post("/enter", data={"code": "471148"}, headers={"Origin": HERE})
    assert wrong.status_code == 403
    assert access_of(house).known_pin == ""


def test_who_runs_here_is_said_to_this_computer_alone(client: FlaskClient):
    assert client.get("/running").status_code == 200
    assert client.get("/running", environ_base={"REMOTE_ADDR": "192.168.7.9"}).status_code == 404
    assert client.get("/running", headers={"X-Forwarded-For": "1.2.3.4"}).status_code == 404


def test_the_check_shows_the_same_as_the_doctor(client: FlaskClient, data: Path):
    html = html_of(client, "/settings/check")
    assert "Networks that read dice" in html
    assert html.count('class="light"') == len(re.findall('<li class="(ok|look|broken)"', html)) > 5
    (data / "settings.toml").write_text("[network]\nport = 'x'\n")
    german = client.get("/settings/check", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Etwas ist kaputt." in german
    assert german.index("kaputt</span>") < german.index("in Ordnung</span>"), "what is worst stands first"
