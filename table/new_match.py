"""A match that people want to play: a game, a set of dice for it, players in order, house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from messages.message import MessageError
from scoring.game import AnyGame
from scoring.games import find as find_game
from scoring.match import Match, begin
from vision.dicesets.library import available, candidates
from vision.dicesets.library import find as find_set
from vision.dicesets.model import DiceSet

NO_DICE = DiceSet(
    id="none",
    title={"en": "No dice", "de": "Keine Würfel", "fr": "Sans dés"},
    shapes=(),
    faces=(),
    folder=Path(),
    nets={},
)
"""Stands for the dice of a game without dice."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """An unchecked request for a match. An empty `set_id` means the game's own set."""

    game: str
    players: tuple[str, ...]
    set_id: str = ""
    options: Mapping[str, object] = field(default_factory=dict[str, object])

    def match(self) -> Match:
        """The match before its first event. Raises ValueError if the game, the players or the options are invalid."""
        return begin(find_game(self.game), self.players, self.options)

    def dice(self) -> DiceSet:
        """Its dice. Raises ValueError if there is no such set or it does not suit the game."""
        rules = find_game(self.game)
        return dice_for(rules, self.set_id)


def dice_for(rules: AnyGame, set_id: str = "") -> DiceSet:
    """The set with this id as the dice of a game, by default the game's own.

    Raises ValueError if there is no such set or it lacks faces of the game.
    """
    if not rules.dice.count:
        return NO_DICE
    dice_set = find_set(set_id or rules.dice.set_id)
    missing = [face for face in rules.dice.faces if face not in dice_set.face_ids]
    if missing:
        raise MessageError(
            "{set} doesn’t work with {title}: it has no {faces:either}; choose another dice set",
            set=dice_set.name(), title=rules.title, faces=tuple(missing[:3]),
        )  # fmt: skip
    return dice_set


def sets_for(rules: AnyGame) -> tuple[DiceSet, ...]:
    """All sets that suit a game, its own first."""
    if not rules.dice.count:
        return (NO_DICE,)
    fitting = [one for one in known_sets() if set(rules.dice.faces) <= set(one.face_ids)]
    return tuple(sorted(fitting, key=lambda one: (one.id != rules.dice.set_id, one.id)))


def known_sets() -> tuple[DiceSet, ...]:
    """All usable sets, sorted by id; they are read again only if one was added, removed or changed."""
    return _read_sets(tuple((folder, _written(folder / "set.toml")) for folder in candidates()))


def _written(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # it was just removed
        return 0


@lru_cache(maxsize=1)
def _read_sets(_there: tuple[tuple[Path, int], ...]) -> tuple[DiceSet, ...]:
    return available()


def faces_shown(rules: AnyGame, dice_set: DiceSet) -> tuple[str, ...]:
    """The faces that represent a set in a list: those of the game that have a picture."""
    return tuple(face for face in rules.dice.faces if dice_set.face(face).pictures)
