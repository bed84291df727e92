"""Mitsuba, loaded when it is first needed, and meshes for it."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click
import numpy as np

from training.pathtrace.solids import Mesh
from vision.dicesets.files import DiceSetError

OLDEST_LLVM = 17
"""Older LLVMs cannot compile half floats on every processor, nor the least of two floats at all on x86."""

_PLACES = (
    "/usr/lib/*/libLLVM*.so*",
    "/usr/lib64/libLLVM*.so*",
    "/usr/lib/llvm-*/lib/libLLVM*.so*",
    "/opt/homebrew/opt/llvm*/lib/libLLVM*.dylib",
    "/usr/local/opt/llvm*/lib/libLLVM*.dylib",
)


class EngineMissingError(RuntimeError):
    """A package of the extra proof is not installed; the message is one line that says what brings it."""


@contextmanager
def refusing() -> Generator[None]:
    """Say in one line what cannot be drawn, and exit with 2."""
    try:
        yield
    except (DiceSetError, EngineMissingError, ValueError, OSError) as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from None


def package(name: str) -> Any:
    """A package of the extra proof. Raises EngineMissingError."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise EngineMissingError(
            f"expected the Python package {name}, found none: pip install -c constraints.txt -e '.[proof]'"
        ) from None


def llvm_library() -> Path | None:
    """The newest LLVM on this computer that Mitsuba can compile with, if there is one."""
    found: list[tuple[int, Path]] = []
    for pattern in _PLACES:
        for path in sorted(Path("/").glob(pattern[1:])):
            version = re.search(r"(\d+)", path.name.replace("libLLVM", ""))
            if version and int(version[1]) >= OLDEST_LLVM:
                found.append((int(version[1]), path))
    return max(found)[1] if found else None


def cleaned(layers: np.ndarray) -> np.ndarray:
    """(H, W, 3) radiance without the noise of few paths, of (H, W, 9) radiance, albedo and normals.

    By Open Image Denoise. What noise a picture shall have the sensor adds: photons scatter evenly, few paths leave
    sparks. Raises EngineMissingError.
    """
    colour, albedo, normal = (np.ascontiguousarray(layers[..., k : k + 3], np.float32) for k in (0, 3, 6))
    return package("pyoidn").denoise(colour, albedo=np.clip(albedo, 0, 1), normal=normal, hdr=True, quality="balanced")


@cache
def engine() -> Any:
    """The `mitsuba` module, its variant set: compiled kernels where LLVM is there, else four times slower.

    Both draw the same scenes with different noise. Raises EngineMissingError.
    """
    library = os.environ.get("DRJIT_LIBLLVM_PATH") or llvm_library()
    if library:
        os.environ["DRJIT_LIBLLVM_PATH"] = str(library)  # or Dr.Jit takes the first it finds, however old
    mitsuba = package("mitsuba")
    mitsuba.set_variant("llvm_ad_rgb" if library else "scalar_rgb")
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def mesh_object(mesh: Mesh, bsdf: Mapping[str, Any], emitter: Mapping[str, Any] | None = None) -> Any:
    """A mesh with its material (and a lamp's radiance, if it shines), for a scene's dictionary."""
    mi = engine()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(dict(bsdf))
    if emitter is not None:
        properties["emitter"] = mi.load_dict(dict(emitter))
    shape = mi.Mesh(
        "mesh", vertex_count=len(mesh.vertices), face_count=len(mesh.triangles), has_vertex_normals=True,
        has_vertex_texcoords=True, props=properties,
    )  # fmt: skip
    parameters = mi.traverse(shape)
    parameters["vertex_positions"] = np.ascontiguousarray(mesh.vertices, np.float32).ravel()
    parameters["vertex_normals"] = np.ascontiguousarray(mesh.normals, np.float32).ravel()
    # Mitsuba's v runs upwards: its bump maps need u, v and the normal to be right-handed.
    parameters["vertex_texcoords"] = np.ascontiguousarray(mesh.uv * (1, -1) + (0, 1), np.float32).ravel()
    parameters["faces"] = np.ascontiguousarray(mesh.triangles, np.uint32).ravel()
    parameters.update()
    return shape


def bitmap(pixels: np.ndarray, *, raw: bool = False) -> dict[str, Any]:
    """A texture: (H, W) or (H, W, 3) uint8, sRGB unless `raw`; its rows run down, as a mesh's v."""
    mi = engine()
    coloured = pixels if pixels.ndim == 3 else pixels[..., None]
    rows_up = mi.Bitmap(np.ascontiguousarray(coloured[::-1]))
    return {"type": "bitmap", "bitmap": rows_up, "raw": raw, "wrap_mode": "repeat", "filter_type": "bilinear"}
