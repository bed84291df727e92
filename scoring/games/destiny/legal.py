"""What Destiny allows now, and why it does not allow something else: narrow errors that name the rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoring.actions import IllegalMoveError, Move, refuse
from scoring.dice import choices, within
from scoring.games.destiny import state as moves
from scoring.games.destiny.cards import ALIGNMENTS, CARDS, CHARACTERS
from scoring.games.destiny.state import DestinyState, Side
from scoring.games.destiny.total import Stack, broken_rule

PHASE_OF: dict[type[Move], tuple[str, ...]] = {
    moves.Identify: ("identity",),
    moves.PlayAid: ("first-aid", "second-aid"),
    moves.Discard: ("hit",),
    moves.Steal: ("action",),
    moves.Jest: ("action",),
    moves.Trade: ("action",),
    moves.Assassinate: ("action",),
    moves.Look: ("action",),
    moves.PlayBase: ("base",),
    moves.PlayBonus: ("bonus",),
    moves.PlayMultiplier: ("multiplier",),
    moves.Transmute: ("base", "bonus", "multiplier"),
    moves.Leave: ("base", "bonus", "multiplier"),
}
"""The phases in which each kind of move is made."""


def check_move(state: DestinyState, player: int, move: Move) -> None:
    """Raise IllegalMoveError unless a decision that is awaited keeps to the rules."""
    if state.discarding is not None:
        if not isinstance(move, moves.Discard):
            refuse("discard a card first", "action")
        _check_discard(state, player, move, 1)
        return
    if state.phase not in PHASE_OF.get(type(move), (state.phase,)):
        refuse(
            "you cannot do this in the {phase:rule} phase: {kind:rule}",
            "phases",
            phase=state.phase,
            kind=move.kind,
        )
    if isinstance(move, moves.Pass):
        if state.phase in ("identity", "hit"):
            if state.phase == "identity":
                refuse("choose a character first", "setup")
            refuse("choose which cards to discard, or none", "draw")
    elif isinstance(move, moves.AllDone):
        if not state.passable:
            refuse("each player decides for themselves now", "phases")
    elif isinstance(move, (moves.Identify, moves.PlayAid)):
        if move.card not in CHARACTERS:
            refuse("“{card}” is not a character", "characters", card=move.card[:40])
        _check_held(state, player, move.card)
    elif isinstance(move, moves.Discard):
        _check_discard(state, player, move, None)
    elif isinstance(
        move, (moves.PlayBase, moves.PlayBonus, moves.PlayMultiplier, moves.Transmute, moves.Leave)
    ):
        _check_cards(state, player, move)
    else:
        _check_action(state, player, move)


def with_move(side: Side, move: Move) -> Side:
    """The side after a card is played or named, its hand as it was; the base must lie there."""
    if isinstance(move, moves.PlayBase):
        return replace(side, stacks=(*side.stacks, Stack(move.card)))
    if isinstance(move, moves.Transmute):
        return replace(side, changed=((move.card, move.alignment),))
    if isinstance(move, moves.Leave):
        return replace(side, left=(*side.left, move.card))
    assert isinstance(move, (moves.PlayBonus, moves.PlayMultiplier))
    stacks: list[Stack] = []
    for stack in side.stacks:
        if stack.base == move.base and isinstance(move, moves.PlayBonus):
            stacks.append(replace(stack, bonuses=(*stack.bonuses, move.card)))
        elif stack.base == move.base:
            stacks.append(replace(stack, multipliers=(*stack.multipliers, move.card)))
        else:
            stacks.append(stack)
    return replace(side, stacks=tuple(stacks))


def _check_held(state: DestinyState, player: int, card: str) -> None:
    if state.dealt and card not in state.sides[player].hand:
        refuse("{card:face} is not in your hand", "draw", card=card[:40])
    if not state.sides[player].hand and state.phase != "identity":
        refuse("your hand is empty", "draw")
    if card not in state.pile and not state.dealt:
        refuse(
            "{card:face} is already on the table, and there is only one of each card",
            "cards",
            card=card[:40],
        )


def _check_discard(state: DestinyState, player: int, move: moves.Discard, number: int | None) -> None:
    if number is not None and len(move.cards) != number:
        refuse("discard {number:count card cards}, not {n}", "action", number=number, n=len(move.cards))
    if not within(move.cards, state.sides[player].hand):
        refuse("you can only discard cards from your own hand", "draw")


def _check_cards(
    state: DestinyState,
    player: int,
    move: moves.PlayBase | moves.PlayBonus | moves.PlayMultiplier | moves.Transmute | moves.Leave,
) -> None:
    side = state.sides[player]
    side_powers = side.powers
    if move.card not in CARDS:
        refuse(
            "“{card}” is not a base, bonus or multiplier card",
            "cards",
            card=move.card[:40],
        )
    if isinstance(move, moves.Transmute):
        if not state.transmutable(player):
            refuse("only the Alchemist can change an alignment, one card per round", "characters")
        if move.alignment not in ALIGNMENTS:
            refuse(
                "“{alignment}” is not an alignment; choose {known:maybe}",
                "cards",
                known=tuple(ALIGNMENTS),
                alignment=move.alignment[:40],
            )
    if isinstance(move, moves.Leave):
        if not {"paladin", "necromancer"} <= side_powers.names:
            refuse("you need both the Paladin and the Necromancer to leave a card unchanged", "characters")
        if CARDS[move.card].alignment not in ("good", "evil") or move.card in side.left:
            refuse("this card keeps its alignment anyway", "characters")
    if not (isinstance(move, (moves.Transmute, moves.Leave)) and move.card in side.played):
        _check_held(state, player, move.card)
    if isinstance(move, (moves.PlayBase, moves.PlayBonus, moves.PlayMultiplier)):
        if CARDS[move.card].type != move.kind:
            refuse(
                "{card:face} is not a {kind:rule} card",
                "stacks",
                card=move.card,
                kind=move.kind,
            )
        if not isinstance(move, moves.PlayBase) and move.base not in [stack.base for stack in side.stacks]:
            refuse("you have no base card “{base:face}” on the table", "stacks", base=move.base[:40])
    after = with_move(side, move)
    powers = after.powers if isinstance(move, (moves.Transmute, moves.Leave)) else side_powers
    broken = broken_rule(after.stacks, powers, state.options.flag("strict_opposition"))
    if broken:
        refuse(*broken)


def power_used(move: Move) -> str:
    """The power that a move of the action phase uses."""
    if isinstance(move, (moves.Trade, moves.Look)):
        return move.power
    return (
        "thief" if isinstance(move, moves.Steal) else "jester" if isinstance(move, moves.Jest) else "assassin"
    )


def _check_action(state: DestinyState, player: int, move: Move) -> None:
    """The powers of the action phase, each once in it."""
    power = power_used(move)
    allowed = ("merchant", "magic-tome") if isinstance(move, moves.Trade) else ("oracle", "crystal-ball")
    if isinstance(move, (moves.Trade, moves.Look)) and power not in allowed:
        refuse(
            "use {allowed:maybe} for this, not “{power:face}”", "action", allowed=allowed, power=power[:40]
        )
    side = state.sides[player]
    if power not in side.powers:
        refuse(
            "you need the {power:face} for this, as your character, Aid or treasure", "action", power=power
        )
    if power in side.used:
        refuse("you can use the {power:face} only once in each action phase", "action", power=power)
    if power not in state.usable(player):
        refuse("the {power:face} has nothing to do right now", "action", power=power)
    if isinstance(move, (moves.Steal, moves.Jest)):
        targets = {move.victim} if isinstance(move, moves.Steal) else {move.one, move.other}
        fits = all(0 <= one < len(state.players) and one != player for one in targets)
        if not fits or (isinstance(move, moves.Jest) and len(targets) < 2):
            refuse("choose another player, or two others for the Jester", "action")
        if not all(state.sides[one].hand for one in targets):
            refuse("choose only players with cards in hand", "action")
    if isinstance(move, moves.Assassinate):
        fits = 0 <= move.owner < len(state.players) and move.card in state.sides[move.owner].aid
        if not fits:
            refuse("choose an Aid card on the table for the Assassin", "action")


def candidates(state: DestinyState, player: int) -> Iterable[Move]:
    """Every decision worth checking for a player who is asked."""
    side, others = state.sides[player], range(len(state.players))
    held = tuple(dict.fromkeys(side.hand)) if state.dealt else state.pile if side.hand else ()
    if state.discarding is not None:
        return [moves.Discard((card,)) for card in held]
    plain = [card for card in held if card in CARDS]
    bases = [stack.base for stack in side.stacks]
    named = (*side.played, *plain)
    if state.phase == "identity":
        return [moves.Identify(card) for card in (held or state.pile) if card in CHARACTERS]
    if state.phase in ("first-aid", "second-aid"):
        return [moves.PlayAid(card) for card in held if card in CHARACTERS]
    if state.phase == "hit":
        return [moves.Discard(cards) for cards in choices(side.hand)]
    if state.phase == "action":
        return [
            *(moves.Steal(other) for other in others),
            *(moves.Jest(one, other) for one in others for other in others if one < other),
            *(moves.Trade(power) for power in ("merchant", "magic-tome")),
            *(moves.Assassinate(owner, card) for owner in others for card in state.sides[owner].aid),
            *(moves.Look(power) for power in ("oracle", "crystal-ball")),
        ]
    fitting = [card for card in plain if CARDS[card].type == state.phase]
    extra: list[Move] = []
    if state.transmutable(player):
        extra += [moves.Transmute(card, one) for card in named for one in ALIGNMENTS]
    if {"paladin", "necromancer"} <= side.powers.names:
        extra += [moves.Leave(card) for card in named]
    if state.phase == "base":
        return [*(moves.PlayBase(card) for card in fitting), *extra]
    play = moves.PlayBonus if state.phase == "bonus" else moves.PlayMultiplier
    return [*(play(card, base) for base in bases for card in fitting), *extra]


def legal(state: DestinyState, player: int) -> tuple[Move, ...]:
    """The candidates that keep to the rules."""
    return tuple(move for move in candidates(state, player) if _keeps(state, player, move))


def _keeps(state: DestinyState, player: int, move: Move) -> bool:
    try:
        check_move(state, player, move)
    except IllegalMoveError:
        return False
    return True
