"""Notices over MQTT, through a real broker: Debian's mosquitto."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.outlets import outlets
from files.folders import data_id
from hardware.mqtt import DISCOVERY, LONGEST_STATE, Broker, Publisher, broker_at, discovery, values
from hardware.public_state import PublicEvent, player_id
from tests.hardware.told import notice, state
from tests.waiting import WAIT, soon

PATHS = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/usr/bin"
MOSQUITTO, PASSWD = (shutil.which(name, path=PATHS) for name in ("mosquitto", "mosquitto_passwd"))
broker_needed = pytest.mark.skipif(
    MOSQUITTO is None, reason="no MQTT broker here (Debian: apt install mosquitto)"
)

ANN, BOB, CLEO = "Ann", "Bob", "Cleo"


FIRST = notice(1)
HA = "homeassistant/sensor/tableside_table"


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
        self.events: list[dict[str, Any]] = []
        ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(user, password)

        def on_message(_client: Client, _user: object, message: MQTTMessage) -> None:
            self.newest[message.topic] = message.payload.decode()
            if message.topic.endswith("/notice"):
                self.notices.append(json.loads(message.payload)["sentence"])
            if "/event/" in message.topic and not message.topic.endswith("/config"):
                self.events.append(json.loads(message.payload))

        self._client.on_message = on_message
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert ready.wait(WAIT)

    def state(self, topic: str = "tableside/table/state") -> dict[str, object]:
        return json.loads(self.newest.get(topic, "{}"))

    def publish(self, topic: str, payload: str) -> None:
        self._client.publish(topic, payload, qos=1, retain=True).wait_for_publish(WAIT)

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
    assert listener.state() == json.loads(msgspec.json.encode(FIRST.state))
    assert listener.state()["players"] == [
        {"id": player_id(ANN), "name": "Ann", "score": 0, "on_turn": True, "leads": False, "won": False},
        {"id": player_id(BOB), "name": "Bob", "score": 7, "on_turn": False, "leads": True, "won": False},
    ]
    for number in range(2, 12):
        publisher.tell(notice(number, sentence=f"Sentence {number}."))
    assert soon(lambda: listener.state().get("number") == 11)
    assert soon(lambda: listener.notices[-10:] == [f"Sentence {number}." for number in range(2, 12)])
    assert listener.newest["tableside/table/status"] == "online"
    late = Listener(mosquitto.port)
    assert soon(lambda: late.state().get("number") == 11)
    assert late.notices == []
    late.close()


@broker_needed
def test_each_value_has_a_topic_of_its_own_and_who_comes_late_gets_it(
    mosquitto: Mosquitto, publisher: Publisher
):
    publisher.tell(notice(1, points=18, over="Ann won."))
    before = Listener(mosquitto.port)
    assert soon(lambda: before.newest.get("tableside/table/over") == "Ann won.")
    late = Listener(mosquitto.port)
    base, ann, bob = "tableside/table", player_id(ANN), player_id(BOB)
    expected = {
        "game": "Triples", "turn": "Ann", "leader": "Bob", "dice": "two cats, sigil", "throw": "1", "points": "18",
        "scores": "Ann 0, Bob 7",
        "sentence": "Ann, throw the dice.", "prompt": "Ann, throw the dice.", "over": "Ann won.",
        "seat/1/name": "Ann", "seat/1/score": "0", "seat/2/name": "Bob", "seat/2/score": "7",
        f"player/{ann}/score": "0", f"player/{bob}/score": "7",
    }  # fmt: skip
    assert soon(lambda: {f"{base}/{topic}" for topic in expected} <= set(late.newest))
    assert {topic: late.newest[f"{base}/{topic}"] for topic in expected} == expected
    for listening in (before, late):
        listening.close()


@broker_needed
def test_a_value_that_stays_is_not_sent_again(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    assert soon(lambda: listener.state().get("number") == 1)
    listener.newest.clear()
    publisher.tell(notice(2, turn="Bob", sentence="Second."))
    assert soon(lambda: listener.notices[-1:] == ["Second."])  # it goes out last
    changed = ("turn", "sentence", "prompt", "state", "notice")
    assert set(listener.newest) == {f"tableside/table/{one}" for one in changed}


@broker_needed
def test_what_happens_is_told_once_as_an_event_and_never_kept(
    mosquitto: Mosquitto, listener: Listener, publisher: Publisher
):
    publisher.tell(FIRST)
    assert soon(lambda: listener.state().get("number") == 1)
    happened = (
        PublicEvent("throw", faces=("two cats", "sigil")),
        PublicEvent("points", "Ann", 18),
        PublicEvent("win", "Ann"),
    )
    publisher.tell(notice(2, events=happened, sentence="Ann won."))
    assert soon(lambda: len(listener.events) == 3)
    assert [one["event_type"] for one in listener.events] == ["throw", "points", "win"]
    assert listener.events[0]["faces"] == ["two cats", "sigil"]
    assert (listener.events[1]["player"], listener.events[1]["points"]) == ("Ann", 18)
    assert listener.events[2]["sentence"] == "Ann won."
    late = Listener(mosquitto.port)
    assert soon(lambda: late.state().get("number") == 2)
    assert late.events == []
    late.close()


@broker_needed
def test_home_assistant_is_told_which_entities_there_are(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    players = {f"player_{player_id(name)}" for name in (ANN, BOB)}
    sensors = {"game", "turn", "leader", "dice", "throw", "sentence", "question", "over", *players}
    events = {f"{name}_event": name for name in ("throw", "points", "win")}
    awaited = {f"{HA}/{name}/config" for name in sensors}
    awaited |= {f"{HA.replace('sensor', 'event')}/{name}/config" for name in events}
    shown = {"tableside/table/state", *(f"tableside/table/player/{player_id(name)}/score" for name in (ANN, BOB))}
    assert soon(lambda: awaited | shown <= set(listener.newest))
    assert {topic for topic in listener.newest if topic.endswith("/config")} == awaited
    configs = {topic.split("/")[-2]: json.loads(listener.newest[topic]) for topic in awaited}
    assert len({config["unique_id"] for config in configs.values()}) == len(awaited)
    for config in configs.values():
        assert config["availability_topic"] == "tableside/table/status"
        assert config["device"]["identifiers"] == ["tableside_table"]
        assert config["origin"]["name"] == "Tableside"
    for name in sensors:
        assert configs[name]["state_topic"] in listener.newest
    for name, event in events.items():
        assert (configs[name]["state_topic"], configs[name]["event_types"]) == (
            f"tableside/table/event/{event}", [event],
        )  # fmt: skip
    bob = configs[f"player_{player_id(BOB)}"]
    assert (bob["name"], bob["state_class"]) == ("Bob", "measurement")
    assert listener.newest[bob["state_topic"]] == "7"


@broker_needed
def test_the_templates_give_what_they_promise(listener: Listener, publisher: Publisher):
    """Home Assistant's templates are Jinja's; ours are rendered here on what really went out."""
    from jinja2 import Template

    publisher.tell(notice(1, sentence="x" * 1000))
    assert soon(lambda: listener.state().get("number") == 1)
    assert soon(lambda: f"{HA}/player_{player_id(BOB)}/config" in listener.newest)
    shown: dict[str, str] = {}
    for topic, payload in listener.newest.items():
        if topic.endswith("/config") and "value_template" in (config := json.loads(payload)):
            state = json.loads(listener.newest[config["state_topic"]])
            shown[topic.split("/")[-2]] = Template(config["value_template"]).render(value_json=state)
    assert shown == {
        "game": "Triples",
        "turn": "Ann",
        "leader": "Bob",
        "dice": "two cats, sigil",
        "throw": "1",
        "sentence": "x" * LONGEST_STATE,
        "question": "",
        "over": "",
    }


def topics_of(name: str, seat: int) -> tuple[str, ...]:
    base, who = "tableside/table", player_id(name)
    return (f"{HA}/player_{who}/config", f"{base}/player/{who}/score", f"{base}/seat/{seat}/name",
            f"{base}/seat/{seat}/score")  # fmt: skip


@broker_needed
def test_who_leaves_is_forgotten(listener: Listener, publisher: Publisher):
    publisher.tell(FIRST)
    assert soon(lambda: all(listener.newest.get(topic) for topic in topics_of(BOB, 2)))
    publisher.tell(notice(2, ANN))
    assert soon(lambda: all(listener.newest[topic] == "" for topic in topics_of(BOB, 2)))
    assert all(listener.newest[topic] for topic in topics_of(ANN, 1))


@broker_needed
def test_a_player_keeps_the_same_entity_at_another_seat(listener: Listener, publisher: Publisher):
    """Else Home Assistant would show Ann's history as Bob's."""
    publisher.tell(FIRST)
    topic = f"{HA}/player_{player_id(ANN)}/config"
    assert soon(lambda: topic in listener.newest)
    before = listener.newest[topic]
    publisher.tell(notice(2, BOB, CLEO, ANN))
    assert soon(lambda: listener.newest.get(f"tableside/table/player/{player_id(ANN)}/score") == "14")
    assert listener.newest[topic] == before


@broker_needed
def test_a_player_of_an_earlier_start_leaves_nothing_behind(mosquitto: Mosquitto, listener: Listener):
    before = Publisher(Broker("127.0.0.1", mosquitto.port), "1")
    before.start("table")
    before.tell(notice(1, ANN, BOB, CLEO))
    assert soon(lambda: all(listener.newest.get(topic) for topic in topics_of(CLEO, 3)))
    before.close()
    now = Publisher(Broker("127.0.0.1", mosquitto.port), "1")
    now.start("table")
    now.tell(FIRST)
    assert soon(lambda: all(listener.newest[topic] == "" for topic in topics_of(CLEO, 3)))
    assert all(listener.newest[topic] for topic in topics_of(BOB, 2))
    now.close()


@broker_needed
def test_an_entity_by_seat_of_an_older_tableside_is_taken_back(mosquitto: Mosquitto, listener: Listener):
    old = f"{HA}/score_3/config"
    listener.publish(old, '{"name": "Cleo"}')
    now = Publisher(Broker("127.0.0.1", mosquitto.port), "1")
    now.start("table")
    now.tell(FIRST)
    assert soon(lambda: listener.newest.get(old) == "")
    now.close()


@broker_needed
def test_discovery_can_have_another_prefix(mosquitto: Mosquitto, listener: Listener):
    publisher = Publisher(broker_at(f"mqtt://127.0.0.1:{mosquitto.port}/club/one?discovery=ha/disc"), "1")
    publisher.start("table")
    publisher.tell(FIRST)
    assert soon(lambda: "ha/disc/sensor/club_one/game/config" in listener.newest)
    assert not any(topic.startswith("homeassistant/") for topic in listener.newest)
    publisher.close()


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
    publisher.tell(notice(2, turn="Bob"))
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
        publisher.tell(notice(number))
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
        ("mqtt://host?discovery=ha", Broker("host", 1883, discovery="ha")),
        ("mqtt://host/a/?discovery=ha/b", Broker("host", 1883, base="a", discovery="ha/b")),
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
        "mqtt://h?discovery=",
        "mqtt://h?discovery=a/%23",
        "mqtt://h?discovery",
        "mqtt://me:what?secret@host",
    ],
)
def test_what_is_no_address_is_refused_without_its_password(url: str):
    with pytest.raises(ValueError, match="expected") as refused:
        broker_at(url)
    assert "secret" not in str(refused.value)


def test_a_players_name_cannot_become_a_template_or_topic():
    evil = state(1, "{{ states }}/#", "+")
    for topic, config in discovery(Broker("h", 1), evil, "1"):
        assert not set(topic) & set("#+{}")
        assert "states" not in json.loads(config).get("value_template", "")
    assert not set("".join(values(evil))) & set("#+{}")


def test_a_players_id_is_the_names_alone():
    assert player_id("Ann") == player_id("Ann")
    assert len({player_id(name) for name in ("Ann", "ann", "Änn", "安", "🎲", "A" * 40, "A" * 39)}) == 7
    assert player_id("e\u0301") == player_id("\u00e9"), "the same name, typed on another keyboard"
    assert DISCOVERY not in player_id("Zoë/#+ ")
    assert re.fullmatch("[a-z0-9_]+", player_id("Zoë/#+ "))
