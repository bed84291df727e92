"""The cat games' boards: what was rolled by its name, what each roll pays, the calls there are, the race."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product

from scoring.actions import Declare, Play, Roll
from scoring.dice import Face
from scoring.games.cats import cat_dice
from scoring.games.cats.called_shot import DECLARATIONS, ROWS, CalledShotState, payoff
from scoring.games.cats.everyone_scores import POINTS
from scoring.games.cats.five_dice import HandsGame, HandsState
from scoring.games.cats.pairs import WINS, PairsState, set_lines
from scoring.games.cats.quintuples import Quintuples
from scoring.match import Match
from web.boards.race import Race, race_to
from web.boards.record import Decision, Maker, Names, choice, decisions, each, legal
from web.language import gettext as _

THREE_DICE: Mapping[str, str] = {
    "triple": "aaa", "pair/all": "aab", "pair/only": "aa.",
    "single/all": "abc", "single/two": "ab.", "single/only": "a..",
}  # fmt: skip
"""What three dice show in each row of Called Shot's table: letters are called faces, `.` is any other."""

FIVE_DICE: Mapping[str, str] = {
    "pair": "aa...", "two-pair": "aabb.", "three-of-a-kind": "aaa..", "run": "abcde",
    "three-and-pair": "aaabb", "four-of-a-kind": "aaaa.", "five-of-a-kind": "aaaaa",
}  # fmt: skip
"""What five dice show in each hand."""

Faces = tuple[tuple[Face, str], ...]
"""Faces as (id, name)."""


@dataclass(frozen=True, slots=True)
class LastRoll:
    """The last roll, by the name it has in the game."""

    name: str
    player: str
    faces: Faces
    points: int | None
    """What it brought; None while that is open."""


@dataclass(frozen=True, slots=True)
class Pay:
    """What a roll pays: a row of the table."""

    kind: str
    points: int
    chance: float = 0.0
    """How likely it comes, of 1."""
    now: bool = False
    """It was rolled."""
    what: str = ""
    """The row by its name."""
    pattern: str = ""
    """What the dice show."""
    faces: Faces = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One of the calls that can be made; `choice` makes it."""

    choice: Decision
    faces: Faces
    """Those that are called; of a call of all but one face, that one."""
    without: bool
    """All faces but that one."""
    pays: tuple[int | None, ...]
    """Points for each column of the table; None if no such roll fits the call."""
    chance: float
    """How likely it brings any points, of 1."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of one kind under a heading."""

    kind: str
    heading: str
    short: str
    """The heading in a word or two."""
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """Pairs, Triples and Called Shot: the call, what it pays, the last roll and the race."""

    race: Race
    rolled: LastRoll | None = None
    called: str = ""
    caller: str = ""
    called_faces: Faces = ()
    without: bool = False
    """All faces but that one are called."""
    goal: Faces = ()
    """In Pairs, the faces that have to come again."""
    before: int = 0
    """How many rolls a winning one would have before it."""
    pays: tuple[Pay, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    """What rolls the table of calls has points for: the dice, and in words."""
    sections: tuple[Calls, ...] = ()
    """The calls that can be made now."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A player's hand of a round; `points` are those it brought, None during the round."""

    player: str
    name: str
    failed: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class Rung:
    """A hand of the ladder, and who has it in this round."""

    name: str
    pattern: str
    points: int
    now: bool
    """It lies on the table."""
    held: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class Hands:
    """Quintuples and Everyone Scores: the ladder of hands with those of this round, or of the last one."""

    race: Race
    rolled: LastRoll | None
    hands: tuple[ShownHand, ...]
    over: bool
    """These are the last round's."""
    ladder: tuple[Rung, ...]
    ranked: bool
    """The ladder has no points of its own: hands are compared."""


def _faces(faces: tuple[Face, ...], names: Names) -> Faces:
    return tuple((face, names.of(face)) for face in faces)


def _of_group(called: str, names: Names) -> Faces:
    """The called faces, or the one that is left out, in the order of the dice."""
    group = (called.removeprefix("no-"),) if _without(called) else cat_dice.GROUPS[called]
    return _faces(tuple(face for face in cat_dice.FACES if face in group), names)


def _without(called: str) -> bool:
    return called.removeprefix("no-") in cat_dice.FACES and called not in cat_dice.FACES


def _rolled(match: Match, names: Names, faces: tuple[Face, ...]) -> LastRoll | None:
    """The last roll of two or three dice, and what it brought."""
    thrown = [i for i, one in enumerate(match.played) if isinstance(one.action, Roll)]
    if not thrown or not faces:
        return None
    last = match.played[thrown[-1]]
    before = match.played[thrown[-1] - 1].step.state if thrown[-1] else match.beginning
    thrower = before.roller if isinstance(before, PairsState) else before.turn
    player = match.name_now(last.number, thrower, before.players)
    score = next(iter(last.step.scores), None)
    return LastRoll(_double(faces, names), player, _faces(faces, names), score.points if score else None)


def _double(faces: tuple[Face, ...], names: Names) -> str:
    """What two or three dice are called: "Double manticore"."""
    pair = cat_dice.paired(faces)
    if pair is None:
        return _("Three different faces") if len(faces) > 2 else " + ".join(names.title(one) for one in faces)
    face = names.of(pair)
    return _("Triple %(face)s", face=face) if faces.count(pair) > 2 else _("Double %(face)s", face=face)


def _pairs(match: Match, names: Names) -> Round:
    """The round of Pairs as it stands."""
    state: PairsState = match.state
    shown = Round(race_to(state.options.number("target"), match, names), _rolled(match, names, state.roll))
    if state.declared is None:
        return replace(
            shown, columns=(("aa", _("a pair of it at once")),), sections=_calls(match, names, _pairs_call)
        )
    pays: dict[int, list[Face]] = {}
    for face in cat_dice.FACES:
        pays.setdefault(_paid(state, face), []).append(face)
    rows = [
        Pay("pair", points, len(faces) / 36, pattern="aa", faces=_faces(tuple(faces), names))
        for points, faces in sorted(pays.items(), reverse=True)
    ]
    if state.set_roll:
        again = set_lines(state.declared, state.set_roll, state.before, state.set_roll, state.options) or ()
        points = sum(one.points for one in again)
        rows.append(Pay("set", points, 2 / 36, faces=_faces(state.set_roll, names)))
    else:
        rows.append(Pay("different", 0, 30 / 36, pattern="ab"))
    return replace(
        shown,
        called=names.title(state.declared),
        caller=state.players[state.declarer],
        called_faces=_of_group(state.declared, names),
        without=_without(state.declared),
        goal=_faces(state.set_roll, names),
        before=state.before,
        pays=tuple(rows),
    )


def _paid(state: PairsState, face: str) -> int:
    """What a pair of this face would pay now."""
    assert state.declared is not None
    if not state.set_roll:
        return WINS[state.declared] if face in cat_dice.GROUPS[state.declared] else 0
    lines = set_lines(state.declared, state.set_roll, state.before, (face, face), state.options)
    return sum(one.points for one in lines or ())


def _pairs_call(called: str) -> tuple[tuple[int | None, ...], float]:
    return (WINS[called],), len(cat_dice.GROUPS[called]) / 36


def _called_shot(match: Match, names: Names) -> Round:
    """The call that stands, and the rows of the table that pay; before it, what every call pays."""
    state: CalledShotState = match.state
    shown = Round(race_to(state.options.number("target"), match, names), _rolled(match, names, state.roll))
    called = state.declared or (_called_last(match) if state.roll else None)
    if state.declared is None and not match.outcome:
        columns = tuple((pattern, names.of(row)) for row, pattern in THREE_DICE.items())
        shown = replace(shown, columns=columns, sections=_calls(match, names, _called_shot_call))
    if called is None:
        return shown
    lying = payoff(called, state.roll) if state.roll and state.declared is None else None
    met = sorted(odds(called).items(), key=lambda one: (-one[0][1], ROWS.index(one[0][0])))
    return replace(
        shown,
        called=names.title(called),
        caller=state.players[state.turn] if state.declared else shown.rolled.player if shown.rolled else "",
        called_faces=_of_group(called, names),
        without=_without(called),
        pays=tuple(
            Pay(row, points, chance, (row, points) == lying, names.of(row), THREE_DICE.get(row, "..."))
            for (row, points), chance in met
            if points or (row, points) == lying
        ),
    )


def _called_last(match: Match) -> str | None:
    for one in reversed(match.played):
        if isinstance(one.action, Play) and isinstance(one.action.move, Declare):
            return one.action.move.declaration
    return None


@lru_cache(maxsize=len(DECLARATIONS))
def odds(called: str) -> Mapping[tuple[str, int], float]:
    """How likely each row of Called Shot's table is met, with its points, over all 216 rolls of three dice."""
    rolls = list(product(cat_dice.FACES, repeat=3))
    return {met: n / len(rolls) for met, n in Counter(payoff(called, faces) for faces in rolls).items()}


def _called_shot_call(called: str) -> tuple[tuple[int | None, ...], float]:
    met = odds(called)
    points: dict[str, int] = {row: paid for row, paid in met}  # noqa: C416 - of the keys
    return tuple(points.get(row) for row in THREE_DICE), sum(
        chance for (_row, paid), chance in met.items() if paid
    )


def _calls(
    match: Match, names: Names, of: Callable[[str], tuple[tuple[int | None, ...], float]]
) -> tuple[Calls, ...]:
    """What can be called: groups of faces, one face, all but one; `of` says what each pays, and how likely."""
    headings = {
        "declare-group": (_("Call a group"), _("Groups")),
        "declare-face": (_("Call one face"), _("One face")),
        "declare-no-face": (_("Call all but one face"), _("All but one")),
    }
    kinds: dict[str, list[Call]] = {kind: [] for kind in headings}
    moves = legal(match, match.decider) if match.decider is not None else ()
    for move in each(moves, Declare):
        assert isinstance(move, Declare)
        said = move.declaration
        kind = "no-face" if _without(said) else "face" if said in cat_dice.FACES else "group"
        call = Call(choice(move, names), _of_group(said, names), _without(said), *of(said))
        kinds[f"declare-{kind}"].append(call)
    return tuple(Calls(kind, *headings[kind], tuple(calls)) for kind, calls in kinds.items() if calls)


def _triples(match: Match, names: Names) -> Round:
    """What triples pay; the same in every turn."""
    roll = match.state.roll
    most = max((roll.count(face) for face in roll), default=0)
    rows = (("triple", 6, 3, 6, "aaa"), ("pair", 2, 2, 90, "aa."), ("single", 0, 1, 120, "abc"))
    return Round(
        race_to(match.state.options.number("target"), match, names),
        _rolled(match, names, roll),
        pays=tuple(
            Pay(kind, points, of / 216, most == n, pattern=dice) for kind, points, n, of, dice in rows
        ),
    )


def _hands(match: Match, names: Names) -> Hands:
    """The hands of the round; the last round's before the first hand of a new one."""
    state: HandsState = match.state
    game = match.game
    assert isinstance(game, HandsGame)
    ranked, over = isinstance(game, Quintuples), not state.hands
    points: Mapping[int, int] = match.last_points if over or not ranked else {}
    hands = state.hands or state.last
    shown = tuple(
        ShownHand(
            state.players[i], names.title(hand.name), hand.failed,
            points.get(i) if ranked else 0 if hand.failed else POINTS[hand.name],
        )
        for i, hand in enumerate(hands)
    )  # fmt: skip
    lying, thrower = (state.turn.roll, state.turn.player) if state.turn.roll else ((), len(hands) - 1)
    dice = lying or (hands[-1].faces if hands else ())
    rolled = (
        LastRoll(
            names.title(cat_dice.hand(dice)), state.players[thrower], _faces(dice, names),
            None if lying else shown[-1].points,
        )
        if dice
        else None
    )  # fmt: skip
    ladder = tuple(
        Rung(
            names.title(hand),
            FIVE_DICE[hand],
            0 if ranked else POINTS[hand],
            bool(dice) and cat_dice.hand(dice) == hand,
            tuple(one for one, held in zip(shown, hands, strict=True) if held.name == hand),
        )
        for hand in reversed(cat_dice.HANDS)
    )
    return Hands(race_to(game.target(state), match, names), rolled, shown, over, ladder, ranked)


BOARDS = {
    "pairs": Maker(_pairs, partial(decisions, elsewhere=(Declare,))),
    "called-shot": Maker(_called_shot, partial(decisions, elsewhere=(Declare,))),
    "triples": Maker(_triples, decisions),
    "hands": Maker(_hands, decisions),
}
