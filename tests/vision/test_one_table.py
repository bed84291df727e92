"""What the common plane tells of single dice: a side taken for the top, a die that leans in the picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.body import STRANGE
from vision.boxes import Box
from vision.crops import CROP, crop_map
from vision.detection import Detection
from vision.one_table import LEANS, SLANTED, Look, on_one_plane
from vision.plane_fit import Seen, to_cells, to_picture

Floats = NDArray[np.float64]
Cells = NDArray[np.float32]

PLACES = ((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1), (0.2, 0.08))


def _mask(outline: Floats, mapping: Floats) -> Cells:
    """What the finder would see of a face with this outline, in a crop."""
    cells = to_cells(outline.astype(np.float32), mapping)
    mask = np.zeros((CROP // 2, CROP // 2), np.float32)
    cv2.fillConvexPoly(mask, np.round(cells * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)


def _detected(outline: Floats, box: Box) -> tuple[Detection, Seen]:
    """What the networks would tell of a die whose face has this outline."""
    mapping = crop_map(box)
    mask = _mask(outline, mapping)
    seen = Seen(mask, np.zeros_like(mask), mapping, to_cells(outline.astype(np.float32), mapping))
    assert np.abs(to_picture(seen.start, mapping) - outline).max() < 0.1
    return Detection("d6" if len(outline) == 4 else "d8", outline.astype(np.float32), 0.9, box), seen


def test_an_octahedron_read_at_its_side_is_turned_up_among_dice_that_are_read_at_their_tops() -> None:
    table = Table(45, 90)
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(PLACES)]
    known = [_detected(faces[0], box_of(pixels)) for pixels, faces in solids]
    pixels, (top, *others) = table.solid(3, 0.9, (0.0, 0.0))
    side = max((face for face in others if _shared_corners(face, top) == 2), key=_area)
    wrong = _detected(side, box_of(pixels))
    found = on_one_plane(
        [*(one for one, _ in known), wrong[0]], [*(seen for _, seen in known), wrong[1]], WIDTH, HEIGHT
    )
    edge = float(np.linalg.norm(top[1] - top[0]))
    assert np.abs(found[-1].corners - top).max() < 0.12 * edge
    assert all(one.fits_box > 0.8 for one in found[:-1])
    alone = on_one_plane([wrong[0]], [wrong[1]], WIDTH, HEIGHT)
    assert np.abs(alone[0].corners - side).max() < 0.12 * edge, "no plane tells: it stays as it was seen"
    assert alone[0].fits_box == 1.0 > STRANGE


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _shared_corners(first: Floats, second: Floats) -> int:
    return int((np.linalg.norm(first[:, None] - second[None], axis=2) < 0.01).sum())


@pytest.mark.parametrize(("tilt", "towards"), [(0, 90), (30, 270), (45, 250), (20, 10)])
@pytest.mark.parametrize("place", [(-0.35, 0.25), (0.3, -0.2), (0.0, 0.1)])
def test_a_plane_tells_which_way_upright_edges_lean(
    tilt: float, towards: float, place: tuple[float, float]
) -> None:
    table = Table(tilt, towards)
    pixels, (top, *_) = table.solid(4, 0.5, place)
    above, below = top.mean(axis=0), 2 * pixels.mean(axis=0) - top.mean(axis=0)
    middle = (above + below) / 2
    turn, slant = table.plane.leaning((float(middle[0]), float(middle[1])))
    if slant < 0.1:
        return
    right, down = below - above
    assert np.degrees(turn) == pytest.approx(np.degrees(np.arctan2(-right, down)), abs=3)
    x, y = crop_map(box_of(pixels), turn=-turn)[:2, :2] @ (below - above)
    assert abs(x) < 0.06 * y, "set upright, the edges point down"


def test_a_die_that_leans_and_is_not_clear_is_seen_set_upright() -> None:
    table = Table(45, 180)  # a camera on its side: everything leans by a quarter
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(PLACES)]
    known = [_detected(faces[0], box_of(pixels)) for pixels, faces in solids]
    pixels, (top, *_) = table.solid(4, 0.3, (0.0, 0.0))
    box = box_of(pixels)
    hull = cv2.convexHull(pixels.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    blurred, unclear = _detected(top, box)
    unclear = Seen(0.5 * _mask(hull, unclear.mapping), unclear.bumps, unclear.mapping, unclear.start)
    asked: list[tuple[Box, float]] = []

    def look(boxes: Sequence[Box], turns: Sequence[float]) -> list[tuple[Cells, Floats]]:
        asked.extend(zip(boxes, turns, strict=True))
        maps = [crop_map(one, turn=turn) for one, turn in zip(boxes, turns, strict=True)]
        masks = [_mask(top, mapping) for mapping in maps]
        return [(np.stack([mask, 0 * mask]), mapping) for mask, mapping in zip(masks, maps, strict=True)]

    def found(look: Look | None) -> Detection:
        dice = [*(one for one, _ in known), blurred]
        return on_one_plane(dice, [*(seen for _, seen in known), unclear], WIDTH, HEIGHT, look)[-1]

    edge = float(np.linalg.norm(top[1] - top[0]))
    assert _off(found(None), top) > 0.1 * edge
    assert _off(found(look), top) < 0.07 * edge
    ((asked_box, turn),) = asked
    assert asked_box == box, "nobody asks about the clear ones"
    expected, slant = table.plane.leaning(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    assert abs(expected) > LEANS
    assert slant > SLANTED
    assert turn == pytest.approx(-expected, abs=0.1), "the plane is found from the dice"


def _off(die: Detection, top: Floats) -> float:
    """Largest distance of a corner, the outline begun at any of them."""
    return min(
        float(np.linalg.norm(np.roll(die.corners, k, axis=0) - top, axis=1).max()) for k in range(len(top))
    )
