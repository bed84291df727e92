"""What every answer gets: headers that keep a browser strict, text compressed, and how long it may be kept."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

from flask import Response, request
from werkzeug.exceptions import SecurityError

from web.settings import LOCAL_HOSTS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No script, style or picture from elsewhere, and none inline: a player's name cannot become code."""

REFUSED = ("accelerometer", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
           "microphone", "midi", "payment", "serial", "usb")  # fmt: skip
PERMISSIONS = ", ".join(f"{feature}=()" for feature in ("camera", *REFUSED))
"""What no page of ours asks a browser for."""

CAMERA_ALLOWED = ", ".join(("camera=(self)", *(f"{feature}=()" for feature in REFUSED)))
"""The same for the phone's page, which asks for its camera."""

PACKED = ("text/html", "text/css", "text/plain", "text/javascript", "application/json", "image/svg+xml")
"""What is sent compressed; pictures are already, and an event must not wait for the next one."""

LEAST_PACKED = 600
"""Bytes below which compressing saves no packet."""

FOR_EVER = 365 * 24 * 3600
"""Seconds a file may be kept whose address names its content."""


def is_local() -> bool:
    """Whether the page was asked for under a name of this very computer: browsers trust those without TLS."""
    try:
        return re.sub(r":\d+$", "", request.host) in LOCAL_HOSTS
    except SecurityError:  # a name we do not answer to
        return False


def add_headers(response: Response) -> Response:
    """Headers that keep a browser strict.

    There is no Strict-Transport-Security: the certificate is self-signed, and a browser with that header would lock
    people out of their table when it changes.
    """
    for name, value in {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",  # with none at all browsers send forms with "Origin: null"
        "Permissions-Policy": PERMISSIONS,
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }.items():
        response.headers.setdefault(name, value)
    if request.is_secure or is_local():
        # Over plain HTTP from elsewhere browsers ignore it, and complain.
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    return response


def digest_of(folder: Path) -> str:
    """A name for what the files of a folder and its folders contain: another one as soon as one of them changes."""
    found = hashlib.sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        found.update(f"{path.relative_to(folder)}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return found.hexdigest()[:12]


def keep_static(response: Response) -> Response:
    """Let browsers keep our own files without asking again."""
    if request.endpoint == "static" and response.status_code in (200, 304):
        response.cache_control.public = True
        response.cache_control.immutable = True
    return response


def pack(response: Response) -> Response:
    """Compress text, style and script for browsers that take it."""
    if response.mimetype not in PACKED or response.headers.get("Content-Encoding"):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] <= 0 or response.status_code in (204, 206, 304):
        return response
    response.direct_passthrough = False
    content = response.get_data()
    if len(content) < LEAST_PACKED:
        return response
    response.set_data(gzip.compress(content, 6, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    tag, _weak = response.get_etag()
    if tag is not None:
        response.set_etag(tag, weak=True)
    return response
