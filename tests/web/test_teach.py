"""Teaching one's own dice: on the demo table in Chromium from end to end, from pictures, and what is refused."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient

from cli.compose import House, furnish
from scoring.games import find as find_game
from scoring.match import begin
from table.teaching.lesson import slug
from tests.waiting import soon
from tests.web.serving import Served
from tests.web.tables import app_of, html_of
from tests.web.visitor import Visitor
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.reader import Reader

FACES = ("star", "moon", "heart", "bolt", "drop", "house")


def test_names_become_ids():
    names = {"Zwei Füße!": "zwei-fusse", "  a b_c ": "a-b-c", "狐": "", "../etc": "etc", "x" * 99: "x" * 40}
    assert {name: slug(name) for name in names} == names


# --- without a camera


@pytest.fixture
def client(data: Path) -> FlaskClient:
    return app_of(begin(find_game("outback"), ["Ann", "Bob"])).test_client()


def posted(client: FlaskClient, path: str, **fields: object) -> tuple[int, str]:
    answer = client.post(f"/dice/teach/{path}", data=fields, headers={"X-Requested-With": "tableside"})
    return answer.status_code, answer.get_data(as_text=True)


def lesson(client: FlaskClient) -> str:
    html = html_of(client, "/dice/teach")
    found = re.search(r'data-said="([^"]*)"', html)
    assert found is not None, html[:400]
    return found[1].replace("&#39;", "'")


@cache
def shot(face: str, number: int) -> bytes:
    """A picture of a die that no set knows, as a camera sees it."""
    camera = DemoCamera(find("outback"), seed=100 + number, paced=False)
    camera.show([face] if face else [])
    frames = [camera.read() for _ in range(30)]
    assert frames[-1] is not None
    # JPEG: werkzeug's test client keeps larger uploads in a file that it does not close.
    return cv2.imencode(".jpg", frames[-1].pixels, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()


def photo(face: str, number: int = 0) -> io.BytesIO:
    """An upload of such a picture."""
    return io.BytesIO(shot(face, number))


@pytest.mark.slow
def test_dice_are_taught_from_pictures_alone_and_get_more_of_them(client: FlaskClient, data: Path):
    assert posted(client, "begin", title="My animals", shape=Shape.CUBE, faces="Star, Moon")[0] == 204
    assert lesson(client) == "Put a die under the camera with Star facing up."
    for face in ("star", "moon"):
        sent = [(photo(face), f"{face}-1.png"), (photo(face, 1), f"{face}-2.png")]
        assert posted(client, "pictures", picture=sent) == (204, "")
        assert lesson(client) == f"{face.capitalize()}: keep these 2?"
        assert posted(client, "keep", then="next")[0] == 204
    assert lesson(client) == "Kept Moon. Every face has a picture."
    assert (data / "lesson").exists()
    assert posted(client, "finish")[0] == 204
    assert not (data / "lesson").exists()
    html = html_of(client, "/dice/teach")
    assert "My animals is ready" in html
    assert "4 of 4 are named rightly." in html
    made = find("my-animals")
    assert (made.face_ids, made.face("star").label()) == (("star", "moon"), "Star")
    assert posted(client, "away")[0] == 204
    assert 'id="begin"' in html_of(client, "/dice/teach")

    assert client.post("/dice/outback/teach").status_code == 409, "leave a shipped one unchanged"
    assert client.post("/dice/my-animals/teach").status_code == 303
    assert "already has pictures" in html_of(client, "/dice/teach")
    posted(client, "pictures", picture=(photo("star", 2), "more.png"))
    posted(client, "keep", then="more")
    assert posted(client, "finish")[0] == 204
    assert [len(one.pictures) for one in find("my-animals").faces] == [3, 2]


@pytest.mark.slow
def test_dice_for_a_game_get_its_faces_and_names(client: FlaskClient):
    posted(client, "begin", title="Handmade", shape=Shape.CUBE, like="outback")
    html = html_of(client, "/dice/teach")
    assert "6 faces are missing" in html
    assert "monitor lizard" in html
    assert posted(client, "blank", face="joker", blank="yes")[0] == 204
    assert "5 faces are missing" in html_of(client, "/dice/teach")


@pytest.mark.slow
def test_an_offered_die_survives_a_reload_and_a_kept_one_is_let_go(client: FlaskClient):
    posted(client, "begin", title="One", shape=Shape.CUBE, faces="a, b")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    html = html_of(client, "/dice/teach")
    assert 'id="keep"' in html
    assert html_of(client, "/dice/teach") == html
    said = posted(client, "begin", title="Two", shape=Shape.CUBE)
    assert said == (409, "you are still teaching One; finish or discard it first.\n")
    shown = re.search(r'src="(/dice/teach/offer/\d+/1\.png)"', html)
    assert shown is not None
    assert client.get(shown[1]).mimetype == "image/png"
    posted(client, "keep", then="more")
    kept = re.search(r'src="(/dice/teach/kept/(\d+)\.png)"', html_of(client, "/dice/teach"))
    assert kept is not None
    assert client.get(kept[1]).mimetype == "image/png"
    posted(client, "forget", face="a", number=kept[2])
    assert lesson(client) == "A is missing again."


@pytest.mark.slow
def test_a_face_shown_twice_is_pointed_out_in_words(client: FlaskClient):
    posted(client, "begin", title="One", shape=Shape.CUBE, faces="first, second")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    posted(client, "keep", then="next")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    assert lesson(client) == (
        "This looks like first, which already has a picture. Did you turn the die? Second: keep it?"
    )


def test_what_cannot_be_taught_is_one_line(client: FlaskClient):
    for fields, said in (
        ({"title": "", "shape": Shape.CUBE}, "Expected a name for the set"),
        ({"title": "x" * 61, "shape": Shape.CUBE}, "Expected a name for the set"),
        ({"title": "???", "shape": Shape.CUBE}, "letters or digits"),
        ({"title": "Outback", "shape": Shape.CUBE}, "There is a set named 'outback' already"),
        ({"title": "Mine", "shape": "d20"}, "Expected the shape"),
        ({"title": "Mine"}, "Expected the shape"),
        ({"title": "Mine", "shape": Shape.CUBE, "faces": "a, A"}, "Expected every face once"),
        ({"title": "Mine", "shape": Shape.CUBE, "like": "nothing"}, "Expected a dice set"),
    ):
        status, words = posted(client, "begin", **fields)
        assert (status, words.count("\n")) == (409, 1)
        assert said in words
        assert 'id="begin"' in html_of(client, "/dice/teach")


@pytest.mark.slow
def test_pictures_that_are_none_are_refused_in_words(client: FlaskClient, monkeypatch: pytest.MonkeyPatch):
    posted(client, "begin", title="Mine", shape=Shape.CUBE, faces="a, b")
    for content, name, said in (
        (io.BytesIO(b"GIF89a"), "evil.gif", "evil.gif: expected a JPEG, PNG or WebP picture"),
        (io.BytesIO(b""), "..\\..\\empty.png", "empty.png is an empty file"),
        (photo(""), "table.png", "table.png: no die found; show a die with a facing up"),
    ):
        status, words = posted(client, "pictures", picture=(content, name))
        assert status == 409
        assert said.casefold() in words.casefold()
        assert "/tmp" not in words
    nine = [(photo("star"), "x.png") for _ in range(9)]
    assert posted(client, "pictures", picture=nine)[0] == 409
    monkeypatch.setattr("web.pages.teach.LARGEST_PICTURES", 1000)
    assert posted(client, "pictures", picture=(photo("star"), "star.png"))[0] == 413


@pytest.mark.slow
def test_nothing_is_done_where_nothing_is_taught(client: FlaskClient):
    for path in ("keep", "discard", "look", "forget", "drop", "blank", "pictures"):
        assert posted(client, path, number="1")[0] == 404, path
    for path in ("name", "finish", "away", "show"):
        assert posted(client, path, face="a")[0] == 409, path
    assert client.get("/dice/teach/kept/1.png").status_code == 404


def test_the_match_can_take_its_camera_back_and_teaching_waits(lay: Callable[..., House]):
    house = lay()
    house.open()
    client = house.app.test_client()

    def paused() -> bool:
        return house.table.session.latest().snapshot.paused

    def rests() -> bool:
        return 'id="resting"' in html_of(client, "/dice/teach")

    assert posted(client, "begin", title="Rest", shape=Shape.CUBE, faces="star, moon")[0] == 204
    assert soon(paused)
    house.table.go_on()
    assert not paused()
    assert soon(rests)
    assert posted(client, "look")[0] == 204
    assert soon(paused)
    assert soon(lambda: not rests())
    assert posted(client, "away")[0] == 204
    assert not paused()


# --- on the demo table, in a browser


class Student(Visitor):
    """Teaches dice on the page: says what the set is called, and which faces it has."""

    def begins(self, title: str) -> None:
        self.page.fill("#title", title)
        self.page.fill("#faces", ", ".join(FACES))
        self.page.locator("#start").press("Enter")
        self.hears("Put a die under the camera with star facing up.")


@pytest.fixture
def student(serve: Callable[..., Served], visit: Callable[..., Student], data: Path) -> Student:
    """At the demo table as it comes."""
    camera = DemoCamera(find("fate"), seed=11)
    house = furnish(camera, game="meet-fate", dice_set=find("fate"), players=["Alice", "Bob"], thrower=camera)
    return visit(serve(house=house, watched=True), "/dice/teach", kind=Student)


def test_strange_dice_are_taught_by_keyboard_and_ear_and_then_read(student: Student):
    """No fake in the way: the demo's camera, the shipped networks, the page, and only what the live region says."""
    page = student.page
    student.begins("Weather dice")
    for face in FACES:
        page.locator(f"#show-{face}").press("Enter")
        student.hears(f"{face.capitalize()}: keep it?")
        student.press("k")
        page.wait_for_selector("#keep", state="detached")
        assert student.focus == f"show-{face}", "focus stays where it was"
    student.hears("Every face has a picture.")
    student.press("r")
    student.hears("Every face has a picture.\u00a0")
    page.locator("#finish").press("Enter")
    page.wait_for_selector("#done")
    student.hears("Weather dice is made: 6 faces.")
    page.locator("#done").press("Enter")
    page.wait_for_url("**/dice/weather-dice")
    camera = DemoCamera(find("outback"), seed=7, paced=False)
    camera.show(FACES)
    frame = [camera.read() for _ in range(40)][-1]
    assert frame is not None
    truth = sorted(die.face for die in camera.truth())
    reading = Reader(find("weather-dice")).read(frame.pixels)
    assert sorted(die.face for die in reading.dice) == truth == sorted(FACES)


def test_six_different_dice_never_become_one_face(student: Student):
    """Every key and button, while six dice lie there that nobody has named."""
    page = student.page
    student.begins("Six")

    def kept() -> list[str]:
        return page.locator(".taught-face:has(.shot) strong").all_text_contents()

    page.click("#show-all")
    student.hears("Name each of them, or leave it out.")
    student.press(*"karw")
    student.hears("Missing:")
    student.press("k")
    student.hears("Name each die or leave it out.")
    assert page.is_disabled("#keep")
    assert page.is_disabled("#keep-more")
    for number in range(1, 6):
        page.select_option(f"#die-{number}", FACES[number - 1])
    assert page.is_disabled("#keep"), "one die has no name yet"
    page.select_option("#die-6", "star")
    page.click("#keep")
    student.sees("look different: they cannot all be star", "#refusal")
    student.press("n")
    student.hears("Not kept.")
    student.press("l")
    student.hears("Name each of them, or leave it out.")
    assert kept() == []
    page.click("#show-moon")  # another die lies there now: the question is about that one
    student.hears("Star: keep it?")
    page.click("#name-moon")
    page.wait_for_selector(".offered", state="detached")
    page.click("#show-all")
    student.hears("Name each of them, or leave it out.")
    for number in range(1, 7):
        page.select_option(f"#die-{number}", label="leave out")
    page.select_option("#die-3", "moon")
    page.locator("#keep").press("Enter")
    student.hears("Kept moon.")
    assert kept() == ["moon"]
    page.click("#away-ask summary")
    page.click("#away")
    page.wait_for_url("**/dice")
    assert not student.session.latest().snapshot.paused
    assert not list(Path(find("fate").folder).parent.glob("six"))
