"""Which examples are set aside: those that others speak against, and sides of a die that were taken for its top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

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


def seen_twice(one: Sample, other: Sample) -> Sample:
    """An example outlined in two ways: as either of these."""
    return replace(one, points=np.concatenate([one.points, other.points]))


ODD = like(0.0, 0.0, 1.0, name="1", face="emu")
KOALAS = (koala("1"), koala("2"))
ASIDE: dict[str, tuple[tuple[Sample, ...], list[tuple[str, str]]]] = {
    "two others of its face speak against it": ((emu("1"), emu("2"), koala("3", "emu"), koala("1")), [("emu", "3")]),
    "it looks like two of another face, and its face has another": (
        (ODD, koala("2", "emu"), *KOALAS), [("emu", "2")]
    ),
    "a face is not left without any": ((koala("1", "emu"), *KOALAS), []),
    "nor with two that others dispute": ((koala("1", "emu"), like(0.2, 1.0, name="2", face="emu"), *KOALAS), []),
    "of two that disagree neither is known to be wrong": ((emu("1"), koala("2", "emu"), koala("1")), []),
    "a side was outlined beside its top": (
        (emu("1"), emu("2"), seen_twice(emu("3"), koala("3")), koala("1")), [("emu", "3")]
    ),
    "its outlines show its face and nothing else": ((emu("1"), emu("2"), seen_twice(emu("3"), ODD), koala("1")), []),
    "unless one leans": ((emu("1"), koala("2", "emu", leans=True), koala("1")), [("emu", "2")]),
}  # fmt: skip


@pytest.mark.parametrize("case", ASIDE)
def test_which_examples_are_set_aside(case: str) -> None:
    samples, expected = ASIDE[case]
    assert [(one.face, one.name) for one in outliers(samples, compare(samples))] == expected


JOKER = like(0.0, 0.0, 1.0, name="1", face="joker", leans=True)
SIDES: dict[str, tuple[tuple[Sample, ...], list[tuple[str, str, str]]]] = {
    "a face that was only seen at a side": ((koala("1", "emu", leans=True), koala("1")), [("emu", "1", "koala")]),
    "what leans and looks like nothing else is believed": ((emu("1", leans=True), koala("1"), JOKER), []),
    "what leans beside a good one is set aside": ((koala("1", "emu", leans=True), emu("2"), koala("1")), []),
}


@pytest.mark.parametrize("case", SIDES)
def test_which_are_sides_of_a_die(case: str) -> None:
    samples, expected = SIDES[case]
    found = sides(samples, outliers(samples, compare(samples)))
    assert [(one.face, one.name, one.like) for one in found] == expected
