"""What every page has in common: the language it is in and the ways to the other pages."""

from __future__ import annotations

from flask import Flask, current_app

from web.language import N_, add_translations

WAYS = (
    ("table.tonight", N_("Tonight")),
    ("table.page", N_("Table")),
    ("table.camera", N_("Camera")),
    ("table.dice", N_("Dice")),
    ("table.history", N_("History")),
    ("table.television", N_("Television")),
    ("table.spectator", N_("Spectator")),
)
"""The pages one can go to, and what the links say."""


def add_ways(app: Flask) -> None:
    """Give every template `ways`, and the words and the switch of its language (`web.language`)."""
    add_translations(app)

    @app.context_processor
    def common() -> dict[str, object]:
        return {"ways": [(end, words) for end, words in WAYS if end in current_app.view_functions]}
