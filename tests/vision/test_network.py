"""Networks see a batch as two halves at once, and say the same as of each picture alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.network import THREADS, open_network


@pytest.mark.parametrize("count", [1, 2, 5])
def test_what_is_seen_together_is_what_is_seen_alone(count: int) -> None:
    crops = np.random.default_rng(count).integers(0, 256, (count, 96, 96, 3)).astype(np.uint8)
    finder = open_network("finder")
    together = finder.run(None, {"crops": crops})
    alone = [finder.run(None, {"crops": crop[None]}) for crop in crops]
    for number, part in enumerate(together):
        assert len(part) == count
        np.testing.assert_allclose(part, np.concatenate([one[number] for one in alone]), atol=1e-5)


@pytest.mark.skipif(THREADS == 1, reason="one processor core sees one half after the other")
def test_what_is_wrong_with_either_half_is_said() -> None:
    with pytest.raises(Exception, match="float"):
        open_network("finder").run(None, {"crops": np.zeros((2, 96, 96, 3), np.float32)})
