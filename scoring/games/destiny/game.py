"""Destiny: characters, stacks of cards and buried treasure; first to five points (destiny, RULINGS 4)."""

from __future__ import annotations

from typing import ClassVar

from messages.message import N_, Message, message
from scoring.account import Outcome, ScoredRoll, Step
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    Move,
    MoveAwaited,
    Play,
    Roll,
)
from scoring.dice import Dice, Face
from scoring.game import Added, Game
from scoring.games.destiny import round as rounds
from scoring.games.destiny import state as moves
from scoring.games.destiny.cards import (
    ALIGNMENTS,
    CHARACTERS,
    DECK,
    GOAL,
    PLAIN_CARDS,
    TREASURE_POINTS,
    TREASURES,
    UNKNOWN,
)
from scoring.games.destiny.legal import check_move, legal
from scoring.games.destiny.round import reckoned
from scoring.games.destiny.state import HAND, DestinyState, Side
from scoring.games.destiny.total import score_cards
from scoring.options import Option, Options
from scoring.view import Cell, Mark, Panel, TableView, seats

OPTIONS = (
    Option(
        "cards",
        "held",
        "Play with real cards and tell Tableside what you play, or let Tableside deal and keep "
        "track of every hand.",
        "RULINGS 4.2",
        values=("held", "dealt"),
        title="Who deals?",
        answers=("you deal real cards", "Tableside deals"),
    ),
    Option(
        "match_bonus",
        "cards",
        "Add the bonus for matching cards to each card before multiplying, or to the result after "
        "multiplying.",
        "RULINGS 4.6 Q1",
        values=("cards", "after"),
        title="Bonus for matching cards",
        answers=("before multiplying", "after multiplying"),
    ),
    Option(
        "match_scope",
        "stack",
        "Count matching cards within each stack, or across all cards a player has played.",
        "RULINGS 4.6 Q2",
        values=("stack", "all"),
        title="Where cards match",
        answers=("within a stack", "across all cards"),
    ),
    Option(
        "strict_opposition",
        False,
        "A player may never have two opposing cards, not even in different stacks.",
        "RULINGS 4.6 Q3",
        title="No opposing cards at all",
    ),
    Option(
        "play_order",
        "rotating",
        "In each phase, players act clockwise or all at once. The first player changes every round "
        "or stays the same.",
        "RULINGS 4.6 Q4",
        values=("rotating", "fixed", "together"),
        title="Turn order",
        answers=("new first player every round", "same first player every round", "everyone at once"),
    ),
    Option(
        "deck_end",
        "play-on",
        "If the treasure deck is empty and nobody has 5 points, play on for the buried treasures, "
        "or stop: the most points win.",
        "RULINGS 4.6 Q7",
        values=("play-on", "stop"),
        title="When the treasures run out",
        answers=("play on", "stop"),
    ),
    Option(
        "treasure_order",
        "shuffled",
        "Shuffle the treasure deck before turning it face up, or keep the order of the list.",
        "RULINGS 4.6 Q8",
        values=("shuffled", "listed"),
        title="Treasure deck",
        answers=("shuffled", "in list order"),
    ),
)

CIRCUMSTANCES = (
    Option("powers", "", "Characters and treasures at work for the player, parted by commas.", "RULINGS 4.4"),
    Option(
        "transmuted",
        "",
        "What the Alchemist made of a card: CARD=ALIGNMENT.",
        "RULINGS 4.4",
    ),
    Option(
        "left",
        "",
        "Cards that keep their alignment with Paladin and Necromancer, parted by commas.",
        "RULINGS 4.6 Q6",
    ),
)

QUESTIONS = {
    "identity": N_("choose your character"),
    "first-aid": N_("play a character as Aid or pass"),
    "hit": N_("choose cards to discard, or none"),
    "second-aid": N_("play a character as Aid or pass"),
    "action": N_("use a power or pass"),
    "base": N_("play a base card or pass"),
    "bonus": N_("play a bonus card or pass"),
    "multiplier": N_("play a multiplier card or pass"),
}

TOGETHER = {
    "identity": N_("each choose your character"),
    "first-aid": N_("each play a character as Aid or pass"),
    "hit": N_("each choose cards to discard, or none"),
    "second-aid": N_("each play a character as Aid or pass"),
    "action": N_("each use a power or pass"),
    "base": N_("each play a base card or pass"),
    "bonus": N_("each play a bonus card or pass"),
    "multiplier": N_("each play a multiplier card or pass"),
}
"""The same, asked of several players at once."""

MOST_LISTED = 30
"""So many moves of a kind are listed one by one; more are a family."""


class Destiny(Game[DestinyState]):
    """Eleven phases a round; the single highest total takes the treasure, a tie buries it."""

    id: ClassVar[str] = "destiny"
    title: ClassVar[str] = "Destiny"
    blurb: ClassVar[str] = (
        "A card game without dice, in rounds of eleven phases. Tableside keeps score and checks the rules."
    )
    minutes: ClassVar[int] = 35
    board: ClassVar[str] = "destiny"
    names: ClassVar[tuple[str, ...]] = (*ALIGNMENTS, *CHARACTERS, *TREASURE_POINTS, "matching")
    dice: ClassVar[Dice] = Dice("none", 0, ())
    seats: ClassVar[tuple[int, int]] = (2, len(DECK) // HAND)
    scored_cards: ClassVar[tuple[str, ...]] = PLAIN_CARDS
    circumstances: ClassVar[tuple[Option, ...]] = CIRCUMSTANCES
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    moves: ClassVar[tuple[type[Move], ...]] = (
        moves.Identify,
        moves.PlayAid,
        moves.Discard,
        moves.Steal,
        moves.Jest,
        moves.Trade,
        moves.Assassinate,
        moves.Look,
        moves.PlayBase,
        moves.PlayBonus,
        moves.PlayMultiplier,
        moves.Transmute,
        moves.Leave,
        moves.Pass,
        moves.AllDone,
    )

    def start(self, players: tuple[str, ...], options: Options) -> DestinyState:
        """Seven cards each, unknown ones or still to be dealt."""
        dealt, listed = options.text("cards") == "dealt", options.text("treasure_order") == "listed"
        return DestinyState(
            players,
            options,
            (Side(hand=() if dealt else (UNKNOWN,) * HAND),) * len(players),
            DECK,
            drawing=tuple((player, HAND) for player in range(len(players))) if dealt else (),
            treasures=TREASURES if listed else (),
            unordered=() if listed else TREASURES,
        )

    def awaits(self, state: DestinyState) -> tuple[Awaited, ...]:
        """Cards out of a deck or a hand; a discard; or the decisions of the phase."""
        if state.finished:
            return ()
        if number := rounds.needs_treasure(state):
            return (DrawAwaited(rounds.TREASURE_DECK, number, state.unordered),)
        if state.drawing:
            player, wanted = state.drawing[0]
            return (DrawAwaited(rounds.DECK, min(wanted, len(state.pile)), state.pile, player),)
        if state.picks:
            return tuple(
                DrawAwaited(rounds.hand_of(state.players[victim]), 1, state.sides[victim].hand, taker)
                for victim, taker in state.picks
            )
        if state.discarding is not None:
            return (MoveAwaited((state.discarding,), "discard one card"),)
        waiting = state.waiting()
        asked = waiting if state.options.text("play_order") == "together" else waiting[:1]
        return (MoveAwaited(asked, (QUESTIONS if len(asked) == 1 else TOGETHER)[state.phase]),)

    def legal_moves(self, state: DestinyState, player: int) -> tuple[Move | Family, ...]:
        """The cards that can be played, by kind of move, and being done."""
        asked = [one for one in self.awaits(state) if isinstance(one, MoveAwaited)]
        if not asked or player not in asked[0].players:
            return ()
        kinds: dict[str, list[Move]] = {}
        for move in legal(state, player):
            kinds.setdefault(move.kind, []).append(move)
        listed: list[Move | Family] = []
        for kind, members in kinds.items():
            few = len(members) <= MOST_LISTED
            listed.extend(members if few else (Family(kind, tuple(members)),))
        if state.discarding is not None or state.phase == "identity":
            return tuple(listed)
        nothing = moves.Discard(()) if state.phase == "hit" else moves.Pass()
        everyone = (moves.AllDone(),) if state.passable else ()
        return (*(one for one in listed if one != nothing), nothing, *everyone)

    def check(self, state: DestinyState, action: Action) -> None:
        """Each phase has its moves; alignments that oppose each other do not lie together."""
        if isinstance(action, Play):
            check_move(state, action.player, action.move)

    def advance(self, state: DestinyState, action: Action) -> Step[DestinyState]:
        """Cards are drawn or played; when all are done with a phase, the next one begins."""
        assert not isinstance(action, Roll)
        if isinstance(action, Draw):
            return rounds.drawn(state, action)
        return rounds.moved(state, action.player, action.move)

    def is_secret(self, draw: Draw) -> bool:
        """Cards that go into a hand, or out of one: all but the treasures, which lie face up."""
        return draw.pile != rounds.TREASURE_DECK

    def outcome(self, state: DestinyState) -> Outcome | None:
        """Five treasure points; or the most, when the treasure deck is empty."""
        if not state.finished:
            return None
        points = tuple(side.points for side in state.sides)
        winners = tuple(player for player, held in enumerate(points) if held == max(points))
        reached = max(points) >= GOAL
        reason = "5 treasure points reached" if reached else "no treasure is left, so the most points win"
        return Outcome(winners, points, reason)

    def table(self, state: DestinyState) -> TableView:
        """Identities, Aid, stacks and treasures; of a hand only how many cards it has."""
        waiting = () if state.finished else state.waiting()
        on_turn = waiting if state.options.text("play_order") == "together" else waiting[:1]
        shown = seats(
            state.players, [side.points for side in state.sides], on_turn, [*map(_marks, state.sides)]
        )
        return TableView(shown, panels=(_stacks(state), _treasures(state), *_totals(state)))

    def private(self, state: DestinyState, player: int) -> tuple[Panel, ...]:
        """The own dealt hand, and all hands after Oracle or Crystal Ball."""
        if not state.dealt:
            return ()
        return tuple(
            Panel(
                message("{player}’s hand", player=state.players[one]),
                ("card",),
                tuple((card,) for card in state.sides[one].hand),
            )
            for one in state.hands_seen(player)
        )

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The total of the cards a player has played: each base begins a stack, what follows lies on it."""
        return score_cards(faces, told)


def _marks(side: Side) -> tuple[Mark, ...]:
    held = len(side.hand)
    return (
        Mark("identity", side.identity or "not chosen yet"),
        Mark("Aid", _listed(side.aid) or "none"),
        Mark("cards in hand", held, message("{n:count card cards} in hand", n=held)),
        Mark("treasures", _listed(side.treasures) or "none"),
    )


def _listed(cards: tuple[str, ...]) -> Message | None:
    return message("{cards:row}", cards=cards) if cards else None


def _stacks(state: DestinyState) -> Panel:
    rows: list[tuple[Cell, ...]] = []
    for player, side in enumerate(state.sides):
        for one in reckoned(state, player).sums:
            cards = _listed((*one.stack.bonuses, *one.stack.multipliers))
            rows.append((state.players[player], one.stack.base, cards, one.text))
        for card, alignment in side.changed:
            rows.append((state.players[player], card, message("now {alignment:face}", alignment=alignment), None))
    return Panel("Played", ("player", "base", "cards on it", "sum"), tuple(rows))


def _treasures(state: DestinyState) -> Panel:
    rows: list[tuple[Cell, ...]] = (
        [("prize", state.prize, TREASURE_POINTS[state.prize])] if state.prize else []
    )
    rows += [("buried", one, TREASURE_POINTS[one]) for one in state.buried]
    rows += [("to come", one, TREASURE_POINTS[one]) for one in state.treasures]
    if state.unordered:
        points = sum(TREASURE_POINTS[one] for one in state.unordered)
        hidden = message("{n:count treasure treasures}, in unknown order", n=len(state.unordered))
        rows.append(("to come", hidden, points))
    return Panel("Treasure", ("where", "treasure", "points"), tuple(rows))


def _totals(state: DestinyState) -> tuple[Panel, ...]:
    if not state.totals:
        return ()
    both = zip(state.players, state.totals, strict=True)
    ranking = sorted(both, key=lambda one: -one[1])
    return (Panel("Last round’s totals", ("player", "total"), tuple(ranking)),)


GAMES = (Destiny(),)
