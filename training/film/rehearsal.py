"""An evening that plays itself before a film of a table, and a judge who knows what really happened.

The director throws, holds, nudges, reaches in and makes lamps flicker; the session only gets the camera's view. Its
questions are answered truthfully, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import dist

from scoring.actions import Fill, Hold, IllegalMoveError, Move, Play, Roll
from scoring.game import Family
from table.session import Session
from table.snapshot import Notice
from training.film.demo_film import Act, Bump, Film, FilmedTable, Flicker, ReachingHand
from training.film.folder import PlayedTable

Stage = FilmedTable | PlayedTable
"""A filmed table: its dice are known, and it follows the director."""

MOST_MOVES = 8
"""Decisions after a throw until the next one is due."""

NEAR = 40.0
"""Most distance in pixels between a found die and the real one."""

RESTS = 2.2
"""Seconds of film after standstill in which a throw must have been noticed."""


@dataclass
class RehearsalScore:
    """The counts of a rehearsal."""

    throws: int = 0
    found: int = 0
    invented: int = 0
    """Rolls in the match without a throw."""
    needless: int = 0
    """Questions without a throw."""
    holding_throws: int = 0
    holds_right: int = 0
    dice: int = 0
    asked: int = 0
    """Throws with a question."""
    hands_free: int = 0
    """Throws that became one roll, every face right, before anything was asked."""
    misread: int = 0
    """Dice that counted with a wrong face until somebody said so."""
    distractions: Counter[str] = field(default_factory=Counter[str])
    waits: list[float] = field(default_factory=list[float])
    """Seconds from standstill to the first notice, a throw each."""
    remarks: list[str] = field(default_factory=list[str])


class Judge:
    """An output that records its notices with their times, and compares them with the truth."""

    def __init__(self, film: Film, table: Stage, score: RehearsalScore) -> None:
        """Without notices yet; `watch` sets the session."""
        self.score = score
        self._film = film
        self._table = table
        self._told: list[tuple[float, Notice]] = []
        self._session: Session | None = None
        self._rolls = 0
        self.another: Callable[[], Session] | None = None
        """Starts another match; without it nothing can be thrown after the first match."""

    def tell(self, notice: Notice) -> None:
        """Record a notice that says something."""
        if notice.said:
            self._told.append((self._film.clock, notice))

    def watch(self, session: Session) -> None:
        """Judge this session."""
        self._session = session

    @property
    def session(self) -> Session:
        """The session that is judged."""
        assert self._session is not None
        return self._session

    def renew(self) -> None:
        """Go on with another match when this one is over."""
        if self.session.match.outcome and self.another is not None:
            self.watch(self.another())

    def quiet(self, what: str) -> None:
        """Nothing was thrown since the last check: any notice is a mistake."""
        rolls = self._rolls_now()
        if rolls > self._rolls:
            self.score.invented += rolls - self._rolls
            self.score.remarks.append(f"a roll out of nothing ({what}, {self._film.clock:.1f} s)")
        elif self._told:
            self.score.needless += 1
            said = "; ".join(notice.sentence() for _, notice in self._told)
            self.score.remarks.append(f"said for nothing ({what}, {self._film.clock:.1f} s): {said}")
        self._rolls = rolls
        self._told.clear()

    def throw(self, held: tuple[int, ...], ends: float) -> None:
        """A throw came to rest at `ends`, while these dice stayed: was it noticed, and read right?"""
        score = self.score
        score.throws += 1
        score.dice += len(self._table.numbers)
        rolls, told = self._rolls_now() - self._rolls, list(self._told)
        first = next((when for when, _ in told if when >= ends - 0.3), None)
        if first is not None:
            score.waits.append(max(0.0, first - ends))
        asked = bool(self.session.latest().snapshot.question)
        if rolls == 1 or (rolls == 0 and asked and first is not None):
            score.found += 1
        else:
            score.remarks.append(f"{rolls} rolls for one throw ({ends:.1f} s): {[n.sentence() for _, n in told]}")
            score.invented += max(0, rolls - 1)
        asked_before = any(notice.snapshot.question for _, notice in told)
        score.hands_free += rolls == 1 and not (asked or asked_before) and self._rolled_right()
        if asked:
            score.asked += 1
            self._answer()
        self._set_right()
        if held:
            score.holding_throws += 1
            plays = [one.action.move for one in self.session.match.played if isinstance(one.action, Play)]
            kept = plays[-1].keep if plays and isinstance(plays[-1], Hold) else None
            really = Counter(self._table.faces(held).values())
            if kept is not None and Counter(kept) == really:
                score.holds_right += 1
            else:
                score.remarks.append(f"held {sorted(really.elements())}, taken for {kept} ({ends:.1f} s)")
        self._rolls = self._rolls_now()
        self._told.clear()

    def forget(self) -> None:
        """Ignore notices of people's own actions."""
        self._rolls = self._rolls_now()
        self._told.clear()

    def _rolls_now(self) -> int:
        return sum(isinstance(one.action, Roll) for one in self.session.match.played)

    def _rolled_right(self) -> bool:
        """Whether the last roll has the faces that lie on the table."""
        rolls = [one.action for one in self.session.match.played if isinstance(one.action, Roll)]
        return Counter(rolls[-1].faces) == Counter(self._table.faces().values())

    def _really(self, middle: tuple[float, float]) -> tuple[int, float]:
        """The die that lies nearest to a point of the picture, and how far."""
        return min(((n, dist(self._table.middle(n), middle)) for n in self._table.numbers), key=lambda one: one[1])

    def _answer(self) -> None:
        """Answer questions truthfully."""
        session, faces = self.session, self._table.faces()
        for _ in range(20):
            shown = session.latest().snapshot
            if not shown.question:
                return
            try:
                if shown.too_many:
                    away = [(self._really(_middle(die.corners))[1], die.number) for die in shown.dice]
                    session.dismiss(max(away)[1])
                elif unsure := [die for die in shown.dice if not die.certain]:
                    number, away = self._really(_middle(unsure[0].corners))
                    if away < NEAR:
                        session.correct(unsure[0].number, faces[number])
                    else:
                        session.dismiss(unsure[0].number)
                elif shown.count:
                    session.count()
                else:
                    self.score.remarks.append(f"typed, for it asked: {shown.speaker('en').sentence(shown.question)}")
                    session.roll(", ".join(faces.values()))
            except IllegalMoveError as refused:
                self.score.remarks.append(f"refused: {refused}")
                return

    def _set_right(self) -> None:
        """Correct misread dice."""
        faces = self._table.faces()
        for die in self.session.latest().snapshot.dice:
            if not die.corners:
                continue
            number, away = self._really(_middle(die.corners))
            if away < NEAR and faces[number] != die.face:
                self.score.misread += 1
                self.session.correct(die.number, faces[number])


def evening(table: Stage, film: Film, judge: Judge, throws: int) -> Act:
    """The script: so many throws, with all kinds of events between them."""
    chance = table.chance
    yield 1.2
    judge.forget()
    while judge.score.throws < throws:
        session = judge.session
        numbers = table.numbers
        held = table.holds(bool(numbers and session.match.holds))
        if held and table.sets_aside():
            judge.score.distractions["set aside"] += 1
            number = held[0]
            table.overlays.append(hand := ReachingHand(table.middle(number), film.clock, 0.8))
            yield 0.4
            table.set_aside(number)
            table.overlays[-1] = replace(hand, towards=table.middle(number))
            yield 1.0
            judge.quiet("setting a die aside")
            del table.overlays[:]
        for number in [n for n in numbers if n not in held]:
            table.overlays.append(ReachingHand(table.middle(number), film.clock, 0.5))
            yield 0.25
            table.take([number])
            yield 0.2
        if held and table.nudges():
            judge.score.distractions["nudge"] += 1
            number = held[0]
            table.overlays.append(ReachingHand(table.middle(number), film.clock, 0.6))
            yield 0.3
            table.nudge(number)
            yield 0.3
        # Most people shake the dice for a moment; some throw at once.
        yield float(chance.uniform(0.5, 0.9)) if chance.random() < 0.75 else 0.05
        judge.quiet("taking dice up")
        del table.overlays[:]
        up = [n for n in range(table.count) if n not in held]
        ends = table.cast(up)
        yield max(0.1, ends - film.clock) + RESTS
        judge.throw(held, ends)
        yield from _distraction(table, film, judge)
        _decide(session, table)
        judge.renew()
        judge.forget()
        yield 0.2


def _distraction(table: Stage, film: Film, judge: Judge) -> Act:
    """An event that is not a throw, two times in five."""
    chance, now = table.chance, film.clock
    kind = str(chance.choice(["hand", "flicker", "exposure", "bump", "none", "none", "none"]))
    if kind == "none":
        return
    judge.score.distractions[kind] += 1
    width, height = table.size
    if kind == "hand":
        middle = (float(chance.uniform(0.2, 0.8)) * width, float(chance.uniform(0.2, 0.8)) * height)
        table.overlays.append(ReachingHand(middle, now, 1.2))
    elif kind == "flicker":
        hertz = float(chance.uniform(2, 9))
        table.overlays.append(Flicker(now, 1.5, hertz, float(chance.uniform(0.1, 0.3))))
    elif kind == "exposure":
        table.overlays.append(Flicker(now, 1.5, 0.5, float(chance.uniform(-0.4, 0.4))))
    else:
        table.overlays.append(Bump(now, float(chance.uniform(2, 7))))
    yield 2.2
    judge.quiet(kind)
    del table.overlays[:]


def _decide(session: Session, table: Stage) -> None:
    """End the turn (fill a box, stand, whatever the game needs) if no throws are left or the player stops."""
    if session.match.holds and table.goes_on():
        return
    for _ in range(MOST_MOVES):
        match = session.match
        player = match.decider
        if player is None or match.outcome:
            return
        legal = match.game.legal_moves(match.state, player)
        single: list[Move] = [move for move in legal if not isinstance(move, (Family, Hold))]
        # Filling a box comes before confirming or crossing one out.
        moves = [move for move in single if isinstance(move, Fill)] or single
        if not moves:
            return
        session.decide(moves[int(table.chance.integers(len(moves)))])


def _middle(corners: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    xs, ys = zip(*corners, strict=True) if corners else ((0.0,), (0.0,))
    return sum(xs) / len(xs), sum(ys) / len(ys)
