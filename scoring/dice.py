"""Dice as the rules see them: so many of them, these faces, and nothing about pictures.

A roll is a multiset of faces; the order in which faces are given is kept (a camera reads from left to right)
and means nothing.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from messages.message import Message, MessageError, message

Face: TypeAlias = str
"""The id of a face as the dice sets print it: "two-cats", "8", "laoghaire"."""


class UnknownFaceError(MessageError):
    """A word that names no face; the message says which were expected."""


def spelled(text: str) -> str:
    """The letters and digits of a word, without case and accents: "Two Cats" and "two_cats" are one."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def named(text: str, names: Iterable[str], what: str | Message) -> str:
    """The one of `names` that `text` means, whatever its case, spaces or dashes.

    Raises UnknownFaceError, saying in one line what was expected and what came.
    """
    known = tuple(names)
    name = _meant(text, known)
    if name is not None:
        return name
    expected = what if isinstance(what, Message) else message(what)
    raise UnknownFaceError(
        "expected {what} ({known:ids}), got {got:quoted}", what=expected, known=known, got=text
    )


def _meant(text: str, names: Iterable[str]) -> str | None:
    wanted = spelled(text)
    return next((name for name in names if spelled(name) == wanted), None)


def shortened(text: str, limit: int = 40) -> str:
    """`text` quoted, and cut if long, so that an error about it stays one readable line."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice a game is played with: `count` dice of the set `set_id`, each with `faces`, one of each.

    A game without dice has a count of 0. Where a document leaves the number of sides open (Outlander),
    `faces` still lists every face that can show; only odds need more, and say which model they use.
    """

    set_id: str
    count: int
    faces: tuple[Face, ...]

    def face(self, text: str) -> Face:
        """The face that `text` names, forgiving case, spaces and dashes. Raises UnknownFaceError."""
        face = _meant(text, self.faces)
        if face is None:
            raise UnknownFaceError(
                "these dice have no face {got:quoted}; they show {known:row}", got=text, known=self.faces
            )
        return face

    def read(self, text: str) -> tuple[Face, ...]:
        """The faces in a typed roll: "2, 2, 4" or "cat, Two Cats"; spaces alone also part bare numbers.

        Raises UnknownFaceError; the number of dice is checked where the roll is used.
        """
        if "," in text or ";" in text:
            words = [word for word in text.replace(";", ",").split(",") if word.strip()]
        else:
            words = self._words(text)
        return tuple(self.face(word) for word in words)

    def _words(self, text: str) -> list[str]:
        """Words separated by spaces, joined again if a face has two: "two cats cat" is two faces."""
        parts, words = text.split(), list[str]()
        known = {spelled(face) for face in self.faces}
        while parts:
            for length in range(len(parts), 0, -1):
                if spelled("".join(parts[:length])) in known and (length == 1 or not parts[0].isdigit()):
                    break
            else:
                length = 1
            words.append(" ".join(parts[:length]))
            parts = parts[length:]
        return words

    def ordered(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        """The same faces in the set's own order."""
        return tuple(sorted(faces, key=self.faces.index))


def within(part: Iterable[str], whole: Iterable[str]) -> bool:
    """Whether every face of `part` is in `whole`, as often (multiset inclusion)."""
    return not Counter(part) - Counter(whole)


def without(whole: Iterable[str], part: Iterable[str]) -> tuple[str, ...]:
    """`whole` less the faces of `part`, one for one; the first ones of `whole` go first."""
    going = Counter(part)
    left: list[str] = []
    for face in whole:
        if going[face]:
            going[face] -= 1
        else:
            left.append(face)
    return tuple(left)


def choices(faces: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Every distinct multiset that can be kept out of `faces`, from none to all of them."""
    found: list[tuple[str, ...]] = [()]
    for face, number in Counter(faces).items():
        found = [(*kept, *((face,) * k)) for kept in found for k in range(number + 1)]
    return tuple(found)
