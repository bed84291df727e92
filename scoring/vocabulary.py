"""Every id that a sentence may name: faces, declarations, boxes, hands, cards, treasures, tiles.

A language has a name for each in which it differs from the id with spaces for dashes; people may type either.
"""

from __future__ import annotations

from scoring.games import (
    cat_dice,
    destiny_cards,
    meet_fate_sheet,
    outback_dice,
    outback_plus,
    outlander_score,
)
from scoring.games.called_shot import ROWS
from scoring.games.outback_options import PLACES
from scoring.games.pairs import PERSON

IDS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *outlander_score.FACES,
            *meet_fate_sheet.BOXES,
            *cat_dice.GROUPS,
            PERSON,
            *cat_dice.HANDS,
            *ROWS,
            *destiny_cards.ALIGNMENTS,
            *destiny_cards.CHARACTERS,
            *destiny_cards.PLAIN_CARDS,
            *destiny_cards.TREASURE_POINTS,
            "matching",
            *outback_dice.FACES,
            *outback_plus.TILES,
            *PLACES,
            "open",
            "full",
        )
    )
)
"""All of them, each once; numerals among them."""
