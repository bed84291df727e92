"""Pourquoi quelque chose ne va pas : ce que les règles et la partie refusent, et ce qu'elles attendent."""

RULES = {
    # Toutes les parties
    "the match is over": "la partie est finie",
    "people can change places when a round is over": "on peut changer de place quand une manche est finie",
    "people can join, leave and change places when a round is over": "on peut entrer, partir et changer de place quand "
    "une manche est finie",
    "nobody can join, leave or change places in this game once it has begun": "dans ce jeu, une fois la partie "
    "commencée, personne ne peut entrer, partir ou changer de place",
    "expected a seat for each player, one of the {n} there are or a new one": "il faut une place pour chacun, l'une "
    "des {n} existantes ou une nouvelle",
    "{player} is to roll": "c'est à {player} de lancer",
    "{count} to be drawn from {pile:pile}": "{count} à tirer {pile:pile}",
    "{names:listed} to decide: {what:rule}": "{names:listed} : {what:rule}",
    "{this}, or {that}": "{this}, ou {that}",
    "no roll is awaited now": "aucun lancer n'est attendu maintenant",
    "no decision is awaited now, but {awaited}": "il n'y a rien à décider maintenant ; on attend : {awaited}",
    "it is not their turn: {awaited}": "ce n'est pas son tour ; on attend : {awaited}",
    "{game} has no move {kind!r}": "{game} ne connaît pas le coup {kind!r}",
    "expected {dice} dice, got {n}": "{dice} dés sont attendus, et non {n}",
    "expected faces of {set}, got {strange!r}": "on attend des faces du jeu {set}, et non {strange!r}",
    "the kept dice ({kept:row}) must lie there still, got {got:row}": "les dés gardés ({kept:row}) doivent encore "
    "être là ; on voit {got:row}",
    "nothing is to be drawn from {pile:pile} now": "rien n'est à tirer {pile:pile} maintenant",
    "expected {count} from {pile:pile}, got {n}": "on attend {count} {pile:pile}, et non {n}",
    "{pile:pile} does not hold {strange!r} (so often)": "on ne peut pas tirer {pile:pile} {strange!r} (aussi "
    "souvent)",
    "the match stops at event {number}: {rule}; take that event back, or correct the roll again": "la partie "
    "s'arrête à l'événement {number} : {rule} ; annulez cet événement, ou corrigez encore le lancer",
    "there is no decision to take back": "il n'y a aucune décision à annuler",
    "there is no event {event} to take back: it was taken back, or never was": "l'événement {event} ne peut être "
    "annulé : il l'est déjà, ou n'a jamais eu lieu",
    "there is no event {event} to correct: it was taken back, or never was": "l'événement {event} ne peut être "
    "corrigé : il est annulé, ou n'a jamais eu lieu",
    "event {event} is a decision: it can be taken back, not corrected": "l'événement {event} est une décision : "
    "elle s'annule, elle ne se corrige pas",
    "event {event} is no decision: what the table showed is corrected, not taken back": "l'événement {event} n'est "
    "pas une décision : ce que la table montrait se corrige, mais ne s'annule pas",
    "{title} is for {low} to {high} players, not {n}": "{title} se joue de {low} à {high}, et non à {n}",
    "every player needs a name of their own, of 1 to 40 letters": "chaque joueur a besoin de son propre nom, de 1 à 40 "
    "lettres",
    "a name cannot have the character {sign}": "un nom ne peut pas contenir le caractère {sign}",
    "{game}: expected a declaration ({words:ids}), got none": "{game} : on attend une annonce ({words:ids}), il n'y "
    "en a pas",
    "{game}: no card adds faces in this game; got {got}": "{game} : ici aucune carte n'ajoute de faces ; reçu {got}",
    "{game} is played without dice: there is no roll to score": "{game} se joue sans dés : il n'y a pas de lancer à "
    "compter",
    "{game}: expected {due} dice, got {n}": "{game} : {due} dés sont attendus, et non {n}",
    "{game} has no declarations; got {got!r}": "{game} n'a pas d'annonces ; reçu {got!r}",
    # Mots et options
    "expected {what} ({known:ids}), got {got}": "on attend {what} ({known:ids}), et non {got}",
    "these dice have no face {got}; they show {known:row}": "ces dés n'ont pas de face {got} ; ils montrent "
    "{known:row}",
    "a card of {game}": "une carte de {game}",
    "a declaration of {game}": "une annonce de {game}",
    "a game": "un jeu",
    "a hand of five": "une main de cinq dés",
    "a character or treasure": "un personnage ou un trésor",
    "an alignment": "un alignement",
    "an animal": "un animal",
    "option {key}: expected {expected}, got {got}": "option {key} : on attend {expected}, et non {got}",
    "no option {got}; expected {keys:ids}": "il n'y a pas d'option {got} ; il y a {keys:ids}",
    "yes or no": "oui ou non",
    "a whole number from {low} to {high}": "un nombre entier de {low} à {high}",
    "text of at most {most} characters": "un texte de {most} caractères au plus",
    "option rerolled_from: re-rolls are not agreed on (option reroll is no)": "option rerolled_from : la relance "
    "n'est pas convenue (l'option reroll est non)",
    "option set_roll: expected two different faces, got {faces:row}": "option set_roll : on attend deux faces "
    "différentes, et non {faces:row}",
    "person is not accepted as a declaration: option person_alias is no": "« personne » n'est pas une annonce : "
    "l'option person_alias est non",
    "option transmuted: expected one CARD=ALIGNMENT, with the Alchemist among the powers, got {word!r}": "option "
    "transmuted : on attend une fois CARTE=ALIGNEMENT, avec l'Alchimiste parmi les pouvoirs, et non {word!r}",
    "option left: only with Paladin and Necromancer together is a card left as it is": "option left : seuls le "
    "Paladin et le Nécromancien ensemble laissent une carte comme elle est",
    "option markers: expected ANIMAL=VALUE, got {word!r}": "option markers : on attend ANIMAL=VALEUR, et non "
    "{word!r}",
    "option markers: expected -3, 1 to {left}, or upper 1 to {upper}, got {got!r}": "option markers : on attend -3, "
    "1 à {left}, ou upper 1 à {upper}, et non {got!r}",
    "option scoring_tile: {tile} asks where the lost fields lie, which only a match knows": "option scoring_tile : "
    "{tile} demande où sont les cases perdues, ce que seule une partie sait",
    "option {key}: expected rows up to {dice}, as many as there are dice, got a row {row}": "option {key} : on "
    "attend des rangées jusqu'à {dice}, autant que de dés, et non une rangée {row}",
    "a board: expected rows with at least one space each, got an empty row": "plateau : chaque rangée a au moins "
    "une case, l'une est vide",
    "a board: expected row labels that rise or fall, each once, got {got} from the bottom": "plateau : on attend "
    "des rangées dont les nombres montent ou descendent, chacun une fois ; depuis le bas : {got}",
    "a board: expected rows at most {most} half hexes wide, got {across}": "plateau : on attend des "
    "rangées larges de {most} demi-hexagones au plus, et non {across}",
    "a board: expected at most {most} spaces, got {total}": "plateau : on attend {most} cases au plus, et non "
    "{total}",
    "a row of a board: expected '4:  o o o', got {line!r}": "une rangée du plateau : on attend « 4:  o o o », et "
    "non {line!r}",
    "a board: expected rows with their spaces, '2:3 3:4 4:3', got {word!r}": "plateau : on attend les rangées avec "
    "leurs cases, « 2:3 3:4 4:3 », et non {word!r}",
    "a board: row {label} does not sit between the hexes of its neighbours": "plateau : la rangée {label} n'est pas "
    "entre les hexagones de ses voisines",
    # Dés
    "only dice that lie there can be kept: {lying:row}; got {got:row}": "on ne garde que des dés qui sont là : "
    "{lying:row} ; reçu {got:row}",
    "only dice that lie there can be kept: {roll:row}": "on ne garde que des dés qui sont là : {roll:row}",
    "only dice that lie there can be kept: {dice:row}": "on ne garde que des dés qui sont là : {dice:row}",
    "keeping all dice is to stand": "garder tous les dés, c'est les prendre comme ils sont",
    "keeping all dice leaves none to throw": "si tous les dés sont gardés, il n'en reste aucun à lancer",
    "keeping all dice leaves none to throw: fill a box": "si tous les dés sont gardés, il n'en reste aucun à lancer "
    ": remplissez une case",
    "keeping all dice is no re-roll": "garder tous les dés n'est pas une relance",
    "all three throws of the turn are used": "les trois lancers du tour sont faits",
    "all three throws of the turn are used: fill a box": "les trois lancers du tour sont faits : remplissez une case",
    # Au terminal
    "no roll has been made yet": "aucun lancer n'a encore été fait",
    "type at most {most} characters, not {n}": "tapez au plus {most} caractères, et non {n}",
    "{got!r} is none of the moves: type list to see them": "{got!r} n'est pas un coup possible : tapez list pour les "
    "voir",
    "{got!r} is none of the moves: type list to see them, or correct and the faces to correct the roll": "{got!r} "
    "n'est pas un coup possible : tapez list pour les voir, ou correct et les faces pour corriger le lancer",
    "expected {form}, got {got!r}": "on attend {form}, et non {got!r}",
    "a card whose text is known": "une carte dont le texte est connu",
    "a box of the sheet": "une case de la feuille",
    # Meet Fate
    "there is nothing to confirm": "il n'y a rien à confirmer",
    "six eights wait to be confirmed": "il faut d'abord confirmer les six huit",
    "the sheet has no box {box!r}; it has {boxes:row}": "la feuille n'a pas de case {box!r} ; elle a {boxes:row}",
    "the box {box:face} is filled already: each is filled once": "la case « {box:face} » est déjà remplie : chacune "
    "l'est une fois",
    # Dés chats
    "{declaration!r} cannot be declared; expected {declarations:row}": "on ne peut pas annoncer {declaration!r} ; "
    "il y a {declarations:row}",
    # Outlander
    "one card is played each turn": "à chaque tour, une carte est jouée",
    "there is no card in the hand": "il n'y a pas de carte en main",
    "the draw pile and the discard are empty": "la pioche et la défausse sont vides",
    "the one re-roll of the turn is used": "la seule relance du tour est faite",
    "hold at least {fewest} dice: at most {most} are thrown again": "gardez au moins {fewest} dés : on "
    "en relance {most} au plus",
    "this card lets no dice be thrown again now": "cette carte ne permet pas de relancer des dés maintenant",
    "this card throws all dice of one face again: hold all the others": "cette carte relance tous les "
    "dés d'une même face : gardez tous les autres",
    "there is no card {card!r} whose text is known": "il n'y a pas de carte {card!r} dont le texte soit "
    "connu",
    "outlander: cannot take {n} {face:face} away, {lying} lie there": "outlander : impossible d'enlever {n} "
    "{face:face}, il y en a {lying}",
    "a card is played each turn, from the hand or the pile": "à chaque tour, une carte est jouée, de la main ou de "
    "la pioche",
    "nothing changes the dice but a card: play one first": "seule une carte change les dés : jouez-en une d'abord",
    "a card's text has at most {most} printable characters": "le texte d'une carte a {most} caractères imprimables "
    "au plus",
    "a card gives one of the players at most 99 points": "une carte donne 99 points au plus à l'un des joueurs",
    "a card adds 1 to 12 of a face of the dice, or takes some away; got {n}": "une carte ajoute 1 à 12 fois une "
    "face des dés, ou en enlève ; reçu {n}",
    "{lying} {face:face} lie there: {n} cannot be taken away": "il y a {lying} {face:face} : impossible d'en "
    "enlever {n}",
    "a card changes one face of the dice into another one": "une carte change une face des dés en une autre",
    "{lying} {face:face} lie there: {n} cannot be changed": "il y a {lying} {face:face} : impossible d'en changer "
    "{n}",
    # Destiny
    "this is the {phase:rule} phase: no {kind:rule} now": "c'est la phase « {phase:rule} » : pas de « {kind:rule} »",
    "{card:face} is not in the hand": "{card:face} n'est pas dans la main",
    "the hand is empty": "la main est vide",
    "{card:face} lies face up already: there is one of each card": "{card:face} est déjà face visible : chaque "
    "carte existe une fois",
    "expected {number} card to discard, got {n}": "on attend {number} carte à défausser, et non {n}",
    "only cards of the own hand can be discarded": "on ne défausse que des cartes de sa main",
    "expected a base, bonus or multiplier card, got {card!r}": "on attend une carte base, bonus ou multiplicateur, "
    "et non {card!r}",
    "expected {allowed:either}, got {power!r}": "on attend {allowed:either}, et non {power!r}",
    "that takes the {power:face}: as identity, Aid or treasure": "il y faut {power:face} : comme personnage, aide "
    "ou trésor",
    "the {power:face} is used once in an action phase": "{power:face} sert une fois par phase d'action",
    "there is nothing for the {power:face} to do": "{power:face} n'a rien à faire",
    "a card is to be discarded first": "il faut d'abord défausser une carte",
    "discard some, none or all cards": "défaussez des cartes, aucune ou toutes",
    "only the Alchemist changes an alignment, of one card in a round": "seul l'Alchimiste change un alignement, "
    "celui d'une carte par manche",
    "expected an alignment ({known:row}), got {alignment!r}": "on attend un alignement ({known:row}), et non "
    "{alignment!r}",
    "only with Paladin and Necromancer together can a card be left as it is": "seuls le Paladin et le Nécromancien "
    "ensemble peuvent laisser une carte comme elle est",
    "that card keeps its alignment anyway": "cette carte garde son alignement de toute façon",
    "{card:face} is no {kind:rule} card": "{card:face} n'est pas de la phase « {kind:rule} »",
    "expected a base that lies there, got {base!r}": "on attend une base qui est là, et non {base!r}",
    "that works on other players only, and the Jester on two": "cela n'agit que sur d'autres joueurs, et le Bouffon "
    "sur deux",
    "an empty hand has no card to give": "une main vide n'a pas de carte à donner",
    "the Assassin needs an Aid card that lies there": "l'Assassin a besoin d'une aide qui est là",
    "choose a character": "choisissez un personnage",
    "expected a character, got {card!r}": "on attend un personnage, et non {card!r}",
    "destiny: {broken} ({where:place})": "destiny : {broken} ({where:place})",
    "destiny: there is one of each card, got {twice} twice": "destiny : chaque carte existe une fois, {twice} est "
    "donnée deux fois",
    "destiny: expected a base card first, got {card}": "destiny : on attend d'abord une carte base, et non {card}",
    "{alignment:face} {type:rule} {value}": "{type:rule} {alignment:face} {value}",
    "base cards may not oppose each other: {found}": "des bases ne peuvent s'opposer : {found}",
    "no two cards may oppose each other: {found}": "aucune paire de cartes ne peut s'opposer : {found}",
    "cards in a stack may not oppose each other: {found}": "les cartes d'une pile ne peuvent s'opposer : {found}",
    "{this} with {that}": "{this} avec {that}",
    "one multiplier on a base": "un multiplicateur par base",
    "one bonus card on a base": "une carte bonus par base",
    "the Rogue allows two bonus cards on a base without a multiplier": "le Filou permet deux bonus sur une base "
    "sans multiplicateur",
    "the Dragon's player cannot use bonus cards": "qui a le Dragon ne peut jouer de bonus",
    "the Dragon allows two multipliers on a base": "le Dragon permet deux multiplicateurs sur une base",
    "first-aid": "première aide",
    "hit": "échange",
    "second-aid": "seconde aide",
    "action": "action",
    "bonus": "bonus",
    "multiplier": "multiplicateur",
    "steal": "voler",
    "jest": "faire échanger des cartes",
    "trade": "piocher et défausser",
    "assassinate": "éliminer une aide",
    "look": "regarder les mains",
    "transmute": "changer d'alignement",
    "leave": "laisser comme elle est",
    "done": "terminé",
    # Outback
    "the points on the tile are asked for": "on demande les points inscrits sur la tuile",
    "no points are asked for": "on ne demande pas de points",
    "the scoring tile's values are asked for": "on demande les valeurs de la tuile Pénalité",
    "no tile's values are asked for": "on ne demande les valeurs d'aucune tuile",
    "only five equal animals may be swapped, before the first throw": "on n'échange que cinq animaux identiques, "
    "avant le premier lancer",
    "the dice are to be thrown first": "il faut d'abord lancer les dés",
    "lay an animal first; a turn without one costs a field after the third throw": "placez d'abord un animal ; un "
    "tour sans animal coûte une case après le troisième lancer",
    "an animal was laid already: the throws of this turn are over": "un animal est déjà placé : on ne lance plus à "
    "ce tour",
    "expected an animal ({animals:row}), got {animal!r}": "on attend un animal ({animals:row}), et non {animal!r}",
    "there is no {animal:face} on the jeep": "il n'y a pas de tuile « {animal:face} » sur la Jeep",
    "row {row} needs {row} dice of {animal:face} or joker, one a real {animal:face}; the dice show {real} and "
    "{jokers:count joker jokers}": "la rangée {row} demande {row} dés {animal:face} ou joker, dont un qui montre "
    "l'animal ; les dés en montrent {real}, et {jokers:count joker jokers}",
    "{lack} beside {laid:row}": "{lack}, à côté de {laid:row}",
    "expected how big the group is now, from 1 to {most}, got a group of {group}": "on attend la taille du groupe, "
    "de 1 à {most}, et non {group}",
    "an animal was laid in this turn: no field is lost": "un animal a été placé à ce tour : aucune case n'est perdue",
    "a field is lost only after three throws": "une case n'est perdue qu'après trois lancers",
    "a field is lost only when no animal can be laid: {animal:face} can go to row {row}": "une case n'est perdue "
    "que si aucun animal ne peut être placé : {animal:face} peut aller dans la rangée {row}",
    "the board is known: expected a space of it, like {name}": "le plateau est connu : on attend une de ses cases, "
    "comme {name}",
    "expected a free space ({free:row}), got {space!r}": "on attend une case libre ({free:row}), et non {space!r}",
    "the board is not known: expected a row, and how big the group is": "le plateau n'est pas connu : on attend une "
    "rangée, et la taille du groupe",
    "row {row} cannot be full with this tile: all boards are alike, and how full row {row} is was told differently "
    "before": "la rangée {row} ne peut être pleine avec cette tuile : tous les plateaux sont pareils, et la taille "
    "de la rangée {row} a été donnée autrement",
    "expected five values from 0 to {most}, for {animals:row}": "on attend cinq valeurs de 0 à {most}, pour "
    "{animals:row}",
    "expected points from 0 to {most}, got {points}": "on attend des points de 0 à {most}, et non {points}",
    "{animal:face} on the scoring tile costs {known}, got {told}": "{animal:face} coûte {known} sur la tuile "
    "Pénalité, et non {told}",
}
