"""The ONNX path against Ultralytics' own prediction with the same weights (needs the train extra)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.network import WEIGHTS, open_network
from vision.picture import load_picture

FRAMES = Path(__file__).parent.parent / "frames"


def _overlap(a: Any, b: Any) -> float:
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return float(across * down / (sum(areas) - across * down))


def _ultralytics(home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("YOLO_OFFLINE", "1")
    monkeypatch.setenv("YOLO_AUTOINSTALL", "false")
    monkeypatch.setenv("YOLO_CONFIG_DIR", str(home))
    try:
        return importlib.import_module("ultralytics")
    except ImportError:
        pytest.skip("Ultralytics is not installed; pip install -e '.[train]'")


@pytest.mark.filterwarnings("default")
def test_the_mean_of_two_trainings_lies_between_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _ultralytics(tmp_path, monkeypatch)
    torch: Any = importlib.import_module("torch")
    mean_of = importlib.import_module("training.detector").mean_of
    first, second, target = tmp_path / "first.pt", WEIGHTS / "detector.pt", tmp_path / "mean.pt"
    state: Any = torch.load(second, weights_only=False)
    name = next(iter(state["model"].state_dict()))
    state["model"].state_dict()[name] += 1
    torch.save(state, first)
    mean_of(first, second, target)
    mixed: Any = torch.load(target, weights_only=False)["model"].state_dict()[name]
    plain: Any = torch.load(second, weights_only=False)["model"].state_dict()[name]
    assert torch.allclose(mixed.float(), plain.float() + 0.5, atol=2e-3)


@pytest.mark.filterwarnings("default")
def test_the_exported_detector_boxes_what_ultralytics_boxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ultralytics = _ultralytics(tmp_path, monkeypatch)
    theirs: Any = ultralytics.YOLO(str(WEIGHTS / "detector.pt"))
    session = open_network("detector", one_by_one=True)
    compared = 0
    for path in sorted(FRAMES.glob("*/images/0000.jpg")):
        pixels = load_picture(path)
        small = cv2.resize(pixels, (640, 480), interpolation=cv2.INTER_AREA)  # both see the very same pixels
        predicted = theirs.predict(small, imgsz=(480, 640), conf=0.3, iou=0.6, device="cpu", verbose=False)[
            0
        ].boxes
        rows = np.asarray(
            session.run(None, {"images": cv2.dnn.blobFromImage(small, 1 / 255, swapRB=True)})[0]
        )[0].T
        boxes = np.concatenate([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2], axis=1)[
            rows[:, 4] > 0.25
        ]
        boxes = np.clip(boxes, 0, (640, 480, 640, 480))  # as theirs are
        for box in np.asarray(predicted.xyxy):
            compared += 1
            assert max((_overlap(box, mine) for mine in boxes), default=0.0) > 0.98, (path, box)
    assert compared >= 10
