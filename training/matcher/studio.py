"""Composes and shoots many faces at once on the training device: with a GPU, hundreds of times faster than
`training.matcher.shots`, which draws them one by one.

The steps, their order and their probabilities are the same, but everything happens in the face's own plane: the face
and its surroundings are computed at each point that rectification would sample, twice as finely as the canonical face;
then the picture is reduced to the camera's resolution, degraded, and enlarged again.

Coordinates are those of a canonical face of side 1; lengths are in such sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as fn

from training.corruptions import jpeg, smeared, softened
from training.matcher.photographs import AROUND, Photographed
from training.synth.symbols import ART_SIZE, PIP_COUNTS, Library, Symbol, draw_pips
from vision.dicesets.shapes import Shape
from vision.ink import ink_alone
from vision.rectify import FACE_SIZE, GROUND, face_mask
from vision.render.faces import FaceLook

FINE: Final = 2 * FACE_SIZE
"""Points along a side at which a face is computed."""
SIZES: Final = (13, 18, 26, 38, 58, 90)
"""Sides of faces in the camera's picture, px."""
MILD_SIZE: Final = 36
"""Least of them in pictures for a gallery."""
LAYOUTS: Final = 400
"""Drawings of each number of pips."""
GRAINS: Final = {"marble": 0, "wood": 1, "speckle": 2, "swirl": 3, "glitter": 4}
FACETS: Final = 4
"""Visible edges of a clear body's far side."""
POLISHED: Final = 0.6
"""Share of clear bodies that break their surroundings into shards with sharp edges."""
SHARDS: Final = 5
"""Number of lines between shards."""
SHADED: Final = 0.4
"""Share of clear bodies with a visible shadow of the face's own ink."""
NONE: Final = -1
"""The index that means no photograph."""
FRAMES: Final = {"none": 0, "line": 1, "ring": 2, "disc": 3}

ROW: Final = (
    ("art", 1), ("other", 1), ("coloured", 1), ("body", 3), ("inked", 1), ("ink", 3), ("engraved", 1), ("scale", 1),
    ("offset", 2), ("rotation", 1), ("frame", 1), ("frame_ink", 3), ("frame_size", 1), ("frame_width", 1), ("paper", 1),
    ("ground", 3), ("wear", 1), ("grain", 1), ("grain_colour", 3), ("grain_kind", 1), ("turn", 1), ("plain", 1),
    ("hard", 1), ("astray", 1), ("clear", 1), ("ink_alone", 1), ("photograph", 1),
)  # fmt: skip
"""The description of a face: names, and how many numbers each has."""
WIDTH: Final = sum(width for _, width in ROW)


@dataclass(frozen=True, slots=True)
class Showing:
    """How one face is shown, beside its look."""

    art: int
    other: int
    coloured: bool
    """Whether the art has colours of its own."""
    turn: int
    plain: bool = False
    """Whether it is a gallery picture, without degradation."""
    hard: float = 1.0
    astray: bool = False
    clear: float = 0.0
    """0 opaque … 1 as clear as glass."""
    ink_alone: int = 0
    """Whether its ink is seen alone, and in which of its colours: 0 for the whole face, else one of `vision.ink`'s two,
    1 or 2."""
    photograph: int = NONE
    """Which photographed face is shown instead."""


def row(look: FaceLook, showing: Showing) -> list[float]:
    """The values of `ROW` for one face."""
    return [
        showing.art, showing.other, showing.coloured, *look.body, look.ink is not None, *(look.ink or (0.0, 0.0, 0.0)),
        look.finish == "engraved", look.scale, *look.offset, look.rotation, FRAMES[look.frame], *look.frame_ink,
        look.frame_size, look.frame_width, look.ground is not None, *(look.ground or (0.0, 0.0, 0.0)), look.wear,
        look.grain, *look.grain_colour, GRAINS[look.grain_kind], showing.turn, showing.plain, showing.hard,
        showing.astray, showing.clear, showing.ink_alone, showing.photograph,
    ]  # fmt: skip


class Arts:
    """Where each symbol's drawings lie in the studio: one-coloured ones in rows from 0 up, others from -1 down."""

    def __init__(self, library: Library, symbols: tuple[Symbol, ...]) -> None:
        """`symbols` are those that are drawn."""
        doubled = [s for s in symbols if s.kind == "double"]
        self.doubled = [[s for s in doubled if s.coloured == coloured] for coloured in (False, True)]
        start = len(library.mono)
        self._pips = {f"{n} pips": start + i * LAYOUTS for i, n in enumerate(PIP_COUNTS)}
        self._blank = start + len(PIP_COUNTS) * LAYOUTS
        plain, coloured = self.doubled
        self._doubles = {s.name: self._blank + 1 + i for i, s in enumerate(plain)}
        self._doubles |= {s.name: -1 - len(library.colour) - i for i, s in enumerate(coloured)}

    def of(self, symbol: Symbol, rng: np.random.Generator) -> int:
        """One of its drawings."""
        if symbol.kind == "pips":
            return self._pips[symbol.name] + int(rng.integers(LAYOUTS))
        if symbol.kind == "blank":
            return self._blank
        if symbol.kind == "double":
            return self._doubles[symbol.name]
        glyph = symbol.glyphs[int(rng.integers(len(symbol.glyphs)))]
        return -1 - glyph.row if glyph.kind == "colour" else glyph.row


class Studio:
    """Shoots faces on one device."""

    def __init__(
        self, library: Library, arts: Arts, device: torch.device, photographed: Photographed | None = None
    ) -> None:
        """Bring all drawings and photographed faces to the device."""
        rng = np.random.default_rng(0)
        pips = [draw_pips(n, rng, ART_SIZE)[..., 3] for n in PIP_COUNTS for _ in range(LAYOUTS)]
        plain, coloured = ([library.art(s, rng) for s in some] for some in arts.doubled)
        mono = [np.asarray(library.mono), np.array(pips), np.zeros((1, ART_SIZE, ART_SIZE), np.uint8)]
        mono.append(np.array([art[..., 3] for art in plain], np.uint8).reshape(-1, ART_SIZE, ART_SIZE))
        hued = [np.asarray(library.colour), np.array(coloured, np.uint8).reshape(-1, ART_SIZE, ART_SIZE, 4)]
        self._mono, self._hued = (torch.from_numpy(np.concatenate(store)).to(device) for store in (mono, hued))
        cut = np.zeros((0, 1, 1, 3), np.uint8) if photographed is None else photographed.pixels
        self._photographs = torch.from_numpy(cut).permute(0, 3, 1, 2).to(device)
        self.device = device
        steps = (torch.arange(FINE, device=device) + 0.5) / FINE
        self._grid = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1)

    def shoot(self, rows: Tensor, square: Tensor, side: int = FACE_SIZE) -> Tensor:
        """Faces (N, 3, side, side) BGR of 0 … 1; `rows` (N, WIDTH), and whether each is a face of a d6 (N,)."""
        faces = torch.empty(len(rows), 3, side, side, device=self.device)
        for shape, some in ((Shape.CUBE, square), (Shape.OCTAHEDRON, ~square)):
            if some.any():
                faces[some] = self._shot(rows[some], shape, side)
        return faces

    def _shot(self, rows: Tensor, shape: Shape, side: int) -> Tensor:
        told = dict(zip([name for name, _ in ROW], rows.split([width for _, width in ROW], 1), strict=True))
        outline = torch.tensor(shape.outline, device=self.device)
        looked = self._looked_at(told, outline)
        seen = self._plane(told, looked, shape, outline)
        chosen = told["photograph"][:, 0].long()
        there = (chosen != NONE).nonzero()[:, 0]
        if len(there):
            cut = self._photographs[chosen[there]].float() / 255
            place = 2 * (looked[there] + AROUND) / (1 + 2 * AROUND) - 1
            seen[there] = fn.grid_sample(cut, place, padding_mode="border", align_corners=False)
        plain = told["plain"][:, 0] > 0
        faces = fn.interpolate(seen, (side,) * 2, mode="area")
        shot = (~plain).nonzero()[:, 0]
        order = shot[torch.randperm(len(shot), device=self.device)]
        mild = told["hard"][:, 0] < 0.5
        for some in (order[mild[order]], order[~mild[order]]):
            if len(some):
                hard = float(told["hard"][some[0], 0])
                faces[some] = _photographed(seen[some], hard, side)
        if not shape.fills:
            mask = torch.from_numpy(face_mask(shape, side).copy()).to(self.device)
            faces = faces * mask + GROUND / 255 * (1 - mask)
        faces = faces.clamp(0, 1)
        alone = (told["ink_alone"][:, 0] > 0).nonzero()[:, 0]
        if len(alone):
            faces[alone] = _ink_of(faces[alone], shape, told["ink_alone"][alone, 0].long().tolist())
        return faces

    def _looked_at(self, told: dict[str, Tensor], outline: Tensor) -> Tensor:
        """(N, FINE, FINE, 2) the points of the plane that rectification samples, with errors of its corners."""
        count, corners = len(told["art"]), len(outline)
        hard, astray = told["hard"][:, :, None], told["astray"][:, :, None] > 0
        plain = told["plain"][:, :, None] > 0
        off = torch.multinomial(torch.tensor([0.54, 0.26, 0.15, 0.05]), count, replacement=True).to(self.device)
        low, high = (torch.tensor(of, device=self.device)[off][:, None, None] for of in (_LOW, _HIGH))
        amount = (low + (high - low) * self._rand(count, 1, 1)) * hard * (0.5 + 0.5 * self._rand(count, 1, 1))
        amount = torch.where(astray, 0.2 * self._rand(count, 1, 1), amount)
        angle = 2 * math.pi * self._rand(count, corners, 1)
        given = outline + amount * torch.cat([angle.cos(), angle.sin()], 2)
        middle = given.mean(1, keepdim=True)
        stretched = 1 + (0.01 + 0.05 * self._randn(count, 1, 1) + 0.05 * self._randn(count, 1, 2)) * hard
        most = torch.where(self._rand(count, 1, 1) < 0.15, 0.13, 0.03)
        shift = (2 * self._rand(count, 1, 2) - 1) * most * hard
        away = 2 * math.pi * self._rand(count, 1, 1)
        beside = torch.cat([away.cos(), away.sin()], 2) * (0.45 + 0.55 * self._rand(count, 1, 1))
        given = torch.where(astray, given + beside, middle + (given - middle) * stretched + shift)
        given = torch.where(plain, outline, given)
        turn = (told["turn"] + torch.arange(corners, device=self.device)) % corners
        given = given.gather(1, turn.long()[..., None].expand(-1, -1, 2))
        mapping = _homographies(outline.expand(count, -1, -1), given)
        if corners == 3:  # three corners do not determine the perspective
            mapping = mapping.clone()
            lean = 0.06 * self._randn(count, 2) * (told["hard"] * (1 - told["plain"]))
            mapping[:, 2, :2], mapping[:, 2, 2] = lean, 1 - lean.sum(1) / 2
        ones = torch.ones_like(self._grid[..., :1])
        there = torch.einsum("nij,hwj->nhwi", mapping, torch.cat([self._grid, ones], -1))
        return there[..., :2] / there[..., 2:]

    def _plane(self, told: dict[str, Tensor], at: Tensor, shape: Shape, outline: Tensor) -> Tensor:
        """(N, 3, FINE, FINE): the colours at those points, evenly lit."""
        count = len(at)
        one = {name: of[..., None, None] for name, of in told.items()}
        plain = one["plain"] > 0
        along = torch.roll(outline, -1, 0) - outline
        along = along / along.norm(dim=1, keepdim=True)
        outward = torch.stack([along[:, 1], -along[:, 0]], 1)
        beyond = torch.einsum("nhwc,kc->nkhw", at, outward) - (outline * outward).sum(1)[:, None, None]
        kind = self._rand(count, 1, 1, 1)
        most = torch.where(kind < 0.62, 0.08, torch.where(kind < 0.9, 0.25, 0.42))
        round_ = most * self._rand(count, 1, 1, 1) * (1.0 if shape.fills else 0.7)
        soft = (0.4 * round_).clamp(min=0.003)
        edge = soft * torch.logsumexp(beyond / soft, 1, keepdim=True)
        inside = torch.where(plain, torch.ones_like(edge), (0.5 - edge * FINE).clamp(0, 1))
        face, relief = self._face(one, at, shape, beyond)
        sides = self._sides(one, at, outline, outward, beyond)
        rim = torch.exp(-((edge / (0.01 + 0.04 * self._rand(count, 1, 1, 1))) ** 2)) * 0.5
        rim = rim * self._rand(count, 1, 1, 1) * (self._rand(count, 1, 1, 1) < 0.6) * ~plain
        seen = sides + inside * (_lit(face, relief, one["engraved"]) - sides)
        return seen + rim * (self._rand(count, 1, 1, 1) - seen)

    def _face(self, one: dict[str, Tensor], at: Tensor, shape: Shape, beyond: Tensor) -> tuple[Tensor, Tensor]:
        """The face itself, (N, 3, FINE, FINE), and its relief (N, 1, FINE, FINE), at every point as if it went on."""
        face = (one["body"] / 255).expand(-1, -1, FINE, FINE)
        face = face + self._grain(one, at) * one["grain"] * (one["grain_colour"] / 255 - face)
        clear = (one["clear"][:, 0, 0, 0] > 0).nonzero()[:, 0]
        if len(clear):
            face[clear] = self._through({name: of[clear] for name, of in one.items()}, face[clear], at[clear], shape)
        centre = torch.tensor(shape.centre, device=self.device)
        from_middle = (at - centre).norm(dim=-1)[:, None]
        radius, thick = one["frame_size"] * shape.inradius, one["frame_width"] * shape.inradius
        disc = (0.5 - (from_middle - radius) * FINE).clamp(0, 1)
        paper = disc * one["paper"]
        face = face + paper * (one["ground"] / 255 - face)
        ring = (0.5 - ((from_middle - radius).abs() - thick) * FINE).clamp(0, 1)
        outline = beyond.amax(1, keepdim=True) + shape.inradius * (1 - one["frame_size"])
        line = (0.5 - (outline.abs() - thick) * FINE).clamp(0, 1)
        frame = line * (one["frame"] == 1) + ring * (one["frame"] == 2) + disc * (one["frame"] == 3)
        face = face + frame * (one["frame_ink"] / 255 - face)
        worn = self._noise(at, 6, 40)
        keep = torch.where(one["wear"] > 0, ((worn + 2.2 - 4 * one["wear"]) * 2 + 0.5).clamp(0.1, 1), 1.0)
        layer, inked = self._placed(one, one["art"], at, shape)
        own = face + keep * (layer - inked * face)
        one_ink = face + keep * inked * (one["ink"] / 255 - face)
        face = torch.where(one["inked"] > 0, one_ink, own)
        if len(clear):
            face[clear] = self._glints(face[clear], at[clear])
        relief = 0.3 * paper - inked - frame * (one["frame"] != 3)
        return face, relief

    def _through(self, one: dict[str, Tensor], body: Tensor, at: Tensor, shape: Shape) -> Tensor:
        """Clear bodies (N, 3, FINE, FINE): the table, their far edges and the ink of other faces show through."""
        count = len(at)
        around = at - torch.tensor(shape.centre, device=self.device) - 0.25 * self._randn(count, 1, 1, 2)
        angle = torch.atan2(around[..., 1], around[..., 0])[:, None] / math.pi
        borders = 2 * self._rand(count, FACETS, 1, 1) - 1
        facet = (angle > borders).sum(1, keepdim=True)
        shades = 1 + 0.35 * self._randn(count, FACETS + 1)
        bent = shades.gather(1, facet.reshape(count, -1)).reshape(facet.shape)
        streaks = (self._noise(at, 4, 12) - 0.8).clamp(0, 1.5) * (self._rand(count, 1, 1, 1) - 0.3)
        beyond = (self._table(count, at) * bent.clamp(0.2, 2) + streaks).clamp(0, 1)
        for bright in (0.0, 1.0):  # polished bodies reflect windows and dark corners, with sharp edges
            level, sharp = 0.4 + 1.2 * self._rand(count, 1, 1, 1), 3 + 12 * self._rand(count, 1, 1, 1)
            thrown = ((self._noise(at, 4, 16) - level) * sharp).clamp(0, 1) * (self._rand(count, 1, 1, 1) < 0.5)
            shade = bright + (0.35 - 0.7 * bright) * self._rand(count, 1, 1, 1)
            beyond = beyond + (0.4 + 0.6 * self._rand(count, 1, 1, 1)) * thrown * (shade - beyond)
        beyond = self._broken_up(beyond, at)
        mirrored = at * at.new_tensor([-1, 1]) + at.new_tensor([1, 0])
        for other in (one["other"], one["art"].roll(1, 0)):
            there = dict(one)
            there["scale"] = one["scale"] * (0.5 + 0.5 * self._rand(count, 1, 1, 1))
            there["rotation"] = 360 * self._rand(count, 1, 1, 1)
            away = 2 * math.pi * self._rand(count, 1)
            far = 0.2 + 0.9 * self._rand(count, 1)
            there["offset"] = (torch.cat([away.cos(), away.sin()], 1) * far)[..., None, None]
            layer, inked = self._placed(there, other, mirrored, shape)
            ink = torch.where(one["inked"] > 0, inked * one["ink"] / 255, layer)
            dim, seen = 0.4 + 0.6 * self._rand(count, 1, 1, 1), 0.2 + 0.7 * self._rand(count, 1, 1, 1)
            beyond = beyond + seen * (ink * dim - inked * beyond)
        beyond = beyond * (1 - self._own_shadow(one, at, shape))
        tint = 0.5 + 0.5 * body
        return body + one["clear"] * (beyond * tint - body)

    def _own_shadow(self, one: dict[str, Tensor], at: Tensor, shape: Shape) -> Tensor:
        """Darkness of the shadows of ink on clear faces, (N, 1, FINE, FINE)."""
        count = len(at)
        below = dict(one)
        below["scale"] = one["scale"] * (0.7 + 0.35 * self._rand(count, 1, 1, 1))
        below["rotation"] = one["rotation"] + 12 * self._randn(count, 1, 1, 1)
        away, far = 2 * math.pi * self._rand(count, 1), 0.03 + 0.3 * self._rand(count, 1)
        thrown = torch.cat([away.cos(), away.sin()], 1) * far
        below["offset"] = one["offset"] + thrown[..., None, None]
        dark = (0.3 + 0.7 * self._rand(count, 1, 1, 1)) * (self._rand(count, 1, 1, 1) < SHADED)
        return dark * self._placed(below, one["art"], at, shape)[1]

    def _broken_up(self, beyond: Tensor, at: Tensor) -> Tensor:
        """Refractions and reflections of polished bodies: uniform shards, as bright as lamps, as dark as corners, or
        like the table."""
        count = len(at)
        angle, off = 2 * math.pi * self._rand(count, SHARDS, 1, 1), 0.35 * self._randn(count, SHARDS, 1, 1)
        bent = at + 0.06 * self._rand(count, 1, 1, 1) * self._noise(at, 2, 5, 2).permute(0, 2, 3, 1)
        x, y = (bent - 0.5).permute(3, 0, 1, 2)[:, :, None]
        beside = angle.cos() * x + angle.sin() * y > off
        number = (beside * 2 ** torch.arange(SHARDS, device=self.device)[:, None, None]).sum(1)
        kind, level = self._rand(count, 2**SHARDS), self._rand(count, 2**SHARDS)
        dark = torch.where(kind < 0.55, 0.3 * level, -torch.ones_like(level))
        told = torch.where(kind < 0.25, 0.7 + 0.5 * level, dark)
        shade = told.gather(1, number.reshape(count, -1)).reshape(count, 1, FINE, FINE)
        strong = 0.4 + 0.6 * self._rand(count, 1, 1, 1)
        shards = torch.where(shade < 0, beyond, beyond + strong * (shade - beyond))
        return torch.where(self._rand(count, 1, 1, 1) < POLISHED, shards, beyond)

    def _glints(self, face: Tensor, at: Tensor) -> Tensor:
        """Faces, three in ten with a lamp's reflection, which covers ink as well."""
        count = len(at)
        level, sharp = 1.2 + 0.8 * self._rand(count, 1, 1, 1), 3 + 17 * self._rand(count, 1, 1, 1)
        there = ((self._noise(at, 3, 12) - level) * sharp).clamp(0, 1) * (self._rand(count, 1, 1, 1) < 0.3)
        return face + (0.3 + 0.7 * self._rand(count, 1, 1, 1)) * there * (1 - face)

    def _placed(self, one: dict[str, Tensor], which: Tensor, at: Tensor, shape: Shape) -> tuple[Tensor, Tensor]:
        """Art in the plane: premultiplied BGR (N, 3, FINE, FINE) and how much ink there is (N, 1, FINE, FINE)."""
        side = one["scale"] * 2 * shape.inradius
        centre = torch.tensor(shape.centre, device=self.device) + 2 * shape.inradius * one["offset"][:, :, 0, 0]
        away = (at - centre[:, None, None]) / side[..., 0, 0, None, None]
        angle = torch.deg2rad(one["rotation"][:, 0])
        cos, sin = angle.cos(), angle.sin()
        across = cos * away[..., 0] + sin * away[..., 1]
        down = cos * away[..., 1] - sin * away[..., 0]
        return self._sampled(one, which, 2 * torch.stack([across, down], -1))

    def _sampled(self, one: dict[str, Tensor], which: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Art at points (N, H, W, 2) from -1 to 1."""
        place = which.reshape(-1).long()
        hued = place < 0
        art = torch.zeros(len(place), 4, ART_SIZE, ART_SIZE, device=self.device)
        art[~hued, 3] = self._mono[place[~hued]].float() / 255
        art[hued] = self._hued[-1 - place[hued]].permute(0, 3, 1, 2).float() / 255
        art[:, :3] *= art[:, 3:]
        drawn = fn.grid_sample(art, there, align_corners=False)
        inked = drawn[:, 3:]
        # One ink: the dark parts of a picture are inked, the light ones left free.
        dark = (inked - drawn[:, :3].mean(1, keepdim=True)).clamp(0, 1)
        single = (one["inked"] > 0) & hued[:, None, None, None]
        return drawn[:, :3].flip(1), torch.where(single, dark, inked)

    def _sides(
        self, one: dict[str, Tensor], at: Tensor, outline: Tensor, outward: Tensor, beyond: Tensor
    ) -> Tensor:
        """The die's slanting sides around its face, one of them with another symbol, and the table beyond them."""
        count, edges = len(at), len(outline)
        table = self._table(count, at)
        lean = self._randn(count, 2)
        depth = (0.22 + 0.25 * lean @ outward.T).clamp(0, 0.8)
        depth = torch.where(self._rand(count, 1) < 0.85, depth, torch.zeros_like(depth))
        shade = 0.35 + 0.7 * self._rand(count, edges)
        nearest = beyond.argmax(1)
        flat = nearest.reshape(count, -1)
        deep, dim = (of.gather(1, flat).reshape(count, 1, FINE, FINE) for of in (depth, shade))
        out = beyond.amax(1, keepdim=True)
        start, out_of = outline[nearest], outward[nearest]
        across = ((at - start) * torch.stack([-out_of[..., 1], out_of[..., 0]], -1)).sum(-1)[:, None]
        on_side = (out < deep) & (across > -0.05) & (across < 1.05)
        side = (one["body"] / 255 * dim).clamp(max=1)
        there = 2 * torch.cat([across, out / deep.clamp(min=0.02)], 1) - 1
        quarter = torch.randint(0, 4, (count, 1, 1, 1), device=self.device)
        there = torch.where(quarter % 2 == 1, there.flip(1), there) * torch.where(quarter > 1, -1.0, 1.0)
        layer, inked = self._sampled(one, one["other"], there.permute(0, 2, 3, 1) / 0.8)
        shown = self._rand(count, 1, 1, 1) < 0.7
        ink = torch.where(one["inked"] > 0, inked * one["ink"] / 255, layer) * dim
        side = torch.where(shown, side * (1 - inked) + ink, side)
        return torch.where(on_side, side, table)

    def _table(self, count: int, at: Tensor) -> Tensor:
        grey = (20 + 220 * self._rand(count, 1, 1, 1)) / 255 + 8 / 255 * self._randn(count, 3, 1, 1)
        colour = torch.where(self._rand(count, 1, 1, 1) < 0.5, self._rand(count, 3, 1, 1), grey)
        spread = (5 + 35 * self._rand(count, 1, 1, 1)) / 255 * (self._rand(count, 1, 1, 1) < 0.4)
        return (colour + spread * self._noise(at, 3, 14, 3)).clamp(0, 1)

    def _grain(self, one: dict[str, Tensor], at: Tensor) -> Tensor:
        """How much of the second colour shows where, (N, 1, FINE, FINE)."""
        kind = one["grain_kind"]
        clouds = self._noise(at, 4, 14) + 0.4 * self._noise(at, 20, 30)
        fibres, fine = self._noise(at, 4, 9, stretch=8), self._noise(at, 50, 60)
        dragged = at + (0.1 + 0.3 * self._rand(len(at), 1, 1, 1)) * torch.cat(
            [self._noise(at, 3, 6), self._noise(at, 3, 6)], 1
        ).permute(0, 2, 3, 1)
        swirl = self._noise(dragged, 3, 9)
        sharp, level = 0.7 + 4.3 * self._rand(len(at), 1, 1, 1), 0.5 * self._randn(len(at), 1, 1, 1)
        kinds = (
            clouds * 0.5 + 0.2, fibres * 0.5 + 0.2, (fine - 1.2) * 2, (swirl - level) * sharp + 0.5, (fine - 2) * 4,
        )  # fmt: skip
        return sum((of.clamp(0, 1) * (kind == i) for i, of in enumerate(kinds)), torch.zeros_like(clouds))

    def _noise(self, at: Tensor, least: int, most: int, channels: int = 1, stretch: int = 1) -> Tensor:
        """(N, channels, FINE, FINE) smooth noise of unit deviation, so many cells a side."""
        cells = int(torch.randint(least, most + 1, ()))
        coarse = self._randn(len(at), channels, max(2, cells // stretch), cells * (2 if stretch > 1 else 1))
        return 1.3 * fn.grid_sample(coarse, 2 * at - 1, padding_mode="reflection", align_corners=False)

    def _rand(self, *size: int) -> Tensor:
        return torch.rand(size, device=self.device)

    def _randn(self, *size: int) -> Tensor:
        return torch.randn(size, device=self.device)


def _ink_of(faces: Tensor, shape: Shape, colours: list[int]) -> Tensor:
    """The ink of faces (N, 3, S, S) of 0 … 1 alone, each in the first or second of the two colours it may have."""
    pixels = (faces * 255).round().byte().permute(0, 2, 3, 1).cpu().numpy()
    alone = np.stack([ink_alone(face, shape)[colour - 1] for face, colour in zip(pixels, colours, strict=True)])
    return torch.from_numpy(alone).permute(0, 3, 1, 2).to(faces) / 255


_LOW: Final = (0.0, 0.05, 0.09, 0.15)
_HIGH: Final = (0.05, 0.09, 0.15, 0.2)


def _homographies(source: Tensor, target: Tensor) -> Tensor:
    """(N, 3, 3) maps from 3 or 4 points each to others, (N, K, 2); with three points, without perspective."""
    count, corners = source.shape[:2]
    x, y = source[..., 0], source[..., 1]
    u, v = target[..., 0], target[..., 1]
    one, none = torch.ones_like(x), torch.zeros_like(x)
    if corners == 3:
        three = torch.linalg.solve(torch.stack([x, y, one], -1), target).transpose(1, 2)
        last = torch.tensor([0.0, 0.0, 1.0], device=source.device).expand(count, 1, 3)
        return torch.cat([three, last], 1)
    rows = torch.cat(
        [
            torch.stack([x, y, one, none, none, none, -u * x, -u * y], -1),
            torch.stack([none, none, none, x, y, one, -v * x, -v * y], -1),
        ],
        1,
    )
    eight = torch.linalg.solve(rows, torch.cat([u, v], 1))
    return torch.cat([eight, torch.ones_like(eight[:, :1])], 1).reshape(count, 3, 3)


def _lit(face: Tensor, relief: Tensor, engraved: Tensor) -> Tensor:
    """Engravings shaded by a light from one side."""
    count = len(face)
    angle, strong, deep = (torch.rand(count, 1, 1, 1, device=face.device) for _ in range(3))
    relief = softened(relief, torch.ones_like(angle))
    right = fn.pad(relief.diff(dim=3), (0, 1))
    down = fn.pad(relief.diff(dim=2), (0, 0, 0, 1))
    shade = ((2 * math.pi * angle).cos() * right + (2 * math.pi * angle).sin() * down) * (0.2 + strong)
    shade = shade + relief.clamp(max=0) * 0.35 * deep
    lit = (face * (1 + shade).clamp(0.2, 2) + shade.clamp(0, 1) * 60 / 255).clamp(0, 1)
    return torch.where(engraved > 0, lit, face)


def _photographed(seen: Tensor, hard: float, side: int) -> Tensor:
    """(N, 3, FINE, FINE) as cameras see them, (N, 3, side, side)."""
    count, device = len(seen), seen.device

    def rand(*size: int) -> Tensor:
        return torch.rand(count, *(size or (1, 1, 1)), device=device)

    def randn(*size: int) -> Tensor:
        return torch.randn(count, *(size or (1, 1, 1)), device=device)

    place = torch.linspace(-1, 1, FINE, device=device)
    x, y = place.view(1, 1, 1, -1), place.view(1, 1, -1, 1)
    uneven = (1 + 0.25 * hard * (randn() * x + randn() * y)).clamp(0.2, 2)
    light = torch.where(rand() < 0.6, seen * uneven, seen)
    wide, tall = (2 * (0.1 + 0.4 * rand()) for _ in range(2))
    spot = torch.exp(-(((x - 2.4 * rand() + 1.2) / wide) ** 2) - ((y - 2.4 * rand() + 1.2) / tall) ** 2)
    light = light + spot * (40 + 220 * rand()) / 255 * (rand() < 0.25 * hard)
    cast = torch.where(rand() < 0.4, 0.75 + 0.55 * rand(3, 1, 1), torch.ones(1, device=device))
    gain = torch.exp(-0.1 + 0.22 * randn())
    # Sometimes overexposed or underexposed.
    stray = torch.exp(torch.where(rand() < 0.6, 0.3 + 0.9 * rand(), -0.4 - 1.0 * rand()))
    light = light * cast * gain * torch.where(rand() < 0.14 * hard, stray, torch.ones(1, device=device))
    light = torch.where(rand() < 0.08, light.mean(1, keepdim=True).expand_as(light), light)
    out = torch.empty(count, 3, side, side, device=device)
    sizes = [size for size in SIZES if size >= MILD_SIZE or hard > 0.5]
    low = sizes[0]
    # Face sizes follow a beta distribution between the smallest and the largest.
    rng = np.random.default_rng(int(torch.randint(1 << 30, ())))
    native = low * (SIZES[-1] / low) ** rng.beta(1.3, 1.0, count)
    chosen = np.abs(np.log(native)[:, None] - np.log(sizes)).argmin(1)
    for number, size in enumerate(sizes):
        some = torch.from_numpy(np.flatnonzero(chosen == number)).to(device)
        if len(some) == 0:
            continue
        across = max(8, round(size * math.cos(math.radians(55 * hard * float(rng.beta(1.2, 1.8))))))
        extent = (size, across) if torch.rand(()) < 0.5 else (across, size)
        out[some] = _sensed(light[some], extent, float(size), hard, side)
    return out


def _sensed(light: Tensor, extent: tuple[int, int], native: float, hard: float, side: int) -> Tensor:
    """Optics, sensor and compression at the camera's own resolution."""
    count, device = len(light), light.device

    def rand() -> Tensor:
        return torch.rand(count, 1, 1, 1, device=device)

    small = fn.interpolate(light, extent, mode="area")
    sigma = torch.where(rand() < 0.8, 0.2 + 0.9 * rand(), 0.6 + (0.04 * native + 0.1) * rand()) * (0.4 + 0.6 * hard)
    small = torch.where(rand() < 0.75, softened(small, sigma), small)
    moving = (rand() < 0.12 * hard)[:, 0, 0, 0].nonzero()[:, 0]
    if len(moving):
        length = (native * (0.03 + 0.08 * rand()[moving])).clamp(min=2)
        small[moving] = smeared(small[moving], length)
    lift = 50 / 255 * rand() * (rand() < 0.3)
    small = small * (1 - lift) + lift
    gamma = torch.distributions.Gamma(1.2, 1 / 4.0)
    grains = gamma.sample((count, 1, 1, 1)).to(device) * hard / 255 * (rand() < 0.8)
    small = (small + grains * torch.randn_like(small)).clamp(0, 1)
    sharp = small + 0.8 * (small - softened(small, torch.full((count, 1, 1, 1), 1.2, device=device)))
    small = torch.where(rand() < 0.15, sharp, small).clamp(0, 1)
    step = torch.exp(math.log(0.006) + (math.log(0.05) - math.log(0.006)) * rand() * hard)
    small = torch.where(rand() < 0.6, jpeg(small, step), small).clamp(0, 1)
    shrunk = native > side
    return fn.interpolate(small, (side,) * 2, mode="bilinear", align_corners=False, antialias=shrunk)
