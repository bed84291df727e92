"""What another answer to a house rule would have changed: the same decisions and rolls, scored or allowed by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, TypeVar

from messages.message import N_, Message, message
from scoring.account import Score
from scoring.actions import Action, IllegalMoveError, Seated
from scoring.game import AnyGame
from scoring.match import Header, Match
from scoring.options import Option, Options, Value

T = TypeVar("T")

YES_NO = {True: N_("yes"), False: N_("no")}

Beyond = Literal["", "more", "less"]
"""Which further numbers do the same as an answer that is a number."""

SCORED: Mapping[Beyond, str] = {
    "": N_(
        "Your table plays “{title:rule}: {played:rule}”. With “{answer:rule}” this would be {points:points}."
    ),
    "more": N_(
        "Your table plays “{title:rule}: {played:rule}”. With {answer:rule} or more this would be {points:points}."
    ),
    "less": N_(
        "Your table plays “{title:rule}: {played:rule}”. With {answer:rule} or less this would be {points:points}."
    ),
}
ALLOWED: Mapping[Beyond, str] = {
    "": N_("Your table plays “{title:rule}: {played:rule}”. With “{answer:rule}” this would be allowed."),
    "more": N_(
        "Your table plays “{title:rule}: {played:rule}”. With {answer:rule} or more this would be allowed."
    ),
    "less": N_(
        "Your table plays “{title:rule}: {played:rule}”. With {answer:rule} or less this would be allowed."
    ),
}
COUNTED = N_("Your table plays “{title:rule}: {played:rule}”. Another number would change these points.")


@dataclass(frozen=True, slots=True)
class Otherwise:
    """An option that decided: what it is played with, another answer, and what this would change."""

    option: Option
    played: Value
    answer: Value | None
    """None for a number that is itself among the points: every other one gives others."""
    points: int | None = None
    """What the answer would give; None if it would allow what was refused."""
    beyond: Beyond = ""

    @property
    def where(self) -> str:
        """The paragraph of the rules about the option."""
        return f"house-{self.option.key}"

    @property
    def said(self) -> Message:
        """Both answers in words."""
        title, played = self.option.called(), _called(self.option, self.played)
        if self.answer is None:
            return message(COUNTED, title=title, played=played)
        answer = _called(self.option, self.answer)
        if self.points is None:
            return message(ALLOWED[self.beyond], title=title, played=played, answer=answer)
        return message(SCORED[self.beyond], title=title, played=played, answer=answer, points=self.points)


@dataclass(frozen=True, slots=True)
class _Taken:
    """The events from the points before to those asked about. The match until there says which they are."""

    opening: Header
    actions: tuple[Action | Seated, ...]
    """From the beginning."""
    game: AnyGame = field(compare=False)
    before: Any = field(compare=False)
    since: int = field(compare=False)
    given: tuple[Score, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Watched(Options):
    """Options that note which of them are asked for: the others change nothing."""

    read: set[str] = field(default_factory=set[str], compare=False)

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        self.read.update(key for key, _ in self.chosen)
        return Options.__iter__(self)

    def __getitem__(self, key: str) -> Value:
        self.read.add(key)
        return Options.__getitem__(self, key)

    def plain(self) -> dict[str, Value]:
        """All of them, so all are asked for."""
        return dict(self)


def otherwise(match: Match, event: int) -> Mapping[int, tuple[Otherwise, ...]]:
    """By player, the house rules that decided about the points of an event: played back from the points before it."""
    until = next(place for place, one in enumerate(match.played) if one.number == event)
    scored = [place for place, one in enumerate(match.played[:until]) if one.step.scores]
    since = scored[-1] + 1 if scored else 0
    before = match.played[since - 1].step.state if since else match.beginning
    actions = tuple(one.action for one in match.played[: until + 1])
    return _found(_Taken(match.opening, actions, match.game, before, since, match.played[until].step.scores))


@lru_cache(maxsize=32)
def _found(taken: _Taken) -> Mapping[int, tuple[Otherwise, ...]]:
    """Kept for a while: a page shows the last points with every notice."""
    options = taken.before.options
    return {
        player: tuple(
            deciding(
                taken.game.options,
                options,
                points,
                lambda others, player=player: _by(taken, others).get(player),
            )
        )
        for player, points in _sums(taken.given).items()
    }


def _sums(scores: Iterable[Score]) -> Counter[int]:
    """What each player got."""
    sums = Counter[int]()
    for score in scores:
        sums[score.player] += score.points
    return sums


def deciding(
    known: Iterable[Option], played: Options, points: int, scored: Callable[[Options], int | None]
) -> Iterator[Otherwise]:
    """Every other answer that gives other points; `scored` knows none for some."""
    for option, answer, given, beyond in _changing(known, played, points, scored):
        yield Otherwise(option, played[option.key], answer, None if answer is None else given, beyond)


def allowing(match: Match, action: Action) -> tuple[Otherwise, ...]:
    """The house rules by which an action that a match refuses would be allowed: played back from the last points."""
    scored = [place for place, one in enumerate(match.played) if one.step.scores]
    since = scored[-1] + 1 if scored else 0
    before = match.played[since - 1].step.state if since else match.beginning
    taken = tuple(one.action for one in match.played[since:])

    def allowed(options: Options) -> bool:
        state = _through(match.game, replace(before, options=options), taken)
        return state is not None and match.game.can(state, action)

    if match.stop:
        return ()
    options: Options = before.options
    return tuple(
        Otherwise(option, options[option.key], answer, None, beyond)
        for option, answer, _, beyond in _changing(match.game.options, options, False, allowed)
        if answer is not None
    )


def _changing(
    known: Iterable[Option], played: Options, now: T, tried: Callable[[Options], T | None]
) -> Iterator[tuple[Option, Value | None, T, Beyond]]:
    """The answers with which something else comes out than now, and what; of numbers, the nearest either way, or None
    where each one brings something else."""
    watched = _Watched(played.chosen)
    tried(watched)
    for option in known:
        current = played[option.key]
        if option.key not in watched.read:
            continue

        def by(answer: Value, option: Option = option) -> T | None:
            return tried(
                Options(tuple((key, answer if key == option.key else value) for key, value in played))
            )

        if type(current) is int:
            for answer, found, beyond in _numbers(option, current, now, by):
                yield option, answer, found, beyond
            continue
        for answer in (not current,) if isinstance(current, bool) else option.values:
            found = by(answer) if answer != current else None
            if found is not None and found != now:
                yield option, answer, found, ""


def _numbers(
    option: Option, current: int, now: T, by: Callable[[Value], T | None]
) -> Iterator[tuple[int | None, T, Beyond]]:
    """As `_changing`, for an option that is a number: what changes, changes once or with every step. Each way it is
    tried further and further off, and where something changed, as near as that."""
    ways: tuple[tuple[int, Beyond], ...] = ((option.low, "less"), (option.high, "more"))
    for end, beyond in ways:
        tries = [*_further(current, end)]
        found = [by(one) for one in tries]
        changed = [place for place, one in enumerate(found) if one is not None and one != now]
        if not changed:
            continue
        same, other = [current, *tries][changed[0]], tries[changed[0]]
        while abs(other - same) > 1:
            between = (same + other) // 2
            tried = by(between)
            same, other = (same, between) if tried is not None and tried != now else (between, other)
        nearest = by(other)
        assert nearest is not None
        if len({found[place] for place in changed}) > 1 and abs(other - current) == 1:
            yield None, nearest, ""
            return
        alike = other != end and {*found[changed[0] :]} == {nearest}
        yield other, nearest, beyond if alike else ""


def _further(current: int, end: int) -> Iterator[int]:
    """Numbers from `current` to `end`: one step away, two, four, …, and `end` itself."""
    steps = 1
    while steps < abs(end - current):
        yield current + (steps if end > current else -steps)
        steps *= 2
    if end != current:
        yield end


def _by(taken: _Taken, options: Options) -> Mapping[int, int]:
    """The points by player under other options; none if the events do not fit any more."""
    *through, last = taken.actions[taken.since :]
    state = _through(taken.game, replace(taken.before, options=options), through)
    assert not isinstance(last, Seated)
    try:
        return {} if state is None else _sums(taken.game.apply(state, last).scores)
    except IllegalMoveError:
        return {}


def _through(game: AnyGame, state: Any, actions: Iterable[Action | Seated]) -> Any:
    """The state after these actions; None if one is not allowed, or brings points."""
    try:
        for action in actions:
            step = game.seat(state, action) if isinstance(action, Seated) else game.apply(state, action)
            if step.scores:
                return None
            state = step.state
    except IllegalMoveError:
        return None
    return state


def _called(option: Option, value: Value) -> str:
    return YES_NO[value] if isinstance(value, bool) else option.answer(str(value))
