"""A camera's password from the command line: kept in one file, and given to the camera at every later start."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from files.secrets import FILE
from tests.waiting import soon

TABLESIDE = Path(sys.executable).with_name("tableside")

pytestmark = pytest.mark.slow


class Camera(BaseHTTPRequestHandler):
    """Asks for a name and password, and keeps what it is given."""

    asked: set[tuple[str, str]]

    def do_GET(self) -> None:
        given = self.headers.get("Authorization", "")
        self.asked.add((self.path, base64.b64decode(given.removeprefix("Basic ")).decode()))
        self.send_response(404 if given else 401)
        if not given:
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def camera() -> Iterator[tuple[set[tuple[str, str]], int]]:
    """What a camera of this computer is asked for, and its port."""
    asked = set[tuple[str, str]]()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Asked", (Camera,), {"asked": asked}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield asked, server.server_port
    server.shutdown()
    server.server_close()


def served(data: Path, asked: set[tuple[str, str]], expected: tuple[str, str], *arguments: str) -> str:
    """Serve a table until its pages are there and its camera was asked for what is expected; what the terminal said."""
    asked.clear()
    terminal = data.with_name("terminal.txt")
    with terminal.open("w") as written:
        running = subprocess.Popen(
            [TABLESIDE, "serve", "--players", "Ann,Bob", *arguments],
            env={**os.environ, "TABLESIDE_DATA": str(data)}, stdout=written, stderr=subprocess.STDOUT,
        )  # fmt: skip
    came = soon(lambda: expected in asked and "The table is at" in terminal.read_text())
    running.send_signal(signal.SIGINT)
    running.wait(30)
    said = terminal.read_text()
    assert came, (asked, said)
    return said


def test_a_password_is_kept_in_one_file_and_used_again(camera: tuple[set[tuple[str, str]], int], tmp_path: Path):
    asked, port = camera
    expected = ("/live?user=x&pwd=Geheim2", "ann:Geheim/1")
    address = f"http://ann:Geheim%2F1@127.0.0.1:{port}/live?user=x&pwd=Geheim2"
    data = tmp_path / "data"
    said = served(data, asked, expected, "--camera", address)
    holding = {path.name for path in data.rglob("*") if path.is_file() and b"Geheim" in path.read_bytes()}
    assert holding == {FILE}
    said += served(data, asked, expected)  # the camera that was chosen last
    said += served(data, asked, expected, "--camera", f"http://127.0.0.1:{port}/live?secret=1")
    assert "Geheim" not in said
    assert said.count("The table is at") == 3


def test_a_file_of_secrets_that_cannot_be_used_is_one_line(tmp_path: Path):
    (tmp_path / FILE).write_text("[camera")
    run = subprocess.run(
        [TABLESIDE, "serve", "--camera", "rtsp://192.0.2.1/live"],
        env={**os.environ, "TABLESIDE_DATA": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (2, f"tableside: {FILE} is not valid TOML\n")
