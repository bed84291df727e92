"""Brings the pages' catalogues up to date: `python -m tools.translations` (or `make translations`).

What is new in templates and Python gets an empty translation to be written, what is used nowhere any more goes, what
was translated stays. Nothing is guessed: a test fails for each message without a translation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from vision.foreign import FOREIGN
from web import draft
from web.language import LANGUAGES, TRANSLATIONS, WRITTEN
from web.pages import camera

ROOT = Path(__file__).parent.parent
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None}
METHODS = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
JINJA = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}

SAID_BY = frozenset(
    {
        "said",
        "say",
        "Said",
        "DiceSetError",
        "PackError",
        "EnrolError",
        "SideError",
        "PictureError",
        "WeightsError",
    }
)
"""What makes a line for people out of a template, its first argument (`vision.said`)."""
ROOMS = ("vision", "words", "advice", "table")
"""Where such lines are made."""
REFUSALS = SAID_BY - {"said", "say", "Said"}
"""Those that people hear as a refusal: each begins with a template, never with words that were put together."""
PASSED_ON = ("error.said", "refused.said", "refused.why")
"""What may stand in a template's place: one that another error brought."""

HEAD = """msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
"""What a catalogue begins with: no dates and names, which would change with every run and say nothing."""


def wanted() -> Catalog:
    """Every message of the pages, with the files it stands in."""
    catalogue = Catalog(project="Tableside", charset="utf-8")
    found = extract_from_dir(
        str(ROOT / "web"),
        METHODS,
        {"**/templates/**.html": JINJA},
        keywords=KEYWORDS,
        comment_tags=("i18n:",),
    )
    # Without line numbers, which would change with every edit above them.
    for file, _line, message, comments, context in sorted(found, key=lambda one: one[0]):
        catalogue.add(
            message, locations=[(f"web/{Path(file).as_posix()}", 0)], auto_comments=comments, context=context
        )
    for file, said in (("web/draft.py", draft.messages()), ("web/pages/camera.py", camera.messages())):
        for message in said:  # written where the rules and the eyes are, which know no languages
            catalogue.add(message, locations=[(file, 0)])
    for text, file in said_lines().items():  # vision and table, which say them in English alone
        catalogue.add(text, locations=[(file, 0)])
    return catalogue


def said_lines(rooms: tuple[str, ...] = ROOMS, root: Path = ROOT) -> dict[str, str]:
    """Every template of the rooms below the pages, with the file it stands in.

    Raises ValueError for a refusal whose words are put together on the spot: nobody could translate it.
    """
    found: dict[str, str] = {}
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if {"synth", "train"} & set(path.parts):
                continue  # programs of the command line alone
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SAID_BY:
                    found |= dict.fromkeys(_templates(call, file), file)
    return found | dict.fromkeys(FOREIGN, "vision/foreign.py")


def _templates(call: ast.Call, file: str) -> Iterator[str]:
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value
    elif first is not None and isinstance(call.func, ast.Name) and call.func.id in REFUSALS:
        words = ast.unparse(first)
        if not words.startswith(PASSED_ON):
            raise ValueError(f"{file}: {call.func.id}: expected a template, found {words}")


def kept(language: str) -> Catalog:
    """A language's catalogue as it is; empty when there is none yet."""
    path = TRANSLATIONS / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as written:
        return read_po(written, locale=language, abort_invalid=True)


def main() -> None:
    """Write every catalogue anew, and say what is to be translated."""
    template = wanted()
    for language in LANGUAGES:
        if language == WRITTEN:
            continue
        catalogue = kept(language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        with (TRANSLATIONS / f"{language}.po").open("wb") as out:
            out.write(HEAD.format(language=language, plurals=catalogue.plural_forms).encode())
            write_po(out, catalogue, width=110, omit_header=True, sort_output=True, include_lineno=False)
        empty = [one for one in catalogue if not one.string or not all(one.string)]
        print(f"{language}: {len(catalogue)} messages, {len(empty)} to be translated")


if __name__ == "__main__":
    main()
