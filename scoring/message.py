"""Words that can be said in every language: an English template, and the values that fill it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Plain: TypeAlias = "str | int | float | tuple[str, ...] | tuple[int, ...] | Message"
"""A value inside a sentence."""


@dataclass(frozen=True, slots=True)
class Message:
    """A clause as a template in English ("there are dice 1 to {n}, got {got}"), filled with `values`.

    Other languages look the template up, so it must not have its values baked in; `scoring.language` says what may
    stand behind a colon in the braces. A value may be a message itself.
    """

    template: str
    values: tuple[tuple[str, Plain], ...] = ()


def message(template: str, /, **values: Plain) -> Message:
    """A Message with named values."""
    return Message(template, tuple(values.items()))
