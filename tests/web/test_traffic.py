"""What an open page costs in bytes: a still table nearly nothing, a throw its pictures, text its compressed size."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from tests.web.serving import Served
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.headers import digest_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WATCHED = 4.0
"""Seconds that nothing moves on the table."""

STILL = 10_000
"""Bytes in that time: half a picture."""


@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    """The demo table as `tableside demo` has it, with the noise of its camera."""
    return lay(camera=DemoCamera(find_set("fate"), seed=11), heartbeat=10.0, picture_wait=2.0)


@dataclass
class Line:
    """What a page's line carries, as the browser counts it: headers too, compressed as they came."""

    page: Page
    bytes: float = 0
    pictures: int = 0
    _pictured: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        session = self.page.context.new_cdp_session(self.page)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.dataReceived", self._came)
        session.send("Network.enable")

    def _answered(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        self.bytes += answer["encodedDataLength"]
        self.pictures += answer["mimeType"] == "image/jpeg" and answer["url"].startswith("http")

    def _came(self, event: dict[str, Any]) -> None:
        self.bytes += event["encodedDataLength"]

    def during(self, seconds: float) -> tuple[float, int]:
        """Bytes and pictures in the next seconds."""
        before = self.bytes, self.pictures
        self.page.wait_for_timeout(1000 * seconds)
        return self.bytes - before[0], self.pictures - before[1]


def test_a_still_table_costs_nothing_and_a_throw_is_shown_as_it_rolls(browser: Browser, served: Served):
    page = browser.new_page()
    page.goto(served.at())
    page.wait_for_selector("#link[data-link=live]")
    shown = "document.getElementById('picture').src.startsWith('blob:')"
    page.wait_for_function(shown)
    line = Line(page)
    line.during(2)  # the table comes to rest
    spent, pictures = line.during(WATCHED)
    print(f"a still table: {spent:.0f} bytes and {pictures} pictures in {WATCHED:.0f} s")
    assert spent < STILL
    page.click("#throw")
    page.wait_for_selector(".die")
    line.during(2)
    rolled = line.pictures - pictures
    print(f"a throw: {rolled} pictures")
    assert rolled > 1, "it is seen to roll, and then to lie there; a busy browser shows fewer pictures of it"
    spent, _ = line.during(WATCHED)
    assert spent < STILL
    late = browser.new_page()
    late.goto(served.at())
    late.wait_for_function(shown)  # who comes while nothing moves sees the table as it is


# --- text, style and script


@pytest.fixture
def files(client: FlaskClient) -> list[str]:
    """The table page, and all style and script that it names."""
    page = client.get("/").get_data(as_text=True)
    return ["/", *re.findall(r'(?:href|src)="(/static/[^"]+)"', page)]


@pytest.mark.slow
def test_text_style_and_script_come_compressed(client: FlaskClient, files: list[str]):
    plain, packed = 0, 0
    for path in files:
        with client.get(path) as answer:
            assert "Content-Encoding" not in answer.headers, "not asked for"
            assert "Accept-Encoding" in answer.headers["Vary"]
            whole = answer.get_data()
        with client.get(path, headers={"Accept-Encoding": "gzip, br"}) as answer:
            sent = answer.get_data()
            assert int(answer.headers["Content-Length"]) == len(sent)
            if path == "/":
                assert gzip.decompress(sent).count(b"<") == whole.count(b"<")
            elif answer.headers.get("Content-Encoding") == "gzip":
                assert gzip.decompress(sent) == whole
            else:
                assert len(sent) < 600
        plain, packed = plain + len(whole), packed + len(sent)
    print(f"a table page: {plain} bytes, {packed} compressed")
    assert packed < 0.35 * plain


def test_style_and_script_are_fetched_once(client: FlaskClient, files: list[str]):
    assert len(files) > 4
    for path in files[1:]:
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            kept = answer.headers["Cache-Control"]
            assert "immutable" in kept
            assert "max-age=31536000" in kept
            tag = answer.headers["ETag"]
        with client.get(path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag}) as again:
            assert again.status_code == 304
            assert again.get_data() == b""


def test_a_changed_file_has_another_address(tmp_path: Path):
    (tmp_path / "table.css").write_text("a { color: red }", encoding="utf-8")
    before = digest_of(tmp_path)
    assert digest_of(tmp_path) == before
    (tmp_path / "table.css").write_text("a { color: tan }", encoding="utf-8")
    assert digest_of(tmp_path) != before


@pytest.mark.slow
def test_what_is_a_picture_or_an_event_or_private_is_left_alone(client: FlaskClient):
    asked = {"Accept-Encoding": "gzip"}
    assert "Content-Encoding" not in client.get("/face/8.png", headers=asked).headers
    stream = client.get("/events", headers=asked, buffered=False)
    assert "Content-Encoding" not in stream.headers
    stream.close()
    assert client.get("/", headers=asked).headers["Cache-Control"] == "no-store"
    assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": "gzip;q=0"}).headers
