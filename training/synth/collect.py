"""Collect the training symbols: open icon collections from npm and typefaces from Debian, rasterised once.

Needs the train extra (resvg-py, fonttools, pillow), `npm` for the icons and `apt-get` for the typefaces;
without `apt-get`, it uses the typefaces installed on this computer.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.synth.symbols import ART_SIZE, Glyph, Kind, Library, default_folder, save, stored

ICONS: Final = {
    "game-icons": r".",
    "fa6-solid": r"^[a-z-]+$",
    "healthicons": r"^(?!.*outline)(?!.*-24px).*$",
    "ph": r"-fill$",
    "maki": r".",
    "noto": r"^(?!.*(skin-tone|keycap|flag-for|clock|medium|light-|dark-)).*$",
    "fluent-emoji-flat": r"^(?!.*(-light|-dark|-medium|keycap|clock)).*$",
    "circle-flags": r"^[a-z]{2}$",
}
"""Collection of `@iconify-json` → pattern of its icons: no skin tones, one style of each."""

FONTS: Final = (
    "adf-baskervald", "adf-gillius", "adf-ikarius", "adf-tribun", "adf-universalis", "aenigma",
    "averia-sans-gwf", "averia-serif-gwf", "bebas-neue", "beteckna", "blankenburg", "breip", "cabin",
    "cabinsketch", "century-catalogue", "comfortaa", "comic-neue", "courier-prime", "crosextra-caladea",
    "crosextra-carlito", "dancingscript", "dejavu-core", "dejavu-extra", "dosis", "dustin",
    "ebgaramond", "ecolier-court", "engadget", "essays1743", "femkeklaver", "freefont-ttf",
    "georgewilliams", "go", "gotico-antiqua", "humor-sans", "inter", "isabella", "jetbrains-mono",
    "junicode", "jura", "karla", "kaushanscript", "lato", "league-spartan", "leckerli-one",
    "liberation", "lobster", "manrope", "national-park", "oldstandard", "open-sans", "opendin",
    "opendyslexic", "osifont", "play", "quattrocento", "quicksand", "radisnoir", "roadgeek",
    "roboto-unhinted", "rufscript", "sixtyfour", "solide-mirage", "sora", "staypuft", "texgyre",
    "tomsontalks", "tuffy", "vollkorn", "yanone-kaffeesatz",
)  # fmt: skip
"""Debian packages `fonts-…`, all free by Debian's guidelines; each contains its licence."""

FACES_PER_PACKAGE: Final = 8
MONOGRAMS: Final = 160
HELD_OUT: Final = 10
"""One icon and one typeface in ten are never trained on."""

LIKENESS_OF_TYPEFACE: Final = 0.5
"""Least mean correlation of a typeface's digits with the usual ones; below it, they are ornaments."""

Say = Callable[[str], None]


def held_out(name: str) -> bool:
    """Whether a symbol or typeface is kept for testing; depends only on its name, so that the split never changes."""
    return zlib.crc32(name.encode()) % HELD_OUT == 0


def load(folder: Path | None = None, say: Say = print) -> Library:
    """The library of training symbols, collected first if missing (takes minutes and needs a network).

    Raises RuntimeError if there is nothing stored and nothing could be collected.
    """
    place = folder or default_folder()
    return stored(place) or build(place, say)


def build(folder: Path, say: Say = print) -> Library:
    """Collect and rasterise every training symbol into `folder`, and return the library.

    Raises RuntimeError if neither icons nor typefaces could be collected.
    """
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    mono: list[NDArray[np.uint8]] = []
    colour: list[NDArray[np.uint8]] = []
    glyphs: list[Glyph] = []
    sources: list[str] = []
    seen: set[bytes] = set()
    for collection, pattern in ICONS.items():
        before = len(glyphs)
        for name, art in icons(downloads, collection, pattern, sources, say):
            tiny = np.asarray(cv2.resize(art, (12, 12), interpolation=cv2.INTER_AREA), np.uint8)
            key = (tiny // 48).tobytes()
            if key in seen or art[..., 3].mean() < 6:
                continue  # the same drawing under another name would be a false negative
            seen.add(key)
            coloured = collection in ("noto", "fluent-emoji-flat", "circle-flags")
            store = colour if coloured else mono
            kind: Kind = "colour" if coloured else "icon"
            glyphs.append(Glyph(f"{collection}/{name}", kind, len(store), held_out(name)))
            store.append(art if coloured else art[..., 3])
        say(f"{collection}: {len(glyphs) - before} symbols")
    texts = _texts()
    for font in _typefaces(downloads, sources, say):
        kept = held_out(font.name)
        for text, drawing in _font_glyphs(font, texts):
            glyphs.append(Glyph(text, "glyph", len(mono), kept))
            mono.append(drawing)
    if not glyphs:
        raise RuntimeError("no icons and no typefaces could be collected: this needs npm or apt-get, and a network")
    (folder / "LICENCES.txt").write_text("\n".join(sources) + "\n", encoding="utf-8")
    shape = (-1, ART_SIZE, ART_SIZE)
    pixels = np.array(mono, np.uint8).reshape(shape), np.array(colour, np.uint8).reshape(*shape, 4)
    library = Library(*pixels, tuple(glyphs))
    save(library, folder)
    say(f"{len({g.name for g in glyphs})} symbols in {len(glyphs)} drawings")
    return library


def icons(
    downloads: Path, collection: str, pattern: str, sources: list[str], say: Say
) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """The drawings of one `@iconify-json` collection as (name, (96, 96, 4) RGBA), sorted by name.

    The package is fetched into `downloads` if missing; its description and licence are added to `sources`. Returns
    nothing if npm is missing or fails, and reports that to `say`.
    """
    import resvg_py
    from PIL import Image

    package = f"@iconify-json/{collection}"
    found = sorted(downloads.glob(f"iconify-json-{collection}-[0-9]*.tgz"))
    if not found:
        npm = shutil.which("npm")
        if npm is None:
            say(f"{collection}: left out, there is no npm here")
            return
        done = subprocess.run([npm, "pack", package], cwd=downloads, capture_output=True, text=True, check=False)
        found = sorted(downloads.glob(f"iconify-json-{collection}-[0-9]*.tgz"))
        if done.returncode or not found:
            say(f"{collection}: left out, npm pack failed: {done.stderr.strip().splitlines()[-1:]}")
            return
    with tarfile.open(found[-1]) as archive:
        icons: dict[str, Any] = json.load(_member(archive, "package/icons.json"))
        about: dict[str, Any] = json.load(_member(archive, "package/info.json"))
    terms = "{title} ({spdx}) {url}".format(**{"spdx": None, "url": "", **about["license"]})
    sources.append(f"{about['name']} {about.get('version', '')} by {about['author']['name']}: {terms}")
    for name, icon in sorted(icons["icons"].items()):
        if not re.search(pattern, name) or icon.get("hidden"):
            continue
        width, height = (icon.get(side, icons.get(side, 16)) for side in ("width", "height"))
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{ART_SIZE}" height="{ART_SIZE}" color="#000" '
            f'viewBox="{icon.get("left", 0)} {icon.get("top", 0)} {width} {height}">{icon["body"]}</svg>'
        )
        try:
            png = bytes(resvg_py.svg_to_bytes(svg_string=svg))
        except (ValueError, RuntimeError):
            continue
        picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"), np.uint8)
        if picture.shape == (ART_SIZE, ART_SIZE, 4):
            yield name, picture


def _member(archive: tarfile.TarFile, name: str) -> Any:
    member = archive.extractfile(name)
    if member is None:
        raise RuntimeError(f"expected {name} in {archive.name}")
    return member


def _typefaces(downloads: Path, sources: list[str], say: Say) -> Iterator[Path]:
    """Font files, at most `FACES_PER_PACKAGE` of a package, spread over its weights and styles."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        folders = [Path("/usr/share/fonts"), Path("/Library/Fonts"), Path.home() / ".fonts"]
        say("typefaces: no apt-get here, taking those that are installed")
        yield from sorted(f for d in folders if d.is_dir() for f in d.rglob("*.[ot]tf"))
        return
    for package in FONTS:
        place = downloads / "fonts" / package
        if not place.is_dir():
            place.mkdir(parents=True)
            run = partial(subprocess.run, cwd=place, capture_output=True, check=False)
            run(["apt-get", "-qq", "download", f"fonts-{package}"])
            for deb in place.glob("*.deb"):
                run(["dpkg-deb", "-x", deb.name, "."])
        files = sorted(f for f in place.rglob("*.[ot]tf") if f.is_file())
        if not files:
            say(f"fonts-{package}: left out, it could not be fetched")
            continue
        sources.append(f"Typefaces of Debian's package fonts-{package}; see its copyright file")
        most = 40 if package in ("aenigma", "dustin") else FACES_PER_PACKAGE
        yield from (files[i] for i in np.unique(np.linspace(0, len(files) - 1, most).astype(int)))


def _texts() -> list[str]:
    """Numerals to 20, marked 6s and 9s (`6.`, `9.` dotted, `6_`, `9_` underlined), letters and monograms."""
    rng = np.random.default_rng(5)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    pairs = {"DD"}
    while len(pairs) < MONOGRAMS:
        pairs.add("".join(rng.choice(list(letters), 2)))
    return [*(str(n) for n in range(21)), "6.", "9.", "6_", "9_", *letters, *sorted(pairs)]


def _draw(font: Any, text: str) -> NDArray[np.uint8] | None:
    from PIL import Image, ImageDraw

    mark, plain = (text[-1], text[:-1]) if text[-1] in "._" else ("", text)
    left, top, right, bottom = font.getbbox(plain)
    width, height = right - left, bottom - top
    if width < 4 or height < 8:
        return None
    canvas = Image.new("L", (int(width) + 40, int(height) + 80))
    pen = ImageDraw.Draw(canvas)
    pen.text((20 - left, 20 - top), plain, fill=255, font=font)
    foot = 20 + height
    if mark == "_":
        pen.rectangle((20, foot + height * 0.1, 20 + width, foot + height * 0.2), fill=255)
    if mark == ".":
        radius = height * 0.08
        middle = 20 + width / 2
        pen.ellipse((middle - radius, foot + radius, middle + radius, foot + 3 * radius), fill=255)
    box = canvas.getbbox()
    if box is None:
        return None
    drawn = np.asarray(canvas.crop(box), np.uint8)
    return _centred(drawn, cv2.INTER_AREA)


def _centred(drawn: NDArray[np.uint8], method: int) -> NDArray[np.uint8]:
    """A drawing in the middle of a square of `ART_SIZE`, as large as fits with a margin."""
    scale = 0.86 * ART_SIZE / max(drawn.shape)
    width, height = (max(1, round(side * scale)) for side in drawn.shape[::-1])
    out = np.zeros((ART_SIZE, ART_SIZE), np.uint8)
    y, x = (ART_SIZE - height) // 2, (ART_SIZE - width) // 2
    out[y : y + height, x : x + width] = cv2.resize(drawn, (width, height), interpolation=method)
    return out


def _font_glyphs(path: Path, texts: list[str]) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Every text in one typeface; nothing if characters are missing, or its digits do not look like digits."""
    from fontTools.ttLib import TTFont, TTLibError  # pyright: ignore[reportMissingTypeStubs]
    from PIL import ImageFont

    try:
        with TTFont(path, lazy=True) as face:
            known = face.getBestCmap() or {}
        font: Any = ImageFont.truetype(str(path), 120)
    except (TTLibError, OSError, AssertionError, KeyError):
        return
    if not all(ord(c) in known for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        return
    drawings = {text: _draw(font, text) for text in texts}
    likeness = [
        np.corrcoef(cv2.blur(d, (9, 9)).ravel(), cv2.blur(usual, (9, 9)).ravel())[0, 1]
        for text, usual in _usual().items()
        if (d := drawings[text]) is not None
    ]
    if len(likeness) < 10 or float(np.mean(likeness)) < LIKENESS_OF_TYPEFACE:
        return
    yield from ((text, drawing) for text, drawing in drawings.items() if drawing is not None)


def _usual() -> dict[str, NDArray[np.uint8]]:
    """The digits in OpenCV's own stroke font, against which typefaces are checked."""
    out: dict[str, NDArray[np.uint8]] = {}
    for digit in "0123456789":
        canvas = np.zeros((200, 200), np.uint8)
        cv2.putText(canvas, digit, (40, 160), cv2.FONT_HERSHEY_SIMPLEX, 5, 255, 18, cv2.LINE_AA)
        ys, xs = np.nonzero(canvas)
        out[digit] = _centred(canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], cv2.INTER_LINEAR)
    return out
