"""A set is made of pictures of its faces, whole or not at all, and what will go wrong is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.enrol.shots import PaperFinder, PaperMatcher, paper, table
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find, load
from vision.dicesets.model import note_like, note_of
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.enrol import EnrolError, Enrolled, SideError, Wish, enrol, keep, take
from vision.enrol.shown import LIKELY_DIE, OUTLINED, SHAPELY, SURE_DIE, UNCLEAR, VERIFIED, Shown, shown_dice
from vision.identify import Gallery, identify

FACES = ("emu", "koala", "joker")


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return PaperMatcher()


@pytest.fixture(scope="module")
def network() -> Matcher:
    return Matcher()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    return tmp_path / "home" / "dicesets"


def shot(path: Path, face: str, turn: float = 10.0, **how: object) -> Path:
    cv2.imwrite(str(path), table((paper(face), (200, 160), turn), **how))  # type: ignore[arg-type]
    return path


def shots(folder: Path, count: int = 1) -> dict[str, tuple[Path, ...]]:
    return {
        face: tuple(
            shot(folder / f"{face}{i}.png", face, 10 + 35 * i, side=70 + 15 * i) for i in range(count)
        )
        for face in FACES
    }


def wish(pictures: dict[str, tuple[Path, ...]], **more: object) -> Wish:
    faces = tuple(FaceNote(face) for face in pictures)
    note = SetNote("mine", {"en": "Mine"}, (Shape.CUBE,), faces, **more)  # type: ignore[arg-type]
    return Wish(note, pictures)


def made(asked: Wish, matcher: Matcher, **how: bool) -> Enrolled:
    return enrol(asked, PaperFinder(), matcher, **how)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_what_was_enrolled_is_read(tmp_path: Path, network: Matcher, count: int) -> None:
    got = made(wish(shots(tmp_path, count)), network)
    assert got.dice_set == load(got.dice_set.folder) == find("mine")
    assert got.counts == dict.fromkeys(FACES, count)
    assert not got.problems
    assert got.comparison.accuracy == (None if count == 1 else 1.0)
    gallery = Gallery.of(got.dice_set, network)
    seen = table(*((paper(face), (70.0 + 110 * i, 200.0), 77.0 * i) for i, face in enumerate(FACES)))
    dice = sorted(PaperFinder().detect(seen), key=lambda die: die.box)
    read = identify(network, gallery, seen, [die.corners for die in dice], [Shape.CUBE] * 3)
    assert [one.face for one in read] == list(FACES)
    assert all(one.certain for one in read)


def test_a_set_made_twice_is_the_same_and_nothing_else_is_left(
    tmp_path: Path, matcher: Matcher, home: Path
) -> None:
    pictures = shots(tmp_path)
    made(wish(pictures), matcher)
    first = {p.relative_to(home): p.read_bytes() for p in home.rglob("*.png")}
    with pytest.raises(EnrolError, match="expected no set of this name"):
        made(wish(pictures), matcher)
    made(wish(pictures), matcher, replacing=True)
    assert {p.relative_to(home): p.read_bytes() for p in home.rglob("*.png")} == first
    assert [p.name for p in home.iterdir()] == ["mine"]


def test_several_dice_of_one_picture_are_several_examples(tmp_path: Path, matcher: Matcher) -> None:
    pictures = shots(tmp_path)
    three = tmp_path / "three.png"
    cv2.imwrite(str(three), table(*((paper("emu"), (80.0 + 120 * i, 150.0), 50.0 * i) for i in range(3))))
    got = made(wish({**pictures, "emu": (three,)}), matcher)
    assert got.counts["emu"] == 3


def test_more_pictures_are_added_and_what_was_there_stays(tmp_path: Path, matcher: Matcher) -> None:
    first = made(wish(shots(tmp_path)), matcher).dice_set
    note = note_of(first)
    more = shot(tmp_path / "again.png", "emu", 120, side=100)
    got = enrol(Wish(note, {"emu": (more,)}, kept=FACES), PaperFinder(), matcher, adding=True)
    assert got.counts == {"emu": 2, "koala": 1, "joker": 1}
    assert [p.name for p in got.dice_set.face("emu").pictures] == ["enrolled-01", "enrolled-02"]
    assert got.comparison.judged == 2


@pytest.mark.slow
def test_a_face_may_be_blank(tmp_path: Path, network: Matcher) -> None:
    asked = wish(shots(tmp_path))
    note = SetNote("mine", {}, (Shape.CUBE,), (*asked.note.faces, FaceNote("nothing")))
    got = made(Wish(note, asked.pictures, ("nothing",)), network)
    empty = np.full((192, 192, 3), 238, np.uint8)
    seen = table((empty, (200, 160), 15))
    die = PaperFinder().detect(seen)[0]
    (read,) = identify(network, Gallery.of(got.dice_set, network), seen, [die.corners], [Shape.CUBE])
    assert read.face == "nothing"


def test_labels_values_and_marks_are_kept(tmp_path: Path, matcher: Matcher) -> None:
    pictures = shots(tmp_path)
    faces = (FaceNote("emu", {"en": "The emu", "de": 'Der "Emu"\\'}, 7), FaceNote("koala"), FaceNote("joker"))
    net = ("emu", "emu", "koala", "koala", "joker", "joker")
    note = SetNote("mine", {"de": "Meine"}, (Shape.CUBE,), faces, {Shape.CUBE: net}, (("emu", "koala"),))
    got = made(Wish(note, pictures), matcher).dice_set
    emu = got.face("emu")
    assert (emu.label("de"), emu.label("fr"), emu.value) == ('Der "Emu"\\', "The emu", 7)
    assert got.net_for(Shape.CUBE) == net
    assert got.marks == (("emu", "koala"),)
    assert got.name("de") == "Meine"


def test_the_games_names_come_along(tmp_path: Path) -> None:
    note = note_like(
        SetNote("outback", {}, (Shape.CUBE,), (FaceNote("emu", {"de": "Mein Emu"}), FaceNote("wombat"))),
        find("outback"),
    )
    assert note.faces[0].labels["de"] == "Mein Emu"
    assert note.faces[0].labels["fr"]
    assert note.faces[1] == FaceNote("wombat")


def seen_as(monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
    """Every die that is shown from now on is seen so."""

    def changed(*how: object) -> tuple[Shown, ...]:
        return tuple(replace(die, **changes) for die in shown_dice(*how))  # type: ignore[arg-type]

    monkeypatch.setattr("vision.enrol.enrol.shown_dice", changed)


@pytest.mark.parametrize("seen", [{"spread": 1.01 * UNCLEAR}, {"shapely": 0.99 * SHAPELY}])
def test_a_die_without_a_clear_outline_is_refused(
    tmp_path: Path, matcher: Matcher, home: Path, monkeypatch: pytest.MonkeyPatch, seen: dict[str, float]
) -> None:
    seen_as(monkeypatch, **seen)
    with pytest.raises(
        EnrolError, match=r"^emu0.png: expected 'emu' on top of the die, found no clear outline"
    ):
        made(wish(shots(tmp_path)), matcher)
    assert not home.exists()


def test_a_die_taken_from_the_side_is_refused_if_it_shows_another_face(
    tmp_path: Path, matcher: Matcher, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_as(monkeypatch, leans=True)
    got = made(wish(shots(tmp_path)), matcher)
    assert [problem.kind for problem in got.problems] == ["side"] * 3, (
        "an upside-down camera: said, and believed"
    )
    side = shot(tmp_path / "side.png", "koala", 70)
    with pytest.raises(
        SideError, match=r"^side.png: expected 'emu' on top of the die, found 'koala' at its side"
    ):
        made(wish({**shots(tmp_path), "emu": (side,)}), matcher, replacing=True)
    assert [p.name for p in home.iterdir()] == ["mine"]
    assert load(home / "mine") == got.dice_set


def test_nobody_is_told_that_what_was_looked_at_is_a_side(
    tmp_path: Path, matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_as(monkeypatch, leans=True)
    taken = [
        one
        for face, kind in (("emu", "koala"), ("koala", "koala"))
        for one in take(PaperFinder(), matcher, table((paper(kind), (200, 160), 40)), (Shape.CUBE,), face, face)
    ]
    note = SetNote("mine", {}, (Shape.CUBE,), (FaceNote("emu"), FaceNote("koala")))
    with pytest.raises(SideError):
        keep(Wish(note, {}), taken, matcher)
    assert keep(Wish(note, {}), taken, matcher, confirmed=True).counts == {"emu": 1, "koala": 1}


def two_faces(folder: Path) -> Path:
    path = folder / "two.png"
    cv2.imwrite(str(path), table((paper("emu"), (120, 150), 0), (paper("joker"), (320, 150), 0)))
    return path


def speck(folder: Path) -> Path:
    return shot(folder / "speck.png", "emu", 0.0, side=9.0)


def nothing(folder: Path) -> Path:
    path = folder / "nothing.png"
    cv2.imwrite(str(path), table())
    return path


REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no die": (nothing, "nothing.png: expected a die that shows 'emu', found no die"),
    "two faces": (two_faces, "two.png: expected dice that all show 'emu', found two different faces up"),
    "a speck": (speck, "speck.png: expected a die whose face is 32 pixels wide"),
    "no file": (lambda folder: folder / "gone.png", "gone.png: no such file"),
    "another face's file": (lambda folder: folder / "koala0.png", "given for"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_enrolled_is_one_line_and_leaves_nothing(
    tmp_path: Path, matcher: Matcher, home: Path, case: str
) -> None:
    spoil, expected = REFUSED[case]
    pictures = shots(tmp_path)
    pictures["emu"] = (*pictures["emu"], spoil(tmp_path))
    with pytest.raises(EnrolError) as refused:
        made(wish(pictures), matcher)
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not home.exists() or not list(home.iterdir())


def two(*, set_id: str = "x", second: str = "b", shown: bool = True, **more: object) -> Wish:
    note = SetNote(set_id, {}, (Shape.CUBE,), (FaceNote("a"), FaceNote(second)), **more)  # type: ignore[arg-type]
    return Wish(note, {"a": (Path("a"),), **({second: (Path("b"),)} if shown else {})})


WRONG: dict[str, tuple[Wish, str]] = {
    "one face": (Wish(SetNote("x", {}, (Shape.CUBE,), (FaceNote("a"),)), {"a": (Path("a"),)}), "two faces or more"),
    "no picture": (two(shown=False), "'b'"),
    "path as id": (two(set_id="../x"), "small letters"),
    "path as face": (two(second="../b"), "../b"),
    "mark unknown": (two(marks=(("a", "c"),)), "'c'"),
    "net too short": (two(nets={Shape.CUBE: ("a",)}), "6 faces of the set"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wish_that_could_never_be_a_set_is_refused(matcher: Matcher, case: str) -> None:
    asked, expected = WRONG[case]
    with pytest.raises(EnrolError, match=expected):
        made(asked, matcher)


def problems_of(tmp_path: Path, matcher: Matcher, pixels: np.ndarray) -> dict[str, str]:
    path = tmp_path / "odd.png"
    cv2.imwrite(str(path), pixels)
    got = made(wish({**shots(tmp_path), "emu": (path,)}), matcher, replacing=True)
    return {problem.kind: problem.said for problem in got.problems}


def test_a_small_picture_is_said_with_its_pixels(tmp_path: Path, matcher: Matcher) -> None:
    said = problems_of(tmp_path, matcher, table((paper("emu"), (200, 160), 5), side=24))
    assert "emu: odd.png: the face is 24 pixels wide; 32 or more read better" in said["small"]


def test_a_blurred_picture_is_said(tmp_path: Path, matcher: Matcher) -> None:
    sharp = table((paper("emu"), (200, 160), 5))
    assert "blurred" not in problems_of(tmp_path, matcher, sharp)
    said = problems_of(tmp_path, matcher, cv2.GaussianBlur(sharp, (0, 0), 5))
    assert "smeared" in said["blurred"]


def test_a_die_of_the_other_shape_is_said(tmp_path: Path, matcher: Matcher) -> None:
    triangle = table((paper("1", "fate", Shape.OCTAHEDRON), (200, 160), 0), shape=Shape.OCTAHEDRON)
    assert "looks like a d8" in problems_of(tmp_path, matcher, triangle)["shape"]


def test_the_same_face_under_two_names_is_said(tmp_path: Path, matcher: Matcher) -> None:
    pictures = shots(tmp_path)
    pictures["ostrich"] = (shot(tmp_path / "ostrich.png", "emu", 100, side=90),)
    got = made(wish(pictures), matcher)
    (problem,) = [p for p in got.problems if p.kind == "same"]
    assert set(problem.faces) == {"emu", "ostrich"}
    assert "under another name" in problem.said


@pytest.mark.slow
def test_leave_one_out_and_an_example_that_contradicts_its_face(tmp_path: Path, matcher: Matcher) -> None:
    pictures = shots(tmp_path, 3)
    pictures["emu"] = (*pictures["emu"][:2], shot(tmp_path / "wrong.png", "joker", 200, side=95))
    got = made(wish(pictures), matcher)
    assert got.comparison.confusion["emu"] == {"emu": 2, "joker": 1}
    (one,) = [p for p in got.problems if p.kind == "contradiction"]
    assert one.faces == ("emu", "joker")
    assert one.said.endswith("and is not compared with"), "two others agree"
    assert got.counts["emu"] == 2
    assert len(got.dice_set.face("emu").pictures) == 2
    assert got.comparison.right < got.comparison.judged


@pytest.mark.slow
def test_a_mark_that_is_hardly_seen_is_said_and_readers_ask(tmp_path: Path, network: Matcher) -> None:
    pictures = shots(tmp_path)
    pictures["six"] = (shot(tmp_path / "six.png", "emu", 0, side=90),)
    asked = wish(pictures, marks=(("emu", "six"),))
    got = made(asked, network)
    (problem,) = [p for p in got.problems if set(p.faces) == {"emu", "six"}]
    assert "mark" in problem.said
    seen = table((paper("emu"), (200, 160), 44))
    die = PaperFinder().detect(seen)[0]
    (read,) = identify(network, Gallery.of(got.dice_set, network), seen, [die.corners], [Shape.CUBE])
    assert read.face in ("emu", "six")
    assert not read.certain


def test_a_picture_on_its_side_is_found(matcher: Matcher) -> None:
    class Upright(PaperFinder):
        """Finds nothing in pictures that are higher than wide."""

        def detect(self, pixels, shapes=(Shape.CUBE,)):  # type: ignore[no-untyped-def]
            return () if pixels.shape[0] > pixels.shape[1] else super().detect(pixels, shapes)

    pixels = np.ascontiguousarray(np.rot90(table((paper("emu"), (200, 160), 5))))
    (die,) = shown_dice(Upright(), matcher, pixels, [Shape.CUBE])
    expected = PaperFinder().detect(pixels)[0].corners
    assert np.allclose(sorted(die.place.tolist()), sorted(expected.tolist()), atol=1.5)


def test_what_does_not_look_like_a_die_among_what_lies_around_it_is_not_learnt(matcher: Matcher) -> None:
    class Unconvinced(PaperFinder):
        """Boxes what it is shown, but holds it for a ball or a card."""

        def __init__(self, score: float, verified: float, overlap: float = 0.99 * OUTLINED) -> None:
            self.judged = {"score": score, "verified": verified, "overlap": overlap}

        def detect(self, pixels, shapes=(Shape.CUBE,)):  # type: ignore[no-untyped-def]
            return tuple(replace(one, **self.judged) for one in super().detect(pixels, shapes))

    pixels = table((paper("emu"), (200, 160), 5))
    assert shown_dice(Unconvinced(LIKELY_DIE, VERIFIED), matcher, pixels, [Shape.CUBE])
    assert not shown_dice(Unconvinced(LIKELY_DIE, VERIFIED / 2), matcher, pixels, [Shape.CUBE])
    assert shown_dice(Unconvinced(SURE_DIE, VERIFIED / 2), matcher, pixels, [Shape.CUBE]), (
        "a die that fills the picture"
    )
    assert shown_dice(Unconvinced(LIKELY_DIE, VERIFIED / 2, OUTLINED), matcher, pixels, [Shape.CUBE]), (
        "as clear as a die"
    )
    assert not shown_dice(Unconvinced(0.9 * LIKELY_DIE, VERIFIED, OUTLINED), matcher, pixels, [Shape.CUBE])


class Counting(Matcher):
    """Counts the faces that go through the network, which is what reading a die costs."""

    def embed(self, faces):  # type: ignore[no-untyped-def]
        self.count = getattr(self, "count", 0) + len(faces)
        return super().embed(faces)


@pytest.mark.slow
def test_reading_a_die_costs_as_much_with_an_own_set_as_with_a_shipped_one(
    tmp_path: Path, matcher: Matcher
) -> None:
    own = made(wish(shots(tmp_path, 3)), matcher).dice_set
    seen = table((paper("emu"), (200, 160), 44))
    corners = [die.corners for die in PaperFinder().detect(seen)]
    spent: list[int] = []
    for dice_set in (own, find("outback")):
        counting = Counting()
        gallery = Gallery.of(dice_set, counting)
        counting.count = 0
        identify(counting, gallery, seen, corners, [Shape.CUBE])
        spent.append(counting.count)
    assert spent[0] == spent[1]


@pytest.mark.slow
def test_the_points_of_a_set_are_remembered_and_damage_costs_only_time(
    tmp_path: Path, network: Matcher
) -> None:
    own = made(wish(shots(tmp_path)), network).dice_set
    first = Gallery.of(own, network).shelves[Shape.CUBE].points
    (kept,) = (tmp_path / "home" / "cache").glob("points-*.npy")

    class Tired(Matcher):
        def embed(self, faces):  # type: ignore[no-untyped-def]
            raise AssertionError("the network was asked again")

    assert np.array_equal(Gallery.of(own, Tired()).shelves[Shape.CUBE].points, first)
    kept.write_bytes(kept.read_bytes()[:200])
    assert np.array_equal(Gallery.of(own, network).shelves[Shape.CUBE].points, first)
    kept.write_bytes(b"\x80\x04pickle")
    assert np.array_equal(Gallery.of(own, network).shelves[Shape.CUBE].points, first)


def test_a_shipped_set_writes_nothing(tmp_path: Path, matcher: Matcher) -> None:
    Gallery.of(find("outback"), matcher)
    assert not (tmp_path / "home").exists()


def test_what_is_much_smaller_than_the_die_is_left_out(tmp_path: Path, matcher: Matcher) -> None:
    pixels = table((paper("emu"), (200, 160), 12), side=100)
    tiny = table((paper("joker"), (60, 300), 0), side=30)
    pixels[260:, :120] = tiny[260:, :120]
    path = tmp_path / "clutter.png"
    cv2.imwrite(str(path), pixels)
    got = made(wish({**shots(tmp_path), "emu": (path,)}), matcher)
    assert got.counts["emu"] == 1


def test_a_set_may_hold_both_shapes(tmp_path: Path, matcher: Matcher) -> None:
    pictures = {face: files for face, files in shots(tmp_path).items() if face != "joker"}
    for number in ("1", "4"):
        path = tmp_path / f"d8-{number}.png"
        shown = (paper(number, "fate", Shape.OCTAHEDRON), (200, 160), 8)
        cv2.imwrite(str(path), table(shown, shape=Shape.OCTAHEDRON, side=110))
        pictures[number] = (path,)
    note = SetNote("mixed", {}, (Shape.CUBE, Shape.OCTAHEDRON), tuple(FaceNote(face) for face in pictures))
    own = made(Wish(note, pictures), matcher).dice_set
    assert [face.id for face in own.faces_for(Shape.CUBE)] == ["emu", "koala"]
    assert [face.id for face in own.faces_for(Shape.OCTAHEDRON)] == ["1", "4"]
    seen = table((paper("4", "fate", Shape.OCTAHEDRON), (200, 160), 130), shape=Shape.OCTAHEDRON, side=100)
    die = PaperFinder().detect(seen)[0]
    (read,) = identify(matcher, Gallery.of(own, matcher), seen, [die.corners], [die.shape])
    assert (die.shape, read.face) == (Shape.OCTAHEDRON, "4")
