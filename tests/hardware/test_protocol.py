"""The protocol's bytes: one file of vectors for host, virtual board and firmware, and what may never be taken."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware.board_state import BoardSeat, BoardState, showable
from hardware.font import CODES, GLYPHS
from hardware.picture import DISPLAYS
from hardware.protocol import LONGEST, LineReader, PacketError, Show, body, checksum, line, parse
from hardware.virtual import VirtualBoard
from tests.hardware.boards import Native
from tests.hardware.conftest import Boards
from tests.hardware.states import any_packet, damaged

VECTORS = Path(__file__).with_name("vectors.txt")


@dataclass
class Step:
    """What comes, what is in it, and what is answered; `host` None stands for a reset."""

    number: int
    host: bytes | None
    kind: str = ""
    answers: bytes = b""


def steps() -> Iterator[Step]:
    """The file of vectors."""
    step: Step | None = None
    for number, text in enumerate(VECTORS.read_text(encoding="ascii").splitlines(), start=1):
        if not text or text.startswith("#"):
            continue
        sign, _, rest = text.partition(" ")
        if sign in ("reset", ">"):
            if step is not None:
                yield step
            whole = rest.removesuffix("\\") if rest.endswith("\\") else rest + "\n"
            raw = re.sub(r"\\x(..)", lambda code: chr(int(code[1], 16)), whole).encode("latin-1")
            step = Step(number, raw if sign == ">" else None)
        else:
            assert step is not None
            if sign == "~":
                step.kind = rest
            else:
                assert sign == "<"
                step.answers += rest.encode() + b"\n"
    assert step is not None
    yield step


STEPS = list(steps())


def test_the_virtual_board_answers_the_vectors():
    board = VirtualBoard(DISPLAYS["matrix4"])
    for step in STEPS:
        if step.host is None:
            board.said()
            board.reset(0)
        else:
            board.receive(step.host, 0)
        assert board.said() == step.answers, f"line {step.number}"


def test_the_firmware_answers_the_vectors_over_its_serial_line(sim_board: Boards):
    board = sim_board("matrix4")
    now = 0
    for step in STEPS:
        if step.host is None:
            board.reset(now)
        else:
            board.receive(step.host, now)
        now += 30 + len(step.host or b"") // 6
        board.run(now)
        assert board.said() == step.answers, f"line {step.number}"


def test_the_host_reads_what_the_vectors_say():
    for step in STEPS:
        inside = [one for one in LineReader().feed(step.host or b"") if one]
        if step.kind in ("Hello", "Ping", "Show"):
            assert type(parse(inside[-1])).__name__ == step.kind
        elif step.kind == "none":
            for one in inside:
                with pytest.raises(PacketError):
                    parse(one)
        for answer in LineReader().feed(step.answers):
            assert answer is not None
            assert line(parse(answer)) in step.answers


def test_every_packet_comes_back_as_it_was():
    chance = random.Random(1)
    for _ in range(2000):
        packet = any_packet(chance)
        [inside] = LineReader().feed(line(packet))
        assert inside is not None
        assert parse(inside) == packet


def test_the_longest_state_fits():
    seats = tuple(BoardSeat("ÿ" * 12, -9999) for _ in range(12))
    state = BoardState(seats, 11, 255, -9999, frozenset(range(12)), 15)
    assert LONGEST - 10 < len(body(Show(255, state))) <= LONGEST


@pytest.mark.slow
def test_a_line_with_one_byte_changed_lost_or_added_is_never_taken():
    sent = line(Show(3, BoardState((BoardSeat("Zoë", 42), BoardSeat("Bob", 107)), 0, 7, 18)))
    for at in range(1, len(sent) - 1):
        hurt = [sent[:at] + sent[at + 1 :]]
        hurt += [sent[:at] + bytes([byte]) + sent[at + 1 :] for byte in range(256) if byte != sent[at]]
        hurt += [sent[:at] + bytes([byte]) + sent[at:] for byte in range(256)]
        for one in hurt:
            taken = [inside for inside in LineReader().feed(one) if inside is not None]
            # An added \\r, or a $ before everything, changes nothing that counts.
            assert taken in ([], [body(parse(sent[1:-10]))]), one


@pytest.mark.parametrize(
    "state",
    [
        {"seats": (BoardSeat("A", 1),), "turn": 1},
        {"seats": (BoardSeat("A", 1),), "winners": frozenset({1})},
        {"seats": tuple(BoardSeat("A", 1) for _ in range(13))},
        {"event": 256},
        {"brightness": 16},
        {"points": 100_000},
    ],
)
def test_a_state_no_board_can_show_cannot_be_made(state: dict[str, object]):
    with pytest.raises(ValueError, match="expected"):
        BoardState(**state)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "score"), [("x" * 13, 0), ("日本", 0), ("\n", 0), ("A", 100_000), ("A", -10_000)]
)
def test_a_seat_no_board_can_show_cannot_be_made(name: str, score: int):
    with pytest.raises(ValueError, match="expected"):
        BoardSeat(name, score)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Alice", "Alice"),
        ("  Jörg\tÉmile ", "Jörg Émile"),
        ("Zoë", "Zoë"),
        ("Łukasz Žižek", "Lukasz Zizek"),
        ("Đorđe", "Dorde"),
        ("Maximiliane-Sophie", "Maximiliane-"),
        ("日本 🎲", "?? ?"),
        ("O’Hara", "O'Hara"),
        ("", ""),
    ],
)
def test_a_name_is_shown_in_letters_the_board_has(name: str, shown: str):
    assert showable(name) == shown
    BoardSeat(showable(name), 0)


@pytest.mark.slow
def test_any_text_can_be_shown():
    chance = random.Random(2)
    for _ in range(3000):
        name = "".join(
            chr(chance.choice([chance.randrange(0x250), chance.randrange(0xD800)])) for _ in range(15)
        )
        shown = showable(name)
        assert len(shown) <= 12
        assert set(shown) <= set(GLYPHS), repr(name)
        assert line(Show(1, BoardState((BoardSeat(shown, 0),))))


def test_the_font_has_every_character():
    assert {chr(code) for code in CODES} <= set(GLYPHS)
    for letter in "ÄÖÜäöüßéèêçÇÉ":
        assert GLYPHS[letter] != GLYPHS["?"]
    drawn = [GLYPHS[chr(code)] for code in CODES if chr(code) not in "ÐðÞþ×÷"]
    assert len(set(drawn)) == len(drawn), "two characters look alike"


def forged(chance: random.Random) -> bytes:
    """A damaged body with a right checksum: no checksum can refuse it, so the parsers alone are asked."""
    inside = damaged(body(any_packet(chance)), chance).translate(None, b"$*\n\r")
    return b"$%s*%08X\n" % (inside, checksum(inside))


@pytest.mark.parametrize("packets", [4000, pytest.param(100_000, marks=pytest.mark.proof)])
def test_both_decoders_take_the_same_of_what_is_damaged_and_nothing_that_nobody_sent(
    native_matrix4: Native, packets: int
):
    """The host's decoder in Python, and the firmware's in C under sanitizers."""
    chance = random.Random(5)
    for _ in range(0, packets, 4000):
        board = VirtualBoard(native_matrix4.display)
        board.said()
        sent = [b"\n" + chance.randbytes(chance.randint(1, 120)) + b"\n" for _ in range(1000)]
        sent += [b"\n" + forged(chance) + b"\n" for _ in range(1000)]
        for _ in range(2000):
            first, second = line(any_packet(chance)), line(any_packet(chance))
            rightful = {first[1:-10], second[1:-10]}
            sent.append(b"\n" + damaged(first, chance, rightful) + second)
            assert rightful >= {inside for inside in LineReader().feed(sent[-1]) if inside}, sent[-1]
        ours: list[bytes] = []
        for packet in sent:
            board.receive(packet, 0)
            ours.append(board.said())
        theirs = [said for said, _, _ in native_matrix4.ask([("hear", 0, packet) for packet in sent])]
        assert theirs == ours
