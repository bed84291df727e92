"""The chances people ask for at the table, game by game, out of tests.scoring.odds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from scoring.dice import Dice, Face
from scoring.games.cats import called_shot, cat_dice, everyone_scores, five_dice, pairs
from scoring.games.meet_fate import game as meet_fate
from scoring.games.meet_fate import sheet as meet_fate_sheet
from scoring.games.outlander import score as outlander_score
from scoring.options import Options
from tests.scoring.odds import Chase, Counts, always_keeping, count, mean, of_faces, spread, throws, total

FATE_DICE = Dice("fate", 6, meet_fate_sheet.FACES)

CONDITIONS = tuple(box for box in meet_fate_sheet.BOXES if box not in (*meet_fate_sheet.FACES, "chance"))
"""Meet Fate's boxes that a roll can miss."""


@cache
def fate_chase(box: str, options: Options) -> Chase:
    """Best play for one box of Meet Fate alone."""
    return Chase(
        FATE_DICE, lambda counts: int(meet_fate_sheet.qualifies(box, counts, options)), meet_fate.THROWS
    )


@cache
def eights_chase() -> Chase:
    """Best play for six eights (shown at any moment of the turn)."""
    return Chase(FATE_DICE, lambda counts: int(counts[-1] == FATE_DICE.count), meet_fate.THROWS)


def box_chances(lying: tuple[Face, ...], left: int, options: Options) -> tuple[tuple[str, Fraction], ...]:
    """For each box of Meet Fate that a roll can miss, the chance to meet it by best play for it alone.

    `lying` is () before the first throw; `left` counts the throws to come.
    """
    return tuple(
        (box, fate_chase(box, options).best(lying, left) if lying else fate_chase(box, options).fresh(left))
        for box in CONDITIONS
    )


@dataclass(frozen=True, slots=True)
class DeclarationChances:
    """A declaration in Called Shot: the chance of any points, and the mean points of a roll."""

    any_points: Fraction
    mean: Fraction


def declaration_chances(declared: str) -> DeclarationChances:
    """What a declaration is worth in Called Shot (RULINGS 3.4: exactly 1, or 215/216 for "no" a face)."""
    dice = cat_dice.dice(3)
    points = of_faces(dice, lambda faces: called_shot.payoff(declared, faces)[1])
    return DeclarationChances(mean(dice, lambda counts: int(points(counts) > 0)), mean(dice, points))


@dataclass(frozen=True, slots=True)
class PairsChances:
    """The declarer's own roll in Pairs."""

    win: Fraction
    lose: Fraction
    goes_on: Fraction


def pairs_chances(declared: str) -> PairsChances:
    """How the declarer's roll can end."""
    dice = cat_dice.dice(2)

    def outcome(wanted: int | None) -> Fraction:
        def fits(faces: tuple[Face, ...]) -> int:
            lines = pairs.declared_lines(declared, faces)
            return int((lines[0].points > 0 if lines else None) == wanted)

        return mean(dice, of_faces(dice, fits))

    return PairsChances(outcome(True), outcome(False), outcome(None))


@dataclass(frozen=True, slots=True)
class SetPhaseChances:
    """Each roll of the set phase in Pairs, and the mean number of rolls before the winning one."""

    matching_pair: Fraction
    other_pair: Fraction
    repeat: Fraction
    goes_on: Fraction
    mean_before: Fraction


def set_phase_chances(set_roll: tuple[Face, Face], count_set_roll: bool = True) -> SetPhaseChances:
    """The chances of a roll once `set_roll` is set, and how long the phase lasts on average.

    Rolls before the winning one: the failures of a geometric law, and the set roll itself where it counts.
    """
    dice = cat_dice.dice(2)
    matching = mean(dice, of_faces(dice, lambda faces: int(cat_dice.paired(faces) in set_roll)))
    any_pair = mean(dice, of_faces(dice, lambda faces: int(cat_dice.paired(faces) is not None)))
    repeat = mean(dice, of_faces(dice, lambda faces: int(sorted(faces) == sorted(set_roll))))
    ends = any_pair + repeat
    before = (1 - ends) / ends + int(count_set_roll)
    return SetPhaseChances(matching, any_pair - matching, repeat, 1 - ends, before)


@cache
def improving(before: str) -> Chase:
    """The re-roll of Everyone Scores from a hand: a higher hand scores, any other scores nothing."""
    points = everyone_scores.POINTS

    def worth(faces: tuple[Face, ...]) -> int:
        name = cat_dice.hand(faces)
        return points[name] if cat_dice.rank(name) > cat_dice.rank(before) else 0

    return Chase(five_dice.DICE, of_faces(five_dice.DICE, worth), 1)


@dataclass(frozen=True, slots=True)
class RerollAdvice:
    """The best to do with a hand of five: the dice to keep (all is to stand) and the mean points."""

    keep: tuple[Face, ...]
    mean: Fraction


def best_reroll(lying: tuple[Face, ...]) -> RerollAdvice:
    """The best keep in Everyone Scores when the one re-roll is allowed (RULINGS 3.6)."""
    name = cat_dice.hand(lying)
    stands = Fraction(everyone_scores.POINTS[name])
    chase = improving(name)
    keep = chase.keep(lying, 1)
    again = chase.keeping(keep, 1)
    return RerollAdvice(lying, stands) if stands >= again else RerollAdvice(keep, again)


def everyone_scores_mean(reroll: bool) -> Fraction:
    """The mean points of a round of Everyone Scores, with best play where the re-roll is allowed."""
    dice, points = five_dice.DICE, everyone_scores.POINTS
    if not reroll:
        return mean(dice, of_faces(dice, lambda faces: points[cat_dice.hand(faces)]))
    best = {name: Fraction(0) for name in cat_dice.HANDS}
    ways = dict.fromkeys(cat_dice.HANDS, 0)
    for counts, comes in throws(dice):
        faces = spread(dice, counts)
        name = cat_dice.hand(faces)
        if not ways[name]:  # all rolls of one hand differ in the names of their faces only
            best[name] = best_reroll(faces).mean
        ways[name] += comes
    return sum((best[name] * ways[name] for name in cat_dice.HANDS), Fraction(0)) / total(dice)


OUTLANDER_DICE = Dice("outlander", 6, outlander_score.FACES)
"""Six fair eight-siders with one of each face: a model, not the real dice (RULINGS 1.7)."""


@cache
def outlander_chase(options: Options) -> Chase:
    """Best play for Outlander's score with its one re-roll of at most two dice, no card."""

    def worth(counts: Counts) -> int:
        faces = dict(zip(outlander_score.FACES, counts, strict=True))
        return sum(one.points for one in outlander_score.turn_lines(faces, faces, 0, options))

    return Chase(OUTLANDER_DICE, worth, 2, rerolled=2)


ANIMALS = ("emu", "kangaroo", "koala", "platypus", "monitor-lizard")

JOKER = "joker"


def outback_dice(number: int) -> Dice:
    """Outback's dice: six, or seven for Plus."""
    return Dice("outback", number, (*ANIMALS, JOKER))


def biggest_group(counts: Counts, animals: int = len(ANIMALS)) -> int:
    """The biggest group of one of the first `animals` kinds; jokers join it, but never stand alone."""
    jokers = counts[-1]
    return max((n + jokers for n in counts[:animals] if n), default=0)


def group_chance(number: int, size: int, kinds: int = len(ANIMALS)) -> Fraction:
    """One throw of so many Outback dice: the chance of a group of `size` of any of `kinds` on the jeep."""
    return Fraction(group_count(number, size, kinds), total(outback_dice(number)))


def group_count(number: int, size: int, kinds: int = len(ANIMALS)) -> int:
    """In how many ordered throws there is such a group (RULINGS 5.9)."""
    return count(outback_dice(number), lambda counts: int(biggest_group(counts, kinds) >= size))


def chosen_animal_chance(number: int, size: int, throws_left: int = 3) -> Fraction:
    """The chance of a group of one chosen animal when it and the jokers are always kept (RULINGS 5.9)."""
    dice = outback_dice(number)
    kept = frozenset({ANIMALS[0], JOKER})
    return always_keeping(dice, lambda counts: int(biggest_group(counts, 1) >= size), kept, throws_left)
