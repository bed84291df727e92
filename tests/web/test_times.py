"""Times are said as people say them, in each language."""

from __future__ import annotations

import re
import time

import pytest

from web.times import clock, date, day, lasted

NOON = time.mktime((2026, 11, 24, 12, 0, 0, 0, 0, -1))
DAY = 86_400


def said(when: float) -> str:
    return re.sub(r"<[^>]*>", "", day(when, NOON))


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (NOON - 60, "today 11:59"), (NOON - DAY, "yesterday 12:00"), (NOON - 2 * DAY, "22 November"),
        (NOON - 12.1 * 3600, "yesterday 23:54"), (NOON - 365 * DAY, "24 November 2025"),
    ],
)  # fmt: skip
def test_a_day_is_said_from_today(when: float, words: str):
    assert said(when) == words


def test_the_exact_time_is_for_machines_and_pointers():
    exact = r'datetime="2026-11-24T12:00:00[+-]\d{4}" title="24 November 2026, 12:00:00"'
    assert re.search(exact, day(NOON, NOON))
    assert date(NOON, year=False) == "24 November"
    assert clock(NOON) == "12:00"


@pytest.mark.parametrize(("seconds", "words"), [(2, "1 min"), (2520, "42 min"), (4320, "1 h 12 min")])
def test_how_long_something_took(seconds: float, words: str):
    assert lasted(seconds) == words
