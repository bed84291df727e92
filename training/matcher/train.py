"""Train the matcher: InfoNCE over symbols, hard neighbours mined as it learns, checkpoints that can be
resumed.

The loss is the supervised contrastive loss (Khosla et al. 2020, https://arxiv.org/abs/2004.11362, L_out).
Both views of a symbol are turned alike and every symbol by a turn of its own, so that telling symbols apart
over all turns is learned without embedding all turns: at the table the gallery is embedded in every turn and
the best one counts.
"""

from __future__ import annotations

import math
import multiprocessing as mp
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.matcher.batches import NEIGHBOURS, VIEWS, Batch, Batches
from training.matcher.network import MatcherNet, export
from training.matcher.shots import library_face
from training.precision import device, forward_pass
from training.synth.symbols import Library
from training.synth.symbols_build import load
from training.timed import load_checkpoint
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook

__all__ = ["PRESETS", "Preset", "Progress", "export_checkpoint", "lean_copy", "train_matcher"]

TEMPERATURE: Final = 0.06
CHECKPOINT: Final = "matcher.pt"
SAVE_EVERY_S: Final = 60.0
PLAIN: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=(35.0, 35.0, 35.0))
COLOUR: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=None)


@dataclass(frozen=True, slots=True)
class Preset:
    """How a training run is paced."""

    minutes: float = 60.0
    rate: float = 1.5e-3
    """Peak learning rate of AdamW; rises over the first 2 % and falls as a cosine over the minutes."""
    ease: int = 800
    """Steps until pictures are as hard as they get."""
    mine_every: int = 1200
    """Steps between two searches for each icon's nearest neighbours."""
    average: float = 0.998
    """Decay of the running average of the weights, which is what is exported."""


PRESETS: Final = {"first": Preset(), "quick": Preset(minutes=2.0, ease=50, mine_every=10**9)}


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands, told about once a second."""

    step: int
    minutes: float
    of_minutes: float
    loss: float
    faces_per_second: float


def _produce(seed: int, first: int, ease: int, folder: str, out: Any) -> None:
    """Draw batches for ever into a queue, in a process of its own."""
    cv2.setNumThreads(1)
    batches = Batches(load(), Path(folder))
    number = first
    while True:
        rng = np.random.default_rng([seed, number])
        out.put(batches.draw(rng, min(1.0, 0.3 + 0.7 * number / max(1, ease))))
        number += 1


def _loss(points: Tensor, batch: Batch) -> Tensor:
    """Supervised contrastive loss of a batch's embeddings (rows as in `Batch.faces`)."""
    classes = torch.from_numpy(batch.classes).to(points.device).repeat(VIEWS)
    n = len(classes)
    logits = points[:n] @ points.T / TEMPERATURE
    positive = torch.zeros_like(logits, dtype=torch.bool)
    positive[:, :n] = classes[:, None] == classes[None, :]
    hidden = torch.zeros_like(positive)
    hidden[:, :n] = torch.from_numpy(batch.undecided).to(points.device).repeat(VIEWS, VIEWS)
    hidden[:, :n] |= torch.eye(n, dtype=torch.bool, device=points.device)
    positive &= ~hidden
    logits = logits.masked_fill(hidden, -1e4)
    # Every positive competes with the negatives only, not with the other positives.
    negatives = torch.logsumexp(logits.masked_fill(positive, -1e4), dim=1, keepdim=True)
    each = torch.logaddexp(logits, negatives) - logits
    return (each * positive).sum() / positive.sum()


def _mine(net: MatcherNet, batches: Batches, folder: Path, keep: int = 16) -> None:
    """Write each icon's nearest other icons, as the network sees them now, over all turns of a d6."""
    rng = np.random.default_rng(0)
    net.eval()
    points: list[Tensor] = []
    with torch.inference_mode(), forward_pass():
        for start in range(0, len(batches.icons), 256):
            part = batches.icons[start : start + 256]
            faces = [
                library_face(batches.library.art(s, rng), Shape.CUBE, COLOUR if s.coloured else PLAIN) for s in part
            ]
            points.append(net(torch.from_numpy(np.stack(faces)).to(device())).float().cpu())
    all_points = torch.cat(points)
    net.train()
    rows: list[NDArray[np.int32]] = []
    for start in range(0, len(all_points), 1024):
        near = all_points[start : start + 1024] @ all_points.T
        # Above 0.97 it is as good as the same drawing, under another name.
        near.masked_fill_(near > 0.97, -2.0)
        rows.append(near.topk(keep, dim=1).indices.numpy().astype(np.int32))
    part = folder / f"part-{NEIGHBOURS}"
    np.save(part, np.concatenate(rows))
    part.rename(folder / NEIGHBOURS)


def train_matcher(
    out: Path,
    *,
    runs: Path,
    preset: Preset = PRESETS["first"],
    seed: int = 1,
    resume: bool = False,
    threads: int = 1,
    workers: int = 1,
    start: Path | None = None,
    library: Library | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Path:
    """Train a matcher and export it.

    Args:
        out: the ONNX file to write, without a calibration (`training.matcher.measure` adds it).
        runs: folder for the checkpoint and the mined neighbours.
        preset: how long, how fast.
        seed: of the pictures and the first weights; the same seed gives the same pictures, while how many of
            them fit into the minutes depends on the machine.
        resume: go on from the checkpoint in `runs`, with the minutes already spent counted in.
        threads: of PyTorch.
        workers: processes that draw pictures; 0 draws them in this one.
        start: weights to begin with, as `lean_copy` writes them, instead of what ImageNet taught.
        library: the symbols; collected on the first call where None.
        tell: called about once a second.

    Returns:
        `out`.

    Raises:
        FileNotFoundError: if there is no checkpoint to resume from.
    """
    runs.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    cv2.setNumThreads(1)
    batches = Batches(library if library is not None else load(), runs)
    net = MatcherNet(taught=not resume and start is None).to(device(), memory_format=torch.channels_last)
    if start is not None:
        net.load_state_dict(load_checkpoint(start)["network"])
    mean_net = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(preset.average), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=preset.rate, weight_decay=0.02)
    step, spent = 0, 0.0
    checkpoint = runs / CHECKPOINT
    if resume:
        if not checkpoint.is_file():
            raise FileNotFoundError(f"expected a checkpoint to resume from at {checkpoint}")
        state = load_checkpoint(checkpoint)
        net.load_state_dict(state["net"])
        mean_net.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = int(state["step"]), float(state["spent"])
    context = mp.get_context("spawn")
    line: Any = context.Queue(maxsize=12)
    makers = [
        context.Process(
            target=_produce, args=(seed + 1000 * w, step, preset.ease, str(runs), line), daemon=True
        )
        for w in range(workers)
    ]
    for maker in makers:
        maker.start()

    def save() -> None:
        state = {
            "net": net.state_dict(), "mean": mean_net.state_dict(), "optimiser": optimiser.state_dict(),
            "step": step, "spent": spent,
        }  # fmt: skip
        part = checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(checkpoint)

    last, saved, told, losses, faces = time.monotonic(), time.monotonic(), time.monotonic(), [0.0], 0
    batch: Batch | None = None
    try:
        while spent < preset.minutes * 60:
            again = batch.again(np.random.default_rng([seed, 78, step])) if batch is not None else None
            fresh = (
                _next(batches, line if workers else None, seed, step, preset.ease) if again is None else again
            )
            batch = fresh if again is None else None  # every batch is learned from twice, see `Batch.again`
            share = spent / (preset.minutes * 60)
            warm = min(1.0, share / 0.02 + 0.02)
            for group in optimiser.param_groups:
                group["lr"] = preset.rate * warm * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
            with forward_pass():
                points = net(torch.from_numpy(fresh.faces).to(device()))
            loss = _loss(points, fresh)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            mean_net.update_parameters(net)
            step += 1
            losses.append(float(loss.detach()))
            faces += len(fresh.faces)
            if step % preset.mine_every == 0:
                _mine(net, batches, runs)
            now = time.monotonic()
            spent, last = spent + now - last, now
            if now - told > 1:
                rate = faces / (now - told)
                tell(Progress(step, spent / 60, preset.minutes, float(np.mean(losses[-100:])), rate))
                told, faces = now, 0
                del losses[:-200]
            if now - saved > SAVE_EVERY_S:
                save()
                saved = now
    finally:
        for maker in makers:
            maker.terminate()
            maker.join()
        save()
    inner: Any = mean_net.module
    export(inner.cpu(), out)
    return out


def _next(batches: Batches, line: Any, seed: int, step: int, ease: int) -> Batch:
    """The next batch: from the workers where one is ready in time, else drawn here rather than waited for."""
    if line is not None:
        try:
            return line.get(timeout=0.02)
        except queue.Empty:
            pass
    rng = np.random.default_rng([seed, 77, step])
    return batches.draw(rng, min(1.0, 0.3 + 0.7 * step / max(1, ease)))


def export_checkpoint(runs: Path, out: Path) -> Path:
    """Write the ONNX file from the checkpoint of a run, also while it is still training.

    Raises:
        FileNotFoundError: if there is no checkpoint in `runs`.
    """
    net = MatcherNet()
    net.load_state_dict(_mean(runs))
    export(net, out)
    return out


def lean_copy(runs: Path, out: Path) -> None:
    """Write the weights alone of the checkpoint of a run, to start from another day.

    Raises:
        FileNotFoundError: if there is no checkpoint in `runs`.
    """
    torch.save({"network": _mean(runs)}, out)


def _mean(runs: Path) -> dict[str, Tensor]:
    """The running average of the weights in the checkpoint of a run."""
    checkpoint = runs / CHECKPOINT
    if not checkpoint.is_file():
        raise FileNotFoundError(f"expected a checkpoint to export at {checkpoint}")
    mean: dict[str, Tensor] = load_checkpoint(checkpoint)["mean"]
    prefix = "module."  # of AveragedModel, which also counts its updates
    return {name.removeprefix(prefix): value for name, value in mean.items() if name.startswith(prefix)}
