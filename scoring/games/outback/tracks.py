"""Outback's tracks and its count at the end (outback, The scoring track, Who won?; RULINGS 5.3, 5.4).

A marker is a number of steps: 0 is the −3 where all begin, then come the values of the left track, then those
of the upper one, which begin at 1 again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.account import Line, ScoredRoll, line
from scoring.dice import named, spelled
from scoring.games.outback import plus as plus
from scoring.games.outback.dice import ANIMALS
from scoring.options import Option, OptionError, Options

START = -3
"""What a marker is worth before its first point."""

COUNTED_LEFT = 3
"""So many markers of the left track count, the lowest ones."""

BONUS_AT = 3
"""Animals of one kind on the board that earn its base bonus tile."""

TRACKS = (
    Option(
        "tracks.left",
        9,
        "The last number on the left scoring track. The rules do not show it, so check your board.",
        "RULINGS 5.3 and 5.7 Q7",
        low=1,
        high=99,
        title="End of the left track",
    ),
    Option(
        "tracks.upper",
        15,
        "The last number on the upper scoring track, which starts at 1 again. Points beyond it are lost.",
        "RULINGS 5.3 and 5.7 Q7",
        low=1,
        high=99,
        title="End of the upper track",
    ),
)


@dataclass(frozen=True, slots=True)
class Tracks:
    """The lengths of both tracks: the left one is −3, 1 … left, the upper one 1 … upper."""

    left: int = 9
    upper: int = 15

    @classmethod
    def of(cls, options: Options) -> Tracks:
        """The tracks a match is played with."""
        return cls(options.number("tracks.left"), options.number("tracks.upper"))

    @property
    def end(self) -> int:
        """The steps after which a marker stands still."""
        return self.left + self.upper

    def is_up(self, steps: int) -> bool:
        """Whether a marker has come to the upper track."""
        return steps > self.left

    def value(self, steps: int) -> int:
        """What a marker is worth where it stands: −3, 1 … left, then 1 … upper."""
        if self.is_up(steps):
            return steps - self.left
        return steps or START


def track_lines(markers: Sequence[int], tracks: Tracks) -> tuple[Line, ...]:
    """What each of the five markers counts at the end: the upper ones all, of the left ones the three lowest.

    `markers` are the steps of each animal, in the order of ANIMALS. Which of two equal markers is dropped
    makes no difference; the later animal is.
    """
    where = "count"
    worth = [(tracks.value(steps), i) for i, steps in enumerate(markers) if not tracks.is_up(steps)]
    lowest = {i for _, i in sorted(worth)[:COUNTED_LEFT]}
    lines: list[Line] = []
    for i, steps in enumerate(markers):
        animal, value = ANIMALS[i], tracks.value(steps)
        if tracks.is_up(steps):
            lines.append(line("{animal:face} on the upper track", value, where, animal=animal))
        elif i in lowest:
            rule = "{animal:face} on the left track, one of the three lowest"
            lines.append(line(rule, value, where, animal=animal))
        else:
            rule = "{animal:face} at {value} on the left track does not count: it is not one of the three lowest"
            lines.append(line(rule, 0, where, animal=animal, value=value))
    return tuple(lines)


def lost_lines(lost: int, each: int = 2) -> tuple[Line, ...]:
    """The minus points for face-down tiles, `each` for one of them; none if there are none."""
    if not lost:
        return ()
    rule = "{n:count blocked~space blocked~spaces}, −{each} each"
    return (line(rule, -lost * each, "lost-fields", n=lost, each=each),)


UPPER = "upper"


def count_told(told: Options) -> ScoredRoll | None:
    """The count of the markers and lost fields that are told; None if no marker is.

    Raises OptionError, UnknownFaceError.
    """
    words = [word for word in told.text("markers").split(",") if word.strip()]
    if not words:
        return None
    tracks = Tracks.of(told)
    steps = dict.fromkeys(ANIMALS, 0)
    for word in words:
        animal, equals, place = word.partition("=")
        if not equals:
            raise OptionError("option markers: expected ANIMAL=VALUE, got {word:quoted}", word=word[:40])
        steps[named(animal, ANIMALS, "an animal")] = _steps(place, tracks)
    lines = (*track_lines(tuple(steps.values()), tracks), *_lost(told))
    return ScoredRoll(sum(one.points for one in lines), breakdown=lines)


def _steps(place: str, tracks: Tracks) -> int:
    """How far a marker has come that stands at "5", "-3" or "upper 8"."""
    word = place.replace("−", "-").strip()
    up = spelled(word).startswith(UPPER)
    number = word[len(UPPER) :].strip() if up else word
    last = tracks.upper if up else tracks.left
    if number == str(START) and not up:
        return 0
    if not (number.isdecimal() and len(number) < 3 and 1 <= int(number) <= last):
        raise OptionError(
            "option markers: expected -3, 1 to {left}, or upper 1 to {upper}, got {got:quoted}",
            left=tracks.left,
            upper=tracks.upper,
            got=place.strip()[:40],
        )
    return int(number) + (tracks.left if up else 0)


def _lost(told: Options) -> tuple[Line, ...]:
    number = told.number("lost")
    tile = next((str(value) for key, value in told if key == "scoring_tile"), "none")
    if tile == "none":
        return lost_lines(number)
    if tile != "A" and number:
        raise OptionError(
            "option scoring_tile: {tile} depends on where the blocked spaces are, and only a match "
            "knows that",
            tile=tile,
        )
    return plus.lost_lines(tile, {f"{i}": plus.LOST for i in range(1, number + 1)}, None, ())
