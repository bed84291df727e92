"""`tableside` alone, the settings as defaults of options, and something to click."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest

from cli import main
from cli.listening import binding
from cli.running import FILE, noted, running
from cli.settings import defaults
from cli.start import entrance
from files.folders import data_id
from files.records import write_record
from table.settings import SettingsError, SettingsFile
from tests.cli.door import tableside
from web.pin import checked_pin, fits, hashed_pin, is_hashed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What `tableside serve` would have been told, once it is called."""
    found: dict[str, object] = {}

    @click.command(name="serve")
    @click.option("--port", type=int, default=1)
    @click.option("--lan/--no-lan")
    @click.option("--pin", is_flag=False, flag_value="")
    @click.option("--scoreboard")
    @click.option("--mqtt", envvar="TABLESIDE_MQTT")
    @click.option("--speak/--no-speak")
    def serves(**values: object) -> None:
        found.update(values)

    monkeypatch.setattr(main.Doors, "get_command", lambda *_: serves)
    return found


def test_settings_are_the_defaults_of_options_and_an_option_counts_more(
    asked: dict[str, object], folder: Path, monkeypatch: pytest.MonkeyPatch
):
    assert tableside("serve").code == 0
    assert (asked["port"], asked["lan"], asked["pin"], asked["scoreboard"]) == (8765, False, None, None)
    SettingsFile(folder).change({
        ("network", "port"): 9000, ("network", "lan"): True, ("scoreboard", "port"): "auto", ("voice", "speak"): True,
        ("mqtt", "broker"): "mqtt://hub",
    })  # fmt: skip
    assert tableside("serve").code == 0
    assert asked | {"pin": 0} == {
        "port": 9000, "lan": True, "pin": 0, "scoreboard": "auto", "mqtt": "mqtt://hub", "speak": True,
    }  # fmt: skip
    monkeypatch.setenv("TABLESIDE_MQTT", "mqtt://other")
    assert tableside("serve", "--port", "9001", "--no-lan", "--scoreboard", "none", "--no-speak").code == 0
    assert asked | {"pin": 0} == {
        "port": 9001, "lan": False, "pin": 0, "scoreboard": "none", "mqtt": "mqtt://other", "speak": False,
    }  # fmt: skip
    assert SettingsFile(folder).read().network.port == 9000, "an option counts for one start"


def test_a_broken_file_stops_what_uses_it_and_nothing_else(folder: Path):
    folder.mkdir()
    (folder / "settings.toml").write_text("[network]\nlan = 1\n")
    for command in ("serve", "demo", "start"):
        said = tableside(command)
        assert said.code == 2
        assert said.err == "tableside: settings.toml, line 2: network.lan must be true or false\n"
    assert tableside("games").code == 0


def test_a_pin_that_was_typed_there_becomes_a_hash(folder: Path):
    folder.mkdir()
    file = folder / "settings.toml"
    file.write_text('# mine\n[network]\npin = "47 11-47"  # secret\n')
    pin = defaults()["pin"]
    assert is_hashed(pin)
    assert fits(pin, "471147")
    assert not fits(pin, "471148")
    assert file.read_text() == f'# mine\n[network]\npin = "{pin}"  # secret\n'
    assert defaults()["pin"] == pin, "the same from then on, so that nobody is sent away"
    bound = binding(pin=pin)
    assert bound.settings.pin == pin
    assert "The host's PIN is the one you chose." in bound.told("http://localhost:1/")
    for bad in ("1111", "12"):
        file.write_text(f'[network]\npin = "{bad}"\n')
        with pytest.raises(SettingsError, match=r"network\.pin must be a PIN"):
            defaults()


def test_a_hash_of_a_pin_differs_each_time_and_cannot_be_entered_itself():
    first, second = hashed_pin("471147"), hashed_pin("471147")
    assert first != second
    assert fits(first, "471147")
    assert fits(second, "471147")
    assert not fits(first, first[:40])
    with pytest.raises(ValueError, match="expected a PIN"):
        checked_pin(first)


def test_a_table_that_runs_is_found_only_where_it_answers_as_ours(folder: Path):
    assert running(folder) == ""
    folder.mkdir()
    with noted(folder, "127.0.0.1", 9):
        assert (folder / FILE).is_file()
        assert running(folder) == "", "nothing listens there: the program was killed"
    assert not (folder / FILE).exists()
    write_record(folder / FILE, {"host": "127.0.0.1"})
    assert running(folder) == ""
    assert data_id()


def test_the_browser_begins_where_a_pin_is_entered():
    assert entrance("http://127.0.0.1:1/", "/first", None) == "http://127.0.0.1:1/first"
    assert entrance("http://127.0.0.1:1/", "/first", "abc") == "http://127.0.0.1:1/enter?back=%2Ffirst#abc"


@pytest.mark.parametrize("system", ["linux", "windows", "macos"])
def test_something_to_click_starts_this_installation(tmp_path: Path, system: str):
    said = tableside("desktop", "-o", str(tmp_path / "a b"), "--for", system)
    assert said.code == 0
    (made,) = (tmp_path / "a b").iterdir()
    text = made.read_text("utf-8")
    assert "-m" in text
    assert "cli.main" in text
    assert text.count("start") >= 1
    assert made.stat().st_mode & 0o111
    assert tableside("desktop", "-o", str(tmp_path / "a b"), "--for", system, "--remove").code == 0
    assert not made.exists()
    assert tableside("desktop", "-o", str(tmp_path / "a b"), "--for", system, "--remove").code == 0


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="no desktop-file-validate here")
def test_the_entry_among_the_programs_is_one(tmp_path: Path):
    tableside("desktop", "-o", str(tmp_path), "--for", "linux")
    told = subprocess.run(
        ["desktop-file-validate", str(tmp_path / "tableside.desktop")], capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout) == (0, "")
