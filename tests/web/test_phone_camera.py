"""A phone as the camera, from end to end: Chromium's fake camera shows a film of throws, over TLS, and they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from cli.compose import House, furnish
from tests.waiting import soon
from tests.web.serving import CHROMIUM, Served, serving
from vision.camera import PushedFrames
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.devices import Role
from web.network.addresses import Neighbourhood, lan_addresses
from web.settings import WebSettings
from web.site import site_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

PERMIT = "--use-fake-ui-for-media-stream"
PIN = "271828"
WAIT = 120_000
RATE = 30
"""Frames a second in which Chromium shows an MJPEG file as its camera."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """Two throws of the demo table as an MJPEG file, and the faces each shows."""
    camera = DemoCamera(find_set("fate"), seed=5, rate=RATE, paced=False)
    camera.open()
    path = tmp_path_factory.mktemp("film") / "throws.mjpeg"
    thrown: list[list[str]] = []
    with path.open("wb") as film:

        def shoot(seconds: float) -> bytes:
            shot = b""
            for _ in range(round(seconds * RATE)):
                frame = camera.read()
                assert frame is not None
                shot += cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            film.write(shot)
            return shot

        shoot(2.0)
        for rest in (9, 30):  # on a slow computer the first one is read late
            camera.throw()
            thrown.append(sorted(die.face for die in camera.truth()))
            shoot(2.0)
            film.write(shoot(1.0) * (rest - 1))  # nothing moves any more: the same second again and again
    return path, thrown


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    around = Neighbourhood(names=())
    settings = WebSettings(pin=PIN, neighbourhood=around)
    house: House = furnish(
        PushedFrames(),
        game="meet-fate",
        dice_set=find_set("fate"),
        players=["Alice", "Bob"],
        settings=settings,
    )
    with serving(house, tmp_path, host="0.0.0.0") as one:
        yield one


@pytest.fixture
def launch(playwright: Playwright) -> Iterator[Callable[..., Browser]]:
    opened: list[Browser] = []

    def start(*flags: str) -> Browser:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *flags])
        opened.append(browser)
        return browser

    yield start
    for browser in opened:
        browser.close()


def fake_camera(film: Path) -> tuple[str, ...]:
    return (
        PERMIT,
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )


def shown(page: Page) -> list[str]:
    return sorted(page.locator(".die .label").all_inner_texts())


def test_throws_before_a_phone_are_read_and_scored(
    served: Served, launch, film: tuple[Path, list[list[str]]]
):
    path, thrown = film
    reached = (lan_addresses() or ("127.0.0.1",))[0]
    table = launch().new_context().new_page()
    table.set_default_timeout(WAIT)
    table.goto(served.at("/enter#" + PIN))
    table.click("#enter")
    table.wait_for_url(served.at("/"))

    # The table's computer shows the code; the phone scans it, warns, and goes on.
    guide = table.context.new_page()
    guide.goto(served.at("/phone"))
    assert guide.locator(".qr").count() == 1
    address = guide.locator(".invitation b").inner_text()
    assert address == served.at("/phone", host=reached, secure=True)
    guide.close()
    access = site_of(served.house.app).access
    phone = launch(*fake_camera(path)).new_context(ignore_https_errors=True).new_page()
    complaints: list[str] = []
    phone.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    phone.set_default_timeout(WAIT)
    phone.goto(f"{address}#{access.code(Role.CAMERA)}")
    assert phone.url == address, "the code does not stay in the address"
    phone.click("#start")
    phone.wait_for_function(
        "() => document.getElementById('state')?.textContent.startsWith('The table sees')"
    )

    for faces in thrown:
        assert soon(lambda faces=faces: sorted(served.house.table.session.match.state.roll) == faces)
    table.reload()
    assert shown(table) == thrown[-1]
    points = sum(map(int, thrown[-1]))
    assert table.locator("#box-chance").get_attribute("data-offer") == str(points)
    table.click("#box-chance")
    assert soon(lambda: served.house.table.session.match.view.seats[0].score == points)

    # A phone that is only the camera cannot play.
    refused = phone.evaluate("fetch('/undo', {method: 'POST'}).then(answer => answer.status)")
    assert refused == 403
    assert [one for one in complaints if "status of 40" not in one] == []


@pytest.mark.parametrize(
    ("page", "flags", "said"),
    [
        ("plain", (), "encrypted pages"),
        ("denied", ("--deny-permission-prompts", "--use-fake-device-for-media-stream"), "did not allow"),
        ("none", (PERMIT, "--use-fake-device-for-media-stream=device-count=0"), "has no camera"),
        ("code", (), "code is not right"),
    ],
    ids=["not over TLS", "permission denied", "no camera", "wrong code"],
)  # fmt: skip
def test_the_phone_says_what_is_wrong(served: Served, launch, page: str, flags: tuple[str, ...], said: str):
    reached = lan_addresses()
    if page == "plain" and not reached:
        pytest.skip("no network here: every page is local, and trusted")
    access = site_of(served.house.app).access
    code = "000000" if page == "code" else access.code(Role.CAMERA)
    phone = launch(*flags).new_context(ignore_https_errors=True).new_page()
    phone.set_default_timeout(WAIT)
    host = reached[0] if page == "plain" else "127.0.0.1"
    phone.goto(served.at(f"/phone#{code}", host=host, secure=page != "plain"))
    phone.click("#start")
    phone.wait_for_function(
        "words => document.getElementById('state')?.textContent.includes(words)", arg=said
    )
    if page == "plain":
        assert phone.locator("#secure").get_attribute("href") == served.at("/phone", host=host, secure=True)
