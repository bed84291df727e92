"""Outlander's cards as a small language of effects (RULINGS 1.4).

Only two of the thirty-six texts are known, and do what they say by themselves. Of any other card the table says what
it does: each effect is a move of its own, and can be taken back on its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from scoring.actions import NOT_TYPED, Family, Hold, Move, refuse
from scoring.dice import Face, choices, spelled, without
from scoring.games.outlander.score import FACES

LONGEST_TEXT = 300
"""Characters of a card's name or text as entered."""


Again = Literal["", "any", "face"]
"""Which dice the card lets be thrown again, once: none, whichever the table says, all dice of one face."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A card whose text is known."""

    title: str
    added: tuple[tuple[Face, int], ...] = ()
    """Faces that it adds."""
    again: Again = ""


PRINTED = {
    "claire-is-captured": Printed("Claire is captured", (("jamie", 2), ("bjr", 1))),
    "searching-for-jamie": Printed("Searching for Jamie", again="face"),
}
"""The two texts that the rules print (RULINGS 1.4), by their ids."""


@dataclass(frozen=True, slots=True)
class Card(Move):
    """Play a card from the hand, or the top card of the draw pile, face up; `title` as printed, if told."""

    kind: ClassVar[str] = "card"
    words: ClassVar[str] = "play a card from the {source:rule} {title}"
    source: Literal["hand", "pile"]
    title: str = ""
    printed: str = field(default="", metadata=NOT_TYPED)
    """The id of a card whose text is known; what it does follows by itself. Empty for any other card."""


def known(move: Card) -> Card:
    """The same card with its id where its title is one that the rules print."""
    for id_, card in PRINTED.items():
        if move.printed == id_ or (not move.printed and spelled(move.title) == spelled(card.title)):
            return Card(move.source, card.title, id_)
    return move


@dataclass(frozen=True, slots=True)
class Faces(Move):
    """The card adds `n` of a face to the table, or takes `-n` away."""

    kind: ClassVar[str] = "faces"
    words: ClassVar[str] = "{face:face}: {n:signed}"
    face: Face
    n: int


@dataclass(frozen=True, slots=True)
class Change(Move):
    """The card turns `n` of one face into another."""

    kind: ClassVar[str] = "change"
    words: ClassVar[str] = "turn {n} {face:face} into {into:face}"
    face: Face
    into: Face
    n: int


@dataclass(frozen=True, slots=True)
class Points(Move):
    """The card gives a player points (or takes them); `text` says what the card says."""

    kind: ClassVar[str] = "points"
    words: ClassVar[str] = "{player:name}: {points:points} {text}"
    player: int
    points: int
    text: str = ""


def effects(
    dice: tuple[Face, ...], faces: tuple[Face, ...], players: int, again: Again
) -> tuple[Family, ...]:
    """What a card might do to these dice and these faces (the card's own among them), by kind."""
    adds = tuple(Faces(face, 1) for face in FACES) + tuple(Faces(face, -1) for face in faces)
    changes = tuple(Change(face, into, 1) for face in faces for into in FACES if into != face)
    points = tuple(Points(player, n) for player in range(players) for n in (-1, 1))
    if again == "face":
        kept = tuple(Hold(tuple(one for one in dice if one != face)) for face in dict.fromkeys(dice))
    else:
        kept = tuple(Hold(keep) for keep in choices(dice) if again and len(keep) < len(dice))
    families = (
        Family(Faces.kind, adds),
        Family(Change.kind, changes),
        Family(Points.kind, points),
        Family(Hold.kind, kept),
    )
    return tuple(family for family in families if family.members)


def check_again(keep: tuple[Face, ...], dice: tuple[Face, ...], again: Again) -> None:
    """Refuse a re-roll that the card does not allow."""
    where = "card"
    if not again:
        refuse("this card does not let you throw again now", where)
    thrown = without(dice, keep)
    if again == "face" and (len(set(thrown)) != 1 or set(thrown) & set(keep)):
        refuse("this card throws all dice of one face again: hold all the others", where)


def check_effect(move: Move, counts: Counter[Face], players: int) -> None:
    """Refuse an effect that the faces on the table do not allow."""
    where = "card"
    if isinstance(move, Points):
        if not 0 <= move.player < players or abs(move.points) > 99:
            refuse("a card gives or takes at most 99 points", where)
        check_text(move.text)
    elif isinstance(move, Faces):
        if move.face not in FACES or move.n == 0 or move.n > 12:
            refuse("a card adds or removes 1 to 12 of one face, not {n}", where, n=move.n)
        if counts[move.face] + move.n < 0:
            refuse(
                "you cannot remove {n} {face:face}: {lying} on the table",
                where,
                lying=counts[move.face],
                face=move.face,
                n=-move.n,
            )
    elif isinstance(move, Change):
        if move.face not in FACES or move.into not in FACES or move.face == move.into:
            refuse("a card changes a face into a different face", where)
        if not 0 < move.n <= counts[move.face]:
            refuse(
                "you cannot change {n} {face:face}: {lying} on the table",
                where,
                lying=counts[move.face],
                face=move.face,
                n=move.n,
            )


def check_text(text: str) -> None:
    """Refuse what no card says."""
    if len(text) > LONGEST_TEXT or not (text.isprintable() or not text):
        refuse(
            "a card’s text can have at most {most} printable characters",
            "card",
            most=LONGEST_TEXT,
        )
