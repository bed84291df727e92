"""A training that lasts so many minutes, on a GPU where there is one: the rate falls as a cosine, and a checkpoint is
written every minute."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

WARM_STEPS = 200
"""Steps in which the rate rises."""
CLIPPED = 5.0
"""Largest norm of a step's gradient."""
LAYERS: Final = {"eyes": "backbone", "judged": "head", "planes": "maps"}
"""What layers are called in checkpoints that were written earlier, and what they are called now."""

Batch = tuple[np.ndarray[Any, Any], ...]
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Run:
    """How a network is trained."""

    checkpoint: Path
    minutes: float
    """Wall time, of all sessions together."""
    rate: float
    """Peak learning rate."""
    seed: int = 0
    threads: int = 2
    resume: bool = False
    """Go on from the checkpoint where there is one."""
    start: Path | None = None
    """A checkpoint whose weights to begin with; else the network begins as `pretrained` makes it."""

    def train(
        self,
        made: Callable[[bool], Network],
        decay: float,
        batches: Callable[[np.random.Generator], Iterator[Batch]],
        loss_of: Callable[..., Tensor],
        measure: Callable[[Network], str],
    ) -> None:
        """Train the network that `made` makes (pretrained or not) by AdamW until the time is over.

        `loss_of` gets the network and a batch's tensors, `measure` describes the network in one line at every tenth of
        the time.
        """
        torch.set_num_threads(self.threads)
        cv2.setNumThreads(1)
        torch.manual_seed(self.seed)
        network = made(self.start is None).to(device(), memory_format=torch.channels_last)
        if self.start is not None:
            network.load_state_dict(load_checkpoint(self.start)["network"])
        training = Timed(network, self, decay)
        for batch in batches(np.random.default_rng([self.seed, training.steps])):
            tensors = [torch.from_numpy(part).to(device()) for part in batch]
            if not training.step(lambda given=tensors: loss_of(network, *given), lambda: measure(network)):
                return


class Timed:
    """One training of one network by AdamW."""

    def __init__(self, network: nn.Module, run: Run, decay: float) -> None:
        """Begin, or go on from the checkpoint."""
        self._network, self._run = network, run
        self._optimiser = torch.optim.AdamW(network.parameters(), lr=run.rate, weight_decay=decay)
        self._done, self.steps = 0.0, 0
        if run.resume and run.checkpoint.exists():
            state = load_checkpoint(run.checkpoint)
            network.load_state_dict(state["network"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._done, self.steps = float(state["minutes"]), int(state["steps"])
        self._started = self._saved = self._measured = time.monotonic()
        self._smooth = 0.0

    def step(self, loss_of: Callable[[], Tensor], measure: Callable[[], str]) -> bool:
        """Learn from one loss; False when the time is over. `measure` is printed at every tenth of the time."""
        now = time.monotonic()
        spent = self._done + (now - self._started) / 60
        share = min(spent / self._run.minutes, 1.0)
        warm = min(1.0, (self.steps + 1) / WARM_STEPS)
        for group in self._optimiser.param_groups:
            group["lr"] = self._run.rate * warm * (0.01 + 0.495 * (1 + math.cos(math.pi * share)))
        self._network.train()
        loss = loss_of()
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._network.parameters(), CLIPPED)
        self._optimiser.step()
        self.steps += 1
        self._smooth = loss.item() if self.steps == 1 else 0.98 * self._smooth + 0.02 * loss.item()
        over = share >= 1
        if now - self._saved > 60 or over:
            self._saved = now
            self._save(spent)
        if now - self._measured > max(self._run.minutes * 6, 120) or over:
            self._measured = now
            self._network.eval()
            with torch.inference_mode():
                print(measure(), flush=True)
        return not over

    def _save(self, spent: float) -> None:
        self._run.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        state: dict[str, Any] = {
            "network": self._network.state_dict(), "optimiser": self._optimiser.state_dict(),
            "minutes": spent, "steps": self.steps,
        }  # fmt: skip
        torch.save(state, self._run.checkpoint)
        print(f"{spent:6.1f} min  {self.steps:6} steps  loss {self._smooth:.4f}", flush=True)


def load_checkpoint(checkpoint: Path) -> dict[str, Any]:
    """A checkpoint's state. Pickles may run code, so only weights and plain numbers are let in."""
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True, map_location="cpu")
    pattern = re.compile(rf"^(module\.)?({'|'.join(LAYERS)})\b")
    for part in {"network", "net", "mean"} & state.keys():
        state[part] = {
            pattern.sub(lambda found: f"{found[1] or ''}{LAYERS[found[2]]}", name): value
            for name, value in state[part].items()
        }
    return state


def trained(made: Callable[[], Network], checkpoint: Path) -> Network:
    """A network with a checkpoint's weights, for evaluation."""
    network = made()
    network.load_state_dict(load_checkpoint(checkpoint)["network"])
    return network.eval()


def lean_copy(checkpoint: Path, target: Path) -> None:
    """Keep the weights alone, to start from another day."""
    torch.save({"network": load_checkpoint(checkpoint)["network"]}, target)


@cache
def device() -> torch.device:
    """The GPU (CUDA, or ROCm under that name) where PyTorch finds one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@cache
def bfloat16_pays() -> bool:
    """Whether the processor convolves faster in bfloat16: some do, twice; some imitate it ten times as slowly."""

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
    """The context to run a network in while it is trained."""
    on_gpu = device().type == "cuda"
    pays = torch.cuda.is_bf16_supported() if on_gpu else bfloat16_pays()
    return torch.autocast(device().type, torch.bfloat16, enabled=pays)
