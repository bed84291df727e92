"""The pages: thin views over one table, told of every notice by server-sent events."""

from __future__ import annotations

from web.announcer import Announcer
from web.app import create_app
from web.settings import WebSettings

__all__ = ["Announcer", "WebSettings", "create_app"]
