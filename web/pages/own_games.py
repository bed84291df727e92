"""The page "Your own game": put one together out of a form, try rolls at once, keep it, pass it on, take one in.

The draft is all in the address, as that of a new match: every step is a GET that changes nothing, so it works without
script. Only keeping, importing and deleting write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound

from messages.message import N_
from scoring.account import ScoredRoll
from scoring.gamefile.explained import Explained, explained
from scoring.gamefile.game import FileGame, game_of
from scoring.gamefile.reading import read
from scoring.games import available
from table.game_draft import TITLES, GameDraft, Row, beginning, game_toml, patterns_of
from table.game_files import forget, keep, own, text_of_bytes
from table.new_match import dice_for, known_sets
from web.access import Views
from web.answers import download
from web.devices import Role
from web.forms import allow_files, one_file, text, whole
from web.language import current, refusal
from web.language import gettext as _
from web.site import site
from words.speaker import Speaker, speaker

LARGEST_IMPORT = 512 * 1024
"""Bytes of a request with a game file."""
LONGEST = 40
"""Longest value of a field, in characters."""
MOST_ROWS = 30

DONE = {
    "kept": N_("Game saved. You can play it now."),
    "imported": N_("Game imported. You can play it now."),
    "deleted": N_("Game deleted."),
}
"""What is said after something was done, by the word in the address."""

FIELDS = ("title", "set", "count", "throws", "target", "rounds", "bad", "bad_dice")

views = Views("own_games", __name__)


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a typed roll: its score, or why it is not a roll."""

    typed: str
    scored: ScoredRoll | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of a draft: its file, and the game or the error."""

    toml: str
    game: FileGame | None
    trouble: str

    @property
    def paragraphs(self) -> tuple[Explained, ...]:
        """The game in sentences."""
        return explained(self.game.rules) if self.game else ()


@views.get("/games", to=Role.WATCHER)
def page() -> ResponseReturnValue:
    """Everybody's own games, and the draft that the address holds."""
    return _page(_stepped(_told_by(request.args), request.args.get("do", "")))


@views.post("/games/keep", to=Role.HOST)
def keep_draft() -> ResponseReturnValue:
    """Keep the composed game; 422 with the page again if it is invalid."""
    draft = _told_by(request.form)
    try:
        keep(_shown(draft).toml)
    except (ValueError, OSError) as error:
        return _page(draft, trouble=refusal(error), status=422 if isinstance(error, ValueError) else 503)
    return redirect(url_for("own_games.page", done="kept", _anchor="done"), code=303)


@views.post("/games/import", to=Role.HOST)
def take_in() -> ResponseReturnValue:
    """Take in a game file, which may come from anybody: it is checked whole before it is kept."""
    allow_files(LARGEST_IMPORT)
    content = one_file("file", _("choose a game file"))
    try:
        keep(text_of_bytes(content))
    except (ValueError, OSError) as error:
        return _page(beginning(""), trouble=refusal(error), status=422 if isinstance(error, ValueError) else 503)
    return redirect(url_for("own_games.page", done="imported", _anchor="done"), code=303)


@views.get("/games/<game_id>.toml", to=Role.WATCHER)
def export(game_id: str) -> Response:
    """An own game's file, to be passed on."""
    found = next((one for one in own() if one.id == game_id), None)
    if found is None:
        raise NotFound(_("this game does not exist"))
    with open(found.home, encoding="utf-8") as file:  # noqa: PTH123  (a text that was checked when it was registered)
        return download(file.read(), "application/toml", f"{found.id}.toml")


@views.post("/games/delete", to=Role.HOST)
def delete() -> ResponseReturnValue:
    """Delete an own game; not the one on the table."""
    game_id = text("game", 80)
    try:
        if site().table.session.match.game.id == game_id:
            raise ValueError(_("This game is on the table now. Start another match first."))
        forget(game_id)
    except (ValueError, OSError) as error:
        return _page(beginning(""), trouble=refusal(error), status=409 if isinstance(error, ValueError) else 503)
    return redirect(url_for("own_games.page", done="deleted", _anchor="done"), code=303)


def _page(draft: GameDraft, *, trouble: str = "", status: int = 200) -> ResponseReturnValue:
    shown, faces, words = _shown(draft), _faces(draft), _speaker(draft)
    done = _(DONE[said]) if (said := request.args.get("done", "")) in DONE else ""
    typed = request.args.get("dice", "").strip()[:400]
    begun = bool(draft.title) or request.args.get("do", "") != "" or status != 200
    page = render_template(
        "own_games.html", own=own(), draft=draft, kinds=TITLES, sets=known_sets(), faces=faces, words=words,
        patterns=patterns_of(draft.kind, faces, whole(draft.count, 2)), shown=shown, done=done, trouble=trouble,
        tongue=current(), tried=_tried(shown.game, typed) if typed else None, begun=begun, typed=typed,
        on_table=site().table.session.match.game.id, most=MOST_ROWS,
    )  # fmt: skip
    return page, status


def _told_by(sent: MultiDict[str, str]) -> GameDraft:
    """The draft in a form or an address; a kind alone starts a new one."""
    draft = beginning(sent.get("kind", ""))
    if "title" not in sent:
        return draft
    told = {name: sent.get(name, "").strip()[:LONGEST] for name in FIELDS}
    rows = zip(sent.getlist("name"), sent.getlist("pattern"), sent.getlist("points"), strict=False)
    return GameDraft(
        draft.kind, told["title"], told["set"], told["count"], told["throws"], told["target"], told["rounds"],
        told["bad"], told["bad_dice"], sent.get("lowest") == "yes",
        tuple(Row(*(one.strip()[:LONGEST] for one in row)) for row in rows)[:MOST_ROWS],
    )  # fmt: skip


def _stepped(draft: GameDraft, step: str) -> GameDraft:
    """The draft after a step: a row more, or one less."""
    word, _colon, rest = step.partition(":")
    if word == "add" and len(draft.rows) < MOST_ROWS:
        return replace(draft, rows=(*draft.rows, Row()))
    if word == "remove" and (at := whole(rest, 2)) in range(len(draft.rows)):
        return replace(draft, rows=draft.rows[:at] + draft.rows[at + 1 :])
    return draft


def _faces(draft: GameDraft) -> tuple[str, ...]:
    return next((one.face_ids for one in known_sets() if one.id == draft.set_id), ())


def _speaker(draft: GameDraft) -> Speaker:
    """Who says the faces as their set does."""
    labels = {
        face.id: face.label(current()) for one in known_sets() if one.id == draft.set_id for face in one.faces
    }
    return speaker(current(), (), labels)


def _shown(draft: GameDraft) -> Preview:
    """The file of a draft, and the game; rows without a name are named by what they ask for."""
    faces, words = _faces(draft), _speaker(draft)
    said = {one.id: words.say(one.said) for one in patterns_of(draft.kind, faces, 99)}
    rows = tuple(row if row.name else replace(row, name=said.get(row.pattern, "")) for row in draft.rows)
    titled = replace(draft, rows=rows, title=draft.title or _("Our game"))
    toml = game_toml(titled, faces, [one.id for one in available()])
    try:
        game = game_of(read(toml))
        dice_for(game)
    except ValueError as error:
        return Preview(toml, None, refusal(error))
    return Preview(toml, game, "")


def _tried(game: FileGame | None, typed: str) -> Tried:
    """What a typed roll scores."""
    if game is None:
        return Tried(typed)
    try:
        return Tried(typed, game.score(game.dice.read(typed)))
    except ValueError as error:
        return Tried(typed, trouble=refusal(error))
