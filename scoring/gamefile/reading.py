"""A game file as rules: TOML in, checked records out, and for whatever is wrong one line that says where.

A file may be a stranger's. It is data: nothing in it is run but the expressions, which are bounded
(`scoring.gamefile.expression`), and so are the file's size and all its numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NoReturn, cast
from zlib import crc32

from messages.message import Message, MessageError, message
from scoring.dice import Dice, Face, spelled
from scoring.game import unfit
from scoring.gamefile.expression import (
    RESERVED,
    ZERO,
    Expression,
    ExpressionError,
    Kind,
    Scope,
    always,
    parsed,
)
from scoring.gamefile.rules import Bonus, Box, End, Rules, ScoreRule, TurnRules
from scoring.options import Option

LARGEST_FILE: Final = 64 * 1024
"""Characters of a game file."""
MOST_DOTS: Final = 1000
"""In one line: reading a key of so many parts takes its square of time."""
MOST_RULES: Final = 60
"""Boxes, and other rules, of one game."""
MOST_DICE: Final = 12
MOST_HELD: Final = 8
"""Dice of a game in which dice can be held, or are used up by rules: every choice among them is offered."""
MOST_FACES: Final = 20
LARGEST_POINTS: Final = 100_000
LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 200

ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
OPTION: Final = re.compile(r"[a-z][a-z0-9_]*")

Place = tuple[str | int, ...]
"""Where something stands in the file: ("score", 2, "when") is `when` of the third [[score]]."""


class GameFileError(MessageError):
    """A game file that cannot be played; one line that says where, what was expected and what came."""


def read(text: str) -> Rules:
    """The rules that a file tells. Raises GameFileError."""
    return _rules(*_parsed(text))


def _parsed(text: str) -> tuple[_Table, int]:
    """The file as a table, and a checksum of its content without comments and layout."""
    if len(text) > LARGEST_FILE:
        raise GameFileError(
            "a game file may have at most {most} characters, not {n}", most=LARGEST_FILE, n=len(text)
        )
    try:
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ValueError("a line has too many dots")
        told = tomllib.loads(text)
        version = crc32(repr(told).encode()) >> 1
    except (ValueError, RecursionError) as refused:
        why = " ".join(str(refused).split())[:LONGEST_LINE] or type(refused).__name__
        raise GameFileError("this is not TOML: {why}", why=why) from None
    return _Table(text, told), version


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A roll, and what it scores: in a box, where the game has a sheet."""

    dice: tuple[Face, ...]
    points: int
    box: str = ""


def read_examples(text: str, rules: Rules) -> tuple[WorkedExample, ...]:
    """The worked examples of a game, from the file beside it. Raises GameFileError."""
    top = _parsed(text)[0]
    found = tuple(_example(one, rules) for one in top.tables("example"))
    top.done("example")
    return found


def _example(told: _Table, rules: Rules) -> WorkedExample:
    dice = tuple(told.face("dice", one, rules.dice) for one in told.listed("dice", MOST_DICE))
    if len(dice) != rules.dice.count:
        told.fault("dice", message("expected {n:count die dice}", n=rules.dice.count))
    boxes = tuple(box.name for box in rules.boxes)
    box = told.either("box", *boxes) if boxes else ""
    example = WorkedExample(dice, told.number("points", -LARGEST_POINTS, LARGEST_POINTS), box)
    told.done("dice", "points", "box")
    return example


class _Table:
    """One table of the file. What was asked for is ticked off, so that what is left over is noticed."""

    def __init__(self, text: str, told: dict[str, Any], place: Place = ()) -> None:
        self.text, self.place, self.told = text, place, dict(told)

    def fault(self, key: str, why: Message) -> NoReturn:
        """Raise GameFileError about a key of this table, or about the table itself."""
        place = (*self.place, key) if key else self.place
        told = ", ".join(str(one) for one in place if isinstance(one, str))
        number = next((f" {one + 1}," for one in place if isinstance(one, int)), ",")
        told = told.replace(",", number, 1)
        raise GameFileError(
            "line {line}, {place}: {why}" if told else "line {line}: {why}", line=line_of(self.text, place),
            place=told, why=why,
        )  # fmt: skip

    def take(self, key: str) -> object:
        """The value of a key, None if there is none."""
        return self.told.pop(key, None)

    def words(self, key: str, default: str | None = None, longest: int = LONGEST_NAME) -> str:
        """A text of printable characters."""
        value = self.take(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not 0 < len(value.strip()) <= longest:
            self.fault(key, message("expected a text of 1 to {most} characters", most=longest))
        if sign := unfit(value):
            self.fault(key, message("the text cannot contain the character {sign}", sign=sign))
        return value.strip()

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number."""
        value = self.take(key)
        if value is None and default is not None:
            return default
        if type(value) is not int or not low <= value <= high:
            self.fault(key, message("expected a whole number from {low} to {high}", low=low, high=high))
        return value

    def flag(self, key: str) -> bool:
        """A switch; false if it is missing."""
        value = self.take(key)
        if value is None:
            return False
        if type(value) is not bool:
            self.fault(key, message("expected true or false"))
        return value

    def either(self, key: str, *values: str) -> str:
        """One of these words, by default the first."""
        value = self.take(key)
        if value is None:
            return values[0]
        if value not in values:
            self.fault(key, message("expected {values:either}", values=values))
        return cast("str", value)

    def listed(self, key: str, most: int) -> list[object]:
        """A list, empty if nothing is said."""
        value = self.take(key)
        if value is None:
            return []
        if not isinstance(value, list) or len(found := cast("list[object]", value)) > most:
            self.fault(key, message("expected a list with at most {most} entries", most=most))
        return found

    def faces(self, key: str, dice: Dice) -> tuple[Face, ...]:
        """Faces of the dice."""
        return tuple(dict.fromkeys(self.face(key, one, dice) for one in self.listed(key, MOST_FACES)))

    def face(self, key: str, told: object, dice: Dice) -> Face:
        """The face that an entry of a list names."""
        try:
            return dice.face(_word(told))
        except MessageError as refused:
            self.fault(key, refused.message)

    def expression(self, key: str, kind: Kind, names: Scope, default: int | None = None) -> Expression:
        """An expression, which may be a plain number or true or false."""
        value = self.take(key)
        if value is None:
            if default is None:
                self.fault(key, message("{key} is missing", key=key))
            return always(default)
        text = str(value) if isinstance(value, int) else value
        if not isinstance(text, str):
            self.fault(key, message("expected an expression in quotation marks"))
        try:
            return parsed(text, kind, names)
        except ExpressionError as refused:
            self.fault(key, message("column {column}: {why}", column=refused.column, why=refused.why))

    def table(self, key: str) -> _Table:
        """A table of this one, empty if it is not there."""
        value = self.take(key)
        if value is not None and not isinstance(value, dict):
            self.fault(key, message("expected a table: [{key}]", key=key))
        return _Table(self.text, cast("dict[str, Any]", value or {}), (*self.place, key))

    def tables(self, key: str) -> list[_Table]:
        """Tables of one name, in their order."""
        found: list[_Table] = []
        for number, one in enumerate(self.listed(key, MOST_RULES)):
            if not isinstance(one, dict):
                self.fault(key, message("expected tables: [[{key}]]", key=key))
            found.append(_Table(self.text, cast("dict[str, Any]", one), (*self.place, key, number)))
        return found

    def done(self, *known: str) -> None:
        """Refuse whatever nobody asked for; `known` are the keys that may stand here."""
        for key in self.told:
            self.fault(
                key[:LONGEST_NAME], message("this is not known here; expected {known:maybe}", known=known)
            )


def line_of(text: str, place: Place) -> int:
    """The line on which something stands, as well as reading line by line can tell: else that of its table, else 1."""
    lines = text.split("\n")
    *tables, key = place or ("",)
    if not tables and (
        heads := [at for at, line in enumerate(lines, 1) if re.match(rf"\s*\[+\s*{key}\s*\]", line)]
    ):
        return heads[0]
    name = ".".join(str(one) for one in tables if isinstance(one, str))
    number = next((one for one in reversed(tables) if isinstance(one, int)), 0)
    header = re.compile(rf"\s*\[\[?\s*{re.escape(name)}\s*\]\]?")
    heads = [at for at, line in enumerate(lines) if header.match(line)] if name else [-1]
    if not heads[number:]:
        return next((at for at, line in enumerate(lines, 1) if tables and line.startswith(str(tables[0]))), 1)
    start = heads[number] + 1
    for at, line in enumerate(lines[start:], start + 1):
        if line.lstrip().startswith("["):
            break
        if isinstance(key, str) and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return at
    return max(1, start)


def _word(value: object) -> str:
    """A word of a list, which may be written as a number; "" for anything else."""
    return str(value)[:LONGEST_NAME] if isinstance(value, str | int) else ""


def _rules(top: _Table, version: int) -> Rules:
    game_id = top.words("id")
    if not ID.fullmatch(game_id):
        top.fault("id", message("an id may contain only lower-case letters, digits and hyphens"))
    title, blurb = top.words("title"), top.words("blurb", longest=LONGEST_LINE)
    dice, values = _dice(top.table("dice"))
    options = _options(top.table("options"))
    kinds: dict[str, Kind] = {
        one.key: "condition" if isinstance(one.default, bool) else "number" for one in options
    }
    names, before = Scope(dice.faces, kinds), Scope((), kinds, roll=False)
    turn = _turn(top.table("turn"), dice, names, before)
    boxes = tuple(_box(one, names) for one in top.tables("box"))
    bonuses = tuple(_bonus(one, boxes, before) for one in top.tables("bonus"))
    scores = tuple(_score(one, dice, names) for one in top.tables("score"))
    end, shown = _end(top.table("end"), names, before), top.listed("showcase", MOST_DICE)
    rules = Rules(
        game_id, title, blurb, _seats(top), dice, values, turn, end, options, boxes, bonuses, scores,
        top.number("minutes", 0, 600, 0), tuple(top.face("showcase", one, dice) for one in shown), version,
    )  # fmt: skip
    top.done("id", "title", "blurb", "players", "minutes", "showcase", "dice", "options", "turn", "box", "bonus",
             "score", "end")  # fmt: skip
    _whole(top, rules)
    return rules


def _seats(top: _Table) -> tuple[int, int]:
    told = top.listed("players", 2) or [1, 8]
    if len(told) != 2 or not all(type(one) is int for one in told):
        top.fault("players", message("expected the fewest and the most players, such as [2, 6]"))
    low, high = cast("list[int]", told)
    if not 1 <= low <= high <= 12:
        top.fault("players", message("expected the fewest and the most players, such as [2, 6]"))
    return low, high


def _dice(told: _Table) -> tuple[Dice, tuple[int, ...]]:
    set_id, count = told.words("set"), told.number("count", 1, MOST_DICE)
    faces = tuple(map(_word, told.listed("faces", MOST_FACES)))
    if len(faces) < 2 or not all(map(spelled, faces)) or len(set(map(spelled, faces))) < len(faces):
        told.fault("faces", message("expected 2 to {most} different faces", most=MOST_FACES))
    if sign := "".join(map(unfit, (set_id, *faces))):
        told.fault("faces", message("the text cannot contain the character {sign}", sign=sign))
    worth = told.table("worth")
    values = tuple(
        worth.number(
            face, -1000, 1000, int(face) if face.isascii() and face.isdecimal() and len(face) < 4 else 0
        )
        for face in faces
    )
    worth.done(*faces)
    told.done("set", "count", "faces", "worth")
    return Dice(set_id, count, faces), values


def _options(told: _Table) -> tuple[Option, ...]:
    found: list[Option] = []
    for key in list(told.told):
        one = told.table(key)
        if not OPTION.fullmatch(key) or len(key) > LONGEST_NAME or key in RESERVED:
            told.fault(key[:LONGEST_NAME], message("an option is named with lower-case letters, digits and _, and not "
                                                    "like a word of the expressions"))  # fmt: skip
        default = one.take("default")
        title, about = one.words("title"), one.words("about", " ", LONGEST_LINE).strip()
        if isinstance(default, bool):
            found.append(Option(key, default, about or title, "", title=title))
        elif type(default) is int and 0 <= default <= 999_999:
            low, high = (
                one.number("low", 0, 999_999, 0),
                one.number("high", 0, 999_999, max(9999, 10 * default)),
            )
            if not low <= default <= high:
                one.fault(
                    "default", message("expected a whole number from {low} to {high}", low=low, high=high)
                )
            found.append(Option(key, default, about or title, "", low=low, high=high, title=title))
        else:
            one.fault("default", message("expected a whole number, true or false"))
        one.done("default", "title", "about", "low", "high")
        if len(found) > 20:
            told.fault(key, message("expected at most {most} options", most=20))
    return tuple(found)


def _turn(told: _Table, dice: Dice, names: Scope, before: Scope) -> TurnRules:
    bust = told.expression("bust", "condition", names) if "bust" in told.told else None
    turn = TurnRules(
        told.number("throws", 0, 20, 1), told.number("again", 1, dice.count, 1), told.faces("locked", dice),
        told.flag("aside"), bust, told.expression("opening", "number", before, 0),
    )  # fmt: skip
    told.done("throws", "again", "locked", "aside", "bust", "opening")
    if turn.throws != 1 and dice.count > MOST_HELD:
        told.fault("throws", message("with more than {most} dice a turn has one throw", most=MOST_HELD))
    return turn


def _box(told: _Table, names: Scope) -> Box:
    box = Box(
        told.words("name"),
        told.expression("when", "condition", names, 1),
        told.expression("points", "number", names),
    )
    told.done("name", "when", "points")
    return box


def _bonus(told: _Table, boxes: Iterable[Box], before: Scope) -> Bonus:
    known = {box.name for box in boxes}
    name, listed = told.words("name"), tuple(map(_word, told.listed("boxes", MOST_RULES)))
    if strange := [one for one in listed if one not in known]:
        told.fault("boxes", message("there is no box {got:quoted}", got=strange[0]))
    bonus = Bonus(
        name, listed, told.expression("least", "number", before),
        told.expression("points", "number", before),
    )  # fmt: skip
    told.done("name", "boxes", "least", "points")
    return bonus


def _score(told: _Table, dice: Dice, names: Scope) -> ScoreRule:
    name, take = told.words("name"), told.number("take", 0, dice.count, 0)
    each = told.take("each")
    faces = dice.faces if each is True else ()
    if isinstance(each, list):
        told.told["each"] = each
        faces = told.faces("each", dice)
    elif each not in (None, True, False):
        told.fault("each", message("expected true, false or a list of faces"))
    seen = Scope(names.faces, names.options, each=bool(faces))
    score = ScoreRule(
        name, told.expression("when", "condition", seen, 1), told.expression("points", "number", seen), faces, take,
        told.either("to", "player", "others") == "others", told.flag("bust"),
    )  # fmt: skip
    if take and (faces or score.others or score.bust):
        told.fault("take", message("a rule that takes dice has no each, to or bust"))
    told.done("name", "when", "points", "each", "take", "to", "bust")
    return score


def _end(told: _Table, names: Scope, before: Scope) -> End:
    win = told.expression("win", "condition", names) if "win" in told.told else None
    out = told.number("out", -LARGEST_POINTS, LARGEST_POINTS) if "out" in told.told else None
    end = End(
        told.expression("points", "number", before, 0), told.expression("rounds", "number", before, 0),
        told.expression("finish_round", "condition", before, 0), win,
        told.either("wins", "highest", "lowest") == "lowest", told.number("start", -LARGEST_POINTS, LARGEST_POINTS, 0),
        out,
    )  # fmt: skip
    told.done("points", "rounds", "finish_round", "win", "wins", "start", "out")
    return end


def _whole(top: _Table, rules: Rules) -> None:
    """Refuse rules that do not make a game together."""
    boxes, turn, end = rules.boxes, rules.turn, rules.end
    named = [spelled(box.name) for box in boxes]
    if len(set(named)) < len(named):
        top.fault("box", message("two boxes have the same name"))
    if not boxes and not rules.scores:
        top.fault("", message("a game needs a [[box]] or a [[score]]"))
    if boxes and (rules.scores or turn.aside):
        top.fault("score", message("a game has boxes or other scores, not both"))
    if turn.aside and turn.throws == 1:
        top.fault("turn", message("dice are set aside only in a turn with more than one throw"))
    if turn.aside and any(not score.take and not score.bust for score in rules.scores):
        top.fault("score", message("where dice are set aside, every rule says how many dice it takes"))
    if rules.takes and rules.dice.count > MOST_HELD:
        top.fault("dice", message("rules can take dice out of at most {most}", most=MOST_HELD))
    never = end.points == ZERO and end.rounds == ZERO and end.win is None and end.out is None
    if not boxes and never:
        top.fault("end", message("say how a match ends: points, rounds, win or out"))
