"""What tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, which is not there yet, and nothing set for the commands."""
    for name in ("PIN", "STORE", "CAMERA", "MQTT"):
        monkeypatch.delenv(f"TABLESIDE_{name}", raising=False)
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"
