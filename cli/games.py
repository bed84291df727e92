"""`tableside games`: which games there are, and what a table can choose in each."""

from __future__ import annotations

import json
from typing import Any

import click

from scoring.game import AnyGame
from scoring.games import available, find
from words.speaker import speaker


@click.command("games")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def command(game: str | None, as_json: bool) -> None:
    """List the games, or the options and calls of GAME."""
    games = (find(game),) if game else available()
    if as_json:
        click.echo(json.dumps([record(one) for one in games], ensure_ascii=False, indent=2))
        return
    for one in games:
        dice = f"{one.dice.count} dice ({one.dice.set_id})" if one.dice.count else "no dice"
        low, high = one.seats
        click.echo(f"{one.id:16} {one.title}: {dice}, {low} to {high} players")
        if game:
            details(one)


def details(game: AnyGame) -> None:
    """The calls and options of one game."""
    if game.declarations:
        click.echo(f"\ncalls: {', '.join(game.declarations)}")
    for title, options in (("options", game.options), ("to score one roll", game.circumstances)):
        if options:
            click.echo(f"\n{title}:")
        for option in options:
            default = (
                ("yes" if option.default else "no") if isinstance(option.default, bool) else option.default
            )
            click.echo(f"  {option.key} = {default}   ({speaker().clause(option.expected())})")
            click.echo(f"      {option.explanation} [{option.ruling}]")
            for value, answer in zip(option.values, option.answers, strict=False):
                click.echo(f"        {value}: {answer}")


def record(game: AnyGame) -> dict[str, Any]:
    """A game as `--json` prints it."""
    return {
        "id": game.id,
        "title": game.title,
        "set": game.dice.set_id,
        "dice": game.dice.count,
        "faces": list(game.dice.faces),
        "players": list(game.seats),
        "rules": game.version,
        "declarations": list(game.declarations),
        "options": [
            {
                name: getattr(option, name)
                for name in ("key", "default", "values", "ask", "explanation", "ruling")
            }
            for option in game.options
        ],
    }
