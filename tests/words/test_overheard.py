"""What cameras, devices and disks say is recognised, and said in the language of whoever reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from messages.message import Message
from scoring.games import find as find_game
from scoring.logfile import MatchLogError, read
from table.storage.recovery import SQLITE_WORDS
from vision import quality
from words.overheard import HEARD, heard, several
from words.speaker import speaker

ROOT = Path(__file__).parents[2]


def said_by(path: str, *calls: str) -> Iterator[str]:
    """What a file says through these calls, each value in it as a word."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in calls:
                yield from texts(node.args[0])


def texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.JoinedStr):
        yield "".join(one.value if isinstance(one, ast.Constant) else "X7" for one in node.values)


CAMERAS = ["live", "pushed", "recorded", "turnable"]
SAID = [
    *(one for file in CAMERAS for one in said_by(f"vision/camera/{file}.py", "CameraError")),
    *said_by("table/watcher.py", "_on_camera", "_says"),
    *said_by("hardware/mqtt.py", "_say"),
    *said_by("table/voice.py", "_stand"),
    *said_by("table/storage/store.py", "StoreError"),
    *(f"matches.db: {words}" for words in SQLITE_WORDS.values()),
    "the camera's picture stands still; nothing is read until it moves again",
    "the camera's picture is black; is the lens covered, or the light off?",
    quality.OUT_OF_FOCUS,
    "The scoreboard is looked for",
    "The scoreboard does not answer yet; still looking",
    "The scoreboard is gone; still looking",
    "The scoreboard is connected (max7219)",
]


def test_there_is_something_to_hear():
    assert len(SAID) > 25


@pytest.mark.parametrize("text", SAID)
def test_what_they_say_is_recognised(text: str):
    text = text.replace("the X7 sends", "the phone sends")
    assert heard(text).template in HEARD, text


@pytest.mark.parametrize("text", [one for one in HEARD if one.startswith("The scoreboard")])
def test_what_is_recognised_of_the_scoreboard_is_said_by_it(text: str):
    source = (ROOT / "hardware/link.py").read_text() + (ROOT / "hardware/scoreboard.py").read_text()
    for words in re.findall(
        r"[a-z ]{8,}", text.replace("The scoreboard's ", "").replace("The scoreboard ", "")
    ):
        assert words.strip() in source, words


@pytest.mark.parametrize("code", ["de", "fr"])
def test_every_sentence_exists_in_every_language(code: str):
    assert not [template for template in HEARD if template not in speaker(code).catalogue.said]


def test_what_nobody_knows_is_passed_on():
    assert speaker("de").sentence([heard("strange {thing} 100 %")]) == "Strange {thing} 100 %."


def test_names_are_kept():
    assert heard("webcam 2 gives no picture; is it still plugged in?") == Message(
        "{camera} gives no picture; is it still plugged in?", (("camera", "webcam 2"),)
    )


def test_devices_in_a_row():
    told = "Notices go out over MQTT (192.168.1.5). The voice speaks."
    german = speaker("de").sentence(several(told))
    assert german == "Meldungen gehen über MQTT hinaus (192.168.1.5). Die Stimme spricht."
    assert speaker("en").sentence(several(told)) == told
    assert speaker("en").sentence(several("")) == ""


BROKEN_LOGS = (
    "\n",
    '{"match": "pairs"}',
    "nonsense\n",
    "[]\n",
    '{"schema": 99, "match": "pairs"}\n',
    '{"schema": 0}\n',
    '{"schema": 1, "event": "roll"}\n',
    '{"schema": 1, "match": "pairs", "rules": 999, "players": ["Ann", "Bob"], "options": {}}\n',
    '{"schema": 1, "match": "pairs", "rules": 1, "players": ["Ann", "Bob"]}\n',
)


@pytest.mark.parametrize("log", BROKEN_LOGS)
def test_what_is_wrong_with_a_log_is_recognised(log: str):
    with pytest.raises(MatchLogError) as refused:
        read(log, find_game)
    told = heard(str(refused.value))
    inner = dict(told.values).get("why", told)
    assert isinstance(inner, Message)
    assert inner.template in HEARD
