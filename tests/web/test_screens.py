"""Every page and game at four widths, by day and by night, on one sheet for people to look at (`make screens`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.games import available
from scoring.games import find as find_game
from scoring.match import begin
from tests.web.serving import Served
from tests.web.tables import played
from tests.web.test_looks import ended
from tests.web.visitor import Visitor
from vision.frame import Pixels

pytestmark = pytest.mark.proof

SIZES = ((390, 844), (820, 1180), (1280, 800), (1920, 1080))
"""CSS pixels: a phone, a tablet, a laptop, a television."""

HIGH, EDGE, WORDS = 360, 8, 22
"""Pixels of the sheet: the height of a picture, the space around it, and the line that names it."""

OTHERS = (
    "/first", "/first/game", "/first/players", "/settings", "/settings/check", "/new", "/camera", "/phone", "/dice",
    "/dice/cats", "/dice/teach", "/history", "/rules", "/enter", "/nowhere",
)  # fmt: skip
"""Pages that look the same in every game."""

NAMES = ("Alice", "Bob", "Cleo")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures go: the folder that SCREENS names, or one that is thrown away."""
    folder = Path(os.environ.get("SCREENS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shots(page: Visitor, path: str) -> Iterator[tuple[bytes, int]]:
    """PNG pictures of a page at every size, each with how many pixels it scrolls sideways."""
    page.open(path)
    for width, height in SIZES:
        page.page.set_viewport_size({"width": width, "height": height})
        page.page.wait_for_timeout(150)
        yield page.page.screenshot(), page.sideways


def sheet(rows: list[tuple[str, list[Pixels]]]) -> Pixels:
    """One picture, BGR: a row for each page with its name above, and its pictures from narrow to wide."""
    wide = EDGE + sum(round(HIGH * width / height) + EDGE for width, height in SIZES)
    drawn = np.full((len(rows) * (HIGH + WORDS + EDGE), wide, 3), 128, np.uint8)
    for n, (name, pictures) in enumerate(rows):
        top, left = n * (HIGH + WORDS + EDGE), EDGE
        cv2.putText(drawn, name, (EDGE, top + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
        for picture in pictures:
            height, width = picture.shape[:2]
            small = cv2.resize(picture, (round(HIGH * width / height), HIGH), interpolation=cv2.INTER_AREA)
            drawn[top + WORDS : top + WORDS + HIGH, left : left + small.shape[1]] = small
            left += small.shape[1] + EDGE
    return drawn


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_and_game_on_one_sheet(
    serve: Callable[..., Served], visit: Callable[..., Visitor], folder: Path, theme: str
):
    rows, sideways = list[tuple[str, list[Pixels]]](), list[str]()

    def look(page: Visitor, path: str, name: str) -> None:
        page.pardon = "status of 40"
        seen = list(shots(page, path))
        sideways.extend(f"{name} at {SIZES[n][0]}" for n, (_, by) in enumerate(seen) if by > 0)
        for (picture, _), (width, _) in zip(seen, SIZES, strict=True):
            (folder / f"{name}-{width}-{theme}.png").write_bytes(picture)
        decoded = [cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one, _ in seen]
        rows.append((name, [np.asarray(one, np.uint8) for one in decoded if one is not None]))

    how = {"color_scheme": theme, "reduced_motion": "reduce", "kind": Visitor}
    for game in (one.id for one in available()):
        names = NAMES[: find_game(game).seats[1]]
        table = visit(serve(match=begin(find_game(game), names), seed=3, watched=game != "destiny"), **how)
        for _ in played(table.session, 9):
            pass
        look(table, "/", f"{game}-table")
        look(table.beside("/television"), "/television", f"{game}-television")
        if game == "meet-fate":
            match_id = table.session.store.id
            history = (f"/history/{match_id}", f"/history/{match_id}/1", f"/rules/{game}", "/spectator", "/overlay")
            for path in (*OTHERS, *history):
                look(table, path, path.strip("/").replace(match_id, "match").replace("/", "-"))
        over = visit(serve(match=ended(game, list(names)), seed=3, watched=game != "destiny"), **how)
        look(over, "/", f"{game}-over")
    cv2.imwrite(str(folder / f"sheet-{theme}.png"), sheet(rows))
    assert sideways == []
    assert all(len(pictures) == len(SIZES) and min(one.std() for one in pictures) > 4 for _, pictures in rows)
