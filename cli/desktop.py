"""`tableside desktop`: something to click that starts Tableside, among the programs or on the desktop."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import click
import platformdirs

import web
from files.atomic import write_whole

NAME = "Tableside"


@click.command(name="desktop")
@click.option("-o", "folder", type=click.Path(path_type=Path), metavar="FOLDER", help="Where to put it instead.")
@click.option("--remove", is_flag=True, help="Take it away again.")
@click.option(
    "--for", "platform", type=click.Choice(("linux", "windows", "macos")), default=None,
    help="For this system.  [default: the one you are on]",
)  # fmt: skip
def command(folder: Path | None, remove: bool, platform: str | None) -> None:
    """Add Tableside to this computer's menu of programs.

    On Linux this is an entry in the menu of programs, on Windows and macOS a file on the desktop. It starts this very
    installation: after moving or reinstalling Tableside, do it again.
    """
    platform = platform or {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    path = (folder or place(platform)) / file_name(platform)
    if remove:
        path.unlink(missing_ok=True)
        click.echo(f"Removed {path}")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content(platform, starts(platform)).encode(), mode=0o755)
    path.chmod(0o755)
    click.echo(f"Click {NAME} {'in the menu of programs' if platform == 'linux' else 'on the desktop'}: {path}")


def place(platform: str) -> Path:
    """The folder in which the system looks for such files, or people do."""
    if platform == "linux":
        return Path(platformdirs.user_data_dir()) / "applications"
    return platformdirs.user_desktop_path()


def file_name(platform: str) -> str:
    """What the file is called there."""
    return {"linux": "tableside.desktop", "windows": f"{NAME}.bat", "macos": f"{NAME}.command"}[platform]


def starts(platform: str) -> list[str]:
    """The command that starts this installation; on Windows by the Python that opens no window of its own."""
    python = Path(sys.executable)
    quiet = python.with_name("pythonw.exe")
    return [str(quiet if platform == "windows" and quiet.exists() else python), "-m", "cli.main", "start"]


def content(platform: str, command: list[str]) -> str:
    """The file's text."""
    if platform == "windows":
        return f'@echo off\r\nstart "" {subprocess.list2cmdline(command).replace("%", "%%")}\r\n'
    if platform == "macos":
        return f"#!/bin/sh\nexec {shlex.join(command)}\n"
    icon = Path(web.__file__).with_name("static") / "die.svg"
    return "\n".join([
        "[Desktop Entry]",
        "Type=Application",
        f"Name={NAME}",
        "Comment=Reads the dice on your table and keeps the score",
        "Comment[de]=Liest die Würfel auf deinem Tisch und führt den Punktestand",
        "Comment[fr]=Lit les dés sur ta table et tient le score",
        f"Exec={' '.join(map(_quoted, command))}",
        f"Icon={_escaped(str(icon))}",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        "",
    ])  # fmt: skip


def _quoted(word: str) -> str:
    """A word of a desktop entry's Exec line (Desktop Entry Specification, "The Exec key")."""
    quoted = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in word.replace("%", "%%"))
    return _escaped(f'"{quoted}"')


def _escaped(text: str) -> str:
    """A value of a desktop entry: a backslash is written twice."""
    return text.replace("\\", "\\\\")
