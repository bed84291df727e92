"""Whole matches in a real browser, by touch and by keyboard and ear; and Outback with all that its boards ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from hardware.board_state import BoardState
from hardware.mqtt import MqttMessage
from table.outlets import BoardOutput, MessageOutput
from tests.web.marks import others_as_proof
from tests.web.playing import WAIT, Listener, Player, Toucher, World, world
from tests.web.serving import complaints_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.usefixtures("data")

SHORT = {"e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker"}


def dice(text: str) -> str:
    return ", ".join(SHORT[letter] for letter in text)


def roll(player: Player, text: str) -> None:
    """Type a roll by tapping."""
    page = player.page
    if not page.locator("#faces").is_visible():
        page.tap("#amend summary")
    page.fill("#faces", dice(text))
    player.changed(lambda: page.tap("#typed"))


def named_everywhere(page: Page, place: World, name: str) -> None:
    """Every page and output names this player, and nobody else, as the one who throws for the start."""
    prompt = f"{name}, throw the dice for the start marker."
    assert page.locator("#prompt").inner_text() == prompt
    assert page.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert page.locator("#field").inner_text() == f"{name}’s board"
    other = page.context.new_page()
    other.goto(place.address + "television")
    assert other.locator(".tv-turn").inner_text() == name
    assert other.locator(".tv-prompt").inner_text() == prompt
    assert other.locator("tr[aria-current] th").inner_text().split()[1] == name
    other.goto(place.address + "spectator")
    assert other.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert other.locator(".prompt").inner_text() == prompt
    other.close()
    states: list[BoardState] = []
    messages: list[MqttMessage] = []
    for output in (BoardOutput(states.append), MessageOutput(messages.append)):
        output.tell(place.session.latest())
    turn = states[0].turn
    assert turn is not None
    assert states[0].seats[turn].name == name
    assert messages[0].turn == name
    assert [one["name"] for one in messages[0].players if one["on_turn"]] == [name]
    assert messages[0].sentence.endswith(f"{name} rolls for the start marker.")


def test_whoever_throws_for_the_start_is_named_on_every_page_and_why(page: Page):
    with world("outback", throws=0, players=3) as place:
        player = Player(page, place)
        player.open()
        player.changed(lambda: page.tap("#deal"))
        rule = "Everyone rolls for the start marker: whoever rolls the most equal animals starts. Jokers do not count."
        assert rule in player.said()
        assert page.locator(".opening p").all_inner_texts() == [rule]
        named_everywhere(page, place, "Alice")
        roll(player, "eeekjj")
        assert "Alice rolled three emus, a koala and two jokers. That counts as three." in player.said()
        named_everywhere(page, place, "Bob")
        assert page.locator(".opening li").all_inner_texts() == ["Alice: 3", "Bob: –", "Cleo: –"]
        roll(player, "kkkpmr")
        named_everywhere(page, place, "Cleo")
        roll(player, "jjjjpp")
        tie = "Alice and Bob tied with three; they throw again."
        assert tie in player.said()
        assert tie in page.locator(".opening p").all_inner_texts()
        named_everywhere(page, place, "Alice")
        roll(player, "ekprmj")
        named_everywhere(page, place, "Bob")
        roll(player, "eekprm")
        assert player.said().endswith("Bob rolled the most equal animals, two, and starts. Bob to roll.")
        assert page.locator(".seat.now .name").all_inner_texts() == ["Bob to play"]
        assert page.locator("#prompt").inner_text() == "Bob, throw the dice."
        assert page.locator(".opening").count() == 0
        assert "Everyone begins at −9" in page.locator("#sheet").inner_text()
        page.goto("about:blank")


OWN = "3:  o\n2: o   o"
"""Row 3 lies beside the left space of row 2 and beside no other; counted rows, 2:2 3:1, would touch both."""


def tap_tiles(player: Player, *tiles: str) -> None:
    """Say which tiles came, by tapping."""
    page = player.page
    for i, tile in enumerate(tiles):
        page.select_option(f"#card-{i}", tile)
    player.changed(lambda: page.tap("#told"))


def tap_tile(player: Player, animal: str, space: str, group: int) -> None:
    page = player.page
    page.locator("label", has=page.locator(f"#lay-{animal}")).tap()
    assert page.locator(f"#hex-{space} .brings").inner_text() == f"+{group}"
    player.changed(lambda: page.tap(f"#hex-{space}"))


def totals(page: Page) -> list[str]:
    return page.locator(".seat .total").all_inner_texts()


def test_outback_plus_by_touch_on_a_board_of_ones_own_from_tonight_to_the_end(page: Page):
    from playwright.sync_api import expect

    with world("meet-fate", throws=0) as place:
        page.goto(place.address + "tonight")
        page.locator("label", has=page.locator("#game-outback-plus")).tap()
        page.wait_for_selector(".hexes")
        assert "This board is a guess" in page.locator("#rules").inner_text()
        spaces = page.locator(".hexes [aria-pressed=true]")
        assert spaces.count() == 19
        page.tap("#rule-board-plus-open")
        page.fill("#rule-board-plus", "3:  o\n2: o")
        page.keyboard.press("Tab")
        expect(spaces).to_have_count(2)
        assert "guess" not in page.locator(".hexes").locator("xpath=..").locator("p").first.inner_text()
        page.tap("#rule-board-plus-2-4")
        expect(spaces).to_have_count(3)
        page.tap("#rule-board-plus-2-2")
        expect(spaces).to_have_count(2)
        page.fill("#rule-board-plus", OWN)
        page.tap("#begin")
        page.wait_for_selector("#link[data-link=live]")
        player = Player(page, place)
        assert place.session.match.state.options.text("board_plus") == OWN
        tap_tiles(player, "koala", "koala", "koala", "emu", "emu")
        left, right, above = (
            page.locator(f".hexes:not(.small) .cell:has-text('{one}')") for one in ("2a", "2b", "3a")
        )
        edges = [one.bounding_box() for one in (left, right, above)]
        a, b, c = (box["x"] for box in edges if box)
        width = (edges[0] or {"width": 0.0})["width"]
        assert (round((b - a) / width, 1), round((c - a) / width, 1)) == (2.0, 0.5), (
            "they lie as they were drawn"
        )
        for text in ("eekrpmj", "kkerpmj"):
            roll(player, text)
        assert "Alice and Bob tied with two; they throw again." in player.said()
        for text in ("eeekrpm", "kkerpmj"):
            roll(player, text)
        roll(player, "kkkkkee")
        tap_tile(player, "koala", "3a", 1)
        tap_tile(player, "koala", "2b", 1)
        tap_tile(player, "emu", "2a", 1)
        for points in ("4", "5"):
            page.fill("#tell", points)
            player.changed(lambda: page.tap("#tell-it"))
        assert totals(page) == ["−9", "−9"], "what was won lies face down: 3, 4 and 5 points"
        assert "lie face down until the end" in page.locator("#sheet").inner_text()
        tap_tiles(player, "kangaroo", "emu", "platypus")
        for _ in range(2):
            roll(player, "jjjjjjj")
            player.changed(lambda: page.tap("#throw"))
        roll(player, "jjjjjjj")
        assert "Nothing to lay: no animal on the jeep has enough dice for a free row." in player.said()
        player.changed(lambda: page.tap("#hex-3a"))
        assert totals(page) == ["3", "−11"]
        assert "Alice turns up bonus tiles (first full board, row 2 and row 3): 12 points." in player.said()
        assert "Alice won with 3 points" in page.locator("#over").inner_text()
        assert "lie face down until the end" not in page.locator("#sheet").inner_text()
        page.locator("#given summary").tap()
        assert "Bonus tile: the first complete board" in page.locator("#given").inner_text()
        page.goto("about:blank")


def test_outback_plus_by_keyboard_as_outback(page: Page):
    with world("outback-plus", {"board_plus": OWN}, throws=0) as place:
        player = Player(page, place)
        player.open()
        keys = page.keyboard

        def press(*names: str) -> None:
            for name in names:
                keys.press(name)

        def goes_to(start: str) -> None:
            """D, until the keyboard is at something whose id begins so; never more often than there are groups."""
            for _ in range(4):
                press("d")
                if page.evaluate("document.activeElement.id").startswith(start):
                    return
            raise AssertionError(f"D does not go to {start}")

        def tiles(*names: str) -> None:
            goes_to("card-0")
            for name in names:
                keys.type(name[:4])
                keys.press("Tab")
            player.changed(lambda: press("Enter"))

        def throw(text: str) -> None:
            press("e")
            keys.insert_text(dice(text))
            player.changed(lambda: press("Enter"))

        def label() -> str:
            return page.evaluate("document.activeElement.getAttribute('aria-label')")

        tiles("koala", "koala", "koala", "emu", "emu")
        assert "On the jeep: two emus and three koalas." in player.said()
        for text in ("eekrpmj", "kkerpmj", "eeekrpm", "kkerpmj", "kkkkkee"):
            throw(text)
        goes_to("lay-emu")
        press("ArrowDown", "d")  # the koala, then to its spaces
        assert label() == "koala to 3a, group of 1"
        press("ArrowDown")
        assert label() == "koala to 2a, group of 1"
        press("ArrowRight")
        assert label() == "koala to 2b, group of 1"
        player.changed(lambda: press("Enter"))
        assert player.said().startswith("Alice lays a koala on 2b: 1 point.")
        press("w")
        assert (
            "Koala to rows 2, 3. D goes to the choices, then to the animals, then to their spaces."
            in player.said()
        )
        goes_to("lay-koala")
        goes_to("hex-3a")
        player.changed(lambda: press("Enter"))
        goes_to("hex-2a")
        assert label() == "emu to 2a, group of 1"
        player.changed(lambda: press("Enter"))
        assert "Alice wins the bonus tile “row 2”. How many points are printed on it?" in player.said()
        for points in ("4", "5"):
            goes_to("tell")
            press("ControlOrMeta+a")
            keys.type(points)
            player.changed(lambda: press("Enter"))
        assert totals(page) == ["−9", "−9"]
        tiles("kangaroo", "koala", "emu")
        throw("eerrrrr")
        goes_to("hex-2")
        player.changed(lambda: press("Enter"))
        press("w")
        assert "Kangaroo to rows 2, 3." in player.said()
        goes_to("hex-3")
        player.changed(lambda: press("Enter"))
        assert place.over, player.said()
        assert totals(page)[0] == "3"
        assert "Alice turns up bonus tiles" in player.said()
        page.goto("about:blank")


SHORTEST: Mapping[str, Mapping[str, object]] = {
    "outlander": {"target": 12},
    "meet-fate": {},
    "pairs": {"target": 12},
    "triples": {"target": 4},
    "called-shot": {"target": 5},
    "quintuples": {"target": 2},
    "everyone-scores": {"target": 8},
    "destiny": {"deck_end": "stop"},
    "outback": {"board": "2:2 3:1", "start": "first"},
    "outback-plus": {"board_plus": "2:2 3:1", "start": "first"},
}
"""The shortest match of each game by options that it has anyway."""


@pytest.mark.parametrize("game", others_as_proof(SHORTEST, "meet-fate", "destiny"))
def test_a_match_by_keyboard_and_ear(game: str, page: Page):
    with world(game, SHORTEST[game], players=1 if game == "meet-fate" else 2) as place:
        player = Listener(page, place, hurries=game == "destiny")
        player.play()
        assert player.heard[-1]


@pytest.mark.parametrize("game", others_as_proof(["called-shot", "outback"], "outback"))
def test_a_match_by_touch(game: str, page: Page):
    with world(game, SHORTEST[game]) as place:
        Toucher(page, place).play()


@pytest.mark.proof
@pytest.mark.parametrize("way", ["touch", "keyboard", "german"])
@pytest.mark.parametrize("game", SHORTEST)
def test_a_match_by_the_rules_own_targets(game: str, way: str, browser: Browser):
    """The first throw comes from the demo table; later rolls are typed."""
    context = browser.new_context(
        viewport={"width": 820, "height": 1180}, has_touch=True, locale="de-DE" if way == "german" else "en-GB"
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    complaints = complaints_of(page)
    with world(game) as place:
        player = Toucher(page, place) if way == "touch" else Listener(page, place, hurries=game == "destiny")
        player.play()
        print(f"{game}, {way}: {len(place.session.match.events)} events; at last: {player.heard[-1]}")
    context.close()
    assert complaints == []
    if way == "german":
        assert any("Punkt" in said or "würfel" in said.lower() or "wirft" in said for said in player.heard)
