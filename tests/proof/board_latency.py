"""From notice to lit LEDs, with the real firmware in simavr at 115,200 baud; and the RAM that its stack leaves.

    python tests/proof/board_latency.py 50 [--seed N]

A notice goes through the table's output to the link; the time ends when the last row of a picture of the new state is
latched into the LEDs. Time is simulated. The exit code is 1 when one takes 100 ms or more.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from hardware.board_state import BoardSeat, BoardState
from hardware.picture import DISPLAYS, Display, Scene, picture
from tests.hardware.boards import SimBoard, build_firmware, build_simulator
from tests.hardware.desk import Desk

LIMIT_MS = 100.0


def delays(board: SimBoard, display: Display, notices: int, seed: int, seats: int) -> list[float]:
    """Milliseconds from each notice to its picture."""
    chance, desk, found = random.Random(seed), Desk(board, seed=seed), []
    state = BoardState(tuple(BoardSeat(f"Jürgen {seat:X}", 0) for seat in range(seats)), 0)
    desk.link.wanted = state
    desk.run(2)
    for _ in range(notices):
        desk.run(0.05 + chance.random() * 1.2)
        turn = (state.turn or 0) + 1
        scores = tuple(replace(seat, score=chance.randrange(1000)) for seat in state.seats)
        state = replace(state, seats=scores, turn=turn % seats)
        began, before = desk.now, len(board.changes)
        desk.link.wanted = state
        desk.wake()
        shown = picture(display, Scene(state))

        def lit(before: int = before, shown: tuple[int, ...] = shown) -> bool:
            return any(columns == shown for _, columns, _ in board.changes[before:])

        if not desk.run(1, lit):
            found.append(float("inf"))
            continue
        when = next(when for when, columns, _ in board.changes[before:] if columns == shown)
        found.append(when - began * 1000)
    return found


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notices", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(build_firmware(folder), end="")
        library = build_simulator(folder)
        for display in DISPLAYS.values():
            for seats in (2, 12):
                board = SimBoard(library, folder / f"{display.name}.hex", display)
                found = delays(board, display, asked.notices, asked.seed, seats)
                worst = max(worst, *found)
                middle, longest = statistics.median(found), max(found)
                print(
                    f"{display.name}, {seats} players: {middle:.1f} ms in the middle, {longest:.1f} ms at most;",
                    end=" ",
                )
                print(f"{board.untouched} bytes of RAM never touched, {board.amps * 1000:.0f} mA at most")
                board.close()
    return 0 if worst < LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
