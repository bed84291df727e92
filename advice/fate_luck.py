"""Meet Fate looked back on: luck and what was lost, and how good a turn's choices were."""

from __future__ import annotations

from collections.abc import Iterator

from advice.fate import FateAdviser, fill
from advice.fate_match import Rivals, rivals_of, upper_of
from advice.fate_rules import counted, sheet_of, spread
from advice.spoken import hold
from messages.message import Message, message
from scoring.actions import Fill, Hold, Play, Roll
from scoring.games.meet_fate.game import FATE, THROWS, MeetFateState
from scoring.match import Match

FateMoment = tuple[int, int, float, float, Message, Message | None, bool]
"""Number, player, luck, what was lost, what was done, what was better, whether a turn began with it."""


def left_of(state: MeetFateState) -> int:
    """The throws to come of the turn, as the dice lie."""
    return THROWS - state.throws


def fate_moments(match: Match, head: FateAdviser, to_win: bool) -> Iterator[FateMoment]:
    """Every throw and every choice of a match, with what it changed: of the chance to win, or in points.

    Raises NoAdviceError where a sheet is not solved.
    """
    before: MeetFateState = match.beginning
    for one in match.played:
        action, player = one.action, before.turn
        sheet, upper, rivals = (
            sheet_of(before.open_boxes(player)),
            upper_of(before, player),
            rivals_of(before, player) if to_win else None,
        )
        left = left_of(before)
        if isinstance(action, Roll):
            fresh = not before.throws
            if not fresh:
                was = head.hold_worth(before.kept, sheet, left, upper, rivals)
            else:
                was = head.fresh(sheet, upper, rivals)
            met = one.step.state.asking and (rivals or head.rules.eights is not None)
            lying = head.met(rivals).best.worth if met else None
            now = head.roll_worth(action.faces, sheet, left - 1, upper, rivals) if lying is None else lying
            yield one.number, player, now - was, 0.0, message("throw {n}", n=THROWS - left + 1), None, fresh
        elif isinstance(action, Play) and isinstance(action.move, (Hold, Fill)):
            yield _chosen(one.number, before, action.move, head, rivals)
        before = one.step.state


def _chosen(
    number: int, state: MeetFateState, move: Hold | Fill, head: FateAdviser, rivals: Rivals | None
) -> FateMoment:
    player = state.turn
    sheet, upper, left = sheet_of(state.open_boxes(player)), upper_of(state, player), left_of(state)
    if isinstance(move, Hold):
        keep = spread(counted(move.keep))
        worth = head.hold_worth(keep, sheet, left, upper, rivals)
        did = hold(keep)
    else:
        worth = head.fill_worth(move.box, state.roll, sheet, upper, rivals)
        did = fill(move.box)
    if state.roll == FATE:  # six eights that were not confirmed
        best = head.ask(state.roll, sheet, left, upper, rivals).best.worth
    else:
        best = head.roll_worth(state.roll, sheet, left, upper, rivals)
    lost = max(0.0, best - worth)
    better = head.ask(state.roll, sheet, left, upper, rivals).best.said if lost > 1e-6 else None
    return number, player, 0.0, lost, did, better, False
