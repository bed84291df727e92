"""Kill a table with SIGKILL at random moments of play, start it again, and compare with what it had announced.

    python tests/proof/killed.py 300 [--seed N] [--store URL]

A child process plays Meet Fate through a session (rolls, holds, boxes, corrections, takings back) and says through a
pipe, as any output would hear it, how many events each notice rests on and a digest of the state. The parent kills it
at a random moment and replays the store: everything announced must be there, in the same state. One event more may be:
it was written and its notice was not out yet; the restart announces it. The next child goes on with the same match.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from scoring.actions import IllegalMoveError, Play
from scoring.anyplay import any_action
from scoring.codec import plain
from scoring.games import find
from scoring.match import Match, begin, replay
from table.session import Session
from table.snapshot import Notice
from table.storage.store import Store
from tests.fakes import shown
from vision.dicesets.library import find as find_set

MOST_NOTICES = 6
"""A child is heard to say at most so many notices before its last moment comes, however slow the computer is …"""

LONGEST = 0.03
"""… which is at most so many seconds later; a commit takes some five to ten milliseconds of it."""

MOST_EVENTS = 400
"""After so many events the next match begins, as it does when one is over."""


@dataclass
class Tally:
    """What came of the kills."""

    kills: int = 0
    announced: int = 0
    """Events that were announced, over all kills."""
    unannounced: int = 0
    """Kills that fell between an event's commit and its notice."""
    matches: int = 0


def digest(match: Match) -> str:
    """A word for the state and where the replay stopped."""
    told = json.dumps([plain(match.state), str(match.stop)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


class Pipe:
    """An output: a line for each notice, out at once."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.session: Session | None = None

    def tell(self, notice: Notice) -> None:
        """Say how many events there are and what state they make."""
        if self.session is not None:
            match = self.session.match
            os.write(self.handle, f"{len(match.events)} {digest(match)}\n".encode())


def opened(place: Path | str) -> Store:
    """The store in a folder or behind a URL."""
    return Store.of(place) if isinstance(place, Path) else Store(place)


def play(place: Path | str, handle: int, seed: str) -> None:
    """Go on with the match until killed."""
    rng = random.Random(seed)
    store = opened(place)
    waiting = store.unfinished()
    if waiting is None or waiting.events > MOST_EVENTS:
        match = begin(find("meet-fate"), ["Alice", "Bob"])
        kept = store.begin(match)
    else:
        kept, match = store.resume(waiting.id, find)
    pipe = Pipe(handle)
    session = pipe.session = Session(match, kept, find_set("fate"), outputs=[pipe])
    session.greet()
    while not session.match.outcome:
        step(session, rng)


def step(session: Session, rng: random.Random) -> None:
    """One random thing that people or dice do."""
    lot = rng.random()
    try:
        if lot < 0.08:
            session.undo()
        elif lot < 0.2 and session.match.last_roll() is not None and shown(session).dice:
            session.correct(rng.randint(1, 6), rng.choice("12345678"))
        elif session.match.stop:
            session.undo()
        else:
            action = any_action(session.match.game, session.match.state, rng.randrange)
            if isinstance(action, Play):
                session.decide(action.move)
            else:
                session.roll(", ".join(getattr(action, "faces", ())))
    except IllegalMoveError:
        pass


def kill_once(place: Path | str, seed: str, tally: Tally) -> None:
    """Play in a child, kill it, compare. Raises AssertionError when something announced is lost."""
    rng = random.Random(seed)
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        try:
            play(place, say, seed)
        finally:
            os._exit(0)
    os.close(say)
    with os.fdopen(hear, "rb") as heard:
        lines = [heard.readline() for _ in range(rng.randint(1, MOST_NOTICES))]
        time.sleep(rng.uniform(0, LONGEST))
        os.kill(child, signal.SIGKILL)
        told = (b"".join(lines) + heard.read()).decode().split("\n")[:-1]
    os.waitpid(child, 0)
    number, state = told[-1].split()
    store = opened(place)
    entry = store.matches()[0]
    _, match = store.resume(entry.id, find)
    tally.matches = len(store.matches())
    store.close()
    extra = len(match.events) - int(number)
    assert extra in (0, 1), f"{seed}: {number} events were announced, {len(match.events)} are kept"
    announced = replay(match.game, match.header, match.events[: int(number)])
    assert digest(announced) == state, f"{seed}: the state is another than the one announced"
    tally.kills += 1
    tally.announced += len(told)
    tally.unannounced += extra


def main() -> int:
    """Kill as often as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", help="a PostgreSQL URL; otherwise a fresh SQLite file")
    asked = parser.parse_args()
    tally, began = Tally(), time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(asked.kills):
            kill_once(asked.store or Path(scratch), f"{asked.seed}/{i}", tally)
    print(
        f"killed {tally.kills} times in {time.monotonic() - began:.0f} s over {tally.matches} matches: "
        f"{tally.announced} notices, all there again in the state they told; {tally.unannounced} kills fell between an "
        "event's commit and its notice"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
