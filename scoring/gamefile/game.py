"""A game that a file tells, played like any other: one class for all of them, with the rules as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import N_, Message, message
from scoring.account import Line, Outcome, Score, ScoredRoll, Step, best_boxes, box_filled, line
from scoring.actions import (
    Action,
    Awaited,
    Family,
    Fill,
    Hold,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
    Stand,
    changed,
    held,
    refuse,
)
from scoring.dice import Face, choices, within, without
from scoring.game import Added, Game
from scoring.gamefile.rules import SCORING, TURN, Rules
from scoring.options import Options
from scoring.view import Cell, Mark, Panel, TableView, seats


@dataclass(frozen=True, slots=True)
class FileGameState:
    """Points or sheets, whose turn it is, and the dice of this turn.

    `turns` counts everybody's finished turns; `throws` those of this turn, `rolling` that one is awaited with `kept`
    left lying. `saved` are the points of dice set aside, `opened` who has scored a turn, `champion` who won by a roll.
    """

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    sheets: tuple[tuple[int | None, ...], ...]
    turns: tuple[int, ...]
    opened: tuple[bool, ...]
    turn: int = 0
    throws: int = 0
    rolling: bool = True
    roll: tuple[Face, ...] = ()
    kept: tuple[Face, ...] = ()
    saved: tuple[Line, ...] = ()
    champion: int | None = None

    @property
    def thrown(self) -> tuple[Face, ...]:
        """The dice of the last throw, without those set aside before."""
        return without(self.roll, self.kept)


class FileGame(Game[FileGameState]):
    """What a game file tells; `game_of` makes a class for each file."""

    rules: ClassVar[Rules]
    declaration_needed: ClassVar[bool] = False

    def start(self, players: tuple[str, ...], options: Options) -> FileGameState:
        """Everybody has what the file lets them begin with."""
        n = len(players)
        sheet = (None,) * len(self.rules.boxes)
        return FileGameState(
            players, options, (self.rules.end.start,) * n, (sheet,) * n, (0,) * n, (False,) * n
        )

    def awaits(self, state: FileGameState) -> tuple[Awaited, ...]:
        """A throw; or a decision about the dice."""
        if self.outcome(state):
            return ()
        if state.rolling:
            return (RollAwaited(state.turn, self.dice.count, self.dice.faces, state.kept),)
        last = state.throws == self.rules.turn.throws
        if self.rules.boxes:
            return (MoveAwaited((state.turn,), "fill a box" if last else "hold dice or fill a box"),)
        return (MoveAwaited((state.turn,), self._opens(state) or "score these dice or throw again"),)

    def legal_moves(self, state: FileGameState, player: int) -> tuple[Move | Family, ...]:
        """Every open box, or the dice as they lie; and every way to throw again."""
        if player != state.turn or state.rolling or self.outcome(state):
            return ()
        holds = tuple(self._holds(state))
        throwing = (Family(Hold.kind, holds),) if holds else ()
        if self.rules.boxes:
            return (*(Fill(box) for box in self.open_boxes(state, player)), *throwing)
        return (*((Stand(),) if self._opens(state) is None else ()), *throwing)

    def check(self, state: FileGameState, action: Action) -> None:
        """Boxes are filled once, dice are held as the file says, and a first score may have to be high enough."""
        if not isinstance(action, Play):
            return
        move = action.move
        if isinstance(move, Fill):
            self._check_fill(state, move.box)
        elif isinstance(move, Hold):
            if not within(move.keep, state.roll):
                told = "you can only hold dice on the table ({lying:row}), not {got:row}"
                refuse(told, TURN, lying=state.roll, got=move.keep[:12])
            if trouble := self._hold_trouble(state, move.keep):
                refuse(trouble, TURN)
        elif self.rules.boxes:
            refuse("fill a box to end your turn", TURN)
        elif trouble := self._opens(state):
            refuse(trouble, TURN)

    def advance(self, state: FileGameState, action: Action) -> Step[FileGameState]:
        """A throw comes to lie, dice are held, a box is filled, or the dice are scored."""
        if isinstance(action, Roll):
            return self._thrown(state, action.faces)
        assert isinstance(action, Play)
        move, player = action.move, state.turn
        if isinstance(move, Hold):
            saved = state.saved
            if self.rules.turn.aside:
                new = without(move.keep, state.kept) if move.keep else state.thrown
                used = self.rules.split_all(new, state.options)
                saved += used.lines if used else ()
            after = replace(state, rolling=True, kept=move.keep, saved=saved)
            return Step(after, (), (held(player, move.keep),))
        if isinstance(move, Fill):
            return self._filled(state, move.box)
        return self._scored(state, self._standing(state))

    def outcome(self, state: FileGameState) -> Outcome | None:
        """Whatever of the file's ways to end comes first."""
        reason = self._over(state)
        if reason is None:
            return None
        points = tuple(self.total(state, player) for player in range(len(state.players)))
        playing = self.playing(state) or tuple(range(len(points)))
        best = (min if self.rules.end.lowest else max)(points[player] for player in playing)
        winners = tuple(player for player in playing if points[player] == best)
        return Outcome(winners if state.champion is None else (state.champion,), points, reason)

    def table(self, state: FileGameState) -> TableView:
        """Points, the dice, and what they score now."""
        over, everyone = self.outcome(state) is not None, range(len(state.players))
        points = tuple(self.total(state, player) for player in everyone)
        marks: list[tuple[Mark, ...]] = [() for _ in everyone]
        if self.rules.boxes:
            left = [len(self.open_boxes(state, player)) for player in everyone]
            marks = [(Mark("boxes left", n, message("{n:count box boxes} left", n=n)),) for n in left]
        elif self.rules.end.out is not None:
            out = set(everyone) - set(self.playing(state))
            marks = [(Mark("out", "yes", message("out of the game")),) if i in out else () for i in everyone]
        shown = seats(state.players, points, () if over else (state.turn,), marks)
        throws = (state.throws, self.rules.turn.throws) if self.rules.turn.throws > 1 else (0, 1)
        return TableView(
            shown, state.roll, state.kept if state.rolling else (), tuple(self._panels(state)), throws
        )

    def reseat(self, state: FileGameState, change: Seated) -> FileGameState:
        """Newcomers begin with an empty sheet and catch up, or without points in the round that is played."""
        turns = change.carried(state.turns, 0 if self.rules.boxes else min(state.turns))
        after = replace(
            state, turns=turns, points=change.carried(state.points, self.rules.end.start),
            sheets=change.carried(state.sheets, (None,) * len(self.rules.boxes)),
            opened=change.carried(state.opened, False),
        )  # fmt: skip
        turn = change.now(state.turn) if state.throws else None
        if turn is not None:
            return replace(after, turn=turn)
        after = replace(after, players=change.players, throws=0, rolling=True, roll=(), kept=(), saved=())
        return replace(after, turn=self._next(after))

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """What each box gives; or what a turn that ends with this first throw gives."""
        rules = self.rules
        if rules.boxes:
            boxes = tuple((box.name, rules.box_points(box, faces, told)) for box in rules.boxes)
            box = declared or max(boxes, key=lambda one: one[1])[0]
            reason = rules.box_line(rules.box(box), faces, told)
            return ScoredRoll(reason.points, boxes, None, (reason,))
        bust = rules.is_bust(faces, told, 1, faces)
        lines = self._bust_lines(faces, told, 1) if bust else rules.lines(faces, told)
        return ScoredRoll(sum(one.points for one in lines), breakdown=lines)

    # --- what boards ask beside

    def total(self, state: FileGameState, player: int) -> int:
        """A player's points so far, with the bonuses of the sheet."""
        return (
            state.points[player]
            + sum(points or 0 for points in state.sheets[player])
            + self.bonus(state, player)
        )

    def bonus(self, state: FileGameState, player: int) -> int:
        """What a player's sheet has earned beside its boxes."""
        names = (box.name for box in self.rules.boxes)
        sheet = {name: points or 0 for name, points in zip(names, state.sheets[player], strict=True)}
        return sum(one.earned(sheet, state.options) for one in self.rules.bonuses)

    def open_boxes(self, state: FileGameState, player: int) -> tuple[str, ...]:
        """The boxes a player has not filled."""
        filled = zip(self.rules.boxes, state.sheets[player], strict=True)
        return tuple(box.name for box, points in filled if points is None)

    def box_points(self, state: FileGameState, box: str) -> int:
        """What a box would give for the dice as they lie."""
        return self.rules.box_points(self.rules.box(box), state.roll, state.options, state.throws)

    def playing(self, state: FileGameState) -> tuple[int, ...]:
        """The players who are not out."""
        out, players = self.rules.end.out, range(len(state.players))
        return tuple(one for one in players if out is None or state.points[one] > out)

    # --- throws and decisions

    def _holds(self, state: FileGameState) -> Iterator[Hold]:
        for keep in choices(state.roll):
            if self._hold_trouble(state, keep) is None:
                yield Hold(keep)

    def _hold_trouble(self, state: FileGameState, keep: tuple[Face, ...]) -> Message | None:
        """Why these dice cannot stay while the others are thrown; None if they can."""
        turn = self.rules.turn
        if state.throws == turn.throws:
            return message("you have no throw left")
        if turn.aside:
            if trouble := self._aside_trouble(state, keep):
                return trouble
        elif stuck := [face for face in turn.locked if keep.count(face) < state.roll.count(face)]:
            return message("{face:face} cannot be thrown again", face=stuck[0])
        if len(keep) == len(state.roll):
            return message("you are holding all the dice: release some or end your turn")
        if len(state.roll) - len(keep) < turn.again:
            return message("throw at least {n:count die dice} again", n=turn.again)
        return None

    def _aside_trouble(self, state: FileGameState, keep: tuple[Face, ...]) -> Message | None:
        """Why these dice cannot be set aside: all that are new have to score, and those set aside before stay."""
        if not keep:  # all dice are thrown again, once all have scored
            whole = self.rules.split_all(state.thrown, state.options) is not None
            return None if whole else message("set aside at least one die that scores")
        if not within(state.kept, keep):
            return message("the dice you set aside before stay there: {kept:row}", kept=state.kept)
        new = without(keep, state.kept)
        if not new:
            return message("set aside at least one die that scores")
        if self.rules.split_all(new, state.options) is None:
            return message(
                "set aside only dice that score, not {dice:faces}", dice=self.rules.idle(new, state.options)
            )
        return None

    def _check_fill(self, state: FileGameState, box: str) -> None:
        names = tuple(one.name for one in self.rules.boxes)
        if box not in names:
            refuse(
                "the sheet has no box {box:quoted}, only {boxes:row}", TURN, box=box[:40], boxes=names,
            )  # fmt: skip
        if box not in self.open_boxes(state, state.turn):
            refuse("the box “{box:face}” is already filled: choose an open one", TURN, box=box)

    def _standing(self, state: FileGameState) -> tuple[Line, ...]:
        """What the turn gives if it ends with the dice as they lie."""
        new = state.thrown if self.rules.turn.aside else state.roll
        return (*state.saved, *self.rules.lines(new, state.options, state.throws))

    def _opens(self, state: FileGameState) -> Message | None:
        """Why the turn cannot be scored yet; None if it can."""
        needed = self._needed(state)
        if (
            not needed
            or sum(one.points for one in self._standing(state)) >= needed
            or not any(self._holds(state))
        ):
            return None
        return message("your first score needs at least {n:points}: throw again", n=needed)

    def _needed(self, state: FileGameState) -> int:
        """The points that this player's first scored turn needs; 0 afterwards."""
        if state.opened[state.turn]:
            return 0
        return self.rules.turn.opening.number(self.rules.seen((), state.options))

    def _thrown(self, state: FileGameState, faces: tuple[Face, ...]) -> Step[FileGameState]:
        rules, player, throws = self.rules, state.turn, state.throws + 1
        after = replace(state, throws=throws, rolling=False, roll=faces)
        rolled = message(
            "{player:name} rolled {faces:faces}." if faces[0].isdecimal() else "{player:name} rolled {faces:things}.",
            player=player, faces=self.dice.ordered(faces),
        )  # fmt: skip
        if rules.end.win is not None and rules.end.win.holds(rules.seen(faces, state.options, throws)):
            said = message("{player:name} wins with this roll.", player=player)
            return Step(replace(after, champion=player), (), (rolled, said))
        if rules.boxes:
            worth = [(self.box_points(after, box), box) for box in self.open_boxes(after, player)]
            said = best_boxes(worth) if throws == rules.turn.throws else ()
            return Step(replace(after, kept=()), (), (rolled, *said))
        if rules.is_bust(faces, state.options, throws, after.thrown):
            return self._scored(
                after, self._bust_lines(faces, state.options, throws), rolled, self._lost(faces), bust=True
            )
        lines = self._standing(after)
        if not any(self._holds(after)):
            return self._scored(after, lines, rolled)
        points = sum(one.points for one in lines)
        return Step(after, (), (rolled, message("This turn scores {points:points} so far.", points=points)))

    def _lost(self, faces: tuple[Face, ...]) -> Message:
        """Why the turn is lost, as far as the file tells it."""
        stuck = tuple(face for face in faces if face in self.rules.turn.locked)
        if stuck:
            return message("{stuck:things}: no points this turn.", stuck=stuck)
        return message("Nothing scores: no points this turn." if self.rules.turn.aside else "No points this turn.")

    def _bust_lines(self, faces: tuple[Face, ...], options: Options, throws: int) -> tuple[Line, ...]:
        return (line("no points this turn", 0, TURN), *self.rules.lines(faces, options, throws, bust=True))

    def _scored(
        self, state: FileGameState, lines: tuple[Line, ...], *facts: Message, bust: bool = False
    ) -> Step[FileGameState]:
        """The turn ends with these points, and what the others get."""
        player, needed = state.turn, self._needed(state)
        if 0 < sum(one.points for one in lines) < needed:
            few = line(
                "fewer than the first score needs: {n:points}",
                -sum(one.points for one in lines),
                TURN,
                n=needed,
            )
            lines = (*lines, few)
        points = sum(one.points for one in lines)
        told = self.rules.lines(state.roll, state.options, state.throws, bust=bust, others=True)
        gained = {player: lines} | {one: told for one in self.playing(state) if told and one != player}
        scores, said, after = list[Score](), list[Message](), state.points
        for one, why in gained.items():
            got = sum(reason.points for reason in why)
            after = changed(after, one, after[one] + got)
            scores.append(Score(one, got, after[one], why))
            if got or not bust:
                said.append(
                    message(
                        "{player:name} scores {points:points}, {total} in all.",
                        player=one,
                        points=got,
                        total=after[one],
                    )
                )
        opened = changed(state.opened, player, state.opened[player] or points > 0)
        return self._passed(replace(state, points=after, opened=opened), tuple(scores), (*facts, *said))

    def _filled(self, state: FileGameState, box: str) -> Step[FileGameState]:
        player, rules = state.turn, self.rules
        reason = rules.box_line(rules.box(box), state.roll, state.options, state.throws)
        at = next(i for i, one in enumerate(rules.boxes) if one.name == box)
        sheet = changed(state.sheets[player], at, reason.points)
        after = replace(state, sheets=changed(state.sheets, player, sheet))
        lines = (reason,)
        if bonus := self.bonus(after, player) - self.bonus(state, player):
            lines += (line("bonus", bonus, SCORING),)
        points, total = sum(one.points for one in lines), self.total(after, player)
        said = box_filled(player, box, points, total, len(self.open_boxes(after, player)))
        return self._passed(after, (Score(player, points, total, lines),), (said,))

    def _passed(
        self, state: FileGameState, scores: tuple[Score, ...], said: tuple[Message, ...]
    ) -> Step[FileGameState]:
        """The dice go to the next player; the roll stays visible."""
        turns = changed(state.turns, state.turn, state.turns[state.turn] + 1)
        after = replace(state, turns=turns, throws=0, rolling=True, kept=(), saved=())
        return Step(replace(after, turn=self._next(after)), scores, said)

    def _next(self, state: FileGameState) -> int:
        """Whose turn it is: the first of those who have had the fewest turns, so that newcomers catch up."""
        return min(self.playing(state) or (0,), key=lambda player: state.turns[player])

    def goal(self, state: FileGameState) -> int:
        """The points that end the match; 0 if none do."""
        return max(0, self.rules.end.points.number(self.rules.seen((), state.options)))

    def rounds(self, state: FileGameState) -> int:
        """Number of rounds of a match; 0 if it has none."""
        return max(0, self.rules.end.rounds.number(self.rules.seen((), state.options)))

    def _over(self, state: FileGameState) -> str | None:
        """The rule that ends the match, None if none does."""
        end, playing, seen = self.rules.end, self.playing(state), self.rules.seen((), state.options)
        if state.champion is not None:
            return N_("by the roll that wins at once")
        if self.rules.boxes and not any(None in sheet for sheet in state.sheets):
            return N_("every box is full")
        if len(playing) < min(2, len(state.players)):
            return N_("everyone else is out of the game")
        turns = [state.turns[player] for player in playing]
        even = len(set(turns)) == 1
        target, rounds = self.goal(state), self.rounds(state)
        if target > 0 and max(state.points) >= target and (even or not end.finish_round.holds(seen)):
            return N_("the target is reached")
        return N_("the last round is over") if 0 < rounds <= min(turns) else None

    def _panels(self, state: FileGameState) -> Iterator[Panel]:
        rules, over = self.rules, self.outcome(state) is not None
        if rules.boxes:
            rows = [(box.name, *(sheet[i] for sheet in state.sheets)) for i, box in enumerate(rules.boxes)]
            yield Panel("Score sheet", ("box", *state.players), tuple(rows))
            if state.throws and not over:
                worth = [(self.box_points(state, box), box) for box in self.open_boxes(state, state.turn)]
                worth.sort(key=lambda one: -one[0])
                yield Panel("Open boxes", ("box", "points"), tuple((box, points) for points, box in worth))
        elif state.throws and not over:
            lines = state.saved if state.rolling else self._standing(state)
            told: list[tuple[Cell, ...]] = [(one.reason, one.points) for one in lines]
            together = sum(one.points for one in lines)
            yield Panel(N_("This turn"), ("combination", "points"), (*told, (message("total"), together)))


def game_of(rules: Rules, home: str = "") -> FileGame:
    """The game that the file `home` tells; its words and its rules for players lie beside it."""
    boxes = tuple(box.name for box in rules.boxes)
    told = {
        "__module__": __name__, "__doc__": rules.title, "rules": rules, "home": home,
        "id": rules.id, "title": rules.title, "blurb": rules.blurb, "minutes": rules.minutes, "version": rules.version,
        "dice": rules.dice, "seats": rules.seats, "options": rules.options, "showcase": rules.showcase,
        "declarations": boxes, "names": boxes, "moves": (Hold, Fill) if boxes else (Hold, Stand),
        "board": "score-sheet" if boxes else "running-total", "lowest_wins": rules.end.lowest,
    }  # fmt: skip
    return type("FileGame", (FileGame,), told)()
