"""Several frames of the same still dice: their evidence is averaged, never multiplied."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes import certain, die, reading
from vision.combine import combined
from vision.dicesets.shapes import Shape
from vision.reading import UNKNOWN, Alternative, DieReading

CERTAIN = 0.9


def read(x: float = 100.0, *, shape: Shape = Shape.OCTAHEDRON, **faces: float) -> DieReading:
    """A die at x whose faces, named f1, f2 …, are so likely."""
    ranked = sorted(((name[1:], likely) for name, likely in faces.items()), key=lambda pair: -pair[1])
    face, likely = ranked[0]
    alternatives = tuple(Alternative(*pair) for pair in ranked)
    certain = likely >= CERTAIN
    return replace(
        die(face, x, shape=shape), certain=certain, confidence=likely, alternatives=alternatives
    )


def one(*frames: DieReading) -> DieReading:
    """The single die that these frames show together."""
    (found,) = combined([reading(frame) for frame in frames], CERTAIN).dice
    return found


@pytest.mark.parametrize("likely", [0.3, 0.6, 0.89, 0.97])
def test_frames_that_say_the_same_are_no_surer_than_one(likely: float) -> None:
    single = read(f1=likely, f2=0.02)
    together = one(*[single] * 5)
    assert together.confidence == pytest.approx(likely)
    assert together.certain == single.certain


def test_a_doubtful_frame_among_clear_ones_needs_no_question() -> None:
    doubtful, clear = read(f1=0.6, f2=0.3), read(f1=0.98, f2=0.01)
    assert not one(doubtful, clear).certain
    together = one(doubtful, clear, clear)
    assert together.certain
    assert doubtful.confidence < together.confidence < clear.confidence


def test_likelihoods_count_and_not_votes() -> None:
    leaning, clear = read(f1=0.5, f2=0.45), read(f2=0.99)
    together = one(leaning, leaning, clear)
    assert together.face == "2"
    assert [alternative.face for alternative in together.alternatives] == ["2", "1"]
    assert not together.certain
    assert together.corners == clear.corners


def test_frames_that_contradict_each_other_leave_a_question() -> None:
    assert not one(read(f1=0.99), read(f2=0.99), read(f1=0.99)).certain


def test_a_face_that_only_a_mark_tells_is_certain_if_most_frames_see_the_mark() -> None:
    clear = read(f6=0.97)
    unmarked = replace(clear, certain=False, distinct=False)
    assert one(clear, unmarked, clear).certain
    assert not one(clear, unmarked).certain


def test_a_die_looks_like_none_of_the_set_if_it_does_in_most_frames() -> None:
    clear = read(f6=0.97)
    odd = replace(clear, certain=False, distinct=False, odd=True)
    assert one(odd, clear, odd).odd
    assert not one(clear, odd, clear).odd


def test_a_die_counts_that_at_least_half_of_the_frames_show() -> None:
    first, second = read(f1=0.97), read(200.0, f2=0.97)
    two, alone = reading(first, second), reading(first)
    assert combined([alone, two], CERTAIN).faces == ("1", "2")
    assert combined([two, alone, two], CERTAIN).faces == ("1", "2")
    assert combined([alone, two, alone], CERTAIN).faces == ("1",)


def test_dice_are_told_apart_by_where_they_lie() -> None:
    frames = [reading(read(x + jitter, f1=0.97), read(x + 65 - jitter, f2=0.97)) for x, jitter in ((100, 0), (102, 3))]
    together = combined(frames, CERTAIN)
    assert together.faces == ("1", "2")
    assert certain(together)
    assert together.frames == tuple(frames)
    assert {found.corners for found in together.dice} <= {seen.corners for frame in frames for seen in frame.dice}


def test_a_die_of_no_face_of_the_set_stays_one() -> None:
    strange = replace(die(UNKNOWN), certain=False, confidence=0.0, alternatives=())
    together = one(strange, strange)
    assert (together.face, together.certain) == (UNKNOWN, False)
    assert not one(strange, read(0.0, f1=0.97)).certain


def test_of_two_shapes_the_likelier_one_gives_outline_and_faces() -> None:
    square, triangle = read(f1=0.6, f2=0.3, shape=Shape.CUBE), read(f1=0.97)
    together = one(square, triangle, triangle)
    assert (together.shape, len(together.corners)) == (Shape.OCTAHEDRON, 3)
    assert [alternative.face for alternative in together.alternatives] == ["1"]


def test_what_is_wrong_with_the_picture_is_said_while_something_is_in_doubt() -> None:
    doubtful, clear = read(f1=0.6), read(f1=0.99)
    dark = replace(reading(doubtful), trouble="dark")
    assert combined([dark, reading(doubtful)], CERTAIN).trouble == "dark"
    assert combined([dark, reading(clear), reading(clear)], CERTAIN).trouble is None


def test_how_likely_it_is_a_die_is_averaged_as_well() -> None:
    doubtful, clear = replace(read(f1=0.98), die=0.6), replace(read(f1=0.98), die=0.99)
    assert 0.6 < one(doubtful, clear).die < 0.99
    assert one(doubtful, doubtful).die == pytest.approx(0.6)


def test_what_is_a_die_in_too_few_frames_stays_faint() -> None:
    first, other = read(f1=0.97), replace(read(200.0, f2=0.6), die=0.6)
    faint = replace(other, die=0.4, certain=False)
    clear, unclear = reading(first, other), replace(reading(first), faint=(faint,))
    assert combined([clear, unclear], CERTAIN).faces == ("1", "2")
    assert combined([clear, unclear], CERTAIN).faint == ()
    together = combined([unclear, clear, unclear], CERTAIN)
    assert together.faces == ("1",)
    (left,) = together.faint
    assert (left.face, left.certain) == ("2", False)
    assert 0.4 < left.die < 0.6
    assert combined([reading(first), unclear, reading(first)], CERTAIN).faint != (), "one frame is enough for that"
