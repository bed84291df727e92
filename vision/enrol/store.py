"""The examples of a set's faces on disk: added, listed, dropped, and never half written.

Beside the rectified face, which is what any dice set holds, an example keeps the die with what is around it and
the outlines that were found, so that better networks can make more of it later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import cv2
import msgspec

from files.atomic import write_whole
from messages.message import message
from vision.dicesets.files import DiceSetError, write_index
from vision.dicesets.library import examples_in
from vision.dicesets.model import Example
from vision.enrol.shown import Shown
from vision.frame import Pixels

MOST_EXAMPLES: Final = 12
"""Examples kept of a face."""


class ExampleStore:
    """The examples in one folder: a set's own, or what was learnt for a shipped one."""

    def __init__(self, folder: Path) -> None:
        """Read what is there; DiceSetError for a folder with rubbish in it."""
        self.folder = folder
        self._examples = examples_in(folder)

    @property
    def examples(self) -> tuple[Example, ...]:
        """Every example, oldest first."""
        return self._examples

    def of(self, face: str) -> tuple[Example, ...]:
        """The examples of one face, oldest first."""
        return tuple(one for one in self._examples if one.face == face)

    def find(self, face: str, name: str) -> Example:
        """The example with this name; DiceSetError says which there are."""
        for one in self.of(face):
            if one.name == name:
                return one
        names = tuple(f"{one.face}/{one.name}" for one in self.of(face))
        raise DiceSetError(
            "expected an example, one of {there:ids}; found '{found}'",
            there=names if names else message("none of this face"), found=f"{face[:40]}/{name[:40]}",
        )  # fmt: skip

    def add(self, die: Shown, *, origin: Literal["enrolled", "corrected"], doubtful: bool = False) -> Example:
        """Keep a die as an example of the face it is said to show. OSError when it cannot be written."""
        self._read()
        example = Example(
            face=die.face,
            name=self._free_name(die.face, origin),
            shape=die.shape,
            origin=origin,
            source=plain(die.source),
            added=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            side=round(die.side, 1),
            spread=round(die.spread, 4),
            outlines=tuple(
                tuple((round(float(x), 2), round(float(y), 2)) for x, y in outline) for outline in die.outlines
            ),
            doubtful=doubtful,
            folder=self.folder,
        )
        # The face comes last: it is what makes the example count.
        _write(example.path, die.around)
        self._put((*self._examples, example))
        _write(example.face_path, die.picture)
        return example

    def remove(self, face: str, name: str) -> None:
        """Forget an example, its pictures too."""
        self._read()
        example = self.find(face, name)
        example.face_path.unlink(missing_ok=True)
        example.path.unlink(missing_ok=True)
        self._put(tuple(one for one in self._examples if one != example))

    def trust(self, face: str, name: str, *, doubtful: bool = False) -> Example:
        """Compare with an example that was pointed out as contradicting its face, or (doubtful) no longer."""
        self._read()
        example = self.find(face, name)
        changed = msgspec.structs.replace(example, doubtful=doubtful)
        self._put(tuple(changed if one == example else one for one in self._examples))
        return changed

    def drop_least_useful(self, face: str, worth: Mapping[str, float]) -> tuple[str, ...]:
        """Remove examples until at most `MOST_EXAMPLES` are left of a face; the names of those removed.

        `worth` says how much each adds, by name (`vision.enrol.alike.usefulness`); of equals the oldest goes.
        """
        kept = self.of(face)
        ranked = sorted(kept, key=lambda one: worth.get(one.name, 0.0))
        gone = tuple(one.name for one in ranked[: max(len(kept) - MOST_EXAMPLES, 0)])
        for name in gone:
            self.remove(face, name)
        return gone

    def _read(self) -> None:
        """Somebody else may have changed what is there since: a page, a command."""
        self._examples = examples_in(self.folder)

    def _put(self, examples: Sequence[Example]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_index(self.folder, examples)
        self._examples = tuple(examples)

    def _free_name(self, face: str, origin: str) -> str:
        # A file that no index knows keeps its name, too.
        files = (path.name for path in (self.folder / "faces" / face).glob(f"{origin}-*.png"))
        names = (*(one.name for one in self.of(face)), *files)
        used = [int(found[1]) for name in names if (found := re.match(r"[a-z]+-(\d+)\b", name))]
        return f"{origin}-{max(used, default=0) + 1:02}"


def plain(text: str) -> str:
    """One printable line of at most 100 characters, for the index; never empty."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:100] or "?"


def _write(path: Path, pixels: Pixels) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    done, coded = cv2.imencode(".png", pixels)
    if not done:
        raise OSError(f"{path.name} could not be coded as PNG")
    write_whole(path, coded.tobytes())
