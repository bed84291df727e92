"""Logs come from other people's machines: whatever is wrong with one is one line, and what can be read can be said."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.anyplay import any_action
from scoring.games import available, find
from scoring.logfile import MatchLogError, read, written
from scoring.match import begin
from tests.saying import sentences

GAMES = [game.id for game in available()]

rubbish = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.just(10**400),
    st.text(max_size=8),
    st.just("\ud800"),
    st.lists(st.text(max_size=3), max_size=4),
    st.dictionaries(st.sampled_from(["kind", "player", "move", "of", "zz"]), st.integers(), max_size=3),
)


@cache
def log_of(game: str) -> tuple[str, ...]:
    """The lines of a match of forty events."""
    rng, rules = random.Random(game), find(game)
    match = begin(rules, [f"P{i}" for i in range(max(2, rules.seats[0]))])
    for _ in range(40):
        if not match.outcome:
            match = match.add(any_action(rules, match.state, rng.randrange))
    return tuple(written(match).splitlines())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a plain value, the value itself first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another one at a place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def answered(text: str) -> str | None:
    """The complaint about a log, or None; a match that is read can be said and shown, stopped or not."""
    try:
        match = read(text, find)
    except MatchLogError as refused:
        assert "\n" not in str(refused)  # noqa: PT017 - most damage is refused, some is harmless
        assert len(str(refused)) < 1000  # noqa: PT017
        return str(refused)
    sentences(match)
    assert match.view.seats
    return str(match.stop) if match.stop else None


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None)
@given(drawn=st.data())
def test_any_value_in_any_place(game: str, drawn: st.DataObject):
    lines = list(log_of(game))
    number = drawn.draw(st.integers(0, len(lines) - 1))
    record = json.loads(lines[number])
    where = drawn.draw(st.sampled_from(places(record)))
    lines[number] = json.dumps(put(record, where, drawn.draw(rubbish)))
    answered("\n".join(lines) + "\n")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(drawn=st.data())
def test_lines_cut_swapped_and_doubled(game: str, drawn: st.DataObject):
    lines = list(log_of(game))
    one, other = drawn.draw(st.integers(1, len(lines) - 1)), drawn.draw(st.integers(1, len(lines) - 1))
    lines[one], lines[other] = lines[other], lines[one]
    swapped = answered("\n".join(lines) + "\n")
    assert one == other or (swapped is not None and "lines are missing" in swapped)
    text = "\n".join(log_of(game)) + "\n"
    cut = drawn.draw(st.integers(0, len(text) - 1))
    assert answered(text[:cut]) is not None or text[:cut].endswith("\n")


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_bytes_that_are_no_log(noise: bytes):
    assert answered(noise.decode("latin-1")) is not None


@pytest.mark.parametrize("number", ["1.0", "true", "NaN", "1e400", '"1"', "null", "9" * 5000])
def test_the_number_of_an_event_is_a_whole_number(number: str):
    head, first, *_ = log_of("triples")
    damaged = first.replace('"n": 1', f'"n": {number}')
    assert damaged != first
    complaint = answered(f"{head}\n{damaged}\n")
    assert complaint
    assert complaint.startswith(("line 2: expected ", "line 2: this is not a JSON object"))


@pytest.mark.parametrize("game", GAMES)
def test_a_match_stopped_at_its_last_event_is_said(game: str):
    """The event is in the log and was never played: it has no sentences of its own."""
    head = log_of(game)[0]
    text = f'{head}\n{{"schema": 1, "n": 1, "event": "roll", "faces": []}}\n'
    match = read(text, find)
    assert match.stop
    assert len(sentences(match)) == 1
    assert match.stop.number == 1
    assert "breaks a rule" in sentences(match)[0]


def test_the_place_of_this_file_is_no_log(tmp_path: Path):
    assert answered(Path(__file__).read_text(encoding="utf-8")) is not None
