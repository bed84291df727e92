"""Warum etwas nicht geht: was Regeln und Partie zurückweisen, und was sie stattdessen erwarten."""

RULES = {
    # Jede Partie
    "the match is over": "die Partie ist zu Ende",
    "people can change places when a round is over": "Plätze lassen sich tauschen, wenn eine Runde zu Ende ist",
    "people can join, leave and change places when a round is over": "dazukommen, aussteigen und Plätze tauschen geht, "
    "wenn eine Runde zu Ende ist",
    "nobody can join, leave or change places in this game once it has begun": "bei diesem Spiel kann nach Beginn "
    "niemand mehr dazukommen, aussteigen oder den Platz tauschen",
    "expected a seat for each player, one of the {n} there are or a new one": "erwartet wird für alle ein Platz, einer "
    "der {n} vorhandenen oder ein neuer",
    "{player} is to roll": "{player} ist mit Würfeln dran",
    "{count} to be drawn from {pile:pile}": "{count} aus {pile:pile} zu ziehen",
    "{names:listed} to decide: {what:rule}": "es entscheidet {names:listed}: {what:rule}",
    "{this}, or {that}": "{this}, oder {that}",
    "no roll is awaited now": "jetzt ist kein Wurf an der Reihe",
    "no decision is awaited now, but {awaited}": "jetzt ist nichts zu entscheiden, sondern: {awaited}",
    "it is not their turn: {awaited}": "jemand anders ist an der Reihe: {awaited}",
    "{game} has no move {kind!r}": "{game} kennt keinen Zug {kind!r}",
    "expected {dice} dice, got {n}": "erwartet werden {dice} Würfel, nicht {n}",
    "expected faces of {set}, got {strange!r}": "erwartet werden Bilder des Satzes {set}, nicht {strange!r}",
    "the kept dice ({kept:row}) must lie there still, got {got:row}": "die liegen gelassenen Würfel ({kept:row}) "
    "müssen noch da liegen; da liegen {got:row}",
    "nothing is to be drawn from {pile:pile} now": "aus {pile:pile} ist jetzt nichts zu ziehen",
    "expected {count} from {pile:pile}, got {n}": "erwartet werden {count} aus {pile:pile}, nicht {n}",
    "{pile:pile} does not hold {strange!r} (so often)": "in {pile:pile} ist {strange!r} nicht (so oft)",
    "the match stops at event {number}: {rule}; take that event back, or correct the roll again": "die Partie hält "
    "bei Ereignis {number} an: {rule}; nehmt dieses Ereignis zurück, oder berichtigt den Wurf noch einmal",
    "there is no decision to take back": "es gibt keine Entscheidung, die man zurücknehmen könnte",
    "there is no event {event} to take back: it was taken back, or never was": "Ereignis {event} lässt sich nicht "
    "zurücknehmen: es ist schon zurückgenommen, oder es gab es nie",
    "there is no event {event} to correct: it was taken back, or never was": "Ereignis {event} lässt sich nicht "
    "berichtigen: es ist zurückgenommen, oder es gab es nie",
    "event {event} is a decision: it can be taken back, not corrected": "Ereignis {event} ist eine Entscheidung: "
    "sie lässt sich zurücknehmen, nicht berichtigen",
    "event {event} is no decision: what the table showed is corrected, not taken back": "Ereignis {event} ist keine "
    "Entscheidung: was auf dem Tisch lag, wird berichtigt, nicht zurückgenommen",
    "{title} is for {low} to {high} players, not {n}": "{title} ist für {low} bis {high} Spieler, nicht für {n}",
    "every player needs a name of their own, of 1 to 40 letters": "alle brauchen einen eigenen Namen, mit 1 bis 40 "
    "Zeichen",
    "a name cannot have the character {sign}": "ein Name kann das Zeichen {sign} nicht enthalten",
    "{game}: expected a declaration ({words:ids}), got none": "{game}: erwartet wird eine Ansage ({words:ids}), es "
    "kam keine",
    "{game}: no card adds faces in this game; got {got}": "{game}: hier fügt keine Karte Bilder hinzu; es kam {got}",
    "{game} is played without dice: there is no roll to score": "{game} wird ohne Würfel gespielt: da ist kein Wurf "
    "zu werten",
    "{game}: expected {due} dice, got {n}": "{game}: erwartet werden {due} Würfel, nicht {n}",
    "{game} has no declarations; got {got!r}": "{game} kennt keine Ansagen; es kam {got!r}",
    # Wörter und Optionen
    "expected {what} ({known:ids}), got {got}": "erwartet wird {what} ({known:ids}), es kam {got}",
    "these dice have no face {got}; they show {known:row}": "{got} gibt es auf diesen Würfeln nicht; sie zeigen "
    "{known:row}",
    "a card of {game}": "eine Karte von {game}",
    "a declaration of {game}": "eine Ansage von {game}",
    "a game": "ein Spiel",
    "a hand of five": "ein Wurf mit fünf Würfeln",
    "a character or treasure": "ein Charakter oder Schatz",
    "an alignment": "eine Gesinnung",
    "an animal": "ein Tier",
    "option {key}: expected {expected}, got {got}": "Option {key}: erwartet wird {expected}, es kam {got}",
    "no option {got}; expected {keys:ids}": "es gibt keine Option {got}; möglich sind {keys:ids}",
    "yes or no": "ja oder nein",
    "a whole number from {low} to {high}": "eine ganze Zahl von {low} bis {high}",
    "text of at most {most} characters": "ein Text von höchstens {most} Zeichen",
    "option rerolled_from: re-rolls are not agreed on (option reroll is no)": "Option rerolled_from: ein zweiter "
    "Wurf ist nicht vereinbart (Option reroll ist nein)",
    "option set_roll: expected two different faces, got {faces:row}": "Option set_roll: erwartet werden zwei "
    "verschiedene Bilder, nicht {faces:row}",
    "person is not accepted as a declaration: option person_alias is no": "„Person“ gilt nicht als Ansage: Option "
    "person_alias ist nein",
    "option transmuted: expected one CARD=ALIGNMENT, with the Alchemist among the powers, got {word!r}": "Option "
    "transmuted: erwartet wird einmal KARTE=GESINNUNG, mit dem Alchemisten unter den Fähigkeiten, es kam {word!r}",
    "option left: only with Paladin and Necromancer together is a card left as it is": "Option left: nur mit "
    "Paladin und Totenbeschwörer zusammen bleibt eine Karte, wie sie ist",
    "option markers: expected ANIMAL=VALUE, got {word!r}": "Option markers: erwartet wird TIER=WERT, es kam {word!r}",
    "option markers: expected -3, 1 to {left}, or upper 1 to {upper}, got {got!r}": "Option markers: erwartet wird "
    "-3, 1 bis {left} oder upper 1 bis {upper}, es kam {got!r}",
    "option scoring_tile: {tile} asks where the lost fields lie, which only a match knows": "Option scoring_tile: "
    "{tile} fragt, wo die verlorenen Felder liegen; das weiß nur eine Partie",
    "option {key}: expected rows up to {dice}, as many as there are dice, got a row {row}": "Option {key}: erwartet "
    "werden Reihen bis {dice}, so viele, wie es Würfel gibt; es kam eine Reihe {row}",
    "a board: expected rows with at least one space each, got an empty row": "Landschaft: erwartet werden Reihen "
    "mit mindestens einem Feld, eine ist leer",
    "a board: expected row labels that rise or fall, each once, got {got} from the bottom": "Landschaft: erwartet "
    "werden Reihen, deren Zahlen steigen oder fallen, jede einmal; von unten kamen {got}",
    "a board: expected rows at most {most} half hexes wide, got {across}": "Landschaft: erwartet werden "
    "Reihen, die höchstens {most} halbe Sechsecke breit sind, nicht {across}",
    "a board: expected at most {most} spaces, got {total}": "Landschaft: erwartet werden höchstens {most} Felder, "
    "nicht {total}",
    "a row of a board: expected '4:  o o o', got {line!r}": "eine Reihe der Landschaft: erwartet wird „4:  o o o“, "
    "es kam {line!r}",
    "a board: expected rows with their spaces, '2:3 3:4 4:3', got {word!r}": "Landschaft: erwartet werden Reihen "
    "mit ihren Feldern, „2:3 3:4 4:3“, es kam {word!r}",
    "a board: row {label} does not sit between the hexes of its neighbours": "Landschaft: Reihe {label} liegt nicht "
    "zwischen den Sechsecken ihrer Nachbarn",
    # Würfel
    "only dice that lie there can be kept: {lying:row}; got {got:row}": "nur was da liegt, kann liegen bleiben: "
    "{lying:row}; es kam {got:row}",
    "only dice that lie there can be kept: {roll:row}": "nur was da liegt, kann liegen bleiben: {roll:row}",
    "only dice that lie there can be kept: {dice:row}": "nur was da liegt, kann liegen bleiben: {dice:row}",
    "keeping all dice is to stand": "alle Würfel liegen lassen heißt stehen bleiben",
    "keeping all dice leaves none to throw": "bleiben alle Würfel liegen, ist keiner mehr zu werfen",
    "keeping all dice leaves none to throw: fill a box": "bleiben alle Würfel liegen, ist keiner mehr zu werfen: "
    "fülle ein Feld",
    "keeping all dice is no re-roll": "bleiben alle Würfel liegen, ist es kein zweiter Wurf",
    "all three throws of the turn are used": "alle drei Würfe des Zugs sind verbraucht",
    "all three throws of the turn are used: fill a box": "alle drei Würfe des Zugs sind verbraucht: fülle ein Feld",
    # Im Terminal
    "no roll has been made yet": "bisher wurde nicht gewürfelt",
    "type at most {most} characters, not {n}": "tippe höchstens {most} Zeichen, nicht {n}",
    "{got!r} is none of the moves: type list to see them": "{got!r} ist kein möglicher Zug: mit list siehst du alle",
    "{got!r} is none of the moves: type list to see them, or correct and the faces to correct the roll": "{got!r} ist "
    "kein möglicher Zug: mit list siehst du alle, mit correct und den Bildern berichtigst du den Wurf",
    "expected {form}, got {got!r}": "erwartet wird {form}, es kam {got!r}",
    "a card whose text is known": "eine Karte, deren Text bekannt ist",
    "a box of the sheet": "ein Feld des Blatts",
    # Meet Fate
    "there is nothing to confirm": "es gibt nichts zu bestätigen",
    "six eights wait to be confirmed": "erst ist zu bestätigen, ob es sechs Achten sind",
    "the sheet has no box {box!r}; it has {boxes:row}": "auf dem Blatt gibt es kein Feld {box!r}; es gibt "
    "{boxes:row}",
    "the box {box:face} is filled already: each is filled once": "das Feld „{box:face}“ ist schon gefüllt: jedes "
    "wird einmal gefüllt",
    # Katzenwürfel
    "{declaration!r} cannot be declared; expected {declarations:row}": "{declaration!r} lässt sich nicht ansagen; "
    "möglich sind {declarations:row}",
    # Outlander
    "one card is played each turn": "in jedem Zug wird eine Karte gespielt",
    "there is no card in the hand": "auf der Hand ist keine Karte",
    "the draw pile and the discard are empty": "Nachziehstapel und Ablage sind leer",
    "the one re-roll of the turn is used": "der eine zweite Wurf dieses Zugs ist verbraucht",
    "hold at least {fewest} dice: at most {most} are thrown again": "lass mindestens {fewest} Würfel "
    "liegen: höchstens {most} werden noch einmal geworfen",
    "this card lets no dice be thrown again now": "diese Karte lässt jetzt keine Würfel noch einmal werfen",
    "this card throws all dice of one face again: hold all the others": "mit dieser Karte werden alle "
    "Würfel eines Bildes noch einmal geworfen: lass alle anderen liegen",
    "there is no card {card!r} whose text is known": "es gibt keine Karte {card!r}, deren Text bekannt ist",
    "outlander: cannot take {n} {face:face} away, {lying} lie there": "outlander: {n} {face:face} lassen sich nicht "
    "wegnehmen, es liegen {lying} da",
    "a card is played each turn, from the hand or the pile": "in jedem Zug wird eine Karte gespielt, aus der Hand "
    "oder vom Stapel",
    "nothing changes the dice but a card: play one first": "nur eine Karte ändert die Würfel: spiele erst eine",
    "a card's text has at most {most} printable characters": "der Text einer Karte hat höchstens {most} druckbare "
    "Zeichen",
    "a card gives one of the players at most 99 points": "eine Karte gibt einem der Spieler höchstens 99 Punkte",
    "a card adds 1 to 12 of a face of the dice, or takes some away; got {n}": "eine Karte fügt 1 bis 12 von einem "
    "Bild der Würfel hinzu oder nimmt welche weg; es kam {n}",
    "{lying} {face:face} lie there: {n} cannot be taken away": "es liegen {lying} {face:face} da: {n} lassen sich "
    "nicht wegnehmen",
    "a card changes one face of the dice into another one": "eine Karte verwandelt ein Bild der Würfel in ein "
    "anderes",
    "{lying} {face:face} lie there: {n} cannot be changed": "es liegen {lying} {face:face} da: {n} lassen sich "
    "nicht verwandeln",
    # Destiny
    "this is the {phase:rule} phase: no {kind:rule} now": "jetzt ist die Phase „{phase:rule}“: kein Zug "
    "„{kind:rule}“",
    "{card:face} is not in the hand": "{card:face} ist nicht auf der Hand",
    "the hand is empty": "die Hand ist leer",
    "{card:face} lies face up already: there is one of each card": "{card:face} liegt schon offen: jede Karte gibt "
    "es einmal",
    "expected {number} card to discard, got {n}": "erwartet wird {number} Karte zum Ablegen, nicht {n}",
    "only cards of the own hand can be discarded": "ablegen lassen sich nur Karten der eigenen Hand",
    "expected a base, bonus or multiplier card, got {card!r}": "erwartet wird eine Basis-, Bonus- oder "
    "Multiplikatorkarte, nicht {card!r}",
    "expected {allowed:either}, got {power!r}": "erwartet wird {allowed:either}, es kam {power!r}",
    "that takes the {power:face}: as identity, Aid or treasure": "dazu braucht es {power:face}: als Rolle, Hilfe "
    "oder Schatz",
    "the {power:face} is used once in an action phase": "{power:face} wirkt einmal in einer Aktionsphase",
    "there is nothing for the {power:face} to do": "für {power:face} gibt es nichts zu tun",
    "a card is to be discarded first": "erst ist eine Karte abzulegen",
    "discard some, none or all cards": "lege einige, keine oder alle Karten ab",
    "only the Alchemist changes an alignment, of one card in a round": "nur der Alchemist ändert eine Gesinnung, "
    "die einer Karte in der Runde",
    "expected an alignment ({known:row}), got {alignment!r}": "erwartet wird eine Gesinnung ({known:row}), nicht "
    "{alignment!r}",
    "only with Paladin and Necromancer together can a card be left as it is": "nur mit Paladin und Totenbeschwörer "
    "zusammen kann eine Karte bleiben, wie sie ist",
    "that card keeps its alignment anyway": "diese Karte behält ihre Gesinnung ohnehin",
    "{card:face} is no {kind:rule} card": "{card:face} gehört nicht in die Phase „{kind:rule}“",
    "expected a base that lies there, got {base!r}": "erwartet wird eine Basis, die da liegt, nicht {base!r}",
    "that works on other players only, and the Jester on two": "das wirkt nur auf andere Spieler, der Narr auf zwei",
    "an empty hand has no card to give": "eine leere Hand kann keine Karte geben",
    "the Assassin needs an Aid card that lies there": "der Meuchelmörder braucht eine Hilfe, die da liegt",
    "choose a character": "wähle einen Charakter",
    "expected a character, got {card!r}": "erwartet wird ein Charakter, nicht {card!r}",
    "destiny: {broken} ({where:place})": "destiny: {broken} ({where})",
    "destiny: there is one of each card, got {twice} twice": "destiny: jede Karte gibt es einmal, {twice} kam "
    "zweimal",
    "destiny: expected a base card first, got {card}": "destiny: erwartet wird zuerst eine Basiskarte, nicht {card}",
    "{alignment:face} {type:rule} {value}": "{type:rule} {value} ({alignment:face})",
    "base cards may not oppose each other: {found}": "Basiskarten dürfen einander nicht widersprechen: {found}",
    "no two cards may oppose each other: {found}": "keine zwei Karten dürfen einander widersprechen: {found}",
    "cards in a stack may not oppose each other: {found}": "Karten in einem Stapel dürfen einander nicht "
    "widersprechen: {found}",
    "{this} with {that}": "{this} mit {that}",
    "one multiplier on a base": "ein Multiplikator auf einer Basis",
    "one bonus card on a base": "eine Bonuskarte auf einer Basis",
    "the Rogue allows two bonus cards on a base without a multiplier": "der Schurke erlaubt zwei Bonuskarten auf "
    "einer Basis ohne Multiplikator",
    "the Dragon's player cannot use bonus cards": "wer den Drachen hat, kann keine Bonuskarten spielen",
    "the Dragon allows two multipliers on a base": "der Drache erlaubt zwei Multiplikatoren auf einer Basis",
    "first-aid": "erste Hilfe",
    "hit": "Tausch",
    "second-aid": "zweite Hilfe",
    "action": "Aktion",
    "bonus": "Bonus",
    "multiplier": "Multiplikator",
    "steal": "stehlen",
    "jest": "Karten tauschen lassen",
    "trade": "ziehen und ablegen",
    "assassinate": "eine Hilfe beseitigen",
    "look": "Hände ansehen",
    "transmute": "Gesinnung ändern",
    "leave": "lassen, wie sie ist",
    "done": "fertig",
    # Outback
    "the points on the tile are asked for": "gefragt ist, wie viele Punkte auf dem Plättchen stehen",
    "no points are asked for": "nach Punkten ist nicht gefragt",
    "the scoring tile's values are asked for": "gefragt sind die Werte des Wertungsplättchens",
    "no tile's values are asked for": "nach Werten eines Plättchens ist nicht gefragt",
    "only five equal animals may be swapped, before the first throw": "zurückgelegt werden dürfen nur fünf gleiche "
    "Tiere, vor dem ersten Wurf",
    "the dice are to be thrown first": "erst wird gewürfelt",
    "lay an animal first; a turn without one costs a field after the third throw": "lege erst ein Tier; ein Zug "
    "ohne Tier kostet nach dem dritten Wurf ein Feld",
    "an animal was laid already: the throws of this turn are over": "ein Tier liegt schon: in diesem Zug wird nicht "
    "mehr gewürfelt",
    "expected an animal ({animals:row}), got {animal!r}": "erwartet wird ein Tier ({animals:row}), nicht {animal!r}",
    "there is no {animal:face} on the jeep": "auf dem Jeep liegt kein Tierplättchen „{animal:face}“",
    "row {row} needs {row} dice of {animal:face} or joker, one a real {animal:face}; the dice show {real} and "
    "{jokers:count joker jokers}": "Reihe {row} braucht {row} Würfel mit {animal:face} oder Joker, einen davon mit "
    "dem Tier selbst; die Würfel zeigen {real} und {jokers:count Joker Joker}",
    "{lack} beside {laid:row}": "{lack}, neben {laid:row}",
    "expected how big the group is now, from 1 to {most}, got a group of {group}": "erwartet wird, wie groß die "
    "Gruppe jetzt ist, von 1 bis {most}, nicht {group}",
    "an animal was laid in this turn: no field is lost": "in diesem Zug liegt ein Tier: kein Feld geht verloren",
    "a field is lost only after three throws": "ein Feld geht erst nach drei Würfen verloren",
    "a field is lost only when no animal can be laid: {animal:face} can go to row {row}": "ein Feld geht nur "
    "verloren, wenn kein Tier gelegt werden kann: {animal:face} passt in Reihe {row}",
    "the board is known: expected a space of it, like {name}": "die Landschaft ist bekannt: erwartet wird ein Feld, "
    "etwa {name}",
    "expected a free space ({free:row}), got {space!r}": "erwartet wird ein freies Feld ({free:row}), nicht "
    "{space!r}",
    "the board is not known: expected a row, and how big the group is": "die Landschaft ist nicht bekannt: erwartet "
    "wird eine Reihe, und wie groß die Gruppe ist",
    "row {row} cannot be full with this tile: all boards are alike, and how full row {row} is was told differently "
    "before": "Reihe {row} kann mit diesem Plättchen nicht voll sein: alle Landschaften sind gleich, und wie viele "
    "Felder Reihe {row} hat, wurde vorher anders gesagt",
    "expected five values from 0 to {most}, for {animals:row}": "erwartet werden fünf Werte von 0 bis {most}, für "
    "{animals:row}",
    "expected points from 0 to {most}, got {points}": "erwartet werden Punkte von 0 bis {most}, nicht {points}",
    "{animal:face} on the scoring tile costs {known}, got {told}": "{animal:face} kostet auf dem Wertungsplättchen "
    "{known}, nicht {told}",
}
