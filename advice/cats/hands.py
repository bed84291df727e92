"""The one re-roll in Everyone Scores and Quintuples, exact (RULINGS 3.5, 3.6).

After a re-roll only a higher hand counts, so each kept multiset has a chance of each higher hand. Everyone Scores is
about points, Quintuples about beating as many players as possible: hands on the table are known, and players yet to
roll are assumed to maximise their own points of the round, computed backwards from the last player.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from advice.adviser import Adviser, Asked, Flag, Given, Looked, Moment, Typed, gave_away, sizes, steps
from advice.lattice import Counts, Floats, Throwing, checked, faces_of, lattice, parts
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import LEFT_OUT, hold, told, why_best
from messages.message import Message, message
from scoring.actions import Hold, Move, Play, Roll, Stand
from scoring.dice import Face, named
from scoring.games.cats import cat_dice
from scoring.games.cats.everyone_scores import POINTS
from scoring.games.cats.five_dice import Hand
from scoring.games.cats.quintuples import standing
from scoring.match import Match
from scoring.options import Options

DICE = 5
spread = partial(faces_of, cat_dice.FACES)
RANKS = len(cat_dice.HANDS)
STANDINGS = RANKS + 1
"""The standings that others compare with: nothing (0), or the hands from the lowest (1) up."""

MOST_TO_COME = 5
"""Most players yet to roll in Quintuples for an exact answer."""


@lru_cache(maxsize=1)
def rank_of_rolls() -> Floats:
    """The rank of each of the 252 rolls, from 0."""
    rolls = lattice(DICE, len(cat_dice.FACES)).by_size[-1]
    return np.array([cat_dice.rank(cat_dice.hand(spread(counts))) for counts in rolls])


@lru_cache(maxsize=1)
def rank_chances() -> tuple[Floats, ...]:
    """For every kept multiset, by size, the chance of each hand after the other dice are thrown: (number, 7)."""
    over = lattice(DICE, len(cat_dice.FACES))
    shows = (rank_of_rolls()[:, None] == np.arange(RANKS)).astype(np.float64)
    return tuple(one.copy() for one in Throwing(over, RANKS).thrown(shows))


def everyone_scores(faces: Sequence[Face], left: int = 1) -> Advice:
    """The best dice to throw again in Everyone Scores, with the value of every other choice."""
    points = np.array([POINTS[name] for name in cat_dice.HANDS], dtype=np.float64)
    counts, before = check_dice(faces, left)
    found = [RatedChoice(message("score these dice"), Stand(), float(points[before]))]
    for keep, chances in keeps(counts) if left else ():
        found.append(_hold(keep, float((points * (np.arange(RANKS) > before)) @ chances)))
    choices = ranked(found)
    unit = "points this round"
    assumes = message(
        "fair dice, playing for the most points this round; a second throw that does not improve "
        "the hand scores nothing"
    )
    return Advice(
        "everyone-scores", unit, choices, (_said(choices[0]),), (why_best(choices, unit), LEFT_OUT), assumes
    )


class QuintuplesRound:
    """Points of a round of Quintuples; `reroll` and `failed_rank` are options of the game."""

    def __init__(self, reroll: bool = True, failed_rank: str = "table") -> None:
        """List the choices of every hand once: faces are interchangeable, so one roll represents its hand."""
        self.failed_rank, self.reroll = failed_rank, reroll
        over, ranks = lattice(DICE, len(cat_dice.FACES)), rank_of_rolls()
        self._ways = np.array([over.chances()[ranks == rank].sum() for rank in range(RANKS)])
        hands = [over.by_size[-1][int(np.argmax(ranks == rank))] for rank in range(RANKS)]
        options = [self._options(rank, counts) for rank, counts in enumerate(hands)]
        most = max(len(scores) for scores, _ in options)
        self._scoring, self._standing = np.zeros((RANKS, most, RANKS)), np.zeros((RANKS, most, STANDINGS))
        for rank, (scores, stands) in enumerate(options):
            self._scoring[rank, : len(scores)], self._standing[rank, : len(stands)] = scores, stands
        self._later = lru_cache(maxsize=50_000)(self._later_below)

    def _options(self, rank: int, counts: Counts) -> tuple[Floats, Floats]:
        """For staying (first) and each re-roll of a hand: the chances of scoring hands, and of standings."""
        higher = np.arange(RANKS) > rank
        scores, stands = [np.eye(RANKS)[rank]], [np.eye(STANDINGS)[rank + 1]]
        for _, chances in keeps(counts) if self.reroll else ():
            stood = np.concatenate([[0.0], chances if self.failed_rank == "table" else chances * higher])
            if self.failed_rank != "table":
                stood[rank + 1 if self.failed_rank == "before" else 0] += chances[~higher].sum()
            scores.append(chances * higher)
            stands.append(stood)
        return np.array(scores), np.array(stands)

    def ask(self, faces: Sequence[Face], others: Sequence[int], to_come: int = 0, left: int = 1) -> Advice:
        """The best choice with a hand, given the others' standings and the number of players yet to roll.

        `others` are standings: 0 for nothing, 1 for a pair up to 7 for five of a kind.
        """
        counts, rank = check_dice(faces, left)
        own = self._own(_table(others), check_to_come(to_come))
        found = [RatedChoice(message("score these dice"), Stand(), float(own[rank]))]
        for keep, chances in keeps(counts) if left and self.reroll else ():
            found.append(_hold(keep, float((own * (np.arange(RANKS) > rank)) @ chances)))
        choices = ranked(found)
        unit = "players beaten this round"
        assumes = message("fair dice, everyone playing for the most points this round")
        return Advice(
            "quintuples", unit, choices, (_said(choices[0]),), (why_best(choices, unit), LEFT_OUT), assumes
        )

    def fresh(self, others: Sequence[int], to_come: int) -> float:
        """The mean points of a player about to roll, with so many more to roll afterwards."""
        own = self._own(_table(others), check_to_come(to_come))
        return float(self._ways @ (self._scoring @ own).max(axis=1))

    def _own(self, table: tuple[int, ...], to_come: int) -> Floats:
        """For each final hand, the number of players it beats, on the table and yet to roll."""
        below = np.concatenate([[0], np.cumsum(table)])[1:STANDINGS].astype(np.float64)
        if to_come:
            after = [self._later(_added(table, rank + 1), to_come)[rank] for rank in range(RANKS)]
            below = below + np.array(after)
        return below

    def _later_below(self, table: tuple[int, ...], players: int) -> Floats:
        """For each hand, the mean number of players yet to roll that it will beat."""
        stands = self._next_stands(table, players)
        worth = np.concatenate([[0.0], np.cumsum(stands)])[1:STANDINGS]
        if players > 1:
            for standing in range(STANDINGS):
                if stands[standing] > 0:
                    worth = worth + stands[standing] * self._later(_added(table, standing), players - 1)
        return worth

    def _next_stands(self, table: tuple[int, ...], players: int) -> Floats:
        """The chance of each standing of the next player, under best play."""
        best = (self._scoring @ self._own(table, players - 1)).argmax(axis=1)
        return np.asarray(self._ways @ self._standing[np.arange(RANKS), best], dtype=np.float64)


def rolls_with_chances() -> tuple[list[Counts], Floats]:
    """Every roll of five dice, and its probability."""
    over = lattice(DICE, len(cat_dice.FACES))
    return over.by_size[-1], over.chances()


def keeps(counts: Counts) -> list[tuple[Counts, Floats]]:
    """The possible holds of a hand (except all of it), with the chance of each hand after the re-roll."""
    over, chances = lattice(DICE, len(cat_dice.FACES)), rank_chances()
    found = [part for part in parts(counts) if sum(part) < DICE]
    return [(part, chances[sum(part)][over.place(part)]) for part in found]


def check_dice(faces: Sequence[Face], left: int) -> tuple[Counts, int]:
    """Five dice as counts, and the rank of their hand. Raises NoAdviceError."""
    counts = checked(cat_dice.FACES, DICE, faces)
    if left not in (0, 1):
        raise NoAdviceError("you may throw again once: expected 0 or 1 throws left, got {left}", left=left)
    return counts, cat_dice.rank(cat_dice.hand(faces))


def check_to_come(players: int) -> int:
    """Raises NoAdviceError if too many players are yet to roll."""
    if not 0 <= players <= MOST_TO_COME:
        raise NoAdviceError(
            "expected 0 to {most} players yet to roll, got {players}", most=MOST_TO_COME, players=players
        )
    return players


def _hold(keep: Counts, worth: float) -> RatedChoice:
    faces = spread(keep)
    return RatedChoice(hold(faces), Hold(faces), worth)


def _said(best: RatedChoice) -> Message:
    return told(best, DICE) if isinstance(best.move, Hold) else message("score these dice")


def _table(others: Sequence[int]) -> tuple[int, ...]:
    table = tuple(list(others).count(standing) for standing in range(STANDINGS))
    if sum(table) != len(others):
        raise NoAdviceError(
            "standings: expected numbers from 0 to {most}, got {got}", most=RANKS, got=str(list(others)[:12])
        )
    return table


def _added(table: tuple[int, ...], standing: int) -> tuple[int, ...]:
    return (*table[:standing], table[standing] + 1, *table[standing + 1 :])


class HandsAdviser(Adviser):
    """A hand of five dice: which ones to roll again."""

    def at_table(self, match: Match) -> Asked:
        """Asks if re-rolls are agreed on and there is a hand on the table."""
        turn = match.state.turn
        if not match.state.options.flag("reroll"):
            raise NoAdviceError("your house rules do not allow throwing again: there is nothing to decide")
        if not turn.roll or turn.kept is not None:
            raise NoAdviceError("throw the dice first: there is nothing to decide yet")
        return lambda: self.about(match.state, turn.roll)

    def look_back(self, match: Match) -> Looked:
        """The points of each round."""
        return Looked(self._moments(match))

    @abstractmethod
    def about(self, state: Any, faces: Sequence[Face], left: int = 1) -> Advice:
        """Advice on the current player's hand, with so many re-rolls left."""

    @abstractmethod
    def fresh(self, state: Any) -> float:
        """The value of the turn before its throw."""

    @abstractmethod
    def scored(self, state: Any, hand: Hand) -> float:
        """The value of a final hand that did not fail."""

    def _moments(self, match: Match) -> Iterator[Moment]:
        reroll = int(match.state.options.flag("reroll"))
        for number, before, action, _ in steps(match):
            turn, player = before.turn, before.turn.player
            if isinstance(action, Roll) and turn.kept is None:
                luck = self.about(before, action.faces, reroll).best.worth - self.fresh(before)
                yield Moment(number, player, luck=luck, first=True)
            elif isinstance(action, Roll):
                was = self._worths(before)[_sorted_hold(turn.kept)]
                hand = Hand(action.faces, cat_dice.hand(turn.roll))
                now = 0.0 if hand.failed else self.scored(before, hand)
                yield Moment(number, player, luck=now - was, did=message("threw again"))
            elif isinstance(action, Play):
                choices, move = self._worths(before), action.move
                move = _sorted_hold(move.keep) if isinstance(move, Hold) else move
                best = max(choices, key=choices.__getitem__)
                yield gave_away(number, player, choices[best], choices[move], _told(move), _told(best))

    def _worths(self, state: Any) -> Mapping[Move, float]:
        choices = self.about(state, state.turn.roll).choices
        return {one.move: one.worth for one in choices if one.move is not None}


class EveryoneScoresAdviser(HandsAdviser):
    """Everyone Scores: the points of the round."""

    def typed(self, asked: Typed) -> Advice:
        """About a hand."""
        return everyone_scores(asked.roll(), asked.throws(1))

    def about(self, state: Any, faces: Sequence[Face], left: int = 1) -> Advice:
        """In points."""
        return everyone_scores(faces, left)

    def fresh(self, state: Any) -> float:
        """The mean points of a round."""
        return _mean_round(int(state.options.flag("reroll")))

    def scored(self, state: Any, hand: Hand) -> float:
        """Its points."""
        return float(POINTS[hand.name])


class QuintuplesAdviser(HandsAdviser):
    """Quintuples: the players beaten in the round."""

    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("--others", "A,B", "the hands on the table", "words"),
        Flag("--to-come", "N", "players who roll after you", "number"),
    )

    def __init__(self, given: Given | None = None) -> None:
        """Computes nothing until it is asked."""
        super().__init__(given)
        self._rounds: dict[Options, QuintuplesRound] = {}

    def typed(self, asked: Typed) -> Advice:
        """About a hand, given those on the table."""
        hands = (named(one, cat_dice.HANDS, "a hand of five") for one in asked.given.get("others", ()))
        others = [cat_dice.rank(hand) + 1 for hand in hands]
        head = QuintuplesRound(True, asked.options.text("failed_reroll_rank"))
        return head.ask(asked.roll(), others, asked.given.get("to_come", 0), asked.throws(1))

    def look_back(self, match: Match) -> Looked:
        """The points of each round. Raises NoAdviceError for too many players."""
        if (players := max(sizes(match))) - 1 > MOST_TO_COME:
            raise NoAdviceError(
                "quintuples: luck can be worked out for up to {most} players, not for {players}",
                most=MOST_TO_COME + 1,
                players=players,
            )
        return super().look_back(match)

    def about(self, state: Any, faces: Sequence[Face], left: int = 1) -> Advice:
        """Given the hands on the table and the players yet to roll."""
        return self._round(state.options).ask(faces, *self._around(state), left)

    def fresh(self, state: Any) -> float:
        """The mean number of players beaten."""
        return self._round(state.options).fresh(*self._around(state))

    def scored(self, state: Any, hand: Hand) -> float:
        """The value of keeping the hand."""
        return self.about(state, hand.faces, 0).best.worth

    def _round(self, options: Options) -> QuintuplesRound:
        if options not in self._rounds:
            failed = options.text("failed_reroll_rank")
            self._rounds[options] = QuintuplesRound(options.flag("reroll"), failed)
        return self._rounds[options]

    def _around(self, state: Any) -> tuple[list[int], int]:
        failed = state.options.text("failed_reroll_rank")
        others = [standing(hand, failed) + 1 for hand in state.hands]
        return others, len(state.players) - 1 - len(others)


@lru_cache(maxsize=2)
def _mean_round(left: int) -> float:
    both = zip(*rolls_with_chances(), strict=True)
    return sum(float(chance) * everyone_scores(spread(counts), left).best.worth for counts, chance in both)


def _sorted_hold(keep: Sequence[Face]) -> Hold:
    return Hold(tuple(sorted(keep, key=cat_dice.FACES.index)))


def _told(move: Move) -> Message:
    return hold(move.keep) if isinstance(move, Hold) else message("score these dice")
