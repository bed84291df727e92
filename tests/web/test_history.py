"""History: the scores, the luck and the dice of a match, each as a chart and as a table that says the same."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from advice.counsel import Expert
from advice.fairness import throws_of
from cli.compose import pages_of
from hardware.public_state import PublicNotice
from scoring.actions import Draw, Fill, IllegalMoveError, Move, Play, Roll
from scoring.anyplay import any_action
from scoring.game import AnyGame, Family
from scoring.gamefile.game import game_of
from scoring.gamefile.reading import read
from scoring.games import find as find_game
from scoring.match import Correction, Match, begin, replay
from scoring.standing import standing
from scoring.view import leading
from table import draws
from table.history import Fate, at, chronicle, happened
from table.new_match import dice_for
from table.outlets import PublicOutput
from table.seats import seated
from table.session import Session
from table.storage.evidence import Album, Evidence
from table.storage.store import Store
from table.table import Table
from tests.fakes import SMALL_GAME
from tests.playthroughs.transcript import played as transcript
from tests.web import tables
from tests.web.tables import PIN, app_of, bare, everything, player, post
from web import charts
from web.announcer import Announcer
from web.pages.history import MOST_LISTED, plain, scores, signed
from web.settings import WebSettings
from words.speaker import speaker

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
def played(game: str, players: list[str], events: int, seed: int = 3) -> Match:
    """A match of so many events at most: fair dice, and of the decisions the first that is no hold."""
    rng = random.Random(seed)
    rules: AnyGame = find_game(game)
    match = begin(rules, players)
    while not match.outcome and len(match.events) < events:
        due = match.roll_awaited
        if due is not None:
            match = match.add(Roll(tuple(rng.choice(rules.dice.faces) for _ in range(due.dice))))
            continue
        player = match.decider
        assert player is not None
        moves = [one for one in rules.legal_moves(match.state, player) if not isinstance(one, Family)]
        match = match.add(Play(player, moves[0]))
    return match


def golden(game: str) -> Match:
    """A game's recorded match, to its end."""
    return transcript((PLAYTHROUGHS / f"{game}.txt").read_text(encoding="utf-8"))[0]


Open = Callable[[Match], FlaskClient]


@pytest.fixture
def opened(data: Path) -> Open:
    """Puts a match on a table, and opens the table's pages."""
    return lambda match: app_of(match).test_client()


@pytest.fixture(scope="module")
def match() -> Match:
    """A whole match of Meet Fate."""
    return played("meet-fate", ["Ann", "Bob"], 60)


@pytest.fixture(scope="module")
def html(match: Match, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLESIDE_DATA", str(tmp_path_factory.mktemp("history")))
        return html_of(app_of(match).test_client())


def html_of(client: FlaskClient, path: str = "/history") -> str:
    return tables.html_of(client, path)


def drawn(html: str) -> list[ElementTree.Element]:
    """The charts of a page; each is well-formed XML."""
    charts = r'<svg class="chart".*?</svg>|<div class="course".*?</div>'
    return [ElementTree.fromstring(one) for one in re.findall(charts, html, re.S)]


def table(html: str, caption: str) -> list[list[str]]:
    """The cells of the table with this caption."""
    found = next(one for one in re.findall(r"<table.*?</table>", html, re.S) if caption in one)
    rows = re.findall(r"<tr>(.*?)</tr>", found, re.S)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]


def test_meet_fate_has_three_charts_each_with_its_table(html: str):
    names = [re.split("[,:]", str(one.get("aria-label")))[0] for one in drawn(html)]
    assert names == ["Points during the match", "Luck", "How often each face came up"]
    assert all(one.get("role") == "img" for one in drawn(html))
    sections = [one for one in re.findall(r"<section.*?</section>", html, re.S) if "<table" in one]
    assert len(sections) == 3
    for section in sections:
        chart = next(at for name in ('class="chart"', 'class="course"') if (at := section.find(name)) > 0)
        assert chart < section.index("<table") < section.index("<caption")
        assert section.index("<details") < section.index("<table"), "the figures are folded"
    assert html.count("<caption") == html.count("<table") == 4


def test_the_scores_are_the_matchs(match: Match, html: str):
    rows = table(html, "Points after each score")
    seats = match.view.seats
    assert rows[1][1:] == ["start", "0", "0"]
    assert rows[-1][2:] == [str(seat.score) for seat in seats]
    assert len(rows) == 2 + 30, "a row for each box written, one for the beginning and the head"
    assert f"Ann from 0 to {seats[0].score}; Bob from 0 to {seats[1].score}" in html
    lines = list(drawn(html)[0].iter("polyline"))
    assert [len(str(one.get("points")).split()) for one in lines] == [31, 31]


def test_luck_and_losses_are_those_of_the_account(match: Match, html: str):
    looked = Expert().look_back(match)
    luckier = max(looked.accounts, key=lambda one: abs(one.luck))
    told = "Good luck raised {}’s" if luckier.luck > 0 else "Bad luck lowered {}’s"
    by = plain(abs(luckier.luck), looked.unit)
    assert f"{told.format(luckier.player)} chance of winning by {by}." in html
    for one in looked.accounts:
        assert f"{one.player}’s choices lowered the chance of winning by {plain(one.lost, looked.unit)}." in html
    for row, one in zip(table(html, "Assumes ")[1:], looked.accounts, strict=True):
        assert row == [one.player, signed(one.luck, "chance to win"), plain(one.lost, "chance to win")]
    assert looked.unit == "chance to win"
    lost = plain(looked.accounts[0].lost, looked.unit)
    assert f"lost {lost}; Bob: luck" in html, "the chart says its figures"


def test_the_dearest_choices_are_named_and_lead_to_their_moment(match: Match, html: str):
    lost = sorted(
        ((one.lost, one.number) for each in Expert().look_back(match).accounts for one in each.moments), reverse=True
    )
    costly = re.findall(r'<li><a href="/history/[^"/]+/(\d+)"><b>(Ann|Bob): .*?better: ', html)
    assert [int(number) for number, _ in costly] == [number for _, number in lost[:3]]


def test_a_race_of_two_is_told_in_chances_to_win(opened: Open):
    html = html_of(opened(played("called-shot", ["Ann", "Bob"], 12)))
    assert "Unit: percentage points of the chance to win." in html
    rows = table(html, "Unit: percentage points of the chance to win")[1:]
    assert all(re.fullmatch(r"[+−]?\d+\.\d %", cell) for row in rows for cell in row[1:])
    luck = [float(row[1].replace("−", "-").rstrip(" %")) for row in rows]
    assert luck[0] == -luck[1] != 0, "one's luck is the other's"


def test_faces_are_counted_against_what_was_to_be_expected(match: Match, html: str):
    thrown = [face for one in match.played if isinstance(one.action, Roll) for face in one.action.faces]
    rows = table(html, "How often each face came up")[1:]
    assert [int(row[2]) for row in rows] == [thrown.count(face) for face in match.game.dice.faces]
    assert all(int(row[2]) == int(row[3]) + int(row[4]) for row in rows)
    assert {row[1] for row in rows} == {f"{len(thrown) / 8:.1f}"}


def test_a_verdict_only_on_enough_throws(opened: Open, html: str):
    few = html_of(opened(played("meet-fate", ["Ann", "Bob"], 32)))
    assert [row[2] for row in table(few, "Are the dice fair")[1:]] == ["Needs at least 100 dice."] * 3
    assert "judging fairness takes 100 thrown dice" in few.lower()
    verdicts = [row[2] for row in table(html, "Are the dice fair")[1:]]
    said = r"Looks fair\. The chance of such uneven results with fair dice: \d+\.\d %\."
    assert re.fullmatch(said, verdicts[0])
    assert verdicts[1:] == ["Needs at least 100 dice."] * 2


def test_before_the_first_throw_there_is_nothing(opened: Open):
    html = html_of(opened(begin(find_game("meet-fate"), ["Ann", "Bob"])))
    assert "Nothing has been thrown yet" in html
    assert "<table" not in html
    assert drawn(html) == []


def test_a_match_without_an_account_of_luck_says_why(opened: Open):
    html = html_of(opened(golden("outback")))
    assert "Luck cannot be worked out for this match. Tableside cannot separate luck from skill in Outback." in html
    assert len(drawn(html)) == 2, "scores and dice are shown all the same"


def test_every_table_can_be_read_aloud_and_reached_by_keyboard(html: str):
    tables = re.findall(r"<table.*?</table>", html, re.S)
    assert tables
    for one in tables:
        assert "<caption" in one
        rows = re.findall(r"<tr>.*?</tr>", one, re.S)
        assert rows
        assert all("<th scope=" in row for row in rows)
    wide = re.findall(r'<div class="wide[^>]*>', html)
    assert wide
    assert all('tabindex="0"' in one and 'role="region"' in one and "aria-labelledby" in one for one in wide)


def listed(html: str) -> list[str]:
    """The list of matches, a line each."""
    found = re.search(r'<ul class="matches">(.*?)</ul>', html, re.S)
    assert found
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in re.findall(r"<li>.*?</li>", found[1], re.S)]


def test_the_matches_of_this_table_are_listed_with_their_results(opened: Open, tmp_path: Path):
    store = Store.of(tmp_path)
    earlier = store.begin(played("called-shot", ["Cem", "Dee"], 8))
    store.begin(golden("pairs"))
    store.begin(played("triples", ["Eve", "Fay"], 2), place="upstairs")
    client = opened(played("meet-fate", ["Ann", "Bob"], 10))
    lines = listed(html_of(client))
    assert len(lines) == 3
    assert re.fullmatch(r"Pairs Ann, Bob · today \d\d:\d\d Ann won 71:4", lines[1])
    assert re.fullmatch(r"Called Shot Cem, Dee · today .*(leads|Level|No points).* not finished", lines[2])
    html = html_of(client, f"/history/{earlier.id}")
    assert "Cem, Dee" in html
    assert "not finished" in html
    assert len(listed(html_of(client, "/history?game=pairs"))) == 1
    assert len(listed(html_of(client, "/history?page=99"))) == 3


def test_a_long_list_has_pages(opened: Open, tmp_path: Path):
    store = Store.of(tmp_path)
    for _ in range(MOST_LISTED):
        store.begin(played("triples", ["Eve", "Fay"], 2))
    client = opened(played("meet-fate", ["Ann", "Bob"], 10))
    assert [len(listed(html_of(client, f"/history?page={page}"))) for page in (1, 2)] == [MOST_LISTED, 1]


@pytest.mark.parametrize(
    ("game", "headline"),
    [
        ("pairs", "Ann won 71:4"), ("quintuples", "Ann won with 4 points"), ("meet-fate", "Ann: 384 points"),
        ("outback", "Anna won −5 : −11"),
    ],
)  # fmt: skip
def test_the_page_begins_with_who_won(game: str, headline: str):
    assert speaker().say(standing(golden(game)).said) == headline


def test_of_a_running_match_the_page_says_who_leads():
    match = played("meet-fate", ["Ann", "Bob"], 40)
    ann, bob = (seat.score for seat in match.view.seats)
    best, other = max(ann, bob), min(ann, bob)
    name = "Ann" if ann > bob else "Bob"
    assert speaker().say(standing(match).said) == f"{name} leads {best}:{other}"
    begun = begin(find_game("meet-fate"), ["Ann", "Bob"])
    assert speaker().say(standing(begun).said) == "No points yet"


GOLF = SMALL_GAME.replace("rounds = 2", 'rounds = 2\nwins = "lowest"')


def test_the_fewest_points_lead_where_the_lowest_win():
    match = begin(game_of(read(GOLF)), ["Ann", "Bob", "Cleo"])
    for roll in ("66", "11", "12"):
        match = match.add(Roll(tuple(roll)))
    assert speaker().say(standing(match).said) == "Bob leads with 2 points"
    assert [(one.place, one.name) for one in standing(match).places] == [(1, "Bob"), (2, "Cleo"), (3, "Ann")]
    assert leading([seat.score for seat in match.view.seats], lowest=True) == {1}


@pytest.mark.parametrize("game", ["meet-fate", "triples", "everyone-scores", "outlander", "destiny"])
def test_every_row_of_scores_is_one_that_was_told(game: str):
    match = golden(game)
    told = scores(match)
    assert told.rows[-1] == tuple(seat.score for seat in match.view.seats)
    assert len(told.rows) == len(told.whose)
    assert all(told.whose[1:])


def test_names_at_the_ends_of_lines_do_not_cover_each_other():
    assert charts.spread([50, 50, 51], 8) == [50, 58, 66]
    assert charts.spread([99, 98, 100], 8) == [92, 84, 100]


def test_figures_have_a_sign_and_one_place_and_axes_round_numbers():
    for value, said in ((3.46, "+3.5"), (-0.44, "−0.4"), (-0.04, "0.0"), (0.0, "0.0")):
        assert (signed(value, "points"), plain(abs(value), "points")) == (said, said.lstrip("+−"))
    assert signed(-0.0042, "chance to win") == "−0.4 %"
    for low, high, levels in (
        (0, 0, [0, 1]), (0, 1, [0, 1]), (-11, 0, [-15, -10, -5, 0]), (0, 100, [0, 50, 100]), (-9, 34, [-20, 0, 20, 40]),
        (0, 7, [0, 2, 4, 6, 8]), (0, 243, [0, 100, 200, 300]),
    ):  # fmt: skip
        assert charts.ticks(low, high, 4) == levels


def test_without_script_the_button_answers_in_two_lines(opened: Open):
    client = opened(begin(find_game("meet-fate"), ["Ann", "Bob"]).add(Roll(tuple("235778"))))
    answer = client.get("/advice", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    first, second = answer.get_data(as_text=True).splitlines()
    assert answer.mimetype == "text/plain"
    assert first == "Hold two 7s and an 8 and throw three dice again."
    assert second.startswith("Chance to win: 49.7")
    assert client.get("/advice", headers={"Accept": "*/*"}).is_json


# --- event by event


def disputed() -> Match:
    """Meet Fate with a roll put right, a decision taken back and decided again."""
    match = begin(find_game("meet-fate"), ["Ann", "Bob"]).add(Roll(tuple("223778")))
    match = match.correct(1, tuple("223788"))
    fill = next(one for one in match.game.legal_moves(match.state, 0) if isinstance(one, Fill))
    match = match.add(Play(0, fill)).undo()
    return match.add(Play(0, fill)).add(Roll(tuple("123456")))


def running(client: FlaskClient) -> str:
    """The id of the match on the table."""
    found = re.search(r'href="/history/([^"/]+)/events"', html_of(client))
    assert found is not None
    return found[1]


def event(html: str, number: int) -> str:
    """One event of the list, as text."""
    found = re.search(rf'id="event-{number}">(.*?)</li>\n', html, re.S)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_every_event_is_a_sentence_and_says_what_became_of_it(opened: Open):
    client = opened(disputed())
    html = html_of(client, f"/history/{running(client)}/events")
    assert html.count('class="event ') == 6
    assert re.search(r"Ann, throw 1: 2, 2, 3, 7, 7 and 8\. corrected by event 2 1 [\d:]+", event(html, 1))
    assert event(html, 2).startswith("Corrected: the dice showed 2, 2, 3, 7, 8 and 8.")
    assert "about event 1" in event(html, 2)
    assert re.search(r"Ann scores .* undone by event 4", event(html, 3))
    assert "<del>Ann scores" in html
    assert re.match(r"Undone: ", event(html, 4))
    assert re.search(r"Ann scores .*\. (0|\+\d+) ", event(html, 5))


def test_every_point_leads_to_the_paragraph_about_it(opened: Open):
    client = opened(golden("pairs"))
    html = html_of(client, f"/history/{running(client)}/events")
    ways = set(re.findall(r'<cite><a href="(/rules/pairs)#([\w-]+)">[^<]+</a></cite>', html))
    assert {anchor for _, anchor in ways} == {"calling", "set"}
    assert len(re.findall("<cite", html)) == len(re.findall("<cite><a ", html))
    for way, anchor in ways:
        assert f'id="{anchor}"' in html_of(client, way)


def test_the_table_stands_as_it_did_after_each_event(opened: Open):
    match = disputed()
    client = opened(match)
    place = f"/history/{running(client)}"
    for number in range(len(match.events) + 1):
        html = html_of(client, f"{place}/{number}")
        then = at(match, number)
        totals = [int(one) for one in re.findall(r'<span class="total"[^>]*>(\d+)</span>', html)]
        assert totals == [seat.score for seat in then.view.seats]
        back, forward = (re.search(rf'<a[^>]* id="{one}"[^>]*>', html) for one in ("back", "forward"))
        assert back
        assert forward
        assert ('aria-disabled="true"' in back[0]) == (number == 0)
        assert ('aria-disabled="true"' in forward[0]) == (number == len(match.events))
        assert '<form method="post" action="/move' not in html, "there is nothing to operate"
    assert client.get(f"{place}/{len(match.events) + 1}").status_code == 404
    assert "The beginning" in html_of(client, f"{place}/0")


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(path.stem for path in PLAYTHROUGHS.glob("*.txt")))
def test_every_game_is_told_to_its_end_and_can_be_stood_in(opened: Open, game: str):
    match = golden(game)
    client = opened(match)
    place = f"/history/{running(client)}"
    told = chronicle(match)
    assert [one.number for one in told] == list(range(1, len(match.events) + 1))
    assert all(one.said for one in told)
    assert all(happened(match, one.number) == one for one in told)
    counted = {one.number for one in match.played}
    assert {one.number for one in told if one.fate is Fate.COUNTS and one.of == 0} <= counted
    assert sum(len(one.scores) for one in told) == sum(len(one.step.scores) for one in match.played)
    html_of(client, f"{place}/events")
    for number in {1, len(match.events) // 2, len(match.events)}:
        html_of(client, f"{place}/{number}")


def dealt() -> Match:
    """A match of Destiny in which hands were dealt and a decision is due."""
    match = begin(find_game("destiny"), ["Ann", "Bob"], {"cards": "dealt"})
    while match.draw_awaited is not None or not any(isinstance(one, Draw) for one in match.events):
        if match.draw_awaited is not None:
            match = draws.drawn(match)
            continue
        player = match.decider
        assert player is not None
        moves = [one for one in match.game.legal_moves(match.state, player) if not isinstance(one, Family)]
        match = match.add(Play(player, moves[0]))
    return match


def hands_of(match: Match) -> set[str]:
    """Every card that was ever drawn into a hand."""
    draws = (one for one in match.events if isinstance(one, Draw) and match.game.is_secret(one))
    return {card for one in draws for card in one.cards}


@pytest.mark.slow
def test_nothing_that_can_be_fetched_or_heard_tells_a_hand_before_the_match_is_over(tmp_path: Path):
    """Every address that answers, for the host's device too, while the match runs and after another replaced it; the
    streams of every kind of page, and what goes to a broker."""
    match, announcer, published = dealt(), Announcer(), list[PublicNotice]()
    session = Session(
        match, Store.of(tmp_path).begin(match), dice_for(match.game),
        outputs=(announcer, PublicOutput(published.append)),
    )  # fmt: skip
    table_ = Table(session)
    settings = WebSettings(heartbeat=0.01, picture_wait=0.01)
    client = pages_of(table_, announcer, settings).test_client()
    session.greet()
    identity = match.game.legal_moves(match.state, 0)[0]
    assert isinstance(identity, Move)
    session.decide(identity)  # whom somebody chose to be lies face up from now on
    held = {card for side in session.match.state.sides for card in side.hand}

    def telling(text: str) -> list[str]:
        words = text.casefold()
        return [one for one in held if "-" in one and (one in words or _names(one.replace("-", " "), words))]

    assert published
    assert telling(repr(published)) == []
    for replaced in (False, True):
        if replaced:
            again = begin(find_game("pairs"), ["Cy", "Di"])  # whose pages name no card of themselves
            other = Session(again, session.store.store.begin(again), dice_for(again.game))
            client = pages_of(Table(other), Announcer(), settings).test_client()
        for path, told in everything(client, session.store.id, range(len(session.match.events) + 1)):
            assert telling(told) == [] or "ruling" in path, path
            assert replaced or ("event: notice" in told) == path.startswith(("/events", "/api/v1/notices"))
    page = html_of(client, f"/history/{session.store.id}/events")
    assert 'id="export"' not in page
    assert "You can download it after the match." in page
    refused = client.get(f"/history/{session.store.id}/log.jsonl")
    assert refused.status_code == 409
    assert refused.get_data(as_text=True).count("\n") == 1


def test_a_players_device_cannot_try_out_what_another_holds(data: Path):
    """A card that is refused is not in the hand: only its owner and the host's device may play from it."""
    match = dealt()
    assert match.decider == 0
    bob = player(bare(match, pin=PIN), "Bob")
    for fields in ({}, {"player": "0"}):
        answer = post(bob, "/move", None, move='{"kind": "identity", "card": "law-base-1"}', **fields)
        assert (answer.status_code, "hand" in answer.get_data(as_text=True)) == (403, True)
        assert "is not in" not in answer.get_data(as_text=True)


def test_a_match_with_hands_is_open_when_it_is_over(opened: Open):
    match, choose = dealt(), random.Random(4).randrange
    while match.outcome is None:
        match = match.add(any_action(match.game, match.state, choose))
    client = opened(match)
    log = client.get(f"/history/{running(client)}/log.jsonl").get_data(as_text=True)
    assert all(f'"{card}"' in log for card in hands_of(match))
    assert 'id="export"' in html_of(client)


def _names(card: str, text: str) -> bool:
    """Whether a card is named: the dragon is not, where a treasure is the dragons' hoard."""
    return re.search(rf"\b{re.escape(card)}\b", text) is not None


def test_a_match_goes_out_and_comes_in_again(opened: Open):
    match = disputed()
    client = opened(match)
    answer = client.get(f"/history/{running(client)}/log.jsonl")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="')
    log = answer.get_data()
    taken = client.post("/history/import", data={"log": (io.BytesIO(log), "x.jsonl")})
    assert taken.status_code == 303
    assert "not finished" in html_of(client, taken.headers["Location"])
    assert client.get(f"{taken.headers['Location']}/log.jsonl").get_data() == log


def test_a_log_that_no_table_can_have_written_is_shown_as_far_as_it_goes(opened: Open, tmp_path: Path):
    """It was kept before such logs were refused."""
    rules = find_game("meet-fate")
    header = begin(rules, ["Ann", "Bob"]).header
    events = (Roll(("<b>", *"23456")), Roll(tuple("123456")), Correction(1, tuple("123456")))
    client = opened(replay(rules, header, events))
    place = f"/history/{running(client)}"
    for path in ("events", "0", "1", "2", "3"):
        assert "<b>, 2" not in html_of(client, f"{place}/{path}")


def test_a_match_after_a_correction_that_stops_it_says_so(opened: Open):
    match = disputed()
    stopped = match.correct(6, tuple("123457")).correct(1, ())
    client = opened(stopped)
    html = html_of(client, f"/history/{running(client)}/events")
    assert stopped.stop is not None
    assert f"The match cannot continue after event {stopped.stop.number}." in html
    assert "no longer possible" in html
    html_of(client, f"/history/{running(client)}/{len(stopped.events)}")


def test_pictures_of_a_kept_match_are_its_own(opened: Open, tmp_path: Path):
    client = opened(disputed())
    assert client.get(f"/history/{running(client)}/picture/1/0.jpg").status_code == 404
    store = Store.of(tmp_path)
    Album(store).keep(running(client), 1, Evidence(b"\xff\xd8 a picture", ()))
    html = html_of(client, f"/history/{running(client)}/events")
    assert f'src="/history/{running(client)}/picture/1/0.jpg"' in html
    Album(store).keep(running(client), 6, Evidence(b"\xff\xd8 a picture", ((400, b"small"), (200, b"smaller"))))
    html = html_of(client, f"/history/{running(client)}/events")
    assert f'src="/history/{running(client)}/picture/6/200.jpg"' in html, "a list loads small pictures"
    assert client.get(f"/history/{running(client)}/picture/1/0.jpg").get_data() == b"\xff\xd8 a picture"
    assert client.get("/history/nothing/picture/1/0.jpg").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("game", ["called-shot", "triples", "everyone-scores", "outlander"])
def test_scores_luck_and_dice_follow_people_to_their_seats(game: str, opened: Open):
    rng = random.Random(4)
    match, changes = played(game, ["Ann", "Bob", "Cy"], 6), 0
    for seats in ("Ann Bbo Cy", "Cy Ann Bbo", "Cy Ann Bbo Dan", "Dan Ann Bbo"):
        for _ in range(12):
            if match.outcome:
                break
            try:
                match, changes = match.seat(seated(match.header.players, seats.split())), changes + 1
                break
            except IllegalMoveError:
                match = match.add(any_action(match.game, match.state, rng.randrange))
        for _ in range(6):
            match = match if match.outcome else match.add(any_action(match.game, match.state, rng.randrange))
    assert changes >= (1 if game == "outlander" else 2)  # its cards end a match of chance soon
    told = scores(match)
    assert told.rows[-1] == tuple(seat.score for seat in match.view.seats)
    assert {account.player for account in Expert().look_back(match).accounts} == set(match.header.players)
    assert {"Ann", "Bbo"} <= {throw.player for throw in throws_of(match)}
    assert "Bob" not in {throw.player for throw in throws_of(match)}
    client = opened(match)
    page = client.get("/history").get_data(as_text=True)
    assert all(f">{name}<" in page for name in match.header.players)
    assert client.get("/").status_code == 200
