"""Teaching own dice: put a die under the camera (or upload a picture), say what is on top, then take the next one.

The lesson belongs to the table, so a reloaded page or another device continues where it was. The page's own `/events`
sends the changed parts of the page and the sentence to say, as the table's page does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import count

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from messages.message import Message
from table.teaching.enrolment import Enrolment
from table.teaching.lesson import MOST_PICTURES
from table.teaching.view import MOST_DICE, LessonStep, LessonView
from web.access import Views
from web.answers import done, refused
from web.devices import Role
from web.forms import allow_files, files, whole
from web.language import current, shape_titles
from web.language import gettext as _
from web.site import site
from web.streams import BEAT, hello
from words.problems import problem
from words.speaker import Speaker, speaker

LARGEST_PICTURES = 48 * 1024 * 1024
"""Bytes of all pictures that are sent in one go: a phone's has three to six million."""
MOST_TYPED = 200
"""Characters that are read of a name that somebody sent; the lesson says when it is too long."""


views = Views("teach", __name__)


@views.get("/dice/teach", to=Role.WATCHER)
def page() -> str:
    """The page: what the camera sees, and what is being taught."""
    return render_template("teach.html", **_shown())


@views.get("/dice/teach/events", to=Role.WATCHER)
def events() -> Response:
    """What changes, as server-sent events, for as long as the page listens."""
    return site().streams.listen(_events(whole(request.args.get("after", ""))))


def _events(version: int) -> Iterator[str]:
    announcer, heartbeat, quiet = site().announcer, site().settings.heartbeat, 0.0
    yield hello(announcer.run, heartbeat)
    while not announcer.closed:
        # Short waits, so that a server that stops is not held up by a page.
        if not site().lesson.after(version, 1.0):
            if (quiet := quiet + 1.0) >= heartbeat:
                quiet = 0.0
                yield BEAT
            continue
        # The version comes first: a change that falls between it and the view is told once more, never lost.
        quiet, version = 0.0, site().lesson.version
        shown = _shown() | {"version": version}
        html = render_template("lesson.html", **shown) if shown["lesson"] else None
        told = {"version": version, "html": html, "sentence": shown["said"]}
        yield f"event: lesson\ndata: {json.dumps(told)}\n\n"


def _shown() -> dict[str, object]:
    """What the templates show."""
    lesson, shown = site().lesson.enrolment, dict[str, object]()
    shown |= {"lesson": lesson, "watched": site().table.watcher is not None, "version": site().lesson.version}
    shown |= {"said": "", "most": MOST_PICTURES}
    if lesson is None:
        return shown
    labels, view, sets = _labels(lesson), lesson.view, site().library.sets()[0]
    spoken = speaker(current(), (), labels)
    return shown | {
        "v": view, "said": _said(view, spoken), "labels": labels, "looking": site().lesson.looking,
        "strange": site().lesson.strange_faces, "problem": problem, "say": spoken.say, "shapes": _shapes(view),
        "games": [(one.id, one.name(current())) for one in sets if one.shipped], "like_set": site().lesson.like,
        "title": _free_title({one.name(current()) for one in sets}),
    }  # fmt: skip


def _shapes(view: LessonView) -> list[tuple[str, str, bool]]:
    """What the dice may be, in the form's value and in words, and whether the pictures say so."""
    seen = {one.die.shape for kept in view.kept.values() for one in kept}
    offered = [(shape, title, seen == {shape}) for shape, title in shape_titles()]
    if len(seen) > 1:
        several = [(shape, title) for shape, title in shape_titles() if shape in seen]
        offered.append((" ".join(one for one, _ in several), " + ".join(title for _, title in several), True))
    return offered


def _free_title(taken: Collection[str]) -> str:
    """What a set is called unless somebody says so: "My dice", or "My dice 2"."""
    title = _("My dice")
    return title if title not in taken else next(one for n in count(2) if (one := f"{title} {n}") not in taken)


@views.get("/dice/teach/offer/<int:offer>/<int:number>.png", to=Role.WATCHER)
def offered(offer: int, number: int) -> Response:
    """A die that is offered; the number of the offer keeps browsers from showing the one before."""
    lesson = site().lesson.enrolment
    now = lesson.view.offer if lesson else None
    return _shot({one.number: one.png for one in now.candidates} if now and now.number == offer else {}, number)


@views.get("/dice/teach/kept/<int:number>.png", to=Role.WATCHER)
def kept(number: int) -> Response:
    """An example that is kept."""
    lesson = site().lesson.enrolment
    faces = lesson.view.kept.values() if lesson else ()
    return _shot({one.number: one.png for face in faces for one in face}, number)


def _shot(shots: Mapping[int, bytes], number: int) -> Response:
    if number not in shots:
        raise NotFound(_("this picture does not exist"))
    return Response(shots[number], mimetype="image/png")


def _do(action: Callable[[], str | None]) -> ResponseReturnValue:
    """Do it, and go to the page that it gives, if any; a refusal goes back as one plain sentence."""
    lesson = site().lesson.enrolment
    try:
        to = action()
    except (ValueError, OSError) as error:
        return refused(error, _labels(lesson) if lesson else None)
    return done(to or url_for("teach.page"), {"Location": to} if to else None)


@views.post("/dice/teach/begin", to=Role.HOST)
def begin() -> ResponseReturnValue:
    """Begin a set, or continue the one that was begun."""
    return _do(site().lesson.begin)


@views.post("/dice/<set_id>/teach", to=Role.HOST)
def add(set_id: str) -> ResponseReturnValue:
    """Add pictures to an own set."""
    return _do(lambda: site().lesson.begin(set_id))


@views.post("/dice/teach/name", to=Role.HOST)
def name() -> ResponseReturnValue:
    """The next die shows this face, which may be a new one."""
    return _do(lambda: site().lesson.name(_text("face")))


@views.post("/dice/teach/keep", to=Role.HOST)
def keep() -> ResponseReturnValue:
    """Keep what is offered: all dice as one face, or each as what it was said to be."""
    request.max_form_parts = 3 * MOST_DICE
    offer, shown = whole(request.form.get("offer", "0")), _running().view.offer
    left_out = [whole(number) for number in request.form.getlist("leave")]
    names = {number: _text(f"die.{number}") for number in range(1, MOST_DICE + 1) if number not in left_out}
    if shown is not None and (face := _text("known") or _text("face")):
        names, left_out = {one.number: face for one in shown.candidates}, []
    return _do(lambda: site().lesson.keep(names, left_out, offer))


@views.post("/dice/teach/discard", to=Role.HOST)
def discard() -> ResponseReturnValue:
    """Keep nothing of what is offered."""
    return _do(_running().discard)


@views.post("/dice/teach/look", to=Role.HOST)
def look() -> ResponseReturnValue:
    """Look at the dice again, and take the camera for that if the match has it."""

    def again() -> None:
        if not site().lesson.looking and site().table.watcher is not None:
            site().lesson.look()
        _running().look_again()

    return _do(again)


@views.post("/dice/teach/forget", to=Role.HOST)
def forget() -> ResponseReturnValue:
    """Let go of a picture that was kept."""
    face, number = _text("face"), whole(request.form.get("number", ""), digits=6)
    if number < 0:
        raise BadRequest(_("this picture does not exist"))
    return _do(lambda: _running().forget(face, number))


@views.post("/dice/teach/drop", to=Role.HOST)
def drop() -> ResponseReturnValue:
    """Take a face out of the set."""
    return _do(lambda: _running().drop(_text("face")))


@views.post("/dice/teach/rename", to=Role.HOST)
def rename() -> ResponseReturnValue:
    """What was kept as a face is another one."""
    return _do(lambda: site().lesson.rename(_text("face"), _text("name")))


@views.post("/dice/teach/blank", to=Role.HOST)
def blank() -> ResponseReturnValue:
    """A face shows nothing, or does."""
    return _do(lambda: _running().blank(_text("face"), request.form.get("blank") == "yes"))


@views.post("/dice/teach/like", to=Role.HOST)
def like() -> ResponseReturnValue:
    """The dice have a game's faces."""
    return _do(lambda: site().lesson.expect(_text("like")))


@views.post("/dice/teach/pictures", to=Role.HOST)
def pictures() -> ResponseReturnValue:
    """Look for dice in pictures that were uploaded."""
    allow_files(LARGEST_PICTURES)
    pictures = files("picture", MOST_PICTURES)
    face = _running().view.face
    return _do(lambda: site().lesson.picture(face, pictures))


@views.post("/dice/teach/show", to=Role.HOST)
def show() -> ResponseReturnValue:
    """On the demo table: lay dice that show these faces."""
    return _do(lambda: site().lesson.show(request.form.getlist("face")[:MOST_DICE]))


@views.post("/dice/teach/finish", to=Role.HOST)
def finish() -> ResponseReturnValue:
    """Make the set."""
    shapes = _text("shape").split()

    def make() -> str:
        made = site().lesson.finish(_text("title"), shapes, _text("like"))
        return url_for("dice.one", set_id=made.id, done="taught") + "#done"

    return _do(make)


@views.post("/dice/teach/away", to=Role.HOST)
def away() -> ResponseReturnValue:
    """Discard the pictures that were taught."""

    def throw_away() -> str:
        site().lesson.throw_away()
        return url_for("dice.page")

    return _do(throw_away)


def _labels(lesson: Enrolment) -> dict[str, str]:
    """What the faces are called in the device's language."""
    return {face: lesson.label(face, current()) for face in lesson.view.kept}


def _text(field: str) -> str:
    return request.form.get(field, "")[:MOST_TYPED]


def _running() -> Enrolment:
    lesson = site().lesson.enrolment
    if lesson is None:
        raise NotFound(_("no dice are being taught right now"))
    return lesson


def _said(view: LessonView, spoken: Speaker) -> str:
    """The whole of what there is to say: what is wrong with an offer, then the question."""
    wrong: list[Message] = []
    if view.step is LessonStep.ASKING and view.offer is not None:
        wrong += [problem(one) for candidate in view.offer.candidates for one in candidate.problems]
    return " ".join(spoken.say(one) for one in (*wrong, view.saying))
