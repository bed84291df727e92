"""What a turn of Outlander is, and what follows in it: cards taken and drawn, points, the dice passed on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from messages.message import Message, message
from scoring.account import Line, Score, Step, line
from scoring.actions import Seated, changed
from scoring.dice import Face
from scoring.game import Added
from scoring.games.outlander.cards import Again, Card, Points
from scoring.games.outlander.score import FACES, losses, turn_lines
from scoring.options import Options

DECK = 36
"""Cards: forty less the four "Points Allotment" cards, which stay out (RULINGS 1.2)."""

HAND = 2
"""Cards dealt to each player."""


@dataclass(frozen=True, slots=True)
class OutlanderState:
    """Points, the turn, the dice, and what the card does.

    `stage` is "dice" (roll, re-roll, choose a card) or "card" (what it does); `rolling` says that a throw is
    awaited; `adjusted` are the card's changes of faces, in order; `again` is what the card lets be thrown again,
    and `printed` that its text is known. Cards are counted, never named: `hands`, `pile` and `discard` always hold all
    36 together.
    """

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    hands: tuple[int, ...]
    pile: int
    discard: int = 0
    turn: int = 0
    stage: Literal["dice", "card"] = "dice"
    rolling: bool = True
    dice: tuple[Face, ...] = ()
    kept: tuple[Face, ...] = ()
    rerolled: bool = False
    played: bool = False
    adjusted: Added = ()
    card_points: int = 0
    again: Again = ""
    printed: bool = False

    def faces(self) -> Counter[Face]:
        """The dice as they lie, and what the card adds and takes (never below none)."""
        counts = Counter(self.dice)
        for face, n in self.adjusted:
            counts[face] = max(0, counts[face] + n)
        return +counts

    def lines(self) -> tuple[Line, ...]:
        """What the turn scores as it lies."""
        return turn_lines(Counter(self.dice), self.faces(), self.card_points, self.options)


def pointed(state: OutlanderState, move: Points) -> Step[OutlanderState]:
    """Points for oneself are part of the turn's score; another's are moved at once."""
    said = message(
        "{player:name} gets {points:points} from the card.", player=move.player, points=move.points
    )
    if move.player == state.turn:
        return Step(replace(state, card_points=state.card_points + move.points), (), (said,))
    total = _total(state, move.player, move.points)
    moved = total - state.points[move.player]
    reason = line("another player’s card: {text:rule}", moved, "card", text=move.text or "points")
    after = replace(state, points=changed(state.points, move.player, total))
    return Step(after, (Score(move.player, moved, total, (reason,)),), (said,))


def scored(state: OutlanderState) -> Step[OutlanderState]:
    """The turn is scored, a card drawn, and the dice pass on."""
    player, lines = state.turn, state.lines()
    total = _total(state, player, sum(one.points for one in lines))
    points = total - state.points[player]
    if lost := points - sum(one.points for one in lines):
        lines = (*lines, line("a total never goes below 0", lost, "house-clamp_zero"))
    after = _turn_of((player + 1) % len(state.players), _drawn(state))
    after = replace(after, points=changed(state.points, player, total))
    facts = [
        message(
            "{player:name} scores {points:points}, {total} in all.", player=player, points=points, total=total
        )
    ]
    if total < state.options.number("target"):
        facts.append(message("{n:points} to go.", n=state.options.number("target") - total))
    return Step(after, (Score(player, points, total, lines),), tuple(facts))


def reseated(state: OutlanderState, change: Seated) -> OutlanderState:
    """Everyone keeps points and cards, newcomers draw theirs; a turn whose player leaves is over."""
    hands, pile, discard = list(change.carried(state.hands, 0)), state.pile, state.discard
    discard += sum(state.hands) - sum(hands)
    for player, seat in enumerate(change.seats):
        if seat is None:
            pile, discard = (pile, discard) if pile >= HAND else (pile + discard, 0)
            hands[player] = min(HAND, pile)
            pile -= hands[player]
    turn = change.turn(state.turn, begun=bool(state.dice))
    after = replace(
        state,
        points=change.carried(state.points, 0),
        hands=tuple(hands),
        pile=pile,
        discard=discard,
        turn=turn,
    )
    return after if change.now(state.turn) is not None else _turn_of(turn, after)


def _turn_of(player: int, state: OutlanderState) -> OutlanderState:
    """The player is to throw all dice; nothing of the turn before is left."""
    return OutlanderState(
        state.players, state.options, state.points, state.hands, state.pile, state.discard, turn=player
    )


def _total(state: OutlanderState, player: int, points: int) -> int:
    total = state.points[player] + points
    return max(0, total) if state.options.flag("clamp_zero") else total


def card_taken(state: OutlanderState, move: Card) -> OutlanderState:
    """The card goes to the discard; an empty draw pile is the shuffled discard first (RULINGS 1.6 Q9)."""
    if move.source == "hand":
        hands = changed(state.hands, state.turn, state.hands[state.turn] - 1)
        return replace(state, hands=hands, discard=state.discard + 1)
    pile, discard = (state.pile, state.discard) if state.pile else (state.discard, 0)
    return replace(state, pile=pile - 1, discard=discard + 1)


def _drawn(state: OutlanderState) -> OutlanderState:
    """The player has drawn at the end of the turn, as far as there are cards."""
    held = state.hands[state.turn]
    wanted = 1 if state.options.text("draw_rule") == "always-one" else max(0, HAND - held)
    taken = min(wanted, state.pile + state.discard)
    pile, discard = (state.pile, state.discard) if state.pile >= taken else (state.pile + state.discard, 0)
    return replace(
        state, hands=changed(state.hands, state.turn, held + taken), pile=pile - taken, discard=discard
    )


def as_it_lies(state: OutlanderState) -> tuple[Message, ...]:
    """The score as it lies, and what hurts."""
    counts = state.faces()
    lost = losses({face: counts[face] for face in FACES}, state.options)
    hurts = [
        message(
            "{villain:face} removes {n} {face:face}.",
            villain=one.villain,
            face=one.face,
            n=one.taken - one.returned,
        )
        for one in lost
        if one.taken > one.returned
    ]
    if pairs := min(counts["bjr"], counts["laoghaire"]):
        hurts.append(message("BJR and Laoghaire together cost {n:points}.", n=3 * pairs))
    return (
        message("Score now: {points:points}.", points=sum(one.points for one in state.lines())),
        *hurts,
    )
