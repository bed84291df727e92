"""Français : ce que la table dit et demande. On vouvoie ; les boutons sont à l'infinitif."""

from scoring.phrases.fr import spaced

RULES = spaced(
    {
        # Les dés et les questions
        "something else": "autre chose",
        "I see {seen:dice}, and the game needs {due:dice}": "je vois {seen:dice}, et il en faut {due:number}",
        "which of them is none?": "lequel n'en est pas un ?",
        "is one off the table, or on another?": "y en a-t-il un hors de la table, ou sur un autre ?",
        "are some off the table, or on others?": "y en a-t-il hors de la table, ou sur d'autres ?",
        "move them apart, or type the roll": "écartez-les, ou tapez le lancer",
        "what does die {n} show?": "que montre le dé {n} ?",
        "it looks like no face of this set: is it a die of another one?": "cela ne ressemble à aucune face de ce "
        "jeu de dés : est-ce un dé d'un autre jeu ?",
        "I take it for {faces:maybe}": "il me semble voir {faces:maybe}",
        "{n:number} dice are unclear": "{n:number} dés ne sont pas nets",
        "the {face:face} that is held does not lie where it did": "le dé gardé, {face:face}, n'est plus à "
        "sa place",
        "was it only moved?": "a-t-il seulement été déplacé ?",
        "die {n} lies as it lay before the throw": "le dé {n} est comme avant le lancer",
        "dice {numbers:listed} lie as they lay before the throw": "les dés {numbers:listed} sont comme avant le "
        "lancer",
        "does it count like that?": "est-ce que cela compte ainsi ?",
        "the dice were moved, though no throw is due": "les dés ont bougé, mais aucun lancer n'est attendu",
        "the dice show what they showed before": "les dés montrent la même chose qu'avant",
        "were they thrown?": "ont-ils été lancés ?",
        "{n:dice} was moved and shows what it showed": "{n:dice} a été déplacé et montre la même chose",
        "{n:dice} were moved and show what they showed": "{n:dice} ont été déplacés et montrent la même "
        "chose",
        "if thrown, say so": "si c'était un lancer, dites-le",
        "die {n} leans on something": "le dé {n} est appuyé contre quelque chose",
        "the dice moved on as soon as they had come to rest": "à peine immobiles, les dés ont encore bougé",
        "were they thrown again, or is it the same throw?": "ont-ils été relancés, ou est-ce le même lancer ?",
        "is it the same throw?": "est-ce le même lancer ?",
        "they were thrown again": "ils ont été relancés",
        "it is the same throw": "c'est le même lancer",
        "lay it flat, or say that it counts": "posez-le à plat, ou dites qu'il compte",
        "correct a die, or throw again": "corrigez un dé, ou relancez",
        "this throw is not kept": "ce lancer n'est pas enregistré",
        "look again when that is mended": "regardez de nouveau quand c'est réparé",
        "the camera sees again": "la caméra voit de nouveau",
        "the demo table is looked at now": "la table de démonstration est regardée maintenant",
        "the phone is the camera now": "le téléphone est la caméra maintenant",
        "the camera is {camera} now": "la caméra est maintenant {camera}",
        "these dice lay there when the camera was changed": "ces dés étaient déjà là quand la caméra a été "
        "changée",
        # Ce qui s'est passé
        "paused": "pause",
        "the match is kept": "la partie est enregistrée",
        "die {n}, {face:face}, held": "dé {n}, {face:face}, gardé",
        "die {n}, {face:face}, not held": "dé {n}, {face:face}, pas gardé",
        "die {n} is {face:face}": "le dé {n} montre {face:face}",
        "that throw does not count": "ce lancer ne compte pas",
        "taken back": "annulé",
        # Ce qu'il y a à faire
        "{name}, throw the dice.": "{name}, lancez les dés.",
        "{name}, throw the dice for {stake:rule}.": "{name}, lancez les dés pour {stake:rule}.",
        "{name}, throw {n:dice} again.": "{name}, relancez {n:dice}.",
        "Hold dice and throw the others again, or choose a box.": "Gardez des dés et relancez les autres, ou "
        "choisissez une case.",
        "Hold at least {n} dice and throw the others again, or choose what to do.": "Gardez au moins {n} dés et "
        "relancez les autres, ou décidez-vous.",
        "Hold dice and throw the others again, or choose what to do.": "Gardez des dés et relancez les autres, ou "
        "décidez-vous.",
        "Choose a box.": "Choisissez une case.",
        "the dice are rolling": "les dés roulent",
        # Boutons
        "throw the dice": "lancer les dés",
        "throw again instead": "plutôt relancer",
        "throw all again": "tout relancer",
        "throw {n:dice} again": "relancer {n:dice}",
        "take back the last decision": "annuler la dernière décision",
        "take back the change of players": "annuler le changement de joueurs",
        "it counts": "cela compte",
        "the dice that moved were thrown": "les dés déplacés ont été lancés",
        "that throw did not count": "ce lancer ne comptait pas",
        "Sum of all dice": "Somme de tous les dés",
        "Set points": "Points fixes",
        # Ce qui ne va pas
        "somebody else was quicker, look at what the table shows now": "quelqu'un a été plus rapide, regardez ce "
        "que montre la table",
        "the last move was saved after all": "le dernier coup a bien été enregistré",
        "the last move was saved after all, look at what the table shows now": "le dernier coup a bien été enregistré, "
        "regardez ce que montre la table",
        "another match is on the table now": "une autre partie est sur la table maintenant",
        "another match was put on the table just before: {title}, {players}": "une autre partie vient d'être "
        "mise sur la table : {title}, {players}",
        "there is no such match at this table": "il n'y a pas de telle partie à cette table",
        "no other match can be put on this table": "aucune autre partie ne peut être mise sur cette table",
        "there is no camera over this table": "il n'y a pas de caméra au-dessus de cette table",
        "this camera does not offer {width}×{height}": "cette caméra ne propose pas {width}×{height}",
        "the camera is changed, but that is not remembered: {why}": "la caméra est changée, mais ce n'est "
        "pas gardé en mémoire : {why}",
        "a phone is the camera already": "un téléphone est déjà la caméra",
        "an address is expected, of at most {most} characters": "une adresse est attendue, de {most} "
        "caractères au plus",
        "files and folders of the table’s computer are chosen there, not on another device": "les fichiers "
        "et dossiers de l'ordinateur de la table se choisissent là-bas, pas sur un autre appareil",
        "there is no stream, video or folder of pictures at {address}": "il n'y a ni flux, ni vidéo, ni "
        "dossier d'images à {address}",
        "{address} is no address": "{address} n'est pas une adresse",
        "an address begins with rtsp, rtsps, http or https, not with {scheme}": "une adresse commence par "
        "rtsp, rtsps, http ou https, pas par {scheme}",
        "{host} is not found in the network": "{host} est introuvable dans le réseau",
        "from another device only a camera of its own in the network can be named, not the table’s computer": ""
        "depuis un autre appareil on ne peut nommer qu'une caméra à part dans le réseau, pas l'ordinateur "
        "de la table",
        "none": "aucun",
        "the four markers do not lie around a table": "les quatre repères n'entourent pas une table",
        "expected the four markers 0, 1, 2 and 3 in the picture, saw {there}": "les quatre repères 0, 1, 2 et "
        "3 devraient être dans l'image, on voit : {there}",
        "{set} does not fit {title}: it has no {faces:either}; choose another set": "{set} ne va pas avec "
        "{title} : il y manque {faces:either} ; choisis d'autres dés",
        "the match is paused": "la partie est en pause",
        "the match is not paused": "la partie n'est pas en pause",
        "{names:listed} would leave with points: confirm that first": "{names:listed} partirait avec des points : "
        "confirmez-le d'abord",
        "these are the players, in this order": "ce sont déjà les joueurs, dans cet ordre",
        "no dice can be held now": "aucun dé ne peut être gardé maintenant",
        "nothing lies there that was doubted": "rien sur la table n'était en doute",
        "there is no throw to take back: something was decided since": "il n'y a pas de lancer à annuler : une "
        "décision a été prise depuis",
        "the dice are still rolling": "les dés roulent encore",
        "type {n} faces, one for each die, not {typed}": "il faut {n} faces, une par dé, et non {typed}",
        "the dice count as that already": "c'est déjà ainsi que comptent les dés",
        "no throw is due": "aucun lancer n'est attendu",
        "nothing is being asked about now": "il n'y a pas de question maintenant",
        "no decision is awaited now": "il n'y a rien à décider maintenant",
        "there are no dice yet": "il n'y a pas encore de dés",
        "there are dice 1 to {n}, got {number}": "il y a les dés 1 à {n}, et non {number}",
        "nothing is to be drawn now": "il n'y a rien à tirer maintenant",
    }
)
