"""The Table without eyes and without a mouse: exact sentences, keys, focus, the browser's voice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.actions import Declare, Stand
from tests.fakes import die, reading
from tests.web.serving import Served
from tests.web.visitor import Visitor
from vision.dicesets.shapes import Shape

VOICE = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, 'speechSynthesis', { value: {
  pending: false, getVoices: () => [
    { name: 'Ada', voiceURI: 'ada', lang: 'en-GB' }, { name: 'Anna', voiceURI: 'anna', lang: 'de-DE' },
  ],
  speak(words) { window.spoken.push([words.text, words.lang, words.rate, words.voice?.name ?? '']); },
  cancel() {}, addEventListener() {},
} });
"""
"""A browser's voice that writes down what it would say: headless Chromium has none."""

Sit = Callable[..., Visitor]


@pytest.fixture
def sit(serve: Callable[..., Served], visit: Callable[..., Visitor]) -> Sit:
    """Alice sits down at a match of a game."""
    return lambda game, options=None, **how: visit(serve(game, options=options), **how)


def test_what_can_be_done_is_said_in_fate(sit: Sit):
    alice = sit("meet-fate")
    assert alice.tells("w") == "Alice, throw the dice. T: Throw 6 dice."
    alice.is_told(lambda session: session.roll("2 2 2 2 5 5"))
    assert alice.tells("w") == (
        "Alice, hold dice or fill a box. Press 1 to 6 to hold or release a die. "
        "T: Throw 6 dice. Press B for the box with the most points. Most points now: Full house, "
        "25; Two pair, 18; Three pair, 18; Three of a kind, 18; Four of a kind, 18; Chance, 18. Press E "
        "to correct the roll."
    )
    alice.press("b")
    assert alice.focused("innerText").split()[0] == "Full"
    assert alice.presses("Enter") == (
        "Alice scores 25 points in full house: 25 in all, 18 boxes left. Bob, throw the dice."
    )
    assert alice.tells("s") == (
        "Alice, first, 25 points. 18 boxes left. Bob, second, 0 points. 19 boxes left."
    )
    assert alice.tells("w") == "Bob, throw the dice. T: Throw 6 dice."


def test_what_can_be_done_is_said_in_called_shot(sit: Sit):
    alice = sit("called-shot")
    assert alice.tells("w") == (
        "Alice, make your call. Press D for the choices. Call a group: Cats, No cats, Family, No family. "
        "Call one face: Cat, Two cats, Sigil, DD, Thoromyr, Manticore. Call all but one face: No cat, No two cats, "
        "No sigil, No DD, No Thoromyr, No manticore."
    )
    assert alice.presses("d", "ArrowRight", "ArrowRight", "Enter") == "Alice calls “family”. Alice, throw the dice."
    assert alice.rolls("cat, cat, DD") == (
        "Alice rolled cat, cat and DD. Family: a pair fits. Alice scores 2 points, 2 in all. Bob, make your "
        "call."
    )
    alice.is_told(lambda session: session.decide(Declare("no-cats")))
    assert alice.tells("w") == "Bob, throw the dice. T: Throw 3 dice."


def test_what_can_be_done_is_said_in_outlander(sit: Sit):
    alice = sit("outlander")
    alice.is_told(lambda session: session.roll("jamie jamie geillis geillis laoghaire bjr"))
    assert alice.tells("w") == (
        "Alice, throw again, or play a card and score. Press 1 to 6 to hold or release a die. Hold at least 4 dice: "
        "you may throw at most 2 again. Score now: −2. Press D for the card. Press E to correct the roll."
    )
    alice.press("d")
    assert alice.focus == "claire-is-captured-hand"
    alice.press("d", "d")  # not into the field for the card's name: the next key would be a letter of it
    assert alice.focus == "card-hand"
    assert alice.presses("Enter") == (
        "Alice plays a card from hand. Alice, enter what the card does, then score."
    )
    alice.press("d", "d")
    assert alice.focus == "more-claire"
    assert alice.presses("Enter").startswith("The card adds 1 Claire.")
    alice.is_told(lambda session: session.undo())
    assert "Press D for the card effect and scoring." in alice.tells("w")
    alice.is_told(lambda session: session.decide(Stand()))
    assert alice.said == "Alice scores −2 points, −2 in all. 42 points to go. Bob, throw the dice."
    assert alice.tells("s").startswith("Bob, first, 0 points.")


def test_a_doubtful_die_is_answered_by_key_the_likeliest_face_first(sit: Sit):
    alice = sit("triples")
    faces = [("cat", True), ("sigil", False), ("cat", True)]
    dice = [
        die(face, 100.0 + 150 * i, shape=Shape.CUBE, certain=sure, others=["dd"])
        for i, (face, sure) in enumerate(faces)
    ]
    alice.is_told(lambda session: session.saw(reading(*dice)))
    assert alice.tells("w") == (
        "What does die 2 show? It could be sigil or DD. Press D for the answers. T: Throw again instead."
    )
    alice.press("d")
    assert alice.focused("innerText") == "sigil"
    alice.press("ArrowRight")
    assert alice.focused("innerText") == "DD"
    assert alice.presses("Enter") == (
        "Die 2 shows DD. Alice rolled cat, DD and cat. Cat pair. Alice scores 2 points, 2 in all. Bob, throw the dice."
    )
    assert alice.focus == "throw"


def test_a_pile_of_keys_in_a_dialog_that_gives_focus_back_and_switches_them_off(sit: Sit):
    alice = sit("triples")
    page, number = alice.page, alice.page.locator("#table").get_attribute("data-number")
    page.focus("#throw")
    alice.press("?")
    assert page.locator("#help").is_visible()
    for _ in range(12):  # focus stays in the dialog
        alice.press("Tab")
        assert alice.focused("matches('body, #help, #help *')")
    alice.press("t", "Escape")  # no single key works behind it
    page.wait_for_selector("#help", state="hidden")
    assert alice.focus == "throw"
    assert page.locator("#table").get_attribute("data-number") == number
    listed = set(page.locator("#help kbd").all_text_contents())
    assert {"T", "D", "B", "E", "U", "R", "S", "W", "H", "L", "V", "?"} <= listed

    alice.press("?")
    page.uncheck("#keys")
    alice.press("Escape", *"wrstdbu?")
    assert alice.said == ""
    assert not page.locator("#help").is_visible()
    alice.open()
    assert alice.tells("w") == "", "the device remembers"
    page.click("#open-help")
    page.check("#keys")
    page.click("#close-help")
    assert alice.tells("w") == "Alice, throw the dice. T: Throw 3 dice."


def test_the_same_sentence_twice_is_heard_twice_and_repeated(sit: Sit):
    alice = sit("triples")
    assert alice.tells("r") == "Triples. Alice, throw the dice."  # as it was said before the page was opened
    region = alice.page.locator("#announcer")
    first = (alice.tells("w"), region.text_content())
    again = (alice.tells("w"), region.text_content())
    assert again[1] != first[1]
    assert again[0] == first[0] == alice.tells("r")


def test_the_browser_speaks_in_the_pages_language_with_rate_and_voice(sit: Sit):
    alice = sit("called-shot", script=VOICE)
    page = alice.page
    alice.press("w")
    assert page.evaluate("spoken") == []  # it is off until somebody wants it
    alice.press("v")
    assert page.evaluate("spoken.at(-1)") == ["The voice is on.", "en", 1, ""]
    alice.press("?")
    assert page.locator("#voice option").all_inner_texts() == ["browser default", "Ada"]
    page.select_option("#voice", "ada")
    page.locator("#rate").fill("1.5")
    page.locator("#rate").dispatch_event("change")
    alice.press("Escape", "d")  # where focus goes is spoken, too
    assert page.evaluate("spoken.at(-1)[0]").startswith("Cats 10 triple, 1 all three fit, with a pair,")
    assert page.evaluate("spoken.at(-1).slice(1)") == ["en", 1.5, "Ada"]
    alice.presses("Enter")
    assert page.evaluate("spoken.map(one => one[0])").count("Alice calls “cats”. Alice, throw the dice.") == 1
    alice.press("v")
    count = page.evaluate("spoken.length")
    alice.press("w")
    assert page.evaluate("spoken.length") == count


def test_focus_is_never_lost_whatever_happens(sit: Sit):
    """Focus on each thing in turn; then the table moves on, and focus must still be somewhere to be seen."""
    alice = sit("called-shot")
    for focus, act in (
        ("#choice-declare-family", lambda session: session.decide(Declare("cats"))),
        ("#throw", lambda session: session.roll("cat cat dd")),
        ("#choice-declare-cats", lambda session: session.decide(Declare("cats"))),
        ("#undo", lambda session: session.undo()),
        ("#die-1", lambda session: session.decide(Declare("dd"))),
        ("#throw", lambda session: session.pause()),
        ("#go-on", lambda session: session.go_on()),
    ):
        alice.page.focus(focus)
        alice.is_told(act)
        assert alice.focus, f"focus was lost after {focus}"
        assert alice.focused("offsetParent !== null"), f"{alice.focus} is hidden"


def test_a_hand_is_seen_by_the_device_that_asks_and_is_gone_afterwards(sit: Sit):
    alice = sit("destiny", {"cards": "dealt"})
    page = alice.page
    hand = alice.session.match.state.sides[0].hand
    named = [card.replace("-", " ") for card in hand]
    seen = page.inner_text("body").lower()
    for treasure in ("king’s crown", "dragon’s hoard"):  # the top of the deck is told to all
        seen = seen.replace(treasure, "")
    assert not any(card in seen for card in named)
    alice.press("d", "Enter")
    page.wait_for_selector("#secret[open]")
    held = page.inner_text("#own-hand").lower()
    assert all(card in held for card in named)
    alice.press("Escape")
    page.wait_for_selector("#secret", state="hidden")
    # Browsers tell that a dialog was closed a little later.
    page.wait_for_function("() => document.getElementById('own-hand').innerHTML === ''")
    alice.press("d", "Enter")
    page.wait_for_selector("#secret[open]")
    alice.does(page.locator("#own-hand .group button").first.click)
    page.wait_for_selector("#secret", state="hidden")
    assert alice.session.match.state.sides[0].identity in hand
