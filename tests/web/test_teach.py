"""Teaching one's own dice: on the demo table in Chromium from end to end, from pictures, and what is refused."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient

from cli.compose import House, furnish
from scoring.games import find as find_game
from scoring.match import begin
from table.teaching.names import checked, id_of
from tests.waiting import soon
from tests.web.serving import Served
from tests.web.tables import app_of, html_of
from tests.web.visitor import Visitor
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.reader import Reader
from web.pages import teach

FACES = ("star", "moon", "heart", "bolt", "drop", "house")


def test_names_become_ids():
    names = {"Zwei Füße!": "zwei-fusse", "  a b_c ": "a-b-c", "狐": "face", "../etc": "etc", "x" * 99: "x" * 40}
    assert {name: id_of(name, "face") for name in names} == names
    assert id_of("狐", "face", ["face", "face-2"]) == "face-3"


def test_a_name_may_have_any_letters_and_what_it_may_not_have_is_said():
    assert [checked(name) for name in ("猫", " Zwei  Füße ", "7")] == ["猫", "Zwei Füße", "7"]
    wrong = {"": "a letter or a digit", "?!": "a letter or a digit", "x" * 61: "at most 60", "a\x07": "shown"}
    for name, said in wrong.items():
        with pytest.raises(ValueError, match=said):
            checked(name)


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


def saved(client: FlaskClient, **fields: str) -> tuple[int, str]:
    return posted(client, "finish", **{"title": "Mine", "shape": Shape.CUBE, **fields})


@pytest.mark.slow
def test_a_change_while_the_page_is_being_told_of_another_is_told_too(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
):
    assert posted(client, "begin")[0] == 204
    assert posted(client, "name", face="Moon")[0] == 204
    shown, named = teach._shown, []

    def slowly() -> dict[str, object]:
        made = shown()
        if not named:
            named.append(posted(client, "name", face="Heart"))
        return made

    monkeypatch.setattr(teach, "_shown", slowly)
    answer = client.get("/dice/teach/events?after=0", buffered=False)
    parts = [part for part in islice(answer.iter_encoded(), 3) if b"event: lesson" in part]  # the first is a greeting
    told = [json.loads(part.split(b"data: ", 1)[1])["sentence"] for part in parts]
    assert told == [f"Put a die under the camera with {face} facing up." for face in ("Moon", "Heart")]
    answer.close()
    assert named == [(204, "")]


@pytest.mark.slow
def test_dice_are_taught_from_pictures_alone_and_get_more_of_them(client: FlaskClient, data: Path):
    assert posted(client, "begin")[0] == 204
    assert lesson(client) == "Put a die under the camera."
    for face in ("Star", "Moon"):
        sent = [(photo(face.lower()), "1.png"), (photo(face.lower(), 1), "2.png")]
        assert posted(client, "pictures", picture=sent) == (204, "")
        assert lesson(client) == "What is on top of these 2 dice?"
        assert posted(client, "keep", face=face)[0] == 204
    assert lesson(client) == "Kept Moon. Show another face, or save the dice."
    assert (data / "lesson").exists()
    answer = client.post("/dice/teach/finish", data={"title": "My animals", "shape": Shape.CUBE})
    assert answer.headers["Location"] == "/dice/my-animals?done=taught#done"
    assert not (data / "lesson").exists()
    html = html_of(client, answer.headers["Location"])
    assert "Your dice are saved." in html
    assert "4 of 4 pictures recognised." in html
    made = find("my-animals")
    assert (made.face_ids, made.face("star").label()) == (("star", "moon"), "Star")
    assert 'id="start"' in html_of(client, "/dice/teach")

    assert client.post("/dice/outback/teach").status_code == 409, "a shipped one stays as it is"
    assert client.post("/dice/my-animals/teach").status_code == 303
    html = html_of(client, "/dice/teach")
    assert "Add pictures to My animals" in html
    assert "already has pictures" in html
    posted(client, "pictures", picture=(photo("star", 2), "more.png"))
    posted(client, "keep", known="star")
    assert posted(client, "finish")[0] == 204
    assert [len(one.pictures) for one in find("my-animals").faces] == [3, 2]


@pytest.mark.slow
def test_dice_for_a_game_get_its_faces_and_names(client: FlaskClient):
    posted(client, "begin")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    posted(client, "keep", face="Monitor Lizard")
    posted(client, "like", like="outback")
    html = html_of(client, "/dice/teach")
    assert "5 faces are missing" in html
    assert html.count('data-name="monitor lizard"') == 1
    assert 'id="face-monitor-lizard"' in html
    assert posted(client, "blank", face="joker", blank="yes")[0] == 204
    assert "4 faces are missing" in html_of(client, "/dice/teach")
    assert saved(client)[1].startswith("Every face needs a picture; still missing: emu, kangaroo")


@pytest.mark.slow
def test_an_offered_die_survives_a_reload_and_a_kept_one_is_let_go(client: FlaskClient):
    posted(client, "begin")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    html = html_of(client, "/dice/teach")
    assert 'id="keep"' in html
    assert html_of(client, "/dice/teach") == html
    assert posted(client, "begin")[0] == 204, "whoever begins anew goes on"
    assert html_of(client, "/dice/teach").count('id="keep"') == 1
    shown = re.search(r'src="(/dice/teach/offer/\d+/1\.png)"', html)
    assert shown is not None
    assert client.get(shown[1]).mimetype == "image/png"
    assert posted(client, "keep", offer="99", face="a")[0] == 409, "that was said of other dice"
    posted(client, "keep", face="猫")
    kept = re.search(r'src="(/dice/teach/kept/(\d+)\.png)"', html_of(client, "/dice/teach"))
    assert kept is not None
    assert client.get(kept[1]).mimetype == "image/png"
    posted(client, "rename", face="face", name="b")
    assert lesson(client) == "Renamed 猫 to b."
    posted(client, "forget", face="b", number=kept[2])
    assert lesson(client) == "Picture deleted; b is missing again."


@pytest.mark.slow
def test_a_face_shown_twice_is_pointed_out_in_words(client: FlaskClient):
    posted(client, "begin")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    posted(client, "keep", face="first")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    assert lesson(client) == "What is on top? It looks like first."
    posted(client, "discard")
    posted(client, "name", face="second")
    posted(client, "pictures", picture=(photo("star"), "star.png"))
    assert lesson(client).endswith("Is this second?")
    assert "first" in lesson(client)


@pytest.mark.slow
def test_what_cannot_be_saved_is_one_line(client: FlaskClient):
    posted(client, "begin")
    for face in ("star", "moon"):
        posted(client, "pictures", picture=(photo(face), "x.png"))
        posted(client, "keep", face=face)
    for fields, said in (
        ({"title": ""}, "a letter or a digit"),
        ({"title": "x" * 61}, "at most 60 characters"),
        ({"title": "???"}, "a letter or a digit"),
        ({"title": "Outback animals"}, "“Outback animals” already exists"),
        ({"shape": "d20"}, "hoose the shape"),
        ({"shape": ""}, "hoose the shape"),
        ({"shape": Shape.OCTAHEDRON}, "some pictures show a d6"),
        ({"like": "nothing"}, "there is no dice set"),
        ({"like": "pips"}, "still missing"),
    ):
        status, words = saved(client, **fields)
        assert (status, words.count("\n")) == (409, 1)
        assert said.casefold() in words.casefold()


@pytest.mark.slow
def test_pictures_that_are_none_are_refused_in_words(client: FlaskClient, monkeypatch: pytest.MonkeyPatch):
    posted(client, "begin")
    for content, name, said in (
        (io.BytesIO(b"GIF89a"), "evil.gif", "evil.gif is not a JPEG, PNG or WebP picture"),
        (io.BytesIO(b""), "..\\..\\empty.png", "empty.png is an empty file"),
        (photo(""), "table.png", "table.png: no die found; take the picture from above"),
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
    for path in ("name", "rename", "like", "finish", "away", "show"):
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

    assert posted(client, "begin")[0] == 204
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
    """Teaches dice on the page, by keyboard."""

    def begins(self) -> None:
        self.page.locator("#start").press("Enter")
        self.hears("Put a die under the camera.")


@pytest.fixture
def student(serve: Callable[..., Served], visit: Callable[..., Student], data: Path) -> Student:
    """At the demo table as it comes."""
    camera = DemoCamera(find("fate"), seed=11)
    house = furnish(camera, game="meet-fate", dice_set=find("fate"), players=["Alice", "Bob"], thrower=camera)
    return visit(serve(house=house, watched=True), "/dice/teach", kind=Student)


def test_strange_dice_are_taught_by_keyboard_and_ear_and_then_read(student: Student):
    """No fake in the way: the demo's camera, the shipped networks, the page, and only what the live region says."""
    page = student.page
    student.begins()
    for face in FACES:
        page.locator(f"#show-{face}").press("Enter")
        student.hears("What is on top?")
        page.wait_for_function("() => document.activeElement.id === 'face'")
        page.wait_for_function("() => document.querySelector('.face-shot').complete")
        assert page.is_disabled("#keep"), "nothing is named yet"
        student.type(face)
        student.press("Enter")
        student.hears(f"Kept {face}.")
        page.wait_for_selector("#keep", state="detached")
    student.hears("Show another face, or save the dice.")
    page.locator("#look").focus()
    student.press("r")
    student.hears("Show another face, or save the dice.\u00a0")
    student.press("w")
    student.hears("star: 1 picture.")
    page.locator("#save-ask summary").press("Enter")
    assert page.input_value("#title") == "My dice"
    page.fill("#title", "Weather dice")
    student.press("Enter")
    page.wait_for_url("**/dice/weather-dice*")
    student.sees("Your dice are saved.", "#done")
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
    student.begins()

    def kept() -> list[str]:
        return page.locator(".taught li:has(.thumb img) strong").all_text_contents()

    page.click("#show-all")
    student.hears("Name each die or leave it out.")
    page.locator("#show-all").focus()
    student.press(*"rwk")
    assert page.is_disabled("#keep")
    assert student.focus == "die-1", "K leads to what is to be named"
    assert all(not one.input_value() for one in page.locator(".seen-die input[type=text]").all()), "no preset answer"
    for number in range(1, 6):
        student.type(FACES[number - 1])
        student.press("Enter")
    assert student.focus == "die-6"
    assert page.is_disabled("#keep"), "one die has no name yet"
    student.type("star")
    page.click("#keep")
    student.sees("look different, so they cannot all be star", "#refusal")
    page.locator("#discard").press("Enter")
    student.hears("Not kept.")
    page.locator("#look").press("l")
    student.hears("Name each die or leave it out.")
    assert kept() == []
    page.click("#show-moon")  # another die lies there now: the question is about that one
    page.wait_for_selector("#face")
    page.click("#show-all")
    page.wait_for_selector("#die-6")
    for number in range(1, 7):
        page.check(f"#leave-{number}")
    assert page.is_disabled("#keep"), "nothing would be kept"
    page.fill("#die-3", "moon")
    assert not page.is_checked("#leave-3")
    page.locator("#keep").press("Enter")
    student.hears("Kept moon.")
    assert kept() == ["moon"]
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.click("#away")
    page.wait_for_url("**/dice")
    assert not student.session.latest().snapshot.paused


def test_dice_are_dragged_or_tapped_onto_names(student: Student):
    page = student.page
    student.begins()
    page.click("#show-star")
    student.hears("What is on top?")
    page.fill("#face", "star")
    student.press("Enter")
    student.hears("Kept star.")
    page.click("#more > summary")
    page.fill("#new-face", "moon")
    student.press("Enter")
    page.wait_for_selector("#face-moon")
    page.click("#show-all")
    page.wait_for_selector("#die-6")
    shot, onto = page.locator(".shot >> nth=1").bounding_box(), page.locator("#as-moon").bounding_box()
    assert shot is not None
    assert onto is not None
    page.mouse.move(shot["x"] + 40, shot["y"] + 40)
    page.mouse.down()
    page.mouse.move(onto["x"] + 20, onto["y"] + 20, steps=5)
    assert page.locator(".ghost").count() == 1
    page.mouse.up()
    assert page.input_value("#die-2") == "moon"
    student.hears("Die 2: moon")
    assert student.focus == "die-1", "the next one that waits for a name"
    page.click("#as-star")
    assert page.input_value("#die-1") == "star"
    for _ in range(4):
        page.click("#as-none")
    assert page.is_checked("#leave-6")
    assert page.is_enabled("#keep")
    assert student.focus == "keep"
