"""The front door: every command is there, bad input is one line, nothing heavy is imported early."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli import main as doors
from web.settings import hosts_for

HEAVY = {"numpy", "cv2", "onnxruntime", "flask", "torch", "ultralytics"}


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        doors.main(list(arguments))
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


@pytest.mark.parametrize("name", doors.COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]):
    command = importlib.import_module(doors.COMMANDS[name][0]).command
    assert isinstance(command, click.Command)
    assert command.name == name
    code, out, _ = run(name, "--help", capsys=capsys)
    assert code == 0
    assert out.startswith(f"Usage: tableside {name}")


def test_every_module_of_the_room_with_a_command_is_listed():
    listed = {module for module, _ in doors.COMMANDS.values()}
    folder = Path(doors.__file__).parent
    found = {
        f"cli.{path.stem}"
        for path in folder.glob("*.py")
        if "\n@click.command" in (text := path.read_text(encoding="utf-8")) or "\n@click.group" in text
    }
    within = {name for name in found if name.rpartition("_")[0] in listed}
    assert found - within - {"cli.main"} <= listed, (
        "bench_live and its like are reached through their command"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["demo", "--game", "chess"],
        ["demo", "--set", "chess"],
        ["demo", "--port", "99999"],
        ["demo", "--players", ""],
        ["demo", "--players", "Ann,Ann"],
        ["serve"],
        ["serve", "--camera", "kitchen"],
        ["serve", "--camera", "0", "--game", "chess"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    code, out, err = run(*arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith("tableside: ")
    assert len(err.splitlines()) == 1


def test_a_wrong_value_of_any_kind_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    @click.command()
    @click.argument("kind")
    def fails(kind: str) -> None:
        if kind == "value":
            raise ValueError("expected a\nnumber, got a word")
        if kind == "file":
            Path("/nowhere/at/all").read_text()
        if kind == "interrupt":
            raise KeyboardInterrupt
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(doors.Doors, "get_command", lambda *_: fails)
    assert run("x", "value", capsys=capsys) == (2, "", "tableside: expected a number, got a word\n")
    assert run("x", "file", capsys=capsys) == (
        2,
        "",
        "tableside: No such file or directory: /nowhere/at/all\n",
    )
    assert run("x", "interrupt", capsys=capsys)[0] == 130
    with pytest.raises(RuntimeError):
        doors.main(["x", "ours"])


def test_help_imports_nothing_heavy():
    program = "import sys; sys.argv[1:] = ['--help']\nfrom cli.main import main\n"
    program += "try: main()\nexcept SystemExit: pass\n"
    program += f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stderr.strip() == "[]"
    assert all(name in told.stdout for name in doors.COMMANDS)


def test_the_pages_are_asked_for_by_names_of_this_computer():
    assert hosts_for("127.0.0.1") == ("localhost", "127.0.0.1", "[::1]")
    assert hosts_for("192.168.1.7")[-1] == "192.168.1.7"
    assert hosts_for("::1") == ("localhost", "127.0.0.1", "[::1]")


@pytest.mark.slow
def test_a_busy_port_is_passed_over(tmp_path: Path):
    """The demo, started for real, takes the next port, and Ctrl-C ends it quietly."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        program = (
            "import sys; from cli.compose import furnish, serve; from tests.fakes import TruthfulReader\n"
            "from cli.listening import Door\n"
            "from vision.demo.camera import DemoCamera; from vision.dicesets.library import find\n"
            "dice = find('fate'); camera = DemoCamera(dice, size=(320, 240))\n"
            "house = furnish(camera, game='meet-fate', dice_set=dice, players=['Ann'],"
            " reader=TruthfulReader(camera), thrower=camera)\n"
            f"door = Door('127.0.0.1', {taken}, None, False)\n"
            "serve(house, door.opened(), lambda words: print(words.split()[0], flush=True))\n"
        )
        running = subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TABLESIDE_DATA": str(tmp_path)},
        )
        try:
            assert running.stdout is not None
            address = running.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:")
            assert address != f"http://127.0.0.1:{taken}/"
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=120)
        finally:
            running.kill()
            running.wait()
    assert (running.returncode, err) == (0, "")
