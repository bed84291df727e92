"""A game that people compose in a form: its kind, its dice, and rows with a name, a pattern and points.

A draft may contain anything; `game_toml` writes the game file for it, and reading that file finds the errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import tomli_w

from messages.message import N_, Message, message
from table.game_files import KINDS

TITLES = {
    "sheet": N_("A score sheet"),
    "push": N_("Set aside and push your luck"),
    "symbols": N_("Symbols, and one that spoils them"),
    "count": N_("A plain count"),
}
"""The names of the kinds on pages."""

FACE = "face:"
"""Prefix of patterns about one face; the face follows."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of dice, in words and as a condition; `dice` is how many of them it needs."""

    id: str
    said: Message
    when: str
    dice: int


PATTERNS = (
    Pattern("any", message("any dice"), "", 0),
    Pattern("pair", message("two alike"), "alike {how} 2", 2),
    Pattern("two-pair", message("two pairs"), "groups(2) {how} 2", 4),
    Pattern("three", message("three alike"), "alike {how} 3", 3),
    Pattern("four", message("four alike"), "alike {how} 4", 4),
    Pattern("five", message("five alike"), "alike {how} 5", 5),
    Pattern("six", message("six alike"), "alike {how} 6", 6),
    Pattern("full-house", message("three alike and two alike"), "showing(3) {how} 1 and showing(2) {how} 2", 5),
    Pattern("run-three", message("three in a row"), "run {how} 3", 3),
    Pattern("run-four", message("four in a row"), "run {how} 4", 4),
    Pattern("run-five", message("five in a row"), "run {how} 5", 5),
    Pattern("run-six", message("six in a row"), "run {how} 6", 6),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A box, or a rule: its name, a pattern's id, and points as typed; without points, the sum of all dice."""

    name: str = ""
    pattern: str = "any"
    points: str = ""


@dataclass(frozen=True, slots=True)
class GameDraft:
    """The form's content as typed."""

    kind: str
    title: str
    set_id: str
    count: str
    throws: str
    target: str
    rounds: str
    bad: str
    bad_dice: str
    lowest: bool
    rows: tuple[Row, ...]


def beginning(kind: str) -> GameDraft:
    """A small game of a kind, to start from."""
    kind = kind if kind in KINDS else KINDS[0]
    rows = {
        "sheet": (Row("", FACE + "1", "1"), Row("", "three"), Row("", "run-four", "30"), Row("", "any")),
        "push": (Row("", FACE + "1", "100"), Row("", FACE + "5", "50"), Row("", "three", "500")),
        "symbols": (Row("", FACE + "6", "100"), Row("", "three", "100"), Row("", "four", "200")),
        "count": (Row("", "any"),),
    }[kind]
    dice = {"sheet": "5", "push": "6", "symbols": "8", "count": "5"}[kind]
    target, rounds = ("", "10") if kind == "count" else ("" if kind == "sheet" else "3000", "")
    return GameDraft(kind, "", "pips", dice, "3", target, rounds, "1", "3", False, rows)


def patterns_of(kind: str, faces: Sequence[str], count: int) -> tuple[Pattern, ...]:
    """The patterns for a row of this kind of game with so many dice: those of each face, then the others."""
    each = tuple(
        Pattern(FACE + face, message("each {face:face}", face=face), f"count({face!r}) >= 1", 1) for face in faces
    )
    fit = tuple(one for one in PATTERNS if one.dice <= count and (one.dice or kind != "push"))
    return (*each, *fit)


def id_for(title: str, taken: Sequence[str]) -> str:
    """A new id, made from a title."""
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z0-9]+", plain)
    stem = "-".join(words)[:30].strip("-")
    stem = stem if stem[:1].isalpha() else f"game-{stem}".strip("-")
    numbered = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(one for one in numbered if one not in taken)


def game_toml(draft: GameDraft, faces: Sequence[str], taken: Sequence[str] = ()) -> str:
    """The game file for a draft. Invalid numbers stay as typed, so that the reader refuses them."""
    told: dict[str, Any] = {
        "id": id_for(draft.title, taken),
        "title": draft.title,
        "blurb": draft.title,
        "dice": {"set": draft.set_id, "count": _number(draft.count), "faces": list(faces)},
        "turn": dict(_turn(draft)),
        "end": dict(_end(draft)),
    }
    table = "box" if draft.kind == "sheet" else "score"
    rules = (f"\n[[{table}]]\n{tomli_w.dumps(_rule(row, draft, faces))}" for row in draft.rows)
    return tomli_w.dumps({key: value for key, value in told.items() if value}) + "".join(rules)


def _end(draft: GameDraft) -> Iterator[tuple[str, Any]]:
    if draft.lowest:
        yield "wins", "lowest"
    if draft.kind != "sheet":
        for key, typed in (("points", draft.target), ("rounds", draft.rounds)):
            if typed:
                yield key, _number(typed)
        yield "finish_round", True


def _turn(draft: GameDraft) -> Iterator[tuple[str, Any]]:
    if draft.kind == "sheet":
        yield "throws", _number(draft.throws)
    elif draft.kind != "count":
        yield "throws", 0
    if draft.kind == "push":
        yield "aside", True
    if draft.kind == "symbols":
        yield "locked", [draft.bad]
        yield "bust", f"count({draft.bad!r}) >= {draft.bad_dice}"


def _rule(row: Row, draft: GameDraft, faces: Sequence[str]) -> dict[str, Any]:
    known = {one.id: one for one in patterns_of(draft.kind, faces, 99)}
    pattern = known.get(row.pattern, PATTERNS[0])
    points, push = row.points or "sum", draft.kind == "push"
    if pattern.id.startswith(FACE):
        face = pattern.id.removeprefix(FACE)
        if push:
            return {"name": row.name, "take": 1, "when": f"count({face!r}) == 1", "points": points}
        return {"name": row.name, "points": f"{points} * count({face!r})" if row.points else f"sum({face!r})"}
    rule: dict[str, Any] = {"name": row.name}
    if push:
        rule["take"] = pattern.dice
    if pattern.when:
        rule["when"] = pattern.when.format(how="==" if push and pattern.id != "full-house" else ">=")
    return {**rule, "points": points}


def _number(typed: str) -> int | str:
    """The text as a whole number, if it is one."""
    return int(typed) if re.fullmatch("[0-9]{1,9}", typed) else typed
