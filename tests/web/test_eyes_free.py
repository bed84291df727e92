"""The Table without eyes, without a mouse, and large: exact sentences, keys, focus, the browser's voice."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from scoring.actions import Declare, Stand
from scoring.games.outback.state import Done, Place
from scoring.games.outlander.cards import Card
from tests.fakes import die, reading
from tests.web.playing import WAIT, Listener, World, world
from vision.dicesets.shapes import Shape

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


@contextmanager
def sitting(
    browser: Browser,
    game: str,
    options: Mapping[str, object] | None = None,
    script: str = "",
    **asked: object,
) -> Generator[tuple[Listener, World]]:
    """Somebody at a page of a match, with a keyboard."""
    with world(game, options, throws=0) as place:
        context = browser.new_context(**asked)  # pyright: ignore[reportArgumentType]
        page = context.new_page()
        page.set_default_timeout(WAIT)
        if script:
            page.add_init_script(script)
        player = Listener(page, place)
        player.open()
        yield player, place
        context.close()


def told(player: Listener, key: str) -> str:
    player.press(key)
    return player.said()


def shown(page: Page, place: World) -> None:
    """Wait until the page shows the newest notice."""
    number = place.session.latest().number
    page.wait_for_function(
        "number => document.getElementById('table').dataset.number.endsWith(`-${number}`)", arg=number
    )


def test_what_can_be_done_is_said_in_fate(browser: Browser):
    with sitting(browser, "meet-fate") as (player, place):
        assert told(player, "w") == "Alice, throw the dice. T: Throw the dice."
        place.session.roll("2 2 2 2 5 5")
        shown(player.page, place)
        assert told(player, "w") == (
            "Hold dice and throw the others again, or choose a box. 1 to 6 holds a die or lets it go; "
            "T: Throw all again. B goes to the box that gives most now. Highest now: Full house, 25; "
            "Two pair, 18; Three pair, 18; Three of a kind, 18; Four of a kind, 18; Chance, 18. "
            "E corrects the roll."
        )
        player.press("b")
        assert player.page.evaluate("document.activeElement.innerText").split()[0] == "Full"
        player.changed(lambda: player.press("Enter"))
        assert (
            player.said() == "Alice writes 25 points into full house: 25 in all, 18 boxes left. Bob to roll."
        )
        assert (
            told(player, "s")
            == "Alice, first, 25 points. 18 boxes left. Bob, second, 0 points. 19 boxes left."
        )
        assert told(player, "w") == "Bob, throw the dice. T: Throw the dice."


def test_what_can_be_done_is_said_in_called_shot(browser: Browser):
    with sitting(browser, "called-shot") as (player, place):
        assert told(player, "w") == (
            "Alice: declaration, please. D goes to the choices. "
            "Declare a group of faces: Cats, No cats, Family, No family. "
            "Declare one face: Cat, Two cats, Sigil, DD, Thoromyr, Manticore. "
            "Declare all but one face: No cat, No two cats, No sigil, No DD, No Thoromyr, No manticore."
        )
        player.press("d", "ArrowRight", "ArrowRight")
        player.changed(lambda: player.press("Enter"))
        assert player.said() == "Alice declares family. Alice to roll."
        player.press("e")
        player.page.keyboard.insert_text("cat, cat, DD")
        player.changed(lambda: player.press("Enter"))
        assert player.said() == (
            "Alice rolled cat, cat and DD. Family: the row pair/only. Alice scores 2 points, 2 in all. "
            "Bob: declaration, please."
        )
        place.session.decide(Declare("no-cats"))
        shown(player.page, place)
        assert told(player, "w") == "Bob, throw the dice. T: Throw the dice."


def test_what_can_be_done_is_said_in_outback(browser: Browser):
    with sitting(browser, "outback", {"start": "first"}) as (player, place):
        assert told(player, "w") == ("Draw 5 tiles from the bag. D goes to the pile; T draws.")
        place.session.draw(["koala", "koala", "emu", "platypus", "platypus"])
        place.session.roll("koala, koala, koala, emu, joker, joker")
        shown(player.page, place)
        assert told(player, "w") == (
            "Hold dice and throw the others again, or choose what to do. 1 to 6 holds a die or lets it go; "
            "T: Throw all again. Emu to rows 2, 3. Koala to rows 2, 3, 4, 5. "
            "D goes to the animals, then to their spaces. E corrects the roll."
        )
        player.press("d")
        assert player.page.evaluate("document.activeElement.value") == "emu"
        player.press("ArrowDown", "d")  # the koala, then to its spaces
        assert (
            player.page.evaluate("document.activeElement.getAttribute('aria-label')")
            == "koala to 5a, group of 1"
        )
        player.press("ArrowDown")
        assert player.page.evaluate("document.activeElement.id").startswith("hex-4")
        player.press("ArrowRight")
        player.changed(lambda: player.press("Enter"))
        assert player.said().startswith("Alice lays a koala on 4")
        move = place.session.match.played[-1].action.move  # pyright: ignore
        assert isinstance(move, Place)
        assert move.animal == "koala"
        place.session.decide(Done())
        shown(player.page, place)
        assert "To play" not in told(player, "s")


def test_what_can_be_done_is_said_in_outlander(browser: Browser):
    with sitting(browser, "outlander") as (player, place):
        place.session.roll("jamie jamie geillis geillis laoghaire bjr")
        shown(player.page, place)
        assert told(player, "w") == (
            "Hold at least 4 dice and throw the others again, or choose what to do. 1 to 6 holds a die or lets it go. "
            "As it lies: −2. D goes to the card. E corrects the roll."
        )
        player.press("d")  # not into the field for the card's name: the next key would be a letter of it
        assert player.page.evaluate("document.activeElement.id") == "card-hand"
        player.changed(lambda: player.press("Enter"))
        assert player.said() == (
            "Alice plays a card from the hand. What does it do? Alice: what the card does, then score, please."
        )
        player.press("d", "d")
        assert player.page.evaluate("document.activeElement.id") == "faces-n"
        player.press("ArrowUp", "Tab", "Tab")  # two of the first face, Claire
        player.changed(lambda: player.press("Enter"))
        assert player.said().startswith("The card adds 2 Claire.")
        place.session.undo()
        shown(player.page, place)
        assert "D goes to what the card does, and to scoring." in told(player, "w")
        place.session.decide(Stand())
        shown(player.page, place)
        assert player.said() == "Alice scores −2 points, −2 in all. 42 points to go. Bob to roll."
        assert told(player, "s").startswith("Bob, first, 0 points.")


def test_a_doubtful_die_is_answered_by_key_the_likeliest_face_first(browser: Browser):
    with sitting(browser, "triples") as (player, place):
        faces = [("cat", True), ("sigil", False), ("cat", True)]
        dice = [
            die(face, 100.0 + 150 * i, shape=Shape.CUBE, certain=sure, others=["dd"])
            for i, (face, sure) in enumerate(faces)
        ]
        place.session.saw(reading(*dice))
        shown(player.page, place)
        assert told(player, "w") == (
            "What does die 2 show? I take it for sigil or DD. D goes to the answers. T: Throw again instead."
        )
        player.press("d")
        assert player.page.evaluate("document.activeElement.innerText") == "sigil"
        player.press("ArrowRight")
        assert player.page.evaluate("document.activeElement.innerText") == "DD"
        player.changed(lambda: player.press("Enter"))
        assert player.said() == (
            "Die 2 is DD. Alice rolled cat, DD and cat. Alice scores 2 points, 2 in all. Bob to roll."
        )
        assert player.page.evaluate("document.activeElement.id") == "throw"


def test_a_pile_of_keys_in_a_dialog_that_gives_focus_back(browser: Browser):
    with sitting(browser, "triples") as (player, _):
        page = player.page
        page.focus("#throw")
        player.press("?")
        assert page.locator("#help").is_visible()
        assert page.evaluate("document.getElementById('help').contains(document.activeElement)")
        for _ in range(12):  # focus stays in the dialog
            player.press("Tab")
            assert page.evaluate(
                "[document.body, ...document.querySelectorAll('#help, #help *')].includes(document.activeElement)"
            )
        number = page.locator("#table").get_attribute("data-number")
        player.press("t")  # no single key works behind it
        player.press("Escape")
        page.wait_for_selector("#help", state="hidden")
        assert page.evaluate("document.activeElement.id") == "throw"
        assert page.locator("#table").get_attribute("data-number") == number
        listed = set(page.locator("#help kbd").all_text_contents())
        assert {"T", "D", "B", "E", "U", "R", "S", "W", "H", "L", "V", "?"} <= listed


def test_single_keys_can_be_switched_off(browser: Browser):
    with sitting(browser, "triples") as (player, _):
        page = player.page
        player.press("?")
        page.uncheck("#keys")
        player.press("Escape")
        before = player.said()
        for key in "wrstdbu?":
            player.press(key)
        assert player.said() == before
        assert not page.locator("#help").is_visible()
        page.reload()
        page.wait_for_selector("#link[data-link=live]")
        player.press("w")
        assert player.said() == ""
        page.click("#open-help")  # and on again, by the button
        page.check("#keys")
        page.click("#close-help")
        assert told(player, "w") == "Alice, throw the dice. T: Throw the dice."


def test_the_same_sentence_twice_is_heard_twice_and_repeated(browser: Browser):
    with sitting(browser, "triples") as (player, _):
        assert told(player, "r") == "Triples. Alice to roll."  # as it was said before the page was opened
        region = player.page.locator("#announcer")
        player.press("w")
        first = region.text_content()
        player.press("w")
        again = region.text_content()
        assert first is not None
        assert again is not None
        assert again != first
        assert again.strip() == first.strip() == told(player, "r")


def test_the_browser_speaks_in_the_pages_language_with_rate_and_voice(browser: Browser):
    with sitting(browser, "called-shot", script=VOICE) as (player, _):
        page = player.page
        assert page.evaluate("spoken") == []
        player.press("w")
        assert page.evaluate("spoken") == []  # it is off until somebody wants it
        player.press("v")
        assert page.evaluate("spoken.at(-1)") == ["The voice is on.", "en", 1, ""]
        player.press("?")
        assert page.locator("#voice option").all_inner_texts() == ["the browser’s own", "Ada"]
        page.select_option("#voice", "ada")
        page.locator("#rate").fill("1.5")
        page.locator("#rate").dispatch_event("change")
        player.press("Escape")
        player.press("d")  # where focus goes is spoken, too
        assert page.evaluate("spoken.at(-1)") == ["Cats cat, two cats, manticore", "en", 1.5, "Ada"]
        player.changed(lambda: player.press("Enter"))
        assert page.evaluate("spoken.map(one => one[0])").count("Alice declares cats. Alice to roll.") == 1
        player.press("v")
        count = page.evaluate("spoken.length")
        player.press("w")
        assert page.evaluate("spoken.length") == count


def test_focus_is_never_lost_whatever_happens(browser: Browser):
    """Focus on each thing in turn; then the table moves on, and focus must still be somewhere to be seen."""
    with sitting(browser, "called-shot") as (player, place):
        page = player.page
        for focus, act in (
            ("#choice-declare-family", lambda: place.session.decide(Declare("cats"))),
            ("#throw", lambda: place.session.roll("cat cat dd")),
            ("#choice-declare-cats", lambda: place.session.decide(Declare("cats"))),
            ("#undo", lambda: place.session.undo()),
            ("#die-1", lambda: place.session.decide(Declare("dd"))),
            ("#throw", lambda: place.session.pause()),
            ("#go-on", lambda: place.session.go_on()),
        ):
            page.focus(focus)
            act()
            shown(page, place)
            there = page.evaluate("document.activeElement.id")
            assert there, f"focus was lost after {focus}"
            assert page.evaluate("document.activeElement.offsetParent !== null"), f"{there} is hidden"


@pytest.mark.parametrize("game", ["meet-fate", "called-shot", "outlander", "outback", "destiny", "pairs"])
def test_four_hundred_per_cent_needs_no_sideways_scrolling(browser: Browser, game: str):
    """1280 px at 400 % are 320 CSS pixels."""
    options = {"start": "first"} if game == "outback" else None
    with sitting(browser, game, options, viewport={"width": 320, "height": 640}, has_touch=True) as (
        player,
        place,
    ):
        page, session = player.page, place.session
        if game == "outback":
            session.deal()
            session.roll("koala koala emu emu kangaroo platypus")
        elif game == "outlander":
            session.roll("jamie jamie geillis geillis laoghaire bjr")
            session.decide(Card("hand"))
        elif game == "meet-fate":
            session.roll("2 2 2 2 5 5")
        shown(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, summary, select, input[type=text], input[type=number]')]
                .filter(one => one.checkVisibility() && !one.closest('dialog'))
                .map(one => [one.id || one.innerText, one.getBoundingClientRect()])
                .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([name]) => name)"""
        )
        assert small == []


def test_nothing_moves_where_the_system_asks_for_no_motion(browser: Browser):
    with sitting(browser, "triples", reduced_motion="reduce") as (player, _):
        moving = player.page.evaluate(
            """() => [...document.querySelectorAll('*')].filter(one => {
                const style = getComputedStyle(one);
                const lasting = style.transitionDuration.split(',').some(one => parseFloat(one) > 0);
                return style.animationName !== 'none' || lasting;
            }).map(one => one.className)"""
        )
        assert moving == []


def test_a_hand_is_seen_by_the_device_that_asks_and_is_gone_afterwards(browser: Browser):
    with sitting(browser, "destiny", {"cards": "dealt"}) as (player, place):
        page = player.page
        player.changed(lambda: player.press("t"))
        hand = place.session.match.state.sides[0].hand
        named = [card.replace("-", " ") for card in hand]
        seen = page.inner_text("body").lower()
        assert not any(card in seen for card in named)
        player.press("d", "Enter")
        page.wait_for_selector("#secret[open]")
        held = page.inner_text("#own-hand").lower()
        assert all(card in held for card in named)
        player.press("Escape")
        page.wait_for_selector("#secret", state="hidden")
        # Browsers tell that a dialog was closed a little later.
        page.wait_for_function("() => document.getElementById('own-hand').innerHTML === ''")
        player.press("d", "Enter")
        page.wait_for_selector("#secret[open]")
        player.changed(lambda: page.locator("#own-hand .group button").first.click())
        page.wait_for_selector("#secret", state="hidden")
        assert place.session.match.state.sides[0].identity in hand


PALE = """() => {
  const parse = (color) => {
    const n = color.match(/[\\d.]+/g).map(Number);
    return color.startsWith('color(') ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1];
  };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3]));
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const svg = at.matches('.hex') ? getComputedStyle(at.querySelector('polygon')).fill : null;
      const color = parse(svg ?? getComputedStyle(at).backgroundColor);
      layers.unshift(color);
      if (color[3] === 1) break;
    }
    return layers.reduce((below, above) => over(above, below), [255, 255, 255]);
  };
  const pale = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.textContent.trim() || !one.checkVisibility()) continue;
    if (one.closest('svg, .hidden, option, .state, figure')) continue;
    const style = getComputedStyle(one);
    const below = ground(one);
    const [a, b] = [light(over(parse(style.color), below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 4.5 : 7;
    if (ratio < needed) pale.push([node.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return pale;
}"""
"""Every piece of text in sight whose contrast is below WCAG's AAA: 7:1, large text 4.5:1."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["meet-fate", "called-shot", "outlander", "outback", "destiny"])
def test_contrast_is_aaa_on_table_and_television(browser: Browser, game: str, scheme: str):
    options = {"start": "first"} if game == "outback" else None
    with sitting(browser, game, options, color_scheme=scheme) as (player, place):
        session = place.session
        if game == "outback":
            session.draw(["koala", "koala", "emu", "platypus", "platypus"])
            session.roll("koala, koala, koala, emu, joker, joker")
            session.decide(Place("emu", "2a"))
        elif game == "outlander":
            session.roll("jamie jamie geillis geillis laoghaire bjr")
            session.decide(Card("hand"))
        elif game == "meet-fate":
            session.roll("2 2 2 2 5 5")
            session.hold(1)
        elif game == "called-shot":
            session.decide(Declare("family"))
            session.roll("cat, cat, DD")
        shown(player.page, place)
        assert player.page.evaluate(PALE) == []
        player.page.evaluate("document.getElementById('prompt').style.color = 'grey'")
        assert player.page.evaluate(PALE) != [] or not player.page.inner_text("#prompt")
        player.page.goto(f"{place.address}television")
        assert player.page.evaluate(PALE) == []
