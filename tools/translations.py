"""Brings the pages' catalogues up to date: `python -m tools.translations` (or `make translations`).

What is new in templates and Python gets an empty translation to be written, what is used nowhere any more goes, what
was translated stays. Nothing is guessed: a test fails for each message without a translation.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from web import camera, rules
from web.language import LANGUAGES, TRANSLATIONS, WRITTEN

ROOT = Path(__file__).parent.parent
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None}
METHODS = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
JINJA = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}

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
    for file, said in (("web/rules.py", rules.messages()), ("web/camera.py", camera.messages())):
        for message in said:  # written where the rules and the eyes are, which know no languages
            catalogue.add(message, locations=[(file, 0)])
    return catalogue


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
