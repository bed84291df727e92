"""A match against the perfect player, who throws the dice itself and says why."""

from __future__ import annotations

import random

import click

from advice import Advisers
from advice.adviser import Given
from advice.luck import last_turn, look_back
from advice.record import in_english
from cli.lookback import luck_lines
from cli.play import TerminalTable
from scoring.actions import Confirm, Fill, MoveAwaited, Play, RollAwaited
from scoring.anyplay import any_chance
from scoring.game import AnyGame
from scoring.match import Match, begin
from scoring.options import Options

PERFECT = "Perfect"
"""The name of the player who is."""


def play_against(game: AnyGame, options: Options, given: Given, seed: int | None) -> None:
    """Play to the end with typed rolls and choices; the perfect player sits last. Raises ValueError."""
    match = begin(game, [*given["match"], PERFECT], options.plain())
    advisers = Advisers(given)
    advisers.for_match(match)  # refuses at once what is not solved
    Against(match, advisers, seed).play()


class Against(TerminalTable):
    """A terminal with one player more, who needs no terminal."""

    def __init__(self, match: Match, heads: Advisers, seed: int | None) -> None:
        """The last player is the perfect one."""
        super().__init__(match, random.Random(seed), None, False, False)
        self._heads, self._perfect = heads, len(match.header.players) - 1

    def _next(self) -> Match | None:
        """The perfect player's throw or choice; else a line of input."""
        match = self.match
        awaited = match.awaited
        one = next((one for one in awaited if self._is_perfects(one)), None)
        if isinstance(one, RollAwaited):
            return match.add(any_chance(one, self.rng.randrange))
        if one is None:
            return super()._next()
        if Confirm(True) in match.legal:
            return match.add(Play(self._perfect, Confirm(True)))
        advice = self._heads.for_match(match)
        assert advice.best.move is not None, "with dice on the table there is something to do"
        click.echo(f"{PERFECT}: {advice.sentence} {advice.why}")
        return match.add(Play(self._perfect, advice.best.move))

    def _take(self, after: Match) -> None:
        """What came of it, and after a turn how good its choices were."""
        before = self.match
        super()._take(after)
        if len(after.events) <= len(before.events) or not after.played:
            return
        action = after.played[-1].action
        if isinstance(action, Play) and isinstance(action.move, Fill) and action.player != self._perfect:
            told = last_turn(after, action.player, self._heads)
            click.echo(in_english([told]))
        if after.outcome:
            click.echo("\n".join(["", *luck_lines(look_back(after, self._heads))]))

    def _is_perfects(self, one: object) -> bool:
        if isinstance(one, RollAwaited):
            return one.player == self._perfect
        return isinstance(one, MoveAwaited) and self._perfect in one.players
