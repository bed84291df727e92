"""What a table tells besides its pages: scoreboards, an MQTT broker, a webhook, a voice. Options, and the outputs they
make."""

from __future__ import annotations

import functools
import importlib.metadata
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click

from cli.options import grouped
from files.folders import data_id, tables_folder
from files.secrets import Secrets
from messages.message import Message
from table.outlets import BoardOutput, PublicOutput
from table.settings import BRIGHTNESS

if TYPE_CHECKING:
    from hardware.picture import Display
    from table.snapshot import Notice

Told = Callable[[], None]

VIRTUAL = "virtual"
NETWORK_BOARDS = ("awtrix", "wled")
"""Kinds of scoreboard that are spoken to over the network: each with its address behind a colon."""
NONE = "none"
"""What `--scoreboard`, `--mqtt` and `--webhook` say for none, whatever the settings say."""
DRAW_EVERY = 0.05
"""Seconds between two looks at a virtual board's LEDs."""


class OutletDevice(Protocol):
    """What may be missing, and comes and goes: a scoreboard, a broker, a voice."""

    on_change: Told
    """Called, from any thread, when `words` have changed."""
    words: Message
    """How things stand with it."""

    def close(self) -> None:
        """Let it go."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Outlet:
    """An output with a device behind it."""

    device: OutletDevice
    tell: Callable[[Notice], None]
    """Takes a notice, and returns at once."""
    start: Callable[[int], None]
    """Begins to look for the device. The pages are served at the port, which tells tables of one computer apart."""


def outlets(
    scoreboard: str | None, brightness: int, mqtt: str | None, webhook: str | None = None, speak: bool = False
) -> tuple[Outlet, ...]:
    """The requested outputs; `scoreboard` names one, or several with commas.

    Raises:
        ValueError: an address is invalid, or the file with the broker's password cannot be used.
        OSError: that file cannot be read.
    """
    scoreboard, mqtt, webhook = (None if one == NONE else one for one in (scoreboard, mqtt, webhook))
    made = [_scoreboard(one.strip(), brightness) for one in scoreboard.split(",")] if scoreboard else []
    if mqtt is not None:
        from hardware.mqtt import Publisher, broker_at

        address = Secrets(tables_folder()).complete("broker", mqtt)
        publisher = Publisher(broker_at(address), version())
        told = PublicOutput(publisher.tell).tell
        made.append(Outlet(publisher, told, lambda port: publisher.start(table_id(port))))
    if webhook is not None:
        from hardware.http import http_address
        from hardware.webhook import Webhook

        hook = Webhook(http_address(webhook), version())
        made.append(Outlet(hook, PublicOutput(hook.tell).tell, lambda port: hook.start(table_id(port))))
    if speak:
        from table.voice import Voice

        voice = Voice()
        made.append(Outlet(voice, voice.tell, lambda port: voice.start()))
    return tuple(made)


def version() -> str:
    """Tableside's."""
    return importlib.metadata.version("tableside")


def table_id(port: int) -> str:
    """What tells this table from every other one: the data folder and the port. Raises OSError."""
    return f"{data_id()}-{port}"


def _scoreboard(named: str, brightness: int) -> Outlet:
    """The scoreboard with this name. Raises ValueError if there is none."""
    if not named:
        raise ValueError("expected a scoreboard before and after each comma")
    kind, colon, where = named.partition(":")
    if kind in NETWORK_BOARDS:
        from hardware.awtrix import Awtrix
        from hardware.http import http_address
        from hardware.network_board import NetworkBoard
        from hardware.wled import Wled

        address = http_address(f"http://{where}") if colon and where and not set(where) & set("/?#") else None
        if address is None:
            raise ValueError(f"expected {kind}:[USER:PASSWORD@]HOST[:PORT] as the scoreboard")
        device = NetworkBoard({"awtrix": Awtrix, "wled": Wled}[kind](address))
        return Outlet(device, PublicOutput(device.tell).tell, lambda port: device.start())
    if named == VIRTUAL:
        from hardware.picture import DISPLAYS

        return _virtual(DISPLAYS["matrix4"], brightness)
    from hardware.link import Link
    from hardware.scoreboard import Scoreboard

    board = Scoreboard(Link(named))
    return Outlet(board, BoardOutput(board.show, brightness).tell, lambda port: board.start())


def connect(made: Sequence[Outlet], show: Callable[[tuple[Message, ...]], None]) -> None:
    """Call `show` with the state of all of them whenever it changes; print each new message once on standard error."""
    said: set[Message] = set()

    def tell(device: OutletDevice) -> None:
        words = device.words
        show(devices(made))
        if words not in said:
            said.add(words)
            click.echo(f"{words}.", err=True)

    for outlet in made:
        outlet.device.on_change = functools.partial(tell, outlet.device)


def devices(made: Sequence[Outlet]) -> tuple[Message, ...]:
    """How the devices stand."""
    return tuple(outlet.device.words for outlet in made)


def _virtual(display: Display, brightness: int) -> Outlet:
    """A scoreboard that is drawn in the terminal."""
    from cli.scoreboard import drawing
    from hardware.faults import Cable, CablePort
    from hardware.link import Link
    from hardware.scoreboard import Scoreboard
    from hardware.virtual import VirtualBoard

    now = time.monotonic() * 1000
    leds = VirtualBoard(display, int(now))
    cable = Cable(leds, now=now)
    board = Scoreboard(Link(VIRTUAL, opening=lambda name: CablePort(cable), looking=lambda: []))

    def draw() -> None:
        show = drawing(display)
        while not board.closed:
            now = int(time.monotonic() * 1000)
            show(leds.picture(now), leds.intensity(now), "")
            time.sleep(DRAW_EVERY)

    def start(port: int) -> None:
        board.start()
        if sys.stdout.isatty():
            threading.Thread(target=draw, name="leds", daemon=True).start()

    return Outlet(board, BoardOutput(board.show, brightness).tell, start)


telling = grouped(
    "outlets", outlets,
    click.option("--speak/--no-speak", help="Speak through this computer's loudspeaker (espeak-ng)."),
    click.option(
        "--webhook", envvar="TABLESIDE_WEBHOOK", metavar="URL",
        help="Send each notice as JSON to this http:// or https:// address.",
    ),
    click.option(
        "--mqtt", envvar="TABLESIDE_MQTT", metavar="URL",
        help="Send everything to an MQTT broker: mqtt://[USER:PASSWORD@]HOST[:PORT][/TOPIC][?discovery=PREFIX], or "
        "mqtts:// for TLS; or none.",
    ),
    click.option(
        "--brightness", type=click.IntRange(0, 15), default=BRIGHTNESS, show_default=True,
        help="The LED scoreboard's brightness.",
    ),
    click.option(
        "--scoreboard", envvar="TABLESIDE_SCOREBOARD", metavar="auto|PORT|virtual|awtrix:HOST|wled:HOST|none",
        help="Show the score on an LED scoreboard (at a port or address, or on any USB port), on an AWTRIX 3 display "
        "or on a WLED light; several with commas between them; or none.",
    ),
)  # fmt: skip
"""What the table tells besides its pages: the command gets it as `outlets`, made and not started."""
