"""The pages of the dice sets: which there are, what is on each face, and the examples that reading compares with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from messages.message import N_
from table.new_match import known_sets
from table.teaching.sets import DiceSet, SetCheck
from web.access import Views
from web.answers import done, download, picture, refused, scripted
from web.devices import Role
from web.forms import allow_files, one_file, text
from web.language import current, refusal
from web.language import gettext as _
from web.site import site

LARGEST_PACK = 64 * 1024 * 1024
"""Largest set as a file, in bytes (the limit of `vision.dicesets.package`)."""
MOST_FIELDS = 200
"""Fields of the form with every face's label."""

DONE = {
    "forgotten": N_("Picture deleted."),
    "trusted": N_("This picture is now in use."),
    "renamed": N_("Names saved."),
    "deleted": N_("Set deleted."),
    "imported": N_("Set imported."),
    "taught": N_("Your dice are saved. Tableside can read them now."),
}
"""What is said after something was done, by the word in the address."""


views = Views("dice", __name__)


@views.get("/dice", to=Role.WATCHER)
def page() -> str:
    """Every set."""
    sets, faulty = site().library.sets()
    return render_template(
        "dice.html", sets=sets, faulty=[refusal(one) for one in faulty], on_table=site().table.session.dice_set.id,
        done=_done(), tongue=current(), teaching=site().lesson.enrolment is not None,
    )  # fmt: skip


@views.get("/dice/<set_id>", to=Role.WATCHER)
def one(set_id: str) -> str:
    """One set: its faces, their pictures, and what is wrong with them."""
    found = _find(set_id)
    try:
        judged = site().library.judged(set_id)
    except (ValueError, OSError) as error:
        judged, trouble = SetCheck((), (), 0, 0, {}), refusal(error, _labels(found))
    else:
        trouble = ""
    return render_template(
        "dice_set.html", set=found, judged=judged, trouble=trouble, tongue=current(),
        labels={face.id: face.label(current()) for face in found.faces},
        on_table=site().table.session.dice_set.id == set_id,
        done=_done(),
    )  # fmt: skip


@views.get("/face/<set_id>/<face>.webp", to=Role.WATCHER)
def face(set_id: str, face: str) -> Response:
    """A face of any set, small: its drawing, else the first of its pictures."""
    for dice_set in known_sets():
        if dice_set.id == set_id and face in dice_set.face_ids:
            with suppress(ValueError, OSError):  # a damaged picture, or one that was taken away
                if drawn := dice_set.face(face).shown():
                    return picture(drawn, kind="webp")
    raise NotFound(_("this face does not exist"))


@views.get("/dice/<set_id>/<face>/<file>", to=Role.WATCHER)
def face_picture(set_id: str, face: str, file: str) -> Response:
    """A face's picture, by its file's name."""
    return _png(lambda: site().library.picture(set_id, face, file))


@views.get("/dice/<set_id>/<face>/<name>/around.png", to=Role.WATCHER)
def around(set_id: str, face: str, name: str) -> Response:
    """An example's die with a little of the table around it."""
    return _png(lambda: site().library.around(set_id, face, name))


@views.get("/dice/<set_id>/pack", to=Role.WATCHER)
def pack(set_id: str) -> Response:
    """The set as one file, to be passed on."""
    found = _find(set_id)
    try:
        packed = site().library.packed(set_id)
    except ValueError as error:
        return refused(error, _labels(found))
    return download(packed, "application/zip", f"{found.id}.tableside-set")


@views.get("/dice/<set_id>/stickers.pdf", to=Role.WATCHER)
def stickers(set_id: str) -> Response:
    """Stickers to print, as `tableside print` makes them."""
    found = _find(set_id)
    try:
        dice, size = int(request.args.get("dice", "6")), float(request.args.get("size", "16"))
        pages = site().library.stickers(set_id, dice, size, request.args.get("paper", "a4"), current())
    except ValueError as error:
        return refused(error, _labels(found))
    return download(pages, "application/pdf", f"{found.id}-stickers.pdf")


@views.post("/dice/<set_id>/forget", to=Role.HOST)
def forget(set_id: str) -> ResponseReturnValue:
    """Delete an example."""
    face, name = text("face", 80), text("name", 80)
    return _do(lambda: site().table.know(site().library.forget(set_id, face, name)), set_id, "forgotten")


@views.post("/dice/<set_id>/trust", to=Role.HOST)
def trust(set_id: str) -> ResponseReturnValue:
    """Compare with a doubtful example after all."""
    face, name = text("face", 80), text("name", 80)
    return _do(lambda: site().table.know(site().library.trust(set_id, face, name)), set_id, "trusted")


@views.post("/dice/<set_id>/rename", to=Role.HOST)
def rename(set_id: str) -> ResponseReturnValue:
    """Rename an own set and its faces, in this device's language."""
    request.max_form_parts = MOST_FIELDS
    found = _find(set_id)
    labels = {face.id: request.form.get(f"label.{face.id}", "").strip() for face in found.faces}
    title = request.form.get("title", "").strip()
    return _do(lambda: site().library.rename(set_id, current(), title, labels), set_id, "renamed")


@views.post("/dice/<set_id>/delete", to=Role.HOST)
def delete(set_id: str) -> ResponseReturnValue:
    """Delete an own set."""
    return _do(lambda: site().library.delete(set_id, (site().table.session.dice_set.id,)), set_id, "deleted")


@views.post("/dice/import", to=Role.HOST)
def take_in() -> ResponseReturnValue:
    """Take in a set from a file, which may come from anybody."""
    allow_files(LARGEST_PACK)
    pack = one_file("pack", _("choose a dice set file"))
    name, replacing = request.form.get("name", "").strip(), request.form.get("replace") == "yes"
    try:
        added = site().library.take_in(pack, name=name, replacing=replacing)
        site().table.know(added)
    except (ValueError, OSError) as error:
        return refused(error)
    return _to("imported", added.id)


def _do(action: Callable[[], object], set_id: str, said: str) -> ResponseReturnValue:
    """Do it and go back to the set's page (or to all sets), which says so."""
    labels = _labels(_find(set_id))
    try:
        action()
    except (ValueError, OSError) as error:
        return refused(error, labels)
    return _to(said, set_id if said != "deleted" else "")


def _to(said: str, set_id: str) -> Response:
    page = url_for("dice.one", set_id=set_id, done=said) if set_id else url_for("dice.page", done=said)
    return done(f"{page}#done", {"Location": f"{page}#done"} if scripted() else None)


def _done() -> str:
    """What the page says was done."""
    return _(DONE[said]) if (said := request.args.get("done", "")) in DONE else ""


def _find(set_id: str) -> DiceSet:
    try:
        return site().library.set(set_id)
    except ValueError:
        raise NotFound(_("this dice set does not exist")) from None


def _labels(dice_set: DiceSet) -> dict[str, str]:
    """What the set's faces are called in the device's language."""
    return {face.id: face.label(current()) for face in dice_set.faces}


def _png(read: Callable[[], bytes]) -> Response:
    """A picture that the browser keeps, and asks about each time: names of deleted ones are used again."""
    try:
        content = read()
    except (ValueError, OSError):
        raise NotFound(_("this picture does not exist")) from None
    answer = picture(content, keep="private, no-cache")
    answer.add_etag()
    answer.make_conditional(request)
    return answer
