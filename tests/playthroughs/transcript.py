"""Golden matches as people would read them: what was told to the table, and what the table said.

A file begins with the game, the players and the options that differ from the default; then each line after
`> ` is an event, and the lines after it are what it led to. Only the events are written by hand:

    game: called-shot
    players: Ann, Bob
    option: target=5

    > Ann {"kind": "declare", "declaration": "no-cats"}
    > roll dd, dd, cat
    > draw bag: koala, emu
    > correct 2: dd, dd, dd
    > undo

`python tests/playthroughs/transcript.py FILE…` plays the events and writes what follows from them into the
file; read the difference before committing it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scoring.actions import Draw, Play, Roll
from scoring.announcement import awaiting
from scoring.games import find
from scoring.logfile import move_from
from scoring.match import Match, begin
from scoring.standing import standing
from tests.saying import sentences
from words.speaker import speaker


def words(text: str) -> tuple[str, ...]:
    """a, b, c."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def opening(lines: list[str]) -> Match:
    """The match that the head of a file describes."""
    game, players, options = "", (), {}
    for line in lines:
        key, _, value = line.partition(":")
        if key == "game":
            game = value.strip()
        elif key == "players":
            players = words(value)
        elif key == "option":
            name, _, chosen = value.strip().partition("=")
            options[name] = chosen
    return begin(find(game), players, options)


def told(match: Match, event: str) -> Match:
    """The match after one event line (without its `> `)."""
    word, _, rest = event.partition(" ")
    if word == "roll":
        return match.add(Roll(words(rest)))
    if word == "draw":
        pile, _, cards = rest.partition(":")
        return match.add(Draw(pile, words(cards)))
    if word == "undo":
        return match.undo(int(rest)) if rest else match.undo()
    if word == "correct":
        number, _, faces = rest.partition(":")
        return match.correct(int(number), words(faces))
    name, _, move = event.partition(" {")
    player = match.header.players.index(name)
    return match.add(Play(player, move_from(json.loads("{" + move), match.game)))


def said(match: Match, events_before: int) -> Iterator[str]:
    """What the last event led to: sentences, and the reasons for the points it brought."""
    yield from sentences(match)
    last = match.played[-1] if match.played else None
    if last and last.number > events_before:
        for score in last.step.scores:
            for one in score.breakdown:
                yield f"    {one.points:+d} {speaker().say(one.reason)} [{one.where}]"


def played(text: str) -> tuple[Match, str]:
    """The match in a file, and the file as it ought to be."""
    lines = text.splitlines()
    head = [line for line in lines[: lines.index("")] if line]
    match = opening(head)
    written = [*head, ""]
    written += [speaker("en", match.header.players).say(one) for one in awaiting(match)]
    for line in lines:
        if line.startswith("> "):
            before = len(match.events)
            match = told(match, line[2:])
            written += ["", line, *said(match, before)]
    written += ["", *(speaker("en", match.header.players).say(one) for one in standing(match).spoken)]
    return match, "\n".join(written) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(played(path.read_text(encoding="utf-8"))[1], encoding="utf-8")
