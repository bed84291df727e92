"""A decision out of the fields of a form: what people choose, type and count, without any script."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_origin, get_type_hints

from werkzeug.datastructures import MultiDict

from scoring.actions import Move
from scoring.game import AnyGame
from scoring.logfile import move_from
from web.language import gettext as _

LONGEST_FIELD = 400
"""Characters of one field."""


def record_of(form: MultiDict[str, str], game: AnyGame) -> dict[str, object]:
    """The plain record of a move of the kind that the form names. Raises ValueError for one that the game has not."""
    kind = form.get("kind", "")
    found = next((one for one in game.moves if one.kind == kind), None)
    if found is None:
        raise ValueError(_("%(game)s has no such choice", game=game.title, kind=kind[:40]))
    types: dict[str, Any] = get_type_hints(found)
    record: dict[str, object] = {"kind": kind}
    for one in fields(found):  # pyright: ignore[reportArgumentType]  # every kind of move is a dataclass
        wanted, values = types[one.name], form.getlist(one.name)
        if get_origin(wanted) is tuple:
            record[one.name] = [_read(get_args(wanted)[0], value, one.name) for value in values if value]
        elif values and values[-1]:
            record[one.name] = _read(wanted, values[-1], one.name)
    return record


def move_of(form: MultiDict[str, str], game: AnyGame) -> Move:
    """The move that a form means. Raises ValueError with one line."""
    return move_from(record_of(form, game), game)


def _read(wanted: Any, text: str, field: str) -> object:
    if len(text) > LONGEST_FIELD:
        raise ValueError(
            _(
                "Type at most %(most)d characters.",
                most=LONGEST_FIELD,
                field=field,
                n=len(text),
            )
        )
    if wanted is int:
        number = text.strip().replace("−", "-")
        if not number.removeprefix("-").isdecimal() or len(number) > 6:
            raise ValueError(_("Type a whole number, not “%(got)s”.", got=text[:40]))
        return int(number)
    if wanted is bool:
        return text == "true"
    return text.strip()
