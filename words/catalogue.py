"""What a language says: gettext catalogues, read as they are written.

The words of the whole house lie in `words/locale/<language>.po`, those of a game beside its rules, in
`words/<language>.po` of its folder. What has no context is a template or fixed words, keyed by the English; with a
context the key is an id:

| context | key | translation |
| --- | --- | --- |
| (none) | English, as it stands in the code | the sentence |
| `name` | id of a face, box, hand, declaration, card, tile | its name |
| `thing` | id of what sentences count | one with its article and several: "a koala", "koalas" (two forms) |

English has a file as well, for the ids that read otherwise than with spaces for dashes. `make translations` brings the
files up to date with the code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scoring.game import AnyGame
from scoring.games import available

LOCALE = Path(__file__).parent / "locale"

Forms = tuple[str, ...]
"""A translation: one form, or one and several."""


class CatalogueError(ValueError):
    """A catalogue that cannot be read: its file, the line, and what was expected."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one language: `said` from templates and fixed words, the others from ids; see the table above."""

    said: Mapping[str, str]
    plurals: Mapping[str, Forms]
    """What pages count, by the English singular."""
    names: Mapping[str, str]
    things: Mapping[str, Forms]


def catalogue(language: str) -> Catalogue:
    """A language's catalogue, with the words of every game there is now. Raises CatalogueError."""
    return _read(language, available())


def folder_of(game: AnyGame) -> Path:
    """Where a game's rules for players lie, and its words beside them."""
    return Path(game.home or str(sys.modules[type(game).__module__].__file__)).parent


@lru_cache(maxsize=16)
def _read(language: str, games: tuple[AnyGame, ...]) -> Catalogue:
    folders = dict.fromkeys(map(folder_of, games))
    found: dict[str | None, dict[str, Forms]] = {None: {}, "name": {}, "thing": {}}
    for path in (LOCALE / f"{language}.po", *(folder / "words" / f"{language}.po" for folder in folders)):
        for context, key, forms in entries(path) if path.exists() else ():
            if context not in found:
                raise CatalogueError(f"{path}: expected the context name or thing, got {context!r}")
            if key and all(forms):
                found[context][key] = forms
    single = {context: {key: forms[0] for key, forms in known.items()} for context, known in found.items()}
    plurals = {key: forms for key, forms in found[None].items() if len(forms) > 1}
    return Catalogue(single[None], plurals, single["name"], found["thing"])


def entries(path: Path) -> Iterator[tuple[str | None, str, Forms]]:
    """Every entry of a .po file: its context, its key, its forms. Raises CatalogueError."""
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate((*path.read_text(encoding="utf-8").splitlines(), ""), start=1):
        if not line:
            if "msgid" in entry:
                forms = tuple(text for name, text in entry.items() if name.startswith("msgstr"))
                yield entry.get("msgctxt"), entry["msgid"], forms
            entry = {}
        elif line[0] != "#":
            name, space, text = line.partition(" ") if line[0] != '"' else (field, " ", line)
            if not space or text[:1] != '"' or text[-1:] != '"':
                raise CatalogueError(
                    f"{path}, line {number}: expected a word and a text in quotes, got {line[:60]}"
                )
            field = name
            entry[name] = entry.get(name, "") + _unescaped(text[1:-1])


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = text.replace("\\\\", "\0").replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t")
    return plain.replace("\0", "\\")
