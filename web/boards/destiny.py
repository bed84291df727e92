"""Destiny's board: everybody's stacks with their sums, the prize, the treasures; hands only to who holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from messages.message import N_
from scoring.actions import Move
from scoring.codec import plain
from scoring.games.destiny import state as moves
from scoring.games.destiny.cards import (
    ALIGNMENTS,
    CARDS,
    CHARACTERS,
    DECK,
    GOAL,
    TREASURE_POINTS,
    VALUES,
    opposed,
)
from scoring.games.destiny.round import moved, reckoned
from scoring.games.destiny.state import PHASES, DestinyState
from scoring.match import Match
from web.boards.record import Decision, Group, HeldCard, Maker, Names, OwnHand, choice, each, legal
from web.language import gettext as _

HEADINGS = {
    "identity": N_("Choose a character"),
    "aid": N_("Play an Aid"),
    "base": N_("Play a base card"),
    "bonus": N_("Play a bonus on %(base)s"),
    "multiplier": N_("Play a multiplier on %(base)s"),
    "power": N_("Use a power"),
    "transmute": N_("Alchemist: change a card"),
    "leave": N_("Leave a card unchanged"),
    "done": N_("Finish"),
    "all-done": N_("For everyone"),
}
"""The groups of decisions in their order; kinds of moves that are not here are powers."""


PHASE_NAMES = {
    "identity": N_("choosing characters"),
    "first-aid": N_("First Aid phase"),
    "treasure": N_("Treasure phase"),
    "draw": N_("Draw phase"),
    "hit": N_("Hit phase"),
    "second-aid": N_("Second Aid phase"),
    "action": N_("Action phase"),
    "base": N_("Base phase"),
    "bonus": N_("Bonus phase"),
    "multiplier": N_("Multiplier phase"),
    "total": N_("Total phase"),
}

SIGNS = {"bonus": "+", "multiplier": "×"}


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A base, bonus or multiplier card: its name, what is printed on it, and the alignment it has now."""

    name: str
    alignment: str
    type: str
    value: int
    becomes: str = ""
    """Its alignment in words if it differs from the printed one, else empty."""


@dataclass(frozen=True, slots=True)
class ShownStack:
    """A base and what lies on it, with its sum as people write it."""

    cards: tuple[ShownCard, ...]
    sum: str


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One player's side of the table. Of a hand only how many cards it has."""

    player: str
    on_turn: bool
    identity: str
    power: str
    aid: tuple[tuple[str, str], ...]
    """Characters played as Aid, each with its power."""
    hand: int
    treasures: tuple[tuple[str, int], ...]
    points: int
    stacks: tuple[ShownStack, ...]
    total: int
    last: int | None
    """The total of the last round."""


@dataclass(frozen=True, slots=True)
class DestinyBoard:
    """Everything public on Destiny's table."""

    round: int
    phase: str
    phases: tuple[str, ...]
    """Every phase of a round, in order; empty before the first one."""
    called: Mapping[str, str]
    """What each phase is called."""
    dealt: bool
    """Tableside deals the cards, else people hold their own."""
    goal: int
    sides: tuple[ShownSide, ...]
    prize: str
    prize_points: int
    buried: tuple[tuple[str, int], ...]
    to_come: int
    """Treasures still in the deck."""
    order: tuple[tuple[str, int], ...]
    """The cards with their points, the next one first, as the deck is face up for everybody. Empty if people have the
    real deck."""


def _made(match: Match, names: Names) -> DestinyBoard:
    """The table as everybody sees it."""
    state: DestinyState = match.state
    waiting = () if state.finished else state.waiting()
    return DestinyBoard(
        state.round,
        state.phase,
        PHASES[1:-1] if state.phase in PHASES[1:] else (),
        {phase: _(name) for phase, name in PHASE_NAMES.items()},
        state.dealt,
        GOAL,
        tuple(_side(state, player, waiting[:1] == (player,), names) for player in range(len(state.players))),
        names.of(state.prize) if state.prize else "",
        TREASURE_POINTS[state.prize] if state.prize else 0,
        _worth(state.buried, names),
        len(state.treasures) + len(state.unordered),
        _worth(state.treasures, names),
    )


def _side(state: DestinyState, player: int, on_turn: bool, names: Names) -> ShownSide:
    side, total = state.sides[player], reckoned(state, player)
    powers = {name: names.speaker.words(power) for name, power in CHARACTERS.items()}
    return ShownSide(
        state.players[player],
        on_turn,
        names.title(side.identity) if side.identity else "",
        powers[side.identity] if side.identity else "",
        tuple((names.title(one), powers[one]) for one in side.aid),
        len(side.hand),
        _worth(side.treasures, names),
        side.points,
        tuple(
            ShownStack(tuple(_card(card, state, player, names) for card in one.stack.cards), one.text)
            for one in total.sums
        ),
        total.points,
        state.totals[player] if state.totals else None,
    )


def _card(card: str, state: DestinyState, player: int, names: Names) -> ShownCard:
    printed, now = CARDS[card], state.sides[player].powers.alignment(card)
    becomes = names.of(now) if now != printed.alignment else ""
    return ShownCard(names.of(card), now, printed.type, printed.value, becomes)


def _worth(treasures: Sequence[str], names: Names) -> tuple[tuple[str, int], ...]:
    return tuple((names.of(one), TREASURE_POINTS[one]) for one in treasures)


def _hand(match: Match, player: int, names: Names) -> OwnHand:
    """A hand, all of them after Oracle or Crystal Ball, and what to do with the cards, for the eyes of one player."""
    state: DestinyState = match.state
    hands: list[tuple[str, tuple[HeldCard, ...]]] = []
    for one in state.hands_seen(player) if state.dealt else ():
        hands.append((names.players[one], tuple(_held(card, names) for card in _sorted(state.sides[one].hand))))
    exactly = 1 if state.discarding == player else None
    discarding = exactly is not None or state.phase == "hit"
    return OwnHand(
        names.players[player],
        player,
        tuple(hands),
        () if discarding else _card_groups(match, player, names),
        tuple((card, names.title(card)) for card in _sorted(state.sides[player].hand)) if discarding else (),
        exactly,
    )


def _sorted(hand: Sequence[str]) -> list[str]:
    """A hand as people sort it: characters, then each alignment by type and value."""
    return sorted(hand, key=DECK.index)


def _held(card: str, names: Names) -> HeldCard:
    if card in CHARACTERS:
        return HeldCard(names.title(card), "character", "", names.speaker.words(CHARACTERS[card]))
    printed = CARDS[card]
    sign = f"{SIGNS.get(printed.type, '')}{printed.value}"
    return HeldCard(names.title(card), printed.alignment, sign, "")


def _card_groups(match: Match, player: int, names: Names) -> tuple[Group, ...]:
    """What a player may decide: characters by name, other cards as a table of alignments and values."""
    found: dict[str, list[Move]] = {}
    for move in each(legal(match, player)):
        if isinstance(move, moves.Discard):
            continue
        found.setdefault(move.kind if move.kind in HEADINGS else "power", []).append(move)
    groups: list[Group] = []
    for kind, heading in HEADINGS.items():
        listed = found.get(kind, [])
        if kind in VALUES:
            laid: dict[str, dict[str, Move]] = {}
            for move in listed:
                record = plain(move)
                laid.setdefault(record.get("base", ""), {})[record["card"]] = move
            groups += [_grid(match.state, player, kind, base, cards, names) for base, cards in laid.items()]
        elif kind in (moves.Identify.kind, moves.PlayAid.kind) and listed:
            chars = [
                (move, move.card) for move in listed if isinstance(move, (moves.Identify, moves.PlayAid))
            ]
            choices = (
                choice(move, names, label=names.title(card), detail=names.speaker.words(CHARACTERS[card]))
                for move, card in chars
            )
            groups.append(Group(kind, tuple(choices), _(heading), answers=False))
        elif listed:
            answers = kind == moves.Pass.kind
            choices = (choice(move, names, detail=_after(match.state, player, move, names)) for move in listed)
            groups.append(Group(kind, tuple(choices), _(heading), answers=answers))
    return tuple(groups)


def _after(state: DestinyState, player: int, move: Move, names: Names) -> str:
    """What comes once a player passes: somebody else's turn, the next phase, or the total."""
    if not isinstance(move, (moves.Pass, moves.AllDone)):
        return ""
    after = moved(state, player, move).state
    if after.finished or after.round != state.round:
        return _("then the total")
    if after.phase != state.phase:
        return _("then the %(phase)s", phase=_(PHASE_NAMES[after.phase]))
    return _("then %(player)s", player=names.players[after.waiting()[0]]) if after.waiting() else ""


def _opposed(state: DestinyState, player: int, base: str, cards: Mapping[str, Move], names: Names) -> str:
    """Why alignments are missing among the cards that may be played on a base, or beside the bases that lie there."""
    side = state.sides[player]
    lying = [card for one in side.stacks if base in ("", one.base) for card in (one.cards if base else (one.base,))]
    there = {side.powers.alignment(card) for card in lying}
    offered = {side.powers.alignment(card) for card in cards}
    missing = [one for one in ALIGNMENTS if one not in offered and any(opposed(one, other) for other in there)]
    if state.dealt or not missing:
        return ""
    return _("These do not go with your cards: %(alignments)s", alignments=", ".join(map(names.title, missing)))


def _grid(
    state: DestinyState, player: int, kind: str, base: str, cards: dict[str, Move], names: Names
) -> Group:
    """Cards of one type as a table: a row an alignment, a column a value."""
    values, of = VALUES[kind], names.of(base) if base else ""
    rows: list[tuple[str, tuple[Decision | None, ...]]] = []
    every: list[Decision] = []
    for alignment in ALIGNMENTS:
        row: list[Decision | None] = []
        for value in values:
            move = cards.get(f"{alignment}-{kind}-{value}")
            made = choice(move, names, detail=f"{SIGNS.get(kind, '')}{value}") if move else None
            row.append(made)
            every += [made] if made else []
        if any(row):
            rows.append((names.title(alignment), tuple(row)))
    heading, note = _(HEADINGS[kind], base=of), _opposed(state, player, base, cards, names)
    return Group(kind, tuple(every), heading, of, answers=False, grid=tuple(rows), note=note)


BOARDS = {"destiny": Maker(_made, _card_groups, _hand)}
