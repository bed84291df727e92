"""The passages of RULINGS that breakdowns point to: "RULINGS 2.4 Q3" is paragraph 2.4 of docs/rulings.md.

`rulings.md` beside this file is a link to that document, so that a player's install has it, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Blueprint, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from web.language import gettext as _

RULINGS = Path(__file__).parent / "rulings.md"
NAMED = re.compile(r"RULINGS (\d(?:\.\d)?)")
"""Where a breakdown names a paragraph."""
HEADING = re.compile(r"^#{1,2} (?:(\d(?:\.\d)?)\.? )?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph of the rulings: its number, its heading, and its text as HTML."""

    section: str
    heading: str
    text: Markup


def add_rulings(views: Blueprint) -> None:
    """Add the page of the passages, and `passage_of` for templates."""

    @views.get("/rulings/<section>")
    def rulings(section: str) -> str:
        """One passage, with the ways to the others."""
        every = passages()
        if section not in every:
            raise NotFound(_("there is no such paragraph"))
        return render_template("rulings.html", passage=every[section], every=every.values())

    @views.app_context_processor
    def passage() -> dict[str, object]:
        return {"passage_of": passage_of}


def passage_of(where: str) -> str:
    """The number of the paragraph that a breakdown's place names; empty where it names none that is here."""
    found = NAMED.search(where)
    return found[1] if found and found[1] in passages() else ""


@cache
def passages() -> dict[str, Passage]:
    """Every numbered paragraph; none where the document did not come along."""
    try:
        text = RULINGS.read_text(encoding="utf-8")
    except OSError:
        return {}
    heads = list(HEADING.finditer(text))
    ends = [*(one.start() for one in heads[1:]), len(text)]
    return {
        head[1]: Passage(head[1], head[2], _html(text[head.end() : end]))
        for head, end in zip(heads, ends, strict=True)
        if head[1]
    }


def _html(markdown: str) -> Markup:
    """HTML of a paragraph; what is HTML in it stays text, and wide tables can be scrolled by keyboard."""
    written = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    opened = '<div class="wide" role="region" tabindex="0" aria-label="RULINGS"><table class="panel">'
    return Markup(written.replace("<table>", opened).replace("</table>", "</table></div>"))
