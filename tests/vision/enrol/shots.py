"""Pictures of paper dice on a dark table, and a finder that finds them: light squares and triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.boxes import Box
from vision.corners import clockwise
from vision.detection import Detection
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.library import find
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Matcher, Points
from vision.enrol.enrol import Enrolled, Wish, enrol
from vision.enrol.shown import Shown, shown_dice
from vision.frame import Floats, Pixels
from vision.rectify import canonical_corners
from vision.render.faces import FaceLook, compose

BODY = (238.0, 238.0, 238.0)
FACES = ("emu", "koala", "joker")


def paper(face: str, set_id: str = "outback", shape: Shape = Shape.CUBE, size: int = 192) -> Pixels:
    """One flat face of a shipped set, dark on light."""
    picture = find(set_id).face(face).pictures_for(shape)[0]
    return compose(picture.pixels(), shape, FaceLook(BODY, (30.0, 30.0, 30.0), scale=0.7), size)[0]


def table(
    *dice: tuple[Pixels, tuple[float, float], float],
    shape: Shape = Shape.CUBE,
    side: float = 80.0,
    size: tuple[int, int] = (480, 360),
) -> Pixels:
    """Faces laid on a table: each at (x, y), turned by so many degrees, `side` pixels wide."""
    pixels = np.full((size[1], size[0], 3), (70, 60, 50), np.uint8)
    for face, (x, y), turn in dice:
        edge = face.shape[0]
        unit = (canonical_corners(shape, 1).astype(np.float64) - 0.5) * side
        angle = np.deg2rad(turn)
        spun = unit @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        place = np.add(spun, (x, y)).astype(np.float32)
        source = canonical_corners(shape, edge).astype(np.float32)
        affine = cv2.getAffineTransform(source[:3], place[:3])
        cover = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(cover, np.round(place).astype(np.int32), 255)
        laid = cv2.warpAffine(face, affine, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        pixels[cover > 0] = laid[cover > 0]
    return pixels


class PaperMatcher(Matcher):
    """Compares flat faces by their grey levels: on paper as good as the network, and a thousand times as quick."""

    def __init__(self) -> None:
        super().__init__()
        self.fingerprint = "paper"

    def embed(self, faces: Pixels) -> Points:
        grey = [cv2.cvtColor(face[8:-8, 8:-8], cv2.COLOR_BGR2GRAY) for face in faces]
        small = [cv2.resize(cv2.GaussianBlur(one, (0, 0), 2), (16, 16)) for one in grey]
        points = np.stack(small).reshape(len(faces), -1).astype(np.float32)
        points -= points.mean(axis=1, keepdims=True)
        return points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-6)


class PaperFinder:
    """Finds light squares and triangles; keeps the promises of `vision.enrol.shown.FindsDice`."""

    def detect(self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES) -> tuple[Detection, ...]:
        light = (cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY) > 150).astype(np.uint8)
        contours, _ = cv2.findContours(
            cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)),
            cv2.RETR_EXTERNAL,
            cv2.CHAIN_APPROX_NONE,
        )
        found: list[Detection] = []
        for contour in contours:
            outline = cv2.approxPolyDP(cv2.convexHull(contour), 0.06 * cv2.arcLength(contour, True), True)
            if cv2.contourArea(contour) < 60 or len(outline) not in (3, 4):
                continue
            seen: Shape = Shape.CUBE if len(outline) == 4 else Shape.OCTAHEDRON
            corners = clockwise(outline[:, 0].astype(np.float32) + 0.5)
            if seen not in shapes:
                corners = _as_if(corners, shapes[0])
            x, y, w, h = cv2.boundingRect(contour)
            taken = seen if seen in shapes else shapes[0]
            found.append(Detection(taken, corners, 0.9, (float(x), float(y), float(x + w), float(y + h))))
        return tuple(found)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES
    ) -> tuple[Detection, ...]:
        dice = self.detect(pixels, shapes)
        return tuple(die for box, _ in boxes for die in dice if _holds(box, die.corners.mean(axis=0)))


def _as_if(corners: Floats, shape: Shape) -> Floats:
    """What a finder makes of a die of the other shape."""
    if shape == Shape.OCTAHEDRON:
        return corners[:3]
    return np.insert(corners, 1, np.add((corners[0] + corners[1]) / 2, (0, -8)), axis=0).astype(np.float32)


def _holds(box: Box, point: Floats) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def shown(matcher: Matcher, face: str, said: str = "", turn: float = 20.0, side: float = 80.0) -> Shown:
    """A die that shows one face and is said to show another."""
    (one,) = shown_dice(PaperFinder(), matcher, table((paper(face), (200, 160), turn), side=side), [Shape.CUBE])
    return replace(one, face=said or face, source="the table")


def shot(path: Path, face: str, turn: float = 10.0, side: float = 80.0) -> Path:
    """A picture of one die in a file."""
    cv2.imwrite(str(path), table((paper(face), (200, 160), turn), side=side))
    return path


def shots(folder: Path, count: int = 1) -> dict[str, tuple[Path, ...]]:
    """So many pictures of each face."""
    several = range(count)
    return {
        face: tuple(shot(folder / f"{face}{i}.png", face, 10 + 35 * i, 70 + 15 * i) for i in several)
        for face in FACES
    }


def wish(pictures: dict[str, tuple[Path, ...]], **more: object) -> Wish:
    """The set "mine" of these pictures."""
    faces = tuple(FaceNote(face) for face in pictures)
    return Wish(SetNote("mine", {"en": "Mine"}, (Shape.CUBE,), faces, **more), pictures)  # type: ignore[arg-type]


def enrolled(asked: Wish, matcher: Matcher | None = None, **how: bool) -> Enrolled:
    """The set that comes of it, compared by grey levels unless a matcher is given."""
    return enrol(asked, PaperFinder(), matcher or PaperMatcher(), **how)
