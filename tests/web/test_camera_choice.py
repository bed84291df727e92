"""Another camera from the page Camera: it takes effect in the middle of a match, is remembered, is refused whole."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from table.cameras.cameras import Cameras
from table.cameras.choice import CameraChoice, ChosenCamera
from table.storage.store import MatchStore, StoreError
from tests.fakes import shown
from tests.waiting import soon
from tests.web.serving import Served
from tests.web.tables import HERE, PIN, SCRIPTED, access_of, entered, player
from tests.web.test_camera_page import Pictures, table_picture
from tests.web.visitor import Visitor
from vision.camera.bounded import Bounded
from vision.camera.webcams import Webcam
from web.devices import Role

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
def webcam() -> Pictures:
    return Pictures(table_picture())


@pytest.fixture
def house(lay: Callable[..., House], data: Path, webcam: Pictures) -> House:
    """A match at the webcam of now, watched."""
    made = lay(
        camera=webcam, picture_wait=0.5, choice=CameraChoice("rtsp://u:secret@cam/1"),
        remember=ChosenCamera(data).keep,
    )  # fmt: skip
    made.open()
    assert made.table.cameras is not None
    assert made.table.cameras.view.whole(1, 60.0) is not None
    return made


def client(house: House) -> FlaskClient:
    return house.app.test_client()


def use(house: House, camera: str, **fields: str) -> TestResponse:
    return client(house).post("/camera/use", data={"camera": camera, **fields}, headers=SCRIPTED)


def name(house: House) -> str:
    assert house.table.cameras is not None
    return house.table.cameras.view.name


def seen(house: House) -> tuple[int, int] | None:
    assert house.table.cameras is not None
    return house.table.cameras.view.size


def html(house: House) -> str:
    return client(house).get("/camera").get_data(as_text=True)


def test_the_page_says_which_camera_looks_and_hides_its_password(house: House):
    shown = html(house)
    assert re.search(r'id="looks">Now using: the webcam, 640×480\.<', shown)
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
        assert f"Now using: {called}, {size[0]}×{size[1]}." in html(house)
        assert house.announcer.said("de") == f"Die Kamera ist jetzt {called}."
    assert shown(session).throw
    assert use(house, "demo").status_code == 204
    assert "Now using: the demo table, 960×720." in html(house)
    assert session.match.events == events, "the match goes on as it stood"
    assert house.table.session is session
    session.throw()  # the demo table throws by itself now
    assert len(session.match.events) == len(events) + 1


@pytest.mark.slow
def test_a_film_that_is_over_gives_way(house: House, films: tuple[Path, Path]):
    for picture in sorted(films[0].iterdir())[1:]:
        picture.unlink()
    use(house, "address", address=str(films[0]))
    assert soon(lambda: bool(shown(house.table.session).camera))
    assert shown(house.table.session).camera == "Pictures has stopped sending images."
    assert use(house, "demo").status_code == 204
    assert soon(lambda: not shown(house.table.session).camera)


REFUSED = (
    ({"camera": "address", "address": ""}, 422, "Enter an address of at most"),
    ({"camera": "address", "address": "file:///etc/passwd"}, 422, "An address must begin with rtsp"),
    ({"camera": "address", "address": "/etc/passwd"}, 422, "There is no stream, video or folder"),
    ({"camera": "address", "address": "rtsp://"}, 422, "is not a valid address"),
    ({"camera": "address", "address": "/dev/video97"}, 409, "/dev/video97 does not open; is the camera plugged in"),
    ({"camera": "/dev/video0"}, 422, "That camera is no longer connected."),
    ({"camera": "../../etc"}, 422, "That camera is no longer connected."),
    ({}, 422, "That camera is no longer connected."),
    ({"camera": "demo", "size": "huge"}, 422, "expected a size"),
    ({"camera": "address", "address": "/dev/video97", "size": "17x40"}, 409, "does not offer 17×40"),
    ({"camera": "address", "address": "http://127.0.0.1:9/stream"}, 409, "http://127.0.0.1:9/stream does not open"),
)


@pytest.mark.slow
def test_what_cannot_be_had_is_refused_in_a_sentence_and_the_old_one_goes_on(house: House, webcam: Pictures):
    for fields, status, said in REFUSED:
        answer = client(house).post("/camera/use", data=fields, headers=SCRIPTED)
        text = answer.get_data(as_text=True)
        assert (answer.status_code, text.count("\n")) == (status, 1), fields
        assert said.lower() in text.lower()
        assert name(house) == "the webcam"
        read = webcam.count
        assert soon(lambda read=read: webcam.count > read), "it is looked through still"


def test_the_choice_is_remembered_for_the_next_start(house: House, films: tuple[Path, Path], tmp_path: Path):
    use(house, "address", address=str(films[0]))
    chosen = ChosenCamera(tmp_path)
    assert chosen.read() == CameraChoice(str(films[0]))
    assert (tmp_path / "settings.toml").stat().st_mode & 0o077 == 0
    kept = house.table.session.store.store.matches()[0].setup
    assert kept["camera"] == str(films[0])
    assert CameraChoice("").after(chosen.read()).source == str(films[0])
    corners = {"x1": "10", "y1": "10", "x2": "90", "y2": "10", "x3": "90", "y3": "90", "x4": "10", "y4": "90"}
    client(house).post("/camera/region", data=corners, headers={"Origin": HERE})
    remembered = chosen.read()
    assert remembered is not None
    assert remembered.region == "0.1000,0.1000 0.9000,0.1000 0.9000,0.9000 0.1000,0.9000"
    assert ChosenCamera(tmp_path, "the other table").read() is None


def test_a_broken_memory_from_before_the_settings_is_none_and_makes_way(tmp_path: Path):
    path, hd = tmp_path / "camera.json", CameraChoice("0", (1280, 720), True)
    for broken in (b"", b"{", b"[]", b'{"places": 3}', b'{"places": {"": {"camera": 7}}}', b"\xff", b"[" * 9999):
        path.write_bytes(broken)
        (tmp_path / "settings.toml").unlink(missing_ok=True)
        assert ChosenCamera(tmp_path).read() is None
        ChosenCamera(tmp_path).keep(hd)
        assert ChosenCamera(tmp_path).read() == hd


def test_the_camera_moves_from_its_old_file_into_the_settings_and_its_password_does_not(tmp_path: Path):
    old, settings = tmp_path / "camera.json", tmp_path / "settings.toml"
    corners = "0.1000,0.1000 0.9000,0.1000 0.9000,0.9000 0.1000,0.9000"
    before = {"camera": "0", "size": "1280x720", "lock_exposure": True, "region": corners}
    old.write_text(json.dumps({"version": 1, "places": {"": before, "kitchen": {"camera": "phone"}}}))
    chosen = ChosenCamera(tmp_path)
    assert chosen.read() == CameraChoice("0", (1280, 720), True, region=corners)
    assert not settings.exists(), "looking changes nothing"
    chosen.keep(CameraChoice("0", (640, 480), True, region=corners))
    assert chosen.read() == CameraChoice("0", (640, 480), True, region=corners)
    assert tomllib.loads(settings.read_text("utf-8"))["camera"] == {
        "source": "0", "size": "640x480", "region": corners, "lock_exposure": True,
    }  # fmt: skip
    assert json.loads(old.read_text("utf-8"))["places"] == {"kitchen": {"camera": "phone"}}
    assert ChosenCamera(tmp_path, "kitchen").read() == CameraChoice("phone")
    secret = CameraChoice("http://ann:Geheim1@192.168.7.30/live?pwd=Geheim1", strict=True)
    chosen.keep(secret)
    assert chosen.read() == secret
    assert "Geheim1" not in settings.read_text("utf-8")
    assert old.stat().st_mode & 0o077 == 0
    settings.write_text(settings.read_text("utf-8").replace("192.168.7.30", "192.168.7.31"))
    assert chosen.read() == CameraChoice("http://192.168.7.31/live", strict=True), "an address typed there counts"
    chosen.keep(CameraChoice("demo"))
    assert "Geheim1" not in old.read_text("utf-8")


def test_a_disk_that_refuses_is_said_and_the_camera_is_changed(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(MatchStore, "set_up", Mock(side_effect=StoreError("the disk is full")))
    answer = use(house, "demo")
    assert answer.status_code == 409
    assert "was changed, but the choice was not saved: the disk is full" in answer.get_data(as_text=True)
    assert name(house) == "demo table"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")
def test_changes_leak_neither_descriptors_nor_threads(house: House, films: tuple[Path, Path]):
    """After the third change there are as many as after the twelfth."""
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
    change(9)
    assert soon(lambda: all(now <= then for now, then in zip(held(), before, strict=True))), f"before: {before}"


@pytest.mark.slow
def test_a_watching_device_and_a_player_change_nothing(lay: Callable[..., House]):
    made = lay(pin=PIN, choice=CameraChoice("demo"))
    access = access_of(made)
    for device in (made.app.test_client(), player(made, "Alice"), entered(made, access.code(Role.CAMERA))):
        for path in ("/camera/use", "/camera/phone", "/camera/phone/stop"):
            assert device.post(path, data={"camera": "demo"}, headers=SCRIPTED).status_code == 403
        shown = device.get("/camera").get_data(as_text=True)
        assert "Only the host can change the camera." in shown
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

    now_eye = Bounded(Pictures(table_picture()), markers=False)
    return Cameras(now_eye, CameraChoice(now), makes, there=lambda: there), asked, made


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
    assert "To use a phone, let devices on your network watch." in shown
    assert name(house) == "the webcam", "the current camera stays in use until the first picture"
    assert phone.post("/phone/picture", **{**sent, "data": b"nonsense"}).status_code == 400
    assert name(house) == "the webcam"
    assert phone.post("/phone/picture?first=1", **sent).status_code == 204
    assert name(house) == "phone"
    assert "Now using: a phone, 640×480." in html(house)
    assert house.table.session.latest().sentence() == "The phone is now the camera."
    for _ in range(3):
        assert phone.post("/phone/picture", **sent).status_code == 204
    refused = client(house).post("/camera/phone", headers=SCRIPTED)
    assert (refused.status_code, refused.get_data(as_text=True)) == (409, "A phone is already the camera.\n")
    assert use(house, "demo").status_code == 204
    assert phone.post("/phone/picture", **sent).status_code == 404, "it is not asked any more"


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


@pytest.fixture
def demo(serve: Callable[..., Served]) -> Served:
    """The demo table, which can be turned away from."""
    return serve(choice=CameraChoice("demo"), watched=True)


def test_another_camera_by_keyboard_is_announced_and_the_page_stays(
    demo: Served, visit: Callable[..., Visitor], films: tuple[Path, Path]
):
    demo.house.table.session.roll("1 1 1 2 2 2")
    events = demo.house.table.session.match.events
    alice = visit(demo, "/camera", rough=True)
    page = alice.page
    assert page.locator("#looks").inner_text().startswith("Now using: the demo table")
    assert not page.locator("#address").is_visible()
    assert not page.locator("#live-only").is_visible(), "a size is a webcam's"
    page.click("#choice-fold > summary")
    page.locator("#camera-1").focus()
    alice.press("ArrowDown")  # the last of the list: an address
    assert alice.focus == "address", "focus goes where the next thing is to be done"
    alice.type(str(films[0]))
    page.evaluate("window.mark = true")
    alice.press("Enter")
    alice.hears("Now using: pictures, 320×240.")
    assert page.locator("#looks").inner_text() == "Now using: pictures, 320×240."
    assert page.evaluate("window.mark"), "the page was not loaded anew"
    assert demo.house.table.session.match.events == events

    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    alice.sees("There is no stream, video or folder of pictures at /nowhere.mp4.", "#choice-refusal")
    assert page.locator("#choice-refusal").get_attribute("role") == "alert"
    assert page.locator("#looks").inner_text() == "Now using: pictures, 320×240."
    assert page.input_value("#address") == "/nowhere.mp4", "what was typed is there to be put right"


@pytest.mark.parametrize(
    ("language", "now", "refusal"),
    [
        ("de", "Jetzt: der Probetisch",
         "Unter /nowhere.mp4 gibt es keinen Stream, kein Video und keinen Ordner mit Fotos."),
        ("fr", "Actuellement",
         "Il n’y a ni flux, ni vidéo, ni dossier de photos à /nowhere.mp4."),
    ],
)  # fmt: skip
def test_without_script_and_in_other_languages(
    demo: Served, visit: Callable[..., Visitor], language: str, now: str, refusal: str
):
    page = visit(demo, "/camera", java_script_enabled=False, locale=language, rough=True).page
    assert page.locator("#looks").inner_text().startswith(now)
    page.click("#choice-fold > summary")
    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    assert page.locator("#trouble").inner_text() == refusal


def test_nothing_is_cut_off(demo: Served, visit: Callable[..., Visitor]):
    alice = visit(demo, "/camera", width=320)
    alice.page.click("#choice-fold > summary")
    alice.page.click("#use-phone")
    alice.page.wait_for_selector("#waits")
    assert alice.sideways <= 0
