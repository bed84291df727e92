"""A training that lasts so many minutes: it learns, ends, and goes on where it stopped."""

from __future__ import annotations

import importlib
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.boxes import CROP
from vision.network import WEIGHTS, open_network

torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")


@pytest.fixture(name="timed")
def _timed() -> Any:
    return importlib.import_module("training.timed")


def _trained(timed: Any, checkpoint: Path, minutes: float, **run: Any) -> list[float]:
    """The losses of learning to multiply by three."""
    x, losses = torch.linspace(-1, 1, 32)[:, None], list[float]()

    def loss(network: Any, factor: Any) -> Any:
        value = ((network(x) - factor * x) ** 2).mean()
        losses.append(float(value.detach()))
        return value

    def batches(steps: int, worker: int) -> Generator[tuple[np.ndarray]]:
        assert (steps > 0) == bool(run.get("resume"))
        while True:
            yield (np.float32([3.0]),)

    timed.Run(checkpoint, minutes, 0.05, 1, **run).train(
        lambda pretrained: torch.nn.Linear(1, 1), batches, loss, lambda network: "measured", decay=0.0, average=0.5
    )
    return losses


def test_it_learns_writes_its_checkpoint_and_goes_on_where_it_stopped(timed: Any, tmp_path: Path, capsys: Any) -> None:
    checkpoint, lean = tmp_path / "run" / "checkpoint.pt", tmp_path / "lean.pt"
    losses = _trained(timed, checkpoint, 0.02)
    assert losses[-1] < losses[0] / 2
    assert "measured" in capsys.readouterr().out
    assert timed.load_checkpoint(checkpoint)["steps"] == len(losses)
    more = _trained(timed, checkpoint, 0.03, resume=True)
    assert more[0] < losses[0] / 2, "with the weights it had"
    state = timed.load_checkpoint(checkpoint)
    assert state["steps"] == len(losses) + len(more)
    timed.lean_copy(checkpoint, lean)
    assert timed.load_checkpoint(lean)["network"].keys() == {"weight", "bias"}
    assert torch.equal(timed.load_checkpoint(lean)["network"]["weight"], state["mean"]["module.weight"])
    assert _trained(timed, tmp_path / "other.pt", 1e-9, start=lean)[0] < losses[0] / 2


def test_a_start_lends_the_layers_that_it_has_and_is_refused_where_it_has_others(
    timed: Any, tmp_path: Path, capsys: Any
) -> None:
    start = tmp_path / "start.pt"
    torch.save({"network": {"weight": torch.full((1, 1), 3.0)}}, start)
    assert _trained(timed, tmp_path / "1.pt", 1e-9, start=start)[0] < 1.5, "the slope is known, the rest begins anew"
    assert "begun anew: bias" in capsys.readouterr().out
    torch.save({"network": {"weight": torch.zeros(1, 1), "mask": torch.zeros(1)}}, start)
    with pytest.raises(ValueError, match=r"start\.pt: expected the network's weights, found \['mask'\]"):
        _trained(timed, tmp_path / "2.pt", 1e-9, start=start)


def test_the_mean_of_two_trainings_lies_between_them(timed: Any, tmp_path: Path) -> None:
    first, second, target = (tmp_path / f"{name}.pt" for name in ("first", "second", "mean"))
    torch.save({"network": {"weight": torch.full((1, 1), 3.0), "steps": torch.tensor(1)}}, first)
    averaged = {"module.weight": torch.full((1, 1), 4.0), "module.steps": torch.tensor(9)}
    torch.save({"network": {"weight": torch.zeros(1, 1), "steps": torch.tensor(9)}, "mean": averaged}, second)
    timed.mean_of(first, second, target)
    weights = timed.load_checkpoint(target)["network"]
    assert weights == {"weight": torch.tensor([[3.5]]), "steps": torch.tensor(9)}


def test_a_processor_computes_in_bfloat16_only_where_that_is_quicker(timed: Any) -> None:
    with timed.forward_pass():
        product = torch.nn.Linear(4, 4)(torch.rand(2, 4))
    assert product.dtype == (torch.bfloat16 if timed.bfloat16_pays() else torch.float32)


@pytest.mark.parametrize("name", ["finder", "verifier", "numerals"])
def test_shipped_weights_are_loaded_and_give_what_the_shipped_network_gives(timed: Any, name: str) -> None:
    pytest.importorskip("efficientnet_lite_pytorch", reason="training needs EfficientNet")
    module: Any = importlib.import_module(f"training.{name}")
    made = {"finder": "FinderNet", "verifier": "Verifier", "numerals": "NumeralNet"}[name]
    network = timed.trained(getattr(module, made), WEIGHTS / f"{name}.pt")
    given = np.random.default_rng(3).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)
    if name == "numerals":
        ink = given.transpose(0, 3, 1, 2).astype(np.float32) / 255
        fed, ours = {"ink": ink}, network(torch.from_numpy(ink)).softmax(1)
    else:
        given = np.repeat(np.repeat(given, CROP // 32, 1), CROP // 32, 2)[:, :CROP, :CROP]
        logits = network(torch.from_numpy(given).permute(0, 3, 1, 2).float() / 255)
        fed = {"crops" if name == "finder" else "windows": given}
        ours = logits[0].sigmoid() if name == "finder" else logits.sigmoid()
    shipped = np.asarray(open_network(name).run(None, fed)[0])
    assert np.allclose(shipped, ours.detach().numpy(), atol=0.02)
