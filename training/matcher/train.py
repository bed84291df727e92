"""Trains the matcher: InfoNCE over symbols, hard neighbours mined as it learns, checkpoints that can be resumed.

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from training.backbone import CHANNELS, Backbone, convolved, export
from training.matcher.batches import NEIGHBOURS, VIEWS, Batch, Batches
from training.matcher.shots import library_face
from training.synth.collect import load
from training.synth.symbols import Library
from training.timed import Run, device, forward_pass, load_checkpoint
from vision.dicesets.shapes import Shape
from vision.rectify import FACE_SIZE
from vision.render.faces import FaceLook

SIGNLESS: Final = (16, 32, 48)
"""Channels of what sees contrast without its sign, which are a half, a quarter and an eighth as fine as the face."""
TOGETHER: Final = 64
"""Channels of what all of them see together."""
EMBEDDING: Final = 128
FAINTEST: Final = 0.03
"""Contrast, of 1, that is not enlarged any more: what lies below is noise."""
USUAL: Final = 0.5
"""Root of the mean square of the pictures that the backbone was trained on."""
AROUND: Final = 17
"""Side in pixels of what a pixel's brightness is compared with."""


class MatcherNet(nn.Module):
    """Faces (N, 64, 64, 3) uint8 BGR to (N, 128) float32 unit rows.

    Exposure and colour cast of the whole picture are taken out first. Beside the backbone, which knows light from dark,
    a small part sees contrast without its sign, since the same symbol is dark on light and light on dark. Features keep
    their 8 × 8 places to the end: where things are is what tells one layout of pips from another.
    """

    def __init__(self, *, pretrained: bool = False) -> None:
        """See `training.backbone.Backbone`."""
        super().__init__()
        self.backbone = Backbone(pretrained=pretrained)
        first, second, third = SIGNLESS
        self.signless = nn.Sequential(
            *convolved(1, first, 5, 2), convolved(first, second, stride=2), convolved(second, second),
            convolved(second, third, stride=2), convolved(third, third),
        )  # fmt: skip
        self.together = convolved(sum(CHANNELS[-2:]) + third, TOGETHER, 1)
        self.head = nn.Linear(TOGETHER * (FACE_SIZE // 8) ** 2, EMBEDDING)

    def forward(self, faces: Tensor) -> Tensor:
        """See the class."""
        x = faces.permute(0, 3, 1, 2).float() / 255
        x = x - x.mean(dim=(1, 2, 3), keepdim=True)
        x = x / (x.square().mean(dim=(1, 2, 3), keepdim=True).sqrt() + FAINTEST)
        luma = x.mean(dim=1, keepdim=True)
        local = fn.avg_pool2d(luma, AROUND, 1, AROUND // 2, count_include_pad=False)
        signless = self.signless((luma - local).abs())
        *_, finer, coarser = self.backbone.levels_of(
            (x * USUAL).contiguous(memory_format=torch.channels_last).flip(1)
        )
        seen = torch.cat([finer, fn.interpolate(coarser, scale_factor=2.0), signless], dim=1)
        return fn.normalize(self.head(self.together(seen).flatten(1)).float(), dim=1)


def _write(network: MatcherNet, target: Path) -> None:
    """Write ONNX: ``faces`` uint8 (n, 64, 64, 3) to ``embeddings`` (n, 128).

    Large tensors are stored as float16 and cast to float32 on opening: half the size, the same speed.
    """
    export(
        network, target, "faces", ("embeddings",), torch.zeros(2, FACE_SIZE, FACE_SIZE, 3, dtype=torch.uint8)
    )
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model: Any = onnx.load(str(target))
    casts: list[Any] = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 256:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


TEMPERATURE: Final = 0.06
SAVE_EVERY_S: Final = 60.0
PLAIN: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=(35.0, 35.0, 35.0))
COLOUR: Final = FaceLook(body=(225.0, 225.0, 225.0), ink=None)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a training run is paced."""

    ease: int = 800
    """Steps until pictures are as hard as they get."""
    mine_every: int = 1200
    """Steps between two searches for each icon's nearest neighbours."""
    average: float = 0.998
    """Decay of the running average of the weights, which is what is exported."""


def _produce(seed: int, first: int, ease: int, folder: str, out: Any) -> None:
    """Draw batches for ever into a queue, in a process of its own."""
    cv2.setNumThreads(1)
    batches = Batches(load(), Path(folder))
    number = first
    while True:
        out.put(_drawn(batches, [seed, number], number, ease))
        number += 1


def _drawn(batches: Batches, seed: list[int], step: int, ease: int) -> Batch:
    return batches.draw(np.random.default_rng(seed), min(1.0, 0.3 + 0.7 * step / max(1, ease)))


def loss_of(embeddings: Tensor, batch: Batch) -> Tensor:
    """Supervised contrastive loss of a batch's embeddings (rows as in `Batch.faces`)."""
    classes = torch.from_numpy(batch.classes).to(embeddings.device).repeat(VIEWS)
    n = len(classes)
    logits = embeddings[:n] @ embeddings.T / TEMPERATURE
    positive = torch.zeros_like(logits, dtype=torch.bool)
    positive[:, :n] = classes[:, None] == classes[None, :]
    hidden = torch.zeros_like(positive)
    hidden[:, :n] = torch.from_numpy(batch.undecided).to(embeddings.device).repeat(VIEWS, VIEWS)
    hidden[:, :n] |= torch.eye(n, dtype=torch.bool, device=embeddings.device)
    positive &= ~hidden
    logits = logits.masked_fill(hidden, -1e4)
    # Every positive competes with the negatives only, not with the other positives.
    negatives = torch.logsumexp(logits.masked_fill(positive, -1e4), dim=1, keepdim=True)
    each = torch.logaddexp(logits, negatives) - logits
    return (each * positive).sum() / positive.sum()


def _mine(network: MatcherNet, batches: Batches, folder: Path, keep: int = 16) -> None:
    """Write each icon's nearest other icons, as the network embeds them now."""
    rng = np.random.default_rng(0)
    network.eval()
    parts: list[Tensor] = []
    with torch.inference_mode(), forward_pass():
        for start in range(0, len(batches.icons), 256):
            faces = [
                library_face(batches.library.art(s, rng), Shape.CUBE, COLOUR if s.coloured else PLAIN)
                for s in batches.icons[start : start + 256]
            ]
            parts.append(network(torch.from_numpy(np.stack(faces)).to(device())).float().cpu())
    network.train()
    embeddings = torch.cat(parts)
    rows: list[NDArray[np.int32]] = []
    for some in embeddings.split(1024):
        near = some @ embeddings.T
        # Above 0.97 it is as good as the same drawing, under another name.
        near.masked_fill_(near > 0.97, -2.0)
        rows.append(near.topk(keep, dim=1).indices.numpy().astype(np.int32))
    part = folder / f"part-{NEIGHBOURS}"
    np.save(part, np.concatenate(rows))
    part.rename(folder / NEIGHBOURS)


def train_matcher(
    run: Run, target: Path, *, workers: int = 1, library: Library | None = None, pace: Pace | None = None
) -> None:
    """Train a matcher and write it to `target`, without a calibration (`training.matcher.measure` adds it).

    `workers` processes draw pictures; with 0 this one draws them. The symbols are collected on the first call where no
    `library` is given. The same seed gives the same pictures; how many of them fit into the minutes depends on the
    machine. Raises FileNotFoundError if there is no checkpoint to resume from.
    """
    pace, folder = pace or Pace(), run.checkpoint.parent
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    cv2.setNumThreads(1)
    batches = Batches(library if library is not None else load(), folder)
    network = MatcherNet(pretrained=not run.resume and run.start is None)
    network.to(device(), memory_format=cast(Any, torch.channels_last))
    if run.start is not None:
        network.load_state_dict(load_checkpoint(run.start)["network"])
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(pace.average), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=run.rate, weight_decay=0.02)
    step, spent = 0, 0.0
    if run.resume:
        state = load_checkpoint(run.checkpoint)
        network.load_state_dict(state["net"])
        average.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = int(state["step"]), float(state["spent"])
    context = mp.get_context("spawn")
    line: Any = context.Queue(maxsize=12)
    makers = [
        context.Process(
            target=_produce, args=(run.seed + 1000 * w, step, pace.ease, str(folder), line), daemon=True
        )
        for w in range(workers)
    ]
    for maker in makers:
        maker.start()

    def save() -> None:
        state = {
            "net": network.state_dict(), "mean": average.state_dict(), "optimiser": optimiser.state_dict(),
            "step": step, "spent": spent,
        }  # fmt: skip
        part = run.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(run.checkpoint)

    last = saved = time.monotonic()
    batch: Batch | None = None
    try:
        while spent < run.minutes * 60:
            # Every batch is learned from twice, see `Batch.again`.
            fresh = (
                _next(batches, line if workers else None, run.seed, step, pace.ease)
                if batch is None
                else batch.again(np.random.default_rng([run.seed, 78, step]))
            )
            batch = fresh if batch is None else None
            share = spent / (run.minutes * 60)
            warm = min(1.0, share / 0.02 + 0.02)
            for group in optimiser.param_groups:
                group["lr"] = run.rate * warm * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
            with forward_pass():
                embeddings = network(torch.from_numpy(fresh.faces).to(device()))
            loss = loss_of(embeddings, fresh)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            average.update_parameters(network)
            step += 1
            if step % pace.mine_every == 0:
                _mine(network, batches, folder)
            now = time.monotonic()
            spent, last = spent + now - last, now
            if now - saved > SAVE_EVERY_S:
                save()
                saved = now
    finally:
        for maker in makers:
            maker.terminate()
            maker.join()
        save()
    export_matcher(run.checkpoint, target)


def _next(batches: Batches, line: Any, seed: int, step: int, ease: int) -> Batch:
    """The next batch: from the workers where one is ready in time, else drawn here rather than waited for."""
    if line is not None:
        try:
            return line.get(timeout=0.02)
        except queue.Empty:
            pass
    return _drawn(batches, [seed, 77, step], step, ease)


def export_matcher(checkpoint: Path, target: Path) -> None:
    """Write the ONNX file from the checkpoint of a run, also while it is still training."""
    network = MatcherNet()
    network.load_state_dict(_average(checkpoint))
    _write(network, target)


def lean_copy(checkpoint: Path, target: Path) -> None:
    """Write the weights alone of the checkpoint of a run, to start from another day."""
    torch.save({"network": _average(checkpoint)}, target)


def _average(checkpoint: Path) -> dict[str, Tensor]:
    """The running average of the weights in the checkpoint of a run."""
    average: dict[str, Tensor] = load_checkpoint(checkpoint)["mean"]
    prefix = "module."  # of AveragedModel, which also counts its updates
    return {name.removeprefix(prefix): value for name, value in average.items() if name.startswith(prefix)}
