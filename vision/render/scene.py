"""Draws dice as solids on a table, with exact labels.

`render` turns a `Scene`, a list of the things in it, into a picture. Light is computed in linear space with a gamma of
2 (a square root is cheap and close enough). Nothing here is random: the same scene gives the same picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.render.light import Lighting, Surface, room_light, shade
from vision.render.solid import Rounding, Solid, solid, trace
from vision.render.view import AnyFloats, View


@dataclass(frozen=True, eq=False, slots=True)
class FaceTexture:
    """The surface of one face, over its whole square (or the square around its triangle)."""

    colour: Pixels
    """(T, T, 3) BGR."""
    relief: Floats | None = None
    """(T, T) relief: 0 at the surface, −1 at the bottom of an engraving."""
    ink: Floats | None = None
    """(T, T) share of ink that covers a clear body, 0 … 1; None for no ink."""


@dataclass(frozen=True, eq=False, slots=True)
class Die:
    """One die in the world."""

    shape: Shape
    side: float
    """Length of a face's side in millimetres."""
    centre: Floats
    """(3,) in millimetres."""
    rotation: Floats
    """(3, 3) from the die's coordinates to the world's."""
    texture: Callable[[int], FaceTexture]
    """The surface of face i of the solid; called only for visible faces."""
    rounding: Rounding
    surface: Surface
    depth: float = 0.03
    """Depth of the relief, in sides."""
    top: int = 0
    """The face on top."""
    key: str = ""
    """Number of the symbol on top; copied to the label."""
    form: Solid | None = None
    """Its geometry, if its shape is not one of those that are read."""

    @property
    def body(self) -> Solid:
        """The die's geometry."""
        return self.form or solid(self.shape)

    def top_corners(self) -> Floats:
        """(K, 3) the top face's corners in the world, in the order of `vision.rectify`."""
        return (self.centre + self.side * self.body.corners[self.top] @ self.rotation.T).astype(np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """The table, drawn with a homography."""

    colour: Pixels
    """(T, T, 3) BGR texture, centred on the world's origin."""
    millimetres_per_texel: float
    gloss: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Overlay:
    """Something flat in front of the dice: a hand, a sleeve, the rim of a cup."""

    colour: Floats
    """(H, W, 3) linear BGR."""
    alpha: Floats
    """(H, W) 0 … 1."""


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """The contents of a picture."""

    view: View
    ground: Ground
    lighting: Lighting
    dice: tuple[Die, ...]
    light_field: Floats | None = None
    """(h, w) coarse map of the table's brightness."""
    overlays: tuple[Overlay, ...] = ()
    exposure: float = 1.0
    distractors: tuple[Die, ...] = ()
    """Solids that are not dice; parts below the table are invisible."""


@dataclass(frozen=True, eq=False, slots=True)
class DieLabel:
    """The label of one die in a picture."""

    shape: Shape
    key: str
    corners: Floats
    """(K, 2) pixels of the top face's corners."""
    body: Floats
    """(8 or 6, 2) pixels of all corners of the die."""
    box: tuple[float, float, float, float]
    """The visible part of the whole die: x0, y0, x1, y1 in pixels."""
    visible: float
    """Share of the top face that is inside the picture and not covered."""
    whole: float
    """Share of the die's silhouette that is inside the picture and not covered."""


@dataclass(frozen=True, eq=False, slots=True)
class Rendering:
    """A rendered picture and its labels."""

    pixels: Pixels
    """(H, W, 3) BGR."""
    labels: tuple[DieLabel, ...]


SUPERSAMPLING_BELOW = 90
"""Dice smaller than this many pixels are drawn at twice their size and averaged."""


BOUNCES = 4
"""How many faces a ray meets within a clear die at most; it leaves through the last one in any case."""
SUNK = -0.02
"""Below this height, in sides, a solid is hidden in the table; a die that lies on it may dip in a little."""


def resting(shape: Shape, top: int, spin: float) -> tuple[Floats, float]:
    """The rotation that puts face `top` up, turned by `spin` degrees, and the centre's height in sides."""
    body = solid(shape)
    normal, right = body.normals[top], body.right[top]
    frame = np.stack([right, np.cross(normal, right), normal])
    angle = np.deg2rad(spin)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return (turn @ frame).astype(np.float32), body.apothem


def render(scene: Scene) -> Rendering:
    """Draw a scene. Returns (H, W, 3) BGR pixels and one label for each die, in the scene's order."""
    view = scene.view
    light = _draw_ground(scene)
    owner = np.full((view.height, view.width), -1, np.int16)
    solids = (*scene.dice, *scene.distractors)
    outlines = [0] * len(solids)
    distance = [float(np.linalg.norm(one.centre - view.position)) for one in solids]
    for number in sorted(range(len(solids)), key=lambda i: -distance[i]):
        outlines[number] = _draw_die(solids[number], number, scene, light, owner)
    for overlay in scene.overlays:
        light += overlay.alpha[..., None] * (overlay.colour - light)
        owner[overlay.alpha > 0.5] = -2
    pixels = np.sqrt(np.clip(light * scene.exposure, 0, 1)) * 255
    labels = tuple(_label(die, i, view, owner, outlines[i]) for i, die in enumerate(scene.dice))
    return Rendering(np.rint(pixels).astype(np.uint8), labels)


def _draw_ground(scene: Scene) -> Floats:
    view, ground = scene.view, scene.ground
    mapping = view.ground_map(ground.millimetres_per_texel, ground.colour.shape[0])
    size = view.width, view.height
    seen = cv2.warpPerspective(ground.colour, mapping, size, borderMode=cv2.BORDER_REFLECT_101)
    linear = (np.arange(256, dtype=np.float32) / np.float32(255)) ** 2
    albedo = linear[np.asarray(seen, np.uint8)]
    light = np.array(scene.lighting.ambient, np.float32) * 0.9
    shaded = np.broadcast_to(light, albedo.shape).copy()
    solids = (*scene.dice, *scene.distractors)
    opaque = [one for one in solids if one.surface.clear == 0]
    clear = [one for one in solids if one.surface.clear > 0]

    def left(shadow: Callable[[Sequence[Die]], Floats]) -> Floats:
        """The share of light that opaque and clear things leave; clear ones let half of it through."""
        return shadow(opaque) * (1 + shadow(clear)) * np.float32(0.5) if clear else shadow(opaque)

    shaded *= left(partial(ambient_shadow, view))[..., None]
    for lamp in scene.lighting.lamps:
        lit = left(partial(cast_shadow, view, towards=lamp.towards, width=lamp.width))
        shaded += lit[..., None] * (lamp.colour * max(float(lamp.towards[2]), 0.0))
    if ground.gloss > 0:
        shaded += ground.gloss * _glare(scene)[..., None] * np.array(scene.lighting.lamps[0].colour)
    if scene.light_field is not None:
        field = cv2.resize(scene.light_field, (view.width, view.height), interpolation=cv2.INTER_CUBIC)
        shaded *= field[..., None]
    return (albedo * shaded).astype(np.float32, copy=False)


def cast_shadow(view: View, dice: Sequence[Die], towards: Floats, width: float) -> Floats:
    """(H, W) share of a lamp's light that reaches the table.

    `towards` is the (3,) unit vector to the lamp, `width` its angular half-width in radians.
    """
    shadow = np.zeros((view.height, view.width), np.uint8)
    softness = 1.0
    for die in dice:
        points = die.centre + die.side * 0.93 * die.body.vertices @ die.rotation.T
        fallen = points - towards * (np.maximum(points[:, 2:], 0) / max(float(towards[2]), 0.15))
        outline = cv2.convexHull(np.rint(np.clip(view.project(fallen), -4000, 4000)).astype(np.int32))
        cv2.fillConvexPoly(shadow, outline, 255)
        scale = view.focal / float(np.linalg.norm(die.centre - view.position))
        softness = max(softness, scale * die.side * (0.06 + 0.6 * width))
    return _softened(shadow, min(softness, 25.0))


def ambient_shadow(view: View, dice: Sequence[Die]) -> Floats:
    """(H, W) share of the ambient light that reaches the table around the dice."""
    shadow = np.zeros((view.height, view.width), np.uint8)
    spread = 1.0
    for die in dice:
        foot = die.centre + die.side * 1.1 * die.body.vertices @ die.rotation.T
        foot[:, 2] = 0
        outline = cv2.convexHull(np.rint(np.clip(view.project(foot), -4000, 4000)).astype(np.int32))
        lift = float(np.clip(1.4 - die.centre[2] / die.side, 0, 1))
        cv2.fillConvexPoly(shadow, outline, int(170 * lift))
        spread = max(spread, 0.16 * die.side * view.focal / float(np.linalg.norm(die.centre - view.position)))
    return _softened(shadow, min(spread, 25.0))


def _softened(shadow: Pixels, sigma: float) -> Floats:
    """One minus a blurred shadow; wide blurs are computed at a lower resolution."""
    if not shadow.any():
        return np.ones(shadow.shape, np.float32)
    step = max(int(sigma / 2.5), 1)
    height, width = shadow.shape
    small = cv2.resize(shadow, (width // step, height // step), interpolation=cv2.INTER_AREA)
    full = cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / step), (width, height), interpolation=cv2.INTER_LINEAR)
    return 1 - full.astype(np.float32) / np.float32(255)


def _glare(scene: Scene) -> Floats:
    """(H, W) blurred reflection of the first lamp in a glossy table."""
    view, lamp = scene.view, scene.lighting.lamps[0]
    small = 16
    xs, ys = np.meshgrid(np.linspace(0, view.width - 1, small), np.linspace(0, view.height - 1, small))
    rays = view.rays(np.stack([xs, ys], -1).astype(np.float32))
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    mirrored = rays * np.array([1, 1, -1], np.float32)
    angle = np.arccos(np.clip(mirrored @ lamp.towards, -1, 1))
    off = np.maximum(angle - lamp.width, 0)
    lobe = np.asarray(np.exp(-(off**2) / (2 * 0.16**2)), np.float32)
    return np.maximum(cv2.resize(lobe, (view.width, view.height), interpolation=cv2.INTER_CUBIC), 0)


def _draw_die(die: Die, number: int, scene: Scene, light: Floats, owner: NDArray[np.int16]) -> int:
    """Draw one die over `light`, mark its pixels in `owner`, and return the area of its whole silhouette."""
    view = scene.view
    hull = _body(die, view)
    x0, y0 = np.floor(hull.min(0)).astype(int) - 1
    x1, y1 = np.ceil(hull.max(0)).astype(int) + 2
    full = (x1 - x0) * (y1 - y0)
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, view.width), min(y1, view.height)
    if cx0 >= cx1 or cy0 >= cy1 or full > 4_000_000:
        return int(full)
    samples = 2 if max(x1 - x0, y1 - y0) < SUPERSAMPLING_BELOW else 1
    width, height = (cx1 - cx0) * samples, (cy1 - cy0) * samples
    xs: AnyFloats = cx0 + (np.arange(width, dtype=np.float32) + 0.5) / samples - 0.5
    ys: AnyFloats = cy0 + (np.arange(height, dtype=np.float32) + 0.5) / samples - 0.5
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    rays = view.rays(grid)
    local_origin = ((view.position - die.centre) @ die.rotation / die.side).astype(np.float32)
    hits = trace(die.body, die.rounding, local_origin, (rays @ die.rotation).astype(np.float32))
    colour = np.zeros((height * width, 3), np.float32)
    above = (hits.point @ die.rotation.T)[:, 2] + die.centre[2] / die.side
    seen: NDArray[np.bool_] = hits.hit & (above > SUNK)
    where = np.flatnonzero(seen)
    if len(where):
        albedo, normal = _skin(die, hits.point[where], hits.normal[where], hits.face[where])
        to_eye = -rays[where] / np.linalg.norm(rays[where], axis=1, keepdims=True)
        world_normal = normal @ die.rotation.T
        colour[where] = shade(albedo, world_normal, to_eye, above[where], die.surface, scene.lighting)
        if die.surface.clear > 0:
            gloss = shade(0 * albedo, world_normal, to_eye, above[where], die.surface, scene.lighting)
            heading = (rays[where] @ die.rotation).astype(np.float32)
            through = gloss + _through(die, hits.point[where], normal, heading, scene, light)
            bare = die.surface.clear * (1 - _ink(die, hits.point[where], hits.face[where]))[:, None]
            colour[where] += bare * (through - colour[where])
    premultiplied = colour.reshape(height, width, 3)
    alpha = seen.reshape(height, width).astype(np.float32)
    if samples > 1:
        size = (cx1 - cx0, cy1 - cy0)
        premultiplied = cv2.resize(premultiplied, size, interpolation=cv2.INTER_AREA)
        alpha = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)
    dim = 1.0
    if scene.light_field is not None:
        field_h, field_w = scene.light_field.shape
        px, py = np.clip(hull.mean(0), 0, (view.width - 1, view.height - 1))
        dim = float(scene.light_field[int(py / view.height * field_h), int(px / view.width * field_w)])
    patch = light[cy0:cy1, cx0:cx1]
    patch *= 1 - alpha[..., None]
    patch += premultiplied * dim
    owner[cy0:cy1, cx0:cx1][alpha > 0.5] = number
    inside = (cx1 - cx0) * (cy1 - cy0)
    return int((alpha > 0.5).sum() * full / inside)


def _skin(die: Die, point: Floats, normal: Floats, face: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Linear colour and normal of surface points; normals are tilted in engravings."""
    body = die.body
    albedo = np.empty((len(point), 3), np.float32)
    bent = normal
    for i in np.unique(face):
        mine = face == i
        texture = die.texture(int(i))
        scale = texture.colour.shape[0]
        u, v = _texel(die, int(i), point[mine], scale)
        albedo[mine] = _sample(texture.colour, u, v)
        if texture.relief is not None and die.depth > 0:
            slope_x = cv2.Sobel(texture.relief, cv2.CV_32F, 1, 0, ksize=3) * (scale / 8)
            slope_y = cv2.Sobel(texture.relief, cv2.CV_32F, 0, 1, ksize=3) * (scale / 8)
            gx, gy = _sample(slope_x, u, v)[:, None], _sample(slope_y, u, v)[:, None]
            tilted = normal[mine] - die.depth * (gx * body.right[i] + gy * body.down[i])
            bent = bent if bent is not normal else normal.copy()
            bent[mine] = tilted / np.linalg.norm(tilted, axis=1, keepdims=True)
    albedo = (albedo / np.float32(255)) ** 2
    return albedo, bent


def _texel(die: Die, face: int, point: Floats, scale: int) -> tuple[Floats, Floats]:
    """Columns (N,) and rows (N,) of points (N, 3) on a face in its texture of `scale` pixels a side."""
    body = die.body
    u = ((point @ body.right[face] + 0.5) * scale - 0.5).astype(np.float32)
    v = ((point @ body.down[face] + body.centre_v) * scale - 0.5).astype(np.float32)
    return u, v


def _ink(die: Die, point: Floats, face: NDArray[np.intp]) -> Floats:
    """(N,) share of ink that covers surface points, 0 … 1."""
    cover = np.zeros(len(point), np.float32)
    for i in np.unique(face):
        mine, ink = face == i, die.texture(int(i)).ink
        if ink is not None:
            cover[mine] = _sample(ink, *_texel(die, int(i), point[mine], len(ink)))
    return cover


def _through(die: Die, point: Floats, normal: Floats, rays: Floats, scene: Scene, behind: Floats) -> Floats:
    """(N, 3) the light that reaches surface points through a clear body, in the die's coordinates.

    A ray is refracted where it enters, reflected where it cannot leave, and ends at ink on the far side, at the picture
    `behind` of the table, or at the room's light. Ink and body colour the light.
    """
    body, index = die.body, np.float32(die.surface.refraction)
    heading = _bent(rays / np.linalg.norm(rays, axis=1, keepdims=True), normal, 1 / index)
    light, bare = np.zeros(point.shape, np.float32), np.ones((len(point), 1), np.float32)
    place, face, inside = point, np.zeros(len(point), np.intp), np.ones(len(point), np.bool_)
    outward = normal
    for _ in range(BOUNCES):
        rate = np.maximum(heading @ body.normals.T, 1e-4)
        ahead = (body.apothem - place @ body.normals.T) / rate
        ahead = np.where((rate > 1e-4) & (ahead > 1e-3), ahead, 3.0).astype(np.float32)
        face = np.where(inside, ahead.argmin(axis=1), face)
        place = place + np.where(inside, ahead.min(axis=1), 0)[:, None] * heading
        outward = body.normals[face]
        ink = (_ink(die, place, face) * inside)[:, None]
        light += bare * ink * _skin(die, place, outward, face)[0] * scene.lighting.ambient
        bare = bare * (1 - ink)
        along = (heading * outward).sum(1, keepdims=True)
        inside &= index**2 * (1 - along[:, 0] ** 2) > 1
        heading = np.where(inside[:, None], heading - 2 * along * outward, heading).astype(np.float32)
    leaving = _bent(heading, outward, index) @ die.rotation.T
    start = die.centre + die.side * place @ die.rotation.T
    down = np.minimum(leaving[:, 2:], -0.1)
    seen = scene.view.project(start - leaving * (start[:, 2:] / down))
    height, width = behind.shape[:2]
    seen = np.clip(seen, 0, (width - 1, height - 1)).astype(np.float32)
    table = _sample(behind, seen[:, 0], seen[:, 1])
    room = room_light(leaving, scene.lighting)
    tint = _skin(die, point, normal, (body.normals @ point.T).argmax(axis=0))[0]
    beyond = np.where(leaving[:, 2:] < -0.1, table, room)
    return ((light + bare * beyond) * tint ** (1 - die.surface.clear)).astype(np.float32)


def _bent(heading: Floats, normal: Floats, ratio: Floats | np.float32) -> Floats:
    """Refracted unit directions (N, 3), by Snell's law; grazing if they cannot pass the surface."""
    along = (heading * normal).sum(1, keepdims=True)
    side = ratio * (heading - along * normal)
    rest = np.sqrt(np.maximum(1 - (side * side).sum(1, keepdims=True), 0))
    bent = side + np.sign(along) * rest * normal
    return (bent / np.maximum(np.linalg.norm(bent, axis=1, keepdims=True), 1e-6)).astype(np.float32)


def _sample(image: NDArray[np.uint8] | Floats, u: Floats, v: Floats) -> Floats:
    """Bilinear samples of an image at N points; cv2.remap takes at most 32767 rows and columns."""
    count = len(u)
    columns = 4096
    rows = -(-count // columns)
    pad = rows * columns - count
    grid_u = np.pad(u, (0, pad)).reshape(rows, columns)
    grid_v = np.pad(v, (0, pad)).reshape(rows, columns)
    drawn = cv2.remap(image, grid_u, grid_v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return drawn.reshape(rows * columns, -1)[:count].astype(np.float32).reshape(count, *image.shape[2:])


def _label(die: Die, number: int, view: View, owner: NDArray[np.int16], outline: int) -> DieLabel:
    corners = view.project(die.top_corners())
    mine = owner == number
    ys, xs = np.nonzero(mine)
    box = (0.0, 0.0, 0.0, 0.0)
    if len(xs):
        box = (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1))
    face = np.zeros(owner.shape, np.uint8)
    clipped = np.clip(corners, -8000, 8000)
    cv2.fillConvexPoly(face, np.rint(clipped * 16).astype(np.int32), 1, shift=4)
    area = max(float(cv2.contourArea(clipped)), 1.0)
    shown = float(np.count_nonzero((face > 0) & mine))
    whole = min(len(xs) / max(outline, 1), 1.0)
    return DieLabel(die.shape, die.key, corners, _body(die, view), box, min(shown / area, 1.0), whole)


def _body(die: Die, view: View) -> Floats:
    """All corners of a die in the picture, (8 or 6, 2), in pixels."""
    return view.project(die.centre + die.side * die.body.vertices @ die.rotation.T)
