"""Looks at a table through a camera: every frame is shown and watched, a settled one is read.

Nothing unsettled reaches the session (invariant 3).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from table.ports import Camera, Reader
from table.storage.evidence import Evidence, Rolling
from vision.camera.live_picture import LivePicture
from vision.frame import Frame
from vision.quality import Health
from vision.reading import Reading
from vision.settle import Settle, TableState

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

Complete = Callable[[Reading], bool]
"""Whether a reading is all there is to see."""


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """Who reads, and for whom: one match's."""

    reader: Reader
    on_reading: Callable[[Reading], None]
    complete: Complete


class Watcher:
    """Runs one camera in a thread of its own.

    `on_reading` is called with each reading of a throw, `on_state` when the table's state changes,
    `on_camera` with a sentence when the camera stops seeing and with None when it sees again. All three are
    called in the watcher's thread.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        *,
        on_reading: Callable[[Reading], None],
        on_state: Callable[[TableState], None],
        on_camera: Callable[[str | None], None],
        settle: Settle | None = None,
        complete: Complete = lambda _: False,
    ) -> None:
        """Nothing runs until `start`.

        `complete` says whether a reading is all there is to see: then a hand or a cup that lies still beside the
        dice does not keep them from being read.
        """
        self._camera = camera
        self._to = Reads(reader, on_reading, complete)
        self._on_state = on_state
        self._on_camera = on_camera
        self._settle = settle or Settle()
        self._peeked = False
        """Whether the dice beside what is in the way were looked at since anything moved."""
        self._health = Health(live=camera.live)
        self._hunted_since: float | None = None
        self._rolling = Rolling()
        self.evidence: Evidence | None = None
        """The pictures of the reading that is being handed on."""
        self._guess: tuple[Reads, Reading, Evidence] | None = None
        """A reading of dice that have hardly come to rest, which counts if they stay so."""
        self._onlooker: Onlooker | None = None
        self._said = False
        self._trouble: str | None = None
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

    def read_for(self, reader: Reader, on_reading: Callable[[Reading], None], complete: Complete) -> None:
        """Read the next frames so: another match is on the table. A reading that is being made goes where it was
        meant to go. The table is not looked at anew: what lies there was not thrown for this match."""
        self._to = Reads(reader, on_reading, complete)

    @property
    def camera(self) -> Camera:
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
        self._guess, self._peeked = None, False

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
                self._says(str(broken))
            except BaseException:
                # A fault of ours ends the watcher, with its traceback; the people must not wait for it.
                self._on_camera("Tableside stopped looking: a fault of its own, see the terminal")
                raise
            else:
                if not self._stopping.is_set():
                    self._says(f"{self._camera.name} gives no more pictures")
                    if not self._camera.live:
                        if once:
                            return
                        self._camera.close()
                        self._nudged.wait()
            finally:
                self._camera.close()
            # What lies there when the camera comes back may be another throw.
            self._settle.restart()
            self._guess = None
            self._nudged.wait(RETRY_AFTER)
            self._nudged.clear()  # whoever waits is let in by the opening that follows

    def _read(self, to: Reads, frame: Frame) -> tuple[Reads, Reading, Evidence]:
        # The pictures first: while a reading takes its time, the seconds before it pass out of sight.
        evidence = self._rolling.evidence(frame)
        return to, to.reader.read(frame.pixels), evidence

    def _hand_on(self, to: Reads, reading: Reading) -> None:
        lay, self._settle.lay = self._settle.lay, 0.0
        to.on_reading(replace(reading, lay=lay))

    def _hunting(self, frame: Frame) -> bool:
        """Whether the lens may still be hunting for focus, so that a look a moment later is better; not for ever."""
        self._hunted_since = frame.taken if self._hunted_since is None else self._hunted_since
        return frame.taken - self._hunted_since < HUNTS_FOR

    def _says(self, trouble: str | None) -> None:
        """Say what is wrong with the camera once, and once that it is over."""
        if not self._said or trouble != self._trouble:
            self._said, self._trouble = True, trouble
            self._on_camera(trouble)

    def _look(self, frame: Frame) -> None:
        self._shown.show(frame)
        trouble = self._health.see(frame, dice=self._settle.state is TableState.SETTLED)
        self._says(trouble)
        if self._health.stale:
            # Nothing is read from a stale frame; what lies there when the camera sees again may be another throw.
            self._settle.restart()
            return
        if self._onlooker is not None:
            if self._onlooker(frame):
                return
            # What lies there now may be another throw than the one that lay there before.
            self._onlooker, self._guess = None, None
            self._settle.restart()
        self._rolling.see(frame)
        sight = self._settle.see(frame)
        if sight.moving > 0:
            self._guess, self._peeked = None, False
        asked = self._settle.resting and self._again.is_set()
        to = self._to
        if sight.fresh or asked:
            guess, self._guess = self._guess if sight.fresh else None, None
            if guess is None or guess[0] is not to:
                guess = self._read(to, frame)
            _, reading, self.evidence = guess
            boxes = [die.box for die in reading.dice]
            soft = self._health.read(frame.pixels, boxes)
            if soft and sight.fresh and self._hunting(frame):
                self._settle.restart()
            else:
                self._again.clear()
                self._hunted_since = None
                self._settle.found(len(boxes), boxes)
                self._hand_on(to, reading)
        elif self._peeked:
            pass
        elif sight.state in PERHAPS_STILL and self._guess is None and sight.still >= GUESS_AFTER:
            # Reading takes as long as waiting for standstill does: both at once. What moves after all drops it.
            self._guess = self._read(to, frame)
        elif sight.state in IN_THE_WAY and sight.still >= PEEK_AFTER:
            self._peeked = True
            guess, self._guess = self._guess, None
            _, reading, evidence = guess if guess is not None and guess[0] is to else self._read(to, frame)
            boxes = [die.box for die in reading.dice]
            if to.complete(reading) or (boxes and self._settle.only_dice(boxes)):
                self._settle.accept(boxes)
                self.evidence = evidence
                self._hand_on(to, reading)
        if self._settle.state is not self._state:
            self._state = self._settle.state
            self._on_state(self._state)
