"""The rules of every game as people read them at the table: Markdown beside the game, in every language.

`rules/<language>/<game>.md` in the game's folder begins with a few words about the game; then come its paragraphs. Each
has a heading with an id that is the same in every language, which score lines and refusals cite, and in English the
reasons why the game is played so:

    ## The sets {#sets 2.4Q1 2.4Q2}

`rules/<language>/reasons.md` has those reasons, each under a question that players ask. Their numbers are those of
docs/rulings.md, which weighs the readings.

A line `:: dice` stands for the paragraph `dice` of `shared.md`, which several games of a folder have. `:claire:` is the
picture of a face, `:claire=:` the picture and its name; of a box, hand, call or card, `:full-house=:` is the name.
`{target}` is the number that an option is played with. A game file needs none of this: its rules are said from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from scoring.game import AnyGame
from scoring.gamefile.explained import explained
from scoring.gamefile.game import FileGame
from words import WRITTEN
from words.catalogue import folder_of
from words.speaker import speaker

HEADING = re.compile(r"^## (.+?) \{#([\w.-]+)((?: \d\.\d(?:Q\d+)?)*)\}$", re.MULTILINE)
RULING = re.compile(r"(\d\.\d)\s?(Q\d+)?")
"""A reference to a rule: "2.4Q3", or "RULINGS 2.4 Q3" beside an option."""
SHARED = re.compile(r"^:: ([\w-]+)$", re.MULTILINE)

HOUSE = "house-"
"""How the id of the paragraph about an option begins; its key follows."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of a game's rules."""

    id: str
    title: str
    text: str
    """Markdown."""
    rulings: tuple[str, ...] = ()
    """The reasons why the game is played so: "2.4" or "2.4Q1"."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of a game in one language; empty if nobody wrote them."""

    aim: str
    """What the game is about, as Markdown."""
    paragraphs: tuple[Paragraph, ...]


def rules(game: AnyGame, language: str) -> Rulebook:
    """The rules of a game in a language; of a game file without rules beside it, what the file tells in sentences."""
    folder = folder_of(game) / "rules"
    if isinstance(game, FileGame) and not folder.exists():
        return _told(game, language)
    return _read(folder, game.id, language)


def _told(game: FileGame, language: str) -> Rulebook:
    words = speaker(language)
    paragraphs = (
        Paragraph(one.id, words.say(one.title), "\n".join(f"- {_plain(words.say(said))}" for said in one.sentences))
        for one in explained(game.rules)
    )
    return Rulebook(_plain(game.blurb), tuple(paragraphs))


def _plain(text: str) -> str:
    """Text of a player's file as Markdown that has no marks: neither its signs nor our `:face:` and `{option}`."""
    return re.sub(r"[^\w\s,.?!]", lambda sign: f"&#{ord(sign[0])};", text)


def reasons(game: AnyGame, named: Iterable[str], language: str) -> tuple[Paragraph, ...]:
    """The reasons that are named, each once: a question that players ask, and its answer."""
    told = _reasons(folder_of(game) / "rules", language)
    found = ("".join(one) for name in named for one in RULING.findall(name))
    return tuple(told[name] for name in dict.fromkeys(found) if name in told)


def title(game: AnyGame, where: str, language: str) -> str:
    """The title of the paragraph that a score line or a refusal cites; empty if there is none."""
    if where.startswith(HOUSE):
        options = (one for one in game.options if one.key == where.removeprefix(HOUSE))
        return next((speaker(language).words(one.called()) for one in options), "")
    return next((one.title for one in rules(game, language).paragraphs if one.id == where), "")


@cache
def _read(folder: Path, game: str, language: str) -> Rulebook:
    path, shared = folder / language / f"{game}.md", folder / language / "shared.md"
    if not path.exists():
        return Rulebook("", ())
    _, common = _cut(shared.read_text(encoding="utf-8")) if shared.exists() else ("", {})
    written = SHARED.sub(lambda named: common[named[1]], path.read_text(encoding="utf-8"))
    aim, pieces = _cut(written)
    english = _read(folder, game, WRITTEN).paragraphs if language != WRITTEN else ()
    rulings = {one.id: one.rulings for one in english}
    found = (_paragraph(piece) for piece in pieces.values())
    return Rulebook(aim.strip(), tuple(replace(one, rulings=rulings.get(one.id, one.rulings)) for one in found))


@cache
def _reasons(folder: Path, language: str) -> dict[str, Paragraph]:
    path = folder / language / "reasons.md"
    _, pieces = _cut(path.read_text(encoding="utf-8")) if path.exists() else ("", {})
    return {name: _paragraph(piece) for name, piece in pieces.items()}


def _cut(text: str) -> tuple[str, dict[str, str]]:
    """What stands before the first heading, and each paragraph with its heading, by its id."""
    heads = list(HEADING.finditer(text))
    ends = [*(one.start() for one in heads), len(text)]
    return text[: ends[0]], {
        head[2]: text[head.start() : end] for head, end in zip(heads, ends[1:], strict=True)
    }


def _paragraph(piece: str) -> Paragraph:
    head, _, text = piece.partition("\n")
    found = HEADING.match(head)
    assert found is not None
    return Paragraph(found[2], found[1], text.strip(), tuple(found[3].split()))
