"""Makes each game's board from a match: records for the templates in `templates/boards/`.

A game names its board (`Game.board`); the board's module makes it, and its templates are `<board>.html` and optionally
`<board>.glance.html` and `<board>.screen.html` for reading across the room, and `<board>.keys.html` for what keys read
out. A board is made only when a page is drawn, so a notice that nobody sees costs nothing. It contains nothing that
only one player may see; `hand_of` is for the device that asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.actions import MoveAwaited
from scoring.match import Match
from scoring.standing import Placed, standing
from table.draws import secretly
from web.boards import cats, destiny, meet_fate, outback, outlander, running_total, score_sheet
from web.boards.record import Given, Group, Maker, Names, OwnHand, decisions, given

__all__ = ["GameBoard", "board_of", "hand_of"]

BOARDS: Mapping[str, Maker] = {
    name: maker
    for module in (cats, destiny, meet_fate, outback, outlander, running_total, score_sheet)
    for name, maker in module.BOARDS.items()
}
"""How each board is made, by its name; a board that is not here shows the panels of the game's table."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A draw that is due: the pile, how many come out of it, and what may come."""

    name: str
    count: int
    kinds: tuple[tuple[str, str, int], ...]
    """Each kind that may come: id, name, how many there still are."""
    secret: bool
    """It goes into a hand, and Tableside deals it."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player's seat: the score, whether it is their turn, and what else counts for them, in a few words."""

    name: str
    score: int
    on_turn: bool
    marks: str


@dataclass(frozen=True, slots=True)
class GameBoard:
    """A game's board: `kind` names its templates, `own` is what they show."""

    kind: str
    own: Any
    groups: tuple[Group, ...] = ()
    """The decisions beside those that the board itself offers (boxes, hexes) and the dice (holding)."""
    given: tuple[Given, ...] = ()
    """The last points, with every reason."""
    pile: Pile | None = None
    decides: str = ""
    """Who is to decide, by name; empty if nobody is."""
    decides_by_hand: tuple[tuple[int, str], ...] = ()
    """The players who are to decide by what only they may see, as (number, name)."""
    dice: int = 0
    """How many dice the game is played with."""
    rolls: bool = False
    """A roll is awaited."""
    seats: tuple[SeatView, ...] = ()
    stands: tuple[tuple[str, str], ...] = ()
    """Everybody's place in a sentence, the best first, with the name it is about."""
    ranking: tuple[Placed, ...] = ()
    """Everybody's place, the winners first; nobody's before the match is over."""

    @property
    def winners(self) -> str:
        """Who won, by name."""
        return " & ".join(one.name for one in self.ranking if one.first)


def board_of(match: Match, language: str, labels: Mapping[str, str]) -> GameBoard:
    """The board of a match in a language; `labels` are the names of the dice set's faces in it."""
    players = match.header.players
    names = Names(match.game, language, labels, players)
    maker, stands = BOARDS.get(match.game.board), standing(match)
    player, by_hand = match.decider, _by_hand(match)
    groups = maker.groups if maker else decisions
    return GameBoard(
        match.game.board if maker else "panels",
        maker.made(match, names) if maker else names.panels(match.view),
        groups=groups(match, player, names) if player is not None and not by_hand else (),
        given=given(match, names),
        pile=_pile(match, names),
        decides=players[player] if player is not None else "",
        decides_by_hand=by_hand,
        dice=match.game.dice.count,
        rolls=match.roll_awaited is not None,
        seats=tuple(SeatView(one.name, one.score, one.on_turn, names.marks(one)) for one in match.view.seats),
        stands=tuple(
            (one.name, names.speaker.say(said)) for one, said in zip(stands.places, stands.spoken, strict=True)
        ),
        ranking=stands.places if match.outcome else (),
    )


def hand_of(match: Match, player: int, language: str, labels: Mapping[str, str]) -> OwnHand | None:
    """What a player who is to decide by a hand may see and do; None for anybody else."""
    maker = BOARDS.get(match.game.board)
    if player not in dict(_by_hand(match)) or maker is None or maker.hand is None:
        return None
    return maker.hand(match, player, Names(match.game, language, labels, match.header.players))


def _by_hand(match: Match) -> tuple[tuple[int, str], ...]:
    return tuple(
        (player, match.header.players[player])
        for one in match.awaited
        if isinstance(one, MoveAwaited)
        for player in one.players
        if match.game.private(match.state, player)
    )


def _pile(match: Match, names: Names) -> Pile | None:
    due = match.draw_awaited
    if due is None:
        return None
    secret = secretly(match)
    kinds = (
        ()
        if secret
        else tuple((card, names.title(card), due.among.count(card)) for card in dict.fromkeys(due.among))
    )
    return Pile(names.speaker.words(due.pile), due.count, kinds, secret)
