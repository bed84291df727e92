"""What can be said anywhere is in every catalogue, with the same values, and nothing is kept that is said nowhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from tools.translations import (
    ComposedError,
    brought_up_to_date,
    kept,
    sources,
    templates,
    texts,
    wanted,
    written,
)
from words import LANGUAGES
from words.catalogue import CatalogueError, catalogue, entries

OTHERS = [code for code in LANGUAGES if code != "en"]
every_other = pytest.mark.parametrize("code", OTHERS)

PAGES = Path(__file__).parents[2] / "web" / "templates"
PLACE = re.compile(r"%\((\w+)\)[a-z]|%(?!%|\()\S|%\((?!\w+\)[a-z])")
"""A named place of a page's words (group 1 is its name), or a sign that is none and would fail when it is filled in."""


def values(text: str) -> set[str]:
    """The names of what fills a template, whichever way it is filled."""
    if "%(" in text:
        return {found.group(1) or found.group(0) for found in PLACE.finditer(text.replace("%%", ""))}
    return {name for _, name, _, _ in Formatter().parse(text.replace("%%", "")) if name is not None}


@pytest.mark.slow
def test_the_templates_are_found():
    assert len(wanted()) > 1500
    for text in (
        "the match is over",
        "{player:name}, throw the dice.",
        "hold {keep:faces}, throw the others",
        "{n} {face:face}, 1 point each",
        "I see {seen:dice}, but the game needs {due:number}",
        "That is too large to send.",
    ):
        assert text in wanted()


@pytest.mark.slow
@every_other
def test_nothing_stays_english(code: str):
    there = kept(code)
    missing = [text for text in wanted() if not all(there.get((None, text), ("", ("",)))[1])]
    assert not missing, f"run make translations, then write what is empty in {code}.po"


@pytest.mark.slow
@every_other
def test_nothing_is_kept_that_is_said_nowhere_and_each_is_in_its_place(code: str):
    for path, told in brought_up_to_date(code).items():
        assert path.exists() == bool(told)
        if told:
            assert path.read_text(encoding="utf-8") == written(code, told), "run make translations"


@pytest.mark.slow
@every_other
def test_no_value_is_lost_and_none_is_made_up(code: str):
    # A singular may say "one" in a word, in any language; a plural has its number.
    for (context, key), (_path, forms) in kept(code).items():
        if context is None:
            english = (key, wanted()[key].plural) if len(forms) > 1 else (key,)
            for number, form in enumerate(forms):
                assert values(form) in [values(one) for one in english[number:]], key


@every_other
def test_french_and_german_are_not_the_english(code: str):
    same = {
        key
        for (context, key), (_, forms) in kept(code).items()
        if context is None and key in forms and not values(key) and re.search(r"[a-z]{3} [a-z]{3}", key)
    }
    assert not same


def test_french_spaces_do_not_break():
    for (_, key), (_, forms) in kept("fr").items():
        for said in forms:
            assert not any(f" {mark}" in said for mark in ":;!?»"), key


@pytest.mark.slow
def test_every_word_of_a_page_can_be_filled_in():
    for key, one in wanted().items():
        for text in (key, one.plural):
            if "%" in text:
                assert isinstance(text % dict.fromkeys(values(text), 1), str)


NAMES = {"Tableside", "Letter"}
"""Words that stand on a page in no language: names."""


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.html")), ids=lambda path: path.name)
def test_no_word_of_a_page_stands_outside_the_catalogues(path: Path):
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    heard = [value for _, value in re.findall(r'\b(alt|aria-label|placeholder|title)="([^"]*)"', bare)]
    seen = re.sub(r"<[^>]*>", " ", bare)
    words = {word for text in (seen, *heard) for word in re.findall(r"[A-Za-z]{3,}", text)}
    inside = set(re.findall(r'"(\w+)":', seen))  # keys of JSON for a script
    assert words - NAMES - inside == set()


@pytest.mark.parametrize(
    "code", ['message(f"{n} dice", n=n)', 'MessageError("no " + what)', "MessageError(str(refused))"]
)
def test_a_template_with_its_values_baked_in_is_found(code: str):
    with pytest.raises(ComposedError):
        list(templates(ast.parse(code)))


def test_both_arms_of_a_choice_are_templates():
    assert list(texts(ast.parse("'a' if x else 'b'", mode="eval").body)) == ["a", "b"]


# --- the files


def test_a_catalogue_is_read_as_it_is_written(tmp_path: Path):
    told = {
        (None, 'a "b" \\ {n}\nc\t'): ('x "y" \\ {n}\nz\t',),
        (None, "a long line of words, " * 20): ("eine lange Zeile von Wörtern, " * 20,),
        ("name", "emu"): ("Emu",),
        ("thing", "emu"): ("einen Emu", "Emus"),
    }
    (tmp_path / "de.po").write_text(written("de", told), encoding="utf-8")
    read = {(context, key): forms for context, key, forms in entries(tmp_path / "de.po") if key}
    assert read == told


@pytest.mark.parametrize("line", ["msgid", "msgid no quotes", 'msgid "half'])
def test_a_broken_catalogue_names_its_line(tmp_path: Path, line: str):
    path = tmp_path / "de.po"
    path.write_text(f"# a comment\n{line}\n")
    with pytest.raises(CatalogueError, match=f"{path.name}, line 2"):
        list(entries(path))


def test_an_unknown_language_has_an_empty_catalogue():
    assert not catalogue("xx").said


@pytest.mark.slow
def test_no_pattern_recognises_our_own_sentences():
    # A sentence is a template with values; nothing takes it apart again by what it looks like.
    for file, tree in sources().items():
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
        patterns = [ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func).startswith("re.")]
        words = {three for one in patterns for three in re.findall(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", one)}
        assert not [text for text in wanted() if any(three in text for three in words)], file
        markdown = file == "words/rules.py"
        assert markdown or not patterns or not file.startswith(("words/", "messages/", "web/language")), file
