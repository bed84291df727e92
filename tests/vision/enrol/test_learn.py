"""A set learns from corrections, forgets what is deleted, and is not poisoned by a wrong one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.enrol.shots import PaperFinder, PaperMatcher, paper, table
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.learn import SetExamples
from vision.enrol.shown import Shown, shown_dice
from vision.enrol.store import ExampleStore
from vision.identify import Gallery, identify


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return PaperMatcher()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


def examples(matcher: Matcher) -> SetExamples:
    return SetExamples(find("outback"), matcher)


def die(matcher: Matcher, shown: str, said: str = "", turn: float = 20.0, side: float = 80.0) -> Shown:
    (one,) = shown_dice(PaperFinder(), matcher, table((paper(shown), (200, 160), turn), side=side), [Shape.CUBE])
    return replace(one, face=said or shown, source="the table")


def read(face: str) -> str:
    """What the network reads with the set as it is now."""
    matcher, dice_set = Matcher(), find("outback")
    seen = table((paper(face), (230, 170), 131))
    found = PaperFinder().detect(seen)[0]
    return identify(matcher, Gallery.of(dice_set, matcher), seen, [found.corners], [Shape.CUBE])[0].face


def test_a_corrected_die_becomes_an_example_and_the_shipped_set_stays_as_it_came(
    matcher: Matcher, home: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")}
    lesson = examples(matcher).learn(die(matcher, "emu"))
    assert lesson.against is None
    assert not lesson.example.doubtful
    taught = find("outback").face("emu").pictures
    assert [(p.kind, p.name) for p in taught][1:] == [("face", "corrected-01")]
    assert taught[-1].path.is_relative_to(home)
    assert {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")} == before


@pytest.mark.slow
def test_a_wrong_correction_is_kept_aside_and_pointed_out(matcher: Matcher) -> None:
    lesson = examples(matcher).learn(die(matcher, "emu", "koala"))
    assert lesson.against is not None
    assert (lesson.against.face, lesson.against.like) == ("koala", "emu")
    assert lesson.example.doubtful
    (listed,) = examples(matcher).listed()
    assert listed.example.name == "corrected-01"
    assert listed.against is not None
    assert listed.against.like == "emu"
    assert read("emu") == "emu"


@pytest.mark.slow
def test_a_second_correction_that_agrees_is_believed(matcher: Matcher) -> None:
    teaching = examples(matcher)
    teaching.learn(die(matcher, "emu", "koala", 10))
    second = teaching.learn(die(matcher, "emu", "koala", 100, 90))
    assert not second.example.doubtful
    assert [one.example.doubtful for one in examples(matcher).listed()] == [False, False]


@pytest.mark.slow
def test_a_wrong_example_can_be_trusted_and_then_deleted_for_good(matcher: Matcher, home: Path) -> None:
    examples(matcher).learn(die(matcher, "emu", "koala"))
    examples(matcher).trust("koala", "corrected-01")
    assert read("emu") == "koala"
    examples(matcher).forget("koala", "corrected-01")
    assert read("emu") == "emu"
    assert not list(home.rglob("*.png"))
    with pytest.raises(DiceSetError, match="expected an example"):
        examples(matcher).forget("koala", "corrected-01")


@pytest.mark.slow
def test_at_most_so_many_are_kept_and_the_least_useful_goes(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("learn", "store"):
        monkeypatch.setattr(f"vision.enrol.{module}.MOST_EXAMPLES", 3)
    teaching = examples(matcher)
    teaching.learn(die(matcher, "emu", turn=3))
    odd = teaching.learn(die(matcher, "emu", "koala")).example
    # Another angle is of more use than the same picture again.
    teaching.learn(die(matcher, "emu", turn=48, side=40))
    for _ in range(2):
        last = teaching.learn(die(matcher, "emu", turn=3)).example
    kept = [one.example.name for one in teaching.listed() if one.example.face == "emu"]
    assert last.name == "corrected-04"
    assert len(kept) == 3
    assert "corrected-02" in kept, "the one that differs"
    assert odd.doubtful


def test_the_only_picture_of_a_face_stays(matcher: Matcher, tmp_path: Path) -> None:
    from tests.vision.enrol.test_enrol import shots, wish
    from vision.enrol.enrol import enrol

    own = enrol(wish(shots(tmp_path)), PaperFinder(), matcher).dice_set
    with pytest.raises(ValueError, match="only one"):
        SetExamples(own, matcher).forget("emu", "enrolled-01")


def test_an_unknown_face_teaches_nothing(matcher: Matcher, home: Path) -> None:
    with pytest.raises(DiceSetError, match="expected one of"):
        examples(matcher).learn(die(matcher, "emu", "wombat"))
    assert not list(home.rglob("*.png"))


def test_a_damaged_list_of_lessons_is_one_line(matcher: Matcher, home: Path) -> None:
    examples(matcher).learn(die(matcher, "emu"))
    (home / "lessons" / "outback" / "examples.json").write_text("[1")
    with pytest.raises(DiceSetError, match="expected JSON"):
        find("outback")


def test_a_lost_picture_of_an_example_is_no_example(matcher: Matcher) -> None:
    example = examples(matcher).learn(die(matcher, "emu")).example
    example.face_path.unlink()
    assert len(find("outback").face("emu").pictures) == 1


def test_what_the_index_keeps_comes_back(matcher: Matcher, tmp_path: Path) -> None:
    store = ExampleStore(tmp_path / "set")
    shown = die(matcher, "emu")
    kept = store.add(replace(shown, source="bad\nname\x07.jpg"), origin="enrolled")
    again = ExampleStore(tmp_path / "set").examples
    assert len(again) == 1
    assert again[0].source == "bad?name?.jpg"
    assert np.allclose(again[0].corners()[0], shown.outlines[0], atol=0.01)
    assert np.array_equal(again[0].around(), shown.around)
    assert again[0].name == kept.name == "enrolled-01"
    record = json.loads((tmp_path / "set" / "examples.json").read_text())
    assert record["version"] == 1
