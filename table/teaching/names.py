"""Names that people give dice and faces, and the ids made from them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import count
from typing import Final

from vision.dicesets.files import DiceSetError

LONGEST_NAME: Final = 60
"""Longest name of a set or face, in characters."""


def checked(text: str, *, optional: bool = False) -> str:
    """A name in any script, with single spaces; empty only if `optional`. DiceSetError if it is invalid."""
    name = " ".join(text.split())
    if optional and not name:
        return ""
    if not any(sign.isalnum() for sign in name):
        raise DiceSetError("enter a name with a letter or a digit")
    if len(name) > LONGEST_NAME:
        raise DiceSetError("a name has at most {most} characters", most=LONGEST_NAME)
    if not name.isprintable():
        raise DiceSetError("this name has a character that cannot be shown")
    return name


def id_of(name: str, otherwise: str, taken: Collection[str] = ()) -> str:
    """A free id for a name: "Zwei Füße!" → "zwei-fusse"; from `otherwise` if it has no Latin letters or digits."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or otherwise
    numbered = (f"{slug}-{number}" for number in count(2))
    return slug if slug not in taken else next(one for one in numbered if one not in taken)
