"""Where luck and losses come from, game by game: each event of a match as a moment (see `luck.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from advice import hands, outlander, pairs, race
from advice.record import NoAdviceError
from advice.spoken import declare, hold
from advice.uneven import even
from messages.message import Message, message
from scoring.actions import Action, Declare, Hold, Play, Roll, Seated, Stand
from scoring.games.cats import cat_dice
from scoring.games.cats.called_shot import DECLARATIONS
from scoring.games.cats.everyone_scores import POINTS
from scoring.games.cats.five_dice import Hand
from scoring.games.cats.quintuples import standing
from scoring.games.outlander.score import FACES as OUTLANDER_FACES
from scoring.match import Match

ROLLED = message("rolled")


@dataclass(frozen=True, slots=True)
class Moment:
    """One event that moved a player's expectation: by luck (a throw) or by what a choice gave away.

    `number` is the event's in the match; `did` and `better` say what was done, and what would have been better
    where something would. `first` says that a turn began with it, where turns have more than one throw.
    """

    number: int
    player: int
    luck: float = 0.0
    lost: float = 0.0
    did: Message = ROLLED
    better: Message | None = None
    first: bool = False


Found = Iterator[Moment]


def steps(match: Match) -> Iterator[tuple[int, Any, Action, Any]]:
    """Number, state before, action and state after of every roll, draw and decision that counts."""
    before = match.beginning
    for one in match.played:
        if not isinstance(one.action, Seated):
            yield one.number, before, one.action, one.step.state
        before = one.step.state


# --- races to a target: luck is a chance to win


def is_race(match: Match) -> bool:
    """Whether a match is a race of two or more that is won at once, so that luck is a chance to win."""
    options = match.state.options
    short = options.number("target") <= race.MOST_NEEDED
    return min(sizes(match)) > 1 and not options.flag("finish_round") and short


def sizes(match: Match) -> set[int]:
    """How many played, at one time or another."""
    return {len(match.beginning.players), *(len(change.players) for _, change in match.changes)}


def races(match: Match) -> Found:
    """The chance to win that each declaration gave away and each roll moved; of two, the other's moves by as much."""
    target, game = match.state.options.number("target"), match.header.game
    for number, before, action, after in steps(match):
        player, players = before.turn, len(before.players)
        needs = [target - before.points[(player + i) % players] for i in range(players)]
        chances = race.first_there(game, needs, target)
        said = getattr(before, "declared", None)
        if isinstance(action, Play) and isinstance(action.move, Declare):
            chance = float(chances[DECLARATIONS.index(action.move.declaration)])
            best = DECLARATIONS[int(chances.argmax())]
            yield _choice(
                number,
                player,
                float(chances.max()),
                chance,
                declare(action.move.declaration),
                declare(best),
                True,
            )
        elif isinstance(action, Roll):
            now = float(chances[DECLARATIONS.index(said) if said else 0])
            needs = [*needs[1:], target - after.points[player]]
            then = 1.0 if needs[-1] <= 0 else race.last_there(game, needs, target)
            yield Moment(number, player, luck=then - now, did=ROLLED)
            if players == 2:
                yield Moment(number, 1 - player, luck=now - then, did=message("the other rolled"))


# --- points


def _called_shot(match: Match) -> Found:
    points = race.points_of("called-shot")
    means = points @ range(points.shape[1])
    for number, before, action, after in steps(match):
        if isinstance(action, Play) and isinstance(action.move, Declare):
            mean = float(means[DECLARATIONS.index(action.move.declaration)])
            yield _choice(
                number,
                before.turn,
                float(means.max()),
                mean,
                declare(action.move.declaration),
                message("another declaration"),
                True,
            )
        elif isinstance(action, Roll):
            gained = after.points[before.turn] - before.points[before.turn]
            mean = float(means[DECLARATIONS.index(before.declared)])
            yield Moment(number, before.turn, luck=gained - mean, did=ROLLED)


def _triples(match: Match) -> Found:
    points = race.points_of("triples")
    mean = float((points @ range(points.shape[1]))[0])
    for number, before, _, after in steps(match):
        gained = after.points[before.turn] - before.points[before.turn]
        yield Moment(number, before.turn, luck=gained - mean, did=ROLLED)


def _pairs(match: Match) -> Found:
    for number, before, action, after in steps(match):
        players = len(before.players)
        was = _pairs_worths(before, players)
        if isinstance(action, Play) and isinstance(action.move, Declare):
            options = before.options
            each = {said: pairs.ahead(pairs.declared_worths(said, players, options)) for said in pairs.WINS}
            best = max(each, key=each.__getitem__)
            said = after.declared
            yield _choice(number, before.declarer, each[best], each[said], declare(said), declare(best), True)
        elif isinstance(action, Roll):
            now = _pairs_worths(after, players) if after.declared else [0.0] * players
            for player in range(players):
                gained = after.points[player] - before.points[player]
                yield Moment(number, player, luck=gained + now[player] - was[player], did=ROLLED)


def _pairs_worths(state: Any, players: int) -> list[float]:
    """What each player may still expect of the round; nothing before it is declared."""
    if state.declared is None:
        return [0.0] * players
    if state.set_roll:
        first = int(state.roller)
        worths = pairs.rolling_worths(state.declared, state.set_roll, state.before, players, state.options)
    else:
        first = int(state.declarer)
        worths = pairs.declared_worths(state.declared, players, state.options)
    return [float(worths[(player - first) % players]) for player in range(players)]


def _everyone_scores(match: Match) -> Found:
    reroll = match.state.options.flag("reroll")
    fresh = sum(
        float(chance) * hands.everyone_scores(hands.spread(counts), int(reroll)).best.worth
        for counts, chance in zip(*hands.rolls_with_chances(), strict=True)
    )

    def worth(faces: tuple[str, ...], left: int) -> Mapping[object, float]:
        return {one.move: one.worth for one in hands.everyone_scores(faces, left).choices}

    def scored(hand: Hand) -> float:
        return 0.0 if hand.failed else float(POINTS[hand.name])

    yield from _five_dice(match, lambda before: fresh, lambda before, faces, left: worth(faces, left), scored)


def _quintuples(match: Match) -> Found:
    options, players = match.state.options, max(sizes(match))
    if players - 1 > hands.MOST_TO_COME:
        raise NoAdviceError(
            "quintuples: luck is told for up to {most} players, got {players}",
            most=hands.MOST_TO_COME + 1,
            players=players,
        )
    failed, reroll = options.text("failed_reroll_rank"), options.flag("reroll")
    head = hands.QuintuplesAdviser(reroll, failed)

    def around(before: Any) -> tuple[list[int], int]:
        others = [standing(hand, failed) + 1 for hand in before.hands]
        return others, len(before.players) - 1 - len(others)

    def worth(before: Any, faces: tuple[str, ...], left: int) -> Mapping[object, float]:
        return {one.move: one.worth for one in head.ask(faces, *around(before), left).choices}

    found = _five_dice(match, lambda before: head.fresh(*around(before)), worth, None)
    yield from found


def _five_dice(
    match: Match,
    fresh: Callable[[Any], float],
    worth: Callable[[Any, tuple[str, ...], int], Mapping[object, float]],
    scored: Callable[[Hand], float] | None,
) -> Found:
    """A hand each: what it is worth before the throw, what each choice is worth, what a final hand scores.

    Where `scored` is None a final hand is worth what standing on it is; a failed re-roll nothing.
    """
    reroll = match.state.options.flag("reroll")

    def final(before: Any, hand: Hand) -> float:
        if scored is not None:
            return scored(hand)
        return 0.0 if hand.failed else worth(before, hand.faces, 0)[Stand()]

    for number, before, action, _ in steps(match):
        turn = before.turn
        if isinstance(action, Roll):
            if turn.kept is None:
                now = max(worth(before, action.faces, int(reroll)).values())
                yield Moment(number, turn.player, luck=now - fresh(before), did=ROLLED, first=True)
            else:
                was = worth(before, turn.roll, 1)[_sorted_hold(turn.kept)]
                now = final(before, Hand(action.faces, cat_dice.hand(turn.roll)))
                yield Moment(number, turn.player, luck=now - was, did=message("re-rolled"))
        elif isinstance(action, Play):
            choices = worth(before, turn.roll, 1)
            move = _sorted_hold(action.move.keep) if isinstance(action.move, Hold) else action.move
            best = max(choices, key=choices.__getitem__)
            yield _choice(number, turn.player, choices[best], choices[move], _told(move), _told(best))


def _outlander(match: Match) -> Found:
    head = outlander.OutlanderAdviser(match.state.options, even(OUTLANDER_FACES))
    fresh, either = head.fresh(), match.state.options.text("card_timing") == "either"
    for number, before, action, _ in steps(match):
        player = before.turn
        if before.stage != "dice":
            continue
        if isinstance(action, Roll):
            counts, card = outlander.check_dice(action.faces, 1), outlander.played(before)
            if before.rerolled:
                kept = tuple(before.kept.count(face) for face in OUTLANDER_FACES)
                luck = head.worth(counts, card) - head.hold_worth(kept, card)
                yield Moment(number, player, luck=luck, did=message("re-rolled"))
            else:
                yield Moment(number, player, luck=head.best_worth(counts) - fresh, did=ROLLED, first=True)
        elif isinstance(action, Play) and not before.rerolled:
            counts, card = outlander.check_dice(before.dice, 1), outlander.played(before)
            best, better = head.best_worth(counts, card), head.ask(before.dice, card).best.said
            if isinstance(action.move, Hold):
                kept = tuple(action.move.keep.count(face) for face in OUTLANDER_FACES)
                yield _choice(number, player, best, head.hold_worth(kept, card), _told(action.move), better)
            elif isinstance(action.move, Stand) or not either:
                yield _choice(number, player, best, head.worth(counts, card), message("stand"), better)


LOOKS: Mapping[str, Callable[[Match], Found]] = {
    "called-shot": _called_shot,
    "triples": _triples,
    "pairs": _pairs,
    "everyone-scores": _everyone_scores,
    "quintuples": _quintuples,
    "outlander": _outlander,
}
"""The games whose luck is counted in points."""


def _choice(
    number: int, player: int, best: float, worth: float, did: Message, better: Message, first: bool = False
) -> Moment:
    lost = max(0.0, best - worth)
    return Moment(number, player, lost=lost, did=did, better=better if lost > 1e-9 else None, first=first)


def _sorted_hold(keep: tuple[str, ...]) -> Hold:
    return Hold(tuple(sorted(keep, key=cat_dice.FACES.index)))


def _told(move: object) -> Message:
    return hold(move.keep) if isinstance(move, Hold) else message("stand")
