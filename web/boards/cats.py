"""The cat games' boards: what was declared and what it pays, the count of a set, the hands of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement

from scoring.actions import Declare, Play
from scoring.games.cats import cat_dice
from scoring.games.cats.called_shot import ROWS, CalledShotState, payoff
from scoring.games.cats.everyone_scores import POINTS
from scoring.games.cats.five_dice import HandsGame
from scoring.games.cats.pairs import WINS, PairsState, set_lines
from scoring.games.cats.quintuples import Quintuples
from scoring.match import Match
from web.boards.record import Decision, Group, Maker, Names, choice, decisions, each, legal
from web.language import gettext as _


@dataclass(frozen=True, slots=True)
class Pay:
    """What a roll would pay: its faces (or the row of the table), and the points."""

    what: tuple[str, ...]
    points: int
    kind: str = "pair"
    """"pair" of one of these faces, "set" for the set roll again, "row" of the table, "hand"."""
    now: bool = False
    """The dice on the table show it."""


@dataclass(frozen=True, slots=True)
class Declared:
    """Pairs and Called Shot: the declaration, and what comes of it."""

    declared: str = ""
    declarer: str = ""
    set_roll: tuple[tuple[str, str], ...] = ()
    """The faces that have to come again, each as (id, name)."""
    before: int = 0
    """How many rolls a winning one would have before it."""
    pays: tuple[Pay, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A player's hand of a round; `points` are those it brought, None while the round goes on."""

    player: str
    hand: str
    failed: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class Hands:
    """Quintuples and Everyone Scores: the hands of this round, or of the last one, and the ladder."""

    hands: tuple[ShownHand, ...]
    over: bool
    """These are the last round's."""
    ladder: tuple[Pay, ...]
    target: int
    ranked: bool
    """The ladder has no points of its own: hands are compared."""


def _pairs(match: Match, names: Names) -> Declared:
    """The round of Pairs as it stands."""
    state: PairsState = match.state
    if state.declared is None:
        return Declared()
    named = tuple((face, names.of(face)) for face in state.set_roll)
    pays: dict[int, list[str]] = {}
    for face in cat_dice.FACES:
        pays.setdefault(_paid(state, face), []).append(names.of(face))
    rows = [Pay(tuple(faces), points) for points, faces in sorted(pays.items(), reverse=True)]
    if state.set_roll:
        again = set_lines(state.declared, state.set_roll, state.before, state.set_roll, state.options) or ()
        rows.append(Pay(tuple(name for _, name in named), sum(one.points for one in again), "set"))
    declarer = state.players[state.declarer]
    return Declared(names.of(state.declared), declarer, named, state.before, tuple(rows))


def _paid(state: PairsState, face: str) -> int:
    """What a pair of this face would pay now."""
    assert state.declared is not None
    if not state.set_roll:
        return WINS[state.declared] if face in cat_dice.GROUPS[state.declared] else 0
    lines = set_lines(state.declared, state.set_roll, state.before, (face, face), state.options)
    return sum(one.points for one in lines or ())


def _called_shot(match: Match, names: Names) -> Declared:
    """The declaration that stands, and the rows of the table that pay."""
    state: CalledShotState = match.state
    declared = state.declared or (_declared_last(match) if state.roll else None)
    if declared is None:
        return Declared()
    rolls = combinations_with_replacement(cat_dice.FACES, 3)
    rows = {payoff(declared, faces) for faces in rolls}
    lying = payoff(declared, state.roll) if state.roll and state.declared is None else None
    paying = sorted(
        (one for one in rows if one[1] or one == lying), key=lambda one: (-one[1], ROWS.index(one[0]))
    )
    pays = tuple(Pay((names.of(row),), points, "row", (row, points) == lying) for row, points in paying)
    mover = state.turn if state.declared else (state.turn - 1) % len(state.players)
    return Declared(names.of(declared), state.players[mover], (), 0, pays)


def _declared_last(match: Match) -> str | None:
    for one in reversed(match.played):
        if isinstance(one.action, Play) and isinstance(one.action.move, Declare):
            return one.action.move.declaration
    return None


def _triples(match: Match, names: Names) -> Declared:
    """What triples pay; the same in every turn."""
    roll = match.state.roll
    most = max((roll.count(face) for face in roll), default=0)
    rows = (("triple", 6, 3), ("pair", 2, 2), ("single", 0, 1))
    return Declared(pays=tuple(Pay((kind,), points, "same", most == n) for kind, points, n in rows))


def _hands(match: Match, names: Names) -> Hands:
    """The hands of the round; the last round's before the first hand of a new one."""
    state, game = match.state, match.game
    assert isinstance(game, HandsGame)
    ranked = isinstance(game, Quintuples)
    over = not state.hands
    points = _points(match) if over or not ranked else {}
    shown = tuple(
        ShownHand(
            state.players[i],
            names.of(hand.name),
            hand.failed,
            points.get(i) if ranked else 0 if hand.failed else POINTS[hand.name],
        )
        for i, hand in enumerate(state.hands or state.last)
    )
    lying = cat_dice.hand(state.turn.roll) if state.turn.roll else ""
    ladder = tuple(
        Pay((names.of(hand),), 0 if ranked else POINTS[hand], "hand", hand == lying)
        for hand in reversed(cat_dice.HANDS)
    )
    return Hands(shown, over, ladder, game.target(state), ranked)


def _points(match: Match) -> dict[int, int]:
    last = next((one for one in reversed(match.played) if one.step.scores), None)
    given = (
        {match.seat_now(last.number, score.player): score.points for score in last.step.scores}
        if last
        else {}
    )
    return {seat: points for seat, points in given.items() if seat is not None}


FACE_GROUPS = ("cats", "no-cats", "family", "no-family")
"""The declarations that are groups of faces; the others name one face, or all but one."""


def _declarations(
    match: Match, player: int, names: Names, wins: Mapping[str, int] | None = None
) -> tuple[Group, ...]:
    """What can be declared: groups of faces, one face, none of a face; `wins` are the points beside each."""
    headings = {
        "declare-group": _("Call a group"),
        "declare-face": _("Call one face"),
        "declare-no-face": _("Call all but one face"),
    }
    kinds: dict[str, list[Decision]] = {kind: [] for kind in headings}
    for move in each(legal(match, player), Declare):
        assert isinstance(move, Declare)
        said = move.declaration
        kind = "group" if said in FACE_GROUPS else "face" if said in cat_dice.FACES else "no-face"
        faces = cat_dice.GROUPS.get(said, frozenset[str]())
        listed = ", ".join(names.of(face) for face in cat_dice.FACES if face in faces)
        detail = str(wins[said]) if wins else listed if kind == "group" else ""
        art = said if kind == "face" else said.removeprefix("no-") if kind == "no-face" else ""
        kinds[f"declare-{kind}"].append(choice(move, names, detail=detail, art=art))
    return tuple(
        Group(kind, tuple(choices), headings[kind], answers=False)
        for kind, choices in kinds.items()
        if choices
    )


BOARDS = {
    "pairs": Maker(_pairs, partial(_declarations, wins=WINS)),
    "called-shot": Maker(_called_shot, _declarations),
    "triples": Maker(_triples, decisions),
    "hands": Maker(_hands, decisions),
}
