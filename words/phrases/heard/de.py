"""Deutsch: was Kameras, Geräte und Platten sagen (`words.overheard`)."""

RULES: dict[str, str] = {
    "the camera's picture stands still; nothing is read until it moves again": "das Bild der Kamera steht still; "
    "bis es sich wieder bewegt, wird nichts gelesen",
    "the camera's picture is black; is the lens covered, or the light off?": "das Bild der Kamera ist schwarz; "
    "ist die Linse verdeckt, oder das Licht aus?",
    "the camera's picture is out of focus": "das Bild der Kamera ist unscharf",
    "it is dark on the table: dice may be missed; more light helps": "auf dem Tisch ist es dunkel: Würfel können "
    "übersehen werden; mehr Licht hilft",
    "the camera moves; fix it so that it stands still": "die Kamera bewegt sich; mach sie fest",
    "{camera} does not open; is it plugged in, and free of other programs?": "{camera} lässt sich nicht öffnen; "
    "ist sie angesteckt, und von keinem anderen Programm belegt?",
    "{camera} gives no picture; is it still plugged in?": "{camera} gibt kein Bild; ist sie noch angesteckt?",
    "another camera is being opened just now": "gerade wird eine andere Kamera geöffnet",
    "{camera} does not let go; is its driver hanging?": "{camera} gibt nicht frei; hängt ihr Treiber?",
    "{camera} gives no more pictures": "{camera} gibt keine Bilder mehr",
    "{camera} is not open": "{camera} ist nicht offen",
    "{camera} is not a file": "{camera} ist keine Datei",
    "{camera} is not a folder": "{camera} ist kein Ordner",
    "{camera} is no video that can be read here": "{camera} ist kein Video, das sich hier lesen lässt",
    "{camera} holds no JPEG, PNG or WebP picture": "in {camera} ist kein Bild als JPEG, PNG oder WebP",
    "the phone sends no pictures; is its page still open?": "das Handy schickt keine Bilder; ist seine Seite noch "
    "offen?",
    "Tableside stopped looking: a fault of its own, see the terminal": "Tableside sieht nicht mehr hin: ein "
    "eigener Fehler, siehe Terminal",
    "The scoreboard is looked for": "die Anzeigetafel wird gesucht",
    "The scoreboard does not answer yet; still looking": "die Anzeigetafel antwortet noch nicht; sie wird weiter "
    "gesucht",
    "The scoreboard is gone; still looking": "die Anzeigetafel ist fort; sie wird weiter gesucht",
    "The scoreboard is connected": "die Anzeigetafel ist verbunden",
    "The scoreboard is connected ({display})": "die Anzeigetafel ist verbunden ({display})",
    "The scoreboard's firmware is old: flash it again (it speaks version {theirs}, Tableside {ours})": "die "
    "Firmware der Anzeigetafel ist alt: spiel sie neu auf (sie spricht Version {theirs}, Tableside {ours})",
    "The scoreboard's firmware is newer than this Tableside: update (it speaks version {theirs}, Tableside "
    "{ours})": "die Firmware der Anzeigetafel ist neuer als dieses Tableside: aktualisiere es (sie spricht "
    "Version {theirs}, Tableside {ours})",
    "The MQTT broker at {host} is looked for": "der MQTT-Broker auf {host} wird gesucht",
    "The MQTT broker at {host} refuses: {why}": "der MQTT-Broker auf {host} weist ab: {why}",
    "The MQTT broker at {host} is gone; still trying": "der MQTT-Broker auf {host} ist fort; es wird weiter "
    "versucht",
    "The MQTT broker at {host} does not answer; still trying": "der MQTT-Broker auf {host} antwortet nicht; es "
    "wird weiter versucht",
    "Notices go out over MQTT ({host})": "Meldungen gehen über MQTT hinaus ({host})",
    "Nothing goes out over MQTT: {why}": "über MQTT geht nichts hinaus: {why}",
    "The voice speaks": "die Stimme spricht",
    "There is no voice here; install espeak-ng": "hier gibt es keine Stimme; installiere espeak-ng",
    "The voice does not speak: {why}": "die Stimme spricht nicht: {why}",
    "The voice failed (exit {code})": "die Stimme ist gescheitert (Rückgabe {code})",
    "{store}: the disk is full": "{store}: die Platte ist voll",
    "{store}: it is read-only": "{store}: nur zum Lesen",
    "{store}: it cannot be opened or made": "{store}: lässt sich weder öffnen noch anlegen",
    "{store}: permission is denied": "{store}: der Zugriff ist verweigert",
    "{store}: another program holds it": "{store}: ein anderes Programm hält die Datei",
    "{store}: the disk refuses it (full, too large for its limits, or failing)": "{store}: die Platte weist es ab "
    "(voll, zu groß für ihre Grenzen, oder defekt)",
    "{store}: it is damaged; `tableside matches rescue` saves what can still be read": "{store}: beschädigt; "
    "`tableside matches rescue` rettet, was noch lesbar ist",
    "{store}: it is no store of matches, or damaged; `tableside matches rescue` saves what can still be read": "{store}"
    ": keine Ablage von Partien, oder beschädigt; `tableside matches rescue` rettet, was noch lesbar ist",
    "{store}: it is damaged ({why}); `tableside matches rescue` saves what can still be read": "{store}: "
    "beschädigt ({why}); `tableside matches rescue` rettet, was noch lesbar ist",
    "matches cannot be kept in {folder}: {why}": "Partien lassen sich in {folder} nicht aufheben: {why}",
    "{store}: reading it takes too long; it is no store of matches, or damaged": "{store}: das Lesen dauert zu lange; "
    "das ist keine Sammlung von Partien, oder sie ist beschädigt",
    "{store}: the last move was saved after all": "{store}: der letzte Zug wurde doch gespeichert",
    "the log of {id} is gone from event {number} on, of {kept}; `tableside matches rescue` saves the {left} before": ""
    "das Protokoll von {id} fehlt ab Ereignis {number} von {kept}; `tableside matches rescue` rettet die {left} davor",
    "the match {id} is gone, all {kept} events of it": "die Partie {id} ist verloren, mit allen {kept} Ereignissen",
    "the match {id} is being played elsewhere; this table must stop": "die Partie {id} wird anderswo gespielt; "
    "dieser Tisch muss aufhören",
    "line {number}: {why}": "Zeile {number}: {why}",
    "the log is empty: expected a first line that says which game is played": "das Protokoll ist leer: in der "
    "ersten Zeile sollte das Spiel stehen",
    "the log is cut in the middle of a line": "das Protokoll ist mitten in einer Zeile abgeschnitten",
    "more than {most} events": "mehr als {most} Ereignisse",
    "expected event {expected}, got {got}: lines are missing": "hier sollte Ereignis {expected} stehen, nicht "
    "{got}: es fehlen Zeilen",
    "the match was played by rules version {theirs}; this Tableside plays {game} by rules version {ours}": ""
    "die Partie wurde nach Regeln der Version {theirs} gespielt; dieses Tableside spielt {game} nach Version "
    "{ours}",
    "written by a newer Tableside (schema {schema}; this one reads up to {ours})": "von einem neueren Tableside "
    "geschrieben (Schema {schema}; dieses liest bis {ours})",
    "expected schema {ours}, got {got}": "das Schema sollte {ours} sein, nicht {got}",
    "expected one JSON object, got {got}": "das ist kein JSON-Objekt: {got}",
    "expected a JSON object, got {got}": "das ist kein JSON-Objekt: {got}",
    "longer than {most} characters": "länger als {most} Zeichen",
    "expected roll, draw, move, seats, undo or correction, got {got}": "ein solches Ereignis gibt es nicht: {got}",
    "expected the head of a match log (a game, its players, its options)": "hier fehlt der Kopf des Protokolls "
    "(Spiel, Spieler, Hausregeln)",
    "expected options, by name": "hier fehlen die Hausregeln",
    "option {name} is neither yes/no, a number nor a word": "die Hausregel {name} ist weder ja/nein noch eine "
    "Zahl oder ein Wort",
    "there is no match {id} in {store}": "die Partie {id} gibt es in {store} nicht",
    "no match is kept in {store}": "in {store} ist keine Partie aufgehoben",
}
