"""Charts as SVG, made by the server: no script, and no style but the classes that `history.css` dresses.

Bars are 360 units wide, so that at a phone's width their writing is as large as the page's. Every chart says its
figures in words for those who cannot see it; the page puts the table below. Text is escaped here, and only here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from markupsafe import Markup

from web.language import figure

WIDTH = 360
NEAREST = 8.0
"""Per cent of a chart's height from one name at the end of a line to the next."""

COLOURS = 8
"""Number of distinguishable lines; each has its own colour and dash (`line-0` to `line-7`)."""

ROW, BAR = 26, 14
FACES_LEFT, FIGURES_RIGHT = 104, 40
"""Room for a face's name before a bar, and for a figure behind it."""

LONGEST = 14
"""Letters of a name that fit before a bar."""

BEHIND = 10
"""Letters of a name that fit behind a line."""


@dataclass(frozen=True, slots=True)
class Course:
    """A line: whose it is, and its value at each place from 0 on."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from zero: what kind (a class of the style sheet), its value, and that value in writing."""

    kind: str
    value: float
    written: str
    called: str = ""
    """What the kind is called; by default its name."""


def lines(
    name: str, courses: Sequence[Course], across: str, span: str = "%(name)s from %(first)d to %(last)d"
) -> Markup:
    """Lines over places 0, 1, 2, …, each with its name and last value at its end; `across` names the places, `span`
    says one line in words.

    Lines stretch with the page, words do not: levels, lines, ends and places are drawings of their own, side by side,
    which measure in per cent.
    """
    steps = max((len(one.values) for one in courses), default=1) - 1
    every = [value for one in courses for value in one.values] or [0.0]
    levels = ticks(min(0.0, *every), max(0.0, *every), 4)
    low, high = levels[0], levels[-1]

    def x(place: float) -> float:
        return round(100 * place / max(steps, 1), 2)

    def y(value: float) -> float:
        return round(100 * (high - value) / (high - low), 2)

    up = [_text("100%", f"{y(level)}%", figure(level, 0), "end") for level in levels]
    plot = [_line(0, y(level), 100, y(level), "axis" if level == 0 else "grid") for level in levels]
    ends: list[str] = []
    beside = spread([y(one.values[-1]) for one in courses], NEAREST)
    for i, (one, at) in enumerate(zip(courses, beside, strict=True)):
        points = " ".join(f"{x(place)},{y(value)}" for place, value in enumerate(one.values))
        kind, end = f"line line-{i % COLOURS}", y(one.values[-1])
        plot.append(f'<polyline points="{points}" class="{kind}"/>')
        ends.append(f'<line x1="0" y1="{end}%" x2="14" y2="{at}%" class="{kind}"/>')
        ends.append(f'<circle cx="0" cy="{end}%" r="4" class="dot line-{i % COLOURS}"/>')
        label = f"{_short(one.name, BEHIND)} {figure(one.values[-1], 0)}"
        ends.append(_text("20", f"{at}%", label, "whose"))
    places = [
        _text(f"{x(place)}%", "1em", f"{place:.0f}", "mid")
        for place in ticks(0, max(steps, 1), 6)
        if place <= steps and place == int(place)
    ]
    spoken = "; ".join(
        span % {"name": one.name, "first": round(one.values[0]), "last": round(one.values[-1])}
        for one in courses
    )
    return Markup(
        f'<div class="course" role="img" aria-label="{escape(f"{name}, {across} 0–{steps}: {spoken}")}">'
        f'<svg class="levels">{"".join(up)}</svg>'
        f'<svg class="plot" viewBox="0 0 100 100" preserveAspectRatio="none">{"".join(plot)}</svg>'
        f'<svg class="ends">{"".join(ends)}</svg>'
        f'<svg class="along">{"".join(places)}</svg><span class="across">{escape(across)}</span></div>'
    )


def spread(places: Sequence[float], apart: float) -> list[float]:
    """The same places in per cent, moved as little as one pass down and one up need until all are so far apart."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved, last = list(places), -apart
    for i in order:
        last = moved[i] = max(moved[i], last + apart)
    last = 100 + apart
    for i in reversed(order):
        last = moved[i] = min(moved[i], last - apart)
    return [round(one, 2) for one in moved]


def around_zero(name: str, rows: Sequence[tuple[str, Sequence[Bar]]]) -> Markup:
    """For each name its bars, one below the other, to the right of zero or to its left."""
    every = [bar.value for _, bars in rows for bar in bars]
    low, high = min(0.0, *every), max(0.0, *every)
    side = 70
    span = (WIDTH - 2 * side) / ((high - low) or 1.0)

    def x(value: float) -> float:
        return round(side + (value - low) * span, 1)

    marks: list[str] = []
    top = 0.0
    for label, bars in rows:
        marks.append(_text(0, top + 14, _short(label, 40), "name"))
        top += 20
        for bar in bars:
            left, right = min(x(0), x(bar.value)), max(x(0), x(bar.value))
            marks.append(_bar(left, top, right, bar.kind))
            before = bar.value < 0
            at = left - 5 if before else right + 5
            marks.append(_text(at, top + BAR - 2.5, bar.written, "end" if before else "start"))
            top += BAR + 4
        top += 8
    marks.append(_line(x(0), 0, x(0), top - 6, "axis"))
    spoken = "; ".join(
        f"{label}: {', '.join(f'{bar.called or bar.kind} {bar.written}' for bar in bars)}"
        for label, bars in rows
    )
    return _chart(round(top), f"{name}: {spoken}", marks)


def against(name: str, rows: Sequence[tuple[str, int, float]], expected: str = "expected") -> Markup:
    """For each name how often it came, as a bar, and how often it was to be expected, as a line across."""
    most = max((max(came, mean) for _, came, mean in rows), default=1.0) or 1.0

    def x(value: float) -> float:
        return round(FACES_LEFT + value / most * (WIDTH - FACES_LEFT - FIGURES_RIGHT), 1)

    marks: list[str] = []
    for i, (label, came, mean) in enumerate(rows):
        top = i * ROW + 4
        marks.append(_text(FACES_LEFT - 8, top + BAR - 1, _short(label, LONGEST), "end"))
        marks.append(_bar(FACES_LEFT, top, x(came), "came"))
        marks.append(_line(x(mean), top - 4, x(mean), top + BAR + 4, "expected"))
        marks.append(_text(WIDTH, top + BAR - 1, str(came), "end"))
    marks.append(_line(FACES_LEFT, 0, FACES_LEFT, len(rows) * ROW, "axis"))
    spoken = "; ".join(f"{label} {came}, {expected} {figure(mean)}" for label, came, mean in rows)
    return _chart(len(rows) * ROW + 2, f"{name}: {spoken}", marks)


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers, two at least and 1 apart at least, that `low` to `high` lie within: about so many steps."""
    raw = max((high - low) / about, 1.0)
    power = 10 ** floor(log10(raw))
    step = next(power * one for one in (1, 2, 5, 10) if power * one >= raw * 0.999)
    first = floor(low / step)
    return [step * i for i in range(first, max(ceil(high / step), first + 1) + 1)]


def _chart(height: float, spoken: str, marks: Sequence[str]) -> Markup:
    label = escape(spoken)
    return Markup(
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{"".join(marks)}</svg>'
    )


def _bar(left: float, top: float, right: float, kind: str) -> str:
    """A bar; one of nothing is a hairline, so that it is seen to be there."""
    width = round(max(right - left, 1), 1)
    return f'<rect x="{left}" y="{top}" width="{width}" height="{BAR}" class="bar {kind}"/>'


def _line(x0: float, y0: float, x1: float, y1: float, kind: str) -> str:
    return f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" class="{kind}"/>'


def _text(x: float | str, y: float | str, written: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(written)}</text>'


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
