"""Les phrases de Meet Fate."""

PHRASES = {
    "fate.thrown": "{player}, lancer {throw} : {faces:faces}.",
    "fate.eights": "{eights} huit, encore {missing}.",
    "fate.met": "Six huit ! {player} rencontre son destin et gagne.",
    "fate.denied": "Pas six huit. Corrigez le lancer, ou remplissez une case.",
    "fate.box": "La case « {box:face} » donnerait {points:points}.",
    "fate.zeroes": "Toutes les cases libres donneraient zéro.",
    "fate.filled": "{player} inscrit {points:points} dans la case « {box:face} » : {total} en tout, encore "
    "{left:count case cases}.",
}

NAMES = {
    "two-pair": "deux paires",
    "three-pair": "trois paires",
    "three-of-a-kind": "brelan",
    "four-of-a-kind": "carré",
    "chance": "chance",
    "small-straight": "petite suite",
    "large-straight": "grande suite",
    "full-house": "full",
    "five-of-a-kind": "cinq identiques",
    "six-of-a-kind": "six identiques",
    "trips": "deux brelans",
}

RULES = {
    "the upper bonus": "le bonus de la première partie",
    "six eights: the player wins, game over": "six huit : victoire, partie terminée",
    "{box:face}: the sum of all dice": "{box:face} : la somme de tous les dés",
    "{n} × {box}": "{n} × {box}",
    "{box:face}: not met, a zero": "{box:face} : pas obtenu, zéro",
    "{box:face}: the set value": "{box:face} : la valeur fixe",
    "six eights, confirm or not": "six huit, à confirmer ou non",
    "hold or box": "garder des dés ou une case",
    "six eights, game over": "six huit, partie terminée",
    "every box is full: the highest total wins": "toutes les cases sont remplies : le plus haut total gagne",
    "Score sheet": "Feuille de score",
    "Open boxes": "Cases libres",
    "boxes left": "cases libres",
}
