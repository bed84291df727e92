"""The webhook: each notice as JSON, in order, to an address that may be away, slow or wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import msgspec
import pytest

from hardware import http, webhook
from hardware.http import http_address
from hardware.public_state import PublicEvent, PublicNotice
from hardware.webhook import Webhook
from tests.hardware.devices import Heard, HttpDevice
from tests.hardware.told import notice
from tests.waiting import soon


class Receiver(HttpDevice):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        """The statuses of the next answers; 200 after them."""
        super().__init__()

    def answer(self, request: Heard) -> tuple[int, bytes]:
        return self.answers.pop(0) if self.answers else 200, b""

    @property
    def numbers(self) -> list[int]:
        return [one["number"] for one in self.posted("/hook")]


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(http, "TIMEOUT", 0.3)
    monkeypatch.setattr(http, "DEADLINE", 0.6)
    monkeypatch.setattr(webhook, "TRIES", (0.0, 0.05, 0.1))
    made = Receiver()
    yield made
    made.unplug()


@pytest.fixture
def sending(receiver: Receiver) -> Iterator[Webhook]:
    made = Webhook(http_address(f"http://me:s3cret@127.0.0.1:{receiver.port}/hook?key=s3cret"), "1.2.3")
    made.start("abcd-8765")
    yield made
    made.close()
    assert "s3cret" not in str(made.words)


def test_each_notice_is_sent_whole_and_in_order(receiver: Receiver, sending: Webhook):
    told = [notice(n, events=(PublicEvent("points", "Ann", n),)) for n in range(1, 30)]
    for one in told:
        sending.tell(one)
    assert soon(lambda: len(receiver.heard) == len(told))
    assert [msgspec.json.decode(one.body, type=PublicNotice) for one in receiver.heard] == told
    first = receiver.heard[0]
    assert (first.path, first.query) == ("/hook", {"key": ["s3cret"]})
    assert first.headers["Content-Type"] == "application/json"
    assert first.headers["User-Agent"] == "Tableside/1.2.3"
    assert first.headers["X-Tableside-Table"] == "abcd-8765"
    assert first.headers["Authorization"] == "Basic bWU6czNjcmV0"


def test_what_fails_is_tried_again_a_few_times(receiver: Receiver, sending: Webhook):
    receiver.answers = [500, 429]
    sending.tell(notice(1))
    assert soon(lambda: receiver.numbers == [1, 1, 1])
    assert str(sending.words) == f"Sending notices to the webhook at 127.0.0.1:{receiver.port}"
    receiver.answers = [500, 500, 500]
    sending.tell(notice(2))
    sending.tell(notice(3))
    assert soon(lambda: receiver.numbers == [1, 1, 1, 2, 2, 2, 3])


@pytest.mark.parametrize("status", [301, 400, 404, 410])
def test_what_is_refused_is_not_tried_again(receiver: Receiver, sending: Webhook, status: int):
    receiver.answers = [status]
    sending.tell(notice(1))
    assert soon(lambda: str(sending.words).endswith(f"HTTP status {status}; the notice was not delivered"))
    sending.tell(notice(2))
    assert soon(lambda: receiver.numbers == [1, 2])
    assert soon(lambda: str(sending.words).startswith("Sending notices"))


def unplugged(receiver: Receiver) -> None:
    receiver.unplug()


def slow(receiver: Receiver) -> None:
    receiver.slow = 1.0


@pytest.mark.parametrize("fault", [unplugged, slow])
def test_an_address_that_does_not_answer_holds_up_nobody(
    receiver: Receiver, sending: Webhook, fault: Callable[[Receiver], None]
):
    fault(receiver)
    began = time.thread_time(), time.monotonic()
    for number in range(2000):
        sending.tell(notice(number))
    assert time.thread_time() - began[0] < 2
    assert time.monotonic() - began[1] < 30
    assert soon(lambda: str(sending.words).endswith("isn’t answering; the notice was not delivered"))
    began = time.monotonic(), 0.0
    sending.close()
    assert time.monotonic() - began[0] < 10
