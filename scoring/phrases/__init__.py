"""The sentences, one folder a language: `en/`, `de/`, `fr/`. See scoring.wording.

To add a language, write a folder with the files of `en/`, give it a `Language` in its `__init__.py`, and name it in
`scoring.wording.LANGUAGES`; tests/scoring/test_languages.py says what is missing. No game is touched.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def collected(package: str, table: str) -> dict[str, Any]:
    """What the files of a language's folder hold under one name.

    `places.py` has PLACES, from a part of a citation to how it is said. The others have PHRASES, from the name of a
    fact to its sentence; they may have NAMES, from an id to its name, THINGS, from an id to one and to several of it,
    and RULES, from the English rule of a breakdown line (or any other English words
    of the games) to the translated ones.
    """
    found: dict[str, Any] = {}
    for module in iter_modules(import_module(package).__path__):
        found |= getattr(import_module(f"{package}.{module.name}"), table, {})
    return found
