"""What watching costs while nothing moves: processor time of settle and of the look for a failing camera, 1080p30.

python tests/proof/settle_cost.py
"""

from __future__ import annotations

import sys
import time

import cv2
import numpy as np

from table.storage.evidence import Rolling
from vision.frame import Frame
from vision.quality import Health
from vision.settle import Settle, TableState

RATE, SECONDS = 30, 20
BOUND = 0.10
"""Share of one core."""


def main() -> int:
    """Watch a still table with a sensor's noise."""
    cv2.setNumThreads(1)
    chance = np.random.default_rng(0)
    table = cv2.GaussianBlur(chance.integers(0, 255, (1080, 1920, 3), np.uint8), (31, 31), 5)
    noise = [chance.normal(0, 2, table.shape).astype(np.int8) for _ in range(6)]
    pictures = [np.asarray(cv2.add(table, one, dtype=cv2.CV_8U), np.uint8) for one in noise]
    settle, health, rolling = Settle(), Health(), Rolling()
    spent = {"settle": 0.0, "health": 0.0, "evidence": 0.0}
    for number in range(RATE * (SECONDS + 2)):
        frame = Frame(pictures[number % len(pictures)], number, number / RATE, "still")
        began = time.process_time()
        settle.see(frame)
        settled = time.process_time()
        health.see(frame, dice=True)
        looked = time.process_time()
        rolling.see(frame)
        if number >= 2 * RATE:
            spent["settle"] += settled - began
            spent["health"] += looked - settled
            spent["evidence"] += time.process_time() - looked
    assert settle.state in (TableState.SETTLED, TableState.EMPTY)
    shares = {name: seconds / SECONDS for name, seconds in spent.items()}
    told = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    print(
        f"1920×1080 at {RATE} a second, nothing moves: {told}, together {sum(shares.values()):.1%} of one core"
    )
    return 1 if sum(shares.values()) > BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
