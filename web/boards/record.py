"""What every board is made of: names, decisions that can be tapped, points with their reasons."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.account import Line, Score
from scoring.actions import Confirm, Declare, Family, Fill, Hold, Move, Stand
from scoring.announcement import offered
from scoring.codec import plain
from scoring.game import AnyGame
from scoring.match import Match, Played
from scoring.otherwise import Otherwise, otherwise
from scoring.view import Panel, Seat, TableView
from web.language import gettext as _
from words.rules import title
from words.speaker import Speaker, speaker


@dataclass(frozen=True, slots=True)
class Names:
    """How ids and fixed words of a game are said: in a language, with the dice set's own labels first."""

    game: AnyGame
    language: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    players: tuple[str, ...] = ()

    @property
    def speaker(self) -> Speaker:
        """Who says them."""
        return speaker(self.language, self.players, self.labels)

    def of(self, one: str) -> str:
        """A face, declaration, hand, card or tile as people read it."""
        return self.speaker.name(one)

    def title(self, one: str) -> str:
        """The same with a capital in front."""
        return self.speaker.title(one)

    def move(self, move: Move) -> str:
        """A decision in words: "Play law base 3"."""
        if isinstance(move, Declare):
            return self.title(move.declaration)
        return self.speaker.say(offered(move))

    def marks(self, seat: Seat) -> str:
        """What counts for a player beside the points, in a few words."""
        return ", ".join(self.speaker.clause(one.said) for one in seat.marks if one.said)

    def panels(self, view: TableView) -> tuple[Panel, ...]:
        """The tables of values of a game without a board of its own."""
        return tuple(self.speaker.panel(one) for one in view.panels if isinstance(one, Panel))


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can be taken with one tap."""

    label: str
    move: str
    """The move as JSON, as `/move` takes it."""
    id: str
    """Short and the same from notice to notice, so that focus stays on it."""
    detail: str = ""
    """What it brings, beside its name."""
    art: str = ""
    """A face whose drawing stands beside it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Decisions that belong together under a heading; `grid` shows them as a table if they are cards of all
    alignments and values."""

    kind: str
    choices: tuple[Decision, ...]
    heading: str
    of: str = ""
    """What the group is about, in words: the base that cards are laid on."""
    answers: bool = True
    """They answer a question, as "yes" and "done" do; else they are things to choose from."""
    grid: tuple[tuple[str, tuple[Decision | None, ...]], ...] = ()
    note: str = ""
    """What explains the choices, in a few words."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand: its name, its suit as a class of the style sheet, what is printed large, what it does."""

    name: str
    suit: str
    sign: str
    does: str


@dataclass(frozen=True, slots=True)
class OwnHand:
    """What one player sees and may decide, for that player's eyes only."""

    player: str
    number: int
    hands: tuple[tuple[str, tuple[HeldCard, ...]], ...]
    """Hands that the player may look into, the own one among them: whose, and its cards."""
    groups: tuple[Group, ...]
    discards: tuple[tuple[str, str], ...]
    """The cards that may be discarded, as (id, name); empty if none may."""
    exactly: int | None
    """How many must go; None for any number."""


@dataclass(frozen=True, slots=True)
class Maker:
    """How a board is made: what its templates show, the decisions it lists, and a player's own hand, if any."""

    made: Callable[[Match, Names], Any]
    groups: Callable[[Match, int, Names], tuple[Group, ...]]
    hand: Callable[[Match, int, Names], OwnHand] | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of a breakdown in the reader's language: the rule in words, its points, the paragraph about it."""

    rule: str
    points: int
    game: str
    where: str
    title: str
    """What the paragraph is called; empty if the game's rules have none."""


@dataclass(frozen=True, slots=True)
class Given:
    """Points that somebody got, and why."""

    player: str
    points: int
    total: int
    reasons: tuple[Reason, ...]
    otherwise: tuple[Reason, ...] = ()
    """The house rules that decided, and what another answer would have given."""


def choice(move: Move, names: Names, *, label: str = "", detail: str = "", art: str = "") -> Decision:
    """A move as a choice."""
    record = plain(move)
    parts = [record.pop("kind"), *record.values()]
    name = "-".join(str(part).lower() for part in parts if part not in ("", [], None))
    return Decision(
        label or names.move(move), json.dumps(plain(move), ensure_ascii=False), _id(name), detail, art
    )


def _id(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)


def legal(match: Match, player: int) -> tuple[Move | Family, ...]:
    """What a player may decide now; nothing once a replay has stopped."""
    if player == match.decider:
        return match.legal
    return () if match.stop else match.game.legal_moves(match.state, player)


def each(moves: tuple[Move | Family, ...], *kinds: type[Move]) -> tuple[Move, ...]:
    """Every listed move, or those of these kinds, families taken apart."""
    members = (one for legal in moves for one in (legal.members if isinstance(legal, Family) else (legal,)))
    return tuple(one for one in members if not kinds or isinstance(one, kinds))


def given(match: Match, names: Names) -> tuple[Given, ...]:
    """The points of the last event that brought any, with every reason."""
    last = next((one for one in reversed(match.played) if one.step.scores), None)
    if last is None:
        return ()
    return decided(match, last, names)


def decided(match: Match, event: Played, names: Names) -> tuple[Given, ...]:
    """The points of an event, with every reason and the house rules that decided."""
    players, others = event.step.state.players, dict(otherwise(match, event.number))
    return tuple(
        gave(
            score,
            match.name_now(event.number, score.player, players),
            names,
            others.pop(score.player, ()),
        )
        for score in event.step.scores
    )


def gave(score: Score, player: str, names: Names, others: Iterable[Otherwise] = ()) -> Given:
    """The points of a player, with every reason in the reader's language."""
    reasons = tuple(reason(one, names) for one in score.breakdown)
    return Given(player, score.points, score.total, reasons, house_rules(others, names))


def house_rules(others: Iterable[Otherwise], names: Names) -> tuple[Reason, ...]:
    """What other answers to house rules would have changed, in the reader's language."""
    return tuple(reason(Line(one.said.template, 0, one.where, one.said.values), names) for one in others)


def reason(line: Line, names: Names) -> Reason:
    """A breakdown line in the reader's language."""
    called = title(names.game, line.where, names.language)
    return Reason(names.speaker.say(line.reason), line.points, names.game.id, line.where, called)


def decisions(
    match: Match,
    player: int,
    names: Names,
    headings: Mapping[str, str] | None = None,
    elsewhere: Collection[type[Move]] = (),
) -> tuple[Group, ...]:
    """The decisions that are offered as lists: a group for each kind with one of the `headings`, the rest together.

    Boxes and held dice have places of their own on every board, what is `elsewhere` on this one.
    """
    asking = {Confirm.kind: _("Confirm?"), Stand.kind: _("Done throwing")}
    asking |= {kind: _(heading) for kind, heading in (headings or {}).items()}
    placed = {one.kind for one in (Fill, Hold, *elsewhere)}
    kinds: dict[str, list[Decision]] = {kind: [] for kind in asking}
    families: list[Group] = []
    for one in legal(match, player):
        if one.kind in placed:
            continue
        if isinstance(one, Family):
            choices = tuple(choice(move, names) for move in one.members)
            families.append(Group(one.kind, choices, _("Your choice"), answers=False))
        else:
            kinds.setdefault(one.kind if one.kind in asking else "decide", []).append(choice(one, names))
    listed = tuple(
        Group(kind, tuple(choices), asking.get(kind) or _("Your choice"))
        for kind, choices in kinds.items()
        if choices
    )
    return (*listed, *families)
