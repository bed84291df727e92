"""`tableside games`: which games there are, what a table can choose in each, and games of your own as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cli.typed import language_option
from messages.message import Message, message, naming
from scoring.game import AnyGame
from scoring.gamefile.explained import explained
from scoring.gamefile.game import game_of
from scoring.gamefile.reading import GameFileError, read_examples
from scoring.games import available, find
from table.game_check import Checked, checked
from table.game_files import KINDS, forget, keep, kind_text, read_file, text_of
from table.new_match import dice_for
from words.speaker import speaker

EXAMPLES = "examples.toml"
"""The file with worked examples, beside a game's."""


class Games(click.Group):
    """A group whose commands may be left out: `games` lists, `games GAME` shows one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `show` if no command is named."""
        named = args[:1] and (args[0] in self.commands or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if named else ["show", *args])


@click.group("games", cls=Games)
def command() -> None:
    """List the games, or show one; check, add and remove games of your own.

    `tableside games GAME` shows the options and calls of GAME, `--json` prints JSON.
    """


@command.command("show")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def show(game: str | None, as_json: bool) -> None:
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


@command.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), default=KINDS[0], help="What the file begins with.")
def new(file: Path, kind: str) -> None:
    """Write a game file with comments to FILE, which must not be there yet."""
    with file.open("x", encoding="utf-8") as target:
        target.write(kind_text(kind))
    click.echo(
        f"{click.format_filename(file)}: change it, then: tableside games check {click.format_filename(file)}"
    )


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seconds", type=click.FloatRange(0, 600), default=20, help="Time for random matches.")
@language_option
def check(file: Path, seconds: float, lang: str) -> None:
    """Explain the game in FILE, run its examples, and play it 1,000 times at random."""
    rules, words = read_file(file), speaker(lang)
    game = game_of(rules)
    beside = file.with_name(EXAMPLES)
    with naming(str(beside), GameFileError):
        examples = read_examples(text_of(beside), rules) if beside.is_file() else ()
    click.echo(f"{rules.title} ({rules.id})")
    for paragraph in explained(rules):
        click.echo(f"\n{words.say(paragraph.title)}")
        for sentence in paragraph.sentences:
            click.echo(f"  {words.say(sentence)}")
    found = checked(game, examples, seconds=seconds)
    click.echo()
    for said in report(found, len(examples)):
        click.echo(words.say(said))
    try:
        dice_for(game)
    except ValueError as refused:
        click.echo(f"{refused}")
    if found.wrong:
        raise GameFileError("{n:count example examples} came out otherwise", n=len(found.wrong))


def report(found: Checked, examples: int) -> list[Message]:
    """What trying a game showed."""
    said = [
        message(
            "Example {dice:row}: {got:points}, not {expected}.",
            dice=one.dice,
            got=points,
            expected=one.points,
        )
        for one, points in found.wrong
    ]
    if examples > len(found.wrong):
        said.append(message("{n:count example examples} as expected.", n=examples - len(found.wrong)))
    for name in found.never:
        said.append(
            message(
                "“{what:rule}” can never score." if found.sure else "“{what:rule}” did not score.", what=name
            )
        )
    played = found.played
    said.append(
        message("{n:count match matches} played at random, {ended} ended.", n=played.matches, ended=played.ended)
    )
    said.append(
        message(
            "Turns in a match: {least} to {most}, usually {middle}.",
            least=played.turns.least, most=played.turns.most, middle=played.turns.middle,
        )
    )  # fmt: skip
    said.append(
        message(
            "Points of the winner: {least} to {most}, usually {middle}.",
            least=played.points.least, most=played.points.most, middle=played.points.middle,
        )
    )  # fmt: skip
    return said


@command.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", "replacing", is_flag=True, help="Replace a game of yours of this id.")
def add(file: Path, replacing: bool) -> None:
    """Add the game in FILE to yours. It may come from anybody: it is checked, and nothing in it is run."""
    with naming(str(file), GameFileError):
        game = keep(text_of(file), replacing=replacing)
    click.echo(f"{game.id}: {game.title}, in {Path(game.home).parent}")


@command.command("remove")
@click.argument("game")
def remove(game: str) -> None:
    """Delete GAME, one of yours. Its matches stay."""
    forget(find(game).id)


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
            click.echo(f"      {option.explanation}{f' [{option.ruling}]' if option.ruling else ''}")
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
