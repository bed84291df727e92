"""A phone as the camera: its pictures are taken while the table looks, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from cli.compose import House
from tests.web.tables import HERE
from vision.camera import PushedFrames


@pytest.fixture
def phone() -> PushedFrames:
    return PushedFrames()


@pytest.fixture
def house(lay: Callable[..., House], phone: PushedFrames) -> House:
    return lay(players=["Alice"], camera=phone)


def jpeg(width: int = 320) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((240, width, 3), 90, np.uint8))[1])


def push(house: House, picture: bytes, kind: str = "image/jpeg", origin: str = HERE):
    client = house.app.test_client()
    return client.post("/phone/picture", data=picture, content_type=kind, headers={"Origin": origin})


def test_a_picture_is_taken_while_the_table_looks(house: House, phone: PushedFrames):
    assert "Start the camera" in house.app.test_client().get("/phone").get_data(as_text=True)
    assert push(house, jpeg()).status_code == 409
    phone.open()
    assert push(house, jpeg()).status_code == 204
    frame = phone.read()
    assert frame is not None
    assert frame.pixels.shape == (240, 320, 3)


@pytest.mark.parametrize(
    ("picture", "kind", "origin", "status"),
    [
        (b"<html>", "image/jpeg", HERE, 400),
        (jpeg()[:300], "image/jpeg", HERE, 400),
        (jpeg(), "text/html", HERE, 415),
        (jpeg(), "image/jpeg", "http://evil.example", 403),
        (b"\xff" * (5 << 20), "image/jpeg", HERE, 413),
    ],
    ids=["html", "cut", "kind", "stranger", "huge"],
)
def test_nothing_else_is(
    house: House, phone: PushedFrames, picture: bytes, kind: str, origin: str, status: int
):
    phone.open()
    answer = push(house, picture, kind, origin)
    assert answer.status_code == status
    assert len(answer.get_data(as_text=True).strip().splitlines()) == 1
