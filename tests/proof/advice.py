"""Prove the adviser: solve Meet Fate and check it by brute force, play by it, load dice, and take the time.

    python tests/proof/advice.py [--sheets 1000] [--matches 300] [--evenings 2000]

Prints one line a figure; the exit code is 1 when one of them is not what issue and README promise.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from advice import fate_solve, fate_table, hands, outlander, pairs, race
from advice.fairness import LEVEL, p_value
from advice.fate import FateAdviser
from advice.fate_match import Rivals
from advice.fate_rules import EVERY_BOX, boxes_of, counted, house, sheet_of
from advice.fate_table import FateTable
from advice.lattice import lattice
from advice.outback import OutbackAdviser, by_row
from advice.uneven import even
from scoring.actions import Fill, Hold
from scoring.games.cats.pairs import OPTIONS as PAIRS
from scoring.games.meet_fate.sheet import BOXES, OPTIONS, box_points
from scoring.games.outlander.game import OPTIONS as OUTLANDER
from scoring.games.outlander.score import FACES
from scoring.options import Options, chosen
from tests import brute_fate

SMALL = (
    (("8", "chance", "five-of-a-kind"), None, {}),
    (("full-house", "trips", "3"), None, {"full_house": "B", "set_values.trips": 77}),
    (
        ("full-house", "small-straight", "large-straight"),
        None,
        {"full_house": "C", "set_values.small-straight": 12},
    ),
    (("two-pair", "three-pair", "6"), None, {"pairs_distinct": "yes"}),
    (("7", "four-of-a-kind", "six-of-a-kind"), 300, {}),
    (("1", "three-of-a-kind", "chance"), 100_000, {"f8_mode": "one-throw"}),
)
"""Sheets of three boxes under six house rules: open boxes, the worth of six eights, options."""

TURNS = 6
"""Sheets of any size whose one turn is counted out by brute force on top of the table."""


def main() -> int:
    """Everything, one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sheets", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--evenings", type=int, default=2000)
    parser.add_argument(
        "--shipped", action="store_true", help="take the table that comes along, do not solve"
    )
    asked = parser.parse_args()
    table = shipped() if asked.shipped else solved()
    parts: tuple[Callable[[], bool], ...] = (
        brute,
        lambda: one_turn(table),
        lambda: played(table, asked.sheets),
        lambda: won(table, asked.matches),
        lambda: loaded(asked.evenings),
        lambda: timed(table),
    )
    good = [part() for part in parts]
    return 0 if all(good) else 1


def shipped() -> FateTable:
    """The default rules' table as it comes along."""
    rules = house(options())
    return fate_table.load(fate_table.SHIPPED / fate_table.file_name(rules), rules)


def solved() -> FateTable:
    """The default rules, solved here and now."""
    began, worked = time.perf_counter(), time.process_time()
    rules = house(options())
    table = FateTable(rules, fate_solve.solve(rules))
    took, cpu = time.perf_counter() - began, time.process_time() - worked
    print(f"solved in {took:.1f} s ({cpu:.1f} s of processor time): {table.expected:.6f} points a sheet")
    return table


def brute() -> bool:
    """Sheets of three boxes, every outcome counted in whole numbers."""
    worst = 0.0
    for boxes, eights, given in SMALL:
        told = options(**given)
        exact = float(brute_fate.best_total(boxes, told, eights))
        found = FateAdviser(house(told, eights)).worth(sheet_of(boxes))
        worst = max(worst, abs(found - exact))
        print(f"  {' + '.join(boxes)}: {found:.6f}, by brute force {exact:.6f}")
    print(f"three boxes under {len(SMALL)} house rules: off by at most {worst:.1e} points")
    return worst < 5e-7


def one_turn(table: FateTable) -> bool:
    """Sheets of any size: a turn counted out by brute force, on the table's own worth of the smaller sheets."""
    rng, worst, told = random.Random(5), 0.0, options()
    for sheet in [EVERY_BOX, *(rng.randrange(1, EVERY_BOX) for _ in range(TURNS - 1))]:
        left = [(box, float(table.worth[sheet & ~(1 << BOXES.index(box))])) for box in boxes_of(sheet)]
        values = {roll: max(box_points(box, roll, told) + w for box, w in left) for roll in brute_fate.ROLLS}
        for _ in range(2):
            kept = {
                keep: sum(values[roll] * n for roll, n in rolls) / 8 ** (6 - len(keep))
                for keep, rolls in brute_fate.outcomes().items()
            }
            values = {roll: max(kept[keep] for keep in brute_fate.keeps()[roll]) for roll in brute_fate.ROLLS}
        total = sum(values[roll] * n for roll, n in brute_fate.outcomes()[()]) / 8**6
        worst = max(worst, abs(total - float(table.worth[sheet])))
    print(f"one turn of {TURNS} sheets of any size: off by at most {worst:.1e} points")
    return worst < 5e-7


def played(table: FateTable, sheets: int) -> bool:
    """Whole sheets played by the adviser."""
    head, rng = FateAdviser(table.rules, table), np.random.default_rng(20261121)
    totals = [one_sheet(head, rng) for _ in range(sheets)]
    mean, error = float(np.mean(totals)), float(np.std(totals, ddof=1) / sheets**0.5)
    off = (mean - table.expected) / error
    print(
        f"{sheets} sheets: {mean:.2f} ± {error:.2f} points, promised {table.expected:.2f}: {off:+.2f} standard errors"
    )
    return abs(off) < 3


def one_sheet(head: FateAdviser, rng: np.random.Generator) -> int:
    """The points of one sheet under the adviser's choices."""
    sheet, total = EVERY_BOX, 0
    while sheet:
        keep: tuple[str, ...] = ()
        for left in (2, 1, 0):
            faces = (*keep, *(str(n) for n in rng.integers(1, 9, 6 - len(keep))))
            move = head.ask(faces, sheet, left).best.move
            if isinstance(move, Fill):
                number = BOXES.index(move.box)
                total += int(head.rules.points[number, head.rules.lattice.place(counted(faces))])
                sheet &= ~(1 << number)
                break
            assert isinstance(move, Hold)
            keep = move.keep
    return total


def won(table: FateTable, matches: int) -> bool:
    """Matches of two: who plays to win against who plays for points, and how good the chances to win are."""
    head, rng = FateAdviser(table.rules, table), np.random.default_rng(7)
    wins, told = 0.0, list[tuple[float, float]]()
    for match in range(matches):
        chances, win = one_match(head, match % 2, rng)
        wins += win
        told += [(chance, win) for chance in chances]
    chances, ends = np.array(told).T
    off = (wins - matches / 2) / (matches / 4) ** 0.5
    print(
        f"{matches} matches against a player for points: {100 * wins / matches:.1f} % won, {off:+.2f} standard errors"
    )
    print(
        f"  chances to win before each turn: {100 * chances.mean():.1f} % on average; squared error "
        f"{((chances - ends) ** 2).mean():.4f}, {(chances * (1 - chances)).mean():.4f} were to be expected"
    )
    return off > -3


def one_match(head: FateAdviser, to_win: int, rng: np.random.Generator) -> tuple[list[float], float]:
    """The chances to win before each turn of the player who plays to win, and whether that player won."""
    points, sheets, chances, turn = [0, 0], [EVERY_BOX, EVERY_BOX], list[float](), 0
    while any(sheets):
        player, turn = turn % 2, turn + 1
        other = 1 - player
        rivals = Rivals(points[player], ((points[other], sheets[other], 0),)) if player == to_win else None
        if rivals is not None:
            chances.append(head.fresh(sheets[player], 0, rivals))
        keep: tuple[str, ...] = ()
        for left in (2, 1, 0):
            faces = (*keep, *(str(n) for n in rng.integers(1, 9, 6 - len(keep))))
            if faces.count("8") == len(faces):
                return chances, float(player == to_win)
            move = head.ask(faces, sheets[player], left, 0, rivals).best.move
            if isinstance(move, Fill):
                number = BOXES.index(move.box)
                points[player] += int(head.rules.points[number, head.rules.lattice.place(counted(faces))])
                sheets[player] &= ~(1 << number)
                break
            assert isinstance(move, Hold)
            keep = move.keep
    mine, others = points[to_win], points[1 - to_win]
    return chances, float(mine > others) + float(mine == others) / 2


def loaded(evenings: int) -> bool:
    """Evenings of 300 throws: of a die with one face at 1/4, of a fair one, and of six dice looked at together."""
    rng, fair = np.random.default_rng(20261121), (1 / 8,) * 8
    one_face = (1 / 4, *(3 / 28,) * 7)

    def smallest(chances: list[tuple[float, ...]]) -> float:
        return min(p_value(rng.multinomial(300, one), fair) for one in chances)

    power = np.mean([smallest([one_face]) <= LEVEL for _ in range(evenings)])
    false = np.mean([smallest([fair]) <= LEVEL for _ in range(evenings)])
    six = np.mean([p_value(rng.multinomial(300, one_face), fair) <= LEVEL / 6 for _ in range(evenings)])
    any_false = np.mean([smallest([fair] * 6) <= LEVEL / 6 for _ in range(evenings)])
    print(
        f"{evenings} evenings of 300 throws, one face at 1/4: rejected {100 * power:.1f} %, fair {100 * false:.1f} %"
    )
    print(
        f"  looked at among six dice: rejected {100 * six:.1f} %, any of six fair ones {100 * any_false:.1f} %"
    )
    spread = 3 * (LEVEL * (1 - LEVEL) / evenings) ** 0.5
    return bool(min(power, six) >= 0.95 and max(false, any_false) <= LEVEL + spread)


def timed(table: FateTable) -> bool:
    """Loading from disk, and questions in every game; by the clock, and by the processor alone, which is judged."""
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TABLESIDE_DATA"] = folder
        fate_table.save(table, fate_table.own_folder() / fate_table.file_name(table.rules))

        def load() -> FateAdviser:
            house.cache_clear()
            lattice.cache_clear()
            rules = house(options())
            return FateAdviser(rules, fate_table.find(rules))

        head = load()

        def ask() -> object:
            return head.ask(rng.choices("12345678", k=6), rng.randrange(1, EVERY_BOX + 1), rng.randrange(3))

        good = [judged("meet-fate", load, ask)]
    lovers = outlander.OutlanderAdviser(chosen(OUTLANDER), even(FACES))
    free, worths, animals = dict.fromkeys((2, 3, 4, 5, 6), 2), by_row((2, 3, 4, 5, 6)), OutbackAdviser()
    five, quint = ["cat", "cat", "dd", "sigil", "thoromyr"], hands.QuintuplesAdviser()
    six = ["jamie", "jamie", "geillis", "geillis", "laoghaire", "bjr"]
    koalas, jeep = ["koala"] * 3 + ["kangaroo", "platypus", "joker"], ["koala", "emu", "emu"]
    told, fair = chosen(PAIRS), (1 / 8,) * 8
    many = np.random.default_rng(1).multinomial(300, fair, size=200).tolist()
    good += [
        judged("outlander with both cards", lambda: lovers.ask(six), lambda: lovers.ask(six)),
        judged("everyone-scores", lambda: hands.everyone_scores(five), lambda: hands.everyone_scores(five)),
        judged("quintuples, four players", lambda: quint.prepare(4), lambda: quint.ask(five, [1, 3], 1)),
        judged("called-shot", lambda: race.race("called-shot"), lambda: race.ask("called-shot", (12, 7))),
        judged("pairs", lambda: pairs.ask(3, told), lambda: pairs.ask(3, told)),
        judged("outback", OutbackAdviser, lambda: animals.ask(koalas, 2, jeep, free, worths)),
        judged("fairness of a die", lambda: p_value(many[0], fair), lambda: p_value(rng.choice(many), fair)),
    ]
    return all(good)


def judged(name: str, load: Callable[[], object], ask: Callable[[], object]) -> bool:
    """Load once and ask a hundred times."""
    made, made_cpu = took(load)
    times = [took(ask) for _ in range(100)]
    asked, asked_cpu = (1000 * float(np.median(row)) for row in zip(*times, strict=True))
    slow_cpu = 1000 * max(row[1] for row in times)
    print(
        f"{name}: loads in {1000 * made:.0f} ms ({1000 * made_cpu:.0f} of processor time), "
        f"a question {asked:.1f} ms ({asked_cpu:.1f}; the slowest of 100 {slow_cpu:.1f})"
    )
    return made_cpu < 0.3 and slow_cpu < 20


def took(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of processor time."""
    began, worked = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - worked


def options(**given: object) -> Options:
    """Meet Fate's options."""
    return chosen(OPTIONS, given)


if __name__ == "__main__":
    sys.exit(main())
