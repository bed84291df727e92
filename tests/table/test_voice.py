"""The voice: says what is told, never holds up who tells, drops what is old, and need not be there."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import pytest

from scoring.games import find
from scoring.match import begin
from table import voice
from table.session import Session
from table.snapshot import Notice
from table.storage.store import Store
from table.voice import SPEAKERS, WINDOWS, Voice, in_language, speaker
from tests.fakes import Evening
from tests.waiting import soon
from vision.dicesets.library import find as find_set

WRITES = (
    "import sys, time; time.sleep(float(sys.argv[2])); open(sys.argv[1], 'ab').write(sys.stdin.buffer.read())"
)


def speaking(path: Path, seconds: float = 0.0) -> Voice:
    """A voice that writes what it says into a file, slowly."""
    return Voice([sys.executable, "-c", WRITES, str(path), str(seconds)])


@pytest.fixture
def notice(tmp_path: Path) -> Notice:
    return Evening(tmp_path / "store", players=["Alice"]).output.last


def test_what_is_told_is_said(notice, tmp_path: Path):
    heard = tmp_path / "heard"
    spoken = speaking(heard)
    spoken.start()
    spoken.tell(notice)
    assert soon(lambda: heard.exists() and heard.read_text() == f"{notice.sentence()}\n")
    spoken.close()


def test_a_slow_voice_holds_nobody_up_and_says_the_newest(notice, tmp_path: Path):
    heard = tmp_path / "heard"
    spoken = speaking(heard, 0.3)
    spoken.start()
    began = time.monotonic()
    for _ in range(200):
        spoken.tell(notice)
    assert time.monotonic() - began < 30, "200 sentences of 0.3 seconds each were waited for"
    assert soon(heard.exists)
    spoken.close()
    assert heard.read_text().count("\n") <= 4


def test_a_voice_that_hangs_is_ended(notice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voice, "LONGEST", 0.1)
    changed: list[str] = []
    spoken = speaking(tmp_path / "heard", 60)
    spoken.on_change = lambda: changed.append(str(spoken.words))
    spoken.start()
    spoken.tell(notice)
    assert soon(lambda: bool(changed))
    assert changed[0].startswith("The voice failed")
    spoken.close()


def test_a_voice_is_not_needed(notice, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voice.shutil, "which", lambda _: None)
    silent = Voice()
    assert "espeak-ng" in str(silent.words)
    silent.start()
    silent.tell(notice)
    silent.close()
    gone = Voice(["/no/such/program"])
    gone.start()
    gone.tell(notice)
    assert soon(lambda: "not working" in str(gone.words))
    gone.close()


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="no espeak-ng (apt install espeak-ng)")
def test_espeak_speaks(tmp_path: Path):
    command = speaker("espeak-ng")
    assert command is not None
    import subprocess

    sound = tmp_path / "said.wav"
    subprocess.run(
        [*in_language(command, "de"), "-w", str(sound)],
        input="Alice, wirf die Würfel.\n".encode(),
        check=True,
        timeout=300,
    )
    assert sound.stat().st_size > 10_000


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_speaker_is_told_the_language(language: str):
    for program, arguments in SPEAKERS:
        said = in_language((program, *arguments), language)
        assert not any("{" in one for one in said)
        assert language in said or program == "say"
    assert f"CultureInfo '{language}'" in in_language(WINDOWS, language)[-1]
    assert in_language(("say", "-v", "{voice}"), language)[-1] in ("Samantha", "Anna", "Thomas")


def test_the_voice_speaks_the_tables_language(tmp_path: Path):
    heard = tmp_path / "heard"
    writes = "import sys; open(sys.argv[1], 'w').write(sys.argv[2] + ': ' + sys.stdin.read())"
    spoken = Voice([sys.executable, "-c", writes, str(heard), "{language}"])
    spoken.start()
    match = begin(find("meet-fate"), ["Alice"])
    kept = Store.of(tmp_path / "store").begin(match)
    Session(match, kept, find_set("fate"), outputs=[spoken], language="de").greet()
    assert soon(lambda: heard.exists() and heard.read_text() == "de: Meet Fate. Alice, würfle.\n")
    spoken.close()
