"""Takes the pictures of README and guide from the real program: `make pictures [ARGS="throw outback"]`.

Starts `tableside demo` with fixed dice, plays on its pages in Chromium, and saves screenshots to docs/pictures.
Tableside reads the dice as it would read yours; the only thing added to the pictures is a ring around each tap. On a
busy computer the moving picture gets fewer frames: record it on a quiet one.
"""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"

TABLESIDE = (sys.executable, "-m", "cli.main")

WAIT = 60_000
"""Milliseconds to wait for something on a page; a throw takes three seconds."""

LAPTOP, TELEVISION, PHONE, SMALL = (1280, 800), (1280, 720), (390, 844), (1120, 700)
"""Page sizes in CSS pixels; the moving picture shows a small page, so that its text can be read."""

FILMED = (896, 560)
"""Pixels of the moving picture."""

FRAME = 0.07
"""Least duration of a frame of the moving picture, in seconds."""

RING = 0.5
"""Seconds for which the ring around a tap is shown."""


@dataclass
class Screencast:
    """A recording of a page: its frames and taps, with times in seconds."""

    frames: list[tuple[float, bytes]] = field(default_factory=list[tuple[float, bytes]])
    taps: list[tuple[float, tuple[float, float]]] = field(
        default_factory=list[tuple[float, tuple[float, float]]]
    )

    def save(self, path: Path, begins: float) -> None:
        """Write an animated WebP that loops at the original speed.

        It begins at this time, and the part before it follows at the end: some readers only see the first frame.
        """
        kept: list[tuple[float, bytes]] = []
        for when, frame in self.frames:
            if kept and when - kept[-1][0] < FRAME:
                kept[-1] = (kept[-1][0], frame)
            else:
                kept.append((when, frame))
        taps = {when + offset for when, _ in self.taps for offset in (0.0, RING)}
        times = sorted({when for when, _ in kept} | taps | {begins})
        drawn = [self._at(when, kept) for when in times if when >= kept[0][0]]
        times = [when for when in times if when >= kept[0][0]]
        ends = [*times[1:], times[-1] + 3.0]
        lasting = [max(20, round(1000 * (end - when))) for when, end in zip(times, ends, strict=True)]
        first = next(n for n, when in enumerate(times) if when >= begins)
        drawn, lasting = drawn[first:] + drawn[:first], lasting[first:] + lasting[:first]
        drawn[0].save(
            path,
            save_all=True,
            append_images=drawn[1:],
            duration=lasting,
            loop=0,
            quality=62,
            method=4,
            kmax=12,
        )

    def _at(self, when: float, kept: list[tuple[float, bytes]]) -> Image.Image:
        """The page at a time, with a ring around a recent tap."""
        frame = next(frame for begun, frame in reversed(kept) if begun <= when)
        with Image.open(io.BytesIO(frame)) as opened:
            picture = opened.convert("RGB").resize(FILMED, Image.Resampling.LANCZOS)
        for tapped, (x, y) in self.taps:
            if tapped <= when < tapped + RING:
                x, y = x * FILMED[0] / SMALL[0], y * FILMED[1] / SMALL[1]
                ImageDraw.Draw(picture).ellipse(
                    (x - 15, y - 15, x + 15, y + 15), outline=(196, 138, 26), width=4
                )
        return picture


class Visit:
    """A browser on a page of a demo table, which may be recorded."""

    def __init__(self, page: Page, address: str) -> None:
        """Open the table's page."""
        self.page, self.address, self.film = page, address, Screencast()
        page.set_default_timeout(WAIT)
        page.goto(address)
        page.wait_for_selector("#link[data-link=live]", state="attached")

    def rolling(self) -> None:
        """Start recording the page."""
        session: Any = self.page.context.new_cdp_session(self.page)

        def showed(told: dict[str, Any]) -> None:
            self.film.frames.append((told["metadata"]["timestamp"], base64.b64decode(told["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})

        session.on("Page.screencastFrame", showed)
        session.send("Page.startScreencast", {"format": "jpeg", "quality": 92})

    def wait(self, seconds: float) -> None:
        """Wait for a while."""
        self.page.wait_for_timeout(1000 * seconds)

    def tap(self, selector: str) -> None:
        """Press something, and wait until the table has received it."""
        place = self.page.locator(selector).first
        place.scroll_into_view_if_needed()
        while (box := place.bounding_box()) is None:  # the page has just replaced it
            self.wait(0.05)
        self.film.taps.append((time.time(), (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)))
        self.wait(0.15)
        place.click()

    def throw(self, heard: str) -> None:
        """Throw the dice, and wait until these words are announced."""
        self.tap("#throw")
        self.page.wait_for_function(
            "words => document.getElementById('announcer').textContent.includes(words)", arg=heard
        )

    def hold(self, face: str) -> None:
        """Hold every die that shows this face and is not held yet."""
        while (free := self.page.locator(f"button.die[aria-pressed=false][aria-label$=': {face}']")).count():
            name = free.first.get_attribute("id")
            self.tap(f"#{name}")
            self.page.wait_for_selector(f"#{name}[aria-pressed=true]")
            self.wait(0.3)

    def shot(
        self, name: str, path: str | None = None, size: tuple[int, int] = LAPTOP, *, wait: float = 1.5
    ) -> None:
        """Save a screenshot of this page, or of another page of the same table."""
        if path is not None:
            self.page.goto(self.address + path)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.wait(wait)
        with Image.open(io.BytesIO(self.page.screenshot())) as picture:
            picture.convert("RGB").save(PICTURES / f"{name}.webp", quality=80, method=6)


@contextmanager
def running(*what: str) -> Generator[str]:
    """The first line of output of a Tableside command, which runs until the block ends."""
    with subprocess.Popen(
        [*TABLESIDE, *what],
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline()
        finally:
            process.terminate()


@contextmanager
def demo(browser: Browser, *what: str) -> Generator[Visit]:
    """A page of a demo table where Ann and Ben play."""
    with running("demo", "--port", "18860", "--players", "Ann,Ben", *what) as said:
        found = re.search(r"http://\S+", said)
        assert found, said
        context = browser.new_context(
            viewport={"width": SMALL[0], "height": SMALL[1]}, reduced_motion="reduce"
        )
        try:
            yield Visit(context.new_page(), found[0])
        finally:
            context.close()


def throw(browser: Browser) -> None:
    """A turn of Meet Fate: the moving picture; then television, LED board, camera, rules and a disputed roll."""
    leds, at = ("--display", "matrix8", "--png", str(PICTURES / "leds.png")), "127.0.0.1:18861"
    table = ("--seed", "16", "--scoreboard", f"socket://{at}", "--brightness", "12")
    with running("scoreboard", "--virtual", "--listen", at, *leds), demo(browser, *table) as visit:
        visit.wait(1)
        visit.rolling()
        visit.wait(0.7)
        begins = 0.0
        for number in (1, 2):
            visit.throw(f"throw {number}:")
            begins = begins or time.time()
            visit.wait(1.5)
            visit.hold("6")
            visit.wait(0.5)
        visit.throw("throw 3:")
        visit.wait(1.5)
        visit.tap("#box-five-of-a-kind")
        visit.wait(3)
        visit.film.save(PICTURES / "throw.webp", begins)
        visit.throw("Ben, throw 1:")
        visit.shot("television", "television", TELEVISION)
        visit.shot("camera", "camera")
        visit.shot("new-match", "new")
        visit.shot("check-a-roll", "dispute/")
        visit.shot("rules", "rules/meet-fate")


def outback(browser: Browser) -> None:
    """Outback: tiles are drawn, both throw for the start, then comes Ann's first throw; on a laptop and on a phone."""
    with demo(browser, "--game", "outback", "--seed", "2") as visit:
        while visit.page.locator("#deal").count():
            visit.tap("#deal")
            visit.wait(1)
        for heard in ("Ben, throw the dice", "has the most matching animals", "throw 1:"):
            visit.throw(heard)
            visit.wait(1)
        visit.shot("table")
        visit.shot("phone", size=PHONE)


def quintuples(browser: Browser) -> None:
    """A game of the cats' dice."""
    with demo(browser, "--game", "quintuples", "--seed", "5") as visit:
        visit.throw("Ann rolled")
        visit.shot("cats")


def teach(browser: Browser) -> None:
    """A die of no known set is shown and named."""
    with demo(browser) as visit:
        visit.page.goto(visit.address + "dice/teach")
        visit.tap("#start")
        for face in ("star", "moon"):
            visit.tap(f"#show-{face}")
            visit.page.fill("#face", face)
            visit.tap("#keep")
        visit.tap("#show-heart")
        visit.page.wait_for_selector("#face")
        visit.shot("teach")


def history(browser: Browser) -> None:
    """A review of a whole match of Everyone Scores, which plays itself."""
    log = str(Path(os.environ["TABLESIDE_DATA"]) / "whole.jsonl")
    whole = (
        "play",
        "everyone-scores",
        "--players",
        "Ann,Ben",
        "--throw",
        "--auto",
        "--seed",
        "4",
        "--log",
        log,
    )
    for what in (whole, ("matches", "import", log)):
        subprocess.run([*TABLESIDE, *what], check=True, stdout=subprocess.DEVNULL)
    with demo(browser) as visit:
        visit.page.goto(visit.address + "history")
        visit.page.locator("main a[href^='/history/']").last.click()
        visit.shot("history")


SCENES: dict[str, Callable[[Browser], None]] = {
    one.__name__: one for one in (throw, outback, quintuples, teach, history)
}


def main(chosen: list[str]) -> None:
    """Take the pictures of these scenes, or of all of them."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("No Chromium here: apt install chromium")
    if unknown := set(chosen) - set(SCENES):
        raise SystemExit(f"Expected some of {', '.join(SCENES)}, got {min(unknown)}")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        os.environ["TABLESIDE_DATA"] = stack.enter_context(tempfile.TemporaryDirectory())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in chosen or SCENES:
            SCENES[name](browser)
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
