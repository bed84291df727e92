"""What rules and table say exists in every language, with every value, and nothing is kept that is said nowhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from scoring.message import message
from tools.phrases import ROOMS, templates
from vision.reading import UNKNOWN
from words.tongue import LANGUAGES, WORDS, Tongue

ROOT = Path(__file__).parents[2]
OTHERS = [code for code in LANGUAGES if code != "en"]
every_other = pytest.mark.parametrize("code", OTHERS)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@cache
def said() -> dict[str, str]:
    return {text: file for room in ROOMS for text, file in templates(room).items()}


@cache
def strings_in_source() -> frozenset[str]:
    """Every string that stands in the rules and at the table, but for the phrases themselves."""

    def strings() -> Iterator[str]:
        for room in (*ROOMS, "vision"):
            for path in (ROOT / room).rglob("*.py"):
                if "phrases" not in path.parts:
                    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                        if isinstance(node, ast.Constant) and isinstance(node.value, str):
                            yield node.value

    return frozenset(strings())


@pytest.mark.slow
def test_the_templates_are_found():
    assert len(said()) > 250
    assert "the match is over" in said()
    assert "I see {seen:dice}, and the game needs {due:dice}" in said()


@every_other
def test_nothing_stays_english(code: str):
    rules = LANGUAGES[code].rules
    assert not [(file, text) for text, file in said().items() if text not in rules]


@every_other
def test_no_value_is_lost_and_none_is_made_up(code: str):
    rules = LANGUAGES[code].rules
    assert not [text for text in said() if fields(rules[text]) != fields(text)]


@pytest.mark.slow
@every_other
def test_nothing_is_kept_that_the_table_never_says(code: str):
    assert not [text for text in WORDS[code] if text not in strings_in_source()]


@every_other
def test_french_and_german_are_not_the_english(code: str):
    same = {text for text, told in LANGUAGES[code].rules.items() if text == told and "{" not in text}
    assert same <= {"Faces", "action", "animal", "base", "bonus", "face", "points", "total", "total +3"}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "What does die 2 show? I take it for emu or koala."),
        ("de", "Was zeigt Würfel 2? Ich halte es für Emu oder Koala."),
        ("fr", "Que montre le dé 2\u00a0? Il me semble voir émeu ou koala."),
    ],
)
def test_a_question_is_asked_in_the_language(code: str, words: str):
    asked = (
        message("what does die {n} show?", n=2),
        message("I take it for {faces:maybe}", faces=("emu", "koala")),
    )
    assert Tongue(LANGUAGES[code], {}).sentence(asked) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "I see five dice, and the game needs six dice."),
        ("de", "Ich sehe fünf Würfel, und das Spiel braucht sechs Würfel."),
        ("fr", "Je vois cinq dés, et il en faut six."),
    ],
)
def test_dice_are_counted_in_the_language(code: str, words: str):
    there = message("I see {seen:dice}, and the game needs {due:dice}", seen=5, due=6)
    assert Tongue(LANGUAGES[code], {}).sentence([there]) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "Two 2s, a 4, an 8 and something else."),
        ("de", "Zweimal 2, eine 4, eine 8 und etwas anderes."),
        ("fr", "Deux 2, un 4, un 8 et autre chose."),
    ],
)
def test_a_roll_in_words(code: str, words: str):
    language = LANGUAGES[code]
    labels = {UNKNOWN: language.rules.get("something else", "something else")}
    assert Tongue(language, labels).roll(("2", "4", "8", "2", UNKNOWN)) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [("en", "1.5 points, 62.5\u00a0%"), ("de", "1,5 Punkte, 62,5\u00a0%"), ("fr", "1,5 points, 62,5\u00a0%")],
)
def test_figures_have_the_languages_own_point(code: str, words: str):
    points = message("{points:amount} points", points=1.5)
    both = message("{this}, {that}", this=points, that=message("{p:percent}", p=0.625))
    assert Tongue(LANGUAGES[code], {}).clause(both) == words


def test_an_unknown_way_of_saying_a_value_is_a_fault():
    with pytest.raises(AssertionError, match="sideways"):
        Tongue(LANGUAGES["en"], {}).clause(message("{n:sideways}", n=1))
