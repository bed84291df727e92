"""Symbols for training: pips are counted right, the split holds, and faces carry what they are given."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.synth.collect import held_out, load
from training.synth.dressers import Wardrobe
from training.synth.symbols import ART_SIZE, PIP_COUNTS, Glyph, Library, double, draw_pips, save
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook, compose, is_coloured

WHITE = (240.0, 240.0, 240.0)
BLACK = (15.0, 15.0, 15.0)


def square_art(side: int = 40, colour: tuple[int, int, int] = (0, 0, 0)) -> NDArray[np.uint8]:
    """A filled square in the middle of clear art."""
    art = np.zeros((ART_SIZE, ART_SIZE, 4), np.uint8)
    low = (ART_SIZE - side) // 2
    art[low : low + side, low : low + side] = (*colour, 255)
    return art


def pieces(mask: NDArray[np.uint8]) -> int:
    return cv2.connectedComponents((mask > 127).astype(np.uint8))[0] - 1


@pytest.mark.parametrize("count", PIP_COUNTS)
def test_every_layout_has_as_many_pips_as_it_says(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(60):
        mask = draw_pips(count, rng)[..., 3]
        filled = (mask > 60).astype(np.uint8)
        contours, _ = cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        assert len(contours) == count


def test_two_of_a_symbol_are_two() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert pieces(double(square_art(60), rng)[..., 3]) == 2


def test_the_split_is_by_name_and_about_one_in_ten() -> None:
    names = [f"icon-{i}" for i in range(2000)]
    kept = [held_out(n) for n in names]
    assert kept == [held_out(n) for n in names]
    assert 0.07 < np.mean(kept) < 0.13


def library() -> Library:
    mono = np.stack([square_art(s)[..., 3] for s in (20, 40, 60)])
    colour = square_art(50, (200, 30, 30))[None]
    glyphs = (
        Glyph("7", "glyph", 0, False),
        Glyph("7", "glyph", 1, True),
        Glyph("a/box", "icon", 2, False),
        Glyph("b/red box", "colour", 0, True),
    )
    return Library(mono, colour, glyphs)


def test_a_library_survives_its_folder(tmp_path: Path) -> None:
    save(library(), tmp_path)
    again = load(tmp_path)
    assert again.glyphs == library().glyphs
    assert (again.mono == library().mono).all()
    assert (again.colour == library().colour).all()


def test_no_drawing_is_on_both_sides_of_the_split() -> None:
    both = library()
    sides = [{g for s in both.symbols(held_out=h) for g in s.glyphs} for h in (False, True)]
    assert not sides[0] & sides[1]
    assert {s.name for s in both.symbols()} >= {"7", "a/box", "two a/box", "3 pips", "blank"}


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
@pytest.mark.parametrize(("body", "ink"), [(WHITE, BLACK), (BLACK, WHITE)])
def test_a_symbol_lies_in_the_middle_of_its_face(
    shape: str, body: tuple[float, float, float], ink: tuple[float, float, float]
) -> None:
    texture, relief = compose(square_art(), shape, FaceLook(body=body, ink=ink, finish="engraved"), 96)
    # The inscribed circle of the triangle is centred on its centroid, below the middle of the picture.
    y = 48 if shape == Shape.CUBE else round(96 * (0.5 + 3**0.5 / 12))
    assert np.abs(texture[y, 48] - np.array(ink)).max() < 2
    assert relief[y, 48] < -0.9
    assert abs(relief[y + 22, 48]) < 0.1
    assert np.abs(texture[y + 22, 48] - np.array(body)).max() < 2


def test_art_keeps_its_own_colours_when_no_ink_is_given() -> None:
    art = square_art(40, (250, 20, 10))
    art[40:56, 40:56, :3] = (10, 30, 240)
    assert is_coloured(art)
    assert not is_coloured(square_art(40, (250, 20, 10)))
    texture, _ = compose(art, Shape.CUBE, FaceLook(body=WHITE, ink=None, scale=1.0), 96)
    assert texture[48, 48].tolist() == [240, 30, 10]  # art is RGB, faces are BGR
    assert texture[34, 34].tolist() == [10, 20, 250]


def test_art_without_transparency_is_refused() -> None:
    with pytest.raises(ValueError, match="RGBA"):
        compose(np.zeros((9, 9, 3), np.uint8), Shape.CUBE, FaceLook(body=WHITE, ink=BLACK), 32)


def _library() -> Library:
    """Squares of many sizes."""
    mono = np.stack([square_art(10 + 2 * i)[..., 3] for i in range(30)])
    colour = np.stack([square_art(10 + 2 * i, (200, 30, 30)) for i in range(12)])
    glyphs = [Glyph(f"a/{i}", "icon", i, False) for i in range(12)]
    glyphs += [Glyph(f"{'circle-flags' if i < 9 else 'b'}/{i}", "colour", i, False) for i in range(12)]
    glyphs += [Glyph(t, "glyph", 12 + i, False) for i, t in enumerate("0123456789ABCDEFGH")]
    return Library(mono, colour, tuple(glyphs))


def test_as_many_dice_have_letters_as_are_asked_for() -> None:
    def lettered(share: float) -> int:
        rng, wardrobe = np.random.default_rng(5), Wardrobe(_library(), letters=share)
        dealt = [wardrobe.dress(rng, Shape.CUBE, 16).keys for _ in range(60)]
        return sum(set(keys) <= set("ABCDEFGH") and len(set(keys)) == 6 for keys in dealt)

    assert lettered(1.0) == 60
    assert lettered(0.0) == 0
    assert 10 < lettered(0.4) < 40


@pytest.mark.slow
def test_photographed_faces_take_the_place_of_pips_of_their_number() -> None:
    torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
    training: Any = importlib.import_module("training.matcher.batches")
    studios: Any = importlib.import_module("training.matcher.studio")
    photographs: Any = importlib.import_module("training.matcher.photographs")
    side, edge = photographs.SIDE, round(photographs.SIDE * photographs.AROUND / (1 + 2 * photographs.AROUND))
    pixels = np.zeros((6, side, side, 3), np.uint8)
    pixels[:, edge:-edge, edge:-edge] = np.arange(40, 280, 40)[:, None, None, None]  # black around each face
    faces = photographs.Photographed(pixels, np.arange(1, 7, dtype=np.uint8))
    batches = training.Batches(_library(), photographed=faces)
    batch = batches.draw(np.random.default_rng(3), 4)
    names = [symbol.name for symbol in batches.library.symbols()]
    shown = [
        (names[kind], int(number))
        for view in range(training.VIEWS)
        for kind, number in zip(batch.classes, batch.rows[view * len(batch.classes) :, -1], strict=False)
        if number != studios.NONE
    ]
    assert len(shown) > 10
    assert all(name == f"{number + 1} pips" for name, number in shown)

    studio = studios.Studio(batches.library, batches.arts, torch.device("cpu"), faces)
    look = FaceLook(body=WHITE, ink=BLACK)
    plain = [studios.row(look, studios.Showing(0, 0, False, 0, plain=True, photograph=n)) for n in range(6)]
    shot = studio.shoot(torch.tensor(plain), torch.ones(6, dtype=torch.bool))
    assert (shot[:, :, 4:-4, 4:-4] * 255 - torch.arange(40, 280, 40)[:, None, None, None]).abs().max() < 1


def _studio() -> tuple[Any, Any, Any]:
    """PyTorch, the studio's module, and a studio that has the library."""
    torch: Any = pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
    training: Any = importlib.import_module("training.matcher.batches")
    studios: Any = importlib.import_module("training.matcher.studio")
    batches = training.Batches(_library())
    return torch, studios, studios.Studio(batches.library, batches.arts, torch.device("cpu"))


@pytest.mark.slow
@pytest.mark.parametrize("square", [True, False])
def test_more_than_its_own_ink_is_seen_through_a_clear_body(square: bool) -> None:
    torch, studios, studio = _studio()
    look = FaceLook(body=WHITE, ink=BLACK, scale=0.7)
    torch.manual_seed(4)
    rows = [studios.row(look, studios.Showing(5, 5, False, 0, plain=True, clear=c)) for c in (0, 0, 0, 1, 1, 1)]
    shot = studio.shoot(torch.tensor(rows), torch.full((6,), square))
    x, y = (round(64 * at) for at in (Shape.CUBE if square else Shape.OCTAHEDRON).centre)
    ink = shot[:, :, y, x].mean(1)
    assert (ink < 0.1).all(), "what is printed on a face covers what lies behind it"
    body = shot[:, :, 53:58, 20:44].flatten(1).std(1)
    assert (body[:3] < 0.01).all()
    assert (body[3:] > 0.03).all()


@pytest.mark.slow
@pytest.mark.parametrize("square", [True, False])
def test_ink_is_shown_alone_dark_on_a_light_die(square: bool) -> None:
    torch, studios, studio = _studio()
    look = FaceLook(body=(40.0, 160.0, 60.0), ink=(200.0, 230.0, 250.0), scale=0.5)
    rows = [studios.row(look, studios.Showing(5, 5, False, 0, plain=True, ink_alone=alone)) for alone in (0, 1)]
    whole, alone = studio.shoot(torch.tensor(rows), torch.full((2,), square))
    x, y = (round(64 * at) for at in (Shape.CUBE if square else Shape.OCTAHEDRON).centre)
    assert whole[:, y, x].mean() > whole[:, 56, 32].mean(), "light ink on a dark die"
    assert torch.equal(alone[0], alone[1])
    assert torch.equal(alone[0], alone[2])
    assert alone[0, y, x] < alone[0, 56, 32] - 0.2


@pytest.mark.slow
def test_a_batch_shows_each_symbol_in_every_view() -> None:
    pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
    training: Any = importlib.import_module("training.matcher.batches")
    studios: Any = importlib.import_module("training.matcher.studio")
    torch: Any = importlib.import_module("torch")
    batches = training.Batches(_library())
    studio = studios.Studio(batches.library, batches.arts, torch.device("cpu"))
    for seed in range(2):
        batch = batches.draw(np.random.default_rng(seed), 2)
        n = len(batch.classes)
        assert batch.rows.shape == (training.VIEWS * n + 2 * training.ASTRAY, studios.WIDTH)
        assert batch.square.shape == batch.rows.shape[:1]
        assert (batch.apart == batch.apart.T).all()
        assert (np.diag(batch.apart) == training.DIFFERENT).all(), "views of one symbol are compared"
        again = batches.draw(np.random.default_rng(seed), 2)
        assert np.array_equal(again.rows, batch.rows)
        torch.manual_seed(seed)
        faces = studio.shoot(torch.from_numpy(batch.rows), torch.from_numpy(batch.square))
        assert faces.shape == (len(batch.rows), 3, 64, 64)
        assert faces.isfinite().all()
        assert faces.min() >= 0
        assert faces.max() <= 1


def test_icons_that_were_found_alike_come_in_one_group_as_soon_as_they_are_mined(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch (pip install -e '.[train]')")
    training: Any = importlib.import_module("training.matcher.batches")
    batches = training.Batches(_library(), tmp_path)
    names = [icon.name for icon in batches.icons]
    alike = list(range(0, 2 * training.GROUP, 2))
    rng = np.random.default_rng(4)

    def groups_of_them() -> int:
        groups = [batches.group(rng, Shape.CUBE) for _ in range(200)]
        return sum({one.name for one in group[1:]} <= {names[i] for i in alike} for group in groups)

    assert groups_of_them() == 0
    np.save(tmp_path / training.NEIGHBOURS, np.tile(np.array(alike, np.int32), (len(names), 1)))
    assert groups_of_them() > 20
