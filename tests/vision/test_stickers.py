"""Sticker sheets: lengths are measured in the PDF itself, in the points that a printer goes by."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find
from vision.dicesets.printing import (
    PAPERS,
    Paper,
    face_corners,
    face_side,
    printable,
    rounded,
    sheet,
    sticker,
)
from vision.dicesets.shapes import Shape

MM = 72 / 25.4
"""Points in a millimetre (a PDF's unit is 1/72 inch)."""

Polygon = np.ndarray


def pages(pdf: bytes) -> list[str]:
    """The drawing commands of each page."""
    streams = re.findall(rb"<<[^>]*/FlateDecode[^>]*>>\s*stream\n(.*?)\nendstream", pdf, re.DOTALL)
    texts = [zlib.decompress(stream) for stream in streams]
    return [text.decode("latin-1") for text in texts if b" re\n" in text or b" l\n" in text or b" m" in text]


def polygons(page: str) -> list[Polygon]:
    """Every closed path of straight lines on a page, as (k, 2) mm."""
    number = r"(-?\d+(?:\.\d+)?)"
    found: list[Polygon] = []
    for path in re.findall(rf"{number} {number} m\s+((?:{number} {number} l\s+)+)h", page):
        points = re.findall(rf"{number} {number} [ml]", f"{path[0]} {path[1]} m {path[2]}")
        found.append(np.array(points, float) / MM)
    return found


def cut_lines(page: str) -> list[Polygon]:
    """The outlines to cut on: closed, and of more corners than a plain face of the small net."""
    return [each for each in polygons(page) if len(each) > 8]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_is_the_paper_that_was_asked_for_and_has_a_ruler_of_50_mm(paper: Paper) -> None:
    pdf = sheet(find("cats"), dice=1, paper=paper)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box is not None
    assert [float(side) / MM for side in box.groups()] == pytest.approx(PAPERS[paper], abs=0.01)
    (page,) = pages(pdf)
    lines = re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", page)
    assert 50.0 in {round(abs(float(x1) - float(x0)) / MM, 2) for x0, y0, x1, y1 in lines if y0 == y1}


@pytest.mark.parametrize(
    ("set_id", "shape", "count", "least", "most"),
    [
        ("cats", Shape.CUBE, 36, (13.98, 13.98), (14.02, 14.02)),
        # An octahedron 16 mm between opposite faces has edges of 16·√1.5 = 19.6 mm and faces 16.97 mm high.
        ("fate", Shape.OCTAHEDRON, 48, (13, 12), (19.6 * 0.875, 16.97 * 0.875)),
    ],
)
def test_six_dice_have_stickers_that_fit_their_faces(
    set_id: str, shape: Shape, count: int, least: tuple[float, float], most: tuple[float, float]
) -> None:
    (page,) = pages(sheet(find(set_id), (shape,), dice=6, size=16))
    sizes = np.array([np.ptp(outline, axis=0) for outline in cut_lines(page)])
    assert len(sizes) == count
    assert (sizes > least).all()
    assert (sizes < most).all()


def test_an_octahedron_with_that_edge_is_that_thick() -> None:
    # Corners at ±a on the axes: the edge is a·√2, and the plane x + y + z = a is a/√3 from the middle.
    side = face_side(Shape.OCTAHEDRON, 16)
    assert 2 * (side / math.sqrt(2)) / math.sqrt(3) == pytest.approx(16)
    assert side == pytest.approx(19.6, abs=0.01)
    assert face_side(Shape.CUBE, 16) == 16


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_rounded_corner_keeps_the_sides_where_they_are(shape: Shape) -> None:
    corners = face_corners(shape, 10)
    outline = np.array(rounded(corners, 1.0, steps=24))
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        inwards = np.array([y0 - y1, x1 - x0]) / math.hypot(x1 - x0, y1 - y0)
        depth = (outline - (x0, y0)) @ inwards
        assert depth.min() == pytest.approx(0, abs=1e-9)
    # Beyond the arc a sharp corner would go on: by r (1/sin(half angle) − 1).
    half = {Shape.CUBE: math.pi / 4, Shape.OCTAHEDRON: math.pi / 6}[shape]
    cut_off = np.hypot(*(outline - corners[0]).T).min()
    assert cut_off == pytest.approx(1 / math.sin(half) - 1, abs=0.01)


@pytest.mark.parametrize("size", [8.0, 16.0, 25.0, 50.0])
@pytest.mark.parametrize(("set_id", "shape"), [
    ("outlander", Shape.CUBE), ("outlander", Shape.OCTAHEDRON), ("pips", Shape.CUBE)
])  # fmt: skip
def test_every_sticker_lies_on_the_paper_and_none_on_another(set_id: str, shape: Shape, size: float) -> None:
    dice = 3
    counted = 0
    for page in pages(sheet(find(set_id), (shape,), dice=dice, size=size, paper="letter")):
        outlines = cut_lines(page)
        counted += len(outlines)
        boxes = [(outline.min(axis=0), outline.max(axis=0)) for outline in outlines]
        for i, (least, most) in enumerate(boxes):
            assert (least >= 10).all()
            assert (most <= np.array(PAPERS["letter"]) - 10).all()
            assert all((most < other).any() or (least > end).any() for other, end in boxes[i + 1 :])
    assert counted == dice * len(find(set_id).net_for(shape) or find(set_id).faces)


@pytest.mark.parametrize("set_id", ["outlander", "fate", "cats", "outback", "pips"])
def test_no_ink_leaves_its_sticker(set_id: str) -> None:
    dice_set = find(set_id)
    for shape in dice_set.shapes:
        for face in dice_set.faces:
            cut = sticker(face, shape, 16, dice_set.printed)
            left, top, side = cut.square
            rows, columns = np.nonzero(cut.tile[..., 3] > 200)
            step = side / len(cut.tile)
            edge = np.array(cut.outline, np.float32).reshape(-1, 1, 2)
            for row, column in list(zip(rows, columns, strict=True))[::97]:
                spot = (float(left + (column + 0.5) * step), float(top + (row + 0.5) * step))
                assert cv2.pointPolygonTest(edge, spot, True) > -0.1, (face.id, spot)


def test_a_set_with_more_faces_than_sides_says_so() -> None:
    # The documents of Outlander do not say which six of the eight characters a d6 has.
    (page,) = pages(sheet(find("outlander"), (Shape.CUBE,), dice=1))
    assert "This set has 8 faces and a d6 has 6 sides" in page
    assert len(cut_lines(page)) == 8
    (page,) = pages(sheet(find("outlander"), (Shape.OCTAHEDRON,), dice=1))
    assert "This set has" not in page
    assert "Opposite sides: Claire and Murtagh" in page


def test_labels_speak_the_language_and_the_authors_are_named() -> None:
    (page,) = pages(sheet(find("outback"), dice=1, language="de"))
    assert "Schnabeltier" in page
    assert "Delapouite, CC BY 3.0" in page


def test_letters_the_paper_does_not_have_are_replaced() -> None:
    assert printable("Łukasz’s émeu") == "Lukasz's émeu"
    assert printable("Ōkami") == "Okami"
    assert printable("猫", "cat") == "cat"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"size": 3}, "choose a size from 8 to 50 mm, not 3"),
        ({"size": math.nan}, "choose a size from 8 to 50 mm, not nan"),
        ({"dice": 0}, "choose 1 to 200 dice, not 0"),
        ({"shapes": (Shape.OCTAHEDRON,)}, "cats has only d6, no d8"),
        ({"picture": "oil"}, "cats has no picture “oil”; its pictures are cat, dd, manticore, sigil"),
    ],
)
def test_what_cannot_be_printed_is_refused(asked: dict[str, object], line: str) -> None:
    with pytest.raises(DiceSetError, match=re.escape(line)):
        sheet(find("cats"), **asked)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler's pdftoppm")
def test_on_paper_the_mortar_is_where_and_as_large_as_it_should_be(tmp_path: Path) -> None:
    dots = 254  # an inch: ten to a millimetre
    (tmp_path / "sheet.pdf").write_bytes(sheet(find("outlander"), (Shape.CUBE,), dice=1))
    subprocess.run(
        ["pdftoppm", "-r", str(dots), "-png", "-singlefile", "sheet.pdf", "sheet"], cwd=tmp_path, check=True
    )
    paper = cv2.imread(str(tmp_path / "sheet.png"))
    assert paper is not None
    assert paper.shape[:2] == pytest.approx((2970, 2100), abs=1)
    ink = cv2.inRange(paper, (40, 90, 10), (80, 120, 50))  # the green of Claire's mortar, BGR
    (x, y), radius = cv2.minEnclosingCircle(
        cv2.findNonZero(cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((3, 3))))
    )
    assert 2 * radius / 10 == pytest.approx(0.8 * 16, abs=0.15)
    (page,) = pages((tmp_path / "sheet.pdf").read_bytes())
    first = cut_lines(page)[0]
    middle = (first.min(axis=0) + first.max(axis=0)) / 2
    assert (x / 10, 297 - y / 10) == pytest.approx(tuple(middle), abs=0.15)
