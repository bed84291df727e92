"""The matcher: a rectified face in, a point on the unit sphere out; near points are the same symbol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from files.checksums import checksum
from vision.network import WEIGHTS, WeightsError, open_network
from vision.rectify import FACE_SIZE

Faces = NDArray[np.uint8]
Points = NDArray[np.float32]

BATCH: Final = 64
"""Faces in one run of the network: a whole gallery at once would take its memory all at once, too."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How similarities become confidences; fitted on held-out symbols and kept in the network's file.

    The confidence of face f, whose most similar picture has cosine s_f, is
    ``exp(s_f / temperature) / (exp(unknown / temperature) + sum over faces of exp(s / temperature))``.
    """

    temperature: float = 0.06
    unknown: float = 0.35
    """Cosine that "none of these" bids with."""


class Matcher:
    """The network, from its ONNX file."""

    def __init__(self, weights: Path = WEIGHTS / "matcher.onnx") -> None:
        """Open the network.

        Raises:
            WeightsError: if the file is missing, or is no matcher.
        """
        self._session: Any = open_network(weights.stem, weights.parent)
        inputs = self._session.get_inputs()
        if len(inputs) != 1 or list(inputs[0].shape[1:]) != [FACE_SIZE, FACE_SIZE, 3]:
            found = [i.shape for i in inputs]
            raise WeightsError(
                "{file} must take faces of shape (n, {side}, {side}, 3), not {found}",
                file=weights.name, side=FACE_SIZE, found=str(found),
            )  # fmt: skip
        self._input: str = inputs[0].name
        stored: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map
        fitted = json.loads(stored.get("calibration", "{}"))
        self.calibration = Calibration(*(fitted[name] for name in ("temperature", "unknown") if name in fitted))
        self.fingerprint = checksum(weights)
        """SHA-256 of its file: points of another network compare with none of these."""

    def embed(self, faces: Faces) -> Points:
        """Points of rectified faces.

        Args:
            faces: (N, 64, 64, 3) uint8 BGR, as `vision.rectify` makes them; N may be 0.

        Returns:
            (N, D) float32, rows of length 1.

        Raises:
            ValueError: if the faces have another shape or type.
        """
        if faces.ndim != 4 or faces.shape[1:] != (FACE_SIZE, FACE_SIZE, 3) or faces.dtype != np.uint8:
            expected = f"(n, {FACE_SIZE}, {FACE_SIZE}, 3) uint8"
            raise ValueError(f"expected faces {expected}, got {faces.shape} {faces.dtype}")
        parts = [np.ascontiguousarray(faces[i : i + BATCH]) for i in range(0, max(1, len(faces)), BATCH)]
        return np.concatenate([self._session.run(None, {self._input: part})[0] for part in parts])
