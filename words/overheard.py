"""What devices and disks say in English, made messages that every language has.

Hardware and stores know of no languages, and neither do drivers: their sentences are recognised here, by their own
words, and what cannot be recognised is passed on as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from string import Formatter

from messages.message import Message, message

HEARD: tuple[str, ...] = (
    # Scoreboard, broker and voice
    "The scoreboard is looked for",
    "The scoreboard does not answer yet; still looking",
    "The scoreboard is gone; still looking",
    "The scoreboard is connected",
    "The scoreboard is connected ({display})",
    "The scoreboard's firmware is old: flash it again (it speaks version {theirs}, Tableside {ours})",
    "The scoreboard's firmware is newer than this Tableside: update (it speaks version {theirs}, Tableside {ours})",
    "The MQTT broker at {host} is looked for",
    "The MQTT broker at {host} refuses: {why}",
    "The MQTT broker at {host} is gone; still trying",
    "The MQTT broker at {host} does not answer; still trying",
    "Notices go out over MQTT ({host})",
    "Nothing goes out over MQTT: {why}",
    "The voice speaks",
    "There is no voice here; install espeak-ng",
    "The voice does not speak: {why}",
    "The voice failed (exit {code})",
    # Disks
    "{store}: the disk is full",
    "{store}: it is read-only",
    "{store}: it cannot be opened or made",
    "{store}: permission is denied",
    "{store}: another program holds it",
    "{store}: the disk refuses it (full, too large for its limits, or failing)",
    "{store}: it is damaged; `tableside matches rescue` saves what can still be read",
    "{store}: it is no store of matches, or damaged; `tableside matches rescue` saves what can still be read",
    "{store}: it is damaged ({why}); `tableside matches rescue` saves what can still be read",
    "matches cannot be kept in {folder}: {why}",
    "the match {id} is being played elsewhere; this table must stop",
    "{store}: the last move was saved after all",
    "{store}: reading it takes too long; it is no store of matches, or damaged",
    "the log of {id} is gone from event {number} on, of {kept}; `tableside matches rescue` saves the {left} before",
    "the match {id} is gone, all {kept} events of it",
    # Logs of matches
    "line {number}: {why}",
    "the log is empty: expected a first line that says which game is played",
    "the log is cut in the middle of a line",
    "more than {most} events",
    "expected event {expected}, got {got}: lines are missing",
    "the match was played by rules version {theirs}; this Tableside plays {game} by rules version {ours}",
    "written by a newer Tableside (schema {schema}; this one reads up to {ours})",
    "expected schema {ours}, got {got}",
    "expected one JSON object, got {got}",
    "expected a JSON object, got {got}",
    "longer than {most} characters",
    "expected roll, draw, move, seats, undo or correction, got {got}",
    "expected the head of a match log (a game, its players, its options)",
    "expected options, by name",
    "option {name} is neither yes/no, a number nor a word",
    "there is no match {id} in {store}",
    "no match is kept in {store}",
)
"""The sentences, a name in braces for what differs. The first that fits is taken."""


WHY = "why"


def heard(text: str) -> Message:
    """A sentence that somebody else made, as a message."""
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            # Why something is so may be a sentence of somebody else's again.
            values = {name: heard(said) if name == WHY else said for name, said in found.groupdict().items()}
            return message(template, **values)
    return message("{words:rule}", words=text)


def several(text: str) -> Iterator[Message]:
    """Sentences in a row, each ended by a full stop."""
    for one in re.split(r"(?<=\.) (?=[A-Z])", text):
        if one:
            yield heard(one.removesuffix("."))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, _pattern(template)) for template in HEARD)


def _pattern(template: str) -> re.Pattern[str]:
    parts = (
        re.escape(text) + (f"(?P<{name}>.+)" if name else "")
        for text, name, _, _ in Formatter().parse(template)
    )
    return re.compile("".join(parts))
