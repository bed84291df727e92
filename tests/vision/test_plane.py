"""The plane that dice lie on: found from their faces, faces fitted on it, and what it tells of each die. Held against
solids made another way (`tests.vision.seen_solids`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.bodies import (
    AS_LARGE,
    LEAST_SEEN,
    STRANGE,
    across_an_edge,
    apart,
    bodies,
    boxes_around,
    faces_beside,
    facets_of,
    fits,
    right_way_tilted,
    sound_plane,
    tops_filling,
    within,
)  # fmt: skip
from vision.boxes import CROP, Box, crop_map, intersection_over_union
from vision.confidence import SIZES_VARY
from vision.corners import Agreement, clockwise, fit_on_plane, rough_outlines, to_cells, to_picture
from vision.detect.lay import lay, sized
from vision.detect.likely_planes import SIZES_DIFFER, agreeing, likeliest, likely_planes
from vision.detect.outline import without_doubles
from vision.detect.search import Examined, Search
from vision.detect.second_looks import LEANS, SEEN_WELL, SLANTED, centred, parted, upright
from vision.detect.tops import LIE_SO, LIKELY, SIDE, doubtful, filling, sides, top
from vision.detect.turned import TURNS, turned
from vision.detection import A_TOP, Detection
from vision.dicesets.shapes import SHAPES, Shape, shape_outlined
from vision.frame import Pixels
from vision.plane import LEAST_DICE, Plane, find_plane
from vision.pyramid import Pyramid

Floats = NDArray[np.float64]
Cells = NDArray[np.float32]
PLACES = ((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1), (0.2, 0.08))


def _faces(plane: Plane, centres: Floats, sizes: Floats, angles: Floats, sides: int) -> Floats:
    """Corners (M, sides, 2) in pixels, clockwise, of M regular polygons on a plane: of middles (M, 2), of radii (M,) as
    untilted ones have there, and of the angles (M,) of their first corners within the plane."""
    ring = angles[:, None] + np.arange(sides) * (2 * np.pi / sides)
    rays = np.column_stack([(centres - plane.middle) / plane.focal, np.ones(len(centres))])
    radii = sizes / plane.focal / (rays @ plane.down)
    around = np.stack([np.cos(ring), np.sin(ring)], axis=-1) * radii[:, None, None]
    return plane.seen(plane.flat(centres)[:, None] + around)


def _thrown(plane: Plane, count: int, seed: int, sides: int = 4) -> list[Floats]:
    rng = np.random.default_rng(seed)
    centres = rng.uniform((100, 100), (WIDTH - 100, HEIGHT - 100), (count, 2))
    return list(_faces(plane, centres, np.full(count, 30.0), rng.uniform(0, 6, count), sides))


def test_an_untilted_plane_shows_regular_faces() -> None:
    (face,) = _faces(Table(0, 0).plane, np.array([[640.0, 480.0]]), np.array([20.0]), np.zeros(1), 4)
    assert face == pytest.approx(np.array([[660, 480], [640, 500], [620, 480], [640, 460]]))


@settings(max_examples=40, deadline=None)
@given(
    tilt=st.floats(0, 55), towards=st.floats(0, 360), seed=st.integers(0, 999), sides=st.sampled_from([3, 4])
)
@example(tilt=51.0, towards=53.0, seed=454, sides=4)
def test_faces_tell_their_plane(tilt: float, towards: float, seed: int, sides: int) -> None:
    plane = Table(tilt, towards).plane
    found = find_plane(_thrown(plane, 6, seed, sides), [1.0] * 6, WIDTH, HEIGHT)
    assert found is not None
    others = _thrown(plane, 20, seed + 1, sides)
    assert np.median(found.strangeness(others)) < 0.1, "a stranger's is above 0.2"


def test_a_stranger_is_outvoted_and_known_as_one() -> None:
    plane, side = Table(30, 90).plane, Table(60, 0).plane
    stranger = _thrown(side, 1, 5)[0]
    found = find_plane([*_thrown(plane, 5, 1), stranger], [1.0] * 6, WIDTH, HEIGHT)
    assert found is not None
    assert max(found.strangeness(_thrown(plane, 5, 1))) < 0.05
    assert found.strangeness([stranger])[0] > 0.2


def test_too_few_faces_agree_on_nothing() -> None:
    assert find_plane(_thrown(Table(20, 0).plane, LEAST_DICE - 1, 3), [1.0] * 2, WIDTH, HEIGHT) is None
    rng = np.random.default_rng(0)
    jumble = [rng.uniform(0, 60, (4, 2)) + rng.uniform(100, 800, 2) for _ in range(8)]
    hulls = [cv2.convexHull(face.astype(np.float32)).reshape(-1, 2).astype(np.float64) for face in jumble]
    assert find_plane([h for h in hulls if len(h) in (3, 4)], [1.0] * 8, WIDTH, HEIGHT) is None


def _mask(outline: Floats, crop: Floats) -> Cells:
    """What the finder would see of a face with this outline, in a crop, on cells of two crop pixels."""
    fine = np.zeros((CROP * 4, CROP * 4), np.uint8)
    inside = (outline - 0.5) @ crop[:2, :2].T + crop[:2, 2]
    cv2.fillPoly(fine, [np.rint(((inside + 0.5) * 4 - 0.5) * 16).astype(np.int32)], 255, shift=4)
    return (cv2.resize(fine, (CROP // 2, CROP // 2), interpolation=cv2.INTER_AREA) / 255).astype(np.float32)


def _detected(
    outline: Floats, whole: Floats, mask: Cells | None = None, turn: float = 0.0, box: Box | None = None
) -> Detection:
    """What the networks would tell of a die whose face has this outline, or whose crop shows a `mask`; all its corners
    are `whole`, and the detector's box, if it is no other, is around them."""
    boxed = box_of(whole) if box is None else box
    crop = crop_map(boxed, turn=turn)
    shown = _mask(outline, crop) if mask is None else mask
    seen = np.stack([shown, 0 * shown, _mask(_hull(whole), crop)])
    return Detection(shape_outlined(len(outline)), outline.astype(np.float32), 0.9, boxed, seen, crop)


def _hull(points: Floats) -> Floats:
    return cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)


def _begun(die: Detection) -> Detection:
    """The same, begun at the rough outline of its mask."""
    (cells,) = rough_outlines(die.seen[None], die.shape)
    assert cells is not None
    return replace(die, corners=to_picture(cells, die.crop))


def _error(found: Cells, true: Floats) -> float:
    """Mean distance of corners in sides, the outline begun at any of them."""
    side = float(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean())
    turned = (np.roll(found, k, axis=0) - true for k in range(len(true)))
    return min(float(np.linalg.norm(off, axis=1).mean()) for off in turned) / side


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_a_known_plane_holds_a_ragged_face_in_shape(sides: int, ragged: bool, turn: float) -> None:
    plane = Table(35, 80).plane
    faces, dice = [_thrown(plane, 1, seed, sides)[0] for seed in range(12)], list[Detection]()
    for face in faces:
        (whole,) = bodies(plane, face[None])
        stain = np.array([face[0], face[1], face[1] + (6.0, 14.0), face[0] + (6.0, 14.0)])
        crop = crop_map(box_of(whole), turn=turn)
        mask = np.maximum(_mask(face, crop), _mask(stain, crop) if ragged else 0)
        dice.append(_begun(_detected(face, whole, mask, turn)))
    fitted = fit_on_plane(dice, plane)
    off = [_error(one.corners, face) for one, face in zip(fitted, faces, strict=True)]
    assert np.median(off) < (0.12 if ragged and sides == 4 else 0.02), "its body keeps an octahedron from being ragged"
    assert min(one.overlap for one in fitted) > {(4, False): 0.9, (4, True): 0.6, (3, False): 0.88, (3, True): 0.5}[
        sides, ragged
    ], "an octahedron's body has a say, too, and takes no stain for a part of it"
    (alone,) = fit_on_plane(dice[:1], plane)
    assert fitted[0].corners == pytest.approx(alone.corners, abs=1e-3), "a face is laid the same beside others"
    assert fit_on_plane([], plane) == []


CASES = [
    (tilt, towards, turn) for tilt, turn in ((20, 0.1), (35, 0.7), (45, 1.3)) for towards in (60, 90, 130)
]


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_top_face_tells_the_box_of_its_die(sides: int, tilt: float, towards: float, turn: float) -> None:
    table = Table(tilt, towards)
    pixels, (face, *others) = table.solid(sides, turn, (0.05, -0.03))
    box = box_of(pixels)
    assert np.abs(np.subtract(box_of(bodies(table.plane, face[None])[0]), box)).max() < 0.5
    assert fits(table.plane, [face], [box])[0] > 0.98
    neighbours = [side for side in others if _beside(side, face)]
    assert max(fits(table.plane, neighbours, [box] * len(neighbours))) < 0.7
    for side in neighbours:
        found = across_an_edge(table.plane, side, box)
        if _area(side) < AS_LARGE * _area(face):
            assert found is None, "nobody takes so small a face for the top"
            continue
        assert found is not None
        assert np.abs(clockwise(found[0].astype(np.float32)) - face).max() < 1
        assert found[1] > 0.98
        assert across_an_edge(table.plane, side, (0.0, 0.0, 900.0, 900.0)) is None, (
            "nothing fills so large a box"
        )


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_top_face_tells_the_faces_beside_it_that_are_seen(
    sides: int, tilt: float, towards: float, turn: float
) -> None:
    table = Table(tilt, towards)
    _, (face, *others) = table.solid(sides, turn, (0.05, -0.03))
    found = {_area(side): clockwise(side.astype(np.float32)) for side in faces_beside(table.plane, face)}
    large = [side for side in others if _beside(side, face) and _area(side) >= LEAST_SEEN * _area(face)]
    assert len(found) == len(large) > 0
    for side in large:
        assert found[min(found, key=lambda area: abs(area - _area(side)))] == pytest.approx(side, abs=0.5)
    for side in faces_beside(table.plane, face):
        assert cv2.contourArea(side.astype(np.float32), oriented=True) > 0, "clockwise, not as in a mirror"


def test_a_plane_is_sound_if_bodies_fill_their_boxes() -> None:
    table = Table(35, 90)
    dice = _lying(table, PLACES)
    tops, boxes = [one.corners.astype(np.float64) for one in dice], [one.box for one in dice]
    found = sound_plane(tops, boxes, [1.0] * len(dice), WIDTH, HEIGHT)
    assert found is not None
    assert np.dot(found.down, table.plane.down) > 0.99
    small = [box_of(top) for top in tops]
    assert sound_plane(tops, [(x0, y0, x0 + 9, y0 + 9) for x0, y0, _, _ in small], [1.0] * 4, WIDTH, HEIGHT) is None
    assert sound_plane(tops[:2], boxes[:2], [1.0] * 2, WIDTH, HEIGHT) is None


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards"), [(15, 80), (30, 100), (45, 60)])
def test_bodies_tell_a_plane_from_its_mirror_image(sides: int, tilt: float, towards: float) -> None:
    table = Table(tilt, towards)
    solids = [table.solid(sides, 0.4 * i, (0.1 * i - 0.15, 0.05 * i)) for i in range(4)]
    tops, boxes = [faces[0] for _, faces in solids], [box_of(pixels) for pixels, _ in solids]
    for plane in (table.plane, table.plane.mirrored()):
        assert np.allclose(right_way_tilted(plane, tops, boxes).along, table.plane.along)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_outline_of_a_die_runs_once_around_its_corners(shape: Shape) -> None:
    facets = facets_of(shape)
    for tilt, towards, turn in product((0, 30, 55), (10, 130, 250), (0.0, 0.5, 1.0)):
        table = Table(tilt, towards)
        _, (top, *_) = table.solid(shape.corners, turn, (0.1, 0.05))
        corners = bodies(table.plane, top[None])[0].astype(np.float32)
        seen = sum(
            1 << i
            for i, face in enumerate(facets.faces)
            if cv2.contourArea(np.ascontiguousarray(corners[face]), oriented=True) > 0
        )
        edges = [(a, b) for a, b in facets.outlines[seen].tolist() if a != b]
        hull = cv2.convexHull(corners, clockwise=False, returnPoints=False).ravel().tolist()
        assert sorted(edges) == sorted(pairwise([*hull, hull[0]])), "clockwise in the picture: OpenCV takes y for up"


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("tilt", [0, 30, 55])
def test_a_whole_die_covers_what_lies_within_the_hull_of_its_corners(sides: int, tilt: float) -> None:
    table = Table(tilt, 200)
    for number in range(6):
        pixels, (face, *_) = table.solid(sides, 0.3 * number, (0.1, 0.05))
        die = _detected(face, pixels)
        (laid,) = fit_on_plane([die], table.plane)
        assert laid.fills > 0.93, "its mask has soft edges"
        agreement, facets = Agreement(die.seen[None]), facets_of(die.shape)
        cells = to_cells(bodies(table.plane, face[None])[0], die.crop)
        x, y = cells.T[:, None, None]
        gained, covered = agreement.of_bodies(x, y, facets)
        hull = float(cv2.contourArea(cv2.convexHull(cells)))
        assert covered[0, 0] == pytest.approx(hull, rel=0.01)
        assert gained[0, 0] == pytest.approx(hull / 2, rel=0.06), "a cell of its mask is worth a half"
        assert agreement.filled(x + 8, y, facets)[0, 0] < 0.7


def test_two_dice_that_touch_are_two_however_they_are_outlined() -> None:
    table = Table(30, 90)
    (first, (top, *_)), (second, _) = (table.solid(3, 0.3, place) for place in ((0.0, 0.0), (0.04, 0.0)))
    one, other = _detected(top, first), replace(_detected(top, second), score=0.8)
    assert without_doubles([one, other]) == [one, other], "one face is outlined in both boxes, and they are two bodies"
    assert without_doubles([one, replace(_detected(top, first), score=0.8)]) == [one]


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _beside(side: Floats, top: Floats) -> bool:
    """Whether a face shares an edge with the top."""
    return int((np.linalg.norm(side[:, None] - top[None], axis=2) < 0.01).sum()) == 2


def _largest_side(top: Floats, others: Sequence[Floats]) -> Floats:
    """Of a die's other faces the one beside the top that looks largest."""
    return max((face for face in others if _beside(face, top)), key=_area)


def _lying(table: Table, places: Sequence[tuple[float, float]]) -> list[Detection]:
    """Cubes at these places, each turned otherwise, and each seen at its top."""
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(places)]
    return [_detected(faces[0], pixels) for pixels, faces in solids]


class _Finder:
    """Sees one face, and the die below it, wherever its crop was cut from a picture of these alone: the face is white,
    the die red."""

    def __init__(self) -> None:
        self.crops: list[Pixels] = []

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[Any]:
        self.crops += list(input_feed["crops"])
        half = (CROP // 2, CROP // 2)
        seen = [cv2.resize(crop, half, interpolation=cv2.INTER_AREA) / 255 for crop in input_feed["crops"]]
        planes = [np.stack([one[..., 0], 0 * one[..., 0], one[..., 2]]) for one in seen]
        return [np.stack(planes).astype(np.float32), np.zeros((len(seen), 3))]

    def get_inputs(self) -> Sequence[Any]:
        return ()

    def get_modelmeta(self) -> Any:
        return None


def _search(
    dice: Sequence[Detection], white: Sequence[Floats] = (), finder: _Finder | None = None, table: Plane | None = None
) -> Search:  # fmt: skip
    """A picture with these dice, laid on their plane, or that of the `table`; some faces are `white` in it."""
    pixels, finder = np.zeros((HEIGHT, WIDTH, 3), np.uint8), finder or _Finder()
    for one in dice:
        body = cv2.resize(one.seen[2], (CROP, CROP), interpolation=cv2.INTER_LINEAR)
        there = cv2.warpPerspective(body, np.linalg.inv(one.crop), (WIDTH, HEIGHT)) * 255
        pixels[..., 2] = np.maximum(pixels[..., 2], there.astype(np.uint8))
    for face in white:
        cv2.fillConvexPoly(pixels, np.rint((face - 0.5) * 16).astype(np.int32), (255, 255, 255), shift=4)
    search = Search(Pyramid(pixels), (), SHAPES, finder, finder, table, dice=list(dice))
    lay(search)
    return search


@pytest.mark.parametrize(("tilt", "large"), [(45, True), (25, False)])
def test_an_octahedron_read_at_its_side_is_turned_up_among_dice_that_are_read_at_their_tops(
    tilt: float, large: bool
) -> None:
    table = Table(tilt, 90)
    pixels, (face, *others) = table.solid(3, 0.9, (0.0, 0.0))
    side = _largest_side(face, others)
    assert (_area(side) > 0.8 * _area(face)) == large
    wrong = _detected(side, pixels)
    search = _search([*_lying(table, PLACES), wrong])
    assert search.dice[-1].fits_box < STRANGE
    top(search)
    assert _error(search.dice[-1].corners, face) < 0.1
    assert all(one.fits_box > 0.8 for one in search.dice)
    assert search.dice[-1].overlap > 0.8, "what was seen is a side that it has"
    alone = _search([wrong])
    top(alone)
    assert _error(alone.dice[0].corners, side) < 0.1, "no plane tells: it stays as it was seen"


def test_no_top_is_laid_beside_what_is_no_side_of_such_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(45, 90)
    pixels, (face, *others) = table.solid(3, 0.9, (0.0, 0.0))
    wrong = _detected(_largest_side(face, others), pixels)
    search = _search([*_lying(table, PLACES), wrong])
    seen = search.dice[-1]
    monkeypatch.setattr("vision.detect.tops.faces_beside", lambda *_: [face])  # where nothing was seen
    top(search)
    assert search.dice[-1] is seen


@pytest.mark.parametrize("sides", [3, 4])
def test_two_faces_seen_as_one_are_not_shapely(sides: int) -> None:
    pixels, (top, *others) = Table(30, 90).solid(sides, 0.9, (0.0, 0.0))
    one = _detected(top, pixels)
    (alone,) = _search([one]).dice
    assert alone.shapely > 0.15
    assert alone.fits_box == 1.0, "no plane tells"
    beside = _largest_side(top, others)
    (alone,) = _search(
        [_begun(_detected(top, pixels, np.maximum(one.seen[0], _mask(beside, one.crop))))]
    ).dice
    if sides == 3:
        assert alone.shapely < 0, "two triangles are a square rather"
    else:
        assert alone.shapely > 0.05, "two squares are a longer square"


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
    pixels, (top, *_) = table.solid(4, 0.3, (0.0, 0.0))
    box, finder = box_of(pixels), _Finder()
    unclear = _detected(top, pixels, 0.5 * _mask(_hull(pixels), crop_map(box)))
    search = _search([*_lying(table, PLACES), unclear], [top], finder)
    assert _error(search.dice[-1].corners, top) > 0.08
    assert finder.crops == []
    upright(search)
    assert _error(search.dice[-1].corners, top) < 0.06
    assert len(finder.crops) == 1, "nobody looks again at the clear ones"
    expected, slant = table.plane.leaning(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    assert abs(expected) > LEANS
    assert slant > SLANTED
    assert np.allclose(search.dice[-1].crop, crop_map(box, turn=-expected), rtol=0.1), (
        "the dice tell the plane"
    )


@pytest.mark.parametrize("towards", [90, 200, 270])
def test_octahedra_outlined_at_their_sides_are_seen_turned_and_laid_on_the_plane_of_their_tops(towards: float) -> None:
    table, finder = Table(40, towards), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    tops = [faces[0] for _, faces in solids]
    beside = [_largest_side(faces[0], faces[1:]) for _, faces in solids]
    wrong = [_detected(side, pixels) for side, (pixels, _) in zip(beside, solids, strict=True)]
    search = _search(wrong, tops, finder)
    turned(search)
    assert len(finder.crops) == (TURNS - 1) * len(wrong)
    assert search.plane is not None
    assert np.degrees(np.arccos(np.dot(search.plane.down, table.plane.down))) < 5
    for one, face in zip(search.dice, tops, strict=True):
        assert _error(one.corners, face) < 0.06
        assert one.fits_box > 0.8


def test_dice_speak_together_for_a_plane_on_which_they_are_equally_large() -> None:
    worths, heights = np.array([0.8, 0.7, 0.6, 0.5]), np.full(4, 0.05)
    assert agreeing(worths, heights) == pytest.approx(worths.sum())
    assert agreeing(worths, heights * (1, 1, 1, np.exp(SIZES_DIFFER))) == pytest.approx(2.1 + 0.5 / 2)
    assert agreeing(worths, heights * (1, 1, 1, 10)) == pytest.approx(2.1, abs=0.01), "a stranger is no yardstick"
    both = agreeing(np.stack([worths, worths]), np.stack([heights, heights * (1, 2, 4, 8)]))
    assert both[0] > both[1], "each row is a plane"


@pytest.mark.parametrize("turn", [0.3, 1.0, 1.9])
@pytest.mark.parametrize(("tilt", "towards"), [(40, 0), (35, 135), (45, 250)])
def test_sizes_tell_the_table_from_the_plane_of_sides_that_lean_alike(turn: float, tilt: float, towards: float) -> None:
    table = Table(tilt, towards)
    places = [(-0.35, -0.25), (0.3, -0.25), (0.0, 0.0), (-0.3, 0.25), (0.35, 0.25)]
    solids = [table.solid(3, turn, place) for place in places]
    outlined = [[_largest_side(faces[0], faces[1:])] for _, faces in solids]
    boxes = [box_of(pixels) for pixels, _ in solids]
    (plane, _), *_ = likely_planes(outlined, boxes, [1.0] * len(places), WIDTH, HEIGHT)
    assert np.degrees(np.arccos(np.dot(plane.down, table.plane.down))) < 10


def test_outlines_of_a_die_are_ranked_by_how_much_they_support_a_plane() -> None:
    table = Table(30, 80)
    solids = [table.solid(3, 0.3, place) for place in PLACES]
    outlines = [[top * (1.6, 0.6), _largest_side(top, sides), top] for _, (top, *sides) in solids]
    boxes = [box_of(pixels) for pixels, _ in solids]
    ranked = likeliest(table.plane, [*outlines, outlines[0][2:]], [*boxes, boxes[0]])
    assert ranked == [[2, 1, 0]] * len(PLACES) + [[0]]


@pytest.mark.parametrize("tilt", [5, 40])
def test_a_die_differs_in_size_from_what_the_others_usually_are(tilt: float) -> None:
    table, places = Table(tilt, 80), (*PLACES, (0.0, 0.0), (-0.02, 0.15))
    shown = [table.solid(3 if i == 5 else 4, i, place) for i, place in enumerate(places)]
    dice = [_detected(faces[0], whole) for whole, faces in shown]
    small = dice[0].corners.mean(axis=0) + (dice[0].corners - dice[0].corners.mean(axis=0)) / 2
    compared = sized([replace(dice[0], corners=small), *dice[1:]], table.plane)
    assert compared[0].odd_size == pytest.approx(np.log(2), abs=0.05)
    assert max(one.odd_size for one in compared[1:5]) < 0.05
    assert compared[5].odd_size < SIZES_VARY[0]
    assert {one.odd_size for one in sized(dice[:2], table.plane)} == {0.0}


@pytest.mark.parametrize("odd", [0.3, 0.8])
def test_what_is_hardly_a_die_says_nothing_of_how_large_dice_are(odd: float) -> None:
    table = Table(30, 80)
    dice = [_detected(faces[0], whole) for whole, faces in (table.solid(4, i, place) for i, place in enumerate(PLACES))]
    grown = [one.corners.mean(axis=0) + (one.corners - one.corners.mean(axis=0)) * np.exp(odd) for one in dice[:3]]
    hardly = [replace(one, corners=corners, die=0.01) for one, corners in zip(dice, grown, strict=False)]
    compared = sized([*hardly, *dice], table.plane)
    assert max(one.odd_size for one in compared[3:]) < 0.05
    assert min(one.odd_size for one in compared[:3]) > odd - 0.05


@pytest.mark.parametrize("off", [-15, 12])
def test_dice_that_lie_badly_on_every_plane_settle(monkeypatch: pytest.MonkeyPatch, off: float) -> None:
    table, finder = Table(40, 90), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    tops = [faces[0] for _, faces in solids]
    wrong = [
        _detected(_largest_side(faces[0], faces[1:]), pixels) for pixels, faces in solids
    ]
    search = _search(wrong, tops, finder)
    likely = [(Table(40 + off, 90).plane, [0] * len(wrong))]  # a plane that is not theirs, and the sides
    monkeypatch.setattr("vision.detect.turned.likely_planes", lambda *_: likely)
    turned(search)
    assert search.plane is not None
    assert np.degrees(np.arccos(np.dot(search.plane.down, table.plane.down))) < 5
    for one, face in zip(search.dice, tops, strict=True):
        assert _error(one.corners, face) < 0.06


@pytest.mark.parametrize("tops", [0, 3])
@pytest.mark.parametrize("towards", [20, 200])
def test_bright_sides_that_are_outlined_at_every_turn_speak_for_the_plane_on_which_they_are_sides(
    towards: float, tops: int
) -> None:
    table, finder = Table(45, towards), _Finder()
    places = (*PLACES, (0.02, -0.02), (-0.02, 0.2))
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(places)]
    bright = [faces[0] if i < tops else _largest_side(faces[0], faces[1:]) for i, (_, faces) in enumerate(solids)]
    seen = [_detected(face, pixels) for face, (pixels, _) in zip(bright, solids, strict=True)]
    search = _search(seen, bright, finder)
    turned(search)
    top(search)
    assert search.plane is not None
    assert np.degrees(np.arccos(np.dot(search.plane.down, table.plane.down))) < 5
    for one, (_, faces) in zip(search.dice, solids, strict=True):
        assert _error(one.corners, faces[0]) < 0.1
        assert one.strangeness < 0.05, "a side is no stranger, though it does not lie on the plane"


def _outlined_at_sides(*, known: bool = False) -> Search:
    """Octahedra that are each outlined at a side; their tops are white in the picture. `known`: how the table lies."""
    table = Table(40, 200)
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    wrong = [_detected(faces[1], pixels) for pixels, faces in solids]
    return _search(wrong, [faces[0] for _, faces in solids], table=table.plane if known else None)


@pytest.mark.parametrize(("share", "known", "ambiguous"), [(0.0, False, True), (0.0, True, False), (1.0, False, False)])
def test_dice_are_ambiguous_where_a_plane_tilted_otherwise_is_as_likely_and_nobody_knows_the_tables(
    monkeypatch: pytest.MonkeyPatch, share: float, known: bool, ambiguous: bool
) -> None:
    monkeypatch.setattr("vision.detect.turned.AS_LIKELY", share)
    search = _outlined_at_sides(known=known)
    turned(search)
    assert [one.ambiguous for one in search.dice] == [ambiguous] * len(PLACES)


@pytest.mark.parametrize(("well", "with_sides", "ambiguous"), [(9.0, 0.0, True), (0.0, 0.0, False), (9.0, 9.0, False)])
def test_where_dice_say_little_for_a_plane_another_is_asked_about_on_which_their_sides_were_outlined(
    monkeypatch: pytest.MonkeyPatch, well: float, with_sides: float, ambiguous: bool
) -> None:
    for name, share in (("AS_LIKELY", 1.0), ("WELL", well), ("WITH_SIDES", with_sides)):
        monkeypatch.setattr(f"vision.detect.turned.{name}", share)
    search = _outlined_at_sides()
    turned(search)
    assert [one.ambiguous for one in search.dice] == [ambiguous] * len(PLACES)


@pytest.mark.parametrize(("well", "again"), [(0.7, False), (2.0, True)])
def test_octahedra_that_lie_flat_but_say_little_for_their_plane_are_seen_turned(
    monkeypatch: pytest.MonkeyPatch, well: float, again: bool
) -> None:
    monkeypatch.setattr("vision.detect.turned.WELL", well)
    table, finder = Table(40, 200), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    seen = [_detected(faces[0], pixels) for pixels, faces in solids]
    search = _search(seen, [faces[0] for _, faces in solids], finder)
    turned(search)
    assert bool(finder.crops) == again
    assert search.plane is not None


@pytest.mark.parametrize("faint", [0.3, 0.5])
@pytest.mark.parametrize("known", [True, False])
def test_an_octahedron_is_seen_turned_rather_than_asked_about(known: bool, faint: float) -> None:
    table, finder = Table(40, 200), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate((*PLACES, (0.02, -0.02)))]
    (pixels, (top, *_)), *others = solids
    seen = [_detected(faces[0], pixels) for pixels, faces in others]
    hardly = replace(_detected(top, pixels, faint * _mask(top, crop_map(box_of(pixels)))), verified=0.9, die=0.9)
    search = _search([*seen, hardly], [top], finder, table.plane if known else None)
    turned(search)
    doubted = faint < A_TOP
    assert len(finder.crops) == (TURNS - 1) * doubted, "nobody looks again at the others"
    assert search.plane is not None
    assert (search.dice[-1].as_top > 2 * A_TOP) is doubted
    assert _error(search.dice[-1].corners, top) < 0.06


@pytest.mark.parametrize("towards", [90, 200, 270])
@pytest.mark.parametrize("count", [1, 2])
def test_one_octahedron_or_two_are_laid_as_the_dice_before_them_lay(towards: float, count: int) -> None:
    table, finder = Table(40, towards), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES[:count])]
    tops = [faces[0] for _, faces in solids]
    wrong = [_detected(_largest_side(top, sides), pixels) for pixels, (top, *sides) in solids]
    unknown, search = (_search(wrong, tops, finder, plane) for plane in (None, table.plane))
    turned(unknown)
    assert finder.crops == []
    assert all(one.fits_box == 1.0 for one in unknown.dice), "no plane tells"
    turned(search)
    for one, top_face in zip(search.dice, tops, strict=True):
        assert _error(one.corners, top_face) < 0.06
        assert one.fits_box > 0.8


def test_many_octahedra_lie_as_the_dice_before_them_where_most_of_them_can() -> None:
    table, finder = Table(40, 200), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate((*PLACES, (0.02, -0.02)))]
    tops = [faces[0] for _, faces in solids]
    seen = [_detected(face, pixels) for face, (pixels, _) in zip(tops, solids, strict=True)]
    seen[0] = _detected(_largest_side(tops[0], solids[0][1][1:]), solids[0][0])
    search = _search(seen, tops[1:], finder, table.plane)
    turned(search)
    assert search.plane is not None
    assert np.degrees(np.arccos(np.dot(search.plane.down, table.plane.down))) < 3
    assert not any(one.ambiguous for one in search.dice)
    for one, face in list(zip(search.dice, tops, strict=True))[1:]:
        assert _error(one.corners, face) < 0.06


@pytest.mark.parametrize("tilt", [15, 40])
@pytest.mark.parametrize("corners", [3, 4])
def test_a_box_and_a_plane_tell_a_top_but_for_its_turn(corners: int, tilt: float) -> None:
    table = Table(tilt, 200)
    pixels, (face, *_) = table.solid(corners, 0.9, (0.1, 0.05))
    tops, filled = zip(*tops_filling(table.plane, box_of(pixels), corners), strict=True)
    errors = [_error(clockwise(one.astype(np.float32)), face) for one in tops]
    assert min(errors) < 0.08, "one of 24 turns is nearly its own"
    assert filled[int(np.argmin(errors))] > 0.93
    around = [box_of(body) for body in bodies(table.plane, np.stack(tops))]
    assert [intersection_over_union(one, box_of(pixels)) for one in around] == pytest.approx(filled, abs=1e-3)


@pytest.mark.parametrize(("corners", "overlap", "kept"), [(3, 0.6, True), (4, 0.6, False), (4, 0.3, True)])
def test_a_die_that_was_seen_badly_keeps_the_outlines_its_top_may_have(
    corners: int, overlap: float, kept: bool
) -> None:
    table = Table(30, 200)
    solids = [table.solid(corners, 0.7 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    search = _search(dice)
    off = np.roll(search.dice[0].corners, 1, axis=0) + 9
    search.dice[0] = replace(search.dice[0], corners=off, overlap=overlap, strangeness=0.3)
    filling(search)
    seen_badly, *others = search.dice
    assert not any(one.others for one in others)
    assert bool(seen_badly.others) == kept, "a cube only where people are asked"
    if kept:
        best = min(seen_badly.others, key=lambda one: _error(one.corners, solids[0][1][0]))
        assert _error(best.corners, solids[0][1][0]) < 0.1
        assert best.strangeness == 0.0
        assert best.fits_box > 0.9
        assert best.overlap > 0.7, "it outlines what was seen"


@pytest.mark.parametrize("behind", [True, False])
def test_a_box_around_two_dice_gives_way_to_those_around_each(behind: bool) -> None:
    table = Table(35, 90)
    solids = [table.solid(4, 0.3, place) for place in (*PLACES, (0.0, 0.0), (0.0, 0.08))]
    tops, around = [faces[0] for _, faces in solids], [box_of(pixels) for pixels, _ in solids]
    (x0, y0, x1, y1), (u0, v0, u1, v1) = around[-2:]
    both = min(x0, u0), min(y0, v0), max(x1, u1), max(y1, v1)
    between = (tops[-2] + tops[-1]) / 2
    dice = [_detected(faces[0], pixels) for pixels, faces in solids[:-2]]
    two = np.concatenate([solids[-2][0], solids[-1][0]])
    search = _search([*dice, _detected(between, two, _mask(tops[-2], crop_map(both)))], tops[-2:])
    assert search.dice[-1].as_top < SEEN_WELL
    search.boxes = [(both, 0.9), (around[-2], 0.8), *([(around[-1], 0.8)] if behind else [])]
    parted(search)
    if behind:
        assert len(search.dice) == len(solids)
        assert {one.box for one in search.dice} == set(around)
        assert all(one.as_top > SEEN_WELL for one in search.dice)
    else:
        assert search.dice[-1].box == both, "one die that is seen better may be the other's side"


@pytest.mark.parametrize(("die", "taken"), [(1.0, True), (0.3, False)])
@pytest.mark.parametrize("sides", [3, 4])
def test_an_octahedron_is_taken_as_it_is_seen_better_in_another_box(sides: int, die: float, taken: bool) -> None:
    table = Table(35, 90)
    solids = [table.solid(sides, 0.7 + i, place) for i, place in enumerate(PLACES)]
    whole, (pixels, faces) = box_of(solids[0][0]), solids[0]
    x0, y0, x1, y1 = whole
    part = (x0 - 0.1 * (x1 - x0), y0 - 0.1 * (y1 - y0), x0 + 0.8 * (x1 - x0), y0 + 0.8 * (y1 - y0))
    crop, stain = crop_map(part), np.array([(x0, y0), (x1, y0), (x0, y1)])
    stained = np.maximum(_mask(faces[0], crop), _mask(stain, crop))
    badly = replace(_detected(faces[0], pixels, stained, box=part), verified=0.6)
    search = _search([badly, *(_detected(own[0], body) for body, own in solids[1:])])
    assert search.dice[0].well_seen < SEEN_WELL
    plain, kind = _detected(faces[0], pixels), [0.0, 0.0]
    kind[sides == 3] = die
    search.examined = [
        Examined(whole, 0.2, plain.crop, np.zeros((CROP, CROP, 3), np.uint8), plain.seen, np.array([1 - die, *kind]))
    ]
    parted(search)
    (one,) = (one for one in search.dice if _error(one.corners, faces[0]) < 0.5)
    if sides == 3 and taken:
        assert (one.box, one.boxed) == (whole, badly.boxed), "what the detector was sure of it still is"
        assert _error(one.corners, faces[0]) < 0.05
    else:
        assert one.box == part, "there it is seen no better, or its body was not seen"
    assert len(search.dice) == len(solids)


def test_what_another_box_shows_better_may_be_there_already() -> None:
    table = Table(35, 90)
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    again = replace(dice[0], corners=dice[0].corners + 9, verified=0.4, score=0.95)
    search = _search([*dice, again])
    parted(search)
    assert {one.verified for one in search.dice} == {1.0}
    assert len(search.dice) == len(solids)


def test_a_box_around_a_part_of_a_die_gives_way_to_one_around_all_of_it() -> None:
    table = Table(35, 90)
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    whole = box_of(solids[0][0])
    x0, y0, x1, y1 = whole
    part = (x0 + 0.15 * (x1 - x0), y0 + 0.3 * (y1 - y0), x0 + 0.7 * (x1 - x0), y1)
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    search = _search([replace(dice[0], box=part), *dice[1:]])
    assert search.dice[0].fits_box < STRANGE
    seen = search.dice[0].corners
    search.boxes = [(part, 0.6), (whole, 0.4), (dice[1].box, 0.9)]
    top(search)
    assert search.dice[0].box == whole
    assert np.array_equal(search.dice[0].corners, seen)
    assert search.dice[0].fits_box > 0.9


class _Framed(_Finder):
    """Is surer of a die the more of its crop is white, and verifies likewise."""

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[Any]:
        name, crops = next(iter(input_feed.items()))
        die = np.clip(np.array([(crop[..., 0] > 127).mean() for crop in crops]) * 10, 0, 1).astype(np.float32)
        if name == "windows":
            return [die]
        (seen, _) = super().run(output_names, {"crops": crops})
        return [seen, np.stack([1 - die, 0 * die, die], axis=1)]


def test_a_doubted_die_is_seen_again_in_the_box_that_its_body_fills() -> None:
    table = Table(35, 90)
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    tops = [faces[0] for _, faces in solids]
    dice = [_detected(face, pixels) for face, (pixels, _) in zip(tops, solids, strict=True)]
    x0, y0, x1, y1 = dice[0].box
    aside = (x0 + 0.2 * (x1 - x0), y0, x1 + 0.3 * (x1 - x0), y1)
    doubted = [replace(dice[0], box=aside, die=0.4, verified=0.3, boxed=0.8), *dice[1:]]
    finder = _Framed()
    search = _search(doubted, tops, finder)
    search.verifier, before = finder, search.dice[0].corners
    centred(search)
    (seen,) = [one for one in search.dice if one.box == aside]
    assert len(finder.crops) == 1, "those that are plainly seen are not looked at again"
    assert seen.die == 1.0
    assert seen.verified > 0.3
    assert seen.score == pytest.approx(0.8**0.5)
    assert _error(seen.corners, before) < 0.1
    (around,) = boxes_around(table.plane, [tops[0]])
    assert intersection_over_union(around, dice[0].box) > 0.95


@pytest.mark.parametrize(("die", "boxed_well"), [(0.1, False), (0.99, False), (0.4, True)])
def test_what_is_hardly_a_die_or_boxed_well_is_not_seen_again(die: float, boxed_well: bool) -> None:
    table, finder = Table(35, 90), _Framed()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    x0, y0, x1, y1 = dice[0].box
    box = dice[0].box if boxed_well else (x0 + 0.3 * (x1 - x0), y0, x1, y1)
    search = _search([replace(dice[0], box=box, die=die), *dice[1:]], [faces[0] for _, faces in solids], finder)
    centred(search)
    assert finder.crops == []
    assert search.dice[0].die == die


def test_what_is_no_die_stays_one_where_another_face_is_seen_in_the_box_of_its_body() -> None:
    table, finder = Table(35, 90), _Framed()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    x0, y0, x1, y1 = dice[0].box
    aside = (x0 + 0.3 * (x1 - x0), y0, x1, y1)
    search = _search([replace(dice[0], box=aside, die=0.4, verified=0.3), *dice[1:]], [], finder)
    centred(search)
    assert len(finder.crops) == 1
    (seen,) = [one for one in search.dice if one.box == aside]
    assert (seen.die, seen.verified) == (0.4, 0.3)


def test_a_die_that_does_not_lie_as_those_before_it_is_outlined_alone_or_asked_about() -> None:
    table, elsewhere = Table(10, 200), Table(60, 90).plane
    pixels, (face, *_) = table.solid(4, 0.7, (0.0, 0.0))
    (cube,) = _search([_detected(face, pixels)], table=elsewhere).dice
    assert _error(cube.corners, face) < 0.06
    assert cube.fits_box == 1.0, "no plane tells"
    pixels, (face, *_) = table.solid(3, 0.7, (0.0, 0.0))
    search = _search([_detected(face, pixels)], [face], table=elsewhere)
    turned(search)
    assert search.plane is None
    assert search.dice[0].ambiguous
    assert _error(search.dice[0].corners, face) < 0.06


def test_octahedra_that_lie_on_their_plane_already_are_not_seen_again() -> None:
    table, finder = Table(40, 200), _Finder()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(PLACES)]
    search = _search([_detected(faces[0], pixels) for pixels, faces in solids], finder=finder)
    turned(search)
    two = _search([_detected(faces[1], pixels) for pixels, faces in solids[:2]], finder=finder)
    turned(two)
    assert finder.crops == [], "and two dice are too few to tell a plane"
    elsewhere = _search(search.dice, [faces[0] for _, faces in solids], finder, table.plane.mirrored())
    turned(elsewhere)
    assert finder.crops, "dice before them lay otherwise: these may all be outlined at their sides"
    assert not any(one.ambiguous for one in elsewhere.dice)


def test_strangeness_is_that_of_what_was_seen_and_not_of_what_was_made_of_it() -> None:
    table = Table(40, 270)
    pixels, (top, *_) = table.solid(4, 0.3, (0.0, 0.0))
    middle = top.mean(axis=0)
    stranger = _detected(middle + (top - middle) * (0.6, 1.5), pixels)
    *known, laid = _search([*_lying(table, PLACES), stranger]).dice
    assert all(die.strangeness < 0.05 for die in known)
    assert laid.strangeness > 0.2
    assert table.plane.strangeness([laid.corners.astype(np.float64)])[0] < 0.1


def _moved(box: Box, right: float, down: float) -> Box:
    x0, y0, x1, y1 = box
    return x0 + right, y0 + down, x1 + right, y1 + down


def _kept(dice: Sequence[Detection]) -> int:
    """How many dice there are once sides are dropped."""
    search = _search(dice)
    sides(search)
    return len(search.dice)


@pytest.mark.parametrize("corners", [3, 4])
def test_a_side_of_a_surer_die_is_no_die(corners: int) -> None:
    table = Table(45, 90)
    solids = [table.solid(corners, 0.4 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    pixels, (top, *others) = solids[-1]
    beside = _largest_side(top, others)
    side = _detected(beside, pixels)
    for score, verified, die, left in (
        (0.5, 0.6, 1, 4), (0.5, 1, 0.7, 4), (0.95, 0.6, 1, 5), (0.4, 1, 1, 4),
        (0.9, 1, 1, 4), (0.5, 1, 1, 4),
    ):  # fmt: skip
        found = _kept([*dice, replace(side, score=score, verified=verified, die=die)])
        assert found == left, "what is surer stays, but two dice have not one box"


def test_two_dice_have_not_one_top() -> None:
    dice = _lying(Table(45, 90), PLACES)
    again = replace(dice[-1], score=0.5)
    assert _kept([*dice, again]) == len(dice), "however plainly it is a die"
    assert _kept([*dice, replace(again, corners=dice[-1].corners + np.float32(1))]) == len(dice)


@pytest.mark.parametrize("towards", [80, 170, 260])
def test_octahedra_nearer_than_two_can_lie_are_asked_about(towards: float) -> None:
    table = Table(45, towards)
    solids = [table.solid(3, 0.4 + i, place) for i, place in enumerate(PLACES)]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    pixels, (top, *others) = solids[-1]
    beside = _detected(_largest_side(top, others), pixels)
    hardly, less = replace(beside, die=LIKELY - 0.1, score=1.0), replace(beside, score=0.49 * dice[-1].score)
    for again, asked, left in ((beside, [3, 4], 5), (hardly, [], 5), (less, [], 4)):
        search = _search([*dice, again])
        search.dice = [*dice, again]
        sides(search)
        assert [i for i, one in enumerate(search.dice) if one.ambiguous] == asked, "what is hardly a die asks nothing"
        assert len(search.dice) == left, "far less speaks for the last one: it is a side"


@pytest.mark.parametrize(("shift", "asked"), [(0.2, [3, 4]), (0.3, [])])
def test_dice_in_nearly_the_same_box_are_asked_about(shift: float, asked: list[int]) -> None:
    dice = _lying(Table(45, 90), PLACES)
    aside = (shift * (dice[-1].box[2] - dice[-1].box[0]), 0.0)
    again = replace(dice[-1], corners=dice[-1].corners + np.float32(aside), box=_moved(dice[-1].box, *aside))
    search = _search([*dice, again])
    search.dice = [*dice, again]
    sides(search)
    assert [i for i, one in enumerate(search.dice) if one.ambiguous] == asked


@pytest.mark.parametrize("towards", [80, 170, 260])
def test_octahedra_that_touch_are_not_asked_about(towards: float) -> None:
    table, reach = Table(30, towards), 0.88 * 1.5 * 2**0.5 / 50
    solids = [table.solid(3, 0.0, place) for place in (*PLACES, (0.0, 0.0), (reach, 0.0), (0.0, reach))]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    assert 0.87 < apart(table.plane, *(one.corners.astype(np.float64) for one in dice[-3:-1])) < 1
    search = _search(dice)
    sides(search)
    assert [one.ambiguous for one in search.dice] == [False] * len(dice)


@pytest.mark.parametrize(("corners", "few", "asked"), [(3, 0, True), (3, 2, False), (4, 0, False)])
def test_where_octahedra_lie_badly_on_the_whole_all_dice_are_asked_about(corners: int, few: int, asked: bool) -> None:
    table = Table(30, 80)
    solids = [table.solid(corners, 0.3, place) for place in PLACES]
    dice = [_detected(faces[0], pixels) for pixels, faces in solids]
    badly = [replace(one, overlap=0.7, fits_box=0.7, fills=0.7) for one in dice]
    search, cube = _search(badly[few:]), replace(badly[0], shape=Shape.CUBE)
    search.dice, search.plane = [*badly[few:], cube], table.plane
    doubtful(search)
    assert [one.ambiguous for one in search.dice] == [asked] * len(search.dice), "a cube beside them, too"
    search.dice = [*badly[:1], *dice[1:]]
    doubtful(search)
    assert not any(one.ambiguous for one in search.dice), "one that lies badly says nothing of the others"


BADLY = {"overlap": 0.7, "fits_box": 0.7, "fills": 0.7}
"""How octahedra are seen that lie badly on their plane."""


def _octahedra_on_their_plane(**seen: float) -> Search:
    """Octahedra at PLACES on `Table(30, 80)`, their plane known, each `seen` so."""
    table = Table(30, 80)
    dice = [_detected(faces[0], pixels) for pixels, faces in (table.solid(3, 0.3, place) for place in PLACES)]
    search = _search(dice)
    search.dice, search.plane = [replace(one, **seen) for one in dice], table.plane
    return search


@pytest.mark.parametrize(("seemed", "asked"), [(None, True), (0, False), (180, True)])
@pytest.mark.parametrize("well", [True, False])
def test_octahedra_may_lie_badly_on_the_plane_that_they_had_before_their_picture_was_turned(
    seemed: float | None, asked: bool, well: bool
) -> None:
    search = _octahedra_on_their_plane(**({} if well else BADLY))
    search.before_turning = None if seemed is None else Table(30, 80 + seemed).plane
    doubtful(search)
    assert [one.ambiguous for one in search.dice] == [asked and not well] * len(PLACES)


def test_what_is_hardly_an_octahedron_does_not_say_how_octahedra_lie() -> None:
    search = _octahedra_on_their_plane()
    search.dice += [replace(one, die=0.3, **BADLY) for one in 9 * search.dice]
    doubtful(search)
    assert not any(one.ambiguous for one in search.dice)


@pytest.mark.parametrize(("off", "asked"), [(None, True), (0, False), (30, False), (180, True)])
@pytest.mark.parametrize("overlap", [0.7, 0.5])
def test_octahedra_may_lie_badly_on_the_plane_of_earlier_throws(
    off: float | None, asked: bool, overlap: float
) -> None:
    search = _octahedra_on_their_plane(overlap=overlap, fits_box=0.7, fills=0.7)
    search.table = None if off is None else Table(30, 80 + off).plane
    doubtful(search)
    too_badly = overlap * 0.7 < LIE_SO
    assert [one.ambiguous for one in search.dice] == [asked or too_badly] * len(PLACES)


def test_a_die_before_another_one_stays() -> None:
    table = Table(45, 90)
    dice = _lying(table, [*PLACES, (0.0, 0.0), (0.0, 0.042)])
    before, behind = (one.corners.astype(np.float64) for one in dice[-2:])
    assert 0.3 < within(table.plane, before, behind) < SIDE, "much of its top hides the other's body"
    for fainter in (4, 5):
        every = [replace(one, score=0.5, verified=0.6) if i == fainter else one for i, one in enumerate(dice)]
        assert _kept(every) == 6
