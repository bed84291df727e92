"""The front door in process: what a command prints, and the match that typed lines lead to."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from cli import main as doors


class Said(NamedTuple):
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


def refused(line: str, *typed: str) -> str:
    """What the last typed line is answered with: the rule that it breaks."""
    words = [word.replace("~", " ") for word in line.split()]
    said = tableside("play", *words, typed="\n".join(typed) + "\n")
    assert said.code == 0, said.err
    answers = [one for one in said.out.splitlines() if one.startswith("No: ")]
    assert len(answers) == 1, said.out
    return answers[0]
