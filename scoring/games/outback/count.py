"""Outback's count at the end from what people read off a board: no match need have been followed."""

from __future__ import annotations

from scoring.account import Line, ScoredRoll
from scoring.dice import named, spelled
from scoring.games.outback.dice import ANIMALS
from scoring.games.outback.plus import LOST, lost_lines
from scoring.games.outback.tracks import START, Tracks, track_lines
from scoring.games.outback.tracks import lost_lines as base_lost_lines
from scoring.options import OptionError, Options

UPPER = "upper"


def count_told(told: Options) -> ScoredRoll | None:
    """The count of the markers and lost fields that are told; None when no marker is.

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
            raise OptionError("option markers: expected ANIMAL=VALUE, got {word!r}", word=word[:40])
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
            "option markers: expected -3, 1 to {left}, or upper 1 to {upper}, got {got!r}",
            left=tracks.left,
            upper=tracks.upper,
            got=place.strip()[:40],
        )
    return int(number) + (tracks.left if up else 0)


def _lost(told: Options) -> tuple[Line, ...]:
    number = told.number("lost")
    tile = next((str(value) for key, value in told if key == "scoring_tile"), "none")
    if tile == "none":
        return base_lost_lines(number)
    if tile != "A" and number:
        raise OptionError(
            "option scoring_tile: {tile} asks where the lost fields lie, which only a match knows", tile=tile
        )
    return lost_lines(tile, {f"{i}": LOST for i in range(1, number + 1)}, None, ())
