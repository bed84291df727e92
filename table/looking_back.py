"""How a table stood at a past moment of a match, for pages that only look."""

from __future__ import annotations

from scoring.match import Match
from table.dice_tracker import typed_die
from table.dispute import Dispute, dispute
from table.new_match import NO_DICE
from table.snapshot import Snapshot, SnapshotDie
from table.storage.store import MatchStore
from table.table import MOST_KEPT, Table
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet, DiceSetError


def set_of(table: Table, match_id: str, match: Match) -> DiceSet:
    """The dice a match was played with; the game's own where that set is gone, none where there is none."""
    if match_id == table.session.store.id:
        return table.session.dice_set
    entry = next((one for one in table.kept(MOST_KEPT) if one.id == match_id), None)
    used = str(entry.setup.get("set", "")) if entry is not None else ""
    for set_id in (used, match.game.dice.set_id):
        try:
            found = find(set_id) if set_id else None
        except DiceSetError:
            continue
        if found is not None:
            return found
    return NO_DICE


def place_of(table: Table) -> str:
    """Where this table's matches are played, in a store that several tables share. Raises StoreError."""
    every = table.session.store.store.matches()
    return next((one.place for one in every if one.id == table.session.store.id), "")


def roll_of(table: Table, match_id: str, match: Match, event: int) -> Dispute | None:
    """All about a roll of a kept match; None when the event is none. Raises StoreError."""
    return dispute(match, MatchStore(table.session.store.store, match_id, len(match.events)), event)


def past_snapshot(match: Match, dice_set: DiceSet, match_id: str) -> Snapshot:
    """How the table stood when the match was as long as this: everything that was for all to see."""
    left = list(match.view.kept)
    dice: list[SnapshotDie] = []
    for number, face in enumerate(match.view.dice, start=1):
        held = face in left
        if held:
            left.remove(face)
        if face in dice_set.face_ids:
            dice.append(typed_die(number, face, dice_set, held=held))
    question = (match.stop.message,) if match.stop else ()
    return Snapshot(match, dice_set, match_id, tuple(dice), seen=len(dice), question=question)
