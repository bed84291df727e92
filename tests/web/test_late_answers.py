"""Slow devices: answers that come after the next key, news between finger down and finger up, taps twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from messages.message import message
from scoring.actions import Fill
from scoring.games.outlander.cards import Card
from table.session import Session
from tests.fakes import rolled
from tests.web.serving import Served
from tests.web.visitor import WAIT, Visitor
from vision.camera import PushedFrames

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route

NEWS = """
window.news = 0;
window.EventSource = class extends EventSource {
  constructor(...about) {
    super(...about);
    for (const kind of ["notice", "lesson"]) this.addEventListener(kind, () => { window.news += 1; });
  }
};
"""
"""Counts the news that reached a page, whatever the page makes of it."""


class Patient(Visitor):
    """Somebody whose line is slow: answers and news come when it suits the test."""

    _waiting: list[tuple[Route, APIResponse]]
    _held = False

    def keeps_waiting(self, path: str) -> None:
        """What the table answers at an address is on its way until `answers`; the table itself hears of everything at
        once."""
        self._waiting, self._held = [], True
        self.page.route(path, self._take)

    def _take(self, route: Route) -> None:
        if self._held:
            self._waiting.append((route, route.fetch()))
        else:
            route.continue_()

    def waits(self) -> None:
        """Wait until the table has given an answer, which has not arrived."""
        self.until(lambda: len(self._waiting) > 0)

    def answers(self) -> None:
        """All answers arrive, the first one first; what is asked from now on is answered at once."""
        from playwright.sync_api import Error

        self._held = False
        for route, answer in self._waiting:
            with self.page.expect_response(lambda one, asked=route.request: one.request == asked):
                route.fulfill(response=answer)
        with suppress(Error):  # whatever the page had to do by now is done, or it has gone on to another page
            self.page.evaluate("new Promise((done) => { setTimeout(done, 0); })")

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that is no part of the page."""
        for _ in range(WAIT // 20):
            if true():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("it never came to be")

    def hears_of(self, act: Callable[[Session], object]) -> None:
        """Something happens at the table; wait until its news has reached the page. It may not be shown yet."""
        before = self.page.evaluate("window.news")
        act(self.session)
        self.page.wait_for_function("before => window.news > before", arg=before)


Sit = Callable[..., Patient]

LONG_PRESS = 0.45
"""A finger that rests on a die longer than half a second (`LONG` in table.js) means to correct it."""


@pytest.fixture
def sit(serve: Callable[..., Served], visit: Callable[..., Patient]) -> Sit:
    def come(
        game: str = "meet-fate", path: str = "/", first: Callable[[Session], object] = bool, **how: object
    ) -> Patient:
        served = serve(game, **how)
        first(served.house.table.session)
        return visit(served, path, kind=Patient, script=NEWS, rough=True)

    return come


@pytest.fixture
def alice(sit: Sit) -> Patient:
    """Alice has thrown, and the page shows it."""
    return sit(first=lambda session: session.saw(rolled("235778")))


# --- the Table


def test_after_a_typed_roll_the_keyboard_goes_on_and_so_does_the_field(sit: Sit):
    alice = sit("triples")
    alice.keeps_waiting("**/roll")
    alice.press("e")
    alice.type("cat cat dd")
    alice.press("Enter")
    alice.waits()
    assert alice.focus == "throw"
    assert "Alice" in alice.tells("s"), "a key is no letter of what was typed"
    alice.press("e")
    alice.page.fill("#faces", "sigil dd")
    alice.answers()
    assert (alice.focus, alice.page.input_value("#faces")) == ("faces", "sigil dd")
    alice.press("Enter")
    alice.sees("This roll needs 3 dice, not 2.", "#refusal")
    alice.page.wait_for_selector("#faces:focus")
    assert alice.page.input_value("#faces") == "sigil dd", "what is refused stays to be mended"


def test_what_is_done_first_arrives_first(alice: Patient):
    """A die that is held, and the throw right after it: browsers send them on two lines."""
    alice.keeps_waiting("**/hold")
    alice.press("1")
    alice.waits()
    alice.press("t", "w")  # the page has done what the key before it does
    assert alice.sent == ["/hold"]
    alice.answers()
    alice.until(lambda: alice.sent == ["/hold", "/throw"])


def test_two_taps_are_one(alice: Patient):
    alice.keeps_waiting("**/move")
    alice.page.evaluate("for (let i = 0; i < 2; i += 1) document.getElementById('box-chance').click()")
    alice.waits()
    alice.answers()
    alice.sees("Bob", ".seat.now .name")
    alice.press("w")
    assert alice.sent == ["/move"]
    assert alice.page.locator("#refusal").text_content() == ""


def test_of_two_decisions_in_a_row_none_is_somebody_elses(alice: Patient):
    """The second one is taken before the page has heard of the first: it was this page all the same."""
    alice.page.evaluate("['fix-1-4', 'box-chance'].forEach((id) => document.getElementById(id).click())")
    alice.until(lambda: len(alice.session.match.events) == 3)
    alice.hears("Alice scores 34 points")
    assert alice.page.locator("#refusal").text_content() == ""


def test_news_between_finger_down_and_up_does_not_swallow_the_tap(sit: Sit):
    for _ in range(5):
        alice = sit(first=lambda session: session.saw(rolled("235778")))
        box = alice.page.locator("#die-1").bounding_box()
        assert box is not None
        alice.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        began = time.monotonic()
        alice.page.mouse.down()
        alice.hears_of(lambda session: session.hold(2))
        alice.page.mouse.up()
        if time.monotonic() - began < LONG_PRESS:  # on a busy machine the news took longer than a tap may
            break
    alice.page.wait_for_selector("#die-1[aria-pressed=true]")
    assert alice.page.get_attribute("#die-2", "aria-pressed") == "true"
    alice.page.mouse.move(5, 5)
    alice.page.mouse.down()
    alice.session.hold(3)
    alice.page.wait_for_selector("#die-3[aria-pressed=true]")  # news does not wait for a finger that rests
    alice.page.mouse.up()


SEEN = """sign => {
  window.seen = new Promise((done) => document.addEventListener("pointerdown", () => {
    const began = performance.now();
    const took = () => done(performance.now() - began);
    const watch = new MutationObserver(() => {
      if (!document.querySelector(sign)) return;
      watch.disconnect();
      requestAnimationFrame(took);
    });
    watch.observe(document, { attributes: true, childList: true, subtree: true });
    setTimeout(took, 10000);
  }, { once: true }));
}"""
"""From now on `seen` is how many milliseconds after the next press a sign of it was painted, at most ten thousand.

Every change is looked at: news of a throw takes its sign away again, and may come before a timer does.
"""


@pytest.mark.parametrize(
    ("path", "button", "sign"),
    [
        ("**/hold", "#die-2", "#die-2.held[aria-pressed=true]"),
        ("**/throw", "#throw", ".thrown #throw[aria-busy=true]"),
        ("**/move", "#box-chance", "#box-chance[aria-busy=true]"),
    ],
)
def test_a_tap_is_seen_within_a_tenth_of_a_second_though_no_answer_has_come(
    alice: Patient, path: str, button: str, sign: str
):
    alice.keeps_waiting(path)
    alice.page.evaluate(SEEN, sign)
    alice.page.click(button)
    took = alice.page.evaluate("window.seen")
    assert took < 100, f"{took:.1f} ms"
    alice.waits()
    alice.answers()


def test_a_hold_that_is_refused_is_taken_back_in_words(alice: Patient):
    page = alice.page
    page.evaluate("document.getElementById('table').dataset.log = 'another:9'")
    page.click("#die-2")
    alice.sees("Someone else was faster", "#refusal")
    assert page.get_attribute("#die-2", "aria-pressed") == "false"
    assert page.locator(".held").count() == 0


def test_a_die_that_is_tapped_twice_is_let_go_whatever_the_line_is_like(alice: Patient):
    alice.keeps_waiting("**/hold")
    for pressed in ("true", "false", "true"):
        alice.page.click("#die-2")
        assert alice.page.get_attribute("#die-2", "aria-pressed") == pressed
    alice.answers()
    alice.until(lambda: alice.sent == ["/hold"] * 3)
    alice.until(lambda: [die.number for die in alice.session.latest().snapshot.dice if die.held] == [2])


def test_advice_is_not_said_of_dice_that_lie_there_no_more(alice: Patient):
    alice.keeps_waiting("**/advice")
    alice.press("h")
    alice.waits()
    alice.hears_of(lambda session: session.decide(Fill("chance")))
    alice.answers()
    alice.hears("Throw all six dice.")  # asked anew, for Bob
    assert "2, 3" not in alice.tells("y")


def test_the_last_question_is_the_one_that_is_answered(alice: Patient):
    alice.is_told(lambda session: session.decide(Fill("chance")))
    alice.keeps_waiting("**/advice")
    alice.press("h")
    alice.waits()
    alice.press("l")
    alice.hears("This turn’s choices cost")
    before = alice.said
    alice.answers()
    assert alice.said == before


def test_putting_a_die_right_leaves_the_next_one_open_but_not_of_another_throw(alice: Patient):
    alice.keeps_waiting("**/correct")
    alice.page.click("#die-1", button="right")
    alice.page.click("#fix-1-4")
    assert alice.focus == "die-1"
    alice.waits()
    alice.page.wait_for_selector("#die-1:has-text('4')")
    alice.page.click("#die-2", button="right")
    before = alice.focus
    assert before.startswith("fix-2-")
    alice.answers()
    assert alice.page.locator("#fix-of-2").is_visible()
    assert alice.focus == before
    alice.session.throw()
    alice.session.saw(rolled("111188", y=300.0))
    alice.page.wait_for_selector("#die-2:has-text('1')")
    assert not alice.page.locator("#fix-of-2").is_visible()
    assert alice.focused("offsetParent !== null")


def test_what_is_being_filled_in_outlives_news(sit: Sit):
    alice = sit("outlander", first=lambda session: session.roll("jamie jamie geillis geillis laoghaire bjr"))
    alice.is_told(lambda session: session.decide(Card("hand")))
    page = alice.page
    page.fill("#change-n", "2")
    page.select_option("#change-into", "murtagh")
    alice.hears_of(lambda session: session.camera_says(message("the camera gives no pictures")))
    page.wait_for_selector(".play .trouble")
    assert (page.input_value("#change-n"), page.input_value("#change-into")) == ("2", "murtagh")
    page.click("#effect-change")
    alice.hears("The card turns 2 Jamie into Murtagh.")
    assert page.input_value("#change-n") == "1", "what is done is not there to be done again"


def test_names_that_others_seated_are_not_overwritten_by_what_stood_there(alice: Patient):
    alice.is_told(lambda session: session.seat(["Alice", "Cleo"]))
    assert alice.page.input_value("#players") == "Alice, Cleo"


def test_a_picture_counted_anew_is_shown(sit: Sit):
    """The table was started again while nobody looked: its pictures have small numbers."""
    alice = sit()
    asked: list[str] = []

    def pictures(route: Route) -> None:
        asked.append(route.request.url.partition("after=")[2])
        picture = Path("web/static/die.svg").read_bytes()
        if len(asked) == 1:
            route.fulfill(body=picture, content_type="image/svg+xml", headers={"X-Frame": "5000"})
        else:
            route.continue_()

    alice.page.route("**/picture?after=*", pictures)
    alice.open()
    alice.until(lambda: len(asked) > 1)
    alice.served.house.open()
    alice.until(lambda: asked[-1] not in ("-1", "5000"))


# --- New match


def names(visitor: Visitor) -> list[str]:
    return visitor.page.locator(".name").evaluate_all("all => all.map((one) => one.value)")


def test_two_steps_are_taken_one_after_the_other(sit: Sit):
    alice = sit(path="/new")
    alice.keeps_waiting("**/new?*")
    alice.page.click("#add")
    alice.waits()
    alice.page.click("#remove-1")
    alice.answers()
    alice.until(lambda: names(alice) == ["Bob", ""])


def test_a_step_follows_its_row(sit: Sit):
    alice = sit(path="/new?game=meet-fate&of=meet-fate&player=Ann&player=Ben&player=Cy")
    alice.keeps_waiting("**/new?*")
    alice.page.focus("#player-3")
    alice.press("Alt+ArrowUp")
    alice.waits()
    alice.press("Alt+ArrowUp")
    alice.answers()
    alice.until(lambda: names(alice) == ["Cy", "Ann", "Ben"])
    alice.page.wait_for_selector("#player-1:focus")


def test_what_is_typed_while_a_step_is_on_its_way_stays(sit: Sit):
    alice = sit(path="/new")
    alice.keeps_waiting("**/new?*")
    alice.page.click("#grip-1")
    alice.page.click("#down-1")
    alice.waits()
    alice.page.fill("#player-1", "Alicia")
    alice.page.check("#starts-2", force=True)
    alice.answers()
    assert names(alice) == ["Bob", "Alicia"]
    assert alice.page.is_checked("#starts-1"), "who starts is Bob, who is the first now"
    assert alice.focus in ("player-2", "starts-1")


def test_begin_waits_for_the_step_before_it(sit: Sit):
    alice = sit(path="/new")
    alice.keeps_waiting("**/new?*")
    alice.page.click("#remove-2")
    alice.waits()
    alice.page.click("#begin")
    alice.answers()
    alice.page.wait_for_selector("#board")
    assert alice.session.match.header.players == ("Alice",)


# --- Teach, Camera, the phone


def test_the_next_faces_name_is_not_wiped_away(sit: Sit):
    alice = sit(path="/dice/teach")
    page = alice.page
    page.click("#start")
    alice.linked("live")
    page.click("#more > summary")
    alice.keeps_waiting("**/teach/name")
    page.fill("#new-face", "moon")
    alice.press("Enter")
    alice.waits()
    page.fill("#new-face", "heart")
    alice.answers()
    assert page.input_value("#new-face") == "heart"
    alice.press("Enter")
    page.wait_for_function("() => document.getElementById('new-face').value === ''")
    page.wait_for_selector("#face-heart.now")


def test_a_picture_that_changed_while_it_was_judged_is_judged_again(sit: Sit):
    alice = sit(path="/camera", watched=True)
    alice.page.wait_for_selector(".light")
    alice.keeps_waiting("**/camera/advice")
    alice.page.click("#look-over")
    alice.waits()
    alice.page.click("#look-over")
    with alice.page.expect_request("**/camera/advice"):
        alice.answers()


def test_a_phone_that_is_tapped_twice_opens_one_camera(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    counted = """window.asked = 0;
        const forever = () => { window.asked += 1; return new Promise(() => {}); };
        if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = forever;"""
    phone = visit(serve(camera=PushedFrames()), "/phone", script=counted)
    phone.page.evaluate("for (let i = 0; i < 2; i += 1) document.getElementById('start').click()")
    phone.page.wait_for_function("() => window.asked > 0")
    assert phone.page.evaluate("new Promise((done) => { setTimeout(() => done(window.asked), 0); })") == 1
