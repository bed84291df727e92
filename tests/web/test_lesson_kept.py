"""A lesson outlives the server: what was taught is there after a restart, and can be gone on with or thrown away."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from flask.testing import FlaskClient

from scoring.games import find as find_game
from scoring.match import begin
from table.teaching.saved import Left, LessonFile, LessonRequest
from tests.web.tables import app_of, html_of
from tests.web.test_teach import lesson, photo, posted
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Points
from vision.enrol.shown import Shown
from vision.frame import Floats, Pixels


@pytest.fixture
def started(data: Path) -> Callable[[], FlaskClient]:
    """Starts the server once more, on the same data folder."""
    return lambda: app_of(begin(find_game("outback"), ["Ann", "Bob"])).test_client()


def page(client: FlaskClient) -> str:
    return html_of(client, "/dice/teach")


@pytest.mark.slow
def test_what_was_taught_is_there_after_a_restart_and_goes_on_or_is_thrown_away(
    started: Callable[[], FlaskClient], tmp_path: Path
):
    first = started()
    posted(first, "begin")
    posted(first, "pictures", picture=[(photo("star"), "star.png"), (photo("star", 1), "star-1.png")])
    posted(first, "keep", face="Star")
    posted(first, "name", face="Moon")
    posted(first, "name", face="Heart")

    again = started()  # the one before was killed: nobody closed anything
    html = page(again)
    assert "2 faces are missing" in html
    assert set(re.findall(r'src="/dice/teach/kept/(\d+)', html)) == {"1", "2"}
    assert again.get("/dice/teach/kept/1.png").data == first.get("/dice/teach/kept/1.png").data
    assert lesson(again) == "Put a die under the camera with Heart facing up."
    refused = (409, "You are still teaching other dice; save or discard them first.\n")
    answer = again.post("/dice/outback/teach", headers={"X-Requested-With": "tableside"})
    assert (answer.status_code, answer.get_data(as_text=True)) == refused
    posted(again, "drop", face="heart")
    posted(again, "name", face="moon")
    posted(again, "pictures", picture=[(photo("moon"), "moon.png")])
    posted(again, "keep", face="moon")
    for number in "12":
        posted(again, "forget", face="star", number=number)
    posted(again, "blank", face="star", blank="yes")
    assert not (tmp_path / "lesson" / "1.example").exists()
    last = started()
    html = page(last)
    assert "/dice/teach/kept/1.png" not in html
    assert "blank" in html
    assert posted(last, "away")[0] == 204
    assert not (tmp_path / "lesson").exists()
    for one in (last, started()):
        assert 'id="start"' in page(one)


def test_a_lesson_whose_set_is_gone_is_not_gone_on_with(
    started: Callable[[], FlaskClient], tmp_path: Path
):
    LessonFile(tmp_path).keep(Left(LessonRequest(adds_to="gone"), "a", {}, (), {"a": {}}))
    with pytest.raises(DiceSetError):
        find("gone")
    assert 'id="start"' in page(started())


# --- the file


def taken(face: str, seed: int = 0) -> Shown:
    rng = np.random.default_rng(seed)
    corners = rng.uniform(10, 50, (4, 2)).astype(np.float32)
    return Shown(
        Shape.CUBE, Shape.CUBE, 0.9, rng.integers(0, 255, (60, 60, 3), np.uint8), (corners, corners + 1),
        0.02, 1.0, 31.5,
        corners + 200, rng.standard_normal((2, 4, 16)).astype(np.float32), True, 0.25,
        face, "camera",
    )  # fmt: skip


def looks(around: Pixels, outlines: Sequence[Floats], shape: Shape) -> Points:
    """As many points as there are outlines, told by the picture alone."""
    mean = around.mean(axis=(0, 1), dtype=np.float32)
    return np.broadcast_to(mean / np.linalg.norm(mean), (len(outlines), shape.symmetry, 3)).astype(np.float32)


def left(**examples: dict[int, Shown]) -> Left:
    return Left(LessonRequest(like="outback"), "b", {"a": "A"}, ("b",), examples)


def test_an_example_comes_back_as_it_was(tmp_path: Path):
    file = LessonFile(tmp_path)
    one = taken("a")
    file.keep(left(a={3: one}, b={}))
    read = LessonFile(tmp_path).read(looks)
    assert read is not None
    assert (read.asked, read.face, read.labels, read.blank) == (left().asked, "b", {"a": "A"}, ("b",))
    (back,) = read.examples["a"].values()
    assert list(read.examples["a"]) == [3]
    assert (back.face, back.source) == ("a", "camera")
    assert np.array_equal(back.picture, one.picture)
    assert back.points.shape == (2, 4, 3), "looked at by the network that is there now"
    assert len(back.outlines) == 2
    assert (back.leans, back.shapely) == (True, 0.25)


def test_whoever_is_killed_at_any_moment_leaves_a_whole_lesson(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Every call that touches the disk is in turn the last one; what is read then is the lesson before or after."""
    class Killed(BaseException):
        pass

    survived = 0
    for moment in range(40):
        folder = tmp_path / str(moment)
        file = LessonFile(folder)
        file.keep(left(a={1: taken("a", 1)}, b={}))
        calls = 0

        def dying(real: Callable[..., object], last: int = moment) -> Callable[..., object]:
            def call(*args: object, **options: object) -> object:
                nonlocal calls
                calls += 1
                if calls > last:
                    raise Killed
                return real(*args, **options)

            return call

        with monkeypatch.context() as patch:
            for where, what in ((os, "fsync"), (Path, "replace"), (Path, "unlink"), (Path, "open")):
                patch.setattr(where, what, dying(getattr(where, what)))
            try:
                file.keep(left(a={1: taken("a", 1), 2: taken("a", 2)}, b={}))
                survived += 1
            except Killed:
                pass
        read = LessonFile(folder).read(looks)
        assert read is not None, moment
        assert list(read.examples["a"]) in ([1], [1, 2]), moment
    assert 0 < survived < 40
    assert list(read.examples["a"]) == [1, 2]


def test_a_damaged_lesson_is_none(tmp_path: Path):
    file, path = LessonFile(tmp_path), tmp_path / "lesson" / "lesson.json"
    for damage in (b"{", b"[" * 9999, b"\xff" * 300_000, b'{"version": 3}', None):
        file.keep(left(a={1: taken("a")}, b={}))
        assert file.read(looks) is not None
        path.write_bytes(path.read_bytes().replace(b'"a"', b'"../a"') if damage is None else damage)
        assert file.read(looks) is None


def test_a_damaged_example_is_left_out(tmp_path: Path):
    file = LessonFile(tmp_path)
    file.keep(left(a={number: taken("a", number) for number in range(1, 6)}, b={}))
    folder = tmp_path / "lesson"
    (folder / "1.example").write_bytes(b"PK\x03\x04 nonsense")
    (folder / "2.example").unlink()
    (folder / "3.example").write_bytes(msgspec.msgpack.encode({"source": "x", "shape": "d20"}))
    (folder / "4.example").write_bytes(bytes(3 * 1024 * 1024))
    read = file.read(looks)
    assert read is not None
    assert list(read.examples["a"]) == [5]


def test_a_lesson_on_disk_has_a_bound(tmp_path: Path):
    file = LessonFile(tmp_path)
    file.keep(left(a={1: taken("a", 1)}))
    size = (tmp_path / "lesson" / "1.example").stat().st_size
    file = LessonFile(tmp_path, most=int(3.5 * size))
    file.keep(left(a={number: taken("a", number) for number in range(1, 9)}))
    read = file.read(looks)
    assert read is not None
    assert list(read.examples["a"]) == [1, 2, 3]
    assert sum(path.stat().st_size for path in (tmp_path / "lesson").glob("*.example")) <= 3.5 * size
