"""The pages of the dice sets: what is on each face, bad examples, names, sets that travel, stickers, deleting."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.compose import pages_of
from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.storage.store import Store
from table.table import Table
from tests.vision.enrol.shots import PaperFinder, paper
from tests.vision.enrol.shots import table as table_with
from tests.web.tables import app_of, html_of
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find, own_sets
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.enrol import Wish, keep, take
from vision.enrol.examples import SetExamples
from vision.enrol.shown import Shown
from web.announcer import Announcer

FACES = ("emu", "koala", "joker")


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return Matcher()


@pytest.fixture
def client(data: Path) -> FlaskClient:
    return app_of(begin(find_game("meet-fate"), ["Ann", "Bob"])).test_client()


Make = Callable[..., str]


@pytest.fixture(scope="module")
def workshop(matcher: Matcher, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a set of one's own: two pictures a face, as `wrong` a face that is shown as another one, and for a `twin` a
    face more that looks like it. What was made once is not made again."""

    @cache
    def make(set_id: str, wrong: tuple[str, str] | None, twin: str) -> Path:
        shows = {face: face for face in FACES} | ({"twin": twin} if twin else {})
        note = SetNote(set_id, {"en": "My animals"}, (Shape.CUBE,), tuple(FaceNote(face) for face in shows))
        seen = [(face, look, f"{face}.jpg", ((200, 160), turn)) for face, look in shows.items() for turn in (20, 110)]
        if wrong is not None:
            seen.append((wrong[1], wrong[0], "wrong.jpg", ((220, 150), 40)))
        taken: list[Shown] = []
        for face, look, name, place in seen:
            taken += take(PaperFinder(), matcher, table_with((paper(look), *place)), (Shape.CUBE,), face, name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TABLESIDE_DATA", str(tmp_path_factory.mktemp("made")))
            keep(Wish(note, {}), taken, matcher)
            return own_sets() / set_id

    return make


@pytest.fixture
def own(client: FlaskClient, workshop: Callable[..., Path]) -> Make:
    """Puts such a set among the player's own."""

    def make(set_id: str = "mine", wrong: tuple[str, str] | None = None, twin: str = "") -> str:
        shutil.copytree(workshop(set_id, wrong, twin), own_sets() / set_id)
        return set_id

    return make


def pictures_on(client: FlaskClient, html: str) -> int:
    """How many pictures a page has; every one of them is there."""
    found = set(re.findall(r'<image href="([^"]+)"', html))
    for path in found:
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (200, f"image/{path.rpartition('.')[2]}"), path
    return len(found)


def test_every_set_is_listed_with_its_faces_drawn(client: FlaskClient, own: Make):
    own()
    html = html_of(client, "/dice")
    for name in ("Cat dice", "Meet Fate numerals", "Outback animals", "Outlander Destiny Dice", "Pips", "My animals"):
        assert name in html
    assert pictures_on(client, html) == 6 + 8 + 6 + 8 + 6 + 6 + 3
    assert 'aria-label="kangaroo"' in html
    assert "your own" in html
    assert "on the table now" in html


def test_a_set_shows_its_examples_and_what_leaving_each_out_says(client: FlaskClient, own: Make):
    own()
    html = html_of(client, "/dice/mine")
    assert pictures_on(client, html) == 6
    assert "6 of 6 pictures recognised." in html
    assert html.count("From teaching, ") == 6
    assert "emu.jpg" in html
    around = re.search(r'href="(/dice/mine/emu/[^"]+/around\.png)"', html)
    assert around is not None
    assert client.get(around[1]).mimetype == "image/png"


def test_a_face_has_a_strength_and_faces_alike_stand_side_by_side(client: FlaskClient, own: Make):
    html = html_of(client, "/dice/fate")
    alike = html[html.index('id="alike-head"') :]
    assert "3 and 8 look most alike, but Tableside can tell them apart." in alike
    assert alike.index("tile large") < alike.index("3 and 8 look")
    assert "Weak" not in html
    assert html.count("Strong") + html.count("Fine") == 8
    own(twin="emu")
    html = html_of(client, "/dice/mine")
    assert "emu and twin look almost the same. Add pictures of both" in html
    assert html.count("Weak: add a picture") == 2
    assert re.search(r"<th scope=\"row\">emu, twin</th><td>1\.00</td>", html), "figures are folded away"


def test_an_example_that_contradicts_its_face_is_pointed_out_and_deleted(client: FlaskClient, own: Make):
    own(wrong=("koala", "emu"))
    html = html_of(client, "/dice/mine")
    assert "Looks more like koala." in html
    assert "Not used to recognise dice." in html
    bad = re.search(r'name="face" value="emu"><input type="hidden" name="name" value="(enrolled-03)"', html)
    assert bad is not None
    answer = client.post("/dice/mine/forget", data={"face": "emu", "name": bad[1]})
    assert answer.headers["Location"].endswith("/dice/mine?done=forgotten#done")
    after = html_of(client, answer.headers["Location"])
    assert "Looks more like" not in after
    assert "Picture deleted." in after
    assert not (own_sets() / "mine/faces/emu" / f"{bad[1]}.d6.png").exists()


def test_a_doubtful_example_is_trusted(client: FlaskClient, own: Make):
    own(wrong=("koala", "emu"))
    client.post("/dice/mine/trust", data={"face": "emu", "name": "enrolled-03"})
    html = html_of(client, "/dice/mine")
    assert "Not used to recognise dice." not in html
    assert "Looks more like koala." in html, "it is compared with, and still pointed out"


def test_what_is_not_there_is_one_line(client: FlaskClient, own: Make):
    own()
    for face, name in (("emu", "enrolled-99"), ("wombat", "enrolled-01"), ("../..", "x")):
        for change in ("forget", "trust"):
            answer = client.post(f"/dice/mine/{change}", data={"face": face, "name": name})
            assert (answer.status_code, answer.get_data(as_text=True).count("\n")) == (409, 1)


def test_names_are_changed_in_the_devices_language_and_are_no_markup(client: FlaskClient, own: Make):
    own()
    german = {"Accept-Language": "de"}
    names = {"title": "Meine <b>Tiere", "label.emu": '"><b>', "label.koala": "Koalabär"}
    client.post("/dice/mine/rename", data=names, headers=german)
    html = html_of(client, "/dice/mine", "de")
    assert "Koalabär" in html
    assert "<h1>Meine &lt;b&gt;Tiere</h1>" in html
    assert '"><b>' not in html
    assert "<h1>My animals</h1>" in html_of(client, "/dice/mine")
    assert find("mine").face("koala").labels == {"de": "Koalabär"}
    before = (own_sets() / "mine/set.toml").read_bytes()
    for wrong in ({"title": "x", "label.emu": "Same", "label.koala": "same"}, {"title": "x" * 61}):
        assert client.post("/dice/mine/rename", data=wrong).status_code == 409
    assert (own_sets() / "mine/set.toml").read_bytes() == before


def test_a_shipped_set_stays_as_it_came(client: FlaskClient):
    assert client.post("/dice/outback/rename", data={"title": "Mine"}).status_code == 409
    answer = client.post("/dice/outback/delete")
    assert answer.get_data(as_text=True) == "Outback animals comes with Tableside and cannot be changed.\n"
    assert 'id="delete"' not in html_of(client, "/dice/outback")


def test_an_own_set_is_deleted_but_not_from_under_a_match(client: FlaskClient, own: Make, tmp_path: Path):
    own()
    assert 'id="delete"' in html_of(client, "/dice/mine")
    assert client.post("/dice/mine/delete").status_code == 303
    assert client.get("/dice/mine").status_code == 404
    assert list(own_sets().iterdir()) == []
    own("fate-of-mine")
    match = begin(find_game("meet-fate"), ["Ann", "Bob"])
    table = Table(Session(match, Store.of(tmp_path).begin(match), find("fate-of-mine")))
    other = pages_of(table, Announcer()).test_client()
    assert other.post("/dice/fate-of-mine/delete").status_code == 409
    assert find("fate-of-mine")


def test_a_set_travels_as_one_file(client: FlaskClient, own: Make):
    own()
    answer = client.get("/dice/mine/pack")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mine.tableside-set"'
    packed = answer.get_data()
    assert "set.toml" in zipfile.ZipFile(io.BytesIO(packed)).namelist()
    again = client.post("/dice/import", data={"pack": (io.BytesIO(packed), "x")})
    assert again.status_code == 409
    assert "a set named “mine” already exists" in again.get_data(as_text=True).casefold()
    taken = client.post("/dice/import", data={"pack": (io.BytesIO(packed), "x"), "replace": "yes"})
    assert taken.headers["Location"] == "/dice/mine?done=imported#done"
    client.post("/dice/mine/delete")
    assert client.post("/dice/import", data={"pack": (io.BytesIO(packed), "x")}).status_code == 303
    assert find("mine").face_ids == FACES


def test_a_file_beyond_the_limit_is_refused(client: FlaskClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.pages.dice.LARGEST_PACK", 1000)
    answer = client.post("/dice/import", data={"pack": (io.BytesIO(b"x" * 2000), "x")})
    assert answer.status_code == 413


def test_stickers_are_the_pdf_that_print_makes(client: FlaskClient):
    answer = client.get("/dice/outback/stickers.pdf?dice=2&size=18&paper=letter")
    assert answer.mimetype == "application/pdf"
    assert answer.get_data().startswith(b"%PDF-")
    for query in ("dice=x", "size=nan"):
        assert client.get(f"/dice/outback/stickers.pdf?{query}").status_code == 409, query


def test_a_broken_set_hides_no_other(client: FlaskClient, own: Make):
    own()
    (own_sets() / "broken").mkdir()
    (own_sets() / "broken/set.toml").write_text("id = [", encoding="utf-8")
    html = html_of(client, "/dice")
    assert "A dice set could not be loaded:" in html
    assert "My animals" in html


def test_an_example_deleted_elsewhere_does_not_come_back(client: FlaskClient, own: Make, matcher: Matcher):
    """A page and a correction may change one set: whoever writes second has read what the first one wrote."""
    own()
    school = SetExamples(find("mine"), matcher)
    client.post("/dice/mine/forget", data={"face": "emu", "name": "enrolled-01"})
    picture = table_with((paper("emu"), (220, 150), 70))
    (die,) = take(PaperFinder(), matcher, picture, (Shape.CUBE,), "emu", "x")
    school.learn(die)
    index = json.loads((own_sets() / "mine/examples.json").read_text(encoding="utf-8"))
    names = [one["name"] for one in index["examples"] if one["face"] == "emu"]
    assert names == ["enrolled-02", "corrected-03"]
