"""Banks of drawn faces: files that are drawn once, by several processes, and learnt from many times."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.remembered import Arrays


def stored(folder: Path, count: int, drawn: Callable[[int], Arrays], workers: int) -> list[Arrays]:
    """The arrays that `drawn` returns for each number below `count`, read from files in a folder.

    Missing files are drawn first, by so many processes of one thread; `drawn` must be one that can be pickled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with mp.get_context("spawn").Pool(workers) as pool:
        pool.map(partial(_draw, folder, drawn), range(count), chunksize=1)
    return [_kept(_file(folder, number)) for number in range(count)]


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number}.npz"


def _kept(path: Path) -> Arrays:
    with np.load(path) as arrays:
        return dict(arrays)


def _draw(folder: Path, drawn: Callable[[int], Arrays], number: int) -> None:
    path = _file(folder, number)
    if path.exists():
        return
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    part = path.with_suffix(".part.npz")
    np.savez(part, allow_pickle=False, **drawn(number))
    part.replace(path)
