"""What a player installs: built, put into an empty environment outside the checkout, and used there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.compose import free_port
from hardware.picture import DISPLAYS

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = [name.rstrip("*") for name in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]]
NOT_COPIED = (".*", "*.egg-info", "__pycache__", "build", "dist", "runs", "shared")
LARGEST_WHEEL = 25_000_000
"""Bytes: 17 MB of networks, tables and pictures, compressed."""

pytestmark = pytest.mark.slow


def python(*arguments: str, at: Path) -> subprocess.CompletedProcess[str]:
    """This interpreter in another folder, in the environment of a shell without Tableside."""
    return subprocess.run([sys.executable, *arguments], cwd=at, capture_output=True, text=True, check=True, env=CLEAN)


CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TABLESIDE"))}


@dataclass(frozen=True)
class Built:
    """An sdist, and the wheel that was built from nothing else."""

    sdist: Path
    wheel: Path
    warnings: str


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    # A copy: building in the checkout would take what an earlier build left there.
    shutil.copytree(ROOT, folder / "source", ignore=_not_copied)
    backend = "import sys, setuptools.build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"
    said = python("-c", backend, "build_sdist", str(folder), at=folder / "source").stderr
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    said += python("-c", backend, "build_wheel", str(folder), at=folder / sdist.name.removesuffix(".tar.gz")).stderr
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(folder / "source")
    return Built(sdist, wheel, said)


def _not_copied(folder: str, names: list[str]) -> set[str]:
    left_out = shutil.ignore_patterns(*NOT_COPIED)(folder, names)
    return left_out - {".ci", ".gitattributes", ".github", ".importlinter"}


def test_building_warns_of_nothing(built: Built):
    nothing_to_leave_out = "warning: no previously-included files matching '*.py[cod]'"
    lines = [line for line in built.warnings.splitlines() if not line.startswith(nothing_to_leave_out)]
    assert not [line for line in lines if "arning" in line], built.warnings


def test_the_sdist_holds_the_whole_project(built: Built):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    expected = {name for name in tracked.split("\0") if (ROOT / name).is_file()} - {".gitignore", ".dockerignore"}
    with tarfile.open(built.sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert expected - held == set()


def test_the_wheel_holds_what_the_packages_read_and_nothing_else(built: Built):
    with zipfile.ZipFile(built.wheel) as archive:
        held = {one.filename for one in archive.infolist() if ".dist-info/" not in one.filename}
    data = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".pt") and "__pycache__" not in path.parts
    }
    firmware = {f"hardware/firmware/hex/{display}.hex" for display in DISPLAYS}
    data = {name for name in data if not name.startswith("hardware/firmware/")} | firmware
    assert {name for name in held if not name.endswith(".py")} == data
    assert {name.partition("/")[0] for name in held} == set(PACKAGES)
    assert built.wheel.stat().st_size < LARGEST_WHEEL


@dataclass(frozen=True)
class Installed:
    """`tableside` in an environment that has never seen the checkout, and a folder to run it in."""

    command: Path
    at: Path

    def environment(self) -> dict[str, str]:
        return {**CLEAN, "TABLESIDE_DATA": str(self.at / "data")}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *arguments], cwd=self.at, env=self.environment(), capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own. The dependencies are lent by the one that runs the tests."""
    home = tmp_path_factory.mktemp("player")
    python("-m", "venv", "--without-pip", str(home / "venv"), at=home)
    theirs = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python(
        "-m", "pip", "--python", str(theirs / "python"), "--disable-pip-version-check", "install", "--quiet",
        "--no-deps", "--no-index", "--no-compile", str(built.wheel), at=home,
    )  # fmt: skip
    (site,) = (home / "venv").rglob("site-packages")
    # A path file is read for its paths alone: the editable install in that folder is not followed to the checkout.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(theirs / "tableside", home)


def test_nothing_comes_from_the_checkout(installed: Installed):
    told = "import cli, models, vision; print(cli.__file__, models.__file__, vision.__file__)"
    run = subprocess.run(
        [installed.command.with_name("python"), "-c", told],
        cwd=installed.at, env=installed.environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(Path(path).is_relative_to(installed.at) for path in run.stdout.split())


def test_a_picture_is_read(installed: Installed):
    picture = next((ROOT / "tests" / "frames" / "fate" / "images").iterdir())
    read = installed.run("read", "--set", "fate", "--json", str(picture))
    assert read.returncode == 0, read.stderr
    label = (ROOT / "tests" / "frames" / "fate" / "labels" / f"{picture.stem}.txt").read_text()
    assert len(json.loads(read.stdout)["dice"]) == len(label.splitlines())


def test_nothing_is_kept_outside_the_data_folder_and_no_library_phones_home(installed: Installed, tmp_path: Path):
    """ONNX Runtime keeps what it is going to send, and a number for this computer, in the home folder."""
    picture = next((ROOT / "tests" / "frames" / "fate" / "images").iterdir())
    named = ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    read = subprocess.run(
        [installed.command, "read", "--set", "fate", str(picture)], cwd=installed.at, capture_output=True, text=True,
        env=installed.environment() | dict.fromkeys(named, str(tmp_path)), check=True,
    )  # fmt: skip
    assert read.stderr == ""
    assert list(tmp_path.rglob("*")) == []


def test_the_doctor_finds_all_that_belongs_to_tableside(installed: Installed):
    examined = installed.run("doctor")
    assert examined.returncode == 0, examined.stdout + examined.stderr


def test_games_rules_stickers_and_firmware_are_there(installed: Installed):
    assert "outback-plus" in installed.run("games").stdout
    assert installed.run("print", "cats", "-o", "cats.pdf").returncode == 0
    assert (installed.at / "cats.pdf").read_bytes().startswith(b"%PDF")
    assert installed.run("scoreboard", "--firmware", "hex").returncode == 0
    assert sorted(path.stem for path in (installed.at / "hex").iterdir()) == sorted(DISPLAYS)


def test_what_only_the_sources_can_do_says_so(installed: Installed):
    refused = installed.run("train", "detector")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


@pytest.fixture
def served(installed: Installed) -> Iterator[str]:
    """The demo table's address."""
    port = free_port("127.0.0.1", 20_000)
    command = [installed.command, "demo", "--port", str(port)]
    running = subprocess.Popen(
        command, cwd=installed.at, env=installed.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.send_signal(signal.SIGINT)
        try:
            running.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()


def test_every_page_opens(served: str):
    until = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{served}/health").close()
            break
        except urllib.error.URLError:
            assert time.monotonic() < until
            time.sleep(0.1)
    for path in ("/", "/new", "/camera", "/dice", "/history", "/rules", "/television", "/spectator", "/phone"):
        with urllib.request.urlopen(served + path) as answer:
            page = answer.read().decode()
            assert answer.status == 200
        for part in {word for word in page.replace('"', " ").split() if word.startswith("/static/")}:
            with urllib.request.urlopen(served + part.partition("#")[0]) as answer:
                assert answer.status == 200
