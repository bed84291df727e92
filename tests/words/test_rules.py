"""The rules for players: complete in every language, true to the options, and a paragraph for all that is cited."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from scoring.game import AnyGame
from scoring.gamefile.game import FileGame
from scoring.games import available, find
from scoring.games.cats.called_shot import payoff
from scoring.games.cats.cat_dice import GROUPS
from tests.playthroughs.transcript import played
from words import LANGUAGES
from words.catalogue import folder_of
from words.rules import HOUSE, reasons, rules, title

GAMES = available()
ROOT = Path(__file__).parents[2]
PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.txt"))
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
every_ruled_game = pytest.mark.parametrize(
    "game", [one for one in GAMES if not isinstance(one, FileGame)], ids=lambda game: game.id
)
"""The games whose printed rules had to be weighed (docs/rulings.md); a file says its rules itself."""
every_language = pytest.mark.parametrize("language", LANGUAGES)


def citations(module: ModuleType) -> Iterator[str]:
    """What the score lines and refusals in a module cite; a name stands for the module's own constant."""
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id in ("line", "refuse")
        ):
            place = call.args[{"line": 2, "refuse": 1}[call.func.id] :][:1]
            for node in ast.walk(place[0]) if place else ():
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
                elif isinstance(node, ast.Name) and isinstance(getattr(module, node.id, None), str):
                    yield getattr(module, node.id)


def modules(game: AnyGame) -> Iterator[ModuleType]:
    """The modules that a game's rules are written in: its own, and those of its folder that it imports."""
    family = type(game).__module__.rpartition(".")[0]
    todo, seen = [type(game).__module__], set[str]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        module = sys.modules[name]
        yield module
        todo += re.findall(rf"from ({re.escape(family)}\.\w+) import", inspect.getsource(module))


@every_game
@every_language
def test_every_game_has_its_rules(game: AnyGame, language: str):
    told = rules(game, language)
    ids = [one.id for one in told.paragraphs]
    assert told.aim
    assert {"setup", "end"} <= {*ids}
    assert len(set(ids)) == len(ids)
    assert ids == [one.id for one in rules(game, "en").paragraphs]
    assert all(one.title and one.text and "{#" not in one.text for one in told.paragraphs)


@every_game
@every_language
def test_every_face_number_and_way_in_them_is_there(game: AnyGame, language: str):
    told = rules(game, language)
    text = "\n".join((told.aim, *(one.text for one in told.paragraphs)))
    pictures, named = (set(re.findall(rf":([a-z\d-]+){sign}:", text)) for sign in ("", "="))
    assert pictures <= set(game.dice.faces)
    assert named <= {*game.dice.faces, *game.declarations, *game.names}
    assert set(re.findall(r"\{([^}]+)\}", text)) <= {one.key for one in game.options}
    assert all(title(game, way, language) for way in re.findall(r"\]\(#([^)]+)\)", text))


@every_game
def test_every_language_has_the_same_pictures_and_the_same_numbers_in_its_tables(game: AnyGame):
    def figures(language: str) -> list[list[str]]:
        texts = [one.text for one in rules(game, language).paragraphs]
        tables = ["\n".join(re.findall(r"^\|.*", text, re.MULTILINE)) for text in texts]
        drawn = [re.findall(r":[\w-]+=?:|\{[\w.-]+\}", text) for text in texts]
        return [[*one, *re.findall(r"\d+", table)] for one, table in zip(drawn, tables, strict=True)]

    assert figures("de") == figures("en")
    assert figures("fr") == figures("en")


@every_game
def test_every_house_rule_is_named_where_it_decides_or_is_a_number(game: AnyGame):
    named = {
        one for part in rules(game, "en").paragraphs for one in re.findall(r"\(#house-([^)]+)\)", part.text)
    }
    left = {one.key for one in game.options if isinstance(one.default, bool) or one.values} - named
    assert left <= {"person_alias", "cards"}


@every_game
def test_all_that_score_lines_and_refusals_cite_is_a_paragraph(game: AnyGame):
    cited = {one for module in modules(game) for one in citations(module)}
    shared = {one.id for other in GAMES if type(other).__module__.startswith(type(game).__module__.rpartition(".")[0])
              for one in rules(other, "en").paragraphs}  # fmt: skip
    own = {one for one in cited if title(game, one, "en")}
    assert own
    assert {one for one in cited - own if one not in shared and not one.startswith(HOUSE)} == set()


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
@every_language
def test_every_point_of_a_match_leads_to_a_paragraph(path: Path, language: str):
    match, _ = played(path.read_text(encoding="utf-8"))
    lines = [line for one in match.played for score in one.step.scores for line in score.breakdown]
    assert lines
    assert [line.where for line in lines if not title(match.game, line.where, language)] == []


@every_ruled_game
@every_language
def test_every_reason_that_is_named_is_told_in_every_language(game: AnyGame, language: str):
    named = [one for paragraph in rules(game, "de").paragraphs for one in paragraph.rulings]
    named += [found for one in game.options for found in re.findall(r"\d\.\d(?: ?Q\d+)?", one.ruling)]
    assert named
    for name in named:
        (told,) = reasons(game, [name], language)
        assert told.id == name.replace(" ", "")
        assert told.title.endswith("?")
        assert told.text
        assert (told.text == reasons(game, [name], "en")[0].text) == (language == "en")


@every_ruled_game
def test_every_reason_weighs_a_passage_of_the_rulings(game: AnyGame):
    """No reason is left over that no paragraph and no option names."""
    rulings = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    for language in LANGUAGES:
        told = (folder_of(game) / "rules" / language / "reasons.md").read_text(encoding="utf-8")
        for section, question in re.findall(r"\{#(\d\.\d)(Q\d+)?\}", told):
            passage = re.search(rf"^## {re.escape(section)} .*?(?=^##? )", rulings, re.DOTALL | re.MULTILINE)
            assert passage
            assert not question or f"| {question} |" in passage[0]


@every_language
def test_the_groups_of_the_cat_dice_are_those_of_the_game(language: str):
    (groups,) = (one for one in rules(find("called-shot"), language).paragraphs if one.id == "groups")
    rows = [re.findall(r":([\w-]+):", line) for line in groups.text.splitlines() if line.startswith("| ")][2:]
    assert [{*row} for row in rows] == [GROUPS[name] for name in ("cats", "no-cats", "family", "no-family")]


@every_language
def test_the_table_of_called_shot_is_what_it_pays(language: str):
    (table,) = (one for one in rules(find("called-shot"), language).paragraphs if one.id == "scoring")
    rows = [
        [cell.strip(" *–") for cell in line.split("|")[2:6]]
        for line in table.text.splitlines()
        if line.startswith("| ")
    ][2:]
    shown = {
        "dd": ("dd dd dd", "", "dd dd cat", ""),
        "family": ("cat cat cat", "cat cat sigil", "cat cat dd", "cat sigil thoromyr"),
        "no-family": ("dd dd dd", "dd dd manticore", "dd dd cat", ""),
        "cats": ("cat cat cat", "cat cat manticore", "cat cat dd", "cat two-cats manticore"),
        "no-cats": ("dd dd dd", "dd dd sigil", "dd dd cat", "dd sigil thoromyr"),
        "no-dd": ("cat cat cat", "cat cat sigil", "cat cat dd", "cat two-cats sigil"),
    }
    for (declared, rolls), row in zip(shown.items(), rows, strict=True):
        paid = [str(payoff(declared, tuple(roll.split()))[1]) if roll else "" for roll in rolls]
        assert paid == row, declared
