"""The language of each device: what its person chose, else what its browser prefers, else English.

Pages write their words in English, `_("{…}")` in templates and in Python alike; the catalogues have the others
(`words.catalogue`). What the table and the rules say are messages, said by a speaker of the language (`words.speaker`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from flask import Flask, g, has_request_context, request

from messages.message import MessageError
from table.storage.store import StoreError
from words.catalogue import catalogue
from words.overheard import heard, several
from words.problems import Named, Said, SaidError, Value, Words, system
from words.speaker import speaker


def N_(message: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a message that is translated where it is shown, not where it stands."""
    return message


LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch", "fr": "Français"})
"""Every language of the pages, each by its own name. The first is what the pages are written in."""

WRITTEN = next(iter(LANGUAGES))

COOKIE = "language"
YEAR = 365 * 24 * 3600
"""Seconds that a device remembers its language."""


def current() -> str:
    """The language of the device that asks; English where nobody asks."""
    if not has_request_context():
        return WRITTEN
    if "language" not in g:
        kept = request.cookies.get(COOKIE, "")
        g.language = kept if kept in LANGUAGES else _preferred()
    return str(g.language)


def _preferred() -> str:
    """What the browser would rather read, whatever country's; werkzeug's match sets "en" before "fr-CA"."""
    wished = [tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0]
    return next((language for language in wished if language in LANGUAGES), WRITTEN)


def gettext(message: str, /, **values: object) -> str:
    """The message in the device's language, its %(placeholders)s filled in."""
    return _looked_up(message) % values


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """The message for so many of a thing; `num` is the number where no value has that name."""
    return _counted(one, many, n) % {"num": n, **values}


Label = Callable[[str], str]
"""A face's name as people read it."""

OF_FACES = frozenset({"face", "faces", "other", "missing"})
"""Places in which faces stand by their ids, several of them with a comma between."""

OF_SHAPES = frozenset({"shape", "shapes"})
"""Places in which a shape of dice stands by its id."""

SHAPES = {"d6": (N_("d6"), N_("Cubes, six sides (d6)")), "d8": (N_("d8"), N_("Octahedra, eight sides (d8)"))}
"""What each shape of dice is called, shortly and fully."""

BETWEEN = {"and": N_("and"), "or": N_("or")}
"""What stands between the last two words of a list."""

LONG_NUMBER = 10_000
"""Numbers from this on are written in groups of three figures."""


def camera(name: str) -> str:
    """What a camera is called: cameras have names of their own, the demo table's has one in each language."""
    return gettext("demo table") if name == "demo table" else name


def refusal(error: Exception, label: Label = str, labels: Mapping[str, str] | None = None) -> str:
    """Why something was refused, as one sentence in the device's language.

    What rules, table and dice sets refuse is a template that every language has; what a disk or a camera says is
    recognised by its words, and what is not stays as it came. `label` names the faces of the set it is about, `labels`
    those of the dice on the table.
    """
    spoken = speaker(current(), (), labels)
    if isinstance(error, MessageError):
        return spoken.sentence([error.message])
    if isinstance(error, SaidError):
        return spoken.sentence([told(error.said, label)])
    if isinstance(error, OSError) and error.strerror and not isinstance(error, StoreError):
        return spoken.sentence(
            [gettext("the disk refuses it: %(why)s", why=_value("why", system(error), label))]
        )
    return spoken.sentence([heard(str(error))])


def told(one: Said, label: Label = str) -> str:
    """What vision or the table say as a template, in the device's language."""
    words = _looked_up(one.template)
    if not one.values:
        return words
    return words % {name: _value(name, value, label) for name, value in one.values.items()}


def _value(name: str, value: Value, label: Label) -> str:
    if isinstance(value, Said):
        return told(value, label)
    if isinstance(value, Named):
        return value.spoken(current())
    if isinstance(value, int):
        return str(value) if abs(value) < LONG_NUMBER else speaker(current()).grouped(value)
    if isinstance(value, float):
        return f"{value:g}".replace(".", speaker(current()).decimal)
    if isinstance(value, Words):
        words = [_name(name, one, label) for one in value.words]
        return (f" {gettext(BETWEEN[value.between])} " if value.between else ", ").join(words)
    if name in OF_FACES:
        return ", ".join(label(one) for one in value.split(", "))
    return shape(value) if name in OF_SHAPES else value


def _name(place: str, name: str, label: Label) -> str:
    if place in OF_FACES:
        return label(name)
    return shape(name) if place in OF_SHAPES else name


def shape(name: str) -> str:
    """The short name of a die's shape in the device's language: "d6", "W6"."""
    return gettext(SHAPES[name][0]) if name in SHAPES else name


def shape_titles() -> list[tuple[str, str]]:
    """Each shape's id and full name in the device's language."""
    return [(name, gettext(title)) for name, (_, title) in SHAPES.items()]


def figure(value: float, places: int = 1, *, signed: bool = False) -> str:
    """A number with the language's own decimal sign: "1.5", "1,5", "+0,12"."""
    shown = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return speaker(current()).decimals(shown)


def devices_told(words: str) -> str:
    """How scoreboard, broker and voice stand, in the device's language."""
    return speaker(current()).sentence(several(words))


def _looked_up(message: str) -> str:
    return catalogue(current()).said.get(message, message)


def _counted(one: str, many: str, n: int) -> str:
    forms = catalogue(current()).plurals.get(one, (one, many))
    return speaker(current()).plural(n, *forms)


def add_translations(app: Flask) -> None:
    """Give every template `_`, `ngettext`, its `language` and the `languages` there are.

    Raises CatalogueError for a broken catalogue: a page that cannot be translated is noticed at the start.
    """
    for language in LANGUAGES:
        catalogue(language)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    install = vars(app.jinja_env)["install_gettext_callables"]
    install(_looked_up, _counted, newstyle=True)
    app.jinja_env.filters["figure"] = figure
    app.jinja_env.filters["shape"] = shape
    app.jinja_env.filters["camera"] = camera
    app.context_processor(lambda: {"language": current(), "languages": LANGUAGES})
