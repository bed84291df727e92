"""Looks at a table through a camera: every frame is shown and watched. One that has settled is read, and a few more if
it leaves a question.

Nothing unsettled reaches the session (invariant 3).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Protocol

import numpy as np

from messages.message import Message, message, reason
from table.ports import ReadsDice, ReadsOn
from table.session import Session
from table.storage.evidence import Evidence, Rolling
from vision.camera.live_picture import LivePicture
from vision.camera.source import Source
from vision.frame import Frame, Mask, Pixels
from vision.quality import Health
from vision.reading import Reading, Since, StageTimes
from vision.settle import Settle, Sight, TableState

RETRY_AFTER = 2.0
"""Seconds until a camera that failed is opened again."""

HUNTS_FOR = 2.0
"""Seconds a lens gets to find its focus before a soft picture is read all the same."""

IDLE_PAUSE = 0.04
"""Seconds between frames of a live camera while the table rests: fewer are decoded, and none is waited for."""

GUESS_AFTER = 0.03
"""Seconds without movement before dice are read: a frame in which nothing moves looks like those just before it."""

ALL_THERE_AFTER = 0.09
"""Seconds without movement after which dice count, if all of them were read for certain."""

MOST_FRAMES, READS_FOR = 5, 0.5
"""Frames of dice that lie still which are read at most before people are asked, and within how many seconds."""

LEAST_FRAMES, READS_FOR_LONGEST = 3, 1.5
"""So many are read even if that takes longer, but not for ever: a question interrupts more than a second's silence."""

READ_APART = 0.06
"""Seconds between two frames that are read of the same dice."""

PEEK_AFTER = 0.22
"""Seconds something in the way lies still until the dice beside it count, if they are all there or nothing else is."""

IN_THE_WAY = (TableState.OBSTRUCTED, TableState.TAKEOUT)
PERHAPS_STILL = (TableState.SETTLING, *IN_THE_WAY)
"""What the table is said to do while it may lie still already."""

Onlooker = Callable[[Frame], bool]
"""Looks at a frame in the reader's stead, or says False: it wants none now."""


STOPPED = message("Tableside stopped watching because of a bug; see the terminal")


class NoDice:
    """Reads a table on which a game without dice is played, or nobody looks."""

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
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
    """The table has come to rest: hand on what lies there, as soon as it is certain."""
    PREFETCH = auto()
    """Read while the dice settle; drop the reading if they move again."""
    READ_ON = auto()
    """Read the same dice in another frame: it may answer what people would be asked."""
    PEEK = auto()
    """Something in the way lies still: hand on the dice beside it, if they are all there or nothing else is."""


def next_step(
    sight: Sight,
    *,
    prefetched: bool = False,
    unsure: bool = False,
    peeked: bool = False,
    asked: bool = False,
) -> FrameStep:
    """What to do with a frame of which `sight` tells.

    `prefetched`: the dice were read already; `unsure`: and another frame may tell more. `peeked`: they were looked at
    beside what is in the way. `asked`: people asked for another look at a table that lies still.
    """
    if sight.fresh or asked:
        return FrameStep.DELIVER
    if peeked:
        return FrameStep.WAIT
    if sight.state in PERHAPS_STILL and not prefetched and sight.still >= GUESS_AFTER:
        return FrameStep.PREFETCH
    if unsure and not sight.passed and sight.state not in IN_THE_WAY:
        return FrameStep.READ_ON
    return FrameStep.PEEK if sight.state in IN_THE_WAY and sight.still >= PEEK_AFTER else FrameStep.WAIT


@dataclass(frozen=True, slots=True, eq=False)
class StillReading:
    """What was read of dice that lie still, from which pictures, and for whom."""

    to: OpenMatch
    reading: Reading
    evidence: Evidence
    """The first frame that was read, and the seconds before it."""
    began: float
    """When that frame was taken."""
    newest: Frame
    """The last frame that was read."""
    repeats: bool = False
    """The camera shows the same picture again: there is no more to see."""
    arrived: Mask | None = None
    """Where dice may lie, as the reader was told at the first frame."""

    def enough(self, now: float) -> bool:
        """Whether it is handed on as it is: all dice are there for certain, or no frame in time would tell more."""
        return (
            self.repeats
            or not self.reading.dice
            or not isinstance(self.to.reader, ReadsOn)
            or len(self.reading.frames) >= MOST_FRAMES
            or now - self.began >= (READS_FOR if len(self.reading.frames) >= LEAST_FRAMES else READS_FOR_LONGEST)
            or self.to.session.complete(self.reading)
        )

    def with_frame(self, frame: Frame) -> StillReading:
        """The same dice, read in another frame as well if it comes late enough and is another picture."""
        if not isinstance(self.to.reader, ReadsOn) or frame.taken - self.newest.taken < READ_APART:
            return self
        if np.array_equal(frame.pixels, self.newest.pixels):
            return replace(self, repeats=True)
        reading = self.to.reader.read_on(frame.pixels, self.reading, self.arrived)
        return replace(self, reading=reading, newest=frame, repeats=reading is self.reading)


class Watcher:
    """Runs one camera in a thread of its own."""

    def __init__(self, camera: Source, listener: Listener, settle: Settle | None = None) -> None:
        """Nothing runs until `start`."""
        self._camera = camera
        self._listener = listener
        self._settle = settle or Settle()
        self._still: StillReading | None = None
        """What was read of dice that have hardly come to rest, which counts if they stay so."""
        self._since: Since | None = None
        """They do: that reading is handed on as soon as it is enough, with this as its `Reading.since`."""
        self._peeked = False
        """The dice beside what is in the way were looked at since anything moved."""
        self._health = Health(live=camera.live)
        self._hunted_since: float | None = None
        self._rolling = Rolling()
        self._onlooker: Onlooker | None = None
        self._lent = False
        """The onlooker took the last frame."""
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

    @property
    def failed(self) -> bool:
        """Whether a bug has stopped it; a camera that is missing has not."""
        return self._thread.ident is not None and not self._thread.is_alive() and not self._stopping.is_set()

    def look_again(self) -> None:
        """Read the table as it lies, though nothing moved."""
        self._again.set()

    @property
    def camera(self) -> Source:
        """What is looked through."""
        return self._camera

    def show_to(self, onlooker: Onlooker) -> None:
        """Offer every frame to somebody else first, and read only those they refuse: dice may be taught."""
        self._onlooker = onlooker

    def view_changed(self) -> None:
        """Another part of the picture is looked at; for the reading thread, before the first such frame."""
        self._settle.restart()
        self._health.restart()
        self._rolling = Rolling()
        self._forget()

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
                    self._hand_on_rested()
                    self._says(message("{camera} has stopped sending images", camera=self._camera.name))
                    if not self._camera.live:
                        if once:
                            return
                        self._camera.close()
                        self._nudged.wait()
            finally:
                self._camera.close()
            # What lies there when the camera comes back may be another throw.
            self._settle.restart()
            self._forget()
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
            self._forget()
            return
        if self._onlooker is not None and self._onlooker(frame):
            self._lent = True
            return
        if self._lent:
            # What lies there now may be another throw than the one that lay there before.
            self._lent = False
            self._settle.restart()
            self._forget()
        self._rolling.see(frame)
        sight = self._settle.see(frame)
        if sight.moving > 0:
            self._hand_on_rested()
            self._forget()
        if self._all_there(sight) and self._settle.rest_sooner():
            sight = replace(sight, fresh=True)
        asked = self._settle.resting and self._again.is_set()
        unsure = (self._since is not None or not self._settle.resting) and not self._enough(frame)
        read = self._still is not None
        match next_step(sight, prefetched=read, unsure=unsure, peeked=self._peeked, asked=asked):
            case FrameStep.DELIVER:
                self._deliver(frame, fresh=sight.fresh)
            case FrameStep.PREFETCH:
                self._still = self._read(frame)
            case FrameStep.READ_ON:
                look = self._read_already()
                self._still = look and look.with_frame(frame)
            case FrameStep.PEEK:
                self._peek(frame)
            case FrameStep.WAIT:
                pass
        if self._since is not None and self._enough(frame):
            self._hand_on_rested()
        if self._settle.state is not self._state:
            self._state = self._settle.state
            self._listener.state_is(self._state)

    def _all_there(self, sight: Sight) -> bool:
        """Whether all dice were read for certain since nothing moves, and have lain long enough for that."""
        look = self._read_already()
        soon = sight.state is TableState.SETTLING and sight.still >= ALL_THERE_AFTER
        return soon and look is not None and look.to.session.complete(look.reading)

    def _forget(self) -> None:
        """What was read lies there no more, or nobody knows whether it does."""
        self._still, self._since, self._peeked = None, None, False

    def _read(self, frame: Frame, *, anew: bool = False) -> StillReading:
        # The pictures first: while a reading takes its time, the seconds before it pass out of sight.
        to, evidence = self._listener.opened, self._rolling.evidence(frame)
        # Where people ask for another look, what was read before may have been wrong.
        arrived = None if anew else self._settle.arrived()
        reading = to.reader.read(frame.pixels, arrived)
        return StillReading(to, reading, evidence, frame.taken, frame, arrived=arrived)

    def _read_already(self) -> StillReading | None:
        """What was read of the dice since they lie still, unless that was for another match."""
        look = self._still
        return look if look is not None and look.to is self._listener.opened else None

    def _enough(self, frame: Frame) -> bool:
        look = self._still
        return look is None or look.enough(frame.taken)

    def _deliver(self, frame: Frame, *, fresh: bool) -> None:
        """The dice lie still, or people want them read anew: from now on what is read of them is handed on."""
        look = (self._read_already() if fresh else None) or self._read(frame, anew=not fresh)
        if self._out_of_focus(frame, look.reading) and fresh and self._hunting(frame):
            self._settle.restart()
            self._forget()
            return
        self._again.clear()
        self._hunted_since = None
        self._since = self._since or self._settle.since_read()
        self._still = look if look.enough(frame.taken) else look.with_frame(frame)

    def _out_of_focus(self, frame: Frame, reading: Reading) -> bool:
        """Whether the dice that were read in a frame are out of focus; how they look there is what is compared with."""
        doubted = not all(die.certain for die in reading.dice)
        return self._health.read(frame.pixels, [die.box for die in reading.dice], doubted=doubted)

    def _hunting(self, frame: Frame) -> bool:
        """Whether the lens may still be hunting for focus, so that a look a moment later is better; not for ever."""
        self._hunted_since = frame.taken if self._hunted_since is None else self._hunted_since
        return frame.taken - self._hunted_since < HUNTS_FOR

    def _peek(self, frame: Frame) -> None:
        look = self._still = self._read_already() or self._read(frame)
        boxes = [die.box for die in look.reading.dice]
        if look.to.session.complete(look.reading) or (boxes and self._settle.only_dice(boxes)):
            self._settle.accept(boxes)
            self._out_of_focus(frame, look.reading)
            self._since = self._settle.since_read()
        else:
            self._peeked, self._still = True, None

    def _hand_on_rested(self) -> None:
        """Hand on what was read of dice that have come to rest, if they have, and it was not yet."""
        look, since = self._read_already(), self._since
        if look is not None and since is not None:
            boxes = [die.box for die in look.reading.dice]
            self._settle.found(len(boxes), boxes, all_there=look.to.session.complete(look.reading))
            look.to.session.saw(replace(look.reading, since=since), look.evidence)
        if since is not None:
            self._still, self._since = None, None
