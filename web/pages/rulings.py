"""The passages of RULINGS that breakdowns point to: "RULINGS 2.4 Q3" is paragraph 2.4 of docs/rulings.md.

`rulings.md` beside this file is a link to that document, so that a player's install has it, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import render_template, url_for
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound

from web.access import Views
from web.devices import Role
from web.language import gettext as _

RULINGS = Path(__file__).parents[1] / "rulings.md"
NAMED = re.compile(r"RULINGS (\d\.\d)(?: (Q\d+))?")
"""Where people are told of a paragraph, and perhaps of a question in it."""
HEADING = re.compile(r"^#{1,2} (?:(\d(?:\.\d)?)\.? )?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph of the rulings: its number, its heading, and its text as HTML."""

    section: str
    heading: str
    text: Markup


views = Views("rulings", __name__)


@views.get("/rulings/<section>", to=Role.WATCHER)
def page(section: str) -> str:
    """One passage, with the ways to the others."""
    every = passages()
    if section not in every:
        raise NotFound(_("this section does not exist"))
    return render_template("rulings.html", passage=every[section], every=every.values())


@views.app_template_filter()
def linked(said: str) -> Markup:
    """A sentence or a citation, in which every paragraph of the rulings that is here can be followed."""

    def link(named: re.Match[str]) -> str:
        if named[1] not in passages():
            return named[0]
        to = url_for("rulings.page", section=named[1], _anchor=named[2])
        return Markup('<a href="{}" hreflang="en">{}</a>').format(to, named[0])

    return Markup(NAMED.sub(link, str(escape(said))))


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
    written = written.replace("<table>", opened).replace("</table>", "</table></div>")
    return Markup(re.sub(r"<td>(Q\d+)</td>", r'<td id="\1">\1</td>', written))
