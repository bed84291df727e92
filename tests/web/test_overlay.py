"""The overlay for streams: nothing behind its plates, and words that can be read over a light video and a dark one."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scoring.actions import Confirm
from tests.fakes import rolled
from tests.web.inspecting import violations
from tests.web.serving import Served
from tests.web.visitor import Visitor

Serve = Callable[..., Served]
Visit = Callable[..., Visitor]
Scene = Callable[[Visitor], None]

TWELVE = [f"{name} {'abcdefghijklmnopqrst'[:n]}" for n, name in enumerate(("Ann", "Bob", "Cleo", "Zoë-Marie") * 3)]
WIDTH, HEIGHT = 1920, 1080
COLOUR = "one => getComputedStyle(one).color.match(/[0-9]+/g).map(Number)"


def begun(one: Visitor) -> None:
    """Nothing was thrown yet."""


def thrown(one: Visitor) -> None:
    one.is_told(lambda session: session.roll("2, 2, 2, 2, 5, 5"))
    one.is_told(lambda session: session.hold(1))


def asked(one: Visitor) -> None:
    one.is_told(lambda session: session.saw(rolled("22225")))


def paused(one: Visitor) -> None:
    one.is_told(lambda session: session.pause())


def over(one: Visitor) -> None:
    one.is_told(lambda session: session.roll("8, 8, 8, 8, 8, 8"))
    one.is_told(lambda session: session.decide(Confirm(yes=True)))


def picture(one: Visitor) -> np.ndarray[Any, Any]:
    """The page as OBS lays it over a video: (H, W, 4), the last is how much of the video it hides."""
    return np.asarray(Image.open(io.BytesIO(one.page.screenshot(omit_background=True))).convert("RGBA"))


def over_video(shot: np.ndarray[Any, Any], grey: int) -> np.ndarray[Any, Any]:
    part = shot[..., 3:] / 255
    return shot[..., :3] * part + grey * (1 - part)


def luminance(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """WCAG 2.2's relative luminance of colours from 0 to 255: (..., 3) to (...)."""
    part = colours / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    low, high = sorted((float(luminance(one)), float(luminance(other))))
    return (high + 0.05) / (low + 0.05)


def corner(one: Visitor, selector: str) -> tuple[int, int]:
    """A point inside a plate, where nothing is written: just inside its left edge."""
    box = one.page.locator(selector).bounding_box()
    assert box is not None
    return int(box["y"] + box["height"] / 2), int(box["x"] + 4)


@pytest.mark.parametrize(
    ("scene", "scheme"),
    [(begun, "light"), (thrown, "light"), (thrown, "dark"), (asked, "dark"), (paused, "light"), (over, "dark")],
)
def test_words_stand_out_over_any_video(serve: Serve, visit: Visit, scene: Scene, scheme: str):
    one = visit(serve(), "/overlay", width=WIDTH, height=HEIGHT, color_scheme=scheme, reduced_motion="reduce")
    scene(one)
    one.page.evaluate("document.fonts.ready")
    shot = picture(one)
    assert shot[: HEIGHT // 2, :, 3].max() == 0, "the video is seen where there is no plate"
    for selector in (".overlay-seats", "#said"):
        words = np.array(one.page.locator(selector).evaluate(COLOUR)[:3], float)
        y, x = corner(one, selector)
        for grey, video in ((255, "light"), (0, "dark"), (128, "grey")):
            line = over_video(shot[y - 14 : y + 14], grey)
            assert contrast(line[14, x], words) > 7, (video, selector)
            assert luminance(line).max() > 0.7, "and they are there"
    if folder := os.environ.get("SCREENS"):
        halves = np.concatenate((over_video(shot, 235)[540:], over_video(shot, 20)[540:]))
        Image.fromarray(halves.astype("uint8")).save(Path(folder) / f"overlay-{scene.__name__}-{scheme}.png")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 240), (640, 360)])
@pytest.mark.parametrize("players", [["Ann", "Bob"], TWELVE])
def test_everything_is_within_the_picture(serve: Serve, visit: Visit, players: list[str], width: int, height: int):
    one = visit(serve("triples", players=players), "/overlay", width=width, height=height)
    one.is_told(lambda session: session.roll("cat, two-cats, manticore"))
    one.page.evaluate("document.fonts.ready")
    beyond = one.page.evaluate(
        """() => [...document.querySelectorAll(".overlay *")].filter((one) => {
          const box = one.getBoundingClientRect();
          return one.checkVisibility() && getComputedStyle(one).clipPath === "none" && box.width > 0
            && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
        }).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert beyond == []
    if folder := os.environ.get("SCREENS"):
        shot = over_video(picture(one), 200).astype("uint8")
        Image.fromarray(shot).save(Path(folder) / f"overlay-{len(players)}-players-{width}.png")


def test_it_follows_the_table(serve: Serve, visit: Visit):
    one = visit(serve(), "/overlay")
    seats = one.page.locator(".overlay-seat")
    assert [text.split() for text in seats.all_inner_texts()] == [["Alice", "0"], ["Bob", "0"]]
    thrown(one)
    assert one.page.locator(".overlay-dice .tv-die").count() == 6
    assert one.page.locator(".overlay-dice .held").count() == 1
    assert "held" in one.page.locator("#said").inner_text()
    over(visit(serve(), "/overlay"))


def test_it_speaks_the_language_of_its_address(serve: Serve, visit: Visit):
    one = visit(serve(), "/overlay?language=de", locale="fr")
    assert one.page.locator("html").get_attribute("lang") == "de"
    thrown(one)
    snapshot = one.session.latest()
    assert one.page.locator("#said").inner_text() == snapshot.sentence("de") != snapshot.sentence("fr")
    table = one.beside("/")
    table.page.wait_for_timeout(300)
    assert [beside.page.locator("html").get_attribute("lang") for beside in (one, table)] == ["de", "fr"]
    assert sum(asked == one.page.url for asked in one.asked) == 1, "the device's language is the other pages' own"


def test_axe_finds_nothing(serve: Serve, visit: Visit):
    one = visit(serve(), "/overlay", width=WIDTH, height=HEIGHT, reduced_motion="reduce")
    thrown(one)
    assert [found for found in violations(one.page, enhanced=False) if "color-contrast" not in found] == []
