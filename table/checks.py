"""Checks this computer and a camera's picture, for `tableside doctor` and for its page.

Every check gives a light, says what it found and, unless all is well, what to do about it.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from files.checksums import SUMS, damaged
from files.folders import tables_folder
from files.secrets import Secrets
from messages.message import N_, Message, message, reason
from table.settings import DEFAULTS, Settings, SettingsError, SettingsFile
from table.storage.database import StoreError
from table.storage.store import FILE, Store
from table.voice import speaker
from vision.quality import Remark

PACKAGES: Final = ("numpy", "opencv-python-headless", "onnxruntime", "flask", "cheroot")
NETWORKS: Final = ("detector", "verifier", "finder", "matcher", "comparer", "numerals")

LITTLE_ROOM: Final = 1.0
"""With fewer free gigabytes the pictures of a long evening may fill the disk; with a tenth of it the disk is full."""

ANSWERS_WITHIN: Final = 2.0
"""Within how many seconds a broker must answer."""


class Light(StrEnum):
    """The severity of a finding."""

    OK = "ok"
    LOOK = "look"
    BROKEN = "broken"


Says = Callable[[str, Mapping[str, int | str]], str]
"""Translates a template with %(placeholders)s and fills in their values."""

VERDICTS: Final = {Light.OK: N_("ok"), Light.LOOK: N_("look at this"), Light.BROKEN: N_("broken")}
"""Each light in words."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    light: Light
    what: str
    """In English, to be translated."""
    words: Message | str
    """A message, or text that is the same in every language: a path, a version."""
    next: Message | None = None
    """What to do."""


def worst(checks: Sequence[Check]) -> Light:
    """The worst of the lights."""
    lights = {one.light for one in checks}
    return next((one for one in (Light.BROKEN, Light.LOOK) if one in lights), Light.OK)


def examine(addresses: Sequence[str]) -> Iterator[Check]:
    """All checks of this computer, the most basic first.

    `addresses` are those at which other devices in the network reach it (`web.network.addresses`).
    """
    try:
        settings = SettingsFile(tables_folder()).read()
    except (SettingsError, OSError) as refused:
        settings = DEFAULTS
        yield Check(
            Light.BROKEN, N_("Settings"), reason(refused),
            message("open the file in a text editor and mend this line, or take the line away"),
        )  # fmt: skip
    else:
        yield Check(Light.OK, N_("Settings"), str(SettingsFile(tables_folder()).path))
    yield from _programs()
    yield from _networks()
    yield _shipped_files()
    yield _dice_sets()
    yield _folder()
    yield _matches()
    yield _webcams()
    yield _reached(settings, addresses)
    yield _voice(settings)
    yield from _scoreboard(settings)
    yield from _broker(settings)


def seen(remarks: Sequence[Remark], say: Says) -> Iterator[Check]:
    """The findings about a camera's picture (`vision.quality.look_over`), in the language of `say`."""
    for one in remarks:
        words = say(one.template, one.values)
        if one.measured and one.measured != one.template:
            measured = say(one.measured, one.values)
            words += f" {measured[:1].upper()}{measured[1:]}."
        light = Light.OK if one.fine else Light.LOOK
        yield Check(light, TOPICS[one.topic], message("{words:rule}", words=words))


TOPICS: Final = {
    "picture": N_("Camera image"), "light": N_("Light"), "focus": N_("Focus"), "dice": N_("Size of the dice"),
}  # fmt: skip
"""The aspects of a picture that are checked."""


def no_camera(why: Message) -> Check:
    """The finding about a camera that gives no picture, or none that shows dice well enough."""
    return Check(
        Light.BROKEN, N_("Camera"), why,
        message("plug the camera in, close other programs that use it, or choose another one"),
    )  # fmt: skip


def _programs() -> Iterator[Check]:
    fine = sys.version_info >= (3, 11)
    yield Check(
        Light.OK if fine else Light.BROKEN, N_("Python"), platform.python_version(),
        None if fine else message("install Python 3.11 or newer, then install Tableside again"),
    )  # fmt: skip
    versions: list[str] = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            yield Check(
                Light.BROKEN, N_("Libraries"), message("{package} is not installed", package=package),
                message("install Tableside again"),
            )  # fmt: skip
    if len(versions) == len(PACKAGES):
        yield Check(Light.OK, N_("Libraries"), ", ".join(versions))


def _networks() -> Iterator[Check]:
    """Whether the networks open and match their checksums."""
    from vision import network

    sizes: list[str] = []
    for name in NETWORKS:
        tuned = network.tuned_weights() / f"{name}.onnx"
        path = tuned if tuned.is_file() else network.WEIGHTS / f"{name}.onnx"
        try:
            network.open_network(name)
        except ValueError as refused:
            again = message("delete {path}, which was tuned on your photographs", path=str(path))
            yield Check(
                Light.BROKEN, N_("Networks that read dice"), reason(refused),
                again if path == tuned else message("install Tableside again"),
            )  # fmt: skip
            continue
        sizes.append(f"{name} {path.stat().st_size / 1e6:.1f} MB")
        if path == tuned:
            yield Check(
                Light.OK, N_("Networks that read dice"), message("{path}, tuned on your photographs", path=str(path))
            )
    if len(sizes) == len(NETWORKS):
        yield Check(Light.OK, N_("Networks that read dice"), ", ".join(sizes))


def _shipped_files() -> Check:
    """Whether networks, dice sets and tables match their checksums."""
    from vision.network import WEIGHTS

    what, again = N_("Shipped files"), message("install Tableside again")
    try:
        names = damaged(WEIGHTS.parent)
    except OSError as refused:
        why = refused.strerror or str(refused)
        return Check(Light.BROKEN, what, message("{file} cannot be read: {why:rule}", file=SUMS, why=why), again)
    if names:
        return Check(Light.BROKEN, what, message("damaged or missing: {name}", name=_first_of(names)), again)
    return Check(Light.OK, what, message("all as listed in {file}", file=SUMS))


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" (+{len(names) - 3})" if len(names) > 3 else "")


def _dice_sets() -> Check:
    from vision.dicesets.library import survey

    usable, faulty = survey()
    if not faulty:
        return Check(Light.OK, N_("Dice sets"), ", ".join(one.id for one in usable))
    why, others = reason(faulty[0]), len(faulty) - 1
    return Check(
        Light.BROKEN, N_("Dice sets"), message("{why}; and {n} more", why=why, n=others) if others else why,
        message("delete this set, or teach it again on the Dice page"),
    )  # fmt: skip


def _folder() -> Check:
    """Whether the data folder can be written, or else the nearest existing folder above it."""
    what, folder = N_("Your matches and sets"), tables_folder()
    there = next(one for one in (folder, *folder.parents) if one.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as refused:
        return Check(
            Light.BROKEN, what,
            message("{folder} cannot be written: {why:rule}", folder=str(folder), why=refused.strerror or str(refused)),
            message("give yourself the right to write there, or name another folder in TABLESIDE_DATA"),
        )  # fmt: skip
    free = shutil.disk_usage(there).free / 1e9
    chosen = " ($TABLESIDE_DATA)" if os.environ.get("TABLESIDE_DATA") else ""
    if free > LITTLE_ROOM:
        return Check(Light.OK, what, f"{folder}{chosen} ({free:.1f} GB)")
    light = Light.LOOK if free > LITTLE_ROOM / 10 else Light.BROKEN
    words = message("{folder}, {free} GB free", folder=f"{folder}{chosen}", free=f"{free:.1f}")
    return Check(light, what, words, message("delete what you do not need from this disk"))


def _matches() -> Check:
    what, path = N_("Saved matches"), tables_folder() / FILE
    if not path.is_file():
        return Check(Light.OK, what, message("none yet"))
    try:
        with closing(Store.seen(path)) as store:
            damaged, count = list(store.damaged()), len(store.matches())
    except (StoreError, OSError) as refused:
        return Check(
            Light.BROKEN, what, reason(refused), message("save what is left with `tableside matches rescue`")
        )
    if damaged:
        return Check(
            Light.BROKEN, what, damaged[0], message("save what is left with `tableside matches rescue`")
        )
    return Check(Light.OK, what, message("{n:count match matches}, undamaged", n=count))


def _webcams() -> Check:
    from vision.camera.webcams import webcams

    found = webcams()
    if not found:
        return Check(
            Light.LOOK, N_("Webcams"), message("none was found"),
            message("plug one in, use a phone, or play at the demo table"),
        )  # fmt: skip
    closed = [
        one.source for one in found
        if one.source.startswith("/dev/") and not os.access(one.source, os.R_OK | os.W_OK)
    ]  # fmt: skip
    if closed:
        return Check(
            Light.LOOK, N_("Webcams"), message("you may not use {source}", source=closed[0]),
            message("type “sudo usermod -aG video $USER” in a terminal, then log out and in again"),
        )  # fmt: skip
    names = [f"{one.name} ({one.source})" for one in found]
    return Check(Light.OK, N_("Webcams"), ", ".join(names))


def _reached(settings: Settings, addresses: Sequence[str]) -> Check:
    what = N_("Phones and tablets")
    if not settings.network.lan:
        return Check(Light.OK, what, message("stay outside: only this computer can use Tableside"))
    if not addresses:
        return Check(
            Light.LOOK, what, message("cannot connect: this computer is in no network"),
            message("connect it to the network that your phones and tablets use"),
        )  # fmt: skip
    return Check(Light.OK, what, message("reach this computer at {address}", address=addresses[0]))


def _voice(settings: Settings) -> Check:
    program = speaker()
    if program is not None:
        return Check(Light.OK, N_("Voice"), program[0])
    wanted = settings.voice.speak
    return Check(
        Light.LOOK if wanted else Light.OK, N_("Voice"),
        message("this computer has no program that speaks"),
        message("install espeak-ng") if wanted else None,
    )  # fmt: skip


def _scoreboard(settings: Settings) -> Iterator[Check]:
    """The scoreboards on this computer's own ports; those in the network report their state themselves."""
    from hardware.link import candidates

    for port in filter(None, map(str.strip, settings.scoreboard.port.split(","))):
        if port == "virtual" or "://" in port or port.startswith(("awtrix:", "wled:")):
            continue
        usb = candidates()
        there = bool(usb) if port == "auto" else port in usb or Path(port).exists() or os.name == "nt"
        if there:
            found = ", ".join(usb) if port == "auto" else port
            yield Check(Light.OK, N_("LED scoreboard"), message("looked for at {port}", port=found))
            continue
        words = message("no USB port has one") if port == "auto" else message("{port} is not there", port=port)
        yield Check(
            Light.LOOK, N_("LED scoreboard"), words, message("plug it in, or take it out of the settings")
        )


def _broker(settings: Settings) -> Iterator[Check]:
    if not settings.mqtt.broker:
        return
    from hardware.mqtt import broker_at

    try:
        broker = broker_at(Secrets(tables_folder()).complete("broker", settings.mqtt.broker))
        socket.create_connection((broker.host, broker.port), timeout=ANSWERS_WITHIN).close()
    except (OSError, ValueError) as refused:
        yield Check(
            Light.LOOK, N_("MQTT broker"),
            message(
                "{broker} does not answer: {why:rule}", broker=settings.mqtt.broker,
                why=getattr(refused, "strerror", None) or str(refused),
            ),
            message("switch the broker on, or change its address in the settings"),
        )  # fmt: skip
    else:
        yield Check(Light.OK, N_("MQTT broker"), message("{broker} answers", broker=settings.mqtt.broker))
