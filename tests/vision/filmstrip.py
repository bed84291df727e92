"""Films in the form of `training.film.folder`, of flat dice: drawn in a moment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

Place = tuple[str, float, float]
"""A die's face and the middle of it in pixels."""

WIDTH, HEIGHT, HALF_SIDE = 320, 240, 11.0


def lying(place: Place) -> list[list[float]]:
    """The corners of a die, upright."""
    _, x, y = place
    s = HALF_SIDE
    return [[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]]


def picture(places: Sequence[Place]) -> np.ndarray:
    """A table with these dice."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    pixels = np.stack([70 + 10 * np.sin(x / 9), 95 + 10 * np.cos(y / 7), 60 + 0 * x], -1).astype(np.uint8)
    for place in places:
        cv2.fillConvexPoly(pixels, np.rint(lying(place)).astype(np.int32), (225, 235, 240))
        cv2.putText(
            pixels,
            place[0],
            (round(place[1]) - 6, round(place[2]) + 6),
            cv2.FONT_HERSHEY_PLAIN,
            1.2,
            (40, 20, 20),
            2,
        )
    return pixels


def strip(
    folder: Path, throws: Sequence[tuple[Sequence[int], Mapping[int, Place]]], *, nudged: Sequence[int] = ()
) -> Path:
    """A film of Meet Fate: for each throw the dice that are held, and how all of them lie in the end.

    In the throws numbered `nudged` the first die that is held is pushed by three pixels beforehand.
    """
    folder.mkdir()
    cv2.imwrite(str(folder / "bare.png"), picture([]))
    told: list[dict[str, object]] = []
    before: dict[int, Place] = {}
    for number, (held, after) in enumerate(throws):
        name = f"{number:03}"
        staying = {n: before[n] for n in held}
        if held:
            cv2.imwrite(str(folder / f"{name}-held.png"), picture(list(staying.values())))
        if number in nudged:
            face, x, y = staying[held[0]]
            staying[held[0]] = (face, x + 3, y)
            cv2.imwrite(str(folder / f"{name}-nudged.png"), picture(list(staying.values())))
        dice = {**after, **staying}
        flying = {n: place for n, place in dice.items() if n not in held}
        keys: list[dict[str, object]] = []
        for key, share in enumerate((0.2, 0.6)):
            way = {
                n: ("", WIDTH / 2 + (x - WIDTH / 2) * share, HEIGHT + (y - HEIGHT) * share)
                for n, (_, x, y) in flying.items()
            }
            small = cv2.resize(picture([*staying.values(), *way.values()]), (WIDTH // 2, HEIGHT // 2))
            cv2.imwrite(str(folder / f"{name}-{key:02}.png"), small)
            keys.append(
                {"after": 0.1 + 0.2 * key, "spots": [[x, y, 2 * HALF_SIDE] for _, x, y in way.values()]}
            )
        cv2.imwrite(str(folder / f"{name}-rest0.png"), picture(list(dice.values())))
        told.append(
            {
                "held": list(held), "nudged": held[0] if number in nudged else None, "ends": 0.5, "keys": keys,
                "rest": f"{name}-rest0.png",
                "dice": {str(n): {"face": p[0], "corners": lying(p)} for n, p in dice.items()},
            }
        )  # fmt: skip
        before = dice
    film: dict[str, object] = {
        "set": "fate", "game": "meet-fate", "options": {}, "width": WIDTH, "height": HEIGHT,
        "dice": len(before), "throws": told,
    }  # fmt: skip
    (folder / "film.json").write_text(json.dumps(film), encoding="utf-8")
    return folder


def evening_strip(folder: Path) -> Path:
    """Four throws of six dice: all, four again, two again (one held die is pushed), and all anew."""
    rng = np.random.default_rng(1)

    def rolled(numbers: Sequence[int]) -> dict[int, Place]:
        return {
            n: (str(rng.integers(1, 9)), 45.0 + 46 * n + rng.uniform(-8, 8), 60.0 + rng.uniform(0, 110))
            for n in numbers
        }

    first = rolled(range(6))
    second = {**first, **rolled((0, 1, 2, 3))}
    third = {**second, **rolled((0, 5))}
    return strip(
        folder, [((), first), ((4, 5), second), ((1, 2, 3, 4), third), ((), rolled(range(6)))], nudged=(2,)
    )
