"""Enrolling under a camera: it waits for the table, takes the sharpest frame, asks, and says what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.teaching.enrolment import Enrolment
from table.teaching.view import LessonStep, LessonView
from tests.vision.enrol.shots import PaperFinder, paper
from tests.vision.enrol.shots import table as table_with
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher, Points
from vision.enrol.alike import Comparison
from vision.enrol.enrol import EnrolError, Enrolled, Wish
from vision.enrol.shown import Shown
from vision.frame import Frame, Pixels
from vision.quality import sharpness

RATE = 20


def pointing(number: int) -> Points:
    """(1, 4, 8) points of a face that is like no other one."""
    points = np.zeros((1, 4, 8), np.float32)
    points[..., number] = 1
    return points


def shown(number: int = 0, side: float = 60.0) -> Shown:
    around = np.full((96, 96, 3), 60, np.uint8)
    around[20:76, 20:76] = np.indices((56, 56)).sum(axis=0)[..., None] // 8 % 2 * 180 + 40
    outline = np.array([(20, 20), (76, 20), (76, 76), (20, 76)], np.float32)
    return Shown(Shape.CUBE, Shape.CUBE, 0.9, around, (outline,), 0.01, 1.0, side, outline, pointing(number))


class Eyes:
    """Finds what the test lays on the table, and remembers the frames it was given."""

    def __init__(self) -> None:
        self.dice: Sequence[Shown] = [shown()]
        self.given: list[Pixels] = []

    def __call__(self, pixels: Pixels, face: str, source: str) -> tuple[Shown, ...]:
        self.given.append(pixels)
        if not self.dice:
            raise EnrolError(f"{source}: expected a die that shows '{face}', found no die", "no die")
        return tuple(replace(die, face=face, source=source) for die in self.dice)


class Drawer:
    """Keeps the set that it is given."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.faces: list[str] = []
        self.blank: tuple[str, ...] = ()

    def __call__(self, wish: Wish, dice: Sequence[Shown]) -> Enrolled:
        self.kept, self.faces = [one.face for one in dice], [face.id for face in wish.note.faces]
        self.blank = wish.blank
        return Enrolled(find("outback"), (), Comparison(0, 0, {}, (), ()))


def note(*faces: str) -> SetNote:
    return SetNote("mine", {"en": "Mine"}, (Shape.CUBE,), tuple(map(FaceNote, faces)))


class Film:
    """Feeds frames of a table: a square of paper here and there, moving or still."""

    def __init__(self, enrolment: Enrolment) -> None:
        self.enrolment = enrolment
        self.number = 0

    def show(self, pixels: Pixels) -> LessonView:
        view = self.enrolment.see(Frame(pixels, self.number, self.number / RATE, "film"))
        self.number += 1
        return view

    def still(
        self, place: tuple[int, int] | None, seconds: float = 1.5, blur: Sequence[float] = (0.0,)
    ) -> LessonView:
        for step in range(round(seconds * RATE)):
            view = self.show(self.scene(place, blur[step % len(blur)]))
        return view

    def offer(self, face: str = "", place: tuple[int, int] = (100, 100)) -> LessonView:
        """A die rolls there and comes to rest, after its face was named."""
        if face:
            self.enrolment.name(face)
        self.roll(place)
        return self.still(place)

    def keep(self, face: str, place: tuple[int, int] = (100, 100), *, onward: bool = False) -> None:
        self.offer(face, place)
        self.enrolment.keep(onward=onward)

    def roll(self, place: tuple[int, int], seconds: float = 0.5) -> None:
        for step in range(round(seconds * RATE)):
            self.show(self.scene((place[0] - 8 * (round(seconds * RATE) - step), place[1])))

    @staticmethod
    def scene(place: tuple[int, int] | None, blur: float = 0.0) -> Pixels:
        pixels = np.full((240, 320, 3), 80, np.uint8)
        pixels[:, ::20] = 70
        if place is not None:
            x, y = place
            pixels[y - 20 : y + 20, x - 20 : x + 20] = 220
            pixels[y - 8 : y + 8, x - 8 : x + 8] = 20
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur), np.uint8) if blur else pixels


@pytest.fixture
def eyes() -> Eyes:
    return Eyes()


@pytest.fixture
def drawer() -> Drawer:
    return Drawer()


@pytest.fixture
def film(eyes: Eyes, drawer: Drawer) -> Film:
    return Film(Enrolment(note("emu", "koala"), eyes, drawer))


def test_it_asks_for_a_face_first(film: Film, eyes: Eyes) -> None:
    assert film.enrolment.view.step is LessonStep.NAMING
    assert film.enrolment.view.missing == ("emu", "koala")
    assert film.still((100, 100)).step is LessonStep.NAMING
    assert not eyes.given


def test_a_die_that_lies_still_is_offered_once(film: Film, eyes: Eyes) -> None:
    film.enrolment.name("emu")
    film.roll((100, 100))
    assert film.enrolment.view.step is LessonStep.WAITING
    view = film.still((100, 100), 4.0)
    assert view.step is LessonStep.ASKING
    assert view.said == "emu: keep it?"
    assert len(eyes.given) == 1
    assert view.offer is not None
    (candidate,) = view.offer.candidates
    assert candidate.png.startswith(b"\x89PNG")
    assert candidate.problems == ()


def test_the_sharpest_of_several_frames_is_taken(film: Film, eyes: Eyes) -> None:
    film.enrolment.name("emu")
    film.roll((100, 100))
    film.still((100, 100), 2.0, blur=(0.9, 0.6, 0.0, 0.8))
    (given,) = eyes.given
    assert sharpness(given) == pytest.approx(sharpness(film.scene((100, 100))))


def test_nothing_is_looked_at_while_the_die_moves(film: Film, eyes: Eyes) -> None:
    film.enrolment.name("emu")
    for place in range(60, 220, 8):
        film.show(film.scene((place, 100)))
    assert not eyes.given
    assert film.enrolment.view.step is LessonStep.WAITING


def test_kept_faces_are_counted_until_none_is_missing(film: Film, eyes: Eyes, drawer: Drawer) -> None:
    for face, place in (("emu", (100, 100)), ("koala", (180, 120))):
        film.keep(face, place)
        eyes.dice = [shown(1)]
    assert film.enrolment.view.said == "Kept koala. Every face has a picture."
    assert film.enrolment.view.counts == {"emu": 1, "koala": 1}
    assert film.enrolment.view.thin == ("emu", "koala")
    film.enrolment.finish()
    assert drawer.kept == ["emu", "koala"]
    assert film.enrolment.view.step is LessonStep.FINISHED
    with pytest.raises(EnrolError, match="finished"):
        film.enrolment.name("emu")


def test_a_set_with_a_face_missing_is_not_finished(film: Film, drawer: Drawer) -> None:
    film.keep("emu")
    assert film.enrolment.view.said == "Kept emu. One face missing: koala."
    with pytest.raises(EnrolError, match="found none of koala"):
        film.enrolment.finish()
    assert not drawer.kept


def test_several_dice_of_one_face_are_several_examples(film: Film, eyes: Eyes) -> None:
    eyes.dice = [shown(), shown(), shown(side=20)]
    view = film.offer("emu")
    assert view.offer is not None
    assert not view.offer.mixed
    assert "20 pixels wide" in view.said
    assert view.said.endswith("emu: keep these 3?")
    film.enrolment.keep({1: "emu", 2: "emu"})
    assert film.enrolment.view.counts["emu"] == 2


def test_several_faces_at_once_need_a_name_each(film: Film, eyes: Eyes) -> None:
    eyes.dice = [shown(0), shown(1)]
    view = film.offer("emu")
    assert view.said == "These 2 dice may show different faces. Name each of them, or leave it out."
    assert view.offer is not None
    assert [one.face for one in view.offer.candidates] == ["", ""], "nobody knows yet which is which"
    with pytest.raises(EnrolError, match="a face for each die"):
        film.enrolment.keep()
    with pytest.raises(EnrolError, match="dice 1 to 2"):
        film.enrolment.keep({3: "emu"})
    with pytest.raises(EnrolError, match="die 2 has no name yet"):
        film.enrolment.keep({1: "emu"})
    with pytest.raises(EnrolError, match="dice 1 and 2 look different: they cannot all be emu"):
        film.enrolment.keep({1: "emu", 2: "emu"})
    assert film.enrolment.view.counts == {"emu": 0, "koala": 0}
    film.enrolment.keep({1: "emu", 2: "koala"})
    assert film.enrolment.view.missing == ()


def test_discarded_is_not_kept_and_waits_for_the_die_to_move(film: Film, eyes: Eyes) -> None:
    film.offer("emu")
    film.enrolment.discard()
    assert film.still((100, 100), 2.0).step is LessonStep.WAITING
    assert film.offer(place=(180, 120)).step is LessonStep.ASKING
    assert len(eyes.given) == 2
    assert film.enrolment.view.counts["emu"] == 0


def test_no_die_is_said_and_looked_for_again(film: Film, eyes: Eyes) -> None:
    eyes.dice = []
    view = film.offer("emu")
    assert view.step is LessonStep.WAITING
    assert (
        view.said == "No die is seen. Put one under the camera that shows emu, on a ground of another colour."
    )
    eyes.dice = [shown()]
    film.enrolment.look_again()
    assert film.still((100, 100)).step is LessonStep.ASKING


def test_another_die_in_the_place_makes_the_offer_new(film: Film, eyes: Eyes) -> None:
    film.offer("emu")
    assert film.offer(place=(180, 120)).step is LessonStep.ASKING
    assert len(eyes.given) == 2


def test_what_was_kept_can_be_forgotten(film: Film) -> None:
    film.keep("emu")
    film.enrolment.forget("emu", 1)
    assert film.enrolment.view.missing == ("emu", "koala")
    with pytest.raises(EnrolError, match="expected one of"):
        film.enrolment.forget("wombat", 1)


def test_what_does_not_fit_the_moment_is_one_line(film: Film) -> None:
    with pytest.raises(EnrolError, match="none to keep"):
        film.enrolment.keep()
    with pytest.raises(EnrolError, match="none to keep"):
        film.enrolment.discard()
    with pytest.raises(EnrolError, match="a face first"):
        film.enrolment.look_again()
    with pytest.raises(EnrolError, match="the name of a face"):
        film.enrolment.name(" ")


def test_every_change_is_told_with_a_rising_version(eyes: Eyes, drawer: Drawer) -> None:
    heard: list[LessonView] = []
    film = Film(Enrolment(note("emu"), eyes, drawer, changed=heard.append))
    film.offer("emu")
    assert [view.version for view in heard] == sorted({view.version for view in heard})
    assert [view.step for view in heard if view.step is LessonStep.LOOKING]
    assert heard[-1].step is LessonStep.ASKING


@pytest.mark.slow
def test_a_real_set_comes_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    film = Film(Enrolment.through(PaperFinder(), Matcher(), note("emu", "koala")))
    for face in ("emu", "koala"):
        film.enrolment.name(face)
        for _ in range(30):
            view = film.show(table_with((paper(face), (200, 160), 20)))
        assert view.step is LessonStep.ASKING, view.said
        film.enrolment.keep()
        for _ in range(20):
            film.show(table_with())
    film.enrolment.name("joker")  # one more than was planned
    for _ in range(30):
        film.show(table_with((paper("joker"), (200, 160), 20)))
    film.enrolment.keep()
    made = film.enrolment.finish()
    assert made.dice_set.face_ids == ("emu", "koala", "joker")
    assert find("mine").folder == tmp_path / "dicesets" / "mine"


def test_kept_goes_on_to_the_next_missing_face_and_waits_for_the_die_to_move(film: Film, eyes: Eyes) -> None:
    film.keep("emu", onward=True)
    assert film.enrolment.view.face == "koala"
    assert film.enrolment.view.said == "Kept emu. Now show koala, the last one missing."
    assert film.still((100, 100), 2.0).step is LessonStep.WAITING, "the emu that still lies there is no koala"
    eyes.dice = [shown(1)]
    assert film.offer(place=(180, 120)).said == "koala: keep it?"
    film.enrolment.keep(onward=True)
    assert film.enrolment.view.face == "koala", "nothing is missing, so more of it may be shown"


def test_a_die_that_was_not_turned_is_pointed_out(film: Film) -> None:
    film.keep("emu", onward=True)
    view = film.offer(place=(180, 120))
    assert view.said == (
        "die 1 looks like 'emu', which has a picture already (likeness 1.00). koala: keep it?"
    )
    assert view.offer is not None
    assert [problem.kind for problem in view.offer.candidates[0].problems] == ["same"]


def test_among_several_dice_each_is_taken_for_what_it_looks_like(film: Film, eyes: Eyes) -> None:
    film.keep("emu")
    eyes.dice = [shown(0), shown(1)]
    view = film.offer("koala", (180, 120))
    assert view.offer is not None
    assert view.offer.mixed
    assert [one.face for one in view.offer.candidates] == ["emu", "koala"]


def test_a_blank_face_needs_no_picture(film: Film, drawer: Drawer) -> None:
    film.enrolment.blank("koala")
    assert film.enrolment.view.missing == ("emu",)
    assert film.enrolment.view.said == "koala shows nothing, and needs no picture."
    film.keep("emu")
    with pytest.raises(EnrolError, match="let it go first"):
        film.enrolment.blank("emu")
    film.enrolment.finish()
    assert (drawer.faces, drawer.blank) == (["emu", "koala"], ("koala",))


def test_one_picture_of_several_is_let_go(film: Film, eyes: Eyes) -> None:
    eyes.dice = [shown(), shown()]
    film.keep("emu")
    first, second = film.enrolment.view.kept["emu"]
    film.enrolment.forget("emu", first.number)
    assert film.enrolment.view.kept["emu"] == (second,)
    assert film.enrolment.view.said == "That picture of emu is let go."
    with pytest.raises(EnrolError, match="none of this number"):
        film.enrolment.forget("emu", first.number)


def test_a_face_named_by_mistake_is_dropped(film: Film) -> None:
    film.enrolment.name("wombat")
    film.enrolment.drop("wombat")
    assert film.enrolment.view.step is LessonStep.NAMING
    assert film.enrolment.view.missing == ("emu", "koala")
    with pytest.raises(EnrolError, match="small letters"):
        film.enrolment.name("../x")


def test_pictures_are_offered_like_what_the_camera_saw(film: Film, eyes: Eyes) -> None:
    blank = np.zeros((64, 64, 3), np.uint8)
    film.enrolment.picture("emu", [("one.jpg", blank), ("two.jpg", blank)])
    view = film.enrolment.view
    assert view.said == "emu: keep these 2?"
    film.enrolment.keep(onward=True)
    assert [kept.die.source for kept in film.enrolment.view.kept["emu"]] == ["one.jpg", "two.jpg"]
    eyes.dice = []
    with pytest.raises(EnrolError, match=r"three\.jpg: expected a die"):
        film.enrolment.picture("koala", [("three.jpg", blank)])
    assert film.enrolment.view.step is LessonStep.WAITING


def test_what_lies_there_before_is_passed_over_until_somebody_says_look(film: Film, eyes: Eyes) -> None:
    film.enrolment.name("emu")
    film.enrolment.pass_over()
    assert film.still((100, 100), 2.0).said == "Put a die under the camera that shows emu."
    film.enrolment.name("koala")
    assert film.still((100, 100), 2.0).step is LessonStep.WAITING
    film.enrolment.look_again()
    assert film.still((100, 100), 2.0).said == "koala: keep it?"


def test_a_kept_die_that_still_lies_there_is_not_taken_for_the_next_face(film: Film) -> None:
    film.keep("emu")
    film.enrolment.name("koala")
    assert film.still((100, 100), 2.0).said == "Put a die under the camera that shows koala."
    assert film.offer(place=(180, 120)).step is LessonStep.ASKING
