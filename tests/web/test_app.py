"""The pages: what they show, what they accept, and whom they refuse."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from scoring.actions import Fill, Stand
from scoring.games import find as find_game
from scoring.games.outlander.cards import Card
from scoring.match import begin
from table.history import written
from table.storage.evidence import Evidence
from tests.fakes import die, reading, rolled
from tests.waiting import soon
from tests.web.tables import HERE, app_of, events, html_of, post
from vision.reading import Reading, Since
from web.written import BEHIND


@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    return lay(players=("Alice", "<b>Bob</b>"))


def page(client: FlaskClient) -> str:
    return html_of(client)


def test_a_roll_is_asked_for_and_shown_with_its_boxes(house: House, client: FlaskClient):
    html = page(client)
    assert "Alice, throw the dice." in html
    assert len(re.findall(r'id="announcer" role="status" aria-live="polite"[^>]*>[^<]*</span>', html)) == 1
    house.table.session.saw(rolled("222255"))
    html = page(client)
    assert "Four 2s and two 5s." in html
    assert html.count("<polygon") == 6
    assert 'data-offer="18"' in html[html.index('id="box-three-pair"') :][:300]


def test_throw_hold_choose_and_take_back(house: House, client: FlaskClient):
    assert post(client, "/throw").status_code == 204
    house.table.session.saw(rolled("222255"))
    assert post(client, "/hold", die="1").status_code == 204
    assert 'aria-pressed="true"' in page(client)
    fill = json.dumps({"kind": "fill", "box": "chance"})
    assert post(client, "/move", move=fill).status_code == 204
    assert 'data-name="Alice" data-score="18">18</span>' in page(client)
    assert house.table.session.match.state.turn == 1
    assert post(client, "/undo").status_code == 204
    assert 'data-score="18"' not in page(client)
    assert house.table.session.match.state.turn == 0


def test_a_match_is_paused_and_gone_on_with(house: House, client: FlaskClient):
    house.table.session.saw(rolled("222255"))
    assert post(client, "/pause").status_code == 204
    assert "The match is paused." in page(client)
    assert post(client, "/undo").status_code == 409
    assert post(client, "/go-on").status_code == 204
    assert "The match is paused." not in page(client)
    assert post(client, "/go-on").status_code == 409


THREE_THROWS = (rolled("222255"), rolled("333344", y=300), rolled("111166", y=500))
SAME, AGAIN = "Same throw", "New throw"


@pytest.mark.parametrize(
    ("readings", "buttons", "path", "throws", "roll"),
    [
        (
            [rolled("222255"), replace(rolled("222234", y=300, held=(1, 2, 3)), since=Since(0.3))],
            {"same-throw": SAME, "count": AGAIN}, "/discount", 1, "222234",
        ),
        (
            [*THREE_THROWS, replace(rolled("111167", y=700), since=Since(0.3))],
            {"same-throw": SAME}, "/discount", 3, "111167",
        ),
        (
            [rolled("222255"), reading(*rolled("222255").dice[:5], die("5", 740, 140))],
            {"count": "Count as a throw"}, "/count", 2, "222255",
        ),
    ],
    ids=["the first throw", "the last throw", "a nudge"],
)  # fmt: skip
def test_dice_that_moved_on_are_put_right_by_one_button(
    house: House,
    client: FlaskClient,
    readings: list[Reading],
    buttons: dict[str, str],
    path: str,
    throws: int,
    roll: str,
):
    for one in readings:
        house.table.session.saw(one)
    assert dict(re.findall(r'<button[^>]* id="(same-throw|count)">([^<]*)<', page(client))) == buttons
    assert post(client, path).status_code == 204
    state = house.table.session.match.state
    assert (state.throws, state.roll) == (throws, tuple(roll))
    assert not re.findall(r'id="(?:same-throw|count)"', page(client))


def test_a_doubted_throw_counts_and_a_throw_is_taken_back(house: House, client: FlaskClient):
    house.table.session.saw(rolled("222255"))
    house.table.session.decide(Fill("chance"))
    house.table.session.saw(rolled("333355", y=300, held=(6,)))
    assert "Die 6 hasn’t moved." in page(client)
    assert post(client, "/count").status_code == 204
    assert house.table.session.match.state.roll == tuple("333355")
    assert post(client, "/count").status_code == 409
    assert post(client, "/discount").status_code == 204
    assert house.table.session.match.state.roll != tuple("333355")
    assert post(client, "/discount").status_code == 409


def test_a_dispute_shows_the_picture_what_was_read_and_who_corrected_it(house: House, client: FlaskClient):
    session = house.table.session
    assert client.get("/dispute/").status_code == 404
    session.saw(rolled("222255"), Evidence(b"\xff\xd8 settled", ((400, b"\xff\xd8 before"),)))
    post(client, "/correct", die="6", face="8", by="<b>Bob</b>")
    session.decide(Fill("chance"))
    assert house.album is not None
    house.album.close()
    here = f"/history/{session.store.id}"
    assert client.get("/dispute/").location == f"{here}/1"
    html = client.get("/dispute/", follow_redirects=True).get_data(as_text=True)
    assert html.count("<polygon") == html.count('class="crop"') == 6
    assert "8 (corrected)" in html
    assert "corrected, read as 5" in html
    assert "&lt;b&gt;Bob&lt;/b&gt;: the dice show 2, 2, 2, 2, 5, 8" in html
    assert "<b>+21</b>" in html
    assert client.get(f"{here}/picture/1/0.jpg").data == b"\xff\xd8 settled"
    assert client.get(f"{here}/picture/1/400.jpg").mimetype == "image/jpeg"
    for nowhere in (f"{here}/picture/1/200.jpg", f"{here}/99999999999"):
        assert client.get(nowhere).status_code == 404


def test_a_roll_that_lies_there_can_be_corrected_where_it_is_checked(house: House, client: FlaskClient):
    session = house.table.session

    def checked() -> str:
        return client.get("/dispute/", follow_redirects=True).get_data(as_text=True)

    session.saw(rolled("222255"), Evidence(b"\xff\xd8 settled", ()))
    assert house.album is not None
    house.album.close()
    html = checked()
    assert html.count('action="/correct"') == 6
    (seen,) = set(re.findall(r'name="seen" value="([^"]*)"', html))
    assert post(client, "/correct", die="6", face="8", seen=seen).status_code == 204
    assert session.match.state.roll == tuple("222258")
    session.decide(Fill("chance"))
    assert 'action="/correct"' not in checked(), "it is gone from the table"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Laoghaire removes 1 Jamie", "card adds 2 Jamie", "0 in all")),
        ("de", ("Laoghaire nimmt 1 Jamie weg", "Karte fügt 2 Jamie", "0 insgesamt")),
        ("fr", ("Laoghaire enlève 1 Jamie", "carte ajoute 2 Jamie", "0 en tout")),
    ],
)  # fmt: skip
def test_a_dispute_is_told_in_the_devices_language_with_what_the_card_did_and_a_way_to_each_rule(
    lay: Callable[..., House], language: str, words: tuple[str, ...]
):
    """The booklet's first example, played: on the page of its roll, and on the table."""
    house = lay("outlander", ("Ann", "Ben"))
    session = house.table.session
    session.roll("jamie jamie geillis geillis laoghaire bjr")
    for move in (Card("pile", "Claire is captured"), Stand()):
        session.decide(move)
    client = house.app.test_client()
    client.set_cookie("language", language)
    html = client.get("/dispute/", follow_redirects=True).get_data(as_text=True)
    assert [one for one in words if one not in html] == []
    link = '<cite><a href="/rules/outlander#villains">'
    assert link in html
    assert link in page(client)
    assert link in client.get(f"/history/{session.store.id}/events").get_data(as_text=True)
    for one in (html, page(client)):
        assert "RULINGS" not in one


def test_a_stranger_is_nobody(house: House, client: FlaskClient):
    house.table.session.saw(rolled("222255"))
    assert post(client, "/correct", die="6", face="8", by="Mallory").status_code == 204
    kept = house.table.session.store
    assert written(kept.store, kept.id)[2].by == ""


def test_without_script_a_form_leads_back_to_the_page(client: FlaskClient):
    answer = client.post("/throw", headers={"Origin": HERE})
    assert answer.status_code == 303
    assert answer.location == "/"


def test_a_get_changes_nothing(client: FlaskClient):
    views = "throw hold move undo roll correct look pause go-on count discount seat"
    for path in (f"/{view}" for view in views.split()):
        assert client.get(path).status_code == 405


@pytest.mark.slow
def test_a_page_hears_what_it_missed_and_no_more(house: House, client: FlaskClient):
    seen = house.announcer.latest
    house.table.session.saw(rolled("222255"))
    house.table.session.hold(1)
    heard = events(client, 3, query_string={"after": str(seen)})
    assert [event for _, event, _ in heard] == ["state", "notice", "notice"]
    notices = [json.loads(data) for _, event, data in heard if event == "notice"]
    assert notices[0]["sentence"].startswith("Alice, throw 1: 2, 2, 2, 2, 5 and 5.")
    assert "Four 2s and two 5s." in notices[0]["parts"]["play"]
    assert notices[1]["sentence"] == "Die 1, a 2, held."
    again = events(client, 2, headers={"Last-Event-ID": str(seen + 1)}, query_string={"after": "0"})
    assert again[1][0] == str(seen + 2)
    for _ in range(2 * BEHIND):  # what every page has heard is not kept for ever
        house.table.session.hold(1)
        latest = house.announcer.latest
        assert events(client, 2, query_string={"after": str(latest - 1)})[1][0] == str(latest)


def test_a_page_from_before_a_restart_gets_the_newest_notice(house: House, client: FlaskClient):
    house.table.session.saw(rolled("222255"))
    latest = house.announcer.latest
    for mark in ("99999", f"{house.announcer.run}-99999", f"0badcafe-{latest}", "0badcafe-1"):
        heard = events(client, 2, headers={"Last-Event-ID": mark})
        assert heard[1][0] == str(latest), mark


def test_a_stream_ends_when_the_server_stops(house: House, client: FlaskClient):
    answer = client.get("/events", buffered=False)
    house.announcer.close()
    assert b"".join(bytes(chunk) for chunk in answer.response).startswith(b"retry")
    answer.close()


def test_the_picture_comes_from_the_camera(house: House, client: FlaskClient):
    assert client.get("/picture?after=abc").status_code == 204
    assert client.get("/face/fate/8.webp").data[8:12] == b"WEBP"
    house.open()
    assert soon(lambda: client.get("/picture").mimetype == "image/jpeg")
    answer = client.get("/picture")
    assert answer.mimetype == "image/jpeg"
    assert answer.data[:2] == b"\xff\xd8"
    later = client.get(f"/picture?after={int(answer.headers['X-Frame']) - 1}")
    assert later.status_code == 200


def test_a_page_that_loads_does_not_wait_for_the_camera(lay: Callable[..., House]):
    client = lay(picture_wait=60.0).app.test_client()
    began = time.monotonic()
    for path in ("/picture", "/camera/picture"):
        answer = client.get(path)
        assert answer.mimetype == "image/svg+xml", "it keeps the picture's place"
        assert answer.headers["Cache-Control"] == "no-store"
    assert time.monotonic() - began < 30


def test_a_table_without_a_camera_has_no_picture(data: Path):
    client = app_of(begin(find_game("meet-fate"), ["Alice"])).test_client()
    assert 'id="picture"' not in client.get("/").get_data(as_text=True)
    assert client.get("/picture").status_code == 204


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("These dice have no face “9”; they show 1, 2,", "Type what the dice show", "Every player needs",
                "Meet Fate is for 1 to 12 players, not 13.", "Type the players’ names")),
        ("de", ("Diese Würfel haben keine Seite „9“; sie zeigen", "Tippe, was die Würfel zeigen", "Alle brauchen",
                "Meet Fate ist für 1 bis 12 Personen, nicht für 13.", "Tippe die Namen der Spieler")),
        ("fr", ("Ces dés n’ont pas de face «\u202f9\u202f»", "Tapez ce que montrent", "Chaque joueur doit avoir",
                "Meet Fate se joue de 1 à 12 joueurs, pas à 13.", "Tapez les noms des joueurs")),
    ],
)  # fmt: skip
def test_what_people_type_wrongly_is_said_as_people_speak(
    client: FlaskClient, language: str, said: tuple[str, ...]
):
    client.set_cookie("language", language)
    typed = (("/roll", "faces", "9 9"), ("/roll", "faces", " "), ("/seat", "players", "Ann, Ann"),
             ("/seat", "players", ",".join("abcdefghijklm")), ("/seat", "players", ""))  # fmt: skip
    for (path, field, words), answer in zip(typed, said, strict=True):
        refused = post(client, path, **{field: words})
        assert 400 <= refused.status_code < 500
        assert refused.get_data(as_text=True).startswith(answer)


@pytest.mark.parametrize("path", ["/", "/television", "/spectator"])
def test_the_last_sentence_outlives_a_reload_and_what_is_not_said(
    house: House, client: FlaskClient, path: str
):
    house.table.session.saw(rolled("224578"))
    said = "Alice, throw 1: 2, 2, 4, 5, 7 and 8."
    house.table.session.view_moved((3, 3), (320, 240))  # shown and not said
    assert house.table.session.latest().sentence() == ""
    assert said in client.get(path).get_data(as_text=True)
    client.set_cookie("language", "de")
    assert "Alice, Wurf 1: 2, 2, 4, 5, 7 und 8." in client.get(path).get_data(as_text=True)


def throw_button(client: FlaskClient) -> str:
    """The throw button and why it cannot be pressed, as one text; empty where there is none."""
    text = page(client)
    found = re.search(r'<button[^>]*id="throw"(.*?)</form>', text, re.DOTALL)
    why = re.search(r'<p[^>]*id="no-throw"(.*?)</p>', text, re.DOTALL)
    parts = (f"<{one[1]}" for one in (found, why) if found and one)
    return " ".join(re.sub(r"<[^>]*>", " ", " ".join(parts)).split())


MIXED = "jamie jamie geillis geillis laoghaire bjr"


def test_outlanders_throw_button_is_there_when_it_may_be_pressed_and_says_why_not(lay: Callable[..., House]):
    outlander = lay("outlander", ("Ann", "Bob"))
    client, session = outlander.app.test_client(), outlander.table.session
    session.roll(MIXED)
    assert throw_button(client) == "Throw 6 dice Hold at least 4 dice: you may throw at most 2 again."
    assert 'aria-disabled="true" aria-describedby="no-throw"' in page(client)
    assert "Ann, throw again, or play a card and score." in page(client)
    for number in "123":
        post(client, "/hold", die=number)
    assert throw_button(client).startswith("Throw 3 dice Hold at least 4 dice")
    assert post(client, "/throw").status_code == 409
    post(client, "/hold", die="4")
    assert throw_button(client) == "Throw 2 dice"
    assert "aria-disabled" not in page(client).split('id="throw"')[1][:80]
    assert post(client, "/throw").status_code == 204
    session.roll(MIXED)
    assert throw_button(client) == "", "the one re-roll is used"
