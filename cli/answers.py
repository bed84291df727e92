"""What a table was once asked and told: values that are printed on people's own sheets and boards, by game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import click

from messages.message import MessageError
from scoring.dice import spelled
from scoring.game import AnyGame
from table.storage.store import tables_folder

FILE = "answers.json"
"""In the folder of the players' own things."""


def answered(game: AnyGame, given: dict[str, str], *, anew: bool = False) -> dict[str, str]:
    """The given options, and for what no document says the answers of this table.

    Asks for what was never answered (`anew`: for everything), and stores it. Raises OSError, click.Abort.
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
    answers = _read().get(game.id)
    if not isinstance(answers, dict):
        return {}
    kept: dict[str, str] = {}
    for option in game.options:
        value = cast("dict[str, object]", answers).get(option.key)
        try:
            if option.ask and isinstance(value, str):
                option.read(value)
                kept[option.key] = value
        except MessageError:
            continue
    return kept


def _place() -> Path:
    return tables_folder() / FILE


def _read() -> dict[str, object]:
    try:
        known: object = json.loads(_place().read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", known) if isinstance(known, dict) else {}


def _store(game: AnyGame, answers: dict[str, str]) -> None:
    place = _place()
    place.parent.mkdir(parents=True, exist_ok=True)
    half = place.with_name(f"{FILE}.new")
    half.write_text(json.dumps(_read() | {game.id: answers}, ensure_ascii=False, indent=1), encoding="utf-8")
    half.replace(place)
