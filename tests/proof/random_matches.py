"""Play random full matches of every game, and replay each from its written log.

    python tests/proof/random_matches.py 10000 [--game ID] [--seed N]

Options and numbers of players are random too. One match in twenty has undos and corrections on the way. A
match that breaks is named with its seed, and the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any

from scoring.actions import IllegalMoveError, Play, Roll
from scoring.anyplay import any_action
from scoring.game import AnyGame
from scoring.games import available, find
from scoring.logfile import read, written
from scoring.match import Match, begin
from scoring.options import Option

LONGEST_MATCH = 20_000
"""Events; a match of random moves that is longer does not end."""


def any_option(option: Option, rng: random.Random) -> Any:
    """Some value an option can have; numbers and free texts keep their default half of the time or always."""
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    if isinstance(option.default, int):
        return (
            option.default if rng.random() < 0.5 else max(option.low, min(option.high, option.default // 2))
        )
    return rng.choice(option.values) if option.values else option.default


def any_match(game: AnyGame, rng: random.Random) -> Match:
    """A match of random players and options that is about to begin."""
    low, high = game.seats
    players = [f"P{i}" for i in range(rng.randint(low, min(high, 4)))]
    options = {option.key: any_option(option, rng) for option in game.options if rng.random() < 0.3}
    return begin(game, players, options)


def second_thoughts(match: Match, rng: random.Random) -> Match:
    """The match after an undo or a correction, and with whatever stopped it taken back."""
    try:
        if rng.random() < 0.5:
            match = match.undo()
        else:
            rolls = [one for one in match.played[-20:] if isinstance(one.action, Roll)]
            if rolls:
                faces = [rng.choice(match.game.dice.faces) for _ in range(match.game.dice.count)]
                match = match.correct(rng.choice(rolls).number, faces)
    except IllegalMoveError:
        return match
    return match.undo() if match.stop else match


def played_out(game: AnyGame, rng: random.Random) -> Match:
    """A full random match; its state is the replay of its own written log. Raises AssertionError."""
    match = any_match(game, rng)
    doubtful = rng.random() < 0.05
    while not match.outcome and len(match.events) < LONGEST_MATCH:
        match = match.add(any_action(game, match.state, lambda n: rng.randrange(n)))
        if doubtful and rng.random() < 0.02 and len(match.events) < 2000:
            match = second_thoughts(match, rng)
    assert match.outcome, f"no end after {LONGEST_MATCH} events"
    assert read(written(match), find).state == match.state, "the log replays to another state"
    return match


def main() -> int:
    """Play as many matches as asked for, each game in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int)
    parser.add_argument("--game", action="append")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    games = [find(name) for name in asked.game] if asked.game else list(available())
    counts, events, decisions, failed = Counter[str](), 0, 0, 0
    began = time.monotonic()
    for i in range(asked.matches):
        game, seed = games[i % len(games)], f"{asked.seed}/{i}"
        try:
            match = played_out(game, random.Random(seed))
        except Exception as broken:
            print(f"{game.id}: the match with seed {seed!r} breaks: {broken!r}", file=sys.stderr)
            failed += 1
            continue
        counts[game.id] += 1
        events += len(match.events)
        decisions += sum(isinstance(event, Play) for event in match.events)
    took = time.monotonic() - began
    print(f"{sum(counts.values())} matches ended and replayed in {took:.0f} s,", end=" ")
    print(f"{events} events, {decisions} of them decisions")
    print(", ".join(f"{game} {count}" for game, count in counts.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
