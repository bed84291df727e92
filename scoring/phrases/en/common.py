"""Sentences that every game shares."""

PHRASES = {
    "await.roll": "{player} to roll.",
    "await.reroll": "{player} to roll again, keeping {kept:faces}.",
    "await.draw": "{count} to be drawn from {pile}.",
    "await.move": "{players:names}: {what}, please.",
    "rolled": "{player} rolled {faces:faces}.",
    "held": "{player} keeps {kept:faces} and throws {n:count die dice} again.",
    "stood": "{player} takes the dice as they lie.",
    "declared": "{player} declares {declaration:face}.",
    "scored": "{player} scores {points:points}, {total} in all.",
    "left": "{n:points} to go.",
    "won": "The match is over: {winners:names} won with {points:points}. {reason}.",
    "undone": "Taken back: {player}'s last decision.",
    "undone.to": "Taken back to before event {event}.",
    "corrected": "Corrected: the dice showed {showed:faces}.",
    "corrected.nothing": "Corrected: that was not a throw.",
    "stopped": "{reason}.",
    "seat": "{player}, {place:nth}, {points:points}.",
}
