"""A desk with a host, a cable and a board on it, in a time of its own."""

from __future__ import annotations

from collections.abc import Callable

from hardware.faults import Cable, CabledBoard, CablePort, Faults
from hardware.link import AUTO, Link, Port
from hardware.protocol import VERSION


class Desk:
    """Runs a link against a board; a cable that is pulled comes back under another name."""

    def __init__(
        self,
        board: CabledBoard,
        faults: Faults | None = None,
        seed: int = 1,
        version: int = VERSION,
        name: str = AUTO,
    ) -> None:
        self.now = 0.0
        self.cable = Cable(board, faults, seed)
        self.sent: list[tuple[float, bytes]] = []
        self.link = Link(name, opening=self._open, looking=self._look, version=version)
        self._step_at = 0.0

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass, or less of it as soon as `until` holds; whether it did."""
        end = self.now + seconds
        while self.now < end:
            if self.now >= self._step_at:
                self._step_at = self.now + self.link.step(self.now)
            self.now = round(self.now + 0.001, 6)
            self.cable.run(self.now * 1000)
            if until():
                return True
        return until()

    def wake(self) -> None:
        """The host has something new to say: as `Scoreboard.show` does."""
        self._step_at = self.now

    def _look(self) -> list[str]:
        return [f"/dev/ttyUSB{self.cable.plugs}"] if self.cable.plugged else []

    def _open(self, name: str) -> Port:
        if name not in self._look():
            raise OSError(f"no such port: {name}")
        return _Recorded(self)


class _Recorded(CablePort):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.cable, lambda: desk.now)
        self._desk = desk

    def write(self, sent: bytes) -> None:
        self._desk.sent.append((self._desk.now, sent))
        super().write(sent)
