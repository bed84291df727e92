"""Sentences of Meet Fate (RULINGS 2.5)."""

PHRASES = {
    "fate.thrown": "{player}, throw {throw}: {faces:faces}.",
    "fate.eights": "{eights} eights, {missing} to go.",
    "fate.met": "Six eights! {player} meets fate and wins.",
    "fate.denied": "Not six eights. Correct the roll, or fill a box.",
    "fate.box": "{box:face} would give {points:points}.",
    "fate.zeroes": "Every open box would be a zero.",
    "fate.filled": "{player} writes {points:points} into {box:face}: "
    "{total} in all, {left:count box boxes} left.",
}
