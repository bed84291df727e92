"""Charts as SVG text, for pages that need no script: a chart is drawn where it is written.

Colours are the page's (classes that its style sheet knows), so charts follow its light and dark dress. Every
chart says in words, for those who cannot see it, what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT = 420, 280
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 16, 44


def reliability(rows: Sequence[Mapping[str, Any]]) -> str:
    """Mean confidence (across) against the share that was right (up); a dot a bin, larger for more dice."""
    most = max((row["dice"] for row in rows), default=1)
    marks = [_line(0, 0, 1, 1, "soft", dashed=True)]
    for row in rows:
        radius = 3 + 9 * (row["dice"] / most) ** 0.5
        words = f"{row['dice']} dice at {row['confidence']:.0%}: {row['right']:.1%} right"
        x, y = _x(row["confidence"]), _y(row["right"])
        marks.append(
            f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" class="mark"><title>{escape(words)}</title></circle>'
        )
    spoken = "; ".join(
        f"at {r['confidence']:.0%} confidence {r['right']:.0%} of {r['dice']} right" for r in rows
    )
    percents = [(share, f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return _chart("Reliability", spoken, percents, percents, "confidence", "right", marks)


def risk_coverage(rows: Sequence[Mapping[str, Any]]) -> str:
    """Share of dice asked about (across), least confident first, against misreads among the others (up)."""
    known = [(row["asked"], row["wrong"]) for row in rows if row["wrong"] is not None]
    across = max((asked for asked, _ in known), default=0.0) or 1.0
    up = _ceiling(max((wrong for _, wrong in known), default=0.0))
    points = [(_x(asked / across), _y(wrong / up)) for asked, wrong in known]
    marks = [f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" class="curve"/>']
    for (asked, wrong), (x, y) in zip(known, points, strict=True):
        words = f"asked about {asked:.0%}: {wrong:.2%} of the rest wrong"
        marks.append(f'<circle cx="{x}" cy="{y}" r="4" class="mark"><title>{escape(words)}</title></circle>')
    spoken = "; ".join(f"asking about {asked:.0%} leaves {wrong:.1%} wrong" for asked, wrong in known)
    return _chart(
        "Risk and coverage",
        spoken,
        [(share, f"{share * across:.0%}") for share in (0.0, 1 / 3, 2 / 3, 1.0)],
        [(share, _percent(share * up)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)],
        "dice asked about",
        "wrong among the rest",
        marks,
    )


def by_size(rows: Sequence[Mapping[str, Any]]) -> str:
    """Accuracy in each bin of die size, a bar a bin."""
    named = [(_bin(row["from_px"], row["to_px"], 10_000), row) for row in rows]
    return _bars("Accuracy by size", "px", "die size in pixels", named)


def by_tilt(rows: Sequence[Mapping[str, Any]]) -> str:
    """Accuracy in each bin of tilt, a bar a bin."""
    named = [(_bin(row["from_degrees"], row["to_degrees"], 90), row) for row in rows]
    return _bars("Accuracy by tilt", "degrees", "tilt of the top face in degrees", named)


def _bars(title: str, unit: str, below: str, named: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    marks: list[str] = []
    names: list[tuple[float, str]] = []
    step = 1 / max(len(named), 1)
    for place, (name, row) in enumerate(named):
        middle = (place + 0.5) * step
        names.append((middle, name))
        x, y = _x(middle - 0.36 * step), _y(row["accuracy"])
        width, height = round(0.72 * step * (WIDTH - LEFT - RIGHT), 1), round(_y(0) - y, 1)
        words = f"{name} {unit}: {row['accuracy']:.1%} of {row['dice']} right, {row['missed']} missed"
        marks.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" class="mark">'
            f"<title>{escape(words)}</title></rect>"
            f'<text x="{_x(middle)}" y="{y - 5}" class="mid">{_percent(row["accuracy"])}</text>'
        )
    spoken = "; ".join(f"{name} {unit} {row['accuracy']:.0%} of {row['dice']}" for name, row in named)
    percents = [(share, f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return _chart(title, spoken, names, percents, below, "right", marks)


def _bin(low: int, high: int, most: int) -> str:
    """A bin in few signs; the last one is open."""
    if high >= most:
        return f"{low}+"
    return f"{low}–{high}" if low else f"<{high}"


def _chart(
    name: str,
    spoken: str,
    across: Sequence[tuple[float, str]],
    up: Sequence[tuple[float, str]],
    below: str,
    beside: str,
    marks: Sequence[str],
) -> str:
    """The frame that charts share. `across` and `up`: shares of the area to name, `up` with a line each."""
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(f"{name}: {spoken}")}">',
        *(_line(0, share, 1, share, "grid") for share, _ in up),
        *(
            f'<text x="{LEFT - 7}" y="{_y(share) + 4}" class="end">{escape(word)}</text>'
            for share, word in up
        ),
        *(
            f'<text x="{_x(share)}" y="{HEIGHT - BOTTOM + 17}" class="mid">{escape(word)}</text>'
            for share, word in across
        ),
        f'<text x="{_x(0.5)}" y="{HEIGHT - 6}" class="mid name">{escape(below)}</text>',
        f'<text transform="translate(12 {_y(0.5)}) rotate(-90)" class="mid name">{escape(beside)}</text>',
        *marks,
        "</svg>",
    ]
    return "".join(parts)


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _line(x0: float, y0: float, x1: float, y1: float, kind: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<line x1="{_x(x0)}" y1="{_y(y0)}" x2="{_x(x1)}" y2="{_y(y1)}" class="{kind}"{dash}/>'


def _ceiling(most: float) -> float:
    """A round number at or above: the top of an axis."""
    return next((top for top in (0.01, 0.02, 0.04, 0.08, 0.12, 0.2, 0.4, 0.6) if most <= top), 1.0)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"
