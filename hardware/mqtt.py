"""Notices over MQTT, for home automation: a broker that is away, slow or wrong holds up nobody.

Topics below the table's own, which the broker's address may name:

- `status`: `online`, or `offline` (retained; the broker says it when we are gone);
- `state`: everything a display needs, as JSON (retained); its `sentence` is the last one that was said;
- `notice`: each sentence once, as JSON, never retained.

Home Assistant finds the table by itself: entities are announced as its MQTT discovery asks for
(`homeassistant/sensor/<id>/<object>/config`, retained). An entity that no player belongs to any more is taken back,
also when it was announced before this program started.
"""

from __future__ import annotations

import re
import ssl
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import msgspec

from messages.message import Message, message

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

DISCOVERY = "homeassistant"
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
    """The topic that all of ours lie below; empty where the address names none."""

    def named(self, table: str) -> Broker:
        """The same with the topic of this table, unless the address named one: two tables share no topic."""
        return self if self.base else replace(self, base=f"tableside/{table}")

    @property
    def id(self) -> str:
        """A name of this table for Home Assistant: the topic without slashes."""
        return self.base.replace("/", "_")


@dataclass(frozen=True, slots=True)
class MqttMessage:
    """One notice: the sentence, and how the table stands, as plain JSON values."""

    number: int
    sentence: str
    game: str
    turn: str
    players: Sequence[Mapping[str, Any]]
    """Each with `name`, `score`, `on_turn`, `won`."""
    points: int | None
    over: str


def broker_at(url: str) -> Broker:
    """The broker at `mqtt://[USER[:PASSWORD]@]HOST[:PORT][/TOPIC]`, or `mqtts://` for TLS.

    Raises ValueError: it is no such address; the message does not repeat a password.
    """
    expected = "expected mqtt://[USER:PASSWORD@]HOST[:PORT][/TOPIC] as the broker's address"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(expected) from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or "?" in url or "#" in url:
        raise ValueError(expected)
    base = parts.path.strip("/")
    if "@" in base:  # a password with a slash in it
        raise ValueError(expected)
    if base and not TOPIC.fullmatch(base):
        raise ValueError(f"expected a topic of letters, digits, -, _ and /, got {base!r}")
    tls = parts.scheme == "mqtts"
    user = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return Broker(parts.hostname, port or (8883 if tls else 1883), user, password, tls, base)


class Publisher:
    """Publishes what it is told, from a thread of its own."""

    def __init__(self, broker: Broker, version: str, on_change: Callable[[], None] = lambda: None) -> None:
        """`version` is Tableside's; `on_change` is called when `words` have changed."""
        self._broker, self._version, self.on_change = broker, version, on_change
        self._news = threading.Condition()
        self._notices: deque[MqttMessage] = deque(maxlen=WAITING)
        self._latest: MqttMessage | None = None
        self._announce = self._anew = False
        self._connected = self._closed = False
        self._announced: dict[str, str] = {}
        self._kept: set[str] = set()
        """Topics of entities that the broker keeps from an earlier start."""
        self._sentence = ""
        self.words = message("Connecting to the MQTT broker at {host}", host=broker.host)
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def start(self, table: str) -> None:
        """Begin to look for the broker; `table` is this table's own topic, where the address named none."""
        self._broker = self._broker.named(table)
        self._thread.start()

    def tell(self, message: MqttMessage) -> None:
        """Publish this as soon as may be; returns at once."""
        with self._news:
            self._sentence = message.sentence or self._sentence
            self._latest = replace(message, sentence=self._sentence)
            if self._connected and message.sentence:
                self._notices.append(message)
            self._announce = True
            self._news.notify()

    def close(self) -> None:
        """Say goodbye, so that nobody takes old scores for new ones."""
        with self._news:
            self._closed = True
            self._news.notify()
        if self._thread.is_alive():
            self._thread.join(3)

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
                        self._anew, self._announced = False, {}
                    latest, notices, kept = self._latest, list(self._notices), self._kept
                    self._notices.clear()
                    if latest is not None:
                        self._kept = set()
                if latest is not None:
                    self._publish(client, latest, notices, kept)
            if self._connected:
                client.publish(f"{self._broker.base}/status", "offline", qos=1, retain=True).wait_for_publish(
                    1
                )
            client.disconnect()
        except (OSError, ValueError, RuntimeError) as broken:
            self._say(message("MQTT is not working: {why}", why=str(broken)))
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
                self._say(
                    message("The MQTT broker at {host} refused the connection: "
                            "{why}", host=host, why=str(reason).lower())
                )
                return
            client.publish(f"{self._broker.base}/status", "online", qos=1, retain=True)
            client.subscribe(f"{DISCOVERY}/sensor/{self._broker.id}/+/config", qos=1)
            with self._news:
                # Whatever the broker forgot while it was away, it is told again.
                self._connected = self._announce = self._anew = True
                self._news.notify()
            self._say(message("Connected to the MQTT broker at {host}", host=host))

        def on_disconnect(
            _client: Client, _user: object, _flags: object, _reason: object, _prop: object
        ) -> None:
            with self._news:
                if not self._connected:
                    return
                self._connected = False
                self._notices.clear()
            if not self._closed:
                self._say(message("The connection to the MQTT broker at {host} was lost; still trying", host=host))

        def on_connect_fail(_client: Client, _user: object) -> None:
            self._say(message("The MQTT broker at {host} isn’t answering; still trying", host=host))

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
        self, client: Client, latest: MqttMessage, notices: Sequence[MqttMessage], kept: set[str]
    ) -> None:
        announced = dict(discovery(self._broker, latest, self._version))
        for topic in (kept | set(self._announced)) - set(announced):
            client.publish(topic, "", qos=1, retain=True)  # a player less: Home Assistant forgets the entity
        for topic, config in announced.items():
            if self._announced.get(topic) != config:
                client.publish(topic, config, qos=1, retain=True)
        self._announced = announced
        client.publish(f"{self._broker.base}/state", msgspec.json.encode(latest), qos=1, retain=True)
        for notice in notices:
            told = msgspec.json.encode({"number": notice.number, "sentence": notice.sentence})
            client.publish(f"{self._broker.base}/notice", told, qos=1)

    def _say(self, words: Message) -> None:
        if words != self.words:
            self.words = words
            self.on_change()


def discovery(broker: Broker, message: MqttMessage, version: str) -> list[tuple[str, str]]:
    """The entities Home Assistant is to make, as (topic, config): the game, whose turn, what was said, each score.

    The keys are those of https://www.home-assistant.io/integrations/sensor.mqtt and mqtt#discovery.
    """
    device = {
        "identifiers": [broker.id],
        "name": f"Tableside {broker.base.rpartition('/')[2]}",
        "manufacturer": "Tableside",
        "model": "Dice table",
        "sw_version": version,
    }

    def entity(name: str, object_id: str, template: str, icon: str, **more: object) -> tuple[str, str]:
        config = {
            "name": name,
            "unique_id": f"{broker.id}_{object_id}",
            "state_topic": f"{broker.base}/state",
            "value_template": template,
            "availability_topic": f"{broker.base}/status",
            "icon": icon,
            "device": device,
            "origin": {"name": "Tableside", "sw_version": version},
            **more,
        }
        return f"{DISCOVERY}/sensor/{broker.id}/{object_id}/config", msgspec.json.encode(config).decode()

    cut = f"[:{LONGEST_STATE}]"
    entities = [
        entity("Game", "game", "{{ value_json.game }}", "mdi:dice-multiple"),
        entity("On turn", "turn", "{{ value_json.turn }}", "mdi:account-arrow-right"),
        entity("Last said", "sentence", "{{ value_json.sentence" + cut + " }}", "mdi:message-text"),
        entity("Outcome", "over", "{{ value_json.over" + cut + " }}", "mdi:trophy"),
    ]
    for seat, player in enumerate(message.players):
        score = "{{ value_json.players[" + str(seat) + "].score }}"
        entities.append(
            entity(
                str(player["name"]), f"score_{seat + 1}", score, "mdi:scoreboard",
                unit_of_measurement="points", state_class="measurement",
            )
        )  # fmt: skip
    return entities
