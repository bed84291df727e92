"""Advice on a running match: the one door that pages and speech go through.

`Advisers` keeps what is expensive, by the rules of the match: make one and keep it. It is not for two threads at a
time; a session asks under its own lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from advice import fate_table, hands, outback, outlander, pairs, race
from advice.fate import FateAdviser
from advice.fate_match import Rivals, rivals_of, upper_of
from advice.fate_rules import FateRules, house, sheet_of
from advice.record import Advice, NoAdviceError
from advice.uneven import Likeliness, even
from scoring.games.cats.quintuples import standing
from scoring.games.meet_fate.game import THROWS, MeetFateState
from scoring.games.outlander.score import FACES as OUTLANDER_FACES
from scoring.match import Match
from scoring.options import Options

Eights = float | Literal["win"] | None
"""What six eights are worth: points, nothing special (None), or the match; alone, "win" ends the sheet."""


def fate_eights(eights: Eights, seats: int) -> float | None:
    """What six eights count in points: none where they win a match, and nothing more to come for one alone."""
    if eights == "win":
        return 0.0 if seats == 1 else None
    return eights


class Advisers:
    """The heads that answer, each made when it is first asked."""

    def __init__(self, eights: Eights = "win", likely: Likeliness | None = None) -> None:
        """`eights` is what six eights are worth; `likely` how Outlander's dice fall, evenly by default."""
        self._eights: Eights = eights
        self._likely = likely or even(OUTLANDER_FACES)
        self._fate: dict[FateRules, FateAdviser] = {}
        self._outlander: dict[Options, outlander.OutlanderAdviser] = {}
        self._quintuples: dict[Options, hands.QuintuplesAdviser] = {}
        self._outback: dict[tuple[int, tuple[int, ...]], outback.OutbackAdviser] = {}

    def fate(self, options: Options, seats: int) -> FateAdviser:
        """Meet Fate by these rules, with its table where it is solved. Raises TableError for a damaged one."""
        rules = house(options, fate_eights(self._eights, seats))
        head = self._fate.get(rules)
        if head is None or not head.solved:
            table = None if rules.bonus else fate_table.find(rules)  # it may have been solved meanwhile
            if head is None or table is not None:
                head = self._fate[rules] = FateAdviser(rules, table)
        return head

    def rivals(self, state: MeetFateState, player: int) -> Rivals | None:
        """The match around a player's sheet of Meet Fate; None where points are what counts."""
        return rivals_of(state, player) if self.to_win(len(state.players)) else None

    def to_win(self, seats: int) -> bool:
        """Whether so many players of Meet Fate are advised to win, and not to make points."""
        return self._eights == "win" and seats > 1

    def outlander(self, options: Options) -> outlander.OutlanderAdviser:
        """Outlander by these readings of its rules."""
        if options not in self._outlander:
            self._outlander[options] = outlander.OutlanderAdviser(options, self._likely)
        return self._outlander[options]

    def quintuples(self, options: Options) -> hands.QuintuplesAdviser:
        """Quintuples, with or without the re-roll."""
        if options not in self._quintuples:
            reroll, failed = options.flag("reroll"), options.text("failed_reroll_rank")
            self._quintuples[options] = hands.QuintuplesAdviser(reroll, failed)
        return self._quintuples[options]

    def outback(self, dice: int, rows: Sequence[int]) -> outback.OutbackAdviser:
        """Outback's dice on a board with these rows."""
        key = dice, tuple(rows)
        if key not in self._outback:
            self._outback[key] = outback.OutbackAdviser(dice, rows)
        return self._outback[key]

    def for_match(self, match: Match) -> Advice:
        """The best to do now, for the player who is to decide.

        Raises NoAdviceError where nothing is to be decided, or nobody knows.
        """
        return _asked(match)(self)


Asked = Callable[[Advisers], Advice]
"""A question that has been put, with the answer still to be worked out."""


def advisable(match: Match) -> bool:
    """Whether there is something to ask about now; costs nothing, and so does not know what nobody has solved."""
    try:
        _asked(match)
    except NoAdviceError:
        return False
    return True


def _asked(match: Match) -> Asked:
    """The question that this moment puts. Raises NoAdviceError where it puts none."""
    if match.stop or match.outcome:
        raise NoAdviceError("the match does not go on: there is nothing to decide")
    ask = QUESTIONS.get(match.header.game)
    if ask is None:
        raise NoAdviceError("for {game} there is no advice", game=match.game.title)
    return ask(match)


def _fate(match: Match) -> Asked:
    state = match.state
    seats, player = len(state.players), state.turn
    if state.asking:
        return lambda heads: heads.fate(state.options, seats).met(heads.rivals(state, player))
    sheet, upper = sheet_of(state.open_boxes(player)), upper_of(state, player)
    if state.rolling and state.throws:
        raise NoAdviceError("the dice are in the hand: there is nothing to decide before they lie")
    roll = () if state.rolling else state.roll
    left = THROWS - state.throws
    return lambda heads: heads.fate(state.options, seats).ask(
        roll, sheet, left, upper, heads.rivals(state, player)
    )


def _outlander(match: Match) -> Asked:
    state = match.state
    if state.rolling or state.stage != "dice" or state.rerolled:
        raise NoAdviceError("advice is on the re-roll, before it is made and while no card is being played")
    return lambda heads: heads.outlander(state.options).ask(state.dice, outlander.played(state))


def _race(match: Match) -> Asked:
    state, players = match.state, len(match.header.players)
    if getattr(state, "declared", None) is not None:
        raise NoAdviceError("it is declared: there is nothing to decide before the dice lie")
    target = state.options.number("target")
    order = [(state.turn + i) % players for i in range(players)]
    needs = [target - state.points[player] for player in order]
    finish, game = state.options.flag("finish_round"), match.header.game
    return lambda _: race.ask(game, needs, target=target, finish_round=finish, begins=state.turn == 0)


def _pairs(match: Match) -> Asked:
    if match.state.declared is not None:
        raise NoAdviceError("it is declared: there is nothing to decide before the round is over")
    return lambda _: pairs.ask(len(match.header.players), match.state.options)


def _hand(match: Match) -> tuple[str, ...]:
    turn = match.state.turn
    if not match.state.options.flag("reroll"):
        raise NoAdviceError("re-rolls are not agreed on: there is nothing to decide")
    if not turn.roll or turn.kept is not None:
        raise NoAdviceError("there is nothing to decide before the dice lie")
    return turn.roll


def _everyone_scores(match: Match) -> Asked:
    faces = _hand(match)
    return lambda _: hands.everyone_scores(faces)


def _quintuples(match: Match) -> Asked:
    state, faces = match.state, _hand(match)
    others = [standing(hand, state.options.text("failed_reroll_rank")) + 1 for hand in state.hands]
    to_come = len(match.header.players) - 1 - len(others)
    return lambda heads: heads.quintuples(state.options).ask(faces, others, to_come)


def _outback(match: Match) -> Asked:
    state: Any = match.state
    if not state.roll or state.rolling or state.placed or state.start is None:
        raise NoAdviceError("advice is on the dice as they lie, before an animal is laid")
    dice = match.game.dice.count

    def answer(heads: Advisers) -> Advice:
        free, left = state.free(state.turn), THROWS - state.throws
        worth = outback.by_board(state, state.turn)
        return heads.outback(dice, state.rows).ask(state.roll, left, state.jeep, free, worth)

    return answer


QUESTIONS: Mapping[str, Callable[[Match], Asked]] = {
    "meet-fate": _fate,
    "outlander": _outlander,
    "called-shot": _race,
    "triples": _race,
    "pairs": _pairs,
    "everyone-scores": _everyone_scores,
    "quintuples": _quintuples,
    "outback": _outback,
    "outback-plus": _outback,
}
"""What each game can be asked; Destiny has no dice, and hands that nobody may look into."""
