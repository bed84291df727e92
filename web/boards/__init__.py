"""What each game's board shows and offers, out of a match: records for the templates in `templates/boards/`.

A board is made only when a page is drawn, so a notice costs nothing where nobody looks. What one player alone may see
is in no board; `hand_of` is for the device that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from scoring.actions import Confirm, Declare, Family, Fill, Hold, MoveAwaited, Stand
from scoring.announcement import standing as standing_of
from scoring.games.outback.state import Done as NoMoreAnimals
from scoring.games.outback.state import Swap
from scoring.match import Match
from scoring.view import Seat
from table.draws import secretly
from web.boards.cats import called_shot_board, declarations, hands_board, pairs_board, triples_board
from web.boards.destiny import Hand, card_groups, destiny_board, hands
from web.boards.fields import move_of
from web.boards.outback import outback_board
from web.boards.outlander import outlander_board
from web.boards.record import Choice, Given, Group, Names, choice, each, given, legal
from web.boards.sheet import sheet

__all__ = ["Board", "Choice", "Group", "board_of", "hand_of", "move_of"]


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
class Board:
    """A game's board: `kind` names its template, `own` is what that template shows."""

    kind: str
    own: Any
    groups: tuple[Group, ...] = ()
    """The decisions beside those that the board itself offers (boxes, hexes) and the dice (holding)."""
    given: tuple[Given, ...] = ()
    """The last points, with every reason."""
    pile: Pile | None = None
    decides: str = ""
    """Who is to decide, by name; empty when nobody is."""
    decides_by_hand: tuple[tuple[int, str], ...] = ()
    """The players who are to decide by what only they may see, as (number, name)."""
    dice: int = 0
    """How many dice the game is played with."""
    rolls: bool = False
    """A roll is awaited."""
    seats: tuple[Seat, ...] = ()
    stands: tuple[tuple[str, str], ...] = ()
    """Everybody's place in a sentence, the best first, with the name it is about."""


@dataclass(frozen=True, slots=True)
class OwnHand:
    """What one player sees and may decide, for that player's eyes only."""

    player: str
    number: int
    hands: tuple[Hand, ...]
    groups: tuple[Group, ...]
    discards: tuple[tuple[str, str], ...]
    """The cards that may be discarded, as (id, name); empty when none may."""
    exactly: int | None
    """How many must go; None for any number."""


Made = Callable[[Match, Names], Any]

MADE: Mapping[str, Made] = {
    "pairs": pairs_board,
    "called-shot": called_shot_board,
    "triples": triples_board,
    "quintuples": hands_board,
    "everyone-scores": hands_board,
    "outlander": outlander_board,
    "outback": lambda match, names: outback_board(match, match.decider, names),
    "outback-plus": lambda match, names: outback_board(match, match.decider, names),
    "destiny": destiny_board,
}

KINDS: Mapping[str, str] = {
    "meet-fate": "fate",
    "quintuples": "hands",
    "everyone-scores": "hands",
    "outback-plus": "outback",
}
"""The template of a game's board, where it is not called like the game."""


def board_of(match: Match, language: str, labels: Mapping[str, str]) -> Board:
    """The board of a match in a language; `labels` are the names of the dice set's faces in it."""
    players = match.header.players
    names = Names(language, labels, players)
    kind = KINDS.get(match.game.id, match.game.id)
    made = MADE.get(match.game.id)
    groups, panels = sheet(match, names.speaker)
    own = made(match, names) if made else groups if kind == "fate" else panels
    player = match.decider
    by_hand = _by_hand(match)
    return Board(
        kind if made or kind == "fate" else "panels",
        own,
        groups=_groups(match, player, names) if player is not None and not by_hand else (),
        given=given(match, names),
        pile=_pile(match, names),
        decides=match.header.players[player] if player is not None else "",
        decides_by_hand=by_hand,
        dice=match.game.dice.count,
        rolls=match.roll_awaited is not None,
        seats=match.view.seats,
        stands=tuple(
            (players[cast("int", dict(said.values)["player"])], names.speaker.say(said))
            for said in standing_of(match)
        ),
    )


def hand_of(match: Match, player: int, language: str, labels: Mapping[str, str]) -> OwnHand | None:
    """What a player who is to decide by a hand may see and do; None for anybody else."""
    if player not in dict(_by_hand(match)):
        return None
    names = Names(language, labels, match.header.players)
    cards = match.state.sides[player].hand
    exactly = 1 if match.state.discarding == player else None
    discarding = exactly is not None or match.state.phase == "hit"
    return OwnHand(
        names.players[player],
        player,
        hands(match, player, names),
        () if discarding else card_groups(match, player, names),
        tuple((card, names.title(card)) for card in cards) if discarding else (),
        exactly,
    )


def _by_hand(match: Match) -> tuple[tuple[int, str], ...]:
    if match.stop or match.outcome:
        return ()
    asked = (one for one in match.awaited if isinstance(one, MoveAwaited))
    players = [player for one in asked for player in one.players]
    return tuple(
        (player, match.header.players[player])
        for player in players
        if match.game.private(match.state, player)
    )


def _pile(match: Match, names: Names) -> Pile | None:
    due = match.draw_awaited
    if due is None:
        return None
    kinds = (
        ()
        if secretly(match)
        else tuple((card, names.title(card), due.among.count(card)) for card in dict.fromkeys(due.among))
    )
    return Pile(names.speaker.words(due.pile), due.count, kinds, secretly(match))


OWN_PLACE = (
    "place",
    "lose",
    "place-in-row",
    "lose-in-row",
    "tell",
    "tell-each",
    "faces",
    "change",
    "points",
    "card",
)
"""Kinds of decisions that a board has a place of its own for."""


def _groups(match: Match, player: int, names: Names) -> tuple[Group, ...]:
    """The decisions that are offered as lists."""
    game = match.game.id
    if game == "destiny":
        return card_groups(match, player, names)
    moves = legal(match, player)
    found = list(declarations(match, player, names)) if Declare in match.game.moves else []
    for kind, kinds in (
        ("confirm", (Confirm,)),
        ("stand", (Stand,)),
        ("swap", (Swap,)),
        ("done", (NoMoreAnimals,)),
    ):
        if listed := each(moves, *kinds):
            found.append(Group(kind, tuple(choice(move, names) for move in listed)))
    known = (Fill, Hold, Declare, Confirm, Stand, Swap, NoMoreAnimals)
    rest = [move for move in moves if not isinstance(move, (*known, Family)) and move.kind not in OWN_PLACE]
    if rest:
        found.append(Group("decide", tuple(choice(move, names) for move in rest)))
    found += [
        Group(one.kind, tuple(choice(move, names) for move in one.members))
        for one in moves
        if isinstance(one, Family) and one.kind not in (Hold.kind, *OWN_PLACE)
    ]
    return tuple(found)
