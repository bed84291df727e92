"""Notices over MQTT, through a real broker: Debian's mosquitto."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.outlets import outlets
from files.folders import data_id
from hardware.mqtt import LONGEST_STATE, Broker, MqttMessage, Publisher, broker_at, discovery
from tests.waiting import WAIT, soon

PATHS = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/usr/bin"
MOSQUITTO, PASSWD = (shutil.which(name, path=PATHS) for name in ("mosquitto", "mosquitto_passwd"))
broker_needed = pytest.mark.skipif(
    MOSQUITTO is None, reason="no MQTT broker here (Debian: apt install mosquitto)"
)

FIRST = MqttMessage(
    1, "Meet Fate. Alice, throw the dice.", "Meet Fate", "Alice",
    [
        {"name": "Alice", "score": 0, "on_turn": True, "won": False},
        {"name": "Bob", "score": 7, "on_turn": False, "won": False},
    ],
    None, "",
)  # fmt: skip


class Mosquitto:
    """A broker on a port of its own, that can be stopped and started again."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true") -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text(
            f"listener {self.port} 127.0.0.1\npersistence false\nuser root\n{settings}\n"
        )
        self._running: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        self._running = subprocess.Popen(
            [MOSQUITTO, "-c", str(self._settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert soon(self._answers)

    def stop(self) -> None:
        assert self._running is not None
        self._running.terminate()
        self._running.wait(WAIT)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Listener:
    """Subscribes to everything; keeps the newest of each topic, and each notice."""

    def __init__(self, port: int, user: str | None = None, password: str | None = None) -> None:
        from paho.mqtt.client import Client, MQTTMessage
        from paho.mqtt.enums import CallbackAPIVersion

        self.newest: dict[str, str] = {}
        self.notices: list[str] = []
        ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(user, password)

        def on_message(_client: Client, _user: object, message: MQTTMessage) -> None:
            self.newest[message.topic] = message.payload.decode()
            if message.topic.endswith("/notice"):
                self.notices.append(json.loads(message.payload)["sentence"])

        self._client.on_message = on_message
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert ready.wait(WAIT)

    def state(self, topic: str = "tableside/table/state") -> dict[str, object]:
        return json.loads(self.newest.get(topic, "{}"))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    listening = Listener(mosquitto.port)
    yield listening
    listening.close()


@pytest.fixture
def publisher(mosquitto: Mosquitto) -> Iterator[Publisher]:
    made = Publisher(Broker("127.0.0.1", mosquitto.port), "1.2.3")
    made.start("table")
    yield made
    made.close()


@broker_needed
def test_the_newest_state_and_every_sentence_go_out(
    mosquitto: Mosquitto, listener: Listener, publisher: Publisher
):
    publisher.tell(FIRST)
    assert soon(lambda: listener.state().get("number") == 1)
    assert listener.state() == {
        "number": 1,
        "sentence": "Meet Fate. Alice, throw the dice.",
        "game": "Meet Fate",
        "turn": "Alice",
        "players": [
            {"name": "Alice", "score": 0, "on_turn": True, "won": False},
            {"name": "Bob", "score": 7, "on_turn": False, "won": False},
        ],
        "points": None,
        "over": "",
    }
    for number in range(2, 12):
        publisher.tell(replace(FIRST, number=number, sentence=f"Sentence {number}."))
    assert soon(lambda: listener.state().get("number") == 11)
    assert soon(lambda: listener.notices[-10:] == [f"Sentence {number}." for number in range(2, 12)])
    assert listener.newest["tableside/table/status"] == "online"
    late = Listener(mosquitto.port)
    assert soon(lambda: late.state().get("number") == 11)
    assert late.notices == []
    late.close()


@broker_needed
def test_home_assistant_is_told_which_entities_there_are(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    prefix = "homeassistant/sensor/tableside_table"
    names = {"game", "turn", "sentence", "over", "score_1", "score_2"}
    awaited = {"tableside/table/state", *(f"{prefix}/{name}/config" for name in names)}
    assert soon(lambda: awaited <= set(listener.newest))
    configs = {name: json.loads(listener.newest[f"{prefix}/{name}/config"]) for name in names}
    assert len({config["unique_id"] for config in configs.values()}) == len(names)
    for config in configs.values():
        assert config["state_topic"] in listener.newest
        assert config["availability_topic"] == "tableside/table/status"
        assert config["device"]["identifiers"] == ["tableside_table"]
        assert config["origin"]["name"] == "Tableside"
    assert configs["score_2"]["name"] == "Bob"
    assert configs["score_2"]["value_template"] == "{{ value_json.players[1].score }}"
    assert configs["score_2"]["state_class"] == "measurement"


@broker_needed
def test_the_templates_give_what_they_promise(listener: Listener, publisher: Publisher):
    """Home Assistant's templates are Jinja's; ours are rendered here on what really went out."""
    from jinja2 import Template

    publisher.tell(replace(FIRST, sentence="x" * 1000))
    assert soon(lambda: listener.state().get("number") == 1 and len(listener.newest) >= 8)
    shown: dict[str, str] = {}
    for topic, payload in listener.newest.items():
        if topic.endswith("/config"):
            config = json.loads(payload)
            state = json.loads(listener.newest[config["state_topic"]])
            shown[topic.split("/")[-2]] = Template(config["value_template"]).render(value_json=state)
    assert shown == {
        "game": "Meet Fate",
        "turn": "Alice",
        "sentence": "x" * LONGEST_STATE,
        "over": "",
        "score_1": "0",
        "score_2": "7",
    }


@broker_needed
def test_a_player_less_is_an_entity_less(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    topic = "homeassistant/sensor/tableside_table/score_2/config"
    assert soon(lambda: topic in listener.newest)
    publisher.tell(replace(FIRST, number=2, players=FIRST.players[:1]))
    assert soon(lambda: listener.newest[topic] == "")


@broker_needed
def test_what_was_said_last_stays_while_nothing_is_said(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    publisher.tell(replace(FIRST, number=2, sentence=""))
    assert soon(lambda: listener.state().get("number") == 2)
    assert listener.state()["sentence"] == FIRST.sentence
    assert "" not in listener.notices


@broker_needed
def test_a_player_of_an_earlier_start_leaves_no_entity_behind(mosquitto: Mosquitto, listener: Listener):
    three = [*FIRST.players, {"name": "Cleo", "score": 0, "on_turn": False, "won": False}]
    before = Publisher(Broker("127.0.0.1", mosquitto.port), "1")
    before.start("table")
    before.tell(replace(FIRST, players=three))
    topic = "homeassistant/sensor/tableside_table/score_3/config"
    assert soon(lambda: topic in listener.newest)
    before.close()
    now = Publisher(Broker("127.0.0.1", mosquitto.port), "1")
    now.start("table")
    now.tell(FIRST)
    assert soon(lambda: listener.newest[topic] == "")
    assert listener.newest["homeassistant/sensor/tableside_table/score_2/config"]
    now.close()


@broker_needed
def test_two_tables_on_one_broker_share_nothing(mosquitto: Mosquitto, listener: Listener):
    """Two programs of one computer and one data folder, as they are started: only their ports differ."""
    tables = [outlets(None, 6, f"mqtt://127.0.0.1:{mosquitto.port}")[0] for _ in range(2)]
    for port, table in zip((8765, 8766), tables, strict=True):
        table.start(port)
    topics = [f"tableside/{data_id()}-{port}/status" for port in (8765, 8766)]
    assert soon(lambda: [listener.newest.get(topic) for topic in topics] == ["online", "online"])
    tables[1].device.close()
    assert soon(lambda: listener.newest[topics[1]] == "offline")
    assert listener.newest[topics[0]] == "online"
    tables[0].device.close()


@broker_needed
def test_a_broker_that_comes_back_is_told_everything_again(tmp_path: Path):
    broker = Mosquitto(tmp_path)
    words: list[str] = []
    publisher = Publisher(Broker("127.0.0.1", broker.port), "1")
    publisher.on_change = lambda: words.append(str(publisher.words))
    publisher.start("table")
    publisher.tell(FIRST)
    assert soon(lambda: words == ["Connected to the MQTT broker at 127.0.0.1"])
    broker.stop()
    assert soon(lambda: words[-1] == "The connection to the MQTT broker at 127.0.0.1 was lost; still trying")
    publisher.tell(replace(FIRST, number=2, turn="Bob"))
    broker.start()
    listener = Listener(broker.port)
    assert soon(lambda: listener.state().get("turn") == "Bob")
    assert soon(lambda: "homeassistant/sensor/tableside_table/game/config" in listener.newest)
    listener.close()
    publisher.close()
    broker.stop()


@broker_needed
def test_a_broker_that_wants_a_password(tmp_path: Path):
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run([str(PASSWD), "-b", str(passwords), "dice", "s3cret/@"], check=True, capture_output=True)
    broker = Mosquitto(tmp_path, f"allow_anonymous false\npassword_file {passwords}")
    said: list[str] = []
    for url, good in (("mqtt://dice:wrong@127.0.0.1", False), ("mqtt://dice:s3cret%2F%40@127.0.0.1", True)):
        publisher = Publisher(replace(broker_at(url), port=broker.port), "1")
        looking = publisher.words
        publisher.start("table")
        publisher.tell(FIRST)
        assert soon(lambda publisher=publisher, looking=looking: publisher.words != looking)
        said.append(str(publisher.words))
        assert said[-1].startswith("Connected to the MQTT broker" if good else "The MQTT broker at 127.0.0.1 refused")
        publisher.close()
    assert not any("s3cret" in words or "wrong" in words for words in said)
    broker.stop()


def test_a_broker_that_is_not_there_holds_up_nobody():
    publisher = Publisher(Broker("127.0.0.1", 1), "1")
    publisher.start("table")
    began = time.thread_time(), time.monotonic()
    for number in range(10_000):
        publisher.tell(replace(FIRST, number=number))
    assert time.thread_time() - began[0] < 2, "telling does work that is not its own"
    assert time.monotonic() - began[1] < 30, "telling waits"
    assert soon(lambda: str(publisher.words) == "The MQTT broker at 127.0.0.1 isn’t answering; still trying")
    publisher.close()


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("mqtt://host", Broker("host", 1883)),
        ("mqtts://host", Broker("host", 8883, tls=True)),
        ("mqtt://me:p%40ss@host:99/club/table-2", Broker("host", 99, "me", "p@ss", base="club/table-2")),
        ("mqtt://[::1]:1883/", Broker("::1", 1883)),
        ("mqtt://host/tableside/table", Broker("host", 1883, base="tableside/table")),
    ],
)
def test_an_address_is_read(url: str, broker: Broker):
    assert broker_at(url) == broker
    assert "p@ss" not in repr(broker)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host",
        "http://host",
        "mqtt://",
        "mqtt://me:secret@host:port",
        "mqtt://me:secret@host/#",
        "mqtt://me:12/secret@host",
        "mqtt://h/a+b",
        "mqtt://h/a//b",
        "mqtt://h?x=1",
    ],
)
def test_what_is_no_address_is_refused_without_its_password(url: str):
    with pytest.raises(ValueError, match="expected") as refused:
        broker_at(url)
    assert "secret" not in str(refused.value)


def test_a_players_name_cannot_become_a_template_or_topic():
    evil = [{"name": "{{ states }}/#", "score": 1, "on_turn": True, "won": False}]
    for topic, config in discovery(Broker("h", 1), replace(FIRST, players=evil), "1"):
        assert "#" not in topic
        assert "states" not in json.loads(config)["value_template"]
