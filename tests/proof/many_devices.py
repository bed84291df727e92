"""How soon fifty devices hear of an event, and whether a week-long connection leaks.

Both against the real server (cheroot, threads, sockets) in a process of its own, on loopback. A device is a socket that
asks for `/events` as a page does; half of them fetch pictures, too. A week is pressed together: a page hears a beat
every ten seconds, 60,480 a week, and some thousands of notices; here they come as fast as they are read.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

DEVICES = 50
EVENTS = 60
LIMIT_MS = 200.0
BEATS = 2 * 7 * 24 * 360
NOTICES = 5_000
VISITS = 200
QUARTERS = 4

SERVER = """
import os, sys, threading
from cli.compose import furnish
from scoring.actions import Fill
from tests.fakes import TruthfulReader, rolled
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from web.site import site_of
from web.settings import WebSettings
from web.network.server import TableServer

dice = find("fate")
camera = DemoCamera(dice, seed=1, size=(320, 240))
house = furnish(camera, game="meet-fate", dice_set=dice, players=["Alice", "Bob", "Cleo"],
                reader=TruthfulReader(camera), thrower=camera, settings=WebSettings(heartbeat=float(sys.argv[1])))
if sys.argv[2] == "look":
    house.open()
server = TableServer(("127.0.0.1", 0), house.app)
server.prepare()
threading.Thread(target=server.serve, daemon=True).start()
print(server.bind_addr[1], flush=True)
session = house.table.session
session.saw(rolled("222255"))
number = 0
for line in sys.stdin:
    word = line.strip()
    if word == "event":
        number += 1
        session.hold(1 + number % 6)
        print(session.latest().number, flush=True)
    elif word.startswith("notices"):
        for _ in range(int(word.split()[1])):
            session.hold(1)
        print("done", flush=True)
    elif word == "streams":
        print(site_of(house.app).streams.count, flush=True)
    else:
        break
os._exit(0)
"""


@dataclass
class Server:
    """The server's process."""

    heartbeat: float
    looks: bool = True
    _running: subprocess.Popen[str] = field(init=False)

    def __enter__(self) -> Server:
        """Start it."""
        self._folder = tempfile.TemporaryDirectory()
        self._running = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(self.heartbeat), "look" if self.looks else "blind"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, "TABLESIDE_DATA": self._folder.name, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._running.stdout is not None
        self.port = int(self._running.stdout.readline())
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._running.kill()
        self._running.wait()
        self._folder.cleanup()

    def ask(self, word: str) -> str:
        """Let it do something."""
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._running.stdin.write(word + "\n")
        self._running.stdin.flush()
        return self._running.stdout.readline().strip()

    @property
    def _process(self) -> Path:
        return Path("/proc") / str(self._running.pid)

    @property
    def memory(self) -> float:
        """Resident megabytes."""
        pages = int((self._process / "statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def descriptors(self) -> int:
        """Open files and sockets."""
        return len(list((self._process / "fd").iterdir()))

    @property
    def threads(self) -> int:
        """Threads."""
        return len(list((self._process / "task").iterdir()))


class Device:
    """A page that listens; remembers when it heard of which notice."""

    def __init__(self, port: int) -> None:
        """Connect and ask for events."""
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.heard: dict[int, float] = {}
        self.beats = 0
        self.bytes = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def _listen(self) -> None:
        rest = b""
        try:
            while came := self._line.recv(1 << 18):
                now = time.perf_counter()
                self.bytes += len(came)
                *events, rest = (rest + came).split(b"\n\n")
                for event in events:
                    if b"event: notice" in event:
                        number = int(event.split(b"id: ", 1)[1].split(b"\n", 1)[0].rpartition(b"-")[2])
                        self.heard.setdefault(number, now)
                    elif b"event: beat" in event:
                        self.beats += 1
        except OSError:
            return


def pictures(port: int, stop: threading.Event) -> None:
    """Fetch picture after picture, as a page does."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as line:
        number = -1
        while not stop.is_set():
            line.sendall(f"GET /picture?after={number} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = b""
            while b"\r\n\r\n" not in head:
                came = line.recv(65536)
                if not came:
                    return
                head += came
            head, _, body = head.partition(b"\r\n\r\n")
            fields = dict(one.lower().split(b": ", 1) for one in head.split(b"\r\n")[1:])
            missing = int(fields.get(b"content-length", b"0")) - len(body)
            while missing > 0:
                missing -= len(line.recv(min(missing, 65536)))
            number = int(fields.get(b"x-frame", b"-1"))


def latency(devices: int, watching: int) -> tuple[float, float, float]:
    """Milliseconds from the table's word until the last device has it: median, 95 %, the slowest."""
    with Server(heartbeat=10.0) as server:
        listening = [Device(server.port) for _ in range(devices)]
        stop = threading.Event()
        for _ in range(watching):
            threading.Thread(target=pictures, args=(server.port, stop), daemon=True).start()
        while int(server.ask("streams")) < devices:
            time.sleep(0.1)
        time.sleep(1.0)
        took: list[float] = []
        for _ in range(EVENTS):
            began = time.perf_counter()
            number = int(server.ask("event"))
            until = time.monotonic() + 20
            while not all(number in one.heard for one in listening):
                if time.monotonic() > until:
                    raise SystemExit("an event did not reach every device")
                time.sleep(0.001)
            took.append(1000 * (max(one.heard[number] for one in listening) - began))
            time.sleep(0.1)
        stop.set()
        for one in listening:
            one.close()
    took.sort()
    return took[len(took) // 2], took[int(0.95 * len(took))], took[-1]


def visit(server: Server) -> None:
    """Devices come and go, one hard upon the other, until all but the first are gone."""
    for _ in range(VISITS):
        Device(server.port).close()
    until = time.monotonic() + 120
    while int(server.ask("streams")) > 1 and time.monotonic() < until:
        time.sleep(0.5)


@dataclass(frozen=True)
class Size:
    """What the server holds at a moment."""

    memory: float
    descriptors: int
    threads: int


def week(beats: int, notices: int) -> tuple[list[Size], int]:
    """One stream through which a week's beats and notices pass: the server's size after each quarter, and how many
    listen in the end."""
    with Server(heartbeat=1e-6, looks=False) as server:
        device = Device(server.port)

        def size() -> Size:
            return Size(server.memory, server.descriptors, server.threads)

        visit(server)  # what is made once is made now: each thread's stack, each template
        server.ask(f"notices {notices // QUARTERS}")
        sizes = [size()]
        for quarter in range(1, QUARTERS + 1):
            while device.beats < beats * quarter // QUARTERS:
                time.sleep(0.1)
            server.ask(f"notices {notices // QUARTERS}")
            visit(server)
            sizes.append(size())
        listening = int(server.ask("streams"))
        device.close()
    return sizes, listening


def main() -> int:
    """Measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-week", action="store_true", help="Only how soon an event is heard.")
    parser.add_argument("--devices", type=int, default=DEVICES)
    parser.add_argument("--beats", type=int, default=BEATS)
    parser.add_argument("--notices", type=int, default=NOTICES)
    asked = parser.parse_args()
    failed = 0
    for watching in (0, asked.devices // 2):
        median, most, slowest = latency(asked.devices, watching)
        print(
            f"{asked.devices} devices listen, {watching} of them watch the picture: an event is with the last of them"
            f" after {median:.0f} ms (median), {most:.0f} ms (95 %), {slowest:.0f} ms (slowest of {EVENTS})",
            flush=True,
        )
        failed |= most > LIMIT_MS
    if asked.no_week:
        return int(failed)
    sizes, listening = week(asked.beats, asked.notices)
    print(
        f"one stream, {asked.beats:,} beats and {asked.notices:,} notices, {QUARTERS * VISITS} devices that came and"
        f" went; after each quarter: memory {' '.join(f'{one.memory:.1f}' for one in sizes)} MB, descriptors"
        f" {' '.join(str(one.descriptors) for one in sizes)}, threads {' '.join(str(one.threads) for one in sizes)}"
    )
    failed |= sizes[-1].memory > sizes[1].memory + 5 or listening != 1
    failed |= sizes[-1].descriptors > sizes[0].descriptors + 10 or sizes[-1].threads > sizes[0].threads
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
