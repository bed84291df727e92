"""The interface of games.

A game is a value without state: it makes the first state, says what the table is waiting for, which moves are legal,
why another is not, and what follows from a roll, a draw or a decision. States are frozen. Chance never happens here;
its results come in as events (`Roll`, `Draw`).

A game has its own folder in `scoring/games`, with its methods in the order of `Game` below (called_shot.py is short and
easy to read). docs/add-a-game.md says how to add one.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeAlias, cast

from messages.message import Message, MessageError, message
from scoring.account import Outcome, S, ScoredRoll, Step
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    IllegalMoveError,
    Move,
    MoveAwaited,
    Roll,
    RollAwaited,
    Seated,
    describe,
    refuse,
)
from scoring.dice import Dice, Face, named, within
from scoring.options import Option, Options, chosen
from scoring.view import Panel, TableView

Added: TypeAlias = "tuple[tuple[Face, int], ...]"
"""Faces that a card adds to a roll, with how many (negative: takes away)."""


class Game(ABC, Generic[S]):
    """The rules of one game over states of type S. Subclasses are small, and have no state of their own."""

    id: ClassVar[str]
    title: ClassVar[str]
    blurb: ClassVar[str]
    """What the game is, in one line, for the list of games."""
    minutes: ClassVar[int] = 0
    """About how long a match of two takes at the table; 0 if unknown."""
    showcase: ClassVar[tuple[Face, ...]] = ()
    """A roll that shows what the game is about, for its picture in the list of games; else its first three faces."""
    board: ClassVar[str] = "panels"
    """What pages show of it: a board of web/boards with its templates; by default the panels of `table`."""
    home: ClassVar[str] = ""
    """The file that tells the game, with its words and its rules for players beside it; by default its module."""
    names: ClassVar[tuple[str, ...]] = ()
    """Ids that sentences name beside faces, declarations and scored cards: hands, rows, tiles."""
    dice: ClassVar[Dice]
    seats: ClassVar[tuple[int, int]]
    """The smallest and the largest number of players."""
    version: ClassVar[int] = 1
    """The rules version, kept with every match: raised when a change makes an old log mean something else."""
    lowest_wins: ClassVar[bool] = False
    """Whether the fewest points win."""
    winner_starts: ClassVar[bool] = False
    """Whether the rules let the youngest start, or whoever won last; else the players choose."""
    options: ClassVar[tuple[Option, ...]] = ()
    circumstances: ClassVar[tuple[Option, ...]] = ()
    """What scoring one roll needs besides the options (the set roll, the others' hands)."""
    declarations: ClassVar[tuple[str, ...]] = ()
    """The declarations for one roll, for `score`; empty if there are none."""
    declaration_needed: ClassVar[bool] = True
    """Whether a roll alone has no points without a declaration (Meet Fate: one may name a box)."""
    scored_cards: ClassVar[tuple[str, ...]] = ()
    """Cards that `score` takes instead of dice, any number of them, in a game that is played without dice."""
    cards_add_faces: ClassVar[bool] = False
    """Whether a card can add faces to a roll, for `score`."""
    moves: ClassVar[tuple[type[Move], ...]]
    """Every kind of move there is in the game."""

    def initial(self, players: Sequence[str], options: Mapping[str, object] | None = None) -> S:
        """The state before anything happened. Raises ValueError for players or options that do not fit."""
        low, high = self.seats
        names = tuple(name.strip() for name in players)
        if not low <= len(names) <= high:
            told = message(
                "{title} is for {low} to {high} players, not {n}",
                title=self.title,
                low=low,
                high=high,
                n=len(names),
            )
            raise MessageError(told)
        if len(set(names)) < len(names) or not all(0 < len(name) <= 40 for name in names):
            raise MessageError("every player needs a different name of 1 to 40 characters")
        for name in names:
            if sign := unfit(name):
                raise MessageError("a name cannot contain the character {sign}", sign=sign)
        return self.start(names, chosen(self.options, options))

    @abstractmethod
    def start(self, players: tuple[str, ...], options: Options) -> S:
        """The state before anything happened; players and options have been checked."""

    @abstractmethod
    def awaits(self, state: S) -> tuple[Awaited, ...]:
        """Everything that may come next; empty if the match is over."""

    def legal_moves(self, state: S, player: int) -> tuple[Move | Family, ...]:
        """What the player may decide now; empty if they are not asked."""
        return ()

    def check(self, state: S, action: Action) -> None:  # most games have rules of their own
        """The game's own rules about an action that is awaited. Raises IllegalMoveError naming the rule."""

    @abstractmethod
    def advance(self, state: S, action: Action) -> Step[S]:
        """What follows from an action that was checked."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result of the match, or None during it."""

    @abstractmethod
    def table(self, state: S) -> TableView:
        """The roll on the table, for everyone to see."""

    @abstractmethod
    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """Score one roll; use `score`, which checks what it is given."""

    def rarest(self, state: S, faces: tuple[Face, ...]) -> Message | None:
        """What to call out when these faces, thrown in this state, are the rarest roll of the game; else None."""
        return None

    def recorded(self, move: Move) -> Move:
        """The form of a decision in the log, if people may say the same in several ways."""
        return move

    def is_secret(self, draw: Draw) -> bool:
        """Whether what was drawn is for one player's eyes only: never to be said, and shown to nobody else
        before the match is over (`Match.hides`)."""
        return False

    def private(self, state: S, player: int) -> tuple[Panel, ...]:
        """What this player alone may see; never to be shown to the table."""
        return ()

    def reseat(self, state: S, change: Seated) -> S:
        """The state with these players, apart from their names: everyone keeps their points. Use `seat`.

        Raises IllegalMoveError if nobody can join, leave or change places now.
        """
        refuse("once this game has begun, players cannot join, leave or change seats")

    def score_end(self, told: Options) -> ScoredRoll | None:
        """The count at a match's end, where `circumstances` tell what lies there; None if they do not."""
        return None

    # The rest is the same for all games.

    def verify(self, state: S, action: Action) -> None:
        """Raise IllegalMoveError, naming the rule, unless the action is legal now."""
        expected = self.awaits(state)
        if not expected:
            refuse("the match is over")
        if isinstance(action, Roll):
            self._verify_roll(expected, action)
        elif isinstance(action, Draw):
            _verify_draw(expected, action)
        else:
            asked = [one for one in expected if isinstance(one, MoveAwaited)]
            if not asked:
                refuse("there is nothing to decide now: {awaited}", awaited=describe(expected, state.players))
            if not any(action.player in one.players for one in asked):
                refuse("it is someone else’s turn: {awaited}", awaited=describe(expected, state.players))
            if type(action.move) not in self.moves:
                refuse("{game} has no move {kind:quoted}", game=self.id, kind=action.move.kind)
        self.check(state, action)

    def can(self, state: S, action: Action) -> bool:
        """Whether the action is legal now."""
        try:
            self.verify(state, action)
        except IllegalMoveError:
            return False
        return True

    def apply(self, state: S, action: Action) -> Step[S]:
        """What follows from an action. Raises IllegalMoveError, and then nothing has changed."""
        self.verify(state, action)
        return self.advance(state, action)

    def seat(self, state: S, change: Seated) -> Step[S]:
        """What follows when other people play on: everyone keeps what they have. Names can always change.

        Raises IllegalMoveError, and then nothing has changed.
        """
        if self.outcome(state):
            refuse("the match is over")
        try:
            anew = self.initial(change.players, dict(state.options))
        except MessageError as refused:
            refuse(refused.message)
        before = state.players
        kept = [seat for seat in change.seats if seat is not None]
        known = len({*kept} & {*range(len(before))}) == len(kept)
        if not kept or not known or len(change.seats) != len(anew.players):
            refuse("every player needs a seat: one of the {n} existing seats or a new one", n=len(before))
        if kept == list(change.seats) == list(range(len(before))):
            after = _with_players(state, anew.players)
        elif state == self.initial(before, dict(state.options)):
            after = anew
        else:
            after = _with_players(self.reseat(state, change), anew.players)
        return Step(after, (), self._seated(state, after, change))

    def _seated(self, before: S, after: S, change: Seated) -> tuple[Message, ...]:
        """The messages about a change of players: who changed their name, who joined, who left, who plays."""
        facts: list[Message] = []
        for player, seat in enumerate(change.seats):
            if seat is None:
                facts.append(message("{player:name} joins.", player=player))
            elif before.players[seat] != after.players[player]:
                facts.append(
                    message("{was} is now called {player:name}.", player=player, was=before.players[seat])
                )
        for seat, one in enumerate(self.table(before).seats):
            if seat not in change.seats:
                facts.append(message("{who} leaves with {points:points}.", who=one.name, points=one.score))
        return (*facts, message("Playing now: {names:listed}.", names=after.players))

    def score(
        self,
        faces: Sequence[str],
        *,
        declared: str | None = None,
        options: Mapping[str, object] | None = None,
        added: Mapping[str, int] | None = None,
    ) -> ScoredRoll:
        """Score one roll in isolation; faces, declaration and options are forgiving about case and dashes.

        `options` may also hold `circumstances`; `added` counts faces a card adds (negative: takes away).
        Raises ValueError (UnknownFaceError, OptionError among them) with one line of expected and actual.
        """
        told = chosen((*self.options, *self.circumstances), options)
        if not faces and (ended := self.score_end(told)):
            return ended
        roll = self._read_roll(faces)
        said = None if declared is None else self.declaration(declared)
        if said is None and self.declarations and self.declaration_needed:
            raise MessageError(
                "{game}: the call is missing ({words:ids})",
                game=self.id,
                words=self.declarations,
            )
        if added and not self.cards_add_faces:
            raise MessageError(
                "{game}: cards do not add faces in this game; leave out {got}", game=self.id, got=", ".join(added)[:40]
            )
        extra = tuple((self.dice.face(face), count) for face, count in (added or {}).items())
        return self.score_roll(roll, told, said, extra)

    def _read_roll(self, faces: Sequence[str]) -> tuple[Face, ...]:
        if self.scored_cards:
            return tuple(
                named(card, self.scored_cards, message("a card from {game}", game=self.id)) for card in faces
            )
        if not self.dice.count:
            raise MessageError("{game} has no dice, so there is no roll to score", game=self.id)
        roll = tuple(self.dice.face(face) for face in faces)
        if len(roll) != self.dice.count:
            raise MessageError(
                "{game} needs {due} dice, not {n}", game=self.id, due=self.dice.count, n=len(roll)
            )
        return roll

    def declaration(self, text: str) -> str:
        """The declaration that `text` means. Raises UnknownFaceError (a ValueError)."""
        if not self.declarations:
            raise MessageError("{game} has no calls; leave out {got:quoted}", game=self.id, got=text[:40])
        return named(text, self.declarations, message("a call in {game}", game=self.id))

    def _verify_roll(self, expected: tuple[Awaited, ...], action: Roll) -> None:
        asked = [one for one in expected if isinstance(one, RollAwaited)]
        if not asked:
            refuse("nobody needs to throw now")
        wanted = asked[0]
        if len(action.faces) != wanted.dice:
            refuse("this roll needs {dice:count die dice}, not {n}", dice=wanted.dice, n=len(action.faces))
        if strange := [face for face in action.faces if face not in wanted.faces]:
            refuse("the dice set {set} has no face {strange:quoted}", set=self.dice.set_id, strange=strange[0][:40])
        if not within(wanted.kept, action.faces):
            refuse(
                "the held dice ({kept:row}) must stay on the table; the dice show {got:row}",
                kept=wanted.kept,
                got=action.faces,
            )


def _with_players(state: S, players: tuple[str, ...]) -> S:
    """The state with other names; every state is a frozen dataclass."""
    return cast(S, replace(cast(Any, state), players=players))


AnyGame: TypeAlias = "Game[Any]"
"""A game whose states are its own business."""


def _verify_draw(expected: tuple[Awaited, ...], action: Draw) -> None:
    asked = {one.pile: one for one in expected if isinstance(one, DrawAwaited)}
    if action.pile not in asked:
        refuse("there is nothing to draw from the {pile:pile} now", pile=action.pile[:40])
    wanted = asked[action.pile]
    if len(action.cards) != wanted.count:
        refuse(
            "draw {count} from the {pile:pile}, not {n}",
            count=wanted.count,
            pile=wanted.pile,
            n=len(action.cards),
        )
    if not within(action.cards, wanted.among):
        strange = next(card for card in action.cards if action.cards.count(card) > wanted.among.count(card))
        refuse("the {pile:pile} does not have enough of {strange:quoted}", pile=wanted.pile, strange=strange[:40])


_JOINED = re.compile(
    # A flag of a part of a country, and emoji that one is made of, each with its variation or its skin.
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]+\U000e007f"
    "|(?<=[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)


def unfit(name: str) -> str:
    """The first character that a name cannot have, by its code and name; "" if there is none.

    Invisible characters are refused, as two names would look the same, and so are those that change the direction of
    the text around them. Those that join signs into one emoji are allowed between these, and those that join or
    separate letters after an Arabic letter or an Indian virama.
    """
    for at, sign in enumerate(rest := _JOINED.sub("", name)):
        before = rest[at - 1] if at else ""
        shaped = before and (unicodedata.bidirectional(before) == "AL" or unicodedata.combining(before) == 9)
        if not sign.isprintable() and not (sign in "\u200c\u200d" and shaped):
            return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".strip()
    return ""
