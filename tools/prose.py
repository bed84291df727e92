"""Wraps the prose of README and docs at 120 characters: `make prose` (`python -m tools.prose [FILE]…`).

Paragraphs, quotes and items of lists are wrapped; headings, tables, code, pictures and HTML stay as they are.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

WIDTH = 120
"""Longest line, in characters."""

ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +(?=\S)")
KEPT = re.compile(r" *(\||#|<|\[[^\]]+\]: |:: |(-{3,}|={3,}|\*{3,})$)")
"""Lines that stay as they are: rows of tables, headings, HTML, link targets, rules."""
MISREAD = re.compile(r"([-+*>#|=:]|\d+[.)])(\s|$)|[#<|]")
"""Words that would not be prose at the beginning of a line."""


def documents() -> list[Path]:
    """README and the documents."""
    beside = (ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))
    return [*beside, *sorted(ROOT.glob("docs/**/*.md"))]


def long_lines(text: str) -> list[int]:
    """Line numbers, from 1, of prose lines that are too long."""
    prose = ((number, line) for number, line, is_prose in lines_of(text) if is_prose)
    return [number for number, line in prose if len(line) > WIDTH and len(line.split()) > 1]


def wrapped(text: str) -> str:
    """The document, with each paragraph wrapped again if one of its lines is too long."""
    out, paragraph = list[str](), list[str]()

    def end() -> None:
        out.extend(_wrap(paragraph) if any(len(line) > WIDTH for line in paragraph) else paragraph)
        paragraph.clear()

    for _, line, is_prose in lines_of(text):
        if not is_prose or ITEM.match(line) or line.startswith(">"):
            end()
        (paragraph if is_prose else out).append(line)
        if line.endswith(("  ", "\\")):
            end()
    end()
    return "\n".join(out) + "\n"


def lines_of(text: str) -> list[tuple[int, str, bool]]:
    """Each line with its number and whether it is prose."""
    lines, fence, ahead, table = list[tuple[int, str, bool]](), "", False, False
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" *(```+|~~~+)", line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
            prose = False
        else:
            indented = line.startswith("    ") and not ahead
            table = bool(line.strip()) and (
                table or line.startswith("|")
            )  # lines that follow without a gap are rows, too
            prose = not (fence or table or indented or KEPT.match(line)) and bool(line.strip())
        ahead = prose or (ahead and not line.strip())
        lines.append((number, line, prose))
    return lines


def _wrap(paragraph: list[str]) -> list[str]:
    """The lines of a paragraph, or of an item with its indentation, wrapped."""
    item, quote = ITEM.match(paragraph[0]), re.match(r"> *", paragraph[0])
    first = item[0] if item else quote[0] if quote else " " * (len(paragraph[0]) - len(paragraph[0].lstrip()))
    rest = quote[0] if quote else " " * len(first)
    words = " ".join(line.strip().removeprefix(">").strip() if quote else line.strip() for line in paragraph)
    words = words[len(first.strip()) :].strip() if item else words
    return _filled(words, first, rest)


def _filled(words: str, first: str, rest: str) -> list[str]:
    """The words as lines, with one prefix for the first line and another for the rest."""
    wrapper = textwrap.TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    lines = wrapper.wrap(words)
    for n in range(1, len(lines)):
        if MISREAD.match(lines[n].strip()) and " " in lines[n - 1].strip():
            above, _, word = lines[n - 1].rpartition(" ")
            below = " ".join([word, *(line.removeprefix(rest) for line in lines[n:])])
            return [*lines[: n - 1], above, *_filled(below, rest, rest)]
    return lines


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or documents():
        before = path.read_text(encoding="utf-8")
        if (after := wrapped(before)) != before:
            path.write_text(after, encoding="utf-8")
            print(f"wrapped {path}")
