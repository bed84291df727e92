"""The page that `tableside evaluate --report` writes: the figures, and the worst pictures.

One HTML file with pictures beside it; no scripts, no external files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import jinja2
import numpy as np

from training.evaluate.run import JudgedDie, PictureVerdict, Verdict, percent
from vision.frame import Pixels
from vision.picture import annotate, load_picture, save_picture
from vision.reading import Reading, StageTimes

WIDTH, HEIGHT = 420, 280
QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
SHARES: Final = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
COUNTS: Final = (0, *(digit * 10**power for power in range(6) for digit in (1, 2, 5)))
"""Labels of an axis of square roots, in dice."""
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 16, 44
MOST_PICTURES: Final = 24
LONGEST_SIDE: Final = 1280
"""Largest size of the pictures, in pixels."""
FAULT: Final = (90, 60, 255)
"""BGR of the rings around mistakes; a ring's number refers to a line below the picture."""


def write_report(verdict: Verdict, summary: Mapping[str, Any], folder: Path) -> Path:
    """Write `index.html` and the worst pictures into `folder` (made if need be); returns the page's path.

    `summary` is the verdict's own, with "folder" and "set" added. Raises OSError or PictureError if the
    folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    worst = sorted(verdict.pictures, key=badness, reverse=True)[:MOST_PICTURES]
    shown: list[tuple[str, str, int, int, list[str]]] = []
    for number, picture in enumerate((one for one in worst if any(badness(one))), 1):
        name, right = f"worst-{number:02}.jpg", sum(judged.right for judged in picture.dice)
        save_picture(outlined(picture), folder / name)
        lines = [in_words(judged) for judged in mistakes(picture)]
        shown.append((name, picture.path.name, right, badness(picture)[2], lines))
    confusion = summary["confusion"]
    read = {face for row in confusion.values() for face in row}
    ends = [name for name in ("unknown", "missed") if name in read and name not in confusion]
    page = folder / "index.html"
    page.write_text(
        PAGE.render(
            title=f"{summary.get('folder', '')} read as {summary.get('set', '')}", counts=_counts(summary),
            charts=charts(summary), confusion=confusion, failed=summary["failed"], pictures=shown,
            columns=[*confusion, *sorted(read - set(confusion) - set(ends)), *ends],
        ),
        encoding="utf-8",
    )  # fmt: skip
    return page


def _counts(summary: Mapping[str, Any]) -> list[tuple[str, int | str, str]]:
    dice, invented = summary["dice"], f"{summary['invented_and_certain']} of them certain"
    read, rolls = f"{summary['read']} read", f"{summary['pictures']} rolls"
    rows: list[tuple[str, int | str, str]] = [
        ("dice", dice, f"in {summary['pictures']} pictures"),
        ("right", summary["right"], percent(summary["accuracy"])),
        ("wrong", summary["wrong"], percent(summary["wrong"] / dice if dice else None)),
        ("missed", summary["missed"], percent(summary["missed"] / dice if dice else None)),
        ("invented", summary["invented"], invented),
        ("rolls wholly right", summary["rolls_right"], f"{percent(summary['rolls_accuracy'])} of {rolls}"),
        ("hands-free rolls", summary["hands_free"], f"{percent(summary['hands_free_share'])} of {rolls}"),
        ("certain and wrong", summary["certain_and_wrong"], f"{percent(summary['certain_and_wrong_share'])} of {read}"),
        ("asked about", summary["uncertain"], f"{percent(summary['uncertain_share'])} of {read}"),
    ]
    if summary["median_ms"] is not None:
        rows.append(("a picture", f"{summary['median_ms']:.0f} ms", "median"))
    return rows


def _curves(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The effect of asking more or less: questions and hands-free rolls against dice that are certain and wrong.

    Dice certain and wrong and shares asked about have square-root axes, as the interesting part is close to zero.
    """
    rows = summary["asking_curve"] if summary["read"] else []
    most = max((row["certain_and_wrong"] for row in rows), default=0) or 1
    counts = [count for count in COUNTS if count <= most]
    in_use = (summary["certain_and_wrong"], summary["uncertain_share"] or 0.0, summary["hands_free_share"] or 0.0)
    found: list[dict[str, Any]] = []
    for name, beside, place, key, root, ceiling, note in (
        ("Questions", "dice asked about", 1, "asked_share", math.sqrt, None,
         "What asking more or less would give; the ring is the threshold in use."),
        ("Hands-free rolls", "rolls, hands-free", 2, "hands_free_share", float, summary["rolls_accuracy"],
         "Every die read right and none asked about. On the dashed line every roll that is read right goes through."),
    ):  # fmt: skip
        path, marks, y = list[tuple[float, float]](), list[dict[str, Any]](), 1.0 if ceiling is None else 0.0
        for row in rows:
            x = math.sqrt((wrong := row["certain_and_wrong"]) / most)
            path += [(x, y), (x, y := root(row[key]))]
            if wrong in counts:
                marks.append(_mark(x, y, 3, _point(wrong, row["asked_share"], row["hands_free_share"])))
        if rows:
            x, y = math.sqrt(in_use[0] / most), root(in_use[place])
            marks.append({**_mark(x, y, 7, f"in use: {_point(*in_use)}"), "label": f"in use: {percent(in_use[place])}"})
        found.append({
            "name": name, "kind": "curve", "below": f"certain and wrong, of {summary['read']} dice read",
            "beside": beside, "marks": marks, "path": path, "ceiling": ceiling, "note": note,
            "across": [(math.sqrt(count / most), str(count)) for count in counts],
            "up": [(root(share), _tick(share)) for share in (SHARES if ceiling is None else QUARTERS)],
        })  # fmt: skip
    return found


def _point(wrong: int, asked: float, hands_free: float) -> str:
    return f"{wrong} certain and wrong, {percent(asked)} asked about, {percent(hands_free)} of rolls hands-free"


def charts(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of the chart: axes, and marks with labels, placed in shares of the chart's area."""
    percents = [(share, _tick(share)) for share in QUARTERS]
    most = max((row["dice"] for row in summary["reliability"]), default=1)
    reliable = [
        _mark(
            row["confidence"], row["right"], 3 + 9 * (row["dice"] / most) ** 0.5,
            f"{row['dice']} dice at {row['confidence']:.0%}: {row['right']:.1%} right",
        )
        for row in summary["reliability"]
    ]  # fmt: skip
    found = [
        *_curves(summary),
        {
            "name": "Reliability", "kind": "reliability", "below": "confidence", "beside": "right", "marks": reliable,
            "across": percents, "up": percents, "note":
            "On the dashed line a confidence is right as often as it says; the larger a dot, the more dice.",
        },
    ]  # fmt: skip
    for name, rows, unit, end, below, note in (
        ("Size", "by_size", "px", 10_000, "die size in pixels", "By the longer side of a die's label."),
        ("Tilt", "by_tilt", "degrees", 90, "tilt of the top face in degrees",
         "Between the top face and the view, where labels give corners."),
    ):  # fmt: skip
        bars: list[dict[str, Any]] = []
        step = 1 / max(len(summary[rows]), 1)
        for place, row in enumerate(summary[rows]):
            low, high = row[f"from_{unit}"], row[f"to_{unit}"]
            bin_ = f"{low}+" if high >= end else f"{low}–{high}" if low else f"<{high}"
            says = f"{bin_} {unit}: {row['accuracy']:.1%} of {row['dice']} right, {row['missed']} missed"
            bars.append({**_mark((place + 0.5) * step, row["accuracy"], step, says), "name": bin_})
        if bars or name == "Size":
            found.append({
                "name": name, "kind": "bars", "below": below, "beside": "right", "marks": bars, "up": percents,
                "across": [(bar["x"], bar["name"]) for bar in bars], "note": note,
            })  # fmt: skip
    return found


def _mark(x: float, y: float, size: float, says: str) -> dict[str, Any]:
    return {"x": x, "y": y, "size": size, "says": says}


def _tick(share: float) -> str:
    return f"{100 * share:.3g}%"


def badness(picture: PictureVerdict) -> tuple[int, int, int]:
    """Sort key, worst first: silent mistakes, then all mistakes, then needless questions."""
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
    """Draw a ring around `size` pixels, its number outside, on another side than the last one's."""
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
    """The wrong, missed and invented dice of a picture, the most confident ones first."""
    wrong = [judged for judged in picture.dice if not judged.right]
    return sorted(
        wrong, key=lambda j: (j.die.certain, j.die.confidence) if j.die else (False, 0.5), reverse=True
    )


def in_words(judged: JudgedDie) -> str:
    """One die: its label and its reading."""
    die, label = judged.die, judged.label
    if die is None:
        return f"missed: {label.face}" if label else ""
    sure = f"{die.confidence:.0%}, {'certain' if die.certain else 'asked about'}"
    if label is None:
        return f"no die there, read as {die.face} ({sure})"
    return f"should be {label.face}, read as {die.face} ({sure})"


def _place(judged: JudgedDie) -> tuple[tuple[float, float], float]:
    """Middle and longer side of a mistake, in pixels."""
    if judged.label is not None:
        return judged.label.centre, judged.label.size
    assert judged.die is not None, "a judged die has a label or a reading"
    x0, y0, x1, y1 = judged.die.box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0)


PAGE = jinja2.Environment(autoescape=True).from_string(
    Path(__file__).with_name("report.html").read_text(encoding="utf-8"),
    {
        "width": WIDTH, "height": HEIGHT, "tick": _tick,
        "x": lambda share: round(LEFT + share * (WIDTH - LEFT - RIGHT), 1),
        "y": lambda share: round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1),
    },
)  # fmt: skip
