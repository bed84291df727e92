"""Français : conseils, chance et dés honnêtes."""

from scoring.phrases.fr import spaced

RULES = spaced(
    {
        # Unités
        "points": "points",
        "points to the end of the sheet": "points jusqu'à la fin de la feuille",
        "points by the estimate of a placement": "points selon l'estimation d'un placement",
        "points this turn": "points à ce tour",
        "points this round": "points à cette manche",
        "points more than the others' mean": "points de plus que la moyenne des autres",
        "players beaten this round": "joueurs battus à cette manche",
        "chance to win": "chance de gagner",
        "turns to the target (fewer are better, so they count below zero)": "tours jusqu'au but (moins vaut "
        "mieux, ils comptent donc sous zéro)",
        "next to nothing": "presque rien",
        # Conseils
        "hold {faces:roll}, and throw {n:dice} again": "gardez {faces:roll} et relancez {n:dice}",
        "hold {faces:row}": "garder {faces:row}",
        "throw all the dice again": "relancez tous les dés",
        "throw all again": "tout relancer",
        "throw all six dice": "lancer les six dés",
        "declare {declared:face}": "annoncer : {declared:face}",
        "fill {box:face}": "remplir la case « {box:face} »",
        "fill {box:face}, for {points:points}": "remplissez la case « {box:face} », pour {points:points}",
        "fill the {box}s, for {points:points}": "remplissez la case des {box}, pour {points:points}",
        "lay {groups:faces}": "placer : {groups:faces}",
        "lose a field": "perdre une case",
        "stop and lay": "arrêter et placer",
        "stand": "s'en tenir là",
        "stand on this hand": "gardez cette main",
        "roll": "lancer",
        "re-roll {faces:faces}": "relancer {faces:faces}",
        "{first}, and then the card {card}": "{first}, puis la carte {card}",
        "that is worth {worth:amount} {unit:rule}, and there is no other choice": "cela vaut {worth:amount} "
        "{unit:rule}, et il n'y a pas d'autre choix",
        "that is worth {worth:amount} {unit:rule}; to {other} is worth as much": "cela vaut {worth:amount} "
        "{unit:rule} ; tout aussi bon : {other}",
        "that is worth {worth:amount} {unit:rule}; the next best, to {other}, costs {cost:amount}": "cela vaut "
        "{worth:amount} {unit:rule} ; le second choix, {other}, coûte {cost:amount}",
        "there is no choice yet": "il n'y a pas encore de choix",
        "there is nothing to decide": "il n'y a rien à décider",
        "confirm the six eights": "confirmez les six huit",
        "they win the match, whatever the totals": "ils gagnent la partie, quels que soient les totaux",
        "they end the sheet with the points that it has": "ils terminent la feuille avec les points qu'elle a",
        "the chance to win is {chance:percent}": "la chance de gagner est de {chance:percent}",
        "an estimate: the others are taken to play for points, what the sheets will still bring is spread box by "
        "box, and six eights in later turns are left out": "une estimation : on suppose que les autres jouent "
        "pour les points, ce que les feuilles rapporteront encore varie case par case, et les six huit des tours "
        "suivants sont laissés de côté",
        "even dice; {rest}": "dés réguliers ; {rest}",
        "even dice, the most points on one's own sheet, which six eights end": "dés réguliers, le plus de points "
        "sur sa propre feuille, que six huit terminent",
        "{n} boxes are open and these house rules are not solved yet: `{command}` does it once, in about a minute": ""
        "{n} cases sont libres, et ces règles maison ne sont pas encore résolues : `{command}` le fait une fois, en "
        "une minute environ",
        "even dice, everyone playing their best": "dés réguliers, chacun jouant au mieux",
        "an estimate: everyone is taken to play their best without answering what the others roll; {rest}": "une "
        "estimation : on suppose que chacun joue au mieux, sans répondre aux lancers des autres ; {rest}",
        "an estimate: that the round is played to its end is left out; {rest}": "une estimation : on ne tient pas "
        "compte de la fin de la manche, qui est jouée jusqu'au bout ; {rest}",
        "how far everyone is from the target is left out": "la distance de chacun au but est laissée de côté",
        "the card is played": "la carte est jouée",
        "{worth:tenth} points are still to come on average": "il reste en moyenne {worth:tenth} points à venir",
        "{n} {animal:face} {chance:percent}": "{n} {animal:face} {chance:percent}",
        "its likeliest big group: {one}": "son grand groupe le plus probable : {one}",
        "its likeliest big groups: {one} and {other}": "ses grands groupes les plus probables : {one} et {other}",
        "roll: the chance to win is {chance:percent}": "lancer : la chance de gagner est de {chance:percent}",
        "the chance to win is then {chance:percent}; as good: {other}": "la chance de gagner est alors de "
        "{chance:percent} ; tout aussi bon : {other}",
        "the chance to win is then {chance:percent}; with the next best, {other}, {then:percent}": "la chance de "
        "gagner est alors de {chance:percent} ; avec le second choix, {other}, {then:percent}",
        "the target is then {turns:tenth} turns away on average": "le but est alors à {turns:tenth} tours en "
        "moyenne",
        # Sur quoi cela repose
        "even dice": "dés réguliers",
        "even dice; cards are not looked at": "dés réguliers ; les cartes ne sont pas regardées",
        "even dice with one of each face": "dés réguliers avec chaque face une fois",
        "the face weights as entered": "les poids des faces comme saisis",
        "an estimate from {n} thrown dice": "une estimation d'après {n} dés lancés",
        "{likely}; {card:rule}": "{likely} ; {card:rule}",
        "no card": "pas de carte",
        "even dice, the most points on one's own sheet, six eights ignored": "dés réguliers, le plus de points "
        "sur sa propre feuille, les six huit non comptés",
        "even dice, the most points on one's own sheet, six eights a win worth {eights} points": "dés réguliers, "
        "le plus de points sur sa propre feuille, six huit comme victoire valant {eights} points",
        "even dice, the most points of the round; a re-roll that does not improve scores nothing": "dés "
        "réguliers, le plus de points de la manche ; une relance qui n'améliore rien ne rapporte rien",
        "even dice, the most points of the round for everyone": "dés réguliers, pour tous le plus de points de la "
        "manche",
        "even dice, the most points of this round ahead of the others' mean": "dés réguliers, à cette manche le "
        "plus de points d'avance sur la moyenne des autres",
        "even dice, both players playing their best": "dés réguliers, les deux joueurs jouant au mieux",
        "even dice, the fewest turns": "dés réguliers, le moins de tours",
        "an estimate: what a placement is worth is told or guessed; the chances of the dice are exact": "une "
        "estimation : ce que vaut un placement est dit ou deviné ; les chances des dés sont exactes",
        # Chance et choix
        "{player} was lucky by {by}": "{player} a eu de la chance pour {by}",
        "{player} was unlucky by {by}": "{player} a eu de la malchance pour {by}",
        "{player} lost {lost}": "{player} a perdu {lost}",
        "{lost} by choices other than the best": "{lost} par d'autres choix que les meilleurs",
        "{points:amount} points": "{points:amount} points",
        "{part:percent} of a win": "{part:percent} d'une victoire",
        "{this} and {that}": "{this} et {that}",
        "{this}, {that}": "{this}, {that}",
        "{this}; {that}": "{this} ; {that}",
        "perfectly played": "parfaitement joué",
        "this turn's choices lost {total}: {told}": "les choix de ce tour ont coûté {total} : {told}",
        "{did} lost {lost}, better: {better}": "{did} a coûté {lost}, mieux : {better}",
        "throw {n}": "lancer {n}",
        "rolled": "lancé",
        "re-rolled": "relancé",
        "the other rolled": "l'autre a lancé",
        "another declaration": "une autre annonce",
        # Dés honnêtes
        "set": "jeu",
        "player": "joueur",
        "die": "dé",
        "all dice": "tous les dés",
        "{kind:rule} {name}": "{kind:rule} {name}",
        "{n} dice were thrown; below {fewest} nothing is said about luck or fairness": "{n} dés ont été lancés ; "
        "au-dessous de {fewest}, rien n'est dit de la chance ni des dés",
        "so few throws are uneven by themselves": "si peu de lancers sont inégaux d'eux-mêmes",
        "nothing speaks against fair dice": "rien ne contredit des dés honnêtes",
        "{which} fell too unevenly for fair dice": "{which} : des lancers trop inégaux pour des dés honnêtes",
        "which die is which cannot be told, so no die is looked at alone": "on ne sait pas quel dé est lequel, "
        "aucun n'est donc regardé seul",
        "the most uneven is {which}: {extreme}; the chance of so much is {chance}": "le plus inégal : {which} ; "
        "{extreme} ; la chance d'un tel écart est de {chance}",
        "{face:face} came {seen} times of {thrown}, {mean:tenth} were to be expected": "{face:face} est venu "
        "{seen} fois sur {thrown}, on en attendait {mean:tenth}",
        "under one in a thousand": "moins d'un pour mille",
        "{p:percent}": "{p:percent}",
        "{p}, all that was looked at allowed for": "{p}, compte tenu de tout ce qui a été regardé",
        # Où il n'y a pas de conseil
        "nothing has been decided yet": "rien n'a encore été décidé",
        "the match does not go on: there is nothing to decide": "la partie ne continue pas : il n'y a rien à "
        "décider",
        "for {game} there is no advice": "pour {game}, il n'y a pas de conseil",
        "first say whether these are six eights": "dites d'abord si ce sont six huit",
        "the dice are in the hand: there is nothing to decide before they lie": "les dés sont dans la main : il "
        "n'y a rien à décider avant qu'ils soient posés",
        "advice is on the re-roll, before it is made and while no card is being played": "le conseil porte sur la "
        "relance, avant elle et tant qu'aucune carte n'est jouée",
        "it is declared: there is nothing to decide before the dice lie": "c'est annoncé : il n'y a rien à "
        "décider avant que les dés soient posés",
        "it is declared: there is nothing to decide before the round is over": "c'est annoncé : il n'y a rien à "
        "décider avant la fin de la manche",
        "re-rolls are not agreed on: there is nothing to decide": "la relance n'est pas convenue : il n'y a rien "
        "à décider",
        "there is nothing to decide before the dice lie": "il n'y a rien à décider avant que les dés soient posés",
        "advice is on the dice as they lie, before an animal is laid": "le conseil porte sur les dés comme ils "
        "sont, avant qu'un animal soit placé",
        "there is nothing to choose between": "il n'y a rien à choisir",
        "no box is open: the sheet is full": "aucune case n'est libre : la feuille est pleine",
        "nothing can be laid: expected free rows and animals on the jeep": "rien ne peut être placé : il faut des "
        "rangées libres et des animaux sur la Jeep",
        "{game}: luck and skill cannot be told apart without guessing what a placement is worth": "{game} : on ne "
        "peut séparer chance et adresse sans deviner ce que vaut un placement",
        "quintuples: luck is told for up to {most} players, got {players}": "quintuples : la chance est dite pour "
        "{most} joueurs au plus, et non {players}",
        "with an upper bonus the sheet is not solved as a whole: option upper_bonus must be 0, or few boxes "
        "open": "avec un bonus de la première partie, la feuille n'est pas résolue en entier : l'option upper_bonus "
        "doit être 0, ou peu de cases libres",
        "with an upper bonus these boxes have {positions} positions, and at most {most} are solved: fewer boxes "
        "must be open": "avec un bonus de la première partie, ces cases ont {positions} positions, et {most} au plus "
        "sont résolues : il faut moins de cases libres",
        # Questions sans réponse
        "expected {dice} dice, got {n}": "{dice} dés sont attendus, et non {n}",
        "expected faces 1 to 8, got {strange!r}": "on attend des nombres de 1 à 8, et non {strange!r}",
        "expected faces ({faces:row}), got {strange!r}": "on attend des faces ({faces:row}), et non {strange!r}",
        "expected faces ({known:row}), got {face!r}": "on attend des faces ({known:row}), et non {face!r}",
        "a throw of {n} dice names {named} of them": "un lancer de {n} dés en nomme {named}",
        "with dice on the table 0, 1 or 2 throws are left, got {left}": "quand des dés sont posés, il reste 0, 1 "
        "ou 2 lancers, et non {left}",
        "before the first throw there are {throws} throws left, got {left}": "avant le premier lancer, il en "
        "reste {throws}, et non {left}",
        "there is one re-roll: 0 or 1 rolls are left, got {left}": "il y a une relance : il en reste 0 ou 1, et "
        "non {left}",
        "there is one re-roll a turn: 0 or 1 rolls are left, got {left}": "il y a une relance par tour : il en "
        "reste 0 ou 1, et non {left}",
        "six eights: expected a worth from 0 to {most} points, got {eights}": "six huit : on attend une valeur de "
        "0 à {most} points, et non {eights}",
        "expected 0 to {most} players yet to roll, got {players}": "on attend 0 à {most} joueurs qui lancent "
        "encore, et non {players}",
        "expected 1 to {most} players, got {players}": "on attend 1 à {most} joueurs, et non {players}",
        "standings: expected numbers from 0 to {most}, got {got}": "positions : on attend des nombres de 0 à "
        "{most}, et non {got}",
        "expected placements worth at most {most} points": "on attend des placements valant {most} points au plus",
        "expected 6 or 7 dice and rows from 2 on, got {dice} and {rows}": "on attend 6 ou 7 dés et des rangées à "
        "partir de 2, et non {dice} et {rows}",
        "a race is solved up to {most} points, got {target}": "une course est résolue jusqu'à {most} points, et "
        "non {target}",
        "expected points needed from 1 to {target} for each player, got {needs}": "on attend pour chacun les "
        "points qui manquent, de 1 à {target}, et non {needs}",
        "weights: expected faces ({faces:row}), got {strange!r}": "poids : on attend des faces ({faces:row}), et "
        "non {strange!r}",
        "weights: expected numbers from 0 to a million, not all of them 0": "poids : on attend des nombres de 0 à "
        "un million, pas tous nuls",
    }
)
