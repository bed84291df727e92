"""A set learns from corrections, forgets what is deleted, and is not poisoned by a wrong one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.enrol.shots import PaperFinder, enrolled, paper, shots, shown, table, wish
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find
from vision.embedding import Matcher
from vision.enrol.examples import ExampleStore, SetExamples
from vision.gallery import Gallery
from vision.identify import identify


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def examples(home: Path, matcher: Matcher) -> SetExamples:
    return SetExamples(find("outback"), matcher)


def read(face: str) -> str:
    """What the network reads with the set as it is now."""
    network, seen = Matcher(), table((paper(face), (230, 170), 131))
    found = PaperFinder().detect(seen)[0]
    return identify(network, Gallery.of(find("outback"), network), seen, [found])[0].face


def test_a_corrected_die_becomes_an_example_and_the_shipped_set_stays_as_it_came(
    examples: SetExamples, matcher: Matcher, home: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")}
    learnt = examples.learn(shown(matcher, "emu"))
    assert (learnt.against, learnt.example.doubtful) == (None, False)
    taught = find("outback").face("emu").pictures
    assert [(p.kind, p.name) for p in taught][1:] == [("face", "corrected-01")]
    assert taught[-1].path.is_relative_to(home)
    assert {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")} == before
    learnt.example.face_path.unlink()
    assert len(find("outback").face("emu").pictures) == 1, "a lost picture is no example"


@pytest.mark.slow
def test_a_wrong_correction_is_pointed_out_may_be_trusted_and_is_deleted_for_good(
    examples: SetExamples, matcher: Matcher, home: Path
) -> None:
    learnt = examples.learn(shown(matcher, "emu", "koala"))
    assert learnt.example.doubtful
    (listed,) = examples.listed()
    for one in (learnt, listed):
        assert one.example.name == "corrected-01"
        assert one.against is not None
        assert (one.against.face, one.against.like) == ("koala", "emu")
    assert read("emu") == "emu"
    examples.trust("koala", "corrected-01")
    assert read("emu") == "koala"
    examples.forget("koala", "corrected-01")
    assert read("emu") == "emu"
    assert not list(home.rglob("*.png"))
    with pytest.raises(DiceSetError, match="there is no example"):
        examples.forget("koala", "corrected-01")


def test_a_second_correction_that_agrees_is_believed(examples: SetExamples, matcher: Matcher) -> None:
    examples.learn(shown(matcher, "emu", "koala", 10))
    assert not examples.learn(shown(matcher, "emu", "koala", 100, 90)).example.doubtful
    assert [one.example.doubtful for one in examples.listed()] == [False, False]


def test_at_most_so_many_are_kept_and_the_least_useful_goes(
    examples: SetExamples, matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.enrol.examples.MOST_EXAMPLES", 3)
    examples.learn(shown(matcher, "emu", turn=3))
    odd = examples.learn(shown(matcher, "emu", "koala")).example
    # Another angle is of more use than the same picture again.
    examples.learn(shown(matcher, "emu", turn=48, side=40))
    for _ in range(2):
        last = examples.learn(shown(matcher, "emu", turn=3)).example
    kept = [one.example.name for one in examples.listed() if one.example.face == "emu"]
    assert last.name == "corrected-04"
    assert len(kept) == 3
    assert "corrected-02" in kept, "the one that differs"
    assert odd.doubtful


def test_what_cannot_be_is_refused_and_changes_nothing(
    examples: SetExamples, matcher: Matcher, tmp_path: Path, home: Path
) -> None:
    with pytest.raises(DiceSetError, match="outback has no face “wombat”"):
        examples.learn(shown(matcher, "emu", "wombat"))
    assert not list(home.rglob("*.png"))
    own = enrolled(wish(shots(tmp_path))).dice_set
    with pytest.raises(DiceSetError, match="only picture"):
        SetExamples(own, matcher).forget("emu", "enrolled-01")
    examples.learn(shown(matcher, "emu"))
    (home / "lessons" / "outback" / "examples.json").write_text("[1")
    with pytest.raises(DiceSetError, match="is not valid JSON"):
        find("outback")


def test_what_the_index_keeps_comes_back(matcher: Matcher, tmp_path: Path) -> None:
    store, die = ExampleStore(tmp_path / "set"), shown(matcher, "emu")
    kept = store.add(replace(die, source="bad\nname\x07.jpg"), origin="enrolled")
    (again,) = ExampleStore(tmp_path / "set").examples
    assert again == kept
    assert (again.name, again.source) == ("enrolled-01", "bad?name?.jpg")
    assert np.allclose(again.corners()[0], die.outlines[0], atol=0.01)
    assert np.array_equal(again.around(), die.around)
