"""Teaching one's own dice, step by step: by camera or from pictures, by touch, keyboard or ear.

What is taught lives at the table, so a page that is reloaded, or another device, goes on where it stood. `/events` of
its own sends the part of the page that changed and the sentence to say, as the table's page does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from table.table import Table
from table.teaching.enrolment import Enrolment
from table.teaching.lesson import MOST_PICTURES, Lesson
from table.teaching.saved import Asked
from table.teaching.sets import SetLibrary
from web.announcer import Announcer
from web.language import Label, current, refusal, shape_titles
from web.language import gettext as _
from web.settings import WebSettings
from web.streams import streamed
from web.teach_words import judged, problem, said
from web.uploads import allow_files, sent
from words.problems import Problem

LARGEST_PICTURES = 48 * 1024 * 1024
"""Bytes of all pictures that are sent in one go: a phone's has three to six million."""
LEFT_OUT = "-"
"""What the page sends of a die that is not kept; no face has this id."""
LONGEST_LIST = 2000
"""Characters of a list of faces."""


def add_teach(
    views: Blueprint, table: Table, teaching: Lesson, library: SetLibrary, announcer: Announcer, settings: WebSettings
) -> None:  # fmt: skip
    """Add these views to the dashboard's."""

    @views.get("/dice/teach")
    def teach() -> str:
        """The page: begin a set, or go on with the one that is being taught."""
        lesson = teaching.enrolment
        if lesson is None:
            sets, _faulty = library.sets()
            return render_template("teach.html", lesson=None, sets=sets, tongue=current(), shapes=shape_titles())
        return render_template("teach.html", **_shown(lesson))

    @views.get("/dice/teach/events")
    def teach_events() -> Response:
        """What changes, as server-sent events, for as long as the page listens."""
        given = request.args.get("after", "")
        since = int(given) if given.isdecimal() and len(given) < 12 else -1
        return streamed(_events(since))

    def _events(version: int) -> Iterator[str]:
        yield "retry: 1000\n\n"
        silent = 0.0
        while not announcer.closed:
            # Short waits, so that a server that stops is not held up by a page.
            if not teaching.after(version, 1.0):
                silent += 1.0
                if silent >= settings.heartbeat:
                    silent = 0.0
                    yield ": still here\n\n"
                continue
            version, lesson = teaching.version, teaching.enrolment
            told: dict[str, object] = {"version": version, "html": None, "sentence": "", "made": False}
            if lesson is not None:
                shown = _shown(lesson)
                told |= {"html": render_template("lesson.html", **shown), "sentence": shown["said"]}
                told["made"] = teaching.made is not None
            yield f"event: lesson\ndata: {json.dumps(told)}\n\n"

    def _shown(lesson: Enrolment) -> dict[str, object]:
        """What the templates show of a lesson."""
        version, view, made = teaching.version, lesson.view, teaching.made
        return {
            "lesson": lesson, "v": view, "version": version, "said": said(view, lesson.label), "made": made,
            "looking": teaching.looking, "watched": table.watcher is not None, "label": lesson.label,
            "strange": teaching.strange_faces, "problem": partial(_problem, lesson),
            "problems": [judged(one, lesson.label) for one in made.problems] if made else [],
            "nearest": made.comparison.alike[:1] if made else (),
            "near": _near(library, lesson.set_id) if made else (), "tongue": current(),
        }  # fmt: skip

    @views.get("/dice/teach/offer/<int:version>/<int:number>.png")
    def teach_offered(version: int, number: int) -> Response:
        """A die that is offered; `version` keeps browsers from showing the one before."""
        lesson = teaching.enrolment
        offer = lesson.view.offer if lesson else None
        for one in offer.candidates if offer else ():
            if one.number == number:
                return Response(one.png, mimetype="image/png")
        raise NotFound(_("there is no such picture"))

    @views.get("/dice/teach/kept/<int:number>.png")
    def teach_kept(number: int) -> Response:
        """An example that is kept."""
        lesson = teaching.enrolment
        for kept in lesson.view.kept.values() if lesson else ():
            for one in kept:
                if one.number == number:
                    return Response(one.png, mimetype="image/png")
        raise NotFound(_("there is no such picture"))

    def _act(action: Callable[[], object], to: str = "") -> ResponseReturnValue:
        return _answered(action, to, teaching.enrolment.label if teaching.enrolment else str)

    @views.post("/dice/teach/begin")
    def teach_begin() -> ResponseReturnValue:
        """Begin a set."""
        faces = request.form.get("faces", "")
        if len(faces) > LONGEST_LIST:
            raise BadRequest(_("expected fewer faces"))
        asked = Asked(
            request.form.get("title", "")[:200],
            tuple(request.form.getlist("shape")[:4]),
            tuple(one for line in faces.splitlines() for one in line.split(",") if one.strip()),
            request.form.get("like", "")[:80],
        )
        return _act(lambda: teaching.begin(asked))

    @views.post("/dice/<set_id>/teach")
    def teach_add(set_id: str) -> ResponseReturnValue:
        """Add pictures to a set of one's own."""
        return _act(lambda: teaching.begin(Asked(adds_to=set_id)))

    @views.post("/dice/teach/name")
    def teach_name() -> ResponseReturnValue:
        """The next die shows this face, which may be a new one."""
        return _act(lambda: teaching.name(request.form.get("face", "")[:200]))

    @views.post("/dice/teach/keep")
    def teach_keep() -> ResponseReturnValue:
        """Keep what is offered; where dice differ, each as what it was said to be."""
        request.max_form_parts = 40
        lesson = _running(teaching)
        named = {
            int(field[4:]): "" if face == LEFT_OUT else face
            for field, face in request.form.items()
            if field.startswith("die.") and field[4:].isdecimal() and len(field) < 8
        }
        onward = request.form.get("then") == "next"
        return _act(lambda: lesson.keep(named or None, onward=onward))

    @views.post("/dice/teach/discard")
    def teach_discard() -> ResponseReturnValue:
        """Keep nothing of what is offered."""
        return _act(_running(teaching).discard)

    @views.post("/dice/teach/look")
    def teach_look() -> ResponseReturnValue:
        """Look at what lies there once more; take the camera for that, if the match has it."""

        def again() -> None:
            if not teaching.looking and table.watcher is not None:
                teaching.look()
            _running(teaching).look_again()

        return _act(again)

    @views.post("/dice/teach/forget")
    def teach_forget() -> ResponseReturnValue:
        """Let go of a picture that was kept."""
        face, number = request.form.get("face", ""), request.form.get("number", "")
        if not number.isdecimal() or len(number) > 6:
            raise BadRequest(_("expected the number of a picture"))
        return _act(lambda: _running(teaching).forget(face, int(number)))

    @views.post("/dice/teach/drop")
    def teach_drop() -> ResponseReturnValue:
        """Take a face out of the set."""
        face = request.form.get("face", "")
        return _act(lambda: _running(teaching).drop(face))

    @views.post("/dice/teach/blank")
    def teach_blank() -> ResponseReturnValue:
        """A face shows nothing, or does."""
        face, blank = request.form.get("face", ""), request.form.get("blank") == "yes"
        return _act(lambda: _running(teaching).blank(face, blank))

    @views.post("/dice/teach/pictures")
    def teach_pictures() -> ResponseReturnValue:
        """Look for the face in pictures that were uploaded."""
        allow_files(LARGEST_PICTURES)
        files = sent("picture", MOST_PICTURES)
        face = _running(teaching).view.face
        return _act(lambda: teaching.picture(face, files))

    @views.post("/dice/teach/show")
    def teach_show() -> ResponseReturnValue:
        """On the demo table: lay dice that show these faces."""
        return _act(lambda: teaching.show(request.form.getlist("face")[:12]))

    @views.post("/dice/teach/finish")
    def teach_finish() -> ResponseReturnValue:
        """Make the set."""
        return _act(teaching.finish)

    @views.post("/dice/teach/away")
    def teach_away() -> ResponseReturnValue:
        """Throw away what was taught, or close what was made."""
        made, lesson = teaching.made, teaching.enrolment
        to = url_for("table.dice_set", set_id=lesson.set_id) if made and lesson else url_for("table.dice")
        return _act(teaching.throw_away, to)


def _answered(action: Callable[[], object], to: str, label: Label) -> ResponseReturnValue:
    """Do it; a refusal goes back as one plain sentence."""
    try:
        action()
    except (ValueError, OSError) as refused:
        status = 409 if isinstance(refused, ValueError) else 503
        return Response(f"{refusal(refused, label)}\n", status=status, mimetype="text/plain")
    if request.headers.get("X-Requested-With") == "tableside":
        return "", 204
    return redirect(to or url_for("table.teach"), code=303)


def _running(teaching: Lesson) -> Enrolment:
    lesson = teaching.enrolment
    if lesson is None or teaching.made is not None:
        raise NotFound(_("no dice are being taught now"))
    return lesson


def _problem(lesson: Enrolment, one: Problem) -> str:
    return problem(one, lesson.label)


def _near(library: SetLibrary, set_id: str) -> tuple[object, ...]:
    """The nearest faces of a set that was made, to be shown side by side."""
    try:
        return library.judged(set_id).pairs
    except (ValueError, OSError):
        return ()
