"""Tables: wood, cloth, laminate, paper, boards, and flat things that lie on them.

Every function returns a square (T, T, 3) BGR texture. Flat things (cards, coins, tiles, print) are painted
into the texture, so the camera's perspective holds for them by itself.
"""

from __future__ import annotations

import cv2
import numpy as np

from training.synth.chance import TEXELS, clouds, hsv
from training.synth.clutter import block, counters, joint, keyboard, playing_card, plug, printed_label
from training.synth.ground_lands import lands
from vision.frame import Pixels


def granite(rng: np.random.Generator) -> Pixels:
    """Polished stone: grains of two to five colours, each kind with a size of its own."""
    image = np.broadcast_to(hsv(rng, (0.0, 0.35), (0.1, 0.9)), (TEXELS, TEXELS, 3)).astype(np.float32)
    for _ in range(int(rng.integers(2, 6))):
        cells = int(rng.uniform(50, 420))
        grains = clouds(rng, TEXELS, (cells, cells), 2)
        sharp = rng.uniform(2, 9)
        share = np.clip((grains - rng.uniform(0.2, 1.4)) * sharp, 0, 1)[..., None]
        image = image * (1 - share) + hsv(rng, (0.0, 0.4), (0.03, 1.0)) * share
    return np.clip(image, 0, 255).astype(np.uint8)


def terrazzo(rng: np.random.Generator) -> Pixels:
    """Chips of stone, often as large as dice, with straight edges, in cement; or confetti on paper."""
    paper = hsv(rng, (0.0, 0.25), (0.15, 1.0))
    image = np.broadcast_to(paper, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    palette = [hsv(rng, (0.0, 0.8), (0.05, 1.0)).tolist() for _ in range(int(rng.integers(2, 7)))]
    largest = float(rng.uniform(6, 40))
    for _ in range(int(rng.uniform(0.1, 0.5) * TEXELS**2 / (largest * largest))):
        count = int(rng.integers(3, 8))
        turns = np.sort(rng.uniform(0, 2 * np.pi, count))
        reach = rng.uniform(0.2, 0.7, count) * largest * rng.uniform(0.3, 1.0)
        chip = rng.uniform(0, TEXELS, 2) + np.stack([np.cos(turns), np.sin(turns)], 1) * reach[:, None]
        colour = palette[rng.integers(len(palette))]
        cv2.fillPoly(image, [np.rint(chip).astype(np.int32)], colour, cv2.LINE_AA)
    tone = 1 + rng.uniform(0, 0.06) * clouds(rng, TEXELS, (200, 200), 1)
    return np.clip(image * tone[..., None], 0, 255).astype(np.uint8)


def leather(rng: np.random.Generator) -> Pixels:
    """Cells between creases: a desk pad, or the floor of a dice tray."""
    cells = int(rng.uniform(30, 160))
    creases = np.abs(clouds(rng, TEXELS, (cells, cells), 2))
    relief = np.clip(creases * rng.uniform(0.8, 2), 0, 1)
    base = hsv(rng, (0.0, 0.8), (0.06, 0.6))
    return np.clip(base * (1 - rng.uniform(0.1, 0.5) * (1 - relief))[..., None], 0, 255).astype(np.uint8)


def fields(rng: np.random.Generator) -> Pixels:
    """A board of framed fields, about as large as dice or much larger; some hold words, dots or a smaller square."""
    ground = hsv(rng, (0.0, 0.7), (0.15, 1.0))
    image = np.broadcast_to(ground, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    palette = [hsv(rng, (0.1, 0.95), (0.15, 1.0)).tolist() for _ in range(int(rng.integers(2, 8)))]
    side = int(rng.integers(24, 150))
    gap = int(side * rng.uniform(0, 0.3))
    frame, thick = hsv(rng, (0, 0.5), (0, 1)).tolist(), max(int(side * rng.uniform(0, 0.08)), 1)
    full = rng.uniform(0.2, 1.0)
    for y in range(0, TEXELS, side + gap):
        for x in range(0, TEXELS, side + gap):
            if rng.random() > full:
                continue
            cv2.rectangle(image, (x, y), (x + side, y + side), palette[rng.integers(len(palette))], -1)
            cv2.rectangle(image, (x, y), (x + side, y + side), frame, thick)
            _content(rng, image, x, y, side, frame)
    tone = 1 + rng.uniform(0, 0.1) * clouds(rng, TEXELS, (40, 40), 2)
    return np.clip(image * tone[..., None], 0, 255).astype(np.uint8)


def _content(rng: np.random.Generator, image: Pixels, x: int, y: int, side: int, ink: list[float]) -> None:
    kind = rng.integers(0, 6)
    if kind == 0:
        start, lines = (x + side // 8, y + side // 8), int(rng.integers(1, 5))
        _words(rng, image, start, side * 3 // 4, lines, max(side // 7, 3))
    elif kind == 1:
        inner = int(side * rng.uniform(0.12, 0.3))
        colour = hsv(rng, (0, 0.9), (0.1, 1)).tolist()
        cv2.rectangle(image, (x + inner, y + inner), (x + side - inner, y + side - inner), colour, -1)
    elif kind == 2:
        for _ in range(int(rng.integers(1, 7))):
            spot = (x + int(rng.uniform(0.15, 0.85) * side), y + int(rng.uniform(0.15, 0.85) * side))
            cv2.circle(image, spot, max(side // int(rng.integers(8, 16)), 1), ink, -1, cv2.LINE_AA)


def page(rng: np.random.Generator) -> Pixels:
    """A rule book or score pad: columns of short dark strokes, boxes, empty tables."""
    light = rng.random() < 0.85
    paper = hsv(rng, (0, 0.15), (0.8, 1.0) if light else (0.05, 0.3))
    ink = hsv(rng, (0, 0.6), (0.0, 0.4) if light else (0.6, 1.0)).tolist()
    image = np.broadcast_to(paper, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    line = int(rng.integers(5, 22))
    wide = int(rng.integers(120, 360))
    for x in range(line, TEXELS, wide + 2 * line):
        y = line
        while y < TEXELS:
            if rng.random() < 0.06:
                tall = line * int(rng.integers(3, 14))
                box = ((x, y), (x + wide, y + tall))
                colour = hsv(rng, (0, 0.8), (0.2, 1)).tolist()
                cv2.rectangle(image, *box, colour, -1 if rng.random() < 0.5 else max(line // 8, 1))
                y += tall + line
            else:
                _words(rng, image, (x, y), wide, 1, line, ink)
                y += line
    return image


def _words(
    rng: np.random.Generator, image: Pixels, start: tuple[int, int], wide: int, lines: int, line: int,
    ink: list[float] | None = None,
) -> None:  # fmt: skip
    """Strokes as long as words, `lines` of them below each other, `line` texels apart."""
    colour = ink or hsv(rng, (0, 0.4), (0, 0.35)).tolist()
    tall = max(int(line * 0.45), 1)
    for number in range(lines):
        x, y = start[0], start[1] + number * line
        stop = start[0] + int(wide * rng.uniform(0.5, 1.0))
        while x < stop:
            length = int(rng.uniform(1, 6) * tall)
            for stroke in range(x, min(x + length, stop), max(tall // 2, 2)):
                top = y + int(rng.uniform(0, 0.35) * tall)
                cv2.line(image, (stroke, top), (stroke, y + tall), colour, max(tall // 6, 1))
            x += length + tall


def _wood(rng: np.random.Generator) -> Pixels:
    base = hsv(rng, (0.15, 0.6), (0.3, 0.9))
    base = base[[0, 1, 2]] if rng.random() < 0.2 else np.sort(base)
    fibre = clouds(rng, TEXELS, (3, int(rng.integers(30, 120))), 3)
    rings = np.sin(clouds(rng, TEXELS, (2, 5), 2) * rng.uniform(2, 9))
    tone = 1 + rng.uniform(0.02, 0.12) * fibre + rng.uniform(0, 0.12) * rings
    image = base * tone[..., None]
    if rng.random() < 0.3:
        step = int(rng.integers(60, 200))
        image[::step] *= 0.6
    return np.clip(image, 0, 255).astype(np.uint8)


def _cloth(rng: np.random.Generator) -> Pixels:
    base = hsv(rng, (0.1, 0.95), (0.12, 0.75))
    weave = rng.standard_normal((TEXELS, TEXELS), dtype=np.float32) * rng.uniform(0.02, 0.2)
    if rng.random() < 0.5:
        weave = cv2.GaussianBlur(weave, (0, 0), rng.uniform(0.5, 1.6)) * 1.6
    image = base * (1 + weave + 0.05 * clouds(rng, TEXELS, (4, 4)))[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def _laminate(rng: np.random.Generator) -> Pixels:
    base = hsv(rng, (0.0, 0.15), (0.35, 1.0)) if rng.random() < 0.75 else hsv(rng, (0.1, 0.7), (0.1, 0.9))
    image = np.broadcast_to(base, (TEXELS, TEXELS, 3)) * (1 + 0.02 * clouds(rng, TEXELS, (5, 5)))[..., None]
    if rng.random() < 0.6:
        count = int(rng.integers(200, 5000))
        ys, xs = rng.integers(0, TEXELS, (2, count))
        radius = 1 if rng.random() < 0.7 else 2
        flecks = np.zeros((TEXELS, TEXELS), np.uint8)
        flecks[ys, xs] = 255
        if radius == 2:
            flecks = cv2.dilate(flecks, np.ones((2, 2), np.uint8))
        image = np.where(flecks[..., None] > 0, hsv(rng, (0, 0.4), (0.05, 1.0)), image)
    return np.clip(image, 0, 255).astype(np.uint8)


def _marbled(rng: np.random.Generator) -> Pixels:
    first, second = hsv(rng, (0, 0.8), (0.1, 1)), hsv(rng, (0, 0.8), (0.1, 1))
    cells = int(rng.integers(2, 12))
    mix = 1 / (1 + np.exp(-clouds(rng, TEXELS, (cells, cells), 4) * rng.uniform(1, 5)))
    return np.clip(first * mix[..., None] + second * (1 - mix[..., None]), 0, 255).astype(np.uint8)


def _pattern(rng: np.random.Generator) -> Pixels:
    """Checks, stripes, tiles and dots: the print of cloths, boards and mats."""
    image = np.broadcast_to(hsv(rng, (0, 0.8), (0.2, 1)), (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    colour = hsv(rng, (0, 0.8), (0.1, 1)).tolist()
    step = int(rng.integers(14, 110))
    style = rng.integers(0, 4)
    for a in range(0, TEXELS, step):
        if style == 0:
            cv2.rectangle(image, (a, 0), (a + step // 2, TEXELS), colour, -1)
            continue
        for b in range(0, TEXELS, step):
            if style == 1 and (a // step + b // step) % 2:
                cv2.rectangle(image, (a, b), (a + step, b + step), colour, -1)
            elif style == 2:
                cv2.circle(image, (a, b), max(step // int(rng.integers(3, 9)), 1), colour, -1, cv2.LINE_AA)
            elif style == 3:
                cv2.rectangle(image, (a, b), (a + step, b + step), colour, max(step // 20, 1))
    noise = 1 + 0.05 * rng.standard_normal((TEXELS, TEXELS, 1), dtype=np.float32)
    return np.clip(image * noise, 0, 255).astype(np.uint8)


def _place(image: Pixels, thing: Pixels, mask: Pixels, centre: tuple[float, float], angle: float) -> None:
    """Paste `thing` where `mask` says, turned, with a thin shadow."""
    h, w = mask.shape
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
    turn[:, 2] += np.array(centre) - (w / 2, h / 2)
    size = (image.shape[1], image.shape[0])
    alpha = cv2.warpAffine(mask, turn, size, flags=cv2.INTER_LINEAR)
    moved = cv2.warpAffine(thing, turn, size, flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(alpha, (0, 0), 3)
    shade = np.roll(shadow, (2, 2), (0, 1))[..., None].astype(np.float32) / 255 * 0.35
    share = alpha[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - shade) * (1 - share) + moved * share).astype(np.uint8)


def _card(rng: np.random.Generator, art: Pixels | None) -> tuple[Pixels, Pixels]:
    """A card, tile or coin (upright, with its mask); some carry a symbol or pips, as dice do."""
    w = int(rng.integers(30, 190))
    h = int(w * rng.choice([1.0, 1.0, 1.4, 1.55]))
    paper = hsv(rng, (0, 0.3), (0.7, 1)) if rng.random() < 0.6 else hsv(rng, (0.1, 0.9), (0.1, 1))
    thing = np.broadcast_to(paper, (h, w, 3)).astype(np.uint8).copy()
    mask = np.zeros((h, w), np.uint8)
    style = rng.integers(0, 4)
    if style == 0:
        cv2.ellipse(mask, (w // 2, h // 2), (w // 2 - 1, h // 2 - 1), 0, 0, 360, 255, -1, cv2.LINE_AA)
        ring = (paper * rng.uniform(0.6, 1.2)).clip(0, 255).tolist()
        cv2.circle(thing, (w // 2, h // 2), int(w * 0.42), ring, 2)
    elif style == 1:
        turns = np.deg2rad(np.arange(0, 360, 60) + 30)
        points = np.stack([w / 2 + w / 2 * np.cos(turns), h / 2 + h / 2 * np.sin(turns)], 1)
        cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 255, cv2.LINE_AA)
    else:
        mask[1:-1, 1:-1] = 255
    if rng.random() < 0.5:
        rim = hsv(rng, (0, 1), (0, 0.9)).tolist()
        cv2.rectangle(thing, (w // 12, h // 12), (w - w // 12, h - h // 12), rim, 2)
    content = rng.random()
    if content < 0.35 and art is not None:
        small = cv2.resize(art, (int(w * 0.6), int(w * 0.6)), interpolation=cv2.INTER_AREA)
        y, x = (h - small.shape[0]) // 2, (w - small.shape[1]) // 2
        ink = hsv(rng, (0, 1), (0, 0.6))
        share = small[..., 3:].astype(np.float32) / 255
        patch = thing[y : y + small.shape[0], x : x + small.shape[1]]
        patch[:] = (patch * (1 - share) + ink * share).astype(np.uint8)
    elif content < 0.6:
        for line in range(h // 8, h - h // 8, max(h // int(rng.integers(6, 14)), 3)):
            end = int(w * rng.uniform(0.4, 0.9))
            cv2.line(thing, (w // 10, line), (end, line), (40, 40, 40), max(h // 60, 1))
    elif content < 0.8:
        for _ in range(int(rng.integers(1, 10))):
            spot = (int(rng.integers(0, w)), int(rng.integers(0, h)))
            reach = int(rng.integers(2, max(w // 6, 3)))
            cv2.circle(thing, spot, reach, hsv(rng, (0, 1), (0, 1)).tolist(), -1)
    return thing, mask


def _scribble(rng: np.random.Generator, image: Pixels) -> None:
    """Cables, pens and lines."""
    points = np.cumsum(rng.normal(0, 60, (int(rng.integers(2, 7)), 2)), 0) + rng.uniform(0, TEXELS, 2)
    curve = cv2.resize(points.astype(np.float32)[None], (60, 1), interpolation=cv2.INTER_LINEAR)[0]
    curve = np.asarray(cv2.GaussianBlur(curve[None], (31, 1), 6)[0], np.float32)
    thick = int(rng.integers(1, 14))
    colour = hsv(rng, (0, 0.7), (0.02, 1)).tolist()
    cv2.polylines(image, [np.rint(curve + 3).astype(np.int32)], False, (30, 30, 30), thick, cv2.LINE_AA)
    cv2.polylines(image, [np.rint(curve).astype(np.int32)], False, colour, thick, cv2.LINE_AA)


def _slab(rng: np.random.Generator, image: Pixels) -> None:
    """A laptop, book or tray that covers one side of the table."""
    angle = rng.uniform(0, 2 * np.pi)
    direction = np.array([np.cos(angle), np.sin(angle)])
    edge = direction * TEXELS * rng.uniform(0.15, 0.5) + TEXELS / 2
    along = np.array([-direction[1], direction[0]]) * TEXELS * 2
    far = direction * TEXELS
    polygon = np.rint([edge - along, edge + along, edge + along + far, edge - along + far]).astype(np.int32)
    cv2.fillConvexPoly(image, polygon, hsv(rng, (0, 0.6), (0.03, 0.9)).tolist(), cv2.LINE_AA)
    if rng.random() < 0.6:
        keys, mask = keyboard(rng)
        at = edge + direction * (max(keys.shape[:2]) * 0.55) + along * rng.uniform(-0.15, 0.15)
        _place(image, keys, mask, (float(at[0]), float(at[1])), -float(np.rad2deg(angle)) + 90)


KINDS = {
    _wood: 0.18, _cloth: 0.13, _laminate: 0.17, _marbled: 0.06, _pattern: 0.07, lands: 0.08,
    granite: 0.11, terrazzo: 0.05, leather: 0.05, fields: 0.06, page: 0.04,
}  # fmt: skip
"""What tables are covered with, and how often."""
THINGS = (keyboard, printed_label, counters, plug, block, joint, playing_card)
"""What lies on them."""


def ground_texture(
    rng: np.random.Generator, arts: tuple[Pixels, ...] = (), clutter: float = 1.0, boards: float = 0.0
) -> Pixels:
    """A random table with things on it. `arts` are (S, S, 4) symbols that cards and tiles may carry.

    `boards` is how often it is covered by a board of lands, whatever else it might have been.
    """
    kind = tuple(KINDS)[rng.choice(len(KINDS), p=list(KINDS.values()))]
    if boards and rng.random() < boards:
        kind = lands
    image = np.ascontiguousarray(kind(rng))
    if rng.random() < 0.3 * clutter:
        _slab(rng, image)
    for _ in range(int(rng.poisson(1.0 * clutter))):
        art = arts[rng.integers(0, len(arts))] if arts else None
        thing, mask = _card(rng, art)
        _place(image, thing, mask, tuple(rng.uniform(0, TEXELS, 2)), rng.uniform(0, 360))
    for _ in range(int(rng.poisson(0.9 * clutter))):
        thing, mask = THINGS[int(rng.integers(len(THINGS)))](rng)
        _place(image, thing, mask, tuple(rng.uniform(0, TEXELS, 2)), rng.uniform(0, 360))
    for _ in range(int(rng.poisson(0.5 * clutter))):
        _scribble(rng, image)
    if rng.random() < 0.25:
        image = np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    return image
