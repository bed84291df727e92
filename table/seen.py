"""The dice as the camera saw them and as people put them right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import dist

from table.notice import Choice, Point, ShownDie
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.reading import UNKNOWN, Alternative, DieReading, Reading

MOST_CHOICES = 4
"""Faces offered for an uncertain die before the rest of the set."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenDie:
    """A die in the picture: what was read, and the face it is taken for."""

    read: DieReading
    face: str
    certain: bool

    def corrected(self, face: str) -> SeenDie:
        """The same die after somebody said what it shows."""
        return replace(self, face=face, certain=True)

    @property
    def centre(self) -> Point:
        """The middle of its top face, in pixels."""
        return self.read.centre

    @property
    def width(self) -> float:
        """About how wide it is, in pixels."""
        x0, y0, x1, y1 = self.read.box
        return max(x1 - x0, y1 - y0)


def seen(reading: Reading) -> tuple[SeenDie, ...]:
    """A reading's dice from left to right, so that people and keys count them alike."""
    ordered = sorted(reading.dice, key=lambda die: die.centre)
    return tuple(SeenDie(die, die.face, die.certain and die.face != UNKNOWN) for die in ordered)


def lie_alike(before: Iterable[SeenDie], after: Iterable[SeenDie]) -> bool:
    """Whether these are the same dice where they were: each within half its width, the same faces read."""
    rest = list(after)
    for die in before:
        near = [one for one in rest if one.read.face == die.read.face]
        near = [one for one in near if dist(one.centre, die.centre) < die.width / 2]
        if not near:
            return False
        rest.remove(min(near, key=lambda one, die=die: dist(one.centre, die.centre)))
    return not rest


def shifted(dice: Iterable[SeenDie], move: Point) -> tuple[SeenDie, ...]:
    """The dice in a picture whose corner is elsewhere: all of them lie `move` pixels on."""
    right, down = move

    def there(read: DieReading) -> DieReading:
        x0, y0, x1, y1 = read.box
        corners = tuple((x + right, y + down) for x, y in read.corners)
        return replace(read, corners=corners, box=(x0 + right, y0 + down, x1 + right, y1 + down))

    return tuple(replace(die, read=there(die.read)) for die in dice)


def shown(number: int, die: SeenDie, *, dice_set: DiceSet, held: bool, outlined: bool) -> ShownDie:
    """A die as the outputs show it; every face of the set can be chosen, the likeliest come first."""
    likely = [one for one in die.read.alternatives if one.face != UNKNOWN][:MOST_CHOICES]
    choices = [Choice(one.face, face_label(dice_set, one.face), one.confidence) for one in likely]
    named = {choice.face for choice in choices}
    possible = dice_set.faces_for(die.read.shape)
    choices += [Choice(face.id, face.label(), None) for face in possible if face.id not in named]
    return ShownDie(
        number=number,
        face=die.face,
        label=face_label(dice_set, die.face),
        shape=die.read.shape,
        certain=die.certain,
        held=held,
        choices=tuple(choices),
        corners=die.read.corners if outlined else (),
    )


def typed(number: int, face: str, shape: Shape, *, dice_set: DiceSet, held: bool) -> ShownDie:
    """A die that no camera saw."""
    choices = tuple(Choice(one.id, one.label(), None) for one in dice_set.faces)
    label = face_label(dice_set, face)
    return ShownDie(number, face, label, shape, certain=True, held=held, choices=choices, corners=())


def face_label(dice_set: DiceSet, face: str) -> str:
    """A face's English name, the id of none for a die that fits none; `words.tongue` has the other languages'."""
    return UNKNOWN if face == UNKNOWN else dice_set.face(face).label()


def told(dice: Iterable[SeenDie], size: tuple[int, int]) -> str:
    """Dice as JSON, to be kept with their roll; `size` is the picture's width and height."""
    return json.dumps(
        {
            "size": list(size),
            "dice": [
                {
                    "shape": die.read.shape,
                    "read": die.read.face,
                    "sure": die.read.certain,
                    "confidence": round(die.read.confidence, 4),
                    "others": [[one.face, round(one.confidence, 4)] for one in die.read.alternatives],
                    "corners": [[round(x, 2), round(y, 2)] for x, y in die.read.corners],
                    "box": [round(value, 2) for value in die.read.box],
                    "face": die.face,
                }
                for die in dice
            ],
        },
        ensure_ascii=False,
    )


def retold(text: str) -> tuple[tuple[SeenDie, ...], tuple[int, int]]:
    """Dice and picture size out of what `told` wrote. Raises ValueError for anything else."""
    try:
        record = json.loads(text)
        dice = tuple(
            SeenDie(
                DieReading(
                    shape=Shape(one["shape"]),
                    face=one["read"],
                    certain=one["sure"],
                    confidence=one["confidence"],
                    alternatives=tuple(Alternative(face, float(sure)) for face, sure in one["others"]),
                    corners=tuple((float(x), float(y)) for x, y in one["corners"]),
                    box=(
                        float(one["box"][0]),
                        float(one["box"][1]),
                        float(one["box"][2]),
                        float(one["box"][3]),
                    ),
                ),
                str(one["face"]),
                certain=True,
            )
            for one in record["dice"]
        )
        return dice, (int(record["size"][0]), int(record["size"][1]))
    except (KeyError, TypeError, IndexError) as bad:
        raise ValueError(f"expected dice as they were seen, got something else ({bad})") from None
