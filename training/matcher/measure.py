"""Accuracy of a trained matcher on symbols it never saw, and the calibration of its confidences.

`python -m training.matcher.measure [FILE]` prints the table of the model card. Sets of faces are put together from
held-out icons, numerals in held-out typefaces and pips; each is shown as the gallery shows a dice set, each die as the
training pictures show one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.matcher.shots import Difficulty, shoot
from training.synth.collect import load
from training.synth.looks import random_look
from training.synth.symbols import Library, Symbol
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Calibration, Matcher
from vision.frame import Floats
from vision.gallery import looks_for
from vision.identify import confidences
from vision.network import WEIGHTS
from vision.rectify import FACE_SIZE, canonical_corners, rectify, turns
from vision.render.faces import FaceLook, compose

Faces = NDArray[np.uint8]

CORNER_ERRORS: Final = (0.0, 0.03, 0.06, 0.10, 0.15)
"""Length of each corner's error, in sides of the face, as in the tables."""

SHOT: Final = Difficulty(camera=0.7)
"""Cameras in the tables: a usual webcam's blur, noise, light and tilt."""

DICE_A_CASE: Final = 8
"""Dice for each made-up set, so that its gallery is embedded only once."""

UNKNOWN_SHARE: Final = 0.15
"""Dice in calibration that show none of the set's faces."""


@dataclass(frozen=True, eq=False, slots=True)
class Trial:
    """One die against one set of faces."""

    similarities: Floats
    """(F,) each face's best cosine."""
    truth: int
    """Index of the face shown, or -1 for none of them."""


def _upright(art: Faces, shape: Shape, scale: float) -> list[Faces]:
    """Art as `Gallery` shows it."""
    out: list[Faces] = []
    for look in looks_for(art, scale):
        drawn, _ = compose(art, shape, look, 2 * FACE_SIZE)
        out.append(rectify(drawn, canonical_corners(shape, 2 * FACE_SIZE), FACE_SIZE))
    return out


@dataclass(frozen=True, eq=False, slots=True)
class _Case:
    """A made-up set: the embeddings of its pictures in all turns, and whose they are."""

    embeddings: Floats
    owners: NDArray[np.intp]

    @classmethod
    def of(cls, matcher: Matcher, gallery: Sequence[Sequence[Faces]], shape: Shape) -> _Case:
        rows = [turns(face, shape) for faces in gallery for face in faces]
        owners = np.repeat(np.arange(len(gallery)), [len(faces) * shape.symmetry for faces in gallery])
        return cls(matcher.embed(np.concatenate(rows)), owners)

    def similarities(self, embeddings: Floats) -> Floats:
        """Each face's best cosine to each point, (N, F)."""
        cosines = embeddings @ self.embeddings.T
        return np.stack([cosines[:, self.owners == i].max(axis=1) for i in range(self.owners[-1] + 1)], axis=1)


def _look(rng: np.random.Generator, shape: Shape, symbol: Symbol) -> FaceLook:
    return random_look(rng, shape, coloured=symbol.coloured, fill=symbol.fills, hard=0.7)


def held_out(
    matcher: Matcher, library: Library, shape: Shape, *, pictures: int, corner_error: float, count: int, seed: int = 3
) -> float:
    """Share read right of `count` dice with held-out icons, each against a made-up set of as many as it has faces.

    `pictures` are mild photographs of each face in the gallery, or 0 for the art itself; `corner_error` is the length
    of each corner's error in sides.
    """
    rng = np.random.default_rng([seed, pictures, round(corner_error * 100)])
    pool = [s for s in library.symbols(held_out=True) if s.kind in ("icon", "colour")]
    single = [s for s in pool if not s.coloured]
    right = done = 0
    while done < count:
        kind = single if rng.random() < 0.75 else pool
        chosen = [kind[int(i)] for i in rng.choice(len(kind), shape.faces, replace=False)]
        look = _look(rng, shape, chosen[0])
        arts = [library.art(s, rng) for s in chosen]
        mild = Difficulty(0.3)
        photographed = [[shoot(a, shape, look, rng, mild, corner_error=0.01) for _ in range(pictures)] for a in arts]
        case = _Case.of(matcher, photographed if pictures else [_upright(a, shape, 0.8) for a in arts], shape)
        shown: dict[str, Any] = {"other": compose(arts[0], shape, look, 48)[0], "corner_error": corner_error}
        queries = [shoot(a, shape, look, rng, SHOT, turn=int(rng.integers(4)), **shown) for a in arts]
        best = case.similarities(matcher.embed(np.stack(queries))).argmax(axis=1)
        right += int((best == np.arange(shape.faces)).sum())
        done += shape.faces
    return right / done


def trials(matcher: Matcher, library: Library, count: int, seed: int = 4) -> Iterator[Trial]:
    """Dice against sets of held-out faces, for calibration; some dice show none of their set's faces."""
    rng = np.random.default_rng(seed)
    symbols = library.symbols(held_out=True)
    icons = [s for s in symbols if s.kind in ("icon", "colour")]
    numerals = sorted((s for s in symbols if s.kind == "glyph" and s.name in "12345678"), key=lambda s: s.name)
    pips = [s for s in symbols if s.kind == "pips"][:6]
    for _ in range(count // DICE_A_CASE):
        shape = Shape.CUBE if rng.random() < 0.65 else Shape.OCTAHEDRON
        kind = rng.random()
        drawings = 4
        if kind < 0.35:
            chosen = pips if shape is Shape.CUBE else numerals
        else:
            drawings = 1
            chosen = [icons[int(i)] for i in rng.choice(len(icons), shape.faces, replace=False)]
        arts = [[library.art(s, rng) for _ in range(drawings)] for s in chosen]
        scale = 1.0 if chosen[0].fills else 0.8
        case = _Case.of(matcher, [[f for art in own for f in _upright(art, shape, scale)] for own in arts], shape)
        truths: list[int] = []
        queries: list[Faces] = []
        for _ in range(DICE_A_CASE):
            truth = int(rng.integers(len(chosen)))
            astray = False
            if rng.random() < UNKNOWN_SHARE:
                truth, astray = -1, bool(rng.random() < 0.5)
            symbol = chosen[truth] if truth >= 0 else icons[int(rng.integers(len(icons)))]
            art = arts[truth][0] if truth >= 0 and drawings == 1 else library.art(symbol, rng)
            look = _look(rng, shape, symbol)
            other = compose(arts[truth - 1][0], shape, look, 48)[0]
            turn = int(rng.integers(4))
            queries.append(shoot(art, shape, look, rng, SHOT, turn=turn, other=other, astray=astray))
            truths.append(truth)
        for similar, truth in zip(case.similarities(matcher.embed(np.stack(queries))), truths, strict=True):
            yield Trial(similar, truth)


def calibrate(seen: Sequence[Trial]) -> Calibration:
    """Temperature and bid of "none of these" of least log loss. Raises ValueError if there are no trials."""
    if not seen:
        raise ValueError("expected trials to calibrate on, got none")
    grid = [
        Calibration(temperature=float(t), unknown=float(u))
        for t in np.linspace(0.03, 0.14, 12)
        for u in np.linspace(0.2, 0.8, 13)
    ]

    def loss(calibration: Calibration) -> float:
        total = 0.0
        for trial in seen:
            believed = confidences(trial.similarities[None], calibration)[0]
            worth = float(believed[trial.truth]) if trial.truth >= 0 else 1 - float(believed.sum())
            total -= float(np.log(max(worth, 1e-6)))
        return total

    return min(grid, key=loss)


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Keep a calibration in the network's own file, where `Matcher` looks for it."""
    import onnx

    model: Any = onnx.load(str(path))
    del model.metadata_props[:]
    entry = model.metadata_props.add()
    entry.key, entry.value = "calibration", json.dumps(asdict(calibration))
    onnx.save(model, str(path))


def fit_confidences(weights: Path, *, count: int = 1600) -> None:
    """Fit the calibration and store it in the network's file, which changes its checksum."""
    cv2.setNumThreads(1)
    write_calibration(weights, calibrate(list(trials(Matcher(weights), load(), count))))


def measure(weights: Path, *, count: int = 400, say: Callable[[str], None] = print) -> None:
    """Print the model card's table."""
    cv2.setNumThreads(1)
    library, matcher = load(), Matcher(weights)
    say(f"calibration {matcher.calibration}")
    others = [trial for trial in trials(matcher, library, 2 * count, 5) if trial.truth >= 0]
    believed = [confidences(trial.similarities[None], matcher.calibration)[0] for trial in others]
    right = [one.argmax() == trial.truth for one, trial in zip(believed, others, strict=True)]
    stated = np.mean([one.max() for one in believed])
    say(f"of {len(others)} other dice that show a face of their set {np.mean(right):.1%} right, stated {stated:.1%}")
    for shape in SHAPES:
        for error in CORNER_ERRORS:
            art, one, three = (
                held_out(matcher, library, shape, pictures=pictures, corner_error=error, count=count)
                for pictures in (0, 1, 3)
            )
            say(f"{shape} corners off {error:.0%}: art {art:.1%}, 1 picture {one:.1%}, 3 {three:.1%}")


if __name__ == "__main__":
    measure(Path(sys.argv[1]) if sys.argv[1:] else WEIGHTS / "matcher.onnx")
