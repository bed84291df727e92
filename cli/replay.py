"""`tableside replay LOG`: the final state of a recorded match, and the reason for every point in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from scoring.codec import plain
from scoring.games import find
from scoring.logfile import MatchLogError, read
from scoring.match import Match
from scoring.wording import awaiting, explain, say, standing

LARGEST_LOG = 50_000_000
"""Bytes; a larger file is not a log of a match."""


@click.command("replay")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(log: Path, as_json: bool) -> None:
    """Replay the match in LOG."""
    match = match_in(log)
    if as_json:
        click.echo(json.dumps(record(match), ensure_ascii=False))
    else:
        click.echo(told(match))


def match_in(log: Path) -> Match:
    """The match recorded in a file. Raises MatchLogError or OSError."""
    if log.is_file() and log.stat().st_size > LARGEST_LOG:
        raise MatchLogError(f"{log}: larger than {LARGEST_LOG} bytes, which no match is")
    try:
        return read(log.read_bytes().decode("utf-8").replace("\r\n", "\n"), find)
    except UnicodeDecodeError:
        raise MatchLogError(f"{log}: expected UTF-8 text, found other bytes") from None
    except MatchLogError as refused:
        raise MatchLogError(f"{log}: {refused}") from None


def record(match: Match) -> dict[str, Any]:
    """A match as `--json` prints it."""
    outcome = match.outcome
    return {
        "game": match.header.game,
        "rules": match.header.rules,
        "players": list(match.header.players),
        "options": dict(match.header.options),
        "events": len(match.events),
        "scores": [
            {
                "event": played.number,
                "player": match.header.players[score.player],
                "points": score.points,
                "total": score.total,
                "breakdown": [
                    {"rule": explain(one), "points": one.points, "where": one.where}
                    for one in score.breakdown
                ],
            }
            for played in match.played
            for score in played.step.scores
        ],
        "points": {seat.name: seat.score for seat in match.game.table(match.state).seats},
        "winners": [match.header.players[player] for player in outcome.winners] if outcome else None,
        "reason": outcome.reason if outcome else None,
        "stopped": {"event": match.stop.number, "rule": match.stop.rule} if match.stop else None,
        "state": {
            key: value for key, value in plain(match.state).items() if key not in ("players", "options")
        },
    }


def told(match: Match) -> str:
    """A match for people: every score with its reasons, then how it stands."""
    players = match.header.players
    lines = [f"{match.game.title}: {', '.join(players)}"]
    lines += [f"  {key} = {value}" for key, value in match.header.options]
    for played in match.played:
        for score in played.step.scores:
            lines.append(
                f"{played.number:4}  {players[score.player]} {score.points:+d}, {score.total} in all"
            )
            lines += [f"        {one.points:+d} {explain(one)} [{one.where}]" for one in score.breakdown]
    lines += [say(one, players) for one in (*standing(match), *awaiting(match))]
    return "\n".join(lines)
