"""What goes wrong with a camera."""

from __future__ import annotations


class CameraError(OSError):
    """A camera that is not there, or does not answer; one clear line."""
