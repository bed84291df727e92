"""Another camera from the page Camera: it takes effect in the middle of a match, is remembered, is refused whole."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from table.cameras.cameras import Cameras
from table.cameras.choice import CameraChoice, ChosenCamera
from tests.fakes import shown
from tests.waiting import soon
from tests.web.playing import WAIT
from tests.web.serving import CHROMIUM, Served, serving
from tests.web.tables import HERE, PIN, SCRIPTED
from tests.web.test_camera_page import Pictures, table_picture
from vision.camera.bounded import Bounded
from vision.camera.webcams import Webcam
from web.site import site_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

JPEG = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def films(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of pictures, and a video."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((240, 320, 3), 60 + 30 * number, np.uint8))
    video = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for number in range(60):
        writer.write(np.full((120, 160, 3), 40 + 3 * number, np.uint8))
    writer.release()
    return folder, video


@pytest.fixture
def house(lay: Callable[..., House], data: Path) -> House:
    """A match at the webcam of now, watched."""
    made = lay(
        camera=Pictures(table_picture()), picture_wait=0.5, choice=CameraChoice("rtsp://u:secret@cam/1"),
        remember=ChosenCamera(data).keep,
    )  # fmt: skip
    made.open()
    assert made.table.eye is not None
    assert made.table.eye.picture(1, 60.0) is not None
    return made


def client(house: House) -> FlaskClient:
    return house.app.test_client()


def use(house: House, camera: str, **fields: str) -> TestResponse:
    return client(house).post("/camera/use", data={"camera": camera, **fields}, headers=SCRIPTED)


def name(house: House) -> str:
    assert house.table.eye is not None
    return house.table.eye.name


def seen(house: House) -> tuple[int, int] | None:
    assert house.table.eye is not None
    return house.table.eye.size


def html(house: House) -> str:
    return client(house).get("/camera").get_data(as_text=True)


def test_the_page_says_which_camera_looks_and_hides_its_password(house: House):
    shown = html(house)
    assert re.search(r'id="looks">Now: the webcam, 640×480\.<', shown)
    assert "rtsp://cam/1" in shown
    assert "secret" not in shown
    assert 'value="demo"' in shown


@pytest.mark.slow
def test_a_folder_a_video_and_the_demo_table_one_after_the_other(house: House, films: tuple[Path, Path]):
    session = house.table.session
    session.roll("1 1 1 2 2 2")
    events = session.match.events
    for source, called, size in ((films[0], "pictures", (320, 240)), (films[1], "film.avi", (160, 120))):
        assert use(house, "address", address=str(source)).status_code == 204
        assert (name(house), seen(house)) == (called, size)
        assert f"Now: {called}, {size[0]}×{size[1]}." in html(house)
    assert shown(session).throw
    assert use(house, "demo").status_code == 204
    assert "Now: the demo table, 960×720." in html(house)
    assert session.match.events == events, "the match goes on as it stood"
    assert house.table.session is session
    session.throw()  # the demo table throws by itself now
    assert len(session.match.events) == len(events) + 1


def test_everybody_hears_of_it(house: House, films: tuple[Path, Path]):
    use(house, "address", address=str(films[0]))
    assert house.table.session.latest().sentence() == "The camera is pictures now."
    assert house.table.session.latest().sentence("de") == "Die Kamera ist jetzt pictures."


@pytest.mark.slow
def test_a_film_that_is_over_gives_way(house: House, films: tuple[Path, Path]):
    for picture in sorted(films[0].iterdir())[1:]:
        picture.unlink()
    use(house, "address", address=str(films[0]))
    assert soon(lambda: bool(shown(house.table.session).camera))
    assert shown(house.table.session).camera == "Pictures gives no more pictures."
    assert use(house, "demo").status_code == 204
    assert soon(lambda: not shown(house.table.session).camera)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"camera": "address", "address": ""}, 422, "An address is expected"),
        ({"camera": "address", "address": "file:///etc/passwd"}, 422, "An address begins with rtsp"),
        ({"camera": "address", "address": "/etc/passwd"}, 422, "There is no stream, video or folder"),
        ({"camera": "address", "address": "rtsp://"}, 422, "is no address"),
        ({"camera": "address", "address": "/dev/video97"}, 409, "/dev/video97 does not open; is it plugged in"),
        ({"camera": "/dev/video0"}, 422, "That camera is not there any more."),
        ({"camera": "../../etc"}, 422, "That camera is not there any more."),
        ({}, 422, "That camera is not there any more."),
        ({"camera": "demo", "size": "huge"}, 422, "expected a size"),
        ({"camera": "address", "address": "/dev/video97", "size": "17x40"}, 409, "does not offer 17×40"),
        ({"camera": "address", "address": "http://127.0.0.1:9/stream"}, 409, "http://127.0.0.1:9/stream does not open"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_refused_in_a_sentence_and_the_old_one_goes_on(
    house: House, fields: dict[str, str], status: int, said: str
):
    answer = client(house).post("/camera/use", data=fields, headers=SCRIPTED)
    text = answer.get_data(as_text=True)
    assert (answer.status_code, text.count("\n")) == (status, 1)
    assert said.lower() in text.lower()
    assert name(house) == "the webcam"
    assert house.table.eye is not None
    latest = house.table.eye.picture(-1, 1.0)
    assert latest is not None
    assert house.table.eye.picture(latest[0], 5.0) is not None, "it gives pictures still"


@pytest.mark.slow
def test_without_script_the_page_says_why(house: House):
    answer = client(house).post(
        "/camera/use", data={"camera": "address", "address": "x://y"}, headers={"Origin": HERE, "Accept-Language": "fr"}
    )  # fmt: skip
    assert answer.status_code == 422
    shown = answer.get_data(as_text=True)
    assert "Une adresse commence par rtsp" in shown
    assert 'role="alert"' in shown
    done = client(house).post("/camera/use", data={"camera": "demo"}, headers={"Origin": HERE})
    assert (done.status_code, done.location) == (303, "/camera#choice")


def test_the_choice_is_remembered_for_the_next_start(house: House, films: tuple[Path, Path], tmp_path: Path):
    use(house, "address", address=str(films[0]))
    chosen = ChosenCamera(tmp_path)
    assert chosen.read() == CameraChoice(str(films[0]))
    assert (tmp_path / "camera.json").stat().st_mode & 0o077 == 0
    kept = house.table.session.store.store.matches()[0].setup
    assert kept["camera"] == str(films[0])
    assert CameraChoice("").after(chosen.read()).source == str(films[0])
    corners = {"x1": "10", "y1": "10", "x2": "90", "y2": "10", "x3": "90", "y3": "90", "x4": "10", "y4": "90"}
    client(house).post("/camera/region", data=corners, headers={"Origin": HERE})
    remembered = chosen.read()
    assert remembered is not None
    assert remembered.region == "0.1000,0.1000 0.9000,0.1000 0.9000,0.9000 0.1000,0.9000"
    assert ChosenCamera(tmp_path, "the other table").read() is None


@pytest.mark.parametrize(
    "broken", [b"", b"{", b"[]", b'{"places": 3}', b'{"places": {"": {"camera": 7}}}', b"\xff", b"[" * 9999]
)
def test_a_broken_memory_is_none(tmp_path: Path, broken: bytes):
    (tmp_path / "camera.json").write_bytes(broken)
    assert ChosenCamera(tmp_path).read() is None
    ChosenCamera(tmp_path).keep(CameraChoice("0", (1280, 720), True))
    assert ChosenCamera(tmp_path).read() == CameraChoice("0", (1280, 720), True)


@pytest.mark.slow
def test_a_disk_that_refuses_is_said_and_the_camera_is_changed(house: House, monkeypatch: pytest.MonkeyPatch):
    from table.storage.store import MatchStore, StoreError

    def full(self: MatchStore, changes: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(MatchStore, "set_up", full)
    answer = use(house, "demo")
    assert answer.status_code == 409
    assert "changed, but that is not remembered: the disk is full" in answer.get_data(as_text=True)
    assert name(house) == "demo table"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")
def test_thirty_changes_leak_neither_descriptors_nor_threads(house: House, films: tuple[Path, Path]):
    """Measured: descriptors and threads after the third change and after the thirtieth are the same."""
    sources = [{"camera": "address", "address": str(films[1])}, {"camera": "demo"},
               {"camera": "address", "address": str(films[0])}]  # fmt: skip

    def change(times: int) -> tuple[int, int]:
        for i in range(times):
            answer = client(house).post("/camera/use", data=sources[i % 3], headers=SCRIPTED)
            assert answer.status_code == 204, answer.get_data(as_text=True)
            refused = use(house, "address", address="/dev/video97")
            assert refused.status_code == 409
        assert name(house) == "pictures"
        return held()

    def held() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    before = change(3)
    change(27)
    assert soon(lambda: all(now <= then for now, then in zip(held(), before, strict=True))), f"before: {before}"


@pytest.mark.slow
def test_a_watching_device_and_a_player_change_nothing(lay: Callable[..., House]):
    made = lay(pin=PIN, choice=CameraChoice("demo"))
    access = site_of(made.app).access
    from web.devices import Role

    for code in ("", access.code(Role.PLAYER, "Alice"), access.code(Role.CAMERA)):
        device = made.app.test_client()
        if code:
            device.post("/enter", data={"code": code}, headers={"Origin": HERE})
        for path in ("/camera/use", "/camera/phone", "/camera/phone/stop"):
            assert device.post(path, data={"camera": "demo"}, headers=SCRIPTED).status_code == 403
        shown = device.get("/camera").get_data(as_text=True)
        assert "Only the host’s device changes the camera." in shown
        assert "use-camera" not in shown
        assert access.code(Role.CAMERA) not in shown
    assert made.table.cameras is not None
    assert not made.table.cameras.waiting


# --- sizes and exposure, as drivers tell them


def at_webcams(*there: Webcam, now: str = "/dev/video0") -> tuple[Cameras, list[CameraChoice], list[Pictures]]:
    asked: list[CameraChoice] = []
    made: list[Pictures] = []

    def makes(choice: CameraChoice) -> Pictures:
        asked.append(choice)
        made.append(Pictures(table_picture(), name=choice.source))
        return made[-1]

    return (
        Cameras(Bounded(Pictures(table_picture()), markers=False), CameraChoice(now), makes, there=lambda: there),
        asked,
        made,
    )


def test_a_size_the_driver_does_not_offer_is_refused():
    logitech = Webcam("/dev/video0", "Logitech", ((640, 480), (1920, 1080)), True)
    cameras, asked, _made = at_webcams(logitech)
    with pytest.raises(ValueError, match="does not offer 1280×720"):
        cameras.change(CameraChoice("/dev/video0", (1280, 720)))
    assert asked == []
    assert cameras.sizes() == ((640, 480), (1920, 1080))
    assert cameras.is_now(logitech)


def test_what_is_chosen_is_what_is_asked_of_the_driver(monkeypatch: pytest.MonkeyPatch):
    cameras, asked, _made = at_webcams(Webcam("/dev/video0", "Logitech", ((640, 480), (1920, 1080)), True))
    turned: list[dict[str, bool]] = []
    monkeypatch.setattr(Bounded, "turn_to", lambda self, camera, **how: turned.append(how))
    kept: list[CameraChoice] = []
    cameras._keep = kept.append  # pyright: ignore[reportPrivateUsage]
    cameras.change(CameraChoice("/dev/video0", (1920, 1080), lock_exposure=True))
    assert asked == [CameraChoice("/dev/video0", (1920, 1080), lock_exposure=True)] == kept
    assert turned == [{"alone": True, "like": True}], "one device cannot be open twice"
    cameras.change(CameraChoice("/dev/video7"))
    assert turned[1] == {"alone": False, "like": False}


# --- a phone


@pytest.mark.slow
def test_a_phone_becomes_the_camera_with_its_first_picture(house: House):
    phone = client(house)
    sent = {"data": JPEG, "content_type": "image/jpeg", "headers": {"Origin": HERE, "X-Phone": "p"}}
    assert phone.post("/phone/picture", **sent).status_code == 404, "nobody asked for one"
    assert "Use a phone" in phone.get("/phone").get_data(as_text=True)
    assert client(house).post("/camera/phone", headers=SCRIPTED).status_code == 204
    shown = html(house)
    assert "Waiting for a phone" in shown
    assert "Tableside was started for this computer alone." in shown
    assert "tableside serve --camera phone --lan --resume" in shown
    assert name(house) == "the webcam", "until its first picture the one of now looks"
    assert phone.post("/phone/picture", **{**sent, "data": b"nonsense"}).status_code == 400
    assert name(house) == "the webcam"
    assert phone.post("/phone/picture?first=1", **sent).status_code == 204
    assert name(house) == "phone"
    assert "Now: a phone, 640×480." in html(house)
    assert house.table.session.latest().sentence() == "The phone is the camera now."
    for _ in range(3):
        assert phone.post("/phone/picture", **sent).status_code == 204
    refused = client(house).post("/camera/phone", headers=SCRIPTED)
    assert (refused.status_code, refused.get_data(as_text=True)) == (409, "A phone is the camera already.\n")
    assert use(house, "demo").status_code == 204
    assert phone.post("/phone/picture", **sent).status_code == 404, (
        "another camera was chosen: it is not asked any more"
    )


def test_nobody_waits_for_a_phone_for_ever(house: House):
    cameras = house.table.cameras
    assert cameras is not None
    cameras.await_phone()
    assert client(house).post("/camera/phone/stop", headers=SCRIPTED).status_code == 204
    assert not cameras.waiting
    assert house.table.push is None
    cameras.await_phone()
    assert cameras.waiting
    cameras._clock = lambda: time.monotonic() + 601  # pyright: ignore[reportPrivateUsage]
    assert not cameras.waiting
    assert house.table.push is None


def test_the_memory_is_plain_json(tmp_path: Path):
    ChosenCamera(tmp_path).keep(CameraChoice("demo"))
    ChosenCamera(tmp_path, "kitchen").keep(CameraChoice("phone"))
    told = json.loads((tmp_path / "camera.json").read_text("utf-8"))
    assert told == {"version": 1, "places": {"": {"camera": "demo"}, "kitchen": {"camera": "phone"}}}


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "evening"
    folder.mkdir()
    for number in range(40):
        cv2.imwrite(str(folder / f"{number:02}.jpg"), np.full((240, 320, 3), 60 + number, np.uint8))
    return folder


@pytest.fixture
def demo(lay: Callable[..., House], tmp_path: Path) -> Iterator[Served]:
    """The demo table, which can be turned away from."""
    with serving(lay(choice=CameraChoice("demo"), heartbeat=10.0, picture_wait=2.0), tmp_path) as one:
        yield one


@pytest.fixture
def page(rough_page: Page) -> Page:
    return rough_page


def says(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('announcer')?.textContent.includes(words)", arg=words
    )


def test_another_camera_by_keyboard_is_announced_and_the_page_stays(
    demo: Served, page: Page, pictures: Path
):
    demo.house.table.session.roll("1 1 1 2 2 2")
    events = demo.house.table.session.match.events
    page.goto(demo.at("/camera"))
    assert page.locator("#looks").inner_text().startswith("Now: the demo table")
    assert not page.locator("#address").is_visible()
    assert not page.locator("#live-only").is_visible(), "a size is a webcam's"
    page.locator("#camera-1").focus()
    page.keyboard.press("ArrowDown")  # the last of the list: an address
    assert page.evaluate("document.activeElement.id") == "address", (
        "focus goes where the next thing is to be done"
    )
    page.keyboard.type(str(pictures))
    page.evaluate("window.mark = true")
    page.keyboard.press("Enter")
    says(page, "Now: evening, 320×240.")
    assert page.locator("#looks").inner_text() == "Now: evening, 320×240."
    assert page.evaluate("window.mark"), "the page was not loaded anew"
    assert demo.house.table.session.match.events == events

    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    page.wait_for_function("() => (document.getElementById('choice-refusal')?.textContent ?? '') !== ''")
    assert page.locator("#choice-refusal").inner_text() == (
        "There is no stream, video or folder of pictures at /nowhere.mp4."
    )
    assert page.locator("#choice-refusal").get_attribute("role") == "alert"
    assert page.locator("#looks").inner_text() == "Now: evening, 320×240."
    assert page.input_value("#address") == "/nowhere.mp4", "what was typed is there to be put right"


@pytest.mark.parametrize(
    ("language", "now", "refusal"),
    [
        (
            "de",
            "Jetzt: der Probetisch",
            "Unter /nowhere.mp4 ist kein Stream, kein Video und kein Ordner mit Bildern.",
        ),
        (
            "fr",
            "Maintenant\N{NO-BREAK SPACE}: la table",
            "Il n’y a ni flux, ni vidéo, ni dossier d’images à /nowhere.mp4.",
        ),
    ],
)
def test_without_script_and_in_other_languages(
    demo: Served, browser: Browser, language: str, now: str, refusal: str
):
    page = browser.new_context(java_script_enabled=False, locale=language).new_page()
    page.goto(demo.at("/camera"))
    assert page.locator("#looks").inner_text().startswith(now)
    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    assert page.locator("#trouble").inner_text() == refusal
    page.context.close()


def test_a_phone_takes_over_with_its_first_picture(demo: Served, page: Page, playwright: Playwright):
    """Two browsers: the host's page, and a phone whose camera Chromium makes up."""
    table = demo.house.table
    page.goto(demo.at("/camera"))
    page.click("#use-phone")
    page.wait_for_selector("#waits")
    says(page, "Waiting for a phone")
    words = page.locator("#waits").inner_text()
    assert "Tableside was started for this computer alone." in words
    assert "tableside serve --camera phone --lan --resume" in words
    assert table.eye is not None
    assert table.eye.name == "demo table", "until then the camera of now looks"

    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    other = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    try:
        phone = other.new_page()
        phone.set_default_timeout(WAIT)
        phone.goto(demo.at("/phone"))
        phone.click("#start")
        assert soon(lambda: table.eye is not None and table.eye.name == "phone")
        phone.wait_for_function(
            "() => document.getElementById('state')?.textContent.startsWith('The table sees')"
        )
        page.wait_for_function(
            "() => document.getElementById('looks')?.textContent.startsWith('Now: a phone')"
        )
        says(page, "Now: a phone")
        assert page.locator("#waits").count() == 0
        told = [notice.sentence() for notice in demo.house.announcer.after(0, None, 0.1, "").notices]
        assert "The phone is the camera now." in told  # on a slow machine more may have been said since
        # Back to the demo table, while the phone still sends.
        page.check("#camera-1")
        page.click("#use-camera")
        page.wait_for_function(
            "() => document.getElementById('looks')?.textContent.startsWith('Now: the demo table')"
        )
        phone.wait_for_function(
            "() => document.getElementById('state')?.textContent.includes('another camera')"
        )
        assert table.eye.name == "demo table"
    finally:
        other.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_cut_off(demo: Served, browser: Browser, width: int):
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(demo.at("/camera"))
    page.click("#use-phone")
    page.wait_for_selector("#waits")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()
