"""The page that looks back: who won, scores over the turns, luck apart from skill, what the dice did; and every match
that is kept, with its result.

Nothing is worked out before somebody opens it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from advice import fairness, luck
from advice.spoken import CHANCE
from messages.message import Message, message
from scoring.actions import Play
from scoring.games import available
from scoring.match import Match
from scoring.standing import Standing, standing
from table.history import first_roll
from table.storage.store import Entry, StoreError
from table.table import Table
from web import charts
from web.access import Views
from web.answers import refused
from web.devices import Role
from web.forms import whole
from web.language import current, figure, refusal
from web.language import gettext as _
from web.pages.replay import opened
from web.site import site
from words.dice import speaker_of
from words.speaker import Speaker

MOST_LISTED = 12
"""Matches on one page of the list."""
MOST_COSTLY = 3
"""Choices that are named."""
RESTED = 12 * 3600
"""Seconds from the first event to the last after which a match is taken to have rested in between."""
SMALL = (1.0, 0.01)
"""Luck below which it was even: in points, and in parts of a win."""
MOST_TOLD = 4
"""So many players have a sentence each about their choices."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The players' points after each event that brought some; the first row is the beginning."""

    players: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    whose: tuple[str, ...]
    """Who was written for, row by row; empty at the beginning."""

    @property
    def chart(self) -> Markup:
        """A line each."""
        courses = [
            charts.Course(name, tuple(float(row[i]) for row in self.rows))
            for i, name in enumerate(self.players)
        ]
        # i18n: a player's points at the beginning and at the end
        span = _("%%(name)s from %%(first)d to %%(last)d")
        return charts.lines(_("Points during the match"), courses, _("turns"), span)


views = Views("history", __name__)


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in the list with its state, which is None if it can no longer be opened."""

    id: str
    title: str
    icon: str
    """The address of a face of its dice; empty if it has none."""
    players: tuple[str, ...]
    began: float
    lasted: float | None
    """Seconds; None for one that rested in between."""
    result: Message | None
    over: bool


@dataclass(frozen=True, slots=True)
class Costly:
    """A choice that gave something away."""

    number: int
    """The event's."""
    player: str
    did: str
    better: str
    cost: str


@views.get("/history", to=Role.WATCHER)
def page() -> ResponseReturnValue:
    """The running match."""
    session = site().table.session
    return _page(session.match, session.store.id)


@views.get("/history/<match_id>", to=Role.WATCHER)
def kept(match_id: str) -> ResponseReturnValue:
    """A match that is kept."""
    try:
        match = opened(match_id)
    except StoreError as error:
        return refused(error)
    return _page(match, match_id)


def _page(match: Match, match_id: str) -> ResponseReturnValue:
    table = site().table
    begun = any(not isinstance(one.action, Play) for one in match.played)
    speaks = speaker_of(table.dice_of(match_id, match), current(), match.header.players)
    looked, unknown = _luck(match)
    stands = standing(match)
    try:
        entry, every = table.kept_entry(match_id), table.kept()
    except StoreError:
        entry, every = None, ()
    only = request.args.get("game", "")
    chosen = [one for one in every if not only or one.game == only]
    pages = max(1, -(-len(chosen) // MOST_LISTED))
    number = min(max(whole(request.args.get("page", "1"), digits=6), 1), pages)
    return render_template(
        "history.html", match=match, match_id=match_id, running=match_id == table.session.store.id, begun=begun,
        entry=entry, stands=stands, headline=speaks.say(stands.said),
        reason=speaks.say(message("{why:rule}", why=stands.reason)), first=first_roll(match), scores=scores(match),
        listed=[_listed(one) for one in chosen[(number - 1) * MOST_LISTED : number * MOST_LISTED]],
        page=number, pages=pages, only=only, games=_games(every), told=speaks.say,
        looked=looked, unknown=unknown, lucky=_lucky(looked) if looked else "",
        lost=_lost(looked) if looked else [], costly=_costly(looked, speaks) if looked else [],
        assumes=speaks.clause(looked.assumed) if looked else "",
        fortune_chart=_fortune_chart(looked) if looked else None, signed=signed, plain=plain,
        dice=_dice(match, speaks), fewest=fairness.FEWEST,
    )  # fmt: skip


def _games(every: Sequence[Entry]) -> list[tuple[str, str]]:
    """The games of some matches, as id and title, if there are several."""
    played = {one.game for one in every}
    return [(game.id, game.title) for game in available() if game.id in played] if len(played) > 1 else []


def _listed(entry: Entry) -> ListedMatch:
    game = next((one for one in available() if one.id == entry.game), None)
    stood = _stood(site().table, entry.id, entry.events)
    faces = game.dice.faces if game else ()
    set_id = str(entry.setup.get("set", "")) or (game.dice.set_id if game else "")
    icon = ""
    if faces and set_id:
        icon = url_for("dice.face", set_id=set_id, face=faces[len(entry.game) % len(faces)])
    lasted = entry.touched - entry.began
    return ListedMatch(
        entry.id, game.title if game else entry.game, icon, entry.players, entry.began,
        lasted if lasted < RESTED else None, stood.said if stood else None, stood.over if stood else True,
    )  # fmt: skip


@lru_cache(maxsize=512)
def _stood(table: Table, match_id: str, events: int) -> Standing | None:
    """The state of a stored match with so many events, computed once; None if it can no longer be read."""
    try:
        match = table.kept_match(match_id)
    except (StoreError, ValueError):
        return None
    return standing(match) if match is not None else None


def scores(match: Match) -> Scores:
    """Everyone's points after each scoring event, including those that score 0."""
    players = match.header.players

    def row(event: int, state: object) -> dict[int, int]:
        """The points of those who play now; who had not joined has none."""
        seats = enumerate(match.game.table(state).seats)
        return {seat: one.score for i, one in seats if (seat := match.seat_now(event, i)) is not None}

    before = row(0, match.beginning)
    rows, whose = [before], [""]
    for one in match.played:
        now, then = row(one.number, one.step.state), one.step.state.players
        if not one.step.scores and {**now, **before} == now:
            before = now
            continue
        to = {match.name_now(one.number, score.player, then): None for score in one.step.scores} or {
            players[i]: None for i in sorted(now) if now[i] != before.get(i, 0)
        }
        rows.append(now)
        whose.append(_("everyone") if len(to) == len(then) > 1 else ", ".join(to))
        before = now
    table = tuple(tuple(row.get(i, 0) for i in range(len(players))) for row in rows)
    return Scores(players, table, tuple(whose))


def signed(value: float, unit: str) -> str:
    """A figure with its sign and one place after the point: "+3.5", "−0.4 %", "0.0"."""
    shown = plain(abs(value), unit)
    if not any(digit in shown for digit in "123456789"):
        return shown
    return f"{'+' if value > 0 else '−'}{shown}"


def plain(value: float, unit: str) -> str:
    """A figure with one place after the point; a chance to win in per cent."""
    return f"{figure(100 * value)} %" if unit == CHANCE else figure(value)


def _luck(match: Match) -> tuple[luck.Luck | None, str]:
    """The luck account, or why there is none."""
    try:
        return site().expert.look_back(match), ""
    except ValueError as refused:
        return None, refusal(refused)


def _lucky(looked: luck.Luck) -> str:
    """Whom luck served most, in one sentence."""
    best = max(looked.accounts, key=lambda one: abs(one.luck))
    if abs(best.luck) < SMALL[looked.unit == CHANCE]:
        return _("Luck was even.")
    name, by = best.player, plain(abs(best.luck), looked.unit)
    if looked.unit == CHANCE:
        return (
            _("Good luck raised %(name)s’s chance of winning by %(by)s.", name=name, by=by)
            if best.luck > 0
            else _("Bad luck lowered %(name)s’s chance of winning by %(by)s.", name=name, by=by)
        )
    if best.luck > 0:
        return _("Good luck gave %(name)s %(by)s points.", name=name, by=by)
    return _("Bad luck cost %(name)s %(by)s points.", name=name, by=by)


def _lost(looked: luck.Luck) -> list[str]:
    """What everyone's choices cost, a sentence each; of many players, whose cost most. The table has them all."""
    least = SMALL[looked.unit == CHANCE] / 20
    if all(one.lost < least for one in looked.accounts):
        return [_("Every choice was the best one.")]
    if len(looked.accounts) > MOST_TOLD:
        most = max(looked.accounts, key=lambda one: one.lost)
        return [_("%(name)s’s choices cost the most.", name=most.player)]
    return [
        _cost(one.player, plain(one.lost, looked.unit), looked.unit)
        if one.lost >= least
        else _("%(name)s always chose best.", name=one.player)
        for one in looked.accounts
    ]


def _cost(name: str, by: str, unit: str) -> str:
    if unit == CHANCE:
        return _("%(name)s’s choices lowered the chance of winning by %(by)s.", name=name, by=by)
    return _("%(name)s’s choices cost %(by)s points.", name=name, by=by)


def _costly(looked: luck.Luck, speaks: Speaker) -> list[Costly]:
    """The choices that cost most, the dearest first."""
    every = [
        (moment.lost, moment, one.player)
        for one in looked.accounts
        for moment in one.moments
        if moment.lost >= SMALL[looked.unit == CHANCE] / 2
    ]
    every.sort(key=lambda one: -one[0])
    return [
        Costly(
            moment.number, player, speaks.say(moment.did), speaks.clause(moment.better) if moment.better else "",
            signed(-lost, looked.unit),
        )
        for lost, moment, player in every[:MOST_COSTLY]
    ]  # fmt: skip


def _fortune_chart(looked: luck.Luck) -> Markup:
    rows = [
        (
            one.player,
            (
                charts.Bar("luck", one.luck, signed(one.luck, looked.unit), _("luck")),
                charts.Bar("lost", -one.lost, plain(one.lost, looked.unit), _("lost")),
            ),
        )
        for one in looked.accounts
    ]
    unit = _("percentage points of the chance to win") if looked.unit == CHANCE else _(looked.unit)
    return charts.around_zero(_("Luck, and losses from choices (%(unit)s)", unit=unit), rows)


def _dice(match: Match, speaks: Speaker) -> dict[str, object]:
    """The statistics of a match's dice, for the template; empty if none were thrown."""
    throws = fairness.throws_of(match)
    if not throws:
        return {}
    told = fairness.report(throws, match.game.dice.faces)
    whole = next(one for one in told.tallies if one.what == "set")
    own = {one.name: one for one in told.tallies if one.what == "player"}
    players = tuple(name for name in match.header.players if name in own)
    faces = [
        (
            speaks.title(face),
            (whole.observed[i], *(own[name].observed[i] for name in players)),
            whole.expected[i],
        )
        for i, face in enumerate(told.faces)
    ]
    bars = [(name, came[0], mean) for name, came, mean in faces]
    named = [(_("All dice"), whole), *((name, own[name]) for name in players)]
    return {
        "sentence": speaks.sentence(told.said),
        "why": speaks.sentence(told.reasons),
        "chart": charts.against(_("How often each face came up"), bars, _("expected")),
        "faces": faces,
        "players": players,
        "verdicts": [(name, tally.thrown, _verdict(tally)) for name, tally in named],
    }


def _verdict(tally: fairness.Tally) -> str:
    """What is said of some throws; nothing of too few."""
    if tally.unfair is None or tally.corrected is None:
        return _("Needs at least %(fewest)d dice.", fewest=fairness.FEWEST)
    chance = _chance(tally.corrected)
    if tally.unfair:
        return _("Probably not fair. The chance of such uneven results with fair dice: %(chance)s.", chance=chance)
    return _("Looks fair. The chance of such uneven results with fair dice: %(chance)s.", chance=chance)


def _chance(p: float) -> str:
    return _("under 0.1 %%") if p < 0.001 else f"{figure(100 * p)} %"
