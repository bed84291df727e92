"""Sätze von Outlander Destiny Dice."""

PHRASES = {
    "outlander.rolled": "{player} hat gewürfelt: {faces:tally}.",
    "outlander.lies": "So, wie es liegt: {points:points}.",
    "outlander.cancels": "{villain:face} nimmt {n} {face:face} weg.",
    "outlander.costs": "BJR und Laoghaire zusammen kosten {n}.",
    "outlander.card.hand": "{player} spielt {title:rule} aus der Hand. Was bewirkt die Karte?",
    "outlander.card.pile": "{player} nimmt {title:rule} vom Nachziehstapel. Was bewirkt die Karte?",
    "outlander.printed.hand": "{player} spielt {title:rule} aus der Hand.",
    "outlander.printed.pile": "{player} nimmt {title:rule} vom Nachziehstapel.",
    "outlander.again": "Alle Würfel mit einem Bild dürfen noch einmal geworfen werden: Lass die anderen liegen.",
    "outlander.card-done": "Die Karte ist abgehandelt. Noch einmal würfeln, oder werten?",
    "outlander.adds": "Die Karte fügt {n} {face:face} hinzu.",
    "outlander.removes": "Die Karte nimmt {n} {face:face} weg.",
    "outlander.changes": "Die Karte verwandelt {n} {face:face} in {into:face}.",
    "outlander.points": "Die Karte bringt {player} {points:points}.",
    "move.card": "eine Karte spielen ({source:rule}) {title}",
    "move.faces": "{face:face}: {n:signed}",
    "move.change": "{n} {face:face} in {into:face} verwandeln",
    "move.points": "{player:name}: {points:points} {text}",
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

RULES = {
    "by the rule text {here}; counted as in the booklet's example 1, which contradicts it: {absorbs} with option "
    "bl_pair=absorbs, {swapped} with option removal=swapped": "nach dem Regeltext {here}; gezählt wie im Beispiel 1 "
    "des Hefts, das ihm widerspricht: {absorbs} mit der Option bl_pair=absorbs, {swapped} mit removal=swapped",
    "Claires and Jamies on all six dice, no additional scoring": "Claire und Jamie auf allen sechs Würfeln, keine "
    "weitere Wertung",
    "{n} {face:face} at 1 each": "{n} {face:face} zu je 1",
    "{pairs:count pair pairs} of {one:face} and {other:face} at {each:signed}": "{pairs:count Paar Paare} aus "
    "{one:face} und {other:face} zu {each:signed}",
    "three Claires and three Jamies, no additional scoring": "drei Claire und drei Jamie, keine weitere Wertung",
    "the card's points: no additional scoring": "die Punkte der Karte: keine weitere Wertung",
    "no face here scores by itself, and none make a pair": "kein Bild zählt für sich, und keine bilden ein Paar",
    "points the card adds": "Punkte der Karte",
    "{villain:face} removes {n} {face:face}": "{villain:face} nimmt {n} {face:face} weg",
    "{helper:face} restores {n} {face:face}": "{helper:face} gibt {n} {face:face} zurück",
    "{n} {face:face} at {each} each": "{n} {face:face} zu je {each}",
    "another player's card: {text:rule}": "die Karte eines Mitspielers: {text:rule}",
    "a total never goes below 0": "eine Summe fällt nie unter 0",
    "a card": "eine Karte",
    "hand": "Hand",
    "pile": "Stapel",
    "what the card does, then score": "was die Karte bewirkt, dann werten",
    "re-roll or card": "noch einmal würfeln oder eine Karte",
    "re-roll or card or score": "noch einmal würfeln, eine Karte oder werten",
    "re-roll or score": "noch einmal würfeln oder werten",
    "card or score": "eine Karte oder werten",
    "card": "eine Karte",
    "score": "werten",
    "the end of the Victory track": "das Ende der Siegleiste",
    "Cards": "Karten",
    "cards": "Karten",
    "draw pile": "Nachziehstapel",
    "discard": "Ablage",
    "Faces": "Bilder",
    "As it lies": "So, wie es liegt",
}
