"""The comparer's training: faces are drawn once, it learns from pairs of them, is written and started from again."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.synth.symbols import ART_SIZE, Glyph, Library, default_folder, save
from vision.comparer import Comparer
from vision.dicesets.shapes import SHAPES, Shape
from vision.network import WEIGHTS
from vision.rectify import FACE_SIZE

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
pytest.importorskip(
    "efficientnet_lite_pytorch", reason="training needs EfficientNet (pip install -e '.[train]')"
)
MATCHER = WEIGHTS / "matcher.pt"


@pytest.fixture(name="training")
def _training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, and a library of some squares and bars."""
    monkeypatch.setenv("TABLESIDE_TRAINING", str(tmp_path))
    mono = np.zeros((30, ART_SIZE, ART_SIZE), np.uint8)
    for i, art in enumerate(mono):
        art[10 : 30 + 2 * i, 10 : 90 - 2 * i] = 255
    colour = np.zeros((24, ART_SIZE, ART_SIZE, 4), np.uint8)
    for i, art in enumerate(colour):
        art[10:60, 10 : 40 + 2 * i] = (10 * i, 90, 200, 255)
    glyphs = [Glyph(f"a/{i}", "icon", i, i >= 10) for i in range(20)]
    glyphs += [Glyph(f"b/{i}", "colour", i, i >= 14) for i in range(24)]
    glyphs += [Glyph(f"circle-flags/{i}", "colour", i, False) for i in range(9)]
    glyphs += [Glyph(name, "glyph", 12 + i, False) for i, name in enumerate("0123456789ABCDEFGH")]
    save(Library(mono, colour, tuple(glyphs)), default_folder())
    return importlib.import_module("training.comparer")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # PyTorch's exporter warns about itself
def test_it_is_trained_written_and_started_from_again(
    training: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "HELD_OUT", 2)
    folder, checkpoint = tmp_path / "bank", tmp_path / "checkpoint.pt"
    training.train_comparer(folder, MATCHER, training.Run(checkpoint, 0.02, 1e-3, threads=1), parts=2)
    drawn = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert len(drawn) == 4
    training.export_comparer(checkpoint, tmp_path / "comparer.onnx")
    one, other = np.random.default_rng(0).integers(0, 256, (2, 3, FACE_SIZE, FACE_SIZE, 3), dtype=np.uint8)
    same = Comparer(tmp_path).same(one, other)
    with torch.inference_mode():
        network = training.trained(training.ComparerNet, checkpoint)
        again = network(torch.from_numpy(np.stack([other, one], axis=1))).numpy()
    assert same.shape == (3,)
    assert np.allclose(same, again, atol=0.05), "stored as float16 in the one, not in the other"

    still = training.Run(tmp_path / "again.pt", 1e-9, 0.0, threads=1, start=checkpoint)
    training.train_comparer(folder, MATCHER, still, parts=2)
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")} == drawn, "what is drawn is kept"
    timed: Any = importlib.import_module("training.timed")
    written = (MATCHER, checkpoint, still.checkpoint)
    matcher, first, second = (timed.load_checkpoint(path)["network"] for path in written)
    trained = [name for name, _ in network.named_parameters()]
    assert all(torch.equal(first[name], second[name]) for name in trained)
    assert all(torch.equal(first[f"matcher.{name}"], weights) for name, weights in matcher.items()), "it sees likewise"


@pytest.mark.parametrize("shape", SHAPES)
def test_each_die_is_compared_with_its_own_picture_and_with_others_but_not_with_the_same_drawing(
    training: Any, shape: Shape
) -> None:
    rng = np.random.default_rng(2)
    count, turns = 20, shape.symmetry

    def points(*rows: int) -> Any:
        drawn = rng.normal(size=(*rows, 128)).astype(np.float32)
        return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)

    parts = []
    for place in range(2):
        pictures = points(count, turns)
        if place:
            pictures[0] = parts[0].shown_at[0]  # the same drawing under another name
        marked = np.arange(place * count, (place + 1) * count, dtype=np.float16)[:, None, None, None]
        shown = np.broadcast_to(marked[:, None], (count, turns, 200, 1, 1)).copy()
        shown[..., 1, :, :] = np.arange(turns)[None, :, None, None]
        seen = np.tile(np.broadcast_to(marked, (count, 200, 1, 1)), (training.SHOTS, 1, 1, 1))
        at = np.tile(pictures[:, turns - 1], (training.SHOTS, 1))
        names = np.array([f"{number}" for number in range(place * count, (place + 1) * count)])
        parts.append(training.Part(shape, names, shown, pictures, seen, at))
    shown, seen, cosine, same = training.pairs(parts, rng)
    face, turn, die = shown[:, 0, 0, 0], shown[:, 1, 0, 0], seen[:, 0, 0, 0]
    assert ((face == die) == (same == 1)).all()
    assert np.bincount(die[same == 1].astype(int)).tolist() == [training.SHOTS] * 2 * count
    assert (turn[same == 1] == turns - 1).all(), "in the turn in which they are alike"
    assert (cosine[same == 1] > 0.999).all()
    assert (same == 0).sum() > len(same) / 2
    twins = {(0.0, float(count)), (float(count), 0.0)}
    assert not twins & {(float(a), float(b)) for a, b in zip(face, die, strict=True)}
