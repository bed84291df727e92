"""Meet Fate's score sheet: nineteen boxes, what each asks for and gives (meet-fate, Rules; RULINGS 2.2)."""

from __future__ import annotations

from messages.message import Message, message
from scoring.account import Line, line
from scoring.dice import Face
from scoring.options import Option, Options

FACES: tuple[Face, ...] = ("1", "2", "3", "4", "5", "6", "7", "8")

SUM_BOXES = ("two-pair", "three-pair", "three-of-a-kind", "four-of-a-kind", "chance")
"""The second section of the sheet: the sum of all dice."""

SET_VALUES = {
    "small-straight": 30,
    "large-straight": 40,
    "full-house": 25,
    "five-of-a-kind": 50,
    "six-of-a-kind": 100,
    "trips": 45,
}
"""The third section: a set value each. The document gives none; these are the house's (RULINGS 2.4 Q1)."""

ALIKE = {"three-of-a-kind": 3, "four-of-a-kind": 4, "five-of-a-kind": 5, "six-of-a-kind": 6}
"""So many dice must show the same face."""

BOXES: tuple[str, ...] = (*FACES, *SUM_BOXES, *SET_VALUES)
"""All nineteen boxes, as they stand on the sheet."""

OPTIONS = (
    *(
        Option(
            f"set_values.{box}",
            points,
            f"Points for “{box.replace('-', ' ')}”, as printed on your score sheet. The rules give no value.",
            "RULINGS 2.4 Q1",
            ask=True,
            title=box.replace("-", " ").capitalize(),
        )
        for box, points in SET_VALUES.items()
    ),
    Option(
        "full_house",
        "A",
        "Which rolls are a full house?",
        "RULINGS 2.4 Q2",
        values=("A", "B", "C"),
        title="Full house",
        answers=(
            "three of one number, two of another",
            "five or six of a kind, too",
            "exactly three, two and one",
        ),
    ),
    Option(
        "f8_mode",
        "display",
        "Do six eights win at any moment of the turn, or only in a single throw of all six dice?",
        "RULINGS 2.4 Q3",
        values=("display", "one-throw"),
        title="Six eights",
        answers=("at any moment of the turn", "in one throw"),
    ),
    Option(
        "pairs_distinct",
        False,
        "Must the pairs in “two pair” and “three pair” show different numbers?",
        "RULINGS 2.4 Q5",
        title="Different pairs only",
    ),
    Option(
        "upper_bonus",
        0,
        "Bonus points for a high total in boxes 1 to 8. The rules give none.",
        "RULINGS 2.4 Q7",
    ),
    Option(
        "upper_bonus_from",
        108,
        "Points needed in boxes 1 to 8 for the upper bonus (108 means three of each number).",
        "RULINGS 2.4 Q7",
        title="Upper bonus from",
    ),
)


def qualifies(box: str, counts: tuple[int, ...], options: Options) -> bool:
    """Whether a roll meets a box's condition (RULINGS 2.2); counts[v - 1] dice show v."""
    if box in ("two-pair", "three-pair"):
        pairs = sum(min(n // 2, 1) if options.flag("pairs_distinct") else n // 2 for n in counts)
        return pairs >= (2 if box == "two-pair" else 3)
    if box in ("small-straight", "large-straight"):
        return len(_longest_run(counts)) >= (5 if box == "small-straight" else 6)
    if box == "full-house":
        best = sorted(counts, reverse=True)
        mode = options.text("full_house")
        if mode == "C":
            return best[:3] == [3, 2, 1]
        return (best[0] >= 3 and best[1] >= 2) or (mode == "B" and best[0] >= 5)
    if box == "trips":
        return sum(n // 3 for n in counts) == 2
    return max(counts) >= ALIKE.get(box, 0)


def box_points(box: str, faces: tuple[Face, ...], options: Options) -> int:
    """What a box gives for a roll."""
    return _points(box, _counts(faces), options)


def all_boxes(faces: tuple[Face, ...], options: Options) -> tuple[tuple[str, int], ...]:
    """What each of the nineteen boxes gives for a roll."""
    counts = _counts(faces)
    return tuple((box, _points(box, counts, options)) for box in BOXES)


def box_line(box: str, faces: tuple[Face, ...], options: Options) -> Line:
    """Why a box gives what it gives."""
    points = box_points(box, faces, options)
    if box in FACES:
        where = "faces"
        return line("{n} × {box}", points, where, n=faces.count(box), box=box)
    where = "sets" if box in SET_VALUES else "sums"
    if not points:
        return line("{box:face}, 0 points: {why}", 0, where, box=box, why=why_not(box, faces, options))
    if box in SET_VALUES:
        return line("{box:face}: set points", points, where, box=box)
    return line("{box:face}: sum of all dice", points, where, box=box)


def why_not(box: str, faces: tuple[Face, ...], options: Options) -> Message:
    """What a roll lacks for a box that it does not fit, with its own dice."""
    counts = _counts(faces)
    most = max(counts)
    alike = (FACES[counts.index(most)],) * most
    if "straight" in box:
        needed = 5 if box == "small-straight" else 6
        run = _longest_run(counts)
        return message(
            "the longest run is {run:row}; it takes {needed:number} in a row", run=run, needed=needed
        )
    if most == 1:
        return message("no two dice are alike")
    if "pair" in box:
        distinct = options.flag("pairs_distinct")
        sizes = [min(n // 2, 1) if distinct else n // 2 for n in counts]
        pairs = tuple(face for face, n in zip(FACES, counts, strict=True) for _ in range(n // 2 * 2))
        needed = 2 if box == "two-pair" else 3
        return message(
            "{pairs:roll} make {n:count pair pairs}; it takes {needed:number}",
            pairs=pairs,
            n=sum(sizes),
            needed=needed,
        )
    if box == "full-house":
        if most < 3:
            return message(
                "at most {alike:roll}; it takes three of one number and two of another", alike=alike
            )
        if sorted(counts)[-2] < 2:
            return message("{alike:roll} are one number; it takes two of another, too", alike=alike)
        return message("{dice:roll} are not exactly three, two and one", dice=faces)
    if box == "trips":
        if most < 3:
            return message("at most {alike:roll}; it takes three of a kind twice", alike=alike)
        return message("{alike:roll} are only one three of a kind; it takes two", alike=alike)
    return message("at most {alike:roll}; it takes {needed:number} alike", alike=alike, needed=ALIKE[box])


def _counts(faces: tuple[Face, ...]) -> tuple[int, ...]:
    return tuple(faces.count(face) for face in FACES)


def _points(box: str, counts: tuple[int, ...], options: Options) -> int:
    if box in FACES:
        return int(box) * counts[int(box) - 1]
    if not qualifies(box, counts, options):
        return 0
    if box in SET_VALUES:
        return options.number(f"set_values.{box}")
    return sum(value * n for value, n in enumerate(counts, start=1))


def _longest_run(counts: tuple[int, ...]) -> tuple[Face, ...]:
    """The longest run of faces that follow each other, the highest of several."""
    longest: tuple[Face, ...] = ()
    run: tuple[Face, ...] = ()
    for face, n in zip(FACES, counts, strict=True):
        run = (*run, face) if n else ()
        longest = run if len(run) >= len(longest) else longest
    return longest
