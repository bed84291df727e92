"""`tableside score GAME --faces a,b,c`: what a roll is worth, and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import click

from cli.typed import card_faces, declared_word, language_option, pairs, typed_roll
from scoring.account import ScoredRoll
from scoring.game import AnyGame
from scoring.games import find
from scoring.options import Options, chosen
from scoring.otherwise import deciding
from words.rules import title
from words.speaker import speaker


@click.command("score")
@click.argument("game")
@click.option("--faces", metavar="a,b,c", help="The dice; - reads one roll per line.")
@click.option("--declare", metavar="X", help="The call made before the roll, or a box on the sheet.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; see `games`.")
@click.option("--add", "added", multiple=True, metavar="FACE=N", help="Faces a card adds (negative: takes).")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    game: str,
    faces: str | None,
    declare: str | None,
    options: tuple[str, ...],
    added: tuple[str, ...],
    lang: str,
    as_json: bool,
) -> None:
    """Score one roll of GAME, with a reason for every point.

    Destiny's cards are given like faces: each base begins a stack. Outback's end is counted without faces, from
    the options `markers` and `lost`.
    """
    rules = find(game)
    given, extra = pairs(options, "--option"), card_faces(rules, added)
    played = chosen((*rules.options, *rules.circumstances), given)
    if faces is None:
        if rules.score_end(played) is None:
            raise click.UsageError("expected --faces a,b,c (the dice as they lie), got none")
        faces = ""
    said = None if declare is None else declared_word(rules, declare)

    def scored(text: str, always_json: bool) -> str:
        roll = typed_roll(rules, text)

        def by(answers: Options) -> ScoredRoll:
            return rules.score(roll, declared=said, options=answers.plain(), added=extra)

        found = by(played)
        if as_json or always_json:
            return json.dumps(record(rules, roll, found, lang), ensure_ascii=False)
        lines = [told(rules, found, lang)]
        if found.points is not None:
            others = deciding(rules.options, played, found.points, lambda answers: by(answers).points)
            lines += [speaker(lang).say(one.said) for one in others]
        return "\n".join(lines)

    if faces.strip() != "-":
        click.echo(scored(faces, always_json=False))
        return
    for number, text in enumerate(sys.stdin, start=1):
        if not text.strip():
            continue
        try:
            click.echo(scored(text.strip(), always_json=True))
        except ValueError as refused:
            raise ValueError(f"line {number}: {refused}") from None


def record(
    game: AnyGame, faces: tuple[str, ...], scored: ScoredRoll, language: str = "en"
) -> Mapping[str, Any]:
    """A scored roll as `--json` prints it: ids whatever the language, rules in words."""
    body: dict[str, Any] = {"game": game.id, "faces": list(faces), "points": scored.points}
    if scored.boxes:
        body["boxes"] = dict(scored.boxes)
    if scored.rank is not None:
        body["rank"] = scored.rank
    body["breakdown"] = [
        {"rule": speaker(language).say(one.reason), "points": one.points, "where": one.where}
        for one in scored.breakdown
    ]
    return body


def told(game: AnyGame, scored: ScoredRoll, language: str = "en") -> str:
    """A scored roll for people."""
    lines = [f"{speaker(language).name(box):18} {points:4}" for box, points in scored.boxes]
    if scored.rank is not None:
        lines.append(speaker(language).name(scored.rank))
    lines += [
        f"{one.points:+5}  {speaker(language).say(one.reason)}  [{title(game, one.where, language) or one.where}]"
        for one in scored.breakdown
    ]
    if scored.points is not None:
        lines.append(f"{scored.points:5}  {speaker(language).points}")
    return "\n".join(lines)
