"""Measure again what the README quotes (`make proof`); takes the folder of labelled photographs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PHOTOGRAPHS = {"desk-pips": "pips", "catan-pips": "pips", "grey-pips": "pips"}
"""Folders of labelled photographs and the set of the dice in them."""


def main(photographs: Path) -> int:
    """Run every measurement; the exit code is the worst of theirs."""
    tableside = Path(sys.executable).with_name("tableside")
    commands = [
        [str(tableside), "evaluate", str(photographs / folder), "--set", set_id]
        for folder, set_id in PHOTOGRAPHS.items()
        if (photographs / folder).is_dir()
    ]
    if not commands:
        print(f"no photographs in {photographs}; say PHOTOS=folder", file=sys.stderr)
        return 2
    worst = 0
    for command in commands:
        print(f"$ tableside {' '.join(command[1:])}", flush=True)
        worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
