"""Frozen records to plain dicts and lists, and back from plain values nobody has checked yet.

Standard JSON types only. Reading is strict: a field too many, a field missing or a value of the wrong type is
a CodecError that says where.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


class CodecError(ValueError):
    """A plain value that does not have the shape of the record asked for; one line saying where."""


def plain(value: object) -> Any:
    """Dataclasses as dicts, tuples as lists, mappings as dicts; the rest must be JSON's own types.

    Moves carry their `kind` along, so that `move_from` (scoring.match) knows what to build.
    """
    if value is None or isinstance(value, (bool, int, str, float)):
        return value
    if isinstance(value, (tuple, list, frozenset)):
        items = cast("tuple[object, ...]", value)
        return [plain(item) for item in (sorted(items, key=str) if isinstance(value, frozenset) else items)]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in cast("Mapping[object, object]", value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        kind = getattr(type(value), "kind", None)
        head = {"kind": kind} if isinstance(kind, str) else {}
        return head | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def build(wanted: type[T], value: object, where: str = "value") -> T:
    """A `wanted` made from plain JSON values. Raises CodecError.

    Understands str, int, bool, None, unions, Literal, tuple[X, ...], fixed tuples and dataclasses of these.
    """
    return cast("T", _build(wanted, value, where))


def _build(wanted: Any, value: object, where: str) -> object:
    origin = get_origin(wanted)
    if wanted in (str, int, bool, types.NoneType):
        if type(value) is not wanted:
            raise CodecError(f"{where}: expected {wanted.__name__}, got {type(value).__name__}")
        return value
    if origin in (Union, types.UnionType):
        return _union(wanted, value, where)
    if origin is Literal:
        if value not in get_args(wanted):
            raise CodecError(f"{where}: expected one of {get_args(wanted)}, got {str(value)[:40]!r}")
        return value
    if origin is tuple:
        return _tuple(get_args(wanted), value, where)
    if is_dataclass(wanted):
        return _record(wanted, value, where)
    raise TypeError(f"{where}: {wanted} has no plain form")


def _union(wanted: Any, value: object, where: str) -> object:
    refusals: list[str] = []
    for alternative in get_args(wanted):
        try:
            return _build(alternative, value, where)
        except CodecError as refused:
            refusals.append(str(refused))
    raise CodecError(refusals[0])


def _tuple(parts: tuple[Any, ...], value: object, where: str) -> object:
    if not isinstance(value, list):
        raise CodecError(f"{where}: expected a list, got {type(value).__name__}")
    items = cast("list[object]", value)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_build(parts[0], item, f"{where}[{i}]") for i, item in enumerate(items))
    if len(parts) != len(items):
        raise CodecError(f"{where}: expected {len(parts)} values, got {len(items)}")
    both = zip(parts, items, strict=True)
    return tuple(_build(part, item, f"{where}[{i}]") for i, (part, item) in enumerate(both))


def _record(wanted: Any, value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise CodecError(f"{where}: expected an object, got {type(value).__name__}")
    given = {str(key): item for key, item in cast("dict[object, object]", value).items()}
    if getattr(wanted, "kind", None) is not None:
        given.pop("kind", None)
    shape = _shape(wanted)
    if unknown := sorted(given.keys() - shape.keys()):
        raise CodecError(f"{where}: unknown field {unknown[0][:40]!r}")
    made: dict[str, object] = {}
    for name, (kind, needed) in shape.items():
        if name in given:
            made[name] = _build(kind, given[name], f"{where}.{name}")
        elif needed:
            raise CodecError(f"{where}: the field {name!r} is missing")
    return wanted(**made)


@cache
def _shape(wanted: Any) -> dict[str, tuple[Any, bool]]:
    """Each field's type, and whether it must be given."""
    hints = get_type_hints(wanted)
    return {
        field.name: (hints[field.name], field.default is MISSING and field.default_factory is MISSING)
        for field in fields(wanted)
    }
