"""A match at a table: its log on disk, its dice in words of every language, and what outputs are told of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache

from scoring.actions import refuse
from scoring.match import Match, replay
from scoring.message import Message, message
from scoring.wording import announced, awaiting
from table import lots
from table.happening import Thrown
from table.notice import Notice, Point, ShownDie
from table.ports import Output, Thrower
from table.standing import Moment, standing
from table.storage.evidence import Album, Evidence
from table.storage.store import MatchStore
from table.tray import Tray
from vision.dicesets.model import DiceSet
from vision.reading import DieReading
from words.tongue import Said, Tongue, tongue


class Course:
    """The course of one match. It changes in `_record` alone, and outputs hear of it in `_tell` alone (invariant 4)."""

    def __init__(
        self,
        match: Match,
        store: MatchStore,
        dice_set: DiceSet,
        *,
        outputs: Sequence[Output] = (),
        thrower: Thrower | None = None,
        language: str = "en",
        album: Album | None = None,
        learns: Callable[[DieReading, str], object] | None = None,
    ) -> None:
        """Go on with a match whose events are all in `store`; `album` keeps the pictures rolls were read from, and
        `learns` is told what people say a die shows (`table.teaching.learner.Learner.corrected`)."""
        self._match = match
        self._store = store
        self._dice_set = dice_set
        self._outputs = tuple(outputs)
        self._thrower = thrower

        @cache
        def spoken(code: str) -> Tongue:
            return tongue(dice_set, code)

        self._tongues: Callable[[str], Tongue] = spoken
        self._tongue = self._tongues(language)
        self._lock = threading.RLock()
        self._number: int = 0
        self._latest: Notice | None = None
        self._tray = Tray(dice_set)
        self._tray.restore(match, store)
        self._album = album
        self._learns = learns
        self._evidence: Evidence | None = None
        """The pictures of the reading that waits, until it is a roll."""
        self._throws: list[int] = []
        """How many events counted at each throw of the demo table, so that an undo puts its dice back."""
        self._rolls_until = 0.0
        """When the dice that the table threw by itself are given up, should nobody see them; in the past once they were
        seen."""
        self._staying: tuple[Point, ...] = ()
        """Where in the picture the dice lie that stay for the next throw."""
        self._question: tuple[Said, ...] = ()
        self._countable = False
        """Whether "it counts" answers the question."""
        self._thrown = Thrown((), ())
        """The throw that waits, as the tracks understood it."""
        self._trusted = False
        """People said that it counts: tracks and leaning dice are not doubted any more."""
        self._sayings: list[Said] = []
        self._trouble: Message | None = None
        self._paused = False
        self._anew = False
        """Another camera is looked through, and gave no reading yet."""
        self._lots = False
        """Tableside draws what comes out of piles, because people asked it to."""
        self._gone = False
        """Another match is on the table now; this one is told nothing more, and tells nobody."""

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    @property
    def dice_set(self) -> DiceSet:
        """The set the match is played with."""
        return self._dice_set

    @property
    def store(self) -> MatchStore:
        """Where the match is kept."""
        return self._store

    def tongue(self, language: str) -> Tongue:
        """A language with the names of this match's dice."""
        return self._tongues(language)

    def face_label(self, face: str, language: str = "") -> str:
        """A face's name as people read it, by default in the table's own language."""
        return (self._tongues(language) if language else self._tongue).name(face)

    def latest(self) -> Notice:
        """The last notice, for whoever comes late."""
        with self._lock:
            return self._latest or self._notice(0, ())

    def _playing(self) -> None:
        """Raise IllegalMoveError while the match is paused, or was further than anybody knew."""
        self._here()
        if self._paused:
            refuse("the match is paused")
        if self._caught_up():
            refuse("the last move was saved after all, look at what the table shows now")

    @contextmanager
    def as_seen(self, seen: str) -> Generator[None]:
        """While this lasts nobody else acts; see `table.Table.as_seen`. Raises IllegalMoveError."""
        with self._lock:
            if seen != f"{self._store.id}:{len(self._match.events)}":
                refuse("somebody else was quicker, look at what the table shows now")
            yield

    def _here(self) -> None:
        """Raise IllegalMoveError when the match was replaced: a page that had not heard of it sent this."""
        if self._gone:
            refuse("another match is on the table now")

    def _record(self, after: Match, *, seen: str | None = None, by: str = "") -> None:
        """The only place where the match changes: on disk first."""
        players = after.header.players
        self._store.keep(after.events, over=after.outcome is not None, players=players, seen=seen, by=by)
        self._match = after
        self._tray.follow(after)
        self._question, self._countable = self._stopped(), False

    def _caught_up(self) -> bool:
        """Take up what the store seemed to refuse and kept; whether there was such a thing. Raises StoreError."""
        late = self._store.late()
        if late:
            self._match = replay(self._match.game, self._match.opening, late)
            self._tray = Tray(self._dice_set)
            self._tray.restore(self._match, self._store)
            self._question, self._countable = self._stopped(), False
            self._tell(message("the last move was saved after all"), *self._awaited())
        return bool(late)

    def _stopped(self) -> tuple[Said, ...]:
        """Why the match cannot go on, after a correction; nothing when it can."""
        return (self._match.stop.message,) if self._match.stop else ()

    def _notice(self, number: int, said: tuple[Said, ...]) -> Notice:
        """A notice of how things stand now, in the table's language; it can be told in the others later."""
        moment, match_id = self._moment(), self._store.id

        @cache
        def told(code: str) -> Notice:
            spoken = self._tongues(code)
            sentence = spoken.sentence(said, moment.match.header.players)
            return Notice(number, sentence, standing(moment, spoken), match_id, spoken.code, told)

        return told(self._tongue.code)

    def _tell(self, *said: Said) -> None:
        self._number += 1
        notice = self._latest = self._notice(self._number, said)
        for output in self._outputs:
            try:
                output.tell(notice)
            except Exception:
                # A broken output must not hold up the table, nor keep the others from being told.
                logging.getLogger(__name__).exception("an output failed")

    def _said(self) -> tuple[Said, ...]:
        """What there is to say about the last event."""
        return announced(self._match)

    def _said_with_lots(self) -> tuple[Said, ...]:
        """What there is to say about the last event, and about what is drawn by lot because of it."""
        told: list[Said] = []
        while lots.secretly(self._match) or (self._lots and self._match.draw_awaited):
            told += lots.without_awaited(self._match, announced(self._match))
            self._record(lots.drawn(self._match))
        return (*told, *announced(self._match))

    @property
    def _rolling(self) -> bool:
        """Whether the dice that the table threw by itself are still to be seen."""
        return time.monotonic() < self._rolls_until

    def _awaited(self) -> tuple[Said, ...]:
        return awaiting(self._match)

    def _decider(self) -> int:
        """The player who is to decide. Raises IllegalMoveError when nobody is."""
        player = self._match.decider
        if player is None:
            refuse(self._match.stop.message if self._match.stop else "no decision is awaited now")
        return player

    def _die(self, number: int) -> ShownDie:
        """The die with this number. Raises IllegalMoveError when there is none."""
        dice = self._tray.shown(self._match)
        if not 1 <= number <= len(dice):
            if not dice:
                refuse("there are no dice yet")
            refuse("there are dice 1 to {n}, got {number}", n=len(dice), number=number)
        return dice[number - 1]

    def _moment(self) -> Moment:
        return Moment(
            self._match,
            dice=self._tray.shown(self._match),
            waiting=self._tray.waiting,
            lying=len(self._tray.lying),
            picture_size=self._tray.picture_size,
            awaited=self._awaited(),
            question=self._question,
            countable=self._countable,
            trouble=self._trouble,
            paused=self._paused,
            thrower=self._thrower is not None,
            rolling=self._rolling,
        )
