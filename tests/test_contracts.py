"""The rooms keep to docs/architecture.md: who may import whom, and what scoring may not touch."""

from __future__ import annotations

import ast
import configparser
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools"}
"""Tools and tests may import every room, and no room imports them."""


@pytest.mark.slow
def test_the_import_contract_holds():
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_room_is_under_the_contract():
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter")
    named = set(contract["importlinter"]["root_packages"].split())
    layered = set(contract["importlinter:contract:layers"]["layers"].replace("|", " ").split())
    assert named == ROOMS
    assert layered == ROOMS


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(ROOMS))
def test_no_room_leans_on_tools_or_tests(room: str):
    files = list((ROOT / room).rglob("*.py"))
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & {"tools", "tests"}, f"{path}:{node.lineno}"


def test_a_name_stands_for_one_class():
    """In all rooms and in tools: whoever reads `Turn` need not ask which."""
    homes: dict[str, list[str]] = {}
    for path in sorted(path for room in (*ROOMS, "tools") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


PURE = sorted(path for room in ("messages", "scoring") for path in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("path", PURE, ids=lambda p: p.stem)
def test_scoring_is_pure(path: Path):
    """Standard library and messages only, and of that nothing that reads a clock, rolls, logs or opens."""
    impure = {"random", "secrets", "time", "datetime", "logging", "os", "pathlib", "socket", "subprocess"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["scoring" if node.level else node.module or ""]
        else:
            continue
        for name in names:
            top = name.split(".")[0]
            known = top in ("scoring", "messages") or top in sys.stdlib_module_names
            assert known, f"line {node.lineno} imports {name}"
            assert top not in impure, f"line {node.lineno} imports {name}"


def test_constraints_cover_what_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    declared = [*project["dependencies"], *(name for extra in extras for name in extra)]
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {line.split("==")[0] for line in constraints.splitlines()}
    missing = [d for d in declared if d.split(">")[0].split("[")[0].lower() not in pinned]
    assert missing == []
