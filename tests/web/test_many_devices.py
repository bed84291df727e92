"""How soon fifty devices hear of an event, and whether a connection that lasts for a week leaks.

Both against the real server (cheroot, threads, sockets) in a process of its own, on loopback. A device is a socket that
asks for `/events` as a page does; half of them fetch pictures, too. A week is pressed together: a page hears a beat
every ten seconds, 60,480 a week, and some thousands of notices; here they come as fast as they are read.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.waiting import soon

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="a process is looked at in /proc"),
]

SERVER = """
import os, sys, threading
from cli.compose import furnish
from tests.fakes import TruthfulReader, rolled
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from web.network.server import TableServer
from web.settings import WebSettings
from web.site import site_of

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
os._exit(0)
"""


class Server:
    """The server's process, told by words what to do."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self._running = running
        assert running.stdout is not None
        self.port = int(running.stdout.readline())

    def ask(self, word: str) -> str:
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._running.stdin.write(word + "\n")
        self._running.stdin.flush()
        return self._running.stdout.readline().strip()

    def size(self) -> tuple[float, int, int]:
        """Resident megabytes, descriptors, threads."""
        process = Path("/proc") / str(self._running.pid)
        pages = int((process / "statm").read_text(encoding="ascii").split()[1])
        files, threads = (len(list((process / name).iterdir())) for name in ("fd", "task"))
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, files, threads


@contextmanager
def server(folder: Path, heartbeat: float, *, looks: bool = True) -> Iterator[Server]:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(heartbeat), "look" if looks else "blind"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        env={**os.environ, "TABLESIDE_DATA": str(folder), "OMP_NUM_THREADS": "1"},
    ) as running:  # fmt: skip
        try:
            yield Server(running)
        finally:
            running.kill()


class Device:
    """A page that listens; remembers when it heard of which notice."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.heard: dict[int, float] = {}
        self.beats = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        rest = b""
        with suppress(OSError):
            while came := self.line.recv(1 << 18):
                now = time.perf_counter()
                *events, rest = (rest + came).split(b"\n\n")
                for event in events:
                    if b"event: notice" in event:
                        number = int(event.split(b"id: ", 1)[1].split(b"\n", 1)[0].rpartition(b"-")[2])
                        self.heard.setdefault(number, now)
                    self.beats += b"event: beat" in event


def fetch_pictures(port: int, stop: threading.Event) -> None:
    """Picture after picture, as a page does."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as line, line.makefile("rb") as read:
        number = -1
        while not stop.is_set():
            line.sendall(f"GET /picture?after={number} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            fields: dict[bytes, bytes] = {}
            while (one := read.readline()) != b"\r\n":
                if not one:
                    return
                fields.update([one.lower().strip().split(b": ", 1)] if b": " in one else [])
            read.read(int(fields.get(b"content-length", b"0")))
            number = int(fields.get(b"x-frame", b"-1"))


@pytest.mark.parametrize("watching", [0, 25])
def test_fifty_devices_hear_of_an_event_within_a_fifth_of_a_second(watching: int, tmp_path: Path):
    took: list[float] = []
    with server(tmp_path, heartbeat=10.0) as serving:
        devices, stop = [Device(serving.port) for _ in range(50)], threading.Event()
        for _ in range(watching):
            threading.Thread(target=fetch_pictures, args=(serving.port, stop), daemon=True).start()
        assert soon(lambda: int(serving.ask("streams")) == 50)
        time.sleep(1)
        for _ in range(60):
            began = time.perf_counter()
            number = int(serving.ask("event"))
            assert soon(lambda number=number: all(number in one.heard for one in devices))
            took.append(1000 * (max(one.heard[number] for one in devices) - began))
            time.sleep(0.1)
        stop.set()
        for one in devices:
            one.line.close()
    middle, most = sorted(took)[30], sorted(took)[57]
    print(f"50 devices, {watching} watch the picture: {middle:.0f} ms in the middle, {most:.0f} ms for 95 %")
    assert most <= 200


def test_a_connection_of_two_weeks_and_devices_that_come_and_go_leave_nothing_behind(tmp_path: Path):
    beats, notices, sizes = 2 * 7 * 24 * 360, 5000, list[tuple[float, int, int]]()
    with server(tmp_path, heartbeat=1e-6, looks=False) as serving:
        device = Device(serving.port)
        for quarter in range(5):  # what is made once, each thread's stack and each template, is made in the first
            assert soon(lambda quarter=quarter: device.beats >= beats * quarter // 4, 900)
            serving.ask(f"notices {notices // 4}")
            for _ in range(200):
                Device(serving.port).line.close()
            assert soon(lambda: int(serving.ask("streams")) == 1, 120)
            sizes.append(serving.size())
        device.line.close()
    print("after each quarter: memory, descriptors, threads", sizes)
    (_, files, threads), (early, _, _), *_, (late, files_late, threads_late) = sizes
    assert late <= early + 5
    assert files_late <= files + 10
    assert threads_late <= threads
