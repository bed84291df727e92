"""Whether this Tableside works, for whatever starts it again when it does not: a container, a service manager."""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from web.access import Views
from web.devices import Role
from web.site import site

views = Views("health", __name__)


@views.get("/health", to=Role.WATCHER)
def health() -> ResponseReturnValue:
    """200 while the table is watched, 503 after a bug has stopped the watcher. A missing camera is not a failure."""
    watcher = site().table.watcher
    failed = watcher is not None and watcher.failed
    return {"status": "failed" if failed else "ok"}, 503 if failed else 200
