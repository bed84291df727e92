"""The doctor says what is missing, and nothing that it did not look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import doctor


def findings() -> dict[str, doctor.Finding]:
    return {finding.what: finding for finding in doctor.examine()}


def test_a_missing_network_is_named(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> None:
        raise ValueError(f"expected the network {name}.onnx, found none")

    monkeypatch.setattr("vision.runtime.open_network", missing)
    found = findings()["network finder"]
    assert (found.fine, found.words) == (False, "expected the network finder.onnx, found none")


def test_a_package_that_is_not_installed_is_named():
    assert not doctor._package("no-such-package").fine
    assert doctor._package("numpy").fine


def test_the_folder_for_matches_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "not" / "yet"))
    found = findings()["your matches and sets"]
    assert found.fine
    assert str(tmp_path / "not" / "yet") in found.words
    assert not (tmp_path / "not").exists()


def test_a_broken_dice_set_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    broken = tmp_path / "dicesets" / "mine"
    broken.mkdir(parents=True)
    (broken / "set.toml").write_text("this is no toml")
    found = findings()["dice sets"]
    assert not found.fine
    assert "mine" in found.words
