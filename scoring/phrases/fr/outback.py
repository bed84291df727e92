"""Les phrases d'Outback et d'Outback Plus, dans les mots de la règle française."""

ANIMALS = {
    "emu": ("émeu", "émeus"),
    "kangaroo": ("kangourou", "kangourous"),
    "koala": ("koala", "koalas"),
    "platypus": ("ornithorynque", "ornithorynques"),
    "monitor-lizard": ("varan", "varans"),
}
"""Singulier et pluriel."""

THINGS = {
    **{animal: (f"un {one}", many) for animal, (one, many) in ANIMALS.items()},
    "joker": ("un joker", "jokers"),
}
"""Un seul avec son article, et plusieurs."""

PHRASES = {
    "move.place": "{animal:face} sur {space}",
    "move.lose": "perdre la case {space}",
    "move.place-in-row": "{animal:face} dans la rangée {row}, groupe de {group} maintenant ; la rangée est "
    "{then:face}",
    "move.lose-in-row": "perdre une case de la rangée {row} ; la rangée est {then:face}",
    "move.tell-each": "les valeurs {values}",
    "move.swap": "remettre les cinq et tirer à nouveau",
    "move.tell": "{points:points}",
    "outback.jeep": "La Jeep amène {tiles:things}. Elle transporte {jeep:things}.",
    "outback.jeep-new": "La Jeep transporte {jeep:things}.",
    "outback.swapped": "{player} remet cinq tuiles : {animal:face}.",
    "outback.opening": "Chacun lance les dés pour le marqueur Premier joueur : qui obtient le plus d'animaux "
    "identiques commence. Les jokers ne comptent pas.",
    "outback.start-roll": "{player} obtient {faces:things}. Animaux identiques : {n}.",
    "outback.start": "{player} a le plus d'animaux identiques ({n}) et commence.",
    "outback.start-tie": "Égalité à {n} : {players:names} relancent les dés.",
    "outback.rolled": "{player}, lancer {throw} : {faces:things}.",
    "outback.group": "{animal:face} : {n:dice}, pour la rangée {rows:maybe}.",
    "outback.group-jokers": "{animal:face} : {n:dice}, {jokers:things} compris, pour la rangée {rows:maybe}.",
    "outback.nothing": "Rien à placer : aucun animal de la Jeep n'a assez de dés pour une rangée libre.",
    "outback.placed": "{player} place {animal:a} sur {space} : {points:points}.",
    "outback.bonus": "{animal:face} pour la {nth:nth} fois : tuile Bonus, {points:points}.",
    "outback.marker": "Marqueur {animal:face} : de {old} à {new}.",
    "outback.corner": "Il est passé sur la partie supérieure de la piste : il vaut maintenant {new}, et cela compte à "
    "coup sûr.",
    "outback.lost": "{player} perd la case {space}.",
    "outback.claims": "{player} gagne la tuile Bonus « {tile:face} ». Combien de points indique-t-elle ?",
    "outback.claimed": "{player} gagne la tuile Bonus « {tile:face} » : {points:points}.",
    "outback.scoring-tile": "Pour les cases perdues, c'est la tuile Pénalité {tile} qui s'applique.",
    "outback.values": "Tuile Pénalité {tile} : émeu {emu}, kangourou {kangaroo}, koala {koala}, "
    "ornithorynque {platypus}, varan {monitor_lizard}.",
    "outback.tiles": "Les tuiles Bonus : {tiles:faces}.",
    "outback.full.round": "{player} a complété son paysage. Les autres terminent le tour.",
    "outback.full.each-full": "{player} a complété son paysage. Les autres continuent à jouer.",
    "outback.cost": "{player}, cases perdues : {points:points}.",
    "outback.final": "{player} : {points:points} à la fin.",
    "outback.dropped": "{player}, marqueurs qui ne comptent pas : {animals:faces}.",
    "outback.lost-fields": "{player} a perdu {n:count case cases}.",
    "outback.turned-up": "{player} retourne ses tuiles Bonus ({tiles:faces}) : {points:points}.",
}

NAMES = {
    **{animal: one for animal, (one, _) in ANIMALS.items()},
    "joker": "joker",
    "first-complete": "premier paysage complet",
    "left-start": "case de départ quittée",
    "two-on-top": "deux sur la partie supérieure",
    **{f"five-{animal}": f"cinq {many}" for animal, (_, many) in ANIMALS.items()},
    **{f"row-{row}": f"rangée {row}" for row in range(2, 8)},
    **{
        f"{animal}-{to}-row-{row}": f"{one} dans la rangée {row}"
        for animal, (one, _) in ANIMALS.items()
        for row in range(2, 8)
        for to in ("to", "in")
    },
    "open": "ouverte",
    "full": "pleine",
}

RULES = {
    "a joker counts only beside a real animal, and none lies here": "un joker ne compte qu'à côté d'un vrai animal, et "
    "il n'y en a pas ici",
    "no animal on the jeep has enough dice for a row with a free space": "aucun animal de la Jeep n'a assez de dés "
    "pour une rangée avec une case libre",
    "{n:count way ways} to lay tiles from the jeep": "{n:count possibilité possibilités} de placer des tuiles de la "
    "Jeep",
    "{groups:faces}": "{groups:faces}",
    "bonus tile: the first complete board": "tuile Bonus : premier paysage complet",
    "bonus tile: the first with no marker on −3": "tuile Bonus : premier sans marqueur sur la case −3",
    "bonus tile: the first with two markers on the upper track": "tuile Bonus : premier avec 2 marqueurs sur la "
    "partie supérieure",
    "bonus tile: the first with five {animal:face}": "tuile Bonus : premier avec 5 tuiles {animal:face}",
    "bonus tile: the first with row {row} full of animals": "tuile Bonus : premier avec la rangée {row} complète "
    "d'animaux",
    "lost field {space}, scoring tile B: the label of its row": "case perdue {space}, tuile Pénalité B : le nombre à "
    "droite de la rangée",
    "lost field {space}, scoring tile A": "case perdue {space}, tuile Pénalité A",
    "lost field {space}, scoring tile {tile}: {beside:faces} beside it": "case perdue {space}, tuile Pénalité {tile} : "
    "à côté, {beside:faces}",
    "{n:count field fields} lost, −{each} each": "{n:count case~perdue cases~perdues}, −{each} chacune",
    "{animal:face} on the left track, one of the last three": "{animal:face} sur la partie gauche, parmi les trois "
    "derniers",
    "{animal:face} on the left track at {value} does not count: not one of the last three": "{animal:face} sur la "
    "partie gauche, à {value}, ne compte pas : il n'est pas parmi les trois derniers",
    "{animal:face} on the upper track": "{animal:face} sur la partie supérieure",
    "the third {animal:face}: bonus tile number {n}": "troisième {animal:face} : tuile Bonus numéro {n}",
    "{animal:face} is at the end of its track: the rest is lost": "{animal:face} est au bout de la piste : le reste "
    "est perdu",
    "{animal:face} in a group of {n}": "{animal:face} dans un groupe de {n}",
    "{n:count field fields} lost, scoring tile {tile}: what lies beside, as told": "{n:count case~perdue "
    "cases~perdues}, tuile Pénalité {tile} : les animaux voisins, comme annoncés",
    "the start marker": "le marqueur Premier joueur",
    "bag": "du sac",
    "bonus tiles": "des tuiles Bonus",
    "scoring tiles": "des tuiles Pénalité",
    "what the lost fields cost, by the scoring tile": "ce que coûtent les cases perdues selon la tuile Pénalité",
    **{f"the values on the scoring tile {tile}": f"les valeurs de la tuile Pénalité {tile}" for tile in "CD"},
    **{
        f"the points printed on the tile row-{row}": f"les points de la tuile Bonus de la rangée {row}"
        for row in range(2, 8)
    },
    "another jeep": "changer de Jeep",
    "another animal, or done": "encore un animal, ou terminé",
    "dice to keep, or an animal to lay": "des dés à garder, ou un animal à placer",
    "dice to keep": "des dés à garder",
    "an animal to lay": "un animal à placer",
    "an animal to lay, or a field to lose": "un animal à placer, ou une case à perdre",
    "a field to lose": "une case à perdre",
    "the highest total wins": "le plus de points l'emporte",
    "equal totals: more bonus tiles win": "égalité : le plus de tuiles Bonus l'emporte",
    "equal: the win is shared": "égalité : vainqueurs ex æquo",
    "Markers": "Marqueurs",
    "Bonus tiles": "Tuiles Bonus",
    "lost fields": "cases perdues",
    "start marker": "marqueur Premier joueur",
}
