"""Sentences: every language the table speaks."""

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""Every language by its code, with what it calls itself; who speaks it is in `words.speaker`."""

WRITTEN = "en"
"""The language of the code and of the pages' templates."""
