"""The front door: every command is there, bad input is one line, nothing heavy is imported early."""

from __future__ import annotations

import importlib
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli import main
from cli.compose import free_port
from tests.cli.door import tableside
from web.settings import hosts_for

HEAVY = {"numpy", "cv2", "onnxruntime", "flask", "torch", "ultralytics"}


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str):
    assert importlib.import_module(main.COMMANDS[name][0]).command.name == name
    said = tableside(name, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: tableside {name}")


def test_every_module_of_the_room_with_a_command_is_listed():
    listed = {module for module, _ in main.COMMANDS.values()}
    folder = Path(main.__file__).parent
    found = {
        f"cli.{path.stem}"
        for path in folder.glob("*.py")
        if "\n@click.command" in (text := path.read_text(encoding="utf-8")) or "\n@click.group" in text
    }
    within = {name for name in found if name.rpartition("_")[0] in listed}
    assert found - within - {"cli.main"} <= listed, (
        "bench_live and its like are reached through their command"
    )


def test_a_wrong_value_of_any_kind_is_one_line(monkeypatch: pytest.MonkeyPatch):
    failing: list[BaseException] = []

    @click.command()
    def fails() -> None:
        raise failing[0]

    monkeypatch.setattr(main.Doors, "get_command", lambda *_: fails)
    for raised, code, err in (
        (ValueError("expected a\nnumber, got a word"), 2, "tableside: expected a number, got a word\n"),
        (FileNotFoundError(2, "No such file", "/nowhere"), 2, "tableside: No such file: /nowhere\n"),
        (MemoryError(), 2, "tableside: there is too little memory for this\n"),
        (ValueError(), 2, "tableside: ValueError\n"),
        (KeyboardInterrupt(), 130, ""),
        # What a stranger's file says must not steer the terminal.
        (ValueError("a \x1b]0;owned\x07 \ud800 Ä 🎲"), 2, "tableside: a \\x1b]0;owned\\x07 \\ud800 Ä 🎲\n"),
    ):
        failing[:] = [raised]
        said = tableside("x")
        assert (said.code, said.out, said.err.lstrip("\n")) == (code, "", err)
    failing[:] = [RuntimeError("a fault of ours")]
    with pytest.raises(RuntimeError):
        tableside("x")


def test_help_imports_nothing_heavy():
    program = "import sys; sys.argv[1:] = ['--help']\nfrom cli.main import main\n"
    program += "try: main()\nexcept SystemExit: pass\n"
    program += f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stderr.strip() == "[]"
    assert all(name in told.stdout for name in main.COMMANDS)


def test_the_pages_are_asked_for_by_names_of_this_computer():
    assert hosts_for("127.0.0.1") == hosts_for("::1") == ("localhost", "127.0.0.1", "[::1]")
    assert hosts_for("192.168.1.7")[-1] == "192.168.1.7"


def test_a_busy_port_is_passed_over():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        assert taken < free_port("127.0.0.1", taken) < taken + 20
