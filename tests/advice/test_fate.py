"""Meet Fate solved: against a second solver, against the chances in the rulings, and asked what cannot be."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from advice.lattice import Lattice, Throwing, lattice, parts
from advice.meet_fate import table as fate_table
from advice.meet_fate.rivals import Rivals
from advice.meet_fate.rules import EVERY_BOX, FateRules, boxes_of, counted, house, sheet_of, spread
from advice.meet_fate.sheet import FateAdviser
from advice.meet_fate.table import FateTable, TableError, load, save
from advice.record import NoAdviceError
from scoring.actions import Confirm, Fill, Hold
from scoring.games.meet_fate.sheet import BOXES, OPTIONS, SET_VALUES, box_points
from scoring.options import Options, chosen
from tests.advice import brute_fate
from tests.advice.brute_fate import best_total


def options(**given: object) -> Options:
    return chosen(OPTIONS, {key.replace("__", "."): value for key, value in given.items()})


def adviser(eights: float | None = None, **given: object) -> FateAdviser:
    return FateAdviser(house(options(**given), eights))


def one_box(box: str, **given: object) -> FateAdviser:
    """A house in which a set box is worth one point: a sheet of it alone is worth its chance."""
    return adviser(**{f"set_values__{box}": 1}, **given)


# --- the lattice


def test_every_multiset_is_there_once():
    over = lattice(6, 8)
    assert [len(level) for level in over.by_size] == [1, 8, 36, 120, 330, 792, 1716]
    assert over.chances().sum() == pytest.approx(1, abs=1e-15)
    assert over.chances()[over.place((0, 0, 0, 0, 0, 0, 0, 6))] == 8**-6


def test_throwing_is_the_mean_over_all_outcomes_and_keeping_the_best_part():
    over, rng = Lattice(3, 4), np.random.default_rng(1)
    chances = (0.1, 0.2, 0.3, 0.4)
    worth = rng.random((len(over.rolls), 2))
    throwing = Throwing(over, 2, chances)
    kept = [one.copy() for one in throwing.thrown(worth)]
    best = throwing.best_kept(1)
    for size, level in enumerate(over.by_size):
        for counts in level:
            mean = np.zeros(2)
            for thrown in np.ndindex(*(4,) * (3 - size)):
                full = list(counts)
                for face in thrown:
                    full[face] += 1
                chance = np.prod([chances[face] for face in thrown])
                mean += chance * worth[over.place(tuple(full))]
            assert kept[size][over.place(counts)] == pytest.approx(mean, abs=1e-12)
    for counts in over.by_size[-1]:
        held = [kept[sum(part)][over.place(part)] for part in parts(counts) if sum(part) >= 1]
        assert best[over.place(counts)] == pytest.approx(np.max(held, axis=0), abs=1e-12)


# --- the solver


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boxes", "eights", "upper", "given"),
    [
        (("8",), None, 0, {}),
        (("5", "chance"), None, 0, {}),
        (("full-house", "trips"), None, 0, {"full_house": "B", "set_values__trips": 77}),
        (("full-house", "small-straight"), None, 0, {"full_house": "C", "set_values__small-straight": 8}),
        (("two-pair", "3"), 500, 0, {"pairs_distinct": "yes"}),
        (("6", "six-of-a-kind"), 100_000, 0, {"f8_mode": "one-throw"}),
        (("8", "chance"), 20, 0, {}),
        (("7", "trips"), None, 20, {"upper_bonus": 35, "upper_bonus_from": 40}),
    ],
)
def test_small_sheets_are_worth_what_counting_every_outcome_says(
    boxes: tuple[str, ...], eights: int | None, upper: int, given: dict[str, object]
):
    found = adviser(eights, **given).worth(sheet_of(boxes), upper)
    assert found == pytest.approx(float(best_total(boxes, options(**given), eights, upper)), abs=1e-9)


@pytest.mark.parametrize(
    ("box", "chance"),
    [
        ("five-of-a-kind", 0.071647),
        ("six-of-a-kind", 0.006472),
        ("small-straight", 0.406175),
        ("large-straight", 0.136820),
        ("full-house", 0.576619),
        ("trips", 0.081570),
    ],
)
def test_one_set_box_alone_is_worth_its_chance_of_the_rulings(box: str, chance: float):
    assert one_box(box).worth(sheet_of([box])) == pytest.approx(chance, abs=5e-7)


def test_six_eights_alone_are_worth_their_chance_of_the_rulings():
    # A win of a million points drowns the box of the ones: the sheet is worth a million times 169^6/512^6.
    worth = adviser(1_000_000).worth(sheet_of(["1"]))
    assert worth == pytest.approx(1e6 * 169**6 / 512**6, rel=1e-3)


def test_the_order_of_work_makes_no_difference():
    small = adviser()
    whole = small.worth(sheet_of(["1", "8", "chance", "trips"]))
    assert adviser().worth(sheet_of(["1", "8", "chance", "trips"])) == whole
    alone = adviser().worth(sheet_of(["8", "trips"]))
    assert small.worth(sheet_of(["8", "trips"])) == pytest.approx(alone, abs=1e-12)


def test_every_point_is_the_score_sheets():
    rules, rng = house(options(full_house="C", pairs_distinct=True, set_values__trips=3)), random.Random(4)
    told = options(full_house="C", pairs_distinct=True, set_values__trips=3)
    for counts in rng.sample(rules.lattice.by_size[-1], 60):
        for i, box in enumerate(BOXES):
            assert rules.points[i, rules.lattice.place(counts)] == box_points(box, spread(counts), told)


# --- questions


def test_held_dice_are_let_go_when_that_is_better():
    advice = adviser().ask(("1", "4", "5", "6", "7", "7"), sheet_of(["small-straight"]), 1)
    assert advice.best.move == Hold(("4", "5", "6", "7"))
    assert advice.best.worth == pytest.approx(30 * (1 - (3 / 4) ** 2))
    assert advice.sentence == "Hold a 4, a 5, a 6 and a 7 and throw two dice again."
    assert advice.exact


def test_with_no_throw_left_a_box_is_filled_and_every_other_one_costs():
    sheet = sheet_of(["2", "three-pair", "chance"])
    head = adviser()
    advice = head.ask(("2", "2", "2", "2", "5", "5"), sheet, 0)
    worth = {one.move: one.worth for one in advice.choices}
    assert set(worth) == {Fill("2"), Fill("three-pair"), Fill("chance")}
    assert worth[Fill("three-pair")] == 18 + head.worth(sheet_of(["2", "chance"]))
    assert advice.best.move == Fill("three-pair")
    assert [one.cost for one in advice.choices] == [advice.best.worth - one.worth for one in advice.choices]
    assert advice.sentence == "Fill three pair for 18 points."


def test_a_choice_is_worth_what_follows_from_it():
    head, sheet = adviser(), sheet_of(["1", "five-of-a-kind", "chance"])
    advice = head.ask(("1", "1", "1", "4", "5", "8"), sheet, 2)
    assert advice.best.worth == pytest.approx(
        head.roll_worth(("1", "1", "1", "4", "5", "8"), sheet, 2), abs=1e-12
    )
    keep = ("1", "1", "1")
    rolls = [(*keep, *map(str, n)) for n in np.ndindex(8, 8, 8)]
    mean = np.mean([head.roll_worth([f if f != "0" else "8" for f in roll], sheet, 1) for roll in rolls])
    assert head.hold_worth(keep, sheet, 2) == pytest.approx(mean, abs=1e-9)


def test_before_the_first_throw_the_sheet_is_told():
    advice = adviser().ask((), sheet_of(["chance"]), 3)
    assert advice.best.worth == pytest.approx(adviser().worth(sheet_of(["chance"])))
    assert "The sheet should bring" in advice.sentence


def test_six_eights_are_confirmed_where_they_count():
    assert adviser(200).met().best.worth == 200
    assert adviser(0).met().why == "Six eights end the sheet at its current total."
    won = adviser().met(Rivals(0, ((400, 0, 0),)))
    assert (won.best.move, won.best.worth, won.exact) == (Confirm(True), 1.0, True)
    assert won.sentence == "Confirm the six eights."
    with pytest.raises(NoAdviceError, match="six eights"):
        adviser().met()
    assert adviser().ask(("8",) * 6, sheet_of(["8", "chance"]), 1).best.move == Fill("8")


# --- a match


EIGHTS = ("8",) * 6


def chances_of_a_turn(won: Callable[[tuple[str, ...]], float], throws: int = 3) -> float:
    """The chance to win with one turn, every outcome counted: `won` for each final roll, 1 for six eights."""
    values = {roll: won(roll) for roll in brute_fate.ROLLS}
    for left in range(throws):
        values[EIGHTS] = 1.0
        kept = {
            keep: sum(values[roll] * n for roll, n in rolls) / 8 ** (6 - len(keep))
            for keep, rolls in brute_fate.outcomes().items()
            if left < throws - 1 or not keep
        }
        values = {
            roll: max(kept[k] for k in brute_fate.keeps()[roll]) for roll in values if left < throws - 1
        }
    return kept[()]


def test_the_last_box_of_a_match_is_exact_when_the_others_are_done():
    def beats(roll: tuple[str, ...]) -> float:
        total = 100 + box_points("chance", roll, options())
        return (total > 135) / 2 + (total >= 135) / 2 if total > 130 else 0.0

    head, rivals = adviser(), Rivals(100, ((130, 0, 0), (135, 0, 0)))
    advice = head.ask((), sheet_of(["chance"]), 3, 0, rivals)
    assert advice.exact
    assert advice.unit == "chance to win"
    assert advice.best.worth == pytest.approx(chances_of_a_turn(beats), abs=1e-9)


def test_a_box_that_another_still_has_is_spread_as_it_falls():
    p = 0.081570  # trips in three throws (RULINGS 2.6), for 45 points

    def beats(roll: tuple[str, ...]) -> float:
        total = 50 + box_points("chance", roll, options())
        return sum(part * ((total > other) + (total >= other)) / 2 for other, part in ((40, 1 - p), (85, p)))

    rivals = Rivals(50, ((40, sheet_of(["trips"]), 0),))
    advice = adviser().ask((), sheet_of(["chance"]), 3, 0, rivals)
    assert not advice.exact
    assert "the others play for points" in advice.assumes
    assert advice.best.worth == pytest.approx(chances_of_a_turn(beats), abs=2e-6)


def test_a_match_is_not_always_played_for_points():
    sheet, faces = sheet_of(["4", "six-of-a-kind"]), ("4", "4", "4", "4", "4", "1")
    safe, behind = Rivals(200, ((150, 0, 0),)), Rivals(0, ((90, 0, 0),))
    assert adviser().ask(faces, sheet, 0).best.move == Fill("4")
    assert adviser().ask(faces, sheet, 0, 0, safe).best.worth == pytest.approx(1)
    desperate = adviser().ask(("8", "8", "8", "8", "8", "1"), sheet_of(["1", "five-of-a-kind"]), 1, 0, behind)
    assert desperate.best.move == Hold(("8",) * 5)
    assert desperate.best.worth == pytest.approx(1 / 8, abs=0.001), "only six eights still win"


def test_players_who_are_level_win_equally_often():
    sheet = sheet_of(["2", "5", "chance", "full-house"])
    for players in (2, 3, 5):
        rivals = Rivals(30, ((30, sheet, 0),) * (players - 1))
        assert adviser().fresh(sheet, 0, rivals) == pytest.approx(1 / players, abs=0.03)


def test_an_upper_bonus_is_exact_for_the_end_of_a_sheet_and_refused_for_a_whole_one():
    head = adviser(upper_bonus=35, upper_bonus_from=40)
    assert head.worth(sheet_of(["7", "trips"]), 40) == pytest.approx(
        adviser().worth(sheet_of(["7", "trips"]))
    )
    earning = head.ask(("7", "7", "7", "1", "2", "3"), sheet_of(["7", "chance"]), 0, upper=20)
    assert earning.best.move == Fill("7")
    with pytest.raises(NoAdviceError, match="too many boxes are open"):
        head.worth(EVERY_BOX, 0)


def test_questions_are_quick():
    head, rng = adviser(), random.Random(7)
    sheet = sheet_of(["1", "6", "8", "chance", "trips", "full-house", "two-pair", "small-straight"])
    head.worth(sheet)
    times: list[float] = []
    for _ in range(20):
        faces = [rng.choice("12345678") for _ in range(6)]
        began = time.process_time()
        head.ask(faces, sheet & ~(1 << rng.randrange(6, 8)), rng.randrange(3))
        times.append(time.process_time() - began)
    assert sorted(times)[len(times) // 2] < 0.02


# --- playing by it


@pytest.mark.slow
def test_sheets_played_by_the_adviser_bring_what_it_promised():
    head, rng = adviser(), np.random.default_rng(11)
    sheet = sheet_of(["2", "chance", "full-house"])
    totals = [played(head, sheet, rng) for _ in range(400)]
    off = (np.mean(totals) - head.worth(sheet)) / (np.std(totals) / len(totals) ** 0.5)
    assert abs(off) < 3


def played(head: FateAdviser, sheet: int, rng: np.random.Generator) -> float:
    """The points of one sheet under the adviser's choices."""
    total = 0
    while sheet:
        keep: tuple[str, ...] = ()
        for left in (2, 1, 0):
            faces = (*keep, *(str(n) for n in rng.integers(1, 9, 6 - len(keep))))
            best = head.ask(faces, sheet, left).best
            if isinstance(best.move, Fill):
                number = BOXES.index(best.move.box)
                total += int(head.rules.points[number, head.rules.lattice.place(counted(faces))])
                sheet &= ~(1 << number)
                break
            assert isinstance(best.move, Hold)
            keep = best.move.keep
    return total


# --- tables


@pytest.fixture
def small_table() -> FateTable:
    """Not solved: worths that could be true, for what happens on disk."""
    worth = np.linspace(0, 300, EVERY_BOX + 1)
    return FateTable(house(options()), worth)


def test_a_table_comes_back_as_it_was(small_table: FateTable, tmp_path: Path):
    save(small_table, tmp_path / "a" / "t")
    assert np.array_equal(load(tmp_path / "a" / "t", small_table.rules).worth, small_table.worth)
    save(small_table, tmp_path / "short", "u4")
    assert (tmp_path / "short").stat().st_size < 2**21 + 1000
    short = load(tmp_path / "short", small_table.rules).worth
    assert np.abs(short - small_table.worth).max() < 1e-7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "short"]


def _flip(text: bytes) -> bytes:
    return text[:-9] + bytes([text[-9] ^ 1]) + text[-8:]


def _negative(text: bytes) -> bytes:
    head, body = text.split(b"\n", 1)
    body = body[:80] + np.array([-5.0], "<f8").tobytes() + body[88:]
    return _resealed(head, body)


def _nan(text: bytes) -> bytes:
    head, body = text.split(b"\n", 1)
    return _resealed(head, body[:-8] + np.array([np.nan], "<f8").tobytes())


def _resealed(head: bytes, body: bytes) -> bytes:
    import hashlib

    told = json.loads(head) | {"sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(told).encode() + b"\n" + body


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_flip, "checksum"),
        (lambda text: text[:-1], "bytes of numbers"),
        (lambda text: text + b"x", "bytes of numbers"),
        (lambda text: b"", "line of JSON"),
        (lambda text: b"[1]\n" + text, "line of JSON"),
        (lambda text: b"{" * 5000, "line of JSON"),
        (lambda text: text.replace(b'"f8"', b'"O8"', 1), "of the form"),
        (lambda text: text.replace(b'"format": 1', b'"format": 9', 1), "of format"),
        (_negative, "cannot be points"),
        (_nan, "cannot be points"),
    ],
)
def test_a_damaged_table_is_refused_in_one_line(damage, said: str, small_table: FateTable, tmp_path: Path):
    path = tmp_path / "t"
    save(small_table, path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(TableError, match=said) as refused:
        load(path, small_table.rules)
    assert "\n" not in str(refused.value)


def test_a_table_of_other_rules_is_not_taken(small_table: FateTable, tmp_path: Path):
    save(small_table, tmp_path / "t")
    others: list[FateRules] = [
        house(options(full_house="B")),
        house(options(), 200),
        house(options(set_values__trips=1)),
    ]
    assert len({rules.key for rules in others} | {small_table.rules.key}) == 4
    for rules in others:
        with pytest.raises(TableError, match="other house rules"):
            load(tmp_path / "t", rules)


def test_rules_that_make_no_difference_share_a_table():
    assert house(options(f8_mode="one-throw")).key == house(options()).key
    assert house(options(upper_bonus_from=90)).key == house(options()).key


def test_the_players_own_table_is_found_and_the_shipped_one_without_it(
    small_table: FateTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    save(small_table, fate_table.own_folder() / fate_table.file_name(small_table.rules))
    found = fate_table.find(small_table.rules)
    assert found is not None
    assert found.expected == 300
    assert fate_table.find(house(options(set_values__trips=1))) is None


def test_the_shipped_table_is_of_the_default_rules_and_agrees_with_what_is_solved_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    rules = house(options())
    table = fate_table.find(rules)
    assert table is not None
    assert table.expected == pytest.approx(415.436885, abs=5e-7)
    fresh, rng = FateAdviser(rules), random.Random(3)
    for _ in range(3):
        sheet = sheet_of(rng.sample(BOXES, 7))
        assert table.worth[sheet] == pytest.approx(fresh.worth(sheet), abs=2e-7)
        assert len(boxes_of(sheet)) == 7


def test_a_table_for_playing_alone_is_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    rules = house(options(), 0.0)
    table = fate_table.find(rules)
    assert table is not None
    sheet = sheet_of(["1", "8", "chance", "five-of-a-kind", "six-of-a-kind"])
    assert table.worth[sheet] == pytest.approx(FateAdviser(rules).worth(sheet), abs=2e-7)


def test_every_set_value_has_a_box():
    assert set(SET_VALUES) < set(BOXES)
