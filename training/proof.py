"""Measure how well dice are read (part of `make proof`); the argument is the folder of labelled photographs, if any."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

PHOTOGRAPHS = {"desk-pips": "pips", "catan-pips": "pips", "grey-pips": "pips"}
"""Folder of labelled photographs → the set of its dice."""

SETS = ("outlander", "fate", "cats", "outback", "pips")
RENDERED = 100
TRACED = 40
"""Pictures of each set by the second renderer, which takes seconds each."""

SEED = 20261125
"""Seed of the rendered pictures in docs/guide/accuracy.md; training uses other random streams."""
TRACED_SEED = 240
"""Of the second renderer's."""

FILMS = (("fate", "meet-fate", 1), ("outlander", "outlander", 3), ("cats", "quintuples", 5), ("fate", "meet-fate", 4))
"""Set, game and seed of each film by the second renderer."""

FILMED = 16
"""Throws in each film; one takes a core half a minute."""


def commands(photographs: Path, scratch: Path) -> Iterator[list[str]]:
    """Every measurement as a command line; its pictures go to `scratch`."""
    tableside, python = str(Path(sys.executable).with_name("tableside")), [sys.executable, "-m"]

    def evaluate(folder: Path, set_id: str) -> list[str]:
        return [tableside, "evaluate", "--shipped", str(folder), "--set", set_id]

    there = {folder: set_id for folder, set_id in PHOTOGRAPHS.items() if (photographs / folder).is_dir()}
    if not there:
        print(f"no photographs in {photographs}: only rendered pictures are measured (PHOTOS=folder)", file=sys.stderr)
    for folder, set_id in there.items():
        yield evaluate(photographs / folder, set_id)
    for set_id in SETS:
        out = ["-o", str(scratch / set_id), "--pictures", str(RENDERED), "--seed", str(SEED)]
        yield [tableside, "render", set_id, *out]
        yield evaluate(scratch / set_id, set_id)
    if find_spec("mitsuba") and find_spec("pyoidn"):
        for set_id, name, options in [
            *((set_id, f"traced-{set_id}", ["--pictures", str(TRACED)]) for set_id in SETS),
            ("pips", "traced-no-dice", ["--pictures", "100", "--no-dice"]),
        ]:
            out = ["-o", str(scratch / name), "--seed", str(TRACED_SEED), *options]
            yield [*python, "training.pathtrace", set_id, *out]
            yield evaluate(scratch / name, set_id)
        played: list[str] = []
        for set_id, game, seed in FILMS if find_spec("pybullet") else ():
            film = str(scratch / f"film-{set_id}-{seed}")
            options = ["-o", film, "--throws", str(FILMED), "--seed", str(seed)]
            yield [*python, "training.pathtrace.film", set_id, game, *options]
            played += ["--film", film]
        if played:
            yield [tableside, "bench", "live", *played]
    else:
        print("no mitsuba: the second renderer is left out (pip install -e '.[proof]')", file=sys.stderr)
    for options in ([], ["enroll"], ["live", "--throws", "200"]):
        yield [tableside, "bench", *options]


def main(photographs: Path) -> int:
    """Run every measurement; the exit code is the worst of theirs."""
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        for command in commands(photographs, Path(scratch)):
            print(f"$ {' '.join([Path(command[0]).name, *command[1:]])}", flush=True)
            worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
