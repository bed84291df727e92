"""What holds for every test."""

from __future__ import annotations

import signal

import pytest

# Started in the background of a shell, we inherit that Ctrl-C is ignored, and so would the programs that tests end
# with it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow-browser",
        type=float,
        default=1.0,
        metavar="TIMES",
        help="how many times slower than it is the browser shall be, to find what only an old tablet shows",
    )
