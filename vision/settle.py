"""Tells from small grey pictures what the table is doing; cheap enough for every frame.

A throw is movement after which the picture differs from the last time the table lay still. Movement alone is not a
throw (a hand passed, the table was bumped), nor is a change of light: what is compared is local contrast, the logarithm
of brightness minus its average nearby, in which lamps, flicker and auto-exposure cancel out because they are smooth.

Times are seconds of the frames' own clock, so the camera's frame rate does not matter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, fill
from vision.frame import Frame, Mask
from vision.mover import Mover, Pieces
from vision.reading import Since

Plane = NDArray[np.float32]
"""(h, w) local contrast: the logarithm of brightness minus its average nearby."""


class TableState(StrEnum):
    """What the table is doing. Only SETTLED frames are read (invariant 3)."""

    EMPTY = "empty"
    ROLLING = "rolling"
    SETTLING = "settling"
    SETTLED = "settled"
    TAKEOUT = "takeout"
    """A hand reaches for dice that lay still."""
    OBSTRUCTED = "obstructed"
    """A hand, a cup or a sleeve blocks the view."""


@dataclass(frozen=True, slots=True)
class SettleSettings:
    """Thresholds, with their units."""

    width: int = 200
    """Pixels across the small picture."""
    contrast: float = 0.11
    """Least change of local contrast that counts, in natural logarithms (0.11: a tenth brighter or darker)."""
    noise_multiple: float = 5.0
    """A change must also be this many times the picture's own noise."""
    speck: float = 0.0004
    """Smallest connected change that counts, as a share of the picture; a 24 px die at 1080p is 0.0003."""
    gap: float = 0.08
    """Movement is the difference between pictures this many seconds apart."""
    still_for: float = 0.22
    """Seconds without movement until the table is settled."""
    hand: float = 0.06
    """A change is a hand if it covers at least this share of the picture …"""
    wrist: float = 0.045
    """… and touches at least this share of the border."""
    glance: float = 0.055
    """While the table rests, frames within this many seconds of the last look are skipped."""
    around: float = 0.5
    """How far around a die its shadow and its effect on local contrast reach, in widths of the die."""
    patience: float = 4.0
    """After this many seconds a still obstruction counts as part of the table."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one frame showed."""

    state: TableState
    moving: float
    """Share of the small picture that moved."""
    still: float
    """Seconds since the last movement."""
    fresh: bool
    """The table has just come to rest and something has changed: read this frame. True once a throw."""
    passed: bool = False
    """The frame came too soon after the last one and was skipped: nobody knows whether anything moves in it."""


class Settle:
    """Follows one camera: `see` every frame, then tell it with `found` what was read in a fresh one."""

    def __init__(self, settings: SettleSettings | None = None) -> None:
        """Knows nothing yet: the first rest is fresh."""
        self.settings = settings or SettleSettings()
        self.restart()

    def restart(self) -> None:
        """Forget the table, since the camera was moved or changed. The next rest is fresh."""
        self.state = TableState.SETTLING
        self._recent: deque[tuple[float, Plane]] = deque()
        self._rested: Plane | None = None
        self._bare: Plane | None = None
        """The last rest without dice, or with all of them in `_covered`; until there is one, the first rest."""
        self._covered: tuple[Box, ...] = ()
        self._clear: Plane | None = None
        """The last rest with nothing in the way, not even a hand that counts as part of the table by now."""
        self._resting_state = TableState.EMPTY
        self._moved: float | None = None
        self._since = Since()
        """What the table did after it was last read, up to its last rest."""
        self._mover = Mover()
        self._noise = 0.0
        self._dice: tuple[Box, ...] = ()
        """Where dice lay at the last rest, in pixels of the small picture."""
        self._scale = 1.0
        """Pixels of the small picture per pixel of the frame."""

    def see(self, frame: Frame) -> Sight:
        """Look at the next frame, which must not be older than the one before."""
        now = frame.taken
        if self.resting and self._recent and now - self._recent[-1][0] < self.settings.glance:
            return Sight(self.state, 0.0, now - (self._moved or now), fresh=False, passed=True)
        plane = local_contrast(frame.pixels, self.settings.width)
        if self._recent and self._recent[-1][1].shape != plane.shape:
            self.restart()
        self._scale = plane.shape[1] / frame.pixels.shape[1]
        changes = self._movement(plane)
        moving = float(changes[:, cv2.CC_STAT_AREA].sum()) / plane.size
        self._follow(plane, changes, now)
        self._recent.append((now, plane))
        while len(self._recent) > 1 and now - self._recent[1][0] >= self.settings.gap:
            self._recent.popleft()
        rested, since = self.resting, self._moved
        if self._moved is None or moving > 0:
            self._moved = now
        still = now - self._moved
        hand = self._hand(plane)
        fresh = False
        if hand and still < self.settings.patience:
            if self.state is TableState.SETTLED:
                self.state = TableState.TAKEOUT
            elif self.state is not TableState.TAKEOUT:
                self.state = TableState.OBSTRUCTED
        elif moving > 0:
            self.state = TableState.ROLLING
        elif still < self.settings.still_for:
            if not self.resting:
                self.state = TableState.SETTLING
        elif not self.resting:
            fresh = self._come_to_rest(plane, hand=hand)
        if rested and since is not None and not self.resting:
            self._since = Since(max(self._since.lay, now - since))
        return Sight(self.state, moving, still, fresh)

    def rest_sooner(self) -> bool:
        """Call the table settled although it has hardly come to rest, since all its dice have been read.

        True if this is a fresh rest, as in `Sight.fresh`; False if the table is not settling.
        """
        if self.state is not TableState.SETTLING or not self._recent:
            return False
        return self._come_to_rest(self._recent[-1][1], hand=False)

    def _come_to_rest(self, plane: Plane, *, hand: bool) -> bool:
        """Note how the table looks at rest; True if anything has changed since the last rest."""
        fresh = self._rested is None or len(self._pieces(self._different(plane, self._rested))) > 0
        self._rested = plane
        die = max(((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in self._dice), default=inf)
        self._since = Since(self._since.lay, self._mover.rolled, self._mover.handled(die))
        self._clear = self._clear if hand else plane
        self._resting_state = TableState.SETTLED if fresh else self._resting_state
        self.state = self._resting_state
        return fresh

    def found(self, dice: int, boxes: Sequence[Box] = (), *, all_there: bool = False) -> None:
        """Note how many dice were read in the fresh frame; with none the table is empty, not settled.

        `boxes` are theirs, in pixels of the frame. `all_there`: nothing else on the table is a die.
        """
        self._resting_state = TableState.SETTLED if dice else TableState.EMPTY
        self._dice = self._small(boxes)
        if self._bare is None or not dice or all_there:
            self._bare, self._covered = self._rested, self._dice
        if self.resting:
            self.state = self._resting_state

    def only_dice(self, boxes: Sequence[Box]) -> bool:
        """Whether the dice in these boxes (pixels of the frame) and those of the last rest are all that is in the way.

        Dice close together at the picture's edge look like a hand reaching in.
        """
        if not self._recent:
            return False
        plane = self._recent[-1][1]
        explained = np.zeros(plane.shape, np.uint8)
        fill(explained, (*self._dice, *self._small(boxes)), 255, self.settings.around)
        return not self._hand(plane, explained)

    def accept(self, boxes: Sequence[Box] = ()) -> None:
        """Take the present picture for the last rest: it was read although something still blocks part of the view.

        `boxes` are those of the dice, in pixels of the frame. The last clear view is kept, so that a hand that leaves
        is not mistaken for one reaching in.
        """
        if self._recent:
            self._rested = self._recent[-1][1]
            self._resting_state = self.state = TableState.SETTLED
            self._dice = self._small(boxes)

    def _small(self, boxes: Sequence[Box]) -> tuple[Box, ...]:
        return tuple(
            (x0 * self._scale, y0 * self._scale, x1 * self._scale, y1 * self._scale)
            for x0, y0, x1, y1 in boxes
        )

    @property
    def resting(self) -> bool:
        """Whether the table lies still with nothing in the way."""
        return self.state in (TableState.SETTLED, TableState.EMPTY)

    def arrived(self) -> Mask | None:
        """Where dice may lie, in the small picture: where it differs from the table without dice.

        None before the first rest was read.
        """
        if self._bare is None or not self._recent:
            return None
        where = self._new(self._recent[-1][1], self._bare)
        fill(where, self._covered, 255)
        return where

    def since_read(self) -> Since:
        """What the table did since this was last asked; it is asked whenever the table is read."""
        since, self._since = self._since, Since(0.0)
        return since

    def _follow(self, plane: Plane, changes: Pieces, now: float) -> None:
        """Show the mover what has just changed."""
        if self.resting:
            self._mover.rests()
        if len(changes):
            new = changes if self._rested is None else self._pieces(self._new(plane, self._rested))
            lasted = min(now - self._recent[-1][0], self.settings.gap)
            self._mover.moves(new, (plane.shape[0], plane.shape[1]), now, lasted, self._recent[0][0])

    def _new(self, plane: Plane, rested: Plane) -> Mask:
        """Where the table differs from a rest, with small gaps closed, so that a hand is one piece."""
        mask = cv2.morphologyEx(self._different(plane, rested), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        return np.asarray(mask, np.uint8)

    def _movement(self, plane: Plane) -> Pieces:
        """What has changed within `gap` seconds, or since the frame before if that is older."""
        if not self._recent:
            return np.zeros((0, 5), np.int32)
        earlier = self._recent[0][1]
        # The median of |difference| is 0.6745 σ for Gaussian noise, and dice cover far less than half a
        # table.
        difference = np.abs(plane - earlier)
        self._noise += 0.2 * (float(np.median(difference)) / 0.6745 - self._noise)
        return self._pieces(self._beyond_noise(difference))

    def _different(self, plane: Plane, earlier: Plane) -> Mask:
        """Where two pictures differ by more than noise."""
        return self._beyond_noise(np.abs(plane - earlier))

    def _beyond_noise(self, difference: Plane) -> Mask:
        limit = max(self.settings.contrast, self.settings.noise_multiple * self._noise)
        return np.where(difference > limit, np.uint8(255), np.uint8(0))

    def _pieces(self, mask: Mask) -> Pieces:
        """The connected changes larger than a speck."""
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        found = np.asarray(stats[1:], np.int32)
        return found[found[:, cv2.CC_STAT_AREA] >= max(4.0, self.settings.speck * mask.size)]

    def _hand(self, plane: Plane, explained: Mask | None = None) -> bool:
        """Whether something large that was not there at the last rest reaches in over the border.

        Pixels marked in `explained` do not count.
        """
        if self._rested is None or self._clear is None:
            return False
        mask = self._different(plane, self._rested) & self._different(plane, self._clear)
        if explained is not None:
            mask = mask & ~explained
        # Close the gaps: high-passing leaves of a plain sleeve little more than its outline.
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        count, pieces, stats, _ = cv2.connectedComponentsWithStats(mask)
        border = np.concatenate([pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]])
        for piece in range(1, count):
            wide = np.count_nonzero(border == piece) >= self.settings.wrist * len(border)
            if wide and stats[piece, cv2.CC_STAT_AREA] >= self.settings.hand * mask.size:
                return True
        return False


def local_contrast(pixels: NDArray[np.uint8], width: int) -> Plane:
    """The local contrast (h, `width`) of a (H, W, 3) picture, in natural logarithms, without its light.

    The plainest form of Retinex: light is a factor, which adds to the logarithm, and it is smooth, so that subtracting
    the average nearby removes it.
    """
    height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
    if pixels.shape[1] > 3 * width:
        # Sampling four pixels a cell and averaging four cells is enough, and most of the time goes into reading pixels.
        pixels = np.asarray(
            cv2.resize(pixels, (2 * width, 2 * height), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    # 12 grey levels keep sensor noise in the shadows from counting as change.
    brightness = np.log(grey + 12.0)
    around = max(3, width // 5) | 1
    return (brightness - cv2.blur(brightness, (around, around))).astype(np.float32)
