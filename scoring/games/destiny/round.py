"""What follows in Destiny: draws, powers used, cards played, and the round's total and treasure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from messages.message import N_, Message, message
from scoring.account import Line, Score, Step, line
from scoring.actions import Draw, Move, changed
from scoring.dice import without
from scoring.games.destiny import state as moves
from scoring.games.destiny.cards import CHARACTERS, GOAL, TREASURE_POINTS, TREASURES, UNKNOWN
from scoring.games.destiny.cards import DECK as DECK_CARDS
from scoring.games.destiny.legal import power_used, with_move
from scoring.games.destiny.state import HAND, PHASES, DestinyState, Side
from scoring.games.destiny.total import Total, destiny_total

DECK = "destiny deck"
TREASURE_DECK = "treasure deck"
Turn = Step[DestinyState]


PHASE_BEGINS = {
    "first-aid": N_("First Aid phase."),
    "hit": N_("Hit phase."),
    "second-aid": N_("Second Aid phase."),
    "action": N_("Action phase."),
    "base": N_("Base phase."),
    "bonus": N_("Bonus phase."),
    "multiplier": N_("Multiplier phase."),
}

LOOKED = N_("{player:name} uses the {power:face} to look at all hands.")
TRADED = N_("{player:name} uses the {power:face} to draw a card and discard one.")


def hand_of(name: str) -> str:
    """The name of the pile that a player's hand is, for a random card out of it."""
    return f"hand of {name}"


def moved(state: DestinyState, player: int, move: Move) -> Turn:
    """What follows from a decision that was checked."""
    side = state.sides[player]
    if isinstance(move, moves.Pass):
        return onward(replace(state, done=(*state.done, player)), [])
    if isinstance(move, moves.AllDone):
        return onward(replace(state, done=(*state.done, *state.waiting())), [])
    if isinstance(move, moves.Discard):
        return _discarded(state, player, move.cards)
    if isinstance(move, moves.Identify):
        after = replace(_out_of_hand(state, player, move.card), identity=move.card)
        said = message(
            "{player:name} is the {card:face}: {power:rule}.",
            player=player,
            card=move.card,
            power=CHARACTERS[move.card],
        )
        return onward(_with(state, player, after, move.card), [said])
    if isinstance(move, moves.PlayAid):
        after = replace(_out_of_hand(state, player, move.card), aid=(*side.aid, move.card))
        said = message(
            "{player:name} plays the {card:face} as Aid: {power:rule}.",
            player=player,
            card=move.card,
            power=CHARACTERS[move.card],
        )
        return onward(_with(state, player, after, move.card), [said])
    if isinstance(move, (moves.PlayBase, moves.PlayBonus, moves.PlayMultiplier)):
        after = with_move(_out_of_hand(state, player, move.card), move)
        said = message("{player:name} plays {card:face}.", player=player, card=move.card)
        if not isinstance(move, moves.PlayBase):
            said = message(
                "{player:name} plays {card:face} on {base:face}.",
                player=player,
                card=move.card,
                base=move.base,
            )
        return onward(_with(state, player, after, move.card), [said])
    if isinstance(move, moves.Transmute):
        said = message(
            "{player:name} changes {card:face} to {alignment:face}.",
            player=player,
            card=move.card,
            alignment=move.alignment,
        )
        return onward(_with(state, player, with_move(side, move)), [said])
    if isinstance(move, moves.Leave):
        said = message("{player:name} leaves {card:face} unchanged.", player=player, card=move.card)
        return onward(_with(state, player, with_move(side, move)), [said])
    return _power(state, player, move)


def _power(state: DestinyState, player: int, move: Move) -> Turn:
    power, side = power_used(move), state.sides[player]
    after = _with(state, player, replace(side, used=(*side.used, power)))
    said = [message(TRADED if isinstance(move, moves.Trade) else LOOKED, player=player, power=power)]
    if isinstance(move, moves.Assassinate):
        owner = after.sides[move.owner]
        fewer = replace(owner, aid=without(owner.aid, (move.card,)))
        after = gone(_with(after, move.owner, fewer), (move.card,))
        said = [
            message(
                "{player:name} uses the Assassin: {victim:name} loses the {card:face}.",
                player=player,
                victim=move.owner,
                card=move.card,
            )
        ]
    elif isinstance(move, moves.Steal):
        said = [
            message(
                "{player:name} steals a card from {victim:name} and discards one.",
                player=player,
                victim=move.victim,
            )
        ]
        if state.dealt:
            after = replace(after, picks=((move.victim, player),), discarding=player)
        else:
            victim = after.sides[move.victim]
            after = _with(after, move.victim, replace(victim, hand=victim.hand[1:]))
    elif isinstance(move, moves.Jest):
        said = [message("{one:name} and {other:name} swap a random card.", one=move.one, other=move.other)]
        if state.dealt:
            after = replace(after, picks=((move.one, move.other), (move.other, move.one)))
    elif isinstance(move, moves.Trade) and state.dealt:
        after = replace(after, drawing=((player, 1),), discarding=player)
    return onward(after, said)


def _discarded(state: DestinyState, player: int, cards: tuple[str, ...]) -> Turn:
    side = state.sides[player]
    side = replace(side, hand=without(side.hand, cards))
    after = replace(_with(state, player, side), discards=(*state.discards, *cards))
    said = message("{player:name} keeps the whole hand.", player=player)
    if cards:
        said = message("{player:name} discards {n:count card cards}.", player=player, n=len(cards))
    if state.discarding is not None:
        return onward(replace(after, discarding=None), [said])
    missing = max(0, side.max_hand - len(side.hand))
    return onward(replace(after, done=(*state.done, player), drawing=((player, missing),)), [said])


def drawn(state: DestinyState, draw: Draw) -> Turn:
    """Cards come out of a deck, or at random out of a hand."""
    if draw.pile == TREASURE_DECK:
        if len(draw.cards) == len(TREASURES):
            said = [message("The treasure deck is shuffled. The {first:face} is on top.", first=draw.cards[0])]
            return onward(replace(state, treasures=draw.cards, unordered=()), said)
        (prize,) = draw.cards
        after = replace(state, prize=prize, unordered=without(state.unordered, draw.cards))
        return onward(after, [_prize_fact(after)])
    if draw.pile == DECK:
        return _dealt(state, draw.cards)
    victim, taker = next(pick for pick in state.picks if hand_of(state.players[pick[0]]) == draw.pile)
    side = state.sides[victim]
    after = replace(
        _with(state, victim, replace(side, hand=without(side.hand, draw.cards))),
        picks=without_pick(state.picks, victim),
        picked=(*state.picked, (taker, draw.cards[0])),
    )
    if after.picks:
        return Step(after)
    for one, card in after.picked:
        other = after.sides[one]
        after = _with(after, one, replace(other, hand=(*other.hand, card)))
    return onward(replace(after, picked=()), [])


def without_pick(picks: tuple[tuple[int, int], ...], victim: int) -> tuple[tuple[int, int], ...]:
    """The picks that are still to be told."""
    return tuple(pick for pick in picks if pick[0] != victim)


def _dealt(state: DestinyState, cards: tuple[str, ...]) -> Turn:
    (player, wanted), *rest = state.drawing
    side = state.sides[player]
    side = replace(side, hand=(*side.hand, *cards))
    queue = ((player, wanted - len(cards)), *rest)
    said = [message("{player:name} draws {n:count card cards}.", player=player, n=len(cards))]
    after = replace(_with(state, player, side), pile=without(state.pile, cards), drawing=queue)
    complete = state.phase == "identity" and len(side.hand) == HAND
    hidden = (*side.hand, *after.pile, *after.discards)
    if complete and not any(card in CHARACTERS for card in hidden):
        sides = tuple(replace(one, hand=()) for one in state.sides)
        everyone = tuple((one, HAND) for one in range(len(sides)))
        after = replace(after, sides=sides, pile=DECK_CARDS, discards=(), drawing=everyone)
        return onward(
            after,
            [
                *said,
                message(
                    "{player:name} has no character, and the deck has none left. All cards are dealt again.",
                    player=player,
                ),
            ],
        )
    if complete and not any(card in CHARACTERS for card in side.hand):
        after = replace(
            _with(after, player, replace(side, hand=())),
            discards=(*after.discards, *side.hand),
            drawing=((player, HAND), *rest),
        )
        said.append(
            message("{player:name} has no character, discards the hand and draws a new one.", player=player)
        )
    return onward(after, said)


def onward(state: DestinyState, said: Sequence[Message]) -> Turn:
    """Go on, phase by phase, until something is awaited or the match is over."""
    facts, scores = list(said), list[Score]()
    while not state.finished:
        state = _reshuffled(state)
        if state.drawing or state.picks or state.discarding is not None or needs_treasure(state):
            break
        if state.waiting():
            break
        if state.phase == "total":
            step = totalled(state)
            state = step.state
            facts.extend(step.facts)
            scores.extend(step.scores)
            continue
        state = replace(state, phase=PHASES[PHASES.index(state.phase) + 1], done=())
        state, news = _entered(state)
        facts.extend(news)
        if state.waiting():
            facts.append(message(PHASE_BEGINS[state.phase]))
    return Step(state, tuple(scores), tuple(facts))


def needs_treasure(state: DestinyState) -> int:
    """How many treasures are to be drawn now: the whole deck before a dealt match, or one a round."""
    if not state.unordered:
        return 0
    if state.dealt:
        return len(state.unordered)
    return int(state.phase == "treasure" and state.prize is None)


def _reshuffled(state: DestinyState) -> DestinyState:
    """Empty draws are done; an empty pile takes the discarded cards, and what neither has is not drawn."""
    queue = tuple((player, n) for player, n in state.drawing if n)
    if queue and not state.pile:
        state = replace(state, pile=state.discards, discards=())
    return replace(state, drawing=queue if state.pile else ())


def _entered(state: DestinyState) -> tuple[DestinyState, list[Message]]:
    """What happens by itself when a phase begins."""
    if state.phase == "treasure" and state.treasures:
        state = replace(state, prize=state.treasures[0], treasures=state.treasures[1:])
        return state, [_prize_fact(state)]
    if state.phase == "treasure" and not state.unordered:
        return state, [_prize_fact(state)]
    if state.phase == "draw" and state.dealt:
        missing = ((player, state.sides[player]) for player in state.order)
        queue = tuple((player, max(0, side.max_hand - len(side.hand))) for player, side in missing)
        return replace(state, drawing=queue), []
    if state.phase == "draw":
        sides = tuple(
            replace(side, hand=(UNKNOWN,) * max(len(side.hand), side.max_hand)) for side in state.sides
        )
        return replace(state, sides=sides), [
            message("Everyone, fill your hand, discard any cards you like, then fill it again.")
        ]
    if state.phase == "action":
        return replace(state, sides=tuple(replace(side, used=()) for side in state.sides)), []
    return state, []


def _prize_fact(state: DestinyState) -> Message:
    buried = state.buried or ()
    if state.prize is None:
        return message(
            "The treasure deck is empty. You play for the buried treasures: {buried:faces}.", buried=buried
        )
    said = (
        "The prize is the {treasure:face}, {points:points}. Also buried: {buried:faces}."
        if buried
        else "The prize is the {treasure:face}, {points:points}."
    )
    return message(said, treasure=state.prize, points=TREASURE_POINTS[state.prize], buried=buried)


def _out_of_hand(state: DestinyState, player: int, card: str) -> Side:
    side = state.sides[player]
    hand = without(side.hand, (card,)) if state.dealt else side.hand[1:]
    return replace(side, hand=hand)


def _with(state: DestinyState, player: int, side: Side, face_up: str | None = None) -> DestinyState:
    """The state with a player's side replaced; a card of unknown whereabouts may have come face up."""
    after = replace(state, sides=changed(state.sides, player, side))
    if face_up and not state.dealt:
        return replace(after, pile=without(after.pile, (face_up,)))
    return after


def reckoned(state: DestinyState, player: int) -> Total:
    """What a player's cards come to as they lie."""
    side, options = state.sides[player], state.options
    return destiny_total(
        side.stacks,
        side.powers,
        match_bonus=options.text("match_bonus"),
        match_scope=options.text("match_scope"),
    )


def totalled(state: DestinyState) -> Step[DestinyState]:
    """Total and Destiny phase: the single highest total takes the treasure and all buried ones."""
    totals = tuple(reckoned(state, player) for player in range(len(state.players)))
    points = tuple(total.points for total in totals)
    facts: list[Message] = []
    for player in state.order:
        for one in totals[player].sums:
            facts.append(
                message(
                    "{player:name}’s stack on {base:face}: {sum}.",
                    player=player,
                    base=one.stack.base,
                    sum=one.text,
                )
            )
            facts.extend(
                message(
                    "Matching {alignment:face}: {n:count card~gets cards~each~get} +{each}.",
                    n=match.n,
                    alignment=match.alignment,
                    each=match.each,
                )
                for match in one.matches
            )
        facts.append(message("{player:name}’s total is {total}.", player=player, total=points[player]))
    prizes = (*((state.prize,) if state.prize else ()), *state.buried)
    single = points.count(max(points)) == 1
    winner = points.index(max(points)) if single else None
    sides = list(state.sides)
    if winner is None:
        facts.append(
            message(
                "A tie at {total}: nobody wins. Buried: {treasures:faces}.",
                total=max(points),
                treasures=prizes,
            )
        )
    else:
        sides[winner] = replace(sides[winner], treasures=(*sides[winner].treasures, *prizes))
        won, has = sum(TREASURE_POINTS[one] for one in prizes), sides[winner].points
        facts.append(
            message(
                "{player:name} wins the {treasures:faces}: {points:points}, {total} in all.",
                player=winner,
                treasures=prizes,
                points=won,
                total=has,
            )
        )
    scores = tuple(
        _score(player, sides[player], totals[player], prizes if player == winner else ())
        for player in range(len(sides))
    )
    return Step(
        _round_over(state, tuple(sides), points, prizes if winner is None else ()), scores, tuple(facts)
    )


def _score(player: int, side: Side, total: Total, prizes: tuple[str, ...]) -> Score:
    """Treasure points won; how the total came about stands there too, without points of its own."""
    lines: list[Line] = [replace(one, points=0) for one in total.lines]
    lines.append(line("total {total}", 0, "total", total=total.points))
    for prize in prizes:
        points = TREASURE_POINTS[prize]
        lines.append(line("{prize:face}", points, "treasure", prize=prize))
    won = sum(one.points for one in lines)
    return Score(player, won, side.points, tuple(lines))


def _round_over(
    state: DestinyState, sides: tuple[Side, ...], totals: tuple[int, ...], buried: tuple[str, ...]
) -> DestinyState:
    played = tuple(card for side in sides for card in (*side.aid, *side.played))
    cleared = tuple(replace(side, aid=(), stacks=(), changed=(), left=(), used=()) for side in sides)
    after = gone(replace(state, sides=cleared), played)
    deck_out = not (state.treasures or state.unordered)
    stops = deck_out and (not buried or state.options.text("deck_end") == "stop")
    over = stops or any(side.points >= GOAL for side in cleared)
    rotates = state.options.text("play_order") == "rotating"
    return replace(
        after,
        prize=None,
        buried=buried,
        totals=totals,
        finished=over,
        first=(state.first + rotates) % len(sides),
        round=state.round if over else state.round + 1,
        phase=PHASES[0],
        done=(),
    )


def gone(state: DestinyState, cards: tuple[str, ...]) -> DestinyState:
    """Cards that lay face up are discarded."""
    if state.dealt:
        return replace(state, discards=(*state.discards, *cards))
    return replace(state, pile=(*state.pile, *cards))
