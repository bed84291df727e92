"""A stranger's first start: from nothing to a scored throw by pages alone, by mouse, by keyboard, and without script.

The program is really started, as a double click starts it; what it opens in the browser is where the stranger begins.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from scoring.actions import Fill, Play
from scoring.games import find
from table.cameras.choice import CameraChoice
from table.settings import SettingsFile
from table.storage.store import Store
from tests.waiting import soon
from tests.web.tables import HERE, entered, html_of, player
from tests.web.test_camera_page import Pictures, table_picture
from vision.camera.source import CameraError
from vision.camera.webcams import Webcam

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAIT = 60_000
"""Milliseconds for what a busy machine may take."""


class Started:
    """A Tableside that was started by nothing but its name."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data, self._opened = data, data.with_name(f"{data.name}-opened")
        browser = data.with_name("browser")
        browser.write_text(f'#!/bin/sh\necho "$1" >> {self._opened}\n')
        browser.chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        data.mkdir(exist_ok=True)
        environment = {**os.environ, "TABLESIDE_DATA": str(data), "BROWSER": f"{browser} %s"}
        self.arguments = [sys.executable, "-m", "cli.main", *(arguments or ("start", "--port", str(port)))]
        self.began = time.monotonic()
        self._environment = environment
        self.process = subprocess.Popen(
            self.arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def again(self) -> subprocess.CompletedProcess[str]:
        """A second start while the first one runs."""
        return subprocess.run(
            self.arguments, env=self._environment, capture_output=True, text=True, timeout=60, check=False
        )

    def opened(self, times: int = 1) -> str:
        """The page that was opened in the browser, once so many were."""
        def there() -> bool:
            return self._opened.exists() and len(self._opened.read_text().split()) >= times

        assert soon(lambda: there() or self.over, 180.0)
        assert there(), self.process.communicate()[0]
        return self._opened.read_text().split()[-1]

    def events(self) -> list[Any]:
        """The match that was played last, as it is on disk."""
        with closing(Store.seen(self.data / "tables.db")) as store:
            return list(store.resume(store.latest(), find)[1].events)

    def scored(self) -> bool:
        """Whether a throw was scored."""
        return any(isinstance(one, Play) and isinstance(one.move, Fill) for one in self.events())

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def stop(self) -> None:
        if not self.over:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=60)
        finally:
            self.process.kill()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    running: list[Started] = []

    def begin(*arguments: str) -> Started:
        running.append(Started(tmp_path / "data", *arguments))
        return running[-1]

    yield begin
    for one in running:
        one.stop()


@pytest.fixture
def stranger(chromium: Any, request: pytest.FixtureRequest) -> Callable[..., Page]:
    """Somebody with a browser of their own; what scripts complain about fails the test."""

    def come(width: int = 1280, **about: Any) -> Page:
        context = chromium.lend(about)
        page: Page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.set_default_timeout(WAIT)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def leave() -> None:
            chromium.give_back(context, about)
            assert complaints == []

        request.addfinalizer(leave)
        return page

    return come


def thrown(page: Page) -> None:
    """Wait until a throw of six dice was read and is on the page."""
    page.wait_for_selector("button.box.open")


def told(how: str, count: int, kind: str, started: Started, shown: float) -> None:
    """Say how long it took (`pytest -s`)."""
    now = time.monotonic()
    print(f"\n{how}: {count} {kind}, {now - started.began:.1f} s since the start, {now - shown:.1f} s since the page")


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, pytest.param(1280, marks=pytest.mark.proof)])
def test_from_a_click_to_the_first_scored_throw_with_the_mouse(
    start: Callable[..., Started], stranger: Callable[..., Page], width: int
):
    started, page, clicks = start(), stranger(width), 0
    page.goto(started.opened())
    shown = time.monotonic()
    assert page.url.endswith("/first")
    assert not (started.data / "settings.toml").exists()

    def click(what: str) -> None:
        nonlocal clicks
        page.click(what)
        clicks += 1

    assert page.locator("[name=camera]:checked").get_attribute("value") == "demo"
    page.wait_for_function("() => document.querySelector('[data-live]').src.startsWith('blob:')")
    click("#next")
    click("label:has(#game-meet-fate)")
    click("#next")
    page.wait_for_selector("#player-1")
    for row, name in ((1, "Zoë"), (2, "Yann")):
        page.fill(f"#player-{row}", name)
    click("#begin")
    page.wait_for_selector("#link[data-link=live]", state="attached")
    click("#throw")
    thrown(page)
    click("button.box.open >> nth=0")
    assert soon(started.scored)
    told("mouse", clicks, "clicks", started, shown)
    assert clicks == 6
    with closing(Store.seen(started.data / "tables.db")) as store:
        assert store.resume(store.latest(), find)[1].header.players == ("Zoë", "Yann")
    # From now on there are settings: a start goes straight to the table, and one that runs already is found.
    assert SettingsFile(started.data).there
    second = started.again()
    assert second.returncode == 0
    assert started.opened(2) == page.url
    assert "is running already" in second.stdout
    played = len(started.events())
    started.stop()
    assert not (started.data / "running.json").exists()
    later = start()
    page.goto(later.opened(3))
    assert page.url.endswith(f":{later.arguments[-1]}/")
    page.wait_for_selector(".board")
    assert len(later.events()) == played, "the match that waits is on the table"
    page.goto(page.url + "settings")
    page.click("text=First steps")
    assert page.url.endswith("/first")


@pytest.mark.slow
def test_from_a_click_to_the_first_scored_throw_with_the_keyboard(
    start: Callable[..., Started], stranger: Callable[..., Page]
):
    started, page, keys = start(), stranger(), 0
    page.goto(started.opened())
    shown = time.monotonic()

    def press(*pressed: str) -> None:
        nonlocal keys
        for one in pressed:
            page.keyboard.press(one)
            keys += 1

    def reach(what: str) -> None:
        """Tab on to something; what has the focus is always seen, and nothing holds it."""
        for _ in range(60):
            if page.evaluate("what => document.activeElement.matches(what)", what):
                return
            press("Tab")
            ring = page.evaluate("""() => {
                const at = document.activeElement, box = at.getBoundingClientRect();
                return at === document.body || (box.width > 0 && box.bottom > 0 && box.top < innerHeight);
            }""")
            assert ring, page.evaluate("document.activeElement.outerHTML.slice(0, 90)")
        raise AssertionError(f"{what} cannot be reached")

    def goes_on(to: str, *pressed: str) -> None:
        with page.expect_navigation(url=f"**{to}*"):
            press(*pressed)

    press("Tab", "Enter")  # the link that skips to the cameras
    reach("[name=camera]")
    goes_on("/first/game", "Enter")
    press("Tab", "Enter")
    reach("[name=game]")
    press("ArrowRight")  # Pairs, which a key leads away from again
    press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('begin-part').dataset.said.startsWith('Meet Fate')")
    goes_on("/first/players", "Enter")
    press("Tab", "Enter")
    reach("#player-1")
    press("Control+a")
    page.keyboard.insert_text("Zoë")
    reach("#begin")
    goes_on("/", "Enter")
    page.wait_for_selector("#link[data-link=live]", state="attached")
    press("t")
    thrown(page)
    press("b", "Enter")
    assert soon(started.scored)
    told("keyboard", keys, "keys besides letters of a name", started, shown)


@pytest.mark.slow
def test_the_pages_stop_it_and_start_it_again_with_the_match_that_was_played(
    start: Callable[..., Started], stranger: Callable[..., Page]
):
    started, page = start(), stranger()
    first = started.opened()
    page.goto(first)
    page.click("#skip-all")
    page.wait_for_selector("#link[data-link=live]", state="attached")
    page.click("#throw")
    thrown(page)
    before = started.events()
    page.goto(first.replace("/first", "/settings"))
    page.check("#voice-speak")
    page.fill("#pin", "471147")
    page.click("#save")
    page.click("#again-now")
    # It comes back where it was, and asks for the PIN that is there now; the link has it already.
    page.wait_for_url("**/enter?back=*")
    page.wait_for_function("() => document.getElementById('code')?.value")
    page.click("#enter")
    page.wait_for_url("**/settings")
    assert page.is_checked("#voice-speak")
    assert started.events() == before
    kept, text = SettingsFile(started.data).read().network.pin, (started.data / "settings.toml").read_text("utf-8")
    assert kept is not None
    assert kept.startswith("scrypt$")
    assert "471147" not in text.replace(kept, ""), "among the hash's own digits it may stand by chance"
    page.click("#stop")
    page.wait_for_selector("text=You can close this page.")
    assert soon(lambda: started.over)
    assert started.process.returncode == 0
    assert started.opened() == first, "starting again opened no second page"


@pytest.mark.slow
def test_a_phone_is_asked_for_without_a_terminal(start: Callable[..., Started], stranger: Callable[..., Page]):
    started, page = start(), stranger(390)
    page.goto(started.opened())
    page.click("label:has([value=phone])")
    page.click("#next")
    page.wait_for_url("**/enter?back=*")
    page.wait_for_function("() => document.getElementById('code')?.value")
    page.click("#enter")
    page.wait_for_selector("#waits")
    assert page.url.endswith("/first")
    assert SettingsFile(started.data).read().network.lan
    page.click("#stop-phone")
    page.wait_for_selector("#cameras")


@pytest.mark.slow
def test_without_script_it_works_as_well(start: Callable[..., Started], stranger: Callable[..., Page]):
    started, page = start(), stranger(java_script_enabled=False)
    page.goto(started.opened())
    page.click("#next")
    page.click("label:has(#game-triples)")
    page.click("#next")
    page.click("#remove-2")
    page.click("#add")
    page.fill("#player-2", "Yann")
    page.click("#begin")
    assert not page.url.endswith("/first/players")
    assert page.inner_text("h1") == "Triples"
    assert page.locator("text=Yann").count()


def test_a_broken_file_of_settings_is_one_line(start: Callable[..., Started], tmp_path: Path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text('[network]\nport = "x"\n')
    started = start()
    said, _ = started.process.communicate(timeout=60)
    assert started.process.returncode == 2
    assert said == "tableside: settings.toml, line 2: network.port must be a whole number from 1 to 65535\n"


# --- each page, at a table of the tests


def send(client: FlaskClient, path: str, fields: Mapping[str, object] | None = None) -> Any:
    return client.post(path, data=fields, headers={"Origin": HERE})


def choices(html: str) -> list[str]:
    return re.findall(r'name="camera"[^>]* value="([^"]*)"', html)


@pytest.fixture
def webcams(lay: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> House:
    """A demo table at a computer with two webcams, one of which is busy."""
    house = lay(choice=CameraChoice("demo"), picture_wait=2.0)

    def makes(choice: CameraChoice, *_: object) -> Pictures:
        if choice.source == "/dev/video1":
            raise CameraError("{camera} does not open", camera="Busy")
        return Pictures(table_picture(), name="Desk")

    cameras = house.table.cameras
    assert cameras is not None
    found = (Webcam("/dev/video0", "Desk", ((640, 480),)), Webcam("/dev/video1", "Busy"))
    monkeypatch.setattr(cameras, "_there", lambda: found)
    monkeypatch.setattr(cameras, "_makes", makes)
    monkeypatch.setattr(cameras.previews, "_makes", lambda source: makes(CameraChoice(source)))
    house.open()
    return house


def test_every_camera_is_shown_live_and_one_that_gives_no_picture_says_why(webcams: House):
    client = webcams.app.test_client()
    html = html_of(client, "/first")
    assert choices(html) == ["/dev/video0", "/dev/video1", "demo", "phone"]
    assert "/first/look/dev-video0" in html
    first = client.get("/first/look/dev-video0")
    assert first.status_code == 200
    assert first.data.startswith(b"\xff\xd8")
    assert client.get("/first/look/dev-video0?after=-1").headers["X-Frame"]
    busy = client.get("/first/look/dev-video1")
    assert (busy.status_code, busy.get_data(as_text=True)) == (409, "Busy does not open.\n")
    for none in ("dev-video7", "etc-passwd", ".."):
        assert client.get(f"/first/look/{none}").status_code == 404


def test_a_camera_is_let_go_before_it_becomes_the_tables(webcams: House):
    client, cameras = webcams.app.test_client(), webcams.table.cameras
    assert cameras is not None
    assert client.get("/first/look/dev-video0").status_code == 200
    answer = send(client, "/first", {"camera": "/dev/video0"})
    assert answer.headers["Location"] == "/first/game"
    assert cameras.now.choice.source == "/dev/video0"
    assert client.get("/first/look/dev-video0").status_code == 404, "the table's own picture is shown instead"
    with cameras.previews.none():
        assert cameras.previews.picture("/dev/video0", -1, 0.0) is None
    html = html_of(client, "/first")
    assert 'value="/dev/video0" checked' in html


def test_a_camera_that_cannot_be_had_is_said_and_stays_chosen(webcams: House):
    client = webcams.app.test_client()
    for camera, status in (("/dev/video1", 409), ("/dev/video9", 422), ("", 422), ("/etc/passwd", 422)):
        answer = send(client, "/first", {"camera": camera})
        html = answer.get_data(as_text=True)
        assert answer.status_code == status, camera
        assert 'role="alert" id="trouble"' in html
        checked = re.findall(r'value="([^"]*)" checked', html)
        assert checked == [camera if camera in choices(html) else "demo"]


def test_each_step_keeps_what_the_steps_before_chose(house: House):
    client = house.app.test_client()
    html = html_of(client, "/first/game?game=triples&of=triples&player=Ann&player=Ben&starts=1&set=cats")
    assert re.search(r'id="game-triples"[^>]* checked', html)
    html = html_of(client, "/first/players?game=triples&of=triples&player=Ann&player=Ben&starts=1&set=cats&do=add:Cleo")
    assert re.findall(r'name="player"[^>]* value="([^"]*)"', html) == ["Ann", "Ben", "Cleo"]
    assert 'href="/first/game?game=triples' in html
    fields = {"game": "triples", "of": "triples", "set": "cats", "player": ["Ann", "Ann"], "starts": "0",
              "instead": house.table.session.store.id}  # fmt: skip
    twice = send(client, "/first/players", fields)
    assert twice.status_code == 422
    assert "Ann is already in the list." in twice.get_data(as_text=True)
    assert send(client, "/first/players", {**fields, "player": ["Ann", "Ben"]}).headers["Location"] == "/"
    assert house.table.session.match.header.players == ("Ann", "Ben")
    late = send(client, "/first/players", {**fields, "player": ["Ann", "Ben"]})
    assert late.status_code == 409
    assert "Someone has just started another match here" in late.get_data(as_text=True)


def test_only_the_host_takes_the_first_steps(guarded: House):
    for client in (guarded.app.test_client(), player(guarded, "Alice")):
        for path in ("/first", "/first/game", "/first/players", "/first/look/0", "/settings", "/settings/check"):
            assert client.get(path).status_code == 403, path
        for path in ("/first", "/first/players", "/first/done", "/first/stop-phone", "/settings", "/settings/again",
                     "/settings/stop"):  # fmt: skip
            assert send(client, path).status_code == 403, path
    assert entered(guarded).get("/first").status_code == 200
