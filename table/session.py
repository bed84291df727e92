"""One running match, fed by readings and by people.

Whatever happens goes the same way: it becomes an event of the match, the event goes to disk, and then the
outputs are told (invariant 4). What is uncertain, or cannot be, becomes a question instead of an event
(invariant 3).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from scoring.actions import Hold, IllegalMoveError, Move, Play, Roll, RollAwaited, refuse
from scoring.match import Match, Undo
from scoring.wording import awaiting, say, sentences
from table import words
from table.notice import Notice, Point, ShownDie, Standing
from table.ports import Output, Thrower
from table.seen import SeenDie, face_label, lie_alike, seen, shown, typed
from table.sheet import answers, decider, holding, prompt, roll_awaited, sheet
from table.store import MatchStore
from vision.diceset import DiceSet
from vision.reading import Reading

NO_DICE: tuple[SeenDie, ...] = ()


class Session:
    """The table's evening. Every method may be called from any thread; each ends with at most one notice.

    Methods that people call raise `IllegalMoveError` when the rules say no and `StoreError` when the disk
    does; the match is then as it was.
    """

    def __init__(
        self,
        match: Match,
        store: MatchStore,
        dice_set: DiceSet,
        *,
        outputs: Sequence[Output] = (),
        thrower: Thrower | None = None,
        language: str = "en",
    ) -> None:
        """Go on with a match whose events are all in `store`."""
        self._match = match
        self._store = store
        self._dice_set = dice_set
        self._outputs = tuple(outputs)
        self._thrower = thrower
        self._language = language
        self._labels = {face.id: face.label(language) for face in dice_set.faces}
        self._lock = threading.RLock()
        self._number = 0
        self._latest: Notice | None = None
        self._lying = NO_DICE
        """What the camera saw last."""
        self._waiting = False
        """Whether what lies there waits for an answer before it can be a roll."""
        self._rolls: dict[int, tuple[SeenDie, ...]] = {}
        """The dice of each roll, by the roll's event number, as the camera saw them."""
        self._throws: list[int] = []
        """How many events counted at each throw of the demo table, so that an undo puts its dice back."""
        self._staying: tuple[Point, ...] = ()
        """Where in the picture the dice lie that stay for the next throw."""
        self._held: set[int] = set()
        """Places, from 0, of the dice people mean to hold."""
        self._question = ""
        self._camera = ""
        self._size = (4, 3)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    @property
    def dice_set(self) -> DiceSet:
        """The set the match is played with."""
        return self._dice_set

    # --- what the camera says

    def saw(self, reading: Reading) -> None:
        """Take a reading of settled dice: a roll, when one is awaited and nothing is in doubt."""
        with self._lock:
            before, self._lying = self._lying, seen(reading)
            self._size = (reading.width, reading.height)
            if not self._lying:
                self._waiting, self._question = False, ""
                self._tell("")
            elif roll_awaited(self._match) is not None:
                if self._waiting and lie_alike(before, self._lying):
                    self._lying = before
                    return
                self._waiting = True
                self._accept()
            elif self._put_back():
                self._tell("")
            elif not lie_alike(before, self._lying):
                self._question = "The dice were moved, though no throw is due."
                self._tell(self._question)

    def camera_says(self, trouble: str | None) -> None:
        """The camera stopped seeing, in words; or None when it sees again."""
        with self._lock:
            if (trouble or "") != self._camera:
                self._camera = trouble or ""
                self._tell(words.sentence(trouble or "The camera sees again"))

    # --- what people say

    def hold(self, number: int) -> None:
        """Hold die `number` (from 1) for the next throw, or let it go again."""
        with self._lock:
            dice = self._dice()
            if not holding(self._match):
                refuse("no dice can be held now")
            if not 1 <= number <= len(dice):
                refuse(f"there are dice 1 to {len(dice)}, got {number}")
            self._held ^= {number - 1}
            die = dice[number - 1]
            self._tell(f"Die {number}, {die.label}, {'held' if number - 1 in self._held else 'not held'}.")

    def throw(self) -> None:
        """Throw the dice that are not held; at a real table, say that they are about to be."""
        with self._lock:
            awaited = roll_awaited(self._match)
            if awaited is None:
                if not holding(self._match):
                    refuse("no throw is due")
                dice, kept = self._dice(), sorted(self._held)
                staying = tuple(self._lying[i].centre for i in kept) if self._outlined() else ()
                self._record(self._match.add(Play(self._decider(), Hold(tuple(dice[i].face for i in kept)))))
                self._staying = staying
            elif not awaited.kept:
                self._staying = ()
            self._question, self._waiting = "", False
            if self._thrower is not None:
                self._throws.append(len(self._match.played))
                self._thrower.throw(self._staying)
            self._tell(self._said() if awaited is None else "")

    def decide(self, move: Move) -> None:
        """A player's decision: a box, a declaration, a confirmation."""
        with self._lock:
            self._record(self._match.add(Play(self._decider(), move)))
            self._tell(self._said())

    def roll(self, text: str) -> None:
        """Type what the dice show, for a throw the camera missed."""
        with self._lock:
            self._record(self._match.add(Roll(self._match.game.dice.read(text))))
            self._question, self._waiting = "", False
            self._tell(self._said())

    def correct(self, number: int, face: str) -> None:
        """Say what die `number` (from 1) really shows: an answer to a question, or a correction
        afterwards."""
        with self._lock:
            face = self._dice_set.resolve(face)
            dice = self._dice()
            if not 1 <= number <= len(dice):
                refuse(f"there are dice 1 to {len(dice)}, got {number}")
            said = f"Die {number} is {face_label(self._dice_set, face, self._language)}"
            if self._waiting:
                self._lying = _changed(self._lying, number - 1, face)
                self._accept(said)
                return
            event = self._match.last_roll()
            if event is None:
                refuse("there is no roll to correct")
            faces = tuple(face if one.number == number else one.face for one in dice)
            self._record(self._match.correct(event, faces))
            if event in self._rolls:
                outlined = self._outlined()
                self._rolls[event] = _changed(self._rolls[event], number - 1, face)
                self._lying = self._rolls[event] if outlined else self._lying
            self._tell(words.sentence(said, *self._awaited()))

    def undo(self) -> None:
        """Take back the last decision, and what came after it."""
        with self._lock:
            self._record(self._match.undo())
            self._question, self._waiting = "", False
            while self._throws and self._throws[-1] > len(self._match.played):
                self._throws.pop()
                if self._thrower is not None:
                    self._thrower.take_back()
            self._tell(words.sentence("Taken back", *self._awaited()))

    def greet(self) -> None:
        """Tell everyone how the table stands, as at the start or after a pause."""
        with self._lock:
            self._tell(words.sentence(self._match.game.title, *self._awaited()))

    def latest(self) -> Notice:
        """The last notice, for whoever comes late."""
        with self._lock:
            return self._latest or Notice(0, "", self._standing())

    # --- the rest

    def _accept(self, said: str = "") -> None:
        """Make a roll of what lies there, or ask why not."""
        awaited = roll_awaited(self._match)
        assert awaited is not None
        self._question = self._doubt(awaited)
        if not self._question:
            try:
                after = self._match.add(Roll(tuple(die.face for die in self._lying)))
            except IllegalMoveError as refused:
                self._question = words.sentence(refused.rule, "Correct a die, or throw again")
            else:
                self._record(after)
                self._waiting = False
                self._rolls[len(after.events)] = self._lying
                self._tell(words.sentence(said, *sentences(after, self._language, self._labels)))
                return
        self._tell(words.sentence(said, self._question))

    def _doubt(self, awaited: RollAwaited) -> str:
        """What to ask before these dice are a roll; empty when all is clear."""
        if len(self._lying) != awaited.dice:
            seen_here, due = words.dice(len(self._lying)), words.dice(awaited.dice)
            return f"I see {seen_here}, and the game needs {due}. Move them apart, or type the roll."
        doubtful = [place for place, die in enumerate(self._lying) if not die.certain]
        if not doubtful:
            return ""
        asked = self._shown(doubtful[0])
        likely = [choice.label for choice in asked.choices if choice.confidence is not None][:3]
        maybe = f" I take it for {words.listed(likely, 'or')}." if likely else ""
        more = f" {words.number(len(doubtful)).capitalize()} dice are unclear." if len(doubtful) > 1 else ""
        return f"What does die {doubtful[0] + 1} show?{maybe}{more}"

    def _record(self, after: Match) -> None:
        """The only place where the match changes: on disk first."""
        self._store.keep(after.events)
        self._match = after
        self._held.clear()
        undone = isinstance(after.events[-1], Undo)
        if undone:
            counting = {one.number for one in after.played}
            self._rolls = {number: dice for number, dice in self._rolls.items() if number in counting}
        self._question = str(after.stop) if after.stop else ""

    def _tell(self, sentence: str) -> None:
        self._number += 1
        notice = self._latest = Notice(self._number, sentence, self._standing())
        for output in self._outputs:
            output.tell(notice)

    def _said(self) -> str:
        return words.sentence(*sentences(self._match, self._language, self._labels))

    def _awaited(self) -> tuple[str, ...]:
        players = self._match.header.players
        return tuple(say(one, players, self._language, self._labels) for one in awaiting(self._match))

    def _decider(self) -> int:
        """The player who is to decide. Raises IllegalMoveError when nobody is."""
        player = decider(self._match)
        if player is None:
            refuse(str(self._match.stop) if self._match.stop else "no decision is awaited now")
        return player

    def _put_back(self) -> bool:
        """Whether what lies there is the roll that counts: nudged, or put back after an undo."""
        number = self._match.last_roll()
        if number is None:
            return False
        if number in self._rolls and lie_alike(self._rolls[number], self._lying):
            self._lying = self._rolls[number]
            return True
        accepted = self._action(number)
        if accepted.faces != tuple(die.face for die in self._lying):
            return False
        self._rolls[number] = self._lying
        return True

    def _action(self, number: int) -> Roll:
        """The roll with this event number, as it counts."""
        action = next(one.action for one in self._match.played if one.number == number)
        assert isinstance(action, Roll)
        return action

    def _outlined(self) -> bool:
        """Whether the dice that are shown lie in the picture."""
        number = self._match.last_roll()
        return self._waiting or (number is not None and self._rolls.get(number) is self._lying)

    def _shown(self, place: int) -> ShownDie:
        held = place in self._held
        return shown(
            place + 1,
            self._lying[place],
            dice_set=self._dice_set,
            held=held,
            outlined=True,
            language=self._language,
        )

    def _dice(self) -> tuple[ShownDie, ...]:
        """The dice as people see them: those that wait for an answer, or those of the roll that counts."""
        if self._waiting:
            return tuple(self._shown(place) for place in range(len(self._lying)))
        view = self._match.game.table(self._match.state)
        number = self._match.last_roll()
        if number is None or not view.dice:
            return ()
        action = self._action(number)
        held = self._held or _places(action.faces, view.kept)
        from_camera = self._rolls.get(number)
        outlined = self._outlined()
        if from_camera is None:
            shape = self._dice_set.shapes[0]
            return tuple(
                typed(i + 1, face, shape, dice_set=self._dice_set, held=i in held, language=self._language)
                for i, face in enumerate(action.faces)
            )
        return tuple(
            shown(
                i + 1,
                replace(die, face=face, certain=True),
                dice_set=self._dice_set,
                held=i in held,
                outlined=outlined,
                language=self._language,
            )
            for i, (die, face) in enumerate(zip(from_camera, action.faces, strict=True))
        )

    def _standing(self) -> Standing:
        match, view = self._match, self._match.game.table(self._match.state)
        dice, awaited = self._dice(), words.sentence(*self._awaited())
        groups, panels = sheet(match)
        return Standing(
            title=match.game.title,
            players=view.seats,
            on_turn=next((seat.name for seat in view.seats if seat.on_turn), ""),
            prompt=prompt(match, awaited),
            roll_words=words.sentence(words.faces(die.label for die in dice)) if dice else "",
            question=self._question,
            dice=dice,
            picture_size=self._size,
            groups=groups,
            panels=panels,
            answers=answers(match),
            can_hold=holding(match),
            throw=self._throw_words(dice),
            undo="Take back the last decision" if self._can_undo() else "",
            camera=self._camera,
            over=awaited if match.outcome else "",
        )

    def _throw_words(self, dice: Sequence[ShownDie]) -> str:
        """What the throw button says; empty when there is nothing to throw."""
        if roll_awaited(self._match) is not None:
            # At a real table people throw by hand, and the camera sees it.
            return "Throw the dice" if self._thrower is not None else ""
        again = len(dice) - sum(die.held for die in dice) if holding(self._match) else 0
        return f"Throw {'all' if again == len(dice) else words.dice(again)} again" if again else ""

    def _can_undo(self) -> bool:
        return bool(self._match.stop) or any(isinstance(one.action, Play) for one in self._match.played)


def _changed(dice: tuple[SeenDie, ...], place: int, face: str) -> tuple[SeenDie, ...]:
    return (*dice[:place], dice[place].corrected(face), *dice[place + 1 :])


def _places(faces: Sequence[str], kept: Sequence[str]) -> set[int]:
    """The first places at which the kept faces lie."""
    places: set[int] = set()
    for face in kept:
        place = next((i for i, one in enumerate(faces) if one == face and i not in places), None)
        if place is not None:
            places.add(place)
    return places
