"""The Table's board: what a tap, a long press and a key do to a die, keys out of turn, and points that arrive."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.actions import Fill
from tests.fakes import rolled
from tests.web.serving import Served
from tests.web.visitor import Visitor

LONG = 650
"""Milliseconds that are a long press."""


@pytest.fixture
def alice(serve: Callable[..., Served], visit: Callable[..., Visitor]) -> Visitor:
    """Alice has thrown 2, 3, 5, 7, 7, 8, and the page shows it."""
    served = serve(watched=False)
    served.house.table.session.saw(rolled("235778"))
    return visit(served)


def held(visitor: Visitor) -> list[int]:
    return [die.number for die in visitor.session.latest().snapshot.dice if die.held]


def test_a_tap_holds_a_die_a_second_lets_it_go_and_so_do_outline_and_key(alice: Visitor):
    page = alice.page
    for act in (
        lambda: page.click("#die-3"),
        lambda: page.locator(".outline[data-die='3'] polygon").click(),
        lambda: alice.press("3"),
    ):
        for wanted, pressed in (([3], "true"), ([], "false")):
            act()
            page.wait_for_selector(f"#die-3[aria-pressed={pressed}]")
            alice.hears("Die 3, a 5, held." if wanted else "Die 3, a 5, not held.")
            assert held(alice) == wanted
            assert page.locator(".outline[data-die='3'].held").count() == len(wanted)
    page.click("#die-2")
    alice.hears("Die 2, a 3, held.")
    alice.catches_up()
    assert page.get_attribute("#die-2", "aria-label") == "Die 2: 3, held"
    assert page.inner_text("#throw") == "Throw 5 dice"
    assert "2 of 3" in page.inner_text(".throws")


def test_a_long_press_a_right_click_the_pencil_and_a_key_correct_a_die(alice: Visitor):
    page = alice.page

    def rests() -> None:
        box = page.locator("#die-4").bounding_box()
        assert box
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.wait_for_timeout(LONG)
        page.mouse.up()

    def pencil() -> None:
        page.hover("#die-4")
        page.click("#pencil-4")

    def sheet() -> None:
        page.click("#amend summary")
        page.click(".amends[data-die='4']")

    def right() -> None:
        page.click("#die-4", button="right")

    for act in (rests, pencil, sheet, right, lambda: alice.press("Shift+Digit4")):
        act()
        page.wait_for_selector("#fix-of-4", state="visible")
        assert alice.focus.startswith("fix-4-")
        alice.press("Escape")
        page.wait_for_selector("#fix-of-4", state="hidden")
        assert alice.focus == "die-4"
    assert held(alice) == []
    assert alice.sent == []


def test_a_key_that_throws_or_undoes_is_asked_for_twice_out_of_turn(alice: Visitor):
    page = alice.page
    page.select_option("#who", "Bob")
    page.focus("#play")
    assert alice.tells("t") == "It is Alice’s turn. Press T again to throw."
    assert alice.sent == []
    assert alice.tells("u") == "It is Alice’s turn. Press U again to undo."
    assert alice.tells("t") == "It is Alice’s turn. Press T again to throw.", "another key came between"
    alice.presses("t")
    assert alice.sent == ["/throw"]
    page.select_option("#who", "Alice")
    page.focus("#play")
    alice.is_told(lambda session: session.saw(rolled("111188", y=300.0)))
    alice.presses("t")
    assert alice.sent == ["/throw", "/throw"]


def test_points_fly_to_whom_they_belong_and_the_figure_ends_where_it_should(alice: Visitor):
    page = alice.page
    page.evaluate(
        """() => {
          window.flown = [];
          const saw = (node) => { if (node.className === "points-fly") window.flown.push(node.textContent); };
          const news = new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(saw)));
          news.observe(document.body, { childList: true });
        }"""
    )
    page.click("#box-chance")
    alice.hears("Alice scores 32 points")
    page.wait_for_function("() => window.flown.length === 1 && !document.querySelector('.points-fly')")
    assert page.evaluate("window.flown") == ["+32"]
    assert page.locator("[data-name=Alice][data-score]:visible").first.inner_text() == "32"
    page.emulate_media(reduced_motion="reduce")
    alice.is_told(lambda session: session.roll("1 1 1 1 1 1"))
    alice.is_told(lambda session: session.decide(Fill("1")))
    assert page.evaluate("window.flown") == ["+32"], "nothing moves where the system asks for that"
    assert page.locator("[data-name=Bob][data-score]:visible").first.inner_text() == "6"


def test_while_it_is_paused_only_going_on_acts(alice: Visitor):
    page = alice.page
    page.click("#match-menu summary")
    page.click("#pause")
    page.wait_for_selector("#go-on")
    assert page.locator("#board form:visible button, #sheet form:visible button").all_inner_texts() == ["Resume"]
    assert page.locator("#die-1").count() == 0
    assert alice.tells("t") == "The match is paused."
    page.click("#go-on")
    page.wait_for_selector("#throw")
