"""A scoreboard that stands in for a real one: a virtual board that other programs reach like a serial port."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import Protocol

from hardware.faults import Cable, Faults
from hardware.picture import Display
from hardware.virtual import VirtualBoard

AT_ONCE = 4096


class PortEnd(Protocol):
    """Where other programs plug in."""

    @property
    def address(self) -> str:
        """What to give them as the port."""
        ...

    def exchange(self, sent: bytes) -> bytes:
        """Send what the board said, take what has come for it; never waits."""
        ...

    def pull(self) -> None:
        """Pull the cable."""
        ...

    def plug(self) -> None:
        """Put it in again."""
        ...


class TcpEnd:
    """A board behind `socket://HOST:PORT`, for one program at a time; works on every system."""

    def __init__(self, host: str, port: int) -> None:
        """Listen; port 0 takes any that is free. Raises OSError."""
        self._host = host
        self._guest: socket.socket | None = None
        self._door = self._listening(port)
        self._port: int = self._door.getsockname()[1]

    @property
    def address(self) -> str:
        """The same before and after a pull."""
        return f"socket://{self._host}:{self._port}"

    def exchange(self, sent: bytes) -> bytes:
        """See `PortEnd`."""
        with contextlib.suppress(BlockingIOError):
            guest, _ = self._door.accept()
            guest.setblocking(False)
            if self._guest is not None:
                self._guest.close()
            self._guest = guest
        if self._guest is None:
            return b""
        try:
            if sent:
                self._guest.send(sent)
            received = self._guest.recv(AT_ONCE)
        except BlockingIOError:
            return b""
        except OSError:
            received = b""
        if not received:
            self._guest.close()
            self._guest = None
        return received

    def pull(self) -> None:
        """See `PortEnd`."""
        if self._guest is not None:
            self._guest.close()
            self._guest = None
        self._door.close()

    def plug(self) -> None:
        """See `PortEnd`."""
        self._door = self._listening(self._port)

    def _listening(self, port: int) -> socket.socket:
        door = socket.create_server((self._host, port))
        door.setblocking(False)
        return door


class PtyEnd:
    """A board behind a pseudo-terminal: an ordinary serial port of a Unix system, and a link that leads to it."""

    def __init__(self, link: Path | None = None) -> None:
        """`link`, when given, is made to lead to the port, under whichever name it comes back. Raises OSError."""
        self._link = link
        self._ends: tuple[int, int] | None = None
        self.plug()

    @property
    def address(self) -> str:
        """The link, or the port's present name."""
        if self._link is not None:
            return str(self._link)
        return os.ttyname(self._ends[1]) if self._ends else ""

    def exchange(self, sent: bytes) -> bytes:
        """See `PortEnd`."""
        if self._ends is None:
            return b""
        try:
            if sent:
                os.write(self._ends[0], sent)
            return os.read(self._ends[0], AT_ONCE)
        except BlockingIOError:
            return b""

    def pull(self) -> None:
        """See `PortEnd`."""
        if self._ends is not None:
            for end in self._ends:
                os.close(end)
            self._ends = None
        if self._link is not None and self._link.is_symlink():
            self._link.unlink()

    def plug(self) -> None:
        """See `PortEnd`."""
        import tty

        # Our own hold on the far end keeps the port alive while nobody has it open.
        near, far = os.openpty()
        tty.setraw(far)
        os.set_blocking(near, False)
        self._ends = (near, far)
        if self._link is not None:
            if self._link.is_symlink():
                self._link.unlink()
            self._link.symlink_to(os.ttyname(far))


class StandIn:
    """A virtual board, its cable with faults, and the end where others plug in."""

    def __init__(
        self,
        display: Display,
        end: PortEnd,
        faults: Faults | None = None,
        *,
        seed: int | None = None,
        now: float = 0.0,
    ) -> None:
        """Times are milliseconds."""
        self.board = VirtualBoard(display, int(now))
        self.cable = Cable(self.board, faults, seed, now)
        self._end = end
        self._plugged = True

    @property
    def address(self) -> str:
        """What other programs give as the port."""
        return self._end.address

    def step(self, now: float) -> None:
        """Let time pass to `now`, and hand over what has come."""
        self.cable.run(now)
        if self.cable.plugged != self._plugged:
            self._plugged = not self._plugged
            if self._plugged:
                self._end.plug()
            else:
                self._end.pull()
        if self._plugged:
            self.cable.send(self._end.exchange(self.cable.receive()))

    def close(self) -> None:
        """Let the end go."""
        if self._plugged:
            self._end.pull()
