"""Stand-ins for what is spoken to over HTTP, made from its documentation, with the faults a real device has."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit


@dataclass
class Heard:
    """A request as it came."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes


class HttpDevice:
    """Answers requests at a port of its own. It can be unplugged, be slow, trickle its answers, or fail."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.slow = 0.0
        """Seconds before each answer."""
        self.trickles = False
        """Answers a byte at a time, for ever."""
        self.status = 0
        """What everything is answered with; 0: as it should be."""
        self.port = 0
        self._server: ThreadingHTTPServer | None = None
        self.plug_in()

    def answer(self, request: Heard) -> tuple[int, bytes]:
        """What a device answers."""
        return 200, b"OK"

    def started(self) -> None:
        """What it does when it gets power."""

    def plug_in(self) -> None:
        device = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answered()

            def do_POST(self) -> None:
                self._answered()

            def _answered(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                parts = urlsplit(self.path)
                request = Heard(self.command, parts.path, parse_qs(parts.query), dict(self.headers), body)
                device.heard.append(request)
                time.sleep(device.slow)
                status, text = (device.status, b"") if device.status else device.answer(request)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(10**6 if device.trickles else len(text)))
                    if 300 <= status < 400:
                        self.send_header("Location", "/elsewhere")
                    self.end_headers()
                    while device.trickles:
                        self.wfile.write(b" ")
                        time.sleep(0.05)
                    self.wfile.write(text)
                except OSError:  # whoever asked has gone
                    return

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.started()
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def unplug(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def restart(self) -> None:
        self.unplug()
        self.plug_in()

    def posted(self, path: str) -> list[Any]:
        """The JSON that was posted there; None for an empty body."""
        found = [one.body for one in self.heard if (one.method, one.path) == ("POST", path)]
        return [json.loads(body) if body else None for body in found]


class AwtrixStandIn(HttpDevice):
    """AWTRIX 3: https://blueforcer.github.io/awtrix3/#/api. Its custom apps are gone after a restart."""

    KEYS = frozenset({"text", "color", "rainbow", "repeat", "duration", "lifetime", "stack"})
    """Of the documented keys those that Tableside may send; another one is a mistake here."""

    def __init__(self) -> None:
        self.apps: dict[str, dict[str, Any]] = {}
        self.notifications: list[dict[str, Any]] = []
        self.current = "Time"
        super().__init__()

    def started(self) -> None:
        self.apps, self.current = {}, "Time"

    def answer(self, request: Heard) -> tuple[int, bytes]:
        try:
            value = cast("dict[str, Any]", json.loads(request.body)) if request.body else {}
        except ValueError:
            return 500, b"ErrorParsingJson"
        match request.method, request.path:
            case "POST", "/api/custom":
                (name,) = request.query["name"]
                assert value.keys() <= self.KEYS - {"stack"}
                if value:
                    self.apps[name] = value
                else:  # an empty body takes away every app whose name begins so
                    self.apps = {one: app for one, app in self.apps.items() if not one.startswith(name)}
            case "POST", "/api/notify":
                assert value.keys() <= self.KEYS - {"lifetime"}
                self.notifications.append(value)
            case "POST", "/api/switch":
                if value["name"] not in self.apps:
                    return 500, b"FAILED"
                self.current = value["name"]
            case _:
                return 404, b"FileNotFound"
        return 200, b"OK"

    @property
    def shown(self) -> str:
        """The text of our app, whatever its colours are."""
        text = self.apps.get("tableside", {}).get("text", "")
        return text if isinstance(text, str) else "".join(one["t"] for one in text)


class WledStandIn(HttpDevice):
    """WLED: https://kno.wled.ge/interfaces/json-api. After a restart it shows what it begins with."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        super().__init__()

    def started(self) -> None:
        self._since = time.monotonic()
        segment = {"id": 0, "start": 0, "stop": 30, "len": 30, "col": [[255, 160, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
                   "fx": 9, "sx": 100, "ix": 70, "pal": 6, "sel": True, "rev": False}  # fmt: skip
        self.state = {"on": False, "bri": 127, "transition": 7, "ps": -1, "pl": -1, "seg": [segment]}

    def answer(self, request: Heard) -> tuple[int, bytes]:
        match request.method, request.path:
            case "GET", "/json/state":
                return 200, json.dumps(self.state).encode()
            case "GET", "/json/info":
                seconds = int(100 * (time.monotonic() - self._since))  # an evening in a few seconds
                return 200, json.dumps({"ver": "0.14.0", "uptime": seconds, "brand": "WLED"}).encode()
            case "POST", "/json/state":
                if request.headers.get("Content-Type") != "application/json":
                    return 400, b'{"error":9}'
                wanted = json.loads(request.body)
                segments = wanted.pop("seg", [])
                for one in [segments] if isinstance(segments, dict) else segments:
                    self.state["seg"][one.get("id", 0)].update(one)
                self.state.update(wanted)
                return 200, b'{"success":true}'
            case _:
                return 404, b""

    @property
    def colour(self) -> tuple[int, ...]:
        return tuple(self.state["seg"][0]["col"][0])

    @property
    def effect(self) -> int:
        return self.state["seg"][0]["fx"]
