"""Whatever command it is given to: bad input is one line, exit 2, and nothing is begun or lost."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.door import tableside

BAD = {
    "nonsense": "No such command",
    "demo --game chess": "expected a game",
    "demo --set chess": "there is no dice set",
    "demo --port 99999": "99999 is not in the range",
    "demo --players ''": "is for 1 to",
    "demo --players Ann,Ann": "a different name",
    "demo --pin 1": "expected a PIN",
    "demo --pin 1111": "expected a PIN",
    f"demo --pin {'x' * 50}": "expected a PIN",
    "demo --mqtt here": "expected mqtt://",
    "demo --mqtt mqtt://me:secret@host:x": "expected mqtt://",
    "demo --mqtt mqtt://host?discovery=a#b": "expected mqtt://",
    "demo --webhook here": "expected http://",
    "demo --webhook https://me:secret@host:x/": "expected http://",
    "demo --scoreboard awtrix:": "expected awtrix:[USER:PASSWORD@]HOST[:PORT]",
    "demo --scoreboard wled:me:secret@host:x": "expected http://",
    "demo --scoreboard auto,": "expected a scoreboard before and after each comma",
    "demo --again": "no last time",
    "demo --resume": "all are over",
    "demo --resume x": "no match “x”",
    "demo --resume x --starts Ann": "--starts is for a new match",
    "demo --starts Zoe": "Zoe does not play",
    "demo --starts winner": "has no winner",
    "serve": "say which camera",
    "serve --camera kitchen": "is not a camera",
    "serve --camera 0 --game chess": "expected a game",
    "read --set cats": "Missing argument",
    "read a.jpg": "Missing option '--set'",
    "read --set nope a.jpg": "there is no dice set",
    "read -x": "No such option",
    "enroll": "Missing argument",
    "enroll mine": "expected --shape",
    "enroll mine --shape d20 --face a=b": "d20",
    "enroll mine --shape d6": "at least two faces",
    "enroll mine --add --face a=b": "found no 'mine'",
    "enroll ../x --shape d6 --face a=b --face c=d": "only lower-case letters, digits and hyphens",
    "enroll mine --shape d6 --face a=b --face c": "NAME=PICTURE",
    "enroll mine --shape d6 --face a=b --face c=": "there is no picture of “c”; add one",
    "enroll mine --shape d6 --face a=b --face c=d": "b does not exist",
    "enroll mine --shape d6 --face a=b --label c=d": "--label: expected one of a",
    "enroll mine --shape d6 --face a=b --label =d": "[LANGUAGE:]NAME=TEXT",
    "enroll mine --shape d6 --face a=b --value a=x": "a whole number",
    "enroll mine --shape d6 --face a=b --value c=1": "--value: expected one of a",
    "enroll mine --shape d6 --face a=b --net d20=a": "--net: expected d6 or d8",
    "sets export nope": "there is no dice set",
    "sets import nope": "nope",
    "sets examples cats --delete owl": "FACE/NAME",
    "sets examples cats --delete owl/nope": "there is no example",
    "sets examples cats --trust ../x/y": "there is no example",
    "print nope -o a.pdf": "there is no dice set",
    "print cats -o no/a.pdf": "expected a folder to write to",
    "print cats -o a.pdf --shape d20": "d20",
    "scoreboard Alice": "expected a seat as NAME=SCORE, got 'Alice'",
    "scoreboard Alice=x": "expected a seat as NAME=SCORE",
    "scoreboard Alice=1 --turn 2": "expected a turn from 1 to 1",
    "scoreboard Alice=1000000": "expected a score from -9999 to 99999",
    "scoreboard --virtual --display crt": "expected one of matrix4, matrix8, digits8",
    "scoreboard --virtual --fault gremlins=1": "expected one of drop, flip, stall, reset, disconnect",
    "scoreboard --virtual --fault drop": "expected a fault as NAME=LIKELIHOOD",
    "scoreboard --virtual --fault drop=2": "expected a likelihood from 0 to 1 for drop",
    "scoreboard --virtual --listen here": "expected HOST:PORT to listen on",
    "scoreboard --virtual --pty /": "is there already",
    "matches export x": "no match “x”",
    "matches rescue -o saved": "tables.db",
}
"""A command line, and words of its answer."""


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_one_line_and_exit_2(
    line: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = tableside(*shlex.split(line))
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("tableside: ")
    assert BAD[line] in said.err
    assert said.err.count("\n") == 1
    assert "secret" not in said.err
    assert not (folder / "dicesets").exists()
    assert not (folder / "tables.db").exists() or not tableside("matches").out
    assert [path for path in tmp_path.iterdir() if path != folder] == []
