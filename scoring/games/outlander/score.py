"""The score of a table of Outlander faces, by the rule text and by every other reading (RULINGS 1.3, 1.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.account import Line, line
from scoring.dice import Face
from scoring.options import Option, Options

FACES: tuple[Face, ...] = ("claire", "jamie", "bjr", "laoghaire", "dougal", "geillis", "jenny", "murtagh")

EACH: Mapping[Face, int] = {"claire": 1, "jamie": 1, "jenny": 3, "murtagh": 5}
"""What one of a face scores by itself."""

PAIRS: tuple[tuple[Face, Face, int], ...] = (
    ("claire", "jamie", 2),
    ("dougal", "geillis", 3),
    ("murtagh", "jenny", 10),
    ("bjr", "laoghaire", -3),
)
"""What two faces score together, beside what each does."""

READINGS = (
    Option(
        "removal",
        "text",
        "Does BJR remove Claire and Laoghaire remove Jamie, as the rules say, or the other way "
        "round, as in example 1?",
        "RULINGS 1.6 Q1",
        values=("text", "swapped"),
        title="Who BJR and Laoghaire remove",
        answers=("as the rules say", "swapped"),
    ),
    Option(
        "bl_pair",
        "plain",
        "Does a pair of BJR and Laoghaire cost 3 points and also remove faces, or only cost 3 points?",
        "RULINGS 1.6 Q1",
        values=("plain", "absorbs"),
        title="Pair of BJR and Laoghaire",
        answers=("costs 3 and removes faces", "only costs 3"),
    ),
    Option(
        "cj_pairs",
        "after",
        "Do you count pairs of Claire and Jamie after faces are removed, or before?",
        "RULINGS 1.6 Q2",
        values=("after", "before"),
        title="Pairs of Claire and Jamie",
        answers=("after removal", "before removal"),
    ),
    Option(
        "special_scope",
        "final",
        "For the special score (six Claires and Jamies), do you count the dice and the card, or "
        "the dice only?",
        "RULINGS 1.6 Q3",
        values=("final", "dice"),
        title="What counts for the special score",
        answers=("dice and card", "dice only"),
    ),
    Option(
        "special_blocks_card",
        False,
        "Does “no additional scoring” (six Claires and Jamies) also cancel points that a card gives?",
        "RULINGS 1.6 Q4",
        title="Special score cancels card points",
    ),
)
"""The options that change what a table of faces scores."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Faces of one kind taken away by a villain and given back by a helper."""

    face: Face
    villain: Face
    helper: Face
    taken: int
    returned: int


def turn_lines(
    dice: Mapping[Face, int], faces: Mapping[Face, int], card_points: int, options: Options
) -> tuple[Line, ...]:
    """The breakdown of a turn: `dice` counts the six dice, `faces` the final faces, card included."""
    tested = dice if options.text("special_scope") == "dice" else faces
    special = _special(tested)
    lines = [special] if special else list(plain_lines(faces, options))
    if card_points and special and options.flag("special_blocks_card"):
        lines.append(line("card points: no additional scoring", 0, "house-special_blocks_card"))
    elif card_points:
        lines.append(line("points from the card", card_points, "card"))
    return tuple(lines)


def plain_lines(faces: Mapping[Face, int], options: Options) -> tuple[Line, ...]:
    """Everything but the special payoffs, in the order of the document."""
    n = {face: faces.get(face, 0) for face in FACES}
    lines = [line("{n} {face:face}, 1 point each", n[f], "faces", n=n[f], face=f) for f in FACES[:2] if n[f]]
    left = dict(n)
    for lost in losses(n, options):
        left[lost.face] -= lost.taken - lost.returned
        words = {"n": lost.taken, "face": lost.face, "villain": lost.villain}
        if lost.taken:
            lines.append(line("{villain:face} removes {n} {face:face}", -lost.taken, "villains", **words))
        words = {"n": lost.returned, "face": lost.face, "helper": lost.helper}
        if lost.returned:
            lines.append(line("{helper:face} restores {n} {face:face}", lost.returned, "villains", **words))
    for face in ("jenny", "murtagh"):
        if n[face]:
            each = EACH[face]
            lines.append(
                line(
                    "{n} {face:face}, {each:points} each",
                    each * n[face],
                    "faces",
                    n=n[face],
                    face=face,
                    each=each,
                )
            )
    for one, other, each in PAIRS:
        counts = left if one == "claire" and options.text("cj_pairs") == "after" else n
        if pairs := min(counts[one], counts[other]):
            rule = "{pairs:count pair pairs} of {one:face} and {other:face} at {each:signed}"
            lines.append(line(rule, each * pairs, "pairs", pairs=pairs, one=one, other=other, each=each))
    return tuple(lines) or (line("no face scores, and there are no pairs", 0, "faces"),)


def removals(options: Options) -> Mapping[Face, tuple[Face, Face]]:
    """Whom each villain takes away, and who gives it back."""
    claire, jamie = ("jamie", "claire") if options.text("removal") == "swapped" else ("claire", "jamie")
    return {"bjr": (claire, "geillis"), "laoghaire": (jamie, "dougal")}


def losses(n: Mapping[Face, int], options: Options) -> tuple[Lost, ...]:
    """What the villains take and the helpers give back; a helper gives back only what was taken."""
    absorbed = min(n["bjr"], n["laoghaire"]) if options.text("bl_pair") == "absorbs" else 0
    found: list[Lost] = []
    for villain, (face, helper) in removals(options).items():
        taken = min(n[face], n[villain] - absorbed)
        found.append(Lost(face, villain, helper, taken, min(taken, n[helper])))
    return tuple(found)


def _special(tested: Mapping[Face, int]) -> Line | None:
    claires, jamies = tested.get("claire", 0), tested.get("jamie", 0)
    if sum(tested.values()) != 6 or claires + jamies != 6:
        return None
    if claires == jamies:
        return line("three Claires and three Jamies, no additional scoring", 12, "special-six")
    return line("Claires and Jamies on all six dice, no additional scoring", 10, "special-six")
