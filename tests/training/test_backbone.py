"""The backbone that finder, verifier and matcher share begins with ImageNet's weights; its first levels stay so."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
pytest.importorskip(
    "efficientnet_lite_pytorch", reason="training needs EfficientNet (pip install -e '.[train]')"
)


@pytest.fixture(name="backbone")
def _backbone() -> Any:
    return importlib.import_module("training.backbone")


def test_it_begins_with_imagenets_weights(backbone: Any, capsys: Any) -> None:
    one, other, blank = backbone.Backbone(pretrained=True), backbone.Backbone(pretrained=True), backbone.Backbone()
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
    assert not torch.equal(one.stem[1].weight, blank.stem[1].weight)
    assert capsys.readouterr().out == ""


def test_a_step_of_learning_leaves_the_first_levels_as_they_are(backbone: Any) -> None:
    torch.manual_seed(3)
    network = backbone.Backbone(pretrained=True)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    network.train()
    optimiser = torch.optim.SGD(network.parameters(), lr=0.1)
    network(torch.rand(4, 3, backbone.CROP, backbone.CROP))[-1].mean().backward()
    optimiser.step()
    known = ("stem.", *(f"levels.{level}." for level in range(backbone.FROZEN)))
    changed = {
        name.startswith(known)
        for name, value in network.state_dict().items()
        if not torch.equal(before[name], value)
    }
    assert changed == {False}
