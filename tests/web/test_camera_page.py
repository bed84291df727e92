"""The page Camera: what it says of the picture, and the region of the table from the page to the next evening."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from cli.looking import camera_of
from scoring.games import find as find_game
from scoring.match import begin
from table.cameras.cameras import thrower_of
from table.cameras.choice import CameraChoice, choice_of
from table.new_match import NewMatch
from table.storage.store import MatchStore, StoreError
from tests.fakes import die, reading, shown
from tests.waiting import WAIT, soon
from tests.web import tables
from tests.web.tables import HERE
from vision import quality
from vision.camera import PushedFrames
from vision.camera.bounded import Bounded
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.frame import Frame, Pixels
from vision.quality import Stream, look_over
from vision.region import Region, region_at

CORNERS = {"x1": "20", "y1": "10", "x2": "80", "y2": "10", "x3": "80", "y3": "90", "x4": "20", "y4": "90"}
SAME = "0.2000,0.1000 0.8000,0.1000 0.8000,0.9000 0.2000,0.9000"


@dataclass
class Pictures:
    """A camera that gives what it is handed, as often as it is asked."""

    pixels: Pixels
    name: str = "the webcam"
    live: bool = True
    count: int = 0

    def open(self) -> None: ...
    def close(self) -> None: ...

    def read(self) -> Frame | None:
        time.sleep(0.005)
        self.count += 1
        grain = np.full_like(self.pixels, self.count % 3)
        pixels = np.asarray(cv2.add(self.pixels, grain), np.uint8)
        return Frame(pixels, self.count, self.count / 30, self.name)


def table_picture() -> Pixels:
    """A brown table with dice-like squares."""
    picture = np.full((480, 640, 3), (60, 90, 120), np.uint8)
    for x in (200, 300, 400):
        picture[200:260, x : x + 60] = 235
        picture[220:240, x + 20 : x + 40] = 30
    return picture


def markers_on(picture: Pixels) -> Pixels:
    aruco = cv2.aruco
    cards = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    for number, (x, y) in enumerate([(40, 40), (540, 60), (520, 380), (30, 360)]):
        picture[y - 10 : y + 60, x - 10 : x + 60] = 245
        picture[y : y + 50, x : x + 50] = aruco.generateImageMarker(cards, number, 50)[..., None]
    return picture


@pytest.fixture
def camera() -> Pictures:
    return Pictures(table_picture())


@pytest.fixture
def house(lay: Callable[..., House], camera: Pictures) -> House:
    return lay(camera=camera, picture_wait=0.5)


@pytest.fixture
def seeing(house: House) -> House:
    """A table that is being watched."""
    house.open()
    eye = house.table.cameras
    assert eye is not None
    assert eye.view.whole(1, WAIT) is not None
    return house


def client_of(house: House) -> FlaskClient:
    return house.app.test_client()


def post(house: House, path: str, **fields: str) -> TestResponse:
    return tables.post(client_of(house), path, {"Origin": HERE}, **fields)


def html_of(house: House) -> str:
    return tables.html_of(client_of(house), "/camera")


def picture_of(house: House) -> Pixels:
    """What the watcher looks at, as pages get it."""
    assert house.table.watcher is not None
    latest = house.table.watcher.picture(-1, WAIT)
    assert latest is not None
    decoded = cv2.imdecode(np.frombuffer(latest[1], np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


def test_the_page_stands_without_a_picture_yet(house: House):
    html = html_of(house)
    assert "Tableside looks at the full image." in html
    assert "No scoreboard, voice or smart home is connected." in html
    assert "--" not in re.sub(r"<!--.*?-->", "", html), "no command line on a page"
    advice = client_of(house).get("/camera/advice").get_data(as_text=True)
    assert "No camera image yet." in advice
    for after in ("?after=", "?after=-5", f"?after={'9' * 99}"):
        assert client_of(house).get(f"/camera/picture{after}").status_code == 204


@pytest.mark.slow
def test_the_picture_and_what_it_is_like(seeing: House):
    answer = client_of(seeing).get("/camera/picture?after=-1")
    assert answer.data.startswith(b"\xff\xd8")
    assert int(answer.headers["X-Frame"]) > 0
    advice = client_of(seeing).get("/camera/advice").get_data(as_text=True)
    assert re.search(r"640×480, \d+ fps", advice)
    assert "Bright enough." in advice
    assert "No dice found: put some on the table." in advice
    assert advice.count("not known yet") == 2, "focus and size"


def test_a_region_takes_effect_at_once_and_is_kept_for_the_next_time(seeing: House):
    assert picture_of(seeing).shape == (480, 640, 3)
    assert post(seeing, "/camera/region", **CORNERS).status_code == 303
    assert soon(lambda: seeing.table.cameras is not None and seeing.table.cameras.view.shown() == (128, 48, 512, 432))
    assert soon(lambda: picture_of(seeing).shape == (384, 384, 3)), "pages show the region"
    html = html_of(seeing)
    assert "Tableside looks only inside this area." in html
    assert re.search(r'id="x1"[^>]* value="20.0"', html)
    kept = seeing.table.session.store.store.matches()[0]
    assert kept.setup["region"] == SAME
    assert post(seeing, "/camera/whole").status_code == 303
    assert soon(lambda: seeing.table.cameras is not None and seeing.table.cameras.view.shown() == (0, 0, 640, 480))
    assert "region" not in seeing.table.session.store.store.matches()[0].setup


def test_the_region_stays_when_another_match_begins_or_is_gone_on_with(seeing: House):
    table, first = seeing.table, seeing.table.session
    first.roll("1 1 1 2 2 2")
    post(seeing, "/camera/region", **CORNERS)
    table.begin(NewMatch("meet-fate", ("Ann",)), first.store.id)
    second = table.session
    assert {one.id: one.setup.get("region") for one in first.store.store.matches()} == {
        first.store.id: SAME, second.store.id: SAME,
    }  # fmt: skip
    post(seeing, "/camera/whole")
    table.resume(first.store.id, second.store.id)
    setups = {one.id: one.setup for one in first.store.store.matches()}
    assert "region" not in setups[first.store.id], "the camera is now as it is, whatever it was then"


def test_corners_that_are_none_are_refused_and_stay_as_typed(house: House):
    for wrong in (
        {"x1": ""}, {"x1": "left"}, {"x1": "-1"}, {"y3": "101"}, {"x2": "nan"}, {"x1": "inf"},
        {"x1": "80", "x2": "20"}, {"x2": "20.1", "x3": "20.1"},
    ):  # fmt: skip
        answer = post(house, "/camera/region", **{**CORNERS, **wrong})
        html = answer.get_data(as_text=True)
        assert answer.status_code == 422
        assert "Enter the corners in order around the table." in html
        for name, value in wrong.items():
            assert re.search(rf'id="{name}"[^>]* value="{re.escape(value)}"', html)
        assert house.table.cameras is not None
        assert house.table.cameras.corners is None


def test_a_comma_is_a_decimal_point_too(house: House):
    assert post(house, "/camera/region", **{**CORNERS, "x1": "20,5"}).status_code == 303
    assert house.table.cameras is not None
    assert house.table.cameras.corners is not None
    assert house.table.cameras.corners[0] == (0.205, 0.1)


def test_the_markers_are_found(seeing: House, camera: Pictures):
    camera.pixels = markers_on(table_picture())
    assert post(seeing, "/camera/markers").status_code == 303
    assert seeing.table.cameras is not None
    region = seeing.table.cameras.corners
    assert region is not None
    expected = [(90 / 640, 90 / 480), (540 / 640, 110 / 480), (520 / 640, 380 / 480), (80 / 640, 360 / 480)]
    assert np.allclose(region, expected, atol=0.01)


def test_markers_that_are_not_there_are_said_which(seeing: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.pages.camera.MARKERS_WITHIN", 0.2)
    answer = post(seeing, "/camera/markers")
    assert answer.status_code == 409
    said = "The camera must see markers 0, 1, 2 and 3; it sees: none."
    assert said in answer.get_data(as_text=True)
    printed = client_of(seeing).get("/camera/markers.pdf")
    assert printed.data.startswith(b"%PDF")


def test_a_match_begun_with_a_region_begins_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """From the page to `--again`: what serve would make of the setup."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    eye = CameraChoice("").after(choice_of({"camera": "phone", "region": SAME}))
    camera = camera_of(eye)
    assert isinstance(camera, Bounded)
    assert camera.region is not None
    assert camera.region.corners == region_at(SAME).corners
    assert CameraChoice("0").after(choice_of({"region": SAME})).region == SAME


def test_a_table_without_a_camera_says_so(data: Path):
    client = tables.app_of(begin(find_game("meet-fate"), ["Ann"])).test_client()
    assert "This table has no camera. Type in each roll." in client.get("/camera").get_data(as_text=True)
    for path in ("/camera/picture", "/camera/advice"):
        assert client.get(path).status_code == 404
    answer = client.post("/camera/region", data=CORNERS, headers={"Origin": HERE})
    assert answer.status_code == 422
    assert "This table has no camera." in answer.get_data(as_text=True)


def test_a_disk_that_refuses_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(MatchStore, "set_up", Mock(side_effect=StoreError("the disk is full")))
    answer = post(house, "/camera/region", **CORNERS)
    assert answer.status_code == 503
    assert "The disk is full." in answer.get_data(as_text=True)
    assert house.table.cameras is not None
    assert house.table.cameras.corners is None


# --- the dice stay the same ones


def test_dice_that_lie_there_are_no_throw_when_the_region_changes(lay: Callable[..., House]):
    session = lay().table.session
    faces = "222255"
    session.saw(reading(*(die(face, 100.0 * i, 200.0) for i, face in enumerate(faces, 2))))
    events = session.match.events
    session.view_moved((-64.0, -48.0), (512, 384))
    told = shown(session)
    assert told.picture_size == (512, 384)
    assert told.dice[0].corners[0] == (200.0 - 64, 160.0 - 48), "the outlines move with the picture"
    session.saw(reading(*(die(face, 100.0 * i - 64, 200.0 - 48) for i, face in enumerate(faces, 2))))
    assert session.match.events == events
    assert shown(session).question == ""
    session.hold(1)
    assert shown(session).dice[0].held


def test_the_demo_table_keeps_the_dice_that_are_held_whatever_is_looked_at():
    camera = DemoCamera(find_set("fate"), seed=4, size=(640, 480), paced=False)
    eye = Bounded(camera, region_at("0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"), markers=False)
    table = thrower_of(eye)
    assert table is not None
    eye.open()
    eye.read()
    table.throw()
    before = camera.truth()
    x, y = np.mean(before[2].corners, axis=0)
    table.throw([(float(x) - 64, float(y) - 48)])
    assert camera.truth()[2] == before[2]


# --- the eye


def test_a_phone_pushes_into_whatever_region_there_is():
    phone = PushedFrames()
    eye = Bounded(phone, Region(((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0))))
    assert eye.push is not None
    eye.open()
    coded = cv2.imencode(".jpg", np.full((100, 200, 3), 90, np.uint8))[1].tobytes()
    assert eye.push(coded)
    frame = eye.read()
    assert frame is not None
    assert frame.pixels.shape == (100, 100, 3)
    assert eye.size == (200, 100)
    assert eye.outer((3.0, 4.0)) == (3.0, 4.0)


def test_a_change_is_told_before_the_first_frame_of_it():
    told: list[object] = []
    camera = Pictures(table_picture())
    eye = Bounded(camera, markers=False)
    eye.listen(Mock(view_moved=lambda move, size: told.append((move, size))))
    eye.read()
    eye.bound(region_at(SAME))
    assert told == []
    frame = eye.read()
    assert told == [((-128.0, -48.0), (384, 384))]
    assert frame is not None
    assert frame.pixels.shape == (384, 384, 3)
    eye.bound(None)
    eye.read()
    assert told[1:] == [((128.0, 48.0), (640, 480))]


def test_whoever_waits_for_a_picture_gets_the_newest():
    eye = Bounded(Pictures(table_picture()), markers=False)
    assert eye.whole(-1, 0.0) is None
    thread = threading.Thread(target=lambda: (time.sleep(0.05), eye.read()))
    thread.start()
    got = eye.whole(0, WAIT)
    thread.join()
    assert got is not None
    assert eye.whole(got[0], 0.0) is None


# --- the judgement


WIDE, NARROW = (200.0, 200.0, 260.0, 260.0), (200.0, 200.0, 219.0, 260.0)
TABLE, LIT = table_picture(), (100.0,)
BLURRED = np.asarray(cv2.GaussianBlur(TABLE, (0, 0), 8), np.uint8)
BLACK, WHITE = np.zeros_like(TABLE), np.full_like(TABLE, 255)


@pytest.mark.parametrize(
    ("pixels", "boxes", "stream", "fine", "words"),
    [
        (TABLE, [WIDE], Stream(640, 480, 30, LIT), True, "Large enough. (smallest die 60 px wide"),
        (TABLE, [NARROW], Stream(640, 480, 30, LIT), False, "move the camera closer or choose 1920×1080."),
        (TABLE, [NARROW], Stream(1920, 1080, 30, LIT), False, "2560×1440. (smallest die 19 px wide (minimum 28 px))"),
        (TABLE, [], Stream(640, 480, 30, LIT), None, "No dice found"),
        (TABLE, [], Stream(640, 480, 4, LIT), False, "Only 4 fps"),
        (TABLE, [WIDE], Stream(640, 480, None, LIT), True, "640×480, a recording"),
        (TABLE, [WIDE], Stream(640, 480, 30, (90.0, 120.0)), True, "lock the exposure if the camera can. (brightness"),
        (TABLE, [WIDE], Stream(640, 480, 30, LIT), True, "in focus"),
        (BLACK, [], Stream(640, 480, 30, (2.0,)), False, "Too dark"),
        (WHITE, [], Stream(640, 480, 30, (255.0,)), False, "Too bright"),
        (BLURRED, [WIDE], Stream(640, 480, 30, LIT), False, "out of focus"),
    ],
)
def test_what_is_said_of_a_picture(
    pixels: Pixels, boxes: list[tuple[float, float, float, float]], stream: Stream, fine: bool | None, words: str
):
    remarks = look_over(pixels, boxes, stream)
    (said,) = [remark for remark in remarks if words in remark.words]
    assert said.fine is fine


def test_every_remark_can_be_translated():
    spoken = {value for name, value in vars(quality).items() if name.isupper() and isinstance(value, str)}
    assert spoken - quality.ONLY_SAID == set(quality.TEMPLATES)
