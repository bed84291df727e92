"""What is said while dice are enrolled: English templates and what stands in them, so that a page may say them in
its own language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.said import Said, Value

FIRST: Final = "Which face comes first?"
SHOW: Final = "Put a die under the camera that shows %(face)s."
HOLD_STILL: Final = "Hold still."
KEPT: Final = "Kept %(faces)s. %(count)s faces missing: %(missing)s."
KEPT_ONE_LEFT: Final = "Kept %(faces)s. One face missing: %(missing)s."
KEPT_ALL: Final = "Kept %(faces)s. Every face has a picture."
NEXT: Final = "Kept %(faces)s. Now show %(face)s; %(count)s faces missing."
NEXT_LAST: Final = "Kept %(faces)s. Now show %(face)s, the last one missing."
NOT_KEPT: Final = "Not kept. Move the die that shows %(face)s."
LOOK_AGAIN: Final = "Looking again at %(face)s."
MISSING_AGAIN: Final = "%(face)s is missing again."
LET_GO: Final = "That picture of %(face)s is let go."
BLANK: Final = "%(face)s shows nothing, and needs no picture."
NOT_BLANK: Final = "%(face)s needs a picture."
DROPPED: Final = "%(face)s is no face of this set any more."
NO_DIE: Final = "No die is seen. Put one under the camera that shows %(face)s, on a ground of another colour."
NO_DIE_PICTURE: Final = (
    "No die is seen in %(source)s. It should show %(face)s, on a ground of another colour."
)
TOO_SMALL: Final = (
    "The die is too far away: its face is %(found)s pixels wide, and should be %(wanted)s. Go nearer."
)
KEEP: Final = "%(face)s: keep it?"
KEEP_SEVERAL: Final = "%(face)s: keep these %(count)s?"
KEEP_MIXED: Final = "These %(count)s dice may show different faces. Name each of them, or leave it out."
MADE: Final = "%(set)s is made: %(count)s faces."
REFUSED: Final = "%(refused)s."

EVERY: Final = (
    FIRST, SHOW, HOLD_STILL, KEPT, KEPT_ONE_LEFT, KEPT_ALL, NEXT, NEXT_LAST, NOT_KEPT, LOOK_AGAIN, MISSING_AGAIN,
    LET_GO, BLANK, NOT_BLANK, DROPPED, NO_DIE, TOO_SMALL, KEEP, KEEP_SEVERAL, KEEP_MIXED, MADE,
)  # fmt: skip
"""Every template that a page should know in its own language."""


Saying = Said
"""A sentence as a template with its values; `str` says it in English."""


def say(words: str, **values: Value) -> Saying:
    """A sentence with its values."""
    return Saying(words, values)


def asked(face: str, count: int, mixed: bool) -> Saying:
    """The question that goes with an offer of so many dice."""
    if mixed:
        return say(KEEP_MIXED, count=count)
    return say(KEEP, face=face) if count == 1 else say(KEEP_SEVERAL, face=face, count=count)


def kept_words(kept: Sequence[str], missing: Sequence[str], onward: str = "") -> Saying:
    """Some faces were kept, these are missing; `onward` is the one that is shown next."""
    faces = ", ".join(dict.fromkeys(kept))
    if onward and onward in missing:
        if len(missing) == 1:
            return say(NEXT_LAST, faces=faces, face=onward)
        return say(NEXT, faces=faces, face=onward, count=len(missing))
    if not missing:
        return say(KEPT_ALL, faces=faces)
    if len(missing) == 1:
        return say(KEPT_ONE_LEFT, faces=faces, missing=missing[0])
    return say(KEPT, faces=faces, count=len(missing), missing=", ".join(missing))
