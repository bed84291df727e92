"""Les phrases d'Outlander Destiny Dice."""

PHRASES = {
    "outlander.rolled": "{player} a lancé : {faces:tally}.",
    "outlander.lies": "Comme cela se présente : {points:points}.",
    "outlander.cancels": "{villain:face} enlève {n} {face:face}.",
    "outlander.costs": "BJR et Laoghaire ensemble coûtent {n}.",
    "outlander.card.hand": "{player} joue {title:rule} de sa main. Quel est l'effet ?",
    "outlander.card.pile": "{player} prend {title:rule} sur la pioche. Quel est l'effet ?",
    "outlander.printed.hand": "{player} joue {title:rule} de sa main.",
    "outlander.printed.pile": "{player} prend {title:rule} sur la pioche.",
    "outlander.again": "Tous les dés d'une même face peuvent être relancés : gardez les autres.",
    "outlander.card-done": "La carte est jouée. Relancer, ou compter ?",
    "outlander.adds": "La carte ajoute {n} {face:face}.",
    "outlander.removes": "La carte enlève {n} {face:face}.",
    "outlander.changes": "La carte change {n} {face:face} en {into:face}.",
    "outlander.points": "Par la carte, {player} reçoit {points:points}.",
    "move.card": "jouer une carte ({source:rule}) {title}",
    "move.faces": "{face:face} : {n:signed}",
    "move.change": "changer {n} {face:face} en {into:face}",
    "move.points": "{player:name} : {points:points} {text}",
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
    "bl_pair=absorbs, {swapped} with option removal=swapped": "selon le texte de la règle {here} ; compté comme dans "
    "l'exemple 1 du livret, qui le contredit : {absorbs} avec l'option bl_pair=absorbs, {swapped} avec "
    "removal=swapped",
    "Claires and Jamies on all six dice, no additional scoring": "Claire et Jamie sur les six dés, rien d'autre ne "
    "compte",
    "{n} {face:face} at 1 each": "{n} {face:face} à 1 chaque",
    "{pairs:count pair pairs} of {one:face} and {other:face} at {each:signed}": "{pairs:count paire paires} "
    "{one:face} et {other:face} à {each:signed}",
    "three Claires and three Jamies, no additional scoring": "trois Claire et trois Jamie, rien d'autre ne compte",
    "the card's points: no additional scoring": "les points de la carte : rien d'autre ne compte",
    "no face here scores by itself, and none make a pair": "aucune face ne compte seule, et aucune paire",
    "points the card adds": "points de la carte",
    "{villain:face} removes {n} {face:face}": "{villain:face} enlève {n} {face:face}",
    "{helper:face} restores {n} {face:face}": "{helper:face} rend {n} {face:face}",
    "{n} {face:face} at {each} each": "{n} {face:face} à {each} chaque",
    "another player's card: {text:rule}": "la carte d'un autre joueur : {text:rule}",
    "a total never goes below 0": "un total ne descend jamais sous 0",
    "a card": "une carte",
    "hand": "main",
    "pile": "pioche",
    "what the card does, then score": "l'effet de la carte, puis compter",
    "re-roll or card": "relancer ou jouer une carte",
    "re-roll or card or score": "relancer, jouer une carte ou compter",
    "re-roll or score": "relancer ou compter",
    "card or score": "jouer une carte ou compter",
    "card": "une carte",
    "score": "compter",
    "the end of the Victory track": "le bout de la piste de victoire",
    "Cards": "Cartes",
    "cards": "cartes",
    "draw pile": "pioche",
    "discard": "défausse",
    "Faces": "Faces",
    "As it lies": "Comme cela se présente",
}
