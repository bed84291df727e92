"""What `tableside advise` is asked, game by game, out of what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.typed import card_faces, pairs, typed_faces
from scoring.dice import named, spelled
from scoring.game import AnyGame
from scoring.games.meet_fate.game import FATE
from scoring.options import Options, chosen

if TYPE_CHECKING:
    from advice.ask import Eights
    from advice.fate_match import Rivals
    from advice.outlander import CardEffect
    from advice.record import Advice
    from advice.uneven import Likeliness


@dataclass(frozen=True, slots=True)
class Question:
    """What was typed: texts as they came, None where nothing did."""

    game: AnyGame
    options: Options
    faces: str | None = None
    opened: str | None = None
    left: int | None = None
    eights: Eights = "win"
    upper: int = 0
    card: str | None = None
    added: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    thrown: tuple[str, ...] = ()
    """Faces that dice threw, for an estimate."""
    others: str | None = None
    to_come: int = 0
    needs: str | None = None
    second: bool = False
    seats: int = 2
    totals: str | None = None
    jeep: str | None = None
    worths: tuple[str, ...] = ()
    hold: str | None = None

    def roll(self) -> tuple[str, ...]:
        """The dice as they lie. Raises ValueError."""
        if self.faces is None:
            raise ValueError(f"{self.game.id}: expected --faces a,b,c (the dice as they lie), got none")
        return typed_faces(self.game, self.faces)

    def throws(self, most: int) -> int:
        """The throws left, by default as many as there can be with dice on the table."""
        return most if self.left is None else self.left


def answer(asked: Question) -> Advice:
    """The advice on what was typed. Raises ValueError with one line on what is missing or cannot be."""
    ask = QUESTIONS.get(asked.game.id)
    if ask is None:
        raise ValueError(
            f"{asked.game.id}: for this game there is no advice; expected {', '.join(QUESTIONS)}"
        )
    return ask(asked)


def open_boxes(text: str | None) -> tuple[str, ...]:
    """The open boxes of Meet Fate somebody typed; all of them by default. Raises ValueError."""
    from scoring.games.meet_fate.sheet import BOXES

    if text is None or spelled(text) == "all":
        return BOXES
    return tuple(named(word, BOXES, "a box of the sheet") for word in text.split(",") if word.strip())


def numbers(text: str, option: str, most: int = 12) -> tuple[int, ...]:
    """Whole numbers parted by commas. Raises ValueError."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if (
        not words
        or len(words) > most
        or not all(w.removeprefix("-").isdecimal() and len(w) < 6 for w in words)
    ):
        raise ValueError(f"{option}: expected up to {most} whole numbers parted by commas, got {text[:40]!r}")
    return tuple(map(int, words))


def amounts(words: tuple[str, ...], option: str, form: str) -> dict[str, float]:
    """NAME=NUMBER, NAME=NUMBER as a dict. Raises ValueError."""
    found: dict[str, float] = {}
    for name, text in pairs(words, option, form).items():
        try:
            found[name] = float(text)
        except ValueError:
            raise ValueError(f"{option}: expected {form} with a number, got {text[:40]!r}") from None
    return found


def _meet_fate(asked: Question) -> Advice:
    from advice.ask import Advisers
    from advice.fate_rules import sheet_of

    if not 1 <= asked.seats <= asked.game.seats[1]:
        raise ValueError(f"--seats: expected 1 to {asked.game.seats[1]} players, got {asked.seats}")
    head = Advisers(asked.eights).fate(asked.options, asked.seats)
    sheet = sheet_of(open_boxes(asked.opened))
    faces = () if asked.faces is None else asked.roll()
    left, rivals = asked.throws(2 if faces else 3), _rivals(asked, sheet)
    counts = rivals is not None or head.rules.eights is not None
    if counts and faces == FATE and (left == 2 or not head.rules.in_one_throw):
        return head.met(rivals)
    return head.ask(faces, sheet, left, asked.upper, rivals)


def _rivals(asked: Question, sheet: int) -> Rivals | None:
    """The match around a sheet of Meet Fate: everyone level and with the same boxes open, but for totals as typed."""
    from advice.fate_match import Rivals

    totals = numbers(asked.totals, "--totals") if asked.totals is not None else (0,) * asked.seats
    if len(totals) != asked.seats or min(totals) < 0:
        raise ValueError(
            f"--totals: expected {asked.seats} totals from 0 on, yours first, got {asked.totals}"
        )
    if asked.eights != "win" or asked.seats == 1:
        return None
    return Rivals(totals[0], tuple((one, sheet, asked.upper) for one in totals[1:]))


def _outlander(asked: Question) -> Advice:
    from advice.outlander import OutlanderAdviser

    head = OutlanderAdviser(asked.options, likeliness(asked))
    return head.ask(asked.roll(), card(asked), asked.throws(1))


def likeliness(asked: Question) -> Likeliness:
    """How the dice fall: as entered, as estimated from throws, or evenly. Raises ValueError."""
    from advice.uneven import entered, estimated, even

    faces = asked.game.dice.faces
    if asked.weights:
        given = amounts(asked.weights, "--weight", "FACE=N")
        return entered(faces, {typed_faces(asked.game, f"{face},")[0]: n for face, n in given.items()})
    return estimated(faces, asked.thrown) if asked.thrown else even(faces)


def card(asked: Question) -> CardEffect:
    """The card that will be played: a known one, or one that adds faces. Raises ValueError."""
    from advice.outlander import KNOWN_CARDS, NO_CARD, CardEffect

    added = card_faces(asked.game, asked.added)
    if asked.card is None:
        return CardEffect("the card's faces", tuple(sorted(added.items()))) if added else NO_CARD
    known = {one.name: one for one in KNOWN_CARDS}
    if added:
        raise ValueError("expected --card or --add, got both")
    return known[named(asked.card, known, "a card whose text is known")]


def _everyone_scores(asked: Question) -> Advice:
    from advice.hands import everyone_scores

    return everyone_scores(asked.roll(), asked.throws(1))


def _quintuples(asked: Question) -> Advice:
    from advice.ask import Advisers
    from scoring.games.cats.cat_dice import HANDS

    options = chosen(asked.game.options, dict(asked.options) | {"reroll": True})
    words = [word for word in (asked.others or "").split(",") if word.strip()]
    others = [HANDS.index(named(word, HANDS, "a hand of five")) + 1 for word in words]
    return Advisers().quintuples(options).ask(asked.roll(), others, asked.to_come, asked.throws(1))


def _race(asked: Question) -> Advice:
    from advice.race import ask

    if asked.needs is None:
        raise ValueError(
            f"{asked.game.id}: expected --needs A,B (points still needed, yours first), got none"
        )
    target, finish = asked.options.number("target"), asked.options.flag("finish_round")
    needs = numbers(asked.needs, "--needs")
    return ask(asked.game.id, needs, target=target, finish_round=finish, begins=not asked.second)


def _pairs(asked: Question) -> Advice:
    from advice.pairs import ask

    return ask(asked.seats, asked.options)


def _outback(asked: Question) -> Advice:
    from advice.outback import OutbackAdviser, by_row, check_worths
    from scoring.games.outback.dice import ANIMALS

    dice = asked.game.dice.count
    rows = tuple(range(2, dice + 1))
    head = OutbackAdviser(dice, rows)
    typed = ANIMALS if asked.jeep is None else [word for word in asked.jeep.split(",") if word.strip()]
    jeep = [named(word, ANIMALS, "an animal") for word in typed]
    worths = dict(by_row(rows))
    for name, worth in amounts(asked.worths, "--worth", "ANIMAL-ROW=POINTS").items():
        animal, _, row = name.rpartition("-")
        if row not in map(str, rows):
            raise ValueError(f"--worth: expected ANIMAL-ROW=POINTS with a row of {rows}, got {name[:40]!r}")
        worths[named(animal, ANIMALS, "an animal"), int(row)] = worth
    return head.ask(asked.roll(), asked.throws(2), jeep, free_rows(asked.opened, rows), check_worths(worths))


def free_rows(text: str | None, rows: tuple[int, ...]) -> Mapping[int, int]:
    """The free spaces of each row somebody typed, a row named for each of its spaces: "2,3,3". Raises ValueError."""
    if text is None:
        return dict.fromkeys(rows, 3)
    typed = numbers(text, "--open", 21)
    if strange := [row for row in typed if row not in rows]:
        raise ValueError(f"--open: expected rows {rows[0]} to {rows[-1]}, got {strange[0]}")
    return {row: typed.count(row) for row in rows}


QUESTIONS: Mapping[str, Callable[[Question], Advice]] = {
    "meet-fate": _meet_fate,
    "outlander": _outlander,
    "called-shot": _race,
    "triples": _race,
    "pairs": _pairs,
    "everyone-scores": _everyone_scores,
    "quintuples": _quintuples,
    "outback": _outback,
    "outback-plus": _outback,
}
"""What is asked of each game."""
