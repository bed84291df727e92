"""What is said while dice are enrolled, for page and voice alike."""

from __future__ import annotations

from collections.abc import Sequence

from messages.message import N_, Message, message

FIRST = N_("Which face comes first?")
SHOW = N_("Put a die under the camera that shows {face:called}.")
HOLD_STILL = N_("Hold still.")
KEPT = N_("Kept {faces:called}. {count} faces missing: {missing:called}.")
KEPT_ONE_LEFT = N_("Kept {faces:called}. One face missing: {missing:called}.")
KEPT_ALL = N_("Kept {faces:called}. Every face has a picture.")
NEXT = N_("Kept {faces:called}. Now show {face:called}; {count} faces missing.")
NEXT_LAST = N_("Kept {faces:called}. Now show {face:called}, the last one missing.")
NOT_KEPT = N_("Not kept. Move the die that shows {face:called}.")
LOOK_AGAIN = N_("Looking again at {face:called}.")
MISSING_AGAIN = N_("{face:called} is missing again.")
LET_GO = N_("That picture of {face:called} is let go.")
BLANK = N_("{face:called} shows nothing, and needs no picture.")
NOT_BLANK = N_("{face:called} needs a picture.")
DROPPED = N_("{face:called} is no face of this set any more.")
NO_DIE = N_(
    "No die is seen. Put one under the camera that shows {face:called}, on a ground of another colour."
)
TOO_SMALL = N_("The die is too far away: its face is {found} pixels wide, and should be {wanted}. Go nearer.")
KEEP = N_("{face:called}: keep it?")
KEEP_SEVERAL = N_("{face:called}: keep these {count}?")
KEEP_MIXED = N_("These {count} dice may show different faces. Name each of them, or leave it out.")
MADE = N_("{set} is made: {count} faces.")
REFUSED = N_("{refused}.")


def asked(face: str, count: int, mixed: bool) -> Message:
    """The question that goes with an offer of so many dice."""
    if mixed:
        return message(KEEP_MIXED, count=count)
    return message(KEEP, face=face) if count == 1 else message(KEEP_SEVERAL, face=face, count=count)


def kept_words(kept: Sequence[str], missing: Sequence[str], onward: str = "") -> Message:
    """Some faces were kept, these are missing; `onward` is the one that is shown next."""
    faces = tuple(dict.fromkeys(kept))
    if onward and onward in missing:
        if len(missing) == 1:
            return message(NEXT_LAST, faces=faces, face=onward)
        return message(NEXT, faces=faces, face=onward, count=len(missing))
    if not missing:
        return message(KEPT_ALL, faces=faces)
    if len(missing) == 1:
        return message(KEPT_ONE_LEFT, faces=faces, missing=missing[0])
    return message(KEPT, faces=faces, count=len(missing), missing=tuple(missing))
