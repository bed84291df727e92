"""A training that lasts so many minutes: the rate falls as a cosine, and a checkpoint is written every minute."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

WARM_STEPS = 200
"""Steps in which the rate rises."""
CLIPPED = 5.0
"""Largest norm of a step's gradient."""


class Timed:
    """One training of one network by AdamW."""

    def __init__(
        self, network: nn.Module, checkpoint: Path, *, minutes: float, rate: float, decay: float, resume: bool
    ) -> None:
        """`resume` goes on from the checkpoint where there is one; `minutes` are of all its sessions together."""
        self._network = network
        self._optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
        self._checkpoint, self._minutes, self._rate = checkpoint, minutes, rate
        self._done, self.steps = 0.0, 0
        if resume and checkpoint.exists():
            state = load_checkpoint(checkpoint)
            network.load_state_dict(state["network"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._done, self.steps = float(state["minutes"]), int(state["steps"])
        self._started = self._saved = self._measured = time.monotonic()
        self._smooth = 0.0

    def step(self, loss_of: Callable[[], Tensor], measure: Callable[[], str]) -> bool:
        """Learn from one loss; False when the time is over. `measure` is printed at every tenth of the time."""
        now = time.monotonic()
        spent = self._done + (now - self._started) / 60
        share = min(spent / self._minutes, 1.0)
        warm = min(1.0, (self.steps + 1) / WARM_STEPS)
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * warm * (0.01 + 0.495 * (1 + math.cos(math.pi * share)))
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
        if now - self._measured > max(self._minutes * 6, 120) or over:
            self._measured = now
            self._network.eval()
            print(measure(), flush=True)
        return not over

    def _save(self, spent: float) -> None:
        self._checkpoint.parent.mkdir(parents=True, exist_ok=True)
        state: dict[str, Any] = {
            "network": self._network.state_dict(), "optimiser": self._optimiser.state_dict(),
            "minutes": spent, "steps": self.steps,
        }  # fmt: skip
        torch.save(state, self._checkpoint)
        print(f"{spent:6.1f} min  {self.steps:6} steps  loss {self._smooth:.4f}", flush=True)


def load_checkpoint(checkpoint: Path) -> dict[str, Any]:
    """A checkpoint's state. Pickles may run code, so only weights and plain numbers are let in."""
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True, map_location="cpu")
    return state


def lean_copy(checkpoint: Path, target: Path) -> None:
    """Keep the weights alone, to start from another day."""
    torch.save({"network": load_checkpoint(checkpoint)["network"]}, target)
