"""Whether the dice were fair: observed against expected faces, with a verdict only if there are enough throws.

The statistic is Pearson's: the squared differences of observed and expected counts, divided by the expected ones. The
p-value is simulated: `DRAWS` evenings of fair dice with as many throws, from a fixed seed, and p = (1 + those at least
as uneven) / (1 + DRAWS), which is never too small, however few throws there are (Davison and Hinkley, Bootstrap
Methods, 4.2). With few throws all outcomes are enumerated instead. Among many dice one looks uneven by luck alone, so
p-values are corrected by Holm's method (1979): the chance of any false verdict stays below `LEVEL`. There is no verdict
on fewer than `FEWEST` thrown dice.

Dice that stay on the table are not thrown: only dice that were in the hand count. If the dice of a throw cannot be told
apart, they count for the set but for no single die, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial, prod

import numpy as np

from advice.lattice import Floats, lattice
from advice.record import InEnglish, NoAdviceError
from messages.message import Message, message
from scoring.actions import Roll, RollAwaited
from scoring.dice import Face, without
from scoring.match import Match

LEVEL = 0.03
"""The chance of calling fair dice unfair, over everything in one report; at most 5 % is promised."""

FEWEST = 100
"""Least number of thrown dice for a verdict."""

DRAWS = 9_999
"""Simulated evenings of fair dice; the smallest p-value is 1/10,000."""

MOST_COUNTED = 5_000
"""With up to this many possible outcomes, all are enumerated instead."""

SEED = 20261121
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class CountedThrow:
    """Dice thrown together: their faces, the player, the set, and which die is which, if known."""

    faces: tuple[Face, ...]
    player: str = ""
    set_id: str = ""
    dice: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Observed and expected counts of each face, for a die, a player or a set.

    `p` is the p-value of fair dice, `corrected` the same after correction for everything else in the report; both are
    None if there are too few throws. `unfair` is the verdict; None for no verdict.
    """

    what: str
    name: str
    observed: tuple[int, ...]
    expected: tuple[float, ...]
    p: float | None = None
    corrected: float | None = None
    unfair: bool | None = None

    @property
    def thrown(self) -> int:
        """Number of faces thrown."""
        return sum(self.observed)


@dataclass(frozen=True, slots=True)
class Fairness(InEnglish):
    """The fairness of an evening's dice; `told_apart` says whether single dice could be examined."""

    faces: tuple[Face, ...]
    tallies: tuple[Tally, ...]
    told_apart: bool
    said: tuple[Message, ...]
    reasons: tuple[Message, ...]


def throws_of(match: Match) -> tuple[CountedThrow, ...]:
    """Every throw of a match that counts: the dice in the hand, without those left on the table."""
    found: list[CountedThrow] = []
    before = match.beginning
    for one in match.played:
        if isinstance(one.action, Roll):
            awaited = next(a for a in match.game.awaits(before) if isinstance(a, RollAwaited))
            faces = without(one.action.faces, awaited.kept)
            player = match.name_now(one.number, awaited.player, before.players)
            found.append(CountedThrow(faces, player, match.game.dice.set_id))
        before = one.step.state
    return tuple(found)


def report(
    throws: Iterable[CountedThrow], faces: Sequence[Face], chances: Sequence[float] | None = None
) -> Fairness:
    """Examine every set, player and die of some throws; `chances` are those of the faces, equal by default.

    Raises NoAdviceError if a throw shows no face of these dice, or names more or fewer dice than it has.
    """
    known, even = tuple(faces), [1 / len(faces)] * len(faces)
    expected = np.asarray(even if chances is None else chances, dtype=np.float64)
    seen: dict[tuple[str, str], list[int]] = {}
    told_apart = True
    for throw in throws:
        told_apart = told_apart and throw.dice is not None
        if throw.dice is not None and len(throw.dice) != len(throw.faces):
            raise NoAdviceError(
                "a throw of {n} dice must name {n} dice, not {named}", n=len(throw.faces), named=len(throw.dice)
            )
        for i, face in enumerate(throw.faces):
            if face not in known:
                raise NoAdviceError("these dice have no face {face:quoted}; they show "
                                    "{known:row}", known=known, face=face[:40])
            names = [("set", throw.set_id or "all dice")]
            names += [("player", throw.player)] if throw.player else []
            names += [("die", throw.dice[i])] if throw.dice is not None else []
            for key in names:
                seen.setdefault(key, [0] * len(known))[known.index(face)] += 1
    tallies = [_tally(what, name, counts, expected) for (what, name), counts in sorted(seen.items())]
    judged = _corrected(tallies)
    return Fairness(known, judged, told_apart and bool(seen), *_said(judged, known, told_apart))


def p_value(observed: Sequence[int], chances: Sequence[float]) -> float:
    """The p-value of Pearson's statistic, enumerated or simulated."""
    expected = np.asarray(chances, dtype=np.float64)
    counts, number = np.asarray(observed, dtype=np.int64), int(sum(observed))
    if (counts[expected == 0] > 0).any():
        return 1 / (1 + DRAWS)
    if number == 0:
        return 1.0
    possible = expected > 0
    measure = float(uneven(counts[possible][None, :], expected[possible])[0])
    if comb(number + int(possible.sum()) - 1, number) <= MOST_COUNTED:
        return _counted(measure, number, tuple(expected[possible]))
    drawn = _drawn(number, tuple(expected[possible]))
    at_least = len(drawn) - int(np.searchsorted(drawn, measure - ROUNDING))
    return (1 + at_least) / (1 + len(drawn))


def uneven(counts: Floats | np.ndarray, chances: Floats) -> Floats:
    """Pearson's statistic of each row of counts."""
    expected = counts.sum(axis=1, keepdims=True) * chances
    return np.asarray(((counts - expected) ** 2 / expected).sum(axis=1), dtype=np.float64)


def _counted(measure: float, number: int, chances: tuple[float, ...]) -> float:
    """Every possible outcome of so many throws, each with its chance."""
    rows = lattice(number, len(chances)).rolls if len(chances) > 1 else np.array([[number]])
    ways = np.array(
        [factorial(number) // prod(map(factorial, map(int, row))) for row in rows], dtype=np.float64
    )
    weights = ways * np.prod(np.asarray(chances) ** rows, axis=1)
    return float(min(1.0, weights[uneven(rows, np.asarray(chances)) >= measure - ROUNDING].sum()))


@lru_cache(maxsize=64)
def _drawn(number: int, chances: tuple[float, ...]) -> Floats:
    """The statistics of `DRAWS` simulated evenings of dice with these chances, sorted; the same every time."""
    rng = np.random.default_rng(SEED)
    return np.sort(uneven(rng.multinomial(number, chances, size=DRAWS), np.asarray(chances)))


def _tally(what: str, name: str, counts: Sequence[int], chances: Floats) -> Tally:
    number = sum(counts)
    p = p_value(counts, tuple(chances)) if number >= FEWEST else None
    return Tally(what, name, tuple(counts), tuple(float(one) * number for one in chances), p)


def _corrected(tallies: Sequence[Tally]) -> tuple[Tally, ...]:
    """Holm: the smallest of m p-values times m, the next times m - 1, …, never below the one before it."""
    judged = sorted(
        (i for i, one in enumerate(tallies) if one.p is not None), key=lambda i: tallies[i].p or 0.0
    )
    found, least = list(tallies), 0.0
    for place, i in enumerate(judged):
        one = tallies[i]
        least = max(least, min(1.0, (len(judged) - place) * (one.p or 0.0)))
        found[i] = Tally(one.what, one.name, one.observed, one.expected, one.p, least, least <= LEVEL)
    return tuple(found)


def _said(
    tallies: Sequence[Tally], faces: Sequence[Face], told_apart: bool
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The verdict, and the reason for it."""
    judged = [one for one in tallies if one.corrected is not None]
    blind = message("the dice look alike, so no die can be checked on its own")
    apart = () if told_apart else (blind,)
    if not judged:
        most = max((one.thrown for one in tallies), default=0)
        few = message(
            "judging fairness takes {fewest} thrown dice ({n} so far)",
            n=most,
            fewest=FEWEST,
        )
        return (few,), (message("with so few throws, uneven results are normal"), *apart)
    unfair = [one for one in judged if one.unfair]
    worst = min(judged, key=lambda one: one.corrected or 0.0)
    why = message(
        "biggest difference, {which}: {extreme}; chance with fair dice: {chance}",
        which=_named(worst),
        extreme=_extreme(worst, faces),
        chance=_chance(worst),
    )
    if not unfair:
        return (message("your dice look fair"),), (why, *apart)
    fell = tuple(message("{which}: too uneven for fair dice", which=_named(one)) for one in unfair)
    return fell, (why, *apart)


def _named(one: Tally) -> Message:
    return message("{kind:rule} {name}", kind=one.what, name=one.name)


def _extreme(one: Tally, faces: Sequence[Face]) -> Message:
    """The face furthest from its expected count, in standard deviations."""
    off = [
        (abs(seen - mean) / max(mean, 1e-9) ** 0.5, face, seen, mean)
        for face, seen, mean in zip(faces, one.observed, one.expected, strict=True)
    ]
    _, face, seen, mean = max(off)
    return message(
        "{face:face} came up {seen} of {thrown} times ({mean:tenth} expected)",
        face=face,
        seen=seen,
        thrown=one.thrown,
        mean=mean,
    )


def _chance(one: Tally) -> Message:
    p = one.corrected or 0.0
    said = message("less than one in a thousand") if p < 0.001 else message("{p:percent}", p=p)
    return said if p == one.p else message("{p}, adjusted for the number of comparisons", p=said)
