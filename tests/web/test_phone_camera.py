"""A phone as the camera, from end to end: Chromium's fake camera shows a film of a throw, over TLS, and it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from cli.compose import House
from tests.waiting import soon
from tests.web.serving import CHROMIUM, WHOLE, Served, serving
from tests.web.visitor import Visitor
from vision.camera import PushedFrames
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.reader import Reader
from web.devices import Role
from web.network.addresses import Neighbourhood, lan_addresses
from web.site import site_of

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

PIN = "271828"
RATE = 20
"""Frames a second in the film; Chromium shows an MJPEG file at 30, so it rolls a little faster."""

SECURE = {"ignore_https_errors": True, "rough": True}
Visit = Callable[..., Visitor]


def film_of_a_throw(path: Path) -> list[str]:
    """A throw of the demo table as an MJPEG file; the faces it shows."""
    camera = DemoCamera(find_set("fate"), seed=5, rate=RATE, paced=False)
    camera.open()
    with path.open("wb") as film:

        def shoot(seconds: float) -> bytes:
            shot = b""
            for _ in range(round(seconds * RATE)):
                frame = camera.read()
                assert frame is not None
                shot += cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            film.write(shot)
            return shot

        shoot(1.5)
        camera.throw()
        shoot(2.0)
        film.write(shoot(1.0) * 40)  # nothing moves any more: the same second again and again
    return sorted(die.face for die in camera.truth())


@pytest.fixture
def served(lay: Callable[..., House], data: Path) -> Iterator[Served]:
    """A table for the whole network, whose camera is a phone."""
    house = lay(
        camera=PushedFrames(), pin=PIN, neighbourhood=Neighbourhood(names=()), heartbeat=10.0, picture_wait=2.0,
        reader=lambda _: Reader(find_set("fate")),
    )  # fmt: skip
    with serving(house, data, host="0.0.0.0") as one:
        yield one


def test_throws_before_a_phone_are_read_and_scored(
    served: Served, visit: Visit, playwright: Playwright, tmp_path: Path
):
    thrown = film_of_a_throw(tmp_path / "throw.mjpeg")
    reached = (lan_addresses() or ("127.0.0.1",))[0]
    table = visit(served, "/enter#" + PIN, rough=True)
    table.page.click("#enter")
    table.page.wait_for_url(served.at("/"))

    # The table's computer shows the code; the phone scans it, warns, and goes on.
    guide = table.beside("/phone").page
    assert guide.locator(".qr").count() == 1
    address = guide.locator(".invitation b").inner_text()
    assert address == served.at("/phone", host=reached, secure=True)
    guide.close()
    code = site_of(served.house.app).access.code(Role.CAMERA)
    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
             f"--use-file-for-fake-video-capture={tmp_path / 'throw.mjpeg'}"]  # fmt: skip
    with playwright.chromium.launch(executable_path=CHROMIUM, args=flags) as scanning:
        phone = Visitor(scanning.new_context(ignore_https_errors=True).new_page(), served)
        phone.page.goto(f"{address}#{code}")
        assert phone.page.url == address, "the code does not stay in the address"
        phone.page.click("#start")
        phone.sees("Tableside sees the table", "#state")
        assert soon(lambda: sorted(served.house.table.session.match.state.roll) == thrown)
        # A phone that is only the camera cannot play.
        assert phone.page.evaluate("fetch('/undo', {method: 'POST'}).then(answer => answer.status)") == 403
        assert [one for one in phone.complaints if "status of 40" not in one] == []
    table.open()
    assert table.faces() == thrown
    points = sum(map(int, thrown))
    assert table.page.locator("#box-chance").get_attribute("data-offer") == str(points)
    table.page.click("#box-chance")
    assert soon(lambda: served.house.table.session.match.view.seats[0].score == points)


NOT_FOUND = "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));"


@pytest.mark.parametrize(
    ("wrong", "about", "said"),
    [
        ("not over TLS", {}, "encrypted pages"),
        ("no camera", {"script": f"if (navigator.mediaDevices) {NOT_FOUND}"}, "has no camera"),
        ("wrong code", {}, "code is wrong or has expired"),
    ],
)
def test_the_phone_says_what_is_wrong(served: Served, visit: Visit, wrong: str, about: dict[str, object], said: str):
    reached, secure = lan_addresses(), wrong != "not over TLS"
    if not secure and not reached:
        pytest.skip("no network here: every page is local, and trusted")
    host = "127.0.0.1" if secure else reached[0]
    code = "000000" if wrong == "wrong code" else site_of(served.house.app).access.code(Role.CAMERA)
    phone = visit(served, "/nowhere", **SECURE, **about)
    phone.page.goto(served.at(f"/phone#{code}", host=host, secure=secure))
    phone.page.click("#start")
    phone.sees(said, "#state")
    if not secure:
        assert phone.page.locator("#secure").get_attribute("href") == served.at("/phone", host=host, secure=True)


@pytest.mark.skipif(WHOLE is None, reason="no whole Chromium here: the headless shell has no permissions to deny")
def test_the_phone_says_that_its_browser_refuses_the_camera(served: Served, playwright: Playwright):
    flags = ["--no-sandbox", "--use-fake-device-for-media-stream"]
    with playwright.chromium.launch(executable_path=WHOLE, args=flags) as browser:
        phone = Visitor(browser.new_context(ignore_https_errors=True, permissions=[]).new_page(), served)
        phone.page.goto(served.at(f"/phone#{site_of(served.house.app).access.code(Role.CAMERA)}", secure=True))
        phone.page.click("#start")
        phone.sees("blocked the camera", "#state")
