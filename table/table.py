"""One table: its current match, its camera, and the matches that were played at it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from messages.message import Message, MessageError, message
from scoring.games import find as find_game
from scoring.logfile import read
from scoring.match import Match
from table.cameras.cameras import Cameras, thrower_of, told
from table.cameras.choice import CameraChoice
from table.new_match import NO_DICE, NewMatch, dice_for
from table.ports import Knows, Thrower
from table.session import Session
from table.storage.store import Entry, MatchStore
from table.watcher import OpenMatch, Watcher
from vision.boxes import Box
from vision.camera.bounded import Bounded
from vision.camera.source import Source
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find as find_set
from vision.dicesets.model import DiceSet
from vision.frame import Pixels, Point
from vision.settle import TableState

CAMERA_KEYS = ("camera", "size", "region", "lock_exposure", "strict")
"""The parts of a match's setup that belong to the camera and stay if another match begins."""

MOST_KEPT = 1000
"""Most matches of one table to search for an id."""


OpensMatches = Callable[[Match, MatchStore, DiceSet, Thrower | None], OpenMatch]
"""Puts a stored match on the table without telling anyone yet (`cli.compose.MatchOpener`). Raises ValueError if its
dice cannot be read, and StoreError."""


class StateOutput(Protocol):
    """Is told what the table does (`web.announcer.Announcer`)."""

    def table_is(self, state: str) -> None:
        """The table's new state: "rolling", "settled", …"""
        ...


class ReplacedError(MessageError):
    """Another match was already put on the table; one clause."""


class Table:
    """A table. Rolls are typed until it has a camera (`look_through`).

    Its match can be replaced, so read `session` anew for each use. The table listens to its watcher
    (`table.watcher.Listener`) and to its camera's view (`vision.camera.bounded.ViewListener`).
    """

    def __init__(
        self,
        opened: OpenMatch | Session,
        *,
        opens: OpensMatches | None = None,
        thrower: Thrower | None = None,
        states: StateOutput | None = None,
    ) -> None:
        """Without `opens` the match cannot be replaced; `thrower` throws this table's dice if people do not."""
        self.opened = OpenMatch(opened) if isinstance(opened, Session) else opened
        """The match on the table with the reader of its dice."""
        self.watcher: Watcher | None = None
        self.cameras: Cameras | None = None
        """The cameras of the watcher; None if rolls are typed."""
        self._opens = opens
        self._thrower = thrower
        self._states = states
        self._changing = threading.Lock()

    @property
    def session(self) -> Session:
        """The match on the table."""
        return self.opened.session

    # --- its camera

    def look_through(
        self,
        view: Bounded,
        choice: CameraChoice,
        make: Callable[[CameraChoice, Session], Source],
        *,
        find_dice: Callable[[Pixels], Sequence[Box]] = lambda _: (),
        remember: Callable[[CameraChoice], None] = lambda _: None,
    ) -> None:
        """Use this camera from `start` on; `choice` names it.

        `make` makes a camera that people choose, `remember` saves their choice, and `find_dice` finds dice in a
        picture, whatever their faces.
        """

        def keep(chosen: CameraChoice) -> None:
            self.session.store.set_up(chosen.setup())
            remember(chosen)

        self.watcher = Watcher(view, self)
        self.cameras = Cameras(
            view, choice, lambda chosen: make(chosen, self.session), find_dice=find_dice, keep=keep
        )
        view.listen(self)

    def state_is(self, state: TableState) -> None:
        """The state of the table has changed."""
        if self._states is not None:
            self._states.table_is(state.value)

    def camera_says(self, trouble: Message | None) -> None:
        """Tell the match that the camera stopped seeing or, with None, that it sees again."""
        while True:
            session = self.session
            session.camera_says(trouble)
            if session is self.session:  # otherwise another match has replaced it and does not know
                return

    def camera_waits(self) -> None:
        """Another camera waits to be opened by the watcher."""
        if self.watcher is not None:
            self.watcher.nudge()

    def camera_turned(self, view: Bounded) -> None:
        """Another camera is in use; called before its first frame."""
        if self.watcher is not None:
            self.watcher.camera_changed()
        self._reader_sees_anew()
        with self._changing:
            self._thrower = thrower_of(view)
            self.session.camera_changed(told(view.name), self._thrower)

    def view_moved(self, move: Point, size: tuple[int, int]) -> None:
        """Another region of the camera's picture is in use; called before its first frame."""
        if self.watcher is not None:
            self.watcher.view_changed()
        self._reader_sees_anew()
        self.session.view_moved(move, size)

    def _reader_sees_anew(self) -> None:
        reader = self.opened.reader
        if isinstance(reader, Knows):
            reader.view_changed()

    def start(self) -> None:
        """Start watching."""
        if self.watcher is not None:
            self.watcher.start()

    def stop(self) -> None:
        """Stop watching."""
        if self.watcher is not None:
            self.watcher.stop()
        if self.cameras is not None:
            with self.cameras.previews.none():
                pass
        self.opened.close()

    def look_again(self) -> None:
        """Read the table again."""
        if self.watcher is not None:
            self.watcher.look_again()

    # --- from match to match

    def begin(self, wanted: NewMatch, instead_of: str) -> None:
        """Begin another match with the same camera and outputs; the current one is kept, and paused unless it is over.

        `instead_of` is the id of the match that people believe to be on the table: if two devices begin one at the same
        moment, the second gets an error.

        Raises, without any change:
            ReplacedError: another match is on the table.
            ValueError: game, dice, players or options are invalid.
            StoreError: it cannot be stored.
        """
        match, dice_set = wanted.match(), wanted.dice()
        with self._change(instead_of) as now:
            setup = {**self._setup(), "set": dice_set.id}
            kept = now.store.store.begin(match, place=self.place, setup=setup)
            try:
                self._put(match, kept, dice_set)
            except BaseException:
                kept.mark("over")  # nobody played it, so do not offer to continue it
                raise

    def resume(self, match_id: str, instead_of: str) -> None:
        """Continue a stored match of this table; see `begin`. Raises ValueError if there is no such match."""
        with self._change(instead_of) as now:
            entry = self.kept_entry(match_id)
            if entry is None:
                raise MessageError("this table has no such match")
            if match_id == now.store.id:
                return
            kept, match = now.store.store.resume(match_id, find_game)
            setup = self._setup()
            kept.set_up({key: setup.get(key) for key in CAMERA_KEYS})
            self._put(match, kept, dice_for(match.game, str(entry.setup.get("set", ""))))
            kept.mark("over" if match.outcome else "running")

    @contextmanager
    def _change(self, instead_of: str) -> Generator[Session]:
        if self._opens is None:
            raise MessageError("this table cannot switch to another match")
        with self._changing:
            now = self.session
            if now.store.id != instead_of:
                players = ", ".join(now.match.header.players)
                title = now.match.game.title
                late = message(
                    "someone has just started another match here: {title}, {players}",
                    title=title,
                    players=players,
                )
                raise ReplacedError(late)
            yield now

    def _put(self, match: Match, kept: MatchStore, dice_set: DiceSet) -> None:
        assert self._opens is not None
        opened, before = self._opens(match, kept, dice_set, self._thrower), self.opened
        if self._thrower is not None:
            self._thrower.lay(dice_set, match.game.dice.count)
        opened.session.relieve(before.session)
        # The watcher reads the next frames for it without starting again, as nothing was thrown.
        self.opened = opened
        opened.session.greet()
        threading.Thread(target=before.close, name="leaving", daemon=True).start()

    def _setup(self) -> dict[str, Any]:
        """Camera, region and set of the match, so that the next can have the same."""
        entry = self.session.store.store.entry(self.session.store.id)
        return (
            {key: value for key, value in entry.setup.items() if key not in ("from", "held")} if entry else {}
        )

    @property
    def push(self) -> Callable[[bytes], bool] | None:
        """Takes a picture from a phone that is the camera or is awaited, else None. It returns False if the camera is
        closed, and raises ValueError if it is not a picture."""
        return self.cameras.push if self.cameras is not None else None

    def go_on(self) -> None:
        """Continue after a pause with the dice on the table now. Raises IllegalMoveError if the match is not paused."""
        self.session.go_on()
        self.look_again()

    def know(self, dice_set: DiceSet) -> None:
        """A dice set has changed; use its new version if it is the one on the table."""
        reader = self.opened.reader
        if dice_set.id == self.session.dice_set.id and isinstance(reader, Knows):
            reader.know(dice_set)

    # --- the matches that were played at it

    @property
    def place(self) -> str:
        """This table's name in a store that several tables share. Raises StoreError."""
        entry = self.session.store.store.entry(self.session.store.id)
        return entry.place if entry else ""

    def kept(self, most: int = MOST_KEPT) -> tuple[Entry, ...]:
        """This table's stored matches that have begun, the one played last first. Raises StoreError."""
        every = self.session.store.store.matches(place=self.place)
        return tuple(one for one in every if one.events)[:most]

    def kept_entry(self, match_id: str) -> Entry | None:
        """One of them by its id. Raises StoreError."""
        return next((one for one in self.kept() if one.id == match_id), None)

    def kept_match(self, match_id: str) -> Match | None:
        """A match by its id, or None. Raises StoreError, and ValueError if its log is broken."""
        if match_id == self.session.store.id:
            return self.session.match
        if self.kept_entry(match_id) is None:
            return None
        return read(self.session.store.store.log(match_id), find_game)

    def dice_of(self, match_id: str, match: Match) -> DiceSet:
        """The dice of a match; the game's own if that set is gone, None if there are none."""
        if match_id == self.session.store.id:
            return self.session.dice_set
        entry = self.kept_entry(match_id)
        used = str(entry.setup.get("set", "")) if entry is not None else ""
        for set_id in filter(None, (used, match.game.dice.set_id)):
            with suppress(DiceSetError):
                return find_set(set_id)
        return NO_DICE
