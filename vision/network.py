"""Opens the networks in `models/weights` with ONNX Runtime."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from files.checksums import SUMS, checksum, listed
from files.folders import tables_folder
from messages.message import MessageError

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
"""From version 1.31 on ONNX Runtime reports its use to its maker, unless this is set before the import. Tableside sends
nothing."""
import onnxruntime  # noqa: E402  # pyright: ignore[reportMissingTypeStubs]  # it has none

ORT: Any = onnxruntime
"""Untyped; `Network` describes the part that is used."""

WEIGHTS = Path(__file__).resolve().parent.parent / "models" / "weights"
"""Folder of the shipped networks."""


def tuned_weights() -> Path:
    """Folder of networks tuned on a player's own photographs (`tableside train tune`)."""
    return tables_folder() / "weights"


THREADS = max(1, min(2, os.cpu_count() or 1))
"""Reading must leave a small computer time to show pages."""


class Network(Protocol):
    """An opened network."""

    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]
    ) -> Sequence[Any]:
        """The named outputs (all of them for None), arrays in the order of the file."""
        ...

    def get_inputs(self) -> Sequence[Any]:
        """Name, type and shape of each input."""
        ...

    def get_modelmeta(self) -> Any:
        """The metadata in the network's file."""
        ...


_HELPER: Final = ThreadPoolExecutor(1, "network")
"""Runs one half of each batch."""


class _Halved:
    """A network that runs the two halves of a batch at the same time, on one thread each.

    Its steps are short, so six crops take a fifth less time than with two threads sharing each step.
    """

    def __init__(self, session: Network) -> None:
        """`session` runs on one thread."""
        self._session = session

    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]
    ) -> Sequence[Any]:
        """See `Network`; it has one input."""
        ((name, batch),) = input_feed.items()
        half = len(batch) // 2
        if not half:
            return self._session.run(output_names, input_feed)
        try:
            first = _HELPER.submit(self._session.run, output_names, {name: batch[:half]})
        except RuntimeError:  # the program ends, and takes no more helpers, while a camera's thread still reads
            return self._session.run(output_names, input_feed)
        second = self._session.run(output_names, {name: batch[half:]})
        return [np.concatenate(parts) for parts in zip(first.result(), second, strict=True)]

    def get_inputs(self) -> Sequence[Any]:
        """See `Network`."""
        return self._session.get_inputs()

    def get_modelmeta(self) -> Any:
        """See `Network`."""
        return self._session.get_modelmeta()


class WeightsError(MessageError):
    """A network's file is missing or is not one of ours."""


def verify(path: Path) -> None:
    """Check a file against `SHA256SUMS` beside it.

    Raises WeightsError if another checksum is listed, or if a shipped file is not listed. In other folders, where
    networks are trained or tuned, an unlisted file passes.
    """
    known = listed(path.parent / SUMS)
    if path.name not in known and path.parent == WEIGHTS:
        raise WeightsError("{file} is not listed in {sums}", file=path.name, sums=SUMS)
    if path.name in known and known[path.name] != checksum(path):
        raise WeightsError(
            "{file} is damaged or was changed: its checksum does not match {sums}", file=path.name, sums=SUMS
        )


def open_network(name: str, folder: Path | None = None, *, one_by_one: bool = False) -> Network:
    """The network `name`.onnx of a folder, ready to run on the CPU; without a folder the tuned or the shipped one.

    `one_by_one`: it sees whole pictures, one at a time, not batches of crops.
    Raises WeightsError, in one line, if the file is missing, damaged or unreadable.
    """
    tuned = tuned_weights() / f"{name}.onnx"
    path = folder / f"{name}.onnx" if folder else tuned if tuned.is_file() else WEIGHTS / f"{name}.onnx"
    if not path.is_file():
        raise WeightsError(
            "the network {file} is missing from {folder}; train it or download it again",
            file=path.name, folder=str(path.parent),
        )  # fmt: skip
    verify(path)
    options = ORT.SessionOptions()
    options.intra_op_num_threads = THREADS if one_by_one else 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # A network has some two hundred short steps, and waking the second thread takes longer than most of them. So it
    # spins within a run and sleeps after it.
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    try:
        session = ORT.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime raises classes of its own that it does not publish
        raise WeightsError(
            "{file} is not a working ONNX network: {why}",
            file=path.name,
            why=str(error).splitlines()[0][:120],
        ) from error  # fmt: skip
    return session if one_by_one or THREADS == 1 else _Halved(session)
