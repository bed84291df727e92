"""Corruptions of crops: the same for a seed, recognisable, and corners go with the crop."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
corruptions: Any = importlib.import_module("training.corruptions")


def _crops(count: int = 3) -> Any:
    """A light square with sharp edges on a darker ramp, (N, 3, 96, 96)."""
    crops = torch.linspace(0.15, 0.45, 96).expand(count, 3, 96, 96).clone()
    crops[:, :, 30:60, 40:80] = torch.tensor([0.78, 0.82, 0.86])[:, None, None]
    return crops


@pytest.mark.parametrize("change", [change for change, _ in corruptions.CHANGES], ids=lambda change: change.__name__)
def test_a_change_changes_and_keeps_the_picture_recognisable(change: Any) -> None:
    torch.manual_seed(4)
    light = _crops(6)
    for before, after in zip(light, change(light.clone()).clamp(0, 1), strict=True):
        assert (after - before).abs().max() > 3 / 255
        assert torch.corrcoef(torch.stack([after.ravel(), before.ravel()]))[0, 1] > 0.5


def test_a_seed_gives_the_same_crops_again_and_others_differ() -> None:
    seen: list[Any] = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        seen.append(corruptions.recoloured(corruptions.corrupted(_crops())))
    assert torch.equal(seen[0], seen[1])
    assert not torch.equal(seen[0], seen[2])
    assert seen[0].min() >= 0
    assert seen[0].max() <= 1


def test_corners_go_with_a_crop_that_is_turned() -> None:
    torch.manual_seed(1)
    corners = torch.tensor([(39.5, 29.5), (79.5, 29.5), (79.5, 59.5), (39.5, 59.5)]).expand(8, -1, -1)
    moved, there = corruptions.turned(_crops(8), corners, 20.0, 0.1)
    finder: Any = importlib.import_module("training.finder")
    square = moved.mean(1) > 0.63
    for masks in finder.targets(there, there, torch.ones(8, dtype=torch.long))[:, [0, 2]].unbind(1):
        larger = torch.nn.functional.interpolate(masks[:, None], scale_factor=2.0)[:, 0] > 0.5
        shared = (larger & square).sum((1, 2)) / (larger | square).sum((1, 2))
        assert shared.min() > 0.85


def test_unknown_corners_and_what_is_no_die_have_no_mask() -> None:
    finder: Any = importlib.import_module("training.finder")
    corners = torch.full((2, 4, 2), float("nan"))
    corners[1] = torch.tensor([(10.0, 10.0), (80.0, 10.0), (80.0, 80.0), (10.0, 80.0)])
    maps = finder.targets(corners, corners, torch.tensor([1, 0]))
    assert maps.abs().max() == 0
    known = finder.targets(corners, corners[[1, 1]], torch.tensor([1, 1]))
    assert known[0, :2].abs().max() == 0, "a photographed die's top may be known, or its body, or both"
    assert known[0, 2].max() == 1


class _Teacher:
    """Sees a die in the left half of every crop but the last, in which it sees none."""

    def run(self, names: Any, given: dict[str, Any]) -> list[Any]:
        assert given["crops"].dtype == np.uint8
        assert given["crops"].shape[1:] == (96, 96, 3)
        planes = np.full((len(given["crops"]), 3, 48, 48), 0.02, np.float32)
        planes[..., :24] = 0.98
        kinds = np.tile(np.float32([0.02, 0.96, 0.02]), (len(planes), 1))
        kinds[-1] = 0.9998, 0.0001, 0.0001
        return [planes, kinds]


def test_a_finder_learns_from_another_where_that_sees_a_die_and_is_right() -> None:
    finder: Any = importlib.import_module("training.finder")
    crops, cubes = _crops(2), torch.ones(2, dtype=torch.long)
    left = torch.full((2, 3, 48, 48), -4.0)
    left[..., :24] = 4.0
    cube = torch.tensor([(-3.0, 3.0, -3.0)]).expand(2, -1)

    def loss(maps: torch.Tensor, kind: torch.Tensor) -> float:
        return float(finder.taught(_Teacher(), crops, maps, kind, cubes))

    agreed, elsewhere = left.clone(), left.clone()
    elsewhere[-1] = -left[-1]
    assert loss(elsewhere, cube) == pytest.approx(loss(agreed, cube), rel=0.02), "it saw no die there"
    elsewhere[0] = -left[0]
    assert loss(elsewhere, cube) > 4 * loss(agreed, cube)
    wrong = cube.clone()
    wrong[-1] = torch.tensor((3.0, -3.0, -3.0))
    assert loss(agreed, wrong) == pytest.approx(loss(agreed, cube)), "it was wrong about the last"
    assert loss(agreed, -cube) > loss(agreed, cube)
