"""The settings of a data folder: one commented TOML file, which people edit by hand or on the Settings page.

A line that begins with `#` shows an example or the default. The page replaces single lines, so comments stay. The file
contains no passwords, as people send it along when they ask for help.
"""

from __future__ import annotations

import functools
import re
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

import msgspec
import tomli_w

from files.atomic import own_folder, write_whole
from messages.message import N_, Message, MessageError, TroubleError, message
from words import WRITTEN

FILE: Final = "settings.toml"
LARGEST: Final = 64 * 1024
"""Largest size of the file in bytes."""

PORT: Final = 8765
"""Default port of the pages, unless another program uses it."""
BRIGHTNESS: Final = 6
"""Default brightness, of 15: readable in a lit room, and not blinding in a dark one."""

Line = Annotated[str, msgspec.Meta(max_length=1000, pattern=r"^[^\x00-\x1f\x7f]*$")]


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The camera that watches the table."""

    source: Line = ""
    size: Annotated[str, msgspec.Meta(pattern=r"^(\d{2,5}[x×]\d{2,5})?$")] = ""
    region: Annotated[str, msgspec.Meta(max_length=200, pattern=r"^([0-9., -]*|markers)$")] = ""
    lock_exposure: bool = False
    strict: bool = False


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Access to the pages."""

    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = PORT
    lan: bool = False
    pin: Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[\x20-\x7e]*$")] = ""
    own_turn: bool = False


class ScoreboardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The LED scoreboard."""

    port: Line = ""
    brightness: Annotated[int, msgspec.Meta(ge=0, le=15)] = BRIGHTNESS


class MqttSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The MQTT broker of a smart home."""

    broker: Annotated[str, msgspec.Meta(max_length=1000, pattern=r"^(mqtts?://[^\s@]+)?$")] = ""


class VoiceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Speech and language."""

    speak: bool = False
    language: Literal["en", "de", "fr"] = WRITTEN


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings with their defaults."""

    camera: CameraSettings = CameraSettings()
    network: NetworkSettings = NetworkSettings()
    scoreboard: ScoreboardSettings = ScoreboardSettings()
    mqtt: MqttSettings = MqttSettings()
    voice: VoiceSettings = VoiceSettings()


Name = tuple[str, str]
"""A setting: its table and its key."""


@dataclass(frozen=True, slots=True)
class SettingHelp:
    """The comment above a setting in the file, and its expected value."""

    comment: str
    expected: str
    """Completes the sentence "expected …"."""
    example: str = ""
    """The example on the line of a setting that has its default; if empty, the default itself."""


TABLES: Final[Mapping[str, str]] = {
    "camera": "The camera that watches the table. The Camera page saves its choice here.",
    "network": "Who can open the pages.",
    "scoreboard": "The LED scoreboard.",
    "mqtt": "A broker for Home Assistant and others.",
    "voice": "What Tableside says through this computer's loudspeaker.",
}

SETTINGS: Final[Mapping[Name, SettingHelp]] = {
    ("camera", "source"): SettingHelp(
        'A webcam\'s number or device, a stream\'s address, a video, a folder of pictures, "phone" or "demo".',
        N_("a camera in quotes, such as \"0\", \"/dev/video0\", \"rtsp://…\", \"phone\" or \"demo\""),
        '"demo"',
    ),
    ("camera", "size"): SettingHelp(
        "The resolution to ask the camera for.", N_("a size such as \"1920x1080\""), '"1920x1080"'
    ),
    ("camera", "region"): SettingHelp(
        "The table's part of the picture: four corners as shares of its width and height.",
        N_("four corners such as \"0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9\""),
        '"0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"',
    ),
    ("camera", "lock_exposure"): SettingHelp(
        "Lock the exposure after two seconds, if the driver can.", N_("true or false")
    ),
    ("camera", "strict"): SettingHelp(
        "The stream was chosen on another device, so it may not redirect to another address.", N_("true or false")
    ),
    ("network", "port"): SettingHelp(
        "The port of the pages; if it is busy, the next free one.", N_("a whole number from 1 to 65535")
    ),
    ("network", "lan"): SettingHelp(
        "Phones, tablets and televisions in your network may watch; to play they need the PIN.", N_("true or false")
    ),
    ("network", "pin"): SettingHelp(
        "The host's PIN. Write it here as digits or letters; the next start replaces it with a hash. If lan is\n"
        "# true and there is no PIN, each start draws a new one.",
        N_("a PIN in quotes, of 4 to 40 letters or digits"),
        '"…"',
    ),
    ("network", "own_turn"): SettingHelp(
        "Players can only play and correct their own turns.", N_("true or false")
    ),
    ("scoreboard", "port"): SettingHelp(
        'Where the scoreboard is: "auto" for any USB port, a port, "awtrix:HOST", "wled:HOST", or several with commas.',
        N_("a port in quotes, such as \"auto\" or \"/dev/ttyUSB0\""),
        '"auto"',
    ),
    ("scoreboard", "brightness"): SettingHelp("From 0 to 15.", N_("a whole number from 0 to 15")),
    ("mqtt", "broker"): SettingHelp(
        "mqtt://HOST[:PORT][/TOPIC], or mqtts:// for TLS. No user and password here.",
        N_("mqtt://HOST[:PORT][/TOPIC] or mqtts://…, without a user and password"),
        '"mqtt://homeassistant.local"',
    ),
    ("voice", "speak"): SettingHelp("Say every throw and score (needs espeak-ng on Linux).", N_("true or false")),
    ("voice", "language"): SettingHelp(
        "The language of the voice and of what a broker gets: en, de or fr. Pages follow each device.",
        N_("\"en\", \"de\" or \"fr\""),
    ),
}
"""All settings in the order of the file."""

HEAD = (
    "# Tableside's settings. Change them here or on the Settings page; a line that begins with # has no effect.\n"
    "# An option on the command line takes precedence for that start.\n"
)


class SettingsError(MessageError):
    """The file cannot be used; one clause names the place and what was expected there."""


def value_of(settings: Settings, name: Name) -> Any:
    """The description of a setting."""
    table, key = name
    return getattr(getattr(settings, table), key)


DEFAULTS: Final = Settings()


def changed(settings: Settings, changes: Mapping[Name, object]) -> Settings:
    """The settings with some values changed. Raises SettingsError for an invalid value."""
    values: dict[str, dict[str, object]] = {}
    for name in SETTINGS:
        value = changes.get(name, value_of(settings, name))
        values.setdefault(name[0], {})[name[1]] = value
    return parsed(tomli_w.dumps(values))


def parsed(text: str) -> Settings:
    """The settings in a file.

    Raises SettingsError if it is not TOML, or has an unknown setting or an invalid value.
    """
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as broken:
        raise SettingsError(
            "{file} is not valid TOML: {why:rule}", file=FILE, why=str(broken) or "nested too deep"
        ) from None
    for table, values in raw.items():
        if table not in TABLES:
            known = tuple(f"[{one}]" for one in TABLES)
            raise SettingsError(
                "{where}: there is no setting “{name}”; expected {known:either}",
                where=_where(text, "", table), name=table[:40], known=known,
            )  # fmt: skip
        if not isinstance(values, dict):
            raise SettingsError(
                "{where}: expected [{table}] on a line of its own, and its settings below",
                where=_where(text, "", table), table=table,
            )  # fmt: skip
        for key in cast("dict[str, object]", values):
            name = (table, key)
            if name not in SETTINGS:
                known = tuple(one for of, one in SETTINGS if of == table)
                raise SettingsError(
                    "{where}: there is no setting “{name}”; expected {known:either}",
                    where=_where(text, table, key), name=f"{table}.{key}"[:60], known=known,
                )  # fmt: skip
            try:
                msgspec.convert({table: {key: values[key]}}, Settings)
            except msgspec.ValidationError:
                raise SettingsError(
                    "{where}: {name} must be {expected:rule}",
                    where=_where(text, table, key), name=f"{table}.{key}",
                    expected=SETTINGS[name].expected,
                ) from None  # fmt: skip
    return msgspec.convert(raw, Settings)


def _where(text: str, table: str, key: str) -> Message:
    """The place of a setting in the file, or of a table if `table` is empty."""
    lines = text.splitlines()
    found = _line_of(lines, table, key, active=True) if table else _header_of(lines, key)
    if found is None and not table:
        found = _line_of(lines, "", key, active=True)
    if found is None:
        return message("{file}", file=FILE)
    return message("{file}, line {line}", file=FILE, line=found + 1)


def _header_of(lines: list[str], table: str) -> int | None:
    """The line of a table's header, from 0."""
    header = re.compile(rf"\s*\[\s*[\"']?{re.escape(table)}[\"']?\s*\]")
    return next((at for at, line in enumerate(lines) if header.match(line)), None)


def _line_of(lines: list[str], table: str, key: str, *, active: bool) -> int | None:
    """The line of a setting, from 0: an active one, or also one that shows a default. Table "" is before all others."""
    begin = 0
    if table:
        header = _header_of(lines, table)
        if header is None:
            return None
        begin = header + 1
    end = next((at for at in range(begin, len(lines)) if re.match(r"\s*\[", lines[at])), len(lines))
    for hash_ in ("",) if active else ("", r"#\s*"):
        setting = re.compile(rf"\s*{hash_}[\"']?{re.escape(key)}[\"']?\s*=")
        found = next((at for at in range(begin, end) if setting.match(lines[at])), None)
        if found is not None:
            return found
    return None


def written(settings: Settings) -> str:
    """The whole file, with its comments and every default."""
    lines: list[str] = [HEAD]
    for table, comment in TABLES.items():
        lines += [f"[{table}]", f"# {comment}", ""]
        for name, about in SETTINGS.items():
            if name[0] == table:
                lines += [f"# {about.comment}", _line(name, value_of(settings, name)), ""]
    return "\n".join(lines)


def _line(name: Name, value: object) -> str:
    """The line of a setting; a comment if it has its default."""
    key, default = name[1], value_of(DEFAULTS, name)
    if value != default:
        return tomli_w.dumps({key: value}).strip()
    example = SETTINGS[name].example
    return f"# {key} = {example}" if example else f"# {tomli_w.dumps({key: value}).strip()}"


VALUE = re.compile(r"""=\s*("[^"\\]*"|'[^']*'|[^"'#\s\[{]+)\s*(?P<comment>\#.*)?$""")
"""A value on one line, followed by a comment."""


def edited(text: str, settings: Settings) -> str:
    """The file with these settings: lines with other values are replaced, and all other lines stay as they are.

    A file whose layout does not allow this (dotted keys, values over several lines) is rewritten.
    """
    before, lines = parsed(text), text.splitlines()
    for name in SETTINGS:
        value = value_of(settings, name)
        if value == value_of(before, name):
            continue
        table, key = name
        line, at = _line(name, value), _line_of(lines, table, key, active=False)
        if at is not None:
            found = VALUE.search(lines[at])
            behind = found["comment"] if found and not lines[at].lstrip().startswith("#") else None
            lines[at] = f"{line}  {behind}" if behind else line
        elif (header := _header_of(lines, table)) is not None:
            lines.insert(header + 1, line)
        else:
            lines += ["", f"[{table}]", line]
    result = "\n".join(lines) + "\n"
    try:
        fits = parsed(result) == settings
    except SettingsError:
        fits = False
    return result if fits else written(settings)


class SettingsFile:
    """The settings of a data folder, for any thread of this process."""

    def __init__(self, folder: Path) -> None:
        """Neither read nor create anything yet."""
        self.path = folder / FILE
        self._lock = _lock_of(self.path)

    @property
    def there(self) -> bool:
        """Whether the file exists: somebody has changed a setting or taken the first steps."""
        return self.path.is_file()

    def read(self) -> Settings:
        """The settings; the defaults if there is no file.

        Raises SettingsError if the file is invalid, OSError if it cannot be read.
        """
        text = self._text()
        return parsed(text) if text is not None else DEFAULTS

    def change(self, changes: Mapping[Name, object] | None = None) -> Settings:
        """Save some settings and return all. Without changes, create the file if it does not exist.

        Raises:
            SettingsError: a value is invalid; nothing has changed.
            OSError: the file cannot be written, or its content cannot be used; it is unchanged.
        """
        with self._lock:
            text = self._text()
            try:
                before = parsed(text) if text is not None else DEFAULTS
            except SettingsError as broken:
                raise TroubleError(broken.message) from broken
            after = changed(before, changes or {})
            if text is None or after != before:
                own_folder(self.path.parent)
                write_whole(self.path, (written(after) if text is None else edited(text, after)).encode())
            return after

    def _text(self) -> str | None:
        try:
            with self.path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if len(content) > LARGEST:
            raise SettingsError("{file} is larger than {most} bytes", file=FILE, most=LARGEST)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise SettingsError("{file} is not a text in UTF-8", file=FILE) from None


@functools.cache
def _lock_of(path: Path) -> threading.RLock:
    """The lock of a file, shared by all that change it."""
    return threading.RLock()
