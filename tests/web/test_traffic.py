"""What an open page costs in bytes: a still table nearly nothing, a throw its pictures, text its compressed size."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from scoring.games import find as find_game
from scoring.match import begin
from tests.marks import others_as_proof
from tests.web.serving import Served
from tests.web.tables import played
from tests.web.visitor import Visitor
from web.headers import digest_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

WATCHED = 3.0
"""Seconds that nothing moves on the table."""

STILL = 10_000
"""Bytes in that time: half a picture."""


class Line:
    """What a page's line carries, as the browser counts it: headers too, compressed as they came."""

    def __init__(self, page: Page) -> None:
        self.page, self.bytes, self.pictures = page, 0.0, 0
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.dataReceived", self._came)
        session.send("Network.enable")

    def _answered(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        self.bytes += answer["encodedDataLength"]
        self.pictures += answer["mimeType"] == "image/jpeg" and answer["url"].startswith("http")

    def _came(self, event: dict[str, Any]) -> None:
        self.bytes += event["encodedDataLength"]

    def still(self) -> float:
        """Bytes while nothing moves, once the table has come to rest."""
        self.page.wait_for_timeout(1000)
        before = self.bytes
        self.page.wait_for_timeout(1000 * WATCHED)
        return self.bytes - before


PICTURED = "() => document.getElementById('picture').src.startsWith('blob:')"


def test_a_still_table_costs_nothing_and_a_throw_is_shown_as_it_rolls(
    serve: Callable[..., Served], visit: Callable[..., Visitor]
):
    """The demo table as `tableside demo` has it, with the noise of its camera."""
    served = serve(seed=11, size=(960, 720), watched=True)
    page = visit(served).page
    page.wait_for_function(PICTURED)
    line = Line(page)
    assert line.still() < STILL
    before = line.pictures
    page.click("#throw")
    page.wait_for_selector(".die")
    assert line.still() < STILL
    rolled = line.pictures - before
    assert rolled > 1, "it is seen to roll, and then to lie there; a busy browser shows fewer pictures of it"
    visit(served).page.wait_for_function(PICTURED)  # who comes while nothing moves sees the table as it is


FIRST_PAINT = """() => new Promise((done) => {
  new PerformanceObserver((seen) => done(seen.getEntriesByName("first-contentful-paint")[0]?.startTime))
    .observe({ type: "paint", buffered: true });
})"""


def test_the_table_is_painted_within_a_second(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    """The best of three loads, so that a busy machine fails nothing."""
    alice = visit(serve("outback-plus", size=(960, 720), watched=True))
    painted = [alice.open().page.evaluate(FIRST_PAINT) for _ in range(3)]
    assert min(painted) < 1000, painted


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
    assert "Content-Encoding" not in client.get("/face/fate/8.webp", headers=asked).headers
    stream = client.get("/events", headers=asked, buffered=False)
    assert "Content-Encoding" not in stream.headers
    stream.close()
    assert client.get("/", headers=asked).headers["Cache-Control"] == "no-store"
    assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": "gzip;q=0"}).headers


# --- a page's first visit

MOST = 200
"""Kilobytes of a page, its scripts, styles, typefaces and drawings; the camera's picture is not the page's."""


def weight(page: Visitor, path: str) -> float:
    """Kilobytes that come over the wire for a page, with nothing in the browser's cache."""
    wire = page.page.context.new_cdp_session(page.page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes, pictures = dict[str, float](), set[str]()

    def answered(event: dict[str, dict[str, str] | str]) -> None:
        response = event["response"]
        assert isinstance(response, dict)
        if "/picture" in response["url"]:
            pictures.add(str(event["requestId"]))

    wire.on("Network.responseReceived", answered)
    wire.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.open(path)
    page.page.wait_for_timeout(500)
    wire.detach()
    return sum(size for request, size in sizes.items() if request not in pictures) / 1000


@pytest.mark.parametrize("game", others_as_proof(["meet-fate", "outback", "outlander"], "meet-fate"))
def test_no_page_needs_more_than_two_hundred_kilobytes(
    serve: Callable[..., Served], visit: Callable[..., Visitor], game: str
):
    visitor = visit(serve(match=begin(find_game(game), ["Alice", "Bob"]), seed=3, watched=True), kind=Visitor)
    for _ in played(visitor.session, 9):
        pass
    match = f"/history/{visitor.session.store.id}"
    paths = ["/", "/television", "/spectator", f"{match}/3"]
    if game == "meet-fate":
        paths += ["/new", "/camera", "/dice", "/dice/cats", "/history", match, "/rules", "/rules/outback", "/enter"]
        paths += ["/dispute/", "/phone", "/dice/teach"]
    weights = {path: weight(visitor, path) for path in paths}
    print("\n".join(f"{game} {path} {kilobytes:.0f} kB" for path, kilobytes in weights.items()))
    assert [path for path, kilobytes in weights.items() if kilobytes > MOST] == []
