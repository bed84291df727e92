"""Made-up sets to measure enrolling with: fixed by the seed, of symbols that differ, in pictures that can be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from training.commands.bench import in_words
from training.commands.bench_live import filmed_evenings, live
from training.evaluate.enrolling import Measured, _kept, _Supply, measure_set, summary
from training.evaluate.labels import face_tilt
from training.evaluate.run import JudgedDie, PictureVerdict, TrueDie, Verdict, answer
from training.film.folder import FilmNote
from training.synth import unseen
from training.synth.unseen import Collection, draw_album, made_up_sets
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.enrol.problems import brightness
from vision.enrol.shown import Shown
from vision.frame import Pixels
from vision.picture import load_picture
from vision.reader import Reader
from vision.reading import Alternative, DieReading
from vision.rectify import canonical_corners


def strokes(seed: int, coloured: bool) -> np.ndarray:
    rng = np.random.default_rng(seed)
    art = np.zeros((96, 96, 4), np.uint8)
    mask = np.zeros((96, 96), np.uint8)
    cv2.fillPoly(mask, [rng.integers(4, 92, (7, 2)).astype(np.int32)], 255)
    art[..., 3] = mask
    if coloured:
        art[..., :3] = rng.integers(0, 256, (96, 96, 3)) // 64 * 64
    return art


@pytest.fixture(scope="module")
def collection() -> Collection:
    names = [f"{'openmoji' if i % 2 else 'mdi'}/stroke-{i}" for i in range(60)]
    return Collection(tuple(names), np.stack([strokes(i, bool(i % 2)) for i in range(60)]))


def test_sets_are_fixed_by_the_seed_and_share_no_symbol(collection: Collection) -> None:
    sets = made_up_sets(6, 3, collection)
    again = made_up_sets(6, 3, collection)
    assert [one.faces for one in sets] == [one.faces for one in again]
    assert [one.looks for one in sets] == [one.looks for one in again]
    assert [one.shape for one in sets] == [Shape.CUBE, Shape.OCTAHEDRON] * 3
    for one in sets:
        assert len(one.faces) == len(one.art) == one.shape.faces
    every = [face for one in sets for face in one.faces]
    assert len(set(every)) == len(every)
    assert made_up_sets(6, 4, collection)[0].faces != sets[0].faces


def test_more_sets_than_there_are_drawings_for_are_refused(collection: Collection) -> None:
    with pytest.raises(ValueError, match="ask for fewer sets"):
        made_up_sets(40, 3, collection)


@pytest.mark.parametrize(("shape", "tilt"), [(Shape.CUBE, 0.0), (Shape.OCTAHEDRON, 30.0)])
def test_tilt_is_what_a_far_camera_sees(shape: str, tilt: float) -> None:
    angle, turn = np.deg2rad(tilt), np.deg2rad(23)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    squeezed = np.array([[1, 0], [0, np.cos(angle)]])
    corners = canonical_corners(shape, 60) @ spin.T @ squeezed.T + (200, 100)
    assert face_tilt(corners.astype(np.float32)) == pytest.approx(tilt, abs=0.2)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Albums of small pictures."""
    for name in ("READ", "EXAMPLES"):
        ranges = getattr(unseen, name)
        monkeypatch.setattr(unseen, name, replace(ranges, width=480, height=360, pixels=(36.0, 60.0)))


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_an_album_has_the_form_that_is_measured(
    tmp_path: Path, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unseen, "SPARES", 0)
    home = tmp_path / "one"
    draw_album(made_up_sets(2, 3, collection)[0], home, 7, examples=1, dice=4, say=lambda _: None)
    assert (home / "shape.txt").read_text() == "d6\n"
    assert len(list((home / "examples").glob("*/*.jpg"))) == 6
    lines = [line for path in (home / "labels").glob("???.txt") for line in path.read_text().splitlines()]
    assert len(lines) >= 4
    for line in lines:
        _, _, _, width, height, *corners = (float(value) for value in line.split())
        assert max(width * 480, height * 360) >= 32
        assert face_tilt(np.array(corners, np.float32).reshape(-1, 2) * (480, 360)) <= 45.2
    measured = measure_set(home, Reader(find("pips")))
    assert sum(len(picture.dice) for picture in measured.verdicts[1].pictures) >= len(lines)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_pictures_that_people_are_warned_of_are_taken_again(tmp_path: Path, collection: Collection) -> None:
    home, reader = tmp_path / "one", Reader(find("pips"))
    draw_album(made_up_sets(2, 3, collection)[0], home, 7, examples=1, dice=1, say=lambda _: None)
    faces = (home / "faces.txt").read_text().split()
    note = SetNote("one", {}, (Shape.CUBE,), tuple(map(FaceNote, faces)))

    def taken() -> list[Shown]:
        supplies = [_Supply(home / "examples" / face, face, Shape.CUBE, reader) for face in faces]
        for supply in supplies:
            supply.fill(1)
        _kept(note, supplies, 1, reader, tmp_path / "sets")
        return [supply.taken[0] for supply in supplies]

    dice = taken()
    first = [i for i, die in enumerate(dice) if die.source == "1.jpg"]
    one, other = sorted(first, key=lambda i: -brightness(dice[i]))[:2]
    twice = (home / "examples" / faces[one] / "1.jpg").read_bytes()
    apart = (home / "examples" / faces[other] / "1.jpg").read_bytes()
    (home / "examples" / faces[other] / "1.jpg").write_bytes(twice)
    again = [die.source for die in taken()]
    assert "1.jpg" not in (again[one], again[other]), "they look the same"
    (home / "examples" / faces[other] / "1.jpg").write_bytes(apart)
    pixels = load_picture(home / "examples" / faces[one] / "1.jpg")
    lit = np.clip(pixels * 1.8, 0, 255).astype(np.uint8)
    cv2.imwrite(str(home / "examples" / faces[one] / "1.jpg"), lit)
    again = [die.source for die in taken()]
    assert again[one] != "1.jpg" == again[other], "it is much brighter than the others"


OWN = """id = "own-dice"
title = "Own dice"
blurb = "As many alike as may be."
[dice]
set = "unseen-01"
count = 6
faces = [{faces}]
[end]
rounds = 10
[[score]]
name = "Alike"
points = "10 * alike"
"""


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_dice_of_a_film_of_their_own_are_enrolled_before_it_plays(tmp_path: Path, collection: Collection) -> None:
    made, home = made_up_sets(2, 3, collection)[0], tmp_path / "one"
    draw_album(made, home, 7, examples=1, dice=1, say=lambda _: None)
    note = FilmNote(set_id=made.id, game="own-dice", options={}, width=64, height=36, dice=6, throws=())
    (home / "film.json").write_bytes(msgspec.json.encode(note))
    cv2.imwrite(str(home / "bare.png"), np.zeros((36, 64, 3), np.uint8))
    (home / "game.toml").write_text(OWN.format(faces=", ".join(f'"{face}"' for face in made.faces)))
    (match,) = filmed_evenings((home,), 1, 30.0)
    assert match.game.title == "Own dice"
    assert [face.id for face in match.dice_set.faces] == list(made.faces)
    (home / "shape.txt").write_text("d12")
    told = CliRunner().invoke(live, ["--film", str(home)])
    assert told.exit_code == 2
    assert told.stderr.count("\n") == 1
    assert "expected d6 or d8, found 'd12'" in told.stderr


def judged(truth: str | None, seen: str | None, certain: bool = True) -> JudgedDie:
    label = TrueDie(truth, (10.0, 10.0), 40.0) if truth else None
    corners = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0))
    die = (
        DieReading(Shape.CUBE, seen, certain, 0.9, (Alternative(seen, 0.9),), corners, (0, 0, 20, 20))
        if seen
        else None
    )
    return JudgedDie(label, die)


def test_at_an_evening_what_was_certain_counts_as_it_was_read_and_what_was_asked_as_it_is() -> None:
    known: list[tuple[str, bool]] = []

    class Knowing:
        def recognise(self, pixels: Pixels, die: DieReading, face: str, *, named: bool = False) -> None:
            known.append((face, named))

    dice = [judged("a", "a"), judged("a", "b"), judged("b", "c", False), judged("a", None), judged(None, "c", False)]
    answer(cast(Reader, Knowing()), np.zeros((8, 8, 3), np.uint8), dice)
    assert known == [("a", False), ("b", False), ("b", True)]


def test_the_figures_add_up() -> None:
    dice = (judged("a", "a"), judged("b", "b"), judged("a", "b", False), judged("b", None), judged(None, "a"))
    verdict = Verdict((PictureVerdict(Path("x"), dice, 10.0),), ())
    perfect = Verdict((PictureVerdict(Path("y"), dice[:2], 10.0),), ())
    told = summary([Measured("unseen-01", Shape.CUBE, {1: verdict, 3: perfect}, 1, 2, 3.5, [4.0, 6.0])])
    one, three = told["rows"]["1 a face, all"], told["rows"]["3 a face, all"]
    assert (one["dice"], one["right"], one["missed"], one["wrong"], one["invented"]) == (4, 2, 1, 1, 1)
    assert one["accuracy_of_found"] == round(2 / 3, 4)
    assert three["accuracy"] == 1
    assert told["enrol_seconds_six_faces_three_pictures"] == 3.5
    assert (one["hands_free"], three["hands_free"], three["hands_free_share"]) == (0, 1, 1.0)
    (row,) = told["by_set"]
    assert (row["set"], row["1"]["hands_free"], row["3"]["hands_free"], row["3"]["pictures"]) == ("unseen-01", 0, 1, 1)
    lines = in_words({"seed": 5, **told})
    (line,) = [line for line in lines if line.startswith("1 a face, all") and "if this many" not in line]
    assert "right 2 of 4 dice, 50.0% (of the 3 found 66.7%); hands-free 0 of 1 rolls, 0.0%; " in line
    assert "certain and wrong 1 of 4 dice read; asked about 1, 25.0%; " in line
    assert lines[-1] == "worst sets, hands-free: unseen-01 1: 0 of 1 rolls, 3: 1 of 1 rolls"
