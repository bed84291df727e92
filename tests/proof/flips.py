"""Damage the files of a store as disks do, open it again, and see whether anything is gone without a word.

    python tests/proof/flips.py 900 [--seed N]

A table plays a match to its end and closes its store; it plays another and is killed. So part of the second match lies
in the write-ahead log alone. Copies of the files are damaged: a bit, twenty bits, a sector of zeros, a missing end, two
pages in each other's place. A match must come back as it was announced, or be told as damaged or gone.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree

from scoring.actions import Roll
from scoring.games import find
from scoring.logfile import MatchLogError, read
from scoring.match import begin
from table.storage.store import FILE, Store, StoreError

EVENTS = 60
"""Of a match."""


def play(folder: Path) -> tuple[Store, dict[str, str]]:
    """Play a match; its store, open, and its log by its id."""
    store = Store.of(folder)
    match = begin(find("meet-fate"), ["Alice", "Bob"])
    kept, match = store.begin(match), match.add(Roll(("1",) * 6))
    for number in range(EVENTS):
        kept.keep(match.events)
        match = match.correct(1, (str(number % 8 + 1),) * 6)
    return store, {kept.id: kept.log()}


def closed(folder: Path) -> dict[str, str]:
    """Play a match and close the store; its log by its id."""
    store, played = play(folder)
    store.close()
    return played


def killed(folder: Path) -> dict[str, str]:
    """Play two matches, the second until killed; their logs by their ids, as they were announced."""
    folder.mkdir()
    played = closed(folder)
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
                found.add("told" if known or any(match_id in line for line in store.refused) else "silent")
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


def main() -> int:
    """Damage as many copies of each file as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    silent = 0
    for what, file in (
        ("closed", FILE),
        ("killed", FILE),
        ("killed", f"{FILE}-wal"),
    ):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / what
            if what == "killed":
                played = killed(folder)
            else:
                folder.mkdir()
                played = closed(folder) | closed(folder)
            counted = damage(folder, file, played, asked.times, asked.seed)
        silent += counted["silent"] + sum(
            n for outcome, n in counted.items() if outcome.startswith("traceback")
        )
        told = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counted.items()))
        print(f"{what}, {asked.times} times {file} ({time.monotonic() - began:.0f} s): {told}")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
