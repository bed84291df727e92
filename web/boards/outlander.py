"""Outlander's board: the faces that count, what they come to as they lie, the card and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from scoring.games.outlander.cards import PRINTED, Card, Change, Faces, Points
from scoring.games.outlander.score import FACES
from scoring.games.outlander.turn import OutlanderState
from scoring.match import Match
from web.boards.record import Decision, Maker, Names, Reason, choice, decisions, each, legal, reason


@dataclass(frozen=True, slots=True)
class CountedFace:
    """A face that counts: how often, and how much of that a card added or took."""

    id: str
    name: str
    count: int
    by_card: int


@dataclass(frozen=True, slots=True)
class Track:
    """How far a player is on the Victory track."""

    player: str
    points: int
    to_go: int


@dataclass(frozen=True, slots=True)
class OutlanderBoard:
    """Everything on Outlander's table but the dice."""

    target: int
    tracks: tuple[Track, ...]
    pile: int
    discard: int
    faces: tuple[CountedFace, ...] = ()
    lines: tuple[Reason, ...] = ()
    points: int = 0
    cards: tuple[Decision, ...] = ()
    """Playing a card from the hand, or the one on top of the pile."""
    effects: bool = False
    """A card was played, and what it does may be said."""
    every: tuple[tuple[str, str], ...] = ()
    """All faces there are, as (id, name), for what a card adds."""
    players: tuple[str, ...] = ()
    again: bool = False
    """The card may let dice be thrown again."""
    printed: tuple[str, ...] = tuple(card.title for card in PRINTED.values())
    """Titles of the cards whose text is known."""


def _board(match: Match, names: Names) -> OutlanderBoard:
    """The board as it lies."""
    state: OutlanderState = match.state
    target = state.options.number("target")
    tracks = tuple(
        Track(player, points, max(0, target - points))
        for player, points in zip(state.players, state.points, strict=True)
    )
    every = tuple((face, names.of(face)) for face in FACES)
    if not state.dice or state.rolling or match.outcome:
        return OutlanderBoard(target, tracks, state.pile, state.discard, every=every, players=state.players)
    counts, lines = state.faces(), state.lines()
    moves = legal(match, state.turn)
    return OutlanderBoard(
        target,
        tracks,
        state.pile,
        state.discard,
        tuple(
            CountedFace(face, names.of(face), counts[face], counts[face] - state.dice.count(face))
            for face in FACES
            if counts[face] or face in state.dice
        ),
        tuple(reason(one, names) for one in lines),
        sum(one.points for one in lines),
        tuple(choice(move, names) for move in each(moves, Card)),
        state.stage == "card",
        every,
        state.players,
        bool(state.again),
    )


BOARDS = {"outlander": Maker(_board, partial(decisions, elsewhere=(Card, Faces, Change, Points)))}
