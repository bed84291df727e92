"""Tables that are killed, and files of a store that are damaged as disks do.

`kill_once` kills a table with SIGKILL at a random moment of play, starts it again, and compares with what it had
announced. A child process plays Meet Fate through a session (rolls, holds, boxes, corrections, takings back) and says
through a pipe, as any output would hear it, how many events each notice rests on and a digest of the state. Everything
announced must be there, in the same state. One event more may be: it was written and its notice was not out yet; the
restart announces it. The next child goes on with the same match.

`damage` damages copies of the files of a table that played a match to its end and closed its store, played another and
was killed, so that part of the second lies in the write-ahead log alone: a bit, twenty bits, a sector of zeros, a
missing end, two pages in each other's place. A match must come back as it was announced, or be told as damaged or gone.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree

from scoring.actions import IllegalMoveError, Play, Roll
from scoring.anyplay import any_action
from scoring.codec import plain
from scoring.games import find
from scoring.logfile import MatchLogError, read
from scoring.match import Match, begin, replay
from table.session import Session
from table.snapshot import Notice
from table.storage.store import Store, StoreError
from tests.fakes import shown
from vision.dicesets.library import find as find_set

EVENTS = 60
"""Of a match whose files are damaged."""

MOST_NOTICES = 6
"""A child is heard to say at most so many notices before its last moment comes, however slow the computer is …"""

LONGEST = 0.03
"""… which is at most so many seconds later; a commit takes some five to ten milliseconds of it."""

MOST_EVENTS = 400
"""After so many events the next match begins, as it does when one is over."""


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


def play_on(place: Path, handle: int, seed: str) -> None:
    """Go on with the match until killed."""
    rng = random.Random(seed)
    store = Store.of(place)
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


def kill_once(place: Path, seed: str) -> tuple[int, int]:
    """Play in a child, kill it, compare: how many notices there were, and events that were kept and not announced.

    Raises AssertionError when something announced is lost.
    """
    rng = random.Random(seed)
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        try:
            play_on(place, say, seed)
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
    store = Store.of(place)
    entry = store.matches()[0]
    _, match = store.resume(entry.id, find)
    store.close()
    extra = len(match.events) - int(number)
    assert extra in (0, 1), f"{seed}: {number} events were announced, {len(match.events)} are kept"
    announced = replay(match.game, match.header, match.events[: int(number)])
    assert digest(announced) == state, f"{seed}: the state is another than the one announced"
    return len(told), extra


def play(folder: Path) -> tuple[Store, dict[str, str]]:
    """Play a match; its store, open, and its log by its id."""
    store = Store.of(folder)
    match = begin(find("meet-fate"), ["Alice", "Bob"])
    kept, match = store.begin(match), match.add(Roll(("1",) * 6))
    for number in range(EVENTS):
        kept.keep(match.events)
        match = match.correct(1, (str(number % 8 + 1),) * 6)
    return store, {kept.id: kept.store.log(kept.id)}


def killed(folder: Path) -> dict[str, str]:
    """Play two matches, the second until killed; their logs by their ids, as they were announced."""
    folder.mkdir()
    store, played = play(folder)
    store.close()
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        _store, announced = play(folder)  # open until the end
        for match_id, log in announced.items():
            os.write(say, f"{match_id}\n{log}".encode())
        os._exit(0)
    os.close(say)
    with os.fdopen(hear, encoding="utf-8") as heard:
        match_id, _, log = heard.read().partition("\n")
    os.waitpid(child, 0)
    return played | {match_id: log}


def a_bit(content: bytearray, rng: random.Random) -> None:
    """One bit turned round."""
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def bits(content: bytearray, rng: random.Random) -> None:
    """Twenty of them."""
    for _ in range(20):
        a_bit(content, rng)


def a_sector(content: bytearray, rng: random.Random) -> None:
    """512 bytes of zeros."""
    at = rng.randrange(0, len(content), 512)
    content[at : at + 512] = bytes(len(content[at : at + 512]))


def the_end(content: bytearray, rng: random.Random) -> None:
    """Its end is missing."""
    del content[rng.randrange(1, len(content)) :]


def two_pages(content: bytearray, rng: random.Random) -> None:
    """Two pages in each other's place."""
    here, there = (4096 * rng.randrange(max(1, len(content) // 4096)) for _ in range(2))
    content[here : here + 4096], content[there : there + 4096] = (
        content[there : there + 4096],
        content[here : here + 4096],
    )


DAMAGE: tuple[Callable[[bytearray, random.Random], None], ...] = (a_bit, bits, a_sector, the_end, two_pages)


def opened(folder: Path, played: dict[str, str]) -> str:
    """What somebody is told who opens the store: "as it was", "refused", "told" or "silent"."""
    try:
        store = Store.of(folder)
    except StoreError:
        return "refused"
    found = set[str]()
    with closing(store):
        for match_id, log in played.items():
            try:
                read(store.log(match_id), find)
                same = store.log(match_id) == log
                found.add("as it was" if same else "silent")
            except StoreError:
                found.add("refused")
            except MatchLogError as told:
                known = "there is no match" not in str(told)
                found.add(
                    "told" if known or any(match_id in str(line) for line in store.refused) else "silent"
                )
    return next(one for one in ("silent", "told", "refused", "as it was") if one in found)


def damage(
    folder: Path, file: str, played: dict[str, str], times: int, seed: int
) -> collections.Counter[str]:
    """How often opening damaged copies of a store ended how."""
    counted: collections.Counter[str] = collections.Counter()
    for number in range(times):
        rng = random.Random(f"{seed}/{file}/{number}")
        copy = folder.with_name("copy")
        copytree(folder, copy)
        content = bytearray((copy / file).read_bytes())
        DAMAGE[number % len(DAMAGE)](content, rng)
        (copy / file).write_bytes(content)
        try:
            counted[opened(copy, played)] += 1
        except Exception as fault:  # a fault of ours, counted as what it is
            counted[f"traceback {type(fault).__name__}"] += 1
        rmtree(copy)
    return counted
