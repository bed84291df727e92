"""Sentences of the games with the cat dice (RULINGS 3.8)."""

PHRASES = {
    "called-shot.row": "{declared:face}: the row {row:face}.",
    "pairs.person": "The document never explains person; it counts as family.",
    "pairs.set": "Set: {faces:faces}. {before:count roll rolls} before the next one.",
    "pairs.goes-on": "{before:count roll rolls} so far.",
    "pairs.won": "A pair of {face:face}: the declaration {declared:face} is won.",
    "pairs.lost": "A pair of {face:face}: the declaration {declared:face} is lost.",
    "pairs.pair.single": "A pair of {face:face}, {before} before it.",
    "pairs.pair.doubled": "A pair of {face:face}, {before} before it, doubled.",
    "pairs.pair.fourfold": "A pair of {face:face}, {before} before it, fourfold.",
    "pairs.repeat.doubled": "{faces:faces} again, {before} before it, doubled.",
    "pairs.repeat.fourfold": "{faces:faces} again, {before} before it, fourfold.",
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
