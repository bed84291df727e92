"""`tableside score GAME --faces a,b,c`: what a roll is worth, and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

from scoring.account import ScoredRoll
from scoring.dice import UnknownFaceError
from scoring.game import AnyGame
from scoring.games import find
from scoring.wording import explain

MOST_ADDED = 99
"""Faces of one kind that a card may add or take."""


@click.command("score")
@click.argument("game")
@click.option(
    "--faces", required=True, metavar="a,b,c", help="The dice as they lie; - reads one roll a line."
)
@click.option("--declare", metavar="X", help="What was declared before the roll, or a box of the sheet.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; see `games`.")
@click.option("--add", "added", multiple=True, metavar="FACE=N", help="Faces a card adds (negative: takes).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    game: str,
    faces: str,
    declare: str | None,
    options: tuple[str, ...],
    added: tuple[str, ...],
    as_json: bool,
) -> None:
    """Score one roll of GAME, with a reason for every point."""
    rules = find(game)
    if not rules.dice.count:
        raise ValueError(f"{rules.id} is played without dice: there is no roll to score")
    chosen, extra = pairs(options, "--option"), card_faces(rules, added)
    declare = None if declare is None else declared_word(rules, declare)
    if faces.strip() != "-":
        roll = typed_faces(rules, faces)
        scored = rules.score(roll, declared=declare, options=chosen, added=extra)
        click.echo(json.dumps(record(rules, roll, scored), ensure_ascii=False) if as_json else told(scored))
        return
    for number, text in enumerate(sys.stdin, start=1):
        if not text.strip():
            continue
        try:
            roll = typed_faces(rules, text.strip())
            scored = rules.score(roll, declared=declare, options=chosen, added=extra)
        except ValueError as refused:
            raise ValueError(f"line {number}: {refused}") from None
        click.echo(json.dumps(record(rules, roll, scored), ensure_ascii=False))


def pairs(words: Iterable[str], option: str, form: str = "KEY=VALUE") -> dict[str, str]:
    """K=V, K=V as a dict. Raises ValueError."""
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise ValueError(f"{option}: expected {form}, got {word[:40]!r}")
        found[key.strip()] = value.strip()
    return found


def card_faces(game: AnyGame, words: Iterable[str]) -> dict[str, int]:
    """FACE=N, FACE=N as a dict; a face named twice counts together. Raises ValueError."""
    found: dict[str, int] = {}
    for word in words:
        ((face, number),) = pairs([word], "--add", "FACE=N").items()
        try:
            count = int(number)
        except ValueError:
            count = MOST_ADDED + 1
        if abs(count) > MOST_ADDED:
            raise ValueError(f"--add: expected FACE=N with N from -99 to 99, got {number[:40]!r}")
        named = typed_faces(game, f"{face},")
        found[named[0]] = found.get(named[0], 0) + count
    return found


def declared_word(game: AnyGame, text: str) -> str:
    """The declaration somebody typed: an id, or a face by its label in any language. Raises ValueError."""
    try:
        return game.declaration(text)
    except UnknownFaceError as unknown:
        try:
            return game.declaration(typed_faces(game, f"{text},")[0])
        except ValueError:
            raise unknown from None


def typed_faces(game: AnyGame, text: str) -> tuple[str, ...]:
    """The faces somebody typed: ids, or labels in any language of the dice set. Raises UnknownFaceError."""
    try:
        return game.dice.read(text)
    except UnknownFaceError as unknown:
        from vision.diceset import DiceSetError  # OpenCV comes with it: only for labels
        from vision.diceset import find as find_set

        words = text.split(",") if "," in text else text.split()
        try:
            dice_set = find_set(game.dice.set_id)
            resolved = [dice_set.resolve(word) for word in words if word.strip()]
        except (DiceSetError, ValueError):
            raise unknown from None
        return tuple(game.dice.face(face) for face in resolved)


def record(game: AnyGame, faces: tuple[str, ...], scored: ScoredRoll) -> Mapping[str, Any]:
    """A scored roll as `--json` prints it."""
    body: dict[str, Any] = {"game": game.id, "faces": list(faces), "points": scored.points}
    if scored.boxes:
        body["boxes"] = dict(scored.boxes)
    if scored.rank is not None:
        body["rank"] = scored.rank
    body["breakdown"] = [
        {"rule": explain(one), "points": one.points, "where": one.where} for one in scored.breakdown
    ]
    return body


def told(scored: ScoredRoll) -> str:
    """A scored roll for people."""
    lines = [f"{box:18} {points:4}" for box, points in scored.boxes]
    if scored.rank is not None:
        lines.append(scored.rank.replace("-", " "))
    lines += [f"{one.points:+5}  {explain(one)}  [{one.where}]" for one in scored.breakdown]
    if scored.points is not None:
        lines.append(f"{scored.points:5}  points")
    return "\n".join(lines)
