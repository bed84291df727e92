"""What a match says, for tests that read it."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.announcement import announced
from scoring.match import Match
from words.speaker import speaker


def sentences(match: Match, language: str = "en", labels: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """What is said about the last event of a match."""
    spoken = speaker(language, match.header.players, labels)
    return tuple(spoken.say(one) for one in announced(match))
