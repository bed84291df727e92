"""What another answer to a house rule would have changed: the same decisions and rolls, scored by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from messages.message import N_, Message, message
from scoring.account import Score
from scoring.actions import Action, IllegalMoveError, Seated
from scoring.game import AnyGame
from scoring.match import Header, Match
from scoring.options import Option, Options, Value

YES_NO = {True: N_("yes"), False: N_("no")}


@dataclass(frozen=True, slots=True)
class Otherwise:
    """An option that decided: what it is played with, another answer, and the points that this would give."""

    option: Option
    played: Value
    answer: Value
    points: int

    @property
    def where(self) -> str:
        """The paragraph of the rules about the option."""
        return f"house-{self.option.key}"

    @property
    def said(self) -> Message:
        """Both answers in words."""
        return message(
            "Your table plays “{title:rule}: {played:rule}”. With “{answer:rule}” this would be {points:points}.",
            title=self.option.called(),
            played=_called(self.option, self.played),
            answer=_called(self.option, self.answer),
            points=self.points,
        )


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
    """Every other answer that is a word or yes and no, and gives other points; `scored` knows none for some."""
    for option in known:
        now = played[option.key]
        answers = (not now,) if isinstance(now, bool) else option.values
        for answer in answers:
            if answer != now:
                given = scored(
                    Options(tuple((key, answer if key == option.key else value) for key, value in played))
                )
                if given is not None and given != points:
                    yield Otherwise(option, now, answer, given)


def _by(taken: _Taken, options: Options) -> Mapping[int, int]:
    """The points by player under other options; none where the events do not fit any more."""
    state = replace(taken.before, options=options)
    *through, last = taken.actions[taken.since :]
    game = taken.game
    try:
        for action in through:
            step = game.seat(state, action) if isinstance(action, Seated) else game.apply(state, action)
            if step.scores:
                return {}
            state = step.state
        assert not isinstance(last, Seated)
        return _sums(game.apply(state, last).scores)
    except IllegalMoveError:
        return {}


def _called(option: Option, value: Value) -> str:
    return YES_NO[value] if isinstance(value, bool) else option.answer(str(value))
