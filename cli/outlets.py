"""What a table tells besides its pages: an LED board, an MQTT broker, a voice. Options, and the outputs they make."""

from __future__ import annotations

import functools
import importlib.metadata
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import click

from files.folders import data_id
from messages.message import Message
from table.outlets import BRIGHTNESS, BoardOutput, MessageOutput

if TYPE_CHECKING:
    from hardware.link import Link
    from hardware.mqtt import Broker
    from hardware.picture import Display
    from hardware.virtual import VirtualBoard
    from table.snapshot import Notice

Decorated = Callable[..., Any]
Told = Callable[[], None]

VIRTUAL = "virtual"
DRAW_EVERY = 0.05
"""Seconds between two looks at a virtual board's LEDs."""


class Outlet(Protocol):
    """An output with a device behind it, which may be missing, and comes and goes."""

    on_change: Told
    """Called, from any thread, when `words` have changed."""

    @property
    def words(self) -> Message:
        """How things stand with the device."""
        ...

    def tell(self, notice: Notice) -> None:
        """Take a notice, and return at once."""
        ...

    def start(self, port: int = 0) -> None:
        """Begin to look for the device. The pages are served at `port`, which tells tables of one computer apart."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


class BoardOutlet:
    """An LED scoreboard."""

    def __init__(self, link: Link, brightness: int = BRIGHTNESS, virtual: VirtualBoard | None = None) -> None:
        """`virtual` is the board at the other end, when it is one of ours: its LEDs are drawn."""
        from hardware.scoreboard import Scoreboard

        self.on_change: Told = lambda: None
        self._board = Scoreboard(link, lambda words: self.on_change())
        self._output = BoardOutput(self._board.show, brightness)
        self._virtual = virtual
        self._closed = False

    @property
    def words(self) -> Message:
        """See `Outlet`."""
        return self._board.words

    def tell(self, notice: Notice) -> None:
        """See `Outlet`."""
        self._output.tell(notice)

    def start(self, port: int = 0) -> None:
        """See `Outlet`."""
        self._board.start()
        if self._virtual is not None and sys.stdout.isatty():
            threading.Thread(target=self._draw, args=(self._virtual,), name="leds", daemon=True).start()

    def close(self) -> None:
        """See `Outlet`."""
        self._closed = True
        self._board.close()

    def _draw(self, board: VirtualBoard) -> None:
        from cli.scoreboard import drawing

        draw = drawing(board.display)
        while not self._closed:
            now = int(time.monotonic() * 1000)
            draw(board.picture(now), board.intensity(now), "")
            time.sleep(DRAW_EVERY)


class MqttOutlet:
    """An MQTT broker."""

    def __init__(self, broker: Broker) -> None:
        """Nothing is sent before `start`."""
        from hardware.mqtt import Publisher

        self.on_change: Told = lambda: None
        version = importlib.metadata.version("tableside")
        self._publisher = Publisher(broker, version, lambda words: self.on_change())
        self._output = MessageOutput(self._publisher.tell)

    @property
    def words(self) -> Message:
        """See `Outlet`."""
        return self._publisher.words

    def tell(self, notice: Notice) -> None:
        """See `Outlet`."""
        self._output.tell(notice)

    def start(self, port: int = 0) -> None:
        """See `Outlet`."""
        self._publisher.start(f"{data_id()}-{port}")

    def close(self) -> None:
        """See `Outlet`."""
        self._publisher.close()


def telling(command: Decorated) -> Decorated:
    """Adds the options of this module; the command gets `outlets`, made and not started."""

    @functools.wraps(command)
    def asking(**options: Any) -> Any:
        asked = {name: options.pop(name) for name in ("scoreboard", "brightness", "mqtt", "speak")}
        return command(outlets=outlets(**asked), **options)

    decorated: Decorated = asking
    for option in (
        click.option("--speak", is_flag=True, help="Say it on this computer's loudspeaker, through espeak-ng."),
        click.option(
            "--mqtt", envvar="TABLESIDE_MQTT", metavar="URL",
            help="Tell an MQTT broker, too: mqtt://[USER:PASSWORD@]HOST[:PORT][/TOPIC], or mqtts:// for TLS.",
        ),
        click.option(
            "--brightness", type=click.IntRange(0, 15), default=BRIGHTNESS, show_default=True, help="Of the scoreboard."
        ),
        click.option(
            "--scoreboard", metavar="auto|PORT|virtual",
            help="Show the score on an LED scoreboard: on a port or address, or on whichever USB port it is.",
        ),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated


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

        made.append(BoardOutlet(Link(scoreboard), brightness))
    if mqtt is not None:
        from hardware.mqtt import broker_at

        made.append(MqttOutlet(broker_at(mqtt)))
    if speak:
        from table.voice import Voice

        made.append(Voice())
    return tuple(made)


def connect(made: Sequence[Outlet], show: Callable[[tuple[Message, ...]], None]) -> None:
    """Have `show` told how all of them stand, whenever that changes; and people on standard error, each thing once."""
    said: set[Message] = set()

    def tell(outlet: Outlet) -> None:
        words = outlet.words
        show(devices(made))
        if words not in said:
            said.add(words)
            click.echo(f"{words}.", err=True)

    for outlet in made:
        outlet.on_change = functools.partial(tell, outlet)


def devices(made: Sequence[Outlet]) -> tuple[Message, ...]:
    """How the devices stand."""
    return tuple(outlet.words for outlet in made)


def _virtual(display: Display, brightness: int) -> BoardOutlet:
    from hardware.faults import Cable, CablePort
    from hardware.link import Link
    from hardware.virtual import VirtualBoard

    now = time.monotonic() * 1000
    board = VirtualBoard(display, int(now))
    cable = Cable(board, now=now)
    link = Link(VIRTUAL, opening=lambda name: CablePort(cable), looking=lambda: [])
    return BoardOutlet(link, brightness, board)
