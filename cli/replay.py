"""`tableside replay LOG`: the final state of a recorded match, and the reason for every point in it.

LOG is a file of JSON lines, a store (a data folder or its `tables.db`; the match played last unless `--match` names
another), or the id of a match in your own store.
"""

from __future__ import annotations

import errno
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from cli.typed import language_option
from scoring.actions import Seated
from scoring.announcement import awaiting
from scoring.codec import plain
from scoring.games import find
from scoring.logfile import MatchLogError, read
from scoring.match import Match
from scoring.standing import standing
from words.rules import title
from words.speaker import speaker

LARGEST_LOG = 50_000_000
"""Bytes; a larger file is not a log of a match."""


@click.command("replay")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--match", "match_id", metavar="ID", help="The match to replay from a database; by default the last one."
)
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(log: Path, match_id: str | None, lang: str, as_json: bool) -> None:
    """Replay the match in LOG: a file, a store, or the id of a match in your own."""
    match = match_in(log, match_id)
    if as_json:
        shown = record(match, lang)
        if match.hides and not _is_log(log):  # a match of a store is still being played
            shown["state"] = None
        click.echo(json.dumps(shown, ensure_ascii=False))
    else:
        click.echo(told(match, lang))


def match_in(log: Path, match_id: str | None = None) -> Match:
    """The match recorded in a file or a store. Raises MatchLogError or OSError."""
    if _is_log(log):
        return _from_file(log)
    from files.folders import tables_folder
    from table.storage.store import FILE, Store

    if log.is_dir():
        log = log / FILE
    if not log.is_file() and (own := tables_folder() / FILE).is_file() and log.name == str(log):
        log, match_id = own, str(log)
    if not log.is_file():
        raise FileNotFoundError(errno.ENOENT, "No such file, nor a match of that id", str(log))
    with closing(Store.seen(log)) as store:
        return read(store.log(match_id or store.latest()), find)


def _is_log(path: Path) -> bool:
    """Whether this is a file but not a store."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) != b"SQLite format 3\0"


def log_in(path: Path) -> str:
    """The JSON lines in a file. Raises MatchLogError or OSError."""
    if path.is_file() and path.stat().st_size > LARGEST_LOG:
        raise MatchLogError(
            "{path}: too large for a match log (more than {most} bytes)", path=str(path), most=LARGEST_LOG
        )
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise MatchLogError("{path}: this file is not UTF-8 text", path=str(path)) from None


def _from_file(log: Path) -> Match:
    text = log_in(log)
    try:
        return read(text, find)
    except MatchLogError as refused:
        raise MatchLogError("{path}: {why}", path=str(log), why=refused.message) from None


def record(match: Match, language: str = "en") -> dict[str, Any]:
    """A match as `--json` prints it: ids whatever the language, rules in words."""
    outcome, spoken = match.outcome, speaker(language)
    return {
        "game": match.header.game,
        "rules": match.header.rules,
        "players": list(match.header.players),
        "options": dict(match.header.options),
        "events": len(match.events),
        "scores": [
            {
                "event": played.number,
                "player": match.name_now(played.number, score.player, played.step.state.players),
                "points": score.points,
                "total": score.total,
                "breakdown": [
                    {"rule": spoken.say(one.reason), "points": one.points, "where": one.where}
                    for one in score.breakdown
                ],
            }
            for played in match.played
            for score in played.step.scores
        ],
        "changes": [
            {"event": number, "players": list(change.players), "seats": list(change.seats)}
            for number, change in match.changes
        ],
        "points": {seat.name: seat.score for seat in match.view.seats},
        "winners": [match.header.players[player] for player in outcome.winners] if outcome else None,
        "reason": outcome.reason if outcome else None,
        "stopped": {"event": match.stop.number, "rule": spoken.clause(match.stop.rule)}
        if match.stop
        else None,
        "state": {
            key: value for key, value in plain(match.state).items() if key not in ("players", "options")
        },
    }


def told(match: Match, language: str = "en") -> str:
    """A match for people: every score with its reasons, then how it stands."""
    game, players, spoken = match.game, match.header.players, speaker(language)
    lines = [f"{game.title}: {', '.join(players)}"]
    lines += [f"  {key} = {value}" for key, value in match.header.options]
    for played in match.played:
        then = played.step.state.players
        if isinstance(played.action, Seated):
            lines += [f"{played.number:4}  {spoken.among(then).say(one)}" for one in played.step.facts]
        for score in played.step.scores:
            lines.append(f"{played.number:4}  {then[score.player]} {score.points:+d}, {score.total} in all")
            lines += [
                f"        {one.points:+d} {spoken.say(one.reason)} [{title(game, one.where, language) or one.where}]"
                for one in score.breakdown
            ]
    lines += [spoken.among(players).say(one) for one in (*standing(match).spoken, *awaiting(match))]
    return "\n".join(lines)
