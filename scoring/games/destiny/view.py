"""What lies on Destiny's table, for everyone to see; hands only to the player who holds them."""

from __future__ import annotations

from messages.message import message
from scoring.games.destiny.cards import TREASURE_POINTS
from scoring.games.destiny.round import reckoned
from scoring.games.destiny.state import DestinyState, Side
from scoring.view import Cell, Mark, Panel, TableView, seats


def table_view(state: DestinyState) -> TableView:
    """Identities, Aid, stacks and treasures; of a hand only how many cards it has."""
    waiting = () if state.finished else state.waiting()
    on_turn = waiting if state.options.text("play_order") == "together" else waiting[:1]
    shown = seats(state.players, [side.points for side in state.sides], on_turn, [*map(_marks, state.sides)])
    phase = "over" if state.finished else f"round {state.round}: {state.phase}"
    return TableView(phase, shown, panels=(_stacks(state), _treasures(state), *_totals(state)))


def _marks(side: Side) -> tuple[Mark, ...]:
    held = len(side.hand)
    return (
        Mark("identity", side.identity or "not chosen yet"),
        Mark("aid", ", ".join(side.aid) or "none"),
        Mark("cards in hand", held, message("{n:count card cards} in hand", n=held)),
        Mark("treasures", ", ".join(side.treasures) or "none"),
    )


def private_view(state: DestinyState, player: int) -> tuple[Panel, ...]:
    """What a player alone may see: the own dealt hand, and all hands after Oracle or Crystal Ball."""
    if not state.dealt:
        return ()
    side = state.sides[player]
    looked = state.phase == "action" and {"oracle", "crystal-ball"} & set(side.used)
    seen = range(len(state.sides)) if looked else (player,)
    return tuple(
        Panel(f"{state.players[one]}'s hand", ("card",), tuple((card,) for card in state.sides[one].hand))
        for one in seen
    )


def _stacks(state: DestinyState) -> Panel:
    rows: list[tuple[Cell, ...]] = []
    for player, side in enumerate(state.sides):
        for one in reckoned(state, player).sums:
            cards = ", ".join((*one.stack.bonuses, *one.stack.multipliers))
            rows.append((state.players[player], one.stack.base, cards or None, one.text))
        for card, alignment in side.changed:
            rows.append((state.players[player], card, f"is {alignment}", None))
    return Panel("Played", ("player", "base", "on it", "sum"), tuple(rows))


def _treasures(state: DestinyState) -> Panel:
    rows: list[tuple[Cell, ...]] = (
        [("prize", state.prize, TREASURE_POINTS[state.prize])] if state.prize else []
    )
    rows += [("buried", one, TREASURE_POINTS[one]) for one in state.buried]
    rows += [("to come", one, TREASURE_POINTS[one]) for one in state.treasures]
    if state.unordered:
        points = sum(TREASURE_POINTS[one] for one in state.unordered)
        rows.append(("to come", f"{len(state.unordered)} treasures, order not seen", points))
    return Panel("Treasure", ("where", "treasure", "points"), tuple(rows))


def _totals(state: DestinyState) -> tuple[Panel, ...]:
    if not state.totals:
        return ()
    both = zip(state.players, state.totals, strict=True)
    ranking = sorted(both, key=lambda one: -one[1])
    return (Panel("Totals of the last round", ("player", "total"), tuple(ranking)),)
