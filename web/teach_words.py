"""What is said while dice are taught, in the device's language: the table's templates and the problems it measures."""

from __future__ import annotations

from typing import assert_never

from table.teaching.view import Step, View
from web.language import N_, Label, figure, told
from web.language import gettext as _
from words.problems import Problem
from words.teaching import Saying

SAYINGS = (
    N_("Which face comes first?"),
    N_("Put a die under the camera that shows %(face)s."),
    N_("Hold still."),
    N_("Kept %(faces)s. %(count)s faces missing: %(missing)s."),
    N_("Kept %(faces)s. One face missing: %(missing)s."),
    N_("Kept %(faces)s. Every face has a picture."),
    N_("Kept %(faces)s. Now show %(face)s; %(count)s faces missing."),
    N_("Kept %(faces)s. Now show %(face)s, the last one missing."),
    N_("Not kept. Move the die that shows %(face)s."),
    N_("Looking again at %(face)s."),
    N_("%(face)s is missing again."),
    N_("That picture of %(face)s is let go."),
    N_("%(face)s shows nothing, and needs no picture."),
    N_("%(face)s needs a picture."),
    N_("%(face)s is no face of this set any more."),
    N_("No die is seen. Put one under the camera that shows %(face)s, on a ground of another colour."),
    N_("The die is too far away: its face is %(found)s pixels wide, and should be %(wanted)s. Go nearer."),
    N_("%(face)s: keep it?"),
    N_("%(face)s: keep these %(count)s?"),
    N_("These %(count)s dice may show different faces. Name each of them, or leave it out."),
    N_("%(set)s is made: %(count)s faces."),
)
"""What `words.teaching` says, for the catalogues; a test holds the two together."""


def said(view: View, label: Label) -> str:
    """The whole of what there is to say: what is wrong with an offer, then the question."""
    parts: list[str] = []
    if view.step is Step.ASKING and view.offer is not None:
        parts += [problem(one, label) for candidate in view.offer.candidates for one in candidate.problems]
    return " ".join((*parts, saying(view.saying, label)))


def saying(one: Saying, label: Label) -> str:
    """One sentence."""
    words = told(one, label)
    return f"{words[:1].upper()}{words[1:]}"


def problem(one: Problem, label: Label) -> str:
    """What is wrong, in one sentence."""
    face, other = _two(one, label)
    if one.kind == "small":
        return _("The face is %(found)d pixels wide; 32 or more read better.", found=round(one.measured))
    if one.kind == "blurred":
        return _("The picture is blurred: hold the die still, or focus the camera.")
    if one.kind == "glare":
        return _(
            "%(share)s of the face glares; turn the lamp or the die.", share=f"{100 * one.measured:.0f} %"
        )
    if one.kind == "outline":
        return _("The outline of the face is unsure; a ground of another colour makes it clearer.")
    if one.kind == "side":
        return _("This may be a side of the die and not its top; look from further above.")
    if one.kind == "shape":
        return _("This looks like a die of another shape than the set has.")
    if one.kind == "same" or one.kind == "contradiction":
        return _("This looks like %(face)s, which has a picture already. Was the die turned?", face=other)
    if one.kind == "alike":
        return _("%(one)s and %(other)s can barely be told apart.", one=face, other=other)
    assert_never(one.kind)


def judged(one: Problem, label: Label) -> str:
    """What will go wrong with a set that is made, in one sentence with its measure."""
    face, other = _two(one, label)
    margin = figure(one.measured, 2, signed=True)
    if one.kind == "same":
        return _(
            "%(one)s looks like %(other)s, which is there under another name (margin %(margin)s).",
            one=face, other=other, margin=margin,
        )  # fmt: skip
    if one.kind == "alike":
        return _(
            "%(one)s and %(other)s can barely be told apart (margin %(margin)s; 0.12 is safe).",
            one=face, other=other, margin=margin,
        )  # fmt: skip
    if one.kind == "contradiction":
        return _(
            "A picture of %(one)s looks more like %(other)s; it is marked on the set’s page.",
            one=face, other=other,
        )  # fmt: skip
    return f"{face}: {problem(one, label)}"


def _two(one: Problem, label: Label) -> tuple[str, str]:
    """The face it is about, and the other one where it is about two."""
    face, other = (*one.faces, "")[:2]
    return label(face), label(other) if other else ""
