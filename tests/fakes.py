"""Real fakes: they keep a port's promises without its hardware or its networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from cli.compose import House, furnish
from cli.outlets import Outlet
from messages.message import Message
from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.snapshot import Notice, Snapshot, SnapshotDie
from table.storage.evidence import Album
from table.storage.store import Store
from vision.demo.camera import DemoCamera
from vision.demo.throw import Truth
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.frame import Mask, Pixels, Point
from vision.reading import Alternative, DieReading, Reading, StageTimes

NO_TIME = StageTimes(0.0, 0.0, 0.0)

SMALL_GAME = """
id = "small"
title = "Small"
blurb = "Two dice."
[dice]
set = "pips"
count = 2
faces = ["1", "2", "3", "4", "5", "6"]
[end]
rounds = 2
[[score]]
name = "Sum"
points = "sum"
"""
"""A game file that leaves out all it can."""


def die(
    face: str,
    x: float = 0.0,
    y: float = 100.0,
    *,
    shape: Shape = Shape.OCTAHEDRON,
    certain: bool = True,
    others: Sequence[str] = (),
) -> DieReading:
    """A die with its middle at (x, y), 60 px wide."""
    confidence = 0.97 if certain else 0.5
    alternatives = (Alternative(face, confidence), *(Alternative(other, 0.2) for other in others))
    if shape == Shape.OCTAHEDRON:
        corners: tuple[Point, ...] = ((x, y - 40), (x + 30, y + 20), (x - 30, y + 20))
    else:
        corners = ((x - 30, y - 30), (x + 30, y - 30), (x + 30, y + 30), (x - 30, y + 30))
    return DieReading(
        shape, face, certain, confidence, alternatives, corners, (x - 30, y - 40, x + 30, y + 30)
    )


def reading(*dice: DieReading) -> Reading:
    return Reading(960, 720, dice, NO_TIME)


def certain(seen: Reading) -> bool:
    """Whether no die needs asking about."""
    return all(die.certain for die in seen.dice)


def rolled(faces: str, *, y: float = 100.0, held: Sequence[int] = ()) -> Reading:
    """A certain reading of dice in a row, one digit a die; those `held` (from 1) lie in the first row."""
    places = enumerate(faces, start=1)
    return reading(*(die(face, 120.0 * i - 20, 100.0 if i in held else y) for i, face in places))


def row(faces: str, *, y: float = 100.0, only: Sequence[int] = ()) -> list[DieReading]:
    """The dice of `rolled`, or only those with these numbers."""
    places = enumerate(faces, start=1)
    return [die(face, 120.0 * i - 20, y) for i, face in places if not only or i in only]


class ListeningOutput:
    """Keeps every notice."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def tell(self, notice: Notice) -> None:
        self.notices.append(notice)

    @property
    def sentences(self) -> list[str]:
        return [notice.sentence() for notice in self.notices if notice.said]

    @property
    def last(self) -> Notice:
        return self.notices[-1]


class Shown:
    """A snapshot as people read it in a language: every message in words, the rest as it is."""

    def __init__(self, snapshot: Snapshot, language: str = "en") -> None:
        self._snapshot, self._speaker = snapshot, snapshot.speaker(language)

    def __getattr__(self, name: str) -> Any:
        said = getattr(self._snapshot, name)
        if isinstance(said, Message):
            return self._speaker.say(said)
        if said is None or (isinstance(said, tuple) and all(isinstance(one, Message) for one in said)):
            return self._speaker.sentence(said or ())
        return said

    @property
    def roll_words(self) -> str:
        return self._speaker.throw(self._snapshot.roll)

    @property
    def dice(self) -> tuple[SnapshotDie, ...]:
        return self._snapshot.dice

    @property
    def faces(self) -> list[str]:
        return [self._speaker.name(die.face) for die in self.dice]


def shown(one: Session | Notice, language: str = "en") -> Shown:
    """What people are shown by a notice, or by the last one of a match."""
    return Shown((one if isinstance(one, Notice) else one.latest()).snapshot, language)


class CountingThrower:
    """Remembers what it was asked to throw."""

    def __init__(self) -> None:
        self.throws: list[tuple[Point, ...]] = []
        self.taken_back = 0
        self.laid = ("", 0)

    def throw(self, held: Sequence[Point] = ()) -> None:
        self.throws.append(tuple(held))

    def take_back(self) -> None:
        self.taken_back += 1

    def lay(self, dice_set: DiceSet, count: int) -> None:
        self.laid = (dice_set.id, count)


class Evening:
    """A match at a table: its session, its log, what is told of it, and what its table throws."""

    def __init__(
        self, folder: Path, game: str = "meet-fate", players: Sequence[str] = ("Alice", "Bob"), *,
        options: Mapping[str, object] | None = None, thrower: CountingThrower | None = None,
        language: str = "en", album: Album | None = None,
    ) -> None:  # fmt: skip
        rules = find_game(game)
        match = begin(rules, players, options)
        self.output, self.thrower = ListeningOutput(), thrower or CountingThrower()
        self.store = Store.of(folder).begin(match)
        self.session = Session(
            match, self.store, find(rules.dice.set_id if rules.dice.count else "pips"), outputs=[self.output],
            thrower=thrower, language=language, album=album,
        )  # fmt: skip
        self.session.greet()

    @property
    def said(self) -> str:
        """The last sentence."""
        return self.output.sentences[-1]

    @property
    def shown(self) -> Shown:
        """What is shown now."""
        return shown(self.output.last)

    @property
    def events(self) -> tuple[object, ...]:
        return self.session.match.events

    def sees(self, *dice: DieReading) -> None:
        self.session.saw(reading(*dice))


class Knowing(Protocol):
    """A table that knows what lies on it."""

    def truth(self) -> tuple[Truth, ...]: ...


class TruthfulReader:
    """Reads a demo table by asking it: what a perfect network would say, but for faces it is `unsure_of`."""

    def __init__(self, camera: Knowing) -> None:
        self._camera = camera
        self.unsure_of: set[str] = set()

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        height, width, _ = pixels.shape
        truth = self._camera.truth()
        thrown = sorted({one.face for one in truth})
        return Reading(
            width, height, tuple(self._die(one.face, one.corners, thrown) for one in truth), NO_TIME
        )

    def _die(self, face: str, corners: tuple[Point, ...], thrown: Sequence[str]) -> DieReading:
        xs, ys = zip(*corners, strict=True)
        certain = face not in self.unsure_of
        others = [Alternative(other, 0.2) for other in thrown if other != face]
        alternatives = (Alternative(face, 0.98 if certain else 0.55), *others[:2])
        shape: Shape = Shape.OCTAHEDRON if len(corners) == 3 else Shape.CUBE
        box = (min(xs), min(ys), max(xs), max(ys))
        return DieReading(shape, face, certain, alternatives[0].confidence, alternatives, corners, box)


def alice_and_bob(camera: DemoCamera, outlets: Sequence[Outlet] = ()) -> House:
    """The two of them at Meet Fate before a demo camera that does not run yet, and is read truthfully."""
    return furnish(
        camera, game="meet-fate", dice_set=find("fate"), players=["Alice", "Bob"],
        reader=TruthfulReader(camera), thrower=camera, outlets=outlets,
    )  # fmt: skip
