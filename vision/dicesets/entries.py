"""A dice set's set.toml as a table, and its entries by kind, each with one line for what is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from messages.message import Message, message
from vision.dicesets.model import DiceSetError

MAX_TOML_BYTES = 256 * 1024
MAX_TEXT = 200
"""The longest title, label or credit, in characters."""

Where = str | Message
"""Which entry of the file."""


def wrong(path: Path, where: Where, expected: Message, found: object) -> DiceSetError:
    """The one line for a wrong entry of a file."""
    text = " ".join(repr(found).split())
    shown = message("None") if found is None else text if len(text) < 60 else text[:57] + "…"
    return DiceSetError(
        "{path}: {where}: expected {expected}, found {found}",
        path=str(path), where=where, expected=expected, found=shown,
    )  # fmt: skip


def inside(where: Where, key: str) -> Where:
    """An entry in a part of the file."""
    return f"{where}{key}" if isinstance(where, str) else message("{where}{key}", where=where, key=key)


def parse(toml: Path) -> dict[str, object]:
    """The tables of set.toml."""
    try:
        if not toml.is_file():
            raise DiceSetError("{path}: expected a file, found none", path=str(toml))
        if (size := toml.stat().st_size) > MAX_TOML_BYTES:
            raise DiceSetError(
                "{path}: expected at most {most} bytes, found {found}",
                path=str(toml), most=MAX_TOML_BYTES, found=size,
            )  # fmt: skip
        text = toml.read_bytes().decode("utf-8")
    except OSError as error:
        raise DiceSetError(
            "{path}: expected a readable file, found: {why}",
            path=str(toml),
            why=error.strerror or type(error).__name__,
        ) from error
    except UnicodeDecodeError as error:
        raise DiceSetError(
            "{path}: expected UTF-8 text, found other bytes at {place}", path=str(toml), place=error.start
        ) from error
    try:
        table = tomllib.loads(text)
        for key in _keys(table):  # values are looked at where they are used; a key is quoted in every refusal
            if len(key) > MAX_TEXT or not key.isprintable():
                line = message("one line of text, at most {most} characters", most=MAX_TEXT)
                raise wrong(toml, ascii(key[:MAX_TEXT]), line, ascii(key[:MAX_TEXT]))
        return table
    except DiceSetError:
        raise
    except (ValueError, RecursionError) as error:  # also a number of more digits than Python reads
        why = " ".join(str(error).split())[:100]
        raise DiceSetError("{path}: expected TOML, found: {why}", path=str(toml), why=why) from error


def _keys(value: object) -> Iterator[str]:
    """Every key of a table and of the tables in it."""
    if isinstance(value, dict):
        for key, within in cast("dict[str, object]", value).items():
            yield key
            yield from _keys(within)
    elif isinstance(value, list):
        for within in cast("list[object]", value):
            yield from _keys(within)


def text_at(table: Mapping[str, object], key: str, path: Path, where: Where = "") -> str:
    """A required text of a table: not empty, one line, not too long."""
    found = table.get(key)
    if not isinstance(found, str) or not found.strip() or len(found) > MAX_TEXT or not found.isprintable():
        line = message("one line of text, at most {most} characters", most=MAX_TEXT)
        raise wrong(path, inside(where, key), line, found)
    return found


def texts_at(table: Mapping[str, object], key: str, path: Path, where: Where = "") -> dict[str, str]:
    """An optional table of language → text."""
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise wrong(path, inside(where, key), message("a table of language and text"), found)
    entries = cast("dict[str, object]", found)
    return {language: text_at(entries, language, path, inside(where, f"{key}.")) for language in entries}


def list_at(table: Mapping[str, object], key: str, path: Path, where: Where = "") -> list[object]:
    """An optional list of a table."""
    found = table.get(key, [])
    if not isinstance(found, list):
        raise wrong(path, inside(where, key), message("a list"), found)
    return cast("list[object]", found)


def tables_at(table: Mapping[str, object], key: str, path: Path) -> list[dict[str, object]]:
    """An optional list of tables."""
    entries = list_at(table, key, path)
    for entry in entries:
        if not isinstance(entry, dict):
            raise wrong(path, key, message("a list of tables"), entry)
    return cast("list[dict[str, object]]", entries)
