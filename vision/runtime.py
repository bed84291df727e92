"""Opens the networks in `models/weights` with ONNX Runtime."""

from __future__ import annotations

import os
from pathlib import Path

import onnxruntime as ort

WEIGHTS = Path(__file__).resolve().parent.parent / "models" / "weights"
"""Where the shipped networks lie."""

THREADS = max(1, min(2, os.cpu_count() or 1))
"""Reading must leave a small computer able to show pages."""


class WeightsError(ValueError):
    """A network's file is missing or is not one of ours."""


def open_network(name: str, folder: Path = WEIGHTS) -> ort.InferenceSession:
    """The network `name`.onnx, ready to run on the CPU.

    Raises WeightsError, in one line, when the file is missing or cannot be read.
    """
    path = folder / f"{name}.onnx"
    if not path.is_file():
        raise WeightsError(f"expected the network {path.name} in {path.parent}, found none; train it or fetch it again")
    options = ort.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime raises classes of its own that it does not publish
        raise WeightsError(f"expected an ONNX network in {path.name}: {str(error).splitlines()[0][:120]}") from error
