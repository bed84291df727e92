"""Pairs: declare, roll two cat dice; a set is played out by all; first to 100 (cat-dice, RULINGS 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import N_, Message, message
from scoring.account import Line, Outcome, ScoredRoll, Step, line
from scoring.actions import (
    Action,
    Awaited,
    Declare,
    Family,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
)
from scoring.dice import Dice, Face
from scoring.game import Added, Game
from scoring.games.cats import cat_dice
from scoring.games.cats.races import gained
from scoring.options import Option, OptionError, Options
from scoring.view import Cell, Panel, TableView, seats

WINS = {"cats": 15, "no-cats": 15, "family": 10, "no-family": 20, "dd": 50, "no-dd": 5}
"""What can be declared, and what an immediate pair in it pays."""

PERSON = "person"
"""A word the document uses once, for something that holds sigil: the family, by default."""

OPTIONS = (
    cat_dice.target(100, "RULINGS 3.2"),
    Option(
        "person_alias",
        True,
        "May players call “person” to mean family? The rulebook uses the word once and never explains it.",
        "RULINGS 3.7 Q1",
        title="“Person” for family",
    ),
    Option(
        "count_set_roll",
        True,
        "Does the roll that sets the goal count as one of the rolls before the winning one?",
        "RULINGS 3.7 Q2",
        title="Counting the goal roll",
    ),
    Option(
        "repeat_x4",
        False,
        "Does rolling the goal again score four times the points when both its faces fit the call?",
        "RULINGS 3.7 Q3",
        title="Rolling the goal again",
    ),
    Option(
        "first_roller",
        "left",
        "Once the goal is set, who throws first: the player to the caller’s left, or the caller again?",
        "RULINGS 3.7 Q4",
        values=("left", "declarer"),
        title="Who throws first for the goal",
        answers=("the player to the caller’s left", "the caller again"),
    ),
)

CIRCUMSTANCES = (
    Option("set_roll", "", "The set roll of the round (two faces), if there is one.", "RULINGS 3.2"),
    Option("rolls_before", 0, "How many rolls of the round came before this one.", "RULINGS 3.2"),
)


def declared_lines(declared: str, faces: tuple[Face, ...]) -> tuple[Line, ...] | None:
    """What the declarer's own roll pays, or None if it is a set."""
    pair = cat_dice.paired(faces)
    if pair is None:
        return None
    if pair in cat_dice.GROUPS[declared]:
        rule = "{face:face} pair: the call “{declared:face}” wins"
        return (line(rule, WINS[declared], "calling", face=pair, declared=declared),)
    rule = "{face:face} pair: the call “{declared:face}” loses"
    return (line(rule, 0, "calling", face=pair, declared=declared),)


def set_lines(
    declared: str, set_roll: tuple[Face, ...], before: int, faces: tuple[Face, ...], options: Options
) -> tuple[Line, ...] | None:
    """What a roll in the set phase pays with `before` rolls before it, or None if the round goes on."""
    pair, group = cat_dice.paired(faces), cat_dice.GROUPS[declared]
    if pair is None:
        if sorted(faces) != sorted(set_roll):
            return None
        lines = [line("the goal again after {n:count roll rolls}", before, "set", n=before)]
        lines.append(line("doubled: both faces match the goal", before, "set"))
        if options.flag("repeat_x4") and group.issuperset(faces):
            rule = "doubled again: both faces match the call"
            lines.append(line(rule, 2 * before, "house-repeat_x4"))
        return tuple(lines)
    lines = [line("{face:face} pair after {n:count roll rolls}", before, "set", face=pair, n=before)]
    if pair in set_roll:
        lines.append(line("doubled: the pair matches the goal", before, "set"))
        if pair in group:
            rule = "doubled again: the pair matches the call “{declared:face}”"
            lines.append(line(rule, 2 * before, "set", declared=declared))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class PairsState:
    """Points, the declarer of the round and the declaration; in a set, who rolls and what has to come.

    `before` is the number of rolls of the round that a winning roll would have before it.
    """

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    declarer: int = 0
    declared: str | None = None
    set_roll: tuple[Face, ...] = ()
    before: int = 0
    roller: int = 0
    roll: tuple[Face, ...] = ()


PAIRED = (
    N_("{face:face} pair after {before:count roll rolls}."),
    N_("{face:face} pair after {before:count roll rolls}, points doubled."),
    N_("{face:face} pair after {before:count roll rolls}, four times the points."),
)
AGAIN = (
    "",  # the set roll doubles at least once
    N_("{faces:faces} again after {before:count roll rolls}, points doubled."),
    N_("{faces:faces} again after {before:count roll rolls}, four times the points."),
)
"""How a set ended, by the lines of its breakdown: each after the first doubled the points."""


class Pairs(Game[PairsState]):
    """Win or lose at once, or set the goal that everyone then rolls for."""

    id: ClassVar[str] = "pairs"
    title: ClassVar[str] = "Pairs"
    blurb: ClassVar[str] = "Win or lose at once, or set a goal that everyone then throws for."
    minutes: ClassVar[int] = 15
    showcase: ClassVar[tuple[Face, ...]] = ("two-cats", "two-cats")
    board: ClassVar[str] = "pairs"
    names: ClassVar[tuple[str, ...]] = (PERSON,)
    dice: ClassVar[Dice] = cat_dice.dice(2)
    seats: ClassVar[tuple[int, int]] = (1, 12)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    circumstances: ClassVar[tuple[Option, ...]] = CIRCUMSTANCES
    declarations: ClassVar[tuple[str, ...]] = (*WINS, PERSON)
    moves: ClassVar[tuple[type[Move], ...]] = (Declare,)

    def start(self, players: tuple[str, ...], options: Options) -> PairsState:
        """Nobody has a point; the first player declares."""
        return PairsState(players, options, (0,) * len(players))

    def awaits(self, state: PairsState) -> tuple[Awaited, ...]:
        """The declarer's word, then rolls."""
        if self.outcome(state):
            return ()
        if state.declared is None:
            return (MoveAwaited((state.declarer,), "make your call"),)
        return (RollAwaited(state.roller, self.dice.count, self.dice.faces),)

    def legal_moves(self, state: PairsState, player: int) -> tuple[Move | Family, ...]:
        """The six declarations, before the roll."""
        if self.outcome(state) or player != state.declarer or state.declared is not None:
            return ()
        return tuple(Declare(declaration) for declaration in WINS)

    def check(self, state: PairsState, action: Action) -> None:
        """A declaration must be one of the six (or "person", where it is accepted)."""
        if isinstance(action, Play) and isinstance(action.move, Declare):
            known = (*WINS, PERSON) if state.options.flag("person_alias") else tuple(WINS)
            cat_dice.check_declaration(action.move.declaration, known, "calling")

    def advance(self, state: PairsState, action: Action) -> Step[PairsState]:
        """Lock the declaration; a win or a loss ends the round, a set opens it to all."""
        if isinstance(action, Play) and isinstance(action.move, Declare):
            said = action.move.declaration
            declared = "family" if said == PERSON else said
            after = replace(state, declared=declared, roller=state.declarer)
            facts = (
                message("{player:name} calls “{declaration:face}”.", player=state.declarer, declaration=said),
            )
            if said == PERSON:
                facts += (message("The rulebook does not explain “person”; it counts as family."),)
            return Step(after, (), facts)
        assert isinstance(action, Roll)
        assert state.declared is not None
        rolled = message("{player:name} rolled {faces:faces}.", player=state.roller, faces=action.faces)
        if state.set_roll:
            lines = set_lines(state.declared, state.set_roll, state.before, action.faces, state.options)
        else:
            lines = declared_lines(state.declared, action.faces)
        if lines is None:
            return self._goes_on(state, action.faces, rolled)
        return self._round_over(state, action.faces, lines, rolled)

    def _goes_on(self, state: PairsState, faces: tuple[Face, ...], rolled: Message) -> Step[PairsState]:
        following = (state.roller + 1) % len(state.players)
        if state.set_roll:
            after = replace(state, before=state.before + 1, roller=following, roll=faces)
            return Step(
                after, (), (rolled, message("{before:count roll rolls} so far.", before=after.before))
            )
        before = int(state.options.flag("count_set_roll"))
        first = state.declarer if state.options.text("first_roller") == "declarer" else following
        after = replace(state, set_roll=faces, before=before, roller=first, roll=faces)
        return Step(
            after,
            (),
            (
                rolled,
                message(
                    "The goal is {faces:faces}. {before:count roll rolls} so far.",
                    faces=faces,
                    before=before,
                ),
            ),
        )

    def _round_over(
        self, state: PairsState, faces: tuple[Face, ...], lines: tuple[Line, ...], rolled: Message
    ) -> Step[PairsState]:
        following = (state.declarer + 1) % len(state.players)
        step = gained(
            state,
            state.roller,
            lines,
            declarer=following,
            declared=None,
            set_roll=(),
            before=0,
            roller=following,
            roll=faces,
        )
        return replace(step, facts=(rolled, self._ended(state, faces, len(lines)), *step.facts))

    def _ended(self, state: PairsState, faces: tuple[Face, ...], lines: int) -> Message:
        """How the round ended; each line of a set phase after the first doubled the points."""
        pair = cat_dice.paired(faces)
        if not state.set_roll:
            assert state.declared is not None
            won = pair in cat_dice.GROUPS[state.declared]
            said = (
                "{face:face} pair: “{declared:face}” wins."
                if won
                else "{face:face} pair: “{declared:face}” loses."
            )
            return message(said, player=state.roller, face=pair or "", declared=state.declared)
        if pair is None:
            return message(AGAIN[lines - 1], faces=faces, before=state.before)
        return message(PAIRED[lines - 1], face=pair, before=state.before)

    def outcome(self, state: PairsState) -> Outcome | None:
        """First to the target, at once."""
        return cat_dice.race(state.points, state.options.number("target"), False, False)

    def table(self, state: PairsState) -> TableView:
        """Points, the declaration, and in a set what has to come and how many rolls it has taken."""
        over = self.outcome(state) is not None
        turn = state.declarer if state.declared is None else state.roller
        shown = seats(state.players, state.points, () if over else (turn,))
        rows: list[tuple[Cell, ...]] = []
        if state.declared:
            rows.append(("declarer", state.players[state.declarer]))
            rows.append(("call", state.declared))
        if state.set_roll:
            rows.append(("set", message("{faces:row}", faces=state.set_roll)))
            rows.append(("rolls before", state.before))
        panels = (Panel("Round", ("what", "value"), tuple(rows)),) if rows else ()
        return TableView(shown, state.roll, (), panels)

    def rarest(self, state: PairsState, faces: tuple[Face, ...]) -> Message | None:
        """The pair of the one face that can be declared, at once."""
        called = state.declared == "dd" and not state.set_roll and set(faces) == {"dd"}
        return message("A pair of {face:face}, as called!", face="dd") if called else None

    def reseat(self, state: PairsState, change: Seated) -> PairsState:
        """Newcomers begin without points, between two rounds: in a set everybody rolls in turn."""
        change.between_rounds(state.declared is None)
        stays = change.now(state.declarer)
        turn = change.turn(state.declarer, begun=True) if stays is None else stays
        return replace(state, points=change.carried(state.points, 0), declarer=turn, roller=turn)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The declarer's roll; or, when a set roll is told, a roll of the set phase."""
        if declared == PERSON and not told.flag("person_alias"):
            raise OptionError("“person” is not a call at this table (option person_alias is no)")
        group = "family" if declared == PERSON else declared or ""
        set_roll = self.dice.read(told.text("set_roll"))
        if not set_roll:
            lines = declared_lines(group, faces)
            if lines is None:
                lines = (line("two different faces set the goal: everyone throws for it", 0, "set"),)
        elif len(set(set_roll)) != self.dice.count:
            raise OptionError(
                "option set_roll: expected two different faces, got {faces:row}", faces=set_roll[:12]
            )
        else:
            lines = set_lines(group, set_roll, told.number("rolls_before"), faces, told)
            if lines is None:
                lines = (line("neither a pair nor the goal: the round continues", 0, "set"),)
        if declared == PERSON:
            lines += (
                line("the rulebook does not explain “person”; it counts as family", 0, "house-person_alias"),
            )
        return ScoredRoll(sum(one.points for one in lines), breakdown=lines)
