"""Outlander's board: the steps of a turn, the eight faces with what they give, the cards, the race to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from scoring.dice import Face
from scoring.games.outlander.cards import PRINTED, Card, Change, Faces, Points
from scoring.games.outlander.game import MOST_REROLLED
from scoring.games.outlander.score import EACH, FACES, PAIRS, removals
from scoring.games.outlander.turn import OutlanderState
from scoring.match import Match
from scoring.options import Options
from web.boards.race import Race, race_to
from web.boards.record import Decision, Maker, Names, Reason, choice, decisions, each, legal, reason
from web.language import gettext as _
from web.language import ngettext


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A face of the dice: what it gives, and how often it counts now."""

    id: str
    name: str
    gives: tuple[str, ...]
    """In a few words each."""
    count: int
    by_card: int
    """How much of the count a card added or took."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A step of a turn."""

    name: str
    note: str = ""
    now: bool = False
    done: bool = False
    dots: tuple[bool, ...] = ()
    """Of what there is so often, whether each is left."""


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card whose text is known."""

    id: str
    title: str
    adds: tuple[tuple[int, str, str], ...]
    """Faces that it adds: how many, id and name."""
    again: bool
    """All dice of one face may be thrown again."""


@dataclass(frozen=True, slots=True)
class OutlanderBoard:
    """Everything on Outlander's table but the dice."""

    race: Race
    faces: tuple[ShownFace, ...]
    steps: tuple[TurnStep, ...]
    pile: int
    discard: int
    lines: tuple[Reason, ...] = ()
    points: int = 0
    cards: tuple[Decision, ...] = ()
    """Playing a card from the hand, or the one on top of the pile."""
    known: tuple[KnownCard, ...] = ()
    effects: bool = False
    """A card was played whose text Tableside does not know, so people may say what it does."""
    players: tuple[str, ...] = ()
    again: bool = False
    """The card may let dice be thrown again."""
    optional: bool = False
    """A turn may go without a card."""

    @property
    def guided(self) -> bool:
        """The board's own help says how to go to the choices as well."""
        return self.effects


def _board(match: Match, names: Names) -> OutlanderBoard:
    """The board as it lies."""
    state: OutlanderState = match.state
    lies = bool(state.dice) and not state.rolling and not match.outcome
    counts: Mapping[Face, int] = state.faces() if lies else {}
    lines = state.lines() if lies else ()
    moves = legal(match, state.turn) if lies else ()
    return OutlanderBoard(
        race_to(state.options.number("target"), match, names),
        tuple(
            ShownFace(
                face, names.title(face), _gives(face, state.options, names), counts.get(face, 0),
                counts.get(face, 0) - (state.dice.count(face) if lies else 0),
            )
            for face in FACES
        ),
        () if match.outcome else _steps(state),
        state.pile,
        state.discard,
        tuple(reason(one, names) for one in lines),
        sum(one.points for one in lines),
        tuple(choice(move, names) for move in each(moves, Card)),
        _known(names),
        lies and state.stage == "card" and not state.printed,
        state.players,
        bool(state.again),
        state.options.flag("card_optional"),
    )  # fmt: skip


def _gives(face: Face, options: Options, names: Names) -> tuple[str, ...]:
    """What a face is good for, in a few words each."""
    said: list[str] = []
    if face in EACH:
        said.append(ngettext("%(num)d point", "%(num)d points", EACH[face]))
    for villain, (victim, helper) in removals(options).items():
        if face == villain:
            said.append(_("takes one %(face)s", face=names.of(victim)))
        if face == helper:
            said.append(_("brings one %(face)s back", face=names.of(victim)))
    for one, other, points in PAIRS:
        if face in (one, other):
            with_whom = names.of(other if face == one else one)
            said.append(_("%(points)s with %(face)s", points=f"{points:+}".replace("-", "−"), face=with_whom))
    return tuple(said)


def _steps(state: OutlanderState) -> tuple[TurnStep, ...]:
    """The steps of the turn, and how far it is."""
    thrown, card, left = bool(state.dice), state.stage == "card", not state.rerolled
    throwing, deciding = state.rolling, thrown and not state.rolling
    optional = state.options.flag("card_optional")
    again = deciding and (bool(state.again) if card else left)
    dice = ""
    if card and state.again:
        dice = _("once more by the card") if state.printed else _("if the card says so")
    dice = dice or (_("once, up to %(n)d dice", n=MOST_REROLLED) if left else _("used"))
    return (
        TurnStep(_("Throw"), now=not thrown, done=thrown),
        TurnStep(_("Throw again"), dice, again or (throwing and thrown), not left and not throwing, (left,)),
        TurnStep(
            _("Card"),
            _("played") if state.played else _("one a turn"),
            deciding and (card or not state.played),
            state.played and not card,
        ),
        TurnStep(_("Score"), "" if state.played or optional else _("after the card"), deciding and state.played),
    )


def _known(names: Names) -> tuple[KnownCard, ...]:
    return tuple(
        KnownCard(
            id_, card.title, tuple((n, face, names.of(face)) for face, n in card.added), bool(card.again)
        )
        for id_, card in PRINTED.items()
    )


BOARDS: Mapping[str, Maker] = {
    "outlander": Maker(_board, partial(decisions, elsewhere=(Card, Faces, Change, Points)))
}
