"""Television and Spectator: they show what the table shows, follow it, and have nothing to operate."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from scoring.actions import Declare
from tests.web.tables import html_of, parts


@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    return lay("called-shot", ("Alice", "<b>Bob</b>"))


def test_television_has_nothing_to_operate_but_the_sound(client: FlaskClient):
    page = html_of(client, "/television")
    assert re.findall(r"<(?:form|button|a|input|select|summary)\b[^>]* id=\"(\w+)", page) == ["sound"]
    assert len(re.findall(r"<(?:form|button|a|input|select|summary)\b", page)) == 1
    assert "&lt;b&gt;Bob" in page
    page = html_of(client, "/spectator")
    assert not re.findall(r"<(?:button|input|select)\b", page[page.index("<main") : page.index("</main>")])


def test_both_show_whose_turn_the_dice_the_scores_and_the_last_sentence(house: House, client: FlaskClient):
    session = house.table.session
    session.decide(Declare("family"))
    session.roll("cat, cat, DD")
    for path in ("/television", "/spectator"):
        page = html_of(client, path)
        assert "Alice scores 2 points, 2 in all." in page
        assert page.count("/face/cats/cat.webp") >= 2
        assert 'aria-current="true"' in page


@pytest.mark.parametrize(
    ("view", "part"), [("television", "screen"), ("spectator", "play"), ("spectator", "sheet"), ("table", "play")]
)
def test_each_page_gets_its_own_parts_with_every_notice(
    house: House, client: FlaskClient, view: str, part: str
):
    house.table.session.decide(Declare("family"))
    assert f'id="{part}"' in parts(client, view)[part]


def test_a_page_of_no_kind_follows_nothing(client: FlaskClient):
    assert client.get("/events?view=../../etc").status_code == 400
