"""Random and mutated packets through both decoders: the host's in Python, and the firmware's C under sanitizers.

    python tests/proof/board_packets.py 100000 [--seed N]

Both must take the same packets and say the same to each; nothing that is not what somebody sent may be taken, but for
what 32 bits of checksum let through. As a check of the measurement itself, the same count is made with 8 bits of them.
The exit code is 1 when anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from hardware.picture import DISPLAYS
from hardware.protocol import LineReader, body, checksum, line
from hardware.virtual import VirtualBoard
from tests.hardware.boards import SimBoard, build_firmware, build_native, build_simulator, missing_for_avr
from tests.hardware.states import any_packet, damaged

BATCH = 5_000
FORMED = re.compile(rb"\$([^$*\r\n]*)\*([0-9A-F]{8})\n")
"""What gets as far as its checksum."""


@dataclass
class Count:
    """What happened to the packets."""

    packets: int = 0
    noise: int = 0
    mutated: int = 0
    forged: int = 0
    judged: int = 0
    """Lines of mutated packets and noise that were judged by nothing but their checksum."""
    narrow: int = 0
    """Of these, lines that 8 bits of the checksum would have let through."""
    false: int = 0
    """Of these, lines that all 32 bits let through."""
    differing: int = 0
    in_hex: int = 0
    """Packets that went through the hex file in simavr as well."""


def packet(chance: random.Random, count: Count) -> tuple[bytes, set[bytes] | None]:
    """A packet, and the bodies that may rightly be taken from it; None for forged ones, which may be any."""
    kind = chance.random()
    if kind < 0.2:
        count.noise += 1
        letters = bytes(range(256)) if kind < 0.1 else b"$*|=%-0123456789ABCDEFHSPIN\n"
        return bytes(chance.choice(letters) for _ in range(chance.randint(1, 120))), set()
    if kind < 0.4:
        # What a checksum cannot refuse: the parsers alone are asked.
        count.forged += 1
        inside = damaged(body(any_packet(chance)), chance).translate(None, b"$*\n\r")
        return b"$%s*%08X\n" % (inside, checksum(inside)), None
    count.mutated += 1
    sent = [line(any_packet(chance)) for _ in range(2)]
    rightful = {one[1:-10] for one in sent}
    return damaged(sent[0], chance, rightful) + sent[1], rightful


def measure(packets: int, seed: int, folder: Path) -> Count:
    """Run them all."""
    count, chance = Count(), random.Random(seed)
    native = build_native(folder, DISPLAYS["matrix4"])
    while count.packets < packets:
        batch = [packet(chance, count) for _ in range(min(BATCH, packets - count.packets))]
        board = VirtualBoard(native.display)
        board.said()
        ours: list[bytes] = []
        for sent, rightful in batch:
            board.receive(b"\n" + sent + b"\n", 0)
            ours.append(board.said())
            if rightful is None:
                continue
            for inside, sum_ in FORMED.findall(sent):
                if inside not in rightful:
                    count.judged += 1
                    count.narrow += checksum(inside) & 0xFF == int(sum_, 16) & 0xFF
            taken = [inside for inside in LineReader().feed(b"\n" + sent + b"\n") if inside]
            count.false += sum(inside not in rightful for inside in taken)
        asked = native.ask([("hear", 0, b"\n" + sent + b"\n") for sent, _ in batch])
        count.differing += sum(said != our for (said, _, _), our in zip(asked, ours, strict=True))
        count.packets += len(batch)
        if not count.in_hex and not missing_for_avr():
            count.differing += in_hex(folder, [sent for sent, _ in batch], ours)
            count.in_hex = len(batch)
    return count


def in_hex(folder: Path, packets: list[bytes], answers: list[bytes]) -> int:
    """How many of these the processor itself answers differently, over its serial line."""
    build_firmware(folder, displays="matrix4")
    board = SimBoard(build_simulator(folder), folder / "matrix4.hex", DISPLAYS["matrix4"])
    board.run(20)
    board.said()
    differing = 0
    for sent, answer in zip(packets, answers, strict=True):
        # Time to say it, and to hear as many answers as a packet of noise may ask for.
        board.receive(b"\n" + sent + b"\n", round(board.now) + 15 + (len(sent) + len(answer)) // 8)
        differing += board.said() != answer
    board.close()
    return differing


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        count = measure(asked.packets, asked.seed, Path(folder))
    print(f"{count.packets} packets in {time.monotonic() - began:.0f} s:", end=" ")
    print(f"{count.noise} of noise, {count.mutated} mutated, {count.forged} forged with a right checksum")
    print(
        f"no crash, no sanitizer complaint in the firmware's decoder; {count.in_hex} of them through its hex file, too"
    )
    print(f"host and firmware answer differently: {count.differing}")
    print(
        f"judged by their checksum alone: {count.judged} wrong lines; let through by 32 bits: {count.false}",
        end=" ",
    )
    print(f"(expected {count.judged / 2**32:.1e});", end=" ")
    print(f"8 bits of them would let through {count.narrow} (expected {count.judged / 256:.0f})")
    return 1 if count.false or count.differing else 0


if __name__ == "__main__":
    sys.exit(main())
