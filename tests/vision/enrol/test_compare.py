"""Which examples are set aside: those that others speak against, and sides of a die that were taken for its top."""

from __future__ import annotations

import numpy as np

from vision.dicesets.shapes import Shape
from vision.enrol.alike import Sample, compare, outliers, sides


def like(*parts: float, name: str, face: str, leans: bool = False) -> Sample:
    """An example whose one look points this way: parts of the directions that faces have."""
    look = np.zeros(8, np.float32)
    look[: len(parts)] = parts
    return Sample(face, name, Shape.CUBE, (look / np.linalg.norm(look))[None, None], leans)


def emu(name: str, face: str = "emu", leans: bool = False) -> Sample:
    return like(1.0, 0.1, name=name, face=face, leans=leans)


def koala(name: str, face: str = "koala", leans: bool = False) -> Sample:
    return like(0.1, 1.0, name=name, face=face, leans=leans)


def aside(*samples: Sample) -> list[tuple[str, str]]:
    return [(one.face, one.name) for one in outliers(samples, compare(samples))]


def test_one_that_two_others_of_its_face_speak_against_is_set_aside() -> None:
    assert aside(emu("1"), emu("2"), koala("3", "emu"), koala("1")) == [("emu", "3")]


def test_one_that_looks_like_two_of_another_face_is_set_aside_if_its_face_has_another() -> None:
    odd = like(0.0, 0.0, 1.0, name="1", face="emu")
    assert aside(odd, koala("2", "emu"), koala("1"), koala("2")) == [("emu", "2")]


def test_a_face_is_never_left_without_any_unless_it_leans() -> None:
    assert aside(koala("1", "emu"), koala("1"), koala("2")) == []
    same = like(0.2, 1.0, name="2", face="emu")
    assert aside(koala("1", "emu"), same, koala("1"), koala("2")) == []


def test_of_two_that_disagree_the_one_that_leans_is_set_aside() -> None:
    assert aside(emu("1"), koala("2", "emu"), koala("1")) == []
    assert aside(emu("1"), koala("2", "emu", leans=True), koala("1")) == [("emu", "2")]


def test_a_face_that_was_only_seen_at_a_side_is_named() -> None:
    samples = (koala("1", "emu", leans=True), koala("1"), like(0.0, 0.0, 1.0, name="1", face="joker"))
    (found,) = sides(samples, ())
    assert (found.face, found.name, found.like) == ("emu", "1", "koala")


def test_what_leans_and_looks_like_nothing_else_is_believed() -> None:
    samples = (emu("1", leans=True), koala("1"), like(0.0, 0.0, 1.0, name="1", face="joker", leans=True))
    assert sides(samples, ()) == ()


def test_what_leans_beside_a_good_one_is_not_named() -> None:
    samples = (koala("1", "emu", leans=True), emu("2"), koala("1"))
    assert sides(samples, outliers(samples, compare(samples))) == ()
