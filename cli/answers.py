"""Remembers answers about people's own sheets and boards: values printed on them, by game."""

from __future__ import annotations

from contextlib import suppress

import click

from files.folders import tables_folder
from files.records import read_record, write_record
from messages.message import MessageError
from scoring.dice import spelled
from scoring.game import AnyGame

FILE = "answers.json"
"""In the folder of the players' own things."""
Answers = dict[str, dict[str, str]]
"""By game and option."""


def answered(game: AnyGame, given: dict[str, str], *, anew: bool = False) -> dict[str, str]:
    """The given options, completed by this table's answers where no document gives a value.

    Asks for missing answers (with `anew`, for all) and stores them. Raises OSError, click.Abort.
    """
    told = {spelled(key) for key in given}
    kept = {} if anew else stored(game)
    answers: dict[str, str] = {}
    for option in game.options:
        if not option.ask or spelled(option.key) in told:
            continue
        if option.key in kept:
            answers[option.key] = kept[option.key]
            continue
        while option.key not in answers:
            said = click.prompt(option.explanation, default=str(option.default), err=False)
            try:
                option.read(said)
                game.initial([f"player {i}" for i in range(game.seats[0])], {option.key: said})
            except ValueError as refused:
                click.echo(f"No: {refused}.")
            else:
                answers[option.key] = said
    if answers.items() - kept.items():
        _store(game, kept | answers)
    return given | answers


def stored(game: AnyGame) -> dict[str, str]:
    """The answers kept for a game that its options still accept; a damaged file has none."""
    answers = _read().get(game.id, {})
    kept: dict[str, str] = {}
    for option in game.options:
        with suppress(MessageError):
            if option.ask and option.key in answers:
                option.read(answers[option.key])
                kept[option.key] = answers[option.key]
    return kept


def _read() -> Answers:
    return read_record(tables_folder() / FILE, Answers) or {}


def _store(game: AnyGame, answers: dict[str, str]) -> None:
    write_record(tables_folder() / FILE, _read() | {game.id: answers})
