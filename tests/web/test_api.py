"""The HTTP API: what a program is told, in which language, what it missed, and whom it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from cli.compose import House
from hardware.public_state import PublicNotice, PublicState
from scoring.actions import Fill
from scoring.games import find as find_game
from scoring.match import begin
from tests.web.tables import played


def state(client: FlaskClient, **how: Any) -> PublicState:
    answer = client.get("/api/v1/state", **how)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    return msgspec.json.decode(answer.data, type=PublicState)


Event = tuple[str, str, Any]
"""The id, the kind and the data of a server-sent event."""


@contextmanager
def listening(client: FlaskClient, **how: Any) -> Iterator[Iterator[Event]]:
    """The events of the stream but for signs of life."""

    def events() -> Iterator[Event]:
        for chunk in answer.response:
            text = chunk.decode() if isinstance(chunk, bytes) else str(chunk)
            fields = dict(line.split(": ", 1) for line in text.strip().splitlines())
            if fields["event"] not in ("hello", "beat"):
                data = fields["data"]
                yield fields.get("id", ""), fields["event"], json.loads(data) if data[0] == "{" else data

    with client.get("/api/v1/notices", buffered=False, **how) as answer:
        assert answer.mimetype == "text/event-stream"
        yield events()


def next_notice(events: Iterator[Event]) -> tuple[str, PublicNotice]:
    mark, data = next((mark, data) for mark, kind, data in events if kind == "notice")
    return mark, msgspec.convert(data, PublicNotice)


def test_the_state_is_what_the_page_shows(house: House, client: FlaskClient):
    house.table.session.roll("2 2 2 2 5 5")
    house.table.session.hold(1)
    now = state(client)
    assert (now.game_id, now.game, now.turn, now.leader) == ("meet-fate", "Meet Fate", "Alice", "")
    assert [(die.face, die.held, die.certain) for die in now.dice][:2] == [("2", True, True), ("2", False, True)]
    assert (now.throw, now.throws) == (1, 3)
    assert now.sentence == "Die 1, a 2, held."
    house.table.session.decide(Fill("chance"))
    now = state(client)
    assert [(one.name, one.score, one.on_turn, one.leads) for one in now.players] == [
        ("Alice", 18, False, True), ("Bob", 0, True, False),
    ]  # fmt: skip
    assert now.points == 18
    assert now.number == house.table.session.latest().number


@pytest.mark.parametrize(
    ("how", "language"),
    [
        ({}, "en"),
        ({"headers": {"Accept-Language": "de"}}, "de"),
        ({"query_string": {"language": "de"}, "headers": {"Accept-Language": "fr"}}, "de"),
    ],
)
def test_it_speaks_the_language_that_is_asked_for(
    house: House, client: FlaskClient, how: dict[str, Any], language: str
):
    snapshot = house.table.session.latest().snapshot
    prompt = snapshot.speaker(language).sentence(snapshot.prompt)
    assert state(client, **how).prompt == prompt
    with listening(client, **how) as events:
        assert next_notice(events)[1].state.prompt == prompt


def test_notices_come_with_what_happened(house: House, client: FlaskClient):
    with listening(client) as events:
        first = next_notice(events)[1]
        assert (first.events, first.state.turn) == ((), "Alice")
        house.table.session.roll("2 2 2 2 5 5")
        thrown = next_notice(events)[1]
        assert [(event.type, event.faces) for event in thrown.events] == [("throw", ("2", "2", "2", "2", "5", "5"))]
        house.table.session.decide(Fill("chance"))
        scored = next_notice(events)[1]
        assert [(event.type, event.player, event.points) for event in scored.events] == [("points", "Alice", 18)]
        assert scored.sentence
        assert scored.state == state(client)


def test_who_comes_first_is_told_how_things_stand_and_of_nothing_before(house: House, client: FlaskClient):
    house.table.session.roll("2 2 2 2 5 5")
    house.table.session.decide(Fill("chance"))
    with listening(client) as events:
        first = next_notice(events)[1]
        assert (first.events, first.state) == ((), state(client))
        house.table.session.roll("2 2 2 2 5 5")
        second = next_notice(events)[1]
        assert (second.number, [event.type for event in second.events]) == (first.number + 1, ["throw"])


def test_who_comes_back_is_told_what_was_missed_and_what_happened_then(house: House, client: FlaskClient):
    with listening(client) as events:
        mark, first = next_notice(events)
    house.table.session.roll("2 2 2 2 5 5")
    house.table.session.hold(1)
    house.table.session.decide(Fill("chance"))
    for how in ({"headers": {"Last-Event-ID": mark}}, {"query_string": {"after": mark}}):
        with listening(client, **how) as events:
            missed = [next_notice(events)[1] for _ in range(3)]
        assert [one.number for one in missed] == [first.number + n for n in (1, 2, 3)]
        assert [event.type for one in missed for event in one.events] == ["throw", "points"]


def test_what_the_table_does_comes_too(house: House, client: FlaskClient):
    house.announcer.table_is("rolling")
    with listening(client) as events:
        assert next((kind, data) for _, kind, data in events) == ("table", "rolling")


def test_a_mistake_is_answered_as_json(client: FlaskClient):
    for path, status, words in (
        ("/api/v1/state?language=nl", 400, "this language is not available"),
        ("/api/v1/notices?language=", 400, "this language is not available"),
        ("/api/v1/nothing", 404, "This page does not exist."),
        ("/api/v2/state", 404, "This page does not exist."),
    ):
        answer = client.get(path, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.json) == (status, {"error": words}), path
    assert client.post("/api/v1/state").status_code == 405


def test_a_device_that_only_watches_may_ask_and_no_other_site(guarded: House):
    client = guarded.app.test_client()
    assert state(client).turn == "Alice"
    answer = client.get("/api/v1/state", headers={"Origin": "https://example.org"})
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert client.get("/api/v1/state", headers={"Host": "evil.example"}).status_code == 400


def test_no_hand_is_told(lay: Callable[..., House]):
    """Destiny's hands are for one player's eyes."""
    house = lay(match=begin(find_game("destiny"), ["Ann", "Bob"], {"cards": "dealt"}))
    client, session = house.app.test_client(), house.table.session
    checked = 0
    for _ in played(session, 60):
        text = re.sub(r'"sentence":"[^"]*"', "", client.get("/api/v1/state").get_data(as_text=True))
        for side in session.match.state.sides:
            for card in side.hand:
                if card not in repr(session.match.view.panels):
                    checked += 1
                    assert not re.search(rf"\b{re.escape(card.replace('-', ' '))}\b", text), (card, text)
    assert checked > 20
