"""What a container or a service manager asks: does this Tableside still work?"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from tests.waiting import soon
from vision.frame import Mask, Pixels
from vision.reading import Reading


class Faulty:
    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        raise RuntimeError("a fault of ours")


def health(client: FlaskClient) -> tuple[int, object]:
    answer = client.get("/health")
    return answer.status_code, answer.json


def test_a_table_is_well_before_it_watches_while_it_does_and_when_it_is_closed(house: House, client: FlaskClient):
    assert health(client) == (200, {"status": "ok"})
    house.open()
    assert health(client) == (200, {"status": "ok"})
    house.close()
    assert health(client) == (200, {"status": "ok"})


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_table_whose_watcher_met_a_bug_is_not(lay: Callable[..., House]):
    house = lay(reader=lambda _: Faulty())
    client = house.app.test_client()
    assert health(client) == (200, {"status": "ok"})
    house.open()
    assert soon(lambda: health(client) == (503, {"status": "failed"}))


def test_whoever_watches_may_ask(guarded: House):
    assert health(guarded.app.test_client()) == (200, {"status": "ok"})
