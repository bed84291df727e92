"""Television and Spectator: they show what the table shows, follow it, and have nothing to operate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.compose import House, furnish
from scoring.actions import Declare
from tests.fakes import TruthfulReader
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.settings import WebSettings


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    dice_set = find_set("cats")
    camera = DemoCamera(dice_set, count=3, seed=1, size=(320, 240))
    house = furnish(
        camera,
        game="called-shot",
        dice_set=dice_set,
        players=["Alice", "<b>Bob</b>"],
        reader=TruthfulReader(camera),
        thrower=camera,
        settings=WebSettings(heartbeat=0.05),
    )
    yield house
    house.close()


@pytest.fixture
def client(house: House) -> FlaskClient:
    return house.app.test_client()


def html(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_television_has_nothing_to_operate(client: FlaskClient):
    page = html(client, "/television")
    assert not any(tag in page for tag in ("<form", "<button", "<a ", "<input", "<select", "<summary"))
    assert "&lt;b&gt;Bob" in page


def test_spectator_has_nothing_that_acts(client: FlaskClient):
    page = html(client, "/spectator")
    inside = page[page.index("<main") : page.index("</main>")]
    assert not any(tag in inside for tag in ("<form", "<button", "<input", "<select"))


def test_both_show_whose_turn_the_dice_the_scores_and_the_last_sentence(house: House, client: FlaskClient):
    session = house.table.session
    session.decide(Declare("family"))
    session.roll("cat, cat, DD")
    for path in ("/television", "/spectator"):
        page = html(client, path)
        assert "Alice scores 2 points, 2 in all." in page
        assert page.count("/face/cat.png") >= 2
        assert "pair/only" in page
        assert 'aria-current="true"' in page


@pytest.mark.parametrize(
    ("view", "part"), [("television", "screen"), ("spectator", "seen"), ("table", "board")]
)
def test_each_page_gets_its_own_parts_with_every_notice(
    house: House, client: FlaskClient, view: str, part: str
):
    house.table.session.decide(Declare("family"))
    stream = client.get(f"/events?view={view}&after=").response
    told = b""
    for piece in stream:
        told += piece if isinstance(piece, bytes) else piece.encode()
        if b"event: notice" in told and told.endswith(b"\n\n"):
            break
    line = next(one for one in told.decode().split("\n") if one.startswith("data: {") and '"parts"' in one)
    parts = json.loads(line.removeprefix("data: "))["parts"]
    assert part in parts
    assert f'id="{part}"' in parts[part]


def test_a_page_of_no_kind_follows_nothing(client: FlaskClient):
    assert client.get("/events?view=../../etc").status_code == 400
