"""What tests of enrolling share: a data folder of their own, and what compares faces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.enrol.shots import PaperMatcher
from vision.embedding import Matcher


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the players' own sets."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    return tmp_path / "home" / "dicesets"


@pytest.fixture(scope="session")
def matcher() -> Matcher:
    return PaperMatcher()


@pytest.fixture(scope="session")
def network() -> Matcher:
    return Matcher()
