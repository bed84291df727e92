"""Finds the board among the serial ports, talks to it, and finds it again when it comes back under another name.

`Link.step` does what is to be done now and says when it wants to be called again; `hardware.scoreboard` calls it from a
thread, the tests from a clock of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hardware.board_state import BoardState
from hardware.protocol import BAUD, VERSION
from hardware.talk import Talk
from messages.message import Message, message

AUTO = "auto"
"""The port's name when any port will do that a board answers on."""
PATIENCE = 2.6
"""Seconds a port has to answer: opening one resets an Arduino, whose bootloader takes up to two."""
SILENCE = 3.0
"""Seconds without a word after which a port is closed and looked for again."""
LOOK_EVERY = 0.4
"""Seconds between two looks for a board."""
ASK_AGAIN = 30.0
"""Seconds after which a port is asked again that did not answer; at once when it was unplugged meanwhile."""
BUSY, IDLE = 0.005, 0.1
"""Seconds between two looks at a port, with an answer due and without."""
MOST_READS = 256
BY_ID = Path("/dev/serial/by-id")


class Port(Protocol):
    """A serial port that is open. Each method raises OSError if it is gone."""

    def read(self, size: int, /) -> bytes:
        """What has arrived, at once."""
        ...

    def write(self, sent: bytes, /) -> object:
        """Send these bytes."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


def open_port(name: str) -> Port:
    """A port of this computer, or any of pyserial's addresses: `socket://`, `rfc2217://`, `loop://`.

    Raises OSError: it cannot be had.
    """
    import serial

    # pyserial's RFC 2217 refuses a limit to writing; elsewhere an adapter that hangs must not hang us.
    patience = None if name.lower().startswith("rfc2217:") else 0.5
    try:
        return serial.serial_for_url(name, baudrate=BAUD, timeout=0, write_timeout=patience, exclusive=True)
    except OSError:
        raise
    except Exception as refused:
        # pyserial lets through what the system's library raises (termios.error), and ValueError for addresses.
        raise OSError(f"{name} cannot be opened: {refused}") from refused


def candidates() -> list[str]:
    """USB ports worth asking: by the names that stay the same wherever they are plugged in, then the others."""
    from serial.tools import list_ports

    lasting = sorted(str(path) for path in BY_ID.glob("*")) if BY_ID.is_dir() else []
    known = {os.path.realpath(name) for name in lasting}
    others = [port.device for port in list_ports.comports() if port.vid is not None]
    return [*lasting, *(name for name in others if os.path.realpath(name) not in known)]


@dataclass(slots=True)
class _Line:
    """An open port and the conversation on it."""

    name: str
    port: Port
    talk: Talk
    since: float


class Link:
    """One board, wherever it is."""

    def __init__(
        self,
        name: str = AUTO,
        *,
        opening: Callable[[str], Port] = open_port,
        looking: Callable[[], Sequence[str]] = candidates,
        version: int = VERSION,
    ) -> None:
        """`name` is a port or address, or `auto`; nothing is opened before the first step."""
        self.wanted: BoardState | None = None
        """What the board should show. May be set from any thread."""
        self._name, self._opening, self._looking, self._version = name, opening, looking, version
        self._line: _Line | None = None
        self._asking: dict[str, _Line] = {}
        self._silent: dict[str, float] = {}
        """Ports that did not answer, and when they were asked."""
        self._look_at = 0.0
        self._trouble: Message | None = None
        self._boards: set[str] = set()
        """Ports a board has answered on: asked again at once whenever they are there."""

    @property
    def words(self) -> Message:
        """How things stand."""
        if self._line is None:
            if self._boards:
                return self._trouble or message("The scoreboard is disconnected; still looking")
            return self._trouble or message("The scoreboard isn’t answering yet; still looking")
        identity = self._line.talk.identity
        if identity is None:
            return message("The scoreboard is connected")
        if identity.version == self._version:
            return message("The scoreboard is connected ({display})", display=identity.display)
        return message(
            "The scoreboard’s firmware is too old: flash it again (it speaks version {theirs}, "
            "Tableside speaks {ours})"
            if identity.version < self._version
            else (
                "The scoreboard’s firmware is too new: update Tableside (it speaks version "
                "{theirs}, Tableside speaks {ours})"
            ),
            theirs=identity.version,
            ours=self._version,
        )

    @property
    def other_version(self) -> bool:
        """Whether a board answers that speaks another version than we do."""
        return self._line is not None and self._line.talk.other_version

    @property
    def port(self) -> str:
        """Where the board is; empty while it is looked for."""
        return "" if self._line is None else self._line.name

    @property
    def showing(self) -> bool:
        """Whether the board said that it shows what is wanted."""
        return self._line is not None and self._line.talk.wanted == self.wanted and self._line.talk.showing

    def step(self, now: float) -> float:
        """Do what is to be done; returns in how many seconds to come again."""
        if self._line is None:
            self._search(now)
        line = self._line
        if line is None:
            return BUSY * 4 if self._asking else max(BUSY, self._look_at - now)
        if not self._turn(line, now) or now - line.talk.heard_at > SILENCE:
            self._drop(line)
            self._line, self._look_at = None, now
            return BUSY
        if line.talk.waiting:
            return BUSY
        return min(IDLE, max(BUSY, line.talk.next_at() - now))

    def close(self) -> None:
        """Let every port go."""
        for line in (*self._asking.values(), *((self._line,) if self._line else ())):
            self._drop(line)
        self._asking.clear()
        self._line = None

    def _search(self, now: float) -> None:
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY
            names = self._names()
            self._silent = {name: at for name, at in self._silent.items() if name in names}
            for name in names:
                asked = self._silent.get(name)
                if name not in self._asking and (
                    asked is None or now - asked >= ASK_AGAIN or name == self._name
                ):
                    self._open(name, now)
        for name, line in list(self._asking.items()):
            if not self._turn(line, now):
                self._drop(self._asking.pop(name))
            elif line.talk.identity is not None:
                self._line, self._trouble = line, None
                self._boards.add(name)
                del self._asking[name]
                self._silent.clear()
                for other in self._asking.values():
                    self._drop(other)
                self._asking.clear()
                return
            elif now - line.since > PATIENCE:
                self._silent[name] = now
                self._drop(self._asking.pop(name))

    def _names(self) -> list[str]:
        """The ports to ask: the one that was named; any when that one has gone elsewhere."""
        if self._name == AUTO:
            return list(self._looking())
        moved = self._boards and "://" not in self._name and not Path(self._name).exists()
        return [self._name, *(self._looking() if moved else ())]

    def _open(self, name: str, now: float) -> None:
        try:
            port = self._opening(name)
        except OSError as refused:
            self._silent[name] = now
            if self._name != AUTO and not self._boards:
                self._trouble = message(
                    "No scoreboard at {port}: {why}; still trying", port=self._name, why=_reason(refused)
                )
            return
        self._trouble = None
        self._asking[name] = _Line(name, port, Talk(now, self._version), now)

    def _turn(self, line: _Line, now: float) -> bool:
        """Hear and speak once; False if the port is gone."""
        try:
            line.talk.wanted = self.wanted
            # Some of pyserial's ports give a byte at a time (RFC 2217); a port that never stops must not keep us.
            for _ in range(MOST_READS):
                received = line.port.read(4096)
                if not received:
                    break
                line.talk.hear(received, now)
            if sent := line.talk.due(now):
                line.port.write(sent)
        except Exception:
            # OSError, and whatever else pyserial's drivers raise of a port that was pulled (termios.error, TypeError).
            return False
        return True

    def _drop(self, line: _Line) -> None:
        # A port that was pulled may refuse even that; it is gone all the same.
        try:
            line.port.close()
        except Exception:
            return


def _reason(refused: OSError) -> Message:
    """Why a port could not be had, in a few words."""
    if isinstance(refused, PermissionError) or "Permission denied" in str(refused):
        return message("permission denied (on Linux, join the group dialout)")
    why = refused.strerror or str(refused) or type(refused).__name__
    return message("{why}", why=" ".join(why.split()))
