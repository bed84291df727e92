"""What a notice costs, in the table's own language and in all three: `python tests/proof/languages.py`.

Processor time, so that what else runs on the machine does not count. A notice is put into another language only when a
page in it listens, and once however many do.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from scoring.games import find
from scoring.match import begin
from table.session import Session
from table.snapshot import Notice
from table.storage.store import MatchStore
from tests.fakes import shown
from vision.dicesets.library import find as find_set
from words.speaker import LANGUAGES


class Last:
    """Keeps the newest notice."""

    notice: Notice

    def tell(self, notice: Notice) -> None:
        self.notice = notice


def best(act: Callable[[], object], times: int = 100, rounds: int = 7) -> float:
    """Milliseconds of processor time, the best of several rounds."""
    took: list[float] = []
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(times):
            act()
        took.append((time.process_time() - began) / times * 1000)
    return min(took)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TABLESIDE_DATA"] = folder
        match, last = begin(find("meet-fate"), ["Alice", "Bob"]), Last()
        session = Session(
            match, MatchStore.begin(Path(folder) / "m", match), find_set("fate"), outputs=[last]
        )
        session.roll("2,2,4,5,7,8")
        own = best(lambda: session.camera_says("x" if shown(last.notice).camera == "" else None))

        def in_all() -> None:
            session.camera_says("x" if shown(last.notice).camera == "" else None)
            for code in LANGUAGES:
                last.notice.sentence(code), last.notice.snapshot.speaker(code).sentence(last.notice.snapshot.prompt)

        every = best(in_all)
    print(
        f"a notice with all boxes of Meet Fate: {own:.2f} ms in one language, {every:.2f} ms in {len(LANGUAGES)}"
    )


if __name__ == "__main__":
    main()
