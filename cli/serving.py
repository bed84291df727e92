"""Options that `demo` and `serve` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Decorated = Callable[..., Any]


def playing(command: Decorated) -> Decorated:
    """What is played, with which dice, by whom."""
    for option in (
        click.option("--players", default="Alice,Bob", show_default=True, metavar="A,B", help="Who plays."),
        click.option("--set", "set_id", metavar="ID", help="The dice set; by default the game's own."),
        click.option("--game", default="meet-fate", show_default=True, metavar="ID", help="What is played."),
    ):
        command = option(command)
    return command


def listening(command: Decorated) -> Decorated:
    """Where the pages are served: on this computer alone, unless asked otherwise."""
    for option in (
        click.option(
            "--port",
            type=click.IntRange(1, 65535),
            default=8765,
            show_default=True,
            help="Where to listen; the next free port is taken when it is busy.",
        ),
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="The address to listen on; with another one, others in your network can see and play.",
        ),
    ):
        command = option(command)
    return command


def names(players: str) -> list[str]:
    """The players' names in order."""
    return [name.strip() for name in players.split(",") if name.strip()]
