"""Random states, packets and damage, for the tests that hold two implementations together."""

from __future__ import annotations

import random

from hardware.board_state import HIGHEST, LETTERS, LOWEST, BoardSeat, BoardState
from hardware.font import CODES
from hardware.protocol import VERSION, Ack, Hello, Identity, Packet, Ping, Refusal, Show, line


def any_name(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(["Alice", "Bob", "Zoë", "Jürgen", "François", "Maximiliane", "Li", "", "Ö"])
    return "".join(chr(chance.choice(CODES)) for _ in range(chance.randint(0, LETTERS)))


def any_state(chance: random.Random) -> BoardState:
    count = chance.choice([0, 1, 2, 2, 2, 3, 4, 6, 12])
    seats = tuple(
        BoardSeat(
            any_name(chance), chance.choice([0, 7, 42, 107, 1234, LOWEST, HIGHEST, chance.randint(-99, 999)])
        )
        for _ in range(count)
    )
    winners = frozenset(seat for seat in range(count) if chance.random() < 0.15)
    return BoardState(
        seats,
        chance.randrange(count) if count and chance.random() < 0.8 else None,
        chance.randrange(256),
        chance.choice([None, 0, 18, -5, 300]),
        winners if chance.random() < 0.5 else frozenset(),
        chance.randrange(16),
    )


def any_packet(chance: random.Random) -> Packet:
    seq = chance.randrange(256)
    return chance.choice(
        [
            lambda: Show(seq, any_state(chance)),
            lambda: Show(seq, any_state(chance)),
            lambda: Show(seq, any_state(chance)),
            lambda: Hello(seq, chance.choice([VERSION, VERSION, VERSION, 0, 2, 255])),
            lambda: Ping(seq),
            lambda: Identity(seq, VERSION, "matrix4"),
            lambda: Ack(seq, chance.getrandbits(32)),
            lambda: Refusal(chance.choice([None, seq]), chance.choice(["damaged", "form", "version"])),
        ]
    )()


def damaged(sent: bytes, chance: random.Random, spliced: set[bytes] | None = None) -> bytes:
    """The line after an accident: bits flipped, bytes lost, put in, swapped, repeated, cut off, joined.

    Bodies of other lines that were joined to it are added to `spliced`: two lines that begin alike may make one.
    """
    hurt = bytearray(sent)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        if not hurt:
            break
        at = chance.randrange(len(hurt))
        match chance.randrange(8):
            case 0 | 1:
                hurt[at] ^= 1 << chance.randrange(8)
            case 2:
                del hurt[at]
            case 3:
                hurt.insert(at, chance.randrange(256))
            case 4:
                hurt[at] = chance.choice(b"0123456789ABCDEF|=-$*%\n\r HSPIAN")
            case 5:
                end = min(len(hurt), at + chance.randint(1, 20))
                hurt[at:end] = hurt[at:end] * 2
            case 6:
                del hurt[at : at + chance.randint(1, 20)]
            case _:
                other = line(any_packet(chance))
                if spliced is not None:
                    spliced.add(other[1:-10])
                hurt = hurt[:at] + bytearray(other[chance.randrange(1, len(other)) :])
    return bytes(hurt)
