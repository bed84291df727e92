"""Deutsch: Rat, Glück und faire Würfel."""

RULES: dict[str, str] = {
    # Einheiten
    "points": "Punkte",
    "points to the end of the sheet": "Punkte bis zum Ende des Blatts",
    "points by the estimate of a placement": "Punkte nach der Schätzung einer Platzierung",
    "points this turn": "Punkte in diesem Zug",
    "points this round": "Punkte in dieser Runde",
    "points more than the others' mean": "Punkte mehr als die anderen im Mittel",
    "players beaten this round": "geschlagene Mitspieler in dieser Runde",
    "chance to win": "Gewinnchance",
    "turns to the target (fewer are better, so they count below zero)": "Züge bis zum Ziel (weniger sind besser, "
    "darum zählen sie unter null)",
    "next to nothing": "fast nichts",
    # Rat
    "hold {faces:roll}, and throw {n:dice} again": "lass {faces:roll} liegen und wirf {n:dice} noch einmal",
    "hold {faces:row}": "{faces:row} liegen lassen",
    "throw all the dice again": "wirf alle Würfel noch einmal",
    "throw all again": "alle noch einmal werfen",
    "throw all six dice": "alle sechs Würfel werfen",
    "declare {declared:face}": "ansagen: {declared:face}",
    "fill {box:face}": "das Feld „{box:face}“ füllen",
    "fill {box:face}, for {points:points}": "fülle das Feld „{box:face}“, für {points:points}",
    "fill the {box}s, for {points:points}": "fülle das Feld der {box}, für {points:points}",
    "lay {groups:faces}": "legen: {groups:faces}",
    "lose a field": "ein Feld verlieren",
    "stop and lay": "aufhören und legen",
    "stand": "stehen lassen",
    "stand on this hand": "lass diesen Wurf stehen",
    "roll": "würfeln",
    "re-roll {faces:faces}": "noch einmal werfen: {faces:faces}",
    "{first}, and then the card {card}": "{first}, und dann die Karte {card}",
    "that is worth {worth:amount} {unit:rule}, and there is no other choice": "das ist {worth:amount} {unit:rule} "
    "wert, und eine andere Wahl gibt es nicht",
    "that is worth {worth:amount} {unit:rule}; to {other} is worth as much": "das ist {worth:amount} {unit:rule} "
    "wert; ebenso gut: {other}",
    "that is worth {worth:amount} {unit:rule}; the next best, to {other}, costs {cost:amount}": "das ist "
    "{worth:amount} {unit:rule} wert; das Nächstbeste, {other}, kostet {cost:amount}",
    "there is no choice yet": "noch gibt es nichts zu wählen",
    "there is nothing to decide": "es gibt nichts zu entscheiden",
    "confirm the six eights": "bestätige die sechs Achten",
    "they win the match, whatever the totals": "sie gewinnen die Partie, egal wie es steht",
    "they end the sheet with the points that it has": "sie beenden das Blatt mit den Punkten, die es hat",
    "the chance to win is {chance:percent}": "die Gewinnchance ist {chance:percent}",
    "an estimate: the others are taken to play for points, what the sheets will still bring is spread box by box, "
    "and six eights in later turns are left out": "eine Schätzung: es wird angenommen, dass die anderen auf "
    "Punkte spielen, was die Blätter noch bringen, streut Feld für Feld, und sechs Achten in späteren Zügen "
    "bleiben außer Betracht",
    "even dice; {rest}": "gleichmäßige Würfel; {rest}",
    "even dice, the most points on one's own sheet, which six eights end": "gleichmäßige Würfel, die meisten "
    "Punkte auf dem eigenen Blatt, das sechs Achten beenden",
    "{n} boxes are open and these house rules are not solved yet: `{command}` does it once, in about a minute": "{n} "
    "Felder sind offen, und diese Hausregeln sind noch nicht gelöst: `{command}` tut es einmal, in etwa einer "
    "Minute",
    "even dice, everyone playing their best": "gleichmäßige Würfel, alle spielen, so gut es geht",
    "an estimate: everyone is taken to play their best without answering what the others roll; {rest}": "eine "
    "Schätzung: es wird angenommen, dass alle so gut spielen, wie es geht, ohne auf die Würfe der anderen zu "
    "antworten; {rest}",
    "an estimate: that the round is played to its end is left out; {rest}": "eine Schätzung: dass die Runde zu "
    "Ende gespielt wird, bleibt außer Betracht; {rest}",
    "how far everyone is from the target is left out": "wie weit es für alle noch bis zum Ziel ist, bleibt außer "
    "Betracht",
    "the card is played": "die Karte ist gespielt",
    "{worth:tenth} points are still to come on average": "im Mittel kommen noch {worth:tenth} Punkte",
    "{n} {animal:face} {chance:percent}": "{n} {animal:face} {chance:percent}",
    "its likeliest big group: {one}": "die wahrscheinlichste große Gruppe: {one}",
    "its likeliest big groups: {one} and {other}": "die wahrscheinlichsten großen Gruppen: {one} und {other}",
    "roll: the chance to win is {chance:percent}": "würfeln: die Gewinnchance ist {chance:percent}",
    "the chance to win is then {chance:percent}; as good: {other}": "die Gewinnchance ist dann {chance:percent}; "
    "ebenso gut: {other}",
    "the chance to win is then {chance:percent}; with the next best, {other}, {then:percent}": "die Gewinnchance "
    "ist dann {chance:percent}; mit dem Nächstbesten, {other}, {then:percent}",
    "the target is then {turns:tenth} turns away on average": "bis zum Ziel sind es dann im Mittel {turns:tenth} "
    "Züge",
    # Worauf er beruht
    "even dice": "gleichmäßige Würfel",
    "even dice; cards are not looked at": "gleichmäßige Würfel; Karten werden nicht betrachtet",
    "even dice with one of each face": "gleichmäßige Würfel mit jedem Bild einmal",
    "the face weights as entered": "die eingegebenen Gewichte der Bilder",
    "an estimate from {n} thrown dice": "eine Schätzung aus {n} geworfenen Würfeln",
    "{likely}; {card:rule}": "{likely}; {card:rule}",
    "no card": "keine Karte",
    "even dice, the most points on one's own sheet, six eights ignored": "gleichmäßige Würfel, die meisten Punkte "
    "auf dem eigenen Blatt, sechs Achten nicht betrachtet",
    "even dice, the most points on one's own sheet, six eights a win worth {eights} points": "gleichmäßige "
    "Würfel, die meisten Punkte auf dem eigenen Blatt, sechs Achten als Sieg im Wert von {eights} Punkten",
    "even dice, the most points of the round; a re-roll that does not improve scores nothing": "gleichmäßige "
    "Würfel, die meisten Punkte der Runde; ein zweiter Wurf, der nichts verbessert, bringt nichts",
    "even dice, the most points of the round for everyone": "gleichmäßige Würfel, für alle die meisten Punkte der "
    "Runde",
    "even dice, the most points of this round ahead of the others' mean": "gleichmäßige Würfel, in dieser Runde "
    "möglichst viele Punkte mehr als die anderen im Mittel",
    "even dice, both players playing their best": "gleichmäßige Würfel, beide spielen, so gut es geht",
    "even dice, the fewest turns": "gleichmäßige Würfel, so wenige Züge wie möglich",
    "an estimate: what a placement is worth is told or guessed; the chances of the dice are exact": "eine "
    "Schätzung: was eine Platzierung wert ist, wird gesagt oder geraten; die Chancen der Würfel sind genau",
    # Glück und Wahl
    "{player} was lucky by {by}": "{player} hatte Glück im Wert von {by}",
    "{player} was unlucky by {by}": "{player} hatte Pech im Wert von {by}",
    "{player} lost {lost}": "{player} verlor {lost}",
    "{lost} by choices other than the best": "{lost} durch andere Entscheidungen als die besten",
    "{points:amount} points": "{points:amount} Punkte",
    "{part:percent} of a win": "{part:percent} eines Siegs",
    "{this} and {that}": "{this} und {that}",
    "{this}, {that}": "{this}, {that}",
    "{this}; {that}": "{this}; {that}",
    "perfectly played": "perfekt gespielt",
    "this turn's choices lost {total}: {told}": "die Entscheidungen dieses Zugs kosteten {total}: {told}",
    "{did} lost {lost}, better: {better}": "{did} kostete {lost}, besser: {better}",
    "throw {n}": "Wurf {n}",
    "rolled": "gewürfelt",
    "re-rolled": "noch einmal gewürfelt",
    "the other rolled": "der andere würfelte",
    "another declaration": "eine andere Ansage",
    # Faire Würfel
    "set": "Satz",
    "player": "Spieler",
    "die": "Würfel",
    "all dice": "alle Würfel",
    "{kind:rule} {name}": "{kind:rule} {name}",
    "{n} dice were thrown; below {fewest} nothing is said about luck or fairness": "{n} Würfel wurden geworfen; "
    "unter {fewest} wird nichts über Glück oder faire Würfel gesagt",
    "so few throws are uneven by themselves": "so wenige Würfe sind von selbst ungleichmäßig",
    "nothing speaks against fair dice": "nichts spricht gegen faire Würfel",
    "{which} fell too unevenly for fair dice": "{which} fiel zu ungleichmäßig für faire Würfel",
    "which die is which cannot be told, so no die is looked at alone": "welcher Würfel welcher ist, lässt sich "
    "nicht sagen, darum wird keiner einzeln betrachtet",
    "the most uneven is {which}: {extreme}; the chance of so much is {chance}": "am ungleichmäßigsten: {which}; "
    "{extreme}; die Chance für so viel ist {chance}",
    "{face:face} came {seen} times of {thrown}, {mean:tenth} were to be expected": "{face:face} kam {seen}-mal "
    "bei {thrown}, zu erwarten war {mean:tenth}-mal",
    "under one in a thousand": "unter einem Tausendstel",
    "{p:percent}": "{p:percent}",
    "{p}, all that was looked at allowed for": "{p}, alles Betrachtete mitgerechnet",
    # Wo es keinen Rat gibt
    "nothing has been decided yet": "noch ist nichts entschieden",
    "the match does not go on: there is nothing to decide": "die Partie geht nicht weiter: es gibt nichts zu "
    "entscheiden",
    "for {game} there is no advice": "für {game} gibt es keinen Rat",
    "first say whether these are six eights": "sag erst, ob das sechs Achten sind",
    "the dice are in the hand: there is nothing to decide before they lie": "die Würfel sind in der Hand: bevor "
    "sie liegen, gibt es nichts zu entscheiden",
    "advice is on the re-roll, before it is made and while no card is being played": "Rat gibt es zum zweiten "
    "Wurf, vor ihm und solange keine Karte gespielt wird",
    "it is declared: there is nothing to decide before the dice lie": "es ist angesagt: bevor die Würfel liegen, "
    "gibt es nichts zu entscheiden",
    "it is declared: there is nothing to decide before the round is over": "es ist angesagt: bevor die Runde zu "
    "Ende ist, gibt es nichts zu entscheiden",
    "re-rolls are not agreed on: there is nothing to decide": "ein zweiter Wurf ist nicht vereinbart: es gibt "
    "nichts zu entscheiden",
    "there is nothing to decide before the dice lie": "bevor die Würfel liegen, gibt es nichts zu entscheiden",
    "advice is on the dice as they lie, before an animal is laid": "Rat gibt es zu den Würfeln, wie sie liegen, "
    "bevor ein Tier gelegt wird",
    "there is nothing to choose between": "es gibt nichts zu wählen",
    "no box is open: the sheet is full": "kein Feld ist offen: das Blatt ist voll",
    "nothing can be laid: expected free rows and animals on the jeep": "es lässt sich nichts legen: dazu braucht "
    "es freie Reihen und Tiere auf dem Jeep",
    "{game}: luck and skill cannot be told apart without guessing what a placement is worth": "{game}: Glück und "
    "Können lassen sich nicht trennen, ohne zu raten, was eine Platzierung wert ist",
    "quintuples: luck is told for up to {most} players, got {players}": "quintuples: Glück wird für höchstens "
    "{most} Spieler gesagt, nicht {players}",
    "with an upper bonus the sheet is not solved as a whole: option upper_bonus must be 0, or few boxes open": "mit "
    "einem Bonus des ersten Abschnitts wird das Blatt nicht als Ganzes gelöst: Option upper_bonus muss 0 sein, "
    "oder wenige Felder offen",
    "with an upper bonus these boxes have {positions} positions, and at most {most} are solved: fewer boxes must "
    "be open": "mit einem Bonus des ersten Abschnitts haben diese Felder {positions} Stellungen, gelöst werden "
    "höchstens {most}: es müssen weniger Felder offen sein",
    # Fragen, die nicht aufgehen
    "expected {dice} dice, got {n}": "erwartet werden {dice} Würfel, nicht {n}",
    "expected faces 1 to 8, got {strange!r}": "erwartet werden Zahlen von 1 bis 8, nicht {strange!r}",
    "expected faces ({faces:row}), got {strange!r}": "erwartet werden Bilder ({faces:row}), nicht {strange!r}",
    "expected faces ({known:row}), got {face!r}": "erwartet werden Bilder ({known:row}), nicht {face!r}",
    "a throw of {n} dice names {named} of them": "ein Wurf mit {n} Würfeln nennt {named} davon",
    "with dice on the table 0, 1 or 2 throws are left, got {left}": "liegen Würfel da, sind es noch 0, 1 oder 2 "
    "Würfe, nicht {left}",
    "before the first throw there are {throws} throws left, got {left}": "vor dem ersten Wurf sind es noch "
    "{throws} Würfe, nicht {left}",
    "there is one re-roll: 0 or 1 rolls are left, got {left}": "es gibt einen zweiten Wurf: noch 0 oder 1, nicht "
    "{left}",
    "there is one re-roll a turn: 0 or 1 rolls are left, got {left}": "es gibt einen zweiten Wurf im Zug: noch 0 "
    "oder 1, nicht {left}",
    "six eights: expected a worth from 0 to {most} points, got {eights}": "sechs Achten: erwartet wird ein Wert "
    "von 0 bis {most} Punkten, nicht {eights}",
    "expected 0 to {most} players yet to roll, got {players}": "erwartet werden 0 bis {most} Spieler, die noch "
    "würfeln, nicht {players}",
    "expected 1 to {most} players, got {players}": "erwartet werden 1 bis {most} Spieler, nicht {players}",
    "standings: expected numbers from 0 to {most}, got {got}": "Stände: erwartet werden Zahlen von 0 bis {most}, "
    "nicht {got}",
    "expected placements worth at most {most} points": "erwartet werden Platzierungen im Wert von höchstens "
    "{most} Punkten",
    "expected 6 or 7 dice and rows from 2 on, got {dice} and {rows}": "erwartet werden 6 oder 7 Würfel und Reihen "
    "ab 2, nicht {dice} und {rows}",
    "a race is solved up to {most} points, got {target}": "ein Wettlauf wird bis {most} Punkte gelöst, nicht "
    "{target}",
    "expected points needed from 1 to {target} for each player, got {needs}": "erwartet wird für jeden, wie viele "
    "Punkte fehlen, von 1 bis {target}, nicht {needs}",
    "weights: expected faces ({faces:row}), got {strange!r}": "Gewichte: erwartet werden Bilder ({faces:row}), "
    "nicht {strange!r}",
    "weights: expected numbers from 0 to a million, not all of them 0": "Gewichte: erwartet werden Zahlen von 0 "
    "bis zu einer Million, nicht alle 0",
}
