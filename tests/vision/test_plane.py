"""The plane of the table from the faces that lie on it, and faces fitted on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.boxes import CROP, crop_map
from vision.corners import Seen, fit_on_plane, rough_outlines
from vision.dicesets.shapes import Shape, shape_outlined
from vision.plane import LEAST_DICE, Plane, find_plane

WIDTH, HEIGHT = 1280, 960
Floats = NDArray[np.float64]


def _plane(tilt: float, towards: float, focal: float = 1.2 * WIDTH) -> Plane:
    """Tilted by degrees, away from the camera in the picture's direction `towards` (degrees)."""
    a, b = np.radians(tilt), np.radians(towards)
    along = np.array(
        [[np.cos(b) * np.cos(a), -np.sin(b)], [np.sin(b) * np.cos(a), np.cos(b)], [np.sin(a), 0.0]]
    )
    return Plane(along, focal, (WIDTH / 2, HEIGHT / 2))


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
    (face,) = _faces(_plane(0, 0), np.array([[640.0, 480.0]]), np.array([20.0]), np.zeros(1), 4)
    assert face == pytest.approx(np.array([[660, 480], [640, 500], [620, 480], [640, 460]]))


@settings(max_examples=40, deadline=None)
@given(
    tilt=st.floats(0, 55), towards=st.floats(0, 360), seed=st.integers(0, 999), sides=st.sampled_from([3, 4])
)
@example(tilt=51.0, towards=53.0, seed=454, sides=4)
def test_faces_tell_their_plane(tilt: float, towards: float, seed: int, sides: int) -> None:
    plane = _plane(tilt, towards)
    found = find_plane(_thrown(plane, 6, seed, sides), [1.0] * 6, WIDTH, HEIGHT)
    assert found is not None
    others = _thrown(plane, 20, seed + 1, sides)
    assert np.median(found.strangeness(others)) < 0.1, "a stranger's is above 0.2"


def test_a_stranger_is_outvoted_and_known_as_one() -> None:
    plane, side = _plane(30, 90), _plane(60, 0)
    stranger = _thrown(side, 1, 5)[0]
    found = find_plane([*_thrown(plane, 5, 1), stranger], [1.0] * 6, WIDTH, HEIGHT)
    assert found is not None
    assert max(found.strangeness(_thrown(plane, 5, 1))) < 0.05
    assert found.strangeness([stranger])[0] > 0.2


def test_too_few_faces_agree_on_nothing() -> None:
    assert find_plane(_thrown(_plane(20, 0), LEAST_DICE - 1, 3), [1.0] * 2, WIDTH, HEIGHT) is None
    rng = np.random.default_rng(0)
    jumble = [rng.uniform(0, 60, (4, 2)) + rng.uniform(100, 800, 2) for _ in range(8)]
    hulls = [cv2.convexHull(face.astype(np.float32)).reshape(-1, 2).astype(np.float64) for face in jumble]
    assert find_plane([h for h in hulls if len(h) in (3, 4)], [1.0] * 8, WIDTH, HEIGHT) is None


def _seen(corners: Floats, mapping: Floats, extra: Floats | None = None) -> NDArray[np.float32]:
    """The mask of a face in its crop, on cells of two crop pixels; `extra` is another polygon taken for face."""
    fine = np.zeros((CROP * 4, CROP * 4), np.uint8)
    for polygon in (corners, extra):
        if polygon is not None:
            crop = (polygon - 0.5) @ mapping[:2, :2].T + mapping[:2, 2]
            cv2.fillConvexPoly(fine, np.rint(((crop + 0.5) * 4 - 0.5) * 16).astype(np.int32), 255, shift=4)
    half = CROP // 2
    return (cv2.resize(fine, (half, half), interpolation=cv2.INTER_AREA) / 255).astype(np.float32)


def _begun(mask: NDArray[np.float32], mapping: NDArray[np.float64], sides: int) -> Seen:
    """What the finder would have seen, with the rough outline of its mask."""
    bumps = np.zeros_like(mask)
    (start,) = rough_outlines(mask[None], bumps[None], shape_outlined(sides))
    assert start is not None
    return Seen(mask, bumps, mapping, start)


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_a_known_plane_holds_a_ragged_face_in_shape(sides: int, ragged: bool, turn: float) -> None:
    plane = _plane(35, 80)
    off: list[float] = []
    for seed in range(12):
        (face,) = _thrown(plane, 1, seed, sides)
        low, high = face.min(axis=0), face.max(axis=0)
        mapping = crop_map((float(low[0]), float(low[1]), float(high[0]), float(high[1]) + 10), turn=turn)
        stain = np.array([face[0], face[1], face[1] + (6.0, 14.0), face[0] + (6.0, 14.0)])
        mask = _seen(face, mapping, stain if ragged else None)
        ((corners, overlap),) = fit_on_plane([_begun(mask, mapping, sides)], plane, shape_outlined(sides))
        side = float(np.linalg.norm(face - np.roll(face, 1, axis=0), axis=1).mean())
        turned = [np.roll(corners, k, axis=0) for k in range(sides)]
        off.append(min(float(np.linalg.norm(turn - face, axis=1).mean()) for turn in turned) / side)
        assert overlap > (0.6 if ragged else 0.9)
    assert np.median(off) < (0.12 if ragged else 0.02)


def test_a_face_is_laid_the_same_beside_others() -> None:
    plane = _plane(20, 80)
    seen: list[Seen] = []
    for seed in (3, 4, 5):
        (face,) = _thrown(plane, 1, seed)
        low, high = face.min(axis=0), face.max(axis=0)
        mapping = crop_map((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
        seen.append(_begun(_seen(face, mapping), mapping, 4))
    together = fit_on_plane(seen, plane, Shape.CUBE)
    for one, beside in zip(seen, together, strict=True):
        ((alone, _),) = fit_on_plane([one], plane, Shape.CUBE)
        assert beside[0] == pytest.approx(alone, abs=1e-3)
    assert fit_on_plane([], plane, Shape.CUBE) == []
