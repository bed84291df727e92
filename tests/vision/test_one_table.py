"""What the common plane tells of single dice: a side taken for the top, a die that leans in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.boxes import CROP, Box, crop_map
from vision.common_plane import LEANS, SIDE, SLANTED, Look, on_one_plane
from vision.corners import Seen, clockwise, rough_outlines, to_cells, to_picture
from vision.detection import Detection
from vision.dicesets.shapes import Shape, shape_outlined
from vision.plane import STRANGE, within

Floats = NDArray[np.float64]
Cells = NDArray[np.float32]

Found = tuple[Detection, Seen]

PLACES = ((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1), (0.2, 0.08))


def _mask(outline: Floats, mapping: Floats) -> Cells:
    """What the finder would see of a face with this outline, in a crop."""
    cells = to_cells(outline.astype(np.float32), mapping)
    mask = np.zeros((CROP // 2, CROP // 2), np.float32)
    cv2.fillConvexPoly(mask, np.round(cells * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)


def _detected(outline: Floats, box: Box) -> Found:
    """What the networks would tell of a die whose face has this outline."""
    mapping = crop_map(box)
    mask = _mask(outline, mapping)
    seen = Seen(mask, np.zeros_like(mask), mapping, to_cells(outline.astype(np.float32), mapping))
    assert np.abs(to_picture(seen.start, mapping) - outline).max() < 0.1
    return Detection(Shape.CUBE if len(outline) == 4 else Shape.OCTAHEDRON, outline.astype(np.float32), 0.9, box), seen


def _lying(table: Table, places: Sequence[tuple[float, float]]) -> list[Found]:
    """Cubes at these places, each turned otherwise, and each seen at its top."""
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(places)]
    return [_detected(faces[0], box_of(pixels)) for pixels, faces in solids]


def test_an_octahedron_read_at_its_side_is_turned_up_among_dice_that_are_read_at_their_tops() -> None:
    table = Table(45, 90)
    known = _lying(table, PLACES)
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


@pytest.mark.parametrize("cornered", [True, False])
def test_a_top_that_is_in_no_mask_is_found_by_its_box_and_its_corners(cornered: bool) -> None:
    table = Table(28, 90)
    known = _lying(table, PLACES)
    pixels, (top, *others) = table.solid(4, 0.25, (0.0, 0.0))
    side = max((face for face in others if _shared_corners(face, top) == 2), key=_area)
    wrong, seen = _detected(side, box_of(pixels))
    if cornered:
        seen = replace(seen, bumps=_bumps(top, seen.mapping))
    found = on_one_plane(
        [*(one for one, _ in known), wrong], [*(seen for _, seen in known), seen], WIDTH, HEIGHT
    )
    edge = float(np.linalg.norm(top[1] - top[0]))
    off = np.abs(found[-1].corners - top).max()
    if cornered:
        assert off < 0.12 * edge
        assert found[-1].fits_box > 0.85
    else:
        assert off > 0.3 * edge, "where no corner was seen, a box alone is not believed"
        assert found[-1].fits_box < STRANGE


def _bumps(outline: Floats, mapping: Floats) -> Cells:
    """Corners as the finder sees them: a soft spot on each."""
    spots = np.zeros((CROP // 2, CROP // 2), np.float32)
    for x, y in np.rint(to_cells(outline.astype(np.float32), mapping)).astype(int):
        spots[y, x] = 1.0
    return np.asarray(cv2.GaussianBlur(spots, (0, 0), 1.3) * 2 * np.pi * 1.3**2, np.float32)


@pytest.mark.parametrize("sides", [3, 4])
def test_two_faces_seen_as_one_are_not_shapely(sides: int) -> None:
    pixels, (top, *others) = Table(30, 90).solid(sides, 0.9, (0.0, 0.0))
    one, seen = _detected(top, box_of(pixels))
    (alone,) = on_one_plane([one], [seen], WIDTH, HEIGHT)
    assert alone.shapely > 0.15
    beside = max((face for face in others if _shared_corners(face, top) == 2), key=_area)
    both = np.maximum(seen.mask, _mask(beside, seen.mapping))
    (start,) = rough_outlines(both[None], seen.bumps[None], shape_outlined(sides))
    assert start is not None
    (alone,) = on_one_plane([one], [replace(seen, mask=both, start=start)], WIDTH, HEIGHT)
    if sides == 3:
        assert alone.shapely < 0, "two triangles are a square rather"
    else:
        assert alone.shapely > 0.05, "two squares are a longer square"


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _shared_corners(first: Floats, second: Floats) -> int:
    return int((np.linalg.norm(first[:, None] - second[None], axis=2) < 0.01).sum())


SEEN_FROM_ABOVE = (0, 90, (0.0, 0.1))
"""A die almost straight below the camera: its upright edges are too short to lean."""


@pytest.mark.parametrize(
    ("tilt", "towards", "place"),
    [
        (tilt, towards, place)
        for tilt, towards in ((0, 90), (30, 270), (45, 250), (20, 10))
        for place in ((-0.35, 0.25), (0.3, -0.2), (0.0, 0.1))
        if (tilt, towards, place) != SEEN_FROM_ABOVE
    ],
)
def test_a_plane_tells_which_way_upright_edges_lean(
    tilt: float, towards: float, place: tuple[float, float]
) -> None:
    table = Table(tilt, towards)
    pixels, (top, *_) = table.solid(4, 0.5, place)
    above, below = top.mean(axis=0), 2 * pixels.mean(axis=0) - top.mean(axis=0)
    middle = (above + below) / 2
    turn, slant = table.plane.leaning((float(middle[0]), float(middle[1])))
    assert slant > 0.1, "the edges are seen"
    right, down = below - above
    assert np.degrees(turn) == pytest.approx(np.degrees(np.arctan2(-right, down)), abs=3)
    x, y = crop_map(box_of(pixels), turn=-turn)[:2, :2] @ (below - above)
    assert abs(x) < 0.06 * y, "set upright, the edges point down"


def test_a_die_that_leans_and_is_not_clear_is_seen_set_upright() -> None:
    table = Table(45, 180)  # a camera on its side: everything leans by a quarter
    known = _lying(table, PLACES)
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


def test_strangeness_is_that_of_what_was_seen_and_not_of_what_was_made_of_it() -> None:
    table = Table(40, 270)
    known = _lying(table, PLACES)
    pixels, (top, *_) = table.solid(4, 0.3, (0.0, 0.0))
    middle = top.mean(axis=0)
    stranger = _detected(middle + (top - middle) * (0.6, 1.5), box_of(pixels))
    found = _shown([*known, stranger], [])
    assert all(die.strangeness < 0.05 for die in found[:-1])
    assert found[-1].strangeness > 0.2
    assert table.plane.strangeness([found[-1].corners.astype(np.float64)])[0] < 0.1


def _two_behind_each_other() -> tuple[list[Found], Found, list[Found]]:
    """Dice that lie alone, two that were found as one, and those two, each for itself."""
    table = Table(40, 270)
    known = _lying(table, PLACES)
    pair = [table.solid(4, 0.05, place) for place in ((0.0, 0.0), (0.01, 0.045))]
    parts = [_detected(faces[0], box_of(pixels)) for pixels, faces in pair]
    both = np.concatenate([pixels for pixels, _ in pair])
    one, seen = _detected(_hull(np.concatenate([faces[0] for _, faces in pair])), box_of(both))
    return known, (one, seen), parts


def _hull(points: Floats) -> Floats:
    """(4, 2) the smallest rectangle around points, clockwise."""
    return clockwise(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32)))).astype(np.float64)


def _shown(found: Sequence[Found], doubles: Sequence[Found]) -> list[Detection]:
    dice, seen = [one for one, _ in found], [one for _, one in found]
    return list(on_one_plane(dice, seen, WIDTH, HEIGHT, doubles=doubles))


def test_two_that_were_found_as_one_are_parted_where_each_was_found_too() -> None:
    known, whole, parts = _two_behind_each_other()
    together = _shown([*known, whole], [])
    assert len(together) == 5
    parted = _shown([*known, whole], parts)
    assert [die.box for die in parted] == [*(one.box for one, _ in known), *(one.box for one, _ in parts)]
    edge = float(np.linalg.norm(parts[0][0].corners[1] - parts[0][0].corners[0]))
    assert all(_off(die, one.corners) < 0.1 * edge for die, (one, _) in zip(parted[4:], parts, strict=True))


def test_two_are_not_believed_that_are_hardly_dice_or_of_another_size() -> None:
    known, whole, parts = _two_behind_each_other()
    faint = [(replace(one, verified=0.5), seen) for one, seen in parts]
    assert len(_shown([*known, whole], faint)) == 5
    assert len(_shown([*known, whole], parts[:1])) == 5
    large = [_detected(_three_times(one.corners), _grown(one.box)) for one, _ in known]
    assert len(_shown([*large, whole], parts)) == 5


def _three_times(corners: Cells) -> Floats:
    middle = corners.mean(axis=0).astype(np.float64)
    return middle + 3 * (corners - middle)


def _grown(box: Box) -> Box:
    (x, y), half = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), 1.5 * (box[2] - box[0])
    return x - half, y - half, x + half, y + half


def test_a_die_that_is_clear_stays_one_whatever_was_found_in_it() -> None:
    table = Table(40, 270)
    known = _lying(table, PLACES)
    _, faces = table.solid(4, 0.4, PLACES[0])
    sides = [_detected(face, box_of(face)) for face in faces]
    assert len(_shown(known, sides)) == len(known)


def _off(die: Detection, top: Floats) -> float:
    """Largest distance of a corner, the outline begun at any of them."""
    return min(
        float(np.linalg.norm(np.roll(die.corners, k, axis=0) - top, axis=1).max()) for k in range(len(top))
    )


@pytest.mark.parametrize("sides", [3, 4])
def test_a_side_of_a_surer_die_is_no_die(sides: int) -> None:
    table = Table(45, 90)
    dice: list[Found] = []
    for i, place in enumerate(PLACES):
        pixels, (top, *others) = table.solid(sides, 0.4 + i, place)
        dice.append(_detected(top, box_of(pixels)))
    side, seen = _detected(
        max((f for f in others if _shared_corners(f, top) == 2), key=_area), box_of(pixels)
    )
    for score, verified, left in ((0.5, 0.6, 4), (0.95, 0.6, 5), (0.5, 1.0, 5)):
        every = [*dice, (replace(side, score=score, verified=verified), seen)]
        found = _shown(every, [])
        assert len(found) == left, "what is surer stays, and what is clearly a die"


def test_a_die_before_another_one_stays() -> None:
    table = Table(45, 90)
    dice = _lying(table, [*PLACES, (0.0, 0.0), (0.0, 0.045)])
    before, behind = (one.corners.astype(np.float64) for one, _ in dice[-2:])
    assert 0.3 < within(table.plane, before, behind) < SIDE, "much of its top hides the other's body"
    for fainter in (4, 5):
        every = [
            (replace(one, score=0.5, verified=0.6) if i == fainter else one, seen)
            for i, (one, seen) in enumerate(dice)
        ]
        assert len(_shown(every, [])) == 6
