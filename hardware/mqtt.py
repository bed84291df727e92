"""Notices over MQTT, for home automation: a broker that is away, slow or wrong holds up nobody.

Topics below the table's own, which the broker's address may name:

- `status`: `online`, or `offline` (retained; the broker says it when we are gone);
- `state`: everything a display needs, as JSON (retained; `hardware.public_state.PublicState`); its `sentence` is the
  last one that was said;
- one value each, retained, for devices that read no JSON: `game`, `turn`, `leader`, `dice`, `throw`, `scores`,
  `points`, `sentence`, `prompt`, `question`, `over`, `seat/1/name` and `seat/1/score` for each seat, `player/ID/score`;
- `notice`: each sentence once, as JSON, never retained;
- `event/throw`, `event/points`, `event/win`: what happened, once, as JSON, never retained.

Home Assistant finds the table by itself: entities are announced as its MQTT discovery asks for
(`homeassistant/COMPONENT/TABLE/OBJECT/config`, retained; the prefix can be another one). What belongs to no player any
more is taken back, also when it was announced before this program started.
"""

from __future__ import annotations

import re
import ssl
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from hardware.background import BackgroundDevice
from hardware.public_state import PublicNotice, PublicState
from messages.message import message

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

DISCOVERY = "homeassistant"
"""The prefix of Home Assistant's discovery topics, unless somebody has set another one there."""
KEEPALIVE = 20
"""Seconds after which a broker notices that we are gone, at most half as much again."""
RETRY = (1, 15)
"""Seconds between two tries to reach a broker: the first ones, and after many."""
WAITING = 64
"""Notices that wait for the thread; a broker that is away gets the newest state and none of them."""
LONGEST_STATE = 255
"""Characters Home Assistant takes as a state."""

TOPIC = re.compile(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is, and which topics are ours."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    base: str = ""
    """The topic that all of ours lie below; empty if the address names none."""
    discovery: str = DISCOVERY
    """The prefix of the discovery topics."""

    def named(self, table: str) -> Broker:
        """The same with the topic of this table, unless the address named one: two tables share no topic."""
        return self if self.base else replace(self, base=f"tableside/{table}")

    @property
    def id(self) -> str:
        """A name of this table for Home Assistant: the topic without slashes."""
        return self.base.replace("/", "_")


def broker_at(url: str) -> Broker:
    """The broker at `mqtt://[USER[:PASSWORD]@]HOST[:PORT][/TOPIC][?discovery=PREFIX]`, or `mqtts://` for TLS.

    Raises ValueError if it is not such an address; the message does not repeat a password.
    """
    expected = "expected mqtt://[USER:PASSWORD@]HOST[:PORT][/TOPIC][?discovery=PREFIX] as the broker's address"
    try:
        parts = urlsplit(url)
        port = parts.port
        asked = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise ValueError(expected) from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or "#" in url or asked.keys() - {"discovery"}:
        raise ValueError(expected)
    base, prefix = parts.path.strip("/"), asked.get("discovery", DISCOVERY)
    if "@" in base or "@" in prefix:  # a password with a slash or a question mark in it
        raise ValueError(expected)
    for topic in filter(None, (base, prefix or "?")):
        if not TOPIC.fullmatch(topic):
            raise ValueError(f"expected a topic of letters, digits, -, _ and /, got {topic!r}")
    tls = parts.scheme == "mqtts"
    user = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return Broker(parts.hostname, port or (8883 if tls else 1883), user, password, tls, base, prefix)


class Publisher(BackgroundDevice):
    """Publishes notices in a thread of its own."""

    def __init__(self, broker: Broker, version: str, on_change: Callable[[], None] = lambda: None) -> None:
        """`version` is Tableside's; `on_change` is called when `words` have changed."""
        words = message("Connecting to the MQTT broker at {host}", host=broker.host)
        super().__init__("mqtt", words, on_change, patience=3.0)
        self._broker, self._version = broker, version
        self._notices: deque[PublicNotice] = deque(maxlen=WAITING)
        self._latest: PublicState | None = None
        self._announce = self._anew = False
        self._connected = False
        self._published: dict[str, str] = {}
        """What was published retained, by its topic: only what has changed goes out again."""
        self._kept: set[str] = set()
        """Topics that the broker keeps, perhaps from an earlier start: of entities, seats and players."""

    def start(self, table: str) -> None:
        """Begin to look for the broker; `table` is this table's own topic, where the address named none."""
        self._broker = self._broker.named(table)
        self._thread.start()

    def tell(self, notice: PublicNotice) -> None:
        """Publish this as soon as may be; returns at once."""
        with self._news:
            self._latest = notice.state
            if self._connected and (notice.sentence or notice.events):
                self._notices.append(notice)
            self._announce = True
            self._news.notify()

    def _run(self) -> None:
        client = self._made()
        try:
            client.connect_async(self._broker.host, self._broker.port, KEEPALIVE)
            client.loop_start()
            while True:
                with self._news:
                    self._news.wait_for(lambda: self._closed or (self._announce and self._connected))
                    if self._closed:
                        break
                    self._announce = False
                    if self._anew:
                        self._anew, self._published = False, {}
                    latest, notices, kept = self._latest, list(self._notices), self._kept
                    self._notices.clear()
                    if latest is not None:
                        self._kept = set()
                if latest is not None:
                    self._publish(client, latest, notices, kept)
            if self._connected:  # so that nobody takes old scores for new ones
                goodbye = client.publish(f"{self._broker.base}/status", "offline", qos=1, retain=True)
                goodbye.wait_for_publish(1)
            client.disconnect()
        except (OSError, ValueError, RuntimeError) as broken:
            self._stands(message("MQTT is not working: {why}", why=str(broken)))
        finally:
            client.loop_stop()

    def _made(self) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        client, host = Client(CallbackAPIVersion.VERSION2), self._broker.host
        client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.tls:
            # paho leaves the parameter's type open.
            client.tls_set_context(ssl.create_default_context())  # pyright: ignore[reportUnknownMemberType]
        client.will_set(f"{self._broker.base}/status", "offline", qos=1, retain=True)
        client.reconnect_delay_set(*RETRY)

        def on_connect(
            _client: Client, _user: object, _flags: object, reason: Any, _properties: object
        ) -> None:
            if reason.is_failure:
                self._stands(
                    message("The MQTT broker at {host} refused the connection: "
                            "{why}", host=host, why=str(reason).lower())
                )
                return
            client.publish(f"{self._broker.base}/status", "online", qos=1, retain=True)
            ours = f"{self._broker.discovery}/+/{self._broker.id}/+/config"
            for topic in (ours, f"{self._broker.base}/seat/#", f"{self._broker.base}/player/#"):
                client.subscribe(topic, qos=1)
            with self._news:
                # Whatever the broker forgot while it was away, it is told again.
                self._connected = self._announce = self._anew = True
                self._news.notify()
            self._stands(message("Connected to the MQTT broker at {host}", host=host))

        def on_disconnect(
            _client: Client, _user: object, _flags: object, _reason: object, _prop: object
        ) -> None:
            with self._news:
                if not self._connected:
                    return
                self._connected = False
                self._notices.clear()
            if not self._closed:
                self._stands(message("The connection to the MQTT broker at {host} was lost; still trying", host=host))

        def on_connect_fail(_client: Client, _user: object) -> None:
            self._stands(message("The MQTT broker at {host} isn’t answering; still trying", host=host))

        def on_message(_client: Client, _user: object, kept: MQTTMessage) -> None:
            # The broker marks what it kept from before; our own announcements come back unmarked.
            if kept.retain and kept.payload:
                with self._news:
                    self._kept.add(kept.topic)
                    self._announce = True
                    self._news.notify()

        client.on_connect = on_connect
        client.on_message = on_message
        client.on_connect_fail = on_connect_fail
        client.on_disconnect = on_disconnect
        return client

    def _publish(
        self, client: Client, latest: PublicState, notices: Sequence[PublicNotice], kept: set[str]
    ) -> None:
        base = self._broker.base
        entities = dict(discovery(self._broker, latest, self._version))
        below = {f"{base}/{topic}": value for topic, value in values(latest).items()}
        retained = {**entities, **below, f"{base}/state": msgspec.json.encode(latest).decode()}
        # Entities first: Home Assistant forgets a player's before the score it showed is gone.
        for topic in sorted((kept | set(self._published)) - set(retained), key=lambda one: one.startswith(f"{base}/")):
            client.publish(topic, "", qos=1, retain=True)
        for topic, payload in retained.items():
            if self._published.get(topic) != payload:
                client.publish(topic, payload, qos=1, retain=True)
        self._published = retained
        for notice in notices:
            if notice.sentence:
                told = msgspec.json.encode({"number": notice.number, "sentence": notice.sentence})
                client.publish(f"{base}/notice", told, qos=1)
            for event in notice.events:
                what = {"player": event.player, "points": event.points, "faces": event.faces}
                told = msgspec.json.encode({"event_type": event.type, **what, "sentence": notice.sentence})
                client.publish(f"{base}/event/{event.type}", told, qos=1)


def values(state: PublicState) -> Mapping[str, str]:
    """One value a topic below the table's own."""
    found = {
        "game": state.game,
        "turn": state.turn,
        "leader": state.leader,
        "dice": ", ".join(die.name for die in state.dice),
        "throw": str(state.throw),
        "scores": ", ".join(f"{player.name} {player.score}" for player in state.players),
        "points": "" if state.points is None else str(state.points),
        "sentence": state.sentence,
        "prompt": state.prompt,
        "question": state.question,
        "over": state.over,
    }
    for seat, player in enumerate(state.players, start=1):
        found[f"seat/{seat}/name"] = player.name
        found[f"seat/{seat}/score"] = found[f"player/{player.id}/score"] = str(player.score)
    return found


def discovery(broker: Broker, state: PublicState, version: str) -> list[tuple[str, str]]:
    """The entities Home Assistant is to make, as (topic, config): what the table shows, each player's score, and events
    for a throw, for points and for a win.

    The keys are those of https://www.home-assistant.io/integrations/sensor.mqtt, event.mqtt and mqtt#discovery.
    """
    device = {
        "identifiers": [broker.id],
        "name": f"Tableside {broker.base.rpartition('/')[2]}",
        "manufacturer": "Tableside",
        "model": "Dice table",
        "sw_version": version,
    }

    def entity(component: str, object_id: str, name: str, topic: str, icon: str, **more: object) -> tuple[str, str]:
        config = {
            "name": name,
            "unique_id": f"{broker.id}_{object_id}",
            "state_topic": f"{broker.base}/{topic}",
            "availability_topic": f"{broker.base}/status",
            "icon": icon,
            "device": device,
            "origin": {"name": "Tableside", "sw_version": version},
            **more,
        }
        return f"{broker.discovery}/{component}/{broker.id}/{object_id}/config", msgspec.json.encode(config).decode()

    def shown(object_id: str, name: str, value: str, icon: str, **more: object) -> tuple[str, str]:
        template = "{{ (" + value + " | string)[:" + str(LONGEST_STATE) + "] }}"
        return entity("sensor", object_id, name, "state", icon, value_template=template, **more)

    everything = {"json_attributes_topic": f"{broker.base}/state"}
    return [
        shown("game", "Game", "value_json.game", "mdi:dice-multiple", **everything),
        shown("turn", "On turn", "value_json.turn", "mdi:account-arrow-right"),
        shown("leader", "Leader", "value_json.leader", "mdi:podium-gold"),
        shown("dice", "Dice", "value_json.dice | map(attribute='name') | join(', ')", "mdi:dice-5"),
        shown("throw", "Throw", "value_json.throw", "mdi:counter"),
        shown("sentence", "Last said", "value_json.sentence", "mdi:message-text"),
        shown("question", "Question", "value_json.question", "mdi:comment-question"),
        shown("over", "Outcome", "value_json.over", "mdi:trophy"),
        entity("event", "throw_event", "Dice thrown", "event/throw", "mdi:dice-multiple", event_types=["throw"]),
        entity("event", "points_event", "Points scored", "event/points", "mdi:plus-box", event_types=["points"]),
        entity("event", "win_event", "Match won", "event/win", "mdi:party-popper", event_types=["win"]),
        *(
            entity(
                "sensor", f"player_{player.id}", player.name, f"player/{player.id}/score", "mdi:scoreboard",
                unit_of_measurement="points", state_class="measurement",
            )
            for player in state.players
        ),
    ]  # fmt: skip
