"""Counts the files and functions that one throw passes through: `python -m tools.trace_throw [--files]`.

Plays one throw of Meet Fate on the demo table and follows it from the camera's frame to the notice of the roll, and on
to the event that a page receives. Prints the number of our files and functions that run, of calls from one file into
another ("hops"), and of requests for the match's state and outcome. Frames in which the dice still move are not
counted.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HOUSE = Path(__file__).resolve().parents[1]
ROOMS = ("scoring", "vision", "hardware", "files", "words", "advice", "table", "web", "cli")

Place = tuple[str, str]
"""A function: its file, relative to the repository, and its name."""


@dataclass
class Walk:
    """The calls of our own functions, in order."""

    calls: Counter[Place] = field(default_factory=Counter[Place])
    hops: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def add(self, other: Walk) -> None:
        """Add another walk."""
        self.calls.update(other.calls)
        self.hops.update(other.hops)

    def files(self, kind: str = ".py") -> list[str]:
        """Every file of a kind, sorted."""
        return sorted({path for path, _ in self.calls if path.endswith(kind)})

    def functions(self) -> list[Place]:
        """Every function of a Python file."""
        return sorted(place for place in self.calls if place[0].endswith(".py"))

    def count(self, name: str) -> int:
        """Number of calls of functions whose qualified names end like this."""
        return sum(n for (_, function), n in self.calls.items() if f".{function}".endswith(name))


@cache
def _place(code: CodeType) -> Place | None:
    """The function of a piece of code; None for libraries. Comprehensions and lambdas belong to their function."""
    path = Path(code.co_filename)
    if not path.is_relative_to(HOUSE):
        return None
    inside = path.relative_to(HOUSE)
    if inside.parts[0] not in ROOMS:
        return None
    name = code.co_qualname if sys.version_info >= (3, 11) else code.co_name
    parts = [part for part in name.split(".") if part[0] != "<" or part == "<module>"]
    return str(inside), ".".join(parts) or "<lambda>"


@contextmanager
def recording() -> Generator[Walk]:
    """Record all calls in this thread until the block ends."""
    walk = Walk()

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (place := _place(frame.f_code)) is None or place[1] == "<module>":
            return
        walk.calls[place] += not frame.f_code.co_name.startswith("<")
        back = frame.f_back
        while back is not None:
            if caller := _place(back.f_code):
                walk.hops[caller[0], place[0]] += caller[0] != place[0]
                return
            back = back.f_back

    sys.setprofile(seen)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def one_throw(folder: Path) -> tuple[Walk, Walk]:
    """The walk of a throw to its notice, and the walk of the notice to a page's event."""
    os.environ["TABLESIDE_DATA"] = str(folder)
    from cli.compose import furnish
    from vision.camera.bounded import Bounded
    from vision.demo.camera import DemoCamera
    from vision.dicesets.library import find
    from web.settings import WebSettings
    from web.written import WrittenEvents

    dice_set = find("fate")
    camera = DemoCamera(dice_set, seed=2, paced=False)
    eye = Bounded(camera, markers=False)
    settings = WebSettings(devices=folder / "devices.json")
    house = furnish(
        eye, game="meet-fate", dice_set=dice_set, players=["Alice", "Bob"], thrower=camera, settings=settings
    )
    watcher, session = house.table.watcher, house.table.session
    assert watcher is not None
    to_notice, thrown = Walk(), False
    eye.open()
    for _ in range(600):
        frame = eye.read()
        assert frame is not None
        number = session.latest().number
        with recording() as walk:
            watcher._look(frame)  # pyright: ignore[reportPrivateUsage]
        if not thrown:
            if session.latest().number > number:  # the empty table has been seen
                session.throw()
                thrown = True
            continue
        if walk.count(".Reader.read") or session.latest().number > number:
            to_notice.add(walk)
        if session.match.events or session.latest().number > number:
            break
    else:
        raise SystemExit("expected the throw to be read within 600 frames, and it was not")
    notice = session.latest()
    if len(session.match.events) != 1:
        raise SystemExit(f"expected a roll, got a question: {notice.sentence()}")
    written = WrittenEvents(house.table, house.announcer.mark)
    with house.app.test_request_context("/events"), recording() as to_page:
        written.event(notice)
    house.close()
    return to_notice, to_page


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        to_notice, on = one_throw(Path(folder))
    to_page = Walk()
    for walk in (to_notice, on):
        to_page.add(walk)
    for title, walk in (("frame to notice", to_notice), ("frame to a page's event", to_page)):
        print(
            f"{title}: {len(walk.files())} files, {len(walk.functions())} functions, "
            f"{sum(walk.hops.values())} hops, {len(walk.files('.html'))} templates"
        )
        rooms = Counter(path.split("/")[0] for path in walk.files())
        inside = Counter(path.split("/")[0] for path, _ in walk.functions())
        print("  " + ", ".join(f"{room} {rooms[room]}/{inside[room]}" for room in ROOMS if rooms[room]))
        print(f"  state {walk.count('.Match.state')}, outcome of the game {walk.count('MeetFate.outcome')}")
    if "--files" in sys.argv:
        for path in to_page.files():
            names = [f"{name}×{n}" for (where, name), n in sorted(to_notice.calls.items()) if where == path]
            print(f"{path}: {', '.join(names) or '(for the page only)'}")
        for (caller, called), n in to_notice.hops.most_common(40):
            print(f"{n:5} {caller} → {called}")


if __name__ == "__main__":
    main()
