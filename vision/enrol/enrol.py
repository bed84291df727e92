"""Makes a dice set from pictures of its faces, and warns of what may go wrong with it.

The set is made in a hidden folder beside the others, which is renamed once the set is complete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from messages.message import Message, MessageError, Plain
from vision.dicesets.files import SET_ID, SetNote
from vision.dicesets.library import drafted, load, own_sets
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.alike import Comparison, Sample, compare, like_another, outliers, sides, usefulness
from vision.enrol.examples import ExampleStore, sample_of
from vision.enrol.problems import WANTED_SIDE, Problem, brightness, seen_problems, set_problems
from vision.enrol.shown import LEAST_SIDE, FindsDice, Shown, shown_dice, upturned
from vision.frame import Pixels
from vision.picture import PictureError, load_picture

ONE_FACE: Final = 0.70
"""Two dice in one picture show different faces if their cosine is lower. In rendered pictures it is lower for one in
fifty pairs with the same face, and for nine in ten with different faces."""
MOST_PICTURES: Final = 64
"""Most pictures of one face."""
BLANK_SIDE: Final = 96


class EnrolError(MessageError):
    """No dice set can be made from these pictures; the message says in one line which are wrong and why."""

    def __init__(self, template: str | Message, kind: str = "", /, **values: Plain) -> None:
        """`kind` is "no die" or "small" if a page has its own words for it."""
        super().__init__(template, **values)
        self.kind = kind


class SideError(EnrolError):
    """A die shows a side instead of its top."""

    def __init__(self, template: str, die: Shown, **values: Plain) -> None:
        """`die` shows another face than people say."""
        super().__init__(template, source=die.source, face=die.face, **values)
        self.die = die


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to enrol."""

    note: SetNote
    pictures: Mapping[str, tuple[Path, ...]]
    """Face id → files that show it."""
    blank: tuple[str, ...] = ()
    """Faces with nothing on them, which need no picture."""
    kept: tuple[str, ...] = ()
    """Faces that already have pictures, if the set exists and gets more."""


@dataclass(frozen=True, eq=False, slots=True)
class Enrolled:
    """A set that was made, and how well its pictures will do."""

    dice_set: DiceSet
    problems: tuple[Problem, ...]
    comparison: Comparison
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """Examples of each face."""


def check_wish(wish: Wish) -> None:
    """Refuse a wish that can never become a set, before any picture is opened.

    Raises:
        EnrolError: no id, no faces, a face without pictures, one file for two faces.
    """
    note = wish.note
    if not SET_ID.fullmatch(note.id):
        raise EnrolError(
            "an id may contain only lower-case letters, digits and hyphens, not “{found}”", found=note.id[:40]
        )
    if len(note.faces) < 2:
        raise EnrolError("a dice set needs pictures of at least two faces, not {found}", found=len(note.faces))
    ids = [face.id for face in note.faces]
    for face in ids:
        if not SET_ID.fullmatch(face):
            raise EnrolError(
                "a face id may contain only lower-case letters, digits and hyphens, not “{found}”", found=face[:40]
            )
        if not wish.pictures.get(face) and face not in (*wish.blank, *wish.kept):
            raise EnrolError("there is no picture of “{face:called}”; add one", face=face)
        if len(wish.pictures.get(face, ())) > MOST_PICTURES:
            raise EnrolError(
                "there may be at most {most} pictures of “{face:called}”", most=MOST_PICTURES, face=face
            )
    owners: dict[str, str] = {}
    for face, paths in wish.pictures.items():
        for path in paths:
            if not path.is_file():
                continue  # the error comes when it is opened
            key = hashlib.sha256(path.read_bytes()).hexdigest()
            other = owners.setdefault(key, face)
            if other != face:
                raise EnrolError(
                    "{path} is given for both “{other:called}” and “{face:called}”; each face "
                    "needs its own picture",
                    path=str(path), other=other, face=face,
                )  # fmt: skip


def take(
    finder: FindsDice,
    matcher: Matcher,
    pixels: Pixels,
    shapes: Sequence[Shape],
    face: str,
    source: str,
    *,
    mixed: bool = False,
) -> tuple[Shown, ...]:
    """The dice in one picture, which must all show one face unless they are `mixed`.

    Raises:
        EnrolError: there is no die, none large enough, none outlined clearly, or two that show different faces.
    """
    dice = shown_dice(finder, matcher, pixels, shapes)
    if not dice:
        raise EnrolError(
            "{source}: no die found; show a die with {face:called} facing up"
            if face
            else "{source}: no die found; take the picture from above, on a background of another colour",
            "no die", source=source, face=face,
        )  # fmt: skip
    if dice[0].side < LEAST_SIDE:
        raise EnrolError(
            "{source}: the die is too far away: its face is {found} pixels wide and should be "
            "{wanted}; move the camera closer",
            "small",
            source=source, wanted=round(WANTED_SIDE), found=round(dice[0].side),
        )  # fmt: skip
    dice = tuple(die for die in dice if die.side >= LEAST_SIDE and (mixed or die.clear))
    if not dice:
        raise EnrolError(
            "{source}: the face {face:called} has no clear outline; take the picture straight from "
            "above, on a background of another colour",
            source=source, face=face,
        )  # fmt: skip
    if not mixed and not one_face(dice):
        raise EnrolError(
            "{source}: the dice show different faces; they should all show {face:called}",
            source=source, face=face,
        )  # fmt: skip
    return tuple(replace(die, face=face, source=source) for die in dice)


def one_face(dice: Sequence[Shown], alike: float = ONE_FACE) -> bool:
    """Whether every die of the same shape looks like the surest one, with a cosine of at least `alike`."""
    first, *others = dice
    return all(
        max(first.likeness(die), die.likeness(first)) >= alike for die in others if die.shape == first.shape
    )


def enrol(
    wish: Wish,
    finder: FindsDice,
    matcher: Matcher,
    *,
    replacing: bool = False,
    adding: bool = False,
    step: Callable[[], None] = lambda: None,
) -> Enrolled:
    """Make a set from files, or add examples to an existing one.

    Args:
        wish: the set and its pictures.
        finder: finds dice.
        matcher: compares faces.
        replacing: a set with this id may exist and is replaced.
        adding: a set with this id exists and keeps its examples.
        step: called after each picture.

    Raises:
        EnrolError: no set can be made; nothing has changed.
        PictureError: a file is no picture.
        OSError: the set cannot be written.
    """
    check_wish(wish)
    _check_target(own_sets() / wish.note.id, adding or replacing)
    taken: list[Shown] = []
    for face, paths in wish.pictures.items():
        seen: set[str] = set()
        for path in paths:
            try:
                pixels = load_picture(path)
            except PictureError as error:
                raise EnrolError(error.message) from error
            key = hashlib.sha256(pixels.tobytes()).hexdigest()
            if key not in seen:
                seen.add(key)
                taken += take(finder, matcher, pixels, wish.note.shapes, face, path.name)
            step()
    return keep(wish, taken, matcher, adding=adding, replacing=replacing)


def keep(
    wish: Wish,
    taken: Sequence[Shown],
    matcher: Matcher,
    *,
    adding: bool = False,
    replacing: bool = False,
    confirmed: bool = False,
    home: Path | None = None,
) -> Enrolled:
    """Write a set from dice that were found; `confirmed` if somebody has looked at each of them. Otherwise the outlined
    side of a die, if it shows another face, may give way to the top beside it.

    Raises as `enrol` does, and SideError if only a side of a die showed some face and nobody confirmed it.
    """
    target = (home or own_sets()) / wish.note.id
    _check_target(target, adding or replacing)
    with drafted(target, wish.note, afresh=not adding) as draft:
        store = ExampleStore(draft)
        samples = [
            sample_of(one, matcher) for one in store.examples if one.path.is_file() and not one.doubtful
        ]
        taken = taken if confirmed else _topped(taken, samples, matcher)
        named: dict[tuple[str, str], Shown] = {}
        for one in taken:
            example = store.add(one, origin="enrolled")
            samples.append(Sample.of(one, example.name))
            named[one.face, example.name] = one
        for face in {one.face for one in taken}:
            for name in store.drop_least_useful(face, usefulness(samples, face)):
                samples = [s for s in samples if (s.face, s.name) != (face, name)]
        comparison = compare(samples)
        aside = outliers(samples, comparison)
        if not confirmed and (wrong := sides(samples, aside)):
            raise SideError(
                "{source}: {face:called} should be on top, but this looks like {like} on the side "
                "of the die; take the picture straight from above",
                named[wrong[0].face, wrong[0].name], like=wrong[0].like,
            )  # fmt: skip
        for one in aside:
            store.trust(one.face, one.name, doubtful=True)
        for face in wish.blank:
            path = draft / "faces" / face / "blank.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(path), np.zeros((BLANK_SIDE, BLANK_SIDE, 4), np.uint8))
    lit = [(one, brightness(one)) for one in taken]
    problems = [
        problem
        for die in taken
        for problem in seen_problems(die, [b for one, b in lit if one is not die and one.shape is die.shape])
    ]
    problems += set_problems(wish.note.marks, comparison)
    kept = [s for s in samples if (s.face, s.name) not in {(one.face, one.name) for one in aside}]
    counts = {face.id: sum(s.face == face.id for s in kept) for face in wish.note.faces}
    return Enrolled(load(target), tuple(problems), comparison, counts)


def _topped(taken: Sequence[Shown], known: Sequence[Sample], matcher: Matcher) -> list[Shown]:
    """The dice, each with the face beside the outlined one as its top if that may be the top and looks like no other
    face, while the outlined one looks like the face of another die or `known` example."""
    samples, right = [Sample.of(one) for one in taken], list(taken)
    for i, die in enumerate(taken):
        others = [*known, *samples[:i], *samples[i + 1 :]]
        if die.beside is not None and like_another(samples[i], others):
            other = upturned(die, die.beside, matcher)
            if not like_another(Sample.of(other), others):
                right[i] = other
    return right


def _check_target(target: Path, expected: bool) -> None:
    if target.exists() and not expected:
        raise EnrolError(
            "{path} already exists; add pictures to the set or replace it", path=str(target)
        )
