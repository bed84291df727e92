"""`tableside scoreboard`: find the LED scoreboard and try it, or stand in for one."""

from __future__ import annotations

import io
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import grouped
from files.atomic import write_whole

if TYPE_CHECKING:
    from hardware.board_state import BoardState
    from hardware.faults import Faults
    from hardware.picture import Columns, Display
    from hardware.standin import PortEnd

ANSWER_WITHIN = 8.0
"""Seconds in which a board that is there has answered and shown."""
STEP = 0.005
PICTURES = 4
"""Most pictures a second written to a file or anything else that is not a terminal."""


@dataclass(frozen=True, slots=True)
class StandInRequest:
    """What was asked for of a virtual board."""

    virtual: bool
    display: str
    faults: tuple[str, ...]
    seed: int | None
    listen: str
    pty: Path | None
    png: Path | None
    seconds: float | None


standing_in = grouped(
    "stands_in", StandInRequest,
    click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after so long."),
    click.option("--png", type=click.Path(path_type=Path, dir_okay=False), help="Keep a picture of its LEDs here."),
    click.option("--pty", type=click.Path(path_type=Path), metavar="PATH",
                 help="Make it a serial port of that name instead."),
    click.option("--listen", default="127.0.0.1:7219", show_default=True, metavar="HOST:PORT",
                 help="Where the virtual board is."),
    click.option("--seed", type=int, help="The same faults every time."),
    click.option("--fault", "faults", multiple=True, metavar="NAME=LIKELIHOOD",
                 help="What befalls the virtual board: drop, flip (a byte), stall, reset, disconnect (a second)."),
    click.option("--display", default="matrix4", show_default=True, metavar="matrix4|matrix8|digits8",
                 help="What the virtual board's LEDs are."),
    click.option("--virtual", is_flag=True, help="Stand in for a board, and draw its LEDs."),
)  # fmt: skip


@click.command(name="scoreboard")
@click.argument("seats", nargs=-1, metavar="[NAME=SCORE]…")
@click.option(
    "--port",
    default="auto",
    show_default=True,
    metavar="auto|PORT",
    help="Where the board is: a serial port, socket://HOST:PORT, rfc2217://HOST:PORT, or auto: ask every USB port.",
)
@click.option("--turn", type=click.IntRange(1), metavar="N", help="Whose turn it is: the number of a seat.")
@click.option("--points", type=int, help="What the last roll brought.")
@click.option("--brightness", type=click.IntRange(0, 15), default=6, show_default=True)
@click.option(
    "--firmware", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    help="Copy the board's firmware (.hex files) into FOLDER, and print how to flash it.",
)
@standing_in
def command(
    seats: tuple[str, ...], port: str, turn: int | None, points: int | None, brightness: int, firmware: Path | None,
    stands_in: StandInRequest,
) -> None:  # fmt: skip
    """Find the LED scoreboard and show something on it; with --virtual, simulate one.

    \b
    tableside scoreboard Alice=42 Bob=107 --turn 1
    tableside scoreboard --virtual --fault drop=0.01 --fault reset=0.05
    tableside serve --camera demo --scoreboard socket://127.0.0.1:7219
    tableside scoreboard --firmware .
    """
    if firmware is not None:
        _copy_firmware(firmware)
    elif stands_in.virtual:
        _stand_in(stands_in)
    else:
        _try_out(port, _state(seats, turn, points, brightness))


def _try_out(port: str, state: BoardState) -> None:
    """Find the board, and show the state. Raises OSError if nobody answers."""
    from hardware.link import Link
    from hardware.scoreboard import Scoreboard

    link = Link(port)
    board = Scoreboard(link)
    board.show(state)
    board.start()
    try:
        end = time.monotonic() + ANSWER_WITHIN
        while time.monotonic() < end and not board.showing and not link.other_version:
            time.sleep(0.02)
        words, where, other = str(link.words), link.port, link.other_version
    finally:
        board.close()
    if not board.showing and (not where or other):
        reason = words if where or "No scoreboard" in words else f"no scoreboard answered ({port})"
        raise OSError(reason.removesuffix("; still trying"))
    click.echo(f"{words}, at {where}")


def _copy_firmware(folder: Path) -> None:
    """Copy the hex file of each kind of board into a folder. Raises OSError if a file cannot be written."""
    from hardware import HEX_FILES
    from hardware.picture import DISPLAYS

    folder.mkdir(parents=True, exist_ok=True)
    for display in DISPLAYS:
        write_whole(folder / f"{display}.hex", (HEX_FILES / f"{display}.hex").read_bytes(), mode=0o666)
    click.echo(f"Copied {', '.join(f'{display}.hex' for display in DISPLAYS)} to {folder}.")
    click.echo("Choose the file for your LEDs and flash it with avrdude (replace PORT with the Arduino's port):")
    file = shlex.quote(str(folder / f"{next(iter(DISPLAYS))}.hex"))
    click.echo(f"avrdude -p atmega328p -c arduino -b 115200 -P PORT -D -U flash:w:{file}:i")


def _stand_in(asked: StandInRequest) -> None:
    """Run a virtual board until Ctrl-C. Raises ValueError or OSError for what cannot be."""
    from hardware.picture import DISPLAYS
    from hardware.standin import StandIn

    if asked.display not in DISPLAYS:
        raise ValueError(f"expected one of {', '.join(DISPLAYS)} as the display, got {asked.display!r}")
    display, faults, end = DISPLAYS[asked.display], _faults(asked.faults), _end(asked.listen, asked.pty)
    started = time.monotonic()
    board = StandIn(display, end, faults, seed=asked.seed, now=started * 1000)
    click.echo(f"A virtual scoreboard ({display.name}) is at {end.address}  (Ctrl-C ends it)")
    draw, seconds = drawing(display, asked.png), asked.seconds
    try:
        while seconds is None or time.monotonic() - started < seconds:
            now = time.monotonic() * 1000
            board.step(now)
            struck = Counter(name for _, name in board.cable.happened)
            words = ", ".join(f"{count} {name}" for name, count in sorted(struck.items()))
            draw(board.board.picture(int(now)), board.board.intensity(int(now)), words)
            time.sleep(STEP)
    except KeyboardInterrupt:
        pass
    finally:
        board.close()


def drawing(display: Display, png: Path | None = None) -> Callable[[Columns, int, str], None]:
    """Draws pictures that change: in place on a terminal, one after the other elsewhere; and into a file."""
    from hardware.leds import image, terminal

    here = sys.stdout.isatty()
    drawn: list[tuple[Columns, int, str]] = []
    times = [0.0]

    def draw(columns: Columns, intensity: int, words: str) -> None:
        now = time.monotonic()
        news = (columns, intensity, words if here else "")
        if drawn[-1:] == [news] or (now - times[0] < 1 / PICTURES and (png or not here)):
            return
        text = f"{terminal(display, columns)}\nbrightness {intensity} of {display.full}  {words}"
        if here and drawn:
            click.echo(f"\x1b[{text.count(chr(10)) + 1}A", nl=False)
        click.echo("\n".join(f"{row}\x1b[K" if here else row for row in text.splitlines()))
        if png is not None:
            picture = io.BytesIO()
            image(display, columns, intensity).save(picture, format="PNG")
            write_whole(png, picture.getvalue(), mode=0o666)
        drawn[:], times[0] = [news], now

    return draw


def _faults(given: tuple[str, ...]) -> Faults:
    from hardware.faults import NAMED, Faults

    likely: dict[str, float] = {}
    for one in given:
        name, _, number = one.partition("=")
        try:
            likely[name] = float(number)
        except ValueError:
            raise ValueError(f"expected a fault as NAME=LIKELIHOOD, got {one!r}") from None
        if name not in NAMED:
            raise ValueError(f"expected one of {', '.join(NAMED)} as a fault, got {name!r}")
    return Faults(**likely)


def _end(listen: str, pty: Path | None) -> PortEnd:
    from hardware.standin import PtyEnd, TcpEnd

    if pty is not None:
        if sys.platform == "win32":
            raise ValueError("there are no pseudo-terminals on Windows; use --listen")
        if pty.exists() and not pty.is_symlink():
            raise ValueError(f"{pty} is there already and would be lost")
        return PtyEnd(pty)
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"expected HOST:PORT to listen on, got {listen!r}")
    return TcpEnd(host, int(port))


def _state(seats: tuple[str, ...], turn: int | None, points: int | None, brightness: int) -> BoardState:
    """What was typed, as a state. Without seats: a board that greets."""
    from hardware.board_state import BoardSeat, BoardState, showable

    seated: list[BoardSeat] = []
    for seat in seats:
        name, _, score = seat.rpartition("=")
        if not name or not score.lstrip("-").isdecimal():
            raise ValueError(f"expected a seat as NAME=SCORE, got {seat!r}")
        seated.append(BoardSeat(showable(name), int(score)))
    if turn is not None and turn > len(seated):
        raise ValueError(f"expected a turn from 1 to {len(seated)}, the seats that were given, got {turn}")
    return BoardState(tuple(seated), None if turn is None else turn - 1, 1, points, brightness=brightness)
