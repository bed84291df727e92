"""An evening from the command line alone, in processes of their own: nothing in them is a fake."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.cli.door import tableside
from tests.waiting import soon

pytestmark = pytest.mark.slow


class Pages:
    """The pages of a table that is served."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")

    def get(self, path: str = "/") -> str:
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return answer.read().decode()

    def post(self, path: str, **fields: str) -> int:
        headers = {"X-Requested-With": "tableside", "Origin": self.address}
        asked = urllib.request.Request(self.address + path, urlencode(fields).encode(), headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status

    def totals(self) -> list[str]:
        return re.findall(r'<span class="total"[^>]* data-score="(-?\d+)">', self.get())


@contextmanager
def served(folder: Path, *words: str) -> Iterator[Pages]:
    """`tableside WORDS` until the block ends; then Ctrl-C, which ends it without a complaint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words, "--port", str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TABLESIDE_DATA": str(folder)},
    )  # fmt: skip
    assert running.stdout is not None
    try:
        address = next(found for line in running.stdout if (found := re.search(r"http://\S+", line)))
        yield Pages(address.group())
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate(timeout=60)
        assert (running.returncode, complaints) == (0, "")
    finally:
        running.kill()
        running.communicate()


def test_a_throw_on_the_demo_table_is_read_scored_kept_gone_on_with_and_replayed(folder: Path):
    with served(folder, "demo", "--players", "Ann,Ben") as pages:
        assert "Ann" in pages.get()
        assert pages.post("/throw") == 204
        assert soon(lambda: 'id="die-6"' in pages.get() or 'id="ask-' in pages.get()), "no throw was read"
        assert pages.post("/roll", faces="2 2 2 2 5 5") == 204
        assert pages.post("/move", move=json.dumps({"kind": "fill", "box": "chance"})) == 204
        assert pages.totals() == ["18", "0"]
    (match,) = [line.split()[0] for line in tableside("matches").out.splitlines()]
    with served(folder, "serve", "--camera", "demo", "--resume", match) as pages:
        assert pages.totals() == ["18", "0"]
    assert tableside("replay", match, "--json").json["points"] == {"Ann": 18, "Ben": 0}
