"""What the five games with the cat dice share: faces, groups, hands of five, and races to a target.

The groups are proved by the sums of RULINGS 3.1: over all 216 rolls of three dice, each positive declaration
of Called Shot pays exactly 216.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from scoring.account import Outcome
from scoring.actions import refuse
from scoring.dice import Dice, Face
from scoring.options import Option

FACES: tuple[Face, ...] = ("cat", "two-cats", "sigil", "dd", "thoromyr", "manticore")
"""Each die has one of each."""

GROUPS: Mapping[str, frozenset[Face]] = MappingProxyType(
    {
        "cats": frozenset({"cat", "two-cats", "manticore"}),
        "no-cats": frozenset({"sigil", "dd", "thoromyr"}),
        "family": frozenset({"cat", "two-cats", "sigil", "thoromyr"}),
        "no-family": frozenset({"dd", "manticore"}),
    }
    | {face: frozenset({face}) for face in FACES}
    | {f"no-{face}": frozenset(FACES) - {face} for face in FACES}
)
"""The faces that each declaration names (RULINGS 3.1)."""

HANDS: tuple[str, ...] = (
    "pair", "two-pair", "three-of-a-kind", "run", "three-and-pair", "four-of-a-kind", "five-of-a-kind",
)  # fmt: skip
"""Every hand of five dice, lowest first (cat-dice, Quintuples)."""

_SHAPES: Mapping[tuple[int, ...], str] = MappingProxyType(
    {
        (2, 1, 1, 1): "pair",
        (2, 2, 1): "two-pair",
        (3, 1, 1): "three-of-a-kind",
        (1, 1, 1, 1, 1): "run",
        (3, 2): "three-and-pair",
        (4, 1): "four-of-a-kind",
        (5,): "five-of-a-kind",
    }
)

FINISH_ROUND = Option(
    "finish_round",
    False,
    "When someone reaches the target, is the round finished so that everyone has had the same "
    "number of turns?",
    "RULINGS 3.7 Q7",
    title="Finish the round",
)

TIE = Option(
    "tie",
    "shared",
    "If the best scores are equal at the end, is the win shared, or do you play more rounds until "
    "someone leads?",
    "RULINGS 3.7 Q6",
    values=("shared", "play-on"),
    title="Tie at the end",
    answers=("share the win", "play more rounds"),
)


def check_declaration(declaration: str, declarations: Sequence[str], where: str) -> None:
    """Refuse what cannot be declared."""
    if declaration not in declarations:
        refuse(
            "{declaration:quoted} is not a call; choose one of: {declarations:row}",
            where,
            declaration=declaration[:40],
            declarations=tuple(declarations),
        )


def dice(count: int) -> Dice:
    """So many cat dice."""
    return Dice("cats", count, FACES)


def target(points: int, ruling: str) -> Option:
    """The score that ends the game."""
    return Option("target", points, "The score that ends the game.", ruling, low=1, title="Points to reach")


def hand(faces: Iterable[Face]) -> str:
    """The name of a hand of five dice."""
    return _SHAPES[tuple(sorted(Counter(faces).values(), reverse=True))]


def rank(name: str) -> int:
    """How high a hand stands, from 0; faces break no ties."""
    return HANDS.index(name)


def paired(faces: Sequence[Face]) -> Face | None:
    """The face that shows twice or more among two or three dice, if any."""
    return next((face for face in FACES if faces.count(face) >= 2), None)


def leaders(points: Sequence[int]) -> tuple[int, ...]:
    """The players with the most points."""
    return tuple(player for player, score in enumerate(points) if score == max(points))


def race(points: tuple[int, ...], goal: int, at_round_end: bool, finish_round: bool) -> Outcome | None:
    """The outcome of a race to `goal`, checked at once, or at a round's end when `finish_round` is on."""
    if max(points) < goal or (finish_round and not at_round_end):
        return None
    return Outcome(leaders(points), points, "first to reach the target")


def best_of_rounds(points: tuple[int, ...], goal: int, at_round_end: bool, tie: str) -> Outcome | None:
    """The outcome of a game in rounds: the best score after the round in which someone reached `goal`."""
    winners = leaders(points)
    if max(points) < goal or not at_round_end or (tie == "play-on" and len(winners) > 1):
        return None
    return Outcome(winners, points, "highest score at the end of the last round")
