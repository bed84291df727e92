"""Checksum lists, and the one of what comes with Tableside."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from files.checksums import SUMS, checksum, damaged, listed, listing
from tests.cli.door import tableside
from tools.checksums import MODELS, shipped
from vision import network
from vision.network import WeightsError, verify


def test_a_list_is_read_as_it_was_written(tmp_path: Path):
    (tmp_path / "of two words.txt").write_bytes(b"one")
    sums = {"of two words.txt": checksum(tmp_path / "of two words.txt")}
    assert sums["of two words.txt"] == hashlib.sha256(b"one").hexdigest()
    (tmp_path / SUMS).write_text(listing(sums))
    assert listed(tmp_path / SUMS) == sums
    assert damaged(tmp_path) == ()


@pytest.mark.parametrize("noise", ["", "\n\n", "nonsense\n", "\x00\xff\n"])
def test_a_list_of_something_else_lists_nothing(tmp_path: Path, noise: str):
    (tmp_path / SUMS).write_bytes(noise.encode("latin-1"))
    assert listed(tmp_path / SUMS) == {}


def test_every_file_that_comes_with_tableside_is_listed_with_its_checksum():
    sums = listed(MODELS / SUMS)
    assert sorted(sums) == shipped(), "run `make checksums`"
    assert damaged(MODELS) == (), "run `make checksums`"


def test_checkpoints_are_listed_beside_the_networks():
    folder = MODELS / "weights"
    sums = listed(folder / SUMS)
    networks = {path.name for path in folder.iterdir() if path.suffix in (".json", ".onnx", ".pt")}
    assert sums.keys() == networks
    assert damaged(folder) == ()


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what comes with Tableside, in its place."""
    copy = tmp_path / "models"
    shutil.copytree(MODELS, copy, ignore=shutil.ignore_patterns("*.pt", "__pycache__"))
    monkeypatch.setattr(network, "WEIGHTS", copy / "weights")
    return copy


def test_the_doctor_names_what_is_damaged_and_what_is_missing(models: Path):
    (models / "dicesets" / "cats" / "set.toml").write_text("changed")
    (models / "dicesets" / "cats" / "faces" / "dd" / "dd.png").unlink()
    said = tableside("doctor")
    assert said.code == 1
    (line,) = (line for line in said.out.splitlines() if "Shipped files" in line)
    assert "dicesets/cats/set.toml" in line
    assert "dicesets/cats/faces/dd/dd.png" in line


def test_the_doctor_says_that_the_list_itself_is_missing(models: Path):
    (models / SUMS).unlink()
    assert f"Shipped files: {SUMS} cannot be read: No such file" in tableside("doctor").out


def test_a_shipped_network_that_is_not_listed_is_refused(models: Path):
    verify(models / "weights" / "detector.onnx")
    shutil.copyfile(models / "weights" / "detector.onnx", models / "weights" / "other.onnx")
    with pytest.raises(WeightsError, match=r"other\.onnx is not listed in SHA256SUMS"):
        verify(models / "weights" / "other.onnx")
