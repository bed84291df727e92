"""The reader of numerals: its bank is drawn once, it learns from it, and is written and started from again."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from training.synth.symbols import ART_SIZE, Glyph, Library, default_folder, save
from vision.dicesets.shapes import Shape
from vision.ink import STRONGEST
from vision.numerals import NUMERALS, READ_AT, NumeralReader, written_on
from vision.rectify import FACE_SIZE, turns

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
pytest.importorskip(
    "efficientnet_lite_pytorch", reason="training needs EfficientNet (pip install -e '.[train]')"
)


@pytest.fixture(name="training")
def _training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, and a library of one typeface to learn from and one to be measured with."""
    monkeypatch.setenv("TABLESIDE_TRAINING", str(tmp_path))
    names = [*"0123456789", "6.", "6_", "12", "A", "I"]
    arts: list[np.ndarray] = []
    glyphs: list[Glyph] = []
    for thickness in (6, 12):
        for name in names:
            art = np.zeros((ART_SIZE, ART_SIZE), np.uint8)
            cv2.putText(art, name, (12, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.4 / len(name), 255, thickness)
            glyphs.append(Glyph(name, "glyph", len(arts), thickness == 12))
            arts.append(art)
    glyphs += [Glyph("a/icon", "icon", 0, False), Glyph("b/icon", "icon", 0, True)]
    save(
        Library(np.stack(arts), np.zeros((1, ART_SIZE, ART_SIZE, 4), np.uint8), tuple(glyphs)),
        default_folder(),
    )
    return importlib.import_module("training.numerals")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # PyTorch's exporter warns about itself
def test_it_is_trained_written_and_started_from_again(training: Any, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "bank", tmp_path / "checkpoint.pt"
    run = training.Run(checkpoint, 0.02, 2e-3, threads=1)
    training.train_numerals(folder, run, parts=2, size=40)
    drawn = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert len(drawn) == 3
    training.export_numerals(checkpoint, tmp_path / "numerals.onnx")
    faces = np.random.default_rng(0).integers(0, 256, (3, FACE_SIZE, FACE_SIZE, 3), dtype=np.uint8)
    likely = NumeralReader(tmp_path).read(faces, Shape.OCTAHEDRON)
    assert likely.shape == (3, len(NUMERALS))
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-4)

    again = tmp_path / "again.pt"
    still = training.Run(again, 1e-9, 0.0, threads=1, start=checkpoint)
    training.train_numerals(folder, still, parts=2, size=40)
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")} == drawn, "what is drawn is kept"
    timed: Any = importlib.import_module("training.timed")
    first, second = (timed.load_checkpoint(path)["network"] for path in (checkpoint, again))
    assert all(torch.equal(first[name], second[name]) for name, _ in training.NumeralNet().named_parameters())


@pytest.mark.slow
def test_what_a_face_may_be_called(training: Any) -> None:
    shots = training.NumeralShots(training.load())
    for shape in (Shape.CUBE, Shape.OCTAHEDRON):
        faces, allowed = shots.draw(np.random.default_rng(3), 200, shape)
        assert faces.shape == (200, READ_AT[shape], READ_AT[shape], 3)
        assert allowed.any(axis=1).all()
        either = allowed[:, NUMERALS.index("6")] & allowed[:, NUMERALS.index("9")]
        assert either.any() == (shape == Shape.CUBE), "on a cube nobody knows an unmarked 6 from a 9"
        assert allowed[:, 0].sum() in range(15, 80)


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_faces_are_learnt_in_every_turn_and_a_little_out_of_place(training: Any, shape: Shape) -> None:
    side = READ_AT[shape]
    face = np.full((side, side, 3), 220, np.uint8)
    left, foot = (round(0.375 * side), round(0.69 * side))
    cv2.putText(face, "7", (left, foot), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30, 30, 30), 3)
    allowed = np.zeros((1, len(NUMERALS)), np.bool_)
    ink, _ = next(training.batches([training.Bank(shape, face[None], allowed)], np.random.default_rng(5)))
    brightness = np.abs(ink[:, 1])
    straight = np.abs(written_on(turns(face, shape), shape)[:, 1])
    alike = np.tensordot(brightness, straight, axes=([1, 2], [1, 2]))
    turned = np.bincount(alike.argmax(axis=1), minlength=shape.symmetry)
    assert (turned > 0.6 * len(ink) / shape.symmetry).all(), "as often in each turn"
    written = brightness[alike.argmax(axis=1) == 0] > STRONGEST / 2
    places = [np.argwhere(one).mean(axis=0) for one in written]
    assert (np.std(places, axis=0) > 0.5).all(), "in pixels: it is not always in one place"


def test_paint_runs_broader_and_a_bold_numeral_keeps_its_place(training: Any) -> None:
    ink = np.full((2, FACE_SIZE, FACE_SIZE), -0.5, np.float32)
    ink[:, :, :8] = 0  # beside the face
    ink[:, 20:44, 30:34] = 2
    for reach in (1, 2):
        broad = training._broadened(ink, reach)
        rows, columns = np.nonzero(broad[0] == 2)
        assert (rows.min(), rows.max(), columns.min(), columns.max()) == (
            20 - reach, 43 + reach, 30 - reach, 33 + reach,
        )  # fmt: skip
        assert not broad[:, :, :8].any(), "there is no ink beside the face"
