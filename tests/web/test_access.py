"""Who may do what: watchers, players, the camera, the host; and until when."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.compose import House
from scoring.actions import Fill
from tests.fakes import rolled, shown
from tests.web.tables import HERE, PIN, access_of, entered, html_of, parts, player, post
from web.access import right_of
from web.devices import IDLE, MOST, OLDEST, Devices, Role
from web.network.throttle import TooManyTriesError
from web.pin import checked_pin, new_pin

OPEN = {
    Role.WATCHER: {"enter.enter", "enter.leave", "enter.language"},
    Role.CAMERA: {"camera.pushed"},
    Role.PLAYER: {
        f"table.{view}"
        for view in ("throw", "hold", "look", "roll", "correct", "dismiss", "count", "discount", "move", "undo",
                     "draw", "deal", "hand", "pause", "go_on")
    },
}  # fmt: skip
"""Everything that others than the host may send."""


def writing(house: House) -> dict[str, str]:
    """Every endpoint that writes, with an address of it."""
    rules = [rule for rule in house.app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    return {rule.endpoint: re.sub(r"<[^>]+>", "1", rule.rule) for rule in rules}


@pytest.fixture
def house(guarded: House) -> House:
    return guarded


def test_every_route_says_to_whom_it_is_open(house: House):
    views = {
        rule.endpoint: house.app.view_functions[rule.endpoint] for rule in house.app.url_map.iter_rules()
    }
    assert [end for end, view in views.items() if right_of(view) is None] == ["static"]
    for role in Role:
        may = {end for end in writing(house) if (right := right_of(views[end])) and right.role is role}
        assert role is Role.HOST or may == OPEN[role]


@pytest.mark.parametrize(
    ("role", "refusal"),
    [
        (Role.WATCHER, "This device can only watch. Enter the PIN to play.\n"),
        (Role.PLAYER, "Only the host can do this.\n"),
        (Role.CAMERA, "This phone is only the camera. Use another device to play.\n"),
    ],
)
def test_a_device_does_what_is_its_own_and_no_more(house: House, role: Role, refusal: str):
    """It tries every address there is."""
    code = access_of(house).code(role, "Alice" if role is Role.PLAYER else "")
    client = house.app.test_client() if role is Role.WATCHER else entered(house, code)
    answers = {end: post(client, path) for end, path in writing(house).items() if end not in OPEN[Role.WATCHER]}
    refused = {end for end, answer in answers.items() if answer.status_code == 403}
    assert refused == answers.keys() - OPEN[role]
    assert {answers[end].get_data(as_text=True) for end in refused} == {refusal}
    assert house.table.session.match.events == ()


@pytest.mark.parametrize("pin", [PIN, " 314 159 ", "314-159"])
def test_the_pin_makes_a_device_the_hosts(house: House, pin: str):
    watcher, client = house.app.test_client(), entered(house, pin)
    for one, host in ((watcher, False), (client, True)):
        page = html_of(one)
        assert ("This device can only watch." in page) is not host
        assert ('action="/enter"' in page) is not host
        assert ('href="/devices"' in page) is host
    assert post(client, "/throw").status_code == 204
    assert post(client, "/leave").status_code == 204
    assert post(client, "/throw").status_code == 403


def test_another_code_is_none(house: House):
    client = house.app.test_client()
    for code in ("314158", "31415", "٣١٤١٥٩", "x" * 80):
        answer = post(client, "/enter", code=code)
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)
    with pytest.raises(TooManyTriesError):
        access_of(house).enter("3141599", "127.0.0.1")


def test_the_hosts_page_lists_devices_and_sends_them_away(house: House):
    host, alice = entered(house), player(house, "Alice")
    page = host.get("/devices").get_data(as_text=True)
    assert access_of(house).code(Role.PLAYER, "Bob") in page
    assert page.count('class="qr"') == 3
    assert "http://192.168.7.5:" in page
    sent = next(one for one in access_of(house).devices.all() if one.player == "Alice")
    assert post(host, "/devices/away", device=sent.id).status_code == 204
    assert post(alice, "/throw").status_code == 403
    assert post(host, "/throw").status_code == 204
    assert post(host, "/devices/away", device="all").status_code == 204
    assert post(host, "/throw").status_code == 403


@pytest.mark.parametrize("who", [None, "Alice"])
def test_nobody_else_sees_the_codes(house: House, who: str | None):
    client = player(house, who) if who else house.app.test_client()
    answer = client.get("/devices", headers={"Accept": "text/html"})
    assert answer.status_code == 403
    page = answer.get_data(as_text=True)
    assert "This page is only for the host. Enter the host’s PIN." in page
    assert not any(access_of(house).code(Role.PLAYER, name) in page for name in ("Alice", "Bob"))


def test_a_player_may_be_limited_to_the_own_turn(lay: Callable[..., House]):
    house = lay(pin=PIN, own_turn=True)
    session = house.table.session
    alice, bob, host = player(house, "Alice"), player(house, "Bob"), entered(house)
    answer = post(bob, "/roll", faces="1 2 3 4 5 6")
    assert (answer.status_code, answer.get_data(as_text=True)) == (403, "It isn’t your turn yet. "
                                                                        "Waiting for Alice.\n")
    assert post(alice, "/roll", faces="2 2 2 2 5 5").status_code == 204
    assert post(bob, "/correct", die="1", face="3").status_code == 403
    assert post(alice, "/correct", die="1", face="3").status_code == 204
    session.decide(Fill("chance"))
    # It is Bob's turn now, and Alice's decision that would be taken back.
    refused = post(bob, "/undo")
    assert refused.status_code == 403
    assert "Only Alice or the host can correct this turn" in refused.get_data(as_text=True)
    assert post(alice, "/undo").status_code == 204
    session.decide(Fill("chance"))
    assert post(alice, "/roll", faces="1 2 3 4 5 6").status_code == 403
    assert post(bob, "/roll", faces="1 2 3 4 5 6").status_code == 204
    assert post(alice, "/discount").status_code == 403
    assert post(host, "/correct", die="1", face="8").status_code == 204
    # The host lifts the limit.
    assert post(host, "/devices/rules").status_code == 204
    assert post(alice, "/undo").status_code == 204


def test_a_players_device_follows_its_player_to_another_name_and_seat(lay: Callable[..., House]):
    house = lay(pin=PIN, own_turn=True)
    alice, bob, host = player(house, "Alice"), player(house, "Bob"), entered(house)
    assert post(host, "/seat", players="Bbo, Alice").status_code == 204
    assert "This device plays for Bbo." in bob.get("/enter").get_data(as_text=True)
    assert post(alice, "/roll", faces="1 2 3 4 5 6").status_code == 403
    assert post(bob, "/roll", faces="1 2 3 4 5 6").status_code == 204
    house.table.session.decide(Fill("chance"))
    assert post(bob, "/roll", faces="1 2 3 4 5 6").status_code == 403
    assert post(alice, "/roll", faces="1 2 3 4 5 6").status_code == 204
    # Whoever leaves is nobody any more.
    house.table.session.decide(Fill("chance"))
    assert post(host, "/seat", players="Alice", leaving="Bbo").status_code == 204
    assert post(bob, "/roll", faces="1 2 3 4 5 6").status_code == 403


def test_what_the_table_asks_about_is_the_throwers_to_answer(lay: Callable[..., House]):
    house = lay(pin=PIN, own_turn=True)
    alice, bob = player(house, "Alice"), player(house, "Bob")
    house.table.session.saw(rolled("22225"))  # one die is missing: the table asks
    assert shown(house.table.session).question
    assert post(bob, "/dismiss", die="1").status_code == 403
    assert post(alice, "/dismiss", die="1").status_code != 403


def test_on_this_computer_alone_nothing_is_asked(lay: Callable[..., House]):
    house = lay()
    client = house.app.test_client()
    page = client.get("/").get_data(as_text=True)
    assert "can only watch" not in page
    assert 'href="/devices"' not in page
    assert post(client, "/throw").status_code == 204
    assert post(client, "/enter", code="1234").status_code == 403
    assert "let devices on your network watch" in client.get("/devices").get_data(as_text=True)


def test_a_restart_sends_nobody_away_and_the_list_is_its_owners_alone(lay: Callable[..., House], data: Path):
    path = data / "devices.db"
    cookie = entered(lay(pin=PIN, devices=path)).get_cookie("tableside-80")
    assert cookie is not None
    again = lay(pin=PIN, devices=path).app.test_client()
    again.set_cookie("tableside-80", cookie.value)
    assert post(again, "/throw").status_code == 204
    assert path.stat().st_mode & 0o077 == 0
    assert cookie.value.split(".")[0].encode() not in path.read_bytes()


def test_what_is_no_list_and_no_pin_is_said_in_one_line(tmp_path: Path):
    (tmp_path / "devices.db").write_bytes(b"no database" * 100)
    with pytest.raises(OSError, match="does not keep devices"):
        Devices(tmp_path / "devices.db")
    for pin in ("123", "1111", "", "é123", "x" * 50, "12\x0034"):
        with pytest.raises(ValueError, match="expected a PIN"):
            checked_pin(pin)
    drawn = {new_pin() for _ in range(200)}
    assert all(len(pin) == 6 and pin.isdecimal() for pin in drawn)
    assert len(drawn) > 190


def test_devices_leave_by_themselves():
    now = [1000.0]
    devices = Devices(clock=lambda: now[0])
    secret = devices.enter(Role.HOST)
    for _ in range(20):
        now[0] += IDLE / 8
        assert devices.find(secret).role is Role.HOST
    now[0] += IDLE
    assert devices.find(secret).role is Role.WATCHER
    used = devices.enter(Role.PLAYER, "Alice")
    began = now[0]
    while now[0] < began + OLDEST - 3600:
        now[0] += 3600
        assert devices.find(used).role is Role.PLAYER
    now[0] += 3601
    assert devices.find(used).role is Role.WATCHER
    assert devices.all() == ()


def test_many_devices_push_out_the_silent_ones():
    now = [1000.0]
    devices = Devices(clock=lambda: now[0])
    first, second = devices.enter(Role.HOST), devices.enter(Role.HOST)
    silent = devices.enter(Role.PLAYER, "Alice")
    for _ in range(MOST - 1):
        now[0] += 61
        devices.find(first)
        devices.enter(Role.HOST)
    assert devices.find(first).role is Role.HOST
    assert devices.find(second).role is Role.WATCHER
    assert devices.find(silent).role is Role.PLAYER


@pytest.mark.slow
def test_a_device_that_only_watches_is_shown_no_control_that_would_refuse(house: House):
    """Neither in its page nor in what is pushed to it later; a device that plays gets them all the same."""
    watcher, host = house.app.test_client(), entered(house)
    house.table.session.saw(rolled("224578"))
    page = html_of(watcher)
    board = page[page.index('id="board"') :]
    assert "data-off=\"This device can only watch. Enter the PIN to play.\"" in page
    assert not re.findall(r'method="post" action="/(?!language)\w+', board)
    assert not re.findall(r'id="(?:throw|die-1|undo|faces|pause)"', board)
    assert "Two 2s, a 4, a 5, a 7 and an 8." in board
    house.table.session.hold(1)
    pushed, hosts = parts(watcher)["play"], parts(host)["play"]
    assert 'method="post"' not in pushed
    assert "This device can only watch" in pushed
    assert {"throw", "faces", "pause"} <= set(re.findall(r'id="([\w-]+)"', hosts))


@pytest.mark.slow
def test_a_players_device_is_not_shown_what_only_the_host_may_do(house: House):
    alice, host = player(house, "Alice"), entered(house)
    house.table.session.saw(rolled("224578"))
    assert post(host, "/move", move='{"kind": "fill", "box": "chance"}').status_code == 204
    for path, only in (("/", 'id="seat"'), ("/new", 'id="begin" form="draft">'), ("/camera", 'id="use">')):
        assert only in html_of(host, path)
        assert only not in html_of(alice, path)
    for path in ("/new", "/camera"):
        for client in (alice, house.app.test_client()):
            html = html_of(client, path)
            assert "Only the host can do this." in html
            posts = re.findall(r'<form[^>]*method="post" action="/(?:new|camera)[^>]*>.*?</form>', html, re.S)
            buttons = [button for one in posts for button in re.findall(r"<button[^>]*>", one)]
            assert [one for one in buttons if not re.search(r' disabled|formmethod|type="button"', one)] == []
    assert 'id="seat"' not in parts(alice)["play"]
    assert 'id="pause"' in parts(alice)["play"]
    assert 'id="seat"' in parts(host)["play"]


def test_while_the_match_is_paused_going_on_is_all_there_is(house: House):
    host = entered(house)
    house.table.session.saw(rolled("224578"))
    assert post(host, "/pause").status_code == 204
    page = html_of(host)
    board = page[page.index('id="board"') : page.index("</main>")]
    assert 'data-off="The match is paused."' in page
    assert re.findall(r'method="post" action="([^"]+)"', board) == ["/go-on"]


@pytest.mark.parametrize(
    ("code", "status", "said"), [("271828", 403, "Wrong PIN. Try again."), (" ", 400, "Enter the PIN.")]
)
def test_a_wrong_pin_is_said_above_the_form_that_takes_the_right_one(
    house: House, code: str, status: int, said: str
):
    client = house.app.test_client()
    headers = {"Accept": "text/html", "Origin": HERE}
    answer = client.post("/enter", data={"code": code, "back": "/history"}, headers=headers)
    page = answer.get_data(as_text=True)
    assert answer.status_code == status
    assert f'role="alert">{said}</p>' in page
    assert 'name="code"' in page
    assert 'name="back" value="/history"' in page
    assert (
        client.post("/enter", data={"code": PIN, "back": "/history"}, headers=headers).location == "/history"
    )
