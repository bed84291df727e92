"""One picture's table: dice, what they lie on, what lies beside them, the room, the camera; and its rendering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from training.pathtrace import engine, lights, props, textures
from training.pathtrace.camera import LensCamera, random_camera
from training.pathtrace.dice import DieMake, DieTextures, Stuff, material, random_build, random_look, skin
from training.pathtrace.labels import Label, PlacedDie, apart, label, outline, throw
from training.pathtrace.polyhedra import polyhedron
from training.pathtrace.solids import Build, Mesh, about_z, mesh, outer_corners, plane, polygon, prism
from training.pathtrace.textures import Floats
from vision.dicesets.model import DiceSet

Thing = tuple[Mesh, Mapping[str, Any]]

PIXELS = (28.0, 120.0)
"""A die's size at the middle of the picture."""

OTHERS = (2, 7)
"""At least so many dice of other kinds lie on a table, and fewer than so many."""

SAMPLES = 4
"""Paths a pixel, before the noise they leave is cleaned away."""


@dataclass(frozen=True, eq=False, slots=True)
class TracedScene:
    """Everything that a picture shows."""

    camera: LensCamera
    dice: tuple[PlacedDie, ...]
    skins: tuple[DieTextures, ...]
    things: tuple[Thing, ...]
    """Table, tray and props."""
    room: lights.Room
    covering: str
    """The ground's name."""
    beside: tuple[str, ...]
    """The props' names."""

    def labels(self) -> tuple[Label, ...]:
        """What the picture truly shows."""
        return labelled(self.camera, self.dice, self.skins)

    def about(self) -> dict[str, str | float | tuple[str, ...]]:
        """Table, room, things beside the dice, and the camera's tilt in degrees."""
        tilt = round(self.camera.tilt, 1)
        return {"tilt": tilt, "table": self.covering, "room": self.room.name, "beside": self.beside}


def labelled(camera: LensCamera, dice: Sequence[PlacedDie], skins: Sequence[DieTextures]) -> tuple[Label, ...]:
    """What a camera truly sees of dice, each in its skin."""
    return tuple(
        label(die, painted.faces[die.top], camera, [other for other in dice if other is not die])
        for die, painted in zip(dice, skins, strict=True)
    )


def random_scene(
    rng: np.random.Generator, dice_set: DiceSet | None, count: int = 6, camera: LensCamera | None = None, *,
    rolled: bool = False, stuff: Stuff | None = None, others: bool = False,
) -> TracedScene:  # fmt: skip
    """A table with `count` dice of a set (fewer where they do not fit), or one without any; `camera` may be given.

    `rolled` rolls the camera any way about its axis; `stuff` is what all dice are made of; with `others`, dice of other
    kinds lie there, too.
    """
    camera = camera or random_camera(rng, PIXELS, rolled=rolled)
    looks: list[DieMake] = []
    builds: list[Build] = []
    if dice_set is not None:
        alike = float(rng.random()) < 0.5
        first, cut = random_look(rng, dice_set, stuff), random_build(rng, dice_set.shapes[0], 16.0)
        for _ in range(count):
            shape = dice_set.shapes[int(rng.integers(len(dice_set.shapes)))]
            size = 16.0 if rng.random() < 0.75 else float(rng.choice([14.0, 18.0]))
            same = alike and shape == cut.shape
            builds.append(cut if same else random_build(rng, shape, size))
            looks.append(first if alike else random_look(rng, dice_set, stuff))
    dice = throw(rng, builds, camera)
    made = [(dice_set, die, look) for die, look in zip(dice, looks, strict=False) if dice_set is not None]
    skins = tuple(skin(rng, of, die.build.shape, look) for of, die, look in made)
    return furnished(rng, camera, dice, skins, int(rng.integers(*OTHERS)) if others else 0)


def furnished(
    rng: np.random.Generator, camera: LensCamera, dice: Sequence[PlacedDie], skins: tuple[DieTextures, ...],
    others: int = 0,
) -> TracedScene:  # fmt: skip
    """A random table and room for dice that lie already, and so many dice of other kinds."""
    things, covering = _table(rng, camera, dice)
    beside = _clutter(rng, camera, dice, things[:-1], 1.2 if dice or others else 7.0, others)
    distance = float(np.linalg.norm(camera.position))
    return TracedScene(
        camera, tuple(dice), skins, (*things, *((m, p.material) for p, m in beside)),
        lights.random_room(rng, distance), covering, tuple(p.name for p, _ in beside),
    )  # fmt: skip


def _covered(
    rng: np.random.Generator, makers: Sequence[textures.Maker], span: float
) -> tuple[dict[str, Any], str]:
    texels = textures.SIDE / span
    ground = makers[int(rng.integers(len(makers)))](rng, texels)
    more: dict[str, Any] = {"clearcoat": ground.clearcoat, "clearcoat_gloss": 0.9} if ground.clearcoat else {}
    return props.printed(ground.colour, ground.roughness, ground.relief, ground.depth, **more), ground.name


def _table(rng: np.random.Generator, camera: LensCamera, dice: Sequence[PlacedDie]) -> tuple[list[Thing], str]:
    """The covering, and in one picture of six a tray around the dice."""
    span = float(camera.width / camera.focal * np.linalg.norm(camera.position)) * 1.3
    turn = about_z(float(rng.uniform(0, 2 * np.pi)))
    nowhere = np.zeros(3)
    if dice and rng.random() < 0.18:
        tray = _tray(rng, camera, dice)
        if tray:
            surface, _ = _covered(rng, textures.PLAIN, span)
            return [*tray, (plane(6000, -6.0, span).moved(turn, nowhere), surface)], "tray"
    makers = textures.PLAIN if rng.random() < 0.65 else textures.PRINTED
    surface, name = _covered(rng, makers, span)
    return [(plane(6000, 0.0, span).moved(turn, nowhere), surface)], name


def _tray(rng: np.random.Generator, camera: LensCamera, dice: Sequence[PlacedDie]) -> list[Thing]:
    """A tray of four to eight sides whose rim hides no die; empty if none fits."""
    points = np.concatenate([outer_corners(die.build, die.pose) for die in dice])[:, :2]
    middle = (points.min(0) + points.max(0)) / 2
    sides = int(rng.choice([4, 6, 8]))
    turn = float(rng.uniform(0, 2 * np.pi))
    reach = float(np.linalg.norm(points - middle, axis=1).max() + rng.uniform(6, 30)) / np.cos(np.pi / sides)
    thick, tall = float(rng.uniform(5, 14)), float(rng.uniform(8, 22))
    inner, outer = polygon(sides, reach, turn), polygon(sides, reach + thick * 1.3, turn)
    shift = np.array([*middle, 0.0])
    rim, _ = _covered(rng, (textures.wood, textures.leather), 150.0)
    bars: list[Thing] = []
    for k in range(sides):
        after = (k + 1) % sides
        bar = prism(np.array([inner[k], outer[k], outer[after], inner[after]]), tall + 5, 0.8)
        bar = bar.moved(np.eye(3), shift - (0, 0, 5))
        if not _clear(camera, bar, dice):
            return []
        bars.append((bar, rim))
    floor, _ = _covered(rng, textures.FLOORS, 2 * reach)
    return [*bars, (prism(outer, 5.0).moved(np.eye(3), shift - (0, 0, 5)), floor)]


def _clear(camera: LensCamera, body: Mesh, dice: Sequence[PlacedDie]) -> bool:
    """Whether a body is in front of the lens and covers no die in the picture."""
    depth = (body.vertices - camera.position) @ camera.axes[2]
    if depth.min() < 0.3 * np.linalg.norm(camera.position):
        return False
    shown = outline(camera.project(body.vertices))
    return all(apart(shown, outline(camera.project(outer_corners(d.build, d.pose))), 2.0) for d in dice)


def _clutter(
    rng: np.random.Generator, camera: LensCamera, dice: Sequence[PlacedDie], tray: Sequence[Thing], many: float,
    others: int,
) -> list[tuple[props.Prop, Mesh]]:  # fmt: skip
    """Things beside the dice, some reaching out of the picture, and before them dice of other kinds, all within it."""
    lying: list[tuple[props.Prop, Mesh]] = []
    taken = [outline(outer_corners(die.build, die.pose)) for die in dice]
    taken += [outline(bar.vertices) for bar, _ in tray[:-1]]
    alike = props.SMALL[int(rng.integers(len(props.SMALL)))]
    for number in range(others + int(rng.poisson(many))):
        if number < others:
            prop, (low, high) = polyhedron(rng), (0.1, 0.9)
        else:
            kind = rng.random()
            makers = props.LARGE if kind < 0.35 else props.SMALL
            maker = alike if 0.35 < kind < 0.6 else makers[int(rng.integers(len(makers)))]
            prop, (low, high) = maker(rng), (-0.1, 1.1)
        for _ in range(8):
            x, y, _ = camera.on_table(
                (float(rng.uniform(low, high) * camera.width), float(rng.uniform(low, high) * camera.height))
            )
            body = prop.mesh.moved(about_z(float(rng.uniform(0, 2 * np.pi))), np.array([x, y, 0.05]))
            print_ = outline(body.vertices)
            if all(apart(print_, other, 1.0) for other in taken) and _clear(camera, body, dice):
                lying.append((prop, body))
                taken.append(print_)
                break
    return lying


def described(mi: Any, scene: TracedScene, bodies: Sequence[Mesh]) -> dict[str, Any]:
    """The scene as Mitsuba wants it, but for its camera; `bodies` are the dice, the k-th called ``diek``."""
    clear = any(painted.look.stuff in ("clear", "crystal") for painted in scene.skins)
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {
            "type": "aov",
            "aovs": "albedo:albedo,normal:sh_normal",
            "light": {"type": "path", "max_depth": 8 if clear else 4},
        },
        **lights.emitters(mi, scene.room),
    }
    for number, (body, surface) in enumerate(scene.things):
        parts[f"body{number}"] = engine.mesh_object(body, surface)
    for number, (body, painted) in enumerate(zip(bodies, scene.skins, strict=True)):
        parts[f"die{number}"] = engine.mesh_object(body, material(painted))
    return parts


def carved(die: PlacedDie, painted: DieTextures) -> Mesh:
    """A die's mesh about the origin, engraved as its skin is."""
    return mesh(die.build, painted.cut, painted.look.depth)


def render(scene: TracedScene, seed: int, samples: int = SAMPLES) -> Floats:
    """(H, W, 3) linear RGB radiance."""
    mi = engine.engine()
    bodies = [
        carved(die, painted).moved(die.pose.turn, die.pose.centre)
        for die, painted in zip(scene.dice, scene.skins, strict=True)
    ]
    parts = described(mi, scene, bodies) | {"camera": scene.camera.sensor(mi, samples, seed)}
    layers = np.asarray(mi.render(mi.load_dict(parts), spp=samples, seed=seed), np.float32)
    return np.asarray(engine.cleaned(layers), np.float32)
