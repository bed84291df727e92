"""A die's whole body from its top face, and the top face from a side: held against solids made another way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.body import AS_LARGE, STRANGE, across_an_edge, body_boxes, fits, right_way_tilted
from vision.boxes import Box
from vision.corners import clockwise
from vision.crops import CROP, crop_map
from vision.detect import Detection, on_one_plane
from vision.plane import Plane
from vision.plane_fit import CELL, Seen, to_picture

WIDTH, HEIGHT = 1280, 960
FOCAL = 1.2 * WIDTH
Floats = NDArray[np.float64]

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
CUBE_FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))
OCTAHEDRON = 1.5 * np.concatenate([np.eye(3), -np.eye(3)])
OCTAHEDRON_FACES = tuple((a, b, c) for a in (0, 3) for b in (1, 4) for c in (2, 5))


class Table:
    """A table seen under a tilt; `to_camera` has x, y in the table, z up, as columns."""

    def __init__(self, tilt: float, towards: float) -> None:
        a, b = np.radians(tilt), np.radians(towards)
        along = np.array(
            [[np.cos(b) * np.cos(a), -np.sin(b)], [np.sin(b) * np.cos(a), np.cos(b)], [np.sin(a), 0.0]]
        )
        up = np.cross(along[:, 0], along[:, 1])
        up = up if up[2] < 0 else -up
        self.plane = Plane(along, FOCAL, (WIDTH / 2, HEIGHT / 2))
        self.to_camera = np.column_stack([along, up])

    def solid(self, sides: int, turn: float, place: tuple[float, float]) -> tuple[Floats, list[Floats]]:
        """Pixels of a die's vertices, and those of its faces that the camera sees, the top one first."""
        points, faces = (CUBE, CUBE_FACES) if sides == 4 else (OCTAHEDRON, OCTAHEDRON_FACES)
        if sides == 3:
            points = points @ _standing().T
        c, s = np.cos(turn), np.sin(turn)
        points = points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
        points = points - (0, 0, points[:, 2].max())  # the top faces of all dice lie on one plane
        seen = points @ self.to_camera.T + 50 * np.array([place[0], place[1], 1.0])
        pixels = seen[:, :2] / seen[:, 2:] * FOCAL + (WIDTH / 2, HEIGHT / 2)
        middle = seen.mean(axis=0)
        facing: list[tuple[float, float, Floats]] = []
        for face in faces:
            centre = seen[list(face)].mean(axis=0)
            towards = float(
                (centre - middle) @ -centre / np.linalg.norm(centre - middle) / np.linalg.norm(centre)
            )
            if towards > 0.1:
                facing.append((-points[list(face), 2].min(), -towards, pixels[list(face)]))
        facing.sort(key=lambda one: one[:2])
        return pixels, [clockwise(face.astype(np.float32)).astype(np.float64) for _, _, face in facing]


def _standing() -> Floats:
    """(3, 3) the rotation that puts an octahedron on one of its faces."""
    up = np.ones(3) / 3**0.5
    east = np.array([1, -1, 0]) / 2**0.5
    return np.stack([east, np.cross(up, east), up])


def _box(pixels: Floats) -> Box:
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


CASES = [
    (tilt, towards, turn) for tilt in (20, 35, 45) for towards in (60, 90, 130) for turn in (0.1, 0.7, 1.3)
]


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_top_face_tells_the_box_of_its_die(sides: int, tilt: float, towards: float, turn: float) -> None:
    table = Table(tilt, towards)
    pixels, faces = table.solid(sides, turn, (0.05, -0.03))
    assert np.abs(body_boxes(table.plane, faces[0][None])[0] - _box(pixels)).max() < 0.5
    assert fits(table.plane, faces[:1], [_box(pixels)])[0] > 0.98


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_side_leads_to_the_top_across_their_edge(
    sides: int, tilt: float, towards: float, turn: float
) -> None:
    table = Table(tilt, towards)
    pixels, (top, *others) = table.solid(sides, turn, (0.05, -0.03))
    beside = [side for side in others if _shared_corners(side, top) == 2]
    assert beside
    for side in beside:
        assert fits(table.plane, [side], [_box(pixels)])[0] < 0.7
        found = across_an_edge(table.plane, side, _box(pixels))
        if _area(side) < AS_LARGE * _area(top):
            assert found is None, "nobody takes so small a face for the top"
            continue
        assert found is not None
        face, fit = found
        assert np.abs(clockwise(face.astype(np.float32)) - top).max() < 1
        assert fit > 0.98


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _shared_corners(first: Floats, second: Floats) -> int:
    return int((np.linalg.norm(first[:, None] - second[None], axis=2) < 0.01).sum())


def test_a_box_that_no_die_beside_the_outline_would_fill_leads_nowhere() -> None:
    table = Table(40, 90)
    _, faces = table.solid(3, 0.3, (0.0, 0.0))
    assert across_an_edge(table.plane, faces[1], (0.0, 0.0, 900.0, 900.0)) is None


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards"), [(15, 80), (30, 100), (45, 60)])
def test_bodies_tell_a_plane_from_its_mirror_image(sides: int, tilt: float, towards: float) -> None:
    table = Table(tilt, towards)
    solids = [table.solid(sides, 0.4 * i, (0.1 * i - 0.15, 0.05 * i)) for i in range(4)]
    tops, boxes = [faces[0] for _, faces in solids], [_box(pixels) for pixels, _ in solids]
    for plane in (table.plane, table.plane.mirrored()):
        assert np.allclose(right_way_tilted(plane, tops, boxes).along, table.plane.along)


def _detected(outline: Floats, box: Box) -> tuple[Detection, Seen]:
    """What the networks would tell of a die whose face has this outline."""
    mapping = crop_map(box)
    cells = (((outline - 0.5) @ mapping[:2, :2].T + mapping[:2, 2]) + 0.5) / CELL - 0.5
    mask = np.zeros((CROP // 2, CROP // 2), np.float32)
    cv2.fillConvexPoly(mask, np.round(cells * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)
    seen = Seen(soft, np.zeros_like(mask), mapping, cells.astype(np.float32))
    assert np.abs(to_picture(seen.start, mapping) - outline).max() < 0.1
    return Detection("d6" if len(outline) == 4 else "d8", outline.astype(np.float32), 0.9, box), seen


def test_an_octahedron_read_at_its_side_is_turned_up_among_dice_that_are_read_at_their_tops() -> None:
    table = Table(45, 90)
    places = ((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1), (0.2, 0.08))
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(places)]
    known = [_detected(faces[0], _box(pixels)) for pixels, faces in solids]
    pixels, (top, *others) = table.solid(3, 0.9, (0.0, 0.0))
    side = max((face for face in others if _shared_corners(face, top) == 2), key=_area)
    wrong = _detected(side, _box(pixels))
    found = on_one_plane(
        [*(one for one, _ in known), wrong[0]], [*(seen for _, seen in known), wrong[1]], WIDTH, HEIGHT
    )
    edge = float(np.linalg.norm(top[1] - top[0]))
    assert np.abs(found[-1].corners - top).max() < 0.12 * edge
    assert all(one.fits_box > 0.8 for one in found[:-1])
    alone = on_one_plane([wrong[0]], [wrong[1]], WIDTH, HEIGHT)
    assert np.abs(alone[0].corners - side).max() < 0.12 * edge, "no plane tells: it stays as it was seen"
    assert alone[0].fits_box == 1.0 > STRANGE
