"""Updates the message catalogues: `python -m tools.translations` (or `make translations`).

New messages get an empty translation, unused ones are removed, translations stay. Messages of a single game go into
the catalogue beside its rules. Nothing is guessed: a test fails for each message without a translation.
"""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2.ext import babel_extract

from scoring.game import AnyGame
from scoring.gamefile.game import FileGame
from scoring.games import available
from web.pages import camera
from words import LANGUAGES, WRITTEN
from words.catalogue import LOCALE, entries, folder_of

ROOT = Path(__file__).parent.parent
ROOMS = ("advice", "cli", "files", "hardware", "messages", "scoring", "table", "vision", "web", "words")
"""Packages with messages for players; `training` and `tools` are for developers and stay English."""

SAYS = frozenset({"_", "gettext", "ngettext", "N_", "message", "Message", "refuse", "line"})
"""Calls whose first argument is a template; so is that of every error that is a message (`errors`)."""
MESSAGE_ERRORS = ("SpokenError",)
CONSTANTS = frozenset({"words"})
"""Class attributes that hold a template: the name of a move."""
JINJA = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
LOCAL = ("_", "gettext", "ngettext", "N_")

PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}
HEAD = """msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"""
"""The header of a catalogue, without dates and names, which would change with every run."""
WIDTH = 112

Key = tuple[str | None, str]
"""Context and msgid of an entry."""


@dataclass
class Saying:
    """A message: its plural, if any, and the files that use it."""

    plural: str = ""
    files: set[str] = field(default_factory=set[str])


class ComposedError(ValueError):
    """A template that is composed at run time, so that it cannot be translated."""


@cache
def sources() -> Mapping[str, ast.Module]:
    """Every Python file of the product, parsed."""
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    gc.disable()  # syntax trees contain no garbage, and collecting it would take four times as long as parsing
    try:
        return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    finally:
        gc.enable()


@cache
def errors() -> frozenset[str]:
    """The names of the errors that are messages: MessageError and its subclasses."""
    nodes = [node for tree in sources().values() for node in ast.walk(tree)]
    bases = {n.name: {getattr(b, "id", "") for b in n.bases} for n in nodes if isinstance(n, ast.ClassDef)}
    found, before = set(MESSAGE_ERRORS), 0
    while len(found) > before:
        before = len(found)
        found |= {name for name, above in bases.items() if above & found}
    return frozenset(found)


def templates(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every template in Python code, with its plural. Raises ComposedError."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in SAYS or name in errors():
                plural = next(texts(node.args[1]), "") if name == "ngettext" else ""
                yield from ((text, plural) for text in texts(node.args[0]))
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.AnnAssign) and one.value and getattr(one.target, "id", "") in CONSTANTS:
                    yield from ((text, "") for text in texts(one.value))


def texts(node: ast.AST) -> Iterator[str]:
    """The possible values of a literal expression. Raises ComposedError for f-strings and concatenation."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))
    elif isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp | ast.Call) and _is_text(node)):
        raise ComposedError(f"a template with its values baked in: {ast.unparse(node)}")


def _is_text(node: ast.BinOp | ast.Call) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "str"
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in ast.walk(node))


@cache
def wanted() -> Mapping[str, Saying]:
    """All messages, by their English text. Raises ComposedError."""
    found: dict[str, Saying] = {}

    def want(text: str, file: str, plural: str = "") -> None:
        one = found.setdefault(text, Saying())
        one.plural = one.plural or plural
        one.files.add(file)

    for file, tree in sources().items():
        for text, plural in templates(tree):
            if has_words(text):
                want(text, file, plural)
    for path in sorted((ROOT / "web").rglob("*.html")):
        with path.open("rb") as page:
            told: Iterable[Any] = babel_extract(page, LOCAL, (), JINJA)
            for _line, function, said, _comments in told:
                one, *more = (said,) if isinstance(said, str) else said or (None,)
                if one is not None:  # otherwise it is a variable, marked where it was created
                    plural = str(more[0]) if function == "ngettext" else ""
                    want(one, path.relative_to(ROOT).as_posix(), plural)
    for text in camera.messages():  # written where the cameras are
        want(text, "web/pages/camera.py")
    for game in available():
        for text in declared(game):
            want(text, f"{folder_of(game).relative_to(ROOT).as_posix()}/game.py")
    return found


def declared(game: AnyGame) -> Iterator[str]:
    """A game's description of itself and its options on pages."""
    yield game.blurb
    for option in game.options:
        yield option.called()
        if option.zero:
            yield option.zero
        yield option.explanation
        yield from (option.answer(value) for value in option.values)
    if isinstance(game, FileGame):
        yield from (one.name for one in (*game.rules.scores, *game.rules.bonuses))


def has_words(template: str) -> bool:
    """Whether there is anything to translate: words beside the values, or a count."""
    return bool(re.search(r"[^\W\d_]", re.sub(r"\{[^} ]*\}|%\(\w+\)\w", "", template)))


@cache
def strings() -> frozenset[str]:
    """Every string in the product's code: fixed words are used by name, `{what:rule}`."""
    nodes = (node for tree in sources().values() for node in ast.walk(tree))
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    return frozenset(value for value in values if isinstance(value, str))


def is_said(key: Key) -> bool:
    """Whether the message of an entry is still used; names of ids are maintained by hand."""
    return key[0] is not None or key[1] in wanted() or key[1] in strings()


def files_of(language: str) -> list[Path]:
    """A language's catalogues: the general one and those of the games."""
    return [LOCALE / f"{language}.po", *sorted((ROOT / "scoring/games").glob(f"*/words/{language}.po"))]


def kept(language: str) -> dict[Key, tuple[Path, tuple[str, ...]]]:
    """A language's current translations, and their files."""
    return {
        (context, key): (path, forms)
        for path in files_of(language)
        if path.exists()
        for context, key, forms in entries(path)
        if key
    }


def home(one: Saying, language: str) -> Path:
    """The catalogue of a message: a game's own if only that game uses it."""
    games = {"/".join(file.split("/")[:3]) for file in one.files if file.startswith("scoring/games/")}
    alone = len(games) == 1 and all(file.startswith(f"{min(games)}/") for file in one.files)
    return ROOT / games.pop() / "words" / f"{language}.po" if alone else LOCALE / f"{language}.po"


def written(language: str, entries: Mapping[Key, tuple[str, ...]]) -> str:
    """The text of a catalogue file."""
    blocks = [HEAD.format(language=language, plurals=PLURALS.get(language, "nplurals=2; plural=(n != 1);"))]
    for (context, key), forms in sorted(entries.items(), key=lambda entry: (entry[0][0] or "", entry[0][1])):
        fields = [("msgctxt", context)] if context else []
        fields.append(("msgid", key))
        if len(forms) > 1:
            fields.append(("msgid_plural", key if context else wanted()[key].plural))
            fields += [(f"msgstr[{i}]", form) for i, form in enumerate(forms)]
        else:
            fields += [("msgstr", form) for form in forms]
        blocks.append("".join(_field(name, text) for name, text in fields))
    return "\n".join(blocks)


def _field(name: str, text: str) -> str:
    for sign, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(sign, escaped)
    if len(name) + len(text) + 3 <= WIDTH:
        return f'{name} "{text}"\n'
    lines = [""]
    for word in re.findall(r"\S+\s*|\s+", text):
        if lines[-1] and len(lines[-1]) + len(word) > WIDTH - 2:
            lines.append("")
        lines[-1] += word
    return f'{name} ""\n' + "".join(f'"{line}"\n' for line in lines)


def brought_up_to_date(language: str) -> dict[Path, dict[Key, tuple[str, ...]]]:
    """The messages that belong in each catalogue of a language."""
    there = kept(language)
    found: dict[Path, dict[Key, tuple[str, ...]]] = {path: {} for path in files_of(language)}
    for key, (path, forms) in there.items():
        if is_said(key):
            moved = key[1] in wanted() and key[0] is None
            found.setdefault(home(wanted()[key[1]], language) if moved else path, {})[key] = forms
    if language != WRITTEN:
        for text, one in wanted().items():
            if (None, text) not in there:
                found.setdefault(home(one, language), {})[None, text] = ("", "") if one.plural else ("",)
    return found


def main() -> None:
    """Rewrite every catalogue, and list the missing translations."""
    for language in LANGUAGES:
        catalogues = brought_up_to_date(language)
        for path, told in catalogues.items():
            if told:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(written(language, told), encoding="utf-8")
        every = [forms for told in catalogues.values() for forms in told.values()]
        empty = sum(not all(forms) for forms in every)
        print(f"{language}: {len(every)} messages, {empty} to be translated")


if __name__ == "__main__":
    main()
