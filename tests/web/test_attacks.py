"""Attacks on a table, each tried. `docs/security.md` lists them with the tests here, and a test holds the list."""

from __future__ import annotations

import heapq
import io
import json
import re
import socket
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner
from PIL import Image
from werkzeug.test import TestResponse

from cli.compose import House
from scoring.actions import Fill
from tests.fakes import rolled
from tests.waiting import WAIT, soon
from tests.web.serving import STATIC, Served, serving
from tests.web.tables import HERE, PIN, access_of, entered, post
from tests.web.visitor import Visitor
from vision.camera import PushedFrames
from web.devices import Devices, Role
from web.network.server import THREADS
from web.network.throttle import FREE, FREE_OVERALL, Throttle, TooManyTriesError
from web.settings import WebSettings
from web.site import site_of

NAME = "<img src=x onerror=alert(1)>"
OTHER = '"><script>alert(2)</script>'


Attacked = Callable[..., House]


@pytest.fixture
def attacked(lay: Callable[..., House]) -> Attacked:
    """Lays a table with a PIN and players of evil names; `phone`: its camera is a phone."""

    def laid(*, phone: bool = False, **settings: object) -> House:
        camera = PushedFrames() if phone else None
        told = {"pin": PIN, "streams_each": 3, "streams": 5, **settings}
        return lay(players=("Alice", NAME, OTHER), camera=camera, **told)

    return laid


@pytest.fixture
def house(attacked: Attacked) -> House:
    return attacked()


@pytest.fixture
def host(house: House) -> FlaskClient:
    return entered(house)


def one_line(answer: TestResponse) -> bool:
    return answer.mimetype == "text/plain" and len(answer.get_data(as_text=True).strip().splitlines()) == 1


# --- other sites


FOREIGN = (
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Origin": "https://localhost"},
    {"Origin": "http://localhost:9999"}, {"Origin": "http://localhost.evil.example"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": HERE, "Sec-Fetch-Site": "cross-site"},
)  # fmt: skip


def test_forged_origin(house: House, host: FlaskClient):
    """The host's browser is lured to another site, which sends a form of ours."""
    house.table.session.saw(rolled("222255"))
    before = house.table.session.match
    for headers in FOREIGN:
        for path in ("/move", "/undo", "/devices/away", "/enter", "/leave", "/language"):
            answer = post(host, path, headers, move='{"kind": "fill", "box": "chance"}', code=PIN)
            assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False), (path, headers)
    assert house.table.session.match is before
    assert access_of(house).devices.all()


def test_cookie_goes_to_no_other_site(house: House):
    client = house.app.test_client()
    plain = post(client, "/enter", code=PIN).headers["Set-Cookie"]
    assert "HttpOnly" in plain
    assert "SameSite=Strict" in plain
    assert "Domain" not in plain
    tls = {"base_url": "https://localhost", "headers": {"Origin": "https://localhost"}}
    secure = client.post("/enter", data={"code": PIN}, **tls).headers["Set-Cookie"]
    assert secure.startswith("__Host-tableside-")
    assert "Secure" in secure
    assert "Path=/" in secure


def test_dns_rebinding(host: FlaskClient):
    """A foreign name is pointed at this computer, so that its page is of one origin with ours."""
    for name in ("evil.example", "localhost.evil.example", "evil.example:8765", "0.0.0.0", "localhost@evil.example"):
        assert host.get("/", headers={"Host": name}).status_code == 400, name
        answer = host.post("/throw", headers={"Host": name, "Origin": f"http://{name}"})
        assert answer.status_code == 400, name


def test_strict_headers(attacked: Attacked):
    client = entered(attacked(phone=True))
    for path in ("/", "/enter", "/devices", "/phone", "/history", "/new", f"{STATIC}/table.js", "/nowhere"):
        with client.get(path, headers={"Accept": "text/html"}) as answer:
            policy = answer.headers["Content-Security-Policy"]
            for words in ("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"):
                assert words in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            camera = "camera=(self)" if path == "/phone" else "camera=()"
            assert camera in answer.headers["Permissions-Policy"]
            # A browser that was told to insist on TLS would be locked out when our own certificate changes.
            assert "Strict-Transport-Security" not in answer.headers
            if answer.mimetype == "text/html":
                inline = Inline()
                inline.feed(answer.get_data(as_text=True))
                assert inline.found == []


class Inline(HTMLParser):
    """Finds what the content policy would refuse: our own pages have none of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag in ("script", "style", "iframe", "object", "embed", "base") and "src" not in names:
            self.found.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style" or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"{tag} {name}")


def test_open_redirect(house: House):
    for back in ("//evil.example", "/\\evil.example", "https://evil.example", "/\r\nSet-Cookie: a=b", "evil"):
        answer = post(house.app.test_client(), "/enter", {"Origin": HERE}, code=PIN, back=back)
        assert (answer.status_code, answer.location) == (303, "/")


# --- cookies


def cookie_of(client: FlaskClient) -> str:
    cookie = client.get_cookie("tableside-80")
    assert cookie is not None
    return cookie.value


def acts(house: House, cookie: str) -> bool:
    client = house.app.test_client()
    client.set_cookie("tableside-80", cookie)
    return post(client, "/throw").status_code == 204


def test_replayed_cookie(house: House, host: FlaskClient):
    """Somebody kept a cookie; its owner left, or the host sent the device away."""
    cookie = cookie_of(host)
    assert acts(house, cookie)
    post(host, "/leave")
    assert not acts(house, cookie)
    again = entered(house)
    cookie = cookie_of(again)
    post(again, "/devices/away", device="all")
    assert not acts(house, cookie)


def test_tampered_cookie(house: House, host: FlaskClient):
    cookie = cookie_of(host)
    secret, stamp, sign = cookie.rsplit(".", 2)
    flipped = ("B" if cookie[0] == "A" else "A") + cookie[1:]
    for forged in (
        flipped, cookie[:-1], secret, f"{secret}.{stamp}", f"{secret}.{stamp}.", f".{stamp}.{sign}", "", "." * 9,
        "host", "\xff\xfe", "a" * 3000, f"{secret[::-1]}.{stamp}.{sign}",
    ):  # fmt: skip
        assert not acts(house, forged)
    other = TimestampSigner(Devices().key, salt="tableside device").sign(secret).decode()
    assert not acts(house, other), "another table's signature is none"


# --- guessing


@pytest.mark.parametrize(
    ("pin", "drawn", "stays"), [("271828", False, False), (PIN, False, True), ("271828", True, True)]
)
def test_another_pin_ends_the_sessions_of_the_one_before(tmp_path: Path, pin: str, drawn: bool, stays: bool):
    path = tmp_path / "devices.db"
    before = Devices(path)
    before.pin_is(PIN, drawn=False)
    secrets_ = [before.enter(Role.HOST), before.enter(Role.PLAYER, "Alice")]
    after = Devices(path)
    after.pin_is(pin, drawn=drawn)
    assert [after.find(one).role is not Role.WATCHER for one in secrets_] == [stays, stays]
    assert pin.encode() not in path.read_bytes()


def test_pin_guessing(house: House):
    client = house.app.test_client()
    answers = [post(client, "/enter", code=f"{guess:06}") for guess in range(FREE + 3)]
    assert [one.status_code for one in answers] == [403] * FREE + [429] * 3
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert one_line(answers[-1])
    # The right one is not even looked at before the time is over.
    assert post(client, "/enter", code=PIN).status_code == 429


class Guesser:
    """Somebody who polls from so many addresses and gets as many codes looked at as there are to be had."""

    def __init__(self, addresses: int, throttle: Throttle, now: list[float]) -> None:
        self.looked, self._throttle, self._now = 0, throttle, now
        self._next = [(now[0], f"10.{one >> 8}.{one & 255}.1") for one in range(addresses)]
        heapq.heapify(self._next)

    def until(self, end: float) -> None:
        """Guess until then: from each address at the very moment at which it may again."""
        while self._next[0][0] < end:
            self._now[0], address = self._next[0]
            try:
                self._throttle.attempt(address, lambda: False)
                self.looked, wait = self.looked + 1, 0.05
            except TooManyTriesError as told:
                wait = max(told.wait, 0.05)
            heapq.heapreplace(self._next, (self._now[0] + wait, address))
        self._now[0] = end


@pytest.mark.parametrize(("addresses", "most"), [(1, 40), (12, 480), (100, 3400)])
def test_pin_guessing_for_a_day(addresses: int, most: int):
    """A code has 1,000,000 values: a day of guessing must not come near."""
    now = [0.0]
    guesser, before = Guesser(addresses, Throttle(clock=lambda: now[0]), now), 0
    for day in (1, 2):
        guesser.until(day * 24 * 3600)
        assert guesser.looked - before < most
        before = guesser.looked


def test_pin_guessing_from_ever_new_addresses():
    now, looked = [0.0], 0
    throttle = Throttle(clock=lambda: now[0])
    while now[0] < 24 * 3600:
        try:
            throttle.attempt(f"10.{looked >> 8}.{looked & 255}.1", lambda: False)
            looked += 1
        except TooManyTriesError as told:
            now[0] += told.wait
    assert FREE_OVERALL < looked < 4000


@pytest.mark.parametrize("addresses", [1, 12, 100])
def test_guesses_do_not_lock_the_people_out(addresses: int):
    """With a code of their own, from an address of their own; one of them slips three times each time."""
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])
    guesser, waited = Guesser(addresses, throttle, now), list[float]()
    for hour in range(1, 25):
        guesser.until(hour * 3600)
        assert throttle.attempt("192.168.7.8", lambda: True), "at once"
        for _ in range(3):
            with suppress(TooManyTriesError):
                throttle.attempt("192.168.7.9", lambda: False)
        began = now[0]
        while True:
            try:
                assert throttle.attempt("192.168.7.9", lambda: True)
                break
            except TooManyTriesError as told:
                guesser.until(now[0] + told.wait)
        waited.append(now[0] - began)
    assert max(waited) < 3600


def test_whoever_scans_is_let_in_while_somebody_guesses_from_the_same_address(house: House):
    """Behind a reverse proxy, or with an account on the table's computer, guessers share the people's address."""
    guesser, scanned, typed = (house.app.test_client() for _ in range(3))
    while post(guesser, "/enter", code="000001").status_code != 429:
        pass
    access = access_of(house)
    for link in (access.link(Role.HOST), access.link(Role.PLAYER, "Alice"), access.link(Role.CAMERA)):
        assert post(typed, "/enter", code=PIN).status_code == 429
        assert post(scanned, "/enter", code=link).status_code == 204
        assert post(guesser, "/enter", code="000001").status_code == 429
        assert post(guesser, "/enter", code=link[:-1] + "g").status_code == 429


def test_a_right_code_does_not_buy_more_guesses(house: House):
    """Three wrong PINs, the own player's code, three wrong PINs: no more are looked at than without it."""
    client, own, looked = house.app.test_client(), access_of(house).code(Role.PLAYER, "Alice"), 0
    for _ in range(8):
        for guess in ("000001", "000002", "000003"):
            looked += post(client, "/enter", code=guess).status_code == 403
        post(client, "/enter", code=own)
    assert looked <= FREE + 2


def test_guesses_sent_at_once_count_each():
    """Fifty at the same moment are fifty, not one."""
    throttle, looked = Throttle(), []
    start = threading.Barrier(20)

    def guess() -> None:
        start.wait()
        with suppress(TooManyTriesError):
            throttle.attempt("10.0.0.1", lambda: bool(looked.append(1)))

    threads = [threading.Thread(target=guess) for _ in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(looked) == FREE


# --- uploads


def upload(client: FlaskClient, picture: bytes, kind: str = "image/jpeg") -> TestResponse:
    return client.post("/phone/picture", data=picture, content_type=kind, headers={"Origin": HERE})


def webp_of_many(frames: int) -> bytes:
    out = io.BytesIO()
    first, *others = [Image.fromarray(np.full((64, 64, 3), n, np.uint8)) for n in range(frames)]
    first.save(out, "WEBP", save_all=True, append_images=others, duration=10)
    return out.getvalue()


@pytest.fixture
def phoned(attacked: Attacked) -> House:
    """A table that looks through a phone."""
    house = attacked(phone=True)
    house.table.watcher._camera.open()
    return house


PICTURES = (
    ("huge", b"\xff" * (5 << 20), "image/jpeg", 413),
    ("empty", b"", "image/jpeg", 400),
    ("cut", b"\xff\xd8\xff", "image/jpeg", 400),
    ("svg", b"<svg onload=alert(1)>", "image/svg+xml", 415),
    ("svg in disguise", b"<svg onload=alert(1)>", "image/jpeg", 400),
    ("html", b"<html><script>alert(1)</script>", "text/html", 415),
    ("gif", b"GIF89a" + b"\0" * 100, "image/jpeg", 400),
    ("postscript", b"%!PS-Adobe-3.0 EPSF\n(/etc/passwd) run\n", "image/jpeg", 400),
    ("webp", b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\0" * 200, "image/webp", 400),
)


def test_oversize_and_malformed_pictures(phoned: House):
    client = entered(phoned)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, picture, kind, status in PICTURES:
            answer = upload(client, picture, kind)
            assert (answer.status_code, one_line(answer)) == (status, True), name
    # An animated one is one picture.
    assert upload(client, webp_of_many(50), "image/webp").status_code == 204


def test_two_phones_are_not_one_camera(attacked: Attacked):
    house = attacked(phone=True)
    client = entered(house)
    out = io.BytesIO()
    Image.fromarray(np.full((240, 320, 3), 90, np.uint8)).save(out, "JPEG")

    def send(phone: str, first: bool = False) -> int:
        answer = client.post(
            f"/phone/picture{'?first=1' if first else ''}", data=out.getvalue(), content_type="image/jpeg",
            headers={"Origin": HERE, "X-Phone": phone},
        )  # fmt: skip
        return answer.status_code

    assert send("a", first=True) == 409, "the table does not look yet"
    house.table.watcher._camera.open()
    told = [send("a", first=True), send("b"), send("b", first=True), send("a")]
    assert told == [204, 409, 204, 409]


FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
FORMS = (
    ("/roll", FORM, b"faces=" + b"1" * 200_000, 413),
    ("/roll", FORM, b"faces=" + b"1+" * 2000, 400),
    ("/roll", FORM, b"faces=9+9+9", 409),
    ("/roll", FORM, b"faces=1&" + b"a=1&" * 4000, 409),
    ("/roll", FORM, b"\xff\xfe=\xff&faces=%ff%fe", 400),
    ("/roll", FORM, b"faces=%00%0a%1b[2J", 409),
    ("/roll", PARTS, b"--x\r\nbroken", 400),
    ("/roll", "multipart/form-data", b"{}", 400),
    ("/roll", PARTS, b"--x\r\n" + b"A: b\r\n" * 2000, 400),
    ("/move", FORM, b"move=" + b"[" * 3000, 400),
    ("/move", FORM, b"move=" + b"x" * 5000, 400),
    ("/move", FORM, b"move=not+json", 400),
    ("/move", FORM, b'move={"kind":"cheat"}', 409),
    ("/move", FORM, b'move={"kind":"fill","box":"chance"}', 409),
    ("/move", FORM, b'move={"kind":"fill","box":{"__class__":1}}', 409),
    ("/move", FORM, b"move=1e999999", 409),
    ("/hold", FORM, b"", 400),
    ("/hold", FORM, b"die=1", 409),
    ("/hold", FORM, b"die=one", 400),
    ("/hold", FORM, b"die=" + b"9" * 9000, 400),
    ("/hold", FORM, "die=٣".encode(), 409),
    ("/correct", FORM, b"die=1&face=Claire", 409),
    ("/undo", FORM, b"", 409),
    ("/seat", FORM, b"players=" + b"x" * 500, 400),
    ("/enter", FORM, b"code=" + b"1" * 9000, 400),
)


def test_malformed_forms(house: House, host: FlaskClient):
    before = house.table.session.match
    for path, kind, body, status in FORMS:
        answer = host.post(path, data=body, content_type=kind, headers={"Origin": HERE})
        wrong = (path, body[:40], answer.get_data(as_text=True))
        assert (answer.status_code, one_line(answer)) == (status, True), wrong
        assert house.table.session.match is before, wrong


def packed(*entries: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, body in entries:
            pack.writestr(name, body)
    return out.getvalue()


CLIMBS = packed(("../../evil.toml", b"x"), ("set.toml", b'id = "evil"'))
DICE_SETS = (b"no zip at all", CLIMBS, packed(("/etc/evil", b"x")))
"""The others that nobody shall send are tried in `tests/vision/test_diceset_pack.py`."""


def test_hostile_dice_sets(host: FlaskClient, tmp_path: Path):
    def files() -> list[str]:
        return sorted(p.name for p in tmp_path.rglob("*") if p.is_file() and "db" not in p.name)

    before = files()
    for pack in DICE_SETS:
        answer = host.post("/dice/import", data={"pack": (io.BytesIO(pack), "a.zip")}, headers={"Origin": HERE})
        assert (answer.status_code, one_line(answer)) == (409, True), pack
        assert "/tmp" not in answer.get_data(as_text=True)
        assert files() == before, pack
        assert not (tmp_path.parent / "evil.toml").exists()
        assert not Path("/etc/evil").exists()


HEAD = b'{"schema": 1, "match": "meet-fate", "rules": 1, "players": ["Ann", "Bob"], "options": {}}\n'


def thrown(face: str) -> bytes:
    roll = {"schema": 1, "n": 1, "event": "roll", "faces": [face, *"23456"]}
    return HEAD + json.dumps(roll).encode() + b"\n"


LOGS = {
    "empty": b"",
    "nothing": b"{}",
    "deep": b"[" * 200_000,
    "many": b'{"match": 1}\n' * 1000,
    "bytes": b"\xff\xfe\x00",
    "number": json.dumps({"format": 9e99}).encode(),
    "no game": b'{"schema": 1, "match": "nothing"}\n',
    "surrogate": thrown("\ud800"),
    "no face": thrown("<script>"),
    "illegal": HEAD + b'{"schema": 1, "n": 1, "event": "move", "player": 0, "move": {"kind": "fill", "box": "1"}}\n',
    "name": HEAD.replace(b"Ann", b"\\ud800"),
}


def test_hostile_match_logs(house: House, host: FlaskClient):
    store = house.table.session.store.store
    before = len(store.matches())
    for name, log in LOGS.items():
        answer = host.post("/history/import", data={"log": (io.BytesIO(log), "a.jsonl")}, headers={"Origin": HERE})
        assert (answer.status_code, one_line(answer)) == (409, True), name
    assert len(store.matches()) == before, "nothing is taken in"
    for path in ("/history/import", "/dice/import"):
        assert post(host, path).status_code == 400, "no file at all"


def test_a_watchers_upload_is_not_even_read(house: House):
    """Rights come before parsing: what a stranger sends costs nothing."""
    client = house.app.test_client()
    big, kind = b"--x\r\n" + b"x" * (1 << 20), "multipart/form-data; boundary=x"
    answer = client.post("/dice/import", data=big, content_type=kind, headers={"Origin": HERE})
    assert answer.status_code == 403


# --- paths and names


PATHS = [
    f"{STATIC}/../app.py", f"{STATIC}/..%2fapp.py", f"{STATIC}/%2e%2e/app.py", f"{STATIC}/....//app.py",
    f"{STATIC}/..\\app.py", f"{STATIC}//etc/passwd", "/face/..%2f..%2fset.toml.webp", "/face/fate/1%00.webp",
    "/face/../../set.toml", "/dice/../../etc", "/dice/..%2f..%2f/pack", "/dice/fate/1/..%2f..%2fset.toml",
    "/dice/fate/../set.toml", "/face/..%2f../1.webp", "/history/..%2f..%2ftables.db",
    "/evidence/1/../../devices.db", "/evidence/-1/0.jpg", "/evidence/999999999999999999999/0.jpg",
    "/face/fate/9.webp", "/face/cats/nobody.webp", "/face/no-set/sigil.webp", "/dice/nothing", "/dice/FATE",
    "/dice/fate/1/nothing.png", "/dice/fate/9/sans.png", "/history/nothing", "/rulings/9.9", "/rulings/..",
    "/history/" + 300 * "x", "/devices.db", "/certificate.pem", "/.git/config", f"{STATIC}/.env", "/static/table.js",
]  # fmt: skip
"""Ways out of a folder, files that nobody shall have, and things that are not there."""


def test_path_traversal(host: FlaskClient):
    for path in PATHS:
        with host.get(path) as answer:
            assert answer.status_code in (308, 400, 404), path
            body = answer.get_data()
            assert b"import" not in body, path
            assert b"root:" not in body, path


def test_an_error_page_repeats_nothing(host: FlaskClient):
    for path in ("/<script>alert(1)</script>", "/dice/<script>alert(1)</script>", "/history/<svg onload=alert(1)>"):
        page = host.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
        assert "<script>alert" not in page
        assert "<svg onload" not in page


def test_script_in_a_players_name(
    attacked: Attacked, serve: Callable[..., Served], visit: Callable[..., Visitor]
):
    """In a real browser: every page with the name on it, live parts too; nothing runs, nothing is even refused."""
    house = attacked(pin=None)
    house.table.session.saw(rolled("222255"))
    visitor = visit(serve(house=house))
    dialogs: list[str] = []
    visitor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visitor.is_told(lambda session: session.decide(Fill("chance")))  # the name comes once more, as an event
    for name in (NAME, OTHER):
        visitor.sees(name)
    injected = "document.querySelectorAll('main img[src=x], body script:not([src])').length"
    assert visitor.page.evaluate(injected) == 0
    for path in ("/history", "/dispute/", "/television", "/spectator", "/new", "/devices"):
        visitor.page.goto(visitor.served.at(path))  # with everything that it loads
    assert dialogs == []


# --- holding what others need


def test_too_many_streams_of_one_address(house: House):
    client = house.app.test_client()

    def listen(address: str) -> TestResponse:
        return client.get("/events", buffered=False, environ_overrides={"REMOTE_ADDR": address})

    streams = [listen("10.0.0.1") for _ in range(3)]
    refused = listen("10.0.0.1")
    assert refused.status_code == 429
    assert one_line(refused)
    streams += [listen("10.0.0.2"), listen("127.0.0.1")]
    assert [one.status_code for one in streams] == [200] * 5
    assert listen("10.0.0.3").status_code == 503  # as many as there are threads for
    streams.pop().close()
    with listen("10.0.0.3") as again:
        assert again.status_code == 200
    for one in reversed(streams):  # each is a context on top of the last one's
        one.close()
    assert site_of(house.app).streams.count == 0


@pytest.fixture
def served(attacked: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A table with few threads and little patience."""
    monkeypatch.setattr("web.network.server.REQUEST", 1.0)
    monkeypatch.setattr("web.network.server.BODY", 1.0)
    with serving(attacked(), tmp_path, threads=4) as one:
        yield one


LONG = 600.0
"""Seconds of patience for a server that shall not wait: longer than any answer is waited for here."""


def line_to(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=WAIT)


def answered(served: Served) -> None:
    """A page comes, for somebody else."""
    with line_to(served) as line:
        line.sendall(b"GET /face/fate/1.webp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 200"


class Trickle:
    """Sends a byte now and then on each line, for as long as it lasts."""

    def __init__(self, lines: list[socket.socket], byte: bytes) -> None:
        self._lines, self._byte = lines, byte
        self.cut = set[int]()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def _send(self) -> None:
        while not self._done.wait(0.1):
            for number, line in enumerate(self._lines):
                try:
                    line.sendall(self._byte)
                except OSError:
                    self.cut.add(number)

    def __enter__(self) -> Trickle:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    "begin",
    [
        b"GET / HTTP/1.1\r\nX: ",
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
    ],
    ids=["headers", "body", "handshake"],
)
def test_slow_requests(served: Served, begin: bytes):
    """More connections than threads, each sending a byte now and then."""
    lines = [line_to(served) for _ in range(8)]
    for line in lines:
        line.sendall(begin)
    try:
        with Trickle(lines, b"a") as trickle:
            answered(served)
            assert soon(lambda: len(trickle.cut) == len(lines))
            answered(served)
    finally:
        for line in lines:
            line.close()


def test_silent_connections(served: Served, monkeypatch: pytest.MonkeyPatch):
    """Connections that say nothing hold no thread, however long a request may take."""
    monkeypatch.setattr("web.network.server.REQUEST", LONG)
    lines = [line_to(served) for _ in range(60)]
    answered(served)
    for line in lines:
        line.close()


def test_too_many_connections_of_one_address(
    attacked: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("web.network.server.is_loopback", lambda address: False)
    with serving(attacked(), tmp_path, threads=4, each=5) as served:
        lines = [line_to(served) for _ in range(5)]

        def served_line() -> bool:
            with line_to(served) as line, suppress(ConnectionError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return bool(line.recv(1))
            return False

        assert not served_line()  # the sixth in the queue
        lines.pop().close()
        assert soon(served_line)
        for line in lines:
            line.close()


def request(line: bytes = b"GET / HTTP/1.1", *headers: bytes) -> bytes:
    return b"\r\n".join([line, *(headers or (b"Host: localhost",)), b"", b""])


MALFORMED = (
    (request(b"GET / HTTP/1.1", b"Host: localhost", b"X: " + b"a" * 70_000), b"413"),
    (request(b"GET /" + b"a" * 70_000 + b" HTTP/1.1"), b"41"),
    (request(b"POST /roll HTTP/1.1", b"Host: localhost", b"Content-Length: 99999999999"), b"413"),
    (request(b"POST /roll HTTP/1.1", b"Host: localhost", b"Content-Length: -5"), b"4"),
    (request(b"POST /roll HTTP/1.1", b"Host: localhost", b"Content-Length: x"), b"400"),
    (b"GET / HTTP/1.1\r\n\r\n", b"400"),
    (request(b"GET http://evil.example/ HTTP/1.1"), b"400"),
    (request(b"BREW /pot HTTP/1.1"), b"40"),
    (request(b"GET / HTTP/9.9"), b"505"),
    (b"\x00\x01\x02\x03\r\n\r\n", b"400"),
)


def test_malformed_requests(served: Served):
    for sent, status in MALFORMED:
        with line_to(served) as line:
            line.sendall(sent)
            try:
                head = line.recv(64)
            except ConnectionResetError:
                head = b""
        assert head == b"" or head.split()[1].startswith(status), sent[:60]
        answered(served)


def test_noise_instead_of_tls(served: Served, capsys: pytest.CaptureFixture[str]):
    for noise in (b"\x16\x03\x01\xff\xff" + b"\0" * 400, b"\x16", b"\x16\x03\x03\x00\x05hello"):
        with line_to(served) as line:
            line.sendall(noise)
            with suppress(OSError):  # it may be cut already
                line.shutdown(socket.SHUT_WR)
                while line.recv(4096):
                    pass
    answered(served)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_page_that_reads_nothing_is_let_go(
    attacked: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A stream whose reader sleeps fills up; its thread must come back."""
    monkeypatch.setattr("web.network.server.IDLE", 1)
    monkeypatch.setattr("web.written.WrittenEvents.event", lambda *_: f": {'x' * (1 << 20)}\n\n")
    house = attacked()
    with serving(house, tmp_path, threads=4) as served:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", served.port))
        line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams = site_of(house.app).streams
        assert soon(lambda: bool(streams.count))
        house.table.session.saw(rolled("222255"))
        assert soon(lambda: house.table.session.hold(1) or not streams.count)
        line.close()


def test_streams_whose_pages_are_gone_make_room_at_once(attacked: Attacked, tmp_path: Path):
    """A herd of pages that comes back does not find the door shut by its own dead streams."""
    house = attacked(pin=None, heartbeat=30.0)
    with serving(house, tmp_path, threads=24, watched=False) as served:
        for _ in range(4):
            lines = [line_to(served) for _ in range(5)]
            for line in lines:
                line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert line.recv(12) == b"HTTP/1.1 200"
            assert site_of(house.app).streams.count == 5
            for line in lines:
                line.close()
        assert soon(lambda: not site_of(house.app).streams.count, 15), "without waiting for the next beat"


@pytest.mark.slow
def test_two_hundred_pages_listen_and_those_that_come_back_hear_the_newest(
    attacked: Attacked, tmp_path: Path
):
    house = attacked(pin=None, streams=WebSettings().streams, heartbeat=10.0)
    with serving(house, tmp_path, threads=THREADS, watched=False) as served:
        house.table.session.saw(rolled("222255"))
        for held in (1, 2) * 10:
            house.table.session.hold(held)
        newest = house.table.session.latest().number
        lines = [line_to(served) for _ in range(200)]
        drawn: list[int] = []
        for line in lines:
            line.sendall(b"GET /events?view=spectator&after=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for line in lines:
            heard = b""
            while f'"number": {newest},'.encode() not in heard:
                piece = line.recv(65536)
                assert piece, heard[:200]
                heard += piece
            drawn.append(heard.count(b"event: notice"))
        assert set(drawn) == {1}, "the newest, and none of the twenty before it"
        assert site_of(house.app).streams.count == 200
        for line in lines:
            line.close()


# --- the list


def test_the_list_of_attacks_names_these_tests():
    document = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", document))
    here = {name for name in globals() if name.startswith("test_")} - {"test_the_list_of_attacks_names_these_tests"}
    assert here <= named, "an attack is tried that docs/security.md does not list"
    sources = "".join(path.read_text("utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert not [name for name in named if f"def {name}(" not in sources]
