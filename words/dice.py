"""Who speaks at a table with certain dice: their set names the faces."""

from __future__ import annotations

from collections.abc import Sequence

from vision.dicesets.model import DiceSet
from vision.reading import UNKNOWN
from words.speaker import Speaker, speaker

SOMETHING_ELSE = "something else"
"""What a die shows that no face of the set fits."""


def speaker_of(dice_set: DiceSet, code: str, players: Sequence[str] = ()) -> Speaker:
    """Who speaks this language with these dice on the table."""
    names = speaker(code).catalogue.names
    labels = {
        face.id: face.labels.get(code) or names.get(face.id) or face.label(code) for face in dice_set.faces
    }
    return speaker(code, players, labels | {UNKNOWN: speaker(code).words(SOMETHING_ELSE)})
