"""Checks that every dependency of an install has a wheel on every supported system and Python (`make wheels`).

Prints a table in Markdown; with `--write` it replaces the one in docs/research/install.md. Asks the package index and
installs nothing. Exits with 1 when a wheel is missing.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "research" / "install.md"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")


@dataclass(frozen=True, slots=True)
class System:
    """A supported system."""

    name: str
    tags: tuple[str, ...]
    """The platform tags of its wheels, as for pip's `--platform`."""
    markers: tuple[tuple[str, str], ...]
    """The values of the markers in requirements.txt there."""


def _linux(machine: str) -> System:
    tags = tuple(f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1))
    old = [f"manylinux2014_{machine}"]
    if machine == "x86_64":
        old += ["manylinux2010_x86_64", "manylinux1_x86_64"]
    name = {"x86_64": "Linux x86-64", "aarch64": "Linux arm64 (Raspberry Pi 4 and 5)"}[machine]
    return System(name, (*tags, *old, f"linux_{machine}"), (("sys_platform", "linux"), ("platform_machine", machine)))


SYSTEMS: Final = (
    _linux("x86_64"),
    _linux("aarch64"),
    System(
        "macOS 14, Apple silicon",
        (
            *(f"macosx_{major}_0_{kind}" for major in range(14, 10, -1) for kind in ("arm64", "universal2")),
            "macosx_10_9_universal2",
        ),
        (("sys_platform", "darwin"), ("platform_machine", "arm64")),
    ),
    System("Windows x64", ("win_amd64",), (("sys_platform", "win32"), ("platform_machine", "AMD64"))),
)


def requirements_for(system: System, text: str) -> list[str]:
    """The lines of requirements.txt that apply on a system, as "name==version"."""
    from packaging.markers import Marker

    known = {"platform_python_implementation": "CPython", "implementation_name": "cpython", **dict(system.markers)}
    found: list[str] = []
    for name, version, marker in re.findall(r"^([\w.-]+)==([\w.+!]+)(?: ; (.+?))?(?: \\)?$", text, re.MULTILINE):
        if not marker or Marker(marker).evaluate(known):
            found.append(f"{name}=={version}")
    return found


def missing(system: System, python: str, requirements: Sequence[str]) -> list[str]:
    """The requirements without a wheel. Raises OSError if pip fails for another reason."""
    lacking: list[str] = []
    left = list(requirements)
    while left:
        run = subprocess.run(
            [
                sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet",
                "--only-binary", ":all:", "--python-version", python, "--implementation", "cp", "--target", "unused",
                *(part for tag in system.tags for part in ("--platform", tag)), *left,
            ],
            capture_output=True, text=True, check=False, cwd=ROOT,
        )  # fmt: skip
        if run.returncode == 0:
            return lacking
        found = re.search(r"No matching distribution found for (\S+)", run.stderr)
        if found is None or found[1] not in left:
            raise OSError(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "pip failed")
        lacking.append(found[1])
        left.remove(found[1])
    return lacking


def table(results: dict[tuple[str, str], list[str]], count: dict[str, int]) -> str:
    """The results in Markdown."""
    lines = ["| system | packages | " + " | ".join(PYTHONS) + " |", "| --- |" + " --- |" * (1 + len(PYTHONS))]
    for system in SYSTEMS:
        cells = [", ".join(results[system.name, python]) or "all" for python in PYTHONS]
        lines.append(f"| {system.name} | {count[system.name]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Check every system and Python."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    results: dict[tuple[str, str], list[str]] = {}
    count: dict[str, int] = {}
    for system in SYSTEMS:
        wanted = requirements_for(system, text)
        count[system.name] = len(wanted)
        for python in PYTHONS:
            results[system.name, python] = missing(system, python, wanted)
    found = table(results, count)
    print(found)
    if "--write" in arguments:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        page = PAGE.read_text(encoding="utf-8")
        begin, end = "<!-- wheels -->\n", "<!-- /wheels -->"
        before, _, rest = page.partition(begin)
        after = rest.partition(end)[2]
        PAGE.write_text(f"{before}{begin}Asked on {today}.\n\n{found}\n{end}{after}", encoding="utf-8")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
