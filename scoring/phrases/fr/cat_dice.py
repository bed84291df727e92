"""Les phrases des jeux aux dés chats."""

PHRASES = {
    "called-shot.row": "{declared:face} : la ligne {row:face}.",
    "pairs.person": "La règle n'explique nulle part « personne » ; cela vaut pour la famille.",
    "pairs.set": "Posé : {faces:faces}. {before:count lancer lancers} avant le prochain.",
    "pairs.goes-on": "{before:count lancer lancers} jusqu'ici.",
    "pairs.won": "Double {face:face} : l'annonce {declared:face} est gagnée.",
    "pairs.lost": "Double {face:face} : l'annonce {declared:face} est perdue.",
    "pairs.pair.single": "Double {face:face}, {before} avant lui.",
    "pairs.pair.doubled": "Double {face:face}, {before} avant lui, points doublés.",
    "pairs.pair.fourfold": "Double {face:face}, {before} avant lui, points quadruplés.",
    "pairs.repeat.doubled": "De nouveau {faces:faces}, {before} avant, points doublés.",
    "pairs.repeat.fourfold": "De nouveau {faces:faces}, {before} avant, points quadruplés.",
    "hand.rolled": "{player} a lancé : {faces:faces} – {hand:face}.",
    "hand.failed": "La relance n'a rien amélioré : aucun point pour cette manche.",
    "quintuples.beats": "{player} ({hand:face}) bat {n:count joueur joueurs} : {total} en tout.",
}

NAMES = {
    "cats": "chats",
    "no-cats": "pas de chats",
    "family": "famille",
    "no-family": "pas de famille",
    "person": "personne",
    "cat": "chat",
    "two-cats": "deux chats",
    "sigil": "sceau",
    "dd": "DD",
    "thoromyr": "Thoromyr",
    "manticore": "manticore",
    "no-cat": "pas de chat",
    "no-two-cats": "pas de deux chats",
    "no-sigil": "pas de sceau",
    "no-dd": "pas de DD",
    "no-thoromyr": "pas de Thoromyr",
    "no-manticore": "pas de manticore",
    "pair": "une paire",
    "run": "cinq différents",
    "three-and-pair": "brelan et paire",
    "triple": "triple",
    "pair/all": "paire/toutes",
    "pair/only": "paire/seule",
    "single/all": "simple/toutes",
    "single/two": "simple/deux",
    "single/only": "simple/seule",
    "nothing": "rien",
}

RULES = {
    "{declared:face}: {row:face}": "{declared:face} : {row:face}",
    "{hand:face}": "{hand:face}",
    "{hand:face} after a re-roll from {before:face}: no improvement, no points": "{hand:face} après relance, avant "
    "c'était {before:face} : pas mieux, aucun point",
    "a pair of {face:face} loses the declaration {declared:face}": "un double {face:face} perd l'annonce "
    "{declared:face}",
    "a pair of {face:face} wins the declaration {declared:face}": "un double {face:face} gagne l'annonce "
    "{declared:face}",
    "doubled again: both faces match the declaration": "encore doublé : les deux faces répondent à l'annonce",
    "a pair of {face:face}, {n} before it": "un double {face:face}, {n} avant lui",
    "doubled again: the pair matches the declaration {declared:face}": "encore doublé : le double répond à l'annonce "
    "{declared:face}",
    "the set roll again, {n} before it": "de nouveau le lancer posé, {n} avant lui",
    "doubled: both faces match the set roll": "doublé : les deux faces sont celles du lancer posé",
    "doubled: the pair matches the set roll": "doublé : le double répond au lancer posé",
    '"person", which the document never explains, counts as family': "« personne », que la règle n'explique nulle "
    "part, vaut pour la famille",
    "a set: two different faces; all roll for it": "posé : deux faces différentes ; tous lancent pour les obtenir",
    "no pair and not the set roll: the round goes on": "ni double ni lancer posé : la manche continue",
    "{hand:face} beats {n:count player players}": "{hand:face} bat {n:count joueur joueurs}",
    "{hand:face}: the re-roll did not improve the hand": "{hand:face} : la relance n'a rien amélioré",
    "{hand:face}: a point for every player with a lower hand": "{hand:face} : un point par joueur dont la main est "
    "plus basse",
    "a pair of {face:face}": "une paire : {face:face}",
    "three different faces": "trois faces différentes",
    "a triple of {face:face}": "un triple : {face:face}",
    "declaration": "l'annonce",
    "stand or re-roll": "garder ou relancer",
    "first to the target": "premier au but",
    "the best score after the round in which the target was reached": "le meilleur score après la manche où le but "
    "a été atteint",
    "Round": "Manche",
    "Hands": "Mains",
}
