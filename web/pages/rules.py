"""The rules of every game for people at the table, to read and to search, with what is played at this one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from flask import render_template, request, url_for
from markdown_it import MarkdownIt
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from scoring.game import AnyGame
from scoring.games import available
from web.access import Views
from web.devices import Role
from web.draft import Rule, counted, rules_of, spelled
from web.language import current
from web.language import gettext as _
from web.site import site
from words.rules import HOUSE, Paragraph, reasons, rules
from words.speaker import Speaker, speaker

LONGEST_SEARCH = 80
MOST_FOUND = 40

FACE = re.compile(r":([\w-]+?)(=?):")
"""A face, and whether its name stands beside it; or what has a name and no picture."""
VALUE = re.compile(r"\{([\w.-]+)\}")
"""The number an option is played with."""
MARKS = re.compile(r"\]\(#[^)]*\)|[][*|#]|^[ |-]+$|^\d+\. |^- ", re.MULTILINE)
"""What Markdown adds to the words."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why a game is played so: a question that players ask, and its answer."""

    question: str
    answer: Markup


@dataclass(frozen=True, slots=True)
class ParagraphView:
    """A paragraph of the rules as a page shows it; a house rule has what is played and all its answers."""

    id: str
    title: str
    text: Markup
    reasons: tuple[Ruling, ...]
    house: Rule | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A paragraph that fits what was searched for, and the sentence that does."""

    game: AnyGame
    id: str
    title: str
    sentence: str


views = Views("rules", __name__)


@views.get("/rules", to=Role.WATCHER)
def page() -> str:
    """Every game, the one on the table first, or what was found."""
    asked = request.args.get("q", "").strip()[:LONGEST_SEARCH]
    now = site().table.session.match.game
    games = sorted(available(), key=lambda game: game.id != now.id)
    found = _found(asked, games) if asked else ()
    return render_template("rules.html", games=games, now=now, asked=asked, found=found, counted=counted)


@views.get("/rules/<game_id>", to=Role.WATCHER)
def game(game_id: str) -> str:
    """The rules of a game, with the house rules of this table while a match of it is on."""
    found = next((one for one in available() if one.id == game_id), None)
    if found is None:
        raise NotFound(_("this game does not exist"))
    written, values = rules(found, current()), _played(found)
    house, show = rules_of(found, values), partial(_shown, found, values)

    def why(*named: str) -> tuple[Ruling, ...]:
        return tuple(Ruling(one.title, show(one.text)) for one in reasons(found, named, current()))

    return render_template(
        "rules_game.html", game=found, on=_is_on(found), counted=counted, aim=show(written.aim),
        paragraphs=[ParagraphView(one.id, one.title, show(one.text), why(*one.rulings)) for one in written.paragraphs],
        house=[
            ParagraphView(HOUSE + one.option.key, one.title, Markup(), why(one.option.ruling), one) for one in house
        ],
        numbers={"reasons": why(*(one.option.ruling for one in house if one.kind == "number"))},
    )  # fmt: skip


def as_html(markdown: str) -> Markup:
    """HTML of Markdown; what is HTML in it stays text, and wide tables can be scrolled by keyboard."""
    written = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    opened = '<div class="wide" role="group" tabindex="0"><table class="panel">'
    written = written.replace("<th></th>", "<td></td>").replace("</table>", "</table></div>")
    return Markup(written.replace("<table>", opened))


def _is_on(game: AnyGame) -> bool:
    match = site().table.session.match
    return match.game.id == game.id and match.outcome is None


def _played(game: AnyGame) -> dict[str, str]:
    """The value of each option here, as a form sends it; the default if no match of the game is running."""
    options = site().table.session.match.header.options if _is_on(game) else ()
    return {option.key: spelled(option.default) for option in game.options} | {
        key: spelled(value) for key, value in options
    }


def _shown(game: AnyGame, values: Mapping[str, str], text: str) -> Markup:
    """The text of a paragraph with its numbers, its names and the pictures of the faces."""
    session = site().table.session
    names = speaker(current(), (), session.speaker(current()).labels if _is_on(game) else None)
    dice_set = session.dice_set.id if _is_on(game) else game.dice.set_id

    def picture(face: str, named: bool) -> str:
        to = url_for("dice.face", set_id=dice_set, face=face)
        drawn = Markup('<img class="face" src="{}" alt="{}" width="36" height="36" loading="lazy">').format(
            to, "" if named else names.name(face)
        )
        return Markup('<span class="named">{} {}</span>').format(drawn, names.title(face)) if named else drawn

    return Markup(_filled(as_html(text), game, values, names, picture))


def _filled(
    text: str,
    game: AnyGame,
    values: Mapping[str, str],
    names: Speaker,
    picture: Callable[[str, bool], str],
) -> str:
    called = {*game.declarations, *game.names}

    def put(found: re.Match[str]) -> str:
        one, named = found[1], bool(found[2])
        if one in game.dice.faces:
            return picture(one, named)
        return names.title(one) if named and one in called else found[0]

    return FACE.sub(put, VALUE.sub(lambda found: values.get(found[1], found[0]), text))


def _found(asked: str, games: list[AnyGame]) -> list[Found]:
    """The paragraphs that have every word, those with all of them in their title first."""
    words = [_plain(word) for word in asked.split()]
    found: list[tuple[bool, Found]] = []
    names = speaker(current())
    for one in games:
        values = _played(one)
        for paragraph in (*rules(one, current()).paragraphs, *map(_paragraph, rules_of(one, values))):
            text = _filled(paragraph.text, one, values, names, lambda face, _named: names.name(face))
            lines = [" ".join(line.split()) for line in MARKS.sub(" ", text).splitlines()]
            title = _plain(f"{one.title} {paragraph.title}")
            if all(word in f"{title} {_plain(text)}" for word in words):
                sentences = [said for line in lines for said in re.split(r"(?<=[.!?])\s", line)]
                best = max(sentences, key=lambda said: sum(word in _plain(said) for word in words))
                found.append((
                    not all(word in title for word in words), Found(one, paragraph.id, paragraph.title, best)
                ))  # fmt: skip
    return [one for _, one in sorted(found, key=lambda one: one[0])][:MOST_FOUND]


def _paragraph(rule: Rule) -> Paragraph:
    answers = ", ".join(words for _, words, _ in rule.choices)
    return Paragraph(HOUSE + rule.option.key, rule.title, f"{rule.explanation} {answers}")


def _plain(text: str) -> str:
    """Without case and accents."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
