"""The demo in a real browser: played by keyboard, by touch, and checked against what the dice really show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cli.compose import House
from table.ports import ReadsDice
from tests.fakes import TruthfulReader
from tests.web.playing import WAIT
from tests.web.serving import serving
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.reader import Reader as NetworkReader

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

@dataclass
class Demo:
    """A demo table that is being served, and what its dice really show."""

    house: House
    camera: DemoCamera
    reader: ReadsDice
    address: str

    def faces(self) -> list[str]:
        return sorted(die.face for die in self.camera.truth())


@pytest.fixture
def serve(lay: Callable[..., House], data: Path) -> Iterator[Callable[..., Demo]]:
    """Serves a demo table with a given reader."""
    with ExitStack() as running:

        def start(reader: Callable[[DemoCamera], ReadsDice] = TruthfulReader, seed: int = 11) -> Demo:
            camera = DemoCamera(find_set("fate"), seed=seed)
            looking = reader(camera)
            house = lay(camera=camera, reader=lambda _: looking, heartbeat=10.0, picture_wait=2.0)
            served = running.enter_context(serving(house, data / "certificate"))
            return Demo(house, camera, looking, served.at())

        yield start


def opened(page: Page, demo: Demo) -> Page:
    page.goto(demo.address)
    page.wait_for_selector("#link[data-link=live]")
    page.wait_for_selector("#table[data-table=empty] >> text=The table is empty")
    return page


def shown(page: Page) -> list[str]:
    return sorted(page.locator(".die .label").all_inner_texts())


def heard(page: Page) -> str:
    return page.locator("#announcer").inner_text()


def wait_to_hear(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('announcer')?.textContent.includes(words)", arg=words
    )


def test_one_throw_shows_the_faces_that_were_really_thrown(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).keyboard.press("t")
    wait_to_hear(page, "Alice, throw 1")
    assert shown(page) == demo.faces()
    assert sorted(re.findall(r"\d", heard(page).split(":")[1].split(".")[0])) == demo.faces()
    assert sorted(page.locator(".outline text").all_text_contents()) == demo.faces()


def asked_about(page: Page, demo: Demo) -> int:
    """Answer like somebody who sees the dice, until nothing is asked any more; how many answers it took."""
    truth = {die.corners: die.face for die in demo.camera.truth()}
    for answers in range(20):
        if page.locator("#question").count() == 0:
            return answers
        outlined = page.locator(".outline").evaluate_all(
            "all => all.map(one => [one.dataset.die, one.querySelector('polygon').getAttribute('points')])"
        )
        faces: dict[int, str | None] = {}
        for number, points in outlined:
            middle = np.mean([[float(x) for x in point.split(",")] for point in points.split()], axis=0)
            away = {corners: np.linalg.norm(np.mean(corners, axis=0) - middle) for corners in truth}
            nearest = min(away, key=lambda corners: away[corners])
            faces[int(number)] = truth[nearest] if away[nearest] < 15 else None
        before = page.locator("#table").get_attribute("data-number")
        if page.locator("[id^=dismiss-]").count():
            page.click(f"#dismiss-{next(number for number, face in faces.items() if face is None)}")
        else:
            number = int(page.locator("#question input[name=die]").input_value())
            page.click(f"#ask-{number}-{faces[number]}")
        page.wait_for_selector(f"#table:not([data-number='{before}'])")
    raise AssertionError("the table asks without end")


def test_the_shipped_networks_read_what_the_demo_threw(serve: Callable[..., Demo], page: Page):
    """No fake in the way: settle, detect, rectify and identify on the frames the page shows.

    What the networks are unsure of they ask about; what they are sure of is right.
    """
    demo = serve(lambda _: NetworkReader(find_set("fate")))
    opened(page, demo).keyboard.press("t")
    page.wait_for_selector(".dice .die")
    asked_about(page, demo)
    assert shown(page) == demo.faces()
    assert page.locator("button.box").count() == 19


def test_a_turn_by_keyboard_alone(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).keyboard.press("t")
    wait_to_hear(page, "Alice, throw 1")
    before = {die.corners for die in demo.camera.truth()}
    page.keyboard.press("2")
    wait_to_hear(page, "Die 2,")
    page.keyboard.press("5")
    wait_to_hear(page, "Die 5,")
    assert page.locator(".hold[aria-pressed=true]").count() == 2
    assert page.locator("#throw").inner_text() == "Throw four dice again"
    page.keyboard.press("t")
    wait_to_hear(page, "throw 2")
    assert len(before & {die.corners for die in demo.camera.truth()}) == 2
    assert shown(page) == demo.faces()

    page.keyboard.press("b")
    offer = page.evaluate("document.activeElement.dataset.offer")
    offers = [
        int(one or 0)
        for one in page.locator("button.box").evaluate_all("all => all.map(b => b.dataset.offer)")
    ]
    assert int(offer) == max(offers)
    page.keyboard.press("Enter")
    wait_to_hear(page, "Alice writes")
    assert page.locator(".seat.now .name").inner_text().startswith("Bob")
    assert page.evaluate("document.activeElement.id") == "throw"

    page.keyboard.press("u")
    wait_to_hear(page, "Taken back")
    assert page.locator(".seat.now .name").inner_text().startswith("Alice")
    assert shown(page) == demo.faces()


def test_an_uncertain_die_is_put_right_with_one_tap(serve: Callable[..., Demo], page: Page):
    demo = serve(seed=4)
    reader = demo.reader
    assert isinstance(reader, TruthfulReader)
    opened(page, demo)
    reader.unsure_of = {str(face) for face in range(1, 9)}
    page.click("#throw")
    page.wait_for_selector("#question .choice")
    assert page.locator("button.box").count() == 0
    for number in range(1, 7):
        page.wait_for_selector(f"[id^=ask-{number}-]")
        page.locator(f"[id^=ask-{number}-]").first.click()
    page.wait_for_selector("button.box")
    assert shown(page) == demo.faces()


def test_a_misread_is_corrected_afterwards(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).click("#throw")
    page.wait_for_selector("button.box")
    assert page.locator(".fix:visible").count() == 0
    page.click("#die-1")
    assert page.locator(".fix:visible").count() == 1
    faces = page.locator("#fix-of-1 .choice").all_inner_texts()
    assert faces[0] == page.locator("#die-1 .label").inner_text()  # the likeliest comes first
    page.click("#fix-1-8")
    wait_to_hear(page, "Die 1 is 8.")
    assert page.locator("#die-1 .label").inner_text() == "8"
    page.wait_for_selector("#fix-of-1", state="hidden")
    assert page.evaluate("document.activeElement.id") == "die-1"


def test_the_same_sentence_is_said_again_on_request(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).keyboard.press("t")
    wait_to_hear(page, "Alice, throw 1")
    first = page.locator("#announcer").text_content()
    page.keyboard.press("r")
    again = page.locator("#announcer").text_content()
    assert again != first
    assert again.strip() == first


def test_a_refusal_is_shown_in_words(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo)
    page.click("#amend summary")
    page.fill("#faces", "1 2 3")
    page.keyboard.press("Enter")
    page.locator("#refusal", has_text="Expected 6 dice, got 3.").wait_for()
    assert page.locator("#faces").input_value() == "1 2 3"


def test_a_misread_roll_is_typed_over(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).click("#throw")
    page.wait_for_selector("button.box")
    page.keyboard.press("e")
    page.wait_for_selector("#faces:focus")
    page.keyboard.insert_text("1 1 1 1 2 2")
    page.keyboard.press("Enter")
    wait_to_hear(page, "Corrected: the dice showed")
    assert shown(page) == list("111122")
    assert len(demo.house.table.session.match.events) == 2
    page.reload()
    assert (
        page.locator("#last-said").inner_text().startswith("Corrected: the dice showed")
    )  # it outlives the page


def test_throw_is_off_while_the_dice_tumble(serve: Callable[..., Demo], page: Page):
    demo = serve()
    opened(page, demo).keyboard.press("t")
    page.wait_for_selector("#throw[aria-disabled=true]")
    assert page.locator("#prompt").inner_text() == "The dice are rolling."
    page.evaluate(
        """() => setInterval(() => {
          const one = document.getElementById('throw');
          if (one?.ariaDisabled === 'true') { one.click(); window.clicks = (window.clicks ?? 0) + 1; }
        }, 25)"""
    )
    page.wait_for_selector("button.box")
    assert shown(page) == demo.faces()
    assert demo.house.table.session.match.state.throws == 1
    assert page.evaluate("window.clicks") >= 10
    assert page.locator("#refusal").inner_text() == ""


def test_two_pages_show_the_same_and_a_lost_server_is_said(serve: Callable[..., Demo], browser: Browser):
    demo = serve()
    pages = [opened(browser.new_page(), demo) for _ in range(2)]
    pages[0].keyboard.press("t")
    for one in pages:
        one.wait_for_selector("button.box", timeout=WAIT)
    assert shown(pages[0]) == shown(pages[1]) == demo.faces()
    demo.house.announcer.close()
    pages[1].wait_for_selector("#link[data-link=lost]", timeout=WAIT)
    for one in pages:
        one.close()


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_nothing_is_cut_off_and_targets_are_large(serve: Callable[..., Demo], page: Page, width: int):
    demo = serve()
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, demo).click("#throw")
    page.wait_for_selector("button.box")
    page.click("#amend summary")
    page.click("#die-2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, summary')].filter(one => one.checkVisibility())
            .map(one => [one.id || one.innerText, one.getBoundingClientRect()])
            .filter(([_, box]) => box.height < 43.5 || box.width < 43.5).map(([name]) => name)"""
    )
    assert small == []
