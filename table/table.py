"""One table: its session, the eyes on it, and its dice's pictures. All that a page needs to know."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.games import find as find_game
from scoring.logfile import read
from scoring.match import Match
from scoring.message import message
from scoring.refusal import RefusalError
from table.cameras.cameras import Cameras, Choice, told
from table.cameras.eye import Corners, Eye
from table.dispute import Dispute, dispute, rolls
from table.new_match import Wanted, dice_for
from table.ports import Knows, Reader, Thrower
from table.session import Session
from table.storage.evidence import picture_of
from table.storage.store import Entry, MatchStore
from table.watch import Watcher
from vision.dicesets.model import DiceSet
from vision.reading import Reading

CAMERA_KEYS = ("camera", "size", "region", "lock_exposure", "strict")
"""What of a match's setup is the camera's: it stays when another match comes onto the table."""

MOST_KEPT = 1000
"""Matches of one table that are looked through for one by its id."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A match on a table, with who reads its dice; `close` is called when another one takes its place."""

    session: Session
    reader: Reader | None = None
    close: Callable[[], None] = lambda: None


class Lays(Protocol):
    """Puts a match that is kept on the table, told to nobody yet (`cli.compose`)."""

    def __call__(self, match: Match, store: MatchStore, dice_set: DiceSet) -> Laid:
        """Its session and its reader. Raises ValueError when its dice cannot be read, StoreError."""
        ...


class ReplacedError(RefusalError):
    """Another match was put on the table before; one plain clause."""


class Table:
    """A table with a camera over it; `watcher` is None where rolls are typed.

    The match on it can be replaced, so whoever uses `session` reads it anew each time.
    """

    def __init__(
        self,
        session: Session,
        watcher: Watcher | None = None,
        push: Callable[[bytes], bool] | None = None,
        *,
        laid: Laid | None = None,
        lay: Lays | None = None,
        thrower: Thrower | None = None,
        eye: Eye | None = None,
        cameras: Cameras | None = None,
    ) -> None:
        """`laid` is the match of `session` with its reader; without `lay` no other match can be put here, and without
        `cameras` no other camera can look."""
        self._laid = laid or Laid(session)
        self.watcher = watcher
        self._push = push
        self.cameras = cameras
        self.eye = eye
        """What the watcher looks through; None where rolls are typed."""
        self._lay = lay
        self._thrower = thrower
        self._changing = threading.Lock()

    @property
    def session(self) -> Session:
        """The match on the table."""
        return self._laid.session

    @property
    def push(self) -> Callable[[bytes], bool] | None:
        """Where the camera is a phone, or one is waited for: takes a picture of its; False while nobody looks,
        ValueError when it is none."""
        return self.cameras.push if self.cameras is not None else self._push

    # --- from match to match

    def begin(self, wanted: Wanted, instead_of: str) -> None:
        """Begin another match with the same camera and outputs; the one of now is kept, paused unless it is over.

        `instead_of` is the id of the match that whoever asks believes to be on the table: of two who begin one at the
        same moment, the second is told.

        Raises:
            ReplacedError: it is another one.
            ValueError: game, dice, players or options do not fit; then nothing has changed.
            StoreError: it cannot be kept; then nothing has changed.
        """
        match, dice_set = wanted.match(), wanted.dice()
        with self._change(instead_of) as now:
            place, setup = self._like(now.store.id)
            kept = now.store.store.begin(match, place=place, setup={**setup, "set": dice_set.id})
            try:
                self._put(match, kept, dice_set)
            except BaseException:
                kept.mark("over")  # nobody played it, so that nobody is asked to go on with it
                raise

    def resume(self, match_id: str, instead_of: str) -> None:
        """Go on with a match of this table that is kept; see `begin`. Raises ValueError when there is no such match."""
        with self._change(instead_of) as now:
            entry = next((one for one in self.kept(MOST_KEPT) if one.id == match_id), None)
            if entry is None:
                raise RefusalError("there is no such match at this table")
            if match_id == now.store.id:
                return
            kept, match = now.store.store.resume(match_id, find_game)
            _place, setup = self._like(now.store.id)
            kept.set_up({key: setup.get(key) for key in CAMERA_KEYS})
            self._put(match, kept, dice_for(match.game, str(entry.setup.get("set", ""))))
            kept.mark("over" if match.outcome else "running")

    def camera_says(self, trouble: str | None) -> None:
        """Tell the match on the table that the camera stopped seeing, or (None) that it sees again."""
        while True:
            session = self.session
            session.camera_says(trouble)
            if session is self.session:  # else another match took its place meanwhile, and does not know
                return

    def camera_is(self, name: str, thrower: Thrower | None) -> None:
        """Another camera looks at the table; `thrower` where its table throws by itself."""
        with self._changing:
            self._thrower = thrower
            self.session.camera_changed(told(name), thrower)

    def keep_camera(self, choice: Choice) -> None:
        """Remember with the match on the table which camera looks. Raises StoreError."""
        self.session.store.set_up(choice.setup())

    @contextmanager
    def _change(self, instead_of: str) -> Generator[Session]:
        if self._lay is None:
            raise RefusalError("no other match can be put on this table")
        with self._changing:
            now = self.session
            if now.store.id != instead_of:
                players = ", ".join(now.match.header.players)
                title = now.match.game.title
                late = message(
                    "another match was put on the table just before: {title}, {players}",
                    title=title,
                    players=players,
                )
                raise ReplacedError(late)
            yield now

    def _put(self, match: Match, kept: MatchStore, dice_set: DiceSet) -> None:
        assert self._lay is not None
        laid, before = self._lay(match, kept, dice_set), self._laid
        if self._thrower is not None:
            self._thrower.lay(dice_set, match.game.dice.count)
        laid.session.relieve(before.session)
        self._laid = laid
        if self.watcher is not None and laid.reader is not None:
            self.watcher.read_for(laid.reader, self.saw(laid.session), laid.session.complete)
        laid.session.greet()
        threading.Thread(target=before.close, name="leaving", daemon=True).start()

    def saw(self, session: Session) -> Callable[[Reading], None]:
        """What hands a reading to a session, with the pictures it was read from."""
        return lambda reading: session.saw(reading, self.watcher.evidence if self.watcher else None)

    def _like(self, match_id: str) -> tuple[str, dict[str, Any]]:
        """Where a match is played and with what (camera, region, set), so that the next can be the same."""
        entry = next((one for one in self.session.store.store.matches() if one.id == match_id), None)
        if entry is None:
            return "", {}
        return entry.place, {key: value for key, value in entry.setup.items() if key not in ("from", "held")}

    @contextmanager
    def as_seen(self, seen: str) -> Generator[None]:
        """Act on the table as somebody saw it: `seen` is the match and the number of its last event ("id:17").

        Of two devices that decide at the same moment the second is told so, instead of deciding for whoever is next.
        Nothing is checked where `seen` is empty.

        Raises:
            IllegalMoveError: the log has gone on since.
        """
        if not seen:
            yield
            return
        with self.session.as_seen(seen):
            yield

    # --- looking

    def start(self) -> None:
        """Begin to look."""
        if self.watcher is not None:
            self.watcher.start()

    def stop(self) -> None:
        """Stop looking."""
        if self.watcher is not None:
            self.watcher.stop()
        self._laid.close()

    def picture(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """The picture of the table as (number, JPEG), once it is another than `after`; None after `wait` seconds."""
        return self.watcher.picture(after, wait) if self.watcher is not None else None

    def bound(self, corners: Corners | None) -> None:
        """Look at this part of the camera's picture from the next frame on; None is all of it.

        It is kept with the match for the next time.

        Raises:
            ValueError: there is no camera, or these are no corners of a table.
            StoreError: it cannot be kept; then nothing has changed.
        """
        if self.eye is None:
            raise RefusalError("there is no camera over this table")
        store = self.session.store

        def keep(words: str | None) -> None:
            store.set_up({"region": words})
            if self.cameras is not None:
                self.cameras.region_is(words)

        self.eye.bound(corners, keep)

    def look_again(self) -> None:
        """Read what lies there once more."""
        if self.watcher is not None:
            self.watcher.look_again()

    def go_on(self) -> None:
        """Play on after a pause, with what lies there now. Raises IllegalMoveError when there was none."""
        self.session.go_on()
        self.look_again()

    def know(self, dice_set: DiceSet) -> None:
        """A dice set has changed: read with it as it is now, if it is the one on the table."""
        reader = self._laid.reader
        if dice_set.id == self.session.dice_set.id and isinstance(reader, Knows):
            reader.know(dice_set)

    def rolls(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The event numbers of the rolls that count, with their faces, the newest first."""
        return rolls(self.session.match)

    def dispute(self, event: int) -> Dispute | None:
        """All about the roll with this event number; None when there is none. Raises StoreError."""
        return dispute(self.session.match, self.session.store, event)

    def evidence(self, event: int, before: int) -> bytes | None:
        """A JPEG of a roll, so many milliseconds before it; None without one. Raises StoreError."""
        kept = self.session.store
        return picture_of(kept.store, kept.id, event, before)

    def kept(self, most: int) -> tuple[Entry, ...]:
        """The matches of this table that are kept and were begun, the one played last first. Raises StoreError."""
        store, every = self.session.store, self.session.store.store.matches()
        place = next((one.place for one in every if one.id == store.id), "")
        return tuple(one for one in every if one.place == place and one.events)[:most]

    def kept_match(self, match_id: str) -> Match | None:
        """A match by its id, None when none is kept under it. Raises StoreError, ValueError for a broken log."""
        if match_id == self.session.store.id:
            return self.session.match
        if all(one.id != match_id for one in self.kept(MOST_KEPT)):
            return None
        return read(self.session.store.store.log(match_id), find_game)

    def face_picture(self, face: str) -> bytes | None:
        """A PNG of a face's drawing on clear ground, else of the face as it was enrolled; None for no such face."""
        for known in self.session.dice_set.faces:
            if known.id == face:
                drawn = sorted(known.pictures, key=lambda picture: picture.kind != "art")
                return drawn[0].path.read_bytes() if drawn else None
        return None
