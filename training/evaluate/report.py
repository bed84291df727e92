"""The page that `tableside evaluate --report` writes: what was measured, and the pictures that went worst.

One HTML file and the pictures beside it; no script, and nothing is fetched from anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

import cv2
import numpy as np

from training.evaluate.run import JudgedDie, PictureVerdict, Verdict
from vision.frame import Pixels
from vision.picture import annotate, load_picture, save_picture
from vision.reading import Reading, StageTimes

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
        [(share, _tick(share * up)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)],
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
            f'<text x="{_x(middle)}" y="{y - 5}" class="mid">{_tick(row["accuracy"])}</text>'
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


def _tick(share: float) -> str:
    return f"{100 * share:.3g}%"


MOST_PICTURES: Final = 24
LONGEST_SIDE: Final = 1280
"""Pictures are written no larger than this, in pixels."""
FAULT: Final = (90, 60, 255)
"""BGR of the rings round what went wrong; a ring's number leads to its line below the picture."""


def write_report(verdict: Verdict, summary: Mapping[str, Any], folder: Path) -> Path:
    """Write `index.html` and the worst pictures into `folder` (made if need be); returns the page's path.

    `summary` is the verdict's own, with "folder" and "set" added. Raises OSError or PictureError when the
    folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    worst = sorted(verdict.pictures, key=badness, reverse=True)[:MOST_PICTURES]
    worst = [picture for picture in worst if any(badness(picture))]
    figures: list[str] = []
    for number, picture in enumerate(worst, 1):
        name = f"worst-{number:02}.jpg"
        save_picture(outlined(picture), folder / name)
        figures.append(_figure(picture, name))
    page = folder / "index.html"
    page.write_text(_page(summary, figures), encoding="utf-8")
    return page


def badness(picture: PictureVerdict) -> tuple[int, int, int]:
    """How bad a picture is, to sort by: silent mistakes, then all mistakes, then needless questions."""
    wrong = mistakes(picture)
    silent = sum(judged.die is not None and judged.die.certain for judged in wrong)
    asked = sum(judged.right and not judged.die.certain for judged in picture.dice if judged.die is not None)
    return silent, len(wrong), asked


def outlined(picture: PictureVerdict) -> Pixels:
    """The picture with its reading drawn in, and a numbered ring round each mistake; (H, W, 3) BGR."""
    pixels = load_picture(picture.path)
    height, width = pixels.shape[:2]
    scale = min(LONGEST_SIDE / max(height, width), 1.0)
    dice = tuple(judged.die for judged in picture.dice if judged.die is not None)
    drawn = annotate(pixels, Reading(width, height, dice, StageTimes(0.0, 0.0, 0.0)))
    for number, judged in enumerate(mistakes(picture), 1):
        _ring(drawn, *_place(judged), number)
    if scale < 1:
        size_in = (round(width * scale), round(height * scale))
        return np.asarray(cv2.resize(drawn, size_in, interpolation=cv2.INTER_AREA), np.uint8)
    return drawn


def _ring(drawn: Pixels, middle: tuple[float, float], size: float, number: int) -> None:
    """Draw a ring round `size` pixels, its number outside of it, on another side than the last one's."""
    height, width = drawn.shape[:2]
    thick = max(round(max(height, width) / 640), 1)
    centre, radius, badge = (
        (round(middle[0]), round(middle[1])),
        max(round(0.62 * size), 6 * thick),
        6 * thick,
    )
    cv2.circle(drawn, centre, radius, (0, 0, 0), thick + 2, cv2.LINE_AA)
    cv2.circle(drawn, centre, radius, FAULT, thick, cv2.LINE_AA)
    away = 0.71 * (radius + badge)
    sideways, down = ((1, 1), (-1, -1), (1, -1), (-1, 1))[number % 4]
    x = int(np.clip(centre[0] + sideways * away, badge, width - badge))
    y = int(np.clip(centre[1] + down * away, badge, height - badge))
    cv2.circle(drawn, (x, y), badge, FAULT, -1, cv2.LINE_AA)
    at = (x - (3 if number < 10 else 5) * thick, y + 3 * thick)
    white, face = (255, 255, 255), cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(drawn, str(number), at, face, 0.3 * thick, white, thick, cv2.LINE_AA)


def mistakes(picture: PictureVerdict) -> list[JudgedDie]:
    """What is wrong, missed or invented in a picture, the surest claims first."""
    wrong = [judged for judged in picture.dice if not judged.right]
    return sorted(
        wrong, key=lambda j: (j.die.certain, j.die.confidence) if j.die else (False, 0.5), reverse=True
    )


def in_words(judged: JudgedDie) -> str:
    """One die, as it is and as it was read."""
    die, label = judged.die, judged.label
    if die is None:
        return f"missed: {label.face}" if label else ""
    sure = f"{die.confidence:.0%}, {'certain' if die.certain else 'asked about'}"
    if label is None:
        return f"no die there, read as {die.face} ({sure})"
    return f"should be {label.face}, read as {die.face} ({sure})"


def _place(judged: JudgedDie) -> tuple[tuple[float, float], float]:
    """Middle and longer side, in pixels, of where a mistake lies."""
    if judged.label is not None:
        return judged.label.centre, judged.label.size
    assert judged.die is not None, "a judged die has a label or a reading"
    x0, y0, x1, y1 = judged.die.box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0)


def _figure(picture: PictureVerdict, name: str) -> str:
    shown = escape(picture.path.name)
    lines = "".join(f"<li>{escape(in_words(judged))}</li>" for judged in mistakes(picture))
    right = sum(judged.right for judged in picture.dice)
    _, _, asked = badness(picture)
    doubt = f", {asked} of them asked about" if asked else ""
    return (
        f'<figure><a href="{name}"><img src="{name}" alt="{shown}, outlined" loading="lazy"></a>'
        f"<figcaption><strong>{shown}</strong>, {right} right{doubt}<ol>{lines}</ol>"
        f"</figcaption></figure>"
    )


def _page(summary: Mapping[str, Any], figures: Sequence[str]) -> str:
    shown = "".join(figures) or "<p>Nothing was wrong, missed, invented or asked about.</p>"
    failed = "".join(f"<li>{escape(line)}</li>" for line in summary["failed"])
    return PAGE.substitute(
        title=escape(f"{summary.get('folder', '')} read as {summary.get('set', '')}"),
        counts=_counts(summary),
        reliability=reliability(summary["reliability"]),
        risk=risk_coverage(summary["risk_coverage"]),
        sizes=by_size(summary["by_size"]),
        tilts=TILTS.format(by_tilt(summary["by_tilt"])) if summary["by_tilt"] else "",
        confusion=_confusion(summary["confusion"]),
        failed=f"<h2>Could not be opened</h2><ul>{failed}</ul>" if failed else "",
        pictures=shown,
    )


def _counts(summary: Mapping[str, Any]) -> str:
    dice, invented = summary["dice"], f"{summary['invented_and_certain']} of them certain"
    rows = [
        ("dice", dice, f"in {summary['pictures']} pictures"),
        ("right", summary["right"], _percent(summary["accuracy"])),
        ("wrong", summary["wrong"], _percent(summary["wrong"] / dice if dice else None)),
        ("missed", summary["missed"], _percent(summary["missed"] / dice if dice else None)),
        ("invented", summary["invented"], invented),
        ("certain and wrong", summary["certain_and_wrong"], _percent(summary["certain_and_wrong_share"])),
        ("asked about", summary["uncertain"], _percent(summary["uncertain_share"])),
        ("rolls wholly right", summary["rolls_right"], _percent(summary["rolls_accuracy"])),
    ]
    if summary["median_ms"] is not None:
        rows.append(("a picture", f"{summary['median_ms']:.0f} ms", "median"))
    return "".join(
        f"<div><dt>{name}</dt><dd>{count}</dd><dd class=share>{share}</dd></div>"
        for name, count, share in rows
    )


def _confusion(confusion: Mapping[str, Mapping[str, int]]) -> str:
    """A row for each face that lay there, a column for each that was read; shares of the row as shades."""
    if not confusion:
        return "<p>No labelled dice.</p>"
    read = {face for row in confusion.values() for face in row}
    columns = [*confusion, *sorted(read - set(confusion) - {"unknown", "missed"})]
    columns += [name for name in ("unknown", "missed") if name in read and name not in columns]
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in columns)
    rows: list[str] = []
    for true, counts in confusion.items():
        whole = sum(counts.values())
        cells = "".join(_cell(counts.get(name, 0), whole, right=name == true) for name in columns)
        rows.append(f"<tr><th scope=row>{escape(true)}</th>{cells}<td class=sum>{whole}</td></tr>")
    return (
        "<table><caption>Rows: the face that lay there. Columns: what was read.</caption>"
        f"<thead><tr><td></td>{head}<th scope=col>dice</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _cell(count: int, whole: int, *, right: bool) -> str:
    if not count:
        return "<td class=none>·</td>"
    kind, strength = ("right" if right else "wrong"), 12 + 70 * count / whole
    return f'<td class={kind} style="--strength:{strength:.0f}%">{count}</td>'


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


TILTS = "<div><h3>Tilt</h3>{}<p>Between the top face and the view, where labels give corners.</p></div>"
PAGE = Template(Path(__file__).with_name("report.html").read_text(encoding="utf-8"))
