"""The eyes that finder, verifier and matcher share: four levels, taught by ImageNet, the first two left alone."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
pytest.importorskip(
    "efficientnet_lite_pytorch", reason="training needs EfficientNet (pip install -e '.[train]')"
)


@pytest.fixture(name="eyes")
def _eyes() -> Any:
    return importlib.import_module("training.eyes")


def test_four_levels_each_half_as_fine(eyes: Any) -> None:
    seen = eyes.Eyes()(torch.rand(2, 3, eyes.CROP, eyes.CROP))
    fine = [eyes.CROP // 2, eyes.CROP // 4, eyes.CROP // 8, eyes.CROP // 16]
    assert [tuple(level.shape) for level in seen] == [
        (2, count, side, side) for count, side in zip(eyes.CHANNELS, fine, strict=True)
    ]


def test_it_begins_with_what_was_taught(eyes: Any, capsys: Any) -> None:
    one, other, blank = eyes.Eyes(taught=True), eyes.Eyes(taught=True), eyes.Eyes()
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
    assert not torch.equal(one.stem[1].weight, blank.stem[1].weight)
    assert capsys.readouterr().out == ""


def test_a_step_of_learning_leaves_the_first_levels_as_they_are(eyes: Any) -> None:
    torch.manual_seed(3)
    network = eyes.Eyes(taught=True)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    network.train()
    optimiser = torch.optim.SGD(network.parameters(), lr=0.1)
    network(torch.rand(4, 3, eyes.CROP, eyes.CROP))[-1].mean().backward()
    optimiser.step()
    known = ("stem.", *(f"levels.{level}." for level in range(eyes.KNOWN)))
    changed = {
        name.startswith(known)
        for name, value in network.state_dict().items()
        if not torch.equal(before[name], value)
    }
    assert changed == {False}
