"""The language of each device: what its person chose, else what its browser prefers, else English. An address may ask
for another one (`?language=de`): for an overlay in a stream, and for programs.

Pages write their words in English, `_("{…}")` in templates and in Python alike; the catalogues have the others
(`words.catalogue`). What the table and the rules say are messages, said by a speaker of the language (`words.speaker`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flask import Flask, g, has_request_context, request

from messages.message import N_, Message, SpokenError, message, reason
from words import LANGUAGES, WRITTEN
from words.catalogue import catalogue
from words.speaker import speaker

COOKIE = "language"
YEAR = 365 * 24 * 3600
"""Seconds that a device remembers its language."""


def current() -> str:
    """The language of the requesting device; English without a request."""
    if not has_request_context():
        return WRITTEN
    if "language" not in g:
        chosen = (request.args.get("language"), request.cookies.get(COOKIE))
        g.language = next((one for one in chosen if one in LANGUAGES), None) or _preferred()
    return str(g.language)


def _preferred() -> str:
    """What the browser would rather read, whatever country's; werkzeug's match sets "en" before "fr-CA"."""
    wished = [tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0]
    return next((language for language in wished if language in LANGUAGES), WRITTEN)


def gettext(message: str, /, **values: object) -> str:
    """The message in the device's language, its %(placeholders)s filled in."""
    return _looked_up(message) % values


def fixed(said: str) -> str:
    """Fixed words in the device's language, as a game says them: a % in them is a %."""
    return _looked_up(said)


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """The message for a number of things; `num` is the number unless a value has that name."""
    return _counted(one, many, n) % {"num": n, **values}


SHAPES = {"d6": (N_("d6"), N_("Cubes, six sides (d6)")), "d8": (N_("d8"), N_("Octahedra, eight sides (d8)"))}
"""What each shape of dice is called, shortly and fully."""


def camera(name: str) -> str:
    """A camera's name; only the demo table's is translated."""
    return gettext("demo table") if name == "demo table" else name


def refusal(error: Exception, labels: Mapping[str, str] | None = None) -> str:
    """Why something was refused, as one sentence in the device's language.

    What a parser or the operating system says stays as it came. `labels` name faces as their dice set does.
    """
    spoken = speaker(current(), (), labels)
    if isinstance(error, OSError) and error.strerror and not isinstance(error, SpokenError):
        return spoken.sentence([message("a file could not be read or written: {why}", why=error.strerror)])
    return spoken.sentence([reason(error)])


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


def whole(number: int) -> str:
    """A whole number as the language prints it: "10,000", "10.000", "−3"."""
    return speaker(current()).whole(number)


def devices_told(states: Iterable[Message]) -> str:
    """How scoreboard, broker and voice stand, in the device's language."""
    return speaker(current()).sentence(states)


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
    for one in (figure, whole, shape, camera, fixed):
        app.jinja_env.filters[one.__name__] = one
    app.context_processor(lambda: {"language": current(), "languages": LANGUAGES})
