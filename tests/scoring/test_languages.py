"""Every language says everything: a missing sentence, rule or name fails here, and so does one that loses a value."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from scoring.actions import DrawAwaited, MoveAwaited, Play, Roll
from scoring.anyplay import any_action
from scoring.games import GAMES, available, find
from scoring.games.destiny.cards import CHARACTERS
from scoring.language import HAND_OF
from scoring.match import begin
from scoring.vocabulary import IDS
from scoring.wording import LANGUAGES, explain, meant, named_in, offer, say, sentences, standing

ENGLISH = LANGUAGES["en"]
OTHERS = [language for code, language in LANGUAGES.items() if code != "en"]
every_other = pytest.mark.parametrize("language", OTHERS, ids=[language.code for language in OTHERS])

GAMES_FOLDER = Path(__file__).parents[2] / "scoring" / "games"

SAME = {"dd", "thoromyr", "claire", "jamie", "bjr", "laoghaire", "dougal", "geillis", "jenny", "murtagh"}
"""Names that are the same everywhere; numerals are, too."""


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def rules_in_source() -> Iterator[str]:
    """Every rule of a breakdown line: the first argument of `line`, and what is put into a variable for it."""
    for path in GAMES_FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "line":
                yield from texts(node.args[0])
            if isinstance(node, ast.Assign):
                names = {target.id for target in node.targets if isinstance(target, ast.Name)}
                if names & {"rule", "rules"}:
                    values = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
                    yield from (text for value in values for text in texts(value))


def texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))


RULES = sorted(set(rules_in_source()))


def test_the_rules_are_found():
    assert len(RULES) > 50
    assert "{n} {face:face} at 1 each" in RULES
    assert "bonus tile: the first complete board" in RULES


@every_other
def test_every_sentence_is_there_with_all_its_values(language):
    assert language.phrases.keys() == ENGLISH.phrases.keys()
    for name, english in ENGLISH.phrases.items():
        assert fields(language.phrases[name]) == fields(english), name


@every_other
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_there_with_all_its_values(language, rule: str):
    assert fields(language.rules[rule]) == fields(rule)


DOCUMENTS = ("outlander-fan-rules", "meet-fate", "cat-dice", "destiny", "outback")


def places_in_source() -> Iterator[str]:
    """Every citation of a document that stands in a game, but for what is put into it there."""
    for path in GAMES_FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                head, _, heading = node.value.partition(", ")
                if heading and head in DOCUMENTS:
                    yield node.value


PLACES = sorted(set(places_in_source()))
AS_PRINTED = {game.title for game in GAMES} | {"Outback", "Outback Plus", "Alchemist", "l’Alchimiste"}
"""Parts of a citation that are alike in every language."""


@every_other
@pytest.mark.parametrize("where", PLACES)
def test_a_citation_is_in_the_readers_language(language, where: str):
    parts = re.split(r"[;,] ", where)
    told = re.split(r"\s?[;,] ", language.cited(where))
    own = [part for part in parts if part in told and part not in AS_PRINTED and "RULINGS" not in part]
    assert not own


def test_citations_are_found_and_name_documents_not_files():
    assert len(PLACES) > 40
    assert ENGLISH.cited("outlander-fan-rules, Score the dice as follows") == (
        "Outlander fan rules, Score the dice as follows"
    )
    assert not [where for where in PLACES if re.search("[äöüß]", where)]


@every_other
def test_every_id_and_every_power_has_a_name(language):
    known = {one for one in IDS if one not in SAME and not one.isdecimal()}
    assert known <= language.names.keys()
    assert not [one for one in known if "-" in one and named_in(language.code, one) == one.replace("-", " ")]
    assert set(CHARACTERS.values()) <= language.rules.keys()


@every_other
def test_no_two_ids_of_a_game_have_one_name(language):
    for game in GAMES:
        for ids in (game.dice.faces, game.declarations, game.scored_cards):
            names = [named_in(language.code, one).casefold() for one in ids]
            assert len(set(names)) == len(names)
            assert [meant(named_in(language.code, one), ids) for one in ids] == list(ids)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [game.id for game in available()])
def test_whole_matches_are_said_and_nothing_stays_english(game: str, seed: int):
    rng = random.Random(f"{game}/{seed}")
    rules = find(game)
    low, high = rules.seats
    options = {
        option.key: rng.choice(option.values) if option.values else rng.random() < 0.5
        for option in rules.options
        if option.values or isinstance(option.default, bool)
    }
    match = begin(rules, [f"P{i}" for i in range(rng.randint(low, min(high, 3)))], options)
    players = match.header.players
    for _ in range(250):
        if match.outcome:
            break
        for one in rules.awaits(match.state):
            if isinstance(one, MoveAwaited):
                assert all(one.what in language.rules for language in OTHERS)
            elif isinstance(one, DrawAwaited):
                known = one.pile.startswith(HAND_OF)
                assert known or all(one.pile in language.rules for language in OTHERS)
        match = match.add(any_action(rules, match.state, rng.randrange))
        last = match.played[-1]
        for language in OTHERS:
            assert all(sentences(match, language.code))
            if isinstance(last.action, Play):
                assert f"move.{last.action.move.kind}" in language.phrases
                assert offer(last.action.move, players, language.code)
            for score in last.step.scores:
                assert all(explain(one, language.code) for one in score.breakdown)
    if match.outcome:
        assert all(match.outcome.reason in language.rules for language in OTHERS)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2 pairs of Dougal and Geillis at +3"),
        ("de", "2 Paare aus Dougal und Geillis zu +3"),
        ("fr", "2 paires Dougal et Geillis à +3"),
    ],
)
def test_a_rule_is_said_in_the_language(language: str, said: str):
    roll = ("dougal", "dougal", "geillis", "geillis", "bjr", "bjr")
    assert explain(find("outlander").score(roll).breakdown[0], language) == said


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("de", 0, "0 Punkte"),
        ("de", 1, "1 Punkt"),
        ("de", -1, "−1 Punkt"),
        ("de", 2, "2 Punkte"),
        ("fr", 0, "0 point"),
        ("fr", 1, "1 point"),
        ("fr", -1, "−1 point"),
        ("fr", 2, "2 points"),
    ],
)
def test_plurals(language: str, number: int, said: str):
    spoken = LANGUAGES[language]
    assert spoken.count(number, *spoken.points) == said


def test_french_spaces_do_not_break():
    for said in (*LANGUAGES["fr"].phrases.values(), *LANGUAGES["fr"].rules.values()):
        assert not any(f" {mark}" in said for mark in ":;!?»"), said


def test_lists_and_places():
    german, french = LANGUAGES["de"], LANGUAGES["fr"]
    assert german.listed(["eins", "zwei", "drei"]) == "eins, zwei und drei"
    assert french.listed(["un", "deux"]) == "un et deux"
    assert (german.nth(3), french.nth(1), french.nth(3)) == ("3.", "1re", "3e")
    match = begin(find("triples"), ("Ann", "Bob"))
    assert sentences(match, "de") == ("Ann würfelt.",)
    after = match.add(Roll(("cat", "cat", "cat")))
    assert sentences(after, "fr")[1] == "Ann marque 6 points, 6 en tout."
    assert say(standing(after)[1], ("Ann", "Bob"), "fr") == "Bob\u00a0: 2e place, 0 point."
    assert say(standing(after)[1], ("Ann", "Bob"), "de") == "Bob, Platz 2, 0 Punkte."
