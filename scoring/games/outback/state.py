"""Outback's state: what lies on the boards, on the jeep and in the bag, and what can be asked of it.

Face-down tiles are drawn unseen, so nobody knows which animals they are: `unseen` counts, by animal, the
tiles in the bag and the face-down ones together. Tiles are never lost or invented: jeep, boards and
unseen ones are always 18 of each animal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from scoring.actions import Move
from scoring.dice import Face
from scoring.games.outback.dice import ANIMALS, FACES
from scoring.games.outback.options import layout
from scoring.games.outback.plus import LOST, UNKNOWN
from scoring.games.outback.tracks import Tracks
from scoring.layout import MOST_SPACES, Layout
from scoring.options import Options

TILES_EACH = 18
"""Tiles of each animal."""

JEEP = 5
"""Places on the jeep."""

THROWS = 3
"""Throws a turn, at most."""


RowThen: TypeAlias = Literal["open", "full"]
"""Whether a row whose size nobody has told has room left."""


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Take a tile off the jeep and lay it on a space ("4c")."""

    kind: ClassVar[str] = "place"
    words: ClassVar[str] = "{animal:face} on {space}"
    animal: Face
    space: str


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """Lay an unseen tile from the bag face down on a space."""

    kind: ClassVar[str] = "lose"
    words: ClassVar[str] = "block space {space}"
    space: str


@dataclass(frozen=True, slots=True)
class PlaceInRow(Move):
    """Without a layout: lay a tile in a row, and say how big the group is now and whether the row is full."""

    kind: ClassVar[str] = "place-in-row"
    words: ClassVar[str] = "{animal:face} in row {row}, group of {group}; the row is {then:face}"
    animal: Face
    row: int
    group: int
    then: RowThen = "open"


@dataclass(frozen=True, slots=True)
class LoseInRow(Move):
    """Without a layout: lay an unseen tile face down in a row, and say whether the row is full now."""

    kind: ClassVar[str] = "lose-in-row"
    words: ClassVar[str] = "block a space in row {row}; the row is {then:face}"
    row: int
    then: RowThen = "open"


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """Lay no more animals in this turn."""

    kind: ClassVar[str] = "done"
    words: ClassVar[str] = "end the turn"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Put five equal animals back into the bag before the first throw (option jeep_swap)."""

    kind: ClassVar[str] = "swap"
    words: ClassVar[str] = "put all five back and draw again"


@dataclass(frozen=True, slots=True)
class Tell(Move):
    """Say a number that only the table can see: the points on a row tile, or what lost fields cost."""

    kind: ClassVar[str] = "tell"
    words: ClassVar[str] = "{points:points}"
    points: int


@dataclass(frozen=True, slots=True)
class TellEach(Move):
    """Say the five values printed on the scoring tile, in the order of ANIMALS."""

    kind: ClassVar[str] = "tell-each"
    words: ClassVar[str] = "values {values}"
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One player's tiles, in the order they were laid: the space (or row) of each and what it holds."""

    tiles: tuple[tuple[str, str], ...] = ()
    markers: tuple[int, ...] = (0,) * len(ANIMALS)
    """Steps of each animal's marker (outback_score)."""
    bonus: tuple[tuple[str, int], ...] = ()
    """Bonus tiles won, in order, with their points."""

    @property
    def holds(self) -> Mapping[str, str]:
        """What lies on each space; without a layout, spaces get running numbers: "4.1", "4.2"."""
        seen: dict[str, str] = {}
        for place, what in self.tiles:
            name = place if len(place) > 1 else f"{place}.{self.in_row(int(place), len(seen)) + 1}"
            seen[name] = what
        return seen

    def in_row(self, row: int, among: int | None = None) -> int:
        """How many tiles lie in a row, among the first so many."""
        return sum(place[0] == str(row) for place, _ in self.tiles[:among])

    def count(self, what: str) -> int:
        """How many tiles of an animal (or face-down ones) lie on the board."""
        return sum(held == what for _, held in self.tiles)


@dataclass(frozen=True, slots=True)
class Variant:
    """What sets Outback and Outback Plus apart: the option that holds the board, and where bonus tiles come from."""

    board: str
    laid_out: bool
    """Bonus tiles are laid out for whoever earns them first; else the third animal of a kind brings one of its own."""


@dataclass(frozen=True, slots=True)
class OutbackState:
    """Everything on the table.

    `turn` is the player who throws. `start` is the player with the start marker, None until it is rolled for by
    `contenders`, whose best counts so far are `start_rolls`, after a tie with `tied` equal animals. `placed` are
    this turn's groups. `sizes` are the numbers of spaces in `rows`, 0 if nobody has told them. `tiles` are the
    Plus tiles still open (None: to be drawn), `claiming` a row tile whose points are asked for. `ending` is set
    when a board is full, `finished` after the last turn; `costs` are what lost fields cost by C or D where there
    is no layout, None until told.
    """

    players: tuple[str, ...]
    options: Options
    variant: Variant
    boards: tuple[Board, ...]
    unseen: tuple[int, ...]
    jeep: tuple[Face, ...]
    rows: tuple[int, ...]
    sizes: tuple[int, ...]
    start: int | None
    contenders: tuple[int, ...] = ()
    start_rolls: tuple[int, ...] = ()
    tied: int | None = None
    turn: int = 0
    throws: int = 0
    rolling: bool = True
    roll: tuple[Face, ...] = ()
    kept: tuple[Face, ...] = ()
    placed: tuple[tuple[Face, int], ...] = ()
    tiles: tuple[str, ...] | None = ()
    claiming: str | None = None
    scoring_tile: str | None = "none"
    beside: tuple[int, ...] = ()
    ending: bool = False
    finished: bool = False
    costs: tuple[int | None, ...] = ()

    @property
    def layout(self) -> Layout | None:
        """The board's layout, None where rows are only counted."""
        return layout(self.options.text(self.variant.board))

    @property
    def tracks(self) -> Tracks:
        """Both tracks."""
        return Tracks.of(self.options)

    @property
    def in_bag(self) -> int:
        """How many tiles are in the bag."""
        return sum(self.unseen) - sum(board.count(LOST) for board in self.boards)

    @property
    def unseen_tiles(self) -> tuple[Face, ...]:
        """Every tile that may be drawn next, as far as anybody can know."""
        both = zip(ANIMALS, self.unseen, strict=True)
        return tuple(animal for animal, number in both for _ in range(number))

    @property
    def values_missing(self) -> bool:
        """Whether the values of the scoring tile are still to be told."""
        return UNKNOWN in self.beside

    def size(self, row: int) -> int:
        """The number of spaces in a row, 0 if nobody has told it."""
        return self.sizes[self.rows.index(row)]

    def free(self, player: int) -> Mapping[int, int]:
        """The free spaces of each row of a player's board; where rows are not known, one at least."""
        tiles = self.boards[player].tiles
        room, lying = MOST_SPACES - len(tiles), dict.fromkeys(self.rows, 0)
        for place, _ in tiles:
            lying[int(place[0])] += 1
        sizes = zip(self.rows, self.sizes, strict=True)
        return {row: min(room, (size or MOST_SPACES) - lying[row]) for row, size in sizes}

    def free_spaces(self, player: int) -> tuple[str, ...]:
        """The names of a player's free spaces; the labels of rows with room where there is no layout."""
        if self.layout:
            taken = {place for place, _ in self.boards[player].tiles}
            return tuple(name for name in self.layout.names() if name not in taken)
        return tuple(str(row) for row, room in self.free(player).items() if room)

    def full(self, player: int) -> bool:
        """Whether a board is full; face-down tiles count."""
        return not any(self.free(player).values())

    def full_rows(self, player: int) -> tuple[int, ...]:
        """The rows of a player's board that are full with animals only."""
        board = self.boards[player]
        spoilt = {int(place[0]) for place, what in board.tiles if what == LOST}
        return tuple(
            row for row in self.rows if row not in spoilt and 0 < self.size(row) == board.in_row(row)
        )

    def fillable(self, player: int, row: int) -> bool:
        """Whether one more tile may be said to fill a row whose size nobody has told.

        All boards are alike: nobody else may have as many tiles in it already, or that would have filled it.
        """
        if self.size(row):
            return False
        now = self.boards[player].in_row(row) + 1
        others = (board for i, board in enumerate(self.boards) if i != player)
        return all(board.in_row(row) < now for board in others)


def start_count(faces: tuple[Face, ...]) -> int:
    """The most equal animals on a roll; jokers do not count (outback, How to play)."""
    return max(faces.count(animal) for animal in FACES[:-1])
