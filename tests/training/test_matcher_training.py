"""The matcher's training: it begins with ImageNet's weights, is kept without what only training needs, goes on."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.synth.symbols import ART_SIZE, Glyph, Library
from vision.embedding import Matcher
from vision.rectify import FACE_SIZE

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
pytest.importorskip(
    "efficientnet_lite_pytorch", reason="training needs EfficientNet (pip install -e '.[train]')"
)


@pytest.fixture(name="training")
def _training() -> Any:
    return importlib.import_module("training.matcher.train")


def _library() -> Library:
    """Squares and bars of many sizes."""
    mono = np.zeros((30, ART_SIZE, ART_SIZE), np.uint8)
    for i, art in enumerate(mono):
        art[10 : 30 + 2 * i, 10 : 90 - 2 * i] = 255
    colour = np.zeros((12, ART_SIZE, ART_SIZE, 4), np.uint8)
    for i, art in enumerate(colour):
        art[10:60, 10 : 40 + 3 * i] = (20 * i, 90, 200, 255)
    glyphs = [Glyph(f"a/{i}", "icon", i, False) for i in range(12)]
    glyphs += [Glyph(f"b/{i}", "colour", i, False) for i in range(12)]
    glyphs += [Glyph(f"circle-flags/{i}", "colour", i, False) for i in range(9)]
    glyphs += [Glyph(name, "glyph", 12 + i, False) for i, name in enumerate("0123456789ABCDEFGH")]
    return Library(mono, colour, tuple(glyphs))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # PyTorch's exporter warns about itself
def test_it_is_trained_written_and_started_from_again(training: Any, tmp_path: Path) -> None:
    written, checkpoint, lean = tmp_path / "matcher.onnx", tmp_path / "runs" / "checkpoint.pt", tmp_path / "lean.pt"
    timed: Any = importlib.import_module("training.timed")
    training.train_matcher(timed.Run(checkpoint, 0.02, 1.5e-3, threads=1), library=_library())
    training.export_matcher(checkpoint, written)
    faces = np.random.default_rng(0).integers(0, 256, (3, FACE_SIZE, FACE_SIZE, 3), dtype=np.uint8)
    embeddings = Matcher(written).embed(faces)
    assert np.allclose(np.linalg.norm(embeddings, axis=1), 1, atol=1e-4)

    timed.lean_copy(checkpoint, lean)
    assert lean.stat().st_size < 0.5 * checkpoint.stat().st_size
    with torch.inference_mode():
        again = timed.trained(training.MatcherNet, lean)(torch.from_numpy(faces)).numpy()
    apart = np.abs((embeddings * again).sum(axis=1) - 1).max()
    assert apart < 1e-3, "stored as float16 in the one, not in the other"

    still = timed.Run(tmp_path / "on" / "m.pt", 1e-9, 0.0, threads=1, start=lean)
    training.train_matcher(still, library=_library())
    training.export_matcher(still.checkpoint, tmp_path / "on.onnx")
    on = Matcher(tmp_path / "on.onnx").embed(faces)
    assert (on * embeddings).sum(axis=1).min() > 0.98, "it begins with the weights it was given"


def test_the_same_symbol_dark_on_light_or_light_on_dark_is_seen_alike_from_the_start(training: Any) -> None:
    network = training.MatcherNet(pretrained=True).eval()
    face = np.full((1, FACE_SIZE, FACE_SIZE, 3), 220, np.uint8)
    face[:, 20:44, 28:36] = 30
    with torch.inference_mode():
        seen = [
            network.signless(_signless_input(network, torch.from_numpy(one))) for one in (face, 250 - face)
        ]
    assert torch.allclose(seen[0], seen[1], atol=1e-4)


def _signless_input(network: Any, faces: Any) -> Any:
    """What the part that knows no sign is given."""
    given: list[Any] = []
    hook = network.signless.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    network(faces)
    hook.remove()
    return given[0]
