"""Destiny's Total and Destiny phase: the single highest total takes the treasure, and all cards go."""

from __future__ import annotations

from dataclasses import replace

from messages.message import Message, message
from scoring.account import Line, Score, Step, line
from scoring.games.destiny.cards import GOAL, TREASURE_POINTS
from scoring.games.destiny.state import PHASES, DestinyState, Side
from scoring.games.destiny.total import Total, destiny_total


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
            facts.append(message("{player:name}: {sum}.", player=player, sum=one.text))
            facts.extend(
                message(
                    "The {n} {alignment:face} cards get +{each} each.",
                    n=match.n,
                    alignment=match.alignment,
                    each=match.each,
                )
                for match in one.matches
            )
        facts.append(message("{player:name}'s total is {total}.", player=player, total=points[player]))
    prizes = (*((state.prize,) if state.prize else ()), *state.buried)
    single = points.count(max(points)) == 1
    winner = points.index(max(points)) if single else None
    sides = list(state.sides)
    if winner is None:
        facts.append(
            message(
                "A tie at {total}: nobody wins, {treasures:faces} buried.",
                total=max(points),
                treasures=prizes,
            )
        )
    else:
        sides[winner] = replace(sides[winner], treasures=(*sides[winner].treasures, *prizes))
        won, has = sum(TREASURE_POINTS[one] for one in prizes), sides[winner].points
        facts.append(
            message(
                "{player:name} wins {treasures:faces}: {points:points}, {total} in all.",
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
    rule, where = "the total is {total}", "destiny, Total Phase"
    lines.append(line(rule, 0, where, total=total.points))
    for prize in prizes:
        points = TREASURE_POINTS[prize]
        lines.append(line("{prize:face}", points, "destiny, Treasure deck card list", prize=prize))
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
