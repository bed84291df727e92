"""Measure how well dice are read (part of `make proof`); takes the folder of labelled photographs, if there is one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

PHOTOGRAPHS = {"desk-pips": "pips", "catan-pips": "pips", "grey-pips": "pips"}
"""Folders of labelled photographs and the set of the dice in them."""

SETS = ("outlander", "fate", "cats", "outback", "pips")
RENDERED = 100
TRACED = 40
"""Pictures of each set by the second renderer, which takes seconds for one."""

SEED = 20261125
"""Of the rendered pictures in README's table; training draws from other streams of chance."""
TRACED_SEED = 1
"""Of the second renderer's."""

FILMS = (
    ("fate", "meet-fate", 1),
    ("outlander", "outlander", 3),
    ("cats", "quintuples", 5),
    ("fate", "meet-fate", 4),
)
"""Set, game and seed of each film by the second renderer."""

FILMED = 16
"""Throws of each; half a minute of one core draws one."""


def main(photographs: Path) -> int:
    """Run every measurement; the exit code is the worst of theirs."""
    tableside = str(Path(sys.executable).with_name("tableside"))
    commands = [
        [tableside, "evaluate", "--shipped", str(photographs / folder), "--set", set_id]
        for folder, set_id in PHOTOGRAPHS.items()
        if (photographs / folder).is_dir()
    ]
    if not commands:
        print(
            f"no photographs in {photographs}: only rendered pictures are measured (PHOTOS=folder)",
            file=sys.stderr,
        )
    with tempfile.TemporaryDirectory() as scratch:
        for set_id in SETS:
            album = str(Path(scratch) / set_id)
            commands += [
                [tableside, "render", set_id, "-o", album, "--pictures", str(RENDERED), "--seed", str(SEED)],
                [tableside, "evaluate", "--shipped", album, "--set", set_id],
            ]
        if find_spec("mitsuba") and find_spec("pyoidn"):
            for set_id in SETS:
                album = str(Path(scratch) / f"traced-{set_id}")
                options = ["--pictures", str(TRACED), "--seed", str(TRACED_SEED)]
                commands += [
                    [sys.executable, "-m", "training.pathtrace", set_id, "-o", album, *options],
                    [tableside, "evaluate", "--shipped", album, "--set", set_id],
                ]
            album = str(Path(scratch) / "traced-no-dice")
            options = ["--pictures", "100", "--seed", str(TRACED_SEED), "--no-dice"]
            commands += [
                [sys.executable, "-m", "training.pathtrace", "pips", "-o", album, *options],
                [tableside, "evaluate", "--shipped", album, "--set", "pips"],
            ]
            played: list[str] = []
            for set_id, game, seed in FILMS if find_spec("pybullet") else ():
                film = str(Path(scratch) / f"film-{set_id}-{seed}")
                options = ["--throws", str(FILMED), "--seed", str(seed)]
                commands.append(
                    [sys.executable, "-m", "training.pathtrace.film", set_id, game, "-o", film, *options]
                )
                played += ["--film", film]
            if played:
                commands.append([tableside, "bench", "live", *played])
        else:
            print("no mitsuba: the second renderer is left out (pip install -e '.[proof]')", file=sys.stderr)
        commands += [
            [tableside, "bench"],
            [tableside, "bench", "enroll"],
            [tableside, "bench", "live", "--throws", "200"],
        ]
        worst = 0
        for command in commands:
            print(f"$ {' '.join([Path(command[0]).name, *command[1:]])}", flush=True)
            worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
