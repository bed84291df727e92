"""What a notice is about, in one word: pages have a sound for each, and some of them a spectacle."""

from __future__ import annotations

from typing import Literal

from scoring.actions import Roll
from scoring.match import Match
from table.snapshot import Snapshot

Happened = Literal["question", "win", "rarest", "points", "throw", ""]

BEST = 4
"""How good points are at most; 0 are none."""


def happened(snapshot: Snapshot) -> Happened:
    """What is news in this state, where a sentence tells of any."""
    match = snapshot.match
    if snapshot.question:
        return "question"
    last = match.played[-1] if match.played else None
    if last is None or last.number < len(match.events):  # somebody corrected something, or took it back
        return ""
    if match.outcome:
        return "win"
    if match.rarest:
        return "rarest"
    return "points" if last.step.scores else "throw" if isinstance(last.action, Roll) else ""


def good(match: Match) -> int:
    """How good the last points are beside those that were given in this match before, from 0 to `BEST`."""
    given = [max(one.points for one in played.step.scores) for played in match.played if played.step.scores]
    if not given or given[-1] <= 0:
        return 0
    *before, last = given
    return 1 + (BEST - 1) * sum(points < last for points in before) // max(len(before), 1)
