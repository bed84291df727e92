"""Teaching one's own dice, step by step: by camera or from pictures, by touch, keyboard or ear.

What is taught lives at the table, so a page that is reloaded, or another device, goes on where it stood. `/events` of
its own sends the part of the page that changed and the sentence to say, as the table's page does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from messages.message import Message
from table.teaching.enrolment import Enrolment
from table.teaching.lesson import MOST_PICTURES
from table.teaching.saved import LessonRequest
from table.teaching.view import LessonStep, LessonView
from web.access import Views
from web.answers import done, refused
from web.devices import Role
from web.forms import allow_files, files, whole
from web.language import current, shape_titles
from web.language import gettext as _
from web.site import site
from web.streams import BEAT, hello
from words.problems import judged, problem
from words.speaker import Speaker, speaker

LARGEST_PICTURES = 48 * 1024 * 1024
"""Bytes of all pictures that are sent in one go: a phone's has three to six million."""
LEFT_OUT = "-"
"""What the page sends of a die that is not kept; no face has this id."""
LONGEST_LIST = 2000
"""Characters of a list of faces."""


views = Views("teach", __name__)


@views.get("/dice/teach", to=Role.WATCHER)
def page() -> str:
    """The page: begin a set, or go on with the one that is being taught."""
    lesson = site().lesson.enrolment
    if lesson is None:
        sets, _faulty = site().library.sets()
        return render_template("teach.html", lesson=None, sets=sets, tongue=current(), shapes=shape_titles())
    return render_template("teach.html", **_shown(lesson))


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
        quiet = 0.0
        version, lesson = site().lesson.version, site().lesson.enrolment
        told: dict[str, object] = {"version": version, "html": None, "sentence": "", "made": False}
        if lesson is not None:
            shown = _shown(lesson)
            told |= {"html": render_template("lesson.html", **shown), "sentence": shown["said"]}
            told["made"] = site().lesson.made is not None
        yield f"event: lesson\ndata: {json.dumps(told)}\n\n"


def _shown(lesson: Enrolment) -> dict[str, object]:
    """What the templates show of a lesson."""
    spoken = speaker(current(), (), lesson.labels)
    version, view, made = site().lesson.version, lesson.view, site().lesson.made
    return {
        "lesson": lesson, "v": view, "version": version, "said": _said(view, spoken), "made": made,
        "looking": site().lesson.looking, "watched": site().table.watcher is not None, "label": lesson.label,
        "strange": site().lesson.strange_faces, "problem": problem, "say": spoken.say,
        "problems": [spoken.say(judged(one)) for one in made.problems] if made else [],
        "near": _near(lesson.set_id) if made else (), "tongue": current(),
    }  # fmt: skip


@views.get("/dice/teach/offer/<int:version>/<int:number>.png", to=Role.WATCHER)
def offered(version: int, number: int) -> Response:
    """A die that is offered; `version` keeps browsers from showing the one before."""
    lesson = site().lesson.enrolment
    offer = lesson.view.offer if lesson else None
    return _shot({one.number: one.png for one in offer.candidates} if offer else {}, number)


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


def _do(action: Callable[[], object], to: str = "") -> ResponseReturnValue:
    """Do it; a refusal goes back as one plain sentence."""
    lesson = site().lesson.enrolment
    try:
        action()
    except (ValueError, OSError) as error:
        return refused(error, lesson.labels if lesson else None)
    return done(to or url_for("teach.page"))


@views.post("/dice/teach/begin", to=Role.HOST)
def begin() -> ResponseReturnValue:
    """Begin a set."""
    faces = request.form.get("faces", "")
    if len(faces) > LONGEST_LIST:
        raise BadRequest(_("the list of faces is too long; name fewer faces"))
    asked = LessonRequest(
        request.form.get("title", "")[:200],
        tuple(request.form.getlist("shape")[:4]),
        tuple(one for line in faces.splitlines() for one in line.split(",") if one.strip()),
        request.form.get("like", "")[:80],
    )
    return _do(lambda: site().lesson.begin(asked))


@views.post("/dice/<set_id>/teach", to=Role.HOST)
def add(set_id: str) -> ResponseReturnValue:
    """Add pictures to a set of one's own."""
    return _do(lambda: site().lesson.begin(LessonRequest(adds_to=set_id)))


@views.post("/dice/teach/name", to=Role.HOST)
def name() -> ResponseReturnValue:
    """The next die shows this face, which may be a new one."""
    return _do(lambda: site().lesson.name(request.form.get("face", "")[:200]))


@views.post("/dice/teach/keep", to=Role.HOST)
def keep() -> ResponseReturnValue:
    """Keep what is offered; where dice differ, each as what it was said to be."""
    request.max_form_parts = 40
    lesson = _running()
    named = {
        int(field[4:]): "" if face == LEFT_OUT else face
        for field, face in request.form.items()
        if field.startswith("die.") and field[4:].isdecimal() and len(field) < 8
    }
    onward = request.form.get("then") == "next"
    return _do(lambda: lesson.keep(named or None, onward=onward))


@views.post("/dice/teach/discard", to=Role.HOST)
def discard() -> ResponseReturnValue:
    """Keep nothing of what is offered."""
    return _do(_running().discard)


@views.post("/dice/teach/look", to=Role.HOST)
def look() -> ResponseReturnValue:
    """Look at what lies there once more; take the camera for that, if the match has it."""

    def again() -> None:
        if not site().lesson.looking and site().table.watcher is not None:
            site().lesson.look()
        _running().look_again()

    return _do(again)


@views.post("/dice/teach/forget", to=Role.HOST)
def forget() -> ResponseReturnValue:
    """Let go of a picture that was kept."""
    face, number = request.form.get("face", ""), whole(request.form.get("number", ""), digits=6)
    if number < 0:
        raise BadRequest(_("this picture does not exist"))
    return _do(lambda: _running().forget(face, number))


@views.post("/dice/teach/drop", to=Role.HOST)
def drop() -> ResponseReturnValue:
    """Take a face out of the set."""
    face = request.form.get("face", "")
    return _do(lambda: _running().drop(face))


@views.post("/dice/teach/blank", to=Role.HOST)
def blank() -> ResponseReturnValue:
    """A face shows nothing, or does."""
    face, blank = request.form.get("face", ""), request.form.get("blank") == "yes"
    return _do(lambda: _running().blank(face, blank))


@views.post("/dice/teach/pictures", to=Role.HOST)
def pictures() -> ResponseReturnValue:
    """Look for the face in pictures that were uploaded."""
    allow_files(LARGEST_PICTURES)
    pictures = files("picture", MOST_PICTURES)
    face = _running().view.face
    return _do(lambda: site().lesson.picture(face, pictures))


@views.post("/dice/teach/show", to=Role.HOST)
def show() -> ResponseReturnValue:
    """On the demo table: lay dice that show these faces."""
    return _do(lambda: site().lesson.show(request.form.getlist("face")[:12]))


@views.post("/dice/teach/finish", to=Role.HOST)
def finish() -> ResponseReturnValue:
    """Make the set."""
    return _do(site().lesson.finish)


@views.post("/dice/teach/away", to=Role.HOST)
def away() -> ResponseReturnValue:
    """Throw away what was taught, or close what was made."""
    made, lesson = site().lesson.made, site().lesson.enrolment
    to = url_for("dice.one", set_id=lesson.set_id) if made and lesson else url_for("dice.page")
    return _do(site().lesson.throw_away, to)


def _running() -> Enrolment:
    lesson = site().lesson.enrolment
    if lesson is None or site().lesson.made is not None:
        raise NotFound(_("no dice are being taught right now"))
    return lesson


def _said(view: LessonView, spoken: Speaker) -> str:
    """The whole of what there is to say: what is wrong with an offer, then the question."""
    wrong: list[Message] = []
    if view.step is LessonStep.ASKING and view.offer is not None:
        wrong += [problem(one) for candidate in view.offer.candidates for one in candidate.problems]
    return " ".join(spoken.say(one) for one in (*wrong, view.saying))


def _near(set_id: str) -> tuple[object, ...]:
    """The nearest faces of a set that was made, to be shown side by side."""
    try:
        return site().library.judged(set_id).pairs
    except (ValueError, OSError):
        return ()
