"""The pages of the dice sets: which there are, what is on each face, and the examples that reading compares with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.utils import secure_filename

from table.table import Table
from table.teaching.sets import DiceSet, Judged, SetLibrary, examples_of
from web.language import N_, Label, current, refusal
from web.language import gettext as _
from web.uploads import allow_files, sent

LARGEST_PACK = 64 * 1024 * 1024
"""Bytes of a set in one file (`vision.dicesets.package` takes no more)."""
MOST_FIELDS = 200
"""Fields of the form with every face's label."""

DONE = {
    "forgotten": N_("That picture is deleted, and no longer compared with."),
    "trusted": N_("That picture is compared with from now on."),
    "renamed": N_("The names are changed."),
    "deleted": N_("The set is deleted."),
    "imported": N_("The set is yours now."),
}
"""What is said after something was done, by the word in the address."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture of a face on the page of its set."""

    file: str
    kind: str
    shape: str | None
    """None for art, which is for either shape."""
    name: str
    origin: str
    """`enrolled` or `corrected`; empty for what came with the set."""
    source: str
    added: str
    side: int
    around: bool
    doubtful: bool
    like: str
    """Which face it looks more like, where it contradicts its own."""


def add_dice(views: Blueprint, table: Table, library: SetLibrary) -> None:
    """Add these views to the dashboard's."""

    @views.get("/dice")
    def dice() -> str:
        """Every set."""
        sets, faulty = library.sets()
        return render_template(
            "dice.html", sets=sets, faulty=[refusal(one) for one in faulty], on_table=table.session.dice_set.id,
            done=_(DONE[done]) if (done := request.args.get("done", "")) in DONE else "", tongue=current(),
        )  # fmt: skip

    @views.get("/dice/<set_id>")
    def dice_set(set_id: str) -> str:
        """One set: its faces, their pictures, and what is wrong with them."""
        found = _find(set_id)
        try:
            judged = library.judged(set_id)
        except (ValueError, OSError) as refused:
            judged, trouble = Judged((), (), 0, 0), refusal(refused, _labels(found))
        else:
            trouble = ""
        return render_template(
            "dice_set.html", set=found, judged=judged, trouble=trouble, tongue=current(),
            pictures={face.id: _pictures(found, face.id, judged) for face in found.faces},
            labels={face.id: face.label(current()) for face in found.faces},
            on_table=table.session.dice_set.id == set_id,
            done=_(DONE[done]) if (done := request.args.get("done", "")) in DONE else "",
        )  # fmt: skip

    @views.get("/dice/<set_id>/<face>/<file>")
    def dice_picture(set_id: str, face: str, file: str) -> Response:
        """A face's picture, by its file's name."""
        return _png(lambda: library.picture(set_id, face, file))

    @views.get("/dice/<set_id>/<face>/<name>/around.png")
    def dice_around(set_id: str, face: str, name: str) -> Response:
        """An example's die with a little of the table around it."""
        return _png(lambda: library.around(set_id, face, name))

    @views.get("/dice/<set_id>/pack")
    def dice_pack(set_id: str) -> Response:
        """The set as one file, to be passed on."""
        found = _find(set_id)
        try:
            packed = library.packed(set_id)
        except ValueError as refused:
            return _refused(refused, _labels(found))
        return _download(packed, "application/zip", f"{found.id}.tableside-set")

    @views.get("/dice/<set_id>/stickers.pdf")
    def dice_stickers(set_id: str) -> Response:
        """Stickers to print, as `tableside print` makes them."""
        found = _find(set_id)
        try:
            dice, size = int(request.args.get("dice", "6")), float(request.args.get("size", "16"))
            pages = library.stickers(set_id, dice, size, request.args.get("paper", "a4"), current())
        except ValueError as refused:
            return _refused(refused, _labels(found))
        return _download(pages, "application/pdf", f"{found.id}-stickers.pdf")

    @views.post("/dice/<set_id>/forget")
    def dice_forget(set_id: str) -> ResponseReturnValue:
        """Delete an example."""
        face, name = _text("face"), _text("name")
        return _do(lambda: table.know(library.forget(set_id, face, name)), set_id, "forgotten")

    @views.post("/dice/<set_id>/trust")
    def dice_trust(set_id: str) -> ResponseReturnValue:
        """Compare with a doubtful example after all."""
        face, name = _text("face"), _text("name")
        return _do(lambda: table.know(library.trust(set_id, face, name)), set_id, "trusted")

    @views.post("/dice/<set_id>/rename")
    def dice_rename(set_id: str) -> ResponseReturnValue:
        """Other names for a set of one's own and its faces, in this device's language."""
        request.max_form_parts = MOST_FIELDS
        found = _find(set_id)
        labels = {face.id: request.form.get(f"label.{face.id}", "").strip() for face in found.faces}
        title = request.form.get("title", "").strip()
        return _do(lambda: library.rename(set_id, current(), title, labels), set_id, "renamed")

    @views.post("/dice/<set_id>/delete")
    def dice_delete(set_id: str) -> ResponseReturnValue:
        """Delete a set of one's own."""
        return _do(lambda: library.delete(set_id, (table.session.dice_set.id,)), set_id, "deleted")

    @views.post("/dice/import")
    def dice_import() -> ResponseReturnValue:
        """Take in a set from a file, which may come from anybody."""
        allow_files(LARGEST_PACK)
        packs = sent("pack", 1)
        if len(packs) != 1:
            raise BadRequest(_("expected a file with a dice set"))
        name, replacing = request.form.get("name", "").strip(), request.form.get("replace") == "yes"
        try:
            added = library.take_in(packs[0][1], name=name, replacing=replacing)
            table.know(added)
        except (ValueError, OSError) as refused:
            return _refused(refused)
        return redirect(url_for("table.dice_set", set_id=added.id, done="imported", _anchor="done"), 303)

    def _do(action: Callable[[], object], set_id: str, done: str) -> ResponseReturnValue:
        return _answered(action, set_id if done != "deleted" else "", done, _labels(_find(set_id)))

    def _find(set_id: str) -> DiceSet:
        try:
            return library.set(set_id)
        except ValueError:
            raise NotFound(_("there is no such dice set")) from None


def _answered(action: Callable[[], object], set_id: str, done: str, label: Label) -> ResponseReturnValue:
    """Do it and go back to the set's page (or to all sets), which says so."""
    try:
        action()
    except (ValueError, OSError) as refused:
        return _refused(refused, label)
    if set_id:
        return redirect(url_for("table.dice_set", set_id=set_id, done=done, _anchor="done"), 303)
    return redirect(url_for("table.dice", done=done, _anchor="done"), 303)


def _refused(refused: Exception, label: Label = str) -> Response:
    status = 409 if isinstance(refused, ValueError) else 503
    return Response(f"{refusal(refused, label)}\n", status=status, mimetype="text/plain")


def _labels(dice_set: DiceSet) -> Label:
    """What the set's faces are called in the device's language."""
    labels = {face.id: face.label(current()) for face in dice_set.faces}
    return lambda face: labels.get(face, face)


def _png(read: Callable[[], bytes]) -> Response:
    """A picture that the browser keeps, and asks about each time: names of deleted ones are used again."""
    try:
        picture = read()
    except (ValueError, OSError):
        raise NotFound(_("there is no such picture")) from None
    answer = Response(picture, mimetype="image/png", headers={"Cache-Control": "private, no-cache"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def _download(content: bytes, mimetype: str, name: str) -> Response:
    shown = secure_filename(name)
    return Response(
        content, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{shown}"'}
    )


def _text(field: str) -> str:
    given = request.form.get(field, "")
    if not given or len(given) > 80:
        raise BadRequest(_("expected %(field)s, of at most %(longest)d characters", field=field, longest=80))
    return given


def _pictures(dice_set: DiceSet, face: str, judged: Judged) -> tuple[Shown, ...]:
    """Every picture of a face, those that came with the set first, then its examples with what speaks against each."""
    examples = examples_of(judged, face)
    own = {one.face_path.name for one, _ in examples}
    came = [one for one in dice_set.face(face).pictures if one.path.name not in own]
    return (
        *(
            Shown(one.path.name, one.kind, one.shape, one.name, "", "", "", 0, False, False, "")
            for one in came
        ),
        *(
            Shown(
                one.face_path.name, "face", one.shape, one.name, one.origin, one.source, one.added[:10],
                round(one.side), one.path.is_file(), one.doubtful, like,
            )
            for one, like in examples
        ),
    )  # fmt: skip
