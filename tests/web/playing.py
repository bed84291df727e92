"""Players for whole matches in a real browser: one by touch, one with a keyboard who only listens.

What they throw is typed: a demo throw takes two seconds.
"""

from __future__ import annotations

import random
import re

from tests.waiting import soon
from tests.web.visitor import Visitor

MOST_ACTIONS = 1200

CHOICES = "#choice-stand, #choice-done, .playing button, button.box.open, .group button, button.hex:not([disabled])"


class Player(Visitor):
    """Somebody who plays until the match is over."""

    chance: random.Random
    heard: list[str]
    """Everything the live region said."""

    def thrown(self) -> str:
        """What dice that are thrown by hand come to show, those that were kept among them."""
        due = self.session.match.roll_awaited
        assert due is not None
        again = due.dice - len(due.kept)
        return ", ".join((*due.kept, *(self.chance.choice(due.faces) for _ in range(again))))

    def play(self) -> None:
        self.chance, self.heard = random.Random(7), []
        for _ in range(MOST_ACTIONS):
            if self.session.match.outcome is not None:
                break
            self.heard.append(self.act())
        assert self.session.match.outcome is not None, (
            f"no end after {MOST_ACTIONS} actions: {self.heard[-5:]}"
        )
        self.page.wait_for_selector("#over")

    def act(self) -> str:
        """Do whatever can be done now; what the page said of it."""
        raise NotImplementedError

    def picks(self, number: int) -> None:
        """Hold or release a die."""
        raise NotImplementedError

    def sets_aside(self) -> None:
        """Where only dice that score let the others be thrown: hold all of one face as well, or everything."""
        first = self.session.latest().snapshot.dice
        for wanted in (*sorted({die.face for die in first}), None):
            if self.session.latest().snapshot.no_throw is None:
                self.page.wait_for_selector("#throw:not([aria-disabled])")
                return
            for die in first:
                held = die.held or wanted in (die.face, None)
                if held != self._holds(die.number):
                    self.picks(die.number)
                    assert soon(lambda: self._holds(die.number) is held)  # noqa: B023  # it is asked at once

    def _holds(self, number: int) -> bool:
        return self.session.latest().snapshot.dice[number - 1].held


class Listener(Player):
    """Plays with the keyboard alone, and knows only what the live region said.

    "W" says what can be done and by which key: T throws or draws, B goes to a box, D to the decisions.
    """

    hurries = False
    """Takes the last group of decisions more often than not: to be done with a phase."""

    def act(self) -> str:
        told = self.tells("w")
        keys = set(re.findall(r"\b([TBDE])\b(?!\w)", told))
        if self.session.match.roll_awaited is not None and not keys & {"B", "D"}:
            return self.rolls(self.thrown())
        if "B" in keys:
            return self.presses("b", "Enter")
        if "D" in keys and not ("T" in keys and self.page.locator("#deal").count()):
            return self._decides()
        if keys <= {"E"}:
            self.sets_aside()
            return self.presses("t")
        assert "T" in keys, f"nothing can be done: {told}"
        return self.presses("t")

    def picks(self, number: int) -> None:
        self.press(str(number))

    def _decides(self) -> str:
        """To the decisions, somewhere among them, and take it: everything with keys."""
        self.page.evaluate("document.activeElement.blur()")
        self.press("Shift+D" if self.hurries and self.chance.random() < 0.7 else "d")
        for _ in range(6):
            if self.focused("type") == "radio":
                self.press(*["ArrowDown"] * self.chance.randrange(2), "d")
            elif self.focused("tagName") != "BUTTON":
                self.press("Tab")
            else:
                break
        self.press(*["ArrowRight"] * self.chance.randrange(4))
        assert self.focused("offsetParent !== null"), "focus is nowhere to be seen"
        return self.presses("Enter")


class Hurried(Listener):
    hurries = True


class Toucher(Player):
    """Plays by touch alone: taps what is to be seen."""

    def rolls(self, faces: str) -> str:
        if not self.page.locator("#faces").is_visible():
            self.page.tap("#amend summary")
        self.page.fill("#faces", faces)
        return self.taps("#typed")

    def picks(self, number: int) -> None:
        self.page.tap(f"#die-{number}")

    def taps(self, selector: str) -> str:
        return self.does(lambda: self.page.tap(selector))

    def act(self) -> str:
        if self.session.match.roll_awaited is not None:
            return self.rolls(self.thrown())
        if self.page.locator("#deal").count():
            return self.taps("#deal")
        animals = self.page.locator(".laying label")
        if animals.count() > 1:
            animals.nth(self.chance.randrange(animals.count())).tap()
        choices = self.page.locator(CHOICES)
        choices = choices if choices.count() else self.page.locator("main [data-group] button.answer")
        if not choices.count():
            self.sets_aside()
            return self.taps("#throw")
        if self.page.locator("#choice-stand").count():
            return self.taps("#choice-stand")
        return self.does(choices.nth(self.chance.randrange(choices.count())).tap)
