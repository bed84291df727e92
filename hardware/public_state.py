"""What everyone may know of a table, as plain JSON values.

Devices, brokers and other programs are sent these records, and the HTTP API answers with them. A field is only ever
added; to change or drop one takes a new version of the API.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PublicDie:
    """A die on the table, left to right."""

    face: str
    """The face's id in its dice set."""
    name: str
    """The face in the reader's language."""
    held: bool
    certain: bool
    """False while the table asks about it."""


@dataclass(frozen=True, slots=True)
class PublicPlayer:
    """A player."""

    id: str
    """Made from the name (`player_id`): the same in every match, wherever the player sits."""
    name: str
    score: int
    on_turn: bool
    leads: bool
    won: bool


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """Something that happened just now and that lights and sounds may react to."""

    type: Literal["throw", "points", "win"]
    player: str = ""
    """Who got the points, or won (several: joined as the table's language lists them); empty for a throw."""
    points: int | None = None
    """The points of a `points` event."""
    faces: tuple[str, ...] = ()
    """The faces of a `throw`, in the reader's language."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The state of a table. Texts may be empty, and `points` None."""

    number: int
    """The number of the last notice of this table."""
    match: str
    """The id of the match on the table."""
    game: str
    """The game's title."""
    game_id: str
    turn: str
    """Who is on turn."""
    leader: str
    """Who leads; several are listed, nobody leads while all have the same score."""
    players: tuple[PublicPlayer, ...]
    dice: tuple[PublicDie, ...]
    throw: int
    """The number of the throw that is due or on the table, from 1."""
    throws: int
    """The most throws in a turn."""
    points: int | None
    """What the last event with points brought."""
    sentence: str
    """The last sentence that was said."""
    prompt: str
    """What is to be done now."""
    question: str
    """What the table asks before it scores anything."""
    camera: str
    """What is wrong with the camera."""
    paused: bool
    over: str
    """How the match ended."""


@dataclass(frozen=True, slots=True)
class PublicNotice:
    """One thing that happened: what was said of it, and how the table stands after it."""

    number: int
    sentence: str
    """Empty if nothing was said."""
    events: tuple[PublicEvent, ...]
    state: PublicState


def player_id(name: str) -> str:
    """An id that is the same for a name in every match: its plain letters, and a checksum that tells "Ann" from "ann".

    It fits into a topic and into Home Assistant's ids: a to z, 0 to 9 and "_".
    """
    name = unicodedata.normalize("NFC", name)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    letters = re.sub("[^a-z0-9]+", "_", plain).strip("_")[:20]
    return f"{letters or 'player'}_{zlib.crc32(name.encode()):08x}"
