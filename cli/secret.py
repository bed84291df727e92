"""Hands that only one player may see, at a terminal that everyone sits around."""

from __future__ import annotations

import sys

import click

from cli.sheets import panel_lines
from messages.message import message
from scoring.actions import Awaited, MoveAwaited
from scoring.match import Match
from words.speaker import speaker


def secret_of(match: Match, awaited: tuple[Awaited, ...]) -> tuple[int, ...]:
    """The players who are to decide by what only they may see."""
    asked = (player for one in awaited if isinstance(one, MoveAwaited) for player in one.players)
    return tuple(player for player in asked if match.game.private(match.state, player))


def hand_over(match: Match, player: int, language: str) -> None:
    """Let the others look away before a hand is shown; where nobody sits at a terminal, nothing is shown."""
    if not sys.stdin.isatty():
        return
    click.clear()
    click.echo(
        speaker(language, match.header.players).say(
            message("{player:name} alone looks now: the others look away. Press Enter.", player=player)
        )
    )
    sys.stdin.readline()
    for panel in match.game.private(match.state, player):
        click.echo("\n".join(panel_lines(panel, language)))


def put_away() -> None:
    """Clear the screen of a hand, before the others look again."""
    if sys.stdin.isatty():
        click.clear()
