"""Looks at a table through a camera: every frame is shown and watched, a settled one is read.

Nothing unsettled reaches the session (invariant 3).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Protocol

from messages.message import Message, message, reason
from table.ports import ReadsDice
from table.session import Session
from table.storage.evidence import Evidence, Rolling
from vision.camera.live_picture import LivePicture
from vision.camera.source import Source
from vision.frame import Frame, Pixels
from vision.quality import Health
from vision.reading import Reading, StageTimes
from vision.settle import Settle, Sight, TableState

RETRY_AFTER = 2.0
"""Seconds until a camera that failed is opened again."""

HUNTS_FOR = 2.0
"""Seconds a lens gets to find its focus before a soft picture is read all the same."""

IDLE_PAUSE = 0.04
"""Seconds between frames of a live camera while the table rests: fewer are decoded, and none is waited for."""

GUESS_AFTER = 0.06
"""Seconds without movement after which dice are read already."""

PEEK_AFTER = 0.22
"""Seconds something in the way lies still until the dice beside it count, if they are all there or nothing else is."""

IN_THE_WAY = (TableState.OBSTRUCTED, TableState.TAKEOUT)
PERHAPS_STILL = (TableState.SETTLING, *IN_THE_WAY)
"""What the table is said to do while it may lie still already."""

Onlooker = Callable[[Frame], bool]
"""Looks at frames in the reader's stead for as long as it says True."""


STOPPED = message("Tableside stopped looking: a fault of its own, see the terminal")


class NoDice:
    """Reads a table on which a game without dice is played, or nobody looks."""

    def read(self, pixels: Pixels) -> Reading:
        """Nothing."""
        return Reading(pixels.shape[1], pixels.shape[0], (), StageTimes(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class OpenMatch:
    """A match on a table, with who reads its dice; `close` is called when another one takes its place."""

    session: Session
    reader: ReadsDice = field(default_factory=NoDice)
    close: Callable[[], None] = lambda: None


class Listener(Protocol):
    """Whom a watcher tells, all in the watcher's thread (`table.table.Table`)."""

    @property
    def opened(self) -> OpenMatch:
        """The match on the table now. A reading that is being made goes to the match it was begun for."""
        ...

    def state_is(self, state: TableState) -> None:
        """The table does something else now."""
        ...

    def camera_says(self, trouble: Message | None) -> None:
        """The camera stopped seeing, in a sentence; None when it sees again."""
        ...


class FrameStep(Enum):
    """What to do with a frame."""

    WAIT = auto()
    DELIVER = auto()
    """The table has come to rest: hand on what lies there."""
    PREFETCH = auto()
    """Read while the dice settle; drop the reading if they move again."""
    PEEK = auto()
    """Something in the way lies still: hand on the dice beside it, if they are all there or nothing else is."""


def next_step(
    sight: Sight, *, prefetched: bool = False, peeked: bool = False, asked: bool = False
) -> FrameStep:
    """What to do with a frame of which `sight` tells.

    `prefetched`: the dice were read already. `peeked`: they were looked at beside what is in the way. `asked`: people
    asked for another look at a table that lies still.
    """
    if sight.fresh or asked:
        return FrameStep.DELIVER
    if peeked:
        return FrameStep.WAIT
    if sight.state in PERHAPS_STILL and not prefetched and sight.still >= GUESS_AFTER:
        return FrameStep.PREFETCH
    return FrameStep.PEEK if sight.state in IN_THE_WAY and sight.still >= PEEK_AFTER else FrameStep.WAIT


@dataclass(frozen=True, slots=True, eq=False)
class FrameReading:
    """What was read, from which pictures, and for whom."""

    to: OpenMatch
    reading: Reading
    evidence: Evidence


class Watcher:
    """Runs one camera in a thread of its own."""

    def __init__(self, camera: Source, listener: Listener, settle: Settle | None = None) -> None:
        """Nothing runs until `start`."""
        self._camera = camera
        self._listener = listener
        self._settle = settle or Settle()
        self._prefetched: FrameReading | None = None
        """A reading of dice that have hardly come to rest, which counts if they stay so."""
        self._peeked = False
        """The dice beside what is in the way were looked at since anything moved."""
        self._health = Health(live=camera.live)
        self._hunted_since: float | None = None
        self._rolling = Rolling()
        self._onlooker: Onlooker | None = None
        self._said = False
        self._trouble: Message | None = None
        self._state: TableState | None = None
        self._stopping = threading.Event()
        self._again = threading.Event()
        self._nudged = threading.Event()
        """Another camera waits to be opened: there is nothing else to wait for."""
        self._shown = LivePicture()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Open the camera and begin to look."""
        self._thread.start()

    def watch_through(self) -> None:
        """Look until a recorded camera ends, in the caller's own thread."""
        self._run(once=True)

    def stop(self) -> None:
        """Stop looking, and wait until the camera is closed."""
        self._stopping.set()
        self._nudged.set()
        self._shown.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def look_again(self) -> None:
        """Read the table as it lies, though nothing moved."""
        self._again.set()

    @property
    def camera(self) -> Source:
        """What is looked through."""
        return self._camera

    def show_to(self, onlooker: Onlooker) -> None:
        """Hand every frame to somebody else, and read none, until they say False: dice are being taught."""
        self._onlooker = onlooker

    def view_changed(self) -> None:
        """Another part of the picture is looked at; for the reading thread, before the first such frame."""
        self._settle.restart()
        self._health.restart()
        self._rolling = Rolling()
        self._prefetched, self._peeked = None, False

    def nudge(self) -> None:
        """Another camera waits to be opened; whoever rests because the one before failed or ended goes on."""
        self._nudged.set()

    def camera_changed(self) -> None:
        """Another camera is looked through; for the reading thread, before its first frame."""
        self._nudged.clear()
        self.view_changed()
        self._health = Health(live=self._camera.live)
        self._hunted_since = None

    def picture(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """What pages show, as (number, JPEG), once it is another than `after`; None after `wait` seconds."""
        return self._shown.after(after, wait)

    def _run(self, *, once: bool = False) -> None:
        while not self._stopping.is_set():
            try:
                self._camera.open()
                self._health.restart()
                while not self._stopping.is_set() and (frame := self._camera.read()) is not None:
                    self._look(frame)
                    if self._camera.live and self._settle.resting:
                        self._stopping.wait(IDLE_PAUSE)
            except OSError as broken:
                self._says(reason(broken))
            except BaseException:
                # On a bug, stop and show the traceback rather than let the people wait.
                self._listener.camera_says(STOPPED)
                raise
            else:
                if not self._stopping.is_set():
                    self._says(message("{camera} gives no more pictures", camera=self._camera.name))
                    if not self._camera.live:
                        if once:
                            return
                        self._camera.close()
                        self._nudged.wait()
            finally:
                self._camera.close()
            # What lies there when the camera comes back may be another throw.
            self._settle.restart()
            self._prefetched = None
            self._nudged.wait(RETRY_AFTER)
            self._nudged.clear()  # whoever waits is let in by the opening that follows

    def _says(self, trouble: Message | None) -> None:
        """Say what is wrong with the camera once, and once that it is over."""
        if not self._said or trouble != self._trouble:
            self._said, self._trouble = True, trouble
            self._listener.camera_says(trouble)

    def _look(self, frame: Frame) -> None:
        self._shown.show(frame)
        self._says(self._health.see(frame, dice=self._settle.state is TableState.SETTLED))
        if self._health.stale:
            # Nothing is read from a stale frame; what lies there when the camera sees again may be another throw.
            self._settle.restart()
            return
        if self._onlooker is not None:
            if self._onlooker(frame):
                return
            # What lies there now may be another throw than the one that lay there before.
            self._onlooker, self._prefetched = None, None
            self._settle.restart()
        self._rolling.see(frame)
        sight = self._settle.see(frame)
        if sight.moving > 0:
            self._prefetched, self._peeked = None, False
        asked = self._settle.resting and self._again.is_set()
        match next_step(sight, prefetched=self._prefetched is not None, peeked=self._peeked, asked=asked):
            case FrameStep.DELIVER:
                self._deliver(frame, fresh=sight.fresh)
            case FrameStep.PREFETCH:
                self._prefetched = self._read(frame)
            case FrameStep.PEEK:
                self._peek(frame)
            case FrameStep.WAIT:
                pass
        if self._settle.state is not self._state:
            self._state = self._settle.state
            self._listener.state_is(self._state)

    def _read(self, frame: Frame) -> FrameReading:
        # The pictures first: while a reading takes its time, the seconds before it pass out of sight.
        to, evidence = self._listener.opened, self._rolling.evidence(frame)
        return FrameReading(to, to.reader.read(frame.pixels), evidence)

    def _prefetched_or_read(self, frame: Frame) -> FrameReading:
        """What was read while the dice settled, unless that was for another match."""
        look, self._prefetched = self._prefetched, None
        return look if look is not None and look.to is self._listener.opened else self._read(frame)

    def _deliver(self, frame: Frame, *, fresh: bool) -> None:
        if not fresh:
            self._prefetched = None
        look = self._prefetched_or_read(frame)
        boxes = [die.box for die in look.reading.dice]
        soft = self._health.read(frame.pixels, boxes)
        if soft and fresh and self._hunting(frame):
            self._settle.restart()
            return
        self._again.clear()
        self._hunted_since = None
        self._settle.found(len(boxes), boxes)
        self._hand_on(look)

    def _hunting(self, frame: Frame) -> bool:
        """Whether the lens may still be hunting for focus, so that a look a moment later is better; not for ever."""
        self._hunted_since = frame.taken if self._hunted_since is None else self._hunted_since
        return frame.taken - self._hunted_since < HUNTS_FOR

    def _peek(self, frame: Frame) -> None:
        self._peeked = True
        look = self._prefetched_or_read(frame)
        boxes = [die.box for die in look.reading.dice]
        if look.to.session.complete(look.reading) or (boxes and self._settle.only_dice(boxes)):
            self._settle.accept(boxes)
            self._hand_on(look)

    def _hand_on(self, look: FrameReading) -> None:
        lay, self._settle.lay = self._settle.lay, 0.0
        look.to.session.saw(replace(look.reading, lay=lay), look.evidence)
