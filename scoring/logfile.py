"""The log of a match as JSON lines, and back from lines nobody has checked.

The first line says what is played; every further line is one event. Each line carries the schema version and
its number, so that a missing line is noticed. Logs come from other people's machines: whatever is wrong with
one ends in a MatchLogError of one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from scoring.actions import Draw, IllegalMoveError, Move, Play, Roll, Seated
from scoring.codec import CodecError, build, plain
from scoring.dice import shortened
from scoring.game import AnyGame
from scoring.match import Correction, Event, Header, Match, Undo, replay

SCHEMA = 2
"""The version of the shapes in this file; a log of a later one is refused. Version 2 added changes of players.
Only their lines say 2, so that an earlier Tableside still reads a log that has none."""

LONGEST_LINE = 100_000
"""Characters in one line of a log; a longer one is not a log."""

MOST_EVENTS = 100_000
"""Events in one log."""


class MatchLogError(ValueError):
    """A log that cannot be read; one line that says where, what was expected and what came."""


@dataclass(frozen=True, slots=True)
class _Header:
    match: str
    rules: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Undo:
    of: int


@dataclass(frozen=True, slots=True)
class _Correction:
    of: int
    showed: tuple[str, ...]


def header_line(header: Header) -> str:
    """The first line of a log, without its newline."""
    body = {"schema": 1, "match": header.game, "rules": header.rules}
    return _json(body | {"players": list(header.players), "options": dict(header.options)})


def event_line(number: int, event: Event) -> str:
    """The line of one event, without its newline; `number` counts from 1."""
    schema = SCHEMA if isinstance(event, Seated) else 1
    return _json({"schema": schema, "n": number} | event_record(event))


def event_record(event: Event) -> dict[str, Any]:
    """An event as a plain dict."""
    if isinstance(event, Roll):
        return {"event": "roll", "faces": list(event.faces)}
    if isinstance(event, Draw):
        return {"event": "draw", "pile": event.pile, "cards": list(event.cards)}
    if isinstance(event, Play):
        return {"event": "move", "player": event.player, "move": plain(event.move)}
    if isinstance(event, Seated):
        return {"event": "seats", "players": list(event.players), "seats": list(event.seats)}
    if isinstance(event, Undo):
        return {"event": "undo", "of": event.event}
    return {"event": "correction", "of": event.event, "showed": list(event.showed)}


def written(match: Match) -> str:
    """The whole log as text, one line an event, each ended by a newline."""
    lines = [header_line(match.opening)]
    lines += [event_line(number, event) for number, event in enumerate(match.events, start=1)]
    return "".join(f"{one}\n" for one in lines)


def read(text: str, find: Callable[[str], AnyGame]) -> Match:
    """The match a log tells, replayed; `find` gives a game by its id. Raises MatchLogError."""
    if not text.strip():
        raise MatchLogError("the log is empty: expected a first line that says which game is played")
    if not text.endswith("\n"):
        raise MatchLogError(f"line {text.count(chr(10)) + 1}: the log is cut in the middle of a line")
    lines = _objects(text[:-1].split("\n"))
    game, header = _header(next(lines)[1], find)
    events: list[Event] = []
    for number, record in lines:
        events.append(event_from(record, game, number, len(events) + 1))
        if len(events) > MOST_EVENTS:
            raise MatchLogError(f"line {number}: more than {MOST_EVENTS} events")
    try:
        return replay(game, header, events)
    except IllegalMoveError as refused:
        raise MatchLogError(str(refused)) from None
    except ValueError as refused:
        raise MatchLogError(f"line 1: {refused}") from None


def refuse_impossible(match: Match) -> None:
    """Refuse a log that no table can have written: a face of no die, or an event that was illegal when it was added.

    Raises MatchLogError. Replay alone stops at such an event, as it does where a correction made it illegal later.
    """
    corrected = [one.event for one in match.events if isinstance(one, Correction)]
    for number, event in enumerate(match.events, start=1):
        first = match.events[event.event - 1] if isinstance(event, Correction) else event
        shown = (
            event.showed if isinstance(event, Correction) else event.faces if isinstance(event, Roll) else ()
        )
        faces = match.game.dice.faces
        if isinstance(first, Roll) and (strange := next((one for one in shown if one not in faces), None)):
            known = f"line {number + 1}: expected faces of {match.game.dice.set_id}"
            raise MatchLogError(f"{known}, got {shortened(strange)}")
    if match.stop and not any(one <= match.stop.number for one in corrected):
        raise MatchLogError(f"line {match.stop.number + 1}: {match.stop.rule!s}")


def event_from(record: dict[str, Any], game: AnyGame, number: int, expected: int) -> Event:
    """One event out of the plain dict on line `number`; its own number must be `expected`.

    Raises MatchLogError.
    """
    where = f"line {number}"
    given = dict(record)
    own = given.pop("n", None)
    if type(own) is not int or own != expected:
        got = shortened(str(record.get("n")))
        raise MatchLogError(f"{where}: expected event {expected}, got {got}: lines are missing")
    kind = given.pop("event", None)
    try:
        if kind == "roll":
            return build(Roll, given, where)
        if kind == "draw":
            return build(Draw, given, where)
        if kind == "move":
            return _play(given, game, where)
        if kind == "seats":
            return build(Seated, given, where)
        if kind == "undo":
            return Undo(build(_Undo, given, where).of)
        if kind == "correction":
            told = build(_Correction, given, where)
            return Correction(told.of, told.showed)
    except CodecError as refused:
        raise MatchLogError(str(refused)) from None
    raise MatchLogError(
        f"{where}: expected roll, draw, move, seats, undo or correction, got {shortened(str(kind))}"
    )


def move_from(record: object, game: AnyGame, where: str = "move") -> Move:
    """A move of `game` out of a plain dict with its `kind`. Raises CodecError."""
    if not isinstance(record, dict):
        raise CodecError(f"{where}: expected an object, got {type(record).__name__}")
    given = cast("dict[str, object]", record)
    for move in game.moves:
        if move.kind == given.get("kind"):
            return build(move, given, where)
    kinds = ", ".join(move.kind for move in game.moves)
    raise CodecError(f"{where}: {game.id} has the moves {kinds}; got {shortened(str(given.get('kind')))}")


def _play(given: dict[str, Any], game: AnyGame, where: str) -> Play:
    if unknown := sorted(given.keys() - {"player", "move"}):
        raise CodecError(f"{where}: unknown field {shortened(unknown[0])}")
    player = build(int, given.get("player"), f"{where}.player")
    return Play(player, move_from(given.get("move"), game, f"{where}.move"))


def _header(record: dict[str, Any], find: Callable[[str], AnyGame]) -> tuple[AnyGame, Header]:
    if "match" not in record:
        raise MatchLogError("line 1: expected the head of a match log (a game, its players, its options)")
    try:
        told = build(_Header, {key: item for key, item in record.items() if key != "options"}, "line 1")
    except CodecError as refused:
        raise MatchLogError(str(refused)) from None
    options = record.get("options")
    if not isinstance(options, dict):
        raise MatchLogError("line 1: expected options, by name")
    try:
        game = find(told.match)
    except ValueError as refused:
        raise MatchLogError(f"line 1: {refused}") from None
    if told.rules != game.version:
        known = f"this Tableside plays {game.id} by rules version {game.version}"
        raise MatchLogError(f"line 1: the match was played by rules version {told.rules}; {known}")
    chosen = cast("dict[str, Any]", options)
    if bad := [key for key, value in chosen.items() if not isinstance(value, (bool, int, str))]:
        raise MatchLogError(f"line 1: option {shortened(bad[0])} is neither yes/no, a number nor a word")
    return game, Header(game.id, told.rules, told.players, tuple(chosen.items()))


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line as an object, its number with it, and its schema version checked and taken off."""
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST_LINE:
            raise MatchLogError(f"line {number}: longer than {LONGEST_LINE} characters")
        try:
            record = json.loads(text, object_pairs_hook=_once)
            json.dumps(record, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise MatchLogError(f"line {number}: expected text, got half a character") from None
        except (ValueError, RecursionError):
            raise MatchLogError(f"line {number}: expected one JSON object, got {shortened(text)}") from None
        if not isinstance(record, dict):
            raise MatchLogError(f"line {number}: expected a JSON object, got {shortened(text)}")
        fields = cast("dict[str, Any]", record)
        schema = fields.pop("schema", None)
        if type(schema) is int and schema > SCHEMA:
            here = f"this one reads up to {SCHEMA}"
            raise MatchLogError(f"line {number}: written by a newer Tableside (schema {schema}; {here})")
        if type(schema) is not int or schema < 1:
            got = shortened(str(schema))
            raise MatchLogError(f"line {number}: expected schema 1 to {SCHEMA}, got {got}")
        yield number, fields


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the log; a name given twice is a mistake, not a choice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name twice")
    return made


def _json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
