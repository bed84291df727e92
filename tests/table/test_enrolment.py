"""Enrolling under a camera: it waits for the table, takes the sharpest frame, asks, and says what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.teaching.enrolment import Enrolment
from table.teaching.view import Candidate, LessonStep, LessonView
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Points
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
            raise EnrolError(f"{source}: no die found", "no die")
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
    """An enrolment, and frames of its table: a square of paper here and there, moving or still."""

    def __init__(self, *faces: str) -> None:
        self.eyes, self.drawer = Eyes(), Drawer()
        self.heard: list[LessonView] = []
        self.enrolment = Enrolment(note(*faces), self.eyes, self.drawer, changed=self.heard.append)
        self.number = 0

    @property
    def view(self) -> LessonView:
        return self.enrolment.view

    @property
    def said(self) -> str:
        return str(self.view.saying)

    def still(
        self, place: tuple[int, int] = (100, 100), seconds: float = 1.5, blur: Sequence[float] = (0.0,)
    ) -> LessonStep:
        for step in range(round(seconds * RATE)):
            self.show(place, blur[step % len(blur)])
        return self.view.step

    def roll(self, place: tuple[int, int] = (100, 100), seconds: float = 0.5) -> LessonStep:
        for step in range(round(seconds * RATE)):
            self.show((place[0] - 8 * (round(seconds * RATE) - step), place[1]))
        return self.view.step

    def offer(self, face: str = "", place: tuple[int, int] = (100, 100)) -> list[Candidate]:
        """A die rolls there and comes to rest, after its face was asked for; what is offered then."""
        if face:
            self.enrolment.name(face)
        self.roll(place)
        assert self.still(place) is LessonStep.ASKING
        assert self.view.offer is not None
        return list(self.view.offer.candidates)

    def keep(self, face: str, place: tuple[int, int] = (100, 100)) -> None:
        """A die comes to rest there, and all that is offered is kept as this face."""
        self.enrolment.keep({one.number: face for one in self.offer(place=place)})

    def finish(self) -> None:
        self.enrolment.finish(self.enrolment.note)

    def show(self, place: tuple[int, int], blur: float = 0.0) -> None:
        self.enrolment.see(Frame(scene(place, blur), self.number, self.number / RATE, "film"))
        self.number += 1


def scene(place: tuple[int, int], blur: float = 0.0) -> Pixels:
    pixels = np.full((240, 320, 3), 80, np.uint8)
    pixels[:, ::20] = 70
    x, y = place
    pixels[y - 20 : y + 20, x - 20 : x + 20] = 220
    pixels[y - 8 : y + 8, x - 8 : x + 8] = 20
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur), np.uint8) if blur else pixels


@pytest.fixture
def film() -> Film:
    return Film("emu", "koala")


def test_a_die_that_comes_to_rest_is_looked_at_and_its_name_asked_for(film: Film) -> None:
    assert film.view.missing == ("emu", "koala")
    assert film.roll((180, 100), 1.0) is LessonStep.WAITING
    assert not film.eyes.given
    assert film.still((180, 100), 4.0) is LessonStep.ASKING
    assert film.said == "What is on top?"
    assert len(film.eyes.given) == 1, "a die that lies there is offered once"
    assert film.view.offer is not None
    (candidate,) = film.view.offer.candidates
    assert candidate.png.startswith(b"\x89PNG")
    assert (candidate.face, candidate.problems) == ("", ())
    assert [view.version for view in film.heard] == list(range(1, len(film.heard) + 1))
    assert LessonStep.LOOKING in [view.step for view in film.heard]


def test_a_face_that_is_asked_for_or_known_is_proposed(film: Film) -> None:
    assert [one.face for one in film.offer("emu")] == ["emu"]
    assert film.said == "Is this emu?"
    film.enrolment.keep({1: "emu"})
    assert [one.face for one in film.offer(place=(180, 120))] == ["emu"]
    assert film.said == "What is on top? It looks like emu."
    film.eyes.dice = [shown(1)]
    assert [one.face for one in film.offer(place=(100, 120))] == [""]


def test_a_die_that_is_taken_away_can_still_be_named(film: Film) -> None:
    film.offer()
    film.eyes.dice = []
    film.roll((60, 60))
    assert film.still((60, 60)) is LessonStep.ASKING
    film.enrolment.keep({1: "emu"})
    assert film.view.counts["emu"] == 1


def test_the_sharpest_of_several_frames_is_taken(film: Film) -> None:
    film.roll()
    film.still(seconds=2.0, blur=(0.9, 0.6, 0.0, 0.8))
    (given,) = film.eyes.given
    assert sharpness(given) == pytest.approx(sharpness(scene((100, 100))))


def test_a_set_is_finished_when_no_face_is_missing(film: Film) -> None:
    film.keep("emu")
    assert film.said == "Kept emu. One face is missing: koala."
    with pytest.raises(EnrolError, match="still missing: koala"):
        film.finish()
    assert not film.drawer.kept
    film.eyes.dice = [shown(1)]
    film.keep("koala", (180, 120))
    assert film.said == "Kept koala. Show another face, or save the dice."
    assert film.view.counts == {"emu": 1, "koala": 1}
    assert film.view.thin == ("emu", "koala")
    film.finish()
    assert film.drawer.kept == ["emu", "koala"]
    assert film.view.step is LessonStep.FINISHED
    with pytest.raises(EnrolError, match="finished"):
        film.enrolment.name("emu")


def test_several_dice_of_one_face_are_several_examples(film: Film) -> None:
    film.eyes.dice = [shown(), shown(), shown(side=20)]
    offered = film.offer()
    assert film.said == "What is on top of these 3 dice?"
    assert [[problem.kind for problem in one.problems] for one in offered] == [[], [], ["small"]]
    film.enrolment.keep({1: "emu", 2: "emu", 3: ""})
    first, second = film.view.kept["emu"]
    film.enrolment.forget("emu", first.number)
    assert film.view.kept["emu"] == (second,)
    assert film.said == "Deleted the picture of emu."
    film.enrolment.forget("emu", second.number)
    assert film.said == "Picture deleted; emu is missing again."
    assert film.view.missing == ("emu", "koala")


def test_several_faces_at_once_need_a_name_each(film: Film) -> None:
    film.eyes.dice = [shown(0), shown(1)]
    assert [one.face for one in film.offer("emu")] == ["", ""], "nobody knows yet which is which"
    assert film.said == "These 2 dice may show different faces. Name each die or leave it out."
    for faces, said in (
        ({}, "die 1 has no name yet"),
        ({1: "emu", 2: "koala", 3: "emu"}, "a die from 1 to 2, not 3"),
        ({1: "emu"}, "die 2 has no name yet"),
        ({1: "", 2: ""}, "at least one die"),
        ({1: "emu", 2: "emu"}, "dice 1 and 2 look different, so they cannot all be emu"),
    ):
        with pytest.raises(EnrolError, match=said):
            film.enrolment.keep(faces)
    with pytest.raises(EnrolError, match="other dice"):
        film.enrolment.keep({1: "emu", 2: "koala"}, offer=99)
    assert film.view.counts == {"emu": 0, "koala": 0}
    film.enrolment.keep({1: "emu", 2: "koala"})
    assert film.view.missing == ()


def test_among_several_dice_what_is_known_is_proposed(film: Film) -> None:
    film.keep("emu")
    film.eyes.dice = [shown(0), shown(1)]
    assert [one.face for one in film.offer("koala", (180, 120))] == ["emu", ""]


def test_discarded_is_not_kept_and_waits_for_the_die_to_move(film: Film) -> None:
    film.offer()
    film.enrolment.discard()
    assert film.still(seconds=2.0) is LessonStep.WAITING
    film.offer(place=(180, 120))
    film.offer(place=(100, 100))
    assert len(film.eyes.given) == 3, "another die in the place makes the offer new"
    assert film.view.counts["emu"] == 0


def test_no_die_is_said_and_looked_for_again(film: Film) -> None:
    film.eyes.dice = []
    film.roll()
    assert film.still() is LessonStep.WAITING
    assert film.said == "No die found. Put one under the camera, on a background of another colour."
    film.eyes.dice = [shown()]
    film.enrolment.look_again()
    assert film.still() is LessonStep.ASKING


def test_a_face_that_looks_like_another_one_is_doubted(film: Film) -> None:
    film.keep("emu")
    (candidate,) = film.offer("koala", place=(180, 120))
    assert [(one.kind, one.faces) for one in candidate.problems] == [("same", ("koala", "emu"))], "it was not turned"


def test_what_lies_there_before_or_was_kept_is_passed_over_until_it_moves_or_somebody_says_look(film: Film) -> None:
    film.enrolment.pass_over()
    assert film.still(seconds=2.0) is LessonStep.WAITING
    assert film.said == "Put a die under the camera."
    film.enrolment.name("koala")
    assert film.still(seconds=2.0) is LessonStep.WAITING
    film.enrolment.look_again()
    assert film.still(seconds=2.0) is LessonStep.ASKING
    film.enrolment.keep({1: "koala"})
    assert film.still(seconds=2.0) is LessonStep.WAITING, "the die that was kept lies there still"
    film.offer(place=(180, 120))


def test_a_blank_face_needs_no_picture(film: Film) -> None:
    film.enrolment.blank("koala")
    assert film.view.missing == ("emu",)
    assert film.said == "koala is blank and needs no picture."
    film.keep("emu")
    with pytest.raises(EnrolError, match="delete it before"):
        film.enrolment.blank("emu")
    film.finish()
    assert (film.drawer.faces, film.drawer.blank) == (["emu", "koala"], ("koala",))


def test_a_face_named_on_the_way_is_one_of_the_set_until_it_is_dropped(film: Film) -> None:
    film.enrolment.name("wombat")
    film.enrolment.drop("wombat")
    assert (film.view.face, film.view.missing) == ("", ("emu", "koala"))
    film.enrolment.blank("koala")
    film.keep("emu")
    film.keep("joker", (180, 120))
    film.finish()
    assert film.drawer.faces == ["emu", "koala", "joker"]


def test_a_wrong_name_is_put_right_in_its_place(film: Film) -> None:
    film.keep("eemu")
    film.enrolment.rename("eemu", "emu", "Emu")
    assert list(film.view.kept) == ["emu", "koala"]
    assert [one.face for one in film.view.kept["emu"]] == ["emu"]
    assert film.said == "Renamed eemu to emu."
    film.eyes.dice = [shown(1)]
    film.keep("joker", (180, 120))
    with pytest.raises(EnrolError, match="the pictures of joker and emu look different"):
        film.enrolment.rename("joker", "emu", "Emu")
    film.enrolment.rename("emu", "bird", "Bird")
    assert list(film.view.kept) == ["bird", "koala", "joker"]
    assert film.enrolment.label("bird") == "Bird"


def test_faces_of_a_game_get_its_ids(film: Film) -> None:
    film.enrolment.labels["mein-emu"] = "Großer Emu"
    film.keep("mein-emu")
    film.enrolment.expect([FaceNote("big-emu", {"de": "großer emu"}), FaceNote("wombat")])
    assert film.view.counts == {"emu": 0, "koala": 0, "big-emu": 1, "wombat": 0}
    assert film.enrolment.label("big-emu", "de") == "großer emu"


def test_pictures_are_offered_like_what_the_camera_saw(film: Film) -> None:
    blank = np.zeros((64, 64, 3), np.uint8)
    film.enrolment.picture("", [("one.jpg", blank), ("two.jpg", blank)])
    assert film.said == "What is on top of these 2 dice?"
    film.enrolment.keep({1: "emu", 2: "emu"})
    assert [kept.die.source for kept in film.view.kept["emu"]] == ["one.jpg", "two.jpg"]
    film.eyes.dice = []
    with pytest.raises(EnrolError, match=r"three\.jpg: no die found"):
        film.enrolment.picture("koala", [("three.jpg", blank)])
    assert film.view.step is LessonStep.WAITING


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda enrolment: enrolment.keep({}), "no die to keep"),
        (lambda enrolment: enrolment.discard(), "no die to keep"),
        (lambda enrolment: enrolment.name("../x"), "lower-case letters"),
        (lambda enrolment: enrolment.picture("emu", []), "no picture arrived"),
        (lambda enrolment: enrolment.forget("wombat", 1), "there is no face"),
        (lambda enrolment: enrolment.forget("emu", 1), "no longer exists"),
        (lambda enrolment: [enrolment.name(f"f{i}") for i in range(64)], "at most 64 faces"),
    ],
)
def test_what_does_not_fit_the_moment_is_one_line(
    film: Film, call: Callable[[Enrolment], object], said: str
) -> None:
    with pytest.raises(EnrolError, match=said):
        call(film.enrolment)
