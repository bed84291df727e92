"""The page that looks back: scores over the turns, luck apart from skill, and what the dice did.

Nothing is worked out before somebody opens it.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from advice import fairness, luck
from scoring.actions import Play
from scoring.games import available
from scoring.match import Match
from table.storage.store import StoreError
from web import charts
from web.access import Views
from web.answers import refused
from web.devices import Role
from web.language import current, figure, refusal
from web.language import gettext as _
from web.pages.replay import opened
from web.site import site
from words.dice import speaker_of
from words.speaker import Speaker

MOST_LISTED = 30
"""Kept matches that are linked to."""


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
        return charts.lines(_("Points during the match"), courses, _("scores so far"), _("points"), span)


views = Views("history", __name__)


@views.get("/history", to=Role.WATCHER)
def page() -> ResponseReturnValue:
    """The running match."""
    session = site().table.session
    return _page(session.match, session.store.id, running=True)


@views.get("/history/<match_id>", to=Role.WATCHER)
def kept(match_id: str) -> ResponseReturnValue:
    """A match that is kept."""
    try:
        match = opened(match_id)
    except StoreError as error:
        return refused(error)
    return _page(match, match_id, running=match_id == site().table.session.store.id)


def _page(match: Match, match_id: str, *, running: bool) -> ResponseReturnValue:
    table = site().table
    try:
        every = table.kept(MOST_LISTED)
    except StoreError:
        every = ()
    begun = any(not isinstance(one.action, Play) for one in match.played)
    speaks = speaker_of(table.dice_of(match_id, match), current())
    looked, unknown, last = _luck(match, running, speaks)
    return render_template(
        "history.html", match=match, match_id=match_id, running=running, begun=begun,
        kept=[one for one in every if one.id != table.session.store.id],
        titles={game.id: game.title for game in available()},
        scores=scores(match), looked=looked, unknown=unknown, last=last,
        luck_words=speaks.among(match.header.players).sentence((*looked.said, *looked.reasons)) if looked else "",
        assumes=speaks.clause(looked.assumed) if looked else "",
        fortune_chart=_fortune_chart(looked) if looked else None, signed=signed, plain=plain,
        dice=_dice(match, speaks), fewest=fairness.FEWEST,
    )  # fmt: skip


def scores(match: Match) -> Scores:
    """Everyone's points after each event that brought some, also where those are none."""
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
    return f"{figure(100 * value)} %" if unit == "chance to win" else figure(value)


def _luck(match: Match, running: bool, tongue: Speaker) -> tuple[luck.Luck | None, str, str]:
    """The luck account, or why there is none; and how good the last turn of a running match was."""
    expert = site().expert
    try:
        looked = expert.look_back(match)
    except ValueError as refused:
        return None, refusal(refused), ""
    try:
        return looked, "", expert.last_turn(match, tongue) if running else ""
    except ValueError:
        return looked, "", ""


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
    unit = _("percentage points of win chance") if looked.unit == "chance to win" else _(looked.unit)
    return charts.around_zero(_("Luck, and losses from choices (%(unit)s)", unit=unit), rows)


def _dice(match: Match, speaks: Speaker) -> dict[str, object]:
    """What the dice of a match did, for the template; empty where none were thrown."""
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
