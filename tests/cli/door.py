"""The front door in process: what a command prints, and the match that typed lines lead to."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from math import factorial, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from cli import main as doors


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


def tableside(*arguments: str, typed: str = "") -> Said:
    """Run one command; `typed` is its standard input."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with patch.object(sys, "stdin", io.StringIO(typed)), redirect_stdout(out), redirect_stderr(err):
        try:
            doors.main(list(arguments))
        except SystemExit as left:
            code = int(left.code or 0)
    return Said(code, out.getvalue(), err.getvalue())


def score(line: str) -> Any:
    """`tableside score LINE --json`: words parted by spaces, an option's spaces written as ~."""
    return tableside("score", *(word.replace("~", " ") for word in line.split()), "--json").json


def scored(rolls: list[str], line: str) -> list[Any]:
    """`tableside score LINE --faces -`: one object a roll."""
    words = [word.replace("~", " ") for word in line.split()]
    said = tableside("score", *words, "--faces", "-", typed="\n".join(rolls) + "\n")
    assert said.code == 0, said.err
    return [json.loads(one) for one in said.out.splitlines()]


@dataclass(frozen=True)
class Evening:
    """A match typed in: what was said, and what `tableside replay --json` tells of its log."""

    said: str
    told: Any
    log: str

    @property
    def state(self) -> Any:
        return self.told["state"]


def evening(line: str, *typed: str) -> Evening:
    """`tableside play LINE` with typed lines, and the replay of its log. No line may be refused."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        words = [word.replace("~", " ") for word in line.split()]
        played = tableside("play", *words, "--log", str(log), typed="\n".join(typed) + "\n")
        assert played.code == 0, played.err
        assert "No: " not in played.out, next(one for one in played.out.splitlines() if "No: " in one)
        return Evening(played.out, tableside("replay", str(log), "--json").json, log.read_text())


def points(line: str, *typed: str) -> list[int]:
    """Everybody's points after typed lines."""
    return list(evening(line, *typed).told["points"].values())


def refused(line: str, *typed: str) -> str:
    """What the last typed line is answered with: the rule that it breaks."""
    words = [word.replace("~", " ") for word in line.split()]
    said = tableside("play", *words, typed="\n".join(typed) + "\n")
    assert said.code == 0, said.err
    answers = [one for one in said.out.splitlines() if one.startswith("No: ")]
    assert len(answers) == 1, said.out
    return answers[0]


def dice(letters: str, names: Mapping[str, str]) -> str:
    """Letters as faces for the command line."""
    return ",".join(names[letter] for letter in letters)


def ways(roll: str) -> int:
    """In how many throws a multiset of faces comes."""
    return factorial(len(roll)) // prod(factorial(n) for n in Counter(roll).values())
