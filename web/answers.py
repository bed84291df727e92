"""Responses of views: one plain sentence, a redirect, a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Response, current_app, redirect, request, url_for
from werkzeug.utils import secure_filename

from scoring.actions import IllegalMoveError
from scoring.otherwise import allowing
from web.forms import whole
from web.language import current, refusal
from web.site import site
from words.speaker import speaker


def plain(words: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """One sentence; `web.errors` makes a page of a refusal for a browser that asked for one."""
    return Response(f"{words}\n", status=status, mimetype="text/plain", headers=headers)


def refused(error: Exception, labels: Mapping[str, str] | None = None) -> Response:
    """Why something was refused (`web.language.refusal`): 409 for a decision, 503 where the disk refuses.

    A decision that the rules refuse says which paragraph of them does, and which house rule would allow it.
    """
    said, headers = refusal(error, labels), dict[str, str]()
    if isinstance(error, IllegalMoveError):
        game = site().table.session.match.game.id
        others = allowing(*error.tried) if error.tried else ()
        said = " ".join((said, *(speaker(current(), (), labels).say(one.said) for one in others)))
        if error.where:
            headers["X-Rule"] = url_for("rules.game", game_id=game, _anchor=error.where)
        if others:
            where = others[0].where if len({one.where for one in others}) == 1 else "house"
            headers["X-House-Rule"] = url_for("rules.game", game_id=game, _anchor=where)
    return plain(said, 409 if isinstance(error, ValueError) else 503, headers)


def scripted() -> bool:
    """Whether one of our scripts asks: it stays on its page and wants no other one."""
    return request.headers.get("X-Requested-With") == "tableside"


def done(to: str, headers: Mapping[str, str] | None = None) -> Response:
    """Report success: a script gets just that, a browser is sent to the page at `to`."""
    if scripted():
        return Response(status=204, headers=headers)
    return current_app.make_response(redirect(to, code=303))


def way_back() -> str:
    """The page of ours that the form was sent from; never another site's address, which may hide behind two slashes."""
    path = request.form.get("back", "")
    ours = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable() and len(path) < 400
    return path if ours else url_for("table.page")


def picture(content: bytes, *, kind: str = "png", keep: str = "max-age=3600") -> Response:
    """A picture, and how long a browser may keep it."""
    return Response(content, mimetype=f"image/{kind}", headers={"Cache-Control": keep})


NOTHING = b'<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720"/>'
"""Stands in for a live picture until there is one, and keeps its place on the page."""


def live(shown: Callable[[int, float], tuple[int, bytes] | None]) -> Response:
    """The live picture that is `shown`, once its number is not `after` in the address; 204 if there is none in time.

    Without `after`, a page is loading, which must not wait for a camera: it gets the present picture, or NOTHING.
    """
    if (after := request.args.get("after")) is not None:
        return frame(shown(whole(after), site().settings.picture_wait))
    present = shown(-1, 0.0)
    return frame(present) if present is not None else picture(NOTHING, kind="svg+xml", keep="no-store")


def frame(found: tuple[int, bytes] | None) -> Response:
    """A live picture with its number; 204 if there is no new one."""
    if found is None:
        return Response(status=204)
    return Response(found[1], mimetype="image/jpeg", headers={"X-Frame": str(found[0])})


def download(content: bytes | str, mimetype: str, name: str) -> Response:
    """A file to keep."""
    told = {"Content-Disposition": f'attachment; filename="{secure_filename(name)}"'}
    return Response(content, mimetype=mimetype, headers=told)
