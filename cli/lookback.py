"""Looking back on recorded matches: luck, skill, and whether the dice fell evenly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from advice import Advisers, fairness, luck
from advice.fairness import CountedThrow, Fairness
from advice.luck import Luck
from advice.record import NoAdviceError
from advice.uneven import Likeliness
from cli.replay import match_in
from scoring.game import AnyGame
from scoring.match import Match
from words.speaker import speaker

MOST_LOST = 3
"""Choices named that gave most away."""


def throws_in(game: AnyGame, logs: Sequence[Path]) -> tuple[CountedThrow, ...]:
    """Every throw of recorded matches of a game. Raises ValueError, OSError."""
    return tuple(throw for match in matches_in(game, logs) for throw in fairness.throws_of(match))


def matches_in(game: AnyGame, logs: Sequence[Path]) -> tuple[Match, ...]:
    """The matches in some logs, all of one game. Raises ValueError, OSError."""
    found = tuple(match_in(log) for log in logs)
    for log, match in zip(logs, found, strict=True):
        if match.header.game != game.id:
            raise ValueError(f"{log}: expected a match of {game.id}, got one of {match.header.game}")
    return found


def looked_back(
    game: AnyGame, logs: Sequence[Path], advisers: Advisers, likely: Likeliness, as_json: bool
) -> str:
    """Luck and losses of each match, and the dice of all of them together, held against what is likely.

    Raises ValueError, OSError.
    """
    matches = matches_in(game, logs)
    evenings = [_luck(match, advisers) for match in matches]
    throws = [throw for match in matches for throw in fairness.throws_of(match)]
    dice = fairness.report(throws, game.dice.faces, likely.chances)
    totals = luck.evening(one for one in evenings if isinstance(one, Luck))
    if as_json:
        told = [_luck_record(one) for one in evenings]
        together = [asdict(one) for one in totals]
        body = {"game": game.id, "matches": told, "evening": together, "dice": dice_record(dice, likely)}
        return json.dumps(body, ensure_ascii=False)
    lines: list[str] = []
    for one in evenings:
        lines += [one] if isinstance(one, str) else luck_lines(one)
    if len(matches) > 1:
        lines += ["", "Together:"]
        lines += [
            f"{t.player}: luck {t.luck:+.4f}, lost {t.lost:.4f} ({t.unit}, {t.matches} matches)"
            for t in totals
        ]
    return "\n".join([*lines, "", f"{dice.sentence} (Held against {likely.words}.)", dice.why])


def _luck(match: Match, advisers: Advisers) -> Luck | str:
    """Luck of a match, or why it cannot be told."""
    try:
        return luck.look_back(match, advisers)
    except NoAdviceError as refused:
        return str(refused)


def luck_lines(looked: Luck) -> list[str]:
    """A match looked back on, for people."""
    lines = [looked.sentence, looked.why, ""]
    for account in looked.accounts:
        lines.append(f"{account.player}: luck {account.luck:+.4f}, lost {account.lost:.4f} ({looked.unit})")
        for one in sorted(account.moments, key=lambda one: -one.lost)[:MOST_LOST]:
            if one.better is not None:
                did, better = speaker().clause(one.did), speaker().clause(one.better)
                lines.append(f"  event {one.number}: {did} lost {one.lost:.4f}; better: {better}")
    return lines


def _luck_record(looked: Luck | str) -> dict[str, Any]:
    if isinstance(looked, str):
        return {"unknown": looked}
    return {
        "unit": looked.unit,
        "assumes": looked.assumes,
        "sentence": looked.sentence,
        "why": looked.why,
        "players": [
            {
                "player": one.player,
                "luck": one.luck,
                "lost": one.lost,
                "moments": [
                    {
                        "event": m.number,
                        "luck": m.luck,
                        "lost": m.lost,
                        "did": speaker().clause(m.did),
                        "better": speaker().clause(m.better) if m.better else "",
                    }
                    for m in one.moments
                ],
            }
            for one in looked.accounts
        ],
    }


def dice_record(dice: Fairness, likely: Likeliness) -> dict[str, Any]:
    """What the dice did, as `--json` prints it."""
    return {
        "faces": list(dice.faces),
        "against": likely.words,
        "told_apart": dice.told_apart,
        "sentence": dice.sentence,
        "why": dice.why,
        "tallies": [asdict(one) for one in dice.tallies],
    }
