"""Sätze von Outback und Outback Plus, in den Worten der deutschen Spielregel."""

ANIMALS = {
    "emu": ("Emu", "Emus"),
    "kangaroo": ("Känguru", "Kängurus"),
    "koala": ("Koala", "Koalas"),
    "platypus": ("Schnabeltier", "Schnabeltiere"),
    "monitor-lizard": ("Waran", "Warane"),
}
"""Einzahl und Mehrzahl."""

THINGS = {
    **{
        animal: (f"{'ein' if one in ('Känguru', 'Schnabeltier') else 'einen'} {one}", many)
        for animal, (one, many) in ANIMALS.items()
    },
    "joker": ("einen Joker", "Joker"),
}
"""Eines im Akkusativ, und mehrere."""

PHRASES = {
    "move.place": "{animal:face} auf {space}",
    "move.lose": "das Feld {space} verlieren",
    "move.place-in-row": "{animal:face} in Reihe {row}, jetzt eine Gruppe von {group}; die Reihe ist {then:face}",
    "move.lose-in-row": "ein Feld der Reihe {row} verlieren; die Reihe ist {then:face}",
    "move.tell-each": "die Werte {values}",
    "move.swap": "die fünf zurücklegen und neu ziehen",
    "move.tell": "{points:points}",
    "outback.jeep": "Der Jeep bringt {tiles:things}. Er hat jetzt {jeep:things}.",
    "outback.jeep-new": "Der Jeep hat {jeep:things}.",
    "outback.swapped": "{player} legt fünf Tierplättchen zurück: {animal:face}.",
    "outback.opening": "Alle würfeln um den Startspielermarker: Wer die meisten gleichen Tiere würfelt, beginnt. Joker "
    "zählen nicht mit.",
    "outback.start-roll": "{player} würfelt {faces:things}. Gleiche Tiere: {n}.",
    "outback.start": "{player} hat die meisten gleichen Tiere, nämlich {n}, und beginnt.",
    "outback.start-tie": "Gleichstand mit {n}: {players:names} würfeln noch einmal.",
    "outback.rolled": "Wurf {throw}: {player} würfelt {faces:things}.",
    "outback.group": "{animal:face}: {n:dice}, für Reihe {rows:maybe}.",
    "outback.group-jokers": "{animal:face}: {n:dice}, {jokers:things} mitgezählt, für Reihe {rows:maybe}.",
    "outback.nothing": "Nichts zu legen: Für kein Tier auf dem Jeep reichen die Würfel in einer freien Reihe.",
    "outback.placed": "{player} legt {animal:a} auf {space}: {points:points}.",
    "outback.bonus": "{animal:face} zum {nth}. Mal: Bonusplättchen, {points:points}.",
    "outback.marker": "Punkteanzeiger {animal:face}: von {old} auf {new}.",
    "outback.corner": "Er ist um die Ecke auf den oberen Teil der Leiste gezogen: jetzt {new} wert, und das zählt "
    "auf jeden Fall.",
    "outback.lost": "{player} verliert das Feld {space}.",
    "outback.claims": "{player} gewinnt das Bonusplättchen „{tile:face}“. Wie viele Punkte stehen darauf?",
    "outback.claimed": "{player} gewinnt das Bonusplättchen „{tile:face}“: {points:points}.",
    "outback.scoring-tile": "Für verlorene Felder gilt das Wertungsplättchen {tile}.",
    "outback.values": "Wertungsplättchen {tile}: Emu {emu}, Känguru {kangaroo}, Koala {koala}, "
    "Schnabeltier {platypus}, Waran {monitor_lizard}.",
    "outback.tiles": "Die Bonusplättchen sind: {tiles:faces}.",
    "outback.full.round": "Die Landschaft von {player} ist komplett. Die Runde wird noch zu Ende gespielt.",
    "outback.full.each-full": "Die Landschaft von {player} ist komplett. Die anderen spielen weiter.",
    "outback.cost": "Verlorene Felder von {player}: {points:points}.",
    "outback.final": "{player}: am Ende {points:points}.",
    "outback.dropped": "Bei {player} zählt nicht: {animals:faces}.",
    "outback.lost-fields": "{player} hat {n:count Feld Felder} verloren.",
    "outback.turned-up": "{player} deckt Bonusplättchen auf ({tiles:faces}): {points:points}.",
}

NAMES = {
    **{animal: one for animal, (one, _) in ANIMALS.items()},
    "joker": "Joker",
    "first-complete": "erste komplette Landschaft",
    "left-start": "Startfeld verlassen",
    "two-on-top": "zwei auf dem oberen Teil",
    **{f"five-{animal}": f"fünf {many}" for animal, (_, many) in ANIMALS.items()},
    **{f"row-{row}": f"Reihe {row}" for row in range(2, 8)},
    **{
        f"{animal}-{to}-row-{row}": f"{one} in Reihe {row}"
        for animal, (one, _) in ANIMALS.items()
        for row in range(2, 8)
        for to in ("to", "in")
    },
    "open": "offen",
    "full": "voll",
}

RULES = {
    "a joker counts only beside a real animal, and none lies here": "ein Joker zählt nur neben einem echten Tier, und "
    "hier liegt keines",
    "no animal on the jeep has enough dice for a row with a free space": "kein Tier auf dem Jeep hat genug Würfel für "
    "eine Reihe mit freiem Feld",
    "{n:count way ways} to lay tiles from the jeep": "{n:count Möglichkeit Möglichkeiten}, Tiere vom Jeep zu legen",
    "{groups:faces}": "{groups:faces}",
    "bonus tile: the first complete board": "Bonusplättchen: als Erster die Landschaft komplett",
    "bonus tile: the first with no marker on −3": "Bonusplättchen: als Erster kein Punkteanzeiger mehr auf −3",
    "bonus tile: the first with two markers on the upper track": "Bonusplättchen: als Erster zwei Punkteanzeiger "
    "auf dem oberen Teil der Leiste",
    "bonus tile: the first with five {animal:face}": "Bonusplättchen: als Erster fünfmal {animal:face}",
    "bonus tile: the first with row {row} full of animals": "Bonusplättchen: als Erster Reihe {row} komplett mit "
    "Tieren",
    "lost field {space}, scoring tile B: the label of its row": "verlorenes Feld {space}, Wertungsplättchen B: die "
    "Zahl am rechten Rand der Zeile",
    "lost field {space}, scoring tile A": "verlorenes Feld {space}, Wertungsplättchen A",
    "lost field {space}, scoring tile {tile}: {beside:faces} beside it": "verlorenes Feld {space}, "
    "Wertungsplättchen {tile}: daneben {beside:faces}",
    "{n:count field fields} lost, −{each} each": "{n:count Feld Felder} verloren, je −{each}",
    "{animal:face} on the left track, one of the last three": "{animal:face} auf dem linken Teil der Leiste, unter "
    "den letzten drei",
    "{animal:face} on the left track at {value} does not count: not one of the last three": "{animal:face} auf dem "
    "linken Teil bei {value} zählt nicht: nicht unter den letzten drei",
    "{animal:face} on the upper track": "{animal:face} auf dem oberen Teil der Leiste",
    "the third {animal:face}: bonus tile number {n}": "zum dritten Mal {animal:face}: Bonusplättchen Nummer {n}",
    "{animal:face} is at the end of its track: the rest is lost": "{animal:face} ist am Ende der Leiste: der Rest "
    "verfällt",
    "{animal:face} in a group of {n}": "{animal:face} in einer Gruppe von {n}",
    "{n:count field fields} lost, scoring tile {tile}: what lies beside, as told": "{n:count Feld Felder} verloren, "
    "Wertungsplättchen {tile}: was daneben liegt, wie angesagt",
    "the start marker": "den Startspielermarker",
    "bag": "dem Beutel",
    "bonus tiles": "den Bonusplättchen",
    "scoring tiles": "den Wertungsplättchen",
    "what the lost fields cost, by the scoring tile": "was die verlorenen Felder nach dem Wertungsplättchen kosten",
    **{
        f"the values on the scoring tile {tile}": f"die Werte auf dem Wertungsplättchen {tile}"
        for tile in "CD"
    },
    **{
        f"the points printed on the tile row-{row}": f"die Punkte auf dem Bonusplättchen der Reihe {row}"
        for row in range(2, 8)
    },
    "another jeep": "den Jeep tauschen",
    "another animal, or done": "noch ein Tier, oder fertig",
    "dice to keep, or an animal to lay": "Würfel zum Liegenlassen, oder ein Tier zum Legen",
    "dice to keep": "Würfel zum Liegenlassen",
    "an animal to lay": "ein Tier zum Legen",
    "an animal to lay, or a field to lose": "ein Tier zum Legen, oder ein Feld zum Verlieren",
    "a field to lose": "ein Feld zum Verlieren",
    "the highest total wins": "die meisten Punkte gewinnen",
    "equal totals: more bonus tiles win": "Gleichstand: mehr Bonusplättchen gewinnen",
    "equal: the win is shared": "Gleichstand: alle daran Beteiligten haben gewonnen",
    "Markers": "Punkteanzeiger",
    "Bonus tiles": "Bonusplättchen",
    "lost fields": "verlorene Felder",
    "start marker": "Startspielermarker",
}
