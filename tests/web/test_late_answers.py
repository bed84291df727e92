"""Slow devices: answers that come after the next key, news between finger down and finger up, taps twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.compose import House
from messages.message import message
from scoring.actions import Fill
from scoring.games.outlander.cards import Card
from table.session import Session
from tests.fakes import rolled
from tests.web.late import NEWS, Answers, settle, told, until
from tests.web.playing import world
from tests.web.serving import Served, serving
from vision.camera import PushedFrames

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def served(house: House, tmp_path: Path) -> Iterator[Served]:
    with serving(house, tmp_path, watched=False) as one:
        yield one


@pytest.fixture
def page(rough_page: Page) -> Page:
    rough_page.add_init_script(NEWS)
    return rough_page


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("#link[data-link=live]")
    return page


@pytest.fixture
def session(page: Page, served: Served) -> Session:
    """A page is open, and dice lie there that it has heard of."""
    session = served.house.table.session
    session.saw(rolled("235778"))
    opened(page, served.at())
    return session


def focus(page: Page) -> str:
    return page.evaluate("document.activeElement.id")


def said(page: Page) -> str:
    return (page.locator("#announcer").text_content() or "").strip()


def posts(page: Page) -> list[str]:
    """The paths of everything the page sends from now on."""
    sent: list[str] = []
    page.on(
        "request", lambda one: sent.append("/" + one.url.split("/", 3)[3]) if one.method == "POST" else None
    )
    return sent


# --- the Table


def test_a_key_after_a_typed_roll_is_no_letter_of_it(page: Page):
    with world("triples") as place:
        opened(page, place.address)
        answers = Answers(page, "**/roll")
        page.keyboard.press("e")
        page.keyboard.insert_text("cat cat dd")
        page.keyboard.press("Enter")
        answers.there()
        assert focus(page) == "throw"
        page.keyboard.press("s")
        assert "Alice" in said(page)
        answers.arrive()
        assert page.input_value("#faces") == ""
        assert focus(page) == "throw"


def test_the_next_roll_may_be_typed_before_the_last_is_answered(page: Page):
    with world("triples") as place:
        opened(page, place.address)
        answers = Answers(page, "**/roll")
        page.keyboard.press("e")
        page.keyboard.insert_text("cat cat dd")
        page.keyboard.press("Enter")
        answers.there()
        page.keyboard.press("e")
        page.fill("#faces", "sigil dd")
        answers.arrive()
        assert (focus(page), page.input_value("#faces")) == ("faces", "sigil dd")


def test_a_typed_roll_that_is_refused_stays_to_be_mended(page: Page):
    with world("triples") as place:
        opened(page, place.address)
        page.keyboard.press("e")
        page.keyboard.insert_text("cat cat")
        page.keyboard.press("Enter")
        page.locator("#refusal", has_text="Expected 3 dice, got 2.").wait_for()
        page.wait_for_selector("#faces:focus")
        assert page.input_value("#faces") == "cat cat"


def test_what_is_done_first_arrives_first(page: Page, session: Session):
    """A die that is held, and the throw right after it: browsers send them on two lines."""
    sent, answers = posts(page), Answers(page, "**/hold")
    page.keyboard.press("1")
    answers.there()
    page.keyboard.press("t")
    page.keyboard.press("w")  # the page has done what the key before it does
    assert sent == ["/hold"]
    answers.arrive()
    until(page, lambda: sent == ["/hold", "/throw"])


def test_two_taps_are_one(page: Page, session: Session):
    sent, answers = posts(page), Answers(page, "**/move")
    page.evaluate("for (let i = 0; i < 2; i += 1) document.getElementById('box-chance').click()")
    answers.there()
    answers.arrive()
    page.wait_for_function("() => document.querySelector('.seat.now .name')?.textContent.startsWith('Bob')")
    page.keyboard.press("w")
    assert sent == ["/move"]
    assert page.locator("#refusal").text_content() == ""


def test_of_two_decisions_in_a_row_none_is_somebody_elses(page: Page, session: Session):
    """The second one is taken before the page has heard of the first: it was this page all the same."""
    page.evaluate("['fix-1-4', 'box-chance'].forEach((id) => document.getElementById(id).click())")
    until(page, lambda: len(session.match.events) == 3)
    page.locator("#announcer", has_text="Alice writes 34 points").wait_for()
    assert page.locator("#refusal").text_content() == ""


def test_news_between_finger_down_and_up_does_not_swallow_the_tap(page: Page, session: Session):
    box = page.locator("#hold-1").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    told(page, lambda: session.hold(2))
    page.mouse.up()
    page.wait_for_selector("#hold-1[aria-pressed=true]")
    assert page.get_attribute("#hold-2", "aria-pressed") == "true"


def test_news_does_not_wait_for_a_finger_that_rests(page: Page, session: Session):
    page.mouse.move(5, 5)
    page.mouse.down()
    session.hold(2)
    page.wait_for_selector("#hold-2[aria-pressed=true]")
    page.mouse.up()


def test_advice_is_not_said_of_dice_that_lie_there_no_more(page: Page, session: Session):
    answers = Answers(page, "**/advice")
    page.keyboard.press("h")
    answers.there()
    told(page, lambda: session.decide(Fill("chance")))
    answers.arrive()
    page.locator("#announcer", has_text="Throw all six dice.").wait_for()  # asked anew, for Bob
    page.keyboard.press("y")
    assert "2, 3" not in said(page)


def test_the_last_question_is_the_one_that_is_answered(page: Page, served: Served):
    session = served.house.table.session
    session.saw(rolled("235778"))
    session.decide(Fill("chance"))
    opened(page, served.at())
    answers = Answers(page, "**/advice")
    page.keyboard.press("h")
    answers.there()
    page.keyboard.press("l")
    page.locator("#announcer", has_text="This turn's choices lost").wait_for()
    before = page.locator("#announcer").text_content()
    answers.arrive()
    assert page.locator("#announcer").text_content() == before


def test_putting_a_die_right_leaves_the_next_one_open(page: Page, served: Served):
    served.house.table.session.saw(rolled("235778"))
    opened(page, served.at())
    answers = Answers(page, "**/correct")
    page.click("#die-1")
    page.click("#fix-1-4")
    assert focus(page) == "die-1"
    answers.there()
    page.wait_for_selector("#die-1:has-text('4')")
    page.click("#die-2")
    before = focus(page)
    assert before.startswith("fix-2-")
    answers.arrive()
    assert page.locator("#fix-of-2").is_visible()
    assert focus(page) == before


def test_a_die_of_another_throw_is_not_put_right_by_mistake(page: Page, session: Session):
    page.click("#die-2")
    assert page.locator("#fix-of-2").is_visible()
    session.throw()
    session.saw(rolled("111188", y=300.0))
    page.wait_for_selector("#die-2:has-text('1')")
    assert not page.locator("#fix-of-2").is_visible()
    assert page.evaluate("document.activeElement.offsetParent !== null")


def test_what_is_being_filled_in_outlives_news(page: Page):
    with world("outlander", throws=0) as place:
        session = place.session
        session.roll("jamie jamie geillis geillis laoghaire bjr")
        session.decide(Card("hand"))
        opened(page, place.address)
        page.fill("#faces-n", "3")
        page.select_option("#faces-face", "murtagh")
        told(page, lambda: session.camera_says(message("the camera gives no pictures")))
        page.wait_for_selector(".play .trouble")
        assert (page.input_value("#faces-n"), page.input_value("#faces-face")) == ("3", "murtagh")
        page.click("#effect-faces")
        page.locator("#announcer", has_text="The card adds 3 Murtagh.").wait_for()
        assert page.input_value("#faces-n") == "1", "what is done is not there to be done again"


def test_names_that_others_seated_are_not_overwritten_by_what_stood_there(page: Page, served: Served):
    session = served.house.table.session
    opened(page, served.at())
    told(page, lambda: session.seat(["Alice", "Cleo"]))
    page.wait_for_function("() => document.body?.innerText.includes('Cleo')")
    assert page.input_value("#players") == "Alice, Cleo"


def test_a_picture_counted_anew_is_shown(page: Page, served: Served):
    """The table was started again while nobody looked: its pictures have small numbers."""
    asked: list[str] = []

    def pictures(route):
        asked.append(route.request.url.partition("after=")[2])
        picture = Path("web/static/die.svg").read_bytes()
        if len(asked) == 1:
            route.fulfill(body=picture, content_type="image/svg+xml", headers={"X-Frame": "5000"})
        else:
            route.continue_()

    page.route("**/picture?after=*", pictures)
    opened(page, served.at())
    until(page, lambda: len(asked) > 1)
    served.house.open()
    until(page, lambda: asked[-1] not in ("-1", "5000"))


# --- Tonight


def names(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator(".name").all()]


def test_two_steps_are_taken_one_after_the_other(page: Page, served: Served):
    page.goto(served.at("/tonight"))
    answers = Answers(page, "**/tonight?*")
    page.click("#add")
    answers.there()
    page.click("#remove-1")
    answers.arrive()
    page.wait_for_function("() => document.getElementById('player-1').value === 'Bob'")
    until(page, lambda: names(page) == ["Bob", ""])


def test_a_step_follows_its_row(page: Page, served: Served):
    page.goto(served.at("/tonight?game=meet-fate&of=meet-fate&player=Ann&player=Ben&player=Cy"))
    answers = Answers(page, "**/tonight?*")
    page.focus("#player-3")
    page.keyboard.press("Alt+ArrowUp")
    answers.there()
    page.keyboard.press("Alt+ArrowUp")
    answers.arrive()
    until(page, lambda: names(page) == ["Cy", "Ann", "Ben"])
    page.wait_for_selector("#player-1:focus")


def test_what_is_typed_while_a_step_is_on_its_way_stays(page: Page, served: Served):
    page.goto(served.at("/tonight"))
    answers = Answers(page, "**/tonight?*")
    page.click("#down-1")
    answers.there()
    page.fill("#player-1", "Alicia")
    page.check("#starts-2", force=True)
    answers.arrive()
    assert names(page) == ["Bob", "Alicia"]
    assert page.is_checked("#starts-1"), "who starts is Bob, who is the first now"
    assert focus(page) == "player-2" or focus(page) == "starts-1"


def test_begin_waits_for_the_step_before_it(page: Page, served: Served):
    page.goto(served.at("/tonight"))
    answers = Answers(page, "**/tonight?*")
    page.click("#remove-2")
    answers.there()
    page.click("#begin")
    answers.arrive()
    page.wait_for_selector("#board")
    assert served.house.table.session.match.header.players == ("Alice",)


# --- Teach, Camera, the phone


def test_the_next_faces_name_is_not_wiped_away(page: Page, served: Served):
    page.goto(served.at("/dice/teach"))
    page.fill("#title", "Mine")
    page.fill("#faces", "star")
    page.click("#start")
    page.wait_for_selector("#link[data-link=live]")
    answers = Answers(page, "**/teach/name")
    page.fill("#new-face", "moon")
    page.keyboard.press("Enter")
    answers.there()
    page.fill("#new-face", "heart")
    answers.arrive()
    assert page.input_value("#new-face") == "heart"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('new-face').value === ''")
    page.wait_for_selector("text=Now: heart")


def test_a_picture_that_changed_while_it_was_judged_is_judged_again(page: Page, served: Served):
    served.house.open()
    page.goto(served.at("/camera"))
    page.wait_for_selector(".remark")
    answers = Answers(page, "**/camera/advice")
    page.click("#look-over")
    answers.there()
    page.click("#look-over")
    with page.expect_request("**/camera/advice"):
        answers.arrive()


def test_a_phone_that_is_tapped_twice_opens_one_camera(
    page: Page, lay: Callable[..., House], tmp_path: Path
):
    house = lay(camera=PushedFrames())
    page.add_init_script(
        """window.asked = 0;
        const forever = () => { window.asked += 1; return new Promise(() => {}); };
        if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = forever;"""
    )
    with serving(house, tmp_path, watched=False) as served:
        page.goto(served.at("/phone"))
        page.evaluate("for (let i = 0; i < 2; i += 1) document.getElementById('start').click()")
        page.wait_for_function("() => window.asked > 0")
        settle(page)
        assert page.evaluate("window.asked") == 1
        page.goto("about:blank")
