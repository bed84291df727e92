"""What pages do of what happened: sounds, a spectacle, and the end of a match, which can be played again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from scoring.actions import Confirm, Fill, Play, Roll
from scoring.games import find as find_game
from scoring.match import Match, begin
from scoring.standing import standing
from table.snapshot import Snapshot
from tests.web.inspecting import moves, violations
from tests.web.serving import Served
from tests.web.visitor import Visitor
from vision.dicesets.library import find as find_set
from web.written import good, happened

Serve = Callable[..., Served]
Visit = Callable[..., Visitor]

CATS = [("cat", "cat", "dd"), ("cat", "dd", "sigil"), ("dd", "dd", "dd"), ("dd", "dd", "cat")]

STUB = """
  window.tones = [];
  const part = { value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = () => ({ gain: part, frequency: { value: 0 }, connect: (to) => to, disconnect() {}, stop() {} });
  window.AudioContext = class {
    currentTime = 0; destination = node(); createGain = node;
    createOscillator() { const one = node(); one.start = () => window.tones.push(one.frequency.value); return one; }
  };
"""
"""An `AudioContext` that only counts: headless browsers have no loudspeaker."""


def triples(*rolls: tuple[str, ...]) -> Match:
    match = begin(find_game("triples"), ["Ann", "Bob"], {"target": 8})
    for faces in rolls:
        match = match.add(Roll(faces))
    return match


def told(match: Match) -> str:
    return happened(Snapshot(match, find_set(match.game.dice.set_id), "match"))


def test_an_event_is_named_by_what_matters_most_in_it():
    match = triples(CATS[0])
    assert told(triples()) == ""
    assert told(match) == "points"
    assert told(triples(CATS[2])) == "rarest"
    assert told(triples(CATS[0], CATS[1], CATS[2])) == "win"
    assert told(match.correct(1, CATS[1])) == "", "nothing new was thrown"
    fate = begin(find_game("meet-fate"), ["Ann"])
    assert told(fate.add(Roll((*"123456",)))) == "throw"
    assert told(fate.add(Roll((*"123456",))).add(Play(0, Fill("chance")))) == "points"


def test_points_sound_the_better_the_more_of_those_before_they_beat():
    assert good(triples(CATS[1])) == 0
    assert good(triples(CATS[0])) == 1
    assert good(triples(CATS[0], CATS[2])) == 4
    assert good(triples(CATS[1], CATS[1], CATS[0], CATS[0])) in (2, 3)


def test_who_wins_by_six_eights_stands_first_with_fewer_points():
    match = begin(find_game("meet-fate"), ["Ann", "Bob", "Cleo"])
    match = match.add(Roll((*"555555",))).add(Play(0, Fill("5")))
    match = match.add(Roll(("8",) * 6)).add(Play(1, Confirm(True)))
    assert [(one.place, one.name, one.points, one.first) for one in standing(match).places] == [
        (1, "Bob", 0, True), (2, "Ann", 30, False), (3, "Cleo", 0, False),
    ]  # fmt: skip


@pytest.fixture
def visitor(serve: Serve, visit: Visit) -> Callable[..., Visitor]:
    """Somebody at a page of a table of Triples, whose browser counts the tones it is to make."""

    def come(path: str = "/", *rolls: tuple[str, ...], **how: object) -> Visitor:
        return visit(serve(match=triples(*rolls)), path, script=STUB, **how)

    return come


def tones(visitor: Visitor) -> int:
    """How many tones were begun since this was asked last."""
    return visitor.page.evaluate("window.tones.splice(0).length")


def roll(visitor: Visitor, faces: tuple[str, ...]) -> int:
    visitor.is_told(lambda session: session.roll(", ".join(faces)))
    return tones(visitor)


@pytest.mark.parametrize("path", ["/", pytest.param("/television", marks=pytest.mark.proof)])
def test_a_page_sounds_once_somebody_touched_it_until_it_is_switched_off(
    visitor: Callable[..., Visitor], path: str
):
    ann = visitor(path)
    pressed = partial(ann.page.locator("#sound").get_attribute, "aria-pressed")
    assert roll(ann, CATS[0]) == 0, "browsers let no page sound before that"
    ann.press("Shift")
    assert pressed() == "true"
    assert roll(ann, CATS[3]) == 2
    ann.press("m")
    assert pressed() == "false"
    assert roll(ann, CATS[0]) == 0
    again = ann.beside(path)
    again.press("Shift")
    assert again.page.locator("#sound").get_attribute("aria-pressed") == "false", "the device remembers"
    ann.page.click("#sound")
    assert (pressed(), tones(ann)) == ("true", 2), "one hears how loud it is"


def test_each_event_has_a_sound_of_its_own_and_what_is_only_shown_has_none(visitor: Callable[..., Visitor]):
    ann = visitor()
    ann.press("Shift")
    heard = [roll(ann, CATS[1]), roll(ann, CATS[2])]
    ann.is_told(lambda session: session.pause())
    ann.is_told(lambda session: session.go_on())
    heard.append(tones(ann))
    ann.is_told(lambda session: session.correct(1, "cat", ""))
    heard += [tones(ann), roll(ann, CATS[2]), roll(ann, CATS[2])]
    assert heard == [1, 8, 0, 0, 8, 5], "no points, the rarest roll, a pause, a correction, again, a win"


def test_a_spectator_is_silent_until_it_is_switched_on(visitor: Callable[..., Visitor]):
    bob = visitor("/spectator")
    bob.press("Shift")
    assert roll(bob, CATS[0]) == 0
    bob.press("m")
    assert tones(bob) == 2
    assert roll(bob, CATS[0]) == 2


def test_the_dice_fall_and_nothing_moves_for_whom_motion_is_too_much(visitor: Callable[..., Visitor]):
    ann, still = visitor(), visitor("/television", reduced_motion="reduce")
    for one in (ann, still):
        one.is_told(lambda session: session.roll(", ".join(CATS[2])))
        one.page.wait_for_timeout(60)
        assert "A triple!" in one.page.locator(".rarest").inner_text()
    assert ann.page.locator(".confetti").count() == 1
    assert still.page.locator(".confetti").count() == 0
    still.is_told(lambda session: session.roll(", ".join(CATS[1])))
    still.is_told(lambda session: session.roll(", ".join(CATS[2])))
    assert still.page.locator(".podium").count() == 1
    assert still.page.locator(".confetti").count() == 0
    assert moves(still.page) == []


@pytest.mark.parametrize("path", ["/", "/spectator", "/television"])
def test_the_end_names_the_winner_and_ranks_everybody(visitor: Callable[..., Visitor], path: str):
    ann = visitor(path, CATS[0], CATS[1])
    ann.is_told(lambda session: session.roll(", ".join(CATS[2])))
    ann.sees("Ann", "#over h2" if path != "/television" else ".tv-turn")
    shown = ann.page.locator(".ranking" if path != "/television" else ".podium").inner_text().split()
    assert [one for one in shown if one in ("Ann", "Bob")] == ["Ann", "Bob"]
    ann.page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
    assert violations(ann.page, enhanced=True) == []


def test_the_same_again_begins_with_who_won_where_the_rules_say_so(serve: Serve, visit: Visit):
    match = begin(find_game("meet-fate"), ["Ann", "Bob"]).add(Roll((*"123456",))).add(Play(0, Fill("chance")))
    ann = visit(serve(match=match))
    ann.is_told(lambda session: session.roll("8 8 8 8 8 8"))
    ann.sees("Six eights!", ".rarest")
    ann.is_told(lambda session: session.decide(Confirm(True)))
    ann.sees("Bob", "#over h2")
    assert ann.page.locator(".throw:visible").count() == 1, "one primary button"
    ann.page.click("#again")
    ann.page.wait_for_selector("#over", state="detached")
    ann.linked("live")
    assert ann.session.match.header.players == ("Bob", "Ann")
    assert ann.session.match.events == ()
