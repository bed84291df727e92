"""The demo in a real browser: its dice are thrown, read and put right, and checked against what they really show."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from table.ports import ReadsDice
from tests.fakes import TruthfulReader
from tests.web.serving import Served
from tests.web.visitor import Visitor
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.reader import Reader as NetworkReader


class Guest(Visitor):
    """Sits at a demo table, and is told what its dice really show."""

    camera: DemoCamera
    reader: ReadsDice

    def truth(self) -> list[str]:
        return sorted(die.face for die in self.camera.truth())


@pytest.fixture
def sit(serve: Callable[..., Served], visit: Callable[..., Guest]) -> Callable[..., Guest]:
    """Somebody sits down at a demo table, which is read as is said."""

    def come(reader: Callable[[DemoCamera], ReadsDice] = TruthfulReader, size: tuple[int, int] = (480, 360)) -> Guest:
        camera = DemoCamera(find_set("fate"), seed=11, size=size)
        reads = reader(camera)
        guest = visit(serve(camera=camera, reader=lambda _: reads, watched=True), kind=Guest)
        guest.camera, guest.reader = camera, reads
        guest.page.wait_for_selector("#table[data-table=empty] >> text=The table is empty")
        return guest

    return come


def test_the_shipped_networks_read_what_the_demo_threw(sit: Callable[..., Guest]):
    """No fake in the way: settle, detect, rectify and identify on the frames the page shows. What the networks are
    unsure of they ask about; what they are sure of is right."""
    alice = sit(lambda _: NetworkReader(find_set("fate")), (960, 720))
    alice.press("t")
    alice.page.wait_for_selector(".dice .die")
    there = [(die.face, np.mean(die.corners, axis=0)) for die in alice.camera.truth()]
    seen = alice.session.latest().snapshot.dice
    sure = [die for die in seen if die.certain]
    assert len(seen) == 6
    assert len(sure) >= 4
    for die in sure:
        middle = np.mean(die.corners, axis=0)
        assert min(there, key=lambda one: float(np.linalg.norm(one[1] - middle)))[0] == die.face
    assert (alice.page.locator("button.box").count() == 19) == (sure == list(seen)), "it asks, or offers the boxes"


def test_dice_that_moved_are_outlined_once_they_have_been_read(sit: Callable[..., Guest]):
    alice = sit()
    alice.press("t")
    alice.hears("Alice, throw 1")
    shown = "opacity => getComputedStyle(document.querySelector('.outlines')).opacity === opacity"
    alice.page.wait_for_function(shown, arg="1")
    table = alice.served.house.announcer
    for again in (lambda: alice.press("2"), lambda: table.table_is("settled")):  # news, or two seconds without any
        for state in ("rolling", "settling"):
            table.table_is(state)
            alice.page.wait_for_selector(f"#table[data-table={state}][data-unread]")
        alice.page.wait_for_function(shown, arg="0")
        again()
        alice.page.wait_for_function(shown, arg="1")


def test_a_turn_by_keyboard_alone(sit: Callable[..., Guest]):
    alice = sit()
    page = alice.page
    alice.press("t")
    alice.hears("Alice, throw 1")
    assert alice.faces() == alice.truth()
    assert sorted(re.findall(r"\d", alice.said.split(":")[1].split(".")[0])) == alice.truth()
    assert sorted(page.locator(".outline text").all_text_contents()) == alice.truth()
    before = {die.corners for die in alice.camera.truth()}
    alice.press("2")
    alice.hears("Die 2,")
    alice.press("5")
    alice.hears("Die 5,")
    assert page.locator(".die[aria-pressed=true]").count() == 2
    assert page.locator("#throw").inner_text() == "Throw 4 dice"
    alice.press("t")
    alice.hears("throw 2")
    assert len(before & {die.corners for die in alice.camera.truth()}) == 2
    assert alice.faces() == alice.truth()

    alice.press("b")
    offers = page.locator("button.box").evaluate_all("all => all.map(b => Number(b.dataset.offer))")
    assert int(alice.focused("dataset.offer")) == max(offers)
    alice.press("Enter")
    alice.hears("Alice scores")
    assert page.locator(".seat.now .name").inner_text().startswith("Bob")
    assert alice.focus == "throw"

    alice.press("u")
    alice.hears("Undone")
    assert page.locator(".seat.now .name").inner_text().startswith("Alice")
    assert alice.faces() == alice.truth()


def test_throw_is_off_while_the_dice_tumble_and_an_uncertain_die_is_put_right_with_one_tap(sit: Callable[..., Guest]):
    alice = sit()
    page = alice.page
    assert isinstance(alice.reader, TruthfulReader)
    alice.reader.unsure_of = {str(face) for face in range(1, 9)}
    alice.press("t")
    page.wait_for_selector("#throw[aria-disabled=true]")
    assert page.locator("#prompt").inner_text() == "The dice are rolling."
    page.evaluate(
        """() => window.clicking = setInterval(() => {
          const one = document.getElementById('throw');
          if (one?.ariaDisabled === 'true') { one.click(); window.clicks = (window.clicks ?? 0) + 1; }
        }, 25)"""
    )
    page.wait_for_selector("#question .choice")
    page.evaluate("clearInterval(window.clicking)")
    assert page.evaluate("window.clicks") >= 10
    assert page.locator("#refusal").inner_text() == ""
    assert page.locator("button.box").count() == 0
    for number in range(1, 7):
        page.wait_for_selector(f"[id^=ask-{number}-]")
        page.locator(f"[id^=ask-{number}-]").first.click()
    page.wait_for_selector("button.box")
    assert alice.faces() == alice.truth()
    assert alice.session.match.state.throws == 1


def asked_about_all(sit: Callable[..., Guest]) -> Guest:
    """Somebody who threw, and is asked about every die."""
    guest = sit()
    assert isinstance(guest.reader, TruthfulReader)
    guest.reader.unsure_of = {str(face) for face in range(1, 9)}
    guest.press("t")
    guest.page.wait_for_selector("#question .choice")
    return guest


def test_several_uncertain_dice_are_right_with_one_key(sit: Callable[..., Guest]):
    alice = asked_about_all(sit)
    assert alice.page.locator("#count").inner_text() == "They’re all correct"
    alice.page.locator("#count").focus()
    alice.press("Enter")
    alice.page.wait_for_selector("button.box")
    assert alice.faces() == alice.truth()


def test_what_is_asked_about_may_be_no_die(sit: Callable[..., Guest]):
    alice = asked_about_all(sit)
    alice.press("d")
    alice.press("ArrowLeft")
    assert alice.focus == "no-die-1"
    alice.press("Enter")
    alice.hears("I see five dice, but the game needs six")
    assert len(alice.session.latest().snapshot.dice) == 5


def test_a_misread_is_corrected_or_typed_over_afterwards(sit: Callable[..., Guest]):
    alice = sit()
    page = alice.page
    page.click("#throw")
    page.wait_for_selector("button.box")
    assert page.locator(".fix:visible").count() == 0
    page.click("#die-1", button="right")
    assert page.locator(".fix:visible").count() == 1
    assert page.locator("#fix-of-1 .choice").first.inner_text() == page.locator("#die-1 .label").inner_text()
    page.click("#fix-1-8")
    alice.hears("Die 1 shows 8.")
    assert page.locator("#die-1 .label").inner_text() == "8"
    page.wait_for_selector("#fix-of-1", state="hidden")
    assert alice.focus == "die-1"
    events = len(alice.session.match.events)
    assert alice.rolls("1 1 1 1 2 2").startswith("Corrected: the dice showed")
    assert alice.faces() == list("111122")
    assert len(alice.session.match.events) == events + 1
    page.reload()
    assert page.locator("#last-said").inner_text().startswith("Corrected: the dice showed"), "it outlives the page"
