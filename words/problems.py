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
                "The face is {found} pixels wide; 32 or more read better.", found=round(one.measured)
            )
        case "blurred":
            return message("The picture is blurred: hold the die still, or focus the camera.")
        case "glare":
            share = f"{100 * one.measured:.0f} %"
            return message("{share} of the face glares; turn the lamp or the die.", share=share)
        case "outline":
            return message("The outline of the face is unsure; a ground of another colour makes it clearer.")
        case "side":
            return message("This may be a side of the die and not its top; look from further above.")
        case "shape":
            return message("This looks like a die of another shape than the set has.")
        case "same" | "contradiction":
            return message(
                "This looks like {face:called}, which has a picture already. Was the die turned?",
                face=one.faces[-1],
            )
        case "alike":
            return message("{one:called} and {other:called} can barely be told apart.", **_two(one))
        case _:
            assert_never(one.kind)


def judged(one: Problem) -> Message:
    """What will go wrong with a set that is made, in one sentence with its measure."""
    match one.kind:
        case "same":
            return message(
                "{one:called} looks like {other:called}, which is there under another name (margin {margin:signed}).",
                margin=one.measured, **_two(one),
            )  # fmt: skip
        case "alike":
            return message(
                "{one:called} and {other:called} can barely be told apart (margin {margin:signed}; 0.12 is safe).",
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
