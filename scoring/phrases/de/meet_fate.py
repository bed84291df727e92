"""Sätze von Meet Fate."""

PHRASES = {
    "fate.thrown": "{player}, Wurf {throw}: {faces:faces}.",
    "fate.eights": "{eights} Achten, es fehlen noch {missing}.",
    "fate.met": "Sechs Achten! {player} trifft das Schicksal und gewinnt.",
    "fate.denied": "Keine sechs Achten. Berichtigt den Wurf, oder füllt ein Feld.",
    "fate.box": "Das Feld „{box:face}“ brächte {points:points}.",
    "fate.zeroes": "Jedes offene Feld wäre eine Null.",
    "fate.filled": "{player} schreibt {points:points} in das Feld „{box:face}“: {total} insgesamt, noch "
    "{left:count Feld Felder} offen.",
}

NAMES = {
    "two-pair": "zwei Paare",
    "three-pair": "drei Paare",
    "three-of-a-kind": "drei Gleiche",
    "four-of-a-kind": "vier Gleiche",
    "chance": "Chance",
    "small-straight": "kleine Straße",
    "large-straight": "große Straße",
    "full-house": "Full House",
    "five-of-a-kind": "fünf Gleiche",
    "six-of-a-kind": "sechs Gleiche",
    "trips": "zwei Drillinge",
}

RULES = {
    "the upper bonus": "der Bonus des ersten Abschnitts",
    "six eights: the player wins, game over": "sechs Achten: gewonnen, Spiel vorbei",
    "{box:face}: the sum of all dice": "{box:face}: die Summe aller Würfel",
    "{n} × {box}": "{n} × {box}",
    "{box:face}: not met, a zero": "{box:face}: nicht erfüllt, eine Null",
    "{box:face}: the set value": "{box:face}: der feste Wert",
    "six eights, confirm or not": "sechs Achten, bestätigen oder nicht",
    "hold or box": "liegen lassen oder ein Feld",
    "six eights, game over": "sechs Achten, Spiel vorbei",
    "every box is full: the highest total wins": "alle Felder sind voll: die höchste Summe gewinnt",
    "Score sheet": "Wertungsblatt",
    "Open boxes": "Offene Felder",
    "boxes left": "offene Felder",
}
