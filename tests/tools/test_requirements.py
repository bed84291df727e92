"""requirements.txt, which a player installs from, says what pyproject.toml and constraints.txt say."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import wheels
from tools.wheels import SYSTEMS, missing, requirements_for, table

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "requirements.txt").read_text(encoding="utf-8")
PINNED = re.compile(r"^(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\$", re.MULTILINE)
PINS = [found.groupdict() for found in PINNED.finditer(TEXT)]
PLATFORMS = {
    system.name: {"platform_python_implementation": "CPython", "implementation_name": "cpython", **dict(system.markers)}
    for system in SYSTEMS
} | {"macOS, Intel": {"sys_platform": "darwin", "platform_machine": "x86_64"}}


def on(platform: str, lines: list[dict[str, Any]]) -> dict[str, str]:
    """The versions that count on a system."""
    known = PLATFORMS[platform]
    return {one["name"]: one["version"] for one in lines if not one["marker"] or Marker(one["marker"]).evaluate(known)}


def constraints() -> list[dict[str, Any]]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return [
        {
            "name": canonicalize_name(one.name),
            "version": str(one.specifier).removeprefix("=="),
            "marker": str(one.marker or ""),
        }
        for one in wanted
    ]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_versions_are_those_that_tableside_is_tested_with(platform: str):
    tested, installed = on(platform, constraints()), on(platform, PINS)
    other = {name for name, version in installed.items() if tested.get(name, version) != version}
    assert other == set(), "run `make requirements`"
    if PLATFORMS[platform]["sys_platform"] != "darwin":  # what macOS needs besides is resolved for it alone
        assert installed.keys() <= tested.keys()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_dependency_is_there_where_it_is_needed(platform: str):
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    installed = on(platform, PINS)
    for one in map(Requirement, declared):
        if one.marker is None or one.marker.evaluate(PLATFORMS[platform]):
            assert one.specifier.contains(installed[one.name]), one


def test_every_version_has_hashes_and_no_line_says_anything_else():
    entries = re.split(r"\n(?=[a-z])", re.sub(r"\A#.*\n", "", TEXT).rstrip("\n"))
    assert len(entries) == len(PINS) > 25
    for entry in entries:
        first, *hashes = entry.split(" \\\n")
        assert "==" in first
        assert hashes, first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", one) for one in hashes), first


def test_what_one_system_needs_is_asked_for_there_alone():
    asked = {system.name: requirements_for(system, TEXT) for system in SYSTEMS}
    assert any(one.startswith("cv2-enumerate-cameras==") for one in asked["Windows x64"])
    assert not any(one.startswith("cv2-enumerate-cameras==") for one in asked["Linux x86-64"])
    assert all(any(one.startswith("numpy==") for one in wanted) for wanted in asked.values())


def test_a_missing_wheel_is_named_and_the_others_are_still_asked_for(monkeypatch: pytest.MonkeyPatch):
    def pip(command: list[str], **_how: object) -> subprocess.CompletedProcess[str]:
        lacking = next((one for one in ("first==1", "third==3") if one in command), None)
        said = f"ERROR: No matching distribution found for {lacking}" if lacking else ""
        return subprocess.CompletedProcess(command, 1 if lacking else 0, "", said)

    monkeypatch.setattr(wheels.subprocess, "run", pip)
    assert missing(SYSTEMS[0], "3.13", ["first==1", "second==2", "third==3"]) == ["first==1", "third==3"]
    results: dict[tuple[str, str], list[str]] = {(one.name, python): [] for one in SYSTEMS for python in wheels.PYTHONS}
    results[SYSTEMS[0].name, "3.13"] = ["first==1", "third==3"]
    assert "| 3 | all | all | first==1, third==3 | all |" in table(results, {system.name: 3 for system in SYSTEMS})


def test_an_index_that_cannot_be_reached_is_not_taken_for_a_missing_wheel(monkeypatch: pytest.MonkeyPatch):
    def pip(command: list[str], **_how: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no network")

    monkeypatch.setattr(wheels.subprocess, "run", pip)
    with pytest.raises(OSError, match="no network"):
        missing(SYSTEMS[0], "3.13", ["first==1"])
