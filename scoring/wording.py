"""From what happened to what is said: one announcement for page, speech and scoreboard alike.

Games name facts; languages hold a sentence for each (scoring/phrases); this joins the two. Adding a language
is a folder beside `phrases/en` and a line in LANGUAGES, and touches no game (scoring/phrases/__init__.py says how).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import cast

from scoring.account import Fact, Line, fact
from scoring.actions import Draw, DrawAwaited, Move, Play, RollAwaited, Seated
from scoring.codec import plain
from scoring.dice import spelled
from scoring.language import Language, Speaker
from scoring.match import Correction, Match, Undo
from scoring.phrases.de import GERMAN
from scoring.phrases.en import ENGLISH
from scoring.phrases.fr import FRENCH

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {language.code: language for language in (ENGLISH, GERMAN, FRENCH)}
)
"""Every language there is, by its code."""

NO_LABELS: Mapping[str, str] = MappingProxyType({})


def say(
    one: Fact, players: tuple[str, ...], language: str = "en", labels: Mapping[str, str] = NO_LABELS
) -> str:
    """The sentence for a fact; `labels` are the faces' names in that language, from their dice set."""
    spoken = LANGUAGES[language]
    return Speaker(spoken, players, labels).say(spoken.phrases[one.name], one.player, one.values)


def explain(one: Line, language: str = "en", labels: Mapping[str, str] = NO_LABELS) -> str:
    """The rule of a breakdown line, in words."""
    spoken = LANGUAGES[language]
    return Speaker(spoken, (), labels).say(spoken.rules.get(one.rule, one.rule), None, one.values)


def cited(where: str, language: str = "en") -> str:
    """Where a rule stands, in words: a document and its heading, a paragraph of the rulings, an option."""
    return LANGUAGES[language].cited(where)


def announced(match: Match) -> tuple[Fact, ...]:
    """What there is to say about the last event of a match, in order, ending with what is awaited."""
    if not match.events:
        return awaiting(match)
    last = match.events[-1]
    if isinstance(last, Undo):
        taken = match.events[last.event - 1]
        if isinstance(taken, Seated):
            said = fact("undone.seats", names=match.header.players)
        elif isinstance(taken, Play):
            said = fact("undone", taken.player)
        else:
            said = fact("undone.to", event=last.event)
        return (said, *awaiting(match))
    if isinstance(last, Correction):
        told = _corrected(match, last)
        same = all(number < last.event for number, _ in match.changes)  # else its players sit elsewhere now
        again = [one.step.facts for one in match.played if one.number == last.event and same]
        return (told, *(again[0] if again else ()), *awaiting(match))
    played = match.played[-1] if match.played else None
    reached = played is not None and played.number == len(match.events)  # a replay may have stopped before it
    return (*(played.step.facts if played and reached else ()), *awaiting(match))


def _corrected(match: Match, last: Correction) -> Fact:
    """What is said of a correction: never which cards went into a hand."""
    first = match.events[last.event - 1]
    if isinstance(first, Draw):
        if not last.showed:
            return fact("corrected.no-draw", pile=first.pile)
        if match.game.is_secret(first):
            return fact("corrected.secret", pile=first.pile)
        return fact("corrected.draw", pile=first.pile, showed=last.showed)
    return fact("corrected", showed=last.showed) if last.showed else fact("corrected.nothing")


def awaiting(match: Match) -> tuple[Fact, ...]:
    """What the table waits for, or how the match ended, or why it cannot go on."""
    if match.stop:
        return (fact("stopped", event=match.stop.number, reason=match.stop.rule),)
    outcome = match.outcome
    if outcome:
        best = max(outcome.points[winner] for winner in outcome.winners) if outcome.winners else 0
        return (fact("won", winners=outcome.winners, points=best, reason=outcome.reason),)
    facts: list[Fact] = []
    for one in match.awaited:
        if isinstance(one, RollAwaited):
            if one.stake:
                facts.append(fact("await.roll-for", one.player, stake=one.stake))
            elif one.kept:
                facts.append(fact("await.reroll", one.player, kept=one.kept))
            else:
                facts.append(fact("await.roll", one.player))
        elif isinstance(one, DrawAwaited):
            name = "await.draw-tiles" if one.tiles else "await.draw-cards"
            facts.append(fact(name, count=one.count, pile=one.pile))
        else:
            facts.append(fact("await.move", players=one.players, what=one.what))
    return tuple(facts)


def standing(match: Match) -> tuple[Fact, ...]:
    """The state in whole sentences, best first: "Alice, first, 42 points."."""
    points = [seat.score for seat in match.view.seats]
    order = sorted(range(len(points)), key=lambda player: -points[player])
    return tuple(
        fact("seat", player, place=1 + sum(other > points[player] for other in points), points=points[player])
        for player in order
    )


def sentences(match: Match, language: str = "en", labels: Mapping[str, str] = NO_LABELS) -> tuple[str, ...]:
    """What to say about the last event of a match."""
    players = match.header.players
    return tuple(say(one, players, language, labels) for one in announced(match))


def offer(
    move: Move, players: tuple[str, ...], language: str = "en", labels: Mapping[str, str] = NO_LABELS
) -> str:
    """A move as a button or a list says it; a kind without a phrase is said by its name and fields."""
    spoken = LANGUAGES[language]
    values = {name: value for name, value in plain(move).items() if name != "kind"}
    template = spoken.phrases.get(f"move.{move.kind}")
    if template is None:
        return " ".join([move.kind, *(_bare(value) for value in values.values())])
    return Speaker(spoken, players, labels).say(template, None, tuple(values.items()))


def _bare(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_bare(item) for item in cast("list[object]", value))
    if isinstance(value, dict):
        return " ".join(_bare(item) for item in cast("dict[str, object]", value).values())
    return str(value)


def meant(text: str, ids: Iterable[str]) -> str | None:
    """The one of `ids` that a word names in any language there is, or None."""
    wanted, known = spelled(text), tuple(ids)
    for one in known:
        if spelled(one) == wanted:
            return one
    for language in LANGUAGES.values():
        for one in known:
            if one in language.names and spelled(language.names[one]) == wanted:
                return one
    return None


def named_in(language: str, one: str) -> str:
    """An id as a language names it."""
    return LANGUAGES[language].names.get(one) or one.replace("-", " ")
