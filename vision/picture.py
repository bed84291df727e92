"""Pictures in files: opened from anywhere, turned upright, or one line saying what is wrong; and drawn with a reading.

Every picture that somebody else made is decoded here: what would take long, or more memory than a picture is worth, is
refused before. JPEG, PNG and WebP are read.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError
from PIL.ExifTags import Base

from messages.message import MessageError
from vision.frame import Pixels
from vision.reading import Reading

FORMATS: Final = ("JPEG", "PNG", "WebP")
LEAST_SIDE: Final = 32
"""A die of the least readable size needs about this much around it."""
MOST_PIXELS: Final = 64_000_000
"""Beyond any camera's picture; a file of a few kilobytes can claim to be larger."""
MOST_BYTES: Final = 64 * 1024 * 1024

MOST_SCANS: Final = 24
"""Passes over the picture in one JPEG: a camera makes one, a progressive encoder about ten. Each takes its time, and a
pass of some fifty bytes takes no less of it."""
MOST_SEGMENTS: Final = 4000
"""Parts of one JPEG; a long colour profile and previews have some hundreds."""

MOST_PADDING: Final = 1000
"""Bytes between two parts before the first pass; there need be none."""

_MARKER: Final = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
"""What begins a part of a JPEG, and stands nowhere in coded pixels."""
_START, _END, _SCAN = 0xD8, 0xD9, 0xDA

_STRIP: Final = 256
"""Rows converted at a time: a whole picture is held once as it was decoded and once as pixels."""

_TURNS: Final[dict[int, Callable[[Pixels], Pixels]]] = {
    2: lambda seen: seen[:, ::-1],
    3: lambda seen: seen[::-1, ::-1],
    4: lambda seen: seen[::-1],
    5: lambda seen: seen.transpose(1, 0, 2),
    6: lambda seen: np.rot90(seen, -1),
    7: lambda seen: seen[::-1, ::-1].transpose(1, 0, 2),
    8: lambda seen: np.rot90(seen),
}
"""What makes a picture upright, by its EXIF orientation."""


class PictureError(MessageError):
    """A file that is no picture Tableside can read; the message is one line naming it."""


def load_picture(path: Path) -> Pixels:
    """The picture in a file as (H, W, 3) BGR, upright by its EXIF orientation, transparency laid on white.

    Raises PictureError for what is missing, empty, cut short, no picture, too small or too large.
    """
    if not path.exists():
        raise PictureError("{path} does not exist", path=str(path))
    if not path.is_file():
        raise PictureError("{path} is not a file", path=str(path))
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise PictureError(
            "{path} is {found} MiB; at most {most} MiB are allowed",
            path=str(path), most=MOST_BYTES // 2**20, found=size // 2**20,
        )  # fmt: skip
    try:
        content = path.read_bytes()
    except PermissionError:
        raise PictureError(
            "Tableside has no permission to read {path}", path=str(path)
        ) from None
    except OSError as error:
        raise _damaged(str(path), error) from None
    return decode(content, str(path))


def decode(
    content: bytes,
    name: str,
    *,
    formats: Sequence[str] = FORMATS,
    least: int = LEAST_SIDE,
    most: int = MOST_PIXELS,
) -> Pixels:
    """The picture in bytes from outside as (H, W, 3) BGR, upright, transparency laid on white; within bounds of time
    and memory. `name` is what it is called, `least` the pixels of a side, `most` those of the picture.

    Raises PictureError.
    """
    if not content:
        raise PictureError("{path} is an empty file", path=name)
    with opened(content, name, formats=formats, least=least, most=most) as picture:
        turn = picture.getexif().get(Base.Orientation, 1)
        pixels = _to_bgr(picture)
    return np.ascontiguousarray(_TURNS[turn](pixels)) if turn in _TURNS else pixels


@contextmanager
def opened(
    content: bytes, name: str, *, formats: Sequence[str], least: int, most: int
) -> Generator[Image.Image]:
    """A picture that is not decoded yet and can be: `decode` says what is refused. Raises PictureError."""
    if _laborious(content):
        raise PictureError(
            "{path} would take too long to decode; use an ordinary picture", path=name
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of large pictures; our own bound is lower
            with Image.open(io.BytesIO(content), formats=[one.upper() for one in formats]) as picture:
                width, height = picture.size
                if width * height > most:
                    raise PictureError(
                        "{path} has {width}×{height} pixels; at most {most} megapixels are allowed",
                        path=name, most=most // 10**6, width=width, height=height,
                    )  # fmt: skip
                if min(width, height) < least:
                    raise PictureError(
                        "{path} has {width}×{height} pixels; it needs at least {least}×{least}",
                        path=name, least=least, width=width, height=height,
                    )  # fmt: skip
                yield picture
    except PictureError:
        raise
    except UnidentifiedImageError:
        if formats != FORMATS:
            raise PictureError(
                "{path} is not a picture in the format {formats:either}",
                path=name,
                formats=tuple(formats),
            ) from None
        raise PictureError(
            "{path} is not a JPEG, PNG or WebP picture", path=name
        ) from None
    except Image.DecompressionBombError:
        raise PictureError(
            "{path} is far too large; at most {most} megapixels are allowed", path=name, most=most // 10**6
        ) from None
    except MemoryError:
        raise PictureError("there is not enough memory to open {path}", path=name) from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> PictureError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return PictureError(
        "{path} is damaged ({why})",
        path=name, why=reason[:80],
    )  # fmt: skip


def _laborious(content: bytes) -> bool:
    """Whether a JPEG of a few bytes would take its decoder long: passes without end, or rubbish before the first."""
    if not content.startswith(b"\xff\xd8"):
        return False
    at, scans = 2, 0
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(content, at)
        if scans == 0 and (found.start() if found else len(content)) - at > MOST_PADDING:
            return True
        if found is None or (kind := found[0][1]) == _END:
            return False
        at = found.end()
        scans += kind == _SCAN
        if scans > MOST_SCANS:
            return True
        if kind != _START:
            at += max(2, int.from_bytes(content[at : at + 2], "big"))
    return True


def _to_bgr(picture: Image.Image) -> Pixels:
    width, height = picture.size
    clear = "A" in picture.getbands() or "transparency" in picture.info
    pixels = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP):
        strip = picture.crop((0, top, width, min(height, top + _STRIP)))
        if clear:
            paper = Image.new("RGBA", strip.size, "white")
            strip = Image.alpha_composite(paper, strip.convert("RGBA"))
        pixels[top : top + _STRIP] = np.asarray(strip.convert("RGB"), np.uint8)[:, :, ::-1]
    return pixels


SURE = (80, 220, 60)
ASKING = (0, 165, 255)
"""BGR. Asking dice also have a dashed label text with a question mark: colour alone is not enough."""


def annotate(pixels: Pixels, reading: Reading) -> Pixels:
    """A copy of (H, W, 3) BGR pixels with every top face outlined and named."""
    drawn = pixels.copy()
    unit = max(drawn.shape[:2]) / 900
    thick = max(round(2 * unit), 1)
    for die in reading.dice:
        colour = SURE if die.certain else ASKING
        outline = np.rint(np.array(die.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, colour, thick, cv2.LINE_AA)
        words = die.face if die.certain else f"{die.face}? {die.confidence:.0%}"
        size = 0.6 * max(unit, 0.6)
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        x = int(np.clip(die.centre[0] - width / 2, 2, max(drawn.shape[1] - width - 2, 2)))
        y = int(np.clip(min(corner[1] for corner in die.corners) - 6 * unit, height + 4, drawn.shape[0] - 4))
        cv2.rectangle(drawn, (x - 3, y - height - 4), (x + width + 3, y + 4), (20, 20, 20), -1)
        cv2.putText(drawn, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
    return drawn


def save_picture(pixels: Pixels, path: Path) -> None:
    """Write BGR pixels in the format that the name says. PictureError if the name or place will not do."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels[:, :, ::-1]).save(path)
    except (ValueError, KeyError, OSError) as error:
        raise PictureError(
            "the picture cannot be saved as {path} ({why})",
            path=str(path),
            why=str(error)[:80],
        ) from None
