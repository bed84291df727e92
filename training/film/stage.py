"""What the director of a rehearsal asks of a filmed table, whoever drew it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from training.film.demo_film import Drawn, Overlay


class Stage(Protocol):
    """A filmed table: what lies there is known, and it does as the director says."""

    overlays: list[Overlay]
    """What is laid over the picture: hands, lamps, bumps."""
    chance: np.random.Generator

    @property
    def count(self) -> int:
        """How many dice there are, on the table or off."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        ...

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dice that lie there or are on their way."""
        ...

    def faces(self, numbers: Iterable[int] | None = None) -> dict[int, str]:
        """What each die really shows, or will when it rests."""
        ...

    def middle(self, number: int) -> tuple[float, float]:
        """Where a die's top face lies in the picture."""
        ...

    def goes_on(self) -> bool:
        """Whether whoever is on turn throws again, where the game leaves that open."""
        ...

    def holds(self, allowed: bool) -> tuple[int, ...]:
        """The dice that stay for the next throw; none where the game does not allow it."""
        ...

    def nudges(self) -> bool:
        """Whether somebody pushes one of the dice that stay."""
        ...

    def take(self, numbers: Iterable[int]) -> None:
        """Take these dice off the table."""
        ...

    def nudge(self, number: int) -> None:
        """Push a die along the table without tipping it over."""
        ...

    def cast(self, numbers: Iterable[int]) -> float:
        """Throw these dice; when the last of them lies still, in the film's time."""
        ...


class FilmedStage(Stage, Drawn, Protocol):
    """A table that can be seen, too."""
