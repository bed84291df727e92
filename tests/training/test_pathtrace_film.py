"""Filmed throws of the second renderer: how dice fall, and that what is told of a film is what its folder holds."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("pybullet", reason="films need the extra proof (pip install -e '.[proof]')")

from scoring.gamefile.reading import read
from training.film.folder import FilmedDie, PlayedTable, load_film
from training.pathtrace import film, unseen
from training.pathtrace.camera import LensCamera, camera_over
from training.pathtrace.fall import Fall, throw
from training.pathtrace.labels import PlacedDie, apart, inside, outline
from training.pathtrace.solids import Build, face_corners, frames, outer_corners
from training.synth.unseen import UnseenSet
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook

CAMERA = camera_over(960, 540, 1000, 320, 22, -90, 0)


def thrown(shape: Shape, seed: int, count: int, lying: tuple[PlacedDie, ...] = ()) -> Fall:
    return throw(np.random.default_rng(seed), [Build(shape, 16.0)] * count, CAMERA, lying)


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_dice_come_to_lie_flat_apart_and_whole_in_the_picture(shape: Shape) -> None:
    fall = thrown(shape, 3, 5)
    prints = [outline(outer_corners(die.build, die.pose)) for die in fall.rest]
    for number, die in enumerate(fall.rest):
        assert (frames(shape).normals @ die.pose.turn.T)[die.top, 2] > 0.999
        assert outer_corners(die.build, die.pose)[:, 2].min() == pytest.approx(0, abs=0.6)
        assert inside(outer_corners(die.build, die.pose), CAMERA)
        assert all(apart(prints[number], other) for other in prints[:number])


def test_a_camera_on_a_stand_is_hardly_rolled_unless_it_is_to_be() -> None:
    rng = np.random.default_rng(5)

    def rolls(*, rolled: bool) -> list[float]:
        """By how many degrees the picture's rows are off the level in 40 films."""
        cameras = [film.film_camera(rng, rolled=rolled) for _ in range(40)]
        return [abs(float(np.degrees(np.arcsin(camera.axes[0][2])))) for camera in cameras]

    assert max(rolls(rolled=False)) < 8
    assert max(rolls(rolled=True)) > 20


def test_a_throw_ends_when_the_last_die_lies_still_and_not_before() -> None:
    fall = thrown(Shape.CUBE, 3, 4)
    assert 0 <= fall.enters < fall.ends < 2.5

    def away(seconds: float) -> float:
        """How far the farthest die is from where it ends, in mm."""
        poses = fall.at(seconds)
        corners = [outer_corners(die.build, pose) for die, pose in zip(fall.rest, poses, strict=True)]
        rest = [outer_corners(die.build, die.pose) for die in fall.rest]
        return max(float(np.abs(a - b).max()) for a, b in zip(corners, rest, strict=True))

    assert away(0) > 50
    assert away(fall.ends + 0.02) < 0.15
    assert away(fall.ends - 0.05) > 0.15


def test_dice_that_are_held_lie_where_they_lay_and_the_others_roll_beside_them() -> None:
    first = thrown(Shape.CUBE, 3, 4)
    held = first.rest[:2]
    again = thrown(Shape.CUBE, 4, 2, held)
    prints = [outline(outer_corners(die.build, die.pose)) for die in (*held, *again.rest)]
    assert all(apart(prints[i], prints[j]) for i in range(4) for j in range(i))


def test_a_throw_is_fixed_by_its_seed_and_faces_come_by_chance() -> None:
    assert np.array_equal(thrown(Shape.CUBE, 5, 3).centres, thrown(Shape.CUBE, 5, 3).centres)
    tops = {die.top for seed in range(6) for die in thrown(Shape.CUBE, seed, 3).rest}
    assert len(tops) >= 4


class FlatStage:
    """What `film` asks of a stage, drawn as nothing at all: Mitsuba takes seconds a picture."""

    scene = SimpleNamespace(about=dict)
    camera: LensCamera = CAMERA
    builds = (Build(Shape.CUBE, 16.0),) * 6
    obstacles: tuple[np.ndarray, ...] = ()
    seed = 7

    def __init__(self) -> None:
        self.drawn = 0
        self.bad = 0
        """So many pictures of dice at rest are such that nobody could read them."""

    def picture(self, poses: object, *, rough: bool = False) -> np.ndarray:
        self.drawn += 1
        return np.full((270, 480, 3) if rough else (540, 960, 3), 90, np.uint8)

    def alike(self, pixels: np.ndarray, number: int, die: PlacedDie) -> float:
        self.bad -= 1
        return 0.0 if self.bad >= 0 else 1.0

    def filmed(self, number: int, die: PlacedDie) -> FilmedDie:
        corners = CAMERA.project(face_corners(die.build, die.pose, die.top))
        return FilmedDie(str(die.top + 1), tuple((float(x), float(y)) for x, y in corners))

    def spots(self, numbers: list[int], poses: object) -> list[tuple[float, float, float]]:
        return [(100.0, 100.0, 30.0) for _ in numbers]


def test_a_film_is_told_as_it_is_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[FlatStage] = []

    def stage(*_: object, **__: object) -> FlatStage:
        stages.append(FlatStage())
        stages[-1].bad = len(stages) == 1
        return stages[-1]

    monkeypatch.setattr(film, "FilmSet", stage)
    film.make_film("fate", "meet-fate", tmp_path / "film", 1, 7)
    there = len(list((tmp_path / "film").glob("*.png")))
    film.make_film("fate", "meet-fate", tmp_path / "film", 3, 7)
    assert stages[1].drawn == len(list((tmp_path / "film").glob("*.png"))) - there
    strip = load_film(tmp_path / "film")
    assert len(strip.note.throws) == 3
    assert any(one.held for one in strip.note.throws)
    table = PlayedTable(strip)
    before: dict[int, str] = {}
    for number, one in enumerate(strip.note.throws):
        assert len(one.dice) == 6
        assert all(one.dice[n].face == before[n] for n in one.held)
        assert [key.after for key in one.keys] == sorted(key.after for key in one.keys)
        assert one.keys[-1].after < one.ends
        table.frame(60 * number)
        table.cast([n for n in range(6) if n not in one.held])
        before = table.faces()


def test_a_film_of_a_made_up_set_lies_beside_its_game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unseen, "_stage", lambda *_: FlatStage())
    art = np.zeros((32, 32, 4), np.uint8)
    faces = tuple(str(number) for number in range(1, 7))
    look = FaceLook(body=(200.0, 200.0, 200.0), ink=None)
    made = UnseenSet("unseen-01", Shape.CUBE, faces, (art,) * 6, (look,))
    unseen.draw(made, tmp_path, 7, examples=-1, pictures=0, say=lambda _: None, film=2)
    home = tmp_path / "unseen-01"
    strip, rules = load_film(home), read((home / "game.toml").read_text(encoding="utf-8"))
    assert len(strip.note.throws) == 2
    assert (rules.dice.set_id, rules.dice.count, rules.dice.faces) == ("unseen-01", strip.note.dice, faces)
