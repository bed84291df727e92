"""Every id that a sentence may name: faces, declarations, boxes, hands, cards, treasures, tiles.

A language has a name for each in which it differs from the id with spaces for dashes; people may type either.
"""

from __future__ import annotations

from scoring.games.cats import cat_dice
from scoring.games.cats.called_shot import ROWS
from scoring.games.cats.pairs import PERSON
from scoring.games.destiny import cards as destiny_cards
from scoring.games.meet_fate import sheet as meet_fate_sheet
from scoring.games.outback import dice as outback_dice
from scoring.games.outback import plus as outback_plus
from scoring.games.outback.options import PLACES
from scoring.games.outlander import score as outlander_score

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
