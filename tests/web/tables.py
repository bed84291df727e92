"""Tables for tests of the pages, and clients at them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.test import TestResponse

from cli.compose import House, Kept, furnish, pages_of
from files.folders import tables_folder
from scoring.actions import Draw, Roll
from scoring.anyplay import any_action
from scoring.games import find as find_game
from scoring.match import Match
from table.cameras.choice import CameraChoice
from table.new_match import dice_for
from table.session import Session
from table.storage.store import Store
from table.table import Table
from tests.fakes import TruthfulReader, rolled
from vision.demo.camera import DemoCamera
from vision.frame import Mask, Pixels
from vision.reading import Reading
from web.access import Access
from web.announcer import Announcer
from web.devices import Role
from web.settings import WebSettings
from web.site import site_of
from web.written import PARTS

if TYPE_CHECKING:
    from table.ports import Camera, ReadsDice

HERE = "http://localhost"
PIN = "314159"
SCRIPTED = {"X-Requested-With": "tableside", "Origin": HERE}
"""What our scripts send along."""


NO_PAGES = frozenset(
    {
        "static", "api.state", "api.notices", "table.events", "table.live_picture", "table.advice", "table.last_turn",
        "replay.log", "replay.latest_dispute", "replay.match_picture", "dice.face_picture", "dice.around", "dice.pack",
        "dice.stickers", "teach.events", "teach.offered", "teach.kept", "dice.face", "camera.live_picture",
        "camera.advice", "camera.printed_markers", "health.health", "first_steps.look", "settings.running",
    }
)  # fmt: skip
"""What is asked for by GET and known to be no page: streams, pictures, downloads, answers to a script."""


class Compiled(BytecodeCache):
    """Templates that were compiled once: each test makes an application of its own, with the same pages."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": Compiled()}


class Blind:
    """Reads nothing."""

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        return rolled("")


def furnished(
    game: str = "meet-fate",
    players: Sequence[str] = ("Alice", "Bob"),
    *,
    options: Mapping[str, object] | None = None,
    camera: Camera | None = None,
    reader: Callable[[Any], ReadsDice] | None = None,
    seed: int = 1,
    size: tuple[int, int] = (320, 240),
    match: Match | None = None,
    choice: CameraChoice | None = None,
    remember: Callable[[CameraChoice], None] = lambda _: None,
    **settings: Any,
) -> House:
    """A table, by default the demo table, whose camera does not run yet; `match` is the one on it, else a new one."""
    rules = match.game if match else find_game(game)
    dice_set = dice_for(rules)
    if camera is None:
        camera = DemoCamera(dice_set, count=rules.dice.count, seed=seed, size=size)
    demo = camera if isinstance(camera, DemoCamera) else None
    reads = reader or (TruthfulReader if demo else lambda _: Blind())
    return furnish(
        camera, game=rules.id, dice_set=dice_set, players=match.header.players if match else list(players),
        options=options, reader=reads(camera), thrower=demo, choice=choice, remember=remember,
        kept=Kept(match, Store.of(tables_folder()).begin(match)) if match else None,
        settings=WebSettings(**{"heartbeat": 0.05, "picture_wait": 0.05, **settings}),
    )  # fmt: skip


def bare(match: Match, **settings: Any) -> House:
    """A table without a camera: what is thrown is typed."""
    announcer = Announcer()
    store = Store.of(tables_folder()).begin(match)
    session = Session(match, store, dice_for(match.game), outputs=(announcer,))
    session.greet()
    table = Table(session)
    return House(table, announcer, pages_of(table, announcer, WebSettings(**settings)))


def app_of(match: Match, **settings: Any) -> Flask:
    """The pages of such a table."""
    return bare(match, **settings).app


def post(client: FlaskClient, path: str, headers: dict[str, str] | None = None, **fields: object) -> TestResponse:
    """What a script of ours sends, unless other `headers` are said."""
    return client.post(path, data=fields, headers=SCRIPTED if headers is None else headers)


def html_of(client: FlaskClient, path: str = "/", language: str = "") -> str:
    """A page that is there."""
    answer = client.get(path, headers={"Accept-Language": language} if language else {})
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def events(client: FlaskClient, count: int, **how: Any) -> list[tuple[str, str, str]]:
    """The first events of a stream that say something, as (number, event, data)."""
    found: list[tuple[str, str, str]] = []
    with client.get("/events", buffered=False, **how) as answer:
        for chunk in answer.response:
            text = chunk.decode() if isinstance(chunk, bytes) else str(chunk)
            fields = dict(line.split(": ", 1) for line in text.strip().splitlines())
            if fields["event"] not in ("hello", "beat"):
                found.append((fields.get("id", "").rpartition("-")[2], fields["event"], fields["data"]))
            if len(found) == count:
                break
    return found


def parts(client: FlaskClient, view: str = "table") -> dict[str, str]:
    """What the newest notice brings to a page of this kind that listens, by the id of the element it replaces."""
    heard = events(client, 2, query_string={"view": view, "after": "0"})
    return json.loads(next(data for _, event, data in heard if event == "notice"))["parts"]


def everything(client: FlaskClient, match_id: str, events: Iterable[int] = (1,)) -> Iterator[tuple[str, str]]:
    """Every address that can be fetched, and what it answers to this device; of the table's streams the beginning."""
    for rule in client.application.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in ("static", "teach.events"):
            continue
        path = rule.rule.replace("<match_id>", match_id)
        paths = {path.replace("<int:event>", str(event)) for event in events}
        if rule.endpoint == "table.events":
            paths = {f"{path}?view={view}&after=0" for view in PARTS}
        for one in paths:
            with client.get(re.sub(r"<[^>]+>", "1", one), headers={"Accept": "application/json"}) as answer:
                pieces = [piece for piece, _ in zip(answer.iter_encoded(), range(9), strict=False)]
            yield one, b"".join(pieces).decode(errors="replace")


def access_of(house: House) -> Access:
    return site_of(house.app).access


def entered(house: House, code: str = PIN) -> FlaskClient:
    """A device that entered a code, the host's by default."""
    client = house.app.test_client()
    assert post(client, "/enter", code=code).status_code == 204
    return client


def player(house: House, name: str) -> FlaskClient:
    """A player's device."""
    return entered(house, access_of(house).code(Role.PLAYER, name))


def addresses(house: House) -> dict[str, str]:
    """Every address that is asked for by GET, by its endpoint, as the table stands now.

    They are asked of the application, so that a new page is looked at from its first day. One whose address needs a
    value that nobody knows is a KeyError until it is said here.
    """
    session = house.table.session
    values: dict[str, object] = {
        "set_id": session.dice_set.id, "face": (*session.dice_set.face_ids, "1")[0], "match_id": session.store.id,
        "event": max(len(session.match.events) - 1, 1), "game_id": session.match.game.id, "player": 0, "before": 0,
        "file": "sans.png", "name": "sans",
    }  # fmt: skip
    adapter = house.app.url_map.bind("localhost")
    return {
        rule.endpoint: adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        for rule in house.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and (rule.endpoint not in NO_PAGES or rule.arguments <= values.keys())
    }


def every_page(house: House) -> dict[str, str]:
    """Every page there is, by its endpoint."""
    return {endpoint: path for endpoint, path in addresses(house).items() if endpoint not in NO_PAGES}


def played(session: Session, actions: int) -> Iterator[int]:
    """Play on by lot, and tell after each action how many there were."""
    chance = random.Random(session.match.game.id)
    for number in range(actions + 1):
        yield number
        match = session.match
        if match.outcome:
            return
        action = any_action(match.game, match.state, chance.randrange)
        if isinstance(action, Roll):
            session.roll(", ".join(action.faces))
        elif isinstance(action, Draw):
            session.draw(action.cards)
        else:
            session.decide(action.move, action.player)
