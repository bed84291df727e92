"""New match: what is offered, what is refused and in which words, and what begins."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from cli.serving import ServeRequest, sit_down
from scoring.actions import Confirm, Fill
from scoring.games import available, find
from table.storage.players import RecentPlayers
from tests.fakes import shown
from tests.web.tables import HERE
from vision.dicesets.library import find as find_set
from vision.dicesets.library import own_sets

TRIPLES = [("game", "triples"), ("of", "triples"), ("set", "cats")]


def look(client: FlaskClient, *pairs: tuple[str, str]) -> str:
    return client.get(f"/new?{urlencode(pairs)}").get_data(as_text=True)


def send(client: FlaskClient, path: str, *pairs: tuple[str, str]) -> TestResponse:
    kind = "application/x-www-form-urlencoded"
    return client.post(path, data=urlencode(pairs), content_type=kind, headers={"Origin": HERE})


def instead(house: House) -> tuple[str, str]:
    return ("instead", house.table.session.store.id)


def players(html: str) -> list[str]:
    return re.findall(r'name="player"[^>]* value="([^"]*)"', html)


def wrongs(html: str) -> list[str]:
    return re.findall(r'<p class="wrong"[^>]*>([^<]*)</p>', html)


def chosen(html: str) -> set[str]:
    return set(re.findall(r'id="([^"]+)"[^>]* checked', html))


# --- what is offered


def test_every_game_is_offered_with_a_line_its_dice_and_its_players(client: FlaskClient):
    html = look(client)
    for game in available():
        assert f'id="game-{game.id}"' in html
        assert game.blurb.replace("'", "&#39;") in html
    assert "6 dice, 1 to 12 players" in html
    assert "no dice, 2 to 10 players" in html
    assert "6 dice, 1 to 12 players, about 30 minutes for two" in html
    assert html.count('href="/face/fate/8.webp"') >= 6, "its picture is the throw that it is about"
    assert "game-meet-fate" in chosen(html), "what is on the table is what is offered first"


@pytest.mark.parametrize("game", [game.id for game in available()])
def test_every_house_rule_stands_there_with_its_explanation_and_default(client: FlaskClient, game: str):
    html = look(client, ("game", game))
    rules = find(game)
    for option in rules.options:
        assert f'name="rule.{option.key}"' in html
        assert option.explanation.replace("'", "&#39;").replace('"', "&#34;") in html
    assert html.count("Default: ") == len(rules.options)
    assert f"set-{rules.dice.set_id}" in chosen(html)


def test_a_control_fits_its_option(client: FlaskClient):
    html = look(client, ("game", "outback-plus"))
    assert re.search(r'name="rule.tracks.left" type="number"[^>]* min="1" max="99"[^>]* value="9"', html)
    assert html.count('name="rule.scoring_tile"') == 6
    assert html.count('name="rule.may_pass"') == 2
    assert re.search(r'<textarea[^>]* id="rule-board-plus" name="rule.board_plus"[^>]*>plus-unverified<', html)


PLUS = [("game", "outback-plus"), ("of", "outback-plus"), ("player", "Ann"), ("player", "Ben")]


def spaces(html: str) -> int:
    return html.count('aria-pressed="true"')


@pytest.mark.slow
def test_a_board_is_shown_as_it_will_lie_and_tapped_into_another(client: FlaskClient):
    html = look(client, *PLUS)
    assert "The rules don’t show the board, so this one is a guess." in html
    assert "Default: the suggested board." in html
    assert spaces(html) == 19
    more = look(client, *PLUS, ("do", "board:board_plus:7/5"))
    assert 'data-said="The board has 20 spaces."' in more
    assert "this one is a guess" not in more
    assert spaces(more) == 20
    assert re.search(r">7:    o o\n6: o o o o\n5:  o o o\n4: o o o o\n3:  o o o\n2: o o o o</textarea>", more)
    last = look(client, *PLUS, ("do", "board:board_plus:7/3"))
    assert "every row needs at least one space; one row is empty" in last
    assert spaces(last) == 19, "the only space of a row stays"
    unknown = look(client, *PLUS, ("do", "board:board_plus:unknown"))
    assert "data-said=\"No board is shown: Tableside only counts the rows.\"" in unknown
    assert spaces(unknown) == 0
    again = look(client, *PLUS, ("rule.board_plus", "unknown"), ("do", "board:board_plus:"))
    assert "this one is a guess" in again
    for nothing in ("board:board_plus", "board:burn:unknown", "board:tracks.left:3", "board:board_plus:x/y"):
        assert spaces(look(client, *PLUS, ("do", nothing))) == 19


def test_a_typed_board_keeps_its_offsets_and_one_that_makes_no_sense_says_why(
    house: House, client: FlaskClient
):
    own = ("rule.board_plus", "3:  o\r\n2: o   o")
    html = look(client, *PLUS, own)
    there = re.findall(r'id="rule-board-plus-(\d-\d)" [^>]*aria-pressed="true"', html)
    assert there == ["3-3", "2-2", "2-6"]
    wrong = look(client, *PLUS, ("rule.board_plus", "3: o\n2: o x"))
    assert 'id="rule-board-plus-wrong">Board: write each row like “4:  o o o”, not “2: o x”.<' in wrong
    answer = send(client, "/new", *PLUS, instead(house), ("rule.board_plus", "3: o\n2: o"))
    assert answer.status_code == 422
    assert "row 3 does not fit between the hexes of the rows beside it" in answer.get_data(as_text=True)
    assert send(client, "/new", *PLUS, instead(house), own).status_code == 303
    layout = house.table.session.match.state.layout
    assert layout.drawn() == "3:  o\n2: o   o"
    assert layout.beside("3a") == ("2a",)


@pytest.mark.slow
def test_a_set_of_ones_own_is_offered_where_it_fits(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own_sets().mkdir(parents=True)
    shutil.copytree(find_set("fate").folder, own_sets() / "wooden")
    note = own_sets() / "wooden" / "set.toml"
    note.write_text(re.sub(r'(?m)^id = ".*"', 'id = "wooden"', note.read_text("utf-8"), count=1), "utf-8")
    html = look(client, ("game", "meet-fate"))
    assert 'id="set-wooden"' in html
    assert "your own" in html
    assert client.get("/face/wooden/7.webp").data[8:12] == b"WEBP"
    for picture in (own_sets() / "wooden" / "faces" / "8").iterdir():
        picture.write_bytes(b"no picture")
    assert client.get("/face/wooden/8.webp").status_code == 404, "a damaged picture is missing, and no more"
    assert 'id="set-wooden"' not in look(client, ("game", "triples"))


# --- filling it in: a GET that changes nothing


def test_players_are_added_moved_and_taken_away(client: FlaskClient):
    form = [*TRIPLES, ("player", "Ann"), ("player", "Ben"), ("starts", "1")]
    assert players(look(client, *form, ("do", "add"))) == ["Ann", "Ben", ""]
    assert players(look(client, *form, ("do", "add:Cleo"))) == ["Ann", "Ben", "Cleo"]
    html = look(client, *form, ("do", "up:1"))
    assert players(html) == ["Ben", "Ann"]
    assert "starts-1" in chosen(html), "who starts goes with the row"
    assert 'data-said="Position 1 of 2: Ben."' in html
    html = look(client, *form, ("do", "remove:0"))
    assert players(html) == ["Ben"]
    assert "starts-1" in chosen(html)
    for nothing in ("up:0", "down:1", "remove:9", "remove:-1", "up:x", "move:0", "move:0:9", "move:1:1", "burn:0", ""):
        assert players(look(client, *form, ("do", nothing))) == ["Ann", "Ben"]


def test_a_player_is_moved_past_several_and_who_starts_goes_along(client: FlaskClient):
    seats = [("player", name) for name in ("Ann", "Ben", "Cy", "Dee")]
    html = look(client, *TRIPLES, *seats, ("starts", "1"), ("do", "move:3:0"))
    assert players(html) == ["Dee", "Ann", "Ben", "Cy"]
    assert "starts-3" in chosen(html)
    assert players(look(client, *TRIPLES, *seats, ("do", "move:0:2"))) == ["Ben", "Cy", "Ann", "Dee"]


def test_house_rules_are_folded_under_one_line_of_what_is_changed(house: House, client: FlaskClient):
    def summary(html: str, fold: str) -> str:
        words = re.search(rf'id="{fold}-open"><b>[^<]*</b><span class="state-words">([^<]*)<', html)
        assert words is not None
        return words[1]

    html = look(client, *TRIPLES, ("player", "Ann"))
    assert summary(html, "agreed") == "all default"
    html = look(client, *TRIPLES, ("player", "Ann"), ("rule.target", "40"), ("rule.finish_round", "yes"))
    assert summary(html, "agreed") == "Points to reach: 40, Finish the round: yes"
    assert '<details class="fold" id="agreed">' in html
    assert "the suggested board" in summary(look(client, *PLUS), "printed"), "a guess is not called their own"
    tapped = look(client, *PLUS, ("do", "board:board_plus:7/5"))
    assert "your own" in summary(tapped, "printed")
    fate = look(client, ("game", "meet-fate"))
    assert summary(fate, "printed") == "30, 40, 25, 50, 100, 45"
    assert '<details class="fold" id="printed" open>' in fate, "who plays it for the first time looks at the sheet"
    house.table.session.roll("1 1 1 2 2 2")
    assert '<details class="fold" id="printed">' in look(client, ("game", "meet-fate"))


def test_a_name_that_is_added_fills_an_empty_row_first(client: FlaskClient):
    html = look(client, *TRIPLES, ("player", ""), ("player", "Ben"), ("do", "add:Ann"))
    assert players(html) == ["Ann", "Ben"]


def test_no_more_players_than_the_game_has_seats(client: FlaskClient):
    form = [("game", "outlander"), ("of", "outlander"), *(("player", name) for name in "ABCD")]
    html = look(client, *form, ("do", "add"))
    assert players(html) == list("ABCD")
    assert 'data-said="Outlander Destiny Dice (fan rules) is for 1 to 4 players."' in html


def test_another_game_keeps_the_players_and_takes_its_own_dice_and_rules(client: FlaskClient):
    html = look(
        client, ("game", "outback"), ("of", "triples"), ("set", "cats"), ("player", "Ann"), ("rule.target", "9"),
        ("do", "game"),
    )  # fmt: skip
    assert players(html) == ["Ann"]
    assert {"game-outback", "set-outback"} <= chosen(html)
    assert 'name="rule.target"' not in html


def test_filling_it_in_changes_nothing(house: House, client: FlaskClient):
    before, told = house.table.session, house.table.session.latest().number
    look(client, *TRIPLES, ("player", "Ann"), ("do", "add:Zoe"))
    assert house.table.session is before
    assert before.latest().number == told


# --- beginning


def test_it_begins_as_filled_in_and_the_house_rules_count(house: House, client: FlaskClient):
    before = house.table.session
    answer = send(
        client, "/new", *TRIPLES, instead(house), ("player", " Ann "), ("player", "Ben"), ("player", "Cy"),
        ("starts", "2"), ("rule.target", "40"), ("rule.finish_round", "yes"),
    )  # fmt: skip
    assert answer.status_code == 303
    assert answer.location == "/"
    header = house.table.session.match.header
    assert header.game == "triples"
    assert header.players == ("Cy", "Ann", "Ben"), "Cy starts, and the order around the table stays"
    assert dict(header.options) == {"target": 40, "finish_round": True}
    assert house.table.session is not before


def test_emoji_made_of_several_signs_and_joined_letters_are_names(house: House, client: FlaskClient):
    england = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    names = ["👩‍👩‍👧‍👦", "🏳️‍🌈 Bo", "🇩🇪", england, "👍🏽", "🧑🏿‍🚀", "علی\u200cرضا", "❤️‍🔥"]
    answer = send(client, "/new", *TRIPLES, instead(house), *(("player", name) for name in names))
    assert answer.status_code == 303, wrongs(answer.get_data(as_text=True))
    assert list(house.table.session.match.header.players) == names
    for path in ("/", "/television", "/spectator", "/history"):
        shown = client.get(path).get_data(as_text=True)
        assert [name for name in names if name not in shown] == [], path


def test_the_lot_keeps_the_order_around_the_table(house: House, client: FlaskClient):
    names = list("ABCDE")
    seats = [("player", name) for name in names]
    answer = send(client, "/new", *TRIPLES, instead(house), *seats, ("starts", "lot"))
    assert answer.status_code == 303
    seated = house.table.session.match.header.players
    first = names.index(seated[0])
    assert list(seated) == names[first:] + names[:first]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ([("player", "Ann"), ("player", "")], "Enter a name or remove this row."),
        ([("player", "Ann"), ("player", "ann")], "ann is already in the list. Choose another name."),
        ([("player", "A" * 41)], "This name has 41 characters; the limit is 40."),
        ([("player", "An\u200bn")], "Names can’t contain the character U+200B ZERO WIDTH SPACE."),
        ([("player", "An\u200dn")], "Names can’t contain the character U+200D ZERO WIDTH JOINER."),
        ([("player", "Ann\u202e")], "Names can’t contain the character U+202E RIGHT-TO-LEFT OVERRIDE."),
        ([], "Triples is for 1 to 12 players."),
        ([("player", "Ann"), ("rule.target", "many")], "Enter a whole number from 1 to 9999."),
        ([("player", "Ann"), ("rule.target", "0")], "Enter a whole number from 1 to 9999."),
        ([("player", "Ann"), ("rule.finish_round", "perhaps")], "Choose one of the answers."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_where_it_stands_and_nothing_is_lost(
    house: House, client: FlaskClient, fields: list[tuple[str, str]], words: str
):
    before = house.table.session
    answer = send(client, "/new", *TRIPLES, instead(house), *fields)
    html = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert wrongs(html) == [words]
    assert words in html[html.index('id="worries"') :][:600], "and once more above, with a way to it"
    typed = [value for name, value in fields if name == "player"]
    assert players(html) == typed
    assert house.table.session is before


def test_what_was_typed_into_a_wrong_rule_stays(house: House, client: FlaskClient):
    typed = ("rule.target", "<b>9e9</b>")
    html = send(client, "/new", *TRIPLES, instead(house), ("player", "Ann"), typed).get_data(as_text=True)
    assert 'value="&lt;b&gt;9e9&lt;/b&gt;"' in html
    assert re.search(r'<details class="fold" id="agreed" open>', html), "a wrong rule is not hidden"


def test_a_set_that_does_not_fit_is_refused(house: House, client: FlaskClient):
    fate = [("set", "fate") if field == "set" else (field, value) for field, value in TRIPLES]
    answer = send(client, "/new", *fate, ("player", "Ann"), instead(house))
    assert answer.status_code == 422
    assert "doesn’t work with Triples: it has no" in answer.get_data(as_text=True)


def test_a_hostile_form_is_a_form(house: House, client: FlaskClient):
    before = house.table.session
    for fields in (
        [("game", "../../etc"), ("of", "x"), ("set", "\x00"), ("starts", "9" * 50)],
        [*TRIPLES, *(("player", f"p{i}") for i in range(300))],
        [*TRIPLES, ("player", "Ann"), *((f"rule.{i}", "x") for i in range(200))],
    ):
        answer = send(client, "/new", *fields, ("instead", "somebody else's"))
        assert answer.status_code in (409, 422)
    assert house.table.session is before


# --- once more, and on


@pytest.mark.slow
def test_a_match_is_gone_on_with(house: House, client: FlaskClient):
    first = house.table.session
    first.roll("1 1 1 2 2 2")
    send(client, "/new", *TRIPLES, instead(house), ("player", "Ann"))
    html = look(client)
    assert f'name="match" value="{first.store.id}"' in html
    assert send(client, "/new/go-on", instead(house), ("match", first.store.id)).status_code == 303
    assert house.table.session.match.events == first.match.events
    assert f'value="{first.store.id}"' not in look(client)[look(client).index('id="quick"') :][:200]


# --- who starts


def bob_wins(house: House) -> None:
    """Alice fills a box, and Bob throws six eights."""
    session = house.table.session
    session.roll("1 2 3 4 5 6")
    session.decide(Fill("chance"))
    session.roll("8 8 8 8 8 8")
    session.decide(Confirm(True))
    assert session.match.outcome is not None


@pytest.mark.slow
def test_the_youngest_or_the_last_winner_is_offered_where_the_rules_say_so(house: House, client: FlaskClient):
    assert "The youngest player or the last winner starts." in look(client, ("game", "meet-fate"))
    assert "The youngest starts" not in look(client, *TRIPLES)
    assert "starts-winner" not in look(client), "nobody has won yet"
    bob_wins(house)
    html = look(client)
    assert "Last winner Bob starts" in html
    step = re.search(r'id="starts-winner" name="do" value="([^"]+)"', html)
    assert step is not None
    fate = [("game", "meet-fate"), ("of", "meet-fate"), ("player", "Alice"), ("player", "Bob")]
    html = look(client, *fate, ("do", step[1]))
    assert "starts-2" in chosen(html)
    assert "starts-winner" not in html, "it is chosen"
    send(client, "/new", *fate, ("set", "fate"), ("starts", "1"), instead(house))
    assert house.table.session.match.header.players == ("Bob", "Alice")


def test_play_again_lets_the_last_winner_start(house: House, client: FlaskClient):
    bob_wins(house)
    assert send(client, "/new/again", instead(house), ("starts", "winner")).status_code == 303
    assert house.table.session.match.header.players == ("Bob", "Alice")
    assert shown(house.table.session).on_turn == "Bob"


def test_on_the_command_line_a_name_or_the_last_winner_starts(house: House):
    def asked(**said: Any) -> ServeRequest:
        nothing = dict.fromkeys(("game", "set_id", "players", "resume", "url"))
        return ServeRequest(**{**nothing, "again": False, "place": "", **said})

    with pytest.raises(ValueError, match="the last match has no winner"):
        sit_down(asked(again=True, starts="winner"))
    bob_wins(house)
    assert sit_down(asked(again=True, starts="winner")).kept.match.header.players == ("Bob", "Alice")
    assert sit_down(asked(players="Ann,Ben,Cy", starts="Cy")).kept.match.header.players == ("Cy", "Ann", "Ben")
    with pytest.raises(ValueError, match="--starts: Zoe does not play; expected Ann, Ben, or winner"):
        sit_down(asked(players="Ann,Ben", starts="Zoe"))
    with pytest.raises(ValueError, match="--starts is for a new match"):
        sit_down(asked(resume="last", starts="Ann"))


# --- who is remembered


def test_whoever_played_is_offered_until_forgotten(house: House, client: FlaskClient, tmp_path: Path):
    send(client, "/new", *TRIPLES, instead(house), ("player", "Ann"), ("player", "Ben"))
    html = look(client, *TRIPLES, ("player", "Ann"))
    assert 'value="add:Ben"' in html
    assert 'value="add:Ann"' not in html, "who plays already is not offered"
    answer = send(client, "/new/forget", *TRIPLES, ("player", "Ann"), ("forget", "Ben"))
    assert answer.status_code == 303
    assert "player=Ann" in answer.location
    assert 'value="add:Ben"' not in look(client, *TRIPLES, ("player", "Ann"))
    assert "Ben" not in RecentPlayers(tmp_path).names([("Ann", "Ben")])
    send(client, "/new", *TRIPLES, instead(house), ("player", "Ann"), ("player", "Ben"))
    assert 'value="add:Ben"' in look(client, *TRIPLES, ("player", "Ann")), "who plays again is offered again"


def test_names_are_those_of_the_matches_that_are_kept_and_of_an_earlier_tableside(tmp_path: Path):
    names = RecentPlayers(tmp_path)
    assert names.names([("Ann", "Ben"), ("Ben", "Cy")]) == ("Ann", "Ben", "Cy")
    (tmp_path / "players.json").write_text('{"version": 1, "players": ["Zoe", "Ann"]}', "utf-8")
    assert names.names([("Ben", "Ann")]) == ("Ben", "Ann", "Zoe")
    names.forget("Zoe")
    names.forget("Ben")
    assert names.names([("Ben", "Ann")]) == ("Ann",)
    names.plays(["Ben"])
    assert RecentPlayers(tmp_path).names([("Ben", "Ann")]) == ("Ben", "Ann")


DAMAGED = (b"", b"{", b"[1]", b'{"players": 3}', b'{"players": [1, "", "  x", "\\u0000"]}', b"\xff", b"[" * 99999)


def test_a_damaged_list_of_names_costs_the_names_and_nothing_else(tmp_path: Path):
    for number, damage in enumerate(DAMAGED):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "players.json").write_bytes(damage)
        names = RecentPlayers(folder)
        assert names.names([("Ann", "Ben")]) == ("Ann", "Ben")
        names.forget("Ann")
        assert names.names([("Ann", "Ben")]) == ("Ben",)
    (tmp_path / "file").write_text("in the way")
    names = RecentPlayers(tmp_path / "file" / "below")
    names.forget("Ann")
    names.plays(["Ann"])
    assert names.names([("Ann",)]) == ("Ann",), "a folder that cannot be written is no trouble"
