"""A training run of a given number of minutes, on a GPU if there is one: the rate decays as a cosine, and a checkpoint
is written every minute."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn
from torch.optim import swa_utils
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info

WARM_STEPS = 200
"""Warm-up steps."""

Batch = tuple[np.ndarray[Any, Any], ...]
Draw = Callable[[int, int], Generator[Batch]]
"""Draws endless batches, starting at a step, in the worker process with a number."""
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Run:
    """How a network is trained."""

    checkpoint: Path
    minutes: float
    """Wall time, including earlier runs that are resumed."""
    rate: float
    """Peak learning rate."""
    seed: int = 0
    threads: int = 2
    resume: bool = False
    """Go on from the checkpoint if there is one."""
    start: Path | None = None
    """A checkpoint to begin with; otherwise the network starts as `pretrained` makes it."""
    workers: int = 0
    """Worker processes that draw the batches; with 0, this process does."""

    def chance(self, steps: int, worker: int) -> np.random.Generator:
        """The random generator after so many steps, in a worker process."""
        return np.random.default_rng([self.seed, steps, worker])

    def train(
        self,
        made: Callable[[bool], Network],
        batches: Draw,
        loss_of: Callable[..., Tensor],
        measure: Callable[[Network], str],
        *,
        decay: float,
        clip: float = 5.0,
        average: float = 0.0,
        each_step: Callable[[Network, int], None] = lambda network, steps: None,
    ) -> None:
        """Train the network that `made` creates (pretrained or not) with AdamW until the time is over.

        `loss_of` gets the network and the tensors of a batch; `measure` describes the network in one line after every
        tenth of the time; `each_step` is called after each step. `decay` is the weight decay, `clip` the largest norm
        of a gradient, `average` the decay of the running average of the weights, which is then exported.
        """
        torch.set_num_threads(self.threads)
        cv2.setNumThreads(1)
        torch.manual_seed(self.seed)
        network = made(self.start is None).to(device(), memory_format=torch.channels_last)
        if self.start is not None:
            found = network.load_state_dict(load_checkpoint(self.start)["network"], strict=False)
            if found.unexpected_keys:
                raise ValueError(f"{self.start}: expected the network's weights, found {found.unexpected_keys}")
            if found.missing_keys:
                print("begun anew: " + ", ".join(found.missing_keys), flush=True)
        optimiser = torch.optim.AdamW(network.parameters(), lr=self.rate, weight_decay=decay)
        parts: dict[str, Any] = {"network": network, "optimiser": optimiser}
        if average:
            parts["mean"] = swa_utils.AveragedModel(
                network, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(average), use_buffers=True
            )
        done, steps, smooth = 0.0, 0, 0.0
        if self.resume and self.checkpoint.exists():
            state = load_checkpoint(self.checkpoint)
            for name, part in parts.items():
                part.load_state_dict(state[name])
            done, steps = float(state["minutes"]), int(state["steps"])
        started = saved = measured = time.monotonic()
        for batch in self.loader(_Drawn(batches, steps)):
            now = time.monotonic()
            spent = done + (now - started) / 60
            share = min(spent / self.minutes, 1.0)
            warm = min(1.0, (steps + 1) / WARM_STEPS)
            for group in optimiser.param_groups:
                group["lr"] = self.rate * warm * (0.01 + 0.495 * (1 + math.cos(math.pi * share)))
            network.train()
            loss = loss_of(network, *(part.to(device()) for part in batch))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), clip)
            optimiser.step()
            if average:
                parts["mean"].update_parameters(network)
            smooth = 0.98 * smooth + 0.02 * loss.item() if steps else loss.item()
            steps += 1
            each_step(network, steps)
            if now - saved > 60 or share >= 1:
                saved = now
                self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
                states = {name: part.state_dict() for name, part in parts.items()}
                part = self.checkpoint.with_suffix(".part")
                torch.save(states | {"minutes": spent, "steps": steps}, part)
                part.replace(self.checkpoint)
                print(f"{spent:6.1f} min  {steps:6} steps  loss {smooth:.4f}", flush=True)
            if now - measured > max(self.minutes * 6, 120) or share >= 1:
                measured = now
                network.eval()
                with torch.inference_mode():
                    print(measure(network), flush=True)
            if share >= 1:
                return

    def loader(self, of: Dataset[Any], batch: int | None = None) -> DataLoader[Any]:
        """Batches of a data set, loaded by `workers` processes."""
        context = "fork" if self.workers else None
        return DataLoader(of, batch, num_workers=self.workers, multiprocessing_context=context)


class _Drawn(IterableDataset[Batch]):
    """The batches, drawn in the calling process."""

    def __init__(self, draw: Draw, steps: int) -> None:
        self._draw, self._steps = draw, steps

    def __iter__(self) -> Generator[Batch]:
        cv2.setNumThreads(1)
        process = get_worker_info()
        return self._draw(self._steps, 0 if process is None else process.id)


def load_checkpoint(checkpoint: Path) -> dict[str, Any]:
    """A checkpoint's state. Pickles may run code, so only weights and plain numbers are loaded."""
    return torch.load(checkpoint, weights_only=True, map_location="cpu")


def _weights(checkpoint: Path) -> dict[str, Tensor]:
    """A checkpoint's weights, or their running average if it has one."""
    state = load_checkpoint(checkpoint)
    if mean := state.get("mean"):
        return {name.removeprefix("module."): value for name, value in mean.items() if name.startswith("module.")}
    return state["network"]


def trained(made: Callable[[], Network], checkpoint: Path) -> Network:
    """A network with a checkpoint's weights, for evaluation."""
    network = made()
    network.load_state_dict(_weights(checkpoint))
    return network.eval()


def lean_copy(checkpoint: Path, target: Path) -> None:
    """Save only the weights, to start later trainings from."""
    torch.save({"network": _weights(checkpoint)}, target)


def mean_of(first: Path, second: Path, target: Path) -> None:
    """Write the mean of the weights of two trainings of the same network.

    If the second continued from the first, the mean keeps the strengths of both (Wortsman et al., Model soups, 2022).
    """
    torch.save({"network": mean_weights(_weights(first), _weights(second))}, target)


def mean_weights(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The mean of two sets of weights; counters are the second's."""
    return {name: (one[name] + its) / 2 if its.dtype.is_floating_point else its for name, its in other.items()}


@cache
def device() -> torch.device:
    """The GPU (CUDA, or ROCm under that name) if PyTorch finds one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@cache
def bfloat16_pays() -> bool:
    """Whether the CPU convolves faster in bfloat16: some do, by a factor of two; others emulate it ten times slower."""

    def seconds(pixels: Tensor, weights: Tensor) -> float:
        taken: list[float] = []
        for _ in range(4):
            started = time.perf_counter()
            fn.conv2d(pixels, weights, padding=1)
            taken.append(time.perf_counter() - started)
        return min(taken)

    pixels, weights = torch.rand(8, 32, 48, 48), torch.rand(32, 32, 3, 3)
    with torch.inference_mode():
        return seconds(pixels.bfloat16(), weights.bfloat16()) < seconds(pixels, weights)


def forward_pass() -> torch.autocast:
    """The context for forward passes in training."""
    on_gpu = device().type == "cuda"
    pays = torch.cuda.is_bf16_supported() if on_gpu else bfloat16_pays()
    return torch.autocast(device().type, torch.bfloat16, enabled=pays)
