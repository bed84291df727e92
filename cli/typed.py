"""What people type: options, faces, cards and moves, forgiving about case, dashes and language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, get_origin, get_type_hints

import click

from messages.message import MessageError
from scoring.actions import Move
from scoring.codec import CodecError
from scoring.dice import Face, UnknownFaceError, named, shortened, spelled
from scoring.game import AnyGame
from scoring.games import ids
from scoring.logfile import move_from
from scoring.options import NO, YES
from words import LANGUAGES
from words.speaker import meant, speaker

MOST_ADDED = 99
"""Faces of one kind that a card may add or take."""

PLAYERS = frozenset({"player", "victim", "owner", "one", "other"})
"""Fields of moves that are a player, typed by name."""

FREE = frozenset({"title", "text"})
"""Fields of moves that are people's own words, kept as typed."""

language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The output language.",
)
"""For every command that says what the rules make of something."""


def words(text: str) -> list[str]:
    """What stands between commas, without empty ones."""
    return [word.strip() for word in text.split(",") if word.strip()]


def pairs(words: Iterable[str], option: str, form: str = "KEY=VALUE") -> dict[str, str]:
    """K=V, K=V as a dict. Raises ValueError."""
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise ValueError(f"{option}: expected {form}, got {word[:40]!r}")
        found[key.strip()] = value.strip()
    return found


def card_faces(game: AnyGame, words: Iterable[str]) -> dict[str, int]:
    """FACE=N, FACE=N as a dict; a face named twice counts together. Raises ValueError."""
    found: dict[str, int] = {}
    for word in words:
        ((face, number),) = pairs([word], "--add", "FACE=N").items()
        try:
            count = int(number)
        except ValueError:
            count = MOST_ADDED + 1
        if abs(count) > MOST_ADDED:
            raise ValueError(f"--add: expected FACE=N with N from -99 to 99, got {number[:40]!r}")
        name = _typed_face(game, face)
        found[name] = found.get(name, 0) + count
    return found


def declared_word(game: AnyGame, text: str) -> str:
    """The call somebody typed: an id, or its name in any language. Raises ValueError."""
    try:
        return game.declaration(meant(text, game.declarations) or text)
    except UnknownFaceError as unknown:
        try:
            return game.declaration(_typed_face(game, text))
        except ValueError:
            raise unknown from None


def _typed_face(game: AnyGame, text: str) -> Face:
    faces = typed_faces(game, f"{text},")
    if len(faces) != 1:
        raise ValueError(f"expected one face, got {text[:40]!r}")
    return faces[0]


def typed_roll(game: AnyGame, text: str) -> tuple[Face, ...]:
    """The dice as somebody typed them, or the cards of a game that has no dice. Raises ValueError."""
    if not game.scored_cards:
        return typed_faces(game, text)
    words = [word for word in text.replace(";", ",").split(",") if word.strip()]
    what = f"a card of {game.id}"
    return tuple(named(meant(word, game.scored_cards) or word, game.scored_cards, what) for word in words)


def typed_faces(game: AnyGame, text: str) -> tuple[Face, ...]:
    """The faces somebody typed: ids, or labels in any language of the dice set. Raises UnknownFaceError."""
    try:
        return game.dice.read(text)
    except UnknownFaceError as unknown:
        from vision.dicesets.files import DiceSetError
        from vision.dicesets.library import find as find_set

        words = text.split(",") if "," in text else text.split()
        try:
            dice_set = find_set(game.dice.set_id)
        except (DiceSetError, ValueError):
            raise unknown from None
        return tuple(game.dice.face(dice_set.meant(word)) for word in words if word.strip())


def typed_move(game: AnyGame, players: Sequence[str], text: str) -> Move | None:
    """A move as its kind and its fields in order, "place koala 4c", "steal Bob", or as JSON.

    Fields are parted by commas, if there are any, else by spaces; the last free text takes what is left.
    None if it begins with no kind of move of the game. Raises ValueError.
    """
    if text.startswith("{"):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(f"expected one JSON object, got {shortened(text)}") from None
        return move_from(record, game)
    word, _, rest = text.partition(" ")
    kind = next((move for move in game.moves if spelled(move.kind) == spelled(word)), None)
    if kind is None:
        return None
    words = rest.split(",") if "," in rest else rest.split()
    given = _fields(kind, [one.strip() for one in words], players)
    try:
        return move_from({"kind": kind.kind} | given, game, kind.kind)
    except CodecError:
        form = " ".join((kind.kind, *(one.upper() for one in _names(kind))))
        raise MessageError("type {form}, not {got:quoted}", form=form, got=text[:60]) from None


def _names(kind: type[Move]) -> list[str]:
    """The fields of a move that people type, in order."""
    return [one.name for one in fields(kind) if one.metadata.get("typed", True)]  # type: ignore[arg-type]


def _fields(kind: type[Move], words: list[str], players: Sequence[str]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    names = _names(kind)
    given: dict[str, Any] = {}
    for i, name in enumerate(names):
        if get_origin(hints[name]) is tuple:
            inner = hints[name].__args__[0]
            given[name] = [_value(name, inner, word, players) for word in words if word]
            return given
        if not words:
            return given
        last = i == len(names) - 1
        word = " ".join(words) if last else words[0]
        words = [] if last else words[1:]
        given[name] = _value(name, hints[name], word, players)
    return given


def _value(name: str, wanted: Any, word: str, players: Sequence[str]) -> Any:
    """A word as the field wants it; what fits nothing stays a word, for the codec to refuse."""
    if name in PLAYERS:
        return next((i for i, player in enumerate(players) if spelled(player) == spelled(word)), word)
    if wanted is bool:
        spoken = [speaker(code) for code in LANGUAGES]
        answers = {spelled(one.yes): True for one in spoken} | {spelled(one.no): False for one in spoken}
        answers |= dict.fromkeys(YES, True) | dict.fromkeys(NO, False)
        return answers.get(spelled(word), word)
    if wanted is int:
        digits = word.replace("−", "-")
        return int(digits) if digits.removeprefix("-").isdecimal() and len(digits) < 10 else word
    if name in FREE:
        return word
    return meant(word, ids()) or word.casefold().replace("_", "-").replace(" ", "-")
