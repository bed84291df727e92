"""Meet Fate: what to hold and which box to fill, for points or to win; solved in advance, and reviewed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from advice.adviser import (
    Adviser,
    Asked,
    Figures,
    Flag,
    Given,
    Looked,
    Moment,
    Typed,
    gave_away,
    sizes,
    steps,
)
from advice.meet_fate import solve, table
from advice.meet_fate.rivals import Rivals, rivals_of, upper_of
from advice.meet_fate.rules import FateRules, counted, house, sheet_of, spread
from advice.meet_fate.sheet import ESTIMATE, FateAdviser, fill
from advice.record import Advice, NoAdviceError
from advice.spoken import CHANCE, hold
from messages.message import message
from scoring.actions import Fill, Hold, Play, Roll
from scoring.dice import named
from scoring.games.meet_fate.game import FATE, THROWS, MeetFateState
from scoring.games.meet_fate.sheet import BOXES
from scoring.match import Match
from scoring.options import Options

IGNORED, WIN = "ignored", "win"

Position = tuple[int, int, Rivals | None]
"""A player's sheet, the points in its boxes 1 to 8, and the rest of the match."""


class MeetFateAdviser(Adviser):
    """Meet Fate; six eights win the match unless a flag makes them worth points, or nothing special."""

    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("--open", "A,B", "open boxes", "words"),
        Flag(
            "--eights",
            "win|ignored|N",
            "six eights win the match (alone, end the sheet), are nothing special, or are worth N points",
        ),
        Flag("--totals", "A,B", "everyone's points so far, yours first; level by default", "numbers"),
        Flag("--upper", "N", "with an upper bonus: points in the boxes 1 to 8", "number"),
        Flag("--seats", "N", "the players, 2 by default", "number"),
        Flag("--solve", "", "solve these house rules and keep the table", "switch"),
        Flag("--match", "A,B", "a match against the perfect player", "words"),
    )

    def __init__(self, given: Given | None = None) -> None:
        """Raises ValueError if the value of six eights is not a number."""
        super().__init__(given)
        word = str(self.given.get("eights", WIN)).strip().casefold()
        self._wins = word == WIN
        try:
            self._eights = None if word in (WIN, IGNORED) else float(word)
        except ValueError:
            raise ValueError(f"--eights: expected {WIN}, {IGNORED} or a number, got {word[:40]!r}") from None
        self._heads: dict[FateRules, FateAdviser] = {}

    def to_win(self, seats: int) -> bool:
        """Whether advice for so many players is about winning, not about points."""
        return self._wins and seats > 1

    def rules(self, options: Options, seats: int) -> FateRules:
        """The house rules; if six eights win, they end the sheet of a player who plays alone."""
        return house(options, 0.0 if self._wins and seats == 1 else self._eights)

    def head(self, options: Options, seats: int) -> FateAdviser:
        """The solver for these rules, with its table if there is one. Raises TableError if the table is damaged."""
        rules = self.rules(options, seats)
        head = self._heads.get(rules)
        if head is None or not head.solved:
            solved = None if rules.bonus else table.find(rules)  # it may have been solved in the meantime
            if head is None or solved is not None:
                head = self._heads[rules] = FateAdviser(rules, solved)
        return head

    def at_table(self, match: Match) -> Asked:
        """What to hold, which box to fill, or to confirm six eights."""
        state: MeetFateState = match.state
        seats = len(state.players)
        if state.rolling and state.throws:
            raise NoAdviceError("throw the dice first, then ask for advice")

        def answer() -> Advice:
            head, (sheet, upper, rivals) = self.head(state.options, seats), self._position(state, seats)
            if state.asking:
                return head.met(rivals)
            return head.ask(() if state.rolling else state.roll, sheet, THROWS - state.throws, upper, rivals)

        return answer

    def typed(self, asked: Typed) -> Advice | Figures:
        """The choices; with --solve, the value of a whole sheet."""
        seats = asked.given.get("seats", 2)
        if not 1 <= seats <= asked.game.seats[1]:
            raise ValueError(f"--seats: expected 1 to {asked.game.seats[1]} players, got {seats}")
        if asked.given.get("solve"):
            return self._solved(asked, seats)
        head, boxes = self.head(asked.options, seats), asked.given.get("open", ("all",))
        sheet = sheet_of(
            BOXES if boxes == ("all",) else (named(box, BOXES, "a box of the sheet") for box in boxes)
        )
        faces, upper = asked.faces or (), asked.given.get("upper", 0)
        totals = asked.given.get("totals", (0,) * seats)
        if len(totals) != seats or min(totals) < 0:
            raise ValueError(
                f"--totals: expected {seats} totals from 0 on, yours first, got {','.join(map(str, totals))}"
            )
        rivals = None
        if self.to_win(seats):
            rivals = Rivals(totals[0], tuple((one, sheet, upper) for one in totals[1:]))
        left = asked.throws(2 if faces else 3)
        counts = rivals is not None or head.rules.eights is not None
        if counts and faces == FATE and (left == 2 or not head.rules.in_one_throw):
            return head.met(rivals)
        return head.ask(faces, sheet, left, upper, rivals)

    def look_back(self, match: Match) -> Looked:
        """Every throw and choice of a match, with its change of the chance to win, or in points."""
        seats = max(sizes(match))
        moments = self._moments(match, self.head(match.state.options, seats), seats)
        if self.to_win(seats):
            return Looked(moments, CHANCE, message("fair dice; {rest}", rest=ESTIMATE))
        return Looked(moments)

    def _position(self, state: MeetFateState, seats: int) -> Position:
        player = state.turn
        rivals = rivals_of(state, player) if self.to_win(seats) else None
        return sheet_of(state.open_boxes(player)), upper_of(state, player), rivals

    def _solved(self, asked: Typed, seats: int) -> Figures:
        """Solve these house rules, unless they are solved already. Raises NoAdviceError, OSError."""
        rules = self.rules(asked.options, seats)
        solve.check_solvable(rules)
        path = table.own_folder() / table.file_name(rules)
        lines: list[str] = []
        try:
            known = table.find(rules)
        except table.TableError as damaged:
            lines, known = [str(damaged)], None
        if known is None or not path.is_file():
            known = table.FateTable(rules, solve.solve(rules, asked.progress))
            table.save(known, path)
        lines.append(f"{known.expected:.6f} points are the best expected total of a whole sheet.")
        record = {"game": asked.game.id, "expected": known.expected, "table": str(path), "rules": rules.key}
        return Figures(record, (*lines, f"Kept in {path}."))

    def _moments(self, match: Match, head: FateAdviser, seats: int) -> Iterator[Moment]:
        for number, before, action, after in steps(match):
            player, left = before.turn, THROWS - before.throws
            at = sheet, upper, rivals = self._position(before, seats)
            if isinstance(action, Roll):
                again = before.throws > 0
                was = head.hold_worth(before.kept, sheet, left, upper, rivals) if again else head.fresh(*at)
                now = head.roll_worth(action.faces, sheet, left - 1, upper, rivals)
                if after.asking and (rivals or head.rules.eights is not None):
                    now = head.met(rivals).best.worth
                did = message("throw {n}", n=THROWS - left + 1)
                yield Moment(number, player, luck=now - was, did=did, first=not again)
            elif isinstance(action, Play) and isinstance(action.move, (Hold, Fill)):
                yield _chosen(number, before, action.move, head, at)


def _chosen(number: int, state: MeetFateState, move: Hold | Fill, head: FateAdviser, at: Position) -> Moment:
    (sheet, upper, rivals), left = at, THROWS - state.throws
    if isinstance(move, Hold):
        keep = spread(counted(move.keep))
        worth, did = head.hold_worth(keep, sheet, left, upper, rivals), hold(keep)
    else:
        worth, did = head.fill_worth(move.box, state.roll, sheet, upper, rivals), fill(move.box)
    advice = head.ask(state.roll, sheet, left, upper, rivals)
    # Six eights that were not confirmed are worth their best other use.
    best = (
        advice.best.worth if state.roll == FATE else head.roll_worth(state.roll, sheet, left, upper, rivals)
    )
    return gave_away(number, state.turn, best, worth, did, advice.best.said, least=1e-6)


ADVISERS = {"meet-fate": MeetFateAdviser}
