"""What a table tells besides its pages: an LED board, an MQTT broker, a voice. Options, and the outputs they make."""

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
from files.folders import data_id
from messages.message import Message
from table.outlets import BRIGHTNESS, BoardOutput, PublicOutput

if TYPE_CHECKING:
    from hardware.picture import Display
    from table.snapshot import Notice

Told = Callable[[], None]

VIRTUAL = "virtual"
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
    scoreboard: str | None, brightness: int, mqtt: str | None, speak: bool = False
) -> tuple[Outlet, ...]:
    """The outputs that were asked for.

    Raises:
        ValueError: the broker's address is none.
    """
    made: list[Outlet] = []
    if scoreboard == VIRTUAL:
        from hardware.picture import DISPLAYS

        made.append(_virtual(DISPLAYS["matrix4"], brightness))
    elif scoreboard is not None:
        from hardware.link import Link
        from hardware.scoreboard import Scoreboard

        board = Scoreboard(Link(scoreboard))
        made.append(Outlet(board, BoardOutput(board.show, brightness).tell, lambda port: board.start()))
    if mqtt is not None:
        from hardware.mqtt import Publisher, broker_at

        publisher = Publisher(broker_at(mqtt), importlib.metadata.version("tableside"))
        told = PublicOutput(publisher.tell).tell
        made.append(Outlet(publisher, told, lambda port: publisher.start(f"{data_id()}-{port}")))
    if speak:
        from table.voice import Voice

        voice = Voice()
        made.append(Outlet(voice, voice.tell, lambda port: voice.start()))
    return tuple(made)


def connect(made: Sequence[Outlet], show: Callable[[tuple[Message, ...]], None]) -> None:
    """Have `show` told how all of them stand, whenever that changes; and people on standard error, each thing once."""
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
    click.option("--speak", is_flag=True, help="Speak through this computer's loudspeaker (espeak-ng)."),
    click.option(
        "--mqtt", envvar="TABLESIDE_MQTT", metavar="URL",
        help="Send everything to an MQTT broker: mqtt://[USER:PASSWORD@]HOST[:PORT][/TOPIC], or mqtts:// for TLS.",
    ),
    click.option(
        "--brightness", type=click.IntRange(0, 15), default=BRIGHTNESS, show_default=True,
        help="The scoreboard's brightness.",
    ),
    click.option(
        "--scoreboard", metavar="auto|PORT|virtual",
        help="Show the score on an LED scoreboard: at a port or address, or on any USB port.",
    ),
)  # fmt: skip
"""What the table tells besides its pages: the command gets it as `outlets`, made and not started."""
