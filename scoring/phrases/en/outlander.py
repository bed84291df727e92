"""Sentences of Outlander Destiny Dice (RULINGS 1.7)."""

PHRASES = {
    "outlander.rolled": "{player} rolled {faces:tally}.",
    "outlander.lies": "As it lies: {points:points}.",
    "outlander.cancels": "{villain:face} cancels {n} {face:face}.",
    "outlander.costs": "BJR and Laoghaire together cost {n}.",
    "outlander.card.hand": "{player} plays {title:rule} from the hand. What does it do?",
    "outlander.card.pile": "{player} takes {title:rule} from the draw pile. What does it do?",
    "outlander.printed.hand": "{player} plays {title:rule} from the hand.",
    "outlander.printed.pile": "{player} takes {title:rule} from the draw pile.",
    "outlander.again": "All dice of one face may be thrown again: hold the others.",
    "outlander.card-done": "The card is done. Re-roll, or score?",
    "outlander.adds": "The card adds {n} {face:face}.",
    "outlander.removes": "The card takes {n} {face:face} away.",
    "outlander.changes": "The card turns {n} {face:face} into {into:face}.",
    "move.card": "play a card from the {source:rule} {title}",
    "move.faces": "{face:face}: {n:signed}",
    "move.change": "turn {n} {face:face} into {into:face}",
    "move.points": "{player:name}: {points:points} {text}",
    "outlander.points": "The card gives {player} {points:points}.",
}

NAMES = {
    "claire": "Claire",
    "jamie": "Jamie",
    "bjr": "BJR",
    "laoghaire": "Laoghaire",
    "dougal": "Dougal",
    "geillis": "Geillis",
    "jenny": "Jenny",
    "murtagh": "Murtagh",
}
