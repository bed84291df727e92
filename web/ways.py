"""What every page has in common: the language it is in and the ways to the other pages."""

from __future__ import annotations

from flask import Flask, current_app

WAYS = (
    ("table.tonight", "Tonight"),
    ("table.page", "Table"),
    ("table.camera", "Camera"),
    ("table.dice", "Dice"),
    ("table.history", "History"),
    ("table.television", "Television"),
    ("table.spectator", "Spectator"),
)
"""The pages one can go to, and what the links say."""


def add_ways(app: Flask) -> None:
    """Give every template `ways`, `language` and the words of its language (`_`)."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    install = vars(app.jinja_env)["install_null_translations"]
    install(newstyle=True)

    @app.context_processor
    def common() -> dict[str, object]:
        there = [(end, words) for end, words in WAYS if end in current_app.view_functions]
        return {"ways": there, "language": "en"}
