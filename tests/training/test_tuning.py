"""Tuning on a player's own photographs: what is refused, how they are split, and which network reads afterwards."""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from cli.main import main
from training.commands import train as command
from training.detector import describe
from training.evaluate.labels import FolderError
from training.tiles import cut_tiles
from training.tune import LEAST_PICTURES, around_whole_dice, better, keep, split
from vision.boxes import Box
from vision.dicesets.library import find
from vision.network import WEIGHTS, open_network, tuned_weights

PIPS = find("pips")
FRAME = Path(__file__).parent.parent / "frames" / "pips"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photographs of one labelled die each."""
    place = tmp_path / "mine"
    for name in ("images", "labels"):
        (place / name).mkdir(parents=True)
    (place / "faces.txt").write_text("1\n2\n3\n4\n5\n6\n")
    for number in range(LEAST_PICTURES):
        grey = np.full((120, 160, 3), 90 + number, np.uint8)
        cv2.imwrite(str(place / "images" / f"{number:02}.png"), grey)
        (place / "labels" / f"{number:02}.txt").write_text(f"{number % 6} 0.5 0.5 0.25 0.25\n")
    return place


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[str]]:
    """Exit code, standard output, and the lines on standard error."""
    with pytest.raises(SystemExit) as left:
        main(list(map(str, words)))
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err.splitlines()


def fingerprints() -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in WEIGHTS.iterdir()}


def test_a_fifth_is_kept_out_and_the_seed_says_which(folder: Path) -> None:
    parts = split(folder, PIPS, seed=1)
    assert (len(parts.trained), len(parts.kept)) == (16, 4)
    assert sorted([*parts.trained, *parts.kept]) == sorted((folder / "images").iterdir())
    (folder / "faces.txt").rename(folder / "classes.txt")  # where Label Studio writes names
    assert split(folder, PIPS, seed=1) == parts
    assert split(folder, PIPS, seed=2) != parts


def test_a_photograph_that_nobody_labelled_is_in_neither_part_and_one_without_dice_is(folder: Path) -> None:
    for name in ("unlabelled", "empty"):
        shutil.copyfile(folder / "images" / "00.png", folder / "images" / f"{name}.png")
    (folder / "labels" / "empty.txt").touch()
    parts = split(folder, PIPS, seed=1)
    stems = {path.stem for path in (*parts.trained, *parts.kept)}
    assert "empty" in stems
    assert "unlabelled" not in stems


SPOILT: dict[str, Callable[[Path], object]] = {
    "expected at least 20 photographs in images/, each with its file in labels/, found 19":
        lambda folder: (folder / "labels" / "00.txt").unlink(),
    "expected faces.txt (or classes.txt) with one face a line, found none":
        lambda folder: (folder / "faces.txt").unlink(),
    "faces.txt: ": lambda folder: (folder / "faces.txt").write_text("emu\nkoala\n"),
    "03.txt:1: expected 'class x y width height', found '0 0.5 0.5 0.2'":
        lambda folder: (folder / "labels" / "03.txt").write_text("0 0.5 0.5 0.2\n"),
    "expected labelled dice, found none in 20 label files":
        lambda folder: [path.write_text("") for path in (folder / "labels").iterdir()],
    "expected one photograph for each label file, found two called 00":
        lambda folder: shutil.copyfile(folder / "images" / "00.png", folder / "images" / "00.jpg"),
    "expected faces.txt": shutil.rmtree,
}  # fmt: skip


@pytest.mark.parametrize("expected", SPOILT)
def test_a_folder_that_teaches_nothing_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], folder: Path, expected: str
) -> None:
    SPOILT[expected](folder)
    code, out, err = run(capsys, "train", "tune", folder)
    assert (code, out, len(err)) == (2, "", 1)
    assert err[0].startswith("tableside: ")
    assert expected in err[0]


def test_without_a_folder_or_pytorch_it_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "train", "tune")[2] == [
        "tableside: expected a FOLDER of labelled photographs, or --forget"
    ]
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    for words in (("tune", folder), ("detector",), ("finder",), ("verifier",), ("matcher",), ("numerals",)):
        code, out, err = run(capsys, "train", *words)
        assert (code, out, len(err)) == (2, "", 1)
        assert "pip install -c constraints.txt -e '.[train]'" in err[0]


def test_photographs_alone_are_not_what_the_detector_is_made_from(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(
        FolderError, match=r"drawn scenes .* found 0; `tableside train tune` learns from photo"
    ):
        describe(tmp_path / "scenes", (folder,), tmp_path / "run")


@pytest.mark.slow
def test_a_tuned_network_reads_until_it_is_forgotten(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    read = ("read", "--set", "pips", "--json", FRAME / "images" / "0000.jpg")

    def dice() -> list[str]:
        code, out, err = run(capsys, *read)
        assert (code, err) == (0, [])
        return [die["face"] for die in json.loads(out)["dice"]]

    shipped = dice()
    keep(WEIGHTS / "detector.onnx")
    assert tuned_weights() == home / "weights"
    assert dice() == shipped
    assert "tuned on your photographs" in run(capsys, "doctor")[1]
    # It is this file that reads: damaged, it is refused; the shipped one is still there for those who ask for it.
    with (home / "weights" / "detector.onnx").open("ab") as file:
        file.write(b"!")
    code, _, err = run(capsys, *read)
    assert (code, len(err)) == (2, 1)
    assert "detector.onnx is damaged or was changed: its checksum does not match SHA256SUMS" in err[0]
    open_network("detector", WEIGHTS)
    assert run(capsys, "train", "tune", "--forget")[1] == "the shipped detector reads again\n"
    assert dice() == shipped
    assert run(capsys, "train", "tune", "--forget")[1].startswith("nothing was tuned")


def test_training_never_writes_to_the_shipped_networks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = fingerprints()
    command._keep("detector.onnx", lambda target: target.write_bytes(b"another network"))
    assert fingerprints() == before
    made = tmp_path / "runs" / "weights"
    assert (made / "detector.onnx").read_bytes() == b"another network"
    assert "runs/weights/detector.onnx" in capsys.readouterr().out
    # What comes after it in the order of training sees it, beside the shipped networks that were not made anew.
    assert command._weights().resolve() == made
    open_network("finder", made)
    assert "detector.onnx" in (made / "SHA256SUMS").read_text()


BEFORE = {"right": 50, "invented": 2, "certain_and_wrong": 1}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"right": 51}, True),
        ({"right": 51, "invented": 9}, True),
        ({"invented": 1}, True),
        ({}, False),
        ({"right": 49, "invented": 0}, False),
        ({"right": 55, "certain_and_wrong": 2}, False),
    ],
)
def test_what_reads_better_is_kept(after: dict[str, int], expected: bool) -> None:
    assert better(BEFORE, BEFORE | after) is expected


class Finds:
    """Finds a whole die at a place in every picture."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def detect(self, pixels: np.ndarray, shapes: Sequence[str]) -> list[Any]:
        return [SimpleNamespace(box=self.box), SimpleNamespace(box=(0.0, 0.0, 9.0, 9.0))]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # Labels are 60 to 100 across and 45 to 75 down.
        ((60.0, 45.0, 100.0, 90.0), (0.0, 0.0, 0.0, 0.5)),
        ((59.0, 44.0, 102.0, 76.0), (0.0, 0.0, 0.0, 0.0)),
        ((0.0, 0.0, 20.0, 20.0), (0.0, 0.0, 0.0, 0.0)),
    ],
    ids=["around top faces", "around whole dice", "nothing is found there"],
)
def test_labels_around_top_faces_are_widened(folder: Path, found: Box, expected: Box) -> None:
    parts = split(folder, PIPS, seed=1)
    finder: Any = Finds(found)
    grown = around_whole_dice(parts.trained, finder, PIPS)
    assert grown == pytest.approx(expected)


def test_tiles_are_cut_of_the_photographs_that_are_asked_for_with_widened_boxes(
    tmp_path: Path, folder: Path
) -> None:
    (one,) = split(folder, PIPS, seed=1).kept[:1]
    plain, grown = (
        cut_tiles(folder, tmp_path / name, side=384, each=3, pictures=[one], grown=edges)
        for name, edges in (("plain", (0.0, 0.0, 0.0, 0.0)), ("grown", (0.0, 0.0, 0.0, 0.5)))
    )
    assert len(plain) == len(grown) == 3

    def ratios(tiles: list[Path]) -> list[float]:
        labels = [path.parent.parent / "labels" / f"{path.stem}.txt" for path in tiles]
        boxes = [line.split() for label in labels for line in label.read_text().splitlines()]
        return [float(h) / float(w) for *_, w, h in boxes]

    assert np.median(ratios(grown)) > np.median(ratios(plain)) * 1.2


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # PyTorch and Ultralytics warn of their own ways
def test_the_detector_is_tuned_for_real(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ultralytics", reason="training needs Ultralytics (pip install -e '.[train]')")
    for number, picture in enumerate(sorted((folder / "images").iterdir())):
        label = folder / "labels" / f"{picture.stem}.txt"
        if number % 4:
            label.write_text("")  # a table without dice
            continue
        known = number // 4 % 3
        picture.unlink()
        shutil.copyfile(FRAME / "images" / f"{known:04}.jpg", picture.with_suffix(".jpg"))
        shutil.copyfile(FRAME / "labels" / f"{known:04}.txt", label)
    before = fingerprints()
    code, out, _ = run(capsys, "train", "tune", folder, "--minutes", "0.1")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].endswith("mine: 16 photographs to train on, 4 to measure on (seed 1)")
    told = [line for line in lines if line.startswith(("before: ", "after:  "))]
    assert len(told) == 2
    assert "dice right" in told[0]
    kept = (tuned_weights() / "detector.onnx").is_file()
    assert lines[-1].startswith("kept in " if kept else "not kept")
    assert fingerprints() == before
    assert (tmp_path / "runs" / "tune" / "run" / "weights" / "last.pt").is_file()


def test_training_runs_on_a_gpu_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
    precision: Any = importlib.import_module("training.timed")
    for there, expected in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
        precision.device.cache_clear()
        assert precision.device().type == expected
    precision.device.cache_clear()
