"""The table's part of the picture: by corners, or between four printed markers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, PictureFolder
from vision.camera.bounded import Bounded
from vision.region import Region, between, find_markers, marker_sheet, region_at

SQUARE = "0.25,0.25 0.75,0.25 0.75,0.75 0.25,0.75"


def test_only_the_table_is_shown():
    pixels = np.full((100, 200, 3), 200, np.uint8)
    cut = Region(((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))).cut(pixels)
    assert cut.shape == (100, 200, 3)
    assert cut[50, 100, 0] == 200
    assert cut[2, 2, 0] == 0
    assert region_at(SQUARE).cut(pixels).shape == (50, 100, 3)
    assert region_at(region_at(SQUARE).words()).corners == region_at(SQUARE).corners


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the table",
        "0,0 1,1",
        "0,0 1,1 1,0 0,1",
        "0,0 1,0 1,2 0,1",
        "0,0 0.01,0 0.01,0.01 0,0.01",
        "nan,0 1,0 1,1 0,1",
    ],
)
def test_what_is_no_table_is_refused(text: str):
    with pytest.raises(ValueError, match=r"corners|expected|shares"):
        region_at(text)


def marked(width: int = 640, height: int = 480, numbers: tuple[int, ...] = (0, 1, 2, 3)) -> np.ndarray:
    """A brown table with white cards of markers near its corners."""
    picture = np.full((height, width, 3), (60, 90, 120), np.uint8)
    aruco = cv2.aruco
    dictionary = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    places = [(40, 40), (540, 60), (520, 380), (30, 360)]
    for number in numbers:
        x, y = places[number]
        picture[y - 10 : y + 60, x - 10 : x + 60] = 245
        card = aruco.generateImageMarker(dictionary, number, 50)
        picture[y : y + 50, x : x + 50] = card[..., None]
    return picture


def test_the_table_is_what_lies_between_the_markers():
    found = find_markers(marked())
    assert sorted(found) == [0, 1, 2, 3]
    region = between(list(found.values()), 640, 480)
    corners = np.array(region.corners) * (640, 480)
    assert np.abs(corners - [(90, 90), (540, 110), (520, 380), (80, 360)]).max() < 4
    assert not find_markers(region.cut(marked()))


def test_a_camera_looks_for_its_markers_when_it_opens(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "a.png"), marked(numbers=(0, 2)))
    cv2.imwrite(str(tmp_path / "b.png"), marked(numbers=(1, 3)))
    cv2.imwrite(str(tmp_path / "c.png"), marked())
    camera = Bounded(PictureFolder(tmp_path, seconds=0.2, paced=False))
    camera.open()
    frame = camera.read()
    assert frame is not None
    assert frame.pixels.shape[1] < 480
    camera.close()


def test_a_marker_that_is_missing_is_said(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "a.png"), marked(numbers=(0, 2, 3)))
    camera = Bounded(PictureFolder(tmp_path, seconds=0.2, paced=False))
    with pytest.raises(CameraError, match="the camera must see markers 0, 1, 2 and 3; it sees: 0, 2, 3"):
        camera.open()


@pytest.mark.skipif(which("pdftoppm") is None, reason="no pdftoppm (poppler-utils) to draw the page")
def test_the_printed_markers_are_found_again(tmp_path: Path):
    (tmp_path / "markers.pdf").write_bytes(marker_sheet())
    subprocess.run(
        ["pdftoppm", "-r", "60", "-png", "-singlefile", str(tmp_path / "markers.pdf"), str(tmp_path / "page")],
        check=True, timeout=300,
    )  # fmt: skip
    page = cv2.imread(str(tmp_path / "page.png"))
    found = find_markers(page)
    assert sorted(found) == [0, 1, 2, 3]
    side = np.linalg.norm(found[0][0] - found[0][1])
    assert abs(side * 25.4 / 60 - 50) < 1
