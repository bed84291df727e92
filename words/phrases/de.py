"""Deutsch: was der Tisch sagt und fragt. Wer spielt, wird geduzt; Knöpfe stehen im Infinitiv."""

RULES: dict[str, str] = {
    # Würfel und Fragen
    "something else": "etwas anderes",
    "I see {seen:dice}, and the game needs {due:dice}": "ich sehe {seen:dice}, und das Spiel braucht "
    "{due:dice}",
    "which of them is none?": "was davon ist keiner?",
    "is one off the table, or on another?": "liegt einer neben dem Tisch, oder auf einem anderen?",
    "are some off the table, or on others?": "liegen welche neben dem Tisch, oder auf anderen?",
    "move them apart, or type the roll": "schieb sie auseinander, oder tippe den Wurf",
    "what does die {n} show?": "was zeigt Würfel {n}?",
    "it looks like no face of this set: is it a die of another one?": "das sieht nach keinem Bild dieses Satzes "
    "aus: gehört der Würfel zu einem anderen?",
    "I take it for {faces:maybe}": "ich halte es für {faces:maybe}",
    "{n:number} dice are unclear": "{n:number} Würfel sind unklar",
    "the {face:face} that is held does not lie where it did": "der liegen gelassene Würfel mit {face:face} liegt "
    "nicht mehr, wo er lag",
    "was it only moved?": "wurde er nur verschoben?",
    "die {n} lies as it lay before the throw": "Würfel {n} liegt, wie er vor dem Wurf lag",
    "dice {numbers:listed} lie as they lay before the throw": "die Würfel {numbers:listed} liegen, wie sie vor dem "
    "Wurf lagen",
    "does it count like that?": "gilt das so?",
    "the dice were moved, though no throw is due": "die Würfel wurden bewegt, obwohl kein Wurf an der "
    "Reihe ist",
    "the dice show what they showed before": "die Würfel zeigen, was sie vorher zeigten",
    "were they thrown?": "wurden sie geworfen?",
    "{n:dice} was moved and shows what it showed": "{n:dice} wurde verschoben und zeigt, was er zeigte",
    "{n:dice} were moved and show what they showed": "{n:dice} wurden verschoben und zeigen, was sie zeigten",
    "if thrown, say so": "wenn das ein Wurf war, sag es",
    "die {n} leans on something": "Würfel {n} lehnt an etwas",
    "the dice moved on as soon as they had come to rest": "die Würfel lagen kaum still, da bewegten sie sich weiter",
    "were they thrown again, or is it the same throw?": "wurden sie noch einmal geworfen, oder ist es derselbe Wurf?",
    "is it the same throw?": "ist es derselbe Wurf?",
    "they were thrown again": "sie wurden noch einmal geworfen",
    "it is the same throw": "es ist derselbe Wurf",
    "lay it flat, or say that it counts": "leg ihn flach hin, oder sag, dass er gilt",
    "correct a die, or throw again": "berichtige einen Würfel, oder wirf noch einmal",
    "this throw is not kept": "dieser Wurf ist nicht gespeichert",
    "look again when that is mended": "sieh noch einmal nach, wenn das behoben ist",
    "the camera sees again": "die Kamera sieht wieder",
    "the demo table is looked at now": "jetzt ist der Probetisch zu sehen",
    "the phone is the camera now": "jetzt ist das Handy die Kamera",
    "the camera is {camera} now": "die Kamera ist jetzt {camera}",
    "these dice lay there when the camera was changed": "diese Würfel lagen schon da, als die Kamera "
    "gewechselt wurde",
    # Was geschah
    "paused": "Pause",
    "the match is kept": "die Partie bleibt gespeichert",
    "die {n}, {face:face}, held": "Würfel {n}, {face:face}, bleibt liegen",
    "die {n}, {face:face}, not held": "Würfel {n}, {face:face}, bleibt nicht liegen",
    "die {n} is {face:face}": "Würfel {n} zeigt {face:face}",
    "that throw does not count": "dieser Wurf gilt nicht",
    "taken back": "zurückgenommen",
    # Was zu tun ist
    "{name}, throw the dice.": "{name}, wirf die Würfel.",
    "{name}, throw the dice for {stake:rule}.": "{name}, würfle um {stake:rule}.",
    "{name}, throw {n:dice} again.": "{name}, wirf noch einmal: {n:dice}.",
    "Hold dice and throw the others again, or choose a box.": "Lass Würfel liegen und wirf die anderen noch einmal, "
    "oder wähle ein Feld.",
    "Hold at least {n} dice and throw the others again, or choose what to do.": "Lass mindestens {n} Würfel liegen "
    "und wirf die anderen noch einmal, oder entscheide dich.",
    "Hold dice and throw the others again, or choose what to do.": "Lass Würfel liegen und wirf die anderen noch "
    "einmal, oder entscheide dich.",
    "Choose a box.": "Wähle ein Feld.",
    "the dice are rolling": "die Würfel rollen",
    # Knöpfe
    "throw the dice": "die Würfel werfen",
    "throw again instead": "lieber noch einmal werfen",
    "throw all again": "alle noch einmal werfen",
    "throw {n:dice} again": "{n:dice} noch einmal werfen",
    "take back the last decision": "letzte Entscheidung zurücknehmen",
    "take back the change of players": "Änderung der Mitspieler zurücknehmen",
    "it counts": "es gilt",
    "the dice that moved were thrown": "die bewegten Würfel wurden geworfen",
    "that throw did not count": "dieser Wurf galt nicht",
    "Sum of all dice": "Summe aller Würfel",
    "Set points": "Feste Punkte",
    # Was nicht geht
    "somebody else was quicker, look at what the table shows now": "jemand war schneller, sieh nach, was der Tisch "
    "jetzt zeigt",
    "the last move was saved after all": "der letzte Zug wurde doch gespeichert",
    "the last move was saved after all, look at what the table shows now": "der letzte Zug wurde doch gespeichert, "
    "sieh nach, was der Tisch jetzt zeigt",
    "another match is on the table now": "auf dem Tisch ist jetzt eine andere Partie",
    "another match was put on the table just before: {title}, {players}": "gerade eben kam eine andere Partie "
    "auf den Tisch: {title}, {players}",
    "there is no such match at this table": "eine solche Partie gibt es an diesem Tisch nicht",
    "no other match can be put on this table": "auf diesen Tisch kann keine andere Partie kommen",
    "there is no camera over this table": "über diesem Tisch ist keine Kamera",
    "this camera does not offer {width}×{height}": "diese Kamera bietet {width}×{height} nicht an",
    "the camera is changed, but that is not remembered: {why}": "die Kamera ist gewechselt, aber das "
    "bleibt nicht gespeichert: {why}",
    "a phone is the camera already": "ein Handy ist schon die Kamera",
    "an address is expected, of at most {most} characters": "eine Adresse wird erwartet, mit höchstens "
    "{most} Zeichen",
    "files and folders of the table’s computer are chosen there, not on another device": "Dateien und "
    "Ordner des Tischcomputers werden dort gewählt, nicht auf einem anderen Gerät",
    "there is no stream, video or folder of pictures at {address}": "unter {address} ist kein Stream, kein "
    "Video und kein Ordner mit Bildern",
    "{address} is no address": "{address} ist keine Adresse",
    "an address begins with rtsp, rtsps, http or https, not with {scheme}": "eine Adresse beginnt mit "
    "rtsp, rtsps, http oder https, nicht mit {scheme}",
    "{host} is not found in the network": "{host} ist im Netz nicht zu finden",
    "from another device only a camera of its own in the network can be named, not the table’s computer": ""
    "von einem anderen Gerät aus lässt sich nur eine eigene Kamera im Netz nennen, nicht der Tischcomputer",
    "none": "keine",
    "the four markers do not lie around a table": "die vier Marken liegen nicht um einen Tisch",
    "expected the four markers 0, 1, 2 and 3 in the picture, saw {there}": "die vier Marken 0, 1, 2 und 3 "
    "sollten im Bild sein, zu sehen sind {there}",
    "{set} does not fit {title}: it has no {faces:either}; choose another set": "{set} passt nicht zu {title}: "
    "es fehlt {faces:either}; wähle andere Würfel",
    "the match is paused": "die Partie macht Pause",
    "the match is not paused": "die Partie macht keine Pause",
    "{names:listed} would leave with points: confirm that first": "{names:listed} würde mit Punkten aussteigen: "
    "bitte erst bestätigen",
    "these are the players, in this order": "genau so wird schon gespielt, in dieser Reihenfolge",
    "no dice can be held now": "jetzt kann kein Würfel liegen bleiben",
    "nothing lies there that was doubted": "da liegt nichts, was in Zweifel stand",
    "there is no throw to take back: something was decided since": "es gibt keinen Wurf zurückzunehmen: seitdem "
    "wurde etwas entschieden",
    "the dice are still rolling": "die Würfel rollen noch",
    "type {n} faces, one for each die, not {typed}": "es liegen {n} Würfel da, getippt sind {typed}",
    "the dice count as that already": "so gelten die Würfel schon",
    "no throw is due": "jetzt ist kein Wurf an der Reihe",
    "nothing is being asked about now": "jetzt ist nichts gefragt",
    "no decision is awaited now": "jetzt ist nichts zu entscheiden",
    "there are no dice yet": "es liegen noch keine Würfel da",
    "there are dice 1 to {n}, got {number}": "es gibt die Würfel 1 bis {n}, nicht {number}",
    "nothing is to be drawn now": "jetzt ist nichts zu ziehen",
}
