"""Watches a table through a camera. Every frame is shown and watched. Once the dice have settled, one frame is read,
and a few more if the first leaves a question.

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
"""Seconds until a failed camera is opened again."""

HUNTS_FOR = 2.0
"""Seconds for the lens to find its focus before a blurred picture is read anyway."""

IDLE_PAUSE = 0.04
"""Seconds between frames of a live camera while the table rests, so that fewer have to be decoded."""

GUESS_AFTER = 0.03
"""Seconds without movement before dice are read in advance, since the frames that follow will look the same."""

ALL_THERE_AFTER = 0.09
"""Seconds without movement after which dice count if all of them were read for certain."""

MOST_FRAMES, READS_FOR = 5, 0.5
"""At most so many frames of dice at rest are read before people are asked, within so many seconds."""

LEAST_FRAMES, READS_FOR_LONGEST = 3, 1.5
"""At least so many are read even if that takes longer, up to so many seconds: waiting a second disturbs less than a
question."""

READ_APART = 0.06
"""Least seconds between two frames in which the same dice are read."""

PEEK_AFTER = 0.22
"""If an obstruction lies still for so many seconds, the dice beside it count if all are there or nothing else is."""

IN_THE_WAY = (TableState.OBSTRUCTED, TableState.TAKEOUT)
PERHAPS_STILL = (TableState.SETTLING, *IN_THE_WAY)
"""States in which the dice may already lie still."""

Onlooker = Callable[[Frame], bool]
"""Takes a frame instead of the reader; False if it does not want it."""


STOPPED = message("Tableside stopped watching because of a bug; see the terminal")


class NoDice:
    """Reads a table on which a game without dice is played, or no match at all."""

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        """No dice."""
        return Reading(pixels.shape[1], pixels.shape[0], (), StageTimes(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class OpenMatch:
    """A match on a table and the reader of its dice; `close` is called when another match takes its place."""

    session: Session
    reader: ReadsDice = field(default_factory=NoDice)
    close: Callable[[], None] = lambda: None


class Listener(Protocol):
    """Is told what a watcher sees, in the watcher's thread (`table.table.Table`)."""

    @property
    def opened(self) -> OpenMatch:
        """The match on the table now. A reading goes to the match for which it was begun."""
        ...

    def state_is(self, state: TableState) -> None:
        """The state of the table has changed."""
        ...

    def camera_says(self, trouble: Message | None) -> None:
        """The camera has stopped seeing, and why, in a sentence; None once it sees again."""
        ...


class FrameStep(Enum):
    """What to do with a frame."""

    WAIT = auto()
    DELIVER = auto()
    """The dice have come to rest: hand them on as soon as they are certain."""
    PREFETCH = auto()
    """Read while the dice settle; drop the reading if they move again."""
    READ_ON = auto()
    """Read the same dice in another frame, which may answer the question."""
    PEEK = auto()
    """An obstruction lies still: hand on the dice beside it if all are there or nothing else is."""


def next_step(
    sight: Sight,
    *,
    prefetched: bool = False,
    unsure: bool = False,
    peeked: bool = False,
    asked: bool = False,
) -> FrameStep:
    """What to do with the frame that `sight` describes.

    `prefetched`: the dice have been read; `unsure`: and another frame may tell more. `peeked`: the dice beside an
    obstruction have been looked at. `asked`: people asked for another look at a table at rest.
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
    """A reading of dice at rest, with the pictures it comes from and the match it is for."""

    to: OpenMatch
    reading: Reading
    evidence: Evidence
    """The first frame that was read, and the seconds before it."""
    began: float
    """When that frame was taken."""
    newest: Frame
    """The last frame that was read."""
    repeats: bool = False
    """The camera shows the same picture again, so another frame adds nothing."""
    arrived: Mask | None = None
    """Where dice may lie, as it was told to the reader at the first frame."""

    def enough(self, now: float) -> bool:
        """Whether to hand it on as it is: all dice are certain, or no further frame would tell more in time."""
        return (
            self.repeats
            or not self.reading.dice
            or not isinstance(self.to.reader, ReadsOn)
            or len(self.reading.frames) >= MOST_FRAMES
            or now - self.began >= (READS_FOR if len(self.reading.frames) >= LEAST_FRAMES else READS_FOR_LONGEST)
            or self.to.session.complete(self.reading)
        )

    def with_frame(self, frame: Frame) -> StillReading:
        """The reading with another frame added, if that comes late enough and is a different picture."""
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
        """The reading of dice that have just come to rest, which counts if they stay at rest."""
        self._since: Since | None = None
        """Set once the dice have settled; the reading is then handed on as soon as it is enough, with this as its
        `Reading.since`."""
        self._peeked = False
        """The dice beside an obstruction have been looked at since the last movement."""
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
        """Another camera waits to be opened, so stop waiting for this one."""
        self._shown = LivePicture()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Open the camera and start watching."""
        self._thread.start()

    def watch_through(self) -> None:
        """Watch a recording until its end, in the caller's own thread."""
        self._run(once=True)

    def stop(self) -> None:
        """Stop watching, and wait until the camera is closed."""
        self._stopping.set()
        self._nudged.set()
        self._shown.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    @property
    def failed(self) -> bool:
        """Whether a bug has stopped it; a missing camera does not."""
        return self._thread.ident is not None and not self._thread.is_alive() and not self._stopping.is_set()

    def look_again(self) -> None:
        """Read the table again although nothing has moved."""
        self._again.set()

    @property
    def camera(self) -> Source:
        """The camera in use."""
        return self._camera

    def show_to(self, onlooker: Onlooker) -> None:
        """Offer every frame to an onlooker first, such as a lesson, and read only those it refuses."""
        self._onlooker = onlooker

    def view_changed(self) -> None:
        """Another part of the picture is in view; to be called in the reading thread, before the first such frame."""
        self._settle.restart()
        self._health.restart()
        self._rolling = Rolling()
        self._forget()

    def nudge(self) -> None:
        """Another camera waits to be opened: stop waiting for one that failed or ended."""
        self._nudged.set()

    def camera_changed(self) -> None:
        """Another camera is in use; to be called in the reading thread, before its first frame."""
        self._nudged.clear()
        self.view_changed()
        self._health = Health(live=self._camera.live)
        self._hunted_since = None

    def picture(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """The picture for the pages, as (number, JPEG), once its number is not `after`; None after `wait` seconds."""
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
                # On a bug, stop and show the traceback rather than keep people waiting.
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
            # The dice may be another throw once the camera is back.
            self._settle.restart()
            self._forget()
            self._nudged.wait(RETRY_AFTER)
            self._nudged.clear()  # a camera that waits is opened next

    def _says(self, trouble: Message | None) -> None:
        """Say once what is wrong with the camera, and once that it works again."""
        if not self._said or trouble != self._trouble:
            self._said, self._trouble = True, trouble
            self._listener.camera_says(trouble)

    def _look(self, frame: Frame) -> None:
        self._shown.show(frame)
        self._says(self._health.see(frame, dice=self._settle.state is TableState.SETTLED))
        if self._health.stale:
            # Nothing is read from a stale frame, and the dice may be another throw once the camera sees again.
            self._settle.restart()
            self._forget()
            return
        if self._onlooker is not None and self._onlooker(frame):
            self._lent = True
            return
        if self._lent:
            # The dice may be another throw than before.
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
        """Whether all dice have been read for certain since they stopped, and have lain still long enough."""
        look = self._read_already()
        soon = sight.state is TableState.SETTLING and sight.still >= ALL_THERE_AFTER
        return soon and look is not None and look.to.session.complete(look.reading)

    def _forget(self) -> None:
        """Drop the reading: the dice are gone, or may be."""
        self._still, self._since, self._peeked = None, None, False

    def _read(self, frame: Frame, *, anew: bool = False) -> StillReading:
        # Take the pictures first: older ones are dropped while the reading takes its time.
        to, evidence = self._listener.opened, self._rolling.evidence(frame)
        # If people ask for another look, the reading before may have been wrong.
        arrived = None if anew else self._settle.arrived()
        reading = to.reader.read(frame.pixels, arrived)
        return StillReading(to, reading, evidence, frame.taken, frame, arrived=arrived)

    def _read_already(self) -> StillReading | None:
        """The reading of the dice at rest, if there is one for this match."""
        look = self._still
        return look if look is not None and look.to is self._listener.opened else None

    def _enough(self, frame: Frame) -> bool:
        look = self._still
        return look is None or look.enough(frame.taken)

    def _deliver(self, frame: Frame, *, fresh: bool) -> None:
        """The dice have settled, or people want them read again: their reading may be handed on from now on."""
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
        """Whether the dice read in a frame are out of focus; how sharp they are there is what later frames are compared
        with."""
        doubted = not all(die.certain for die in reading.dice)
        return self._health.read(frame.pixels, [die.box for die in reading.dice], doubted=doubted)

    def _hunting(self, frame: Frame) -> bool:
        """Whether the lens may still be hunting for focus, for HUNTS_FOR seconds at most, so that waiting helps."""
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
        """Hand on the reading of dice that have settled, if there is one that was not handed on yet."""
        look, since = self._read_already(), self._since
        if look is not None and since is not None:
            boxes = [die.box for die in look.reading.dice]
            self._settle.found(len(boxes), boxes, all_there=look.to.session.complete(look.reading))
            look.to.session.saw(replace(look.reading, since=since), look.evidence)
        if since is not None:
            self._still, self._since = None, None
