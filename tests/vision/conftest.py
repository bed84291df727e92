"""What many tests of reading share."""

from __future__ import annotations

import pytest

from vision.embedding import Matcher


@pytest.fixture(scope="session")
def matcher() -> Matcher:
    """The shipped matcher."""
    return Matcher()
