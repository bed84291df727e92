"""Makes sticker sheets: a dice set as a PDF at true size, to print, cut out and stick on blank dice.

All lengths are millimetres on paper, x to the right and y down, as in fpdf2. A die's size is the distance between
opposite faces, which is how dice are sold and what a calliper measures.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np

from vision.dicesets.files import DiceSetError
from vision.dicesets.model import DiceSet, Face
from vision.dicesets.shapes import Shape
from vision.frame import Pixels, Point

if TYPE_CHECKING:
    from fpdf import FPDF

Paper = Literal["a4", "letter"]

PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the paper in mm (ISO 216; ANSI A)."""

USUAL_SIZE = 16.0
"""The usual sizes of a d6 and a d8 in mm."""

STICKER_PART = 0.875
"""A sticker's side as a share of its face's: 14 mm on a 16 mm d6. A real die's edges are rounded, so a sticker as large
as the face would not lie flat."""

CORNER_PART = 0.1
"""The radius of a sticker's corners as a share of its side: sharp corners peel off first."""


def face_side(shape: Shape, size: float) -> float:
    """The edge of a face of a die that measures ``size`` between opposite faces.

    A regular octahedron's opposite faces are edge · √(2/3) apart (twice its inradius, edge · √6/6).
    """
    return size / shape.height


def face_corners(shape: Shape, side: float) -> tuple[Point, ...]:
    """A face's corners about its centre at (0, 0), clockwise on paper: d6 from top left, d8 from the apex."""
    x0, y0 = shape.centre
    return tuple((side * (x - x0), side * (y - y0)) for x, y in shape.outline)


def rounded(corners: Sequence[Point], radius: float, steps: int = 6) -> list[Point]:
    """A convex polygon, clockwise on paper, with its corners rounded to ``radius`` in ``steps`` pieces each."""
    outline: list[Point] = []
    for at, corner in enumerate(corners):
        before, after = (np.subtract(corners[(at + step) % len(corners)], corner) for step in (-1, 1))
        before, after = before / np.linalg.norm(before), after / np.linalg.norm(after)
        bisector = (before + after) / np.linalg.norm(before + after)
        # The distance of the arc's centre from the corner follows from half the corner's angle.
        half = math.acos(float(np.clip(before @ after, -1, 1))) / 2
        centre = np.asarray(corner) + bisector * radius / math.sin(half)
        away = math.atan2(-bisector[1], -bisector[0])
        for step in range(steps + 1):
            angle = away + (math.pi / 2 - half) * (2 * step / steps - 1)
            outline.append((centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)))
    return outline


@dataclass(frozen=True, slots=True)
class Sticker:
    """One kind of sticker: its outline and its picture, in mm from the face's centre at (0, 0).

    ``tile`` is (T, T, 4) RGBA and covers ``square``, given as (left, top, side).
    """

    face: Face
    outline: tuple[Point, ...]
    tile: Pixels
    square: tuple[float, float, float]


def sticker(face: Face, shape: Shape, size: float, picture_name: str = "") -> Sticker:
    """The sticker of a face of a die of a size: with its picture of this name, else art rather than a photograph.

    Art keeps the scale that the set gives it, so that a printed die looks to the camera like the set's own pictures; it
    shrinks only if the sticker is too small for it. A picture of a whole face (or art of scale 1, like pips) keeps its
    place on the face and loses the rim that the sticker does not cover.
    """
    pictures = sorted(face.pictures_for(shape), key=lambda one: (one.name != picture_name, one.kind))
    if not pictures:
        raise DiceSetError(
            "{face:called} has no picture for a {shape:shape}", face=face.id, shape=shape
        )
    picture, side = pictures[0], face_side(shape, size)
    outline = rounded(face_corners(shape, side * STICKER_PART), side * STICKER_PART * CORNER_PART)
    pixels = picture.pixels()
    if picture.kind == "art" and picture.scale < 1:
        art = min(picture.scale, STICKER_PART * 0.97) * 2 * shape.inradius * side
        return Sticker(face, tuple(outline), pixels, (-art / 2, -art / 2, art))
    cut = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGBA) if pixels.shape[2] == 3 else pixels.copy()
    left, top = -side * shape.centre[0], -side * shape.centre[1]
    polygon = np.rint((np.array(outline) - (left, top)) * pixels.shape[0] / side).astype(np.int32)
    inside = cv2.fillPoly(np.zeros(pixels.shape[:2], np.uint8), [polygon], 255)
    cut[..., 3] = np.minimum(cut[..., 3], inside)
    return Sticker(face, tuple(outline), np.asarray(cut, np.uint8), (left, top, side))


def printable(text: str, instead: str = "") -> str:
    """The part of a text in letters that every PDF reader has (Latin-1); ``instead`` if nothing remains."""
    text = text.translate(str.maketrans({"Ł": "L", "ł": "l", "’": "'", "–": "-", "…": "..."}))
    try:
        text.encode("latin-1")
        return text
    except UnicodeEncodeError:
        plain = unicodedata.normalize("NFKD", text).encode("latin-1", "ignore").decode("latin-1")
        return plain if plain.strip() else instead


MARGIN = 12.0
GAP = 3.0
"""Space between stickers, so that each can be cut out alone."""

RULER = 50.0
"""Length of the line that shows whether the printer kept the scale."""

SIZES = (8.0, 50.0)
"""Sizes of the smallest and the largest die that can be printed."""

MOST_DICE = 200
LABEL_WIDTH = 14.0
"""Space left of each row for the number of its die."""

FOOT = 58.0
"""Space at the foot of the last page for the net, the ruler and the credits."""

NET_HEIGHT = 27.0
"""Height of the drawing of the unfolded die."""

NOTE = (
    "Print at 100 % (never 'fit to page') on sticker paper: the ruler on the last page must measure 50 mm. "
    "Cut on the grey lines."
)


def sheet(
    dice_set: DiceSet,
    shapes: Sequence[Shape] = (),
    dice: int = 6,
    size: float = USUAL_SIZE,
    paper: Paper = "a4",
    picture: str = "",
    language: str = "en",
) -> bytes:
    """The PDF with stickers for ``dice`` dice of each shape (all of the set's, if none is named).

    ``picture`` names the pictures to use if faces have several; ``language`` is that of the labels. Raises DiceSetError
    if the set lacks the shape or the picture, or a number is out of range.
    """
    if not SIZES[0] <= size <= SIZES[1]:
        raise DiceSetError(
            "choose a size from {least} to {most} mm, not {found}", least=SIZES[0], most=SIZES[1], found=size
        )
    if not 1 <= dice <= MOST_DICE:
        raise DiceSetError("choose 1 to {most} dice, not {found}", most=MOST_DICE, found=dice)
    for shape in shapes:
        if shape not in dice_set.shapes:
            raise DiceSetError(
                "{set} has only {shapes:shape and}, no {shape:shape}",
                set=dice_set.id, shapes=dice_set.shapes, shape=shape,
            )  # fmt: skip
    names = sorted({each.name for face in dice_set.faces for each in face.pictures})
    if picture and picture not in names:
        raise DiceSetError(
            "{set} has no picture “{found}”; its pictures are {names:ids}",
            set=dice_set.id, names=tuple(names), found=picture,
        )  # fmt: skip
    from fpdf import FPDF  # importing it takes longer than opening a page

    pdf = FPDF(unit="mm", format=PAPERS[paper])
    pdf.set_auto_page_break(False)
    pdf.c_margin = 0  # align text with the stickers
    pdf.set_title(printable(dice_set.name(), dice_set.id))
    pdf.set_creator("Tableside")
    pdf.set_compression(True)
    for shape in shapes or dice_set.shapes:
        _Pages(pdf, dice_set, shape, size, picture or dice_set.printed, language).write(dice)
    return bytes(pdf.output() or b"")


class _Pages:
    """Draws the pages of one shape, from top to bottom."""

    def __init__(
        self, pdf: FPDF, dice_set: DiceSet, shape: Shape, size: float, picture: str, language: str
    ) -> None:
        self.pdf = pdf
        self.dice_set = dice_set
        self.shape: Shape = shape
        self.size = size
        self.net = dice_set.net_for(shape)
        faces = [dice_set.face(one) for one in dict.fromkeys(self.net or ())] or dice_set.faces_for(shape)
        kinds = {face.id: sticker(face, shape, size, picture) for face in faces}
        # If a net has a face twice, its row has that sticker twice.
        self.row = [kinds[face_id] for face_id in self.net or kinds]
        xs, ys = zip(*self.row[0].outline, strict=True)
        self.left, self.top = min(xs), min(ys)
        self.width, self.height = max(xs) - self.left, max(ys) - self.top
        self.across = max(1, int((pdf.w - 2 * MARGIN - LABEL_WIDTH + GAP) // (self.width + GAP)))
        self.labels = {face.id: printable(face.label(language), face.id) for face in faces}
        self.title = printable(dice_set.name(language), dice_set.id)
        self.y = 0.0

    def write(self, dice: int) -> None:
        """Draw all pages."""
        self._head()
        pitch = self.height + GAP
        for number in range(1, dice + 1):
            for at, kind in enumerate(self.row):
                column = at % self.across
                if column == 0:
                    self.y += pitch if at else 0.0
                    if self.y + self.height > self.pdf.h - MARGIN:
                        self._head()
                if at == 0:
                    self._text(MARGIN, self.y + self.height / 2 + 1, f"die {number}", 7)
                self._stick(kind, self._column(column) - self.left, self.y - self.top, kind.outline)
            self.y += pitch
        if self.y > self.pdf.h - FOOT:
            self._head()
        self._foot()

    def _head(self) -> None:
        self.pdf.add_page()
        self._text(
            MARGIN, MARGIN + 5, f"{self.title}: stickers for a {self.size:g} mm {self.shape}", 14, bold=True
        )
        self._text(MARGIN, MARGIN + 10, NOTE, 8)
        labels = [self.labels[kind.face.id] for kind in self.row]
        if self.net is None:
            sides = f"This set has {len(labels)} faces and a {self.shape} has {self.shape.faces} sides"
            choose = "every row has them all; choose the ones your die shall have."
            if len(labels) < self.shape.faces:
                choose = "print more dice and put some faces on twice."
            self._text(MARGIN, MARGIN + 14, f"{sides}: {choose}", 8)
        self.y = MARGIN + 23
        if len(labels) > self.across:
            self._text(MARGIN, self.y - 4, "Each die, from left to right: " + ", ".join(labels) + ".", 8)
            return
        for column, label in enumerate(labels):
            self._text(self._column(column), self.y - 1.5, label, 7, room=self.width)

    def _column(self, number: int) -> float:
        """Left edge of a column of stickers."""
        return MARGIN + LABEL_WIDTH + number * (self.width + GAP)

    def _stick(self, kind: Sticker, x: float, y: float, outline: Sequence[Point], scale: float = 1.0) -> None:
        """Draw a sticker's picture with the face's centre at (x, y), and its outline."""
        left, top, side = (scale * length for length in kind.square)
        written, coded = cv2.imencode(".png", cv2.cvtColor(kind.tile, cv2.COLOR_RGBA2BGRA))
        assert written, "OpenCV writes PNG"
        self.pdf.image(coded.tobytes(), x + left, y + top, side, side)
        self.pdf.set_draw_color(150)
        self.pdf.set_line_width(0.1)
        self.pdf.polygon([(x + a, y + b) for a, b in outline], style="D")

    def _foot(self) -> None:
        top = self.pdf.h - FOOT + 4
        if self.net is not None:
            self._text(MARGIN, top + 3, "Where the faces go:", 8, bold=True)
            opposite = [(self.net[i], self.net[-1 - i]) for i in range(len(self.net) // 2)]
            pairs = "; ".join(f"{self.labels[one]} and {self.labels[other]}" for one, other in opposite)
            told = f"Opposite sides: {pairs}. The drawing shows the die unfolded, from outside."
            self._paragraph(top + 5, 88, 7, 3, told)
            self._net(MARGIN + 100, top)
        self._ruler(MARGIN, self.pdf.h - 26)
        works = "; ".join(f"{c.work}: {c.author}, {c.licence}" for c in self.dice_set.attribution)
        told = printable(f"Pictures: {works or 'the players own'}.")
        self._paragraph(self.pdf.h - 21, self.pdf.w - 2 * MARGIN, 5, 2.1, told)

    def _paragraph(self, top: float, width: float, points: float, pitch: float, text: str) -> None:
        self.pdf.set_xy(MARGIN, top)
        self.pdf.set_font("helvetica", size=points)
        self.pdf.multi_cell(width, pitch, text, align="L")

    def _net(self, left: float, top: float) -> None:
        """Draw the unfolded die: the cross of a cube, or the four diamonds of an octahedron."""
        assert self.net is not None
        kinds = {kind.face.id: kind for kind in self.row}
        middles = [y for _, _, y, _ in self.shape.unfolded]
        edge = NET_HEIGHT / (min(middles) + max(middles))
        corners = face_corners(self.shape, edge)
        for place, across, down, turn in self.shape.unfolded:
            x, y = left + edge * across, top + edge * down
            with self.pdf.rotation(turn, x, y):
                self._stick(kinds[self.net[place]], x, y, corners, edge / face_side(self.shape, self.size))

    def _ruler(self, x: float, y: float) -> None:
        self.pdf.set_draw_color(0)
        self.pdf.set_line_width(0.2)
        self.pdf.line(x, y, x + RULER, y)
        for mark in range(int(RULER) + 1):
            self.pdf.line(x + mark, y, x + mark, y - (3 if mark % 10 == 0 else 1.8 if mark % 5 == 0 else 1))
        self._text(x + RULER + 2, y, f"{RULER:g} mm", 8)

    def _text(
        self, x: float, y: float, text: str, points: float, bold: bool = False, room: float | None = None
    ) -> None:
        """Draw a line of text on the baseline y, smaller if it is longer than ``room`` or the paper."""
        self.pdf.set_font("helvetica", "B" if bold else "", points)
        room = self.pdf.w - MARGIN - x if room is None else room
        if (wide := self.pdf.get_string_width(text)) > room:
            self.pdf.set_font_size(points * room / wide)
        self.pdf.text(x, y, text)
