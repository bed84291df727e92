"""Outlander's one re-roll of at most two dice, with and without the cards whose text is known (RULINGS 1.4).

Exact for the given chances of the faces: equal, entered, or estimated (and then called an estimate).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from advice.adviser import Adviser, Asked, Flag, Given, Looked, Moment, Typed, gave_away, steps
from advice.lattice import Counts, Floats, Throwing, checked, counts_of, faces_of, lattice, parts
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import hold, why_best
from advice.uneven import Likeliness, even
from messages.message import Message, message
from scoring.actions import Hold, Play, Roll, Stand
from scoring.dice import Face, named
from scoring.games.outlander.cards import PRINTED
from scoring.games.outlander.game import MOST_REROLLED
from scoring.games.outlander.score import FACES, plain_lines, turn_lines
from scoring.games.outlander.turn import OutlanderState
from scoring.match import Match
from scoring.options import Options

GAME = "outlander"
DICE = 6
UNIT = "points this turn"


@dataclass(frozen=True, slots=True)
class CardEffect:
    """The effect of a card on a finished roll: faces added or removed, points, or all dice of one face thrown again."""

    name: str
    added: tuple[tuple[Face, int], ...] = ()
    points: int = 0
    again: bool = False


NO_CARD, PLAYED = CardEffect("no card"), "card already played"
KNOWN_CARDS = tuple(CardEffect(one.title, one.added, again=bool(one.again)) for one in PRINTED.values())
"""The two cards whose text the rules print; the effects of others are entered."""


def played(state: OutlanderState) -> CardEffect:
    """The effect so far of this turn's card, if it was played before the re-roll."""
    if not state.adjusted and not state.card_points:
        return NO_CARD
    return CardEffect(PLAYED, state.adjusted, state.card_points)


class Reroll:
    """The re-roll, for one set of options and one set of face chances."""

    def __init__(self, options: Options, likely: Likeliness) -> None:
        """Nothing is worked out before it is asked for."""
        self._options, self.likely = options, likely
        self._over = lattice(DICE, len(FACES))
        self._throwing = Throwing(self._over, 1, None if likely.even else likely.chances)
        self._turns: dict[CardEffect, tuple[Floats, tuple[Floats, ...], Floats]] = {}

    def ask(self, faces: Sequence[Face], card: CardEffect = NO_CARD, left: int = 1) -> Advice:
        """Which dice to throw again before the card is played. Raises NoAdviceError for impossible dice."""
        counts = check_dice(faces, left)
        stands = RatedChoice(message("score these dice"), None, self.worth(counts, card))
        choices = ranked([stands, *(self._holds(counts, card) if left else ())])
        best = choices[0]
        said = best.said
        if card != NO_CARD and card.name != PLAYED:
            said = message("{first}, then play the card “{card}”", first=best.said, card=card.name)
        figures = [("standing", stands.worth)]
        for other in (NO_CARD, *KNOWN_CARDS) if card.name != PLAYED else ():
            if other != card and left:
                first = ranked(
                    [
                        RatedChoice(message("score these dice"), None, self.worth(counts, other)),
                        *self._holds(counts, other),
                    ]
                )[0]
                figures.append((f"{other.name}: best {first.words}", first.worth))
        return Advice(
            GAME,
            UNIT,
            choices,
            (said,),
            (why_best(choices, UNIT),),
            message("{likely}; {card:rule}", likely=self.likely.said, card=card.name),
            self.likely.exact,
            tuple(figures),
        )

    def worth(self, counts: Counts, card: CardEffect = NO_CARD) -> float:
        """The value of the final dice, card included."""
        return float(self._turn(card)[0][self._over.place(counts)])

    def hold_worth(self, counts: Counts, card: CardEffect = NO_CARD) -> float:
        """The value of keeping so many dice of each face and throwing the others."""
        return float(self._turn(card)[1][sum(counts)][self._over.place(counts)])

    def best_worth(self, counts: Counts, card: CardEffect = NO_CARD) -> float:
        """The value of dice before the re-roll."""
        return float(self._turn(card)[2][self._over.place(counts)])

    def fresh(self, card: CardEffect = NO_CARD) -> float:
        """The value of a turn before its first throw."""
        return float(self._over.chances(self.likely.chances) @ self._turn(card)[2])

    def _holds(self, counts: Counts, card: CardEffect) -> list[RatedChoice]:
        found: list[RatedChoice] = []
        for part in parts(counts):
            if DICE - MOST_REROLLED <= sum(part) < DICE:
                faces = faces_of(FACES, part)
                found.append(RatedChoice(_again(counts, part), Hold(faces), self.hold_worth(part, card)))
        return found

    def _turn(self, card: CardEffect) -> tuple[Floats, tuple[Floats, ...], Floats]:
        """Values of final rolls, of kept multisets by size, and of rolls before the re-roll."""
        if card not in self._turns:
            final = points_of_rolls(self._options, card.added, card.points)[:, None]
            if card.again:
                final = self._one_face_again(final)
            kept = tuple(one[:, 0].copy() for one in self._throwing.thrown(final))
            rolls = self._throwing.best_kept(DICE - MOST_REROLLED)[:, 0].copy()
            self._turns[card] = final[:, 0].copy(), kept, rolls
        return self._turns[card]

    def _one_face_again(self, final: Floats) -> Floats:
        """For every roll, the best of its faces to throw all dice of again."""
        kept = self._throwing.thrown(final)
        best = np.empty_like(final)
        for i, counts in enumerate(self._over.by_size[-1]):
            without = [(*counts[:f], 0, *counts[f + 1 :]) for f, n in enumerate(counts) if n]
            best[i, 0] = max(kept[sum(one)][self._over.place(one), 0] for one in without)
        return best


@lru_cache(maxsize=32)
def points_of_rolls(options: Options, added: tuple[tuple[Face, int], ...] = (), points: int = 0) -> Floats:
    """The score of each of the 1,716 rolls with the faces and points that a card adds; by the rules of `scoring`."""
    scores: list[float] = []
    for counts in lattice(DICE, len(FACES)).by_size[-1]:
        dice = {face: n for face, n in zip(FACES, counts, strict=True) if n}
        faces = dict(dice)
        for face, n in added:
            faces[face] = max(0, faces.get(face, 0) + n)
        lovers = min(_only_lovers(dice), _only_lovers(faces))
        # Except for the special six, the full breakdown only adds a line of no points, and takes three times as long.
        lines = turn_lines(dice, faces, points, options) if lovers == 0 else plain_lines(faces, options)
        scores.append(sum(one.points for one in lines) + (points if lovers else 0))
    return np.array(scores, dtype=np.float64)


def check_dice(faces: Sequence[Face], left: int) -> Counts:
    """Six dice as counts. Raises NoAdviceError."""
    counts = checked(FACES, DICE, faces)
    if left not in (0, 1):
        raise NoAdviceError("you may throw again once: expected 0 or 1 throws left, got {left}", left=left)
    return counts


def _again(counts: Counts, kept: Counts) -> Message:
    """The dice that are thrown again."""
    thrown = faces_of(FACES, [all_of - stays for all_of, stays in zip(counts, kept, strict=True)])
    return message("throw {faces:faces} again", faces=thrown)


def _only_lovers(counts: Mapping[Face, int]) -> int:
    """Number of faces that are neither Claire nor Jamie."""
    return sum(n for face, n in counts.items() if face not in ("claire", "jamie"))


class OutlanderAdviser(Adviser):
    """The re-roll, with the given chances of the faces."""

    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("--card", "NAME", "the card you will play, if its text is known"),
        Flag("--add", "FACE=N", "faces your card adds", "faces"),
    )

    def __init__(self, given: Given | None = None) -> None:
        """Nothing is worked out before it is asked for."""
        super().__init__(given)
        self._heads: dict[Options, Reroll] = {}

    def head(self, options: Options) -> Reroll:
        """The re-roll of fair dice with these readings of the rules."""
        if options not in self._heads:
            self._heads[options] = Reroll(options, even(FACES))
        return self._heads[options]

    def at_table(self, match: Match) -> Asked:
        """Before the re-roll, unless a card is being played."""
        state: OutlanderState = match.state
        if state.rolling or state.stage != "dice" or state.rerolled:
            raise NoAdviceError(
                "advice is only for the second throw: ask after the first one, before you throw "
                "again or play a card"
            )
        return lambda: self.head(state.options).ask(state.dice, played(state))

    def typed(self, asked: Typed) -> Advice:
        """With the card to be played: a known one, or one that adds faces."""
        added, title = asked.given.get("add"), asked.given.get("card")
        if added and title is not None:
            raise ValueError("expected --card or --add, got both")
        card = CardEffect("the card's faces", tuple(sorted(added.items()))) if added else NO_CARD
        if title is not None:
            known = {one.name: one for one in KNOWN_CARDS}
            card = known[named(title, known, "a card Tableside knows")]
        return Reroll(asked.options, asked.likely).ask(asked.roll(), card, asked.throws(1))

    def look_back(self, match: Match) -> Looked:
        """The dice of each turn; cards are ignored."""
        return Looked(self._moments(match), assumed=message("fair dice; cards are left out"))

    def _moments(self, match: Match) -> Iterator[Moment]:
        head, either = self.head(match.state.options), match.state.options.text("card_timing") == "either"
        for number, before, action, _ in steps(match):
            player = before.turn
            if before.stage != "dice":
                continue
            if isinstance(action, Roll):
                counts, card = check_dice(action.faces, 1), played(before)
                if before.rerolled:
                    luck = head.worth(counts, card) - head.hold_worth(counts_of(FACES, before.kept), card)
                    yield Moment(number, player, luck=luck, did=message("threw again"))
                else:
                    yield Moment(number, player, luck=head.best_worth(counts) - head.fresh(), first=True)
            elif isinstance(action, Play) and not before.rerolled:
                counts, card, move = check_dice(before.dice, 1), played(before), action.move
                if isinstance(move, Hold):
                    worth, did = head.hold_worth(counts_of(FACES, move.keep), card), hold(move.keep)
                elif isinstance(move, Stand) or not either:
                    worth, did = head.worth(counts, card), message("score these dice")
                else:
                    continue
                better = head.ask(before.dice, card).best.said
                yield gave_away(number, player, head.best_worth(counts, card), worth, did, better)


ADVISERS = {"outlander": OutlanderAdviser}
