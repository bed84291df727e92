"""Whether a hand moved last, or dice by themselves, told by what reaches in over the border of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.mover import ARM, Mover, Pieces

SIZE = (112, 200)
DIE = 200.0
"""Pixels of the box around a die."""
ARM_IN = np.array([[80, 50, 50, 62, 2000]], np.int32)
DIE_INSIDE = np.array([[100, 40, 14, 14, 150]], np.int32)
DIE_AT_BORDER = np.array([[100, 0, 30, 25, 400]], np.int32)


def moved(*pieces: Pieces, mover: Mover | None = None) -> Mover:
    """A mover that was told of these, one a frame at ten frames a second, each compared with the frame before."""
    mover = mover or Mover()
    for number, new in enumerate(pieces, start=1):
        mover.moves(new, SIZE, number / 10, 0.08, (number - 1) / 10)
    return mover


@pytest.mark.parametrize(
    ("pieces", "rolled", "handled"),
    [
        ([ARM_IN, ARM_IN], False, True),
        ([ARM_IN, DIE_INSIDE], False, True),
        ([ARM_IN, DIE_INSIDE, DIE_INSIDE], True, False),
        ([ARM_IN, DIE_INSIDE, DIE_AT_BORDER], False, False),
    ],
    ids=["a hand", "it is seen to go", "a die rolls on", "a die comes to the border after it"],
)
def test_who_moved_last(pieces: list[Pieces], rolled: bool, handled: bool) -> None:
    assert ARM_IN[0, 2] * ARM_IN[0, 3] > ARM * DIE
    mover = moved(*pieces)
    assert (mover.rolled, mover.handled(DIE)) == (rolled, handled)


def test_after_a_rest_nothing_is_left_of_the_hand_before_it() -> None:
    mover = moved(ARM_IN)
    assert mover.handled(DIE)
    mover.rests()
    assert not mover.handled(DIE)
    assert not mover.rolled
