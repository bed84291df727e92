"""Lines for people as a template with its values, so that a page can say them in its own language.

Vision knows no languages. What it refuses or warns of is an English template with named places,
`%(path)s: no such file`, and what fills them; `str` says it in English, as the command line prints it, and whoever
knows languages looks the template up. `tools.translations` collects the templates: they stand literally where a line
is made, and no value is baked in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Value: TypeAlias = "str | int | float | Said | Words | Named"
"""What may stand in a template. Text is a name (of a file, a face, what somebody typed) and stays as it is; numbers are
written as the language writes them; a `Said` is said in it, too."""


@dataclass(frozen=True, slots=True)
class Words:
    """Names in a row: "a, b, c", or with a word between them "a or b"."""

    words: tuple[str, ...]
    between: Literal["", "and", "or"] = ""

    def __str__(self) -> str:
        """In English."""
        return (f" {self.between} " if self.between else ", ").join(self.words)


@dataclass(frozen=True, slots=True)
class Named:
    """What has a name in each language, as a dice set that comes with Tableside."""

    names: Mapping[str, str]
    """By the language's code."""
    otherwise: str
    """Its name where there is none in English."""

    def __str__(self) -> str:
        """In English."""
        return self.spoken("en")

    def spoken(self, language: str) -> str:
        """In a language; English where it has none."""
        return self.names.get(language) or self.names.get("en") or self.otherwise


@dataclass(frozen=True, slots=True)
class Said:
    """One line, or a part of one: an English template, every place `%(name)s`, and what fills it."""

    template: str
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])

    def __str__(self) -> str:
        """In English; 8.0 is "8"."""
        if not self.values:
            return self.template
        return self.template % {
            name: f"{value:g}" if isinstance(value, float) else value for name, value in self.values.items()
        }

    def without(self, *texts: str) -> Said:
        """The same with these texts cut out of every name, as the path of a folder that is gone."""
        return Said(self.template, {name: _without(value, texts) for name, value in self.values.items()})


class SaidError(ValueError):
    """What cannot be, in one line: `str` is English, `said` the same for any language."""

    def __init__(self, template: str | Said, /, **values: Value) -> None:
        """`template` has its `values` in named places (`Said`)."""
        self.said = template if isinstance(template, Said) else Said(template, values)
        super().__init__(str(self.said))


def said(template: str, /, **values: Value) -> Said:
    """A line, or a part of one, with its values."""
    return Said(template, values)


def _without(value: Value, texts: tuple[str, ...]) -> Value:
    if isinstance(value, Said):
        return value.without(*texts)
    if isinstance(value, str):
        for text in texts:
            value = value.replace(text, "")
    return value
