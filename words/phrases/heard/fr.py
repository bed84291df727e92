"""Français : ce que disent caméras, appareils et disques (`words.overheard`)."""

from scoring.phrases.fr import spaced

RULES = spaced(
    {
        "the camera's picture stands still; nothing is read until it moves again": "l'image de la caméra est "
        "figée ; rien n'est lu tant qu'elle ne bouge pas",
        "the camera's picture is black; is the lens covered, or the light off?": "l'image de la caméra est noire "
        "; l'objectif est-il couvert, ou la lumière éteinte ?",
        "the camera's picture is out of focus": "l'image de la caméra est floue",
        "it is dark on the table: dice may be missed; more light helps": "il fait sombre sur la table : des dés "
        "peuvent échapper à la caméra ; éclairez davantage",
        "the camera moves; fix it so that it stands still": "la caméra bouge ; fixez-la",
        "{camera} does not open; is it plugged in, and free of other programs?": "{camera} ne s'ouvre pas ; "
        "est-elle branchée, et libre d'autres programmes ?",
        "{camera} gives no picture; is it still plugged in?": "{camera} ne donne pas d'image ; est-elle encore "
        "branchée ?",
        "another camera is being opened just now": "une autre caméra est justement en train d'être ouverte",
        "{camera} does not let go; is its driver hanging?": "{camera} ne lâche pas prise ; son pilote "
        "est-il bloqué ?",
        "{camera} gives no more pictures": "{camera} ne donne plus d'images",
        "{camera} is not open": "{camera} n'est pas ouverte",
        "{camera} is not a file": "{camera} n'est pas un fichier",
        "{camera} is not a folder": "{camera} n'est pas un dossier",
        "{camera} is no video that can be read here": "{camera} n'est pas une vidéo lisible ici",
        "{camera} holds no JPEG, PNG or WebP picture": "{camera} ne contient aucune image JPEG, PNG ou WebP",
        "the phone sends no pictures; is its page still open?": "le téléphone n'envoie pas d'images ; sa page "
        "est-elle encore ouverte ?",
        "Tableside stopped looking: a fault of its own, see the terminal": "Tableside a cessé de regarder : une "
        "faute à lui, voir le terminal",
        "The scoreboard is looked for": "on cherche le tableau d'affichage",
        "The scoreboard does not answer yet; still looking": "le tableau d'affichage ne répond pas encore ; on le "
        "cherche toujours",
        "The scoreboard is gone; still looking": "le tableau d'affichage a disparu ; on le cherche toujours",
        "The scoreboard is connected": "le tableau d'affichage est connecté",
        "The scoreboard is connected ({display})": "le tableau d'affichage est connecté ({display})",
        "The scoreboard's firmware is old: flash it again (it speaks version {theirs}, Tableside {ours})": "le "
        "micrologiciel du tableau d'affichage est ancien : réinstallez-le (il parle la version {theirs}, Tableside "
        "{ours})",
        "The scoreboard's firmware is newer than this Tableside: update (it speaks version {theirs}, Tableside "
        "{ours})": "le micrologiciel du tableau d'affichage est plus récent que ce Tableside : mettez-le à jour (il "
        "parle la version {theirs}, Tableside {ours})",
        "The MQTT broker at {host} is looked for": "on cherche le courtier MQTT sur {host}",
        "The MQTT broker at {host} refuses: {why}": "le courtier MQTT sur {host} refuse : {why}",
        "The MQTT broker at {host} is gone; still trying": "le courtier MQTT sur {host} a disparu ; nouveaux "
        "essais",
        "The MQTT broker at {host} does not answer; still trying": "le courtier MQTT sur {host} ne répond pas ; "
        "nouveaux essais",
        "Notices go out over MQTT ({host})": "les annonces partent par MQTT ({host})",
        "Nothing goes out over MQTT: {why}": "rien ne part par MQTT : {why}",
        "The voice speaks": "la voix parle",
        "There is no voice here; install espeak-ng": "il n'y a pas de voix ici ; installez espeak-ng",
        "The voice does not speak: {why}": "la voix ne parle pas : {why}",
        "The voice failed (exit {code})": "la voix a échoué (code {code})",
        "{store}: the disk is full": "{store} : le disque est plein",
        "{store}: it is read-only": "{store} : en lecture seule",
        "{store}: it cannot be opened or made": "{store} : impossible à ouvrir ou à créer",
        "{store}: permission is denied": "{store} : accès refusé",
        "{store}: another program holds it": "{store} : un autre programme le retient",
        "{store}: the disk refuses it (full, too large for its limits, or failing)": "{store} : le disque le "
        "refuse (plein, trop grand pour ses limites, ou défaillant)",
        "{store}: it is damaged; `tableside matches rescue` saves what can still be read": "{store} : endommagé ; "
        "`tableside matches rescue` sauve ce qui est encore lisible",
        "{store}: it is no store of matches, or damaged; `tableside matches rescue` saves what can still be "
        "read": "{store} : ce n'est pas une réserve de parties, ou il est endommagé ; `tableside matches rescue` "
        "sauve ce qui est encore lisible",
        "{store}: it is damaged ({why}); `tableside matches rescue` saves what can still be read": "{store} : "
        "endommagé ({why}) ; `tableside matches rescue` sauve ce qui est encore lisible",
        "matches cannot be kept in {folder}: {why}": "les parties ne peuvent être conservées dans {folder} "
        ": {why}",
        "{store}: reading it takes too long; it is no store of matches, or damaged": "{store} : la lecture prend trop "
        "de temps ; ce n'est pas un recueil de parties, ou il est endommagé",
        "{store}: the last move was saved after all": "{store} : le dernier coup a bien été enregistré",
        "the log of {id} is gone from event {number} on, of {kept}; `tableside matches rescue` saves the {left} "
        "before": "le journal de {id} est perdu à partir de l'événement {number} sur {kept} ; `tableside matches "
        "rescue` sauve les {left} précédents",
        "the match {id} is gone, all {kept} events of it": "la partie {id} est perdue, avec ses {kept} événements",
        "the match {id} is being played elsewhere; this table must stop": "la partie {id} se joue ailleurs ; "
        "cette table doit s'arrêter",
        "line {number}: {why}": "ligne {number} : {why}",
        "the log is empty: expected a first line that says which game is played": "le journal est vide : la "
        "première ligne devrait dire à quel jeu on joue",
        "the log is cut in the middle of a line": "le journal est coupé au milieu d’une ligne",
        "more than {most} events": "plus de {most} événements",
        "expected event {expected}, got {got}: lines are missing": "ici devrait être l’événement {expected}, pas "
        "{got} : il manque des lignes",
        "the match was played by rules version {theirs}; this Tableside plays {game} by rules version {ours}": ""
        "la partie a été jouée selon la version {theirs} des règles ; ce Tableside joue {game} selon la version "
        "{ours}",
        "written by a newer Tableside (schema {schema}; this one reads up to {ours})": "écrit par un Tableside "
        "plus récent (schéma {schema} ; celui-ci lit jusqu’à {ours})",
        "expected schema {ours}, got {got}": "le schéma devrait être {ours}, pas {got}",
        "expected one JSON object, got {got}": "ce n’est pas un objet JSON : {got}",
        "expected a JSON object, got {got}": "ce n’est pas un objet JSON : {got}",
        "longer than {most} characters": "plus longue que {most} caractères",
        "expected roll, draw, move, seats, undo or correction, got {got}": "un tel événement n’existe pas : {got}",
        "expected the head of a match log (a game, its players, its options)": "il manque la tête du journal (le "
        "jeu, les joueurs, les règles maison)",
        "expected options, by name": "il manque les règles maison",
        "option {name} is neither yes/no, a number nor a word": "la règle maison {name} n’est ni oui/non, ni un "
        "nombre, ni un mot",
        "there is no match {id} in {store}": "il n’y a pas de partie {id} dans {store}",
        "no match is kept in {store}": "aucune partie n’est gardée dans {store}",
    }
)
