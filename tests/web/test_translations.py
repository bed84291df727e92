"""Every word of the pages exists in every language, and none is kept that no page says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from tools.translations import kept, wanted
from web.language import LANGUAGES, WRITTEN

OTHERS = [language for language in LANGUAGES if language != WRITTEN]
TEMPLATES = Path(__file__).parents[2] / "web" / "templates"
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]|%(?!%|\()\S|%\((?!\w+\)[a-z])")
"""A named placeholder (group 1 is its name), or a sign that is none and would fail when it is filled in."""

Key = str | tuple[str, ...] | list[str]


def key(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def written(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def placeholders(texts: Iterable[str]) -> set[str]:
    return {
        found.group(1) or found.group(0)
        for text in texts
        for found in PLACEHOLDER.finditer(text.replace("%%", ""))
    }


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_no_message_lacks_a_translation(language: str):
    there = {key(one): written(one) for one in kept(language) if one.id}
    missing = [key(one)[0] for one in wanted() if one.id and not all(there.get(key(one), ("",)))]
    assert not missing, f"run python -m tools.translations, then write {language}.po"


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_of_a_message_that_is_gone(language: str):
    used = {key(one) for one in wanted()}
    assert not [key(one) for one in kept(language) if one.id and key(one) not in used]


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_placeholders(language: str):
    # A singular may say "one" in a word, in any language; a plural has its number.
    differing = [
        (key(one), written(one))
        for one in kept(language)
        if one.id
        for form, text in enumerate(written(one))
        if placeholders([text]) not in [placeholders([english]) for english in key(one)[form:]]
    ]
    assert not differing


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_is_no_guess(language: str):
    assert not [key(one) for one in kept(language) if one.fuzzy and one.id]


@pytest.mark.slow
def test_every_message_can_be_filled_in():
    for one in wanted():
        for text in key(one):
            names = placeholders([text])
            assert all(name.isidentifier() for name in names), text
            assert isinstance(text % dict.fromkeys(names, 1), str)


NAMES = {"Tableside", "RULINGS", "Letter"}
"""Words that stand on a page in no language: names."""


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_no_word_of_a_page_stands_outside_the_catalogues(path: Path):
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    heard = [value for _, value in re.findall(r'\b(alt|aria-label|placeholder|title)="([^"]*)"', bare)]
    seen = re.sub(r"<[^>]*>", " ", bare)
    words = {word for text in (seen, *heard) for word in re.findall(r"[A-Za-z]{3,}", text)}
    inside = set(re.findall(r'"(\w+)":', seen))  # keys of JSON for a script
    assert words - NAMES - inside == set()
