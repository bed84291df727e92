"""A test that is the same for every game runs for some of them each time, and for the others as a proof."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def others_as_proof(values: Iterable[Any], *tested: Any) -> list[Any]:
    """Values for `pytest.mark.parametrize`: all but those `tested` every time carry the mark `proof`."""
    values = list(values)
    assert set(tested) <= set(values), "only what there is can be tested"
    return [value if value in tested else pytest.param(value, marks=pytest.mark.proof) for value in values]
