"""The renderer's geometry, against what a cube and an octahedron are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dicesets.shapes import Shape
from vision.render.solid import Rounding, solid, trace

SHARP = Rounding(0.004, 10.0)


@pytest.mark.parametrize(
    ("shape", "faces", "vertices", "apothem"), [(Shape.CUBE, 6, 8, 0.5), (Shape.OCTAHEDRON, 8, 6, 1 / 6**0.5)]
)
def test_a_solid_has_the_faces_of_its_shape(shape: Shape, faces: int, vertices: int, apothem: float) -> None:
    body = solid(shape)
    assert len(body.normals) == faces
    assert len(body.vertices) == vertices
    sides = np.linalg.norm(body.corners - np.roll(body.corners, 1, axis=1), axis=2)
    assert np.allclose(sides, 1, atol=1e-5), "every side has length 1"
    heights = np.einsum("fkc,fc->fk", body.corners, body.normals)
    assert np.allclose(heights, apothem, atol=1e-5), "a face's corners lie in its plane"


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_symbols_stand_upright_and_are_not_mirrored(shape: Shape) -> None:
    body = solid(shape)
    # seen from outside, right × down points into the die
    assert np.allclose(np.cross(body.right, body.down), -body.normals, atol=1e-5)
    first = body.corners[:, 0]
    assert (np.einsum("fc,fc->f", first, body.down) < 0).all(), "the first corner is above the middle"


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_ray_down_on_a_face_meets_it_at_its_plane(shape: Shape) -> None:
    body = solid(shape)
    for face, normal in enumerate(body.normals):
        hits = trace(body, SHARP, 5 * normal, -normal[None])
        assert hits.hit[0]
        assert np.allclose(hits.point[0], body.apothem * normal, atol=2e-3)
        assert np.allclose(hits.normal[0], normal, atol=1e-3)
        assert hits.face[0] == face


def test_rays_beside_the_die_miss_it() -> None:
    body = solid(Shape.CUBE)
    origins_beside = np.array([[0.6, 0.0, -1.0], [0.0, 5.0, -1.0], [0.0, 0.0, 1.0]], np.float32)
    hits = trace(body, SHARP, np.array([0, 0, 5], np.float32), origins_beside)
    assert not hits.hit.any()


def test_rounding_takes_off_edges_and_leaves_faces() -> None:
    body = solid(Shape.CUBE)
    origin = np.array([0, 0, 20], np.float32)

    def height_at(x: float, y: float, rounding: Rounding) -> float:
        target = np.array([x, y, 0.5], np.float32)
        hits = trace(body, rounding, origin, (target - origin)[None])
        return float(hits.point[0][2]) if hits.hit[0] else float("-inf")

    soft = Rounding(0.05, 0.75)
    assert height_at(0, 0, soft) == pytest.approx(0.5, abs=5e-3)
    assert height_at(0.48, 0, soft) < height_at(0.48, 0, SHARP) - 0.01
    assert height_at(0.46, 0.46, soft) == float("-inf"), "the ball has cut the corner away"
