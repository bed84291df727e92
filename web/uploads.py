"""Forms that bring files: larger than others, within a bound that the view names."""

from __future__ import annotations

from flask import request

LARGEST_PART = 1024 * 1024
"""Bytes that are read at once: what is no file must fit into them. Files go to disk as they come."""


def allow_files(most: int, *, parts: int = 20) -> None:
    """Take this request up to so many bytes in so many parts; anything beyond is refused (413) while it comes."""
    request.max_content_length = most
    request.max_form_memory_size = LARGEST_PART
    request.max_form_parts = parts


def sent(field: str, most: int) -> list[tuple[str, bytes]]:
    """The files of a field, (name, bytes) each, at most so many and one more; what lay on disk of them is gone."""
    every = [one for one in request.files.getlist(field) if one.filename]
    try:
        return [(one.filename or "", one.stream.read()) for one in every[: most + 1]]
    finally:
        for one in request.files.values():
            one.close()
        for one in every:
            one.close()
