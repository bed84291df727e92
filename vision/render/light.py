"""Lamps, and how a die's surface reflects their light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Floats


@dataclass(frozen=True, eq=False, slots=True)
class Lamp:
    """A far-away lamp or window."""

    towards: Floats
    """(3,) unit vector from the table to the lamp."""
    colour: Floats
    """(3,) BGR strength."""
    width: float
    """Angular half-width in radians: 0.02 a bulb, 0.5 a window."""


@dataclass(frozen=True, eq=False, slots=True)
class Lighting:
    """All light in a scene."""

    lamps: tuple[Lamp, ...]
    ambient: Floats
    """(3,) BGR light from all directions above."""
    bounce: Floats
    """(3,) BGR light that the table reflects."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The material of a die."""

    gloss: float
    """0 matt … 1 polished."""
    roughness: float
    """Width of highlights: 0.05 mirror-like, 0.5 wide."""
    translucence: float
    """0 opaque … 1 clear coloured resin, which glows at the rim."""
    clear: float = 0.0
    """0 cannot be seen through … 1 glass."""
    refraction: float = 1.5
    """Refractive index of a clear die: 1.5 for glass and resin, less if it is hollow or looks so."""


def shade(
    albedo: Floats, normal: Floats, to_eye: Floats, height: Floats, surface: Surface, lighting: Lighting
) -> Floats:
    """BGR light that leaves each of N surface points.

    `albedo`, `normal`, `to_eye` are (N, 3), the latter two unit vectors in the world; `height` (N,) is in die
    sides above the table and darkens the foot of the die (contact shadow). Lambert, a Blinn-like lobe widened
    by the lamp, and Schlick's Fresnel term; plausible, not physical.
    """
    up = normal[:, 2:]
    nearness = np.clip(height[:, None] * 1.6, 0, 1)
    hemisphere = 0.5 + 0.5 * up
    light = (
        lighting.ambient * hemisphere * (0.45 + 0.55 * nearness)
        + lighting.bounce * (1 - hemisphere) * nearness
    )
    facing = np.clip((normal * to_eye).sum(1, keepdims=True), 0, 1)
    mirrored = 2 * (normal * to_eye).sum(1, keepdims=True) * normal - to_eye
    fresnel = 0.04 + 0.96 * (1 - facing) ** 5
    highlight = np.zeros_like(albedo)
    for lamp in lighting.lamps:
        direct = np.clip(normal @ lamp.towards, 0, 1)[:, None]
        light = light + lamp.colour * (
            (1 - 0.5 * surface.translucence) * direct + 0.25 * surface.translucence
        )
        angle = np.arccos(np.clip(mirrored @ lamp.towards, -1, 1))[:, None]
        lobe = np.exp(-(np.maximum(angle - lamp.width, 0) ** 2) / (2 * surface.roughness**2))
        highlight += lamp.colour * lobe
    sky = lighting.ambient * np.clip(0.5 + 0.8 * mirrored[:, 2:], 0.05, 1.3)
    specular = (
        surface.gloss * fresnel * (sky + highlight * (1.5 + 2.5 * (0.3 - min(surface.roughness, 0.3)) / 0.3))
    )
    glow = surface.translucence * (1 - facing) * 0.5 * albedo
    return (albedo * light + glow + specular).astype(np.float32)


def room_light(towards: Floats, lighting: Lighting) -> Floats:
    """(N, 3) BGR light from N unit directions (N, 3) of the room: more from above, and most from the lamps, each with a
    narrow and a wide glow around it; plausible, not physical."""
    light = lighting.ambient * (0.35 + 0.65 * np.clip(towards[:, 2:], 0, 1))
    for lamp in lighting.lamps:
        angle = np.arccos(np.clip(towards @ lamp.towards, -1, 1))[:, None]
        off = np.maximum(angle - lamp.width, 0)
        light = light + lamp.colour * (2 * np.exp(-((off / 0.1) ** 2)) + 0.5 * np.exp(-((off / 0.6) ** 2)))
    return light.astype(np.float32)
