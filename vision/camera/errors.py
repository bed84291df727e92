"""What goes wrong with a camera."""

from __future__ import annotations

from messages.message import TroubleError


class CameraError(TroubleError):
    """A camera that is not there, or does not answer; one clear line."""
