"""Sentences of the games with the cat dice."""

PHRASES = {
    "called-shot.row": "{declared:face}: the row {row}.",
}
