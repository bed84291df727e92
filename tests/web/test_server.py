"""The server: how it ends."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli.compose import furnish
from cli.listening import Door
from tests.web.serving import serving
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.network.server import TableServer

WAIT = 20.0


def hello(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def test_a_connection_kept_just_as_the_server_stops_is_closed_quietly(caplog: pytest.LogCaptureFixture):
    """A worker on a busy computer comes to keep a connection when nobody waits for connections any more."""
    server = TableServer(("127.0.0.1", 0), hello, threads=2)
    server.prepare()
    connections: Any = server._connections
    put, close = connections.put, connections.close
    keeping, closed = threading.Event(), threading.Event()

    def put_late(conn: Any) -> None:
        if threading.current_thread() is not serving:
            keeping.set()
            assert closed.wait(WAIT)
        put(conn)

    def close_first() -> None:
        close()
        closed.set()

    connections.put, connections.close = put_late, close_first
    serving = threading.Thread(target=server.serve, daemon=True)
    serving.start()
    with closing(socket.create_connection(server.bind_addr, timeout=WAIT)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert keeping.wait(WAIT)
        server.stop()
        serving.join(WAIT)
        assert not serving.is_alive()
        answer = b""
        while piece := line.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"ok")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.slow
@pytest.mark.skipif(not socket.has_ipv6, reason="this computer has no IPv6")
@pytest.mark.parametrize("host", ["::1", "127.0.0.1"])
def test_the_address_the_terminal_says_is_answered(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """`--host ::1` as people type it; other names are refused there as everywhere."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    camera = DemoCamera(find_set("fate"), seed=1, size=(320, 240))
    dice_set, settings = find_set("fate"), Door(host, 1, None, False).opened().settings
    house = furnish(camera, game="meet-fate", dice_set=dice_set, players=["Ann"], settings=settings)
    with serving(house, tmp_path, host=host) as served:
        shown = f"[{host}]" if ":" in host else host
        for name, status in ((shown, 200), ("localhost", 200), ("[::2]", 400), ("evil.example", 400)):
            line = http.client.HTTPConnection(host, served.port, timeout=WAIT)
            line.request("GET", "/history", headers={"Host": f"{name}:{served.port}"})
            assert line.getresponse().status == status, name
            line.close()
