"""Changing who plays in the middle of a match: no score is lost by a typo, on any page, in any log, after a restart."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House, furnish
from cli.serving import LAST, ServeRequest, sit_down
from scoring.actions import Fill
from scoring.games.meet_fate.sheet import BOXES
from tests.cli.door import tableside
from tests.fakes import TruthfulReader, shown
from tests.web.serving import Served
from tests.web.tables import HERE, SCRIPTED, post
from tests.web.visitor import Visitor
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set


def do(client: FlaskClient, path: str, language: str = "en", **fields: object) -> TestResponse:
    return post(client, path, {**SCRIPTED, "Accept-Language": language}, **fields)


def points(house: House) -> dict[str, int]:
    return {seat.name: seat.score for seat in shown(house.table.session).seats}


def filled(house: House) -> dict[str, dict[str, int]]:
    """Each player's boxes."""
    state = house.table.session.match.state
    return {
        name: {box: one for box, one in zip(BOXES, sheet, strict=True) if one is not None}
        for name, sheet in zip(state.players, state.sheets, strict=True)
    }


def events(client: FlaskClient, house: House) -> str:
    return unescape(client.get(f"/history/{house.table.session.store.id}/events").get_data(as_text=True))


def restarted(house: House) -> House:
    """The program was ended, and started again with --resume."""
    house.close()
    sitting = sit_down(ServeRequest(None, None, None, LAST, again=False, url=None, place=""))
    camera = DemoCamera(find_set("fate"), seed=2, size=(320, 240))
    return furnish(
        camera, dice_set=sitting.dice_set, kept=sitting.kept,
        reader=TruthfulReader(camera), thrower=camera,
    )  # fmt: skip


def turn(client: FlaskClient, face: str, box: str) -> None:
    """A turn on the page: a typed roll, and a box."""
    assert do(client, "/roll", faces=" ".join(face * 6)).status_code == 204
    assert do(client, "/move", kind="fill", box=box).status_code == 204


@pytest.mark.slow
def test_no_score_is_lost_by_a_typo_nor_by_somebody_who_leaves(
    house: House, client: FlaskClient, tmp_path: Path
):
    turn(client, "4", "4")
    turn(client, "7", "7")
    assert points(house) == {"Alice": 24, "Bob": 42}

    # A typo: the sheet stays under the new name, and somebody joins.
    assert do(client, "/seat", players="Alice, Bbo, Carla").status_code == 204
    assert points(house) == {"Alice": 24, "Bbo": 42, "Carla": 0}
    assert filled(house) == {"Alice": {"4": 24}, "Bbo": {"7": 42}, "Carla": {}}
    page = client.get("/").get_data(as_text=True)
    said = "Bob is now called Bbo. Carla joins. Playing now: Alice, Bbo and Carla."
    assert said in house.table.session.latest().sentence()
    assert 'value="Alice, Bbo, Carla"' in page
    assert "Undo player change" in page

    # It was a typo: the name is corrected, and nobody remembers the wrong one.
    turn(client, "1", "1")
    assert do(client, "/seat", players="Alice, Bob, Carla").status_code == 204
    assert points(house) == {"Alice": 24, "Bob": 42, "Carla": 6}
    page = client.get("/new").get_data(as_text=True)
    assert re.findall(r'name="player"[^>]* value="([^"]*)"', page) == ["Alice", "Bob", "Carla"]
    assert "Bbo" not in page

    # Somebody who has points leaves: asked by name and points, in the language of the device; then it is done.
    for language, words in (
        ("de", "Bob steigt mit 42 Punkten aus."),
        ("fr", "Bob quitte la partie avec 42 points."),
        ("en", "Bob leaves with 42 points."),
    ):
        asked = do(client, "/seat", language, players="Alice, Carla")
        assert asked.status_code == 409
        assert words in asked.get_data(as_text=True)
    assert points(house) == {"Alice": 24, "Bob": 42, "Carla": 6}
    another = do(client, "/seat", players="Alice, Carla", leaving="Alice")
    assert another.status_code == 409, "that is another person"
    again = re.findall(r'name="(players|leaving)" value="([^"]*)"', asked.get_data(as_text=True))
    assert do(client, "/seat", **dict(again)).status_code == 204
    assert points(house) == {"Alice": 24, "Carla": 6}

    page = client.get("/new").get_data(as_text=True)
    assert 'value="add:Bob"' in page, "who left is offered for the next match"
    assert "Bbo" not in page

    # Taken back, one step after the other: everything is as it was.
    assert do(client, "/undo").status_code == 204
    assert points(house) == {"Alice": 24, "Bob": 42, "Carla": 6}
    assert do(client, "/undo").status_code == 204
    assert points(house) == {"Alice": 24, "Bbo": 42, "Carla": 6}
    assert do(client, "/seat", players="Alice, Bob, Carla").status_code == 204

    # The history, the exported log and `tableside replay` have every event.
    match_id = house.table.session.store.id
    listed = events(client, house)
    for sentence in (
        "Bob scores 42 points in box 7", "Bob is now called Bbo. Carla joins.", "Bbo is now called Bob.",
        "Bob leaves with 42 points.", "Player change undone.",
    ):  # fmt: skip
        assert sentence in listed, sentence
    history = unescape(client.get("/history").get_data(as_text=True))
    assert all(name in history for name in ("Alice", "Bob", "Carla"))
    log = client.get(f"/history/{match_id}/log.jsonl").get_data(as_text=True)
    (tmp_path / "log.jsonl").write_text(log, encoding="utf-8")
    told = tableside("replay", str(tmp_path / "log.jsonl"), "--json").json
    assert told["points"] == {"Alice": 24, "Bob": 42, "Carla": 6}
    assert [one["players"][1] for one in told["changes"]] == ["Bbo", "Bob"]
    assert [(one["player"], one["points"]) for one in told["scores"]] == [("Alice", 24), ("Bob", 42), ("Carla", 6)]
    said = tableside("replay", str(tmp_path / "log.jsonl")).out
    assert "Bob is now called Bbo." in said

    # After a restart it is all still so, undo too.
    again = restarted(house)
    client = again.app.test_client()
    assert points(again) == {"Alice": 24, "Bob": 42, "Carla": 6}
    assert events(client, again) == listed
    assert do(client, "/undo").status_code == 204
    assert points(again) == {"Alice": 24, "Bbo": 42, "Carla": 6}
    again.close()


def test_without_script_a_page_asks_whether_somebody_leaves(house: House, client: FlaskClient):
    turn(client, "4", "4")
    answer = client.post("/seat", data={"players": "Bob"}, headers={"Origin": HERE, "Accept": "text/html"})
    assert answer.status_code == 409
    page = answer.get_data(as_text=True)
    assert "Alice leaves with 24 points." in page
    assert 'name="leaving" value="Alice"' in page
    assert points(house) == {"Alice": 24, "Bob": 0}


def test_the_names_of_a_new_match_are_those_used_last(house: House, client: FlaskClient):
    turn(client, "4", "4")
    do(client, "/seat", players="Alice, Carla")
    assert do(client, "/new", game="triples", of="triples", player="Zoe", set="cats",
              instead=house.table.session.store.id).status_code == 303  # fmt: skip
    page = client.get("/new").get_data(as_text=True)
    names = re.findall(r'name="do" value="add:([^"]*)"|name="player"[^>]* value="([^"]*)"', page)
    assert {add or plays for add, plays in names} == {"Zoe", "Alice", "Carla"}


@pytest.mark.slow
def test_a_hold_outlasts_a_restart_and_is_gone_with_its_throw(house: House, client: FlaskClient):
    do(client, "/roll", faces="1 2 3 4 5 6")
    do(client, "/hold", die=2)
    do(client, "/hold", die=5)
    do(client, "/hold", die=2)
    do(client, "/hold", die=6)
    again = restarted(house)
    client = again.app.test_client()
    dice = shown(again.table.session).dice
    assert [die.number for die in dice if die.held] == [5, 6]
    do(client, "/move", kind="fill", box="chance")
    do(client, "/roll", faces="1 2 3 4 5 6")
    assert not any(die.held for die in shown(again.table.session).dice)
    third = restarted(again)
    assert not any(die.held for die in shown(third.table.session).dice)
    third.close()


def test_a_dialog_asks_by_name_and_points_before_somebody_leaves(
    serve: Callable[..., Served], visit: Callable[..., Visitor]
):
    served = serve()
    session = served.house.table.session
    session.roll("4 4 4 4 4 4")
    session.decide(Fill("4"))
    alice = visit(served)
    page = alice.page
    page.click("#match-menu summary")
    page.fill("#players", "Bob")
    page.click("#seat")
    page.get_by_text("Alice leaves with 24 points.").wait_for()
    page.click("#asks [data-closes]")
    assert session.match.header.players == ("Alice", "Bob")
    page.fill("#players", "Bob")
    page.click("#seat")
    page.click("#leave-yes")
    page.locator("#asks").wait_for(state="hidden")
    alice.hears("Alice leaves with 24 points. Playing now: Bob.")
    assert points(served.house) == {"Bob": 0}
    page.click("#undo")
    alice.hears("Player change undone.")
    assert points(served.house) == {"Alice": 24, "Bob": 0}
