"""What is wrong with a picture of a die, or with a set of dice, in words."""

from __future__ import annotations

from typing import assert_never

from messages.message import Message, message
from vision.enrol.problems import Problem


def problem(one: Problem) -> Message:
    """What is wrong, in one sentence."""
    match one.kind:
        case "small":
            return message(
                "The face is only {found} pixels wide; at least 32 are better. Move the camera closer.",
                found=round(one.measured)
            )
        case "blurred":
            return message("The picture is blurred: keep the die still, or focus the camera.")
        case "glare":
            share = f"{100 * one.measured:.0f} %"
            return message("Light reflects off {share} of the face; move the lamp or turn the die.", share=share)
        case "bright":
            return message("The die is much brighter here than in the other pictures; move the lamp or turn the die.")
        case "outline":
            return message("The edge of the face is hard to see; try a background of another colour.")
        case "side":
            return message("This may be the side of the die, not its top; point the camera straight down.")
        case "shape":
            return message("This die does not seem to have the shape of the set.")
        case "same" | "contradiction":
            return message(
                "This looks like {face:called}, which already has a picture. Did you turn the die?",
                face=one.faces[-1],
            )
        case "alike":
            return message("{one:called} and {other:called} are hard to tell apart.", **_two(one))
        case _:
            assert_never(one.kind)


def judged(one: Problem) -> Message:
    """What will go wrong with a set that is made, in one sentence with its measure."""
    match one.kind:
        case "same":
            return message(
                "{one:called} and {other:called} look like the same face (margin {margin:signed}); "
                "check their pictures.",
                margin=one.measured, **_two(one),
            )  # fmt: skip
        case "alike":
            return message(
                "{one:called} and {other:called} are hard to tell apart (margin {margin:signed}; "
                "0.12 is safe).",
                margin=one.measured, **_two(one),
            )  # fmt: skip
        case "contradiction":
            return message(
                "A picture of {one:called} looks more like {other:called}; it is marked on the set’s page.",
                **_two(one),
            )
        case _:
            return message("{face:called}: {problem}", face=one.faces[0], problem=problem(one))


def _two(one: Problem) -> dict[str, str]:
    """The face it is about, and the other one."""
    return {"one": one.faces[0], "other": one.faces[1]}
