"""Networks see a batch as two halves at once, and say the same as of each picture alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from vision.network import Network, open_network


@pytest.fixture(name="finder")
def _finder(monkeypatch: pytest.MonkeyPatch) -> Network:
    """As on a computer with two processor cores."""
    monkeypatch.setattr("vision.network.THREADS", 2)
    return open_network("finder")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_what_is_seen_together_is_what_is_seen_alone(finder: Network, count: int) -> None:
    crops = np.random.default_rng(count).integers(0, 256, (count, 96, 96, 3)).astype(np.uint8)
    together = finder.run(None, {"crops": crops})
    alone = [finder.run(None, {"crops": crop[None]}) for crop in crops]
    for number, part in enumerate(together):
        assert len(part) == count
        np.testing.assert_allclose(part, np.concatenate([one[number] for one in alone]), atol=1e-5)


def test_what_is_wrong_with_a_half_is_said(finder: Network) -> None:
    with pytest.raises(Exception, match="float"):
        finder.run(None, {"crops": np.zeros((2, 96, 96, 3), np.float32)})


def test_a_camera_may_still_read_while_the_program_ends(finder: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = ThreadPoolExecutor(1)
    ended.shutdown()
    monkeypatch.setattr("vision.network._HELPER", ended)
    _, kinds = finder.run(None, {"crops": np.zeros((2, 96, 96, 3), np.uint8)})
    assert len(kinds) == 2
