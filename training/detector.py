"""Trains the detector: a small YOLO26, from scratch, that boxes whole dice.

There is one class: classes for faces could not include faces enrolled later, and the face finder sees the shape of a
top face better, at the picture's own resolution.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.evaluate.labels import FolderError
from training.tiles import cut_close, cut_tiles

os.environ.setdefault("YOLO_OFFLINE", "1")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")

WIDTH = 0.125
"""Width of the network as a share of YOLO26's; yolo26n has 0.25."""
DEPTH = 0.5
TILE = 384


def architecture(folder: Path) -> Path:
    """Write YOLO26's model description with one class and our width into `folder`; returns its path."""
    import ultralytics
    import yaml

    source = Path(str(ultralytics.__file__)).parent / "cfg" / "models" / "26" / "yolo26.yaml"
    described: dict[str, Any] = yaml.safe_load(source.read_text())
    described["nc"] = 1
    described["end2end"] = False  # several boxes a die, then suppression, which trains more reliably
    described["scales"] = {"n": [DEPTH, WIDTH, 1024]}
    target = folder / "yolo26n-dice.yaml"  # the letter after the number names the scale
    target.write_text(yaml.safe_dump(described))
    return target


def describe(
    pictures: Path, photographs: tuple[Path, ...], folder: Path, *, kept: int = 300, each: int = 6, close: int = 0
) -> Path:
    """Write lists of training and validation pictures; the first `kept` scenes are never trained on.

    `photographs` are folders with images/ and labels/ in YOLO form, whose classes are read as "die"; `each` tiles
    are cut from each of them. `close` further tiles, cut from the scenes that are trained on, show one die from very
    near.
    """
    scenes = sorted((pictures / "images").glob("*.jpg"))
    if len(scenes) <= kept:
        raise FolderError(
            f"expected more than {kept} drawn scenes in {pictures} (`tableside train pictures`), found {len(scenes)}; "
            "`tableside train tune` learns from photographs alone"
        )
    trained = scenes[kept:]
    for photos in photographs:
        trained += cut_tiles(photos, folder / "photographs" / photos.name, side=TILE, each=each)
    trained += cut_close(scenes[kept:], folder / "close", side=TILE, most=close)
    return write_lists(folder, trained, scenes[:kept])


def write_lists(folder: Path, trained: Sequence[Path], kept: Sequence[Path]) -> Path:
    """Write the data set description for Ultralytics; returns its path."""
    for name, pictures in (("train.txt", trained), ("val.txt", kept)):
        (folder / name).write_text("".join(f"{path.resolve()}\n" for path in pictures))
    target = folder / "dice.yaml"
    target.write_text(f"path: {folder.resolve()}\ntrain: train.txt\nval: val.txt\nnames:\n  0: die\n")
    return target


def train_detector(
    pictures: Path, folder: Path, *, resume: bool = False, start: Path | None = None, each: int = 6, close: int = 0,
    photographs: tuple[Path, ...] = (), **given: Any,
) -> Path:  # fmt: skip
    """Train, or continue from the last checkpoint; returns the path of the weights.

    The run goes into `folder`; `start` are earlier weights to begin with. For the rest see `describe` and `fit`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / "run" / "weights" / "last.pt"
    if resume and last.exists():
        _network(last).train(resume=True)
        return last
    described = describe(pictures, photographs, folder, each=each, close=close)
    return fit(start or architecture(folder), described, folder, pretrained=start is not None, **given)


def _network(weights: Path) -> Any:
    """An Ultralytics model from weights or a description, set up for this computer."""
    from ultralytics import YOLO, settings

    settings.update({"sync": False})
    model: Any = YOLO(str(weights))
    model.add_callback("on_pretrain_routine_end", _half_precision)
    return model


def fit(
    network: Path, described: Path, folder: Path, *, pretrained: bool = True, minutes: float, seed: int, rate: float
) -> Path:
    """Train weights, or an architecture, on the pictures of `write_lists`; returns the path of the weights."""
    from training.timed import device

    _network(network).train(
        data=str(described), project=str(folder.resolve()), name="run", exist_ok=True, time=minutes / 60,
        imgsz=TILE, batch=16, seed=seed, workers=1,
        pretrained=pretrained, amp=False, optimizer="AdamW", lr0=rate, lrf=0.02, warmup_epochs=0.3, cos_lr=True,
        mosaic=0.0, mixup=0.0, erasing=0.0, close_mosaic=0, degrees=0.0, translate=0.1, scale=0.35,
        fliplr=0.5, hsv_h=0.5, hsv_s=0.5, hsv_v=0.35, plots=False, val=False, device=str(device()), single_cls=True,
        cache=False, verbose=True,
    )  # fmt: skip
    return folder / "run" / "weights" / "last.pt"


def _half_precision(trainer: Any) -> None:
    """Run the forward pass in bfloat16, nearly twice as fast on CPUs that support it (`amp` only works with CUDA)."""
    import torch
    from torch.utils._pytree import tree_map

    from training.timed import bfloat16_pays, forward_pass

    if trainer.device.type != "cpu" or not bfloat16_pays():
        return
    model = trainer.model
    model.to(memory_format=torch.channels_last)
    plain = model.predict

    def predict(x: Any, *arguments: Any, **named: Any) -> Any:
        with forward_pass():
            out = plain(x.contiguous(memory_format=torch.channels_last), *arguments, **named)
        return tree_map(lambda leaf: leaf.float() if isinstance(leaf, torch.Tensor) else leaf, out)

    model.predict = predict


def export_detector(weights: Path, target: Path) -> None:
    """Write ONNX with free picture sizes: input `images` float32 (1, 3, H, W) RGB 0 … 1, output (1, 5, N).

    The exported head has changed between releases, so the output's shape is checked: centre x, centre y, width and
    height in pixels and a score for each of N anchors, before suppression.
    """
    import numpy as np
    import onnx
    from ultralytics import YOLO

    from vision.network import open_network

    exporting: Any = YOLO(str(weights))
    written = Path(
        exporting.export(format="onnx", imgsz=TILE, dynamic=True, simplify=False, opset=17, nms=False)
    )
    blank = {"images": np.zeros((1, 3, 256, 320), np.float32)}
    shape = open_network(written.stem, written.parent, one_by_one=True).run(None, blank)[0].shape
    anchors = sum((256 // stride) * (320 // stride) for stride in (8, 16, 32))
    if shape != (1, 5, anchors):
        raise RuntimeError(f"expected an output of (1, 5, {anchors}) before suppression, got {shape}")
    graph: Any = onnx.load(str(written))
    del graph.metadata_props[:]  # it contains paths of the training machine
    onnx.save(graph, str(target))
    if written.resolve() != target.resolve():
        written.unlink()


def lean_copy(weights: Path, target: Path) -> None:
    """Save the weights without the optimiser, in Ultralytics' format, to start later trainings from."""
    import torch
    from ultralytics.utils.torch_utils import strip_optimizer

    shutil.copyfile(weights, target)
    strip_optimizer(str(target))
    # Our own file, just written; it contains paths of the training machine.
    state: dict[str, Any] = torch.load(target, weights_only=False, map_location="cpu")
    args = state["train_args"]
    state["train_args"] = {k: v for k, v in args.items() if not isinstance(v, str) or "/" not in v}
    for name in ("git", "docs"):
        state.pop(name, None)
    state["model"].args = dict(state["train_args"])
    state["model"].yaml.pop("yaml_file", None)
    if hasattr(state["model"], "pt_path"):
        del state["model"].pt_path
    torch.save(state, target)


def mean_of(first: Path, second: Path, target: Path) -> None:
    """Write the mean of the weights of two trainings of the same network, for `lean_copy`.

    If the second continued from the first with other pictures, the mean keeps the strengths of both (Wortsman et al.,
    Model soups, 2022).
    """
    import torch

    from training.timed import mean_weights

    states: list[Any] = [torch.load(path, weights_only=False, map_location="cpu") for path in (first, second)]
    networks = [(state.get("ema") or state["model"]).float() for state in states]
    one, other = (network.state_dict() for network in networks)
    networks[1].load_state_dict(mean_weights(one, other))
    states[1] |= {"model": networks[1].half(), "ema": None}
    torch.save(states[1], target)
