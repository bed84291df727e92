"""What watching a table costs while nothing moves."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from table.storage.evidence import Rolling
from vision.frame import Frame
from vision.quality import Health
from vision.settle import Settle, TableState

RATE, SECONDS = 30, 20


@pytest.mark.proof
def test_a_still_table_in_full_hd_takes_a_tenth_of_a_core_at_most():
    cv2.setNumThreads(1)
    chance = np.random.default_rng(0)
    table = cv2.GaussianBlur(chance.integers(0, 255, (1080, 1920, 3), np.uint8), (31, 31), 5)
    noise = [chance.normal(0, 2, table.shape).astype(np.int8) for _ in range(6)]
    pictures = [np.asarray(cv2.add(table, one, dtype=cv2.CV_8U), np.uint8) for one in noise]
    settle, health, rolling = Settle(), Health(), Rolling()
    steps = {"settle": settle.see, "health": lambda frame: health.see(frame, dice=True), "evidence": rolling.see}
    spent = dict.fromkeys(steps, 0.0)
    for number in range(RATE * (SECONDS + 2)):
        frame = Frame(pictures[number % len(pictures)], number, number / RATE, "still")
        for name, see in steps.items():
            began = time.process_time()
            see(frame)
            spent[name] += (time.process_time() - began) * (number >= 2 * RATE)
    cv2.setNumThreads(-1)
    assert settle.state in (TableState.SETTLED, TableState.EMPTY)
    shares = {name: seconds / SECONDS for name, seconds in spent.items()}
    print(", ".join(f"{name} {share:.1%}" for name, share in shares.items()), f"together {sum(shares.values()):.1%}")
    assert sum(shares.values()) <= 0.10
