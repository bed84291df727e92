"""What a form sends: numbers, words and files, each within a bound that the view names."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import BadRequest

from web.language import gettext as _

LARGEST_PART = 1024 * 1024
"""Most bytes of all fields other than files, which are read into memory; files go to disk as they arrive."""


def whole(given: str, digits: int = 11) -> int:
    """A count from an address, a header or a field; -1 if there is none or it has more than `digits`."""
    return int(given) if given.isdecimal() and len(given) <= digits else -1


def number(field: str) -> int:
    """A small number in a field. Raises BadRequest if there is none."""
    found = whole(request.form.get(field, ""), digits=4)
    if found < 0:
        raise BadRequest(_("the page sent no number; reload it", field=field))
    return found


def text(field: str, longest: int) -> str:
    """The text in a field. Raises BadRequest if there is none, or more than `longest` characters."""
    given = request.form.get(field, "")
    if not given or len(given) > longest:
        raise BadRequest(
            _("Type 1 to %(longest)d characters.", field=field, longest=longest)
        )
    return given


def allow_files(most: int, *, parts: int = 20) -> None:
    """Take this request up to so many bytes in so many parts; anything beyond is refused (413) while it comes."""
    request.max_content_length = most
    request.max_form_memory_size = LARGEST_PART
    request.max_form_parts = parts


def files(field: str, most: int) -> list[tuple[str, bytes]]:
    """The files of a field, (name, bytes) each: at most `most` and one more. Their temporary files are deleted."""
    every = [one for one in request.files.getlist(field) if one.filename]
    try:
        return [(one.filename or "", one.stream.read()) for one in every[: most + 1]]
    finally:
        for one in request.files.values():
            one.close()
        for one in every:
            one.close()


def one_file(field: str, missing: str) -> bytes:
    """The only file of a field. Raises BadRequest, which says what is `missing`, unless there is exactly one."""
    found = files(field, 1)
    if len(found) != 1:
        raise BadRequest(missing)
    return found[0][1]
