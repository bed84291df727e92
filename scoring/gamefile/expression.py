"""The expressions in a game file: numbers and conditions computed from the faces of a roll.

Their grammar is a part of Python's: arithmetic, comparisons, `and`, `or`, `not` and `x if y else z`, with no names but
those below. An expression is parsed once, checked for its kind, and has no loops, so it always ends.

    count(skull) >= 3            count(coin, diamond) * 100
    showing(3) >= 1 and showing(2) >= 2
    pick(n - 2, 100, 200, 500)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from messages.message import Message, message
from scoring.dice import Face, spelled

LONGEST: Final = 200
"""Characters of an expression."""
LARGEST: Final = 1_000_000
"""The largest number an expression may hold, and the largest it may come to."""

Kind: TypeAlias = Literal["number", "condition"]


class ExpressionError(Exception):
    """An error in an expression, and its column."""

    def __init__(self, column: int, why: Message) -> None:
        """`column` counts from 1."""
        super().__init__(column)
        self.column, self.why = column, why


@dataclass(frozen=True, slots=True)
class Seen:
    """What an expression can ask about: so many dice of each face, the throw of the turn, and the table's options.

    `n` and `face` are the dice of one face and its value, in a rule that looks at each face by itself.
    """

    counts: tuple[int, ...]
    values: tuple[int, ...] = ()
    options: Mapping[str, int] = field(default_factory=dict[str, int])
    throw: int = 1
    n: int = 0
    face: int = 0


Run: TypeAlias = Callable[[Seen], int]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was read; two with the same text are the same."""

    text: str
    run: Run = field(compare=False, repr=False)

    def number(self, seen: Seen) -> int:
        """What it comes to, within `LARGEST`."""
        return max(-LARGEST, min(LARGEST, int(self.run(seen))))

    def holds(self, seen: Seen) -> bool:
        """Whether the condition holds."""
        return bool(self.run(seen))


def always(value: int) -> Expression:
    """The expression that is always this number, or always holds."""
    return Expression(str(value), lambda _: value)


ZERO: Final = always(0)
"""No points, or never."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names an expression may use: the faces of the dice, options, and whether there is a roll.

    `each`: the rule looks at one face at a time, with `n` and `face`.
    """

    faces: Sequence[Face] = ()
    options: Mapping[str, Kind] = field(default_factory=dict[str, Kind])
    roll: bool = True
    each: bool = False


def longest_run(counts: Sequence[int]) -> int:
    """How many faces in a row are there, in the order of the dice."""
    most = now = 0
    for count in counts:
        now = now + 1 if count else 0
        most = max(most, now)
    return most


def _at_least(seen: Seen, least: int) -> list[int]:
    """The values of the faces that so many dice show."""
    return [value for value, count in zip(seen.values, seen.counts, strict=True) if count >= max(1, least)]


PROPERTIES: Final[Mapping[str, Run]] = {
    "dice": lambda seen: sum(seen.counts),
    "sum": lambda seen: sum(n * value for n, value in zip(seen.counts, seen.values, strict=True)),
    "alike": lambda seen: max(seen.counts),
    "kinds": lambda seen: sum(count > 0 for count in seen.counts),
    "run": lambda seen: longest_run(seen.counts),
    "throw": lambda seen: seen.throw,
}
"""Of a roll: how many dice, their sum, most dice alike, different faces, most faces in a row, the throw of the turn."""

EACH: Final[Mapping[str, Run]] = {"n": lambda seen: seen.n, "face": lambda seen: seen.face}
"""Of one face: how many dice show it, and what it is worth."""

ABOUT_GROUPS: Final[Mapping[str, Callable[[Seen, int], int]]] = {
    "groups": lambda seen, size: sum(count // max(1, size) for count in seen.counts),
    "showing": lambda seen, size: len(_at_least(seen, size)),
    "highest": lambda seen, size: max(_at_least(seen, size), default=0),
    "lowest": lambda seen, size: min(_at_least(seen, size), default=0),
}
"""groups(3): how many groups of three alike. showing(3): how many faces at least three dice show. highest(3),
lowest(3): the highest and lowest value among these faces."""

ARITHMETIC: Final[Mapping[type, Callable[[int, int], int]]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.FloorDiv: lambda one, other: one // other,
    ast.Mod: lambda one, other: one % other,
}

COMPARISONS: Final[Mapping[type, Callable[[int, int], bool]]] = {
    ast.Eq: lambda one, other: one == other,
    ast.NotEq: lambda one, other: one != other,
    ast.Lt: lambda one, other: one < other,
    ast.LtE: lambda one, other: one <= other,
    ast.Gt: lambda one, other: one > other,
    ast.GtE: lambda one, other: one >= other,
}

FUNCTIONS: Final = ("count", "sum", *ABOUT_GROUPS, "min", "max", "pick")

RESERVED: Final = frozenset(
    {*PROPERTIES, *EACH, *FUNCTIONS, "and", "or", "not", "if", "else", "True", "False"}
)
"""What no option may be called."""

_ODD: Final = re.compile(r"[^\w \t'\"+\-*/%<>=!(),.]|[0-9][^\W\d]")
"""What no expression has: signs without a meaning, and letters behind a digit."""

_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


def parsed(text: str, kind: Kind, names: Scope) -> Expression:
    """The expression that a text means. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(1, message("at most {most} characters, not {n}", most=LONGEST, n=len(text)))
    if odd := _ODD.search(_QUOTED.sub(lambda face: " " * len(face[0]), text)) or re.search(r"[\\\0\n]", text):
        why = message("{got:quoted} has no meaning in an expression", got=odd[0])
        raise ExpressionError(odd.start() + 1, why)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as refused:
        at = refused.offset if isinstance(refused, SyntaxError) else None
        raise ExpressionError(
            max(1, at or 1), message("{got:quoted} is not an expression", got=text)
        ) from None
    return Expression(text, _Reader(text.strip(), names).read(tree, kind))


class _Reader:
    """Turns one syntax tree into a function, checking every node."""

    def __init__(self, text: str, names: Scope) -> None:
        self.text, self.names = text, names
        self.faces = {spelled(face): place for place, face in enumerate(names.faces)}

    def read(self, node: ast.expr, kind: Kind) -> Run:
        """What a node works out, which has to be of this kind."""
        found, run = self._any(node)
        if found != kind:
            expected = (
                message("expected a number, not a condition")
                if kind == "number"
                else message("expected a condition such as count(6) >= 2, not a number")
            )
            raise self._wrong(node, expected)
        return run

    def _any(self, node: ast.expr) -> tuple[Kind, Run]:
        match node:
            case ast.Constant(value=bool() as value):
                return "condition", lambda _: value
            case ast.Constant(value=int() as value) if value <= LARGEST:
                return "number", lambda _: value
            case ast.Name(id=name):
                return self.names.options.get(name, "number"), self._named(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                run = self.read(inner, "number")
                return "number", lambda seen: -run(seen)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                run = self.read(inner, "condition")
                return "condition", lambda seen: not run(seen)
            case ast.BoolOp(op=how, values=parts):
                runs = [self.read(part, "condition") for part in parts]
                over = all if isinstance(how, ast.And) else any
                return "condition", lambda seen: over(run(seen) for run in runs)
            case ast.BinOp(op=how, left=left, right=right) if type(how) in ARITHMETIC:
                return "number", self._calculated(how, left, right)
            case ast.Compare(left=first, ops=ops, comparators=others) if all(
                type(op) in COMPARISONS for op in ops
            ):
                return "condition", self._compared([first, *others], [COMPARISONS[type(op)] for op in ops])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                asked, (kind, yes) = self.read(test, "condition"), self._any(body)
                no = self.read(orelse, kind)
                return kind, lambda seen: yes(seen) if asked(seen) else no(seen)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return "number", self._called(node, name, args)
            case _:
                got = ast.get_source_segment(self.text, node) or ""
                raise self._wrong(node, message("{got:quoted} has no meaning in an expression", got=got))

    def _wrong(self, node: ast.expr, why: Message) -> ExpressionError:
        before = self.text.encode()[: node.col_offset].decode(errors="replace")
        return ExpressionError(len(before) + 1, why)

    def _named(self, node: ast.expr, name: str) -> Run:
        known: dict[str, Run] = {}
        if self.names.roll:
            known |= PROPERTIES
        if self.names.each:
            known |= EACH
        if name in known:
            return known[name]
        if name in self.names.options:
            return lambda seen: seen.options[name]
        raise self._wrong(
            node,
            message("{got:quoted} is not known here; choose from {known:ids}", got=name,
                    known=(*known, *self.names.options)),
        )  # fmt: skip

    def _calculated(self, how: ast.operator, left: ast.expr, right: ast.expr) -> Run:
        calculate, one, other = ARITHMETIC[type(how)], self.read(left, "number"), self.read(right, "number")
        if isinstance(how, ast.FloorDiv | ast.Mod):
            divisor = right.value if isinstance(right, ast.Constant) else 0
            if not divisor:
                raise self._wrong(right, message("divide by a number such as 2 that is not 0"))
        return lambda seen: calculate(one(seen), other(seen))

    def _compared(self, nodes: list[ast.expr], how: list[Callable[[int, int], bool]]) -> Run:
        runs = [self.read(node, "number") for node in nodes]
        pairs = list(zip(how, runs, runs[1:], strict=False))
        return lambda seen: all(compare(one(seen), other(seen)) for compare, one, other in pairs)

    def _called(self, node: ast.expr, name: str, args: list[ast.expr]) -> Run:
        if self.names.roll and name in ("count", "sum"):
            return self._over_faces(node, name, args)
        if self.names.roll and name in ABOUT_GROUPS:
            if len(args) > 1 or (not args and name in ("groups", "showing")):
                raise self._wrong(node, message("{name} needs one number in brackets", name=name))
            size, about = self.read(args[0], "number") if args else always(1).run, ABOUT_GROUPS[name]
            return lambda seen: about(seen, size(seen))
        if name in ("min", "max", "pick"):
            if len(args) < 2:
                raise self._wrong(node, message("{name} needs at least two numbers in brackets", name=name))
            first, *rest = runs = [self.read(one, "number") for one in args]
            if name == "pick":
                return lambda seen: rest[max(0, min(len(rest), first(seen)) - 1)](seen)
            chosen = cast("Callable[[Iterable[int]], int]", min if name == "min" else max)
            return lambda seen: chosen(run(seen) for run in runs)
        known = FUNCTIONS if self.names.roll else ("min", "max", "pick")
        raise self._wrong(
            node, message("{got:quoted} is not known here; choose from {known:ids}", got=name, known=known)
        )

    def _over_faces(self, node: ast.expr, name: str, args: list[ast.expr]) -> Run:
        if not args:
            raise self._wrong(node, message("{name} needs at least one face in brackets", name=name))
        places = [self._face(one) for one in args]
        if name == "count":
            return lambda seen: sum(seen.counts[place] for place in places)
        return lambda seen: sum(seen.counts[place] * seen.values[place] for place in places)

    def _face(self, node: ast.expr) -> int:
        told = node.value if isinstance(node, ast.Constant) else getattr(node, "id", "")
        place = self.faces.get(spelled(str(told)))
        if place is None:
            got = ast.get_source_segment(self.text, node) or ""
            known = tuple(self.names.faces)
            raise self._wrong(
                node,
                message("these dice have no face {got:quoted}; they show {known:row}", got=got, known=known),
            )
        return place
