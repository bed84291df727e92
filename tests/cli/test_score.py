"""`tableside score`, `games`: every vector of RULINGS through the front door, and what bad input gets."""

from __future__ import annotations

import json

import pytest

from tests.cli.door import tableside


def test_the_shape_of_a_scored_roll():
    code, out, _ = tableside("score", "called-shot", "--faces", "DD,DD,cat", "--declare", "no cats", "--json")
    assert code == 0
    assert json.loads(out) == {
        "game": "called-shot",
        "faces": ["dd", "dd", "cat"],
        "points": 1,
        "breakdown": [
            {
                "rule": "No cats: a pair fits",
                "points": 1,
                "where": "scoring",
            }
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "points"),
    [
        ("triples --faces cat,cat,dd", 2),
        ("called-shot --faces Cat,SIGIL,thoromyr --declare Family", 1),
        ("called-shot --faces two_cats,cat,dd --declare no-manticore", 1),
        ("called-shot --faces two_cats,cat,dd --declare zwei_Katzen", 1),
        ("outlander --faces bjr,bjr,bjr,bjr,bjr,bjr --add jenny=1 --add Jenny=1", 6),
        (
            "pairs --faces sigil,sigil --declare no-cats --option set_roll=sigil,DD --option rolls_before=12",
            48,
        ),
        ("pairs --faces dd,dd --declare dd", 50),
        ("quintuples --faces dd,dd,dd,cat,sigil --option others=pair,pair,two-pair,three-of-a-kind", 3),
        ("everyone-scores --faces dd,dd,dd,cat,cat", 12),
        ("outlander --faces jamie,jamie,geillis,geillis,laoghaire,bjr --add jamie=2 --add BJR=1", 0),
        (
            "outlander --faces jamie,jamie,geillis,geillis,laoghaire,bjr --add jamie=2 --add BJR=1 "
            "--option bl_pair=absorbs",
            1,
        ),
        ("meet-fate --faces 2,2,2,2,5,5 --declare four-of-a-kind", 18),
        (
            "destiny --faces law-base-3,law-bonus-2,chaos-multiplier-3 --option powers=Alchemist "
            "--option transmuted=chaos-multiplier-3=law",
            45,
        ),
        (
            "destiny --faces good-base-3,evil-bonus-2 --option powers=Paladin,Necromancer "
            "--option left=good-base-3",
            7,
        ),
        ("outback --option markers=koala=-3,emu=5 --option lost=1", -11),
    ],
)
def test_rolls(arguments: str, points: int):
    code, out, err = tableside("score", *arguments.split(), "--json")
    assert code == 0, err
    assert json.loads(out)["points"] == points


def test_boxes_and_ranks_are_told_where_a_game_has_them():
    boxes = tableside("score", "meet-fate", "--faces", "1 4 5 6 7 8", "--json").json["boxes"]
    assert (len(boxes), boxes["small-straight"], boxes["large-straight"]) == (19, 30, 0)
    hand = tableside("score", "quintuples", "--faces", "cat,cat,dd,dd,dd", "--json").json
    assert (hand["rank"], hand["points"]) == ("three-and-pair", None)


def test_labels_in_other_languages_name_faces():
    _, out, _ = tableside("score", "triples", "--faces", "Katze,deux chats,sceau", "--json")
    assert json.loads(out)["faces"] == ["cat", "two-cats", "sigil"]


def test_for_people_every_point_has_its_place():
    code, out, _ = tableside("score", "triples", "--faces", "cat,cat,cat")
    assert code == 0
    assert "+6  Cat triple  [What a roll is worth]" in out


def test_rolls_from_standard_input():
    typed = "cat,cat,dd\n\ncat, sigil, DD\ncat,cat\n"
    code, out, err = tableside("score", "triples", "--faces", "-", typed=typed)
    assert [json.loads(line)["points"] for line in out.splitlines()] == [2, 0]
    assert code == 2
    assert err == "tableside: line 4: triples needs 3 dice, not 2\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess", "--faces", "1"], "expected a game (outlander, meet-fate"),
        (["triples", "--faces", "cat,cat,cat", "--add", "cat=1"], "cards do not add faces"),
        (["destiny", "--faces", "1"], "expected a card of destiny (good-base-1"),
        (["triples", "--faces", "cat,cat,dog"], "these dice have no face “dog”; they show cat, two cats"),
        (["triples", "--faces", "cat,cat"], "needs 3 dice, not 2"),
        (["triples", "--faces", ""], "needs 3 dice, not 0"),
        (["meet-fate", "--faces", "1,2,3,4,5"], "needs 6 dice, not 5"),
        (["meet-fate", "--faces", "1,2,3,4,5,9"], "these dice have no face"),
        (["called-shot", "--faces", "cat,cat,cat"], "the call is missing (cats, no-cats"),
        (
            ["called-shot", "--faces", "cat,cat,cat", "--declare", "dogs"],
            "expected a call in called-shot",
        ),
        (
            ["called-shot", "--faces", "cat,cat,cat", "--declare", " "],
            "expected a call in called-shot",
        ),
        (["meet-fate", "--faces", "1,2,3,4,5,6", "--declare", " "], "expected a call in meet-fate"),
        (["outlander", "--faces", ",".join(["bjr"] * 6), "--add", ",=3"], "expected one face, got ','"),
        (["outlander", "--faces", ",".join(["bjr"] * 6), "--add", "bjr;jamie=3"], "expected one face"),
        (["triples", "--faces", "cat,cat,cat", "--declare", "cats"], "triples has no calls"),
        (["triples", "--faces", "cat,cat,cat", "--option", "house=1"], "no option “house”"),
        (["triples", "--faces", "cat,cat,cat", "--option", "target"], "expected KEY=VALUE"),
        (["triples", "--faces", "cat,cat,cat", "--option", "target=-3"], "a whole number from 1 to 9999"),
        (["outlander", "--faces", ",".join(["bjr"] * 6), "--add", "bjr=x"], "expected FACE=N"),
        (["outlander", "--faces", ",".join(["bjr"] * 6), "--add", "cat=1"], "these dice have no face"),
        (["outlander", "--faces", ",".join(["bjr"] * 6), "--add", "bjr=-7"], "cannot remove 7 BJR"),
        (
            ["destiny", "--faces", "evil-base-2,good-bonus-3"],
            "opposing cards cannot be in one stack: Good bonus 3 and Evil base 2",
        ),
        (["destiny", "--faces", "law-bonus-1"], "start with a base card"),
        (["destiny", "--faces", "law-base-1,law-base-1"], "one of each card"),
        (
            ["pairs", "--faces", "cat,cat", "--declare", "dd", "--option", "set_roll=cat"],
            "two different faces",
        ),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], complaint: str):
    code, out, err = tableside("score", *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert complaint in err


def test_games_are_listed_with_their_options():
    _, out, _ = tableside("games")
    assert out.startswith("outlander ")
    _, out, _ = tableside("games", "pairs")
    assert "count_set_roll = yes   (yes or no)" in out
    _, out, _ = tableside("games", "--json")
    assert [game["id"] for game in json.loads(out)][:2] == ["outlander", "meet-fate"]


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("en", "No cats: a pair fits"),
        ("de", "Keine Katzen: ein Pasch passt"),
        ("fr", "Aucun chat\u202f: un double convient"),
    ],
)
def test_the_reason_is_said_in_the_language_and_ids_stay(language: str, rule: str):
    arguments = (
        "score",
        "called-shot",
        "--faces",
        "DD,DD,cat",
        "--declare",
        "keine Katzen",
        "--lang",
        language,
    )
    _, out, _ = tableside(*arguments, "--json")
    assert json.loads(out)["breakdown"][0]["rule"] == rule
    assert json.loads(out)["faces"] == ["dd", "dd", "cat"]
    assert rule in tableside(*arguments)[1]


def test_an_unknown_language_is_one_line():
    code, out, err = tableside("score", "triples", "--faces", "cat,cat,cat", "--lang", "tlh")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'en', 'de', 'fr'" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("triples --faces cat,cat,cat --option target=NaN", "a whole number from 1 to 9999, not “NaN”"),
        ("triples --faces cat,cat,cat --option target=1e400", "not “1e400”"),
        (f"triples --faces cat,cat,cat --option target={'9' * 5000}", "not “999"),
        ("triples --faces cat,cat,cat --option target=--3", "not “--3”"),
        ("meet-fate --faces 1,2,3,4,5,6 --option set_values.trips=-1", "a whole number from 0 to 9999"),
        ("triples --faces \x00,cat,cat", "these dice have no face"),
        (f"triples --faces {'cat,' * 5000}cat", "needs 3 dice, not 5001"),
        (f"triples --faces {'x' * 50000}", "these dice have no face"),
        (
            f"outlander --faces {'bjr,' * 5}bjr --add jamie={'9' * 5000}",
            "expected FACE=N with N from -99 to 99",
        ),
        ("outback", "expected --faces a,b,c (the dice as they lie), got none"),
        ("outback --option markers=emu=10", "expected -3, 1 to 9, or upper 1 to 15, got “10”"),
        ("outback --option markers=emu", "expected ANIMAL=VALUE"),
        ("outback --option markers=cow=3", "expected an animal"),
        ("outback --option markers=emu=3 --option lost=22", "a whole number from 0 to 21"),
        (
            "outback-plus --option markers=emu=3 --option lost=1 --option scoring_tile=B",
            "where the blocked spaces are",
        ),
        ("destiny --faces good-base-1 --option powers=butcher", "expected a character or treasure"),
        (
            "destiny --faces good-base-1 --option transmuted=good-base-1=law",
            "with the Alchemist among the powers",
        ),
        (
            "destiny --faces good-base-1 --option left=good-base-1",
            "both the Paladin and the Necromancer",
        ),
    ],
)
def test_numbers_and_words_that_make_no_sense_are_one_line(arguments: str, complaint: str):
    code, out, err = tableside("score", *arguments.split(" "))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
    assert len(err) < 400


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "a joker only counts together with an animal, and you rolled none  [Laying animals]"),
        ("de", "Ein Joker zählt nur zusammen mit einem Tier, und du hast keins gewürfelt  [Tiere legen]"),
        ("fr", "Un joker ne compte qu’avec un animal, et vous n’en avez obtenu aucun  [Poser des animaux]"),
    ],
)
def test_where_nothing_can_be_laid_the_reason_is_said(language: str, why: str):
    code, out, _ = tableside("score", "outback", "--faces", ",".join(["joker"] * 6), "--lang", language)
    assert code == 0
    assert why.casefold() in out.casefold()


def test_a_jeep_without_the_animals_that_lie_there_is_the_reason():
    arguments = ("score", "outback", "--faces", "emu,emu,emu,koala,koala,joker", "--option", "jeep=platypus")
    code, out, _ = tableside(*arguments)
    assert code == 0
    assert "no animal on the jeep has enough dice" in out.casefold()
