"""What the outputs are told. Page, speech and scoreboard say the same because they get the same (invariant
5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from messages.message import message
from scoring.match import Match
from scoring.view import Panel, Seat
from table.tracked_die import Point
from vision.dicesets.shapes import Shape

MOVED_ON = message("the dice moved on as soon as they had come to rest")
"""Asked: whether what lies there now was thrown again, or is the same throw."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the faces a die may show, likeliest first in any list of them."""

    face: str
    confidence: float | None
    """How sure the camera is of it, 0 to 1; None for a face it did not think of."""
    label: str = ""


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die on the table, as read and as accepted."""

    number: int
    """From 1, left to right; the key that holds it."""
    face: str
    shape: Shape
    certain: bool
    held: bool
    choices: tuple[Choice, ...]
    corners: tuple[Point, ...]
    """The top face's outline in the picture, in pixels; empty for a typed die."""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a score sheet."""

    id: str
    label: str
    filled: int | None
    """What was written into it, or None while it is open."""
    offer: int | None
    """What the dice as they lie would give; None when nothing may be written now."""
    high: bool = False
    """Among the open boxes that give most points now; says nothing of what is best to do."""


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """Boxes that belong together, under one heading."""

    title: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Another decision the player may take now: a word for it, and the move as plain JSON values."""

    label: str
    move: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything the table shows at one moment."""

    title: str
    players: tuple[Seat, ...]
    on_turn: str
    """Whose turn it is; empty when the match is over."""
    prompt: str
    """What is to be done now."""
    roll_words: str
    """The dice in words; empty when none lie there."""
    question: str
    """What the table asks before it scores anything; empty when it has no doubt."""
    dice: tuple[ShownDie, ...]
    picture_size: tuple[int, int]
    """Width and height the dice's corners refer to."""
    groups: tuple[BoxGroup, ...]
    panels: tuple[Panel, ...]
    """Boards of games that have no score sheet."""
    answers: tuple[Answer, ...]
    too_many: bool
    """More dice are seen than the game has: some of them can be dismissed."""
    can_hold: bool
    throw: str
    """What the throw button says; empty when nothing is to be thrown."""
    undo: str
    """What would be taken back; empty when there is nothing."""
    camera: str
    """What is wrong with the camera; empty when it sees."""
    over: str
    """How the match ended; empty while it goes on."""
    rolling: bool = False
    """The table's own dice still roll, so that none can be thrown."""
    retype: bool = False
    """A roll lies there whose faces can be typed anew."""
    no_throw: str = ""
    """Why the throw button cannot be pressed now, by the rules; empty when it can."""
    paused: bool = False
    """Nothing counts until somebody goes on."""
    count: str = ""
    """What the button says by which a doubted throw counts; empty when that is no answer."""
    same_throw: str = ""
    """What the button says by which what lies there takes the place of the last throw; empty when that is not asked."""
    discount: str = ""
    """What the button says by which the last throw does not count; empty when there is none."""
    winners: tuple[int, ...] = ()
    """The seats that won, from 0; empty while the match goes on."""
    advice: bool = False
    """There is something to ask the expert about now."""
    match: Match | None = None
    """The match as it was at that moment, out of which a page makes the game's own board."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that happened, the sentence that says it, and how the table stands after it.

    `number` counts a table's notices from 1, from match to match. An empty `sentence` is shown and not said.
    """

    number: int
    sentence: str
    standing: Standing
    match_id: str = ""
    """Under which the match is kept; another one, and another match is on the table."""
    language: str = "en"
    """The code of the language it is said in."""
    translate: Callable[[str], Notice] | None = field(default=None, repr=False, compare=False)
    """Makes the same notice in another language, once; None where there is only this one."""

    def told(self, language: str) -> Notice:
        """The same in a language; as it is where it cannot be said in another one."""
        return self if self.translate is None else self.translate(language)
