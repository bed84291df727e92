"""Sätze der Spiele mit den Katzenwürfeln."""

PHRASES = {
    "called-shot.row": "{declared:face}: die Zeile {row:face}.",
    "pairs.person": "„Person“ wird in der Regel nirgends erklärt; es gilt als Familie.",
    "pairs.set": "Gesetzt: {faces:faces}. Vor dem nächsten zählt schon {before:count Wurf Würfe}.",
    "pairs.goes-on": "Bisher {before:count Wurf Würfe}.",
    "pairs.won": "Ein Pasch {face:face}: Die Ansage {declared:face} ist gewonnen.",
    "pairs.lost": "Ein Pasch {face:face}: Die Ansage {declared:face} ist verloren.",
    "pairs.pair.single": "Ein Pasch {face:face}, davor {before}.",
    "pairs.pair.doubled": "Ein Pasch {face:face}, davor {before}, verdoppelt.",
    "pairs.pair.fourfold": "Ein Pasch {face:face}, davor {before}, vervierfacht.",
    "pairs.repeat.doubled": "Noch einmal {faces:faces}, davor {before}, verdoppelt.",
    "pairs.repeat.fourfold": "Noch einmal {faces:faces}, davor {before}, vervierfacht.",
    "hand.rolled": "{player} hat gewürfelt: {faces:faces} – {hand:face}.",
    "hand.failed": "Der zweite Wurf hat nichts verbessert: keine Punkte in dieser Runde.",
    "quintuples.beats": "{player} ({hand:face}) schlägt {n:count Mitspieler Mitspieler}: {total} insgesamt.",
}

NAMES = {
    "cats": "Katzen",
    "no-cats": "keine Katzen",
    "family": "Familie",
    "no-family": "keine Familie",
    "person": "Person",
    "cat": "Katze",
    "two-cats": "zwei Katzen",
    "sigil": "Siegel",
    "dd": "DD",
    "thoromyr": "Thoromyr",
    "manticore": "Mantikor",
    "no-cat": "keine Katze",
    "no-two-cats": "keine zwei Katzen",
    "no-sigil": "kein Siegel",
    "no-dd": "kein DD",
    "no-thoromyr": "kein Thoromyr",
    "no-manticore": "kein Mantikor",
    "pair": "ein Paar",
    "run": "fünf Verschiedene",
    "three-and-pair": "Drilling und Paar",
    "triple": "Drilling",
    "pair/all": "Paar/alle",
    "pair/only": "Paar/allein",
    "single/all": "einzeln/alle",
    "single/two": "einzeln/zwei",
    "single/only": "einzeln/allein",
    "nothing": "nichts",
}

RULES = {
    "{declared:face}: {row:face}": "{declared:face}: {row:face}",
    "{hand:face}": "{hand:face}",
    "{hand:face} after a re-roll from {before:face}: no improvement, no points": "{hand:face} nach einem zweiten "
    "Wurf, vorher {before:face}: nicht besser, keine Punkte",
    "a pair of {face:face} loses the declaration {declared:face}": "ein Pasch {face:face} verliert die Ansage "
    "{declared:face}",
    "a pair of {face:face} wins the declaration {declared:face}": "ein Pasch {face:face} gewinnt die Ansage "
    "{declared:face}",
    "doubled again: both faces match the declaration": "noch einmal verdoppelt: beide Bilder passen zur Ansage",
    "a pair of {face:face}, {n} before it": "ein Pasch {face:face}, davor {n}",
    "doubled again: the pair matches the declaration {declared:face}": "noch einmal verdoppelt: der Pasch passt "
    "zur Ansage {declared:face}",
    "the set roll again, {n} before it": "der gesetzte Wurf noch einmal, davor {n}",
    "doubled: both faces match the set roll": "verdoppelt: beide Bilder passen zum gesetzten Wurf",
    "doubled: the pair matches the set roll": "verdoppelt: der Pasch passt zum gesetzten Wurf",
    '"person", which the document never explains, counts as family': "„Person“, in der Regel nirgends erklärt, "
    "gilt als Familie",
    "a set: two different faces; all roll for it": "gesetzt: zwei verschiedene Bilder; alle würfeln darum",
    "no pair and not the set roll: the round goes on": "kein Pasch und nicht der gesetzte Wurf: die Runde geht "
    "weiter",
    "{hand:face} beats {n:count player players}": "{hand:face} schlägt {n:count Mitspieler Mitspieler}",
    "{hand:face}: the re-roll did not improve the hand": "{hand:face}: der zweite Wurf hat nichts verbessert",
    "{hand:face}: a point for every player with a lower hand": "{hand:face}: ein Punkt für jeden Mitspieler mit "
    "einem niedrigeren Wurf",
    "a pair of {face:face}": "ein Paar: {face:face}",
    "three different faces": "drei verschiedene Bilder",
    "a triple of {face:face}": "ein Drilling: {face:face}",
    "declaration": "die Ansage",
    "stand or re-roll": "stehen lassen oder noch einmal würfeln",
    "first to the target": "zuerst am Ziel",
    "the best score after the round in which the target was reached": "die meisten Punkte nach der Runde, in der "
    "das Ziel erreicht wurde",
    "Round": "Runde",
    "Hands": "Würfe",
}
