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

from messages.message import Message, MessageError, message, reason
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


class MatchLogError(MessageError):
    """A log that cannot be read; one line that says where, what was expected and what came."""


def _wrong(number: int, why: Message) -> MatchLogError:
    """What is wrong with a line."""
    return MatchLogError("line {number}: {why}", number=number, why=why)


def _shape(refused: CodecError) -> MatchLogError:
    """A malformed record; the message names its place."""
    return MatchLogError("line {why}", why=str(refused))


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
        raise MatchLogError("the log is empty: the first line must name the game")
    if not text.endswith("\n"):
        raise _wrong(text.count("\n") + 1, message("the log ends in the middle of a line"))
    lines = _objects(text[:-1].split("\n"))
    game, header = _header(next(lines)[1], find)
    events: list[Event] = []
    for number, record in lines:
        events.append(event_from(record, game, number, len(events) + 1))
        if len(events) > MOST_EVENTS:
            raise _wrong(number, message("more than {most} events", most=MOST_EVENTS))
    try:
        return replay(game, header, events)
    except IllegalMoveError as refused:
        raise MatchLogError(refused.message) from None
    except ValueError as refused:
        raise _wrong(1, reason(refused)) from None


def refuse_impossible(match: Match) -> None:
    """Refuse a log that no table can have written: an unknown face, or an event that was illegal when it was added.

    Raises MatchLogError. Replay by itself only stops at such an event, as after a correction that made it illegal.
    """
    corrected = [one.event for one in match.events if isinstance(one, Correction)]
    for number, event in enumerate(match.events, start=1):
        first = match.events[event.event - 1] if isinstance(event, Correction) else event
        shown = (
            event.showed if isinstance(event, Correction) else event.faces if isinstance(event, Roll) else ()
        )
        faces = match.game.dice.faces
        if isinstance(first, Roll) and (strange := next((one for one in shown if one not in faces), None)):
            known = match.game.dice.set_id
            raise _wrong(
                number + 1, message("the dice set {set} has no face {strange:quoted}", set=known, strange=strange)
            )
    if match.stop and not any(one <= match.stop.number for one in corrected):
        raise _wrong(match.stop.number + 1, match.stop.rule)


def event_from(record: dict[str, Any], game: AnyGame, number: int, expected: int) -> Event:
    """One event out of the plain dict on line `number`; its own number must be `expected`.

    Raises MatchLogError.
    """
    where = str(number)
    given = dict(record)
    own = given.pop("n", None)
    if type(own) is not int or own != expected:
        got = str(record.get("n"))
        missing = message(
            "expected event {expected}, got {got:quoted}: lines are missing", expected=expected, got=got
        )
        raise _wrong(number, missing)
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
        raise _shape(refused) from None
    kinds = "expected roll, draw, move, seats, undo or correction, got {got:quoted}"
    raise _wrong(number, message(kinds, got=str(kind)))


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
        raise _wrong(1, message("the head of the log is missing (game, players and house rules)"))
    try:
        told = build(_Header, {key: item for key, item in record.items() if key != "options"}, "1")
    except CodecError as refused:
        raise _shape(refused) from None
    options = record.get("options")
    if not isinstance(options, dict):
        raise _wrong(1, message("the house rules are missing"))
    try:
        game = find(told.match)
    except ValueError as refused:
        raise _wrong(1, reason(refused)) from None
    if told.rules != game.version:
        raise _wrong(
            1,
            message(
                "the match follows version {theirs} of the rules; this Tableside plays {game} by "
                "version {ours}",
                theirs=told.rules, game=game.id, ours=game.version,
            ),
        )  # fmt: skip
    chosen = cast("dict[str, Any]", options)
    if bad := [key for key, value in chosen.items() if not isinstance(value, (bool, int, str))]:
        odd = message("house rule {name:quoted} must be yes or no, a number or a word", name=bad[0])
        raise _wrong(1, odd)
    return game, Header(game.id, told.rules, told.players, tuple(chosen.items()))


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line as an object, its number with it, and its schema version checked and taken off."""
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST_LINE:
            raise _wrong(number, message("longer than {most} characters", most=LONGEST_LINE))
        try:
            record = json.loads(text, object_pairs_hook=_once)
            json.dumps(record, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise _wrong(number, message("this is not valid text: a character is cut in half")) from None
        except (ValueError, RecursionError):
            raise _wrong(
                number, message("this is not a JSON object: {got:quoted}", got=text)
            ) from None
        if not isinstance(record, dict):
            raise _wrong(number, message("this is not a JSON object: {got:quoted}", got=text))
        fields = cast("dict[str, Any]", record)
        schema = fields.pop("schema", None)
        if type(schema) is int and schema > SCHEMA:
            newer = (
                "written by a newer Tableside (schema {schema}; this one reads up to {ours}): "
                "update Tableside"
            )
            raise _wrong(number, message(newer, schema=schema, ours=SCHEMA))
        if type(schema) is not int or schema < 1:
            got = str(schema)
            raise _wrong(number, message("expected schema 1 to {ours}, got {got:quoted}", ours=SCHEMA, got=got))
        yield number, fields


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the log; a name given twice is a mistake, not a choice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name twice")
    return made


def _json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
