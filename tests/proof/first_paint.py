"""How soon the Table is painted on a slow device: `python -m tests.proof.first_paint [ROUNDS]`.

A table of each kind of board is served, with a roll on it; Chromium opens it with an empty cache and its CPU throttled
to a quarter (CDP `Emulation.setCPUThrottlingRate`), and says when its first content was painted
(`first-contentful-paint`) and when the page had all it needs (`loadEventEnd`), in milliseconds from the beginning of
the navigation. Server and browser share the machine, so what else runs on it slows both.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from cli.compose import furnish
from scoring.games import find
from table.new_match import Wanted, dice_for
from tests.fakes import TruthfulReader
from tests.web.serving import CHROMIUM, serving
from vision.demo.camera import DemoCamera

THROTTLED = 4
ROLLS = {
    "meet-fate": "2 2 2 2 5 5",
    "triples": "cat cat sigil",
    "outlander": "claire claire jamie jamie jenny murtagh",
    "outback": "",
    "destiny": "",
}
WHEN = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [paint.startTime, performance.getEntriesByType("navigation")[0].loadEventEnd];
}"""


def once(browser: Browser, address: str) -> tuple[float, float]:
    """Milliseconds to the first paint and to the end of loading, in a browser that knows nothing yet."""
    page = browser.new_context(viewport={"width": 820, "height": 1180}).new_page()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})  # pyright: ignore[reportUnknownMemberType]
    page.goto(address, wait_until="load")
    page.wait_for_timeout(400)
    painted, loaded = page.evaluate(WHEN)
    page.context.close()
    return float(painted), float(loaded)


def main(rounds: int) -> int:
    """Print a line a game; 1 when a first paint took a second or more."""
    os.environ["TABLESIDE_DATA"] = tempfile.mkdtemp()
    rules = find("meet-fate")
    dice_set = dice_for(rules)
    camera = DemoCamera(dice_set, seed=1)
    house = furnish(
        camera, game=rules.id, dice_set=dice_set, players=["Alice", "Bob"], reader=TruthfulReader(camera),
        thrower=camera,
    )  # fmt: skip
    slow = 0
    with serving(house, Path(tempfile.mkdtemp())) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for game, roll in ROLLS.items():
            table = house.table
            table.begin(Wanted(game, ("Alice", "Bob")), table.session.store.id)
            if roll:
                table.session.roll(roll)
            times = [once(browser, served.at("/")) for _ in range(rounds)]
            painted, loaded = ([one[i] for one in times] for i in (0, 1))
            slow += max(painted) >= 1000
            print(
                f"{game}: first paint {statistics.median(painted):.0f} ms in the middle, {max(painted):.0f} at most; "
                f"loaded {statistics.median(loaded):.0f} ms in the middle ({rounds} times, CPU throttled "
                f"{THROTTLED} times)"
            )
        browser.close()
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
