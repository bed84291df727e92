"""The solved sheet of Meet Fate on disk: one file for each set of house rules, 4 MB, checked when it is read.

A file is one line of JSON, then 2^19 little-endian numbers: floats of eight bytes ("f8"), or integers of four bytes
("u4") in steps of 2^-`step` points, which take half the space and are right to a ten-millionth of a point. The table
of the default rules comes with Tableside in this form (`models/advice`); others are solved once and kept among the
player's files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from advice.lattice import Floats
from advice.meet_fate.rules import EVERY_BOX, FORMAT, FateRules
from files.atomic import write_whole
from files.folders import tables_folder

SHEETS = EVERY_BOX + 1
LONGEST_HEADER = 1000
"""Most bytes of the first line."""

STEP = 23
"""Of the short form: 2^-23 of a point, which leaves room for 512 points."""

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "advice"
"""Tables that come with Tableside."""


class TableError(ValueError):
    """A file that is damaged or not a table; the message is one line."""


@dataclass(frozen=True, slots=True, eq=False)
class FateTable:
    """The value of every sheet under the house rules: `worth` has shape (2^19,), in points still to come."""

    rules: FateRules
    worth: Floats

    @property
    def expected(self) -> float:
        """The best expected total of a whole sheet."""
        return float(self.worth[EVERY_BOX])


def own_folder() -> Path:
    """The folder of a player's own tables."""
    return tables_folder() / "advice"


def file_name(rules: FateRules) -> str:
    """The file name of the table of these rules."""
    return f"meet-fate-{rules.key[:16]}.table"


def find(rules: FateRules) -> FateTable | None:
    """The table of these rules, the player's own or the shipped one; None if it is still to be solved.

    Raises TableError if the file is damaged.
    """
    for folder in (own_folder(), SHIPPED):
        path = folder / file_name(rules)
        if path.is_file():
            return load(path, rules)
    return None


def save(table: FateTable, path: Path, form: Literal["f8", "u4"] = "f8") -> None:
    """Write a table atomically. Raises OSError, and TableError if values are too big for the short form."""
    numbers = table.worth.astype("<f8")
    if form == "u4":
        steps = np.rint(table.worth * 2.0**STEP)
        if steps.max() >= 2**32:
            raise TableError(
                f"the short form has room for {2 ** (32 - STEP)} points, got {table.expected:.0f}"
            )
        body = steps.astype("<u4").tobytes()
    else:
        body = numbers.tobytes()
    head = {
        "table": "meet-fate",
        "format": FORMAT,
        "rules": table.rules.key,
        "form": form,
        "sheets": SHEETS,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(head).encode() + b"\n" + body)


def load(path: Path, rules: FateRules) -> FateTable:
    """Read a table and check all that can be checked. Raises TableError, OSError."""
    widths = {"f8": 8, "u4": 4}
    with path.open("rb") as file:
        head = _header(file.readline(LONGEST_HEADER), path)
        form = head.get("form")
        if form not in widths:
            raise TableError(f"{path}: expected a table of the form f8 or u4, got {str(form)[:20]!r}")
        length = SHEETS * widths[form]
        body = file.read(length + 1)
    if head.get("table") != "meet-fate" or head.get("format") != FORMAT or head.get("sheets") != SHEETS:
        raise TableError(f"{path}: expected a table of Meet Fate of format {FORMAT}; solve it again")
    if head.get("rules") != rules.key:
        raise TableError(f"{path}: this table is of other house rules; solve it again")
    if len(body) != length:
        raise TableError(f"{path}: expected {length} bytes of numbers, got {len(body)}; solve it again")
    if hashlib.sha256(body).hexdigest() != head.get("sha256"):
        raise TableError(
            f"{path}: the numbers do not fit their checksum: the file is damaged; solve it again"
        )
    numbers = np.frombuffer(body, dtype=f"<{form}")
    worth = numbers * 2.0**-STEP if form == "u4" else numbers.astype(np.float64)
    _check(worth, rules, path)
    return FateTable(rules, worth)


def _header(line: bytes, path: Path) -> Mapping[str, Any]:
    try:
        head: Any = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise TableError(f"{path}: expected a table that begins with a line of JSON; solve it again")
    return cast("dict[str, Any]", head)


def _check(worth: Floats, rules: FateRules, path: Path) -> None:
    """A checksum only finds damage; impossible values are refused as well."""
    most = float(rules.points.max(axis=1).sum()) + (rules.eights or 0.0)
    sound = bool(np.isfinite(worth).all()) and worth[0] == 0 and worth.min() >= 0 and worth.max() <= most
    if not sound:
        raise TableError(f"{path}: the numbers cannot be points of these rules; solve it again")
