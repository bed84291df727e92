"""What the README tells people to type works as it stands there."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.main import COMMANDS
from training.proof import RENDERED, SEED, TRACED, TRACED_SEED

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
TYPED = [line for block in BLOCKS for line in block.splitlines()]
OURS = [line.partition("#")[0].split("   ")[0] for line in TYPED if line.startswith("tableside ")]


def test_the_command_is_made_known_before_it_is_typed():
    first = next(place for place, line in enumerate(TYPED) if line.startswith("tableside "))
    assert ". .venv/bin/activate" in [line.partition("#")[0].strip() for line in TYPED[:first]]


def test_the_command_is_known_in_an_activated_environment():
    activate = Path(sys.prefix) / "bin" / "activate"
    if not (activate.is_file() and activate.with_name("tableside").is_file()):
        pytest.skip("these tests do not run in an environment that make has made")
    typed = f". {activate} && tableside --help"
    said = subprocess.run(["sh", "-c", typed], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "doctor" in said.stdout


def test_debians_missing_part_is_named_before_make():
    assert TEXT.index("python3-venv") < TEXT.index("make demo  ")


@pytest.mark.parametrize("line", sorted(set(OURS)))
def test_a_command_of_the_readme_exists_with_its_options(line: str):
    _, name, *rest = re.sub(r"[\[\]]", " ", line).split()
    assert name in COMMANDS or name == "train", line
    module, attribute = COMMANDS[name][0], "command"
    command: click.Command = getattr(importlib.import_module(module), attribute)
    known = {option for one in _with_subcommands(command) for param in one.params for option in param.opts}
    asked = {re.sub(r"\W*$", "", word.partition("=")[0]) for word in rest if word.startswith("--")}
    assert asked <= known, line


def _with_subcommands(command: click.Command) -> list[click.Command]:
    return [command, *(command.commands.values() if isinstance(command, click.Group) else ())]


def test_proof_measures_what_the_readme_quotes():
    assert TEXT.count(f"--pictures {RENDERED} --seed {SEED}") == 5
    assert TEXT.count(f"--pictures {TRACED} --seed {TRACED_SEED}") == 5
