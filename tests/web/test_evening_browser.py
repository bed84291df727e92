"""New match and Camera in a real browser: by touch, by keyboard alone, without script, and two devices at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.waiting import soon
from tests.web.serving import Served
from tests.web.visitor import Visitor


class Person(Visitor):
    pardon = "status of 422"
    """What is wrong is said on the page."""


Visit = Callable[..., Visitor]
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.fixture
def served(serve: Callable[..., Served]) -> Served:
    return serve(seed=11)


def names(visitor: Visitor) -> list[str]:
    return visitor.page.locator(".name").evaluate_all("all => all.map((one) => one.value)")


def playing(served: Served) -> tuple[str, tuple[str, ...]]:
    played = served.house.table.session.match.header
    return played.game, played.players


def test_by_touch_a_match_begins_and_the_other_tablet_shows_it_by_itself(visit: Visit, served: Served):
    watching, phone = visit(served), visit(served, "/new", **PHONE)
    page = phone.page
    page.locator("label:has(#game-triples)").tap()
    page.wait_for_selector("#set-cats:checked")
    page.fill("#player-1", "Cleo")
    page.tap("#remove-2")
    page.wait_for_selector("#remove-2", state="detached")
    page.tap("#add")
    page.wait_for_selector("#player-2:focus")
    page.fill("#player-2", "Dan")
    page.locator("label:has(#starts-2)").tap()
    page.tap("#agreed summary")
    page.fill("#rule-target", "5")
    assert phone.sideways <= 0
    page.tap("#begin")
    phone.sees("Triples", "h1")
    assert playing(served) == ("triples", ("Dan", "Cleo"))
    assert dict(served.house.table.session.match.header.options)["target"] == 5
    watching.sees("Triples", "h1")
    watching.hears("Triples")
    assert watching.page.title().startswith("Triples")
    assert "Dan" in watching.page.locator(".seats").inner_text()
    assert watching.page.locator("#who option").all_inner_texts()[1:] == ["Dan", "Cleo"]


def test_by_keyboard_alone_players_are_typed_moved_and_seated(visit: Visit, served: Served):
    alice = visit(served, "/new")
    page = alice.page
    page.focus("#game-meet-fate")
    alice.press("ArrowDown")
    page.wait_for_selector("#set-cats:checked")
    page.wait_for_selector("#game-pairs:focus")
    assert alice.said == "Pairs selected. Dice, players and house rules are below."
    page.focus("#player-1")
    for number, name in enumerate(("Ann", "Ben"), start=1):
        alice.press("Control+A")
        alice.type(name)
        alice.press("Enter")
        page.wait_for_selector(f"#player-{number + 1}:focus")
    alice.type("Cy")
    alice.press("Alt+ArrowUp")
    page.wait_for_selector("#player-2:focus")
    assert names(alice) == ["Ann", "Cy", "Ben"]
    assert alice.said == "Position 2 of 3: Cy."
    page.focus("#up-2")
    alice.press("Enter")
    page.wait_for_selector("#down-1:focus")  # the way up ends here, the way down does not
    assert names(alice) == ["Cy", "Ann", "Ben"]
    assert "player=Cy" in page.url, "reloading keeps what was typed"
    page.reload()
    assert names(alice) == ["Cy", "Ann", "Ben"]
    page.focus("#begin")
    alice.press("Enter")
    alice.sees("Pairs", "h1")
    assert playing(served) == ("pairs", ("Cy", "Ann", "Ben"))
    page.go_back()
    page.wait_for_selector("#draft")


def test_a_player_is_dragged_to_another_place(visit: Visit, served: Served):
    alice = visit(served, "/new?game=triples&of=triples&set=cats&player=Ann&player=Ben&player=Cy&starts=1")
    page = alice.page

    def now(*order: str) -> None:
        asked = "order => order.every((name, at) => document.querySelectorAll('.name')[at]?.value === name)"
        page.wait_for_function(asked, arg=list(order))

    def drag(row: int, to: int) -> None:
        grip, there = (page.locator(f"#grip-{one}").bounding_box() for one in (row, to))
        assert grip is not None
        assert there is not None
        page.mouse.move(grip["x"] + 10, grip["y"] + 20)
        page.mouse.down()
        page.mouse.move(there["x"] + 10, there["y"] + 24, steps=4)
        page.mouse.up()

    drag(3, 1)
    now("Cy", "Ann", "Ben")
    assert alice.said == "Position 1 of 3: Cy."
    assert page.is_checked("#starts-3"), "who starts goes with the name"
    drag(1, 2)
    now("Ann", "Cy", "Ben")
    page.wait_for_selector("#grip-2:focus")
    alice.press("ArrowDown")
    now("Ann", "Ben", "Cy")
    page.wait_for_selector("#grip-3:focus")
    page.click("#grip-2")
    page.click("#up-2")
    now("Ben", "Ann", "Cy")


def test_what_is_wrong_is_said_and_the_way_to_it_leads_there(visit: Visit, served: Served):
    alice = visit(served, "/new", kind=Person)
    page = alice.page
    page.fill("#player-2", "alice")
    page.click("#begin")
    page.wait_for_selector("#worries:focus")
    assert page.title().startswith("Problem:")
    page.locator("#worries a").press("Enter")
    page.wait_for_selector("#player-2:focus")
    assert page.get_attribute("#player-2", "aria-invalid") == "true"
    page.fill("#player-2", "Zoe")
    page.click("#begin")
    page.wait_for_selector("#board")
    assert playing(served) == ("meet-fate", ("Alice", "Zoe"))


def test_all_of_it_works_without_script(visit: Visit, served: Served):
    alice = visit(served, "/new", java_script_enabled=False)
    page = alice.page

    def leads_on(selector: str) -> None:
        with page.expect_navigation():
            page.click(selector)

    page.check("#game-called-shot")
    leads_on("role=button[name=\"Show dice and rules\"]")
    assert page.is_checked("#set-cats")
    page.fill("#player-1", "Ann")
    leads_on("#add")
    assert names(alice) == ["Ann", "Bob", ""]
    page.fill("#player-3", "Cy")
    leads_on("#up-3")
    leads_on("#remove-3")
    assert names(alice) == ["Ann", "Cy"]
    leads_on("#begin")
    assert playing(served) == ("called-shot", ("Ann", "Cy"))


def test_the_same_as_last_time_takes_two_taps(visit: Visit, served: Served):
    first = served.house.table.session
    first.roll("1 1 1 2 2 2")
    phone = visit(served, **PHONE)
    phone.page.tap(".brand a")
    phone.page.tap("#begin")
    phone.page.wait_for_selector("#board")
    assert served.house.table.session is not first
    assert served.house.table.session.match.header == first.match.header


def test_of_two_tablets_one_begins_and_the_other_is_told(visit: Visit, served: Served):
    # The second one hears of nothing: its page is what it was when both looked at it.
    deaf = "window.EventSource = class { addEventListener() {} close() {} };"
    first, second = visit(served, "/new"), visit(served, "/new", script=deaf)
    for one, name in ((first, "Ann"), (second, "Ben")):
        one.page.fill("#player-1", name)
    first.page.click("#begin")
    first.page.wait_for_selector("#board")
    second.page.click("#begin")
    second.page.wait_for_selector("#trouble")
    told = second.page.locator("#trouble").inner_text()
    assert told == "Someone has just started another match here: Meet Fate, Ann, Bob."
    assert playing(served) == ("meet-fate", ("Ann", "Bob"))
    assert names(second) == ["Ben", "Bob"]
    second.page.click("#begin")
    second.page.wait_for_selector("#board")
    assert playing(served) == ("meet-fate", ("Ben", "Bob")), "now it knows, and may"


# --- Camera


@pytest.fixture
def watched(serve: Callable[..., Served]) -> Served:
    return serve(seed=11, watched=True, size=(640, 480))


def corner(visitor: Visitor, n: int) -> tuple[float, float]:
    return float(visitor.page.input_value(f"#x{n}")), float(visitor.page.input_value(f"#y{n}"))


def test_corners_are_dragged_by_touch_and_take_effect_at_once(visit: Visit, watched: Served):
    alice = visit(watched, "/camera", width=820, height=1180, has_touch=True)
    page = alice.page
    page.wait_for_selector("#handle-1:visible")
    page.wait_for_selector(".light")
    frame, handle = page.locator("#frame").bounding_box(), page.locator("#handle-1").bounding_box()
    assert frame is not None
    assert handle is not None
    assert min(handle["width"], handle["height"]) >= 44
    touch = page.context.new_cdp_session(page)

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
    assert corner(alice, 1) == pytest.approx((30.0, 25.0), abs=0.3)
    page.click("#use")
    page.wait_for_selector("#area:has-text('only inside this area')")
    eye = watched.house.table.cameras
    assert eye is not None
    assert eye.corners is not None
    assert eye.corners[0] == pytest.approx((0.30, 0.25), abs=0.003)
    page.click("#whole")
    page.wait_for_selector("#area:has-text('the full image')")
    assert eye.corners is None


def test_corners_are_moved_by_keys_and_said(visit: Visit, watched: Served):
    alice = visit(watched, "/camera", kind=Person)
    page = alice.page
    page.wait_for_selector("#handle-1:visible")
    page.focus("#handle-3")
    alice.press("ArrowLeft", "Shift+ArrowUp")

    def heard() -> bool:
        if alice.said.startswith("Now using"):  # the camera was named a moment after the keys
            alice.press("ArrowLeft", "ArrowRight")
        return alice.said == "bottom right: 99.0 per cent from the left, 95.0 from the top"

    assert soon(heard)
    assert corner(alice, 3) == (99.0, 95.0)
    page.click("#numbers > summary")
    page.fill("#y4", "101")
    page.click("#use")
    page.wait_for_selector("#trouble")
    assert corner(alice, 4) == (0.0, 101.0)
    page.fill("#y4", "90")
    page.focus("#use")
    alice.press("Enter")
    page.wait_for_selector("#area:has-text('only inside this area')")


def test_the_camera_page_follows_the_table(visit: Visit, watched: Served):
    alice = visit(watched, "/camera")
    alice.page.wait_for_selector("#state:has-text('The table is empty')")
    alice.session.throw()
    alice.page.wait_for_selector("#state:has-text('Settled')")
    alice.page.wait_for_selector("#camera_outlines polygon >> nth=5", state="attached")
    alice.page.wait_for_selector(".light.good:has-text('Large enough.')")
