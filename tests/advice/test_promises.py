"""What the adviser promises, at full size: solved anew, counted out, played by, and asked against the clock."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import pytest

from advice import outlander
from advice.cats import hands, pairs, race
from advice.fairness import LEVEL, p_value
from advice.meet_fate import solve as fate_solve
from advice.meet_fate import table as fate_table
from advice.meet_fate.rivals import Rivals
from advice.meet_fate.rules import EVERY_BOX, boxes_of, counted, house
from advice.meet_fate.sheet import FateAdviser
from advice.meet_fate.table import FateTable
from advice.outback import Throws, by_row
from advice.uneven import even
from scoring.actions import Fill, Hold
from scoring.games.cats.pairs import OPTIONS as PAIRS
from scoring.games.meet_fate.sheet import BOXES, OPTIONS, box_points
from scoring.games.outlander.game import OPTIONS as OUTLANDER
from scoring.games.outlander.score import FACES
from scoring.options import chosen
from tests.advice import brute_fate

pytestmark = pytest.mark.proof

RULES = house(chosen(OPTIONS))


@pytest.fixture(scope="module")
def table() -> FateTable:
    """The default rules' table as it comes along."""
    return fate_table.load(fate_table.SHIPPED / fate_table.file_name(RULES), RULES)


def test_solving_anew_gives_the_table_that_comes_along(table: FateTable):
    assert np.abs(fate_solve.solve(RULES) - table.worth).max() < 5e-7


def test_one_turn_of_any_sheet_counted_out_is_what_the_table_says(table: FateTable):
    """On the table's own worth of the smaller sheets."""
    rng = random.Random(5)
    for sheet in [EVERY_BOX, *(rng.randrange(1, EVERY_BOX) for _ in range(5))]:
        left = [(box, float(table.worth[sheet & ~(1 << BOXES.index(box))])) for box in boxes_of(sheet)]
        values = {r: max(box_points(box, r, chosen(OPTIONS)) + w for box, w in left) for r in brute_fate.ROLLS}
        for _ in range(2):
            kept = {
                keep: sum(values[roll] * n for roll, n in rolls) / 8 ** (6 - len(keep))
                for keep, rolls in brute_fate.outcomes().items()
            }
            values = {roll: max(kept[keep] for keep in brute_fate.keeps()[roll]) for roll in brute_fate.ROLLS}
        total = sum(values[roll] * n for roll, n in brute_fate.outcomes()[()]) / 8**6
        assert total == pytest.approx(float(table.worth[sheet]), abs=5e-7)


def turn(
    head: FateAdviser, sheet: int, rng: np.random.Generator, rivals: Rivals | None = None, match: bool = False
) -> tuple[int, int]:
    """Points and box of one turn under the adviser's choices; box -1 for six eights, which end a match."""
    keep: tuple[str, ...] = ()
    for left in (2, 1, 0):
        faces = (*keep, *(str(n) for n in rng.integers(1, 9, 6 - len(keep))))
        if match and faces.count("8") == len(faces):
            return 0, -1
        move = head.ask(faces, sheet, left, 0, rivals).best.move
        if isinstance(move, Fill):
            box = BOXES.index(move.box)
            return int(head.rules.points[box, head.rules.lattice.place(counted(faces))]), box
        assert isinstance(move, Hold)
        keep = move.keep
    raise AssertionError("a box is filled after three throws at the latest")


def test_a_thousand_sheets_bring_what_the_table_promises(table: FateTable):
    head, rng, totals = FateAdviser(RULES, table), np.random.default_rng(20261121), list[int]()
    for _ in range(1000):
        sheet, total = EVERY_BOX, 0
        while sheet:
            points, box = turn(head, sheet, rng)
            sheet, total = sheet & ~(1 << box), total + points
        totals.append(total)
    error = float(np.std(totals, ddof=1)) / len(totals) ** 0.5
    print(f"1000 sheets: {np.mean(totals):.2f} ± {error:.2f} points, promised {table.expected:.2f}")
    assert abs(float(np.mean(totals)) - table.expected) < 3 * error


def test_who_plays_to_win_wins_as_often_as_told_and_no_seldomer_than_who_plays_for_points(table: FateTable):
    head, rng, told, wins = FateAdviser(RULES, table), np.random.default_rng(7), list[tuple[float, float]](), 0.0
    matches = 300
    for match in range(matches):
        chances, win = one_match(head, match % 2, rng)
        wins += win
        told += [(chance, win) for chance in chances]
    chances, ends = np.array(told).T
    off, expected = ((chances - ends) ** 2).mean(), (chances * (1 - chances)).mean()
    print(f"{matches} matches: {100 * wins / matches:.1f} % won; squared error {off:.4f}, expected {expected:.4f}")
    assert wins - matches / 2 > -3 * (matches / 4) ** 0.5


def one_match(head: FateAdviser, to_win: int, rng: np.random.Generator) -> tuple[list[float], float]:
    """The chances to win before each turn of the player who plays to win, and whether that player won."""
    points, sheets, chances, player = [0, 0], [EVERY_BOX, EVERY_BOX], list[float](), 0
    while any(sheets):
        other = 1 - player
        rivals = Rivals(points[player], ((points[other], sheets[other], 0),))
        if player == to_win:
            chances.append(head.fresh(sheets[player], 0, rivals))
        gained, box = turn(head, sheets[player], rng, rivals if player == to_win else None, match=True)
        if box < 0:
            return chances, float(player == to_win)
        points[player] += gained
        sheets[player] &= ~(1 << box)
        player = other
    mine, others = points[to_win], points[1 - to_win]
    return chances, float(mine > others) + float(mine == others) / 2


def test_a_loaded_die_is_found_in_an_evening_and_fair_ones_are_not_accused():
    evenings, rng, fair = 2000, np.random.default_rng(20261121), (1 / 8,) * 8
    loaded = (1 / 4, *(3 / 28,) * 7)

    def rejected(chances: tuple[float, ...], level: float, dice: int = 1) -> float:
        """Share of evenings of 300 throws in which one of the dice is."""
        drawn = (min(p_value(rng.multinomial(300, chances), fair) for _ in range(dice)) for _ in range(evenings))
        return float(np.mean([p <= level for p in drawn]))

    found, among_six = rejected(loaded, LEVEL), rejected(loaded, LEVEL / 6)
    accused, any_of_six = rejected(fair, LEVEL), rejected(fair, LEVEL / 6, dice=6)
    print(f"loaded found {found:.1%}, among six {among_six:.1%}; fair accused {accused:.1%}, of six {any_of_six:.1%}")
    assert min(found, among_six) >= 0.95
    assert max(accused, any_of_six) <= LEVEL + 3 * (LEVEL * (1 - LEVEL) / evenings) ** 0.5


def questions(table: FateTable) -> dict[str, Callable[[], object]]:
    rng, head, quint = random.Random(3), FateAdviser(RULES, table), hands.QuintuplesRound()
    quint.ask(["cat"] * 5, [], 3)
    lovers, animals = outlander.Reroll(chosen(OUTLANDER), even(FACES)), Throws()
    free, worths = dict.fromkeys((2, 3, 4, 5, 6), 2), by_row((2, 3, 4, 5, 6))
    five, told = ["cat", "cat", "dd", "sigil", "thoromyr"], chosen(PAIRS)
    six, koalas = ["jamie", "jamie", "geillis", "geillis", "laoghaire", "bjr"], ["koala"] * 3
    many = np.random.default_rng(1).multinomial(300, (1 / 8,) * 8, size=200).tolist()
    race.race(race.CALLED_SHOT, 25, False)
    return {
        "meet-fate": lambda: head.ask(rng.choices("12345678", k=6), rng.randrange(1, EVERY_BOX + 1), rng.randrange(3)),
        "outlander": lambda: lovers.ask(six),
        "everyone-scores": lambda: hands.everyone_scores(five),
        "quintuples": lambda: quint.ask(five, [1, 3], 1),
        "called-shot": lambda: race.ask(race.CALLED_SHOT, (12, 7)),
        "pairs": lambda: pairs.ask(3, told),
        "outback": lambda: animals.ask(
            [*koalas, "kangaroo", "platypus", "joker"], 2, ["koala", "emu", "emu"], free, worths
        ),
        "fairness": lambda: p_value(rng.choice(many), (1 / 8,) * 8),
    }


def test_every_question_is_answered_within_twenty_milliseconds(table: FateTable):
    for name, ask in questions(table).items():
        times: list[float] = []
        ask()
        for _ in range(100):
            began = time.process_time()
            ask()
            times.append(1000 * (time.process_time() - began))
        print(f"{name}: {np.median(times):.1f} ms, the slowest of 100 {max(times):.1f}")
        assert max(times) < 20, name
