"""Headers that keep a browser strict."""

from __future__ import annotations

import re

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


def is_local() -> bool:
    """Whether the page was asked for under a name of this very computer: browsers trust those without TLS."""
    try:
        return re.sub(r":\d+$", "", request.host) in LOCAL_HOSTS
    except SecurityError:  # a name we do not answer to
        return False


def add_headers(response: Response) -> Response:
    """Headers that keep a browser strict.

    No Strict-Transport-Security: the certificate is our own, and a browser that was told so would lock people out of
    their table when it changes.
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
