"""Why games are played as they are: passages of docs/rulings.md, in English, folded away in the rules.

`rulings.md` beside this file is a link to that document, so that a player's install has it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

RULINGS = Path(__file__).with_name("rulings.md")
NAMED = re.compile(r"(\d\.\d)\s?(Q\d+)?")
"""A passage, and perhaps one of its questions: "2.4 Q3"."""
HEADING = re.compile(r"^#{1,2} (?:(\d(?:\.\d)?)\.? )?(.*)$", re.MULTILINE)
COLUMN = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage: its number, its heading, and its text as HTML."""

    name: str
    heading: str
    text: Markup


def reasons(named: Iterable[str]) -> tuple[Passage, ...]:
    """The passages that are named, each once; those that are here."""
    found = [one for name in named for one in NAMED.findall(name)]
    return tuple(passages()[name] for name in dict.fromkeys(map("".join, found)) if name in passages())


@cache
def passages() -> dict[str, Passage]:
    """Every numbered passage and each question in it ("2.4Q3"); none where the document did not come along."""
    try:
        text = RULINGS.read_text(encoding="utf-8")
    except OSError:
        return {}
    heads = list(HEADING.finditer(text))
    ends = [*(one.start() for one in heads[1:]), len(text)]
    found: dict[str, Passage] = {}
    for head, end in zip(heads, ends, strict=True):
        if head[1]:
            written = text[head.end() : end]
            found[head[1]] = Passage(head[1], head[2], as_html(written))
            found |= {f"{head[1]}{one.name}": one for one in _questions(written)}
    return found


def _questions(text: str) -> Iterable[Passage]:
    """Each row of a table of open questions: what was asked, the readings, and which one is played and why."""
    rows = [
        [cell.strip() for cell in COLUMN.split(line)[1:-1]] for line in text.splitlines() if line[:1] == "|"
    ]
    for number, question, *rest in rows:
        if re.fullmatch(r"Q\d+", number):
            told = zip(rows[0][2:-1], rest[:-1], strict=True)
            written = "\n\n".join(f"*{name.capitalize()}:* {cell}" for name, cell in told)
            yield Passage(number, question, as_html(written))


def as_html(markdown: str) -> Markup:
    """HTML of Markdown; what is HTML in it stays text, and wide tables can be scrolled by keyboard."""
    written = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    opened = '<div class="wide" role="group" tabindex="0"><table class="panel">'
    written = written.replace("<th></th>", "<td></td>").replace("</table>", "</table></div>")
    return Markup(written.replace("<table>", opened))
