"""Outlander's cards as a small language of effects (RULINGS 1.4).

Only two of the thirty-six texts are known, so the table says what a card does: each effect is a move of its
own, and can be taken back on its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

from scoring.actions import Family, Hold, Move, refuse
from scoring.dice import Face, choices
from scoring.games.outlander_score import FACES

LONGEST_TEXT = 300
"""Characters of a card's name or text as entered."""


@dataclass(frozen=True, slots=True)
class Card(Move):
    """Play a card from the hand, or the top card of the draw pile, face up; `title` as printed, if told."""

    kind: ClassVar[str] = "card"
    source: Literal["hand", "pile"]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Faces(Move):
    """The card adds `n` of a face to the table, or takes `-n` away."""

    kind: ClassVar[str] = "faces"
    face: Face
    n: int


@dataclass(frozen=True, slots=True)
class Change(Move):
    """The card turns `n` of one face into another."""

    kind: ClassVar[str] = "change"
    face: Face
    into: Face
    n: int


@dataclass(frozen=True, slots=True)
class Points(Move):
    """The card gives a player points (or takes them); `text` says what the card says."""

    kind: ClassVar[str] = "points"
    player: int
    points: int
    text: str = ""


def effects(dice: tuple[Face, ...], faces: tuple[Face, ...], players: int) -> tuple[Family, ...]:
    """What a card might do to these dice and these faces (the card's own among them), by kind."""
    adds = tuple(Faces(face, 1) for face in FACES) + tuple(Faces(face, -1) for face in faces)
    changes = tuple(Change(face, into, 1) for face in faces for into in FACES if into != face)
    points = tuple(Points(player, n) for player in range(players) for n in (-1, 1))
    kept = tuple(Hold(keep) for keep in choices(dice) if len(keep) < len(dice))
    families = (
        Family(Faces.kind, "the card adds faces, or takes some away", adds),
        Family(Change.kind, "the card turns faces into others", changes),
        Family(Points.kind, "the card gives a player points, or takes some", points),
        Family(Hold.kind, "the card lets some dice be rolled again", kept),
    )
    return tuple(family for family in families if family.members)


def check_effect(move: Move, counts: Counter[Face], players: int) -> None:
    """Refuse an effect that the faces on the table do not allow."""
    where = "RULINGS 1.4"
    if isinstance(move, Points):
        if not 0 <= move.player < players or abs(move.points) > 99:
            refuse("a card gives one of the players at most 99 points", where)
        check_text(move.text)
    elif isinstance(move, Faces):
        if move.face not in FACES or move.n == 0 or move.n > 12:
            refuse("a card adds 1 to 12 of a face of the dice, or takes some away; got {n}", where, n=move.n)
        if counts[move.face] + move.n < 0:
            refuse(
                "{lying} {face:face} lie there: {n} cannot be taken away",
                where,
                lying=counts[move.face],
                face=move.face,
                n=-move.n,
            )
    elif isinstance(move, Change):
        if move.face not in FACES or move.into not in FACES or move.face == move.into:
            refuse("a card changes one face of the dice into another one", where)
        if not 0 < move.n <= counts[move.face]:
            refuse(
                "{lying} {face:face} lie there: {n} cannot be changed",
                where,
                lying=counts[move.face],
                face=move.face,
                n=move.n,
            )


def check_text(text: str) -> None:
    """Refuse what no card says."""
    if len(text) > LONGEST_TEXT or not (text.isprintable() or not text):
        refuse(
            "a card's text has at most {most} printable characters",
            "RULINGS 1.4",
            most=LONGEST_TEXT,
        )
