"""Tonight and Camera in a real browser: by touch, by keyboard alone, without script, and two devices at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from cli.compose import House
from tests.web.playing import WAIT
from tests.web.serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    return lay(seed=11, size=(640, 480), heartbeat=10.0)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address)
    return page


def heard(page: Page) -> str:
    return page.locator("#announcer").inner_text()


def names(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator(".name").all()]


def leads_on(page: Page, button: Locator) -> None:
    """Press a button that leads to another page, and be there."""
    with page.expect_navigation():
        button.click()


def header(served: Served) -> tuple[str, tuple[str, ...]]:
    played = served.house.table.session.match.header
    return played.game, played.players


def test_by_touch_a_match_begins_and_the_other_tablet_shows_it_by_itself(browser: Browser, served: Served):
    other = browser.new_context(viewport={"width": 1280, "height": 860})
    watching = opened(other, served.at("/"))
    watching.wait_for_selector("#link[data-link=live]")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = opened(phone, served.at("/tonight"))
    page.locator("label:has(#game-triples)").tap()
    page.wait_for_selector("#set-cats:checked")
    page.fill("#player-1", "Cleo")
    page.locator("#remove-2").tap()
    page.wait_for_selector("#remove-2", state="detached")
    page.locator("#add").tap()
    page.wait_for_selector("#player-2:focus")
    page.fill("#player-2", "Dan")
    page.locator("label:has(#starts-2)").tap()
    page.locator("#agreed summary").tap()
    page.fill("#rule-target", "5")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "nothing scrolls sideways"
    page.locator("#begin").tap()
    page.wait_for_selector("h1:has-text('Triples')")
    assert header(served) == ("triples", ("Dan", "Cleo"))
    assert dict(served.house.table.session.match.header.options)["target"] == 5
    watching.wait_for_selector("h1:has-text('Triples')")
    assert watching.title().startswith("Triples")
    watching.wait_for_selector("#announcer:has-text('Triples')")
    assert "Dan" in watching.locator(".seats").inner_text()
    assert watching.locator("#who option").all_inner_texts()[1:] == ["Dan", "Cleo"]
    phone.close()
    other.close()


def test_by_keyboard_alone_players_are_typed_moved_and_seated(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = opened(context, served.at("/tonight"))
    press = page.keyboard.press
    page.focus("#game-meet-fate")
    press("ArrowDown")
    page.wait_for_selector("#set-cats:checked")
    page.wait_for_selector("#game-pairs:focus")
    assert heard(page) == "Pairs: its dice, players and house rules are below."
    page.focus("#player-1")
    press("Control+A")
    page.keyboard.type("Ann")
    press("Enter")
    page.wait_for_selector("#player-2:focus")
    press("Control+A")
    page.keyboard.type("Ben")
    press("Enter")
    page.wait_for_selector("#player-3:focus")
    page.keyboard.type("Cy")
    press("Alt+ArrowUp")
    page.wait_for_selector("#player-2:focus")
    assert names(page) == ["Ann", "Cy", "Ben"]
    assert heard(page) == "Cy is number 2 of 3 now."
    page.focus("#up-2")
    press("Enter")
    page.wait_for_selector("#down-1:focus")  # the way up ends here, the way down does not
    assert names(page) == ["Cy", "Ann", "Ben"]
    assert "player=Cy" in page.url, "reloading keeps what was typed"
    page.reload()
    assert names(page) == ["Cy", "Ann", "Ben"]
    page.focus("#begin")
    press("Enter")
    page.wait_for_selector("h1:has-text('Pairs')")
    assert header(served) == ("pairs", ("Cy", "Ann", "Ben"))
    page.go_back()
    page.wait_for_selector("#draft")
    context.close()


def test_what_is_wrong_is_said_and_the_way_to_it_leads_there(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 820, "height": 1180})
    page = opened(context, served.at("/tonight"))
    page.fill("#player-2", "alice")
    page.click("#begin")
    page.wait_for_selector("#worries:focus")
    assert page.title().startswith("Not yet:")
    page.locator("#worries a").press("Enter")
    page.wait_for_selector("#player-2:focus")
    assert page.get_attribute("#player-2", "aria-invalid") == "true"
    page.fill("#player-2", "Zoe")
    page.click("#begin")
    page.wait_for_selector("h1:has-text('Meet Fate')")
    assert header(served) == ("meet-fate", ("Alice", "Zoe"))
    context.close()


def test_all_of_it_works_without_script(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 820, "height": 1180}, java_script_enabled=False)
    page = opened(context, served.at("/tonight"))
    page.check("#game-called-shot")
    leads_on(page, page.get_by_role("button", name="Show its dice and rules"))
    assert page.is_checked("#set-cats")
    page.fill("#player-1", "Ann")
    leads_on(page, page.locator("#add"))
    assert names(page) == ["Ann", "Bob", ""]
    page.fill("#player-3", "Cy")
    leads_on(page, page.locator("#up-3"))
    leads_on(page, page.locator("#remove-3"))
    assert names(page) == ["Ann", "Cy"]
    leads_on(page, page.locator("#begin"))
    assert header(served) == ("called-shot", ("Ann", "Cy"))
    context.close()


def test_the_same_as_last_time_takes_two_taps(browser: Browser, served: Served):
    first = served.house.table.session
    first.roll("1 1 1 2 2 2")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = opened(context, served.at("/"))
    page.locator(".brand a").tap()
    page.locator("#again").tap()
    page.wait_for_selector("h1:has-text('Meet Fate')")
    assert served.house.table.session is not first
    assert served.house.table.session.match.header == first.match.header
    context.close()


def test_of_two_tablets_one_begins_and_the_other_is_told(browser: Browser, served: Served):
    contexts = [browser.new_context(viewport={"width": 820, "height": 1180}) for _ in range(2)]
    # The second one hears of nothing: its page is what it was when both looked at it.
    contexts[1].route("**/events**", lambda route: route.abort())
    first, second = (opened(context, served.at("/tonight")) for context in contexts)
    for page, name in ((first, "Ann"), (second, "Ben")):
        page.fill("#player-1", name)
    first.click("#begin")
    first.wait_for_selector("#board")
    second.click("#begin")
    second.wait_for_selector("#trouble")
    told = second.locator("#trouble").inner_text()
    assert told == "Another match was put on the table just before: Meet Fate, Ann, Bob."
    assert header(served) == ("meet-fate", ("Ann", "Bob"))
    assert names(second) == ["Ben", "Bob"]
    second.click("#begin")
    second.wait_for_selector("#board")
    assert header(served) == ("meet-fate", ("Ben", "Bob")), "now it knows, and may"
    for context in contexts:
        context.close()


# --- Camera


def corner(page: Page, n: int) -> tuple[float, float]:
    return float(page.input_value(f"#x{n}")), float(page.input_value(f"#y{n}"))


def test_corners_are_dragged_by_touch_and_take_effect_at_once(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True)
    page = opened(context, served.at("/camera"))
    page.wait_for_selector("#handle-1:visible")
    page.wait_for_selector(".remark")
    frame = page.locator("#frame").bounding_box()
    assert frame is not None
    handle = page.locator("#handle-1").bounding_box()
    assert handle is not None
    assert min(handle["width"], handle["height"]) >= 44
    touch = context.new_cdp_session(page)

    def finger(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})  # pyright: ignore

    finger("touchStart", handle["x"] + 24, handle["y"] + 24)
    x, y = frame["x"] + 0.3 * frame["width"], frame["y"] + 0.25 * frame["height"]
    finger("touchMove", x - 5, y)
    finger("touchMove", x, y)
    finger("touchEnd", x, y)
    # Browsers hand on where a finger went with the next picture they draw.
    page.wait_for_function("() => Math.abs(document.getElementById('x1').value - 30) < 0.3")
    assert corner(page, 1) == pytest.approx((30.0, 25.0), abs=0.3)
    page.click("#use")
    page.wait_for_selector("text=Now: four corners.")
    eye = served.house.table.eye
    assert eye is not None
    assert eye.corners is not None
    assert eye.corners[0] == pytest.approx((0.30, 0.25), abs=0.003)
    page.wait_for_selector("#whole")
    page.click("#whole")
    page.wait_for_selector("text=Now: the whole picture.")
    assert eye.corners is None
    context.close()


def test_corners_are_moved_by_keys_and_said(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = opened(context, served.at("/camera"))
    page.wait_for_selector("#handle-1:visible")
    page.focus("#handle-3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    assert corner(page, 3) == (89.0, 85.0)
    assert heard(page) == "bottom right: 89.0 per cent from the left, 85.0 from the top"
    page.fill("#y4", "101")
    page.click("#use")
    page.wait_for_selector("#trouble")
    assert corner(page, 4) == (10.0, 101.0)
    page.fill("#y4", "90")
    page.focus("#use")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Now: four corners.")
    context.close()


def test_the_camera_page_follows_the_table(browser: Browser, served: Served):
    context = browser.new_context(viewport={"width": 1280, "height": 860}, color_scheme="dark")
    page = opened(context, served.at("/camera"))
    page.wait_for_selector("#state:has-text('The table is empty')")
    served.house.table.session.throw()
    page.wait_for_selector("#state:has-text('Settled')")
    page.wait_for_selector("#camera_outlines polygon >> nth=5", state="attached")
    page.wait_for_selector(".remark:has-text('6 found')")
    context.close()
