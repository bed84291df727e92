"""Sentences of the games with the cat dice (RULINGS 3.8)."""

PHRASES = {
    "called-shot.row": "{declared:face}: the row {row}.",
    "pairs.set": "Set: {faces:faces}, {before:count roll rolls} before the next one.",
    "pairs.goes-on": "{before:count roll rolls} so far.",
    "pairs.lost": "{player} loses the declaration.",
    "hand.rolled": "{player} rolled {faces:faces}: {hand:face}.",
    "hand.failed": "The re-roll did not improve the hand: no points this round.",
    "quintuples.beats": "{player}, {hand:face}, beats {n:count player players}: {total} in all.",
}

NAMES = {
    "dd": "DD",
    "no-dd": "no DD",
    "thoromyr": "Thoromyr",
    "no-thoromyr": "no Thoromyr",
}
