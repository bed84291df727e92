"""What the golden pictures show: a line to the board, and when to look at its LEDs.

`python -m tests.hardware.scenes` writes them anew from `hardware.picture`; look at every change before keeping it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from hardware.board_state import BoardSeat, BoardState
from hardware.leds import terminal
from hardware.picture import DISPLAYS, Columns, Display
from hardware.protocol import Hello, Packet, Ping, Show
from hardware.virtual import VirtualBoard

GOLDEN = Path(__file__).parent / "golden"

TWO = BoardState((BoardSeat("Alice", 42), BoardSeat("Bob", 107)), turn=0)
LONG = BoardState((BoardSeat("Maximiliane", 1024), BoardSeat("Li", -5)), turn=0)
ACCENTS = BoardState((BoardSeat("ÄÖÜé", 7), BoardSeat("èçßñ", 8)), turn=1)
WON = replace(TWO, turn=None, winners=frozenset({1}))
CROWD = BoardState(tuple(BoardSeat(f"P{seat + 1}", 10 * seat) for seat in range(12)), turn=7)


@dataclass(frozen=True)
class Picture:
    """Packets with the millisecond they are sent at, and when to look."""

    name: str
    look: int
    packets: tuple[tuple[int, Packet], ...] = field(default=((20, Hello(1)),))


def told(*states: tuple[int, BoardState]) -> tuple[tuple[int, Packet], ...]:
    """Hello at 20 ms, then each state at its time; a ping a second, as a host does."""
    shows = tuple((at, Show(2 + number, state)) for number, (at, state) in enumerate(states))
    pings = tuple((at, Ping(200)) for at in range(1050, 30_000, 1000))
    return ((20, Hello(1)), *sorted((*shows, *pings), key=lambda sent: sent[0]))


PICTURES = (
    Picture("switched on", 15, ()),
    Picture("nobody plays", 150, told((100, BoardState()))),
    Picture("Alice is to throw", 1100, told((100, TWO))),
    Picture("the other page", 3600, told((100, TWO))),
    Picture("18 points", 900, told((100, TWO), (500, replace(TWO, event=1, points=18)))),
    Picture("minus 5 points", 900, told((100, TWO), (500, replace(TWO, event=1, points=-5)))),
    Picture("after the points", 2300, told((100, TWO), (500, replace(TWO, event=1, points=18, turn=1)))),
    Picture("a long name", 500, told((100, LONG))),
    Picture("a long name scrolls", 1820, told((100, LONG))),
    Picture("a long name, nearly through", 2870, told((100, LONG))),
    Picture("the page after a long name", 4630, told((100, LONG))),
    Picture("accents", 600, told((100, ACCENTS))),
    Picture("accents on the other page", 3600, told((100, ACCENTS))),
    Picture("Bob won", 800, told((100, TWO), (700, WON))),
    Picture("Bob won, between two flashes", 1100, told((100, TWO), (700, WON))),
    Picture("Bob won, a while ago", 7000, told((100, TWO), (700, WON))),
    Picture("twelve players, the eighth on turn", 600, told((100, CROWD))),
    Picture("twelve players, a page later", 3600, told((100, CROWD))),
    Picture("brightest", 600, told((100, replace(TWO, brightness=15)))),
    Picture("the host is lost", 10_700, ((20, Hello(1)), (100, Show(2, TWO)))),
    Picture("the host is lost, the scores", 12_700, ((20, Hello(1)), (100, Show(2, TWO)))),
    Picture("no host ever came", 10_500, ()),
    Picture("a host of another version", 600, ((20, Hello(1, 2)),)),
)


def written(display: Display, columns: Columns, intensity: int) -> str:
    """A picture as the golden files hold it."""
    if display.matrix:
        drawn = "\n".join("".join("#" if column >> y & 1 else "." for column in columns) for y in range(8))
    else:
        drawn = "\n".join(f"[{row[1:-1]}]" for row in terminal(display, columns).splitlines()[1:-1])
    return f"intensity {intensity}\n{drawn}\n"


def golden(display: Display) -> dict[str, str]:
    """The golden pictures by name."""
    parts = (GOLDEN / f"{display.name}.txt").read_text(encoding="utf-8").split("== ")[1:]
    return {name: drawn.rstrip("\n") + "\n" for name, drawn in (part.split("\n", 1) for part in parts)}


def main() -> None:
    """Write every golden file."""
    from hardware.protocol import line

    for display in DISPLAYS.values():
        text = ""
        for picture in PICTURES:
            board = VirtualBoard(display)
            for at, packet in picture.packets:
                if at <= picture.look:
                    board.receive(line(packet), at)
            shown = written(display, board.picture(picture.look), board.intensity(picture.look))
            text += f"== {picture.name}\n{shown}\n"
        (GOLDEN / f"{display.name}.txt").write_text(text.rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
