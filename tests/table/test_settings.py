"""The settings file: what it says, how it is refused, and that saving never takes anything of a person's away."""

from __future__ import annotations

import re
import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.settings import (
    DEFAULTS,
    SETTINGS,
    TABLES,
    Name,
    Settings,
    SettingsError,
    SettingsFile,
    changed,
    edited,
    parsed,
    value_of,
    written,
)
from words import LANGUAGES

SOME: dict[Name, object] = {
    ("camera", "source"): "/dev/video0", ("camera", "size"): "1280x720", ("network", "lan"): True,
    ("network", "port"): 9000, ("mqtt", "broker"): "mqtt://hub.local/dice", ("voice", "language"): "de",
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "data")


def test_every_setting_is_described_once_and_every_language_can_be_set():
    there = {(table, key) for table in Settings.__struct_fields__ for key in getattr(DEFAULTS, table).__struct_fields__}
    assert there == set(SETTINGS)
    assert list(TABLES) == list(dict.fromkeys(table for table, _ in SETTINGS))
    for language in LANGUAGES:
        assert changed(DEFAULTS, {("voice", "language"): language}).voice.language == language


def test_a_new_file_says_everything_in_comments_and_changes_nothing(file: SettingsFile):
    assert not file.there
    assert file.read() == DEFAULTS
    assert file.change() == DEFAULTS
    assert file.there
    text = file.path.read_text("utf-8")
    assert parsed(text) == DEFAULTS
    assert {value for table in tomllib.loads(text).values() for value in table} == set()
    for _, key in SETTINGS:
        assert f"# {key} = " in text
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
    # Each setting works as soon as the # before it is taken away, but for the PIN's three dots.
    taken = re.sub(r"(?m)^# (\w+ = )", r"\1", text).replace('pin = "…"', 'pin = "4711"')
    assert parsed(taken).camera.source == "demo"


def test_what_is_changed_is_read_again_and_comments_stay(file: SettingsFile):
    file.path.parent.mkdir()
    file.path.write_text('# ours\n[network]\nport = 8000 # the router knows it\nlan = true\n\n# end\n', "utf-8")
    assert file.change({("network", "port"): 9000, ("voice", "speak"): True}).network.lan
    text = file.path.read_text("utf-8")
    assert text == (
        "# ours\n[network]\nport = 9000  # the router knows it\nlan = true\n\n# end\n\n[voice]\nspeak = true\n"
    )
    file.change({("network", "lan"): False, ("network", "own_turn"): True})
    text = file.path.read_text("utf-8")
    assert "own_turn = true\nport = 9000  # the router knows it\n# lan = false\n" in text
    assert file.read() == changed(DEFAULTS, {
        ("network", "port"): 9000, ("network", "own_turn"): True, ("voice", "speak"): True,
    })  # fmt: skip


def test_a_file_that_is_laid_out_otherwise_loses_no_setting(file: SettingsFile):
    file.path.parent.mkdir()
    for text in (
        "network.port = 8000\nvoice = {speak = true}\n",
        '[network]\nport = 8000\n[voice]\n"speak" = true\n',
        "[network]\nport = 0x1F40\n[voice]\nspeak = true",
        "\ufeff[voice]\r\nspeak = true\r\n[network]\r\nport = 8_000\r\n",
    ):
        file.path.write_text(text, "utf-8")
        wanted = {("network", "port"): 8001, ("voice", "language"): "fr", ("camera", "source"): 'a "b" \\ c'}
        assert file.change(wanted) == file.read()
        assert file.read() == changed(DEFAULTS, {**wanted, ("voice", "speak"): True})


@given(
    st.fixed_dictionaries({}, optional={
        ("camera", "source"): st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30),
        ("network", "port"): st.integers(1, 65535), ("network", "lan"): st.booleans(),
        ("scoreboard", "port"): st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30),
        ("scoreboard", "brightness"): st.integers(0, 15), ("voice", "language"): st.sampled_from(list(LANGUAGES)),
    }),
    st.fixed_dictionaries({}, optional={
        ("camera", "source"): st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30),
        ("network", "lan"): st.booleans(), ("network", "port"): st.integers(1, 65535),
    }),
)  # fmt: skip
def test_whatever_is_saved_is_read_again(first: dict[Name, object], then: dict[Name, object]):
    before = changed(DEFAULTS, first)
    assert parsed(written(before)) == before
    after = changed(before, then)
    text = edited(written(before), after)
    assert parsed(text) == after
    assert parsed(edited(text, before)) == before
    assert "# Players can only play and correct their own turns." in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[network]\n\nport = "x"', "settings.toml, line 3: network.port must be a whole number from 1 to 65535"),
        ("[network]\nport = 0", "settings.toml, line 2: network.port must be a whole number from 1 to 65535"),
        ("[network]\nport = true", "settings.toml, line 2: network.port must be a whole number from 1 to 65535"),
        ("[network]\nlan = 1", "settings.toml, line 2: network.lan must be true or false"),
        ("[network]\nprot = 1", "settings.toml, line 2: there is no setting “network.prot”; expected port, lan, pin or "
                                "own_turn"),
        ("[sound]\n", "settings.toml, line 1: there is no setting “sound”; expected [camera], [network], [scoreboard], "
                      "[mqtt] or [voice]"),
        ("port = 3", "settings.toml, line 1: there is no setting “port”; expected [camera], [network], [scoreboard], "
                     "[mqtt] or [voice]"),
        ("network = 3", "settings.toml, line 1: expected [network] on a line of its own, and its settings below"),
        ("network.port = 'x'", "settings.toml: network.port must be a whole number from 1 to 65535"),
        ('[voice]\nlanguage = "nl"', 'settings.toml, line 2: voice.language must be "en", "de" or "fr"'),
        ('[mqtt]\nbroker = "mqtt://ann:secret@hub"', "settings.toml, line 2: mqtt.broker must be "
         "mqtt://HOST[:PORT][/TOPIC] or mqtts://…, without a user and password"),
        ('[camera]\nsize = "huge"', 'settings.toml, line 2: camera.size must be a size such as "1920x1080"'),
        ("[network\n", "settings.toml is not valid TOML: "),
        ("a = " + "[" * 9999, "settings.toml is not valid TOML: "),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_with_its_place_and_what_was_expected(text: str, said: str, file: SettingsFile):
    file.path.parent.mkdir()
    file.path.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as refused:
        file.read()
    assert str(refused.value).startswith(said)
    assert "secret" not in str(refused.value)
    with pytest.raises(OSError, match=r"settings\.toml"):
        file.change({("network", "lan"): True})
    assert file.path.read_text("utf-8") == text, "what somebody broke by hand is theirs to mend"


def test_a_value_that_cannot_be_is_not_saved(file: SettingsFile):
    file.change({("network", "port"): 9000})
    before = file.path.read_bytes()
    for name, value in ((("network", "port"), 0), (("camera", "source"), "a\nb"), (("mqtt", "broker"), "http://x")):
        with pytest.raises(SettingsError):
            file.change({name: value})
    assert file.path.read_bytes() == before


def test_a_file_that_is_none_of_ours_is_refused_in_one_line(file: SettingsFile):
    file.path.parent.mkdir()
    for content in (b"\xff\xfe", b"#" * 70_000):
        file.path.write_bytes(content)
        with pytest.raises(SettingsError, match=r"settings\.toml is"):
            file.read()
    file.path.unlink()
    file.path.mkdir()
    with pytest.raises(OSError, match="directory"):
        file.read()


def test_two_who_save_at_once_lose_nothing(tmp_path: Path):
    wanted: list[tuple[Name, object]] = [*SOME.items()]
    threads = [threading.Thread(target=SettingsFile(tmp_path).change, args=({name: value},)) for name, value in wanted]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    settings = SettingsFile(tmp_path).read()
    assert {name: value_of(settings, name) for name, _ in wanted} == dict(wanted)

