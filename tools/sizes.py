"""Disk space of each package in an environment, in Markdown: `python -m tools.sizes path/to/python`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence

ASK = """
import importlib.metadata as m
for one in m.distributions():
    files = (one.locate_file(f) for f in one.files or ())
    print(one.name, sum(f.stat().st_size for f in files if f.is_file() and f.suffix != ".pyc"), sep="\\t")
"""
SMALL = 2_000_000
"""Smaller packages, in bytes, share one line."""


def sizes_of(python: str) -> Mapping[str, int]:
    """Bytes of each package's files, without compiled Python, in the environment of an interpreter."""
    said = subprocess.run([python, "-c", ASK], check=True, capture_output=True, text=True).stdout
    return {name: int(size) for name, size in (line.split("\t") for line in said.splitlines())}


def table(sizes: Mapping[str, int]) -> str:
    """The rows, largest first, small packages together."""
    lines = ["| package | MB |", "| --- | --- |"]
    large = {name: size for name, size in sizes.items() if size >= SMALL}
    for name in sorted(large, key=lambda name: -large[name]):
        lines.append(f"| {name} | {large[name] / 1e6:.1f} |")
    rest = sum(sizes.values()) - sum(large.values())
    lines.append(f"| {len(sizes) - len(large)} smaller ones | {rest / 1e6:.1f} |")
    lines.append(f"| **together** | **{sum(sizes.values()) / 1e6:.1f}** |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    print(table(sizes_of(arguments[0] if arguments else sys.executable)))


if __name__ == "__main__":
    main(sys.argv[1:])
