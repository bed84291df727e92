"""Speaks notices through this computer's loudspeaker with the system's own speech program, if there is one.

The newest notice matters: if several are waiting, only the last is spoken. A sentence that is being spoken is not cut
off. Speech never delays the table.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence

from hardware.background import BackgroundDevice
from messages.message import message
from table.snapshot import Notice

SPEAKERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("espeak-ng", ("--stdin", "-v", "{language}")),
    ("espeak", ("--stdin", "-v", "{language}")),
    ("spd-say", ("--wait", "--pipe-mode", "--language", "{language}")),
    ("say", ("-v", "{voice}", "-f", "-")),
)
"""Programs that read text from standard input and speak it: those of Linux, and `say` of macOS."""

WINDOWS = (
    "powershell",
    "-NoProfile",
    "-Command",
    "Add-Type -AssemblyName System.Speech; $voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; "
    "$culture = New-Object System.Globalization.CultureInfo '{language}'; "
    "$voice.SelectVoiceByHints('NotSet', 'NotSet', 0, $culture); $voice.Speak([Console]::In.ReadToEnd())",
)

MAC_VOICES = {"en": "Samantha", "de": "Anna", "fr": "Thomas"}
"""The voices of macOS, as `say` knows them by name and not by language."""

LONGEST = 20.0
"""A speech program that hangs is ended after so many seconds."""

MOST_WAITING = 1
"""Most waiting sentences; older ones are dropped."""


def speaker(named: str | None = None) -> tuple[str, ...] | None:
    """The speech command of this system (or the `named` one), or None."""
    for program, arguments in SPEAKERS:
        if named in (None, program) and (found := shutil.which(program)):
            return found, *arguments
    if sys.platform == "win32" and named in (None, "powershell") and shutil.which("powershell"):
        return WINDOWS
    return None


def in_language(command: Sequence[str], language: str) -> tuple[str, ...]:
    """The command for a language, by its code."""
    voice = MAC_VOICES.get(language, MAC_VOICES["en"])
    return tuple(one.replace("{language}", language).replace("{voice}", voice) for one in command)


class Voice(BackgroundDevice):
    """An output of the table that speaks."""

    def __init__(
        self, command: Sequence[str] | None = None, on_change: Callable[[], None] = lambda: None
    ) -> None:
        """Speak with `command`, by default this system's; `on_change` is called when `words` change."""
        self._command = tuple(command) if command else speaker()
        words = message("The voice is ready" if self._command else "No voice found: install espeak-ng")
        super().__init__("voice", words, on_change)
        self._waiting: deque[tuple[str, str]] = deque(maxlen=MOST_WAITING)
        self._speaking: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start to speak."""
        if self._command and self._thread.ident is None:
            self._thread.start()

    def tell(self, notice: Notice) -> None:
        """Take a notice, to be spoken in the table's language, and return at once."""
        if not notice.said or self._command is None:
            return
        with self._news:
            self._waiting.append((notice.sentence(), notice.language))
            self._news.notify_all()

    def close(self) -> None:
        """Fall silent."""
        with self._news:
            self._closed = True
            self._waiting.clear()
            speaking = self._speaking
        if speaking is not None:
            with contextlib.suppress(OSError):
                speaking.kill()
        super().close()

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or bool(self._waiting))
                if self._closed:
                    return
                sentence, language = self._waiting.popleft()
            self._say(sentence, language)

    def _say(self, sentence: str, language: str) -> None:
        assert self._command is not None
        command = in_language(self._command, language)
        try:
            speaking = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError as refused:
            self._stands(message("The voice is not working: {why}", why=refused.strerror or str(refused)))
            return
        with self._news:
            self._speaking = speaking
        try:
            # Use standard input, so that no player's name is taken for an option.
            speaking.communicate(f"{sentence}\n".encode(), timeout=LONGEST)
        except subprocess.TimeoutExpired:
            speaking.kill()
            speaking.communicate()
        except OSError:
            speaking.wait()
        with self._news:
            self._speaking = None
            closed = self._closed
        if not closed:
            failed = message("The voice failed (exit code {code})", code=speaking.returncode)
            self._stands(failed if speaking.returncode else message("The voice is ready"))
