"""The page of an evaluation: what it says, what it shows, and that names cannot break it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from training.evaluate.report import (
    FAULT,
    outlined,
    write_report,
)
from training.evaluate.run import JudgedDie, PictureVerdict, TrueDie, Verdict
from vision.dicesets.shapes import Shape
from vision.picture import load_picture
from vision.reading import Alternative, DieReading


def _die(face: str, x: float, *, certain: bool = True, confidence: float = 0.97) -> DieReading:
    corners = ((x - 15, 85.0), (x + 15, 85.0), (x + 15, 115.0), (x - 15, 115.0))
    box = (x - 18, 82.0, x + 18, 130.0)
    return DieReading(Shape.CUBE, face, certain, confidence, (Alternative(face, confidence),), corners, box)


def _judged(label: str | None, die: DieReading | None, x: float = 60.0) -> JudgedDie:
    return JudgedDie(TrueDie(label, (x, 100.0), 36.0) if label else None, die)


RIGHT = _judged("1", _die("1", 60))
MISREAD = _judged("2", _die("5", 60, confidence=0.91))
ASKED = _judged("2", _die("2", 60, certain=False, confidence=0.4))
MISSED = _judged("3", None)
INVENTED = _judged(None, _die("6", 200, certain=False, confidence=0.55))


def _picture(home: Path, name: str, *dice: JudgedDie) -> PictureVerdict:
    path = home / name
    Image.new("RGB", (320, 240), "white").save(path)
    return PictureVerdict(path, dice, 12.0)


def _write(verdict: Verdict, folder: Path, name: str = "album") -> str:
    return write_report(verdict, {"folder": name, "set": "pips", **verdict.summary()}, folder).read_text(
        "utf-8"
    )


def test_the_page_says_the_counts_and_shows_the_worst_pictures_first(tmp_path: Path) -> None:
    verdict = Verdict(
        (
            _picture(tmp_path, "fine.png", RIGHT, RIGHT),
            _picture(tmp_path, "asked.png", ASKED),
            _picture(tmp_path, "silent.png", RIGHT, MISREAD),
            _picture(tmp_path, "missed.png", MISSED, INVENTED),
        ),
        ("broken.jpg: damaged",),
    )
    page = _write(verdict, tmp_path / "report")
    assert re.findall(r"<strong>(.*?)</strong>", page) == ["silent.png", "missed.png", "asked.png"]
    assert "should be 2, read as 5 (91%, certain)" in page
    assert "missed: 3" in page
    assert "no die there, read as 6 (55%, asked about)" in page
    assert "broken.jpg: damaged" in page
    assert "<dt>right</dt><dd>4</dd><dd class=share>66.7%</dd>" in page
    shown = sorted(path.name for path in (tmp_path / "report").iterdir())
    assert shown == ["index.html", "worst-01.jpg", "worst-02.jpg", "worst-03.jpg"]


def test_the_page_runs_nothing_and_fetches_only_its_own_pictures(tmp_path: Path) -> None:
    page = _write(Verdict((_picture(tmp_path, "a.png", MISREAD),), ()), tmp_path / "report")
    assert "<script" not in page
    assert set(re.findall(r'(?:src|href)="(.*?)"', page)) == {"worst-01.jpg"}
    assert "//" not in page


def test_names_are_written_as_text_and_never_as_markup(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>"
    verdict = Verdict(
        (_picture(tmp_path, "<b>&.png", _judged(bad, _die(bad + "2", 60))),), (f"{bad}: damaged",)
    )
    page = _write(verdict, tmp_path / "report", name=bad)
    assert "<script>" not in page
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;.png" in page


def test_a_folder_without_mistakes_or_without_dice_has_a_page_too(tmp_path: Path) -> None:
    fine = _write(Verdict((_picture(tmp_path, "a.png", RIGHT),), ()), tmp_path / "fine")
    assert "Nothing was wrong" in fine
    nothing = _write(Verdict((), ()), tmp_path / "nothing")
    assert "No labelled dice" in nothing


def test_rings_lie_round_mistakes_and_large_pictures_are_made_smaller(tmp_path: Path) -> None:
    picture = _picture(tmp_path, "a.png", MISSED)
    drawn = outlined(picture)
    ring = np.abs(drawn.astype(int) - FAULT).sum(axis=2) < 60
    _, xs = np.nonzero(ring[60:140, :100])
    assert 36 <= np.ptp(xs) <= 70, "round the 36 px of the label"
    assert not ring[:, 160:].any()
    assert (load_picture(picture.path) == 255).all(), "the picture itself is left alone"
    Image.new("RGB", (1600, 1200), "white").save(picture.path)
    assert outlined(picture).shape == (960, 1280, 3)


def test_charts_are_whole_svg_and_say_their_points(tmp_path: Path) -> None:
    dice = (
        JudgedDie(TrueDie("1", (60.0, 100.0), 120.0, 5.0), _die("1", 60)), MISREAD, ASKED, RIGHT, MISSED,
    )  # fmt: skip
    page = _write(Verdict((_picture(tmp_path, "a.png", *dice),), ()), tmp_path / "report")
    drawn = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    said = [[title.text for title in chart.iter("title")] for chart in drawn]
    assert said[0] == said[1] == [
        "0 certain and wrong, 50.0% asked about, 0.0% of rolls hands-free",
        "1 certain and wrong, 0.0% asked about, 0.0% of rolls hands-free",
        "in use: 1 certain and wrong, 25.0% asked about, 0.0% of rolls hands-free",
    ]
    assert said[2] == ["1 dice at 40%: 100.0% right", "3 dice at 95%: 66.7% right"]
    assert said[3] == ["24–40 px: 50.0% of 4 right, 1 missed", "100+ px: 100.0% of 1 right, 0 missed"]
    assert said[4] == ["<10 degrees: 100.0% of 1 right, 0 missed"]
    for chart, points in zip(drawn, said, strict=True):
        assert all(point in chart.get("aria-label", "") for point in points if point), "said to those who cannot see it"
    low, high = drawn[2].findall("circle")
    assert float(high.get("cx", 0)) > float(low.get("cx", 0)) + 100
    assert float(high.get("cy", 0)) > float(low.get("cy", 0)), "what is less often right lies lower"


def test_the_threshold_in_use_is_ringed_on_the_curves(tmp_path: Path) -> None:
    rolls = [
        _picture(tmp_path, "fine.png", RIGHT),
        _picture(tmp_path, "silent.png", MISREAD, RIGHT),
        _picture(tmp_path, "asked.png", ASKED),
    ]
    page = _write(Verdict(tuple(rolls), ()), tmp_path / "report")
    drawn = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)][:2]
    assert "<dt>hands-free rolls</dt><dd>1</dd><dd class=share>33.3% of 3 rolls</dd>" in page
    for chart, label in zip(drawn, ("in use: 25.0%", "in use: 33.3%"), strict=True):
        (ring,) = [circle for circle in chart.findall("circle") if circle.get("class") == "use"]
        assert label in [text.text for text in chart.findall("text")]
        line = chart.find("polyline")
        assert line is not None
        places = [tuple(map(float, pair.split(","))) for pair in line.get("points", "").split()]
        x, y = float(ring.get("cx", 0)), float(ring.get("cy", 0))
        on = [min(a[0], b[0]) <= x <= max(a[0], b[0]) and min(a[1], b[1]) <= y <= max(a[1], b[1])
              for a, b in pairwise(places)]  # fmt: skip
        assert any(on), "the curve goes through it"
