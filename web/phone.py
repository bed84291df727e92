"""A phone as the table's camera: its page takes pictures and sends them one after the other."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, UnsupportedMediaType

from table.table import Table

LARGEST_PICTURE = 4 * 1024 * 1024
"""Bytes; a 1080p JPEG has some 300 kB."""

KINDS = frozenset({"image/jpeg", "image/webp"})


def add_phone(views: Blueprint, table: Table) -> None:
    """Add these views to the dashboard's; they are there where the camera is a phone."""

    @views.get("/phone")
    def phone() -> str:
        """The page to open on the phone."""
        if table.push is None:
            raise NotFound("this table has another camera; start it with --camera phone")
        return render_template("phone.html", title=table.session.match.game.title)

    @views.post("/phone/picture")
    def pushed() -> ResponseReturnValue:
        """One picture: 204 when it was taken, 409 while nobody looks, 400 when it is none."""
        if table.push is None:
            raise NotFound("this table has another camera")
        if request.mimetype not in KINDS:
            raise UnsupportedMediaType("expected a JPEG or WebP picture")
        request.max_content_length = LARGEST_PICTURE
        try:
            taken = table.push(request.get_data(cache=False))
        except ValueError as refused:
            return Response(f"{refused}\n", status=400, mimetype="text/plain")
        return (
            ("", 204)
            if taken
            else Response("the table does not look now\n", status=409, mimetype="text/plain")
        )
