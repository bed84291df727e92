"""`tableside advise GAME`: what each choice is worth, and afterwards whether the dice were kind."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from advice import Advisers, kind_of, kinds
from advice.adviser import Figures, Flag, Typed
from advice.record import Advice
from advice.uneven import Likeliness, entered, estimated, even
from cli.lookback import looked_back, throws_in
from cli.perfect import play_against
from cli.typed import card_faces, pairs, typed_faces, words
from scoring.codec import plain
from scoring.game import AnyGame
from scoring.games import find
from scoring.options import chosen

MOST_SHOWN = 12
"""Choices printed for people; --json has them all."""


def _flagged(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds an option for every flag of an adviser; its help names the games that take it."""
    takers: dict[str, list[tuple[str, Flag]]] = {}
    for game, adviser in kinds().items():
        for flag in adviser.flags:
            takers.setdefault(flag.name, []).append((find(game).title, flag))
    for name, taken in reversed(takers.items()):
        texts = dict.fromkeys(flag.help for _, flag in taken)
        told = "; ".join(
            f"{', '.join(title for title, flag in taken if flag.help == text)}: {text}" for text in texts
        )
        flag = taken[0][1]
        shape: dict[str, Any] = {"metavar": flag.metavar, "help": f"{told}."}
        if flag.kind == "switch":
            shape = {"is_flag": True, "default": None, "help": f"{told}."}
        elif flag.kind == "number":
            shape["type"] = int
        elif flag.kind in ("faces", "amounts"):
            shape["multiple"] = True
        command = click.option(name, **shape)(command)
    return command


@click.command("advise")
@click.argument("game")
@click.option("--faces", metavar="a,b,c", help="The dice; leave it out before the first throw.")
@click.option("--rolls-left", "left", type=int, metavar="N", help="Throws left this turn.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; see `games`.")
@_flagged
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="FACE=N",
    help="How often a face comes up, if the dice are uneven.",
)
@click.option(
    "--log", "logs", multiple=True, type=click.Path(path_type=Path), help="Look back on a match: luck, skill and dice."
)
@click.option("--seed", type=int, help="Of --match: what is thrown is repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    game: str,
    faces: str | None,
    left: int | None,
    options: tuple[str, ...],
    weights: tuple[str, ...],
    logs: tuple[Path, ...],
    seed: int | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Advise on GAME: a position from the options, a recorded match with --log."""
    rules = find(game)
    told = chosen(rules.options, pairs(options, "--option"))
    given = _given(rules, {key: value for key, value in flags.items() if value not in (None, ())})
    if "match" in given:
        play_against(rules, told, given, seed)
        return
    advisers = Advisers(given)
    if logs and faces is None:
        click.echo(looked_back(rules, logs, advisers, _likeliness(rules, weights, ()), as_json))
        return
    thrown = tuple(face for throw in throws_in(rules, logs) for face in throw.faces) if logs else ()
    adviser = advisers.of(rules)
    if adviser is None:
        raise ValueError(f"{rules.id}: for this game there is no advice; expected {', '.join(kinds())}")
    with ExitStack() as shown:
        bar: list[Any] = []

        def progress(done: int, of: int) -> None:
            if not bar:
                bar.append(
                    shown.enter_context(click.progressbar(length=of, label="Solving", file=sys.stderr))
                )
            bar[0].update(done - bar[0].pos)

        roll = None if faces is None else typed_faces(rules, faces)
        likely = _likeliness(rules, weights, thrown)
        answer = adviser.typed(Typed(rules, told, given, likely, roll, left, progress))
    if isinstance(answer, Figures):
        click.echo(json.dumps(answer.record) if as_json else "\n".join(answer.lines))
    else:
        click.echo(json.dumps(record(answer), ensure_ascii=False) if as_json else said(answer))


def _given(game: AnyGame, typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed for the flags of a game's adviser, read. Raises ValueError for a flag that is another game's."""
    adviser = kind_of(game)
    taken = {flag.key: flag for flag in adviser.flags} if adviser else {}
    for key in typed:
        if key not in taken:
            name = f"--{key.replace('_', '-')}"
            games = [other for other, one in kinds().items() if name in [flag.name for flag in one.flags]]
            raise ValueError(f"{name}: expected {' or '.join(games)}, got {game.id}")
    return {key: _read(game, taken[key], value) for key, value in typed.items()}


def _read(game: AnyGame, flag: Flag, typed: Any) -> Any:
    """Parse the value of a flag. Raises ValueError."""
    match flag.kind:
        case "words":
            return tuple(words(typed))
        case "numbers":
            return numbers(typed, flag)
        case "dice":
            return typed_faces(game, typed)
        case "faces":
            return card_faces(game, typed)
        case "amounts":
            return amounts(typed, flag.name, flag.metavar)
        case _:
            return typed


def numbers(text: str, flag: Flag) -> tuple[int, ...]:
    """Whole numbers parted by commas. Raises ValueError."""
    found = words(text)
    fine = all(word.removeprefix("-").isdecimal() and len(word) < 6 for word in found)
    if not found or len(found) > flag.most or not fine:
        raise ValueError(
            f"{flag.name}: expected up to {flag.most} whole numbers parted by commas, got {text[:40]!r}"
        )
    return tuple(map(int, found))


def amounts(typed: tuple[str, ...], name: str, form: str) -> dict[str, float]:
    """NAME=NUMBER, NAME=NUMBER as a dict. Raises ValueError."""
    found: dict[str, float] = {}
    for key, text in pairs(typed, name, form).items():
        try:
            found[key] = float(text)
        except ValueError:
            raise ValueError(f"{name}: expected {form} with a number, got {text[:40]!r}") from None
    return found


def _likeliness(game: AnyGame, weights: tuple[str, ...], thrown: tuple[str, ...]) -> Likeliness:
    """How the dice fall: as entered, as estimated from throws, or evenly. Raises ValueError."""
    faces = game.dice.faces
    if not faces:
        raise ValueError(f"{game.id} is played without dice: there is no luck of the dice to look back on")
    if weights:
        given = amounts(weights, "--weight", "FACE=N")
        return entered(faces, {typed_faces(game, f"{face},")[0]: n for face, n in given.items()})
    return estimated(faces, thrown) if thrown else even(faces)


def record(advice: Advice) -> dict[str, Any]:
    """Advice as `--json` prints it."""
    choices = [
        {
            "do": one.words,
            "move": None if one.move is None else plain(one.move),
            "worth": one.worth,
            "cost": one.cost,
        }
        | ({"figures": dict(one.figures)} if one.figures else {})
        for one in advice.choices
    ]
    return {
        "game": advice.game,
        "unit": advice.unit,
        "exact": advice.exact,
        "assumes": advice.assumes,
        "expected": advice.best.worth,
        "best": choices[0],
        "choices": choices,
        "figures": dict(advice.figures),
        "sentence": advice.sentence,
        "why": advice.why,
    }


def said(advice: Advice) -> str:
    """Advice for people."""
    lines = [advice.sentence, advice.why, ""]
    lines += [
        f"{one.worth:12.6f}  {-one.cost or 0.0:+11.6f}  {one.words}" for one in advice.choices[:MOST_SHOWN]
    ]
    if (more := len(advice.choices) - MOST_SHOWN) > 0:
        lines.append(f"… and {more} more (--json lists them all)")
    if advice.figures:
        figures = ((name, value if isinstance(value, str) else f"{value:.6f}") for name, value in advice.figures)
        lines += ["", *(f"{value:>12}  {name}" for name, value in figures)]
    if advice.assumes:
        kind = "Exact" if advice.exact else "Estimated"
        lines += ["", f"{kind}, in {advice.unit}. Assumes {advice.assumes}."]
    return "\n".join(lines)
