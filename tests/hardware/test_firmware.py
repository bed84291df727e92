"""The firmware's own code against its Python twin: the same bytes at the same times, the same answers and pictures."""

from __future__ import annotations

import random

from hardware.picture import Display
from hardware.protocol import Hello, Show, line
from hardware.virtual import VirtualBoard
from tests.hardware.boards import Native
from tests.hardware.states import any_packet, any_state, damaged

Request = tuple[str, int, bytes]


def twin(display: Display, requests: list[Request]) -> list[tuple[bytes, tuple[int, ...], int]]:
    """What the Python board answers and shows."""
    board = VirtualBoard(display)
    board.said()
    answers: list[tuple[bytes, tuple[int, ...], int]] = []
    for kind, now, received in requests:
        if kind == "reset":
            board.reset(now)
        board.receive(received, now)
        answers.append((board.said(), board.picture(now), board.intensity(now)))
    return answers


def evening(chance: random.Random, steps: int) -> list[Request]:
    """Packets, most of them whole, and pauses, a few of them longer than a host may be silent."""
    requests: list[Request] = [("hear", 0, line(Hello(1)))]
    now = 0
    for _ in range(steps):
        now += chance.choice([0, 1, 7, 40, 300, 499, 1500, 3000, 10_000, chance.randint(0, 30_000)])
        roll = chance.random()
        if roll < 0.02:
            requests.append(("reset", now, b""))
        elif roll < 0.05:
            requests.append(("hear", now, line(Hello(1))))
        elif roll < 0.5:
            requests.append(("hear", now, b""))
        else:
            sent = line(any_packet(chance))
            requests.append(("hear", now, damaged(sent, chance) if chance.random() < 0.3 else sent))
    return requests


def test_the_same_bytes_are_answered_and_shown_alike(native: Native):
    for seed in range(4):
        requests = evening(random.Random(seed), 1500)
        for request, theirs, ours in zip(
            requests, native.ask(requests), twin(native.display, requests), strict=True
        ):
            assert theirs == ours, request


def test_a_state_is_drawn_alike_at_every_moment(native: Native):
    chance = random.Random(7)
    requests: list[Request] = [("hear", 0, line(Hello(1)))]
    for number in range(60):
        start = 40_000 * number
        requests.append(("hear", start, line(Show(1, any_state(chance)))))
        requests += [("hear", start + age, b"") for age in range(0, 16_000, 37)]
        requests.append(("hear", start + 39_000, line(Hello(1))))
    for request, theirs, ours in zip(
        requests, native.ask(requests), twin(native.display, requests), strict=True
    ):
        assert theirs == ours, request
