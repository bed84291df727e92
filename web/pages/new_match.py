"""The page New match: what is played, with which dice, by whom and by which rules; and matches to continue.

The draft of a match is all in the address: every step of filling it in (another game, one more player, one seat up) is
a GET that changes nothing, so that it works without script and the back button takes a step back. Only Start writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.game import AnyGame
from scoring.games import available
from scoring.match import Match
from table.new_match import NewMatch, faces_shown, known_sets, sets_for
from table.storage.players import LONGEST
from table.storage.store import Entry, StoreError
from table.table import ReplacedError
from table.teaching.sets import DiceSet
from web.access import Views
from web.devices import Role
from web.draft import BY_LOT, Draft, changes, counted, judged, like, many, rules_of, stepped, told_by
from web.language import refusal
from web.site import site

MOST_KEPT = 200
"""Saved matches that are searched for unfinished ones, and for names."""
MOST_SHOWN = 8


views = Views("new_match", __name__)


@dataclass(frozen=True, slots=True)
class Tile:
    """A game in the gallery, with the roll that its picture shows."""

    game: AnyGame
    faces: tuple[str, ...]
    dice_set: DiceSet | None
    """None for a game without dice."""


@views.get("/new", to=Role.WATCHER)
def page() -> ResponseReturnValue:
    """The page, with the draft that the address holds: by default what was played last."""
    draft, said = drafted()
    return _page(draft, said=said)


@views.post("/new", to=Role.HOST)
def begin() -> ResponseReturnValue:
    """Begin the match of the draft; 422 with the page again where something does not fit."""
    draft = told_by(request.form, before())
    if not fits(draft):
        return _page(draft, checked=True, status=422)
    return _placed(lambda: begins(draft), draft)


@views.post("/new/again", to=Role.HOST)
def again() -> ResponseReturnValue:
    """The same as last time: game, dice, players in their order, house rules; who won may start."""
    draft = before()
    if request.form.get("starts") == "winner":
        draft = draft.starting(_winner(draft.game))
    wanted = NewMatch(draft.game.id, draft.players, draft.set_id, dict(draft.rules))
    return _placed(lambda: site().table.begin(wanted, instead()), draft)


@views.post("/new/go-on", to=Role.HOST)
def go_on_with() -> ResponseReturnValue:
    """Put a kept match on the table again."""
    match_id = request.form.get("match", "")[:200]
    return _placed(lambda: site().table.resume(match_id, instead()), before())


@views.post("/new/forget", to=Role.HOST)
def forget() -> ResponseReturnValue:
    """Stop offering this name."""
    site().remembered.forget(request.form.get("forget", "")[: 4 * LONGEST])
    draft = told_by(request.form, before())
    return redirect(f"{url_for('new_match.page')}?{urlencode(draft.query())}#players", code=303)


def drafted() -> tuple[Draft, str]:
    """The draft that the address holds, after the step that it asks for, and what is to be said of that."""
    return stepped(told_by(request.args, before()), request.args.get("do", ""))


def fits(draft: Draft) -> bool:
    """Whether the drafted match can begin."""
    rules = rules_of(draft.game, draft.rules, judged=True)
    return not any(judged(draft)) and not any(rule.trouble for rule in rules)


def begins(draft: Draft) -> None:
    """Begin the match of a draft that fits. Raises ValueError, StoreError."""
    players, rules = draft.seated(), rules_of(draft.game, draft.rules, judged=True)
    options: dict[str, object] = {rule.option.key: rule.typed for rule in rules}
    site().table.begin(NewMatch(draft.game.id, players, draft.set_id, options), instead())
    site().remembered.plays(players)


def games_shown() -> dict[str, Any]:
    """What `gallery.html` shows besides the draft."""
    return {"tiles": _tiles(), "counted": counted}


def players_shown(draft: Draft, *, checked: bool) -> dict[str, Any]:
    """What `players.html` shows; `checked`: with what is wrong."""
    *wrong, crowd = judged(draft) if checked else [""] * (len(draft.players) + 1)
    played_by = [site().table.session.match.header.players, *(one.players for one in _kept())]
    known = site().remembered.names(played_by)
    worries = [("players", crowd), *((f"player-{row}", one) for row, one in enumerate(wrong, 1))]
    return {
        "seats": list(zip(draft.players, wrong, strict=True)), "crowd": crowd, "many": many(draft.game),
        "known": [name for name in known if name not in draft.players], "everyone": known,
        "winner": _winner(draft.game), "by_lot": BY_LOT, "worries": [(to, words) for to, words in worries if words],
    }  # fmt: skip


def _page(
    draft: Draft, *, said: str = "", trouble: str = "", checked: bool = False, status: int = 200
) -> ResponseReturnValue:
    session = site().table.session
    rules, sets = rules_of(draft.game, draft.rules, judged=checked), sets_for(draft.game)
    shown, latest = games_shown() | players_shown(draft, checked=checked), session.latest()
    shown["worries"] += [(one.id, f"{one.title}: {one.trouble}") for one in rules if one.trouble]
    games = {one.id: one for one in available()}
    kept = [one for one in _kept() if one.game in games]
    page = render_template(
        "new_match.html", draft=draft, games=games, changes=changes, sets=sets,
        faces_shown=faces_shown,
        set_id=next((one.id for one in sets if one.id == draft.set_id), sets[0].id),
        rules=rules, said=said, trouble=trouble,
        waiting=[one for one in kept if one.state != "over" and one.id != session.store.id][:MOST_SHOWN],
        first_time=all(one.game != draft.game.id for one in kept),
        now=session.match, instead=latest.snapshot.match_id, number=latest.number, **shown,
    )  # fmt: skip
    return page, status


def _tiles() -> tuple[Tile, ...]:
    """Every game as the gallery shows it."""
    sets = {one.id: one for one in known_sets()}
    tiles: list[Tile] = []
    for game in available():
        dice_set = sets.get(game.dice.set_id)
        faces = faces_shown(game, dice_set) if dice_set else ()
        shown = tuple(face for face in game.showcase if face in faces) or faces[:3]
        tiles.append(Tile(game, shown, dice_set))
    return tuple(tiles)


def _placed(put: Callable[[], None], draft: Draft) -> ResponseReturnValue:
    """Put a match on the table and go there; a refusal is said on this page, with all that was typed."""
    try:
        put()
    except (ValueError, StoreError) as refused:
        status = (
            503 if isinstance(refused, StoreError) else 409 if isinstance(refused, ReplacedError) else 422
        )
        return _page(draft, trouble=refusal(refused), status=status)
    return redirect(url_for("table.page"), code=303)


def _kept() -> tuple[Entry, ...]:
    """The matches that are kept, looked up once a request."""
    if "kept" not in g:
        try:
            g.kept = site().table.kept(MOST_KEPT)
        except StoreError:
            g.kept = ()
    return cast("tuple[Entry, ...]", g.kept)


def _match_of(entry: Entry) -> Match | None:
    """A stored match; None if it can no longer be read."""
    try:
        return site().table.kept_match(entry.id)
    except (StoreError, ValueError):
        return None


def before() -> Draft:
    """The match that was played last as a draft, or else the one on the table."""
    session = site().table.session
    for entry in _kept()[:1]:
        if (match := _match_of(entry)) is not None:
            return like(match.header, match.game, str(entry.setup.get("set", match.game.dice.set_id)))
    return like(session.match.header, session.match.game, session.dice_set.id)


def _winner(game: AnyGame) -> str:
    """Who won this game when it was last played to its end; nobody where several did, or its rules do not ask."""
    over = (one for one in _kept() if one.game == game.id and one.state == "over" and game.winner_starts)
    match = next(map(_match_of, over), None)
    winners = match.outcome.winners if match is not None and match.outcome else ()
    return match.header.players[winners[0]] if match is not None and len(winners) == 1 else ""


def instead() -> str:
    """The match that the page which sends this believes to be on the table."""
    return request.form.get("instead", "")
