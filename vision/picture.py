"""Opens picture files from anywhere: JPEG, PNG and WebP, turned upright, or one line saying what is wrong."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.foreign import foreign
from vision.said import SaidError

Pixels = NDArray[np.uint8]

FORMATS: Final = ("JPEG", "PNG", "WEBP")
LEAST_SIDE: Final = 32
"""A die of the least readable size needs about this much around it."""
MOST_PIXELS: Final = 64_000_000
"""Beyond any camera's picture; a file of a few kilobytes can claim to be larger."""
MOST_BYTES: Final = 64 * 1024 * 1024


class PictureError(SaidError):
    """A file that is no picture Tableside can read; the message is one line naming it."""


def load_picture(path: Path) -> Pixels:
    """The picture in a file as (H, W, 3) BGR, upright by its EXIF orientation, transparency laid on white.

    Raises PictureError for what is missing, empty, cut short, no picture, too small or too large.
    """
    if not path.exists():
        raise PictureError("%(path)s: no such file", path=str(path))
    if not path.is_file():
        raise PictureError("%(path)s: expected a picture, found something that is not a file", path=str(path))
    size = path.stat().st_size
    if size == 0:
        raise PictureError("%(path)s: expected a picture, found an empty file", path=str(path))
    if size > MOST_BYTES:
        raise PictureError(
            "%(path)s: expected at most %(most)s MiB, found %(found)s",
            path=str(path), most=MOST_BYTES // 2**20, found=size // 2**20,
        )  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of large pictures; our own bound is lower
            with Image.open(path, formats=FORMATS) as opened:
                width, height = opened.size
                if width * height > MOST_PIXELS:
                    raise PictureError(
                        "%(path)s: expected at most %(most)s megapixels, found %(width)s×%(height)s",
                        path=str(path), most=MOST_PIXELS // 10**6, width=width, height=height,
                    )  # fmt: skip
                if min(width, height) < LEAST_SIDE:
                    raise PictureError(
                        "%(path)s: expected at least %(least)s×%(least)s pixels, found %(width)s×%(height)s",
                        path=str(path), least=LEAST_SIDE, width=width, height=height,
                    )  # fmt: skip
                upright = ImageOps.exif_transpose(opened)
                return _to_bgr(upright)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(
            "%(path)s: expected a JPEG, PNG or WebP picture, found something else", path=str(path)
        ) from None
    except PermissionError:
        raise PictureError(
            "%(path)s: expected a readable file, found one without permission", path=str(path)
        ) from None
    except Image.DecompressionBombError:
        raise PictureError(
            "%(path)s: expected at most %(most)s megapixels, found far more",
            path=str(path),
            most=MOST_PIXELS // 10**6,
        ) from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise PictureError(
            "%(path)s: expected a whole picture, found a damaged one (%(why)s)",
            path=str(path), why=foreign(reason[:80]),
        ) from None  # fmt: skip


def _to_bgr(picture: Image.Image) -> Pixels:
    if "A" in picture.getbands() or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        picture = Image.alpha_composite(paper, clear)
    rgb = np.asarray(picture.convert("RGB"), np.uint8)
    return np.ascontiguousarray(rgb[:, :, ::-1])
