"""Players for whole matches in a real browser: one by touch, one with a keyboard who only listens.

The table is real: server, session, store, and the demo table with its camera. Its dice are thrown a few times; then
they are put away, and what the players throw is typed, because a demo throw takes two seconds.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cli.compose import furnish
from files.folders import tables_folder
from scoring.actions import RollAwaited
from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.table import Table
from tests.fakes import TruthfulReader
from tests.web.serving import serving
from tests.web.tables import bare
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.dicesets.model import DiceSet
from web.announcer import Announcer

if TYPE_CHECKING:
    from playwright.sync_api import Page


WAIT = 120_000
"""Milliseconds: a demo throw takes two seconds, and ten times that on a busy machine."""

MOST_ACTIONS = 1200


class FewThrows:
    """The demo table's thrower until its dice are put away; then people throw, and nobody sees it."""

    def __init__(self, camera: DemoCamera, throws: int) -> None:
        self._camera = camera
        self.left = throws

    def throw(self, held: Sequence[tuple[float, float]] = ()) -> None:
        if self.left > 0:
            self.left -= 1
            self._camera.throw(held)

    def take_back(self) -> None:
        pass

    def clear(self) -> None:
        self._camera.clear()

    def lay(self, dice_set: DiceSet, count: int) -> None:
        self._camera.lay(dice_set, count)


@dataclass
class World:
    """A table that is being served, and the dice in the players' hands."""

    table: Table
    announcer: Announcer
    address: str
    thrower: FewThrows | None
    chance: random.Random = field(default_factory=random.Random)

    @property
    def session(self) -> Session:
        return self.table.session

    def due(self) -> RollAwaited | None:
        """The throw that is due; the world knows, players hear it."""
        return self.session.match.roll_awaited

    def thrown(self) -> str:
        """What dice that are thrown by hand come to show, those that were kept among them."""
        due = self.due()
        assert due is not None
        again = due.dice - len(due.kept)
        return ", ".join((*due.kept, *(self.chance.choice(due.faces) for _ in range(again))))

    @property
    def over(self) -> bool:
        return self.session.match.outcome is not None


@contextmanager
def world(
    game: str,
    options: Mapping[str, object] | None = None,
    *,
    throws: int = 1,
    seed: int = 5,
    players: int = 2,
) -> Generator[World]:
    """A match on a table that is really served."""
    rules, names = find_game(game), ["Alice", "Bob", "Cleo", "Dan"][:players]
    thrower: FewThrows | None = None
    if rules.dice.count:
        dice_set = find_set(rules.dice.set_id)
        camera = DemoCamera(dice_set, count=rules.dice.count, seed=seed, size=(480, 360))
        thrower = FewThrows(camera, throws)
        house = furnish(
            camera,
            game=game,
            dice_set=dice_set,
            players=names,
            options=options,
            reader=TruthfulReader(camera),
            thrower=thrower,
        )
    else:
        house = bare(begin(rules, names, options))
    with serving(house, tables_folder()) as served:
        yield World(house.table, house.announcer, served.at(), thrower, random.Random(seed))


@dataclass
class Player:
    """Somebody at the page."""

    page: Page
    world: World
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    heard: list[str] = field(default_factory=list[str])
    """Everything the live region said."""

    def open(self) -> None:
        self.page.goto(self.world.address)
        self.page.wait_for_selector("#link[data-link=live]")
        assert self.page.locator("#announcer").count() == 1  # the region is there before it is used

    def changed(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the page shows that it is in the log. A refusal fails the test.

        Any notice will not do: the camera has news of its own, which may come between.
        """
        before = self.page.locator("#table").get_attribute("data-log")
        act()
        self.page.wait_for_function(
            """before => document.getElementById('table').dataset.log !== before
                || document.getElementById('refusal')?.textContent""",
            arg=before,
        )
        refused = self.page.locator("#refusal").inner_text()
        assert not refused, f"{refused} (after {self.heard[-3:]})"
        self.heard.append(self.said())

    def thrown(self, throw: Callable[[], object]) -> None:
        """Throw the demo table's dice, and wait until they are read and the page has said it."""
        rolls = len(self.world.session.match.events)
        throw()
        for _ in range(WAIT // 100):
            number = self.world.session.latest().number
            shown = self.page.locator("#table").get_attribute("data-number") or ""
            if len(self.world.session.match.events) > rolls and shown.endswith(f"-{number}"):
                self.heard.append(self.said())
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"the dice never came to lie: {self.said()}")

    def said(self) -> str:
        return (self.page.locator("#announcer").text_content() or "").strip()

    def play(self) -> None:
        """Play until the match is over."""
        self.open()
        for _ in range(MOST_ACTIONS):
            if self.world.over:
                break
            self.act()
        assert self.world.over, f"no end after {MOST_ACTIONS} actions: {self.heard[-5:]}"
        self.page.wait_for_selector("#over")
        self.page.goto("about:blank")

    def act(self) -> None:
        raise NotImplementedError


@dataclass
class Listener(Player):
    """Plays with the keyboard alone, and knows only what the live region said.

    "W" says what can be done and by which key: T throws or draws, B goes to a box, D to the decisions.
    """

    hurries: bool = False
    """Takes the last group of decisions more often than not: to be done with a phase."""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def can(self) -> str:
        """What the page says can be done now."""
        self.press("w")
        return self.said()

    def act(self) -> None:
        told = self.can()
        keys = set(re.findall(r"\b([TBDE])\b(?!\w)", told))
        world = self.world
        if world.due() is not None and not keys & {"B", "D"}:
            self._throw(keys)
        elif "B" in keys:
            self.press("b")
            self.changed(lambda: self.press("Enter"))
        elif "D" in keys:
            self._decide(told)
        else:
            assert "T" in keys, f"nothing can be done: {told}"
            self.changed(lambda: self.press("t"))

    def _throw(self, keys: set[str]) -> None:
        world = self.world
        if world.thrower is not None and world.thrower.left and "T" in keys:
            self.thrown(lambda: self.press("t"))
            return
        self.press("e")
        self.page.keyboard.insert_text(world.thrown())
        self.changed(lambda: self.press("Enter"))

    def _decide(self, told: str) -> None:
        """To the decisions, somewhere among them, and take it: everything with keys."""
        if "T" in set(re.findall(r"\b([T])\b(?!\w)", told)) and self._piles():
            self.changed(lambda: self.press("t"))
            return
        self.page.evaluate("document.activeElement.blur()")
        self.press("Shift+D" if self.hurries and self.chance.random() < 0.7 else "d")
        for _ in range(6):
            kind = self._focused()
            if kind == "radio":
                if self.chance.random() < 0.5:
                    self.press("ArrowDown")
                self.press("d")
            elif kind != "BUTTON":
                self.press("Tab")
            else:
                break
        self.press(*["ArrowRight"] * self.chance.randrange(4))
        assert self.page.evaluate("document.activeElement.offsetParent !== null"), (
            "focus is nowhere to be seen"
        )
        self.changed(lambda: self.press("Enter"))

    def _piles(self) -> bool:
        return self.page.locator("#deal").count() > 0

    def _focused(self) -> str:
        return self.page.evaluate(
            "document.activeElement.type === 'radio' ? 'radio' : document.activeElement.tagName"
        )


class Toucher(Player):
    """Plays by touch alone: taps what is to be seen."""

    def act(self) -> None:
        world, page = self.world, self.page
        if world.due() is not None:
            if world.thrower is not None and world.thrower.left and page.locator("#throw").count():
                self.thrown(lambda: page.tap("#throw"))
                return
            if not page.locator("#faces").is_visible():
                page.tap("#amend summary")
            page.tap("#faces")
            page.fill("#faces", world.thrown())
            self.changed(lambda: page.tap("#typed"))
            return
        if page.locator("#deal").count():
            self.changed(lambda: page.tap("#deal"))
            return
        animals = page.locator(".laying label")
        if animals.count() > 1:
            animals.nth(self.chance.randrange(animals.count())).tap()
        choices = page.locator(
            "#choice-stand, #choice-done, button.box.open, .group button, button.hex:not([disabled])"
        )
        choices = choices if choices.count() else page.locator("main [data-group] button.answer")
        if not choices.count():
            self.changed(lambda: page.tap("#throw"))
            return
        stand = page.locator("#choice-stand")
        chosen = stand if stand.count() else choices.nth(self.chance.randrange(choices.count()))
        self.changed(lambda: chosen.tap())
