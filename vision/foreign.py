"""What parsers, unpackers and operating systems say in English, recognised by its words, so that pages can say it too.

What is not recognised stays as it came: better a sentence in English than none.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from vision.said import Said, Value

FOREIGN: Final = (
    # Operating systems, of files (POSIX strerror)
    "No such file or directory",
    "Permission denied",
    "Operation not permitted",
    "Input/output error",
    "No space left on device",
    "Disk quota exceeded",
    "Read-only file system",
    "Is a directory",
    "Not a directory",
    "File exists",
    "File name too long",
    "File too large",
    "Too many open files",
    "Directory not empty",
    "Device or resource busy",
    # Places, as tomllib and json give them
    "%(why)s (at line %(line)s, column %(column)s)",
    "%(why)s (at end of document)",
    "%(why)s: line %(line)s column %(column)s (char %(sign)s)",
    # tomllib
    "Invalid statement",
    "Invalid value",
    "Invalid date or datetime",
    "Invalid hex value",
    "Invalid initial character for a key part",
    "Expected newline or end of document after a statement",
    "Expected '=' after a key in a key/value pair",
    "Expected ']' at the end of a table declaration",
    "Expected ']]' at the end of an array declaration",
    "Expected %(wanted)s",
    "Found invalid character %(sign)s",
    "Illegal character %(sign)s",
    "Cannot declare %(key)s twice",
    "Cannot overwrite a value",
    "Cannot mutate immutable namespace %(key)s",
    "Cannot redefine namespace %(key)s",
    "Duplicate inline table key %(key)s",
    "Unclosed array",
    "Unclosed inline table",
    "Unterminated string",
    "Unescaped '\\' in a string",
    "Escaped character is not a Unicode scalar value",
    "maximum recursion depth exceeded",
    # json
    "Expecting value",
    "Expecting property name enclosed in double quotes",
    "Expecting ':' delimiter",
    "Expecting ',' delimiter",
    "Extra data",
    "Unterminated string starting at",
    "Invalid control character at",
    "Invalid \\escape",
    "Illegal trailing comma before end of array",
    "Illegal trailing comma before end of object",
    "'utf-8' codec can't decode byte %(byte)s in position %(place)s: %(why)s",
    "'utf-8' codec can't decode bytes in position %(place)s: %(why)s",
    "invalid start byte",
    "invalid continuation byte",
    "unexpected end of data",
    # zipfile
    "File is not a zip file",
    "Bad magic number for central directory",
    "Bad magic number for file header",
    "Truncated central directory",
    "Truncated file header",
    "Bad CRC-32 for file %(file)s",
    "File name in directory %(file)s and header %(other)s differ.",
    "Overlapped entries: %(file)s (possible zip bomb)",
    # Pillow
    "image file is truncated",
    "image file is truncated (%(left)s bytes not processed)",
    "broken data stream when reading image file",
    "unrecognized data stream contents when reading image file",
    "cannot identify image file %(file)s",
    "broken PNG file",
    "broken PNG file (chunk %(chunk)s)",
    "could not create decoder object",
)
"""The sentences, a place for what differs. The first that fits is taken."""

_INSIDE: Final = "why"
"""The place that holds such a sentence itself."""


def foreign(text: str) -> Value:
    """A sentence that somebody else made, as a template where it is known; it says the same in English."""
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            values = {
                name: foreign(words) if name == _INSIDE else words
                for name, words in found.groupdict().items()
            }
            return Said(template, values)
    return text


def system(error: OSError) -> Value:
    """What the operating system says is wrong with a file."""
    return foreign(error.strerror or type(error).__name__)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, _pattern(template)) for template in FOREIGN)


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"%\((\w+)\)s", template)
    return re.compile("".join(f"(?P<{one}>.+)" if i % 2 else re.escape(one) for i, one in enumerate(parts)))
