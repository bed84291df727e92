"""Whole matches in a real browser, by touch and by keyboard and ear; and Outback with all that its boards ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from hardware.board_state import BoardState
from hardware.public_state import PublicNotice
from table.outlets import BoardOutput, PublicOutput
from tests.marks import others_as_proof
from tests.waiting import soon
from tests.web.playing import Hurried, Listener, Player, Toucher
from tests.web.serving import Served
from tests.web.test_camera_page import Pictures, table_picture

Visit = Callable[..., Player]
Serve = Callable[..., Served]

SHORT = {"e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker"}


def dice(text: str) -> str:
    return ", ".join(SHORT[letter] for letter in text)


def named_everywhere(player: Player, name: str) -> None:
    """Every page and output names this player, and nobody else, as the one who throws for the start."""
    page, prompt = player.page, f"{name}, throw the dice for the start marker."
    assert page.locator("#prompt").inner_text() == prompt
    assert page.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert page.locator("#field").inner_text() == f"{name}’s board"
    other = player.beside("/television").page
    assert other.locator(".tv-turn:not(.rarest)").all_inner_texts() in ([name], []), "a rare roll comes first"
    assert other.locator("#said").inner_text().endswith(prompt)
    assert name in other.locator("#screen [aria-current]").first.inner_text()
    other.goto(player.served.at("/spectator"))
    assert other.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert other.locator(".prompt").inner_text() == prompt
    other.close()
    states: list[BoardState] = []
    messages: list[PublicNotice] = []
    for output in (BoardOutput(states.append), PublicOutput(messages.append)):
        output.tell(player.session.latest())
    turn = states[0].turn
    assert turn is not None
    assert states[0].seats[turn].name == name
    assert messages[0].state.turn == name
    assert [one.name for one in messages[0].state.players if one.on_turn] == [name]
    assert messages[0].sentence.endswith(f"{name}, throw the dice for the start marker.")


def test_whoever_throws_for_the_start_is_named_on_every_page_and_why(serve: Serve, visit: Visit):
    player = visit(serve("outback", ["Alice", "Bob", "Cleo"]), kind=Toucher, has_touch=True)
    page = player.page
    rule = "Throw to see who starts: whoever has the most matching animals. Jokers do not count."
    assert rule in page.locator("#last-said").inner_text()  # the demo table has drawn the tiles itself
    assert page.locator(".opening p").all_inner_texts() == [rule]
    assert "Alice rolled three emus, a koala and two jokers. Matching animals: 3." in player.rolls(dice("eeekjj"))
    assert page.locator(".opening li").all_inner_texts() == ["Alice: 3", "Bob: –", "Cleo: –"]
    player.rolls(dice("kkkpmr"))
    named_everywhere(player, "Cleo")
    tie = "Alice and Bob tie at 3 and throw again."
    assert tie in player.rolls(dice("jjjjpp"))
    assert tie in page.locator(".opening p").all_inner_texts()
    named_everywhere(player, "Alice")
    player.rolls(dice("ekprmj"))
    said = player.rolls(dice("eekprm"))
    assert said.endswith("Bob has the most matching animals, 2, and starts. Bob, throw the dice.")
    assert page.locator(".seat.now .name").all_inner_texts() == ["Bob to play"]
    assert page.locator("#prompt").inner_text() == "Bob, throw the dice."
    assert page.locator(".opening").count() == 0
    assert "Everyone starts at −9" in page.locator("#sheet").inner_text()


@pytest.mark.parametrize("way", ["taps", "keys"])
def test_a_turn_of_meet_fate_takes_six_taps_or_seven_keys(serve: Serve, visit: Visit, way: str):
    """Two dice held, three throws, a box, at the demo table: what is held stays held; B goes to the best box."""
    player = visit(serve(seed=11, size=(960, 720), watched=True), kind=Player)
    done, taps = 0, way == "taps"

    def does(key: str, selector: str) -> None:
        nonlocal done
        done += 1
        if taps:
            player.page.click(selector)
        else:
            player.press(key)

    def throws(number: int) -> None:
        does("t", "#throw")
        assert soon(lambda: player.session.match.state.throws == number, 30)
        player.catches_up()

    throws(1)
    does("1", "#die-1")
    does("2", "#die-2")
    player.sees("Throw 4 dice", "#throw")
    throws(2)
    player.sees("Throw 4 dice", "#throw")
    throws(3)
    does("b", "#box-chance")
    if not taps:
        does("Enter", "")
    assert soon(lambda: player.session.match.state.turn == 1)
    assert done == (6 if taps else 7)


OWN = "3:  o\n2: o   o"
"""Row 3 lies beside the left space of row 2 and beside no other; counted rows, 2:2 3:1, would touch both."""


SETTLED = """() => [...document.querySelectorAll(".seat .total")].every(
    one => one.textContent.trim().replace("−", "-") === one.dataset.score)"""


def totals(player: Player) -> list[str]:
    """The scores as people see them once they have stopped counting up."""
    player.page.wait_for_function(SETTLED)
    return player.page.locator(".seat .total").all_inner_texts()


def test_outback_plus_by_touch_on_a_board_of_ones_own_from_new_match_to_the_end(serve: Serve, visit: Visit):
    from playwright.sync_api import expect

    player = visit(serve(camera=Pictures(table_picture())), "/new", kind=Toucher, has_touch=True)
    page = player.page

    def tiles(*names: str) -> None:
        for i, tile in enumerate(names):
            page.select_option(f"#card-{i}", tile)
        player.taps("#told")

    def lays(animal: str, space: str) -> None:
        page.locator("label", has=page.locator(f"#lay-{animal}")).tap()
        assert page.locator(f"#hex-{space} .brings").inner_text() == "+1"
        player.taps(f"#hex-{space}")

    page.locator("label", has=page.locator("#game-outback-plus")).tap()
    page.wait_for_selector(".hexes")
    assert "this one is a guess" in page.locator("#rules").inner_text()
    spaces = page.locator(".hexes [aria-pressed=true]")
    assert spaces.count() == 19
    page.tap("#rule-board-plus-open")
    page.fill("#rule-board-plus", "3:  o\n2: o")
    player.press("Tab")
    expect(spaces).to_have_count(2)
    assert "guess" not in page.locator(".hexes").locator("xpath=..").locator("p").first.inner_text()
    page.tap("#rule-board-plus-2-4")
    expect(spaces).to_have_count(3)
    page.tap("#rule-board-plus-2-2")
    expect(spaces).to_have_count(2)
    page.fill("#rule-board-plus", OWN)
    page.tap("#begin")
    player.linked("live")
    assert player.session.match.state.options.text("board_plus") == OWN
    tiles("koala", "koala", "koala", "emu", "emu")
    cells = (page.locator(f".hexes:not(.small) .cell:has-text('{one}')") for one in ("2a", "2b", "3a"))
    left, right, above = (cell.bounding_box() or {} for cell in cells)
    aside = [round((one["x"] - left["x"]) / left["width"], 1) for one in (right, above)]
    assert aside == [2.0, 0.5], "they lie as they were drawn"
    player.rolls(dice("eekrpmj"))
    assert "Alice and Bob tie at 2 and throw again." in player.rolls(dice("kkerpmj"))
    for text in ("eeekrpm", "kkerpmj", "kkkkkee"):
        player.rolls(dice(text))
    lays("koala", "3a")
    lays("koala", "2b")
    lays("emu", "2a")
    for points in ("4", "5"):
        page.fill("#tell", points)
        player.taps("#tell-it")
    assert totals(player) == ["−9", "−9"], "what was won lies face down: 3, 4 and 5 points"
    assert "stay face down and count at the end" in page.locator("#sheet").inner_text()
    tiles("kangaroo", "emu", "platypus")
    for _ in range(2):
        player.rolls(dice("jjjjjjj"))
        player.taps("#throw")
    said = player.rolls(dice("jjjjjjj"))
    assert "No animal from the jeep fits these dice and your free rows." in said
    said = player.taps("#hex-3a")
    assert totals(player) == ["3", "−11"]
    assert "Alice reveals bonus tiles (first full board, row 2 and row 3): 12 points." in said
    assert "Alice won with 3 points" in page.locator("#over").inner_text()
    assert "stay face down" not in page.locator("#sheet").inner_text()
    page.locator("#given summary").tap()
    assert "Bonus tile: first full board" in page.locator("#given").inner_text()


def test_outback_plus_by_keyboard_as_outback(serve: Serve, visit: Visit):
    player = visit(
        serve("outback-plus", options={"board_plus": OWN}, camera=Pictures(table_picture())), kind=Listener
    )

    def goes_to(start: str) -> None:
        """D, until the keyboard is at something whose id begins so; never more often than there are groups."""
        for _ in range(4):
            player.press("d")
            if player.focus.startswith(start):
                return
        raise AssertionError(f"D does not go to {start}")

    def tiles(*names: str) -> str:
        goes_to("card-0")
        for name in names:
            player.page.keyboard.type(name[:4])
            player.press("Tab")
        return player.presses("Enter")

    def label() -> str:
        return player.focused("getAttribute('aria-label')")

    assert player.tells("w").startswith("Draw 5 tiles from the bag. Press D for the pile")
    assert "On the jeep: two emus and three koalas." in tiles("koala", "koala", "koala", "emu", "emu")
    for text in ("eekrpmj", "kkerpmj", "eeekrpm", "kkerpmj", "kkkkkee"):
        player.rolls(dice(text))
    goes_to("lay-emu")
    for keys, heard in (
        (("ArrowDown", "d"), "koala on 3a, group of 1"),  # the koala, then to its spaces
        (("ArrowDown",), "koala on 2a, group of 1"),
        (("ArrowRight",), "koala on 2b, group of 1"),
    ):
        player.press(*keys)
        assert label() == heard
    assert player.presses("Enter").startswith("Alice lays a koala on 2b: 1 point.")
    then = "Koala: rows 2, 3. Press D to go to the choices, then to the animals and their spaces."
    assert then in player.tells("w")
    goes_to("lay-koala")
    goes_to("hex-3a")
    player.presses("Enter")
    goes_to("hex-2a")
    assert label() == "emu on 2a, group of 1"
    won = player.presses("Enter")
    assert "Alice wins the bonus tile “row 2”. How many points does it show?" in won
    for points in ("4", "5"):
        goes_to("tell")
        player.press("ControlOrMeta+a", points)
        player.presses("Enter")
    assert totals(player) == ["−9", "−9"]
    tiles("kangaroo", "koala", "emu")
    player.rolls(dice("eerrrrr"))
    goes_to("hex-2")
    player.presses("Enter")
    assert "Kangaroo: rows 2, 3." in player.tells("w")
    goes_to("hex-3")
    assert "Alice reveals bonus tiles" in player.presses("Enter")
    assert player.session.match.outcome is not None
    assert totals(player)[0] == "3"


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
    "yacht": {},
    "ten-thousand": {"target": 500, "opening": 0},
    "skull-cove": {"target": 500},
    "tally": {"rounds": 2},
}
"""The shortest match of each game by options that it has anyway."""


@pytest.mark.parametrize("game", others_as_proof(SHORTEST, "called-shot"))
def test_a_match_by_keyboard_and_ear(serve: Serve, visit: Visit, game: str):
    players = ["Alice"] if game in ("meet-fate", "yacht") else ["Alice", "Bob"]
    served = serve(game, players, options=SHORTEST[game])
    visit(served, kind=Hurried if game == "destiny" else Listener).play()


def test_a_match_by_touch(serve: Serve, visit: Visit):
    visit(serve("outback", options=SHORTEST["outback"]), kind=Toucher, has_touch=True).play()


@pytest.mark.proof
@pytest.mark.parametrize("way", ["touch", "keyboard", "german"])
@pytest.mark.parametrize("game", SHORTEST)
def test_a_match_by_the_rules_own_targets(serve: Serve, visit: Visit, game: str, way: str):
    kind = Toucher if way == "touch" else Hurried if game == "destiny" else Listener
    locale = "de-DE" if way == "german" else "en-GB"
    player = visit(serve(game), kind=kind, width=820, height=1180, has_touch=True, locale=locale)
    player.play()
    print(f"{game}, {way}: {len(player.session.match.events)} events; at last: {player.heard[-1]}")
    if way == "german":
        assert any("Punkt" in said or "würfel" in said.lower() or "wirft" in said for said in player.heard)
