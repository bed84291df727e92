"""What the guide says of smart homes and of the API is so: its YAML, its templates, its topics, its examples."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import yaml
from jinja2.sandbox import ImmutableSandboxedEnvironment

from hardware.mqtt import Broker, discovery, values
from hardware.public_state import PublicEvent, PublicNotice, PublicPlayer, PublicState
from scoring.actions import Confirm, Fill
from table.public import public_state
from tests.hardware.told import state, won
from tests.web.serving import Served
from tests.web.visitor import Visitor
from vision.settle import TableState

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
SMART_HOME, API = ((GUIDE / name).read_text(encoding="utf-8") for name in ("smart-home.md", "api.md"))
TABLE = Broker("host", 1883, base="tableside/table")


class Tagged(yaml.SafeLoader):
    """Reads `!input`, `!secret` and `!lambda` as what stands behind them."""


Tagged.add_multi_constructor("!", lambda loader, tag, node: (tag, loader.construct_scalar(node)))  # pyright: ignore


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def read(text: str) -> dict[str, Any]:
    return cast("dict[str, Any]", yaml.load(text, Tagged))


CARD, BLUEPRINT = map(read, blocks(SMART_HOME, "yaml"))
ESPHOME = read((GUIDE / "esphome-scoreboard.yaml").read_text(encoding="utf-8"))


def entities(shown: PublicState) -> dict[str, dict[str, Any]]:
    """Home Assistant's entities for a state, by the ids that it makes of the names of device and entity."""
    found: dict[str, dict[str, Any]] = {}
    for topic, config in discovery(TABLE, shown, "1"):
        made = json.loads(config)
        name = re.sub("[^a-z0-9]+", "_", f"{made['device']['name']} {made['name']}".lower()).strip("_")
        found[f"{topic.split('/')[1]}.{name}"] = made
    return found


def home_assistant(shown: PublicState | None) -> dict[str, Callable[..., Any]]:
    """Its functions for templates, as they answer with this state; None: Tableside is not running."""
    payloads: Mapping[str, str] = {}
    if shown is not None:
        topics = {**values(shown), "state": msgspec.json.encode(shown).decode()}
        payloads = {f"{TABLE.base}/{topic}": payload for topic, payload in topics.items()}
    known = entities(shown or state(1, "Ann"))

    def states(entity: str) -> str:
        config = known[entity]
        payload = payloads.get(config["state_topic"])
        if payload is None:
            return "unavailable"
        template = config.get("value_template", "{{ value }}")
        is_json = payload[:1] == "{"
        value = json.loads(payload) if is_json else payload
        return ImmutableSandboxedEnvironment().from_string(template).render(value_json=value, value=payload)

    def state_attr(entity: str, name: str) -> Any:
        return json.loads(payloads[known[entity]["json_attributes_topic"]])[name]

    return {"states": states, "state_attr": state_attr, "has_value": lambda one: states(one) != "unavailable"}


def card(shown: PublicState | None) -> list[str]:
    made = ImmutableSandboxedEnvironment().from_string(CARD["content"]).render(**home_assistant(shown))
    return made.strip().splitlines()


def test_the_card_shows_the_match():
    assert CARD["type"] == "markdown"
    assert card(state(1, "Ann", "Bob")) == [
        "**Triples** · Ann, throw the dice.",
        "🎲 two cats, sigil",
        "",
        "| | Player | Score |",
        "|:-:|:--|--:|",
        "| ▶ | Ann | 0 |",
        "|  | Bob | 7 |",
    ]
    assert "| 🏆 | Bob | 7 |" in card(won(2, 1).state)
    assert card(None) == ["Nobody is playing."]


def test_every_entity_of_the_guide_is_announced_and_every_other_one_is_in_the_guide():
    told = set(re.findall(r"`((?:sensor|event)\.tableside_table_\w+)`", SMART_HOME))
    assert told == set(entities(state(1, "Ann")))


def test_the_blueprint_flashes_what_is_chosen_at_a_win_and_at_nothing_else():
    about = BLUEPRINT["blueprint"]
    assert about["domain"] == "automation"
    used = {name for tag, name in re.findall(r"'(input)', '(\w+)'", repr(BLUEPRINT))}
    assert used == set(about["input"])
    (trigger,) = BLUEPRINT["triggers"]
    assert (trigger["trigger"], trigger["entity_id"]) == ("state", ("input", "win"))
    assert trigger["not_from"] == "unavailable", "when Tableside starts, the last win comes back"
    (repeat,) = BLUEPRINT["actions"]
    assert repeat["repeat"]["sequence"][0]["action"] == "light.turn_on"


def test_the_esp32_listens_to_topics_that_there_are():
    base = ESPHOME["substitutions"]["table"]
    assert base == TABLE.base
    heard = [one["topic"] for one in (*ESPHOME["text_sensor"], *ESPHOME["mqtt"]["on_message"])]
    told = {*values(state(1, "Ann")), "status", "event/throw", "event/points", "event/win"}
    assert {topic.removeprefix("${table}/") for topic in heard} <= told
    named = {"board", "letters", *(one["id"] for one in ESPHOME["text_sensor"])}
    assert set(re.findall(r"id\((\w+)\)", (GUIDE / "esphome-scoreboard.yaml").read_text(encoding="utf-8"))) <= named


def test_every_topic_is_in_the_guide():
    section = SMART_HOME.split("## Everything over MQTT")[1].split("\n## ")[0]
    told = set(re.findall(r"`([a-z/A-Z0-9]+)`", section.split("A value that is empty")[0]))
    ours = {re.sub(r"player/[a-z0-9_]+/", "player/ID/", topic) for topic in values(state(1, "Ann"))}
    others = {"status", "state", "notice", "event/throw", "event/points", "event/win"}
    assert ours | others <= told


def rows(heading: str) -> set[str]:
    """The names in the first column of the first table below a heading."""
    section = API.split(f"## {heading}\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", section, re.M) for name in re.findall("`(.*?)`", row)}


def test_every_field_of_the_api_is_in_the_guide():
    assert rows("The state") == {one.name for one in fields(PublicState)}
    assert {one.name for one in fields(PublicNotice)} | {"hello", "notice", "table", "beat"} == rows("Notices")
    assert all(f"`{one.name}`" in API for one in fields(PublicEvent))
    assert all(f"`{one.value}`" in API for one in TableState)
    example = json.loads(blocks(API, "json")[0])
    made = msgspec.convert(example, PublicState)
    assert json.loads(msgspec.json.encode(made)) == example
    assert list(example["players"][0]) == [one.name for one in fields(PublicPlayer)]


def test_the_state_of_the_guide_is_one_that_comes_of_play(lay: Callable[..., Any]):
    session = lay(players=("Ann", "Bob")).table.session
    session.roll("2 2 2 2 5 5")
    session.decide(Fill("chance"))
    latest = session.latest()
    real = json.loads(msgspec.json.encode(public_state(latest.snapshot, 3, latest.sentence(), "en")))
    example = json.loads(blocks(API, "json")[0])
    assert {**example, "match": "", "dice": []} == {**real, "match": "", "dice": []}


@pytest.mark.slow
def test_the_examples_run(serve: Callable[..., Served]):
    served = serve(players=("Ann", "Bob"))
    here = f"localhost:{served.port}"
    for command in re.findall(r"^curl (\S+)$", API, re.M):
        done = subprocess.run(["curl", "-sS", command.replace("localhost:8765", here)], capture_output=True, timeout=60)
        assert msgspec.json.decode(done.stdout, type=PublicState).turn == "Ann", done.stderr
    (example,) = blocks(API, "python")
    listening = subprocess.Popen(
        [sys.executable, "-u", "-c", example.replace("localhost:8765", here)], stdout=subprocess.PIPE, text=True
    )
    assert listening.stdout is not None
    try:
        assert listening.stdout.readline() == "Ann Meet Fate. Ann, throw the dice.\n"
        served.house.table.session.roll("8 8 8 8 8 8")
        assert listening.stdout.readline().startswith("Ann ")
        served.house.table.session.decide(Confirm(yes=True))
        assert listening.stdout.readline().startswith(" Six eights! Ann")
        assert listening.stdout.readline() == "Ann wins!\n"
    finally:
        listening.kill()
        listening.wait()
        listening.stdout.close()


def test_the_example_for_a_page_runs(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    """In a page of ours, whose address the example's is relative to."""
    served = serve(players=("Ann", "Bob"))
    (example,) = blocks(API, "javascript")
    page = visit(served, "/rules").page
    page.evaluate(example)
    page.wait_for_function("() => document.title === 'Ann 0, Bob 0'")
    served.house.table.session.roll("2 2 2 2 5 5")
    served.house.table.session.decide(Fill("chance"))
    page.wait_for_function("() => document.title === 'Ann 18, Bob 0'")
