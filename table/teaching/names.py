"""What people call their dice and the faces on them, and the ids that folders get of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import count
from typing import Final

from vision.dicesets.files import DiceSetError

LONGEST_NAME: Final = 60
"""Characters of a set's or a face's name."""


def checked(text: str, *, optional: bool = False) -> str:
    """A name as people write it, in any script, its spaces made single. DiceSetError; empty only where `optional`."""
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
    """A free id of a name: "Zwei Füße!" → "zwei-fusse"; of one without Latin letters or digits, of `otherwise`."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or otherwise
    numbered = (f"{slug}-{number}" for number in count(2))
    return slug if slug not in taken else next(one for one in numbered if one not in taken)
