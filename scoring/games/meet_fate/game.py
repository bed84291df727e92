"""Meet Fate: six eight-sided dice, three throws, nineteen boxes; six eights win on the spot (RULINGS 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message, message
from scoring.account import Outcome, Score, ScoredRoll, Step, best_boxes, box_filled, line
from scoring.actions import (
    Action,
    Awaited,
    Confirm,
    Family,
    Fill,
    Hold,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
    changed,
    held,
    refuse,
)
from scoring.dice import Dice, Face, choices, within
from scoring.game import Added, Game
from scoring.games.meet_fate.sheet import BOXES, FACES, OPTIONS, all_boxes, box_line, box_points
from scoring.options import Option, Options
from scoring.view import Mark, Panel, TableView, seats

THROWS = 3
"""Throws a turn, at most."""

FATE: tuple[Face, ...] = ("8",) * 6
"""Six eights."""


@dataclass(frozen=True, slots=True)
class MeetFateState:
    """Every sheet (None is an open box), whose turn, and the dice of this turn.

    `throws` counts this turn's; `rolling` that the next one is awaited, with `kept` left lying; `asking` that
    six eights lie there unconfirmed; `fated` is the player who won by them.
    """

    players: tuple[str, ...]
    options: Options
    sheets: tuple[tuple[int | None, ...], ...]
    turn: int = 0
    throws: int = 0
    rolling: bool = True
    roll: tuple[Face, ...] = ()
    kept: tuple[Face, ...] = ()
    asking: bool = False
    fated: int | None = None

    def open_boxes(self, player: int) -> tuple[str, ...]:
        """The boxes a player has not filled."""
        return tuple(box for box, points in zip(BOXES, self.sheets[player], strict=True) if points is None)

    def next(self) -> int:
        """Who begins the next turn: the first of those with the most open boxes, so that newcomers catch up."""
        return min(range(len(self.players)), key=lambda player: -self.sheets[player].count(None))

    def bonus(self, player: int) -> int:
        """The upper bonus a player has earned."""
        upper = sum(points or 0 for points in self.sheets[player][: len(FACES)])
        earned = upper >= self.options.number("upper_bonus_from")
        return self.options.number("upper_bonus") if earned else 0

    def total(self, player: int) -> int:
        """A player's points so far, upper bonus included."""
        return sum(points or 0 for points in self.sheets[player]) + self.bonus(player)


class MeetFate(Game[MeetFateState]):
    """Fill each of nineteen boxes once; the highest total wins, unless someone meets fate."""

    id: ClassVar[str] = "meet-fate"
    title: ClassVar[str] = "Meet Fate"
    blurb: ClassVar[str] = "Fill nineteen boxes with up to three throws each. Six eights win at once."
    minutes: ClassVar[int] = 30
    showcase: ClassVar[tuple[Face, ...]] = ("8",) * 6
    board: ClassVar[str] = "meet-fate"
    dice: ClassVar[Dice] = Dice("fate", 6, FACES)
    seats: ClassVar[tuple[int, int]] = (1, 12)
    winner_starts: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    declarations: ClassVar[tuple[str, ...]] = BOXES
    declaration_needed: ClassVar[bool] = False
    moves: ClassVar[tuple[type[Move], ...]] = (Hold, Fill, Confirm)

    def start(self, players: tuple[str, ...], options: Options) -> MeetFateState:
        """Empty sheets; the youngest (or the last winner) sits first."""
        return MeetFateState(players, options, ((None,) * len(BOXES),) * len(players))

    def awaits(self, state: MeetFateState) -> tuple[Awaited, ...]:
        """A throw; or a box, or holding for another throw; or whether those are six eights."""
        if self.outcome(state):
            return ()
        if state.rolling:
            return (RollAwaited(state.turn, self.dice.count, FACES, state.kept),)
        if state.asking:
            return (MoveAwaited((state.turn,), "say whether these are really six eights"),)
        return (MoveAwaited((state.turn,), "fill a box" if state.throws == THROWS else "hold dice or fill a box"),)

    def legal_moves(self, state: MeetFateState, player: int) -> tuple[Move | Family, ...]:
        """Every open box, and, before the third throw, every way to keep some of the dice."""
        if player != state.turn or state.rolling or self.outcome(state):
            return ()
        if state.asking:
            return (Confirm(True), Confirm(False))
        fills = tuple(Fill(box) for box in state.open_boxes(player))
        if state.throws == THROWS:
            return fills
        holds = tuple(Hold(kept) for kept in choices(state.roll) if len(kept) < self.dice.count)
        return (*fills, Family(Hold.kind, holds))

    def check(self, state: MeetFateState, action: Action) -> None:
        """Boxes are filled once; kept dice lie on the table; three throws a turn."""
        if not isinstance(action, Play):
            return
        move = action.move
        if state.asking != isinstance(move, Confirm):
            if state.asking:
                refuse("first say whether these are six eights", "six-eights")
            refuse("there is nothing to confirm", "six-eights")
        if isinstance(move, Fill):
            if move.box not in BOXES:
                refuse(
                    "the sheet has no box {box:quoted}, only {boxes:row}",
                    "turn",
                    box=move.box[:40],
                    boxes=BOXES,
                )
            if move.box not in state.open_boxes(action.player):
                refuse("the box “{box:face}” is already filled: choose an open one", "sheet", box=move.box)
        elif isinstance(move, Hold):
            if state.throws == THROWS:
                refuse("you have used all three throws: fill a box", "turn")
            if not within(move.keep, state.roll):
                refuse(
                    "you can only hold dice on the table ({lying:row}), not {got:row}",
                    "turn",
                    lying=state.roll,
                    got=move.keep[:12],
                )
            if len(move.keep) == self.dice.count:
                refuse("you are holding all the dice: release some, or fill a box", "turn")

    def advance(self, state: MeetFateState, action: Action) -> Step[MeetFateState]:
        """A throw comes to lie, dice are held, a box is filled, or fate is met."""
        if isinstance(action, Roll):
            return self._thrown(state, action.faces)
        assert isinstance(action, Play)
        move, player = action.move, state.turn
        if isinstance(move, Hold):
            after = replace(state, rolling=True, kept=move.keep)
            return Step(after, (), (held(player, move.keep),))
        if isinstance(move, Confirm):
            if not move.yes:
                said = message("These are not six eights. Correct the roll or fill a box.")
                return Step(replace(state, asking=False), (), (said,))
            said = message("Six eights! {player:name} meets fate and wins.", player=player)
            return Step(replace(state, asking=False, fated=player), (), (said,))
        assert isinstance(move, Fill)
        return self._filled(state, move.box)

    def _thrown(self, state: MeetFateState, faces: tuple[Face, ...]) -> Step[MeetFateState]:
        player, throws, eights = state.turn, state.throws + 1, faces.count("8")
        one_throw = state.options.text("f8_mode") == "one-throw"
        asking = faces == FATE and not (one_throw and state.kept)
        after = replace(state, throws=throws, rolling=False, roll=faces, kept=(), asking=asking)
        said: list[Message] = [
            message(
                "{player:name}, throw {throw}: {faces:faces}.",
                player=player,
                throw=throws,
                faces=self.dice.ordered(faces),
            )
        ]
        if 4 <= eights < len(FATE) and throws < THROWS:
            said.append(
                message(
                    "{eights:number} eights, {missing:number} to go.",
                    eights=eights,
                    missing=len(FATE) - eights,
                )
            )
        if throws == THROWS and not asking:
            open_boxes = after.open_boxes(player)
            said.extend(best_boxes((box_points(box, faces, after.options), box) for box in open_boxes))
        return Step(after, (), tuple(said))

    def _filled(self, state: MeetFateState, box: str) -> Step[MeetFateState]:
        player = state.turn
        reason = box_line(box, state.roll, state.options)
        sheet = changed(state.sheets[player], BOXES.index(box), reason.points)
        after = replace(
            state,
            sheets=changed(state.sheets, player, sheet),
            throws=0,
            rolling=True,
            kept=(),
        )
        after = replace(after, turn=after.next())
        lines = (reason,)
        if bonus := after.bonus(player) - state.bonus(player):
            lines += (line("upper bonus", bonus, "house-upper_bonus"),)
        points, total = sum(one.points for one in lines), after.total(player)
        said = box_filled(player, box, points, total, len(after.open_boxes(player)))
        return Step(after, (Score(player, points, total, lines),), (said,))

    def outcome(self, state: MeetFateState) -> Outcome | None:
        """Six eights at once; else the highest total when every box is full."""
        if state.fated is None and any(None in sheet for sheet in state.sheets):
            return None
        points = tuple(state.total(player) for player in range(len(state.players)))
        if state.fated is not None:
            return Outcome((state.fated,), points, "six eights")
        winners = tuple(player for player, total in enumerate(points) if total == max(points))
        return Outcome(winners, points, "every box is full")

    def table(self, state: MeetFateState) -> TableView:
        """The sheets side by side, and what each open box would give for the dice as they lie."""
        over = self.outcome(state) is not None
        everyone = range(len(state.players))
        points, left = map(state.total, everyone), (len(state.open_boxes(player)) for player in everyone)
        marks = [(Mark("boxes left", n, message("{n:count box boxes} left", n=n)),) for n in left]
        shown = seats(state.players, tuple(points), () if over else (state.turn,), marks)
        rows = tuple((box, *(sheet[i] for sheet in state.sheets)) for i, box in enumerate(BOXES))
        panels = [Panel("Score sheet", ("box", *state.players), rows)]
        if state.throws and not over:
            worth = sorted(
                ((box, box_points(box, state.roll, state.options)) for box in state.open_boxes(state.turn)),
                key=lambda one: -one[1],
            )
            panels.append(Panel("Open boxes", ("box", "points"), tuple(worth)))
        dice = state.roll if state.throws or over else ()
        return TableView(shown, dice, state.kept, tuple(panels), (state.throws, THROWS))

    def rarest(self, state: MeetFateState, faces: tuple[Face, ...]) -> Message | None:
        """Fate itself."""
        return message("Six eights!") if faces == FATE else None

    def reseat(self, state: MeetFateState, change: Seated) -> MeetFateState:
        """Newcomers begin with an empty sheet and catch up; a turn that has begun goes on."""
        after = replace(state, sheets=change.carried(state.sheets, (None,) * len(BOXES)))
        turn = change.now(state.turn) if state.throws else None
        if turn is not None:
            return replace(after, turn=turn)
        after = replace(after, players=change.players, throws=0, rolling=True, roll=(), kept=(), asking=False)
        return replace(after, turn=after.next())

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """All nineteen boxes; the points are those of the declared box, or of the best one."""
        boxes = all_boxes(faces, told)
        box = declared or max(boxes, key=lambda one: one[1])[0]
        lines = [box_line(box, faces, told)]
        if faces == FATE:
            lines.append(line("six eights: instant win", 0, "six-eights"))
        return ScoredRoll(dict(boxes)[box], boxes, None, tuple(lines))


GAMES = (MeetFate(),)
