"""Sentences of Outback and Outback Plus (RULINGS 5.8)."""

THINGS = {
    "emu": ("an emu", "emus"),
    "kangaroo": ("a kangaroo", "kangaroos"),
    "koala": ("a koala", "koalas"),
    "platypus": ("a platypus", "platypuses"),
    "monitor-lizard": ("a monitor lizard", "monitor lizards"),
    "joker": ("a joker", "jokers"),
}
"""One with its article, and several."""

PHRASES = {
    "move.place": "{animal:face} to {space}",
    "move.lose": "lose the field {space}",
    "move.place-in-row": "{animal:face} to row {row}, now a group of {group}; the row is {then:face}",
    "move.lose-in-row": "lose a field of row {row}; the row is {then:face}",
    "move.tell-each": "the values {values}",
    "move.swap": "put the five back and draw anew",
    "move.tell": "{points:points}",
    "outback.jeep": "New: {tiles:things}. On the jeep: {jeep:things}.",
    "outback.jeep-new": "On the jeep: {jeep:things}.",
    "outback.swapped": "{player} puts five {animal:face} tiles back.",
    "outback.opening": "Everyone rolls for the start marker: whoever rolls the most equal animals starts. Jokers do "
    "not count.",
    "outback.start-roll": "{player} rolled {faces:things}. That counts as {n:number}.",
    "outback.start": "{player} rolled the most equal animals, {n:number}, and starts.",
    "outback.start-tie": "{players:names} tied with {n:number}; they throw again.",
    "outback.rolled": "{player}, throw {throw}: {faces:things}.",
    "outback.group": "{animal:face}: {n:dice}, for row {rows:maybe}.",
    "outback.group-jokers": "{animal:face}: {n:dice}, counting {jokers:things}, for row {rows:maybe}.",
    "outback.nothing": "Nothing to lay: no animal on the jeep has enough dice for a free row.",
    "outback.placed": "{player} lays {animal:a} on {space}: {points:points}.",
    "outback.bonus": "{nth:nth} {animal:face}: bonus, {points:points}.",
    "outback.marker": "The {animal:face} marker goes from {old} to {new}.",
    "outback.corner": "It has gone round the corner and is now worth {new}, counted for certain.",
    "outback.lost": "{player} loses the field {space}.",
    "outback.claims": "{player} wins the bonus tile “{tile:face}”. How many points are printed on it?",
    "outback.claimed": "{player} wins the bonus tile “{tile:face}”: {points:points}.",
    "outback.scoring-tile": "The scoring tile {tile} counts for lost fields.",
    "outback.values": "Scoring tile {tile}: emu {emu}, kangaroo {kangaroo}, koala {koala}, platypus {platypus}, "
    "monitor lizard {monitor_lizard}.",
    "outback.tiles": "The bonus tiles are {tiles:faces}.",
    "outback.full.round": "{player}'s board is full. The round is finished.",
    "outback.full.each-full": "{player}'s board is full. The others play on.",
    "outback.cost": "{player}'s lost fields: {points:points}.",
    "outback.final": "{player}: {points:points} at the end.",
    "outback.dropped": "Not counted for {player}: {animals:faces}.",
    "outback.lost-fields": "{player} lost {n:count field fields}.",
    "outback.turned-up": "{player} turns up bonus tiles ({tiles:faces}): {points:points}.",
}

NAMES = {
    "first-complete": "first full board",
    "left-start": "no marker on −3",
    "two-on-top": "two markers on top",
    **{f"five-{animal}": f"five {many}" for animal, (_, many) in THINGS.items() if animal != "joker"},
}
"""What the bonus tiles are called."""
