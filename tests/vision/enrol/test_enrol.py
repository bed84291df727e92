"""A set is made of pictures of its faces, whole or not at all, and what will go wrong is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.enrol.shots import (
    FACES,
    PaperFinder,
    PaperMatcher,
    enrolled,
    paper,
    shot,
    shots,
    shown,
    table,
    wish,
)
from vision.detection import Detection
from vision.dicesets.files import DiceSetError, FaceNote, SetNote
from vision.dicesets.library import find, load
from vision.dicesets.model import DiceSet, note_of
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.enrol import EnrolError, SideError, Wish, keep
from vision.enrol.shown import (
    AGREE,
    LIKELY_DIE,
    OUTLINED,
    OUTLINES,
    SHAPELY,
    SURE_DIE,
    UNCLEAR,
    VERIFIED,
    Shown,
    shown_dice,
    side_of,
    upturned,
)
from vision.frame import Pixels
from vision.gallery import Gallery
from vision.identify import identify
from vision.reading import DieReading


def read(matcher: Matcher, dice_set: DiceSet, pixels: Pixels) -> list[DieReading]:
    """What the dice in a picture show, from left to right."""
    dice = sorted(PaperFinder().detect(pixels), key=lambda die: die.box)
    gallery = Gallery.of(dice_set, matcher)
    return identify(matcher, gallery, pixels, dice)


def paper_die(face: str) -> tuple[Pixels, tuple[Detection, ...]]:
    """A picture of a die that shows a face, and the die in it."""
    pixels = table((paper(face), (200, 160), 20))
    return pixels, PaperFinder().detect(pixels)


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.png")}


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_what_was_enrolled_is_read(tmp_path: Path, network: Matcher, count: int) -> None:
    got = enrolled(wish(shots(tmp_path, count)), network)
    assert got.dice_set == load(got.dice_set.folder) == find("mine")
    assert got.counts == dict.fromkeys(FACES, count)
    assert not got.problems
    assert got.comparison.accuracy == (None if count == 1 else 1.0)
    seen = table(*((paper(face), (70.0 + 110 * i, 200.0), 77.0 * i) for i, face in enumerate(FACES)))
    assert [(one.face, one.certain) for one in read(network, got.dice_set, seen)] == [(face, True) for face in FACES]
    for _ in ("embedded", "from disk"):
        (known,) = Gallery.of(got.dice_set, network).shapes.values()
        assert known.enrolled
        assert known.pictures.shape == (len(known.points), 64, 64, 3)


def test_a_set_made_twice_is_the_same_and_nothing_else_is_left(tmp_path: Path, home: Path) -> None:
    pictures = shots(tmp_path)
    enrolled(wish(pictures))
    first = everything(home)
    with pytest.raises(EnrolError, match="already exists; add pictures to the set or replace it"):
        enrolled(wish(pictures))
    with pytest.raises(EnrolError, match="does not exist"):
        enrolled(wish({**pictures, "emu": (tmp_path / "gone.png",)}), replacing=True)
    assert everything(home) == first
    enrolled(wish(pictures), replacing=True)
    assert everything(home) == first
    assert [p.name for p in home.iterdir()] == ["mine"]


def test_more_pictures_are_added_and_what_was_there_stays(tmp_path: Path) -> None:
    note = note_of(enrolled(wish(shots(tmp_path))).dice_set)
    more = shot(tmp_path / "again.png", "emu", 120, 100)
    got = enrolled(Wish(note, {"emu": (more,)}, kept=FACES), adding=True)
    assert got.counts == {"emu": 2, "koala": 1, "joker": 1}
    assert [p.name for p in got.dice_set.face("emu").pictures] == ["enrolled-01", "enrolled-02"]
    assert got.comparison.judged == 2


def test_dice_of_one_size_in_a_picture_are_examples_and_smaller_things_are_not(tmp_path: Path) -> None:
    pictures, path = shots(tmp_path), tmp_path / "several.png"
    three = table(*((paper("emu"), (80.0 + 120 * i, 150.0), 50.0 * i) for i in range(3)))
    clutter = table((paper("emu"), (200, 160), 12), side=100)
    clutter[260:, :120] = table((paper("joker"), (60, 300), 0), side=30)[260:, :120]
    for pixels, count in ((three, 3), (clutter, 1)):
        cv2.imwrite(str(path), pixels)
        assert enrolled(wish({**pictures, "emu": (path,)}), replacing=True).counts["emu"] == count


@pytest.mark.slow
def test_a_face_may_be_blank(tmp_path: Path, network: Matcher) -> None:
    asked = wish(shots(tmp_path))
    note = SetNote("mine", {}, (Shape.CUBE,), (*asked.note.faces, FaceNote("nothing")))
    got = enrolled(Wish(note, asked.pictures, ("nothing",)), network)
    empty = np.full((192, 192, 3), 238, np.uint8)
    assert [one.face for one in read(network, got.dice_set, table((empty, (200, 160), 15)))] == ["nothing"]


def test_a_set_may_hold_both_shapes(tmp_path: Path, matcher: Matcher) -> None:
    pictures = {face: files for face, files in shots(tmp_path).items() if face != "joker"}
    for number in ("1", "4"):
        path = tmp_path / f"d8-{number}.png"
        face = (paper(number, "fate", Shape.OCTAHEDRON), (200, 160), 8)
        cv2.imwrite(str(path), table(face, shape=Shape.OCTAHEDRON, side=110))
        pictures[number] = (path,)
    note = SetNote("mixed", {}, (Shape.CUBE, Shape.OCTAHEDRON), tuple(FaceNote(face) for face in pictures))
    own = enrolled(Wish(note, pictures)).dice_set
    assert [face.id for face in own.faces_for(Shape.CUBE)] == ["emu", "koala"]
    assert [face.id for face in own.faces_for(Shape.OCTAHEDRON)] == ["1", "4"]
    four = (paper("4", "fate", Shape.OCTAHEDRON), (200, 160), 130)
    assert [one.face for one in read(matcher, own, table(four, shape=Shape.OCTAHEDRON, side=100))] == ["4"]


# --- what is refused


def seen_as(monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
    """Every die that is shown from now on is seen so."""

    def changed(*how: object) -> tuple[Shown, ...]:
        return tuple(replace(die, **changes) for die in shown_dice(*how))  # type: ignore[arg-type]

    monkeypatch.setattr("vision.enrol.enrol.shown_dice", changed)


def outlined_twice(alike: float) -> dict[str, object]:
    """A die with two outlines; what is seen in them is as much alike."""
    square = np.array(((0, 0), (40, 0), (40, 40), (0, 40)), np.float32)
    looks = np.zeros((2, 4, 5), np.float32)
    looks[0, range(4), range(4)] = 1.0
    looks[1, :, 0], looks[1, :, 4] = alike, np.sqrt(1 - alike**2)
    return {"outlines": (square, square + 10), "points": looks}


@pytest.mark.parametrize(
    "seen", [{"spread": 1.01 * UNCLEAR}, {"shapely": 0.99 * SHAPELY}, outlined_twice(0.99 * AGREE)]
)
def test_a_die_without_a_clear_outline_is_refused(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, seen: dict[str, object]
) -> None:
    seen_as(monkeypatch, **seen)
    with pytest.raises(EnrolError, match=r"^emu0.png: the face emu has no clear outline"):
        enrolled(wish(shots(tmp_path)))
    assert not home.exists()


def test_outlines_that_differ_a_little_are_clear_if_one_face_is_seen_in_them(matcher: Matcher) -> None:
    die = shown(matcher, "emu", "emu", turn=10)
    assert replace(die, **outlined_twice(1.01 * AGREE)).clear  # type: ignore[arg-type]


def test_a_die_taken_from_the_side_is_refused_if_it_shows_another_face(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_as(monkeypatch, leans=True)
    got = enrolled(wish(shots(tmp_path)))
    assert [problem.kind for problem in got.problems] == ["side"] * 3, "an upside-down camera: noticed, and believed"
    side = shot(tmp_path / "side.png", "koala", 70)
    with pytest.raises(SideError, match=r"^side.png: emu should be on top"):
        enrolled(wish({**shots(tmp_path), "emu": (side,)}), replacing=True)
    assert [p.name for p in home.iterdir()] == ["mine"]
    assert load(home / "mine") == got.dice_set


@pytest.mark.parametrize("beside", ["emu", "koala", None])
@pytest.mark.parametrize("confirmed", [False, True])
def test_a_side_that_shows_another_face_gives_way_to_the_top_beside_it(
    matcher: Matcher, beside: str | None, confirmed: bool
) -> None:
    koala, other = shown(matcher, "koala", "emu"), shown(matcher, "koala", turn=70)
    width = koala.around.shape[1]
    if beside is not None:
        top = shown(matcher, beside)
        around = np.vstack([np.hstack([koala.around, top.around]), np.zeros((width, 2 * width, 3), np.uint8)])
        koala = replace(koala, around=around, beside=top.outlines[0] + np.array([width, 0], np.float32))
    asked = Wish(SetNote("mine", {}, (Shape.CUBE,), (FaceNote("emu"), FaceNote("koala"))), {})
    made = keep(asked, [koala, other], matcher, confirmed=confirmed).dice_set
    (kept,) = made.face("emu").pictures_for(Shape.CUBE)
    assert kept.example is not None
    moved = np.array(kept.example.outlines[0])[:, 0].min() > width
    assert kept.example.side == pytest.approx(80, rel=0.1)
    assert moved == (beside == "emu" and not confirmed)
    seen = identify(matcher, Gallery.of(made, matcher), *paper_die("emu"))
    assert (seen[0].face == "emu" and seen[0].similarity > AGREE) == moved


def test_another_top_is_where_it_was_seen(matcher: Matcher) -> None:
    die, by = shown(matcher, "emu", side=90), np.array([12, -5], np.float32)
    other = upturned(die, die.outlines[0] + by, matcher)
    scale = die.side / side_of(die.outlines[0])
    assert np.allclose(other.place, die.place + by * scale, atol=0.5)
    assert (other.side, other.beside) == (pytest.approx(die.side, rel=0.02), None)


def test_nobody_is_told_that_what_was_looked_at_is_a_side(matcher: Matcher) -> None:
    taken = [replace(shown(matcher, "koala", face, turn=40), leans=True) for face in ("emu", "koala")]
    asked = Wish(SetNote("mine", {}, (Shape.CUBE,), (FaceNote("emu"), FaceNote("koala"))), {})
    with pytest.raises(SideError):
        keep(asked, taken, matcher)
    assert keep(asked, taken, matcher, confirmed=True).counts == {"emu": 1, "koala": 1}


def picture(folder: Path, *dice: tuple[str, int]) -> Path:
    """A picture of dice that show these faces at these places."""
    path = folder / "odd.png"
    cv2.imwrite(str(path), table(*((paper(face), (x, 150), 0) for face, x in dice)))
    return path


REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no die": (lambda folder: picture(folder), "odd.png: no die found; show a die with emu facing up"),
    "two faces": (
        lambda folder: picture(folder, ("emu", 120), ("joker", 320)),
        "odd.png: the dice show different faces; they should all show emu",
    ),
    "a speck": (
        lambda folder: shot(folder / "odd.png", "emu", 0.0, 9.0), "odd.png: the die is too far away"
    ),
    "no file": (lambda folder: folder / "gone.png", "gone.png does not exist"),
    "another face's file": (
        lambda folder: folder / "koala0.png",
        "is given for both “emu” and “koala”; each face needs its own picture",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_enrolled_is_one_line_and_leaves_nothing(tmp_path: Path, home: Path, case: str) -> None:
    spoil, expected = REFUSED[case]
    pictures = shots(tmp_path)
    pictures["emu"] = (*pictures["emu"], spoil(tmp_path))
    with pytest.raises(EnrolError) as refused:
        enrolled(wish(pictures))
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not home.exists() or not list(home.iterdir())


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"faces": ("emu",)}, "a dice set needs pictures of at least two faces, not 1"),
        ({"faces": (*FACES, "wombat")}, "there is no picture of “wombat”; add one"),
        ({"faces": (*FACES, "../b")}, "../b"),
        ({"id": "../x"}, r"an id may contain only lower-case letters, digits and hyphens, not “\.\./x”"),
        ({"marks": (("emu", "cat"),)}, "two or more face ids"),
        ({"nets": {Shape.CUBE: ("emu",)}}, "6 ids of faces"),
    ],
)
def test_a_wish_that_could_never_be_a_set_is_refused(
    tmp_path: Path, home: Path, changed: dict[str, Any], expected: str
) -> None:
    asked = {"id": "mine", "shapes": (Shape.CUBE,), "faces": FACES} | changed
    note = SetNote(**asked | {"faces": tuple(FaceNote(face) for face in asked["faces"])})
    with pytest.raises((EnrolError, DiceSetError), match=expected):
        enrolled(Wish(note, shots(tmp_path)))
    assert not home.exists() or not list(home.iterdir())


# --- what will go wrong


def problems(tmp_path: Path, pixels: Pixels) -> dict[str, float]:
    """What is wrong with one picture of an emu, and how much."""
    path = tmp_path / "odd.png"
    cv2.imwrite(str(path), pixels)
    got = enrolled(wish({**shots(tmp_path), "emu": (path,)}))
    assert all((one.faces, one.source) == (("emu",), "odd.png") for one in got.problems)
    return {problem.kind: problem.measured for problem in got.problems}


EMU = table((paper("emu"), (200, 160), 5))
TRIANGLE = table((paper("1", "fate", Shape.OCTAHEDRON), (200, 160), 0), shape=Shape.OCTAHEDRON)


@pytest.mark.parametrize(
    ("kind", "pixels"),
    [
        ("small", table((paper("emu"), (200, 160), 5), side=24)),
        ("blurred", cv2.GaussianBlur(EMU, (0, 0), 5)),
        ("shape", TRIANGLE),
        ("", EMU),
    ],
)
def test_a_picture_that_will_be_read_badly_is_noticed(tmp_path: Path, kind: str, pixels: Pixels) -> None:
    found = problems(tmp_path, pixels)
    assert kind in found if kind else not found
    if kind == "small":
        assert round(found[kind]) == 24


@pytest.mark.parametrize(("marks", "kind"), [((), "same"), ((("emu", "six"),), "alike")])
def test_one_picture_under_two_names_is_noticed_and_readers_ask(
    tmp_path: Path, matcher: Matcher, marks: tuple[tuple[str, ...], ...], kind: str
) -> None:
    pictures = {**shots(tmp_path), "six": (shot(tmp_path / "six.png", "emu", 0, 90),)}
    got = enrolled(wish(pictures, marks=marks))
    (problem,) = got.problems
    assert (problem.kind, set(problem.faces)) == (kind, {"emu", "six"})
    (one,) = read(matcher, got.dice_set, table((paper("emu"), (200, 160), 44)))
    assert one.face in ("emu", "six")
    assert not one.certain or one.confidence < 0.6


def test_leave_one_out_and_an_example_that_contradicts_its_face(tmp_path: Path) -> None:
    pictures = shots(tmp_path, 3)
    pictures["emu"] = (*pictures["emu"][:2], shot(tmp_path / "wrong.png", "joker", 200, 95))
    got = enrolled(wish(pictures))
    assert got.comparison.confusion["emu"] == {"emu": 2, "joker": 1}
    (one,) = [p for p in got.problems if p.kind == "contradiction"]
    assert (one.faces, one.source) == (("emu", "joker"), "emu/enrolled-03")
    assert got.counts["emu"] == 2, "two others agree, so it is not compared with"
    assert len(got.dice_set.face("emu").pictures) == 2
    assert got.comparison.right < got.comparison.judged


# --- how dice are found


def test_a_picture_on_its_side_is_found(matcher: Matcher) -> None:
    class Upright(PaperFinder):
        """Finds nothing in pictures that are higher than wide."""

        def detect(self, pixels, shapes=(Shape.CUBE,)):  # type: ignore[no-untyped-def]
            return () if pixels.shape[0] > pixels.shape[1] else super().detect(pixels, shapes)

    pixels = np.ascontiguousarray(np.rot90(EMU))
    (die,) = shown_dice(Upright(), matcher, pixels, [Shape.CUBE])
    expected = PaperFinder().detect(pixels)[0].corners
    assert np.allclose(sorted(die.place.tolist()), sorted(expected.tolist()), atol=1.5)


@pytest.mark.parametrize(
    ("score", "verified", "overlap", "learnt"),
    [
        (LIKELY_DIE, VERIFIED, 0.99 * OUTLINED, True),
        (LIKELY_DIE, VERIFIED / 2, 0.99 * OUTLINED, False),
        (SURE_DIE, VERIFIED / 2, 0.99 * OUTLINED, True),  # a die that fills the picture
        (LIKELY_DIE, VERIFIED / 2, OUTLINED, True),  # as clear as a die
        (0.9 * LIKELY_DIE, VERIFIED, OUTLINED, False),
    ],
)
def test_what_does_not_look_like_a_die_among_what_lies_around_it_is_not_learnt(
    matcher: Matcher, score: float, verified: float, overlap: float, learnt: bool
) -> None:
    class Unconvinced(PaperFinder):
        def detect(self, pixels, shapes=(Shape.CUBE,)):  # type: ignore[no-untyped-def]
            found = super().detect(pixels, shapes)
            return tuple(replace(one, score=score, verified=verified, overlap=overlap) for one in found)

    assert bool(shown_dice(Unconvinced(), matcher, EMU, [Shape.CUBE])) == learnt


@pytest.mark.parametrize("spoilt", [(0,), (2,), (1, 4)], ids=["the first", "one", "two"])
def test_an_outline_without_an_area_is_left_out(matcher: Matcher, spoilt: tuple[int, ...]) -> None:
    class Flattening(PaperFinder):
        """Outlines a line instead of a face in some of the looks at a die: the first, or later ones."""

        looks = 0

        def detect(self, pixels, shapes=(Shape.CUBE,)):  # type: ignore[no-untyped-def]
            look, self.looks = self.looks % OUTLINES, self.looks + 1
            (one,) = super().detect(pixels, shapes)
            middle = one.corners.mean(axis=0)
            return (replace(one, corners=middle + 0.002 * (one.corners - middle)) if look in spoilt else one,)

    (die,) = shown_dice(Flattening(), matcher, EMU, [Shape.CUBE])
    assert all(cv2.contourArea(outline) > 1000 for outline in die.outlines)
    assert die.likeness(shown(matcher, "emu")) > 0.95


# --- what reading costs with a set of one's own


def test_reading_a_die_costs_as_much_with_an_own_set_as_with_a_shipped_one(tmp_path: Path) -> None:
    class Counting(PaperMatcher):
        """Counts the faces that are compared."""

        count = 0

        def embed(self, faces):  # type: ignore[no-untyped-def]
            self.count += len(faces)
            return super().embed(faces)

    spent: list[int] = []
    for dice_set in (enrolled(wish(shots(tmp_path, 3))).dice_set, find("outback")):
        counting = Counting()
        gallery = Gallery.of(dice_set, counting)
        counting.count = 0
        identify(counting, gallery, EMU, PaperFinder().detect(EMU))
        spent.append(counting.count)
    assert spent[0] == spent[1]


def test_what_was_made_of_a_sets_pictures_is_remembered_and_damage_costs_only_time(
    tmp_path: Path, matcher: Matcher
) -> None:
    class Tired(type(matcher)):  # type: ignore[misc]
        def embed(self, faces):  # type: ignore[no-untyped-def]
            raise AssertionError("the network was asked again")

    own = enrolled(wish(shots(tmp_path))).dice_set
    first = Gallery.of(own, matcher).shapes[Shape.CUBE].points
    (kept,) = (tmp_path / "home" / "cache").glob("gallery-*.npz")
    assert np.array_equal(Gallery.of(own, Tired()).shapes[Shape.CUBE].points, first)
    for damaged in (kept.read_bytes()[:200], b"\x80\x04pickle"):
        kept.write_bytes(damaged)
        assert np.array_equal(Gallery.of(own, matcher).shapes[Shape.CUBE].points, first)
